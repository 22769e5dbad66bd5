/** Problems in code and translation files, and their quick fixes, without a service. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ignoreProblemCommand } from "../../../src/features/diagnostics/quick-fixes.ts";
import { type Editor, openEditor, selectionIn } from "../support/open-editor.ts";
import {
  answerNextInput,
  closeDocument,
  type CodeAction,
  CodeActionKind,
  commands,
  type Diagnostic,
  DiagnosticSeverity,
  pickInNextList,
  problems,
  Range,
  setSetting,
  type Uri,
  window,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const CART = "src/Cart.tsx";
const ENGLISH = "locales/en/cart.json";
const DUTCH = "locales/nl/cart.json";
const FILES = {
  "package.json": JSON.stringify({ dependencies: { i18next: "^23.0.0", "react-i18next": "^14.0.0" } }),
  "project-translations.json": `{
  "files": [{ "path": "locales/{locale}/{namespace}.json", "format": "json_js" }],
  "sourceLocale": "en",
  "diagnostics": { "ignore": ["cart:ignored", { "code": "unknown-key", "path": "src/legacy/**" }] }
}
`,
  [ENGLISH]: `{
  "title": "Your cart",
  "total": "Total: {{amount}} for {{name}}",
  "empty": "Nothing",
  "later": "Later",
  "ignored": "Of {{name}}"
}
`,
  [DUTCH]: `{
  "title": "Je mandje",
  "total": "Totaal: {{amont}} voor {{nam}}",
  "empty": "Leeg {{x}}",
  "ignored": "Van {{nam}}"
}
`,
  [CART]: `import { useTranslation } from "react-i18next";
export function Cart() {
  const { t } = useTranslation("cart");
  const known = [t("title"), t("total", { amount: 1, name: 2 })];
  const wrong = [t("titel"), t("ignored")];
  // project-translations-ignore-next-line
  const left = t("anywhere");
  const lost = t("nowhere");
  return [known, wrong, left, lost, t("cart.made.up")];
}
`,
  "src/legacy/old.tsx": `import { useTranslation } from "react-i18next";
export const Old = () => useTranslation("cart").t("titel");
`,
  "src/hidden.tsx": `import { useTranslation } from "react-i18next";
export function Hidden() {
  const { t } = useTranslation("cart");
  return t("totl");
}
`,
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ indexingProcess: true, files: FILES });
});
afterAll(() => editor.close());

const problemsOf = (path: string): readonly Diagnostic[] => problems.of(editor.uri(path));

/** Returns the quick fixes of the problem on a line, whose message has the words. */
async function fixes(path: string, words: string): Promise<readonly CodeAction[]> {
  const found = problemsOf(path).find(({ message }) => message.includes(words));
  if (found === undefined) throw new Error(`no problem has ${words}`);
  await editor.show(path);
  const others = [{ message: "Of another extension" }];
  const actions = await actionsIn(path, { diagnostics: [...others, found], only: CodeActionKind.QuickFix });
  // VS Code shows them at their problem; all of a file are of none.
  const own = actions.filter(({ title }) => !title.startsWith("Apply all suggestions in this file"));
  for (const each of own) expect(each).toMatchObject({ kind: { value: "quickfix" }, diagnostics: [found] });
  return actions;
}
async function actionsIn(path: string, context: object): Promise<readonly CodeAction[]> {
  const all = await editor.provideAll<readonly CodeAction[]>(
    "CodeActions",
    "provideCodeActions",
    path,
    new Range(0, 0, 0, 0),
    context,
  );
  return all.flat();
}
const titled = (actions: readonly CodeAction[], title: string): CodeAction => {
  const action = actions.find((each) => each.title === title);
  if (action === undefined)
    throw new Error(`no fix is ${title}: ${actions.map((each) => each.title).join("; ")}`);
  return action;
};
async function apply({ command, edit }: CodeAction): Promise<unknown> {
  if (edit !== undefined) await workspace.applyEdit(edit);
  return command && commands.executeCommand(command.command, ...(command.arguments ?? []));
}

describe("problems", () => {
  test("of code are unknown keys, with a similar one, and wrong texts of known ones", async () => {
    // Those of a translation file are listed before it is shown, too.
    await waitUntil(() => editor.problems(DUTCH).length > 0);
    expect(editor.problems(DUTCH)[0]).toMatch(/^3: cart:total \(nl\): /u);
    const { document } = await editor.show(CART);
    // The texts are checked after the first pass.
    await waitUntil(() => editor.problems(CART).some((problem) => problem.startsWith("4: ")));
    expect(editor.problems(CART)).toMatchInlineSnapshot(`
      [
        "4: cart:total (nl): {{amount}} is missing, {{name}} is missing, {{amont}} is unknown, {{nam}} is unknown",
        "5: Unknown key “titel”. Did you mean “title”?",
        "8: Unknown key “nowhere”: no translation file has it.",
        "9: Unknown key “cart.made.up”: no translation file has it.",
      ]
    `);
    expect(problemsOf(CART).map(({ range }) => document.getText(range))).toEqual([
      "total",
      "titel",
      "nowhere",
      "cart.made.up",
    ]);
  });
});

describe("problems of files", () => {
  test("are wrong placeholders, each at its place, and missing translations if that is set", async () => {
    await editor.show(DUTCH);
    await waitUntil(() => editor.problems(DUTCH).length > 0);
    expect(editor.problems(DUTCH)).toMatchInlineSnapshot(`
      [
        "3: cart:total (nl): {{amount}} is missing, {{name}} is missing, {{amont}} is unknown, {{nam}} is unknown",
        "4: cart:empty (nl): {{x}} is unknown",
      ]
    `);
    expect(problemsOf(DUTCH).map(({ severity }) => severity)).toEqual([1, 1]);
    setSetting("projectTranslations.diagnostics.qaIssues", "error");
    await waitUntil(() => problemsOf(DUTCH)[0]?.severity === DiagnosticSeverity.Error);
    setSetting("projectTranslations.diagnostics.qaIssues", "off");
    await waitUntil(() => problemsOf(DUTCH).length === 0);
    setSetting("projectTranslations.diagnostics.qaIssues", "warning");
    await waitUntil(() => problemsOf(DUTCH).length > 0);
    setSetting("projectTranslations.diagnostics.missingTranslation", "hint");
    await editor.show(ENGLISH);
    await waitUntil(() => editor.problems(ENGLISH).length > 0);
    expect(editor.problems(ENGLISH)).toMatchInlineSnapshot(`
      [
        "5: cart:later (nl): untranslated",
      ]
    `);
    setSetting("projectTranslations.diagnostics.missingTranslation", "off");
    await waitUntil(() => editor.problems(ENGLISH).length === 0);
  });

  test("of two files side by side are both followed", async () => {
    const editors = [await editor.show(CART), await editor.show(DUTCH)];
    window.visibleTextEditors = editors;
    const severities = () => [CART, DUTCH].map((path) => problemsOf(path).map(({ severity }) => severity));
    for (const [setting, severity] of [
      ["error", DiagnosticSeverity.Error],
      ["warning", DiagnosticSeverity.Warning],
    ] as const) {
      setSetting("projectTranslations.diagnostics.qaIssues", setting);
      await waitUntil(() => severities().every((shown) => shown[0] === severity));
    }
    // Also what is typed into the one that is not active.
    const { document } = editors[0] ?? expect.fail("it is shown");
    const isWrong = () => editor.problems(CART).some((problem) => problem.includes("titel"));
    document.type(selectionIn(document, 't("|titel|")'), "empty");
    await waitUntil(() => !isWrong());
    document.type(selectionIn(document, 't("|empty|")'), "titel");
    await waitUntil(isWrong);
    // Also where the search in the other one ends with an error.
    document.positionAt = () => expect.fail("there is no such place");
    for (const [setting, severity] of [
      ["error", DiagnosticSeverity.Error],
      ["warning", DiagnosticSeverity.Warning],
    ] as const) {
      setSetting("projectTranslations.diagnostics.qaIssues", setting);
      await waitUntil(() => severities()[1]?.[0] === severity);
    }
    Reflect.deleteProperty(document, "positionAt");
  });

  test("of files that are not shown are listed, too, and are those of what is typed", async () => {
    await waitUntil(() => editor.problems("src/hidden.tsx").length > 0);
    expect(editor.problems("src/hidden.tsx")).toEqual(["4: Unknown key “totl”. Did you mean “total”?"]);
    expect(editor.problems("src/legacy/old.tsx")).toEqual([]);
    await editor.show("src/legacy/old.tsx");
    setSetting("projectTranslations.diagnostics.unknownKey", "information");
    await waitUntil(() => problemsOf("src/hidden.tsx")[0]?.severity === DiagnosticSeverity.Information);
    setSetting("projectTranslations.diagnostics.unknownKey", "warning");
    await waitUntil(() => problemsOf("src/hidden.tsx")[0]?.severity === DiagnosticSeverity.Warning);
    // What is shown of a visible file stays: more is found there.
    await editor.show(CART);
    await waitUntil(() => editor.problems(CART).some((problem) => problem.startsWith("4: ")));
    const wrong = await editor.read("src/hidden.tsx");
    await editor.write("src/hidden.tsx", wrong.replace("totl", "title"));
    await waitUntil(() => editor.problems("src/hidden.tsx").length === 0);
    expect(editor.problems(CART)).toHaveLength(4);
    await editor.write("src/hidden.tsx", wrong);
    await waitUntil(() => editor.problems("src/hidden.tsx").length > 0);
    // Also once it is closed, and while something changes that they do not depend on.
    let before = problemsOf("src/hidden.tsx");
    const { document: closed } = await editor.show("src/hidden.tsx");
    await waitUntil(() => problemsOf("src/hidden.tsx") !== before);
    before = problemsOf(CART);
    await editor.show(CART);
    closeDocument(closed);
    expect(editor.problems("src/hidden.tsx")).toHaveLength(1);
    await waitUntil(() => problemsOf(CART) !== before);
    before = problemsOf(CART);
    setSetting("projectTranslations.hover.enabled", false);
    await waitUntil(() => problemsOf(CART) !== before);
    expect(editor.problems("src/hidden.tsx")).toHaveLength(1);
    const { document } = await editor.show("src/hidden.tsx", '"to|tl"');
    document.type(selectionIn(document, '"|totl|"'), "title");
    await waitUntil(() => editor.problems("src/hidden.tsx").length === 0);
    document.type(selectionIn(document, '"|title|"'), "totl");
    await waitUntil(() => editor.problems("src/hidden.tsx").length > 0);
    expect(editor.problems("src/legacy/old.tsx")).toEqual([]);
  });
});

describe("problems of code", () => {
  const hook = `import { useTranslation } from "react-i18next";\nconst { t } = useTranslation("cart");\n`;

  test("that is not searched go when it is closed", async () => {
    const path = "node_modules/shop/index.tsx";
    await editor.write(path, `${hook}export const wrong = t("titel");\n`);
    const { document } = await editor.show(path);
    await waitUntil(() => editor.problems(path).length > 0);
    expect(editor.problems(path)).toEqual(["3: Unknown key “titel”. Did you mean “title”?"]);
    await editor.show(ENGLISH);
    closeDocument(document);
    expect(editor.problems(path)).toEqual([]);
  });

  test("of one plural form are mended in that form, and the others stay", async () => {
    const dutch = (name: string) =>
      `{ "of_one": "{{count}} ding van {{${name}}}", "of_other": "{{count}} dingen van {{name}}" }\n`;
    await editor.write("locales/en/things.json", dutch("name").replaceAll(/ding(?:en)? van/gu, "of"));
    await editor.write("locales/nl/things.json", dutch("nam"));
    const path = "src/things.tsx";
    await editor.write(path, `${hook}export const things = t("things:of", { count: 2, name: "x" });\n`);
    await editor.show(path);
    await waitUntil(() => editor.problems(path).length > 0);
    const fix = titled(await fixes(path, "{{nam}}"), "Change nl to “{{count}} ding van {{name}}”");
    expect(await apply(fix)).toMatchObject({ outcome: "done" });
    expect(await editor.read("locales/nl/things.json")).toBe(dutch("name"));
    await waitUntil(() => editor.problems(path).length === 0);
  });

  test("name a similar key for the first 30 only, and are none of a key that another language has", async () => {
    const path = "src/many.tsx";
    const wrong = Array.from({ length: 32 }, () => `  t("titel"),\n`).join("");
    await editor.write("locales/nl/only.json", `{ "dutch": "Alleen hier" }\n`);
    await editor.write(path, `${hook}export const many = [\n${wrong}  t("only:dutch"),\n];\n`);
    await editor.show(path);
    await waitUntil(() => problemsOf(path).length > 0);
    const shown = problemsOf(path);
    setSetting("projectTranslations.diagnostics.unknownKey", "information");
    await waitUntil(() => problemsOf(path) !== shown);
    expect(editor.problems(path).map((problem) => problem.replace(/^\d+/u, "_"))).toEqual([
      ...Array.from({ length: 30 }, () => "_: Unknown key “titel”. Did you mean “title”?"),
      ...Array.from({ length: 2 }, () => "_: Unknown key “titel”: no translation file has it."),
    ]);
    // It is the definition of such a key, too.
    const given = ["Definition", "provideDefinition", path, '"only:du|tch"'] as const;
    const [place] = await editor.provide<readonly { readonly targetUri: Uri }[]>(...given);
    expect(place?.targetUri.path).toBe(editor.uri("locales/nl/only.json").path);
    await editor.show(ENGLISH);
    for (const each of [path, "locales/nl/only.json"]) await rm(join(editor.folder, each));
    await waitUntil(() => editor.problems(path).length === 0);
  });
});

describe("quick fixes", () => {
  const titles = async (path: string, words: string) => (await fixes(path, words)).map(({ title }) => title);

  test("of an unknown key are similar keys, a new entry, and to ignore it", async () => {
    await editor.show(CART);
    await waitUntil(() => editor.problems(CART).length > 0);
    expect(await titles(CART, "titel")).toMatchInlineSnapshot(`
      [
        "Change to “title”",
        "Change to “total”",
        "Add “cart:titel” to the translation files…",
        "Ignore here",
        "Ignore by a pattern…",
      ]
    `);
    expect(await titles(CART, "made.up")).toMatchInlineSnapshot(`
      [
        "Add “cart:cart.made.up” to the translation files…",
        "Ignore here",
        "Ignore by a pattern…",
      ]
    `);
  });

  test("correct the key in code", async () => {
    const all = await fixes(CART, "titel");
    expect(all.map(({ isPreferred }) => isPreferred)).toEqual([true, false, false, false, false]);
    await apply(titled(await fixes(CART, "titel"), "Change to “title”"));
    expect(await editor.text(CART)).toContain('[t("title"), t("ignored")]');
    await waitUntil(() => editor.problems(CART).every((problem) => !problem.includes("titel")));
  });

  test("ignore it by a comment", async () => {
    await apply(titled(await fixes(CART, "nowhere"), "Ignore here"));
    await waitUntil(() => editor.problems(CART).every((problem) => !problem.includes("nowhere")));
    expect(await editor.text(CART)).toMatchInlineSnapshot(`
      "import { useTranslation } from "react-i18next";
      export function Cart() {
        const { t } = useTranslation("cart");
        const known = [t("title"), t("total", { amount: 1, name: 2 })];
        const wrong = [t("title"), t("ignored")];
        // project-translations-ignore-next-line
        const left = t("anywhere");
        const lost = t(/* project-translations-ignore */ "nowhere");
        return [known, wrong, left, lost, t("cart.made.up")];
      }
      "
    `);
  });

  test("ignore it by a rule with a scope that is chosen", async () => {
    await waitUntil(() => editor.problems(CART).some((problem) => problem.includes("made.up")));
    const fix = titled(await fixes(CART, "made.up"), "Ignore by a pattern…");
    pickInNextList((items) => {
      expect(items.map(({ label, detail }) => `${label}: ${detail ?? ""}`)).toMatchInlineSnapshot(`
        [
          "cart.made.up: This key, everywhere",
          "cart.made.*: Every key of this group",
          "src/Cart.tsx: Every key in this file",
          "Another pattern…: * matches anything",
        ]
      `);
      return items.find(({ label }) => label === "Another pattern…");
    });
    answerNextInput((input) => {
      expect([input.value, input.ignoreFocusOut]).toEqual(["cart.made.*", true]);
      input.type(" ");
      input.accept();
      expect(input.validationMessage).toBe("Enter a key name.");
      input.type(" cart.m* ");
      input.accept();
    });
    expect(await apply(fix)).toEqual({ outcome: "done", rule: { key: "cart.m*", code: "unknown-key" } });
    await waitUntil(() => editor.problems(CART).every((problem) => !problem.includes("made.up")));
    expect(JSON.parse(await editor.read("project-translations.json"))).toMatchObject({
      diagnostics: {
        ignore: ["cart:ignored", { path: "src/legacy/**" }, { key: "cart.m*", code: "unknown-key" }],
      },
    });
    const quiet = { code: "unknown-key", key: "a.b", path: "src/a.ts" };
    expect(await editor.run(ignoreProblemCommand, quiet)).toEqual({ outcome: "done", rule: quiet });
    for (const [index, rule] of [{ key: "a.b" }, { key: "a.*" }, { path: "src/a.ts" }].entries()) {
      pickInNextList((items) => items[index]);
      expect(await editor.ask(ignoreProblemCommand, quiet)).toEqual({
        outcome: "done",
        rule: { ...rule, code: "unknown-key" },
      });
    }
    expect(await editor.run(ignoreProblemCommand, { code: "unknown-key" })).toMatchObject({
      error: { code: "invalid" },
    });
    expect(await editor.run(ignoreProblemCommand, { key: "a" })).toMatchObject({
      error: { code: "invalid" },
    });
  });

  test("of a wrong text change the file, one or all", async () => {
    await editor.show(DUTCH);
    await waitUntil(() => editor.problems(DUTCH).length > 0);
    expect(await titles(DUTCH, "empty")).toMatchInlineSnapshot(`
      [
        "Ignore by a pattern…",
      ]
    `);
    expect(await titles(DUTCH, "total")).toMatchInlineSnapshot(`
      [
        "Change to “Totaal: {{amount}} voor {{name}}” in this file",
        "Ignore by a pattern…",
      ]
    `);
    const context = (only: CodeActionKind | undefined) => ({ diagnostics: [], only });
    for (const kind of [CodeActionKind.Source, CodeActionKind.SourceFixAll])
      expect((await actionsIn(DUTCH, context(kind))).map(({ title }) => title)).toMatchInlineSnapshot(`
        [
          "Apply all suggestions in this file (1)",
        ]
      `);
    const [whole] = await actionsIn(DUTCH, context(CodeActionKind.SourceFixAll));
    expect(whole?.kind.value).toBe("source.fixAll.projectTranslations");
    expect(await actionsIn(DUTCH, context(undefined))).toEqual([]);
    expect(await actionsIn(DUTCH, context(CodeActionKind.Source.append("organizeImports")))).toEqual([]);
    // What is ignored is left as it is.
    const before = await editor.text(DUTCH);
    await apply(
      titled(
        await actionsIn(DUTCH, context(CodeActionKind.SourceFixAll)),
        "Apply all suggestions in this file (1)",
      ),
    );
    expect(await editor.text(DUTCH)).toBe(
      before.replace("{{amont}} voor {{nam}}", "{{amount}} voor {{name}}"),
    );
    await waitUntil(() => editor.problems(DUTCH).every((problem) => !problem.includes("cart:total")));
    expect(await actionsIn(DUTCH, context(CodeActionKind.SourceFixAll))).toEqual([]);
  });

  test("change no file that the editor shows in another encoding", async () => {
    const names = ["plain", "wide"];
    for (const name of names) await editor.write(`locales/en/${name}.json`, `{ "of": "Of {{name}}" }\n`);
    const dutch = `{ "of": "Van {{nam}}" }\n`;
    await editor.write("locales/nl/plain.json", dutch);
    await writeFile(join(editor.folder, "locales/nl/wide.json"), Buffer.from(`\uFEFF${dutch}`, "utf16le"));
    const offered = (name: string) =>
      actionsIn(`locales/nl/${name}.json`, { diagnostics: [], only: CodeActionKind.SourceFixAll });
    await waitUntil(async () => (await offered("plain")).length === 1);
    expect(await offered("wide")).toEqual([]);
    for (const name of names)
      for (const locale of ["en", "nl"]) await rm(join(editor.folder, `locales/${locale}/${name}.json`));
  });

  test("add an entry for an unknown key; a comment above a call of several lines is one for its key", async () => {
    const path = "src/lines.tsx";
    await editor.write(
      path,
      `import { useTranslation } from "react-i18next";
export function Lines() {
  const { t } = useTranslation("cart");
  // project-translations-ignore-next-line
  const left = t(
    "far.below",
  );
  const deep = t(
    // project-translations-ignore-next-line
    "deep.down",
  );
  return [left, deep, t("brand")];
}
`,
    );
    await editor.show(path);
    await waitUntil(() => editor.problems(path).length > 0);
    expect(editor.problems(path)).toEqual(["12: Unknown key “brand”: no translation file has it."]);
    answerNextInput((input) => {
      expect([input.title, input.value]).toEqual(["en · cart:brand", ""]);
      input.type("Brand");
      input.accept();
    });
    const fix = titled(await fixes(path, "brand"), "Add “cart:brand” to the translation files…");
    expect(await apply(fix)).toMatchObject({ outcome: "done", file: ENGLISH, created: true });
    expect(await editor.read(ENGLISH)).toContain('"brand": "Brand"');
    await waitUntil(() => editor.problems(path).length === 0);
  });

  test("there are none of a file that has an error, which is shown where it is", async () => {
    const { document } = await editor.show(DUTCH);
    document.type(selectionIn(document, '|"empty"|'), '"twice": "a",\n  "twice": "b",\n  "empty"');
    await waitUntil(() => editor.problems(DUTCH).some((problem) => problem.includes("more than once")));
    const [twice] = editor.problems(DUTCH).filter((problem) => problem.includes("more than once"));
    expect(twice).toMatch(/^4: .*twice appears more than once/u);
    expect(await fixes(DUTCH, "more than once")).toEqual([]);
  });
});

describe("several languages, names and forms", () => {
  const hook = `import { useTranslation } from "react-i18next";\nconst { t } = useTranslation("cart");\n`;
  const titles = async (path: string, words: string) => (await fixes(path, words)).map(({ title }) => title);
  test("each language of a key has its own problem, and each key that a usage may show", async () => {
    const who = (...texts: readonly string[]): string =>
      JSON.stringify({ who_female: texts[0], who_male: texts[1] });
    await editor.write("locales/en/who.json", who("She of {{name}}", "He of {{name}}"));
    await editor.write("locales/nl/who.json", who("Zij van {{nam}}", "Hij van {{nam}}"));
    await editor.write("locales/de/who.json", who("Sie von {{name}}", "Er von {{nam}}"));
    const path = "src/who.tsx";
    await editor.write(path, `${hook}export const who = t("who:who", { context: sex, name: "x" });\n`);
    await editor.show(path);
    await waitUntil(() => editor.problems(path).length === 3);
    const wrong = "{{name}} is missing, {{nam}} is unknown";
    expect(editor.problems(path).toSorted()).toEqual([
      `3: who:who_female (nl): ${wrong}`,
      `3: who:who_male (de): ${wrong}`,
      `3: who:who_male (nl): ${wrong}`,
    ]);
    // All at once are mended at a service only.
    expect(await titles(path, "who_male (nl)")).toEqual([
      "Change nl to “Hij van {{name}}”",
      "Ignore here",
      "Ignore by a pattern…",
    ]);
  });

  test("a name may be one of each namespace; a new entry is in one that there is", async () => {
    const path = "src/names.ts";
    // All of them, not the first one only.
    const hook = `import { useTranslation } from "i18next-vue";
const { t } = useTranslation(["nope", "cart", "cart_more"]);
`;
    await editor.write("locales/nl/cart_more.json", `{ "dutch": "Alleen hier" }\n`);
    await editor.write(path, `${hook}const name = "unheard";\nexport const names = [t("dutch"), t(name)];\n`);
    await editor.show(path);
    await waitUntil(() => editor.problems(path).length === 1);
    expect(editor.problems(path)).toEqual(["4: Unknown key “unheard”: no translation file has it."]);
    const fix = titled(await fixes(path, "unheard"), "Add “cart:unheard” to the translation files…");
    expect(fix.command?.arguments).toMatchObject([{ namespace: "cart", key: "unheard", locale: "en" }]);
  });

  test("of several wrong forms each is mended, or all at once; a number is no problem", async () => {
    const of = (name: string, count: string) =>
      `{ "of_one": "{{${count}}} of {{${name}}}", "of_other": "{{${count}}}s of {{${name}}}", "size": 12 }\n`;
    await editor.write("locales/en/forms.json", of("name", "count"));
    const path = "locales/nl/forms.json";
    await editor.write(path, of("nam", "count"));
    await editor.show(path);
    await waitUntil(() => editor.problems(path).length > 0);
    expect(editor.problems(path)).toHaveLength(1);
    expect(await titles(path, "nam")).toEqual([
      "Change to “{{count}} of {{name}}” in this file",
      "Change to “{{count}}s of {{name}}” in this file",
      "Ignore by a pattern…",
    ]);
    const all = await actionsIn(path, { diagnostics: [], only: CodeActionKind.SourceFixAll });
    await apply(titled(all, "Apply all suggestions in this file (1)"));
    expect(await editor.text(path)).toBe(of("name", "count"));
    await waitUntil(() => editor.problems(path).length === 0);
  });

  test("mended all at once are those of the open file only, where another one has the same key", async () => {
    const before = await editor.read("project-translations.json");
    const second = '{ "path": "more/{locale}/twice.json", "format": "json_js", "namespace": "twice" }';
    const both = ["locales/nl/twice.json", "more/nl/twice.json"] as const;
    for (const folder of ["locales", "more"])
      await editor.write(`${folder}/en/twice.json`, `{ "of": "Of {{name}}" }\n`);
    await editor.write(both[0], `{ "of": "Van {{nam}}" }\n`);
    await editor.write(both[1], `{ "of": "Uit {{nam}}" }\n`);
    await editor.write("project-translations.json", before.replace("}],", `}, ${second}],`));
    const allFixes = { diagnostics: [], only: CodeActionKind.SourceFixAll };
    const offered = async () => (await Promise.all(both.map((path) => actionsIn(path, allFixes)))).flat();
    await waitUntil(async () => (await offered()).length > 0);
    for (const path of both)
      for (const action of await actionsIn(path, allFixes)) {
        expect(action.edit?.edits.map(({ uri }) => uri.path)).toEqual([editor.uri(path).path]);
        await apply(action);
      }
    const texts = await Promise.all(both.map((path) => editor.text(path)));
    expect(texts.map((text) => text.replace("{{nam}}", "{{name}}"))).toEqual([
      `{ "of": "Van {{name}}" }\n`,
      `{ "of": "Uit {{name}}" }\n`,
    ]);
    await editor.write("project-translations.json", before);
  });

  test("change a misspelt key where it is written, also if a constant has it", async () => {
    const path = "src/constant.tsx";
    const code = `${hook}const name = "titel";\nexport const named = t(name);\n`;
    await editor.write(path, code);
    await editor.show(path);
    await waitUntil(() => editor.problems(path).length > 0);
    await apply(titled(await fixes(path, "titel"), "Change to “title”"));
    expect(await editor.text(path)).toBe(code.replace("titel", "title"));
  });

  test("an empty text is untranslated, which is said at the source text", async () => {
    setSetting("projectTranslations.diagnostics.missingTranslation", "hint");
    const [english, dutch] = ["locales/en/empty.json", "locales/nl/empty.json"];
    await editor.write(english, `{ "one": "One" }\n`);
    await editor.write(dutch, `{ "one": "" }\n`);
    await editor.show(english);
    await waitUntil(() => editor.problems(english).length > 0);
    expect(editor.problems(english)).toEqual(["1: empty:one (de, nl): untranslated"]);
    await editor.show(dutch);
    await waitUntil(() => [...problems].some(([uri]) => uri.path === editor.uri(dutch).path));
    expect(editor.problems(dutch)).toEqual([]);
  });
});
