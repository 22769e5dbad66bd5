/** Renaming a key with a service: what is renamed in files and code, what is named, and what is refused. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import { chooseInlayLanguageCommand } from "../../../src/commands/declarations/window-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor, selectionIn } from "../support/open-editor.ts";
import {
  closeDocument,
  loseFileEvents,
  messages,
  pickInNextList,
  workspace,
  type WorkspaceEdit,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let editor: Editor;
/** Renames what is at the bar; returns the texts that are put in, by file. */
async function rename(path: string, words: string, typed: string): Promise<readonly string[]> {
  const edit = await editor.provide<WorkspaceEdit | undefined>(
    "Rename",
    "provideRenameEdits",
    path,
    words,
    typed,
  );
  return (edit?.edits ?? []).map(({ uri, text }) => `${uri.path.slice(editor.folder.length + 1)}: ${text}`);
}
describe("in an app whose texts link to each other", () => {
  const CODE = "src/Cart.ts";
  const ENGLISH = `{ "title": "Your cart", "items_one": "An item", "items_other": "Items", "welcome": "Welcome", "mate_male": "A boy", "mate_female": "A girl" }\n`;
  beforeAll(async () => {
    editor = await openEditor({
      files: {
        "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0" } }),
        "project-translations.json": JSON.stringify({
          files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
          sourceLocale: "en",
        }),
        "locales/en/cart.json": ENGLISH,
        "locales/nl/cart.json": `{ "title": "Je mandje" }\n`,
        "locales/en/shop.json": `{ "name": "Bookshop", "empty": { "hint": "Add a book" } }\n`,
        [CODE]: `import i18next from "i18next";
export const title = i18next.t("cart:title");
export const items = i18next.t("cart:items_one");
export const name = i18next.t("shop:name");
export const boy = i18next.t("cart:mate_male");
export const mate = (context) => i18next.t("cart:mate", { context });
const bound = i18next.getFixedT(null, "cart");
export const again = bound("title");
const prefixed = i18next.getFixedT(null, "shop", "empty");
export const hint = prefixed("hint");
export const nothing = [i18next.t("cart:nowhere"), i18next.t("shop:empty")];
`,
      },
      service: { ...SHOP, type: "i18next" },
    });
    await editor.run(pushCommand, {});
    // Only the service has these.
    const keys = [
      { namespace: "cart", key: "promo", value: "See $t(cart:title)" },
      { namespace: "cart", key: "nothing", value: "See $t(cart:titles)" },
    ];
    await editor.request("POST", "/keys/sync", { keys, archive: [] });
    const items = [
      { namespace: "cart", key: "title", value: "$t(title)" },
      { namespace: "cart", key: "welcome", value: "$t(cart:title)!" },
    ];
    await editor.request("PUT", "/translations/nl?mode=overwrite", { translations: items });
    await editor.run(refreshCommand, {});
  });
  afterAll(() => editor.close());

  test("names the texts with links that only the service has", async () => {
    const shown = messages.length;
    expect(await rename(CODE, '"cart:tit|le"', "cart:heading")).toEqual([
      "locales/en/cart.json: heading",
      "locales/nl/cart.json: heading",
      `${CODE}: cart:heading`,
      `${CODE}: heading`,
    ]);
    expect(messages.slice(shown).map(({ text }) => text)).toEqual([
      "The old name could not be replaced safely here: cart:promo (en) on the service, cart:welcome (nl) on the service. Check these places.",
    ]);
  });

  test("keeps the plural form that code names, typed or not, and the prefix that code does not", async () => {
    const forms = ["locales/en/cart.json: things_one", "locales/en/cart.json: things_other"];
    for (const typed of ["cart:things_one", "cart:things"])
      expect(await rename(CODE, '"cart:items_|one"', typed)).toEqual([...forms, `${CODE}: cart:things_one`]);
    expect(await rename(CODE, 'prefixed("hi|nt', "tip")).toEqual([
      "locales/en/shop.json: tip",
      `${CODE}: tip`,
    ]);
  });

  test("asks for the namespace of a name without one, and makes the file of a new one", async () => {
    pickInNextList((items) => {
      expect(items.map(({ label, description }) => [label, description])).toEqual([
        ["shop:label", "stays in shop"],
        ["label", "moves to translation"],
      ]);
      return items[0];
    });
    expect(await rename(CODE, '"shop:na|me"', "label")).toEqual([
      "locales/en/shop.json: label",
      `${CODE}: shop:label`,
    ]);
    expect(await rename(CODE, '"shop:na|me"', "cart:label")).toEqual([
      "locales/en/shop.json: ",
      'locales/en/cart.json: , "label": "Bookshop"',
      `${CODE}: cart:label`,
    ]);
    pickInNextList((items) => items[1]);
    const { created } = await editor.provide<WorkspaceEdit>(
      "Rename",
      "provideRenameEdits",
      CODE,
      '"shop:na|me"',
      "books:name",
    );
    expect(created.map(({ uri, contents }) => [uri.path, new TextDecoder().decode(contents)])).toEqual([
      [editor.uri("locales/en/translation.json").path, '{ "books:name": "Bookshop" }\n'],
    ]);
  });

  test("of what is no key here, or a group of keys, is refused", async () => {
    for (const words of ['"cart:nowh|ere"', '"shop:em|pty"'])
      await expect(editor.provide("Rename", "prepareRename", CODE, words)).rejects.toThrow(
        "There is no key of this project here.",
      );
  });

  test("of keys that are only in files keeps the plural form that code or a file names", async () => {
    await editor.write(
      "locales/en/fruit.json",
      `{ "apple_one": "An apple", "apple_other": "Apples", "plum_ripe": "A ripe plum" }\n`,
    );
    const code = "src/fruit.ts";
    await editor.write(
      code,
      `import i18next from "i18next";
export const fruit = i18next.t("fruit:apple_one");
export const missing = i18next.t("fruit:apple_pie");
export const plum = i18next.t("fruit:plum", { context: "ripe" });
`,
    );
    const renamed = [
      "locales/en/fruit.json: pear_one",
      "locales/en/fruit.json: pear_other",
      `${code}: fruit:pear_one`,
    ];
    for (const typed of ["fruit:pear_one", "fruit:pear"])
      expect(await rename(code, '"fruit:app|le_one"', typed)).toEqual(renamed);
    expect(await rename("locales/en/fruit.json", '"app|le_one"', "pear")).toEqual(renamed);
    expect(await rename(code, '"fruit:pl|um"', "fruit:lime")).toEqual([
      "locales/en/fruit.json: lime_ripe",
      `${code}: fruit:lime`,
    ]);
    // They are no mistakes, either, and are shown.
    expect(await editor.hints(code)).toEqual(["2:48 Apples", "4:42 A ripe plum"]);
    await editor.run(chooseInlayLanguageCommand, { locale: "nl" });
    expect(await editor.hints(code)).toEqual(["2:48 en: Apples", "4:42 en: A ripe plum"]);
    await editor.run(chooseInlayLanguageCommand, { locale: null });
    await editor.show(code);
    await waitUntil(() => editor.problems(code).length > 0);
    expect(editor.problems(code)).toEqual([
      "3: Unknown key “fruit:apple_pie”: neither the service nor a translation file has it.",
    ]);
  });

  test("changes what is typed, and names files that VS Code would save in another way", async () => {
    const bytes = Buffer.from(`\uFEFF{ "title": "Votre panier", "welcome": "Bonjour" }\n`, "utf16le");
    await editor.write("locales/fr/cart.json", "{}\n");
    await writeFile(join(editor.folder, "locales/fr/cart.json"), bytes);
    const typed = await editor.show("locales/nl/cart.json");
    typed.document.type(selectionIn(typed.document, '|{ "title"|'), '{\n  "title"');
    const shown = messages.length;
    const placesOf = async () => {
      const given = ["Rename", "provideRenameEdits", CODE, '"cart:tit|le"', "cart:heading"] as const;
      const { edits } = await editor.provide<WorkspaceEdit>(...given);
      return edits.map(({ uri, range }) => `${uri.path.split("/").at(-2)} ${range.start.line}`);
    };
    expect(await placesOf()).toEqual(["en 0", "nl 1", "src 1", "src 7"]);
    closeDocument(typed.document);
    const other = await editor.show("locales/nl/cart.json");
    other.document.encoding = "windows1252";
    expect(await placesOf()).toEqual(["en 0", "src 1", "src 7"]);
    const atService = "cart:promo (en) on the service, cart:welcome (nl) on the service";
    const places = (some: string) =>
      `The old name could not be replaced safely here: ${some}. Check these places.`;
    expect(messages.slice(shown).map(({ text }) => text)).toEqual([
      places(`${atService}, locales/fr/cart.json`),
      places(`${atService}, locales/fr/cart.json, …`),
    ]);
    closeDocument(other.document);
    await rm(join(editor.folder, "locales/fr/cart.json"));
  });

  test("of a variant that code also names itself is one of all variants", async () => {
    expect(await rename("locales/en/cart.json", '"mate_ma|le"', "pal_male")).toEqual([
      "locales/en/cart.json: pal_male",
      "locales/en/cart.json: pal_female",
      `${CODE}: cart:pal_male`,
      `${CODE}: cart:pal`,
    ]);
  });

  const apply = async (words: string, typed: string): Promise<void> => {
    const given = ["Rename", "provideRenameEdits", CODE, words, typed] as const;
    await workspace.applyEdit(await editor.provide<WorkspaceEdit>(...given));
    for (const document of workspace.textDocuments) if (document.isDirty) await document.save();
  };

  test("of several variants waits for each of them at the service", async () => {
    const shown = messages.length;
    await apply('"cart:ma|te"', "cart:pal");
    await waitUntil(() => messages.length > shown);
    expect(messages.slice(shown).map(({ text }) => text)).toEqual([
      "cart:mate_female is cart:pal_female in your files now; also renamed: 1 more key. Until they are renamed on the service, they are listed in Activity.",
    ]);
  });

  test("twice in a row is one from the first name to the last", async () => {
    await apply('"cart:tit|le"', "cart:heading");
    await apply('"cart:head|ing"', "cart:headline");
    await waitUntil(async () => (await editor.rows("activity")).some((row) => row.includes("headline")));
    expect((await editor.rows("activity")).filter((row) => row.includes("renamed"))).toEqual([]);
  });

  test("back to the name that the service has is none", async () => {
    await apply('"shop:na|me"', "shop:label");
    await apply('"shop:lab|el"', "shop:name");
    expect(await editor.read("locales/en/shop.json")).toContain(`"name": "Bookshop"`);
    await waitUntil(async () => (await editor.rows("activity")).every((row) => !row.includes("shop:")));
  });
});

describe("in code", () => {
  const CODE = "src/Hello.tsx";
  beforeAll(async () => {
    editor = await openEditor({
      files: {
        "package.json": JSON.stringify({
          dependencies: { "react-intl": "^6.0.0", "@lingui/core": "^5.0.0", "@lingui/react": "^5.0.0" },
        }),
        "project-translations.json": JSON.stringify({
          files: [{ path: "lang/{locale}.json", format: "json_js" }],
          sourceLocale: "en",
        }),
        "lang/en.json": `{ "greeting": "Hello" }\n`,
        [CODE]: `import { FormattedMessage, defineMessage } from "react-intl";
import { t } from "@lingui/core/macro";
export const Hello = () => <FormattedMessage defaultMessage="Hello there" />;
export const known = defineMessage({ id: "greeting", defaultMessage: "Hello" });
export const greet = (name) => t\`Hello \${name}\`;
`,
      },
    });
  });
  afterAll(() => editor.close());
  test.each([
    ['"Hello th|ere"', "The framework computes this key from its text. Change the text instead."],
    ["`Hel|lo", "Part of this key is code, so it cannot be renamed here."],
  ])("%s is no key that can be renamed there", async (words, message) => {
    await expect(editor.provide("Rename", "prepareRename", CODE, words)).rejects.toThrow(message);
  });

  test("a key that has just gone from its file is not renamed", async () => {
    loseFileEvents();
    await editor.write("lang/en.json", "{}\n");
    await expect(rename(CODE, '"gree|ting"', "welcome")).rejects.toThrow(
      "Neither the service nor a file of this project has this key. Nothing was changed.",
    );
  });
});
