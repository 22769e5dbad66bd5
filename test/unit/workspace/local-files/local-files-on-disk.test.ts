/** Local files in a database on a real disk: restarts, killed processes, and two windows. */
import { CONTENT_OF_FILES } from "../../../../src/database/sync-metadata-repository.ts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { LocalKeys } from "../../../../src/database/keys-from-local-files.ts";
import type { FileContent } from "../../../../src/model/platform.ts";
import { RequestPriority, variablePriority } from "../../../../src/util/priority.ts";
import { LocalEntries } from "../../../../src/workspace/local-files/local-entries.ts";
import { type FolderFiles, folderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import { createLocalFileIndexing } from "../../../../src/workspace/local-files/local-file-loader.ts";
import { projectFiles, sha1, temporaryFolder } from "../../support/node-platform.ts";
import { PriorityScheduler, yieldNow } from "../../../../src/util/event-loop.ts";
import { waitUntil } from "../../support/wait-until.ts";

const LAYOUT = { files: [{ path: "locales/{locale}.json", format: "json_js" as const }], locales: {} };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let databases: Database[];
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  databases = [];
  await mkdir(join(folder.path, "locales"));
  await put("locales/en.json", '{ "title": "Cart", "total": "Sum" }');
  await put("locales/nl.json", '{ "title": "Mand" }');
});
afterEach(async () => {
  child?.kill("SIGKILL");
  child = undefined;
  for (const database of databases) database.close();
  await folder.remove();
});

const put = (path: string, text: string): Promise<void> => writeFile(join(folder.path, path), text);

interface Window {
  readonly local: LocalEntries;
  readonly database: Database;
  /** Paths in the order in which they were read. */
  readonly reads: string[];
}

/** A window of the project, as after a start. `around`: what stands between it and the files. */
function open(
  around: (files: FolderFiles) => Partial<FolderFiles> = () => ({}),
  version = "1",
  unsavedFiles: () => ReadonlyMap<string, FileContent> = () => new Map(),
): Window {
  const database = new Database(join(folder.path, "project.db"));
  databases.push(database);
  const onDisk = folderFiles(folder.path);
  const files = { ...onDisk, ...around(onDisk) };
  const reads: string[] = [];
  const read: FolderFiles["read"] = (path) => {
    reads.push(path);
    return files.read(path);
  };
  const indexing = createLocalFileIndexing(database, { ...files, read });
  const local = new LocalEntries({
    database,
    version,
    keysVersion: () => 0,
    indexing: () => indexing,
    unsavedFiles,
    files: projectFiles(folder.path),
  });
  local.configure({ ...LAYOUT, sourceLocale: "en", serviceLocales: ["en", "nl"] });
  return { local, database, reads };
}

/** Files whose last change is so long ago that their stamps are certain. */
const settled = (files: FolderFiles): Pick<FolderFiles, "read"> => ({
  read: (path) => {
    const content = files.read(path);
    return content.kind === "read" ? { ...content, recent: false } : content;
  },
});

const texts = ({ local }: Window, locale: string): Record<string, unknown> =>
  Object.fromEntries([...local.entries(locale).values()].map(({ name, text }) => [name.key, text]));

const rows = ({ database }: Window, table: "local_files" | "local_entries"): number =>
  Number(database.sql(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);

test("reads no unchanged file again after a restart", async () => {
  await open(settled).local.load();
  const { local, reads, ...again } = open(settled);
  await local.load();
  expect(reads).toEqual([]);
  expect(texts({ local, reads, ...again }, "en")).toEqual({
    title: { value: "Cart" },
    total: { value: "Sum" },
  });
  await put("locales/nl.json", '{ "title": "Winkelwagen" }');
  const third = open(settled);
  await third.local.load();
  expect(third.reads).toEqual(["locales/nl.json"]);
  expect(texts(third, "nl")).toEqual({ title: { value: "Winkelwagen" } });
});

test("reads all files again after the database was moved to memory", async () => {
  const database = new Database(join(folder.path, "project.db"), () => undefined);
  databases.push(database);
  const fileIndexing = createLocalFileIndexing(database, folderFiles(folder.path));
  const local = new LocalEntries({
    database,
    version: "1",
    keysVersion: () => 0,
    indexing: () => fileIndexing,
    files: projectFiles(folder.path),
  });
  local.configure({ ...LAYOUT, sourceLocale: "en", serviceLocales: [] });
  await local.load();
  database.sql("PRAGMA query_only = ON").run();
  await put("locales/en.json", '{ "title": "Basket" }');
  await local.reload();
  expect(database.isOnDisk).toBe(false);
  await local.load();
  const window = { local, database, reads: [] };
  expect(texts(window, "en")).toEqual({ title: { value: "Basket" } });
  expect(texts(window, "nl")).toEqual({ title: { value: "Mand" } });
});

test("files are read in the background while no person waits, until one waits for them", async () => {
  const scheduler = new PriorityScheduler();
  const person = new RequestPriority();
  person.raise();
  const rename = Promise.withResolvers<void>();
  const renaming = scheduler.run(person, () => rename.promise);
  const database = new Database(join(folder.path, "project.db"));
  databases.push(database);
  const fileIndexing = createLocalFileIndexing(database, folderFiles(folder.path));
  let begun = 0;
  const local = new LocalEntries({
    database,
    version: "1",
    keysVersion: () => 0,
    indexing: (priority) => ({
      ...fileIndexing,
      load: (...call) => {
        begun++;
        return scheduler.run(variablePriority(priority), () => fileIndexing.load(...call));
      },
    }),
    files: projectFiles(folder.path),
  });
  local.configure({ ...LAYOUT, sourceLocale: "en", serviceLocales: [] });
  const inBackground = local.loadTexts(undefined, "background");
  await waitUntil(() => begun === 1);
  for (let turn = 0; turn < 20; turn++) await yieldNow();
  const window = { local, database, reads: [] };
  expect([rows(window, "local_files"), rows(window, "local_entries")]).toEqual([0, 0]);
  await local.load();
  await inBackground;
  expect([begun, rows(window, "local_files")]).toEqual([2, 2]);
  rename.resolve();
  await renaming;
});

test("forgets names that no file has any more", async () => {
  const window = open();
  const { database, local } = window;
  database.transaction(() =>
    database
      .sql("INSERT INTO state (name, value) VALUES ('content', ?)")
      .run(JSON.stringify(CONTENT_OF_FILES)),
  );
  const options = { sourceLocale: "en", detectedSource: "en", locales: ["nl"], covered: [] };
  const names = (table: "local_names" | "keys"): unknown[] =>
    database
      .sql(`SELECT key FROM ${table} ORDER BY key`)
      .all()
      .map(({ key }) => key);
  await local.load();
  const localKeys = new LocalKeys(database);
  expect(await localKeys.updateKeys(options)).toMatchObject({ areKeysChanged: true });
  expect(await localKeys.updateTranslations(options)).toMatchObject({ keys: 2 });
  await put("locales/en.json", '{ "total": "Sum", "new": "New" }');
  await put("locales/nl.json", "{}");
  await local.reload();
  expect(names("local_names")).toEqual(["new", "total"]);
  expect(await localKeys.updateKeys(options)).toMatchObject({ areKeysChanged: true });
  expect(await localKeys.updateTranslations(options)).toMatchObject({ keys: 2, changedLocales: ["nl"] });
  expect(names("keys")).toEqual(["new", "total"]);
  expect(database.sql("SELECT count(*) AS count FROM translations").get()?.["count"]).toBe(0);
});

test("reads all files again in another version of the extension", async () => {
  await open(settled).local.load();
  const later = open(settled, "2");
  await later.local.load();
  expect(later.reads.sort()).toEqual(["locales/en.json", "locales/nl.json"]);
});

test("reads a file again that changes while it is read", async () => {
  const window = open((files) => ({
    ...settled(files),
    read: (path) => {
      const content = settled(files).read(path);
      if (path === "locales/nl.json" && !isChanged) {
        isChanged = true;
        writeFileSync(join(folder.path, path), '{ "title": "Winkelwagen", "total": "Som" }');
      }
      return content;
    },
  }));
  let isChanged = false;
  await window.local.load();
  expect(texts(window, "nl")).toEqual({ title: { value: "Mand" } });
  await window.local.reload();
  expect(texts(window, "nl")).toEqual({ title: { value: "Winkelwagen" }, total: { value: "Som" } });
});

/** Another process with the database, which runs the code and then goes on until it is killed. */
async function otherProcess(code: string): Promise<ChildProcess> {
  const source = join(import.meta.dirname, "../../../../src");
  const program = join(folder.path, "other.mjs");
  await writeFile(
    program,
    `import { Database } from ${JSON.stringify(join(source, "database/database.ts"))};
     import { LocalFileRepository } from ${JSON.stringify(join(source, "database/local-file-repository.ts"))};
     const files = new LocalFileRepository(new Database(${JSON.stringify(join(folder.path, "project.db"))}));
     const span = { start: 0, end: 1 };
     const file = {
       path: "locales/nl.json", rank: 0, family: null, keyPrefix: "", recent: false, dirty: true, readConditions: "",
       stamp: { size: -1, modified: 7 },
     };
     const entry = (key, hash, value) => ({
       name: { namespace: "*", key, context: null }, hash, text: { value }, description: null,
       path: file.path, locale: "nl",
       entry: { key, context: null, namespace: null, locale: null, text: { value }, source: null,
         description: null, keySpan: span, valueSpan: span, readOnly: null },
     });
     ${code}
     console.log("ready");
     setInterval(() => undefined, 1000);`,
  );
  child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

const titleHash = sha1("*\u001ftitle\u001f");

test("ignores what a killed process had written of a file", async () => {
  await open(settled).local.load();
  const other = await otherProcess(
    `files.addEntries(files.beginFile(file), 0, [entry("title", "${titleHash}", "Half"), entry("x", "${"0".repeat(40)}", "X")]);`,
  );
  const window = open(settled);
  await window.local.load();
  expect(texts(window, "nl")).toEqual({ title: { value: "Mand" } });
  // What a process that runs is writing stays.
  expect([rows(window, "local_files"), rows(window, "local_entries")]).toEqual([3, 5]);
  other.kill("SIGKILL");
  await once(other, "exit");
  await window.local.reload();
  expect(texts(window, "nl")).toEqual({ title: { value: "Mand" } });
  expect([rows(window, "local_files"), rows(window, "local_entries")]).toEqual([2, 3]);
  expect(window.reads).toEqual([]);
});

test("does not see unsaved text of another window", async () => {
  await open(settled).local.load();
  const other = await otherProcess(
    `const id = files.beginFile(file);
     files.addEntries(id, 0, [entry("title", "${titleHash}", "Typing")]);
     files.completeFile(id, file, { locales: new Map([["nl", null]]), namespaces: [], keyNamespaces: [], problems: [],
       texts: {}, sourceNamespaces: [] }, 1);`,
  );
  const window = open(settled);
  await window.local.load();
  expect(texts(window, "nl")).toEqual({ title: { value: "Mand" } });
  expect(window.reads).toEqual([]);
  other.kill("SIGKILL");
  await once(other, "exit");
  await window.local.reload();
  expect(rows(window, "local_files")).toBe(2);
});

test("uses unsaved text until it is saved or reverted", async () => {
  let typed: string | null = null;
  const unsaved = (): ReadonlyMap<string, FileContent> => {
    if (typed === null) return new Map();
    const bytes = new TextEncoder().encode(typed);
    return new Map([["locales/nl.json", { bytes, stamp: { size: -1, modified: 1 }, dirty: true }]]);
  };
  const window = open(settled, "1", unsaved);
  await window.local.load();
  typed = '{ "title": "Typing" }';
  window.local.invalidate(["locales/nl.json"]);
  await window.local.load();
  expect(texts(window, "nl")).toEqual({ title: { value: "Typing" } });
  typed = null;
  window.local.invalidate(["locales/nl.json"]);
  await window.local.load();
  expect(texts(window, "nl")).toEqual({ title: { value: "Mand" } });
  expect([rows(window, "local_files"), rows(window, "local_entries")]).toEqual([2, 3]);
});

test("keeps the previous state when a read is aborted", async () => {
  const window = open(settled);
  await window.local.load();
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key_${index}`, "text"]));
  await put("locales/nl.json", JSON.stringify(many));
  await utimes(join(folder.path, "locales/nl.json"), 1_000_000_000, 1_000_000_000);
  const abort = new AbortController();
  const { database } = window;
  const transaction = database.transaction.bind(database);
  // Once the first of its entries are written, of five batches.
  database.transaction = (work) => {
    const result = transaction(work);
    if (rows(window, "local_entries") > 3) abort.abort(new Error("enough"));
    return result;
  };
  await expect(window.local.reload(abort.signal)).rejects.toThrow("enough");
  expect(rows(window, "local_files")).toBe(3);
  database.transaction = transaction;
  expect(texts(window, "nl")).toEqual({ title: { value: "Mand" } });
  await window.local.reload();
  expect(Object.keys(texts(window, "nl"))).toHaveLength(20_000);
  expect(await readFile(join(folder.path, "locales/nl.json"), "utf8")).toContain("key_19999");
  expect(rows(window, "local_entries")).toBe(20_002);
});
