/** Each format in the editor: positions of entries, writing files that are open, and problems. */
import assert from "node:assert/strict";
import {
  type CodeLens,
  commands,
  type DocumentSymbol,
  languages,
  window,
  workspace,
  type WorkspaceEdit,
} from "vscode";
import { onPage, screenshot } from "../harness/bridge-client.ts";
import { waitForNotification } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import {
  changedLines,
  COMPILED,
  compiledTexts,
  done,
  latin1,
  leadsTo,
  OLD,
  oldFile,
  place,
  placeIn,
  prepare,
  read,
  readBytes,
  run,
  SHEET,
} from "./workspace.ts";

describe("files of each format", () => {
  before(async () => {
    await prepare();
    assert.match((await run("push")).outcome, /^(?:done|unchanged)$/);
  });

  it("navigate from code to the entry in each file, and to the beginning of a binary file", async () => {
    assert.deepEqual(await leadsTo("Save changes", "Definition"), ["languages/shop.pot:11:8"]);
    assert.deepEqual(await leadsTo("Save changes", "Implementation"), [
      "languages/shop-nl.po:13:8",
      "languages/shop.pot:11:8",
    ]);
    assert.deepEqual(await leadsTo("greeting", "Definition"), ["locale/messages.xlf:5:23"]);
    assert.deepEqual(await leadsTo("home", "Definition"), ["i18n/texts.csv:2:6"]);
    assert.deepEqual(await leadsTo("slogan", "Definition"), ["modules/en.ts:5:3"]);
    assert.deepEqual(await leadsTo("title", "Definition"), [`${SHEET}:1:1`]);
  });

  it("show a code lens above each row of a spreadsheet", async () => {
    const { uri } = await window.showTextDocument(place("i18n/texts.csv")).then(({ document }) => document);
    const symbols = await commands.executeCommand<DocumentSymbol[]>(
      "vscode.executeDocumentSymbolProvider",
      uri,
    );
    assert.deepEqual(
      symbols.map(({ name, children }) => [name, ...children.map((each) => `${each.name} ${each.detail}`)]),
      [
        ["home", "en Home", "nl Thuis"],
        ["about", "en About us", "nl "],
      ],
    );
    const lenses = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", uri);
    assert.deepEqual(
      lenses.map(({ range }) => range.start.line),
      [1, 1, 2, 2],
    );
    await onPage((page) => page.locator(".codelens-decoration").nth(1).waitFor());
    await screenshot("csv");
  });

  it("change a cell of an open spreadsheet, with undo", async () => {
    const path = "i18n/texts.csv";
    const before = await read(path);
    const document = await workspace.openTextDocument(place(path));
    await window.showTextDocument(document);
    const about = { namespace: "menu", key: "about", locale: "nl", value: 'Over "ons"; en jou' };
    await done("setLocal", about);
    assert.deepEqual(changedLines(before, await read(path)), [
      ["menu;about;;About us;\r", 'menu;about;;About us;"Over ""ons""; en jou"\r'],
    ]);
    await waitFor("the editor shows what was written", () => document.getText().includes("en jou"), 20);
    await commands.executeCommand("undo");
    await document.save();
    assert.equal(await read(path), before);
  });

  it("change a value of an open module, preserving its quotes and code", async () => {
    const path = "modules/nl.ts";
    const before = await read(path);
    const document = await workspace.openTextDocument(place(path));
    await window.showTextDocument(document);
    await done("setLocal", { namespace: "site", key: "slogan", locale: "nl", value: "Klaar voor 't werk" });
    assert.deepEqual(changedLines(before, await read(path)), [
      ["  slogan: 'Klaar als jij het bent',", "  slogan: 'Klaar voor \\'t werk',"],
    ]);
    const { error } = await run("setLocal", {
      namespace: "site",
      key: "footer.owner",
      locale: "nl",
      value: "Wij",
    });
    assert.equal(error?.code, "invalid");
    assert.match(error?.message ?? "", /modules\/nl\.ts/);
    await waitFor("the editor shows what was written", () => document.getText().includes("Klaar voor"), 20);
    await commands.executeCommand("undo");
    await document.save();
    assert.equal(await read(path), before);
  });

  it("keep their declared encoding even if VS Code uses another", async () => {
    const document = await workspace.openTextDocument(place(OLD));
    await window.showTextDocument(document);
    assert.ok(document.getText().includes("\ufffd"), "VS Code takes it for UTF-8");
    const coffee = { namespace: "old", key: "Coffee", locale: "nl" };
    await done("setLocal", { ...coffee, value: "Een kopje, \u00e0 la carte" });
    assert.deepEqual(new Uint8Array(await readBytes(OLD)), latin1(oldFile("Een kopje, \u00e0 la carte")));
    const { error } = await run("setLocal", { ...coffee, value: "\u2615" });
    assert.match(error?.message ?? "", /encoding.*UTF-8/);
    const edit = await commands.executeCommand<WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      document.uri,
      placeIn(document, "Coffee"),
      "Espresso",
    );
    assert.deepEqual(edit.entries(), []);
    await waitForNotification("could not be replaced safely here");
    await screenshot("rename-left");
    await commands.executeCommand("notifications.clearAll");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("are changed through the document if VS Code uses their declared encoding, saved or not", async () => {
    await workspace.fs.writeFile(place(OLD), latin1(oldFile("Koffie, cr\u00e8me")));
    const document = await workspace.openTextDocument(place(OLD), { encoding: "iso88591" });
    const editor = await window.showTextDocument(document);
    await waitFor("it is shown in its encoding", () =>
      Promise.resolve(document.getText().includes("cr\u00e8me")),
    );
    const coffee = { namespace: "old", key: "Coffee", locale: "nl" };
    await done("setLocal", { ...coffee, value: "\u00c0 la carte" });
    await waitFor("the document is reloaded", () => document.getText() === oldFile("\u00c0 la carte"));
    assert.deepEqual(new Uint8Array(await readBytes(OLD)), latin1(oldFile("\u00c0 la carte")));
    await commands.executeCommand("undo");
    await waitFor("it is undone", () => document.getText() === oldFile("Koffie, cr\u00e8me"));
    await editor.edit((edit) =>
      edit.insert(document.lineAt(document.lineCount - 1).range.end, "# \u00e9\u00e9n\n"),
    );
    await done("setLocal", { ...coffee, value: "Caf\u00e9 au lait" });
    assert.ok(document.isDirty, "what a person had not saved stays theirs to save");
    assert.equal(document.getText(), `${oldFile("Caf\u00e9 au lait")}# \u00e9\u00e9n\n`);
    const { error } = await run("setLocal", { ...coffee, value: "\u2615" });
    assert.match(error?.message ?? "", /encoding.*UTF-8/);
    await commands.executeCommand("workbench.action.files.revert");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("are not changed in compiled form", async () => {
    const row = { namespace: "compiled", key: "Checkout", locale: "nl", value: "Betalen" };
    const { error } = await run("setLocal", row);
    assert.match(error?.message ?? "", /compiled-nl\.mo is made by another program/);
    assert.deepEqual(await compiledTexts(), [{ value: "Afrekenen" }]);
  });

  it("are not changed by a pull if they cannot be parsed, which is reported with position and advice", async () => {
    const path = "languages/shop-nl.po";
    const before = await read(path);
    const broken = before.replace("#~", '<<<<<<< HEAD\nmsgid "x"\n=======\n>>>>>>> theirs\n\n#~');
    await workspace.fs.writeFile(place(path), new TextEncoder().encode(broken));
    await done("setTranslation", {
      namespace: "shop",
      key: "Open",
      context: "verb",
      locale: "nl",
      value: "Maak open",
    });
    await run("setTranslation", { namespace: "page", key: "title", locale: "nl", value: "Kopje" });
    const pulling = run("pull", { profile: "catalogues", locales: ["nl"], confirm: true });
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "languages/page-nl.po" });
      await row.click();
      await page.locator(".quick-input-title", { hasText: "in 1 file" }).waitFor();
      await page.locator(".quick-input-box input:visible").press("Enter");
    });
    const pulled = await pulling;
    // What the profile has beside it is pulled.
    assert.deepEqual(pulled.files, [{ path: "languages/page-nl.po", change: "created" }]);
    await workspace.fs.delete(place("languages/page-nl.po"));
    assert.equal(await read(path), broken);
    await commands.executeCommand("notifications.showList");
    await onPage((page) => page.getByRole("button", { name: "Show Details" }).first().click());
    const at = broken.slice(0, broken.indexOf("<<<<<<<")).split("\n").length;
    const text = await waitFor("the details are shown", () => {
      const shown = workspace.textDocuments.find(({ uri }) => uri.path.endsWith("pull.md"))?.getText() ?? "";
      return Promise.resolve(shown.includes(path) && shown);
    });
    assert.ok(text.includes(`${path}:${at}:1 has an error. Fix it, then pull again.`), text);
    await screenshot("pull-details");
    const document = await window.showTextDocument(place(path)).then((editor) => editor.document);
    const [told] = await waitFor("the editor marks it", () => {
      const found = languages.getDiagnostics(document.uri).filter(({ code }) => code === "syntax");
      return Promise.resolve(found.length > 0 && found);
    });
    assert.equal(told?.range.start.line, at - 1);
    await screenshot("merge-mark");
    await workspace.fs.writeFile(place(path), new TextEncoder().encode(before));
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("report their actual format if the project file declares another", async () => {
    const jed = '{"locale_data":{"messages":{"":{"lang":"nl"},"Save":["Bewaren"]}}}\n';
    await workspace.fs.writeFile(place("large/nl.json"), new TextEncoder().encode(jed));
    const { document } = await window.showTextDocument(place("large/nl.json"));
    const [told] = await waitFor("the editor tells it", () => {
      const found = languages.getDiagnostics(document.uri).filter(({ code }) => code === "format");
      return Promise.resolve(found.length > 0 && found);
    });
    assert.match(
      told?.message ?? "",
      /large\/nl\.json: the file is WordPress JSON\. Set \u201cformat\u201d to \u201cwordpress_jed\u201d/,
    );
    await commands.executeCommand("workbench.action.closeActiveEditor");
    await workspace.fs.delete(place("large"), { recursive: true });
  });

  it("are listed when the service refuses them", async () => {
    const damaged: Readonly<Record<string, string | Uint8Array>> = {
      "delivery/bad.nl.xlf": "<xliff version='1.2'><file original='x'><body>",
      "delivery/nl/bad.po": 'msgid "a"\nmsgstr "b\n',
      "delivery/nl/bad.mo": (await readBytes(COMPILED)).subarray(0, 40),
      "delivery/bad.xlsx": (await readBytes(SHEET)).subarray(0, 200),
      "delivery/bad-nl.l10n.php": "<?php return ['messages' => ['a' => 'b'",
      "delivery/nl/bad.ts": "export default { a: 'b', c: };",
      "delivery/nl/bad.json": '{"a": "b"',
    };
    for (const [path, content] of Object.entries(damaged)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await workspace.fs.writeFile(place(path), bytes);
    }
    const files = [...Object.keys(damaged), "locale/messages.nl.xlf"];
    const { error } = (await run("import", { files })) as { error?: { message: string; errors?: object } };
    assert.deepEqual(
      Object.keys(error?.errors ?? {}).sort(),
      Object.keys(damaged).sort(),
      JSON.stringify(error),
    );
    await workspace.fs.delete(place("delivery"), { recursive: true });
  });
});
