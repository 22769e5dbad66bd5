/** A folder with translation files, opened for the first time: no project file, not signed in, no service. */
import assert from "node:assert/strict";
import { commands, type InlayHint, languages, Range, Uri, window, workspace } from "vscode";
import { runSuccessfully, hoverText, middleOfText, openFile, runCommand } from "../harness/documents.ts";
import { onPage, onWebview, reloadWindow, screenshot, stage } from "../harness/bridge-client.ts";
import {
  pickItem,
  pressInInput,
  waitForInput,
  pickItems as inputRows,
  pressInNotification,
} from "../harness/prompts.ts";
import { cellHolds, cellIs, edit } from "../translation-editor/page.ts";
import { inAllThemes } from "../editor/opened.ts";
import { clickTreeButton, expandTreeRows, waitForTreeRow } from "../harness/tree-rows.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

const MENU = "src/Menu.tsx";

const codesIn = (uri: Uri): string[] =>
  languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === "Project Translations")
    .map(({ code, range, message }) => `${range.start.line + 1} ${code as string}: ${message}`);

describe("translation files without a project file and while signed out", () => {
  journey("show all languages in a hover without set-up", async () => {
    const text = await waitFor("the hover", async () => {
      const shown = await hoverText(MENU, "menu.title");
      return shown.includes("Onze theesoorten") && shown;
    });
    assert.match(text, /`en` Our teas/);
    assert.match(text, /`de` Unsere Tees/);
    assert.match(await hoverText(MENU, "menu.pots"), /`nl` _one_ \{\{count\}\} potje · _other_/);
    assert.match(await hoverText(MENU, "menu.hours"), /`de` .*untranslated/);
  });

  journey("list the problems of files that were never opened", async () => {
    const root = workspace.workspaceFolders?.[0]?.uri ?? Uri.file("/");
    const inFile = (path: string): string[] => codesIn(Uri.joinPath(root, path));
    await waitFor("the unknown key and the wrong placeholder", () => {
      const german = inFile("public/locales/de/common.json");
      return inFile(MENU).length > 0 && german.length > 0;
    });
    assert.deepEqual(inFile(MENU), [
      "11 unknown-key: Unknown key “menu.missing_key”: no translation file has it.",
    ]);
    const [german] = inFile("public/locales/de/common.json");
    assert.match(german ?? "", /\(de\): \{\{name\}\} is missing, \{\{nam\}\} is unknown/u);
    assert.match(
      inFile("public/locales/en/common.json").join("\n"),
      /missing-translation: menu\.hours \(de\): untranslated/u,
    );
    await commands.executeCommand("workbench.actions.view.problems");
    await inAllThemes("project-problems");
    await commands.executeCommand("projectTranslations.issues.focus");
    await expandTreeRows("QA Issues", "Deutsch (de)");
    await waitForTreeRow("QA Issues", "{{name}} is missing");
    await inAllThemes("local-issues");
    await commands.executeCommand("workbench.action.closePanel");
  });

  journey("show the source text as inlay hint", async () => {
    const document = await openFile(MENU);
    await window.showTextDocument(document);
    const hints = await waitFor("the hints", async () => {
      const found = await commands.executeCommand<InlayHint[]>(
        "vscode.executeInlayHintProvider",
        document.uri,
        new Range(0, 0, document.lineCount, 0),
      );
      return found.length >= 4 && found;
    });
    assert.ok(hints.some(({ label }) => (label as string).includes("Open until six")));
  });

  journey("report unknown keys and missing translations", async () => {
    const document = await openFile(MENU);
    await window.showTextDocument(document);
    const found = await waitFor("the problems", () => {
      const codes = codesIn(document.uri);
      return codes.length >= 3 && codes;
    });
    assert.deepEqual(found, [
      "8 i18next.missing: menu.welcome (de): {{name}} is missing, {{nam}} is unknown",
      "10 missing-translation: menu.hours (de): untranslated",
      "11 unknown-key: Unknown key “menu.missing_key”: no translation file has it.",
    ]);
  });

  journey("report parse errors", async () => {
    const german = await openFile("public/locales/de/common.json");
    await window.showTextDocument(german);
    await waitFor("the placeholder", () => codesIn(german.uri).some((each) => each.includes("nam")));
    const dutch = await openFile("public/locales/nl/common.json");
    await window.showTextDocument(dutch);
    await waitFor("the entry twice", () => codesIn(dutch.uri).some((each) => each.includes("duplicate")));
  });

  journey("can be searched by the text of any language", async () => {
    const asked = runCommand("searchKeys", { confirm: true });
    await onPage((page) => page.locator(".quick-input-widget input").first().waitFor());
    await onPage((page) => page.keyboard.type("Kannen"));
    await waitFor("the key", async () => {
      const rows = await onPage((page) => page.locator(".quick-input-list .monaco-list-row").allInnerTexts());
      return rows.length === 1 && rows[0]?.includes("menu.pots") === true;
    });
    await screenshot("search");
    await onPage((page) => page.keyboard.press("Escape"));
    assert.equal((await asked)["outcome"], "cancelled");
  });

  journey("complete keys by name", async () => {
    const document = await openFile(MENU);
    const { items } = await commands.executeCommand<{
      items: { label: string | { label: string }; detail?: string }[];
    }>("vscode.executeCompletionItemProvider", document.uri, middleOfText(document, "menu.hours"));
    const labels = items.map(({ label }) => (typeof label === "string" ? label : label.label));
    assert.ok(labels.includes("menu.retired"), labels.join());
  });

  journey("navigate from code to the entry and back", async () => {
    const document = await openFile(MENU);
    const [target] = await commands.executeCommand<{ uri?: Uri; targetUri?: Uri }[]>(
      "vscode.executeDefinitionProvider",
      document.uri,
      middleOfText(document, "menu.title"),
    );
    assert.ok(String(target?.targetUri ?? target?.uri).endsWith("public/locales/en/common.json"));
    const uses = (await runSuccessfully("findUses", { namespace: "common", key: "menu.title" }))["uses"];
    assert.equal((uses as { path: string }[])[0]?.path, MENU);
  });

  journey("report used and unused keys", async () => {
    const report = await runSuccessfully("findUnused");
    assert.deepEqual(
      (report["unused"] as { key: string }[]).map(({ key }) => key),
      ["menu.retired"],
    );
    assert.equal(report["used"], 4);
  });

  journey("set a text in another language", async () => {
    await runSuccessfully("setLocal", {
      namespace: "common",
      key: "menu.hours",
      locale: "de",
      value: "Bis sechs geöffnet",
    });
    await waitFor("the hover shows it", async () =>
      (await hoverText(MENU, "menu.hours")).includes("Bis sechs geöffnet"),
    );
  });

  journey("are written to their files by Edit Translation, and read from them by Refresh", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const german = Uri.joinPath(folder.uri, "public/locales/de/common.json");
    const before = new TextDecoder().decode(await workspace.fs.readFile(german));
    const title = { namespace: "common", key: "menu.title", locale: "de" };
    const edit = (value: string) =>
      commands.executeCommand<{ outcome: string }>("projectTranslations.editTranslation", {
        ...title,
        value,
      });
    assert.equal((await edit("Unsere Sorten")).outcome, "done");
    const changed = new TextDecoder().decode(await workspace.fs.readFile(german));
    assert.equal(changed, before.replace("Unsere Tees", "Unsere Sorten"));
    assert.equal((await edit("Unsere Tees")).outcome, "done");
    const { stats } = await runSuccessfully("refresh");
    assert.ok((stats as { languages: { locale: string }[] }).languages.some(({ locale }) => locale === "de"));
  });

  it("are asked for by Edit Translation in the languages of the files", async () => {
    const editing = commands.executeCommand<{ outcome: string }>("projectTranslations.editTranslation", {
      namespace: "common",
      key: "menu.title",
    });
    await pickItem("Unsere Tees");
    await waitForInput("de · menu.title");
    await pressInInput("Escape");
    assert.equal((await editing).outcome, "cancelled");
  });

  it("ask for a sign-in where a command needs one", async () => {
    const pushing = commands.executeCommand<{ outcome: string }>("projectTranslations.push");
    await waitForInput("Sign In");
    await screenshot("sign-in-for-a-command");
    await pressInInput("Escape");
    assert.equal((await pushing).outcome, "failed");
  });

  it("can be edited in the translation editor, which writes no project file", async () => {
    await runSuccessfully("openEditor", { locales: ["nl", "de"], namespace: "common", key: "menu.title" });
    await cellHolds("menu.title", "nl", "Onze theesoorten");
    await edit("menu.title", "de", "Unser Tee");
    await waitFor("it is unsaved", () => window.tabGroups.activeTabGroup.activeTab?.isDirty === true);
    await screenshot("translation-editor");
    await commands.executeCommand("workbench.action.files.save");
    await cellIs("menu.title", "de");
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const german = Uri.joinPath(folder.uri, "public/locales/de/common.json");
    const read = async (): Promise<string> => new TextDecoder().decode(await workspace.fs.readFile(german));
    assert.match(await read(), /"title": "Unser Tee"/);
    await assert.rejects(
      async () => workspace.fs.stat(Uri.joinPath(folder.uri, "project-translations.json")),
      /not exist|FileNotFound|ENOENT/i,
    );
    await commands.executeCommand("undo");
    await cellHolds("menu.title", "de", "Unsere Tees");
    await commands.executeCommand("workbench.action.files.save");
    await cellIs("menu.title", "de");
    assert.match(await read(), /"title": "Unsere Tees"/);
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("show the texts with wrong placeholders in the translation editor by a filter", async () => {
    await runSuccessfully("openEditor", { locales: ["nl", "de"], filter: "issues" });
    await cellHolds("menu.welcome", "de", "Willkommen, {{nam}}!");
    await cellIs("menu.welcome", "de", "issue");
    const wrong = await onWebview((frame) => frame.locator(".cell .wrong").allInnerTexts());
    assert.deepEqual(wrong, ["{{nam}}"]);
    await screenshot("translation-editor-issues");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("have the source language of a changed configuration", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    await commands.executeCommand("projectTranslations.languages.focus");
    const isSource = (name: string): Promise<true> =>
      waitFor(`the source is ${name}`, async () => {
        const rows = await onPage((page) => page.locator(".pane-body .monaco-list-row").allInnerTexts());
        return rows.some((each) => each.includes(name) && each.includes("source"));
      });
    await isSource("English (en)");
    const configuration = Uri.joinPath(folder.uri, "src/i18n.ts");
    const before = await workspace.fs.readFile(configuration);
    const changed = new TextDecoder().decode(before).replace('fallbackLng: "en"', 'fallbackLng: "nl"');
    await workspace.fs.writeFile(configuration, new TextEncoder().encode(changed));
    await isSource("Nederlands (nl)");
    await workspace.fs.writeFile(configuration, before);
    await isSource("English (en)");
  });

  it("show their progress in the Languages view, where the source language can be changed", async () => {
    await commands.executeCommand("projectTranslations.languages.focus");
    const rows = (): Promise<string[]> =>
      onPage((page) => page.locator(".pane-body .monaco-list-row").allInnerTexts());
    const shown = await waitFor("the languages", async () => {
      const texts = await rows();
      return texts.some((each) => each.includes("Nederlands (nl)")) && texts;
    });
    await screenshot("languages");
    assert.ok(
      shown.some((each) => /English \(en\).*source, 5 keys/s.test(each)),
      shown.join("\n"),
    );
    assert.ok(
      shown.some((each) => /Nederlands \(nl\).*80%/s.test(each)),
      shown.join("\n"),
    );
    await runSuccessfully("setSourceLanguage", { locale: "nl" });
    await waitFor("the other source", async () =>
      (await rows()).some((each) => /Nederlands \(nl\).*source/s.test(each)),
    );
    await runSuccessfully("setSourceLanguage", { locale: "en" });
    await waitFor("the source", async () =>
      (await rows()).some((each) => /English \(en\).*source/s.test(each)),
    );
  });

  it("suggest signing in once", async () => {
    const offers = (): Promise<number> =>
      onPage((page) =>
        page.locator(".monaco-list-row", { hasText: "Connect to a translation service" }).count(),
      );
    assert.equal(await offers(), 1);
    await clickTreeButton(
      "Languages",
      "Connect to a translation service",
      "Close",
      async () => (await offers()) === 0,
    );
  });

  it("offer no removal if the code uses none of the keys", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const code = Uri.joinPath(folder.uri, MENU);
    const uses = await workspace.fs.readFile(code);
    const english = Uri.joinPath(folder.uri, "public/locales/en/common.json");
    const before = await workspace.fs.readFile(english);
    await workspace.fs.writeFile(code, new TextEncoder().encode("export {};\n"));
    try {
      const { used, unused } = await runSuccessfully("findUnused", { confirm: true });
      assert.equal(used, 0);
      assert.notEqual((unused as unknown[]).length, 0);
      const { outcome, error } = await runCommand("removeUnused");
      assert.equal(outcome, "failed");
      assert.match((error as { message: string }).message, /The code uses none of the keys/u);
      assert.deepEqual(await workspace.fs.readFile(english), before);
    } finally {
      await workspace.fs.writeFile(code, uses);
    }
  });

  it("keep a key that code has used since the report", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const english = Uri.joinPath(folder.uri, "public/locales/en/common.json");
    const before = await workspace.fs.readFile(english);
    const { unused } = await runSuccessfully("findUnused", { confirm: true });
    assert.equal((unused as unknown[]).length, 1);
    const added = Uri.joinPath(folder.uri, "src/retired.ts");
    await workspace.fs.writeFile(added, new TextEncoder().encode('export const name = "menu.retired";\n'));
    try {
      assert.equal((await runCommand("removeUnused")).outcome, "unchanged");
      assert.deepEqual(await workspace.fs.readFile(english), before);
    } finally {
      await workspace.fs.delete(added);
    }
  });

  it("remove unused keys on request, with undo", async () => {
    const english = async (): Promise<string> => {
      const [folder] = workspace.workspaceFolders ?? [];
      assert.ok(folder);
      const place = Uri.joinPath(folder.uri, "public/locales/en/common.json");
      return new TextDecoder().decode(await workspace.fs.readFile(place));
    };
    const before = await english();
    await runSuccessfully("findUnused", { confirm: true });
    const asked = runCommand("removeUnused", { confirm: true });
    await onPage(async (page) => {
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "menu.retired" }).waitFor();
      await page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click();
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "Show All" }).waitFor();
    });
    assert.equal(await english(), before);
    await onPage(async (page) => {
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "Show All" }).click();
      await page
        .locator(".multiDiffEntry, .multi-diff-root-floating-menu, .monaco-diff-editor")
        .first()
        .waitFor();
    });
    await screenshot("removal");
    await onPage((page) =>
      page.locator(".quick-input-list .monaco-list-row", { hasText: "common.json" }).click(),
    );
    const result = await asked;
    assert.deepEqual((result["files"] as string[]).toSorted(), [
      "public/locales/de/common.json",
      "public/locales/en/common.json",
    ]);
    assert.ok(!(await english()).includes("retired"));
    await waitFor("the differences are closed", () =>
      window.tabGroups.all.every(({ tabs }) => tabs.every(({ label }) => !label.startsWith("Remove 1 key"))),
    );
    await pressInNotification("Removed 1 key", "Undo");
    await waitFor("the file is as before", async () => (await english()) === before);
  });

  it("write no project file", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const all = (await workspace.fs.readDirectory(folder.uri)).map(([name]) => name);
    // The theme of pictures.
    const names = all.filter((name) => name !== ".vscode");
    assert.deepEqual(names.sort(), ["package.json", "public", "src"]);
    await screenshot("window");
  });

  it("recognise the files of another app in the folder when they appear", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const files: Readonly<Record<string, string>> = {
      "shop/package.json": '{ "dependencies": { "vue-i18n": "9.0.0" } }',
      "shop/src/Basket.vue": "<template><p>{{ $t('basket.empty') }}</p></template>",
      "shop/locales/nl.json": '{ "basket": { "empty": "Nog niets" } }',
      "shop/locales/en.json": '{ "basket": { "empty": "Nothing yet" } }',
    };
    for (const [path, text] of Object.entries(files))
      await workspace.fs.writeFile(Uri.joinPath(folder.uri, path), new TextEncoder().encode(text));
    // Not every file system tells of files in folders that are new themselves.
    await openFile("shop/locales/en.json");
    await waitFor("the text of the other app", async () =>
      (await hoverText("shop/src/Basket.vue", "basket.empty")).includes("Nog niets"),
    );
    const keysOf = async (path: string): Promise<string[]> => {
      const { keys } = await runSuccessfully("listKeys", { folder: Uri.joinPath(folder.uri, path).fsPath });
      return (keys as { key: string }[]).map(({ key }) => key);
    };
    assert.deepEqual(await keysOf("shop/src/Basket.vue"), ["basket.empty"]);
    assert.ok(!(await keysOf(MENU)).includes("basket.empty"));
  });

  it("prompt for the app when signing in", async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    const signingIn = runCommand("signIn", { confirm: true });
    const offered = await waitFor("the apps are offered", async () => {
      const apps = await inputRows();
      return apps.some((app) => app.includes("/shop")) && apps;
    });
    assert.equal(offered.length, 2, offered.join("\n"));
    await screenshot("which-app");
    await pickItem("/shop");
    await waitForInput("Sign In to shop");
    let outcome: unknown;
    void signingIn.then((result) => (outcome = result["outcome"]));
    // One that comes while the list is still closing is lost.
    await waitFor("the question is closed", async () => {
      await onPage((page) => page.keyboard.press("Escape"));
      return outcome;
    });
    assert.equal(outcome, "cancelled");
  });

  it("are found where they are when the window is opened again", async function () {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const at = (path: string): Uri => Uri.joinPath(folder.uri, path);
    const shownText = (): Promise<string> =>
      waitFor("the hover", async () => {
        const text = await hoverText(MENU, "menu.title");
        return text.includes("Onze theesoorten") && text;
      });
    if ((await stage(this)) === undefined) {
      await shownText();
      await commands.executeCommand("workbench.action.closeAllEditors");
      // The next window first shows what this one has stored, while it searches the folder.
      await workspace.fs.rename(at("public/locales"), at("public/translations"));
      await reloadWindow(this, "reloaded");
    }
    const shown = await shownText();
    assert.match(shown, /`de` Unsere Tees/);
    const { file } = await runSuccessfully("goToEntry", {
      namespace: "common",
      key: "menu.title",
      folder: at(MENU).fsPath,
    });
    assert.equal(file, "public/translations/en/common.json");
  });
});
