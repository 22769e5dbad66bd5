/** Starts the local service from its bundle, signs in to it, and stops it. */
import assert from "node:assert/strict";
import { commands } from "vscode";
import { pickItems, pressInInput, waitForInput } from "../harness/prompts.ts";
import { onPage, screenshot } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

describe("the local service", () => {
  after(() => run("stopLocalService"));

  it("starts with the demo project, which can be signed in to", async () => {
    const started = await run("startLocalService", { demo: true });
    assert.equal(started.outcome, "done", JSON.stringify(started));
    const { baseUrl, token } = started as unknown as { baseUrl: string; token: string };
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    const signedIn = await run("signIn", { baseUrl, token });
    assert.deepEqual([signedIn.outcome, signedIn["canWrite"]], ["done", true]);
  });

  it("is offered in the view once it is running", async () => {
    await run("signOut");
    await commands.executeCommand("projectTranslations.languages.focus");
    // VS Code ignores clicks on rows while it gets those of the files.
    await waitFor("the view shows the texts of the files", () =>
      onPage(async (page) => {
        const rows = await page.getByRole("treeitem").allInnerTexts();
        return rows.some((row) => /source, \d+ keys/u.test(row));
      }),
    );
    await onPage((page) =>
      page.getByRole("treeitem").filter({ hasText: "Sign In to the Local Service" }).click(),
    );
    await waitFor("the view shows the languages of the demo", () =>
      onPage(async (page) => {
        const rows = await page.getByRole("treeitem").allInnerTexts();
        const isOffered = rows.some((row) => row.includes("Local Service"));
        return !isOffered && rows.some((row) => row.includes("Nederlands"));
      }),
    );
    await screenshot("signed-in");
  });

  it("keeps running when it is started again", async () => {
    const first = await run("startLocalService", { demo: true });
    assert.equal(first.outcome, "unchanged");
    assert.deepEqual(await run("startLocalService"), first);
  });

  it("starts once if it is started twice at once", async () => {
    await run("stopLocalService");
    const both = await Promise.all([run("startLocalService"), run("startLocalService")]);
    assert.deepEqual(both.map(({ outcome }) => outcome).toSorted(), ["done", "unchanged"]);
    assert.equal(both[0]["baseUrl"], both[1]["baseUrl"]);
  });

  it("makes the project for this app first, from its files, and loses nothing when it is stopped", async () => {
    await run("stopLocalService");
    const starting = commands.executeCommand<Result>("projectTranslations.startLocalService");
    await waitForInput("Start Local Service");
    await screenshot("local-service-choices");
    const [first = "", ...others] = await pickItems();
    assert.match(first, /Project for this app/u);
    assert.match(others.join(), /Demo project/u);
    await pressInInput("Enter");
    const started = await starting;
    assert.equal(started.outcome, "done", JSON.stringify(started));
    const { baseUrl, token } = started as unknown as { baseUrl: string; token: string };
    const ask = async (path: string): Promise<Record<string, unknown>> => {
      const response = await fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}` } });
      return ((await response.json()) as { data: Record<string, unknown> }).data;
    };
    const project = await ask("/project");
    assert.deepEqual([project["type"], project["sourceLocale"]], ["laravel", "en"], JSON.stringify(project));
    await run("signIn", { baseUrl, token });
    assert.equal((await run("push")).outcome, "done");
    assert.equal((await run("stopLocalService")).outcome, "done");
    assert.equal((await run("pull")).error?.code, "not_signed_in");
    const again = await run("startLocalService");
    assert.deepEqual([again["baseUrl"], again["token"]], [baseUrl, token]);
    assert.notEqual(
      ((await ask("/stats")) as unknown as { languages: { totalKeys: number }[] }).languages[0]?.totalKeys,
      0,
    );
  });

  it("refuses an invalid port", async () => {
    await run("stopLocalService");
    assert.equal((await run("startLocalService", { port: -1 })).error?.code, "invalid");
    assert.equal((await run("stopLocalService")).outcome, "unchanged");
  });

  it("ends when it is stopped", async () => {
    const { baseUrl, token } = (await run("startLocalService")) as unknown as {
      baseUrl: string;
      token: string;
    };
    const ask = (): Promise<Response> =>
      fetch(`${baseUrl}/project`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal((await ask()).status, 200);
    assert.equal((await run("stopLocalService")).outcome, "done");
    await waitFor("nobody listens any more", async () =>
      ask().then(
        () => false,
        () => true,
      ),
    );
    assert.equal((await run("stopLocalService")).outcome, "unchanged");
  });
});
