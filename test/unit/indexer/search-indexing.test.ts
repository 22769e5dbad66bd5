/** The full-text index written by the indexing process, next to a host that reads and writes the same file. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { KeySearch } from "../../../src/database/full-text-search.ts";
import { CONTENT_OF_FILES } from "../../../src/database/sync-metadata-repository.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { folderFiles } from "../../../src/workspace/file-system/disk-files.ts";
import { LocalEntries } from "../../../src/workspace/local-files/local-entries.ts";
import { addKeys, addTranslations, translationsIn } from "../support/key-database.ts";

const program = new URL("../../../dist/indexer-process.mjs", import.meta.url).pathname;

let folder: string;
let database: Database;
let client: IndexerClient;
const start = (): void => {
  client = new IndexerClient({ program, log: { warn: () => undefined } });
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "search-indexing-"));
  database = new Database(join(folder, "project.db"));
  start();
});

afterEach(() => {
  client.dispose();
  database.close();
  rmSync(folder, { recursive: true });
});

const keys = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    hash: String(from + at),
    namespace: "*",
    key: `name${from + at}`,
    context: null,
    text: { value: `Text number ${from + at}` },
  }));
const found = (word: string): readonly string[] =>
  [...new KeySearch(database).find({ words: [word] }, 10)].map(({ hash }) => hash);

test("indexes what the host wrote before and during the update", async () => {
  addKeys(database, keys(0, 2_000));
  addTranslations(database, "nl", { "1999": { value: "Het laatste" } });
  const { search } = client.forProject(database, folder);
  const update = search.update();
  for (let from = 2_000; from < 2_200; from += 10) {
    addKeys(database, keys(from, 10));
    await setImmediate();
  }
  await update;
  expect([found("name1999"), found("laatste")]).toEqual([["1999"], ["1999"]]);
  await search.update();
  expect(new KeySearch(database).isUpToDate).toBe(true);
  expect(found("name2199")).toEqual(["2199"]);
});

test("continues after the process was killed", async () => {
  addKeys(database, keys(0, 5_000));
  const update = client.forProject(database, folder).search.update();
  while (database.sql("SELECT count(*) AS count FROM keys_to_index").get()?.["count"] === 5_000)
    await setImmediate();
  client.dispose();
  await Promise.allSettled([update]);
  start();
  await client.forProject(database, folder).search.update();
  expect([found("name0"), found("name4999")]).toEqual(
    [["0"], ["4999"]].map((each) => expect.arrayContaining(each)),
  );
  expect(found("number 4998")).toEqual(["4998"]);
});

test("derives the texts from what the window has not saved, until it is saved or closed", async () => {
  const { localFiles, localKeys } = client.forProject(database, folder);
  const stamp = { size: -1, modified: 1 };
  const disk = folderFiles(folder);
  const open = new Map<string, string>();
  const local = new LocalEntries({
    database,
    version: "1",
    files: { read: async (path) => disk.read(path) },
    keysVersion: () => 0,
    indexing: () => localFiles,
    unsavedFiles: () =>
      new Map(
        [...open].map(([path, text], at) => [
          path,
          { bytes: Buffer.from(text), stamp: { ...stamp, modified: text.length + at }, dirty: true },
        ]),
      ),
    onPartlyRead: () => undefined,
  });
  const files = [{ path: "{locale}.json", format: "json_js" as const }];
  local.configure({ files, locales: {}, sourceLocale: "en", serviceLocales: [] });
  database
    .sql("INSERT OR REPLACE INTO state (name, value) VALUES ('content', ?)")
    .run(JSON.stringify(CONTENT_OF_FILES));
  const texts = async (): Promise<unknown> => {
    local.invalidate();
    const { locales, covered } = await local.load();
    const options = { sourceLocale: "en", detectedSource: "en", locales: [...locales], covered };
    await localKeys.updateKeys(options);
    await localKeys.updateTranslations(options);
    return translationsIn(database, "nl").map(({ text }) => text);
  };
  writeFileSync(join(folder, "en.json"), '{ "a": "A" }');
  writeFileSync(join(folder, "nl.json"), '{ "a": "Opgeslagen" }');
  expect(await texts()).toEqual([{ value: "Opgeslagen" }]);
  open.set("nl.json", '{ "a": "Niet opgeslagen" }');
  expect(await texts()).toEqual([{ value: "Niet opgeslagen" }]);
  open.set("nl.json", "{}");
  expect(await texts()).toEqual([]);
  open.clear();
  expect(await texts()).toEqual([{ value: "Opgeslagen" }]);
});
