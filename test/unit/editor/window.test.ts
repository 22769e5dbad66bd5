/** A window without a project, or without a project file: what it offers, sets up and starts. */
import { writeFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { listKeysCommand } from "../../../src/features/list-keys/list-keys-command.ts";
import { stopLocalServiceCommand } from "../../../src/features/local-service/local-service-commands.ts";
import { showLogCommand } from "../../../src/features/status-bar/status-bar.ts";
import { writeAgentSkillCommand } from "../../../src/features/agent-skill/write-agent-skill-command.ts";
import {
  setUpProjectFileCommand,
  startLocalServiceCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import {
  closeWelcomeCommand,
  openSettingsCommand,
  openWalkthroughCommand,
  showDiagnosisCommand,
  showMenuCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { contextKeyIs, type Editor, NOT_CANCELLED, openEditor } from "../support/open-editor.ts";
import {
  answerNextInput,
  builtInCommands,
  clickInNextMessage,
  closeTabs,
  commands,
  messages,
  pickInNextList,
  setSetting,
  statusBarItems,
  tools,
  trustGranted,
  window,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let editor: Editor;
afterEach(() => editor.close());

const LARAVEL = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "lang/en/cart.php": "<?php\n\nreturn ['title' => 'Your cart'];\n",
  "lang/nl/cart.php": "<?php\n\nreturn ['title' => 'Je mandje'];\n",
};

test("a folder without texts has no keys, and asks which files are translations", async () => {
  editor = await openEditor({
    files: {
      "text/en/app.properties": "a=b\n",
      "text/nl/app.properties": "a=c\n",
      "strings-nl.php": "<?php return ['a' => 'Aap'];\n",
    },
  });
  expect(await editor.run(listKeysCommand, {})).toMatchObject({ outcome: "done", keys: [] });
  const search = tools.get("project_translations_search_texts");
  await expect(search?.invoke({ input: { query: "a" } }, NOT_CANCELLED)).rejects.toThrow(
    "Ask the user to run the command",
  );
  await contextKeyIs("state", "signed-out");
  expect(await editor.run(setUpProjectFileCommand, {})).toMatchObject({ outcome: "unchanged" });
  expect(messages).toEqual([]);
  // With no texts of its own, the demo is what there is to see.
  pickInNextList((items) => {
    expect(items.map(({ label, description }) => [label, description])).toEqual([
      ["$(beaker) Demo project", "a web shop in five languages"],
      ["$(folder) Project for this app", "still empty"],
      ["$(database) Project in a file…", "saved for next time"],
    ]);
    return undefined;
  });
  expect(await editor.ask(startLocalServiceCommand, {})).toEqual({ outcome: "cancelled" });
  pickInNextList((items) => {
    expect(items.map(({ label, description, detail }) => [label, description, detail]))
      .toMatchInlineSnapshot(`
      [
        [
          "$(file-code) text/{locale}/{namespace}.properties",
          "format not supported",
          "2 files in en, nl",
        ],
        [
          "$(folder-opened) Choose a file…",
          undefined,
          "One of any language",
        ],
      ]
    `);
    return items[0];
  });
  expect(await editor.ask(setUpProjectFileCommand, {})).toMatchObject({ error: { code: "invalid" } });
  pickInNextList("Choose a file…");
  const choose = vi.spyOn(window, "showOpenDialog").mockResolvedValueOnce([editor.uri("strings-nl.php")]);
  answerNextInput(async (input) => {
    expect(input.value).toBe("strings-{locale}.php");
    input.type("strings/{locale}.php");
    input.accept();
    await waitUntil(() => input.validationMessage !== "");
    expect(input.validationMessage).toBe("No file in the folder has such a path.");
    input.type("strings-{locale}.php");
    input.accept();
  });
  expect(await editor.ask(setUpProjectFileCommand, {})).toMatchObject({ outcome: "done", written: 1 });
  expect(JSON.parse(await editor.read("project-translations.json"))).toEqual({
    files: [{ path: "strings-{locale}.php", format: "laravel_php" }],
  });
  expect(choose.mock.lastCall).toMatchObject([{ canSelectMany: false, defaultUri: editor.uri(".") }]);
  // They are no longer asked for.
  expect(await editor.ask(setUpProjectFileCommand, {})).toEqual({ outcome: "unchanged", written: 0 });
});

test("what is wrong with a path is said while it is typed", async () => {
  editor = await openEditor({
    files: {
      "texts/first-nl.json": '{ "a": "Aap" }\n',
      "texts/empty.json": "[]\n",
      "texts/empty.po": "\n",
      "texts/all.json": '{ "en": { "a": "Ape" }, "nl": { "a": "Aap" } }\n',
      "texts/more-nl.po": 'msgid "Ape"\nmsgstr "Aap"\n',
      "texts/jed-nl.json": `{ "locale_data": { "messages": { "": { "lang": "nl" }, "Ape": ["Aap"] } } }\n`,
    },
  });
  const typeAll = async (typed: readonly string[], picked: string) => {
    pickInNextList("Choose a file…");
    vi.spyOn(window, "showOpenDialog").mockResolvedValueOnce([editor.uri(picked)]);
    const said: unknown[] = [];
    answerNextInput(async (input) => {
      for (const text of typed) {
        input.validationMessage = undefined;
        input.type(text);
        input.accept();
        await waitUntil(() => input.validationMessage !== undefined);
        said.push(input.validationMessage);
      }
      input.hide();
    });
    expect(await editor.ask(setUpProjectFileCommand, {})).toEqual({ outcome: "cancelled" });
    return said;
  };
  expect(
    await typeAll(
      [
        " ",
        "../{locale}.json",
        "texts/{lang}.json",
        "text/{locale}.json",
        "texts/empty.json",
        "texts/empty.po",
        "texts/all.json",
      ],
      "texts/empty.json",
    ),
  ).toEqual([
    "Enter a path.",
    "Enter a path in the folder, with “/” between its parts.",
    "{lang} is not known: {locale} is the language, {namespace} a group of keys.",
    "No file in the folder has such a path.",
    expect.stringMatching(/^texts\/empty\.json contains no texts that can be read as /u),
    "texts/empty.po contains no texts that can be read as gettext PO.",
    "texts/all.json contains several languages (en, nl). Put each language into a file of its own.",
  ]);
  // A file that is not in the folder.
  pickInNextList("Choose a file…");
  vi.spyOn(window, "showOpenDialog").mockResolvedValueOnce([editor.uri("../elsewhere.json")]);
  expect(await editor.ask(setUpProjectFileCommand, {})).toMatchObject({ error: { code: "invalid" } });
  pickInNextList("Choose a file…");
  vi.spyOn(window, "showOpenDialog").mockResolvedValueOnce(undefined);
  expect(await editor.ask(setUpProjectFileCommand, {})).toEqual({ outcome: "cancelled" });
  // A person who asks for nothing after a sign-in is not asked for files.
  expect(await editor.ask(setUpProjectFileCommand, { afterSignIn: true })).toEqual({
    outcome: "unchanged",
    written: 0,
  });
  // Files of another format than those that were chosen, and then one of a single language. What the file has stays.
  const before = { path: "old/{locale}.json", format: "json_js" };
  for (const [path, format, said] of [
    ["texts/more-{locale}.po", "po", "project-translations.json now names 1 file in nl."],
    ["texts/jed-{locale}.json", "wordpress_jed", "project-translations.json now names 1 file in nl."],
    ["texts/first-nl.json", "json_js", "project-translations.json now names 1 file."],
  ] as const) {
    await editor.write("project-translations.json", JSON.stringify({ files: [before] }));
    pickInNextList("Choose a file…");
    vi.spyOn(window, "showOpenDialog").mockResolvedValueOnce([editor.uri("texts/first-nl.json")]);
    answerNextInput((input) => {
      input.type(` ${path} `);
      input.accept();
    });
    clickInNextMessage("Open File");
    expect(await editor.ask(setUpProjectFileCommand, {})).toEqual({ outcome: "done", written: 1 });
    expect(messages.at(-1)?.text).toBe(said);
    expect(JSON.parse(await editor.read("project-translations.json"))).toEqual({
      files: [before, { path, format }],
    });
    await waitUntil(() => window.activeTextEditor?.document.uri.path.endsWith("/project-translations.json"));
    closeTabs(window.tabGroups.all.flatMap(({ tabs }) => tabs));
  }
});

test("what is written later is what the file does not have, after a sign-in only what matters", async () => {
  const layout = (path: string, format: string) => ({ path, format });
  const before = `{
  // Ours.
  "files": [{ "path": "lang/{locale}/{namespace}.php", "format": "laravel_php" }],
  "preview": ["nl"]
}
`;
  editor = await openEditor({
    files: {
      ...LARAVEL,
      "lang/en.json": `{ "Save": "Save" }\n`,
      "lang/nl.json": `{ "Save": "Bewaren" }\n`,
      "lang/vendor/shop/en/a.php": "<?php\n\nreturn ['a' => 'A'];\n",
      "lang/vendor/shop/nl/a.php": "<?php\n\nreturn ['a' => 'Aa'];\n",
      ...Object.fromEntries(
        ["en", "nl"].flatMap((locale) => [
          [`web/locales/${locale}.json`, `{ "title": "Title" }\n`],
          // One module is composed of others, which are a row together.
          [
            `src/locales/${locale}/index.ts`,
            `import a from "./a.js"; import b from "./b.js"; export default { app: { a, b } };\n`,
          ],
          [`src/locales/${locale}/a.ts`, `export default { title: "A" };\n`],
          [`src/locales/${locale}/b.ts`, `export default { title: "B" };\n`],
        ]),
      ),
      "project-translations.json": before,
    },
  });
  const setUp = () => editor.ask(setUpProjectFileCommand, { afterSignIn: true });
  setSetting("projectTranslations.baseUrl", "http://127.0.0.1:1/v1");
  await waitUntil(async () => (await baseUrl()) === "http://127.0.0.1:1/v1");
  pickInNextList((items) => {
    expect(items.map(({ label, picked }) => [label, picked])).toEqual([
      ["$(link) Base URL", false],
      ["$(file-code) src/locales/{locale}/index.ts", true],
      ["$(file-code) lang/vendor/{package}/{locale}/{namespace}.php", false],
      ["$(file-code) lang/{locale}.json", true],
      ["$(file-code) web/locales/{locale}.json", true],
    ]);
    expect(items[0]?.detail).toBe("An address on this machine that nobody else can use.");
    return items.filter(({ picked }) => picked);
  });
  // One of them is for two modules.
  expect(await setUp()).toEqual({ outcome: "done", written: 4 });
  expect(messages.at(-1)?.text).toBe("4 entries were written to project-translations.json.");
  const files = [
    layout("lang/{locale}/{namespace}.php", "laravel_php"),
    ...["a", "b"].map((name) => ({
      ...layout(`src/locales/{locale}/${name}.ts`, "js_module"),
      namespace: "app",
      keyPrefix: `${name}.`,
    })),
    layout("lang/{locale}.json", "laravel_json"),
    layout("web/locales/{locale}.json", "json_js"),
  ];
  const written = await editor.read("project-translations.json");
  expect(written).toMatch(/^\{\n {2}\/\/ Ours\.\n/u);
  expect(JSON.parse(written.replace("// Ours.", ""))).toEqual({ files, preview: ["nl"] });
  const shown = messages.length;
  expect(await setUp()).toEqual({ outcome: "unchanged", written: 0 });
  expect(messages).toHaveLength(shown);
  // An address that others can use.
  setSetting("projectTranslations.baseUrl", "https://translations.example.com/v1");
  await waitUntil(async () => (await baseUrl()) === "https://translations.example.com/v1");
  pickInNextList((items) => {
    expect(items.map(({ label, picked }) => [label, picked])).toEqual([
      ["$(link) Base URL", true],
      ["$(file-code) lang/vendor/{package}/{locale}/{namespace}.php", false],
    ]);
    expect(items[0]?.detail).toBe("Your team then only needs a token.");
    return items.slice(0, 1);
  });
  expect(await setUp()).toEqual({ outcome: "done", written: 1 });
  const now = JSON.parse((await editor.read("project-translations.json")).replace("// Ours.", "")) as object;
  expect(now).toEqual({ files, preview: ["nl"], baseUrl: "https://translations.example.com/v1" });
  expect(await setUp()).toEqual({ outcome: "unchanged", written: 0 });
  // Nothing is asked for a file that cannot be written, which is opened where its error is.
  const damaged = '{\n  "files": [\n';
  await editor.write("project-translations.json", damaged);
  clickInNextMessage("Open File");
  expect(await editor.ask(setUpProjectFileCommand, {})).toMatchObject({
    error: { code: "invalid", message: expect.stringMatching(/^project-translations\.json:3:1: an error/u) },
  });
  await waitUntil(() => window.activeTextEditor?.selection.active.line === 2);
  expect(await editor.read("project-translations.json")).toBe(damaged);
});

/** What the diagnosis says of the address. */
async function baseUrl(): Promise<string | undefined> {
  const { text = "" } = (await editor.run(showDiagnosisCommand, {})) as { readonly text?: string };
  return /^- Base URL: (.*)$/mu.exec(text)?.[1];
}

test("recognised layouts are written if they are checked", async () => {
  editor = await openEditor({ files: LARAVEL });
  expect(await editor.run(setUpProjectFileCommand, {})).toMatchObject({ error: { code: "invalid" } });
  pickInNextList((items) => {
    expect(items.map(({ label, description, detail }) => [label, description, detail]))
      .toMatchInlineSnapshot(`
      [
        [
          "$(file-code) lang/{locale}/{namespace}.php",
          "Laravel PHP",
          "2 files in en, nl, for example lang/en/cart.php",
        ],
      ]
    `);
    return [];
  });
  expect(await editor.ask(setUpProjectFileCommand, {})).toEqual({ outcome: "unchanged", written: 0 });
  pickInNextList((items) => items);
  expect(await editor.ask(setUpProjectFileCommand, {})).toEqual({ outcome: "done", written: 1 });
  expect(JSON.parse(await editor.read("project-translations.json"))).toMatchObject({
    files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" }],
  });
  expect(messages.at(-1)).toMatchObject({
    text: "1 entry was written to project-translations.json.",
    actions: ["Open File"],
  });
  await editor.ask(setUpProjectFileCommand, {});
  expect(messages.at(-1)?.text).toBe(
    "project-translations.json already has everything that was found. You can add more by hand.",
  );
  // The skill for agents.
  const skill = ".claude/skills/project-translations/SKILL.md";
  expect(await editor.run(writeAgentSkillCommand, {})).toEqual({ outcome: "done", file: skill });
  expect(await editor.run(writeAgentSkillCommand, {})).toEqual({ outcome: "unchanged", file: skill });
  expect(window.activeTextEditor).toBeUndefined();
  await editor.write(skill, "Mine");
  expect(await editor.run(writeAgentSkillCommand, {})).toMatchObject({ error: { code: "file_changed" } });
  pickInNextList("Keep");
  expect(await editor.ask(writeAgentSkillCommand, {})).toEqual({ outcome: "cancelled" });
  // What somebody writes while the question is there stays, too.
  pickInNextList((items) => {
    writeFileSync(editor.uri(skill).fsPath, "Mine, and more");
    return items.find(({ label }) => label === "Replace");
  });
  expect(await editor.ask(writeAgentSkillCommand, {})).toMatchObject({ error: { code: "file_changed" } });
  expect(await editor.read(skill)).toBe("Mine, and more");
  pickInNextList("Replace");
  expect(await editor.ask(writeAgentSkillCommand, {})).toEqual({ outcome: "done", file: skill });
  expect(await editor.read(skill)).toContain("project-translations");
  expect(window.activeTextEditor?.document.uri.path).toBe(editor.uri(skill).path);
});

test("the welcome row goes when it is closed, and the menu works on files", async () => {
  editor = await openEditor({ files: LARAVEL });
  await waitUntil(async () => (await editor.rows("languages")).length > 1);
  expect((await editor.rows("languages"))[0]).toMatch(/^Connect to a translation service/u);
  expect(await editor.run(closeWelcomeCommand, {})).toEqual({ outcome: "done" });
  expect((await editor.rows("languages"))[0]).toMatch(/^English/u);
  pickInNextList((items) => {
    expect(items.map(({ label }) => label)).toMatchInlineSnapshot(`
      [
        "$(sign-in) Sign In…",
        "$(server-environment) Start Local Service…",
        "$(edit) Edit Translation…",
        "$(refresh) Refresh",
        "Show",
        "$(table) Open Translation Editor",
        "$(globe) Languages",
        "$(warning) QA Issues",
        "$(pulse) Activity",
        "$(search) Search Keys…",
        "$(references) Find Unused Keys",
        "$(eye-closed) Hide Inline Translations",
        "$(globe) Inline Language…",
        "Project",
        "$(gear) Configure Project…",
        "$(info) Show Diagnostics",
        "$(settings-gear) Settings",
        "$(mortar-board) Walkthrough",
      ]
    `);
    return undefined;
  });
  expect(await editor.ask(showMenuCommand, {})).toEqual({ outcome: "cancelled" });
  for (const command of [showLogCommand, openSettingsCommand, openWalkthroughCommand])
    expect(await editor.run(command, {})).toEqual({ outcome: "done" });
  const opened = new Map(builtInCommands.map(([id, argument]) => [id, argument]));
  expect(opened.get("workbench.action.openSettings")).toBe("@ext:test.project-translations");
  expect(opened.get("workbench.action.openWalkthrough")).toBe("test.project-translations#start");
});

test("a folder that is not trusted sends nothing until it is", async () => {
  workspace.isTrusted = false;
  editor = await openEditor({ files: LARAVEL });
  await waitUntil(
    () => statusBarItems.get("projectTranslations.status")?.text === "$(workspace-untrusted) Translations",
  );
  await contextKeyIs("state", "untrusted");
  expect(await editor.run(pushCommand, {})).toMatchObject({ error: { code: "untrusted" } });
  pickInNextList("Manage Workspace Trust");
  await editor.ask(showMenuCommand, {});
  await waitUntil(() => builtInCommands.some(([id]) => id === "workbench.trust.manage"));
  workspace.isTrusted = true;
  trustGranted.fire();
  await waitUntil(
    () => statusBarItems.get("projectTranslations.status")?.text === "$(globe) Translations: local files",
  );
  await contextKeyIs("state", "signed-out");
});

test("a local service is started once, signed in to, and signed out of when it stops", async () => {
  editor = await openEditor({ files: LARAVEL });
  expect(await editor.run(stopLocalServiceCommand, {})).toEqual({ outcome: "unchanged" });
  const first = await editor.run(startLocalServiceCommand, { signIn: true });
  expect(first).toMatchObject({ outcome: "done" });
  expect(await editor.run(startLocalServiceCommand, {})).toEqual({ ...first, outcome: "unchanged" });
  await contextKeyIs("serviceRunning", true);
  await contextKeyIs("state", "signed-in");
  await contextKeyIs("canWrite", true);
  // It is not offered to whoever asked for it.
  expect(messages.filter(({ text }) => text.startsWith("The local service runs"))).toEqual([]);
  expect(await editor.ask(stopLocalServiceCommand, {})).toEqual({ outcome: "done" });
  expect(messages.at(-1)?.text).toMatch(
    /^The local service has stopped\. Its project is kept in .*\.db\. You are signed out of it/u,
  );
  await contextKeyIs("serviceRunning", false);
  await contextKeyIs("state", "signed-out");
});

test("commands say what is wrong with their options", async () => {
  editor = await openEditor({ files: LARAVEL });
  const wrong = (options: object) =>
    commands.executeCommand(listKeysCommand.id, { confirm: false, ...options });
  expect(await wrong({ nothing: 1 })).toMatchObject({ outcome: "failed", error: { code: "invalid" } });
  expect(await wrong({ tag: 3 })).toMatchObject({
    error: { code: "invalid", errors: { tag: [expect.any(String)] } },
  });
  expect(await wrong({ folder: "/elsewhere" })).toMatchObject({ error: { code: "no_project" } });
  const shown = messages.length;
  await commands.executeCommand(listKeysCommand.id, { tag: 3 });
  expect(messages.length).toBe(shown + 1);
});
