/**
 * A malicious repository: a project file that points elsewhere, links out of the folder, exponential patterns, huge
 * files, keys named like JavaScript built-ins, and a malicious service.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { commands, Uri, workspace } from "vscode";
import { addSecret, onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";
import { startHostile, type HostileService } from "./hostile-service.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string };
};

const LINK = "[Click me](command:workbench.action.toggleZenMode)";
const EXPLODES = ["**/a/".repeat(12) + "b.ts", "{a,b}".repeat(24) + "/**/*.ts", "*a".repeat(60)];
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
/** Not the same in two runs: the tests themselves lie among what is searched for it. */
const TOKEN = `pt_${randomUUID()}`;
/** No pause of the extension host was longer, other windows and a busy machine counted. Milliseconds. */
const STILL_ALIVE = 15_000;

describe("a hostile repository", function () {
  this.timeout(240_000);
  let evil: string;
  let outside: string;
  let hostile: HostileService;
  let longest = 0;
  let heart: NodeJS.Timeout;

  const run = async (name: string, options: object = {}): Promise<Result> =>
    await commands.executeCommand<Result>(`projectTranslations.${name}`, {
      confirm: false,
      folder: evil,
      ...options,
    });

  before(async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    evil = join(folder.uri.fsPath, "evil");
    outside = await mkdtemp(join(tmpdir(), "pt-outside-"));
    hostile = await startHostile();
    await addSecret(TOKEN);
    let last = performance.now();
    heart = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 50);

    await writeFile(join(outside, "secret.json"), '{ "outside.secret": "of another app" }\n');
    await mkdir(join(outside, "app"));
    await writeFile(join(outside, "app", "project-translations.json"), '{ "files": [] }');
    await mkdir(join(evil, "lang"), { recursive: true });
    await mkdir(join(evil, ".git"));
    await writeFile(join(evil, ".git", "config"), "[core]\n");
    const own = NAMES.map((name) => `  "${name}": "text of ${name}"`).join(",\n");
    await writeFile(join(evil, "lang", "en.json"), `{\n${own}\n}\n`);
    await symlink(join(outside, "secret.json"), join(evil, "lang", "nl.json"));
    await symlink(outside, join(evil, "lang", "away"));
    await symlink(join(evil, "lang"), join(evil, "lang", "round"));
    await symlink("it.json", join(evil, "lang", "it.json"));
    await symlink(join(outside, "app"), join(evil, "linked"));
    await writeFile(join(evil, "lang", "fr.json"), "");
    await truncate(join(evil, "lang", "fr.json"), 200 * 1024 * 1024);
    await writeFile(join(evil, ".gitignore"), `${EXPLODES.join("\n")}\n`);
    await writeFile(join(evil, `${"a".repeat(200)}c.ts`), NAMES.map((name) => `t("${name}");`).join("\n"));
    await mkdir(join(evil, ...Array.from({ length: 40 }, () => "a")), { recursive: true });
    const project = {
      baseUrl: `${hostile.origin}/v1`,
      files: [
        { path: "../../{locale}.json", format: "json_js" },
        { path: "/etc/{locale}.json", format: "json_js" },
        { path: `${"{namespace}{locale}".repeat(20)}.json`, format: "json_js" },
        { path: "lang/{locale}.json", format: "laravel_json" },
      ],
      pull: { into: "." },
      usage: { include: ["**/*.ts", ...EXPLODES], exclude: EXPLODES, keep: ["*a".repeat(40) + "b"] },
      diagnostics: { ignore: [{ path: EXPLODES[0] }, { key: "*o".repeat(40) + "b" }] },
    };
    await writeFile(join(evil, "project-translations.json"), JSON.stringify(project));
    await waitFor(
      "the project is found",
      async () => String((await run("showDiagnosis"))["text"]).includes(evil),
      60,
    );
  });

  after(async () => {
    clearInterval(heart);
    await hostile.close();
  });

  afterEach(() => assert.ok(longest < STILL_ALIVE, `the window stood still for ${Math.round(longest)} ms`));

  journey("sends no requests when opened, and ignores links out of the folder", async () => {
    const text = String((await run("showDiagnosis"))["text"]);
    assert.match(text, /lang\/\{locale\}\.json/);
    assert.ok(!text.includes(join(evil, "linked")), text);
    assert.equal((await run("push", { dryRun: true })).error?.code, "not_signed_in");
    assert.deepEqual(hostile.asked, []);
  });

  journey("handles keys named like JavaScript's built-in members", async () => {
    for (const key of NAMES) {
      assert.equal((await run("goToEntry", { key })).outcome, "done", key);
      assert.equal((await run("setLocal", { key, value: `new ${key}` })).outcome, "done", key);
    }
    const texts = JSON.parse(await readFile(join(evil, "lang", "en.json"), "utf8")) as object;
    assert.deepEqual(
      Object.entries(texts),
      NAMES.map((name) => [name, `new ${name}`]),
    );
    assert.equal(({} as Record<string, unknown>)["text"], undefined);
  });

  journey("neither reads nor writes through links out of the folder", async () => {
    assert.notEqual((await run("goToEntry", { key: "outside.secret" })).outcome, "done");
    for (const locale of ["nl", "it"]) {
      const result = await run("setLocal", { key: "toString", locale, value: "not there" });
      assert.notEqual(result.outcome, "done", `${locale}: ${JSON.stringify(result)}`);
    }
    assert.deepEqual((await readdir(outside)).sort(), ["app", "secret.json"]);
    assert.match(await readFile(join(outside, "secret.json"), "utf8"), /of another app/);
  });

  journey("pushes and imports only its own files, only to the origin of the token", async () => {
    const { baseUrl, token } = await startService();
    assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
    const pushed = await run("push");
    assert.equal(pushed.outcome, "done", JSON.stringify(pushed));
    const imported = await run("import", { files: [join(evil, "lang")], locale: "en" });
    assert.ok(["done", "failed"].includes(imported.outcome), JSON.stringify(imported));
    const { keys } = await run("listKeys");
    const names = (keys as { key: string }[]).map(({ key }) => key);
    assert.deepEqual(names.toSorted(), NAMES.toSorted());
    assert.deepEqual(hostile.asked, []);
    assert.equal((await run("signOut")).outcome, "done");
  });

  journey("does not send the token along a redirect", async () => {
    const stranger = await startHostile();
    hostile.elsewhere = stranger.origin;
    try {
      const result = await run("signIn", { baseUrl: `${hostile.origin}/v1`, token: TOKEN });
      assert.equal(result.error?.code, "bad_response", JSON.stringify(result));
      assert.deepEqual(stranger.asked, []);
      assert.ok(hostile.asked.every(({ authorization }) => authorization === `Bearer ${TOKEN}`));
    } finally {
      hostile.elsewhere = undefined;
      await stranger.close();
    }
  });

  journey("writes no exports that are executable or outside the folder", async () => {
    const signedIn = await run("signIn", { baseUrl: `${hostile.origin}/v1`, token: TOKEN });
    assert.equal(signedIn.outcome, "done", JSON.stringify(signedIn));
    const bytes = new TextEncoder().encode('{ "toString": "theirs" }\n');
    const before = await filesOf(evil);
    for (const path of [
      ".git/config",
      ".GIT/hooks/post-checkout",
      ".vscode/settings.json",
      "node_modules/x/index.js",
      "../out.json",
      "/tmp/out.json",
      "C:\\out.json",
      "lang/away/new.json",
    ]) {
      // Beside a good file, which is not written either.
      hostile.file = { bytes: zipSync({ "lang/de.json": bytes, [path]: bytes }), name: "all.zip" };
      const result = await run("pull", { profile: "all" });
      assert.equal(result.error?.code, "unsafe_file", `${path}: ${JSON.stringify(result)}`);
      assert.deepEqual(await filesOf(evil), before, path);
    }
    // A link is not followed, and named; the other files are written.
    hostile.file = { bytes: zipSync({ "lang/de.json": bytes, "lang/nl.json": bytes }), name: "all.zip" };
    const secret = await readFile(join(outside, "secret.json"), "utf8");
    const pulled = await run("pull", { profile: "all" });
    assert.equal(pulled.outcome, "done", JSON.stringify(pulled));
    const named = pulled["items"] as readonly { readonly file: string }[];
    assert.deepEqual(
      named.map(({ file }) => file),
      ["lang/nl.json"],
    );
    assert.equal(await readFile(join(outside, "secret.json"), "utf8"), secret);
    await rm(join(evil, "lang", "de.json"));
    assert.deepEqual((await readdir(outside)).sort(), ["app", "secret.json"]);
    assert.equal(await readFile(join(evil, ".git", "config"), "utf8"), "[core]\n");
  });

  journey("shows links, markup and bidirectional text of the service as plain text", async () => {
    hostile.name = `${LINK}\u202Edne\u001B[31m$(alert)\n2026-01-01 00:00:00.000 [info] forged <img src=x>`;
    const signedIn = await commands.executeCommand<Result>("projectTranslations.signIn", {
      baseUrl: `${hostile.origin}/v1`,
      token: TOKEN,
      folder: evil,
    });
    assert.equal(signedIn.outcome, "done");
    await commands.executeCommand("projectTranslations.languages.focus");
    await waitForNotification("Click me");
    const shown = await waitFor("the notification is there", () =>
      onPage(async (page) => {
        const message = page
          .locator(".notification-list-item-message")
          .filter({ hasText: "Click me" })
          .first();
        if ((await message.count()) === 0) return null;
        return { text: await message.innerText(), links: await message.locator("a").count() };
      }),
    );
    assert.equal(shown.links, 0, shown.text);
    const all = await onPage((page) => page.locator("body").innerText());
    assert.ok(all.includes("[U+202E]"));
    assert.ok(!all.includes("\u202E") && !all.includes("\u001B"));
    await screenshot("words");
    await commands.executeCommand("notifications.clearAll");
  });

  journey("cannot inject lines into the log", async () => {
    const home = process.env["HOME"] ?? "";
    const logs = (await readdir(home, { recursive: true })).filter((path) =>
      path.endsWith("Project Translations.log"),
    );
    assert.ok(logs.length > 0);
    for (const path of logs) {
      const text = await readFile(join(home, path), "utf8");
      assert.ok(!text.includes(TOKEN));
      // oxlint-disable-next-line no-control-regex -- these are what must not be there
      assert.ok(!/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u.test(text), path);
      assert.ok(!/^2026-01-01 00:00:00\.000/mu.test(text), path);
    }
  });

  journey("leaves no trace of the token", async () => {
    assert.equal((await run("signOut")).outcome, "done");
    assert.equal((await run("push", { dryRun: true })).error?.code, "not_signed_in");
  });
});

/** Paths and sizes below the folder. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const uri = Uri.file(join(entry.parentPath, entry.name));
    found.push(`${uri.fsPath} ${(await workspace.fs.stat(uri)).size}`);
  }
  return found.sort();
}
