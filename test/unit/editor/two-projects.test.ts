/** Two projects in a window, one of which uses texts of the other: each thing is of the right one. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findUnusedCommand, findUsesCommand } from "../../../src/commands/declarations/key-commands.ts";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { signInCommand } from "../../../src/commands/declarations/session-commands.ts";
import {
  chooseInlayLanguageCommand,
  showDiagnosisCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { editorUri } from "../../../src/vscode/files/editor-uri.ts";
import { type Editor, NOT_CANCELLED, openEditor, selectionIn, wordsAt } from "../support/open-editor.ts";
import { waitUntil } from "../support/wait-until.ts";
import {
  CancellationTokenSource,
  closeTabs,
  type CodeAction,
  commands,
  type CompletionList,
  customEditors,
  type InlayHint,
  type Location,
  openWith,
  pickInNextList,
  problems,
  providersFor,
  Range,
  setSetting,
  statusBarItems,
  Uri,
  views,
  window,
  workspace,
  type WorkspaceEdit,
} from "../support/vscode-stub.ts";

const LAYOUT = JSON.stringify({
  files: [{ path: "locales/{locale}/{namespace}.json", format: "json_js" }],
  sourceLocale: "en",
});
const MANIFEST = JSON.stringify({ dependencies: { i18next: "^23.0.0" } });
const FILES = {
  "README.md": "Of no project\n",
  "shared/package.json": MANIFEST,
  "shared/project-translations.json": LAYOUT,
  "shared/locales/en/common.json": `{ "save": "Save", "close": "Close", "unused": "Nobody" }\n`,
  "shared/locales/nl/common.json": `{ "save": "Opslaan" }\n`,
  "shared/src/save.ts": `import i18next from "i18next";\nexport const save = i18next.t("common:save");\n`,
  "web/package.json": MANIFEST,
  "web/project-translations.json": LAYOUT,
  // A key that may be one of either project.
  "web/src/both.ts": `import i18next from "i18next";
const key = Math.random() > 0.5 ? "cart:title" : "common:close";
export const both = [i18next.t(key), i18next.t("common:close"), i18next.t("common:close")];
`,
  "web/src/either.ts": `import i18next from "i18next";
const key = Math.random() > 0.5 ? "cart:nothing" : "common:close";
export const either = i18next.t(key);
`,
  "web/locales/en/cart.json": `{ "title": "Your cart" }\n`,
  "web/locales/de/cart.json": `{ "title": "Dein Korb" }\n`,
  "web/src/cart.ts": `import i18next from "i18next";
export const title = i18next.t("cart:title");
export const close = i18next.t("common:close");
export const save = i18next.t("common:save");
export const typed = i18next.t("");
const t = i18next.getFixedT(null, "common");
export const bound = t("");
`,
};
const CODE = "web/src/cart.ts";

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES });
  for (const folder of ["shared", "web"])
    await editor.run(listKeysCommand, { folder: editor.uri(folder).fsPath });
});
afterAll(() => editor.close());

const references = async (path: string, words: string, includeDeclaration: boolean) => {
  const given = ["Reference", "provideReferences", path, words] as const;
  const found = await editor.provide<readonly Location[]>(...given, { includeDeclaration });
  return (await wordsAt(editor, found)).toSorted();
};

test("all code is searched for references to a key, also directly after the start", async () => {
  // Without an editor, which would be one of the project.
  const document = await workspace.openTextDocument(editor.uri("shared/locales/en/common.json"));
  const [provider] = providersFor<{
    provideReferences(...given: readonly unknown[]): Promise<readonly Location[]>;
  }>("Reference", document);
  const { active } = selectionIn(document, '"sa|ve"');
  const given = [document, active, { includeDeclaration: false }, NOT_CANCELLED] as const;
  const found = (await provider?.provideReferences(...given)) ?? [];
  expect(
    found.map(({ uri, range }) => `${uri.path.slice(editor.folder.length)}:${range.start.line}`),
  ).toEqual(["/shared/src/save.ts:1", "/web/src/cart.ts:3"]);
});

test("a command is for the project of the editor, of the option, or of the list", async () => {
  const keysOf = async (result: Promise<{ readonly outcome: string }>) =>
    ((await result) as { readonly keys?: readonly { readonly key: string }[] }).keys?.map(({ key }) => key);
  expect(await editor.run(listKeysCommand, {})).toMatchObject({ error: { code: "no_project" } });
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toEqual(["shared", "web"]);
    return items[1];
  });
  expect(await keysOf(editor.ask(listKeysCommand, {}))).toEqual(["title"]);
  await editor.show("shared/locales/nl/common.json");
  expect(await keysOf(editor.run(listKeysCommand, {}))).toEqual(["save", "close", "unused"]);
  const folder = editor.uri(CODE).toString();
  expect(await keysOf(editor.run(listKeysCommand, { folder }))).toEqual(["title"]);
});

test("a command asks which project it is for while a file of none is open", async () => {
  await editor.show(CODE);
  await editor.show("README.md");
  expect(await editor.run(listKeysCommand, {})).toMatchObject({ error: { code: "no_project" } });
  // The translation editor is one of its project.
  await openWith(editorUri(editor.uri("shared"), "Translations"), "projectTranslations.editor");
  expect(await editor.run(listKeysCommand, {})).toMatchObject({ keys: [{ key: "save" }, {}, {}] });
  closeTabs(customEditors());
  expect(await editor.run(listKeysCommand, {})).toMatchObject({ error: { code: "no_project" } });
  // Without any editor it is for the last one, but nobody signs in to that by chance.
  await editor.show(CODE);
  window.activeTextEditor = undefined;
  expect(await editor.run(listKeysCommand, {})).toMatchObject({ keys: [{ key: "title" }] });
  expect(await editor.run(signInCommand, {})).toMatchObject({ error: { code: "no_project" } });
});

test("the status bar is about the project of the last file, and so is its menu", async () => {
  const click = () => statusBarItems.get("projectTranslations.status")?.command;
  for (const name of ["shared", "web"]) {
    await editor.show(`${name}/package.json`);
    await waitUntil(() => JSON.stringify(click()?.arguments).includes(`/${name}"`));
  }
  // Both are open already.
  await editor.show("shared/package.json");
  await waitUntil(() => JSON.stringify(click()?.arguments).includes(`/shared"`));
  await editor.show("web/package.json");
  await waitUntil(() => JSON.stringify(click()?.arguments).includes(`/web"`));
  // A text without a file is of the last project, too.
  await window.showTextDocument(Uri.from({ scheme: "untitled", path: "Untitled-1" }));
  expect(await editor.run(listKeysCommand, {})).toMatchObject({ keys: [{ key: "title" }] });
  await editor.show("README.md");
  pickInNextList((_items, { title }) => {
    expect(title).toBe("web");
    return undefined;
  });
  const { command = "", arguments: given = [] } = click() ?? {};
  expect(await commands.executeCommand(command, ...given)).toEqual({ outcome: "cancelled" });
});

test("code shows the texts of the other project", async () => {
  expect(await editor.hover(CODE, '"common:sa|ve"')).toMatchInlineSnapshot(`
    "**common&#58;save**

    \`en\` Save ⏎
    \`nl\` Opslaan [$(edit)](editTranslation ./shared common save  nl "Edit nl")

    ---

    [$(go-to-file) Go to Entry](goToEntry ./shared common save ) &nbsp; [$(globe) All languages](openEditor ./shared common save )"
  `);
  expect(await editor.hover("web/src/both.ts", "t(k|ey)")).toMatchInlineSnapshot(`
    "**cart&#58;title**

    \`en\` Your cart ⏎
    \`de\` Dein Korb [$(edit)](editTranslation ./web cart title  de "Edit de")

    ---

    [$(go-to-file) Go to Entry](goToEntry ./web cart title ) &nbsp; [$(globe) All languages](openEditor ./web cart title )"
  `);
  // The first name of two is no key.
  expect(await editor.hover("web/src/either.ts", "t(k|ey)")).toContain("**common&#58;close**\n\n`en` Close");
  expect(await editor.hints(CODE)).toEqual(["2:43 Your cart", "3:45 Close", "4:43 Save"]);
  // Inline in the language that was chosen for the project that has the text.
  const folder = editor.uri("shared").fsPath;
  await editor.run(chooseInlayLanguageCommand, { folder, locale: "nl" });
  expect(await editor.hints(CODE)).toEqual(["2:43 Your cart", "3:45 en: Close", "4:43 Opslaan"]);
  await editor.run(chooseInlayLanguageCommand, { folder, locale: null });
});

test("completion offers the namespaces of the other project, and its keys once one is written", async () => {
  const labels = async (words: string) =>
    (await editor.provide<CompletionList>("Completion", "provideCompletionItems", CODE, words)).items.map(
      ({ label }) => label.label,
    );
  expect(await labels('t("|")')).toEqual(["common:", "cart:title"]);
  expect(await labels('"common:|save"')).toEqual(["common:save", "common:close", "common:unused"]);
  // Or is bound.
  expect(await labels('bound = t("|")')).toEqual(["cart:title", "save", "close", "unused"]);
  // Nobody waits for it any more.
  const left = new CancellationTokenSource();
  left.cancel();
  const given = ["Completion", "provideCompletionItems", CODE, 't("|")', left.token] as const;
  expect(await editor.provide(...given)).toBeUndefined();
});

test("usages are those of both projects", async () => {
  const uses = async (folder: string, namespace: string, key: string) =>
    await editor.run(findUsesCommand, { folder: editor.uri(folder).fsPath, namespace, key });
  expect(await uses("shared", "common", "save")).toMatchInlineSnapshot(`
    {
      "outcome": "done",
      "uses": [
        {
          "character": 31,
          "line": 1,
          "path": "src/save.ts",
          "pattern": null,
        },
        {
          "character": 31,
          "line": 3,
          "path": "../web/src/cart.ts",
          "pattern": null,
        },
      ],
    }
  `);
  expect(await uses("web", "cart", "title")).toMatchObject({
    uses: [{ path: "src/both.ts" }, { path: "src/cart.ts", line: 1 }],
  });
  // Also those on one line.
  expect(await references("shared/locales/en/common.json", '"clo|se"', true)).toEqual([
    "shared/locales/en/common.json: close",
    "web/src/both.ts: common:close",
    "web/src/both.ts: common:close",
    "web/src/both.ts: key",
    "web/src/cart.ts: common:close",
    "web/src/either.ts: key",
  ]);
  const left = new CancellationTokenSource();
  left.cancel();
  const given = ["Reference", "provideReferences", "shared/locales/en/common.json", '"sa|ve"'] as const;
  // There is no error in the place of those that nobody waits for.
  expect(await editor.provide(...given, { includeDeclaration: false }, left.token)).toBeUndefined();
  const definition = await editor.provide<readonly { readonly targetUri: Uri }[]>(
    "Definition",
    "provideDefinition",
    CODE,
    '"common:sa|ve"',
  );
  expect(definition.map(({ targetUri }) => targetUri.path)).toEqual([
    editor.uri("shared/locales/en/common.json").path,
  ]);
  // Or of the one whose key it may be.
  const [either] = await editor.provide<readonly { readonly targetUri: Uri }[]>(
    "Definition",
    "provideDefinition",
    "web/src/either.ts",
    "t(k|ey)",
  );
  expect(either?.targetUri.path).toBe(editor.uri("shared/locales/en/common.json").path);
  expect(await editor.lenses("shared/locales/en/common.json")).toMatchInlineSnapshot(`
    [
      "1 3 keys · 1/3 translated",
    ]
  `);
});

test("a key that only the other project uses is used", async () => {
  const report = (folder: string) => editor.run(findUnusedCommand, { folder: editor.uri(folder).fsPath });
  expect(await report("shared")).toMatchObject({ used: 2, unused: [{ key: "unused" }] });
  expect(await report("web")).toMatchObject({ used: 1, unused: [] });
});

test("views have a row for each project", async () => {
  expect(await editor.rows("languages")).toEqual([
    "Connect to a translation service… | sign in, or start one here",
    "shared | local files",
    "web | local files",
  ]);
  // The files of other languages are read last.
  await waitUntil(async () => (await editor.rows("languages", "shared")).includes("Nederlands (nl) | 33%"));
  expect(await editor.rows("languages", "shared")).toEqual([
    "English (en) | source, 3 keys",
    "Nederlands (nl) | 33%",
  ]);
  await waitUntil(async () => (await editor.rows("languages", "web")).includes("Deutsch (de) | 100%"));
  expect((await editor.row("languages", "web")).contextValue).toBe("signedOutProject");
});

test("a rename changes the code of both projects, and the files of one", async () => {
  const edit = await editor.provide<WorkspaceEdit>(
    "Rename",
    "provideRenameEdits",
    CODE,
    '"common:sa|ve"',
    "common:store",
  );
  expect(edit.edits.map(({ uri, text, label }) => [uri.path.slice(editor.folder.length + 1), text, label]))
    .toMatchInlineSnapshot(`
    [
      [
        "shared/locales/en/common.json",
        "store",
        "Translation files",
      ],
      [
        "shared/locales/nl/common.json",
        "store",
        "Translation files",
      ],
      [
        "shared/src/save.ts",
        "common:store",
        "References to the key",
      ],
      [
        "web/src/cart.ts",
        "common:store",
        "References to the key",
      ],
    ]
  `);
});

test("a problem of a text of the other project is ignored by a rule of the project with the code", async () => {
  await editor.write("shared/locales/en/mail.json", `{ "hi": "Hi {{name}}", "bye": "Bye {{name}}" }\n`);
  await editor.write("shared/locales/nl/mail.json", `{ "hi": "Hoi", "bye": "Dag {{nam}}" }\n`);
  const path = "web/src/mail.ts";
  await editor.write(
    path,
    `import i18next from "i18next";
export const hi = i18next.t("mail:hi");
export const bye = i18next.t("mail:bye");
`,
  );
  await editor.show(path);
  const isWrong = (problem: string): boolean => problem.includes("{{name}} is missing");
  await waitUntil(() => editor.problems(path).filter(isWrong).length === 2);
  // Their view has them where the text is.
  const issues = () => views.get("projectTranslations.issues");
  await waitUntil(() => issues()?.badge !== undefined);
  expect([issues()?.badge, issues()?.message, await editor.rows("issues")]).toMatchInlineSnapshot(`
    [
      {
        "tooltip": "2 QA errors",
        "value": 2,
      },
      "",
      [
        "shared",
      ],
    ]
  `);
  expect(await editor.rows("issues", "shared")).toMatchInlineSnapshot(`
    [
      "Nederlands (nl) | 2 QA errors",
    ]
  `);
  const fix = async (title: string) => {
    const [problem] = problems.of(editor.uri(path));
    const all = await editor.provideAll<readonly CodeAction[]>(
      "CodeActions",
      "provideCodeActions",
      path,
      new Range(0, 0, 0, 0),
      { diagnostics: [problem], only: undefined },
    );
    const { command } = all.flat().find((each) => each.title === title) ?? {};
    return commands.executeCommand(command?.command ?? "", ...(command?.arguments ?? []));
  };
  pickInNextList("mail:hi");
  const rule = { key: "mail:hi", code: "i18next.missing" };
  expect(await fix("Ignore by a pattern…")).toEqual({ outcome: "done", rule });
  const rules = async (folder: string) =>
    (JSON.parse(await editor.read(`${folder}/project-translations.json`)) as { diagnostics?: object })
      .diagnostics;
  expect([await rules("shared"), await rules("web")]).toEqual([undefined, { ignore: [rule] }]);
  await waitUntil(() => editor.problems(path).length === 1);
  expect(editor.problems(path)).toEqual(["3: mail:bye (nl): {{name}} is missing, {{nam}} is unknown"]);
  // The text is mended where it is.
  expect(await fix("Change nl to “Dag {{name}}”")).toMatchObject({ outcome: "done" });
  expect(await editor.read("shared/locales/nl/mail.json")).toContain(`"bye": "Dag {{name}}"`);
  await waitUntil(() => editor.problems(path).length === 0);
  await waitUntil(
    async () => (await editor.rows("issues", "shared")).join() === "Nederlands (nl) | 1 QA error",
  );
});

test("what is missing in the other project is said of its languages, and translated there", async () => {
  setSetting("projectTranslations.diagnostics.missingTranslation", "information");
  await editor.show(CODE);
  await waitUntil(() => editor.problems(CODE).length > 0);
  expect(editor.problems(CODE)).toEqual(["3: common:close (nl): untranslated"]);
  const context = { diagnostics: problems.of(editor.uri(CODE)), only: undefined };
  const given = ["CodeActions", "provideCodeActions", CODE, new Range(0, 0, 0, 0), context] as const;
  const [fix] = (await editor.provideAll<readonly CodeAction[]>(...given)).flat();
  expect([fix?.title, fix?.command?.arguments]).toMatchObject([
    "Translate into nl…",
    [{ folder: editor.uri("shared"), namespace: "common", key: "close", locale: "nl" }],
  ]);
});

const LATE = "web/src/late.ts";

test("problems of code follow the keys of the other project", async () => {
  const path = LATE;
  const common = "shared/locales/en/common.json";
  await editor.write(
    path,
    `import i18next from "i18next";\nexport const late = i18next.t("common:later");\n`,
  );
  await waitUntil(() => editor.problems(path).length === 1);
  const before = await editor.read(common);
  await editor.write(common, before.replace("{ ", `{ "later": "Later", `));
  await waitUntil(() => editor.problems(path).length === 0);
  await editor.write(common, before);
  await waitUntil(() => editor.problems(path).length === 1);
});

test("of several keys that code may mean, all of one project are shown", async () => {
  const path = "web/src/three.ts";
  await editor.write(
    path,
    `import i18next from "i18next";
const key = Math.random() > 0.5 ? "common:save" : Math.random() > 0.5 ? "cart:title" : "common:close";
export const three = i18next.t(key);
`,
  );
  expect(await editor.hover(path, "t(k|ey)")).toMatchInlineSnapshot(`
    "$(list-tree) May refer to 2 keys

    - **common&#58;save** Save
    - **common&#58;close** Close"
  `);
  const linked = async (kind: "Definition" | "Implementation") => {
    const links = await editor.provide<
      readonly { readonly targetUri: Uri; readonly targetSelectionRange: Range }[]
    >(kind, `provide${kind}`, path, "t(k|ey)");
    return wordsAt(
      editor,
      links.map(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange })),
    );
  };
  expect(await linked("Definition")).toMatchInlineSnapshot(`
    [
      "shared/locales/en/common.json: save",
      "shared/locales/en/common.json: close",
    ]
  `);
  expect(await linked("Implementation")).toMatchInlineSnapshot(`
    [
      "shared/locales/en/common.json: save",
      "shared/locales/nl/common.json: save",
      "shared/locales/en/common.json: close",
    ]
  `);
  // That of the other project is none of this one's, which has a key of the same name.
  await editor.write("shared/locales/en/cart.json", `{ "title": "Another cart" }\n`);
  const folder = editor.uri("shared").fsPath;
  expect(await editor.run(listKeysCommand, { folder })).toMatchObject({
    keys: expect.objectContaining({ length: 6 }),
  });
  expect(await linked("Definition")).toHaveLength(2);
  await rm(editor.uri("shared/locales/en/cart.json").fsPath);
  expect(await editor.run(listKeysCommand, { folder })).toMatchObject({
    keys: expect.objectContaining({ length: 5 }),
  });
  // It is one place, although it may be of several keys.
  await waitUntil(async () => (await references(path, "t(k|ey)", true)).includes(`${path}: key`));
  expect(await references(path, "t(k|ey)", true)).toMatchInlineSnapshot(`
    [
      "shared/locales/en/common.json: close",
      "shared/locales/en/common.json: save",
      "shared/locales/nl/common.json: save",
      "shared/src/save.ts: common:save",
      "web/src/both.ts: common:close",
      "web/src/both.ts: common:close",
      "web/src/both.ts: key",
      "web/src/cart.ts: common:close",
      "web/src/cart.ts: common:save",
      "web/src/either.ts: key",
      "web/src/three.ts: key",
    ]
  `);
});

test("inline translations and lenses are of the project that has the key", async () => {
  const { document } = await editor.show(CODE);
  const whole = new Range(0, 0, 9, 0);
  const [hints = []] = await editor.provideAll<readonly InlayHint[]>(
    "InlayHints",
    "provideInlayHints",
    CODE,
    whole,
  );
  const [provider] = providersFor<{ resolveInlayHint(hint: InlayHint): InlayHint }>("InlayHints", document);
  const save = hints.find(({ label }) => label === "Save") ?? expect.fail("there is a hint");
  expect(provider?.resolveInlayHint(save).tooltip?.value).toContain("`nl` Opslaan");
  const close = hints.find(({ label }) => label === "Close") ?? expect.fail("there is a hint");
  expect(provider?.resolveInlayHint(close).tooltip?.value).toContain("`nl` $(circle-slash) untranslated");
  const layout = JSON.parse(LAYOUT) as object;
  await editor.write("shared/project-translations.json", JSON.stringify({ ...layout, preview: ["nl"] }));
  const shown = async () => (await editor.hints(CODE)).map((hint) => hint.replace(/^\S+ /u, "")).join(", ");
  await waitUntil(async () => (await shown()) === "Your cart, en: Close, Opslaan");
  await editor.write("shared/project-translations.json", LAYOUT);
  await waitUntil(async () => (await shown()) === "Your cart, Close, Save");
  const counted = async () => (await editor.lenses("web/locales/en/cart.json"))[1];
  await waitUntil(async () => (await counted()) === "1 3 references");
  pickInNextList((items, { title }) => {
    expect([title, items.map(({ label }) => label).toSorted()]).toEqual([
      "3 references to cart:title",
      ["$(file-code) src/both.ts:3", "$(file-code) src/cart.ts:2", "$(file-code) src/three.ts:3"],
    ]);
    return undefined;
  });
  await editor.clickLens("web/locales/en/cart.json", "3 references");
});

test("a diagnosis is of all projects, or of the one that was asked for", async () => {
  const headings = async (options: object) => {
    const result = (await editor.run(showDiagnosisCommand, options)) as { readonly text?: string };
    return result.text?.match(/^##? .*$/gmu);
  };
  expect(await headings({})).toMatchInlineSnapshot(`
    [
      "# Project Translations: diagnostics",
      "## shared",
      "## web",
      "## Last warnings and errors",
    ]
  `);
  expect(await headings({ folder: editor.uri("web").fsPath })).toMatchInlineSnapshot(`
    [
      "# Project Translations: diagnostics",
      "## web",
      "## Last warnings and errors",
    ]
  `);
});

test("usages are counted again once the code of the other project was searched, too", async () => {
  const path = "shared/locales/en/lines.json";
  await editor.write(path, `{\n  "one": "One"\n}\n`);
  await editor.write(
    "web/src/lines.ts",
    `import i18next from "i18next";\nexport const one = i18next.t("lines:one");\n`,
  );
  const usages = async () => (await editor.lenses(path)).filter((lens) => lens.includes("reference"));
  await waitUntil(async () => (await usages())[0] === "2 1 reference");
  await waitUntil(() => editor.problems(LATE).length === 1);
  const hold = Promise.withResolvers<void>();
  let isHeld = false;
  const forProject = Reflect.get(IndexerClient.prototype, "forProject");
  vi.spyOn(IndexerClient.prototype, "forProject").mockImplementation(function (this: IndexerClient, ...args) {
    const indexing = forProject.apply(this, args);
    if (args[1] !== editor.uri("web").fsPath) return indexing;
    const update: typeof indexing.usages.update = async (...request) => {
      isHeld = true;
      await hold.promise;
      await indexing.usages.update(...request);
    };
    return { ...indexing, usages: { ...indexing.usages, update } };
  });
  const layout = JSON.parse(LAYOUT) as object;
  const usage = { functions: [{ name: "say", key: 0 }] };
  await editor.write("web/project-translations.json", JSON.stringify({ ...layout, usage }));
  await waitUntil(() => isHeld);
  expect(await usages()).toEqual(["2 counting references…"]);
  // Until then no key is said to be unknown in that code: another function may have it.
  await editor.show(LATE);
  await waitUntil(() => editor.problems(LATE).length === 0);
  hold.resolve();
  await waitUntil(() => editor.problems(LATE).length === 1);
  await waitUntil(async () => (await usages())[0] === "2 1 reference");
});
