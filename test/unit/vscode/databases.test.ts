/** The databases of a folder, its results in Activity, and what is kept of earlier versions. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Uri } from "vscode";
import { LOCAL_PROJECT } from "../../../src/database/personal/personal-data.ts";
import type { LogChannel } from "../../../src/vscode/log.ts";
import { ActivityResults } from "../../../src/vscode/projects/activity-results.ts";
import { InlayLanguage } from "../../../src/vscode/projects/inlay-language.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import {
  ProjectDatabases,
  projectFolderName,
  removeOldCaches,
} from "../../../src/vscode/projects/project-databases.ts";
import { openShop } from "../support/open-shop.ts";
import { recordingLog, temporaryFolder } from "../support/node-platform.ts";
import { messages, Uri as FileUri, workspace } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let databases: ProjectDatabases;
const uriOf = (...names: readonly string[]): Uri => FileUri.file(join(folder.path, ...names));
beforeEach(async () => {
  folder = await temporaryFolder();
  messages.length = 0;
  const log = { ...recordingLog(), show: () => undefined } as unknown as LogChannel;
  databases = new ProjectDatabases(uriOf("storage"), log, () => undefined);
});
afterEach(async () => {
  workspace.isTrusted = true;
  databases.dispose();
  await folder.remove();
});

test("a folder has one cache for each base URL, and one file for what a person made", async () => {
  const app = uriOf("app");
  const none = await databases.open(app, null, null);
  const first = await databases.open(app, "https://a.example/v1", "shop");
  const again = await databases.open(app, "https://a.example/v1", "blog");
  const second = await databases.open(app, "https://b.example/v1", "shop");
  const other = await databases.open(uriOf("other"), "https://a.example/v1", "shop");
  expect(again.database).toBe(first.database);
  expect(new Set([none, first, second, other].map(({ database }) => database)).size).toBe(4);
  expect(first.database.path).toBe(
    uriOf("storage", "projects", projectFolderName(app, "https://a.example/v1"), "project.db").fsPath,
  );
  expect(new Set([none, first, again, second].map(({ personal }) => personal.database)).size).toBe(1);
  expect(other.personal.database).not.toBe(first.personal.database);
  // What was made in a project of the service is that project's.
  expect(none.personal.project).toBe(LOCAL_PROJECT);
  expect(new Set([first, again, second].map(({ personal }) => personal.project)).size).toBe(3);
  // Later versions find it under the same name.
  expect(projectFolderName(FileUri.file("/app"), "https://a.example/v1")).toBe(
    "a1eb29a0230948c7b59ca2f9ba02b583034e2db9",
  );
  databases.dispose();
  for (const database of [first.database, first.personal.database])
    expect(() => database.value("SELECT 1")).toThrow("not open");
});

test("a database that cannot be written is one in memory, which is said once", async () => {
  await mkdir(join(folder.path, "storage"));
  // A file stands where the folder of the databases would be.
  for (const name of ["projects", "personal"]) await writeFile(join(folder.path, "storage", name), "");
  const first = await databases.open(uriOf("app"), null, null);
  await databases.open(uriOf("app"), null, "shop");
  expect([first.database.isOnDisk, first.personal.database.isOnDisk]).toEqual([false, false]);
  expect(messages.map(({ kind, actions }) => [kind, actions])).toEqual([
    ["warning", ["Show Log"]],
    ["warning", ["Show Log"]],
  ]);
  expect(messages.map(({ text }) => text.split(" ", 3).join(" "))).toEqual([
    "Texts that are",
    "The project’s cache",
  ]);
});

test("what comes from a folder that is not trusted is in memory until it is, what a person made never", async () => {
  const open = () => databases.open(uriOf("app"), null, null);
  workspace.isTrusted = false;
  const first = await open();
  expect([first.database.isOnDisk, first.personal.database.isOnDisk]).toEqual([false, true]);
  expect((await open()).database).toBe(first.database);
  workspace.isTrusted = true;
  const second = await open();
  expect([second.database.isOnDisk, second.personal.database]).toEqual([true, first.personal.database]);
});

test("the cache of an earlier version goes once its texts are on disk elsewhere", async () => {
  const cache = uriOf("storage", "projects", projectFolderName(uriOf("app"), null)).fsPath;
  await mkdir(cache, { recursive: true });
  const outdated = async () => (await readdir(cache)).filter((name) => name.includes("outdated"));
  const left = ["project.db.outdated", "project.db.outdated-shm", "project.db.outdated-wal"];
  for (const name of left) await writeFile(join(cache, name), "");
  // A file stands where the folder of the personal databases would be.
  await writeFile(uriOf("storage", "personal").fsPath, "");
  await databases.open(uriOf("app"), null, null);
  expect((await outdated()).sort()).toEqual(left);
  databases.dispose();
  await rm(uriOf("storage", "personal").fsPath);
  await databases.open(uriOf("app"), null, null);
  await waitUntil(async () => (await outdated()).length === 0);
});

test("what a person made with an earlier version is read from caches that were set aside, whatever the reason", async () => {
  const baseUrl = "https://a.example/v1";
  const cache = uriOf("storage", "projects", projectFolderName(uriOf("app"), baseUrl)).fsPath;
  await mkdir(cache, { recursive: true });
  for (const [suffix, name] of [
    ["outdated", "renames"],
    ["damaged", "jobs"],
  ] as const) {
    const earlier = new DatabaseSync(join(cache, `project.db.${suffix}`));
    earlier.exec(
      `CREATE TABLE state (name, value); INSERT INTO state VALUES ('owner', 'shop'), ('${name}', '[]')`,
    );
    earlier.close();
  }
  const { personal } = await databases.open(uriOf("app"), baseUrl, "shop");
  const sql = "SELECT name FROM state WHERE project = ? ORDER BY name";
  expect(personal.database.column(sql, personal.project)).toEqual(["jobs", "renames"]);
});

test("caches of earlier versions are removed, and nothing else", async () => {
  const cache = join(folder.path, "cache");
  await mkdir(join(cache, "keys-1"), { recursive: true });
  for (const name of ["project.db", "project.db-wal", "usages.json", "state.json", "keys-1/a.json"])
    await writeFile(join(cache, name), "");
  await removeOldCaches(uriOf("cache"));
  expect((await readdir(cache)).sort()).toEqual(["project.db", "project.db-wal", "usages.json"]);
  await removeOldCaches(uriOf("nowhere"));
});

test("the twenty latest results of a project are listed, each at its own time, and stored", async () => {
  const { shop, window, commands } = await openShop([], { isPushed: false });
  try {
    Object.assign(window.project, { mayStore: () => true });
    const results = new ActivityResults();
    let changes = 0;
    results.onDidChange(() => changes++);
    for (let number = 0; number < 25; number++) {
      results.add(commands.open, `result ${number}`);
      await window.yieldNow();
    }
    const expected = Array.from({ length: 20 }, (_, index) => `result ${24 - index}`);
    const messagesOf = (list: ActivityResults) => list.of(commands.open).map(({ message }) => message);
    expect(messagesOf(results)).toEqual(expected);
    expect(new Set(results.of(commands.open).map(({ at }) => at)).size).toBe(20);
    expect(changes).toBe(25);
    await window.database.transactionAsync(() => undefined);
    expect(messagesOf(new ActivityResults())).toEqual(expected);
  } finally {
    await shop.close();
  }
});

test("the language of inlay hints is chosen for each project, and then left to the project file", async () => {
  const values = new Map<string, unknown>();
  const state = {
    get: (name: string) => values.get(name),
    update: async (name: string, value: unknown) => void values.set(name, value),
  };
  const chosen = new InlayLanguage(state as never);
  let changes = 0;
  chosen.onDidChange(() => changes++);
  const project = (name: string) => ({ root: uriOf(name) }) as unknown as OpenProject;
  await chosen.set(project("a"), "nl");
  expect([chosen.of(project("a")), chosen.of(project("b")), changes]).toEqual(["nl", undefined, 1]);
  expect(new InlayLanguage(state as never).of(project("a"))).toBe("nl");
  await chosen.set(project("a"), undefined);
  expect([chosen.of(project("a")), changes]).toEqual([undefined, 2]);
});
