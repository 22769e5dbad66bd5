/** Signing in and out: messages, storage, requests, and the state after a reload. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { commands, env, Uri, UIKind, workspace } from "vscode";
import { isStored } from "../harness/browser-storage.ts";
import { onPage, reloadWindow, screenshot, skip, stage, startService } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string; readonly message: string; readonly status?: number };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const projectFile = (): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, "project-translations.json");
};

/** Every file of this window's own folder (settings, storage, logs) and of the workspace that holds the text. */
async function filesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [process.env["HOME"] ?? "", join(projectFile().fsPath, "..")]) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      if (path.includes(text) || bytes.includes(text)) found.push(path);
    }
  }
  return found;
}

/** What the databases of this machine hold of the service, beside what is known of the code in the folder. */
async function cached(): Promise<unknown[]> {
  const home = process.env["HOME"] ?? "";
  const paths = await readdir(home, { recursive: true });
  return paths
    .filter((path) => path.endsWith("/project.db"))
    .flatMap((path) => {
      const database = new DatabaseSync(join(home, path), { readOnly: true });
      // What is of local files has the revision 0.
      const rows = ["keys", "translations"].flatMap((table) =>
        database.prepare(`SELECT * FROM ${table} WHERE revision > 0 LIMIT 1`).all(),
      );
      const values = database
        .prepare(
          `SELECT * FROM state WHERE name NOT IN ('revision', 'local', 'local keys', 'local translations', 'local checks') AND name NOT LIKE 'usages.%'
             AND value <> '{"kind":"files"}'`,
        )
        .all();
      database.close();
      return [...rows, ...values];
    });
}

/** How many requests the service counted for the token since it was started, this one not. */
async function requestsSoFar(baseUrl: string, token: string): Promise<number> {
  const response = await fetch(`${baseUrl}/project`, { headers: { Authorization: `Bearer ${token}` } });
  return (
    Number(response.headers.get("x-ratelimit-limit")) -
    Number(response.headers.get("x-ratelimit-remaining")) -
    1
  );
}

describe("sign in", () => {
  afterEach(async () => void (await run("signOut")));

  journey("writes the token to no file, file name or log", async () => {
    const { baseUrl, token } = await startService({ demo: true });
    await run("signIn", { baseUrl, token });
    assert.equal((await run("refresh")).outcome, "done");
    await run("signIn", { baseUrl, token: `${token}x` });
    const diagnosis = await run("showDiagnosis");
    assert.ok(!JSON.stringify(diagnosis).includes(token));
    assert.deepEqual(await filesWith(token), []);
  });

  journey(
    "prompts for base URL and token, keeps a refused token in the input, and writes no file",
    async () => {
      const { baseUrl, token } = await startService({ demo: true });
      const before = await readFile(projectFile().fsPath);
      const signedIn = run("signIn", { confirm: true });
      const type = (text: string): Promise<void> =>
        onPage(async (page, words) => {
          const input = page.locator(".quick-input-widget:visible input").first();
          await input.fill(words);
          await input.press("Enter");
        }, text);
      const title = (words: string): Promise<unknown> =>
        waitFor(`the box says ${words}`, () =>
          onPage(
            async (page, part) => (await page.locator(".quick-input-title").innerText()).includes(part),
            words,
          ),
        );
      await title("(1/2)");
      const { origin } = new URL(baseUrl);
      await type(`${origin}/elsewhere`);
      await waitFor("the box says that the address is wrong", () =>
        onPage(async (page) =>
          (await page.locator(".quick-input-widget").innerText()).includes(
            "no Project Translation Service at",
          ),
        ),
      );
      await screenshot("wrong-address");
      // Without the version segment, which is found out.
      await type(origin);
      await title("(2/2)");
      assert.ok(
        await onPage(
          async (page, url) => (await page.locator(".quick-input-widget").innerText()).includes(url),
          baseUrl,
        ),
      );
      assert.equal(
        await onPage((page) => page.locator(".quick-input-widget input").first().getAttribute("type")),
        "password",
      );
      await type("not-the-right-token");
      await waitFor("the box says why", () =>
        onPage(async (page) =>
          (await page.locator(".quick-input-widget").innerText()).includes("does not accept"),
        ),
      );
      await screenshot("refused");
      await type(token);
      assert.equal((await signedIn).outcome, "done");
      assert.deepEqual(await readFile(projectFile().fsPath), before);
    },
  );

  it("returns the project, its languages and that the token may write", async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const result = await run("signIn", { baseUrl, token });
    assert.deepEqual(
      { ...result, languages: (result["languages"] as string[]).slice(0, 2) },
      {
        outcome: "done",
        project: { slug: "webshop", name: "Webshop" },
        languages: ["en", "nl"],
        canWrite: true,
      },
    );
  });

  it("recognises a read-only token before any write", async () => {
    const { baseUrl, readToken } = await startService({ demo: true });
    assert.equal((await run("signIn", { baseUrl, token: readToken }))["canWrite"], false);
    const pushed = await run("push", { dryRun: true });
    assert.equal(pushed.error?.code, "forbidden");
    assert.match(pushed.error.message, /read-only/);
  });

  it("does not keep a token that the service refuses", async () => {
    const { baseUrl } = await startService();
    const result = await run("signIn", { baseUrl, token: "not-the-right-token" });
    assert.equal(result.outcome, "failed");
    assert.deepEqual([result.error?.code, result.error?.status], ["unauthorized", 401]);
    assert.equal((await run("push", { dryRun: true })).error?.code, "not_signed_in");
  });

  it("sends nothing unencrypted to another machine, and nothing without a token", async () => {
    const insecure = await run("signIn", {
      baseUrl: "http://translations.example.com/v1",
      token: "some-token",
    });
    assert.equal(insecure.error?.code, "invalid");
    assert.match(insecure.error.message, /https:/);
    assert.equal(
      (await run("signIn", { baseUrl: "https://translations.example.com/v1" })).error?.code,
      "invalid",
    );
    assert.equal((await run("signIn", { token: "some-token", baseUrl: 5 })).error?.code, "invalid");
  });

  it("reports a folder that belongs to no project", async () => {
    const { baseUrl, token } = await startService();
    assert.equal(
      (await run("signIn", { baseUrl, token, folder: "/nowhere/at/all" })).error?.code,
      "no_project",
    );
    const { fsPath } = projectFile();
    assert.equal((await run("signIn", { baseUrl, token, folder: fsPath })).outcome, "done");
  });

  it("sends the token only to the base URL that it was entered for", async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const before = await workspace.fs.readFile(projectFile());
    try {
      assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
      const other = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/v1`;
      const text = new TextDecoder().decode(before).replace("{", `{ "baseUrl": ${JSON.stringify(other)},`);
      await workspace.fs.writeFile(projectFile(), new TextEncoder().encode(text));
      await waitFor(
        "the other base URL holds",
        async () => (await run("push", { dryRun: true })).error?.code === "not_signed_in",
      );
      assert.deepEqual(asked, []);

      await workspace.fs.writeFile(projectFile(), before);
      await waitFor("the first base URL holds again", async () => (await run("refresh")).outcome === "done");
    } finally {
      await workspace.fs.writeFile(projectFile(), before);
      stranger.close();
    }
  });

  it("persists across a reload, which sends one request if nothing changed", async function () {
    const resumed = await stage(this);
    if (resumed === undefined) {
      const service = await startService({ demo: true });
      const { baseUrl, token, id } = service;
      await run("signIn", { baseUrl, token });
      assert.equal((await run("refresh")).outcome, "done");
      await waitFor("the preview languages are cached", async () =>
        String((await run("showDiagnosis"))["text"]).includes("languages: nl, fr"),
      );
      // It counts from nought again, and has the same data.
      await service.stop();
      await startService({ restartOf: id });
      await reloadWindow(this, JSON.stringify({ baseUrl, token }));
      return;
    }
    const { baseUrl, token } = JSON.parse(resumed) as { baseUrl: string; token: string };
    const text = await waitFor("the service was asked", async () => {
      const said = String((await run("showDiagnosis"))["text"]);
      return said.includes("Cache: checked just now") && said;
    });
    assert.match(text, /Keys on the service: 5\d/);
    assert.match(text, /languages: nl, fr/);
    assert.equal(await requestsSoFar(baseUrl, token), 1);
  });
});

/**
 * How many characters of secrets a window in a browser keeps. They are encrypted together, so that their names cannot be
 * seen, but their length can.
 */
const secretsLength = (): Promise<number> =>
  onPage((page) => page.evaluate(() => localStorage.getItem("secrets.provider")?.length ?? 0));

describe("sign out", () => {
  it("deletes the token from the secret storage", async function () {
    if (env.uiKind === UIKind.Desktop) skip(this, "the desktop keeps secrets in a file of its own");
    const { baseUrl, token } = await startService({ demo: true });
    const before = await secretsLength();
    await run("signIn", { baseUrl, token });
    await waitFor("the token is kept", async () => (await secretsLength()) > before + token.length);
    const withToken = await secretsLength();
    assert.equal((await run("signOut")).outcome, "done");
    await waitFor("the token is gone", async () => (await secretsLength()) < withToken - token.length);
  });

  it("removes the cache and its origin, and stays signed out", async function () {
    const signedOutOf = await stage(this);
    if (signedOutOf === undefined) {
      const { baseUrl, token } = await startService({ demo: true });
      await run("signIn", { baseUrl, token });
      await run("refresh");
      await waitFor("the cache is on disk", async () => (await cached()).length > 0);
      assert.equal((await run("signOut")).outcome, "done");
      assert.deepEqual(await cached(), []);
      assert.equal((await run("signOut")).outcome, "unchanged");
      await waitFor("the window has put down what it forgot", async () => !(await isStored(baseUrl)));
      await reloadWindow(this, baseUrl);
      return;
    }
    assert.equal((await run("push", { dryRun: true })).error?.code, "not_signed_in");
    const text = String((await run("showDiagnosis"))["text"]);
    assert.match(text, /Keys on the service: not read yet/);
    assert.ok(!text.includes(signedOutOf), text);
  });
});
