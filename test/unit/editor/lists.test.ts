/** Lists of keys and usages, and what files of other formats show: spreadsheets and catalogues, without a service. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  findUnusedCommand,
  findUsesCommand,
  goToEntryCommand,
  searchKeysCommand,
} from "../../../src/commands/declarations/key-commands.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import {
  answerNextList,
  type CompletionList,
  type DocumentSymbol,
  type FoldingRange,
  messages,
  pickInNextList,
  setSetting,
  window,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const SHEET = "texts/app.csv";
const PO = "locale/nl/LC_MESSAGES/shop.po";
const CODE = "app/Cart.php";
const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "project-translations.json": JSON.stringify({
    files: [
      { path: SHEET, format: "csv", namespace: "sheet" },
      { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
      { path: "locale/{locale}/LC_MESSAGES/shop.po", format: "po", namespace: "shop" },
    ],
    sourceLocale: "en",
  }),
  [SHEET]: "key,en,nl\ntitle,Title,Titel\nempty,Empty,\n",
  "lang/en/cart.php": `<?php

return [
    'title' => 'Your cart',
    'total' => 'Total: :amount for :name',
    'status' => ['open' => 'Open', 'sent' => 'Sent'],
    'nobody' => 'Nobody',
];
`,
  "lang/nl/cart.php": "<?php\n\nreturn ['title' => 'Je mandje'];\n",
  [PO]: `msgid ""
msgstr "Language: nl\\n"

#, fuzzy
msgid "One line"
msgstr "Een regel"

# A comment.

msgid "Of {name}"
msgstr "Van {nam}"

#, fuzzy
msgid "At {name}"
msgstr "Bij {nam}"

#, fuzzy
msgid "Zoo"
msgstr "Dierentuin"

#, fuzzy
msgid "Man"
msgstr "Mens"

#, fuzzy
msgid "Art"
msgstr "Kunst"
`,
  "locale/en/LC_MESSAGES/shop.po": `msgid ""
msgstr "Language: en\\n"

msgid "Of {name}"
msgstr "Of {name}"

msgid "At {name}"
msgstr "At {name}"

msgid "Zoo"
msgstr "Zoo"

msgid "Man"
msgstr "Man"

msgid "Art"
msgstr "Art"
`,
  "notes/other.po": 'msgid "A"\nmsgstr "B"\n\nmsgid "C"\nmsgstr "D"\n',
  [CODE]: `<?php

echo __('cart.title'), __('cart.title'), __('cart.status.' . $status);
echo __('cart.total', ['amount' => 3, ]), __('cart.total', ['na']), __('cart.total', $values['']);
`,
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES });
});
afterAll(() => editor.close());

describe("the usages of a key", () => {
  test("are listed with the code, and those that a pattern may mean", async () => {
    await editor.show("lang/en/cart.php");
    pickInNextList((items, { title }) => {
      expect(title).toBe("2 references to cart.title");
      expect(items.map(({ label }) => label)).toEqual([`$(file-code) ${CODE}:3`, `$(file-code) ${CODE}:3`]);
      return undefined;
    });
    await editor.ask(findUsesCommand, { namespace: "cart", key: "title" });
    // Nothing is opened without a choice.
    expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri("lang/en/cart.php").path);
    await editor.ask(findUsesCommand, { namespace: "cart", key: "status.open" });
    expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri(CODE).path);
    expect(await editor.run(findUsesCommand, { namespace: "cart", key: "status.open" })).toMatchObject({
      uses: [{ path: CODE, line: 2, pattern: "cart.status.*" }],
    });
    const shown = messages.length;
    await editor.ask(findUsesCommand, { namespace: "cart", key: "nobody" });
    expect(messages.slice(shown).map(({ text }) => text)).toEqual(["The code does not use cart.nobody."]);
  });

  test("are counted in lenses, or what a report says of it is", async () => {
    await waitUntil(async () => (await editor.lenses("lang/en/cart.php")).includes("4 2 references"));
    const usages = async () =>
      (await editor.lenses("lang/en/cart.php")).filter((lens) => !lens.includes("translated"));
    expect(await usages()).toEqual(["4 2 references", "5 3 references", "7 0 references"]);
    pickInNextList((items, { title }) => {
      expect(title).toBe("3 references to cart.total");
      return items[2];
    });
    await editor.clickLens("lang/en/cart.php", "3 references");
    expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri(CODE).path);
    await editor.run(findUnusedCommand, {});
    await waitUntil(async () => (await usages()).at(-1) === "7 unused");
    // Several entries on a line have no references of their own.
    expect(await editor.lenses("lang/en/cart.php")).toContain("6 2 keys · 0/2 translated");
  });
});

describe("the search of keys", () => {
  test("edits or looks up the key whose button is pressed", async () => {
    answerNextList((list) => {
      list.press("Edit Translation…", "cart.total");
    });
    let asked = "";
    answerNextList((list) => {
      asked = list.title;
      list.hide();
    });
    expect(await editor.ask(searchKeysCommand, {})).toEqual({ outcome: "done" });
    await waitUntil(() => asked !== "");
    expect(asked).toBe("cart.total");
    await editor.show("lang/nl/cart.php");
    answerNextList((list) => list.press("Find References to Key", "cart.status.sent"));
    expect(await editor.ask(searchKeysCommand, {})).toEqual({ outcome: "done" });
    await waitUntil(() => window.activeTextEditor?.document.uri.path.endsWith(CODE) === true);
  });

  test("keeps what is active while more is found", async () => {
    const path = "lang/en/more.php";
    answerNextList(async (list) => {
      list.type("cart");
      await waitUntil(() => !list.rows.includes("sheet.title"));
      list.move("cart.total");
      await editor.write(path, "<?php\n\nreturn ['cart' => 'One more'];\n");
      await waitUntil(() => list.rows.includes("more.cart"));
      expect(list.activeItems.map(({ label }) => label)).toEqual(["cart.total"]);
      await rm(editor.uri(path).fsPath);
      await waitUntil(() => !list.rows.includes("more.cart"));
      list.hide();
    });
    expect(await editor.ask(searchKeysCommand, {})).toEqual({ outcome: "cancelled" });
  });

  test("opens the key that is chosen", async () => {
    await editor.show(CODE);
    answerNextList(async (list) => {
      list.type("nobody");
      await waitUntil(() => list.rows.length === 1);
      list.accept();
    });
    expect(await editor.ask(searchKeysCommand, {})).toEqual({ outcome: "done" });
    await waitUntil(() => window.activeTextEditor?.document.uri.path.endsWith("en/cart.php") === true);
  });
});

describe("placeholders", () => {
  const labels = async (words: string) =>
    (
      await editor.provide<CompletionList | undefined>("Completion", "provideCompletionItems", CODE, words)
    )?.items.map(({ label, insertText }) => [
      label.label,
      typeof insertText === "string" ? insertText : insertText.value,
    ]);

  test("are completed in the array of a call, without those that have a value", async () => {
    expect(await labels("['amount' => 3, |]")).toEqual([["name", "'name' => $0"]]);
    expect(await labels("['na|'])")).toEqual([
      ["amount", "amount"],
      ["name", "name"],
    ]);
    expect(await labels("$values['|']")).toBeUndefined();
    expect(await labels("echo| __('cart.total'")).toBeUndefined();
  });

  test("are completed in a template of Laravel, whichever language an extension gives it", async () => {
    const template = "resources/views/cart.blade.php";
    await editor.write(template, "<p>{{ __('cart.total', ['']) }}</p>\n");
    for (const languageId of ["blade", "php"]) {
      (await editor.show(template)).document.languageId = languageId;
      const given = ["Completion", "provideCompletionItems", template, "['|']"] as const;
      const list = await editor.provide<CompletionList | undefined>(...given);
      expect(list?.items.map(({ label }) => label.label)).toEqual(["amount", "name"]);
    }
  });

  test("are those of all plural forms", async () => {
    await editor.write(
      "lang/en/days.php",
      "<?php\n\nreturn ['in' => 'Today for :name|In :count days for :name'];\n",
    );
    await editor.write("app/Days.php", "<?php\n\necho trans_choice('days.in', 2, ['']);\n");
    const given = ["Completion", "provideCompletionItems", "app/Days.php", "['|']"] as const;
    let names: readonly string[] = [];
    await waitUntil(async () => {
      const list = await editor.provide<CompletionList | undefined>(...given);
      names = list?.items.map(({ label }) => label.label) ?? [];
      return names.length > 0;
    });
    expect(names).toEqual(["name", "count"]);
  });
});

describe("a spreadsheet", () => {
  test("has its languages below each key", async () => {
    const { document } = await editor.show(SHEET);
    const lines = (symbols: readonly DocumentSymbol[], indent = ""): readonly string[] =>
      symbols.flatMap(({ name, detail, range, selectionRange, children }) => [
        `${indent}${name}: ${detail} (${document.getText(range)} | ${document.getText(selectionRange)})`,
        ...lines(children, `${indent}  `),
      ]);
    const [symbols] = await editor.provideAll<readonly DocumentSymbol[]>(
      "DocumentSymbol",
      "provideDocumentSymbols",
      SHEET,
    );
    expect(lines(symbols ?? [])).toMatchInlineSnapshot(`
      [
        "title:  (title,Title,Titel | title)",
        "  en: Title (Title | Title)",
        "  nl: Titel (Titel | Titel)",
        "empty:  (empty,Empty, | empty)",
        "  en: Empty (Empty | Empty)",
        "  nl:  ( | )",
      ]
    `);
  });

  test("has one place of a key, which all its languages share", async () => {
    const links = await editor.provide<readonly unknown[]>(
      "Implementation",
      "provideImplementation",
      SHEET,
      "ti|tle,",
    );
    expect(links).toHaveLength(1);
  });

  test("has one lens for all languages of a key", async () => {
    expect((await editor.lenses(SHEET)).filter((lens) => lens.includes("translated"))).toMatchInlineSnapshot(`
      [
        "2 1/1 translated",
        "3 0/1 translated",
      ]
    `);
    expect(await editor.run(goToEntryCommand, { namespace: "sheet", key: "title", locale: "nl" })).toEqual({
      outcome: "done",
      file: SHEET,
    });
  });
});

describe("a catalogue", () => {
  const folds = async (path: string) => {
    const [ranges] = await editor.provideAll<readonly FoldingRange[] | undefined>(
      "FoldingRange",
      "provideFoldingRanges",
      path,
    );
    return ranges?.map(({ start, end, kind }) => [start + 1, end + 1, kind]);
  };

  test("is folded by entries of several lines", async () => {
    expect(await folds(PO)).toEqual([
      [1, 2, undefined],
      [4, 6, undefined],
      [10, 11, undefined],
      [13, 15, undefined],
      [17, 19, undefined],
      [21, 23, undefined],
      [25, 27, undefined],
    ]);
    // Lines of spaces only are between them, too, and the last one needs no line after it.
    const entries = ['# Of one line\n#\nmsgid "A"', '#~ msgid "B"\n#~ msgstr ""', 'msgid "C"\n# D'];
    const text = entries.join("\n  \n\n");
    await editor.write("notes/loose.po", text);
    expect(await folds("notes/loose.po")).toEqual([
      [1, 3, undefined],
      [6, 7, 1],
      [10, 11, undefined],
    ]);
    await editor.write("../outside.po", text);
    expect(await folds("../outside.po")).toBeUndefined();
  });

  test("has fuzzy texts as outdated, listed by key", async () => {
    await waitUntil(async () =>
      (await editor.rows("languages", "Nederlands")).some((row) => row.startsWith("Outdated")),
    );
    expect(await editor.rows("languages", "Nederlands", "Outdated")).toMatchInlineSnapshot(`
      [
        "shop.Art | Kunst",
        "shop.At {name} | Bij {nam}",
        "shop.Man | Mens",
        "shop.One line | Een regel",
        "shop.Zoo | Dierentuin",
      ]
    `);
  });

  test("has problems of texts that programs use, not of fuzzy ones", async () => {
    await editor.show(PO);
    await waitUntil(() => editor.problems(PO).length > 0);
    expect(editor.problems(PO)).toMatchInlineSnapshot(`
      [
        "11: shop.Of {name} (nl): {name} is missing, {nam} is unknown",
      ]
    `);
    setSetting("projectTranslations.diagnostics.missingTranslation", "information");
    await waitUntil(() => editor.problems(PO).length > 1);
    expect(editor.problems(PO).filter((line) => !line.includes("outdated"))).toHaveLength(1);
    expect(editor.problems(PO).filter((line) => line.includes("outdated"))).toHaveLength(5);
  });
});
