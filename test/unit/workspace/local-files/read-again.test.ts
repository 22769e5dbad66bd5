/** What is read or listed again, because it changed while files were read, or since another process did. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { KeyRepository } from "../../../../src/database/key-repository.ts";
import type { FileContent } from "../../../../src/model/platform.ts";
import type { FolderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import type { WalkScope } from "../../../../src/workspace/file-system/walk-folder.ts";
import { LocalEntries, type LocalLayout } from "../../../../src/workspace/local-files/local-entries.ts";
import {
  createLocalFileIndexing,
  type LoadRequest,
  type LocalFileIndexing,
} from "../../../../src/workspace/local-files/local-file-loader.ts";
import { OUT_OF_MEMORY } from "../../../../src/workspace/local-files/parse-large-files-in-indexer.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { hashOf, nameOf, NO_DETAILS } from "./local-project.ts";

const JSON_FILES: FilesEntry = { path: "{locale}.json", format: "laravel_json" };
const LAYOUT: LocalLayout = {
  files: [JSON_FILES],
  locales: {},
  sourceLocale: "en",
  serviceLocales: ["en", "nl"],
};

let database: Database;
let local: LocalEntries;
/** What is on disk, with the time of the last change, and where links lead. */
let disk: Map<string, { text: string; modified: number; recent: boolean; realPath?: string }>;
let clock: number;
let unsaved: Map<string, FileContent>;
let scope: WalkScope;
let keysVersion: number;
let reads: string[];
let indexing: LocalFileIndexing;
/** Called once the files of the source language were read, and once the files were listed. */
let onPartlyRead: () => void;
let onListed: () => void;

function put(path: string, text: string): void {
  disk.set(path, { text, modified: ++clock, recent: false });
}

const folder: FolderFiles = {
  find: ({ matches }, { exclude, otherProjects }) => {
    const isLeftOut = (path: string): boolean => [...exclude, ...otherProjects].includes(path);
    const files = [...disk.keys()].filter((path) => matches(path) && !isLeftOut(path));
    return Promise.resolve({ files, unreadable: [] });
  },
  stat: (path) => {
    const file = disk.get(path);
    if (file === undefined) return { kind: "missing" };
    const stamp = { size: file.text.length, modified: file.modified };
    return { kind: "file", stamp, realPath: file.realPath ?? path };
  },
  read: (path) => {
    reads.push(path);
    const file = disk.get(path);
    if (file === undefined) return { kind: "missing" };
    const { text, modified, recent } = file;
    const bytes = new TextEncoder().encode(text);
    return { kind: "read", bytes, stamp: { size: text.length, modified }, dirty: false, recent };
  },
};

/** As in a process that was just started. */
const startProcess = (): void => void (indexing = createLocalFileIndexing(database, folder));

beforeEach(() => {
  database = new Database();
  disk = new Map();
  clock = 0;
  unsaved = new Map();
  scope = { exclude: [], otherProjects: [] };
  keysVersion = 0;
  reads = [];
  onPartlyRead = () => undefined;
  onListed = () => undefined;
  startProcess();
  local = new LocalEntries({
    database,
    version: "1",
    keysVersion: () => keysVersion,
    indexing: () => ({
      ...indexing,
      list: async (...args) => {
        const listed = await indexing.list(...args);
        onListed();
        return listed;
      },
    }),
    files: { read: (path) => Promise.resolve(folder.read(path)) },
    scope: () => scope,
    unsavedFiles: () => unsaved,
    onPartlyRead: () => onPartlyRead(),
  });
  local.configure(LAYOUT);
  put("en.json", '{ "a": "A" }');
  put("nl.json", '{ "a": "Aa" }');
});
afterEach(() => database.close());

const texts = (locale: string): Record<string, unknown> =>
  Object.fromEntries([...local.entries(locale).values()].map(({ name, text }) => [name.key, text]));

test("a file that appears while files are listed is found by the next load", async () => {
  onListed = () => {
    put("de.json", '{ "a": "Ae" }');
    local.invalidate(["de.json"]);
  };
  local.configure({ ...LAYOUT, serviceLocales: [] });
  await local.list();
  expect((await local.load()).locales).toEqual(["en", "de", "nl"]);
});

test("a file that changes while others are read is read by the next load", async () => {
  onPartlyRead = () => {
    put("en.json", '{ "a": "Another" }');
    local.invalidate();
  };
  await local.load();
  expect(texts("en")).toEqual({ a: { value: "A" } });
  onPartlyRead = () => undefined;
  await local.load();
  expect(texts("en")).toEqual({ a: { value: "Another" } });
});

test("a layout that is set while files are read is applied by the next load", async () => {
  onPartlyRead = () => local.configure({ ...LAYOUT, sourceLocale: "nl" });
  await local.load();
  await local.load();
  expect([local.sourceLocale, local.locales]).toEqual(["nl", ["nl", "en"]]);
});

test("a source file that changed without an event is read by a process that was just started", async () => {
  await local.load();
  put("en.json", '{ "a": "Another" }');
  local.invalidate(["nl.json"]);
  await local.load();
  expect(texts("en")).toEqual({ a: { value: "A" } });
  startProcess();
  local.invalidate(["nl.json"]);
  await local.load();
  expect(texts("en")).toEqual({ a: { value: "Another" } });
});

test("a file that was read just after its last change is read again when it is checked", async () => {
  disk.set("nl.json", { text: '{ "a": "Aa" }', modified: 9, recent: true });
  await local.load();
  // Another write within the resolution of timestamps.
  disk.set("nl.json", { text: '{ "a": "Bb" }', modified: 9, recent: false });
  await local.reload();
  expect(texts("nl")).toEqual({ a: { value: "Bb" } });
  reads = [];
  await local.reload();
  expect(reads).toEqual([]);
});

test.each(["en", "nl"])(
  "a file that was away while it was read is found by the next load, without an event: %s",
  async (locale) => {
    await local.load();
    disk.delete(`${locale}.json`);
    local.invalidate([`${locale}.json`]);
    await local.load();
    put(`${locale}.json`, '{ "a": "Back" }');
    await local.load();
    expect(texts(locale)).toEqual({ a: { value: "Back" } });
  },
);

test("files that changed without an event are read after a list, and with other patterns", async () => {
  await local.load();
  put("en.json", '{ "a": "Another" }');
  local.invalidate();
  await local.list();
  await local.load();
  expect(texts("en")).toEqual({ a: { value: "Another" } });
  put("en.json", '{ "a": "A third" }');
  local.configure({ ...LAYOUT, serviceLocales: ["en", "nl", "de"] });
  await local.load();
  expect(texts("en")).toEqual({ a: { value: "Another" } });
  local.configure({ ...LAYOUT, files: [JSON_FILES, { path: "more/{locale}.json", format: "laravel_json" }] });
  await local.load();
  expect(texts("en")).toEqual({ a: { value: "A third" } });
});

test("what the service says of keys while files are read applies to the next load", async () => {
  put("nl.json", '{ "apples": "appels" }');
  const { load } = indexing;
  indexing = {
    ...indexing,
    load: async (request, ...others) => {
      const result = await load(request, ...others);
      if (request.part === "others" && keysVersion === 0) {
        const name = nameOf("apples");
        new KeyRepository(database).put([{ ...name, hash: hashOf(name), isPlural: true, ...NO_DETAILS }], 1);
        keysVersion++;
      }
      return result;
    },
  };
  await local.load();
  expect(texts("nl")).toEqual({ apples: { value: "appels" } });
  await local.load();
  expect(texts("nl")).toEqual({ apples: { forms: { other: "appels" } } });
});

test("only files of the source language that were read are shown before the others", async () => {
  let shown = 0;
  onPartlyRead = () => void shown++;
  await local.load();
  put("nl.json", '{ "a": "Bb" }');
  await local.reload();
  expect([shown, texts("nl")]).toEqual([1, { a: { value: "Bb" } }]);
});

test("a load ends where a file needs too much memory again that was left out", async () => {
  const error = Object.assign(new Error("no memory"), { code: OUT_OF_MEMORY });
  const requests: LoadRequest[] = [];
  indexing = {
    ...indexing,
    load: (request, onProgress) => {
      requests.push(request);
      if (requests.length > 9) throw new Error("it does not end");
      onProgress({ path: requests.length === 1 ? null : "nl.json" });
      return Promise.reject(error);
    },
  };
  await expect(local.load()).rejects.toBe(error);
  expect(requests.map(({ isCautious, tooLarge }) => [isCautious, tooLarge])).toEqual([
    [false, []],
    [true, []],
    [true, ["nl.json"]],
  ]);
});

test("all files that need too much memory are left out", async () => {
  const paths = ["en.json", "nl.json", null];
  const requests: LoadRequest[] = [];
  const signals = new Set<unknown>();
  const reading = new AbortController();
  const { load } = indexing;
  indexing = {
    ...indexing,
    load: (request, onProgress, signal) => {
      requests.push(request);
      signals.add(signal);
      const path = paths.shift() ?? null;
      if (path === null) return load(request, onProgress, signal);
      onProgress({ path });
      return Promise.reject(Object.assign(new Error("no memory"), { code: OUT_OF_MEMORY }));
    },
  };
  await local.load(reading.signal);
  expect(signals).toEqual(new Set([reading.signal]));
  expect(requests[2]).toMatchObject({ part: "source", isCautious: true, tooLarge: ["en.json", "nl.json"] });
  expect(requests[3]).toMatchObject({ part: "others", isCautious: false, tooLarge: [] });
});

test("a file has the text of the disk again after its unsaved one was given up, without an event", async () => {
  await local.load();
  const { text = "", modified = 0 } = disk.get("nl.json") ?? {};
  const bytes = new TextEncoder().encode('{ "a": "Typing" }');
  unsaved.set("nl.json", { bytes, stamp: { size: text.length, modified }, dirty: true });
  local.invalidate(["nl.json"]);
  await local.load();
  expect(texts("nl")).toEqual({ a: { value: "Typing" } });
  unsaved.clear();
  await local.reload();
  expect(texts("nl")).toEqual({ a: { value: "Aa" } });
});

test.each([
  ["left out", () => (scope = { exclude: ["nl.json"], otherProjects: [] })],
  ["of another project", () => (scope = { exclude: [], otherProjects: ["nl.json"] })],
  [
    "of a language that the service has no longer",
    () => local.configure({ ...LAYOUT, serviceLocales: ["en"] }),
  ],
])("files that are %s from now on are none of the project", async (_, change) => {
  await local.load();
  change();
  local.invalidate(["en.json"]);
  expect((await local.load()).locales).toEqual(["en"]);
  expect([local.hasFile("nl.json"), texts("nl")]).toEqual([false, {}]);
});

test("a change of a file that the layout does not have is no reason to check any", async () => {
  await local.load();
  put("nl.json", '{ "a": "Later" }');
  local.invalidate(["src/app.ts"]);
  await local.load();
  expect(texts("nl")).toEqual({ a: { value: "Aa" } });
});

test("unsaved text is used that no event told of", async () => {
  await local.load();
  const bytes = new TextEncoder().encode('{ "a": "Typing" }');
  unsaved.set("nl.json", { bytes, stamp: { size: -1, modified: 2 }, dirty: true });
  await local.reload();
  expect(texts("nl")).toEqual({ a: { value: "Typing" } });
});

test.each([
  ["a link", "nl.json"],
  ["the place that a link leads to", "shared/nl.json"],
])("the unsaved text of a file is used that was opened by %s", async (_, opened) => {
  disk.set("nl.json", { text: '{ "a": "Aa" }', modified: 1, recent: false, realPath: "shared/nl.json" });
  await local.load();
  const bytes = new TextEncoder().encode('{ "a": "Typing" }');
  unsaved.set(opened, { bytes, stamp: { size: -1, modified: 2 }, dirty: true });
  local.invalidate(["nl.json"]);
  await local.load();
  expect(texts("nl")).toEqual({ a: { value: "Typing" } });
});

test("all files are read again after the database was moved to memory", async () => {
  await local.load();
  const names = database.sql("SELECT count(*) AS count FROM local_entries").get();
  expect(names?.["count"]).toBe(2);
  database.sql("DELETE FROM local_files").run();
  Object.defineProperty(database, "path", { value: "memory" });
  await local.load();
  expect([texts("en"), texts("nl")]).toEqual([{ a: { value: "A" } }, { a: { value: "Aa" } }]);
});

test("a key that only a translation has becomes plural with the service’s", async () => {
  put("en.json", "{}");
  put("nl.json", '{ "apples": "appels" }');
  await local.load();
  expect(texts("nl")).toEqual({ apples: { value: "appels" } });
  const name = nameOf("apples");
  new KeyRepository(database).put([{ ...name, hash: hashOf(name), isPlural: true, ...NO_DETAILS }], 1);
  keysVersion++;
  await local.load();
  expect(texts("nl")).toEqual({ apples: { forms: { other: "appels" } } });
});

test("a translation without forms of its own is plural as its source text is", async () => {
  put("en.json", '{ "apples": "apple|apples", "one": "One" }');
  put("nl.json", '{ "apples": "appels", "one": "Een" }');
  await local.load();
  expect(texts("nl")).toEqual({ apples: { forms: { other: "appels" } }, one: { value: "Een" } });
  put("en.json", '{ "apples": "apple|apples", "one": "One|Ones" }');
  await local.reload();
  expect(texts("nl")).toEqual({ apples: { forms: { other: "appels" } }, one: { forms: { other: "Een" } } });
});

test("a table gets the columns of languages that the service has from now on", async () => {
  local.configure({ ...LAYOUT, files: [{ path: "texts.csv", format: "csv" }], serviceLocales: ["en"] });
  put("texts.csv", "key,en,nl\na,A,Aa\n");
  expect((await local.load()).locales).toEqual(["en"]);
  local.configure({ ...LAYOUT, files: [{ path: "texts.csv", format: "csv" }] });
  expect((await local.load()).locales).toEqual(["en", "nl"]);
});

test("a table gets the columns that the project file names from now on", async () => {
  const layout = { ...LAYOUT, files: [{ path: "texts.csv", format: "csv" } as const] };
  local.configure(layout);
  put("texts.csv", "key,en,dutch\na,A,Aa\n");
  expect((await local.load()).locales).toEqual(["en"]);
  local.configure({ ...layout, locales: { dutch: "nl" } });
  expect((await local.load()).locales).toEqual(["en", "nl"]);
  expect(texts("nl")).toEqual({ a: { value: "Aa" } });
});
