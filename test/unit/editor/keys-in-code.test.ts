/** What code and files show of keys of a service: those that were pushed, and those that are only in files. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyTextCommand, goToEntryCommand } from "../../../src/commands/declarations/key-commands.ts";
import { refreshCommand } from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { setTranslationsCommand } from "../../../src/commands/declarations/text-commands.ts";
import { updateKeyCommand } from "../../../src/features/update-key/update-key-command.ts";
import { SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor, wordsAt } from "../support/open-editor.ts";
import {
  type Hover,
  type Location,
  loseFileEvents,
  Range,
  type Uri,
  window,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const ENGLISH = "locales/en/shop.json";
const DUTCH = "locales/nl/shop.json";
const CODE = "src/shop.ts";
const FILES = {
  "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0" } }),
  "project-translations.json": JSON.stringify({
    files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
  }),
  [ENGLISH]: `{
  "title": "Title",
  "sum": "Sum: {{amount}}",
  "friend": "A friend",
  "friend_male": "A boyfriend",
  "group": { "a": "A", "b": "B" }
}
`,
  [DUTCH]: `{ "title": "Een lange titel" }\n`,
  [CODE]: `import i18next from "i18next";
export const title = i18next.t("shop:title");
export const quoted = i18next.t(\`shop:title\`);
export const friend = (context) => i18next.t("shop:friend", { context });
export const dutch = i18next.t("shop:dutch");
export const sum = [i18next.t("shop:sum", { amount: 1 }), i18next.t("shop:blank")];
export const group = i18next.t("shop:group");
`,
};

interface Link {
  readonly targetUri: Uri;
  readonly targetRange: Range;
  readonly targetSelectionRange: Range;
  readonly originSelectionRange: Range;
}

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({
    indexingProcess: true,
    files: FILES,
    service: { ...SHOP, type: "i18next", languages: ["nl", "fr", "de"].map((locale) => ({ locale })) },
  });
  expect(await editor.run(pushCommand, {})).toMatchObject({ result: { created: 6 } });
});
afterAll(() => editor.close());

const edit = async (path: string, before: string, text: string): Promise<void> =>
  editor.write(path, (await editor.read(path)).replace(before, text));
const translate = async (locale: string, texts: Readonly<Record<string, string>>): Promise<void> => {
  const items = Object.entries(texts).map(([key, value]) => ({ namespace: "shop", key, value }));
  expect(await editor.run(setTranslationsCommand, { locale, items })).toMatchObject({ outcome: "done" });
  await editor.run(refreshCommand, {});
};

test("references are searched in all code, also directly after the start", async () => {
  const given = ["Reference", "provideReferences", DUTCH, '"ti|tle"'] as const;
  const found = await editor.provide<readonly Location[]>(...given, { includeDeclaration: true });
  expect(await wordsAt(editor, found)).toMatchInlineSnapshot(`
    [
      "locales/en/shop.json: title",
      "locales/nl/shop.json: title",
      "src/shop.ts: shop:title",
      "src/shop.ts: shop:title",
    ]
  `);
});

test("a hover is of the words of the key, with links that may be clicked", async () => {
  const hover = await editor.provide<Hover>("Hover", "provideHover", CODE, 't("shop:ti|tle")');
  const { document } = await editor.show(CODE);
  expect(document.getText(hover.range)).toBe("shop:title");
  const { value, isTrusted } = hover.contents;
  const { enabledCommands = [] } = isTrusted as { readonly enabledCommands?: readonly string[] };
  const linked = Array.from(value.matchAll(/command:([\w.]+)/gu), ([, id]) => id);
  expect(new Set(linked)).toEqual(
    new Set(["editTranslation", "goToEntry", "openEditor"].map((name) => `projectTranslations.${name}`)),
  );
  expect(new Set(enabledCommands)).toEqual(new Set(linked));
});

test("places are those of the files as they are now", async () => {
  const linked = async (path: string, words: string) => {
    const links = await editor.provide<readonly Link[]>("Definition", "provideDefinition", path, words);
    const places = links.flatMap(({ targetUri: uri, targetRange, targetSelectionRange }) =>
      [targetRange, targetSelectionRange].map((range) => ({ uri, range })),
    );
    const { document } = await editor.show(path, words);
    return [
      ...links.map(({ originSelectionRange }) => document.getText(originSelectionRange)),
      ...(await wordsAt(editor, places)),
    ];
  };
  const whole = `${ENGLISH}: title": "Title"`;
  const name = `${ENGLISH}: title`;
  const { document } = await editor.show(ENGLISH);
  for (const text of ["\n", "\n\n"]) {
    document.type(new Range(0, 0, 0, 0), text);
    expect(await linked(CODE, 't("shop:ti|tle")')).toEqual(["shop:title", whole, name]);
    document.type(new Range(0, 0, 0, 0), text);
    expect(await linked(DUTCH, '"ti|tle"')).toEqual(["title", whole, name]);
    document.type(new Range(0, 0, 0, 0), text);
    await editor.ask(goToEntryCommand, { namespace: "shop", key: "title" });
    expect(document.getText(window.activeTextEditor?.selection)).toBe('"Title"');
  }
  document.isDirty = false;
  document.reload();
});

test("a hover has the languages that are shown, and what is to know of the service's texts", async () => {
  const hover = () => editor.hover(CODE, 't("shop:ti|tle")');
  expect(await editor.hover(CODE, 't("shop:fri|end"')).toMatch(/\n- \*\*shop&#58;friend\*\* A friend$/u);
  const update = {
    namespace: "shop",
    key: "title",
    maxLength: 8,
    tags: ["one_tag"],
    description: "In *bold*",
  };
  expect(await editor.run(updateKeyCommand, update)).toMatchObject({ outcome: "done" });
  // The text of the file is longer, but not at the service.
  expect(await hover()).toMatchInlineSnapshot(`
    "**shop&#58;title**

    \`en\` Title ⏎
    \`nl\` Een lange titel $(file) local&#44; not on the service [$(edit)](editTranslation . shop title  nl "Edit nl") ⏎
    \`fr\` $(circle-slash) untranslated [$(edit)](editTranslation . shop title  fr "Edit fr")

    In &#42;bold&#42; ⏎
    $(tag) one&#95;tag · $(symbol-ruler) at most 8 characters

    ---

    [$(go-to-file) Go to Entry](goToEntry . shop title ) &nbsp; [$(globe) All languages](openEditor . shop title )"
  `);
  await translate("de", { title: "Der Titel" });
  expect(await editor.hints(CODE)).toContain("2:43 Title");
  await editor.lenses(ENGLISH);
  await waitUntil(
    async () => (await editor.lenses(ENGLISH))[0] === "2 1/3 translated · 1 not on the service",
  );
  await edit(ENGLISH, '"Title"', '"Heading"');
  await editor.run(pushCommand, {});
  await editor.run(refreshCommand, {});
  await waitUntil(
    async () => (await editor.lenses(ENGLISH))[0] === "2 0/3 translated · 1 outdated · 1 not on the service",
  );
  // Of a language that is not shown it does not matter what the text was before.
  expect(await hover()).not.toContain("Source text before");
  await translate("fr", { title: "Titre" });
  await edit(ENGLISH, '"Heading"', '"Big heading"');
  await editor.run(pushCommand, {});
  await editor.run(refreshCommand, {});
  expect(await hover()).toMatchInlineSnapshot(`
    "**shop&#58;title**

    \`en\` Big heading ⏎
    \`nl\` Een lange titel $(file) local&#44; not on the service [$(edit)](editTranslation . shop title  nl "Edit nl") ⏎
    \`fr\` Titre $(history) outdated [$(edit)](editTranslation . shop title  fr "Edit fr")

    $(history) Source text before&#58; Heading

    In &#42;bold&#42; ⏎
    $(tag) one&#95;tag · $(symbol-ruler) at most 8 characters

    ---

    [$(go-to-file) Go to Entry](goToEntry . shop title ) &nbsp; [$(globe) All languages](openEditor . shop title )"
  `);
});

test("a hover says the worst of several problems, and where there is no source text", async () => {
  await translate("nl", { sum: "Som\n" });
  expect((await editor.hover(CODE, '"shop:su|m"'))?.split("\n")[3]).toContain(
    "Som↵ $(error) &#123;&#123;amount&#125;&#125; is missing&#44; ends in a line break",
  );
  await editor.request("POST", "/keys/sync", {
    keys: ["blank", "group.c"].map((key) => ({ namespace: "shop", key, value: "" })),
    archive: [],
  });
  await editor.run(refreshCommand, {});
  expect((await editor.hover(CODE, '"shop:gro|up"'))?.split("\n").at(-1)).toBe("- **shop&#58;group&#46;c**");
  const shown = async () => (await editor.hover(CODE, '"shop:bla|nk"'))?.split("\n\n").slice(1, -2);
  expect(await shown()).toMatchInlineSnapshot(`
    [
      "\`en\` $(dash) no source text ⏎
    \`nl\` $(circle-slash) untranslated [$(edit)](editTranslation . shop blank  nl "Edit nl") ⏎
    \`fr\` $(circle-slash) untranslated [$(edit)](editTranslation . shop blank  fr "Edit fr")",
    ]
  `);
  await edit(ENGLISH, '"sum"', '"blank": "Blank",\n  "sum"');
  await waitUntil(async () => (await shown())?.length === 2);
  expect((await shown())?.[1]).toBe("$(diff) Local file&#44; not pushed&#58; Blank");
});

test("a key that is only in a file of another language is looked up there", async () => {
  await edit(DUTCH, '"title"', '"dutch": "Alleen hier",\n  "title"');
  const linked = async () => {
    const links = await editor.provide<readonly Link[]>(
      "Definition",
      "provideDefinition",
      CODE,
      '"shop:dut|ch"',
    );
    return links.map(({ targetUri }) => targetUri.path.slice(editor.folder.length + 1));
  };
  await waitUntil(async () => (await linked()).join() === DUTCH);
  // In a file it is none of the source language.
  expect(await editor.provide("Definition", "provideDefinition", DUTCH, '"dut|ch"')).toEqual([]);
  expect(await editor.hover(CODE, '"shop:dut|ch"')).toBe(
    "**shop&#58;dutch**\n\n$(question) The service does not know this key&#46;",
  );
  expect(await editor.lenses(DUTCH)).toContain("1 0/3 translated · not pushed");
  expect(await editor.run(copyTextCommand, { namespace: "shop", key: "dutch", locale: "nl" })).toMatchObject({
    text: "Alleen hier",
  });
  expect(await editor.run(copyTextCommand, { namespace: "shop", key: "dutch" })).toMatchObject({
    error: { message: "shop:dutch has no text in en." },
  });
});

test("a file that is gone, of which nobody told, is no place, and the others are", async () => {
  loseFileEvents();
  await rm(editor.uri(ENGLISH).fsPath);
  const given = ["Implementation", "provideImplementation", CODE, 't("shop:ti|tle")'] as const;
  const links = await editor.provide<readonly Link[]>(...given);
  expect(links.map(({ targetUri }) => targetUri.path)).toEqual([editor.uri(DUTCH).path]);
});
