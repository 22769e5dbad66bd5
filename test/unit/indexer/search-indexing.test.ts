/** The full-text index written by the indexing process, next to a host that reads and writes the same file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { KeySearch } from "../../../src/database/full-text-search.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { addKeys, addTranslations } from "../support/key-database.ts";

const program = new URL("../../../src/indexer/indexer-process.ts", import.meta.url).pathname;

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
