/** What the indexing process lists and reads of a project's files, in which order, and what it tells of it. */
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { LocalFileRepository } from "../../../../src/database/local-file-repository.ts";
import type { FileStamp } from "../../../../src/model/platform.ts";
import type { FolderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import type { WalkScope } from "../../../../src/workspace/file-system/walk-folder.ts";
import type { LocalLayout } from "../../../../src/workspace/local-files/list-local-files.ts";
import { LocalFileIndexer } from "../../../../src/workspace/local-files/local-file-indexer.ts";
import {
  createLocalFileIndexing,
  type LoadProgress,
  type LoadRequest,
  type LocalFileIndexing,
} from "../../../../src/workspace/local-files/local-file-loader.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";

const JSON_FILES: FilesEntry = { path: "lang/{locale}/{namespace}.json", format: "json_js" };
const SHEET: FilesEntry = { path: "texts.csv", format: "csv", namespace: "sheet" };
const LAYOUT: LocalLayout = {
  files: [JSON_FILES, SHEET],
  locales: {},
  sourceLocale: "en",
  serviceLocales: ["en", "nl", "pt-BR"],
};

let database: Database;
let indexing: LocalFileIndexing;
/** The texts on disk with their stamps, the paths of each batch that was read, and what was told meanwhile. */
let disk: Map<string, { readonly text: string; readonly stamp: FileStamp }>;
let batches: (readonly string[])[];
let progress: LoadProgress[];
let reads: string[];
let scopes: WalkScope[];
/** With what each search can be stopped. */
let signals: unknown[];
let isBroken: boolean;

let clock = 0;
const put = (path: string, text = '{ "a": "A" }'): void =>
  void disk.set(path, { text, stamp: { size: text.length, modified: ++clock } });

const folder: FolderFiles = {
  find: async ({ matches }, scope, signal) => {
    signals.push(signal);
    if (isBroken) throw new Error("the disk is gone");
    scopes.push(scope);
    return { files: [...disk.keys()].filter(matches), unreadable: [] };
  },
  stat: (path) => {
    const file = disk.get(path);
    return file === undefined ? { kind: "missing" } : { kind: "file", stamp: file.stamp, realPath: path };
  },
  read: (path) => {
    reads.push(path);
    const file = disk.get(path);
    if (file === undefined) return { kind: "missing" };
    return { kind: "read", bytes: new TextEncoder().encode(file.text), stamp: file.stamp, dirty: false };
  },
};

beforeEach(() => {
  database = new Database();
  onTestFinished(() => database.close());
  const indexer = new LocalFileIndexer(database);
  const readFiles = indexer.readFiles.bind(indexer);
  indexer.readFiles = (files, signal) => {
    batches.push(files.map(({ location }) => location.path));
    return readFiles(files, signal);
  };
  indexing = createLocalFileIndexing(database, folder, indexer);
  disk = new Map();
  [batches, progress, reads, scopes, signals, isBroken] = [[], [], [], [], [], false];
});

const scopeOf = (rest: Partial<LoadRequest> = {}) => {
  return { layout: LAYOUT, exclude: [], otherProjects: [], ...rest };
};

function load(rest: Partial<LoadRequest> = {}, signal?: AbortSignal) {
  const request: LoadRequest = {
    ...scopeOf(),
    part: "source",
    version: "1",
    mustList: true,
    mustCheckAll: true,
    changed: [],
    unsaved: new Map(),
    areKeysChanged: false,
    isCautious: false,
    tooLarge: [],
    ...rest,
  };
  return indexing.load(request, (each) => progress.push(each), signal);
}

const localesOf = (path: string): readonly string[] => [
  ...(new LocalFileRepository(database).fileAt(path)?.locales.keys() ?? []),
];

describe("the list of files", () => {
  test("has the service's languages in paths, and the entries that have files, as they are now", async () => {
    put("texts.csv");
    expect(await indexing.list(scopeOf())).toEqual({ locales: [], entries: [1] });
    put("lang/pt_BR/cart.json");
    put("lang/nl/cart.json");
    put("lang/nl/menu.json");
    put("lang/fr/menu.json");
    expect(await indexing.list(scopeOf())).toEqual({ locales: ["nl", "pt-BR"], entries: [0, 1] });
    expect(reads).toEqual([]);
  });

  test("is made in the folders of the project", async () => {
    put("lang/nl/cart.json");
    put("lang/en/cart.json");
    const scope = scopeOf({ exclude: ["old"], otherProjects: ["apps/two"] });
    expect(await indexing.listPaths(scope)).toEqual(["lang/en/cart.json", "lang/nl/cart.json"]);
    await load(scope);
    for (const each of scopes) expect(each).toMatchObject({ exclude: ["old"], otherProjects: ["apps/two"] });
    expect(scopes).toHaveLength(2);
  });

  test("can be stopped, as the reading can", async () => {
    put("lang/en/cart.json");
    const { signal } = new AbortController();
    await indexing.listPaths(scopeOf(), signal);
    await indexing.list(scopeOf(), signal);
    await load({}, signal);
    expect(signals).toEqual([signal, signal, signal]);
    await expect(load({}, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    expect(signals).toHaveLength(3);
  });

  test("is kept for the same folders and patterns, and made again after a failure", async () => {
    put("lang/en/cart.json");
    await load();
    await load({ mustList: false });
    expect(scopes).toHaveLength(1);
    isBroken = true;
    await expect(load()).rejects.toThrow("the disk is gone");
    isBroken = false;
    put("lang/en/menu.json");
    reads = [];
    await load({ mustList: false, mustCheckAll: false });
    expect([scopes.length, reads]).toEqual([2, ["lang/en/menu.json"]]);
    await load({ mustList: false, exclude: ["old"] });
    await load({ mustList: false, exclude: ["old"], otherProjects: ["apps/two"] });
    await load({ mustList: false, layout: { ...LAYOUT, files: [JSON_FILES] } });
    expect(scopes).toHaveLength(5);
  });
});

describe("files are read", () => {
  test("first of the source language, then those of others by namespace", async () => {
    for (const locale of ["pt_BR", "nl", "en"])
      for (const name of ["menu", "cart"]) put(`lang/${locale}/${name}.json`);
    await load();
    expect(reads).toEqual(["lang/en/cart.json", "lang/en/menu.json"]);
    await load({ part: "others", mustList: false });
    expect(reads.slice(2)).toEqual(
      ["cart", "menu"].flatMap((name) => ["nl", "pt_BR"].map((locale) => `lang/${locale}/${name}.json`)),
    );
  });

  test("together up to a limit of their number and size, and large ones alone", async () => {
    const large = JSON.stringify({ a: "x".repeat(300_000) });
    const medium = JSON.stringify({ a: "x".repeat(200_000) });
    ["a", "b", "c", "d", "e"].forEach((name) => put(`lang/en/${name}.json`, medium));
    put("lang/en/f.json", large);
    put("lang/en/g.json");
    await load();
    const names = batches.map((batch) => batch.map((path) => path.slice(8, 9)).join(""));
    expect(names).toEqual(["abc", "de", "f", "g"]);
    expect(progress).toEqual([{ path: null }, { path: "lang/en/f.json" }]);
    disk.clear();
    batches = [];
    for (let index = 0; index < 257; index++) put(`lang/en/${index + 100}.json`, "{}");
    await load();
    expect(batches.map(({ length }) => length)).toEqual([256, 1]);
  });

  test("one by one after one of them needed too much memory, which is left out", async () => {
    ["a", "b", "c"].forEach((name) => put(`lang/en/${name}.json`));
    await load({ isCautious: true, tooLarge: ["lang/en/b.json"] });
    expect(batches).toEqual([["lang/en/a.json"], ["lang/en/c.json"]]);
    expect(progress).toEqual([{ path: null }, { path: "lang/en/a.json" }, { path: "lang/en/c.json" }]);
    const problems = ["a", "b", "c"].map((name) => {
      return new LocalFileRepository(database).fileAt(`lang/en/${name}.json`)?.problems;
    });
    expect(problems).toMatchObject([[], [{ message: "parsing it takes too much memory" }], []]);
  });

  test("again only if they changed, and those that are gone are said to be", async () => {
    put("lang/en/cart.json");
    put("lang/en/menu.json");
    expect(await load()).toMatchObject({ isRead: true, isListingOutdated: false });
    progress = [];
    expect(await load()).toMatchObject({ isRead: false, isListingOutdated: false });
    expect(progress).toEqual([]);
    disk.delete("lang/en/cart.json");
    disk.delete("lang/en/menu.json");
    expect(await load({ mustList: false })).toMatchObject({ isRead: true, isListingOutdated: true });
    expect(["cart", "menu"].map((name) => localesOf(`lang/en/${name}.json`))).toEqual([[], []]);
  });

  test("again in another language, and by another version of the extension", async () => {
    for (const locale of ["de", "en", "nl"]) put(`lang/${locale}/cart.json`);
    const part = "others" as const;
    const before = { ...LAYOUT, serviceLocales: [...LAYOUT.serviceLocales, "de"] };
    const after = { ...before, locales: { nl: "pt-BR" } };
    await load({ part, layout: before });
    expect(reads).toEqual(["lang/de/cart.json", "lang/nl/cart.json"]);
    await load({ part, layout: after });
    expect([reads.slice(2), localesOf("lang/nl/cart.json")]).toEqual([["lang/nl/cart.json"], ["pt-BR"]]);
    await load({ part, layout: after, version: "2" });
    expect(reads).toHaveLength(5);
  });

  test("beside their old versions, which are removed after those of all languages were read", async () => {
    put("lang/en/cart.json");
    await load();
    put("lang/en/cart.json", '{ "b": "B" }');
    const replaced = (): number =>
      database.number("SELECT count(*) FROM local_files WHERE state = 'replaced'");
    await load();
    expect(replaced()).toBe(1);
    await load({ part: "others" });
    expect([replaced(), database.number("SELECT count(*) FROM local_entries")]).toEqual([0, 1]);
  });
});

test("tells the namespaces of paths for each language, and which entries have keys", async () => {
  const first: FilesEntry = { path: "a/{locale}.json", format: "json_js", namespace: "z" };
  const second: FilesEntry = { path: "b/{locale}.json", format: "json_js", namespace: "y" };
  const empty: FilesEntry = { path: "c/{locale}.json", format: "json_js", namespace: "x" };
  for (const path of ["a/nl", "b/nl", "a/pt_BR", "b/pt_BR", "b/en"]) put(`${path}.json`);
  put("c/en.json", "{}");
  const layout = { ...LAYOUT, files: [empty, second, SHEET, first] };
  await load({ layout });
  const { summary } = await load({ layout, part: "others", mustList: false });
  expect(summary.namespaces.toSorted()).toEqual(["x", "y", "z"]);
  expect(summary.namespacesByLocale).toEqual([
    { locales: ["nl", "pt-BR"], namespaces: ["y", "z"] },
    { locales: ["en"], namespaces: ["x", "y"] },
  ]);
  expect(summary.entriesWithKeys).toEqual([1, 3]);
  expect([summary.sourceLocale, summary.localeNames]).toEqual([
    "en",
    [{}, LAYOUT.serviceLocales, expect.arrayContaining(["en", "nl", "pt_BR"])],
  ]);
});
