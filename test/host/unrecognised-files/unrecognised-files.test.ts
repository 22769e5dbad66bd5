/** A folder in which no translation files are recognised, opened for the first time. */
import assert from "node:assert/strict";
import { commands, Uri, window, workspace } from "vscode";
import { inAllThemes } from "../editor/opened.ts";
import { onPage, screenshot } from "../harness/bridge-client.ts";
import { runCommand } from "../harness/documents.ts";
import {
  pickItem,
  pickItems,
  pressInInput,
  pressInNotification,
  setInputValue,
  waitForInputMessage,
  waitForInputValue,
  waitForNotification,
} from "../harness/prompts.ts";
import { waitForTreeRow } from "../harness/tree-rows.ts";
import { waitFor } from "../harness/wait-for.ts";

const projectFile = (): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, "project-translations.json");
};

describe("a folder in which no translation files are recognised", () => {
  it("says so in the view, with what was looked for", async () => {
    await commands.executeCommand("projectTranslations.languages.focus");
    const text = await waitFor("the welcome", async () => {
      const shown = await onPage((page) => page.locator(".welcome-view-content").first().innerText());
      return shown.includes("No translation files were recognised") && shown;
    });
    assert.match(text, /gettext, XLIFF/u);
    await inAllThemes("nothing-recognised");
  });

  it("says where no hard-coded texts were found", async () => {
    assert.equal((await runCommand("findTexts", { confirm: true }))["outcome"], "done");
    await waitFor("the notification", async () => {
      await commands.executeCommand("notifications.showList");
      return onPage(
        async (page) =>
          (await page
            .locator(".notification-list-item", { hasText: "There are no hard-coded texts in unrecognised" })
            .count()) > 0,
      );
    });
    await screenshot("no-texts");
    await commands.executeCommand("notifications.clearAll");
  });

  it("offers the files that look like translations, and writes those that are named", async () => {
    assert.deepEqual(await runCommand("setUpProjectFile"), { outcome: "unchanged", written: 0 });
    const asked = runCommand("setUpProjectFile", { confirm: true });
    const rows = await waitFor("the files", async () => {
      const shown = await pickItems();
      return shown.length >= 2 && shown;
    });
    assert.match(rows[0] ?? "", /texts\/strings_\{locale\}\.json\s*JSON\b.*2 files in en, nl/su);
    await inAllThemes("name-the-files");
    await pickItem("texts/strings_{locale}.json");
    await waitForInputValue("Where are the translation files?", "texts/strings_{locale}.json");
    await inAllThemes("pattern");
    for (const [path, message] of [
      ["text/strings_{locale}.json", "No file in the folder has such a path."],
      ["../texts/strings_{locale}.json", "Enter a path in the folder"],
      ["texts/strings_{language}.json", "{language} is not known:"],
      ["src/cart.js", "src/cart.js contains no texts that can be read as JavaScript/TypeScript."],
    ] as const) {
      await setInputValue(path);
      await waitForInputMessage(message);
      // It stays open.
      await pressInInput("Enter");
      await waitForInputValue("Where are the translation files?", path);
    }
    await screenshot("wrong-path");
    await setInputValue("texts/strings_{locale}.json");
    await pressInInput("Enter");
    assert.deepEqual(await asked, { outcome: "done", written: 1 });
    const written = new TextDecoder().decode(await workspace.fs.readFile(projectFile()));
    assert.deepEqual((JSON.parse(written) as { files: unknown }).files, [
      { path: "texts/strings_{locale}.json", format: "json_js" },
    ]);
    await commands.executeCommand("projectTranslations.languages.focus");
    await waitForTreeRow("Languages", "Nederlands");
  });

  describe("with a project file that has an error", () => {
    const write = (text: string) => workspace.fs.writeFile(projectFile(), new TextEncoder().encode(text));

    it("says so above the languages and where the error is, and writes nothing", async () => {
      const damaged = '{\n  "files": [{ "path": "texts/strings_{locale}.json" }\n';
      await write(damaged);
      await waitForTreeRow("Languages", "Correct project-translations.json");
      const result = await runCommand("setUpProjectFile", { confirm: true });
      assert.equal((result["error"] as { code: string }).code, "invalid");
      const words = "project-translations.json:3:1: an error, so nothing was written.";
      await waitForNotification(words);
      await screenshot("damaged-project-file");
      await pressInNotification(words, "Open File");
      await waitFor("the file is shown at the error", () => {
        const shown = window.activeTextEditor;
        return shown?.document.uri.path === projectFile().path && shown.selection.active.line === 2;
      });
      assert.equal(new TextDecoder().decode(await workspace.fs.readFile(projectFile())), damaged);
      await commands.executeCommand("workbench.action.closeAllEditors");
      await commands.executeCommand("notifications.clearAll");
    });

    it("names the files that it names and that do not exist, and offers to name others", async () => {
      await write('{ "files": [{ "path": "text/strings_{locale}.json" }] }\n');
      await waitForTreeRow("Languages", "no file at text/strings_{locale}.json");
      await screenshot("files-that-do-not-exist");
    });
  });
});
