/** Agreed texts on a real disk: how much is written, and what is kept when something else was agreed meanwhile. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { AgreedTextRepository } from "../../../../src/database/personal/agreed-text-repository.ts";
import { PERSONAL_SCHEMA } from "../../../../src/database/personal/personal-schema.ts";
import { sha1 } from "../../../../src/model/key-hash.ts";

const COUNT = 30_000;
const hashes = Array.from({ length: COUNT }, (_, index) => sha1(`key ${index}`));

let folder: string;
let database: Database;
let agreed: AgreedTextRepository;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agreed-"));
  database = new Database(join(folder, "app.db"), undefined, undefined, PERSONAL_SCHEMA);
  agreed = new AgreedTextRepository({ database, project: "shop" });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

test("are written without waiting for the disk, unlike what a person typed", async () => {
  const synchronous = (): unknown => database.value("PRAGMA synchronous");
  const NORMAL = 1;
  const FULL = 2;
  expect(await database.transactionAsync(synchronous)).toBe(FULL);
  expect(await database.transactionAsync(synchronous, true)).toBe(NORMAL);
  const during: unknown[] = [];
  const run = database.sql.bind(database);
  database.sql = (text) => {
    if (text.startsWith("INSERT")) during.push(run("PRAGMA synchronous").get()?.["synchronous"]);
    return run(text);
  };
  await agreed.store([{ locale: "nl", hash: sha1("key"), fingerprint: "text" }]);
  expect([during, synchronous()]).toEqual([[NORMAL], FULL]);
});

/** Returns the number of pages that were written, per page that the texts take. */
async function writtenPerPage(work: () => Promise<void>): Promise<number> {
  database.sql("PRAGMA wal_autocheckpoint = 0").all();
  await work();
  const pages = database.number("PRAGMA page_count");
  return statSync(join(folder, "app.db-wal")).size / database.number("PRAGMA page_size") / pages;
}

/** Counts the transactions of some work, between which other work can run. */
async function countSlices(work: () => Promise<void>): Promise<number> {
  let slices = 0;
  let isDone = false;
  const count = (): void => {
    slices++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return slices;
}

test("writes each page only a few times, although hashes are in no order", async () => {
  const texts = hashes.map((hash) => ({ locale: "nl", hash, fingerprint: "1" }));
  expect(await writtenPerPage(() => agreed.store(texts))).toBeLessThan(5);
  expect(agreed.of("nl", hashes.slice(0, 1_000)).size).toBe(1_000);
  expect(database.number("SELECT count(*) FROM agreed_texts")).toBe(COUNT);
});

test("undoes in time slices, and leaves what was agreed since", async () => {
  const [first = "", second = ""] = hashes;
  const changes = hashes.map((hash) => ({ locale: "nl", hash, fingerprint: "2", before: null }));
  await agreed.store([{ locale: "nl", hash: first, fingerprint: "1" }]);
  await agreed.store(changes);
  await agreed.store([{ locale: "nl", hash: second, fingerprint: "3" }]);
  const undone = changes.map((change) => (change.hash === first ? { ...change, before: "1" } : change));
  expect(await countSlices(() => agreed.undo(undone))).toBeGreaterThan(COUNT / 2_000);
  expect(agreed.of("nl", hashes.slice(0, 3))).toEqual(
    new Map([
      [first, "1"],
      [second, "3"],
    ]),
  );
  expect(database.number("SELECT count(*) FROM agreed_texts")).toBe(2);
});

test("does not replace what was agreed after it was read", async () => {
  const [hash = "", other = "", absent = ""] = hashes;
  await agreed.store([hash, other].map((each) => ({ locale: "nl", hash: each, fingerprint: "pulled" })));
  await agreed.storeUnlessChanged([
    { locale: "nl", hash, fingerprint: "seen", before: "earlier" },
    { locale: "nl", hash: other, fingerprint: "seen", before: "pulled" },
    { locale: "nl", hash: absent, fingerprint: "seen", before: null },
  ]);
  expect(agreed.of("nl", [hash, other, absent])).toEqual(
    new Map([
      [hash, "pulled"],
      [other, "seen"],
      [absent, "seen"],
    ]),
  );
});

test("are those of a project, by language and key, and nothing is written for the same ones", async () => {
  const [a = "", b = ""] = hashes;
  const other = new AgreedTextRepository({ database, project: "blog" });
  await agreed.store([
    { locale: "nl", hash: a, fingerprint: "1" },
    { locale: "de", hash: a, fingerprint: "2" },
  ]);
  await other.store([{ locale: "nl", hash: a, fingerprint: "3" }]);
  expect([agreed.get("nl", a), agreed.get("de", a), agreed.get("nl", b), other.get("nl", a)]).toEqual([
    "1",
    "2",
    undefined,
    "3",
  ]);
  expect([agreed.of("nl", [b, a]), other.of("de", [a, b])]).toEqual([new Map([[a, "1"]]), new Map()]);
  const before = database.changes;
  const same = [
    { locale: "de", hash: a, fingerprint: "2" },
    { locale: "nl", hash: a, fingerprint: "1" },
  ];
  await agreed.store(same);
  expect(database.changes).toBe(before);
  const changed = { locale: "nl", hash: b, fingerprint: "1" };
  expect(await agreed.withoutStored([...same, changed])).toEqual([changed]);
  expect(await agreed.withoutStored([{ ...changed, hash: a, fingerprint: "2" }])).toHaveLength(1);
});

test("of a renamed key are kept under both names, except what was agreed of the new one already", async () => {
  const [from = "", to = "", other = ""] = hashes;
  await agreed.store([
    { locale: "nl", hash: from, fingerprint: "1" },
    { locale: "de", hash: from, fingerprint: "2" },
    { locale: "fr", hash: from, fingerprint: "3" },
    { locale: "de", hash: to, fingerprint: "own" },
    { locale: "nl", hash: other, fingerprint: "4" },
  ]);
  agreed.rename(["de", "nl"], from, to);
  expect(["nl", "de", "fr"].map((locale) => agreed.get(locale, to))).toEqual(["1", "own", undefined]);
  expect(["nl", "de", "fr"].map((locale) => agreed.get(locale, from))).toEqual(["1", "2", "3"]);
  await agreed.forget(["nl", "de"], [from, hashes[9] ?? ""]);
  expect(["nl", "de", "fr"].map((locale) => agreed.get(locale, from))).toEqual([undefined, undefined, "3"]);
  expect([agreed.get("nl", to), agreed.get("nl", other)]).toEqual(["1", "4"]);
});

test("of any number of keys are forgotten, in one project", async () => {
  const many = hashes.slice(0, 2_500);
  const other = new AgreedTextRepository({ database, project: "blog" });
  for (const each of [agreed, other])
    await each.store(many.map((hash) => ({ locale: "nl", hash, fingerprint: "1" })));
  await agreed.forget(["nl"], many.slice(1));
  expect([agreed.of("nl", many), other.of("nl", many).size]).toEqual([new Map([[many[0], "1"]]), 2_500]);
});
