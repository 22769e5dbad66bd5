/** The key that a command is for: that of its options, the one at the cursor, or one that is picked. */
import { afterEach, expect, test } from "vitest";
import { copyKeyCommand } from "../../../src/commands/declarations/key-commands.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import { answerNextList } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let editor: Editor;
afterEach(() => editor.close());

const MANIFEST = JSON.stringify({ dependencies: { i18next: "^23.0.0", "react-i18next": "^14.0.0" } });
const PROJECT = JSON.stringify({
  files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
  sourceLocale: "en",
});
const PAGE = "src/Page.tsx";
const FILES = {
  "package.json": MANIFEST,
  "project-translations.json": PROJECT,
  "locales/en/cart.json": `{ "title": "Cart" }\n`,
  "locales/en/shop.json": `{ "name": "Bookshop", "brand": "Brand" }\n`,
  "locales/nl/shop.json": `{ "name": "Boekwinkel", "brand": "Merk" }\n`,
  [PAGE]: `import { useTranslation } from "react-i18next";
export function Page() {
  const { t } = useTranslation(["cart", "shop"], { nsMode: "fallback" });
  return [t("title"), t("brand"), t("nowhere")];
}
`,
};
const copied = async (options: object = {}): Promise<unknown> => {
  const result = await editor.run(copyKeyCommand, options);
  return result.outcome === "failed" ? result.error.message : (result as { readonly text?: string }).text;
};

test("is that of the options, else the one at the cursor; without either, one is asked for", async () => {
  editor = await openEditor({ files: FILES });
  await editor.show(PAGE, 't("bra|nd")');
  expect(await copied()).toBe("shop:brand");
  expect(await copied({ namespace: "cart", key: "title" })).toBe("cart:title");
  await editor.show(PAGE, "export func|tion");
  expect(await copied()).toBe("No key was given.");
  answerNextList((list) => {
    expect([list.title, list.rows]).toEqual(["Copy which key?", ["cart:title", "shop:name", "shop:brand"]]);
    list.move("shop:name");
    list.accept();
  });
  expect(await editor.ask(copyKeyCommand, {})).toEqual({ outcome: "done", text: "shop:name" });
  answerNextList(async (list) => {
    const shown = (typed: string) => {
      list.type(typed);
      return list.items.map(({ label, description, detail }) => [label, description, detail]);
    };
    await waitUntil(() => shown("winkel").length > 0);
    // With the text that was found and its language, unless it is the name that was.
    expect(shown(" brand ")).toEqual([["shop:brand", "", "Brand"]]);
    // In any order: VS Code alone would look for what is typed in the label.
    expect(shown("brand shop")).toEqual([["shop:brand", "", "Brand"]]);
    expect(list.items).toMatchObject([{ alwaysShow: true }]);
    expect(shown("BOOKS")).toEqual([["shop:name", "en", "Bookshop"]]);
    expect(shown("winkel")).toEqual([["shop:name", "nl", "Boekwinkel"]]);
    expect(list.items).toMatchObject([{ alwaysShow: true }]);
    list.hide();
  });
  expect(await editor.ask(copyKeyCommand, {})).toEqual({ outcome: "cancelled" });
});

test("is not that at the cursor in another project", async () => {
  const below = (folder: string) =>
    Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`${folder}/${path}`, text]));
  editor = await openEditor({ files: { ...below("web"), ...below("admin") } });
  await editor.show(`web/${PAGE}`, 't("bra|nd")');
  expect(await copied()).toBe("shop:brand");
  expect(await copied({ folder: editor.uri("admin").fsPath })).toBe("No key was given.");
  await editor.show("web/locales/en/cart.json", "Ca|rt");
  expect(await copied()).toBe("cart:title");
  expect(await copied({ folder: editor.uri("admin").fsPath })).toBe("No key was given.");
});

test("that the service does not know is the one that the files have, else the likeliest", async () => {
  editor = await openEditor({ files: FILES, service: { ...SHOP, type: "i18next" } });
  await editor.show(PAGE, 't("bra|nd")');
  expect(await copied()).toBe("shop:brand");
  await editor.show(PAGE, 't("now|here")');
  expect(await copied()).toBe("cart:nowhere");
});
