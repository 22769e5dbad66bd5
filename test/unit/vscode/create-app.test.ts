/** Each change of what is shown is counted in the store, from which it is drawn. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UsageRepository } from "../../../src/database/key-usage-repository.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { language, setLanguage } from "../../../src/util/l10n.ts";
import type { App } from "../../../src/vscode/app.ts";
import { createApp } from "../../../src/vscode/create-app.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import { createContext, createStored } from "../support/open-editor.ts";
import { openFolders, setSetting } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let context: ReturnType<typeof createContext>;
let app: App;
/** What was counted: the table, and whether it is one of the window. */
let counted: string[];
beforeEach(async () => {
  folder = await temporaryFolder();
  await write("project-translations.json", { files: [{ path: "{locale}.json", format: "json_js" }] });
  await write("en.json", { title: "Title" });
  openFolders([folder.path]);
  context = createContext(createStored(`${folder.path}-storage`));
  app = createApp(context as never);
  await app.projects.ready;
  counted = [];
  app.store.onDidChange(
    (table, project) => void counted.push(project === null ? `${table} of the window` : table),
  );
});
afterEach(async () => {
  for (const each of context.subscriptions.toReversed()) each.dispose();
  openFolders([]);
  setLanguage("en", {});
  await folder.remove();
});
const write = (name: string, content: object): Promise<void> =>
  writeFile(join(folder.path, name), JSON.stringify(content));

test("settings, chosen and learned things, results, usages and projects", async () => {
  const open = app.projects.all[0] ?? expect.fail("there is a project");
  const countedBy = (change: () => unknown): readonly string[] => {
    counted = [];
    change();
    return counted;
  };
  expect(countedBy(() => setSetting("projectTranslations.hover.enabled", false))).toContain(
    "settings of the window",
  );
  expect(countedBy(() => app.results.add(open, "Done."))).toContain("results of the window");
  new UsageRepository(open.connection.database).setLearnedFunctions([
    { name: "say", key: 0, calls: 23, known: 23 },
  ]);
  expect(countedBy(() => app.documentUsages.readLearnedFunctions(open))).toEqual(["settings"]);
  counted = [];
  await app.inlayLanguage.set(open, "nl");
  expect(counted).toContain("settings of the window");
  counted = [];
  await app.usages.reload(open);
  expect(counted).toContain("usages");
  counted = [];
  await write("project-translations.json", {
    files: [{ path: "{locale}.json", format: "json_js" }],
    sourceLocale: "en",
  });
  await waitUntil(() => counted.includes("projects of the window"));
});

test("what reads, watches or runs ends with the window", () => {
  const { subscriptions } = context;
  const { log, settings, projects, documentUsages, usages, virtualDocuments, results, inlayLanguage, store } =
    app;
  for (const each of [
    log,
    settings,
    projects,
    documentUsages,
    usages,
    virtualDocuments,
    results,
    inlayLanguage,
    store,
  ])
    expect(subscriptions).toContain(each);
  expect(subscriptions.filter((each) => each instanceof IndexerClient)).toHaveLength(1);
});

test("the language of messages follows its setting", () => {
  expect(language()).toBe("en");
  setSetting("projectTranslations.language", "nl");
  expect(language()).toBe("nl");
  setSetting("projectTranslations.language", "auto");
  expect(language()).toBe("en");
});

test("after a disk error the project is read again into memory, and texts that were typed are where they were", async () => {
  const open = app.projects.all[0] ?? expect.fail("there is a project");
  await open.loadLocal();
  expect(open.keys.size).toBe(1);
  const { database } = open.connection;
  database.sql("PRAGMA query_only = ON").run();
  app.results.add(open, "Done.");
  await waitUntil(() => !database.isOnDisk);
  await waitUntil(() => open.keys.size === 1);
  expect(open.personal.database.isOnDisk).toBe(true);
});

test("without a folder in the window there is no project to choose", async () => {
  openFolders([]);
  const other = createContext(createStored(`${folder.path}-storage-of-other`));
  const { projects } = createApp(other as never);
  await expect(projects.choose({})).rejects.toMatchObject({
    code: "no_project",
    message: "No folder is open. Open the folder of your app first.",
  });
  expect([projects.all, projects.active]).toEqual([[], undefined]);
  for (const each of other.subscriptions.toReversed()) each.dispose();
});
