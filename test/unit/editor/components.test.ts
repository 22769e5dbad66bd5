/** Texts that a component defines itself, the variants of a key, and functions that are learned from their calls. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { clock } from "../../../src/api/system-clock.ts";
import { findUnusedCommand } from "../../../src/commands/declarations/key-commands.ts";
import {
  addFunctionCommand,
  ignoreFunctionCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import {
  chooseInlayLanguageCommand,
  showDiagnosisCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { type Editor, openEditor, selectionIn, wordsAt } from "../support/open-editor.ts";
import {
  CancellationTokenSource,
  type CodeLens,
  type CompletionList,
  type Hover,
  type InlayHint,
  type Location,
  messages,
  providersFor,
  Range,
  setSetting,
  type Uri,
  window,
  type WorkspaceEdit,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Link {
  readonly targetUri: Uri;
  readonly targetRange: Range;
  readonly originSelectionRange: Range;
}

let editor: Editor;
const linked = async (kind: "Definition" | "Implementation", path: string, words: string) => {
  const links = await editor.provide<readonly Link[]>(kind, `provide${kind}`, path, words);
  return wordsAt(
    editor,
    links.map(({ targetUri, targetRange }) => ({ uri: targetUri, range: targetRange })),
  );
};
const complete = async (path: string, words: string) =>
  (
    await editor.provide<CompletionList | undefined>("Completion", "provideCompletionItems", path, words)
  )?.items.map(({ label, insertText, sortText, filterText, detail, range }) => [
    range && window.activeTextEditor?.document.getText(range),
    label.label,
    label.description,
    insertText,
    sortText,
    filterText,
    detail,
  ]);

describe("a component", () => {
  const BOX = "src/Box.vue";
  const SIDE = "src/Side.vue";
  const MANY = "src/Many.vue";
  const ODD = "src/Odd.vue";
  const LOCALES = ["nl", "en", "fr", "de", "es", "it", "sv", "da", "fi"];
  beforeAll(async () => {
    editor = await openEditor({
      files: {
        "package.json": JSON.stringify({ dependencies: { "vue-i18n": "^9.0.0", vue: "^3.0.0" } }),
        "project-translations.json": JSON.stringify({
          files: [{ path: "locales/{locale}.json", format: "json_js" }],
          sourceLocale: "nl",
        }),
        "locales/nl.json": `{ "title": "Mandje", "own": "Van het project" }\n`,
        "locales/en.json": `{ "title": "Cart" }\n`,
        [BOX]: `<template>
  <p>{{ $t("own") }} {{ $t('group') }} {{ $t("title") }}</p>
</template>
<i18n>
{
  "en": { "own": "Own text", "group": { "a": "A", "b": "B" } },
  "nl": { "own": "Eigen tekst" }
}
</i18n>
`,
        [SIDE]: `<template><p>{{ $t("side") }}</p></template>
<i18n src="./side.json" locale="nl" />
<i18n src="./missing.json" locale="en" />
<i18n src="../../outside.json" locale="fr" />
`,
        [MANY]: `<template><p>{{ $t("one") }} {{ $t("all") }}</p></template>
<i18n>${JSON.stringify(Object.fromEntries(LOCALES.map((locale) => [locale, { one: `1 ${locale}` }])))}</i18n>
<i18n>${JSON.stringify({ nl: { all: Object.fromEntries(LOCALES.map((name) => [name, name])) } })}</i18n>
`,
        [ODD]: `<template><p>{{ $t("a_*b*") }} {{ $t("number") }}</p></template>
<i18n>{ "nl": { "a_*b*": "Een _twee_", "number": 3 } }</i18n>
`,
        "src/side.json": `{\n  "side": "Opzij"\n}\n`,
        "../outside.json": `{ "side": "De côté" }\n`,
      },
    });
  });
  afterAll(() => editor.close());

  test("shows its own texts in place of those of the project, of one key or of a group", async () => {
    expect(await editor.hover(BOX, '"ow|n"')).toMatchInlineSnapshot(`
      "**own**

      \`en\` Own text ⏎
      \`nl\` Eigen tekst

      $(symbol-field) Defined in this component"
    `);
    expect(await editor.hover(BOX, "'gro|up'")).toMatchInlineSnapshot(`
      "**group**

      **group&#46;a** \`en\` A ⏎
      **group&#46;b** \`en\` B

      $(symbol-field) Defined in this component"
    `);
    expect(await editor.hover(BOX, '"tit|le"')).toMatchInlineSnapshot(`
      "**title**

      \`nl\` Mandje ⏎
      \`en\` Cart [$(edit)](editTranslation . * title  en "Edit en")

      ---

      [$(go-to-file) Go to Entry](goToEntry . * title ) &nbsp; [$(globe) All languages](openEditor . * title )"
    `);
    const left = new CancellationTokenSource();
    left.cancel();
    expect(await editor.provide("Hover", "provideHover", BOX, '"ow|n"', left.token)).toBeUndefined();
    const { document } = await editor.show(BOX);
    const hover = await editor.provide<Hover>("Hover", "provideHover", BOX, '"ow|n"');
    expect(document.getText(hover.range)).toBe("own");
    setSetting("projectTranslations.hover.enabled", false);
    expect(await editor.hover(BOX, '"ow|n"')).toBeUndefined();
  });

  test("names a key and a text as they are, also one that is no text", async () => {
    expect(await editor.hover(ODD, '"a_*b*|"')).toMatchInlineSnapshot(`
      "**a&#95;&#42;b&#42;**

      \`nl\` Een &#95;twee&#95;

      $(symbol-field) Defined in this component"
    `);
    expect(await editor.hover(ODD, '"numb|er"')).toMatchInlineSnapshot(`
      "**number**

      \`nl\` $(dash) not a text

      $(symbol-field) Defined in this component"
    `);
  });

  test("shows all languages of a text, and the first texts of a group", async () => {
    expect((await editor.hover(MANY, '"on|e"'))?.match(/`\w+` 1 \w+/gu)).toHaveLength(9);
    const lines = (await editor.hover(MANY, '"al|l"'))?.split("\n") ?? [];
    expect(lines.slice(-5)).toEqual([
      "**all&#46;sv** `nl` sv ⏎",
      "**all&#46;da** `nl` da ⏎",
      "…",
      "",
      "$(symbol-field) Defined in this component",
    ]);
  });

  test("has texts of the files that it names in the project, as they are now", async () => {
    const shown = (text: string) => `**side**\n\n\`nl\` ${text}\n\n$(symbol-field) Defined in this component`;
    expect(await editor.hover(SIDE, '"si|de"')).toBe(shown("Opzij"));
    // Up to the end of its quotes.
    expect(await editor.hover(SIDE, '"side"|')).toBe(shown("Opzij"));
    expect(await editor.hover(SIDE, '$|t("side")')).toBeUndefined();
    expect(await linked("Definition", SIDE, '"si|de"')).toEqual(["src/side.json: side"]);
    // What VS Code underlines is the key in the component.
    const given = ["Definition", "provideDefinition", SIDE, '"si|de"'] as const;
    const [link] = await editor.provide<readonly Link[]>(...given);
    const side = await editor.show(SIDE);
    expect(link && side.document.getText(link.originSelectionRange)).toBe("side");
    const { document } = await editor.show("src/side.json");
    document.type(selectionIn(document, "|Opzij|"), "Ernaast");
    expect(await editor.hover(SIDE, '"si|de"')).toBe(shown("Ernaast"));
    side.document.type(selectionIn(side.document, '|<i18n src="./side.json" locale="nl" />|'), "");
    expect(await editor.hover(SIDE, '"si|de"')).toBeUndefined();
  });

  test("has their definition in the source language, and implementations in all", async () => {
    expect(await linked("Definition", BOX, '"ow|n"')).toEqual([`${BOX}: own`]);
    const [definition] = await editor.provide<readonly Link[]>(
      "Definition",
      "provideDefinition",
      BOX,
      '"ow|n"',
    );
    expect(definition?.targetRange.start.line).toBe(6);
    expect(await linked("Implementation", BOX, '"ow|n"')).toEqual([`${BOX}: own`, `${BOX}: own`]);
    // In a language that is not the source where that has none.
    expect(await linked("Definition", BOX, "'gro|up'")).toEqual([`${BOX}: a`]);
    expect(await linked("Definition", BOX, '"tit|le"')).toEqual([`locales/nl.json: title": "Mandje"`]);
  });

  test("offers them before the keys of the project", async () => {
    expect(await complete(BOX, '"|own"')).toMatchInlineSnapshot(`
      [
        [
          "own",
          "own",
          "Own text",
          "own",
          " own",
          "own",
          "Defined in this component",
        ],
        [
          "own",
          "group.a",
          "A",
          "group.a",
          " group.a",
          "group.a",
          "Defined in this component",
        ],
        [
          "own",
          "group.b",
          "B",
          "group.b",
          " group.b",
          "group.b",
          "Defined in this component",
        ],
      ]
    `);
  });
});

describe("the variants of a key", () => {
  const CODE = "src/friend.ts";
  beforeAll(async () => {
    editor = await openEditor({
      files: {
        "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0" } }),
        "project-translations.json": JSON.stringify({
          files: [{ path: "locales/{locale}.json", format: "json_js" }],
          sourceLocale: "en",
        }),
        "locales/en.json": `{ "friend": "A friend", "friend_male": "A boyfriend", "friend_female": "A girlfriend" }\n`,
        "locales/nl.json": `{ "friend": "Een vriend {{x}}" }\n`,
        "src/pattern.ts": `import i18next from "i18next";
export const built = (kind) => i18next.t(\`frie\${kind}\`);
export const typed = i18next.t("");
`,
        [CODE]: `import i18next from "i18next";
export const friend = (context) => i18next.t("friend", { context });
`,
      },
    });
  });
  afterAll(() => editor.close());

  test("are listed in its hover", async () => {
    expect(await editor.hover(CODE, '"frie|nd"')).toMatchInlineSnapshot(`
      "**friend&#95;female**

      \`en\` A girlfriend ⏎
      \`nl\` $(circle-slash) untranslated [$(edit)](editTranslation . * friend_female  nl "Edit nl")

      ---

      [$(go-to-file) Go to Entry](goToEntry . * friend_female ) &nbsp; [$(globe) All languages](openEditor . * friend_female )

      ---

      $(list-tree) Also shown&#44; by count and context&#58;

      - **friend&#95;male** A boyfriend
      - **friend** A friend"
    `);
    expect(await linked("Definition", CODE, '"frie|nd"')).toMatchInlineSnapshot(`
      [
        "locales/en.json: friend_female": "A girlfriend"",
        "locales/en.json: friend_male": "A boyfriend"",
        "locales/en.json: friend": "A friend"",
      ]
    `);
  });

  test("have the problems of each, and hints that follow what is typed", async () => {
    const { document } = await editor.show(CODE);
    await waitUntil(() => editor.problems(CODE).length > 0);
    expect(editor.problems(CODE)).toEqual(["2: friend (nl): {{x}} is unknown"]);
    expect(await editor.hints(CODE)).toEqual(["2:53 A girlfriend"]);
    const whole = new Range(0, 0, 9, 0);
    const type = () => document.type(new Range(0, 0, 0, 0), "\n");
    type();
    // What is typed while they wait makes them outdated.
    const early = editor.provideAll("InlayHints", "provideInlayHints", CODE, whole);
    await setImmediate();
    type();
    expect(await early).toEqual([undefined]);
    expect(await editor.hints(CODE)).toEqual(["4:53 A girlfriend"]);
    document.type(new Range(0, 0, 2, 0), "");
  });

  test("are renamed together, and what may mean the old name is named", async () => {
    const shown = messages.length;
    const edit = await editor.provide<WorkspaceEdit>(
      "Rename",
      "provideRenameEdits",
      "locales/en.json",
      '"friend_ma|le"',
      "mate_male",
    );
    expect(edit.edits.map(({ uri, text }) => [uri.path.slice(editor.folder.length + 1), text])).toEqual([
      ["locales/en.json", "mate"],
      ["locales/en.json", "mate_male"],
      ["locales/en.json", "mate_female"],
      ["locales/nl.json", "mate"],
      [CODE, "mate"],
    ]);
    await waitUntil(() => messages.length > shown);
    expect(messages.slice(shown).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "warning: The old name could not be replaced safely here: src/pattern.ts. Check these places.",
    ]);
    // Typed without the ending that this one has.
    const words = ["locales/en.json", '"friend_ma|le"', "mate"] as const;
    const other = await editor.provide<WorkspaceEdit>("Rename", "provideRenameEdits", ...words);
    expect(other.edits.map(({ text }) => text)).toEqual(edit.edits.map(({ text }) => text));
  });

  test("take the placeholders of the text that the code itself has, and none in an array", async () => {
    const path = "src/pattern.ts";
    const labels = async (code: string, words: string) => {
      const { document } = await editor.show(path);
      document.type(selectionIn(document, '|i18next.t("")|'), code);
      const list = await editor.provide<CompletionList | undefined>(
        "Completion",
        "provideCompletionItems",
        path,
        words,
      );
      document.type(selectionIn(document, `|${code}|`), 'i18next.t("")');
      return list?.items.map(({ label }) => label.label);
    };
    expect(await labels('i18next.t("unheard", "Hello {{who}}", {  })', '"Hello {{who}}", { | }')).toEqual([
      "who",
    ]);
    expect(await labels('i18next.t("unheard", { defaultValue: "Hi {{you}}", n })', ", |n })")).toEqual([
      "you",
    ]);
    expect(await labels('i18next.t("friend", [""])', '["|"]')).toBeUndefined();
  });

  test("are referred to once, also where code may mean one of them by two names", async () => {
    const path = "src/either.ts";
    await editor.write(
      path,
      `import i18next from "i18next";
const key = Math.random() > 0.5 ? "friend" : "friend_male";
export const either = (context) => i18next.t(key, { context });
`,
    );
    const given = ["Reference", "provideReferences", path, "t(k|ey,"] as const;
    let found: readonly string[] = [];
    await waitUntil(async () => {
      const all = await editor.provide<readonly Location[]>(...given, { includeDeclaration: true });
      found = await wordsAt(editor, all);
      return found.includes(`${path}: key`);
    });
    // Code is listed in the order in which it was indexed, which is not that of names for a file that came later.
    expect(found.toSorted()).toMatchInlineSnapshot(`
      [
        "locales/en.json: friend",
        "locales/en.json: friend_female",
        "locales/en.json: friend_male",
        "locales/nl.json: friend",
        "src/either.ts: key",
        "src/friend.ts: friend",
        "src/pattern.ts: \`frie\${kind}\`",
      ]
    `);
  });
});

describe("hints and lenses", () => {
  const ENGLISH = "locales/en.json";
  const DUTCH = "locales/nl.json";
  const CODE = "src/title.ts";
  const FILE = `import i18next from "i18next";\nexport const title = i18next.t("title");\n`;
  beforeAll(async () => {
    editor = await openEditor({
      files: {
        "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0" } }),
        "project-translations.json": JSON.stringify({
          files: [{ path: "locales/{locale}.json", format: "json_js" }],
          sourceLocale: "en",
        }),
        [ENGLISH]: `{\n  "title": "Title",\n  "spare": "Spare"\n}\n`,
        "locales/nl.json": `{ "title": "Titel", "spare": "" }\n`,
        [CODE]: FILE,
      },
    });
  });
  afterAll(() => editor.close());

  /** Asks again each time when they are said to have changed, as VS Code does. */
  async function follow(path: string, event: string, ask: (path: string) => Promise<readonly string[]>) {
    const { document } = await editor.show(path);
    const [provider] = providersFor<Record<string, (listener: () => void) => { dispose(): void }>>(
      event.replace("onDidChange", "").replace("CodeLenses", "CodeLens"),
      document,
    );
    let shown = await ask(path);
    const following = provider?.[event]?.(() => void ask(path).then((all) => (shown = all)));
    onTestFinished(() => following?.dispose());
    return () => shown.join("; ");
  }

  test("follow settings, files, code and a report of usages", async () => {
    const hints = await follow(CODE, "onDidChangeInlayHints", (path) => editor.hints(path));
    const lenses = await follow(ENGLISH, "onDidChangeCodeLenses", (path) => editor.lenses(path));
    await waitUntil(() =>
      lenses().endsWith("2 1/1 translated; 2 1 reference; 3 0/1 translated; 3 0 references"),
    );
    expect(hints()).toBe("2:38 Title");
    await editor.run(findUnusedCommand, {});
    await waitUntil(() => lenses().endsWith("3 0/1 translated; 3 unused"));
    await editor.write("locales/nl.json", `{ "title": "Titel", "spare": "Reserve" }\n`);
    await waitUntil(() => lenses().includes("3 1/1 translated"));
    await editor.write(ENGLISH, `{\n  "title": "Heading",\n  "spare": "Spare"\n}\n`);
    await waitUntil(() => hints() === "2:38 Heading");
    await editor.write("src/spare.ts", `import i18next from "i18next";\ni18next.t("spare");\n`);
    await waitUntil(() => lenses().endsWith("3 1 reference"));
    for (const name of ["inlayHints", "codeLens"]) setSetting(`projectTranslations.${name}.enabled`, false);
    await waitUntil(() => hints() === "" && lenses() === "");
  });

  test("are behind the quotes, whichever they are, and of the first language that has a text", async () => {
    const path = "src/more.ts";
    await editor.write(
      path,
      `import i18next from "i18next";
export const quoted = i18next.t(\`title\`);
export const spare = i18next.t('spare');
export const none = (kind) => i18next.t(\`zzz.\${kind}\`);
`,
    );
    await editor.write(DUTCH, `{ "title": "Titel", "spare": "",\n"only": "Alleen hier" }\n`);
    await waitUntil(async () => (await editor.lenses(DUTCH)).includes("2 1/1 translated"));
    await editor.run(chooseInlayLanguageCommand, { locale: "nl" });
    await waitUntil(async () => (await editor.hints(path)).join() === "2:39 Titel,3:38 en: Spare");
    const ask = async (range: Range, ...token: readonly unknown[]) => {
      const given = ["InlayHints", "provideInlayHints", path, range, ...token] as const;
      const [hints] = await editor.provideAll<readonly InlayHint[] | undefined>(...given);
      return hints?.map(({ label }) => label);
    };
    expect(await ask(new Range(1, 0, 2, 0))).toEqual(["Titel"]);
    expect(await ask(new Range(2, 0, 3, 0))).toEqual(["en: Spare"]);
    await editor.run(chooseInlayLanguageCommand, { locale: null });
    // Nobody waits any more, or not after the usages were found.
    const early = new CancellationTokenSource();
    early.cancel();
    expect(await ask(new Range(0, 0, 9, 0), early.token)).toBeUndefined();
    const late = new CancellationTokenSource();
    const { document } = await editor.show(path);
    const [provider] = providersFor<{
      provideInlayHints(...given: readonly unknown[]): Promise<readonly InlayHint[] | undefined>;
    }>("InlayHints", document);
    const asked = provider?.provideInlayHints(document, new Range(0, 0, 9, 0), late.token);
    late.cancel();
    expect(await asked).toBeUndefined();
    expect(await editor.hover(path, "`zz|z.")).toBeUndefined();
  });

  test("wait for a pause after something was typed, once for each version of a document", async () => {
    const slept = vi.spyOn(clock, "sleep").mockResolvedValue();
    const path = "src/waits.ts";
    await editor.write(path, FILE);
    const counts: number[] = [];
    const ask = async () => {
      expect(await editor.hints(path)).toHaveLength(1);
      counts.push(slept.mock.calls.splice(0).length);
    };
    await ask();
    await ask();
    const { document } = await editor.show(path);
    document.type(new Range(0, 0, 0, 0), "\n");
    await ask();
    await ask();
    expect(counts).toEqual([0, 0, 1, 0]);
    document.isDirty = false;
    document.reload();
  });

  test("say that a key is used where the project file keeps it", async () => {
    for (const name of ["spare", "more"]) await rm(join(editor.folder, `src/${name}.ts`), { force: true });
    const layout = { files: [{ path: "locales/{locale}.json", format: "json_js" }], sourceLocale: "en" };
    await editor.write(
      "project-translations.json",
      JSON.stringify({ ...layout, usage: { keep: ["spare"] } }),
    );
    // A report holds until its files change, of which the window may be told later.
    await waitUntil(async () => {
      expect(await editor.run(findUnusedCommand, {})).toMatchObject({ used: 2 });
      return (await editor.lenses(ENGLISH)).includes("3 used");
    });
  });

  test("are left out in files with very many keys", async () => {
    const path = "locales/nl.json";
    const lenses = async (count: number) => {
      const texts = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "Text"]));
      await editor.write(path, JSON.stringify(texts));
      const [all] = await editor.provideAll<readonly CodeLens[]>("CodeLens", "provideCodeLenses", path);
      return all?.length;
    };
    await waitUntil(async () => (await lenses(3_000)) === 1);
    await waitUntil(async () => (await lenses(3_001)) === 0);
  });
});

describe("a function of the project’s own", () => {
  const keys = Array.from({ length: 24 }, (_, index) => `Button${index}`);
  beforeAll(async () => {
    editor = await openEditor({
      files: {
        "project-translations.json": JSON.stringify({
          files: [{ path: "locales/{locale}.json", format: "json_js" }],
          sourceLocale: "en",
        }),
        "locales/en.json": JSON.stringify({
          ...Object.fromEntries(keys.map((key) => [key, key.toUpperCase()])),
          page: Object.fromEntries(keys.map((key) => [`${key}Text`, key])),
        }),
        // Its keys are the names of members after a prefix.
        "src/page.js": `import { defineTexts } from "./texts.js";
export const texts = defineTexts("page", { ${keys.map((key) => `${key}Text: "A"`).join(", ")} });
`,
        "src/labels.js": `import { translate } from "./texts.js";
export const labels = [
${keys
  .slice(1)
  .map((key) => `  translate("${key}"),\n`)
  .join("")}];
`,
      },
    });
  });
  afterAll(() => editor.close());

  const label = "translate() is used as a translation function";
  const rows = async () => (await editor.rows("languages")).filter((row) => row.startsWith(label));
  const projectFile = async () => JSON.parse(await editor.read("project-translations.json")) as object;
  const diagnosis = async () =>
    ((await editor.run(showDiagnosisCommand, {})) as { readonly text?: string }).text ?? "";

  test("is written to the project file, or refused there", async () => {
    expect(await editor.run(findUnusedCommand, {})).toMatchObject({ used: 47, unused: [{ key: "Button0" }] });
    await waitUntil(async () => (await rows()).length > 0);
    expect(await rows()).toEqual([`${label} | 23 calls`]);
    expect(await diagnosis()).toContain(
      "`translate()` is used as a translation function: 23 of 23 calls name a key",
    );
    expect(await editor.run(addFunctionCommand, { name: "other" })).toMatchObject({
      error: { code: "not_found" },
    });
    const before = await editor.read("project-translations.json");
    expect(await editor.runOnRow(addFunctionCommand, "languages", label)).toEqual({ outcome: "done" });
    expect(await projectFile()).toMatchObject({ usage: { functions: [{ name: "translate", key: 0 }] } });
    await waitUntil(async () => (await rows()).length === 0);
    expect(await editor.run(findUnusedCommand, {})).toMatchObject({ used: 47 });
    await editor.runOnRow(addFunctionCommand, "languages", "defineTexts() is used");
    expect(await projectFile()).toMatchObject({
      usage: { functions: [{ name: "translate" }, { name: "defineTexts", key: 1, prefix: 0 }] },
    });
    expect(await editor.run(ignoreFunctionCommand, { name: "translate" })).toMatchObject({
      error: { code: "not_found" },
    });
    await editor.write("project-translations.json", before);
    await editor.run(findUnusedCommand, {});
    await waitUntil(async () => (await rows()).length > 0);
    expect(await editor.runOnRow(ignoreFunctionCommand, "languages", label)).toEqual({ outcome: "done" });
    expect(await projectFile()).toMatchObject({ usage: { ignoredFunctions: ["translate"] } });
    await waitUntil(async () => (await rows()).length === 0);
    expect(await editor.run(findUnusedCommand, {})).toMatchObject({ used: 24 });
  });
});
