/** Pull as tasks call it and as a person does it: which files it touches, how, and which it leaves alone. */
import assert from "node:assert/strict";
import { commands, ConfigurationTarget, languages, Position, TextEdit, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/outside.ts";
import { waitFor } from "../harness/wait-for.ts";

type Result = Record<string, unknown> & {
  outcome: string;
  error?: { code: string; message: string; reason?: string };
  files?: { path: string; change: string }[];
};

const run = async (name: string, options: object = {}): Promise<Result> =>
  await commands.executeCommand<Result>(`projectTranslations.${name}`, { confirm: false, ...options });

const place = (path: string): Uri => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return Uri.joinPath(folder.uri, path);
};
const read = async (path: string): Promise<string> =>
  new TextDecoder().decode(await workspace.fs.readFile(place(path)));
const write = async (path: string, text: string): Promise<void> =>
  workspace.fs.writeFile(place(path), new TextEncoder().encode(text));
const changed = (result: Result): string[] =>
  (result.files ?? []).filter((file) => file.change !== "unchanged").map((file) => file.path);

/** Rows of the list whose title holds the words, as soon as it is open. */
const rows = (title: string): Promise<string[]> =>
  waitFor(`a list is titled ${title}`, async () => {
    const list = await onPage(async (page) => ({
      title: await page.locator(".quick-input-title:visible").innerText({ timeout: 1000 }),
      rows: await page.locator(".quick-input-list .monaco-list-row").allInnerTexts(),
    }));
    return list.title.includes(title) && list.rows.length > 0 ? list.rows : undefined;
  });

describe("pull", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const result = await run("signIn", { baseUrl, token });
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  it("shows first what changes in more than a few files, and writes nothing when it is closed", async () => {
    const before = await read("lang/nl/cart.php");
    const pulling = run("pull", { confirm: true });
    const shown = await rows("Pull from Webshop");
    assert.match(shown[0] ?? "", /Write All \d+ Files/);
    await screenshot("preview");
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "lang/nl/" }).first();
      await row.hover();
      await row.getByRole("button", { name: "Show Difference" }).click();
      await page.locator(".monaco-diff-editor .view-lines .view-line").first().waitFor();
    });
    await screenshot("difference");
    await onPage((page) => page.keyboard.press("Escape"));
    assert.equal((await pulling).outcome, "cancelled");
    assert.equal(await read("lang/nl/cart.php"), before);
  });

  it("puts only the changed values into a file, and keeps comments, order and own keys", async () => {
    const before = await read("lang/nl/cart.php");
    await write(
      "lang/nl/cart.php",
      before
        .replace("'Je winkelwagen'", "'Iets anders'")
        .replace("return [", "return [\n    'own' => 'Alleen hier',"),
    );
    const result = await run("pull");
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.ok(changed(result).includes("lang/nl/cart.php"));
    const after = await read("lang/nl/cart.php");
    assert.match(after, /'own' => 'Alleen hier',/);
    assert.match(after, /'title' => 'Je winkelwagen',/);
    assert.match(after, /\/\/ Shown below the total while there is something to gain\./);
  });

  it("touches no file when nothing changed, neither its bytes nor its time", async () => {
    const before = await workspace.fs.stat(place("lang/nl/cart.php"));
    const result = await run("pull");
    assert.deepEqual([result.outcome, changed(result)], ["unchanged", []]);
    const after = await workspace.fs.stat(place("lang/nl/cart.php"));
    assert.deepEqual([after.mtime, after.size], [before.mtime, before.size]);
  });

  it("brings one changed translation into its one file, without asking", async () => {
    const set = await run("setTranslation", {
      locale: "nl",
      namespace: "cart",
      key: "title",
      value: "Jouw mandje",
    });
    assert.equal(set.outcome, "done", JSON.stringify(set));
    const result = await run("pull", { confirm: true });
    assert.deepEqual([result.outcome, changed(result)], ["done", ["lang/nl/cart.php"]]);
    assert.match(await read("lang/nl/cart.php"), /'title' => 'Jouw mandje',/);
  });

  it("asks nothing about a translation that was pulled a moment ago", async () => {
    const title = { locale: "nl", namespace: "cart", key: "title" };
    assert.equal((await run("setTranslation", { ...title, value: "Mijn mandje" })).outcome, "done");
    await waitFor("the status bar counts it", () =>
      onPage((page) =>
        page.locator('.statusbar-item[id$="projectTranslations.status"] .codicon-arrow-down').isVisible(),
      ),
    );
    assert.equal((await run("pull")).outcome, "done");
    assert.equal((await run("pull", { confirm: true })).outcome, "unchanged");
  });

  it("lets no formatter run over an open file, which shows the new text at once and can undo it", async () => {
    const path = "lang/nl/cart.php";
    const { document } = await window.showTextDocument(place(path));
    const before = document.getText();
    const settings = workspace.getConfiguration("editor", {
      uri: place(path),
      languageId: document.languageId,
    });
    const formatter = languages.registerDocumentFormattingEditProvider(
      { pattern: "**/*.php" },
      {
        provideDocumentFormattingEdits: () => [TextEdit.insert(new Position(1, 0), "// formatted\n")],
      },
    );
    await settings.update("formatOnSave", true, ConfigurationTarget.Workspace);
    try {
      await run("setTranslation", { locale: "nl", namespace: "cart", key: "title", value: "Uw mandje" });
      assert.deepEqual(changed(await run("pull")), [path]);
      const after = before.replace("'Mijn mandje'", "'Uw mandje'");
      assert.deepEqual([document.getText(), document.isDirty], [after, false]);
      assert.equal(await read(path), after);
      await commands.executeCommand("undo");
      assert.equal(document.getText(), before);
      await commands.executeCommand("redo");
      // The formatter of the test does run when a person saves.
      await commands.executeCommand("workbench.action.files.save");
      assert.match(document.getText(), /\/\/ formatted/);
    } finally {
      formatter.dispose();
      await settings.update("formatOnSave", undefined, ConfigurationTarget.Workspace);
      await write(path, before);
      await waitFor("the file is as before", () => document.getText() === before);
    }
  });

  it("runs over no unsaved text", async () => {
    const editor = await window.showTextDocument(await workspace.openTextDocument(place("lang/nl/cart.php")));
    await editor.edit((edit) =>
      edit.insert(editor.document.positionAt(editor.document.getText().length), "// mine\n"),
    );
    await run("setTranslation", { locale: "nl", namespace: "cart", key: "title", value: "Een mandje" });
    const result = await run("pull");
    assert.equal(result.error?.code, "file_changed", JSON.stringify(result));
    assert.match(result.error?.message ?? "", /lang\/nl\/cart\.php/);
    assert.ok(editor.document.isDirty && editor.document.getText().endsWith("// mine\n"));
    await commands.executeCommand("workbench.action.files.revert");
    assert.equal((await run("pull")).outcome, "done");
  });

  it("asks once for the profile, and remembers it in the project file", async () => {
    const file = await read("project-translations.json");
    await write("project-translations.json", file.replace('"profile": "app", ', ""));
    await waitFor(
      "the project file is read again",
      async () => (await run("pull")).error?.reason === "profile",
    );
    const pulling = run("pull", { confirm: true });
    const shown = await rows("export profile");
    assert.ok(
      shown.some((row) => row.includes("Laravel app")),
      JSON.stringify(shown),
    );
    await screenshot("profiles");
    await onPage((page) =>
      page.locator(".quick-input-list .monaco-list-row", { hasText: "Laravel app" }).click(),
    );
    assert.equal((await pulling).outcome, "unchanged");
    assert.match(await read("project-translations.json"), /"profile": "app"/);
    await waitFor("it is remembered", async () => (await run("pull")).outcome === "unchanged");
  });

  it("takes only the languages that are asked for", async () => {
    const german = await read("lang/de/cart.php");
    const french = await read("lang/fr/cart.php");
    const stale = (text: string): string => text.replace(/'title' => '[^']*'/, "'title' => 'Stale'");
    assert.notEqual(stale(german), german);
    assert.notEqual(stale(french), french);
    await write("lang/de/cart.php", stale(german));
    await write("lang/fr/cart.php", stale(french));
    const result = await run("pull", { locales: ["de"] });
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.deepEqual(changed(result), ["lang/de/cart.php"]);
    assert.equal(await read("lang/de/cart.php"), german);
    assert.equal(await read("lang/fr/cart.php"), stale(french));
    await write("lang/fr/cart.php", french);
  });

  it("says which profile the service does not know", async () => {
    const result = await run("pull", { profile: "nowhere" });
    assert.equal(result.error?.code, "not_found");
  });
});
