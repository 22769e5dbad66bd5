/** The cache on a real disk: what is believed, what is forgotten, how often it writes, and that nobody waits for it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Cache, type Kept, type Part } from "../../../../src/core/cache.ts";
import { KeyMap } from "../../../../src/core/key-map.ts";
import type { ProjectKey, ProjectRow } from "../../../../src/core/project.ts";
import { RowMap } from "../../../../src/core/row-map.ts";
import { toBytes } from "../../../../src/core/plain-bytes.ts";
import type { Store } from "../../../../src/core/ports.ts";
import { keptLog, sha1, store, temporaryFolder, yieldNow } from "../../support/node-ports.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const PART: Part = {
  contentVersion: 7,
  told: [3, "x", null],
  since: "2026-01-02T03:04:05.000Z",
  keysSince: null,
  wholeAt: 1,
  differences: [0],
};

const key = (index: number): ProjectKey => ({
  hash: sha1(`${index}`),
  namespace: index % 2 === 0 ? "*" : "shop/Ωmega",
  key: `key ${index} "quoted"\nand broken`,
  context: index % 3 === 0 ? null : "button",
  isPlural: index % 5 === 0,
  text: index % 5 === 0 ? { forms: { one: "one 1️⃣", other: "# more" } } : { value: `text\u2028 ${index}` },
  sourceHash: sha1(`text ${index}`),
  description: index % 7 === 0 ? "For people" : null,
  maxLength: index % 4 === 0 ? 40 : null,
  tags: index % 6 === 0 ? ["a", "b"] : [],
  updatedAt: "2026-01-02T03:04:05.000Z",
});

const row = (index: number): ProjectRow => ({
  hash: sha1(`${index}`),
  text: index % 9 === 0 ? null : { value: `tekst ${index}` },
  isTranslated: index % 9 !== 0,
  isOutdated: index % 4 === 0,
  issues:
    index % 8 === 0
      ? [{ rule: "laravel.missing", level: "error", placeholder: ":name", form: "", suggestion: null }]
      : [],
  version: index % 9 === 0 ? null : index,
  updatedAt: null,
});

const many = <Item>(item: (index: number) => Item, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const keptKeys = (count: number): Kept<KeyMap> => ({ part: PART, items: KeyMap.of(many(key, count)) });
const keptRows = (count: number): Kept<RowMap> => ({ part: PART, items: RowMap.of(many(row, count)) });
const folded = async <Items extends { folded(...how: unknown[]): Promise<Items> }>({
  part,
  items,
}: Kept<Items>): Promise<Kept<Items>> => ({ part, items: await items.folded(yieldNow, 0, 0) });
const plain = <Item>(kept: Kept<ReadonlyMap<string, Item>> | null) =>
  kept === null ? null : { part: kept.part, items: [...kept.items.values()] };

const openCache = (name: string) => {
  const log = keptLog();
  const disk = store(`${folder.path}/${name}`);
  const written: string[] = [];
  const counting: Store = {
    ...disk,
    write: (file, bytes) => {
      written.push(file);
      return disk.write(file, bytes);
    },
  };
  return { cache: new Cache(counting, log, yieldNow), disk, written, log };
};

test("what is written comes back as it was, age and all", async () => {
  const { cache } = openCache("round");
  cache.writeKeys(await folded(keptKeys(2500)));
  // Some rows are in columns, others changed since.
  const { items } = await folded(keptRows(1500));
  cache.writeRows("zh-Hant", { part: PART, items: items.with(keptRows(2500).items) });
  await cache.saved();
  const again = openCache("round").cache;
  expect(plain(await again.readKeys())).toEqual({ part: PART, items: many(key, 2500) });
  expect(plain(await again.readRows("zh-Hant"))).toEqual({ part: PART, items: many(row, 2500) });
  expect(await again.readRows("zh-Hans")).toBeNull();
});

test("of a burst of changes only the newest is written", async () => {
  const { cache, written } = openCache("burst");
  for (let count = 1; count <= 50; count++) cache.writeRows("nl", keptRows(count));
  cache.writeKeys(keptKeys(1));
  await cache.saved();
  expect(written).toEqual(["rows.nl", "keys"]);
  expect((await openCache("burst").cache.readRows("nl"))?.items.size).toBe(50);
});

test("what comes while the disk is busy is written after it", async () => {
  const { cache, disk } = openCache("late");
  cache.writeKeys(keptKeys(3000));
  await yieldNow();
  cache.writeKeys(keptKeys(2));
  await cache.saved();
  cache.writeKeys(keptKeys(1));
  await cache.saved();
  expect((await openCache("late").cache.readKeys())?.items.size).toBe(1);
  expect((await disk.read("keys"))?.length).toBeLessThan(2000);
});

test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
  ["cut off", (bytes) => bytes.slice(0, -8)],
  ["cut off within a number", (bytes) => bytes.slice(0, -5)],
  ["with another byte in its JSON", (bytes) => bytes.with(40, 0)],
  ["with another byte in its columns", (bytes) => bytes.with(-40, (bytes.at(-40) ?? 0) ^ 1)],
  ["longer than it was", (bytes) => Uint8Array.from([...bytes, ...bytes.slice(0, 8)])],
  ["with a head alone", (bytes) => bytes.slice(0, 16)],
  ["empty", () => new Uint8Array()],
  ["of zeros", (bytes) => bytes.map(() => 0)],
  ["that is a text", () => new TextEncoder().encode("no cache at all!".repeat(50))],
])("a file %s is forgotten, and the log says so", async (name, damage) => {
  const { cache, disk } = openCache(`damaged ${name}`);
  cache.writeKeys(await folded(keptKeys(10)));
  await cache.saved();
  await disk.write("keys", damage((await disk.read("keys")) ?? new Uint8Array()));
  const again = openCache(`damaged ${name}`);
  expect(await again.cache.readKeys()).toBeNull();
  expect(again.log.lines.join()).toContain("cached keys");
});

test("a file of another version is forgotten", async () => {
  const { cache, disk, log } = openCache("version");
  const map = keptKeys(10).items.data;
  await disk.write("keys", await toBytes({ version: 3, part: PART, map }, yieldNow));
  expect((await cache.readKeys())?.items.size).toBe(10);
  await disk.write("keys", await toBytes({ version: 2, part: PART, map }, yieldNow));
  expect(await cache.readKeys()).toBeNull();
  expect(log.lines.join()).toContain("cached keys");
});

test("a disk that refuses costs the cache, not the work", async () => {
  const log = keptLog();
  const full: Store = {
    ...store(`${folder.path}/full`),
    write: () => Promise.reject(new Error("no space left")),
  };
  const cache = new Cache(full, log, yieldNow);
  cache.writeKeys(keptKeys(1));
  cache.writeRows("nl", keptRows(1));
  await cache.saved();
  expect(log.lines.filter((line) => line.includes("no space left"))).toHaveLength(2);
});

test("50,000 keys are read and written without keeping anybody waiting for 50 ms", async () => {
  let since = process.threadCpuUsage();
  let longest = 0;
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(since);
    longest = Math.max(longest, (user + system) / 1000);
  };
  const measured = async (): Promise<void> => {
    look();
    await yieldNow();
    since = process.threadCpuUsage();
  };
  const all = await folded(keptKeys(50_000));
  const cache = new Cache(store(`${folder.path}/many`), keptLog(), measured);
  since = process.threadCpuUsage();
  cache.writeKeys(all);
  await cache.saved();
  look();
  since = process.threadCpuUsage();
  expect((await cache.readKeys())?.items.size).toBe(50_000);
  look();
  expect(longest).toBeLessThan(50);
});
