/** What completion offers in code: of keys with any letters, of other projects, of components, and placeholders over several lines. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { findTextsCommand } from "../../../src/features/extract-key/find-hard-coded-texts-command.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import {
  type CompletionItem,
  type CompletionList,
  messages,
  providersFor,
  setSetting,
  window,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const project = (preview: readonly string[]) =>
  JSON.stringify({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
    sourceLocale: "en",
    preview,
  });
const I18NEXT = JSON.stringify({ dependencies: { i18next: "^23.0.0" } });
const CODE = "web/src/cart.ts";
const BOX = "app/src/Box.vue";
const LONG = "A text that is longer than what fits beside the name of its key in the list";
const FILES = {
  "web/package.json": I18NEXT,
  "web/project-translations.json": project(["fr"]),
  "web/locales/en/cart.json": JSON.stringify({
    taxi: "Cab",
    ride: "Cab",
    "it's": "Quoted",
    long: LONG,
    total: "{{amount}} for {{name}}",
    days_one: "One day",
    days_other: "{{count}} days of {{year}}",
  }),
  "web/locales/nl/cart.json": `{ "ride": "Bus, rood" }\n`,
  "web/locales/fr/cart.json": `{ "ride": "Bus rouge" }\n`,
  [CODE]: `import i18next from "i18next";
const part = Math.random() > 0.5 ? "taxi" : "long";
export const all = [i18next.t('cart:'), "a", i18next.t("cart:taxi"), i18next.t("cart:" + part)];
export const more = ["a", i18next.t(part), i18next.t(\`cart:
taxi\`)];
export const plain = i18next.t(\`cart:\`);
export const total = i18next.t("cart:total", {
  amount: 3,
  na
});
export const days = i18next.t("cart:days", { count: 3,  });
export const own = i18next.t("Hello {{who}}", {  });
export const others = [i18next.t("blue"), i18next.t("blue:"), i18next.t("green:to"), i18next.t("")];
const t = i18next.getFixedT(null, ["cart", "green"]);
export const bound = t("bus");
export const texts = [t("rouge"), t("rood"), t("vert"), t("groen")];
`,
  "blue/package.json": I18NEXT,
  "blue/project-translations.json": project(["nl"]),
  "blue/locales/en/blue.json": `{ "sky": "Sky" }\n`,
  "blue/locales/en/cart.json": `{ "blueCart": "Blue" }\n`,
  "green/package.json": I18NEXT,
  "green/project-translations.json": project(["nl"]),
  "green/locales/en/green.json": `{ "tour": "Cab" }\n`,
  "green/locales/fr/green.json": `{ "tour": "Bus vert" }\n`,
  "green/locales/nl/green.json": `{ "tour": "Bus groen" }\n`,
  "green/src/empty.ts": "export const nothing = 1;\n",
  "app/package.json": JSON.stringify({ dependencies: { "vue-i18n": "^9.0.0", vue: "^3.0.0" } }),
  "app/project-translations.json": JSON.stringify({
    files: [{ path: "locales/{locale}.json", format: "json_js" }],
    sourceLocale: "en",
  }),
  "app/locales/en.json": JSON.stringify({ "a }} b": "Not here", title: "Title", "that's": "Quoted" }),
  [BOX]: `<template>
  <p>{{ $t('t') }} {{ $t('own') }} {{ $t('new') }}</p>
</template>
<i18n>${JSON.stringify({
    en: { own: 3, "it's": LONG },
    nl: { own: "Eigen" },
  })}</i18n>
`,
};

let editor: Editor;
beforeAll(async () => {
  const folders = ["web", "blue", "green", "app"];
  editor = await openEditor({ files: FILES, folders });
  for (const name of folders) await editor.run(listKeysCommand, { folder: editor.uri(name).fsPath });
});
afterAll(() => editor.close());

const complete = (path: string, words: string) =>
  editor.provide<CompletionList | undefined>("Completion", "provideCompletionItems", path, words);
const items = async (path: string, words: string): Promise<readonly CompletionItem[]> =>
  (await complete(path, words))?.items ?? [];
const labels = async (path: string, words: string) =>
  (await items(path, words)).map(({ label }) => label.label);
const textOf = ({ range }: CompletionItem) => range && window.activeTextEditor?.document.getText(range);

test("a key is written as its quotes need it, with the start of its text", async () => {
  const written = await items(CODE, "t('cart:|')");
  expect(written.map(({ label, insertText }) => [label.label, insertText, label.description])).toEqual([
    ["cart:taxi", "cart:taxi", "Cab"],
    ["cart:ride", "cart:ride", "Cab"],
    ["cart:it's", String.raw`cart:it\'s`, "Quoted"],
    ["cart:long", "cart:long", "A text that is longer than what fits beside the name of its…"],
    ["cart:total", "cart:total", "{{amount}} for {{name}}"],
    ["cart:days", "cart:days", "{{count}} days of {{year}}"],
  ]);
  for (const word of ["rouge", "rood", "vert", "groen"])
    await waitUntil(async () => (await items(CODE, `t("${word}|")`)).length === 1);
  // In a template literal an apostrophe needs nothing.
  expect((await items(CODE, "t(`cart:|`)")).map(({ insertText }) => insertText)).toEqual([
    "cart:taxi",
    "cart:ride",
    "cart:it's",
    "cart:long",
    "cart:total",
    "cart:days",
  ]);
  // Found by a text, of the language that the project file of the key names.
  expect((await items(CODE, 'bound = t("bus|")')).map((item) => [item.label.label, item.filterText])).toEqual(
    [
      ["ride", "Bus rouge"],
      ["tour", "Bus groen"],
    ],
  );
});

test("nothing is offered beside the quotes of a key, in a part of one, and over several lines", async () => {
  for (const words of ['t(|"cart:taxi")', 't("cart:taxi"|)', '"cart|:" + part', "t(pa|rt)", "t(`cart:|\n"])
    expect([words, await complete(CODE, words)]).toEqual([words, undefined]);
});

test("keys of other projects are offered once their namespace is written, with their texts", async () => {
  expect(await labels(CODE, 't("|")]')).toEqual(expect.arrayContaining(["blue:", "green:", "cart:taxi"]));
  expect(await labels(CODE, 't("|")]')).not.toContain("blue:sky");
  expect(await labels(CODE, 't("blue|")')).toEqual(["blue:"]);
  expect(await labels(CODE, 't("blue:|")')).toEqual(["blue:sky"]);
  const [sky] = await items(CODE, 't("blue:|")');
  const { document } = await editor.show(CODE);
  const [provider] = providersFor<{ resolveCompletionItem(item: CompletionItem): CompletionItem }>(
    "Completion",
    document,
  );
  const shown = sky && provider?.resolveCompletionItem(sky).documentation;
  expect(shown?.value).toContain("Sky");
  const [taxi] = await items(CODE, "t('cart:|')");
  expect(taxi && provider?.resolveCompletionItem(taxi).documentation?.value).toContain(
    "`en` Cab  \n`fr` $(circle-slash) untranslated",
  );
  // Also those of the last project.
  expect(await labels(CODE, 't("green:|to")')).toEqual(["green:tour"]);
});

test("the messages of a component come before the keys of the project, each as its quotes need it", async () => {
  const shown = await items(BOX, "$t('ow|n')");
  expect(shown.map((item) => [item.label.label, item.insertText, item.label.description])).toEqual([
    ["own", "own", "Eigen"],
    ["it's", String.raw`it\'s`, "A text that is longer than what fits beside the name of its…"],
  ]);
  expect(await labels(BOX, "$t('t|')")).toEqual(["own", "title", "that's"]);
  expect((await complete(BOX, "$t('t|')"))?.isIncomplete).toBe(true);
  // Beside the quotes there are none.
  expect(await complete(BOX, "$t(|'new')")).toBeUndefined();
});

test("placeholders are those of a call over several lines, of all forms, and of a text in the code", async () => {
  const named = await items(CODE, "na|\n");
  expect(named.map((item) => [item.label.label, textOf(item)])).toEqual([["name", "na"]]);
  const days = await items(CODE, "{ count: 3, | }");
  expect(days.map(({ label }) => [label.label, label.description])).toEqual([
    ["year", "{{count}} days of {{year}}"],
  ]);
  expect(await labels(CODE, '"Hello {{who}}", { | }')).toEqual(["who"]);
});

test("completion can be switched off in one folder", async () => {
  setSetting("projectTranslations.completion.enabled", false, 3, { folder: editor.uri("web") });
  expect(await complete(CODE, "t('cart:|')")).toBeUndefined();
  expect(await labels(BOX, "$t('ow|n')")).toContain("own");
});

test("texts are searched in the folder of the command, whatever file of another project is open", async () => {
  await editor.show(CODE);
  const search = async (files?: readonly string[]) => {
    const folder = editor.uri("green").fsPath;
    const result = await editor.ask(findTextsCommand, { folder, ...(files !== undefined && { files }) });
    expect(result).toEqual({ outcome: "done", texts: [] });
    return messages.at(-1)?.text;
  };
  expect(await search()).toBe("There are no hard-coded texts in green.");
  expect(await search(["src/"])).toBe("There are no hard-coded texts in src.");
  const outside = editor.uri("elsewhere").fsPath;
  expect(await search([outside])).toBe(
    `There is no source file in ${outside} that can be searched for texts.`,
  );
});
