/** Edits gettext, XLIFF and workbook files in the editor; large files do not block it. */
import assert from "node:assert/strict";
import { commands, type Hover, type MarkdownString, window, workspace } from "vscode";
import { onPage, screenshot } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";
import { changedLines, done, place, prepare, read, readBytes, run, SHEET, sheetTexts } from "./workspace.ts";

describe("catalogues", () => {
  before(prepare);

  it("are pushed together, each key with the namespace of its file", async () => {
    const { result } = await done("push");
    assert.deepEqual([result?.["created"], result?.["rejected"]], [11, []]);
    const { keys = [] } = await done("listKeys");
    const named = keys.map(({ namespace, key, context, source, description }) => {
      return { namespace, key, context, source, description };
    });
    const find = (key: string): unknown => named.find((each) => each.key === key);
    assert.deepEqual(find("%d apple"), {
      namespace: "shop",
      key: "%d apple",
      context: null,
      source: { forms: { one: "%d apple", other: "%d apples" } },
      description: null,
    });
    assert.deepEqual(find("Open"), {
      namespace: "shop",
      key: "Open",
      context: "verb",
      source: { value: "Open" },
      description: null,
    });
    assert.deepEqual(find("greeting"), {
      namespace: "app",
      key: "greeting",
      context: null,
      source: { value: "Hello & welcome" },
      description: "Above the fold",
    });
    assert.equal(named.filter(({ namespace }) => namespace === "page").length, 1);
    assert.equal((await run("push")).outcome, "unchanged");
  });

  it("provide texts for hovers over usages", async () => {
    const document = await workspace.openTextDocument(place("src/page.php"));
    const position = document.positionAt(document.getText().indexOf("Save changes") + 3);
    const text = await waitFor("the hover says the key", async () => {
      const hovers = await commands.executeCommand<Hover[]>(
        "vscode.executeHoverProvider",
        document.uri,
        position,
      );
      return hovers
        .flatMap(({ contents }) => contents.map((each) => (each as MarkdownString).value))
        .join("\n");
    });
    assert.match(text, /`en` Save changes/);
    assert.match(text, /On the button below the form|on the button below the form/);
  });

  it("write a text to the msgstr of an open catalogue, with undo", async () => {
    const path = "languages/shop-nl.po";
    const before = await read(path);
    const document = await workspace.openTextDocument(place(path));
    await window.showTextDocument(document);
    const options = { namespace: "shop", key: "Save changes", locale: "nl", value: 'Bewaar "alles"' };
    assert.deepEqual(await done("setLocal", options), { outcome: "done", file: path, created: false });
    const expected = before.replace('msgstr ""\n"Wijzigingen "\n"opslaan"', 'msgstr "Bewaar \\"alles\\""');
    assert.equal(document.getText(), expected);
    assert.equal(await read(path), expected);
    await commands.executeCommand("undo");
    assert.equal(document.getText(), before);
    await document.save();
    assert.equal(await read(path), before);
  });

  it("insert a new entry with plural and context before obsolete entries", async () => {
    const path = "languages/shop-nl.po";
    const before = await read(path);
    const forms = { one: "%d appel", other: "%d appels" };
    await done("setLocal", { namespace: "shop", key: "%d apple", locale: "nl", forms });
    await done("setLocal", {
      namespace: "shop",
      key: "Open",
      context: "verb",
      locale: "nl",
      value: "Openen",
    });
    const after = await read(path);
    assert.ok(
      after.includes(
        'msgid "%d apple"\nmsgid_plural "%d apples"\nmsgstr[0] "%d appel"\nmsgstr[1] "%d appels"\n',
      ),
      after,
    );
    assert.ok(after.includes('msgctxt "verb"\nmsgid "Open"\nmsgstr "Openen"\n'), after);
    assert.ok(after.endsWith('#~ msgid "Gone"\n#~ msgstr "Weg"\n'), after);
    assert.ok(after.startsWith(before.slice(0, before.indexOf("#~"))), after);
  });

  it("refuse another source text if the source text is the key", async () => {
    const { error } = await run("setLocal", { namespace: "shop", key: "Save changes", value: "Keep" });
    assert.deepEqual([error?.code, error?.reason], ["invalid", "source"]);
    assert.match(error?.message ?? "", /languages\/shop\.pot/);
  });

  it("change only one msgstr in a pull, preserving comments and order", async () => {
    const path = "languages/shop-nl.po";
    const before = await read(path);
    const row = { namespace: "shop", key: "Open", context: "verb", locale: "nl", value: "Open maken" };
    await done("setTranslation", row);
    const pulled = await done("pull", { profile: "catalogues", locales: ["nl"] });
    assert.deepEqual(pulled.files, [{ path, change: "updated" }]);
    assert.deepEqual(changedLines(before, await read(path)), [['msgstr "Openen"', 'msgstr "Open maken"']]);
  });

  it("change only one target of an XLIFF file", async () => {
    const path = "locale/messages.nl.xlf";
    const before = await read(path);
    await done("setLocal", { namespace: "app", key: "greeting", locale: "nl", value: "Dag < & >" });
    assert.deepEqual(changedLines(before, await read(path)), [
      ["        <target>Hallo &amp; welkom</target>", "        <target>Dag &lt; &amp; ></target>"],
    ]);
    const created = await done("setLocal", {
      namespace: "app",
      key: "farewell",
      locale: "nl",
      value: "Tot ziens",
    });
    assert.deepEqual([created["file"], created["created"]], [path, true]);
    assert.match(
      await read(path),
      /<trans-unit id="farewell">\s+<source>Goodbye<\/source>\s+<target>Tot ziens<\/target>/,
    );
  });

  it("replace a workbook as a whole by a pull only; its entry can be revealed", async () => {
    const title = { namespace: "page", key: "title" };
    const { outcome, error } = await run("setLocal", { ...title, locale: "nl", value: "Kop" });
    assert.deepEqual([outcome, error?.code, error?.reason], ["failed", "invalid", "generated"]);
    assert.match(error?.message ?? "", /texts\.xlsx is made by another program/);
    assert.deepEqual(await sheetTexts(), { "page en": { value: "Title" }, "page nl": { value: "Titel" } });
    await done("setTranslation", { ...title, locale: "nl", value: "Bovenschrift" });
    const pulled = await done("pull", { profile: "sheet" });
    assert.deepEqual(pulled.files, [{ path: SHEET, change: "updated" }]);
    const texts = await sheetTexts();
    assert.deepEqual([texts["page en"], texts["page nl"]], [{ value: "Title" }, { value: "Bovenschrift" }]);
    const shown = await done("goToEntry", { ...title, confirm: true });
    assert.equal(shown["file"], SHEET);
  });

  it("preview the changes of a pull in a workbook as text", async () => {
    await done("setTranslation", { namespace: "page", key: "title", locale: "nl", value: "Kopje" });
    const asked = run("pull", { profile: "sheet", confirm: true });
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "texts.xlsx" });
      await row.waitFor();
      await row.hover();
      await row.locator(".codicon-diff").click();
      await page.locator(".modified-in-monaco-diff-editor .view-line", { hasText: "Kopje" }).waitFor();
    });
    await screenshot("workbook-difference");
    await onPage((page) => page.keyboard.press("Escape"));
    assert.equal((await asked).outcome, "cancelled");
  });

  it("report errors with line and column", async () => {
    const path = "locale/messages.nl.xlf";
    const before = await readBytes(path);
    await workspace.fs.writeFile(place(path), before.subarray(0, before.length - 60));
    const text = await waitFor("the diagnosis tells the mistake", async () => {
      const said = (await run("showDiagnosis"))["text"] as string;
      return said.includes(`${path}:`) && said;
    });
    assert.match(text, /locale\/messages\.nl\.xlf:\d+:\d+: an error/);
    await workspace.fs.writeFile(place(path), before);
  });

  it("can be large", async () => {
    const path = "large/en.json";
    const members = Array.from(
      { length: 60_000 },
      (_, index) => `  "key${index}": "The text number ${index}"`,
    );
    await workspace.fs.writeFile(place(path), new TextEncoder().encode(`{\n${members.join(",\n")}\n}\n`));
    await waitFor("the file is found", async () => {
      const { text } = await run("showDiagnosis");
      return /60,0\d\d/.test(String(text));
    });
    await done("setLocal", { namespace: "large", key: "key59999", value: "Another" });
    const lines = (await read(path)).split("\n");
    assert.deepEqual([lines[60_000], lines.length], ['  "key59999": "Another"', 60_003]);
    await workspace.fs.delete(place("large"), { recursive: true });
  });
});
