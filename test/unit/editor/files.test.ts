/** What the editor provides in translation files, and the commands that change them, without a service. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateKeyCommand } from "../../../src/features/update-key/update-key-command.ts";
import { setSourceLanguageCommand } from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { editTranslationCommand, setLocalCommand } from "../../../src/commands/declarations/text-commands.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import {
  answerNextInput,
  clickInNextMessage,
  type CodeAction,
  CodeActionKind,
  type DocumentSymbol,
  type FoldingRange,
  messages,
  pickInNextList,
  providersFor,
  Range,
  setSetting,
  statusBarItems,
  views,
  window,
  workspace,
  type WorkspaceEdit,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "lang/en/cart.php";
const DUTCH = "lang/nl/cart.php";
const PO = "locale/nl/LC_MESSAGES/shop.po";
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "project-translations.json": `{
  "files": [
    { "path": "lang/{locale}/{namespace}.php", "format": "laravel_php" },
    { "path": "locale/{locale}/LC_MESSAGES/shop.po", "format": "po", "namespace": "shop" }
  ]
}
`,
  [ENGLISH]: `<?php

return [
    'title' => 'Your cart',
    'items' => ['one' => 'Item', 'list' => ['empty' => 'Nothing']],
    'lines' => "First\\nSecond",
];
`,
  [DUTCH]: `<?php

return [
    'title' => 'Je mandje',
];
`,
  [PO]: `msgid ""
msgstr ""
"Language: nl\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

#: shop.py:1
msgid "Save"
msgstr "Opslaan"

msgid "Close"
msgstr "Sluiten"

#~ msgid "Old"
#~ msgstr "Oud"
`,
  "app/Cart.php": "<?php\n\necho __('cart.title'), __('cart.items.one');\n",
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES });
});
afterAll(() => editor.close());

test("without a service, the status bar says so, and the welcome row offers one", async () => {
  const status = () => statusBarItems.get("projectTranslations.status");
  await waitUntil(() => status()?.tooltip.endsWith("nl 50%"));
  expect([status()?.text, status()?.tooltip]).toEqual([
    "$(globe) Translations: local files",
    "Local files; you are not signed in. Click for options. · nl 50%",
  ]);
  await waitUntil(() => views.get("projectTranslations.languages")?.description === "local files");
  expect(await editor.rows("languages")).toEqual([
    "Connect to a translation service… | sign in, or start one here",
    "English (en) | source, 6 keys",
    "Nederlands (nl) | 50%",
  ]);
  expect(await editor.rows("languages", "Nederlands")).toEqual(["Untranslated (3)", "Translated (3)"]);
  expect(await editor.run(pushCommand, {})).toMatchObject({ error: { code: "not_signed_in" } });
});

describe("in a translation file", () => {
  test("the outline has the entries in their groups", async () => {
    const lines = (symbols: readonly DocumentSymbol[], indent = ""): readonly string[] =>
      symbols.flatMap(({ name, detail, range, children }) => [
        `${indent}${name}: ${detail} (${range.start.line + 1}:${range.start.character}–${range.end.line + 1}:${range.end.character})`,
        ...lines(children, `${indent}  `),
      ]);
    const [symbols] = await editor.provideAll<readonly DocumentSymbol[]>(
      "DocumentSymbol",
      "provideDocumentSymbols",
      ENGLISH,
    );
    expect(lines(symbols ?? [])).toMatchInlineSnapshot(`
      [
        "title: Your cart (4:5–4:26)",
        "items:  (5:17–5:64)",
        "  one: Item (5:17–5:31)",
        "  list:  (5:45–5:64)",
        "    empty: Nothing (5:45–5:64)",
        "lines: First↵Second (6:5–6:30)",
      ]
    `);
    const [flat] = await editor.provideAll<readonly DocumentSymbol[]>(
      "DocumentSymbol",
      "provideDocumentSymbols",
      PO,
    );
    expect(lines(flat ?? [])).toMatchInlineSnapshot(`
      [
        "Save: Opslaan (7:7–8:16)",
        "Close: Sluiten (10:7–11:16)",
      ]
    `);
    const [none] = await editor.provideAll<readonly DocumentSymbol[] | undefined>(
      "DocumentSymbol",
      "provideDocumentSymbols",
      "app/Cart.php",
    );
    expect(none).toBeUndefined();
    // VS Code has its own for JSON.
    expect(providersFor("DocumentSymbol", (await editor.show("composer.json")).document)).toEqual([]);
    // Groups and keys may have the same name, or none.
    const deep = "lang/en/deep.php";
    const text =
      "['a' => ['x' => ['a' => ['y' => 'Y']], 'z' => 'Z'], '' => ['b' => 'B'], 'c' => ['' => 'C']]";
    await editor.write(deep, `<?php\n\nreturn ${text};\n`);
    const { document } = await editor.show(deep);
    const names = (all: readonly DocumentSymbol[]): readonly string[] =>
      all.flatMap(({ name, selectionRange, children }) => [
        `${name}: ${document.getText(selectionRange)}`,
        ...names(children).map((each) => `  ${each}`),
      ]);
    const [nested] = await editor.provideAll<readonly DocumentSymbol[]>(
      "DocumentSymbol",
      "provideDocumentSymbols",
      deep,
    );
    expect(names(nested ?? [])).toMatchInlineSnapshot(`
      [
        "a: y' => 'Y'",
        "  x: y' => 'Y'",
        "    a: y' => 'Y'",
        "      y: y",
        "  z: z",
        """: b' => 'B'",
        "  b: b",
        "c: ' => 'C'",
        "  "": ",
      ]
    `);
    await rm(join(editor.folder, deep));
  });

  test("entries of a catalogue can be folded", async () => {
    const [folds] = await editor.provideAll<readonly FoldingRange[]>(
      "FoldingRange",
      "provideFoldingRanges",
      PO,
    );
    expect(folds?.map(({ start, end, kind }) => [start + 1, end + 1, kind])).toEqual([
      [1, 4, undefined],
      [6, 8, undefined],
      [10, 11, undefined],
      [13, 14, 1],
    ]);
  });

  test("each line has lenses, unless they are switched off", async () => {
    await waitUntil(async () => (await editor.lenses(ENGLISH)).includes("4 1 reference"));
    expect(await editor.lenses(ENGLISH)).toMatchInlineSnapshot(`
      [
        "4 1/1 translated",
        "4 1 reference",
        "5 2 keys · 0/2 translated",
        "6 0/1 translated",
        "6 0 references",
      ]
    `);
    expect(await editor.lenses("app/Cart.php")).toEqual([]);
    setSetting("projectTranslations.codeLens.enabled", false);
    expect(await editor.lenses(ENGLISH)).toEqual([]);
  });

  test("a key is renamed there, in all languages and in code", async () => {
    const prepared = await editor.provide<{ readonly placeholder: string }>(
      "Rename",
      "prepareRename",
      DUTCH,
      "'ti|tle'",
    );
    expect(prepared.placeholder).toBe("title");
    // Written a moment ago, and not seen by any watcher yet.
    await editor.write("app/Late.php", "<?php\n\necho __('cart.title');\n");
    const edit = await editor.provide<WorkspaceEdit>(
      "Rename",
      "provideRenameEdits",
      DUTCH,
      "'ti|tle'",
      "heading",
    );
    expect(edit.edits.map(({ uri, text }) => [uri.path.slice(editor.folder.length + 1), text]))
      .toMatchInlineSnapshot(`
      [
        [
          "lang/en/cart.php",
          "heading",
        ],
        [
          "lang/nl/cart.php",
          "heading",
        ],
        [
          "app/Cart.php",
          "cart.heading",
        ],
        [
          "app/Late.php",
          "cart.heading",
        ],
      ]
    `);
    await workspace.applyEdit(edit);
    for (const document of workspace.textDocuments) if (document.isDirty) await document.save();
    expect(await editor.read(ENGLISH)).toContain("'heading' => 'Your cart'");
    expect(await editor.read("app/Cart.php")).toContain("__('cart.heading')");
    await expect(
      editor.provide("Rename", "provideRenameEdits", "app/Cart.php", "'cart.hea|ding'", "cart.items.one"),
    ).rejects.toThrow("There is already a key cart.items.one. Nothing was changed.");
    // A name without its namespace may be one of the same file, or of another one.
    const renamed = async (label: string) => {
      pickInNextList((items, { title }) => {
        expect([title, items.map((item) => [item.label, item.description])]).toEqual([
          "Rename cart.heading",
          [
            ["cart.other", "stays in cart"],
            ["other", "moves out of cart"],
          ],
        ]);
        return items.find((item) => item.label === label);
      });
      const given = ["Rename", "provideRenameEdits", "app/Cart.php", "'cart.hea|ding'", "other"] as const;
      const { edits = [] } = (await editor.provide<WorkspaceEdit | undefined>(...given)) ?? {};
      return edits.map(({ text }) => text);
    };
    expect(await renamed("cart.other")).toEqual(["other", "other", "cart.other", "cart.other"]);
    expect(await renamed("nothing")).toEqual([]);
    await expect(editor.provide("Rename", "prepareRename", "app/Cart.php", "ec|ho")).rejects.toThrow(
      "There is no key of this project here.",
    );
    const same = await editor.provide<WorkspaceEdit | undefined>(
      "Rename",
      "provideRenameEdits",
      DUTCH,
      "'hea|ding'",
      "heading",
    );
    expect(same).toBeUndefined();
  });
});

describe("a text", () => {
  const set = (options: object) => editor.run(setLocalCommand, { namespace: "cart", ...options });

  test("is set in its file, or added to it", async () => {
    expect(await set({ key: "heading", locale: "nl", value: "Mandje" })).toEqual({
      outcome: "done",
      file: DUTCH,
      created: false,
    });
    expect(await set({ key: "heading", locale: "nl", value: "Mandje" })).toEqual({
      outcome: "unchanged",
      file: DUTCH,
      created: false,
    });
    expect(await set({ key: "items.one", locale: "nl", value: "Ding" })).toEqual({
      outcome: "done",
      file: DUTCH,
      created: true,
    });
    expect(await editor.read(DUTCH)).toMatchInlineSnapshot(`
      "<?php

      return [
          'heading' => 'Mandje',
          'items' => [
              'one' => 'Ding',
          ],
      ];
      "
    `);
    expect(await set({ key: "heading" })).toMatchObject({ error: { code: "invalid" } });
    expect(await set({ value: "x" })).toMatchObject({ error: { code: "invalid" } });
    expect(
      await editor.run(updateKeyCommand, { namespace: "cart", key: "heading", description: "x" }),
    ).toMatchObject({ error: { code: "not_signed_in" } });
  });

  test("is edited in an input box, and what was typed is kept if that is dismissed", async () => {
    const edit = () => editor.ask(setLocalCommand, { namespace: "cart", key: "heading", locale: "nl" });
    answerNextInput((input) => {
      expect([input.title, input.value]).toEqual(["nl · cart.heading", "Mandje"]);
      input.type("Je mand");
      input.accept();
    });
    expect(await edit()).toMatchObject({ outcome: "done" });
    expect(await editor.read(DUTCH)).toContain("'heading' => 'Je mand'");
    answerNextInput((input) => input.hide());
    expect(await edit()).toEqual({ outcome: "cancelled" });
    // Somebody else changes the file while it is open; then it is tried again, and given up.
    const shown = messages.length;
    let again: readonly string[] = [];
    clickInNextMessage("Try Again");
    answerNextInput(async (input) => {
      await editor.write(DUTCH, (await editor.read(DUTCH)).replace("Je mand", "Mandje"));
      input.type("Mijn mand");
      input.accept();
    });
    answerNextInput((input) => {
      again = [input.title, input.value];
      input.hide();
    });
    expect(await edit()).toMatchObject({ error: { code: "file_changed" } });
    await waitUntil(() => messages.slice(shown).some(({ text }) => text.startsWith("What you typed")));
    expect(again).toEqual(["nl · cart.heading", "Mijn mand"]);
    answerNextInput((input) => {
      expect(input.value).toBe("Mijn mand");
      input.hide();
    });
    clickInNextMessage("Discard");
    expect(await edit()).toEqual({ outcome: "cancelled" });
    expect(messages.at(-1)?.text).toBe(
      "What you typed for nl · cart.heading is kept: the next edit starts from it.",
    );
    answerNextInput((input) => {
      expect(input.value).toBe("Mandje");
      input.hide();
    });
    expect(await edit()).toEqual({ outcome: "cancelled" });
  });

  test("of another language is edited in the file of that language", async () => {
    answerNextInput((input) => {
      expect([input.title, input.value]).toEqual(["nl · cart.heading", "Mandje"]);
      input.hide();
    });
    const options = { namespace: "cart", key: "heading", locale: "nl" };
    expect(await editor.ask(editTranslationCommand, options)).toMatchObject({ outcome: "cancelled" });
  });

  test("of several lines is edited in its file", async () => {
    expect(
      await editor.ask(editTranslationCommand, { namespace: "cart", key: "lines", locale: "en" }),
    ).toMatchObject({ outcome: "unchanged" });
    expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri(ENGLISH).path);
    await editor.show(DUTCH);
    expect(await editor.ask(setLocalCommand, { namespace: "cart", key: "lines", locale: "en" })).toEqual({
      outcome: "unchanged",
      file: ENGLISH,
      created: false,
    });
    expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri(ENGLISH).path);
  });
});

describe("a project file", () => {
  test("another source language is chosen, of those that have files", async () => {
    const set = (locale: string) => editor.run(setSourceLanguageCommand, { locale });
    expect(await set("de")).toMatchObject({ error: { code: "not_found" } });
    expect(await set("en")).toEqual({ outcome: "unchanged", locale: "en" });
    expect(await set("nl")).toEqual({ outcome: "done", locale: "nl" });
    expect(JSON.parse(await editor.read("project-translations.json"))).toMatchObject({ sourceLocale: "nl" });
    await waitUntil(async () =>
      (await editor.rows("languages")).some((row) => row.startsWith("Nederlands (nl) | source")),
    );
  });

  test("a changed project file is read again", async () => {
    const outlines = async () => providersFor("DocumentSymbol", (await editor.show(ENGLISH)).document);
    const before = await outlines();
    const text = await editor.read("project-translations.json");
    await editor.write(
      "project-translations.json",
      text.replace('"sourceLocale": "nl"', '"sourceLocale": "en"'),
    );
    await waitUntil(async () =>
      (await editor.rows("languages")).some((row) => row.startsWith("English (en) | source")),
    );
    // There is still one outline, but a new one: VS Code keeps what the other one said.
    expect(await outlines()).toHaveLength(1);
    expect(await outlines()).not.toEqual(before);
    await editor.write("lang/en/more.php", "<?php\n\nreturn ['more' => 'More'];\n");
    await waitUntil(async () => (await editor.rows("languages")).includes("English (en) | source, 7 keys"));
  });
});

test("a problem on a line with a comment is ignored in a file, too", async () => {
  const text = (of: string, comment: string) =>
    `<?php\n\nreturn [\n    'one' => 'Of ${of}',${comment}\n    'two' => 'By ${of}',\n];\n`;
  const path = "lang/nl/notes.php";
  await editor.write("lang/en/notes.php", text(":name", ""));
  await editor.write(path, text(":nam", " // project-translations-ignore"));
  await editor.show(path);
  await waitUntil(() => editor.problems(path).length > 0);
  expect(editor.problems(path)).toEqual(["5: notes.two (nl): :name is missing, :nam is unknown"]);
  // And stays as it is when all others are mended.
  const context = { diagnostics: [], only: CodeActionKind.SourceFixAll };
  const given = ["provideCodeActions", path, new Range(0, 0, 0, 0), context] as const;
  const [fix] = (await editor.provideAll<readonly CodeAction[]>("CodeActions", ...given)).flat();
  expect(fix?.title).toBe("Apply all suggestions in this file (1)");
  await workspace.applyEdit(fix?.edit ?? expect.fail("it has an edit"));
  expect(await editor.text(path)).toBe(
    text(":nam", " // project-translations-ignore").replace("'By :nam'", "'By :name'"),
  );
});
