/** A folder that has no project file yet: nothing is written until a person agrees, and what was found is proposed. */
import assert from "node:assert/strict";
import { commands, Uri, workspace } from "vscode";
import { onPage, reloadWindow, screenshot, stage, startService } from "../harness/outside.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  readonly outcome: string;
  readonly error?: { readonly code: string };
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const projectFile = (): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, "project-translations.json");
};

const isThere = async (): Promise<boolean> =>
  workspace.fs.stat(projectFile()).then(
    () => true,
    () => false,
  );

describe("a folder without a project file", () => {
  it("is signed in to all the same, is remembered, and gets no file by that", async function () {
    if ((await stage(this)) === undefined) {
      await workspace.fs.delete(projectFile());
      const { baseUrl, token } = await startService({ demo: true });
      assert.equal((await run("signIn", { baseUrl, token })).outcome, "done");
      assert.equal((await run("refresh")).outcome, "done");
      await reloadWindow(this, "reloaded");
    }
    // Nothing in the folder starts the extension now; a command does.
    assert.equal((await run("refresh")).outcome, "done");
    assert.equal(await isThere(), false);
  });

  it("is offered the layouts that are there, and nothing is written when that is declined", async () => {
    assert.equal((await run("setUpProjectFile")).error?.code, "invalid");
    const asked = run("setUpProjectFile", { confirm: true });
    const rows = await waitFor("the proposals", async () => {
      const texts = await onPage((page) =>
        page.locator(".quick-input-list .monaco-list-row").allInnerTexts(),
      );
      return texts.length >= 3 && texts;
    });
    assert.ok(
      rows.some((each) => each.includes("lang/{locale}/{namespace}.php")),
      rows.join(),
    );
    assert.ok(
      rows.some((each) => each.includes("lang/{locale}.json")),
      rows.join(),
    );
    await screenshot("proposals");
    await onPage((page) => page.keyboard.press("Escape"));
    assert.equal((await asked).outcome, "cancelled");
    assert.equal(await isThere(), false);
  });

  it("gets the file with what was ticked, and its keys are known then", async () => {
    const asked = run("setUpProjectFile", { confirm: true });
    await onPage(async (page) => {
      await page.locator(".quick-input-list .monaco-list-row").nth(2).waitFor();
      await page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click();
    });
    const result = await asked;
    assert.deepEqual([result.outcome, result["written"]], ["done", 2]);
    const file = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(projectFile()))) as Record<
      string,
      unknown
    >;
    assert.deepEqual(file, {
      files: [
        { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
        { path: "lang/{locale}.json", format: "laravel_json" },
      ],
    });
    await waitFor("the keys are known", async () => {
      const text = String((await run("showDiagnosis"))["text"]);
      return /the service knows 5\d of 5\d/.test(text);
    });
  });

  it("keeps comments and order of the file when it is set up further", async () => {
    const text = '{\n  // ours\n  "preview": ["nl"],\n  "files": []\n}\n';
    await workspace.fs.writeFile(projectFile(), new TextEncoder().encode(text));
    await waitFor("the change is seen", async () =>
      String((await run("showDiagnosis"))["text"]).includes("None. Set Up Project File"),
    );
    const asked = run("setUpProjectFile", { confirm: true });
    await onPage(async (page) => {
      await page.locator(".quick-input-list .monaco-list-row").nth(2).waitFor();
      await page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click();
    });
    assert.equal((await asked).outcome, "done");
    const after = new TextDecoder().decode(await workspace.fs.readFile(projectFile()));
    assert.ok(after.startsWith('{\n  // ours\n  "preview": ["nl"],\n  "files": ['), after);
    assert.ok(after.includes("lang/{locale}.json"), after);
  });
});
