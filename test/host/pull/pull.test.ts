/** Pull by a user and by tasks: which files are written, how, and which are not. */
import assert from "node:assert/strict";
import { commands, ConfigurationTarget, languages, Position, TextEdit, Uri, window, workspace } from "vscode";
import { onPage, screenshot, startService } from "../harness/bridge-client.ts";
import { pressInInput } from "../harness/prompts.ts";
import { waitFor } from "../harness/wait-for.ts";
import { journey } from "../harness/journey.ts";

interface Item {
  readonly key: string;
  readonly locale?: string;
  readonly file?: string;
  readonly messages: readonly string[];
}

type Result = Record<string, unknown> & {
  outcome: string;
  error?: { code: string; message: string; reason?: string; items?: readonly Item[] };
  files?: { path: string; change: string }[];
  items?: readonly Item[];
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

/** Whether the row of the list that has the words is ticked. */
const isTicked = (words: string): Promise<boolean> =>
  onPage(
    async (page, text) =>
      page
        .locator(".quick-input-list .monaco-list-row", { hasText: text })
        .first()
        .getByRole("checkbox")
        .isChecked({ timeout: 1000 }),
    words,
  );

const translate = async (locale: string, key: string, value: string): Promise<void> => {
  const set = await run("setTranslation", { locale, namespace: "cart", key, value });
  assert.equal(set.outcome, "done", JSON.stringify(set));
};

describe("pull", () => {
  before(async () => {
    const { baseUrl, token } = await startService({ demo: true });
    const result = await run("signIn", { baseUrl, token });
    assert.equal(result.outcome, "done", JSON.stringify(result));
  });

  journey("previews the changes that the view counts, and writes nothing when cancelled", async () => {
    await commands.executeCommand("projectTranslations.languages.focus");
    const told = await waitFor("the view says how many", async () => {
      const all = await onPage((page) => page.getByRole("treeitem").allInnerTexts());
      return /(\d+ translations.*) to pull/.exec(all.join("\n"))?.[1];
    });
    const before = await read("lang/fr/cart.php");
    const pulling = run("pull", { confirm: true });
    const shown = await rows(`Pull from Webshop: ${told}`);
    assert.ok(
      shown.some((row) => row.includes("lang/fr/cart.php")),
      JSON.stringify(shown),
    );
    await screenshot("preview");
    // New files are nobody's wish until somebody ticks them; a language has a tick for all of its files.
    assert.equal(await isTicked("lang/fr/cart.php"), true);
    await onPage(async (page) => {
      const input = page.locator(".quick-input-widget:visible input.input").first();
      await input.fill("lang/pl/cart.php");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "lang/pl/cart.php" }).waitFor();
    });
    assert.equal(await isTicked("lang/pl/cart.php"), false);
    await onPage((page) => page.locator(".quick-input-widget:visible input.input").first().fill(""));
    await rows(`Pull from Webshop: ${told}`);
    await onPage((page) =>
      page
        .locator(".quick-input-list .monaco-list-row", { hasText: "5 translations in 2 files" })
        .first()
        .click(),
    );
    await waitFor("none of its files is ticked", async () => !(await isTicked("lang/fr/cart.php")));
    await screenshot("unticked");
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "lang/nl/" }).first();
      await row.hover();
      await row.getByRole("button", { name: "Show Difference" }).click();
      await page.locator(".monaco-diff-editor .view-lines .view-line").first().waitFor();
    });
    await screenshot("difference");
    await onPage((page) => page.keyboard.press("Escape"));
    assert.equal((await pulling).outcome, "cancelled");
    assert.equal(await read("lang/fr/cart.php"), before);
  });

  journey("writes only changed values, preserving comments, order and local keys", async () => {
    const before = await read("lang/nl/cart.php");
    await write("lang/nl/cart.php", before.replace("return [", "return [\n    'own' => 'Alleen hier',"));
    await translate("nl", "title", "Je mandje");
    const result = await run("pull");
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.ok(changed(result).includes("lang/nl/cart.php"));
    const after = await read("lang/nl/cart.php");
    assert.match(after, /'own' => 'Alleen hier',/);
    assert.match(after, /'title' => 'Je mandje',/);
    assert.match(after, /\/\/ Shown below the total while there is something to gain\./);
  });

  journey("leaves unchanged files untouched, including their modification time", async () => {
    const before = await workspace.fs.stat(place("lang/nl/cart.php"));
    const result = await run("pull");
    assert.deepEqual([result.outcome, changed(result)], ["unchanged", []]);
    const after = await workspace.fs.stat(place("lang/nl/cart.php"));
    assert.deepEqual([after.mtime, after.size], [before.mtime, before.size]);
  });

  it("writes one changed translation, reports it, and can undo it", async () => {
    const before = await read("lang/nl/cart.php");
    await translate("nl", "title", "Jouw mandje");
    const pulling = run("pull", { confirm: true });
    await rows("Pull from Webshop: 1 translation in 1 file");
    await pressInInput("Enter");
    const result = await pulling;
    assert.deepEqual([result.outcome, changed(result)], ["done", ["lang/nl/cart.php"]]);
    const after = await read("lang/nl/cart.php");
    assert.match(after, /'title' => 'Jouw mandje',/);
    await waitFor("the view says what was written", () =>
      onPage(async (page) =>
        (await page.getByRole("treeitem").allInnerTexts()).some((row) =>
          row.includes("Pulled from Webshop: 1 translation in 1 file."),
        ),
      ),
    );
    assert.equal((await run("showPulled")).outcome, "done");
    await waitFor("the difference is open", () =>
      onPage((page) => page.locator(".multiDiffEntry, .monaco-diff-editor").first().isVisible()),
    );
    await screenshot("written");
    await commands.executeCommand("workbench.action.closeActiveEditor");
    assert.equal((await run("undoPull")).outcome, "done");
    assert.equal(await read("lang/nl/cart.php"), before);
    assert.equal((await run("undoPull")).error?.reason, "no_pull");
    // Whoever undid it can pull it again.
    assert.deepEqual(changed(await run("pull")), ["lang/nl/cart.php"]);
    assert.equal(await read("lang/nl/cart.php"), after);
    await write("lang/nl/cart.php", `${after}// mine\n`);
    assert.equal((await run("undoPull")).error?.code, "file_changed");
    await write("lang/nl/cart.php", after);
  });

  it("shows no conflict for a translation that was just pulled", async () => {
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

  it("edits an open file without formatting it, with undo", async () => {
    const path = "lang/nl/cart.php";
    const { document } = await window.showTextDocument(place(path));
    const before = document.getText();
    const after = before.replace("'Mijn mandje'", "'Uw mandje'");
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
      await write(path, after);
      await waitFor("the file is as pulled", () => document.getText() === after);
    }
  });

  it("overwrites no unsaved changes", async () => {
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

  it("prompts once for the export profile and stores it in the project file", async () => {
    const file = await read("project-translations.json");
    await write("project-translations.json", file.replace('"profile": "app", ', ""));
    await waitFor(
      "the project file is read again",
      async () => (await run("pull")).error?.reason === "profile",
    );
    const pulling = run("pull", { confirm: true });
    const shown = await rows("export format");
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

  it("pulls only the requested languages", async () => {
    const french = await read("lang/fr/cart.php");
    await translate("de", "title", "Dein Korb");
    await translate("fr", "title", "Ton panier");
    const result = await run("pull", { locales: ["de"] });
    assert.equal(result.outcome, "done", JSON.stringify(result));
    assert.deepEqual(changed(result), ["lang/de/cart.php"]);
    assert.match(await read("lang/de/cart.php"), /'Dein Korb'/);
    assert.equal(await read("lang/fr/cart.php"), french);
  });

  it("pulls only the requested files", async () => {
    const dutch = await read("lang/nl/cart.php");
    await translate("nl", "title", "Ons mandje");
    const result = await run("pull", { files: ["lang/fr/cart.php"] });
    assert.deepEqual(changed(result), ["lang/fr/cart.php"], JSON.stringify(result));
    assert.match(await read("lang/fr/cart.php"), /'Ton panier'/);
    assert.equal(await read("lang/nl/cart.php"), dutch);
    assert.deepEqual(changed(await run("pull", { files: [place("lang/nl/cart.php")] })), [
      "lang/nl/cart.php",
    ]);
    assert.match(await read("lang/nl/cart.php"), /'Ons mandje'/);
  });

  it("leaves what changed in the files, names it, and shows both texts of a conflict", async () => {
    const english = await read("lang/en/cart.php");
    const dutch = await read("lang/nl/cart.php");
    await write("lang/en/cart.php", english.replace("'Your cart'", "'Your basket'"));
    await write(
      "lang/nl/cart.php",
      dutch.replace("'Ons mandje'", "'Mijn mandje'").replace("'Naar de kassa'", "'Afrekenen'"),
    );
    await translate("nl", "title", "Jullie mandje");
    const quiet = await run("pull");
    assert.equal(quiet.outcome, "conflict", JSON.stringify(quiet));
    const named = (quiet.items ?? []).map(({ locale, key, file }) => `${locale} ${key} ${file}`).sort();
    assert.deepEqual(named, [
      // The sample's own changes.
      "en free_delivery lang/en/cart.php",
      "en payment.choose lang/en/checkout.php",
      "en title lang/en/cart.php",
      "nl checkout lang/nl/cart.php",
      "nl title lang/nl/cart.php",
    ]);
    await translate("nl", "subtotal", "Tussenstand");
    const done = await run("pull");
    assert.equal(done.outcome, "done", JSON.stringify(done));
    assert.equal(done.items?.length, 5);
    const written = await read("lang/nl/cart.php");
    for (const text of ["Mijn mandje", "Afrekenen", "Tussenstand"]) assert.ok(written.includes(text), text);
    assert.match(await read("lang/en/cart.php"), /'Your basket'/);

    await commands.executeCommand("projectTranslations.activity.focus");
    for (const text of ["1 translation changed in your files", "1 text changed here and on the service"])
      await waitFor(text, () =>
        onPage(
          async (page, row) =>
            (await page.getByRole("treeitem").allInnerTexts()).some((each) => each.includes(row)),
          text,
        ),
      );
    await translate("nl", "subtotal", "Subtotaal");
    const pulling = run("pull", { confirm: true });
    const shown = await rows("Pull from Webshop: 1 translation in 1 file");
    const conflict = shown.find((row) => row.includes("Jullie mandje")) ?? "";
    assert.match(conflict, /cart\.title[^]*here: Mijn mandje ↔ service: Jullie mandje/);
    for (const row of ["Jullie mandje", "Afrekenen", "Your basket"])
      assert.equal(await isTicked(row), false, row);
    assert.equal(await isTicked("lang/nl/cart.php"), true);
    await screenshot("three-sides");
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "Jullie mandje" });
      await row.hover();
      await row.getByRole("button", { name: "Show Difference" }).click();
      await page
        .locator(".modified-in-monaco-diff-editor .view-line", { hasText: "Jullie mandje" })
        .waitFor();
    });
    await screenshot("conflict");
    await onPage((page) =>
      page
        .locator(".quick-input-list .monaco-list-row", { hasText: "Jullie mandje" })
        .getByRole("checkbox")
        .click(),
    );
    await rows("Pull from Webshop: 2 translations in 1 file");
    await pressInInput("Enter");
    assert.equal((await pulling).outcome, "done");
    const taken = await read("lang/nl/cart.php");
    for (const text of ["Jullie mandje", "Afrekenen", "'subtotal' => 'Subtotaal'"])
      assert.ok(taken.includes(text), text);
    assert.equal((await run("pull")).outcome, "unchanged");
    await write("lang/en/cart.php", english);
    await write("lang/nl/cart.php", taken.replace("'Afrekenen'", "'Naar de kassa'"));
  });

  it("settles a conflict by keeping mine, which is sent by Import Local Translations", async () => {
    const dutch = await read("lang/nl/cart.php");
    await write("lang/nl/cart.php", dutch.replace("'Jullie mandje'", "'Mijn eigen mandje'"));
    await translate("nl", "title", "Hun mandje");
    await translate("nl", "subtotal", "Tussenstand");
    const pulling = run("pull", { confirm: true });
    await rows("Pull from Webshop: 1 translation in 1 file");
    await onPage(async (page) => {
      const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "Hun mandje" });
      await row.hover();
      await row.getByRole("button", { name: "Keep Mine" }).click();
      await row.getByRole("button", { name: "Keep Mine" }).waitFor({ state: "detached" });
    });
    const after = await rows("Pull from Webshop: 1 translation in 1 file");
    const isBelow = (row: string, heading: string): boolean =>
      after.findIndex((each) => each.includes(row)) >= after.findIndex((each) => each.includes(heading));
    assert.ok(isBelow("Hun mandje", "Changed only in your files"), JSON.stringify(after));
    assert.equal(await isTicked("lang/nl/cart.php"), true);
    assert.equal(await isTicked("Hun mandje"), false);
    await screenshot("kept-mine");
    await pressInInput("Enter");
    const pulled = await pulling;
    assert.equal(pulled.outcome, "done", JSON.stringify(pulled));
    const written = await read("lang/nl/cart.php");
    assert.ok(written.includes("'Mijn eigen mandje'") && written.includes("'Tussenstand'"), written);
    const sent = await run("importLocal", { locale: "nl" });
    assert.equal(sent.outcome, "done", JSON.stringify(sent));
    assert.equal((await run("pull", { locales: ["nl"] })).outcome, "unchanged");
    await translate("nl", "title", "Jullie mandje");
    await translate("nl", "subtotal", "Subtotaal");
    await run("pull");
    assert.equal(await read("lang/nl/cart.php"), dutch);
  });

  it("puts back no key that was deleted in the files", async () => {
    const english = await read("lang/en/cart.php");
    const dutch = await read("lang/nl/cart.php");
    await write("lang/en/cart.php", english.replace("    'empty' => 'Your cart is empty.',\n", ""));
    await write("lang/nl/cart.php", dutch.replace("    'empty' => 'Je winkelwagen is leeg.',\n", ""));
    await translate("nl", "subtotal", "Tussenstand");
    const result = await run("pull");
    assert.deepEqual(changed(result), ["lang/nl/cart.php"], JSON.stringify(result));
    assert.deepEqual(
      (result.items ?? []).filter(({ key }) => key === "empty").map(({ locale }) => locale),
      ["en", "nl"],
    );
    assert.doesNotMatch(await read("lang/en/cart.php"), /'empty'/);
    assert.doesNotMatch(await read("lang/nl/cart.php"), /'empty'/);
    await write("lang/en/cart.php", english);
    await write("lang/nl/cart.php", dutch.replace("'Subtotaal'", "'Tussenstand'"));
  });

  it("fails, naming the file, if the only change cannot be written", async () => {
    const dutch = await read("lang/nl/cart.php");
    await write("lang/nl/cart.php", dutch.replace("return [", "return [\n<<<<<<< HEAD"));
    await translate("nl", "subtotal", "Optelling");
    const result = await run("pull", { locales: ["nl"] });
    assert.equal(result.outcome, "failed", JSON.stringify(result));
    assert.equal(result.error?.reason, "not_applied");
    assert.match(result.error?.message ?? "", /^Nothing was pulled\. lang\/nl\/cart\.php:4:1 has an error/);
    assert.deepEqual(
      result.error?.items?.map(({ file }) => file),
      ["lang/nl/cart.php"],
    );
    await write("lang/nl/cart.php", dutch);
    assert.equal((await run("pull", { locales: ["nl"] })).outcome, "done");
  });

  it("names an unknown export profile", async () => {
    const result = await run("pull", { profile: "nowhere" });
    assert.equal(result.error?.code, "not_found");
  });
});
