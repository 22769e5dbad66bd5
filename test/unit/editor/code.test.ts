/** What the editor provides in the code of an app with translation files, without a service. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  copyKeyCommand,
  copyTextCommand,
  findUsesCommand,
  goToEntryCommand,
  searchKeysCommand,
} from "../../../src/commands/declarations/key-commands.ts";
import {
  chooseInlayLanguageCommand,
  toggleInlayHintsCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { type Editor, openEditor, selectionIn, wordsAt } from "../support/open-editor.ts";
import {
  answerNextList,
  type CompletionItem,
  type CompletionList,
  env,
  type InlayHint,
  type Location,
  pickInNextList,
  providersFor,
  Range,
  setSetting,
  type Uri,
  window,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const CART = "src/Cart.tsx";
const SHOP = "src/shop.ts";
const FILES = {
  "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0", "react-i18next": "^14.0.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
    sourceLocale: "en",
  }),
  "locales/en/cart.json": `{
  "title": "Your *cart*",
  "total": "Total: {{amount}} for {{name}}",
  "items_one": "{{count}} item",
  "items_other": "{{count}} items",
  "empty": { "heading": "Nothing here", "hint": "Add a book" },
  "later": "Later"
}
`,
  "locales/fr/cart.json": `{ "title": "Votre panier", "empty": { "heading": "Rien ici" } }\n`,
  "locales/nl/cart.json": `{ "title": "Je mandje", "total": "Totaal: {{amount}} voor {{name}}", "later": "" }\n`,
  "locales/en/shop.json": `{ "name": "Bookshop" }\n`,
  "locales/nl/shop.json": `{ "name": "Boekwinkel" }\n`,
  [CART]: `import { useTranslation } from "react-i18next";
export function Cart({ kind, name }) {
  const { t } = useTranslation("cart");
  const texts = [t("title"), t("missing"), t(\`empty.\${kind}\`), t("empty")];
  const part = kind === "a" ? "title" : "later";
  return [texts, t("items", { count: 2 }), t("later"), t(part)];
}
`,
  [SHOP]: `import i18next from "i18next";
export const name = i18next.t("shop:name");
export const title = i18next.t("cart:title");
export const total = i18next.t("cart:total", { amount: 3,  });
export const typed = i18next.t("");
`,
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ indexingProcess: true, files: FILES });
});
afterAll(() => editor.close());

describe("a hover", () => {
  const hover = (path: string, words: string) => editor.hover(path, words);

  test("shows the texts of a key in all languages, and links to its entry", async () => {
    expect(await hover(CART, 't("tit|le")')).toMatchInlineSnapshot(`
      "**cart&#58;title**

      \`en\` Your &#42;cart&#42; ⏎
      \`fr\` Votre panier [$(edit)](editTranslation . cart title  fr "Edit fr") ⏎
      \`nl\` Je mandje [$(edit)](editTranslation . cart title  nl "Edit nl")

      ---

      [$(go-to-file) Go to Entry](goToEntry . cart title ) &nbsp; [$(globe) All languages](openEditor . cart title )"
    `);
    expect(await hover(SHOP, '"cart:tit|le"')).toBe(await hover(CART, 't("tit|le")'));
  });

  test("says which languages have no text", async () => {
    expect(await hover(CART, 't("lat|er")')).toMatchInlineSnapshot(`
      "**cart&#58;later**

      \`en\` Later ⏎
      \`fr\` $(circle-slash) untranslated [$(edit)](editTranslation . cart later  fr "Edit fr") ⏎
      \`nl\` $(circle-slash) untranslated [$(edit)](editTranslation . cart later  nl "Edit nl")

      ---

      [$(go-to-file) Go to Entry](goToEntry . cart later ) &nbsp; [$(globe) All languages](openEditor . cart later )"
    `);
  });

  test("lists the keys of a group, of a pattern, and of the branches of an expression", async () => {
    expect(await hover(CART, 't("emp|ty")')).toMatchInlineSnapshot(`
      "$(list-tree) A group of 2 keys

      - **cart&#58;empty&#46;heading** Nothing here
      - **cart&#58;empty&#46;hint** Add a book"
    `);
    expect(await hover(CART, "t(`em|pty.")).toMatchInlineSnapshot(`
      "$(list-tree) May refer to 2 keys

      - **cart&#58;empty&#46;heading** Nothing here
      - **cart&#58;empty&#46;hint** Add a book"
    `);
    expect(await hover(CART, "t(pa|rt)")).toMatchInlineSnapshot(`
      "$(list-tree) May refer to 2 keys

      - **cart&#58;title** Your &#42;cart&#42;
      - **cart&#58;later** Later"
    `);
  });

  test("lists the plural forms of a key", async () => {
    expect(await hover(CART, 't("ite|ms"')).toMatchInlineSnapshot(`
      "**cart&#58;items**

      \`en\` _one_ &#123;&#123;count&#125;&#125; item · _other_ &#123;&#123;count&#125;&#125; items ⏎
      \`fr\` $(circle-slash) untranslated [$(edit)](editTranslation . cart items  fr "Edit fr") ⏎
      \`nl\` $(circle-slash) untranslated [$(edit)](editTranslation . cart items  nl "Edit nl")

      ---

      [$(go-to-file) Go to Entry](goToEntry . cart items ) &nbsp; [$(globe) All languages](openEditor . cart items )"
    `);
  });

  test("says that no file has a key", async () => {
    expect(await hover(CART, 't("miss|ing")')).toMatchInlineSnapshot(`
      "**cart&#58;missing**

      $(question) No translation file has this key&#46;"
    `);
    expect(await hover(CART, "cons|t { t }")).toBeUndefined();
  });

  test("can be switched off", async () => {
    setSetting("projectTranslations.hover.enabled", false);
    expect(await hover(CART, 't("tit|le")')).toBeUndefined();
  });
});

describe("completion", () => {
  const complete = (path: string, words: string) =>
    editor.provide<CompletionList | undefined>("Completion", "provideCompletionItems", path, words);
  const labels = async (path: string, words: string): Promise<readonly string[] | undefined> =>
    (await complete(path, words))?.items.map(({ label }) => `${label.label} | ${label.description ?? ""}`);

  test("offers the keys of the namespace, with their texts", async () => {
    expect(await labels(CART, 't("|title")')).toMatchInlineSnapshot(`
      [
        "shop: | namespace",
        "title | Your *cart*",
        "total | Total: {{amount}} for {{name}}",
        "items | {{count}} items",
        "empty.heading | Nothing here",
        "empty.hint | Add a book",
        "later | Later",
        "shop:name | Bookshop",
      ]
    `);
    expect((await complete(CART, 't("|title")'))?.isIncomplete).toBe(false);
  });

  test("offers namespaces before keys where none is bound, and completes them", async () => {
    const list = await complete(SHOP, 'i18next.t("|")');
    expect(
      list?.items.map(({ label, insertText, sortText, command }) =>
        [sortText, label.label, label.description, insertText as string, command?.command].join(" | "),
      ),
    ).toMatchInlineSnapshot(`
      [
        " cart: | cart: | namespace | cart: | editor.action.triggerSuggest",
        " shop: | shop: | namespace | shop: | editor.action.triggerSuggest",
        "0000 | cart:title | Your *cart* | cart:title | ",
        "0001 | cart:total | Total: {{amount}} for {{name}} | cart:total | ",
        "0002 | cart:items | {{count}} items | cart:items | ",
        "0003 | cart:empty.heading | Nothing here | cart:empty.heading | ",
        "0004 | cart:empty.hint | Add a book | cart:empty.hint | ",
        "0005 | cart:later | Later | cart:later | ",
        "0006 | shop:name | Bookshop | shop:name | ",
      ]
    `);
  });

  test("finds keys by their texts, and replaces what is typed", async () => {
    const list = await complete(SHOP, '"cart:tit|le"');
    expect(list?.isIncomplete).toBe(true);
    expect(
      list?.items.map(({ label, filterText, insertText, range }) => [
        label.label,
        filterText,
        insertText,
        textOf(range),
      ]),
    ).toEqual([["cart:title", "cart:title", "cart:title", "cart:title"]]);
  });

  test("documents a key with its texts", async () => {
    const { document } = await editor.show(CART);
    const [provider] = providersFor<{ resolveCompletionItem(item: CompletionItem): CompletionItem }>(
      "Completion",
      document,
    );
    const [, item] = (await complete(CART, 't("|title")'))?.items ?? [];
    expect(editor.readable((item && provider?.resolveCompletionItem(item).documentation?.value) ?? ""))
      .toMatchInlineSnapshot(`
      "**cart&#58;title**

      \`en\` Your &#42;cart&#42; ⏎
      \`fr\` Votre panier ⏎
      \`nl\` Je mandje"
    `);
  });

  test("offers the placeholders that have no value yet", async () => {
    const list = await complete(SHOP, "amount: 3, | }");
    expect(list?.items.map(({ label, insertText }) => [label.label, insertText])).toEqual([
      ["name", { value: "name: $0" }],
    ]);
    // Each once, although all forms of a plural text have it.
    const { document } = await editor.show(SHOP);
    document.type(selectionIn(document, '|i18next.t("")|'), 'i18next.t("cart:items", {  })');
    const ofForms = await complete(SHOP, '"cart:items", { | }');
    expect(ofForms?.items.map(({ label }) => label.label)).toEqual(["count"]);
    document.type(selectionIn(document, '|i18next.t("cart:items", {  })|'), 'i18next.t("")');
  });

  test("offers nothing outside of keys, in patterns, or when it is switched off", async () => {
    expect(await labels(CART, "export func|tion")).toBeUndefined();
    expect(await labels(CART, "t(`em|pty.")).toBeUndefined();
    setSetting("projectTranslations.completion.enabled", false);
    expect(await labels(CART, 't("|title")')).toBeUndefined();
  });
});

const textOf = (range: Range | undefined): string | undefined =>
  range && window.activeTextEditor?.document.getText(range);

describe("places of a key", () => {
  interface Link {
    readonly targetUri: Uri;
    readonly targetRange: Range;
    readonly targetSelectionRange: Range;
    readonly originSelectionRange: Range;
  }
  const linked = async (kind: "Definition" | "Implementation", path: string, words: string) => {
    const links = await editor.provide<readonly Link[] | undefined>(kind, `provide${kind}`, path, words);
    return (
      links &&
      wordsAt(
        editor,
        links.map(({ targetUri, targetRange }) => ({ uri: targetUri, range: targetRange })),
      )
    );
  };
  const references = async (path: string, words: string, includeDeclaration: boolean) => {
    const found = await editor.provide<readonly Location[] | undefined>(
      "Reference",
      "provideReferences",
      path,
      words,
      { includeDeclaration },
    );
    return found && wordsAt(editor, found);
  };

  test("a definition is the entry of the source language", async () => {
    expect(await linked("Definition", CART, 't("tit|le")')).toEqual([
      'locales/en/cart.json: title": "Your *cart*"',
    ]);
    expect(await linked("Definition", "locales/nl/cart.json", '"tit|le"')).toEqual([
      'locales/en/cart.json: title": "Your *cart*"',
    ]);
    expect(await linked("Definition", CART, "cons|t { t }")).toBeUndefined();
  });

  test("implementations are the entries of all languages, the source first", async () => {
    expect(await linked("Implementation", CART, 't("tit|le")')).toMatchInlineSnapshot(`
      [
        "locales/en/cart.json: title": "Your *cart*"",
        "locales/fr/cart.json: title": "Votre panier"",
        "locales/nl/cart.json: title": "Je mandje"",
      ]
    `);
    expect(await linked("Implementation", "locales/fr/cart.json", '"Votre| panier"')).toMatchInlineSnapshot(`
      [
        "locales/en/cart.json: title": "Your *cart*"",
        "locales/fr/cart.json: title": "Votre panier"",
        "locales/nl/cart.json: title": "Je mandje"",
      ]
    `);
  });

  test("of a group, a pattern or an expression are those of all its keys", async () => {
    expect(await linked("Definition", CART, 't("emp|ty")')).toMatchInlineSnapshot(`
      [
        "locales/en/cart.json: heading": "Nothing here"",
        "locales/en/cart.json: hint": "Add a book"",
      ]
    `);
    expect(await linked("Definition", CART, "t(`em|pty.")).toMatchInlineSnapshot(`
      [
        "locales/en/cart.json: heading": "Nothing here"",
        "locales/en/cart.json: hint": "Add a book"",
      ]
    `);
    expect(await linked("Definition", CART, "t(pa|rt)")).toMatchInlineSnapshot(`
      [
        "locales/en/cart.json: title": "Your *cart*"",
        "locales/en/cart.json: later": "Later"",
      ]
    `);
    expect(await linked("Definition", CART, 't("ite|ms"')).toMatchInlineSnapshot(`
      [
        "locales/en/cart.json: items_one": "{{count}} item",
        "items_other": "{{count}} items"",
      ]
    `);
  });

  test("references are the usages in code, and the entries on request", async () => {
    // Both are on one line.
    expect(await references(CART, 't("lat|er")', false)).toMatchInlineSnapshot(`
      [
        "src/Cart.tsx: later",
        "src/Cart.tsx: part",
      ]
    `);
    expect(await references("locales/nl/cart.json", '"tit|le"', true)).toMatchInlineSnapshot(`
      [
        "locales/en/cart.json: title",
        "locales/fr/cart.json: title",
        "locales/nl/cart.json: title",
        "src/Cart.tsx: title",
        "src/Cart.tsx: part",
        "src/shop.ts: cart:title",
      ]
    `);
    expect(await references(CART, "t(`em|pty.", true)).toBeUndefined();
  });

  test("Find Uses lists exact and possible usages, and opens the only one", async () => {
    const hint = await editor.run(findUsesCommand, { namespace: "cart", key: "empty.hint" });
    expect(hint).toMatchInlineSnapshot(`
      {
        "outcome": "done",
        "uses": [
          {
            "character": 66,
            "line": 3,
            "path": "src/Cart.tsx",
            "pattern": null,
          },
          {
            "character": 45,
            "line": 3,
            "path": "src/Cart.tsx",
            "pattern": "empty.*",
          },
        ],
      }
    `);
    const title = await editor.run(findUsesCommand, { namespace: "cart", key: "title" });
    expect(title).toMatchInlineSnapshot(`
      {
        "outcome": "done",
        "uses": [
          {
            "character": 20,
            "line": 3,
            "path": "src/Cart.tsx",
            "pattern": null,
          },
          {
            "character": 57,
            "line": 5,
            "path": "src/Cart.tsx",
            "pattern": null,
          },
          {
            "character": 32,
            "line": 2,
            "path": "src/shop.ts",
            "pattern": null,
          },
        ],
      }
    `);
    await editor.show(CART);
    await editor.ask(findUsesCommand, { namespace: "shop", key: "name" });
    expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri(SHOP).path);
    await editor.show(CART, 't("tit|le")');
    pickInNextList((items, { title: heading }) => {
      expect(heading).toBe("3 references to cart:title");
      expect(items.map(({ label, description, detail }) => [label, description, detail]))
        .toMatchInlineSnapshot(`
          [
            [
              "$(file-code) src/Cart.tsx:4",
              "",
              "const texts = [t("title"), t("missing"), t(\`empty.\${kind}\`), t("empty")];",
            ],
            [
              "$(file-code) src/Cart.tsx:6",
              "",
              "return [texts, t("items", { count: 2 }), t("later"), t(part)];",
            ],
            [
              "$(file-code) src/shop.ts:3",
              "",
              "export const title = i18next.t("cart:title");",
            ],
          ]
        `);
      return items[0];
    });
    expect(await editor.ask(findUsesCommand, {})).toMatchObject({ outcome: "done" });
  });

  test("Go to Entry opens the language that was asked for, else the source, else any", async () => {
    const file = async (key: string, locale?: string) =>
      await editor.run(goToEntryCommand, { namespace: "cart", key, ...(locale !== undefined && { locale }) });
    expect(await file("title", "fr")).toEqual({ outcome: "done", file: "locales/fr/cart.json" });
    expect(await file("total", "fr")).toEqual({ outcome: "done", file: "locales/en/cart.json" });
    expect(await file("title")).toEqual({ outcome: "done", file: "locales/en/cart.json" });
    expect(await file("nothing")).toMatchObject({ outcome: "failed", error: { code: "not_found" } });
    await editor.ask(goToEntryCommand, { namespace: "cart", key: "title", locale: "nl" });
    expect(textOf(window.activeTextEditor?.selection)).toBe('"Je mandje"');
  });

  test("a key is copied as code has it, and its text in a language", async () => {
    expect(await editor.run(copyKeyCommand, { namespace: "cart", key: "title" })).toEqual({
      outcome: "done",
      text: "cart:title",
    });
    expect(await env.clipboard.readText()).toBe("cart:title");
    const textIn = (locale: string) =>
      editor.run(copyTextCommand, { namespace: "cart", key: "title", locale });
    expect(await editor.run(copyTextCommand, { namespace: "cart", key: "title" })).toMatchObject({
      text: "Your *cart*",
    });
    expect(await textIn("nl")).toMatchObject({ text: "Je mandje" });
    expect(await textIn("de")).toMatchObject({ outcome: "failed", error: { code: "not_found" } });
    expect(await editor.run(copyTextCommand, { namespace: "cart", key: "items" })).toMatchObject({
      text: "{{count}} item\n{{count}} items",
    });
    // That at the cursor, in code and in a file.
    await editor.show(SHOP, '"shop:na|me"');
    expect(await editor.run(copyKeyCommand, {})).toMatchObject({ text: "shop:name" });
    await editor.show("locales/nl/shop.json", "Boekwin|kel");
    expect(await editor.run(copyKeyCommand, {})).toMatchObject({ text: "shop:name" });
  });

  test("Search Keys previews the entry of a key, and opens what is chosen", async () => {
    await editor.show(SHOP);
    answerNextList(async (list) => {
      list.type("panier");
      await waitUntil(() => list.rows.length === 1);
      expect(list.items.map(({ label, description, detail }) => [label, description, detail])).toEqual([
        ["cart:title", "fr", "Votre panier"],
      ]);
      list.move("cart:title");
      await waitUntil(() => window.visibleTextEditors[0]?.document.uri.path.endsWith("en/cart.json"));
      expect(window.activeTextEditor?.document.uri.path.endsWith(SHOP)).toBe(true);
      list.accept();
    });
    expect(await editor.ask(searchKeysCommand, {})).toEqual({ outcome: "done" });
    await waitUntil(() => window.activeTextEditor?.document.uri.path.endsWith("en/cart.json"));
    // What is read meanwhile is found, too.
    answerNextList(async (list) => {
      list.type("Bookshop");
      await waitUntil(() => list.rows.length === 1);
      await editor.write("locales/en/shop.json", `{ "name": "Bookshop", "other": "A bookshop" }\n`);
      await waitUntil(() => list.rows.length === 2);
      list.hide();
    });
    expect(await editor.ask(searchKeysCommand, {})).toEqual({ outcome: "cancelled" });
    await editor.write("locales/en/shop.json", FILES["locales/en/shop.json"]);
  });
});

describe("inlay hints", () => {
  const hints = (path: string) => editor.hints(path);

  test("show the text of each key behind its quotes, once a place", async () => {
    expect(await hints(CART)).toMatchInlineSnapshot(`
      [
        "4:26 Your *cart*",
        "6:26 {{count}} items",
        "6:52 Later",
      ]
    `);
    expect(await hints(SHOP)).toMatchInlineSnapshot(`
      [
        "2:41 Bookshop",
        "3:43 Your *cart*",
        "4:43 Total: {{amount}} for {{name}}",
      ]
    `);
  });

  test("are made only for the lines that VS Code asks for", async () => {
    await editor.show(SHOP);
    const line = new Range(3, 0, 4, 0);
    const [hints] = await editor.provideAll<readonly InlayHint[]>(
      "InlayHints",
      "provideInlayHints",
      SHOP,
      line,
    );
    expect(hints?.map(({ position }) => position.line)).toEqual([3]);
  });

  test("show all languages when they are pointed at", async () => {
    const { document } = await editor.show(CART);
    const whole = new Range(0, 0, 9, 0);
    const [hints] = await editor.provideAll<readonly InlayHint[]>(
      "InlayHints",
      "provideInlayHints",
      CART,
      whole,
    );
    const [provider] = providersFor<{ resolveInlayHint(hint: InlayHint): InlayHint }>("InlayHints", document);
    const first = hints?.[0];
    expect(editor.readable((first && provider?.resolveInlayHint(first).tooltip?.value) ?? ""))
      .toMatchInlineSnapshot(`
      "**cart&#58;title**

      \`en\` Your &#42;cart&#42; ⏎
      \`fr\` Votre panier ⏎
      \`nl\` Je mandje"
    `);
  });

  test("show the language that was chosen, and say where another one stands in", async () => {
    pickInNextList((items) => {
      expect(items.map(({ label, description }) => [label, description])).toMatchInlineSnapshot(`
        [
          [
            "$(check) As set in the project file",
            "English (en)",
          ],
          [
            "English (en)",
            undefined,
          ],
          [
            "Français (fr)",
            undefined,
          ],
          [
            "Nederlands (nl)",
            undefined,
          ],
        ]
      `);
      return items.find(({ label }) => label.includes("fr"));
    });
    expect(await editor.ask(chooseInlayLanguageCommand, {})).toEqual({ outcome: "done", locale: "fr" });
    expect(await hints(CART)).toMatchInlineSnapshot(`
      [
        "4:26 Votre panier",
        "6:26 en: {{count}} items",
        "6:52 en: Later",
      ]
    `);
    expect(await editor.run(chooseInlayLanguageCommand, { locale: null })).toEqual({
      outcome: "done",
      locale: null,
    });
    setSetting("projectTranslations.inlayHints.maxLength", 6);
    expect(await hints(SHOP)).toMatchInlineSnapshot(`
      [
        "2:41 Books…",
        "3:43 Your…",
        "4:43 Total…",
      ]
    `);
  });

  test("are switched off and on", async () => {
    expect(await editor.run(toggleInlayHintsCommand, {})).toEqual({ outcome: "done", enabled: false });
    expect(await hints(CART)).toEqual([]);
    expect(await editor.run(toggleInlayHintsCommand, {})).toEqual({ outcome: "done", enabled: true });
  });
});
