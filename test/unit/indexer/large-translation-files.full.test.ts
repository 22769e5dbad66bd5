/** Large translation files give the same results in the indexing process as in this one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import type { EditedFile } from "../../../src/formats/parse-and-edit-file.ts";
import type { FormatName } from "../../../src/model/file-formats.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import {
  type TranslationFiles,
  translationFilesBySize,
  OUT_OF_MEMORY,
  OUT_OF_MEMORY_PROBLEM,
} from "../../../src/workspace/local-files/parse-large-files-in-indexer.ts";
import { LocalFileIndexer } from "../../../src/workspace/local-files/local-file-indexer.ts";

const PROGRAM = new URL("../../../dist/indexer-process.mjs", import.meta.url).pathname;
const OPTIONS = { locale: "nl", sourceLocale: "en" };

let folder: string;
let database: Database;
let client: IndexerClient;
let files: TranslationFiles;
let calls: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "translation-files-"));
  database = new Database(join(folder, "project.db"));
  client = new IndexerClient({ program: PROGRAM, log: { warn: () => undefined } });
  calls = [];
  const { localFiles } = client.forProject(database, folder);
  const indexing = new Proxy(localFiles, {
    get: (target, name) => {
      calls.push(String(name));
      return Reflect.get(target, name);
    },
  });
  files = translationFilesBySize(new LocalFileIndexer(database), indexing);
});
afterEach(() => {
  client.dispose();
  database.close();
  rmSync(folder, { recursive: true });
});

const many = (line: (index: number) => string): string =>
  Array.from({ length: 6_000 }, (_, index) => line(index)).join("");

const SAMPLES: readonly (readonly [FormatName, string])[] = [
  [
    "json_js",
    `{ ${many((index) => `"k${index}": "a text that is some words long, number ${index}", `)}"n": 5 }`,
  ],
  [
    "laravel_php",
    `<?php return [\n${many((index) => `  'k${index}' => 'a text|some texts of number ${index}',\n`)}];\n`,
  ],
  [
    "csv",
    `key,en,nl\n${many((index) => `k${index},the English text ${index},de Nederlandse tekst ${index}\n`)}`,
  ],
];

test("returns the original bytes of a large file that an edit does not change", async () => {
  const bytes = new TextEncoder().encode(SAMPLES[0]?.[1]);
  const changes = [{ key: "none", context: null, locale: null, text: null }];
  const edited = (await files.edit("json_js", bytes, changes, OPTIONS)) as EditedFile;
  expect(edited.bytes).toBe(bytes);
  expect(calls).toEqual(["edit"]);
});

test("makes many changes of a small file in the indexing process", async () => {
  const bytes = new TextEncoder().encode("{}");
  const changes = Array.from({ length: 1_000 }, (_, index) => {
    return { key: `k${index}`, context: null, locale: null, text: { value: "new" } };
  });
  const edited = await files.edit("json_js", bytes, changes, OPTIONS);
  expect(calls).toEqual(["edit"]);
  expect(edited).toEqual(await new LocalFileIndexer(database).edit("json_js", bytes, changes, OPTIONS));
});

test.each(SAMPLES)("reads and edits %s like the calling process", async (format, text) => {
  const bytes = new TextEncoder().encode(text);
  const here = new LocalFileIndexer(database);
  expect(await files.read(format, bytes, OPTIONS)).toEqual(await here.read(format, bytes, OPTIONS));
  const changes = [
    { key: "k5999", context: null, locale: format === "csv" ? "nl" : null, text: { value: "new" } },
    { key: "none", context: null, locale: format === "csv" ? "nl" : null, text: null },
  ];
  const edited = await files.edit(format, bytes, changes, OPTIONS);
  expect(edited).toEqual(await here.edit(format, bytes, changes, OPTIONS));
  expect(edited).toMatchObject({ refused: [{ key: "none", reason: "not_found" }] });
  expect(calls).toEqual(["parse", "edit"]);
  // The caller's bytes are still its own.
  expect(bytes.length).toBe(new TextEncoder().encode(text).length);
});

test("renames a key of a large file in the indexing process if nothing else changes", async () => {
  const bytes = new TextEncoder().encode(SAMPLES[0]?.[1]);
  const read = await new LocalFileIndexer(database).read("json_js", bytes, OPTIONS);
  const entries = "entries" in read ? read.entries.filter(({ key }) => key === "k5") : [];
  const span = entries[0]?.keySpan;
  expect(await files.renameInPlace("json_js", bytes, [{ entries, newKey: "new" }], OPTIONS)).toEqual([
    {
      ...span,
      text: "new",
    },
  ]);
  expect(await files.renameInPlace("json_js", bytes, [{ entries, newKey: "k6" }], OPTIONS)).toBeNull();
  expect(calls).toEqual(["renameInPlace", "renameInPlace"]);
});

test("reads a small file in the calling process", async () => {
  const read = await files.read("json_js", new TextEncoder().encode('{ "a": "b" }'), OPTIONS);
  expect(read).toMatchObject({ entries: [{ key: "a", text: { value: "b" } }] });
  expect(calls).toEqual([]);
});

test("rejects binary content", async () => {
  const bytes = new TextEncoder().encode(SAMPLES[0]?.[1]);
  bytes[1_000] = 0xff;
  expect(await files.read("json_js", bytes, OPTIONS)).toMatchObject({ refused: "encoding" });
  expect(calls).toEqual(["parse"]);
});

test("rejects a file that needs too much memory, and reads the next", async () => {
  client.dispose();
  client = new IndexerClient({ program: PROGRAM, log: { warn: () => undefined }, maxHeapMb: 32 });
  files = translationFilesBySize(
    new LocalFileIndexer(database),
    client.forProject(database, folder).localFiles,
  );
  const huge = new TextEncoder().encode(
    `{ ${many((index) => `"k${index}": [${"{},".repeat(60)}0], `)}"n": 5 }`,
  );
  expect(await files.read("json_js", huge, OPTIONS)).toMatchObject({
    problems: [OUT_OF_MEMORY_PROBLEM],
  });
  const large = new TextEncoder().encode(SAMPLES[0]?.[1]);
  expect(await files.read("json_js", large, OPTIONS)).toHaveProperty("entries.length", 6_000);
});

test("changes nothing in a file that needs too much memory, which is said of each change", async () => {
  const here = new LocalFileIndexer(database);
  const outOfMemory = () => Promise.reject(Object.assign(new Error("no memory"), { code: OUT_OF_MEMORY }));
  const remote = { parse: outOfMemory, edit: outOfMemory, renameInPlace: outOfMemory };
  const bySize = translationFilesBySize(here, remote);
  const bytes = new TextEncoder().encode(SAMPLES[0]?.[1]);
  const changes = ["a", "b"].map((key) => ({ key, context: null, text: { value: "x" } }));
  const edited = await bySize.edit("json_js", bytes, changes, OPTIONS);
  expect(edited).toMatchObject({
    refused: [
      { key: "a", reason: "unsupported" },
      { key: "b", reason: "unsupported" },
    ],
  });
  expect("bytes" in edited && edited.bytes).toBe(bytes);
  expect(await bySize.renameInPlace("json_js", bytes, [], OPTIONS)).toBeNull();
});

test("reads each entry once if the process was started again while it sent them", async () => {
  const here = new LocalFileIndexer(database);
  const again = translationFilesBySize(here, {
    edit: here.edit,
    renameInPlace: here.renameInPlace,
    parse: async (format, bytes, options, onEntries, signal) => {
      let sent = 0;
      await here.parse(format, bytes, options, (batch) => void (++sent < 4 && onEntries(batch)), signal);
      return here.parse(format, bytes, options, onEntries, signal);
    },
  });
  const bytes = new TextEncoder().encode(SAMPLES[0]?.[1]);
  expect(await again.read("json_js", bytes, OPTIONS)).toEqual(await here.read("json_js", bytes, OPTIONS));
});
