/** A window without a project, or without a project file: what it offers, sets up and starts. */
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
  showMenuCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { contextKeyIs, type Editor, NOT_CANCELLED, openEditor } from "../support/open-editor.ts";
import {
  answerNextInput,
  builtInCommands,
  commands,
  messages,
  pickInNextList,
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
  vi.spyOn(window, "showOpenDialog").mockResolvedValueOnce([editor.uri("strings-nl.php")]);
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
});

test("what is wrong with a path is said while it is typed", async () => {
  editor = await openEditor({
    files: {
      "texts/first-nl.json": '{ "a": "Aap" }\n',
      "texts/empty.json": "[]\n",
      "texts/all.json": '{ "en": { "a": "Ape" }, "nl": { "a": "Aap" } }\n',
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
      [" ", "../{locale}.json", "texts/{lang}.json", "text/{locale}.json", "texts/empty.json"],
      "texts/empty.json",
    ),
  ).toEqual([
    "Enter a path.",
    "Enter a path in the folder, with “/” between its parts.",
    "{lang} is not known: {locale} is the language, {namespace} a group of keys.",
    "No file in the folder has such a path.",
    expect.stringMatching(/^texts\/empty\.json contains no texts that can be read as /u),
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
});

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
  await editor.write(skill, "Mine");
  expect(await editor.run(writeAgentSkillCommand, {})).toMatchObject({ error: { code: "file_changed" } });
  pickInNextList("Keep");
  expect(await editor.ask(writeAgentSkillCommand, {})).toEqual({ outcome: "cancelled" });
  pickInNextList("Replace");
  expect(await editor.ask(writeAgentSkillCommand, {})).toEqual({ outcome: "done", file: skill });
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
