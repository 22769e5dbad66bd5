/** One number for one thing: a project walks through its states, and all views, menus and previews are compared in each. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listIssues } from "../../../src/agent-tools/read-tools.ts";
import { runTool } from "../../../src/agent-tools/tool.ts";
import { checkFolder } from "../../../src/cli/check.ts";
import { folderToolHost } from "../../../src/cli/mcp/folder-tool-host.ts";
import { openFolder } from "../../../src/projects/open-folder.ts";
import { archiveCommand } from "../../../src/commands/declarations/key-commands.ts";
import {
  importLocalCommand,
  pullCommand,
  pushCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import {
  applySuggestionsCommand,
  setTranslationCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { activityRows } from "../../../src/features/activity-view/activity-rows.ts";
import { registerApplySuggestions } from "../../../src/features/apply-suggestions/apply-suggestions-command.ts";
import {
  registerArchive,
  restoreCommand,
} from "../../../src/features/archive-keys/archive-and-restore-commands.ts";
import {
  writeTranslation,
  writeTranslations,
} from "../../../src/features/edit-translation/set-translation-command.ts";
import { setTranslationsCommand } from "../../../src/commands/declarations/text-commands.ts";
import { registerImport } from "../../../src/features/import/import-command.ts";
import { issuesBadge } from "../../../src/features/issues-view/issues-content.ts";
import { languageContent, languageGroups } from "../../../src/features/languages-view/language-content.ts";
import { registerPush } from "../../../src/features/push/push-command.ts";
import { registerPull } from "../../../src/features/pull/pull-command.ts";
import { menuItems } from "../../../src/features/status-bar/menu-items.ts";
import { statusContent } from "../../../src/features/status-bar/status-content.ts";
import { isError, issueCountTexts } from "../../../src/messages/issue-messages.ts";
import { ALL_ROWS, type RowFilter } from "../../../src/model/translation-editor-filters.ts";
import { TranslationEditorQueries } from "../../../src/database/translation-editor-queries.ts";
import { issueCounts, projectIssues } from "../../../src/sync/qa-issues.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import { DUTCH, ENGLISH, hashOf, openShop, translate } from "../support/open-shop.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import type { TestWindow } from "../support/test-window.ts";
import type { ProjectFile } from "../../../src/workspace/project-file/project-file.ts";
import { answerNextList } from "../support/vscode-stub.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop(
    [
      registerPull,
      registerImport,
      registerArchive,
      registerApplySuggestions,
      (app) => {
        app.command(setTranslationCommand, writeTranslation);
        app.command(setTranslationsCommand, writeTranslations);
      },
    ],
    { isPushed: false },
  ));
});
afterEach(() => shop.close());

/** Edits a source text at the service. */
async function changeSource(key: string, value: string): Promise<void> {
  await window.client.sync({ keys: [{ namespace: "cart", key, value }] });
}

const firstNumber = (text: string | undefined): number => Number(/\d+/u.exec(text ?? "0")?.[0] ?? 0);
const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, each) => all + each, 0);

/** What is to be sent and taken, by the counts that all places show. */
interface Numbers {
  readonly push: number;
  readonly pull: string;
  readonly localOnly: number;
  readonly conflicts: number;
  readonly qa: string;
}

/** Runs a command up to its preview, and returns the title of that. */
async function previewTitle(
  command: typeof pullCommand | typeof pushCommand | typeof importLocalCommand,
): Promise<string> {
  let title = "";
  answerNextList((preview) => {
    ({ title } = preview);
    preview.hide();
  });
  expect(await commands.ask(command, {})).toEqual({ outcome: "cancelled" });
  return title;
}

/** Refreshes everything, compares all places, and returns the numbers that they show. */
async function numbersEverywhere(): Promise<Numbers> {
  const { open } = commands;
  await window.refresher.refresh({ priority: "person" });
  for (const locale of ["nl", "fr"]) await window.refresher.ensureLocale(locale);
  await window.local.reload();
  const { toPush, toPull, ...others } = await open.countPendingChanges();
  open.connection.setActivity({ pushCounts: toPush, pullCount: toPull, ...others });
  const { activity, session, source, stats, freshness } = open.connection;

  // Activity, the status bar and its menu.
  const rows = activityRows({
    activity,
    jobs: [],
    results: [],
    freshness,
    canWrite: true,
    nameOf: ({ key }) => key,
    now: 0,
  });
  const label = (name: string): string | undefined => rows.find((row) => row.name === name)?.content.label;
  const push = label("push") === "Nothing to push" ? 0 : firstNumber(label("push"));
  const pull = label("pull")?.replace(" to pull", "") ?? "";
  const status = statusContent({
    session,
    source,
    stats,
    activity,
    jobs: [],
    freshness,
    name: "Test",
    now: 0,
    monotonic: 0,
  });
  const said = (start: string): string =>
    new RegExp(`${start}: ([^·]+)`, "u").exec(status?.tooltip ?? "")?.[1]?.trim() ?? "";
  expect(firstNumber(said("To push"))).toBe(push);
  expect(said("To pull")).toBe(pull);
  const menu = menuItems({
    session,
    source,
    activity,
    jobs: [],
    isTrusted: true,
    areInlayHintsOn: true,
    inlayLanguage: "",
  });
  expect(firstNumber(menu[0]?.description)).toBe(push);
  expect(menu[1]?.description).toBe(pull);

  // The previews, and the plan without one.
  const planned = await commands.run(pushCommand, { dryRun: true });
  if (planned.outcome === "failed") throw new Error(planned.error.message);
  expect("plan" in planned ? planned.plan.new + planned.plan.changed : 0).toBe(push);
  if (push > 0) {
    const counts = [...(await previewTitle(pushCommand)).matchAll(/(\d+) (?:new|changed)/gu)];
    expect(counts.reduce((all, [, count]) => all + Number(count), 0)).toBe(push);
  }
  if (pull !== "")
    expect(await previewTitle(pullCommand)).toMatch(new RegExp(`^Pull from Test: ${pull} in `, "u"));
  const localOnly = sum(activity.localOnly);
  expect(firstNumber(label("local-only"))).toBe(localOnly);
  if (localOnly > 0) expect(firstNumber(await previewTitle(importLocalCommand))).toBe(localOnly);

  // The Languages view, the lists below its rows, and the QA issues.
  const language = stats?.languages.find(({ locale }) => locale === "nl");
  if (language === undefined) throw new Error("the project has Dutch");
  const issues = issueCounts(open, language);
  const state = { issues, localOnly: activity.localOnly.get("nl") ?? 0, hasService: true, now: 0 };
  const group = (name: string): number =>
    firstNumber(languageGroups(language, state).find((each) => each.name === name)?.content.label);
  expect(group("untranslated")).toBe([...open.keys.untranslated("nl")].flat().length);
  expect(group("outdated")).toBe([...open.translations.rows("nl", "outdated")].length);
  expect(group("local")).toBe(activity.localOnly.get("nl") ?? 0);
  const listed = await projectIssues(open.connection, "nl");
  expect(group("issues")).toBe(listed.length);
  const errors = listed.filter(isError).length;
  const texts = issueCountTexts({ errors, warnings: listed.length - errors });
  const counts = languageContent(language, state).description?.split(" · ") ?? [];
  expect(counts.filter((each) => each.includes("QA"))).toEqual(texts);
  // French has none.
  const all = (stats?.languages ?? []).map((each) => issueCounts(open, each));
  expect(issuesBadge(all)?.value ?? 0).toBe(errors);

  // The filters of the translation editor.
  const shown = await editorRows();
  expect(shown.notPushed).toBe(push);
  expect(shown.untranslated).toBe(group("untranslated"));
  expect(shown.outdated).toBe(group("outdated"));
  expect(shown.issues).toBe(new Set(listed.map(({ hash }) => hash)).size);
  return { push, pull, localOnly, conflicts: activity.conflicts, qa: texts.join(" · ") };
}

/** Returns how many rows the translation editor has with each filter, of the columns English and Dutch. */
async function editorRows(): Promise<
  Readonly<Record<"notPushed" | "untranslated" | "outdated" | "issues", number>>
> {
  const { open } = commands;
  const { connection } = open;
  const { database, drafts, rejectedTranslations, agreedTexts, local, sourceLocale } = connection;
  const queries = new TranslationEditorQueries(database, connection.queries, drafts, rejectedTranslations);
  const source = sourceLocale ?? "";
  const count = async (filter: RowFilter): Promise<number> => {
    const hashes = await queries.find(
      { ...ALL_ROWS, filters: [filter] },
      {
        sourceLocale: source,
        locales: [source, "nl"],
        isServiceKnown: true,
        localSource: (hash) => local.find(hash, source)?.text,
        agreedSource: (hash) => agreedTexts.get(source, hash),
        conflicts: () => [],
        unused: async () => [],
      },
    );
    return hashes.length;
  };
  return {
    notPushed: await count("notPushed"),
    untranslated: await count("untranslated"),
    outdated: await count("outdated"),
    issues: await count("issues"),
  };
}

const NOTHING: Numbers = { push: 0, pull: "", localOnly: 0, conflicts: 0, qa: "" };

test("all places show the same numbers in every state of a project", { timeout: 120_000 }, async () => {
  // Signed in for the first time.
  expect(await numbersEverywhere()).toEqual({ ...NOTHING, push: 6 });

  await commands.run(pushCommand, {});
  // What only the files have is left.
  expect(await numbersEverywhere()).toEqual({ ...NOTHING, localOnly: 2 });

  // A source text that was copied is no translation, and what is counted is what is sent.
  await shop.edit(DUTCH, "];", "    'items' => ':count item|:count items',\n];");
  expect(await numbersEverywhere()).toEqual({ ...NOTHING, localOnly: 2 });
  expect(await commands.run(importLocalCommand, {})).toMatchObject({ written: 2, skipped: [] });
  await shop.edit(DUTCH, "    'items' => ':count item|:count items',\n", "");
  expect(await numbersEverywhere()).toEqual(NOTHING);

  // Somebody edits translations and a source text at the service.
  await translate(window, { title: "Jouw mandje", "voucher.label": "Kortingscode" });
  await changeSource("voucher.label", "Voucher");
  expect(await numbersEverywhere()).toEqual({ ...NOTHING, pull: "2 translations, 1 source text" });

  await commands.run(pullCommand, {});
  expect(await numbersEverywhere()).toEqual(NOTHING);

  // An edit and a new key in the files.
  await shop.edit(ENGLISH, "'Your cart'", "'Your basket'");
  await shop.edit(ENGLISH, "    'title'", "    'brand_new' => 'New',\n    'title'");
  expect(await numbersEverywhere()).toEqual({ ...NOTHING, push: 2 });
  await commands.run(pushCommand, {});
  expect(await numbersEverywhere()).toEqual(NOTHING);

  // The same text on both sides, differently.
  await shop.edit(DUTCH, "Jouw mandje", "Mijn mandje");
  await translate(window, { title: "Hun mandje" });
  expect(await numbersEverywhere()).toEqual({ ...NOTHING, conflicts: 1 });
  await shop.edit(DUTCH, "Mijn mandje", "Hun mandje");
  expect(await numbersEverywhere()).toEqual(NOTHING);

  // A key that the files do not have.
  await changeSource("welcome", "Welcome");
  expect(await numbersEverywhere()).toEqual({ ...NOTHING, pull: "1 source text" });
  await commands.run(pullCommand, {});
  expect(await shop.read(ENGLISH)).toContain("'welcome' => 'Welcome'");
  expect(await numbersEverywhere()).toEqual(NOTHING);

  // A wrong placeholder, and its correction.
  await translate(window, { total: "Totaal: :bedrag" });
  const wrong = await numbersEverywhere();
  expect([wrong.pull, wrong.qa]).toEqual(["1 translation", expect.stringMatching(/^[12] QA errors?$/u)]);
  await commands.run(applySuggestionsCommand, { locale: "nl" });
  expect((await numbersEverywhere()).qa).toBe("");

  // A line break at the end is shown in the cell, and is no QA issue.
  await translate(window, { total: "Totaal: :amount\n" });
  expect((await numbersEverywhere()).qa).toBe("");

  // An archived key is not new, and a restored one is nothing to do.
  await commands.run(archiveCommand, { hashes: [hashOf("brand_new")] });
  expect((await numbersEverywhere()).push).toBe(0);
  await commands.run(restoreCommand, { hashes: [hashOf("brand_new")] });
  expect((await numbersEverywhere()).push).toBe(0);
});

test("a key that was archived before anybody looked is not new", async () => {
  await commands.run(pushCommand, {});
  await commands.run(archiveCommand, { hashes: [hashOf("total")] });
  const other = await shop.open("two");
  const { open } = createCommandRunner(other, rootOf(shop), []);
  await other.refresher.refresh();
  const pushed = async () => (await open.countPendingChanges()).toPush;
  expect(await pushed()).toEqual({ new: 0, changed: 0, restored: 1 });
});

const PO_HEADER = `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n`;
const po = (msgstr: string): string => `${PO_HEADER}msgid "Cart"\nmsgstr "${msgstr}"\n`;
const xliff = (locale: string, target: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
  <file original="messages" source-language="en" target-language="${locale}" datatype="plaintext">
    <body>
      <trans-unit id="Cart"><source>Cart</source><target>${target}</target></trans-unit>
    </body>
  </file>
</xliff>
`;

test.each([
  ["a catalog of the source language", "po", "locale/{locale}.po", { en: po(""), nl: po("Mandje") }, 1],
  [
    "one with the source texts written out",
    "po",
    "locale/{locale}.po",
    { en: po("Cart"), nl: po("Mandje") },
    1,
  ],
  ["a template alone", "po", "locale/{locale}.po", { template: po(""), nl: po("Mandje") }, 0],
  ["translations alone", "po", "locale/{locale}.po", { nl: po("Mandje") }, 0],
  ["XLIFF", "xliff12", "locale/{locale}.xlf", { en: xliff("en", "Cart"), nl: xliff("nl", "Mandje") }, 1],
])(
  "a source text that the files lack is counted as it is pulled: %s",
  async (_name, format, path, files: Readonly<Record<string, string>>, expected) => {
    const profile = { key: "app", name: "App", format, path, locales: null, missing: "omit" };
    const catalogs = await openFixtureProject({ exportProfiles: [profile] });
    try {
      for (const other of [ENGLISH, DUTCH, "lang/en.json"]) await catalogs.remove(other);
      for (const [locale, text] of Object.entries(files))
        await catalogs.write(
          locale === "template" ? "locale/app.pot" : path.replace("{locale}", locale),
          text,
        );
      const layout = [{ path, format } as const, { path: "locale/app.pot", format: "pot" } as const];
      const other = await catalogs.open("one", { file: { files: layout } as ProjectFile });
      await other.refresher.refresh();
      const runner = createCommandRunner(other, rootOf(catalogs), [registerPush, registerPull]);
      expect(await runner.run(pushCommand, {})).toMatchObject({ outcome: "done" });
      const { namespace = "" } = [...runner.open.keys.values()][0] ?? {};
      await other.client.sync({ keys: [{ namespace, key: "Checkout", value: "Checkout" }] });
      await other.refresher.refresh({ priority: "person" });
      for (const locale of ["nl", "fr"]) await other.refresher.ensureLocale(locale);
      await other.local.reload();
      const { sourceAtService } = await runner.open.countPendingChanges();
      let title = "";
      answerNextList((preview) => {
        ({ title } = preview);
        preview.hide();
      });
      await runner.ask(pullCommand, {});
      expect([title, sourceAtService]).toEqual([
        expected === 1
          ? "Pull from Test: 1 source text in 1 file"
          : // A new file is not checked.
            "Pull from Test: nothing selected",
        expected,
      ]);
    } finally {
      await catalogs.close();
    }
  },
);

test("without a service, the tools for agents, Problems and the views name the same texts", async () => {
  const { path: root, remove } = await temporaryFolder();
  const files = {
    "package.json": '{ "dependencies": { "i18next": "25.0.0" } }',
    "locales/en.json":
      '{ "hello": "Hello {{name}}", "bye": "Bye", "price": "100% of {{sum}}", "plain": "Plain" }\n',
    "locales/nl.json":
      '{ "hello": "Hallo {{naam}}", "bye": "Dag\\n", "price": "100% van", "plain": "Gewoon" }\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const host = folderToolHost(root);
  const folder = await openFolder(root);
  try {
    const { signal } = new AbortController();
    const found = await checkFolder(folder);
    const [open] = folder.projects;
    const language = open?.project.stats?.languages.find(({ locale }) => locale === "nl");
    if (open === undefined || language === undefined) throw new Error("the folder has Dutch");
    const { project } = open;
    const listed = JSON.parse(
      await runTool(host, listIssues, { locale: "nl" }, signal, (call) => listIssues.run(call)),
    ) as {
      readonly items: readonly { readonly key: string; readonly rule: string; readonly message: string }[];
    };
    const inView = await projectIssues(project, "nl");
    expect(listed.items.map(({ key, rule }) => [key, rule])).toEqual(
      inView.map(({ key, rule }) => [key, rule]),
    );
    expect(listed.items.map(({ message }) => message).toSorted()).toEqual([
      "{{name}} is missing, {{naam}} is unknown",
      "{{sum}} is missing",
    ]);
    expect(issueCounts(project, language)).toEqual({ errors: inView.length, warnings: 0 });
    // A line break is no QA issue, and in Problems all the same, also of files that are closed.
    expect(found.filter(({ path }) => path.endsWith("nl.json")).map(({ message }) => message)).toEqual([
      "hello (nl): {{name}} is missing, {{naam}} is unknown",
      "bye (nl): ends in a line break that the source text does not have",
      "price (nl): {{sum}} is missing",
    ]);
  } finally {
    await folder.close();
    await host.close();
    await remove();
  }
});
