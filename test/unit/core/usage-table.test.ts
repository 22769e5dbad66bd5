/** The uses of a workspace as files come, change and go, against a plain map of them; and kept in the store. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeTable, encodeTable } from "../../../src/core/usage-cache.ts";
import { UsageTable, type LeftOutReason } from "../../../src/core/usage-table.ts";
import type { KeyUse } from "../../../src/core/usages/usage.ts";

const breathe = async (): Promise<void> => undefined;

interface Said {
  readonly key: string;
  readonly start: number;
}

function useOf({ key, start }: Said): KeyUse {
  return {
    used: { kind: "static", key },
    namespaces: null,
    keyPrefix: "",
    context: null,
    keySpan: { start, end: start + key.length },
    callSpan: { start, end: start + key.length },
  } as KeyUse;
}

/** All that the table holds, each use as `path key start`. */
function contents(table: UsageTable): readonly string[] {
  const all = [...table.ids()];
  const places = table.placesById(new Set(all));
  return all
    .flatMap((id) => {
      const { used } = table.said(id);
      const said = used.kind === "static" ? used.key : `${used.prefix}*`;
      expect(places.get(id)?.length).toBe(table.count(id));
      return (places.get(id) ?? []).map(({ path, span }) => `${path} ${said} ${span.start}-${span.end}`);
    })
    .sort();
}

const said = fc.record({ key: fc.constantFrom("a", "b.c", "é", "x.y.z", "", "😀"), start: fc.nat(100_000) });
interface Change {
  readonly path: string;
  /** `null`: the file is removed. */
  readonly uses: readonly Said[] | null;
  readonly modified: number;
  readonly leftOut: LeftOutReason | null;
}

const change: fc.Arbitrary<Change> = fc.record({
  path: fc.constantFrom("a.ts", "b/ü.php", "c.vue", "d.ts"),
  uses: fc.option(fc.array(said, { maxLength: 5 }), { nil: null }),
  modified: fc.constantFrom(-1, 0, 1_763_000_000_123, 1_763_000_000_123.5),
  leftOut: fc.constantFrom<LeftOutReason | null>(null, null, "minified", "unreadable"),
});
const changes = fc.array(change, { maxLength: 60 });

function made(given: readonly Change[]) {
  const table = new UsageTable();
  const model = new Map<string, Change>();
  for (const each of given) {
    const before = new Set(table.ids());
    if (each.uses === null) {
      expect(table.remove(each.path)).toBe(model.delete(each.path));
      continue;
    }
    const stamp = { size: each.uses.length, modified: each.modified };
    const fresh = table.set(each.path, stamp, each.uses.map(useOf), each.leftOut);
    expect(fresh.every((id) => !before.has(id) && table.count(id) > 0)).toBe(true);
    expect([...table.ids()].every((id) => before.has(id) || fresh.includes(id))).toBe(true);
    model.set(each.path, each);
  }
  return { table, model };
}

function expectSame(table: UsageTable, model: ReturnType<typeof made>["model"]): void {
  const expected = [...model].flatMap(([path, { uses }]) =>
    (uses ?? [])
      .filter(({ key }) => key !== "")
      .map(({ key, start }) => `${path} ${key} ${start}-${start + key.length}`),
  );
  expect(contents(table)).toEqual(expected.sort());
  expect([table.useCount, table.fileCount]).toEqual([expected.length, model.size]);
  expect([...table.paths()].sort()).toEqual([...model.keys()].sort());
  for (const [path, { uses, modified }] of model) {
    expect(table.stampOf(path)).toEqual({ size: uses?.length, modified });
  }
  const leftOut = [...model].filter(([, file]) => file.leftOut !== null);
  expect(table.leftOut()).toEqual(
    leftOut
      .map(([path, file]) => ({ path, reason: file.leftOut }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}

test("holds what a map of the files would", () => {
  fc.assert(
    fc.property(changes, (given) => {
      const { table, model } = made(given);
      expectSame(table, model);
    }),
  );
});

test("gives all of it to another table", () => {
  fc.assert(
    fc.property(changes, (given) => {
      const { table, model } = made(given);
      const found = table.plain();
      const other = new UsageTable();
      for (const file of found.files) other.take(file, found);
      expectSame(other, model);
    }),
  );
});

test("does not grow with files that change again and again", () => {
  const table = new UsageTable();
  for (let round = 0; round < 500; round++) {
    for (const path of ["a.ts", "b.ts", "c.ts"]) {
      const uses = Array.from({ length: 20 }, (_, at) => useOf({ key: `k${round}.${at}`, start: at }));
      table.set(path, { size: round, modified: round }, uses, null);
    }
  }
  expect([table.useCount, [...table.ids()].length]).toEqual([60, 20]);
  expect(Math.max(...table.ids())).toBeLessThan(60);
  const ids = [...table.ids()].filter((id) => JSON.stringify(table.said(id)).includes("k499.7"));
  expect(table.places(new Set(ids)).map(({ path, span }) => `${path}:${span.start}`)).toEqual([
    "a.ts:7",
    "b.ts:7",
    "c.ts:7",
  ]);
});

describe("in the store", () => {
  test("it is the same again", async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (given) => {
        const { table, model } = made(given);
        const bytes = await encodeTable(table, "options", breathe);
        const again = await decodeTable(bytes, "options", breathe);
        expect(again).toBeDefined();
        if (again !== undefined) expectSame(again, model);
        expect(await decodeTable(bytes, "others", breathe)).toBeUndefined();
      }),
    );
  });

  test("bytes that are cut off or wrong are not taken, or give a table that can be asked", async () => {
    const table = new UsageTable();
    for (let file = 0; file < 300; file++) {
      const uses = [useOf({ key: `key.${file}`, start: file }), useOf({ key: "same", start: 2 * file })];
      table.set(`src/${file}.ts`, { size: file, modified: 1 }, uses, null);
    }
    const bytes = await encodeTable(table, "f", breathe);
    for (const length of [0, 1, 50, 200, 3_000, bytes.length - 1]) {
      expect(await decodeTable(bytes.slice(0, length), "f", breathe)).toBeUndefined();
    }
    for (let at = 0; at < bytes.length; at += 97) {
      const damaged = bytes.with(at, 255);
      const read = await decodeTable(damaged, "f", breathe);
      if (read !== undefined) expect(read.places(new Set(read.ids())).length).toBe(read.useCount);
    }
  });

  test("others get their turn while many files are written and read", async () => {
    const table = new UsageTable();
    for (let file = 0; file < 5_000; file++) {
      table.set(`src/${file}.ts`, { size: 1, modified: 1 }, [useOf({ key: `key.${file}`, start: 1 })], null);
    }
    let turns = 0;
    const count = async (): Promise<void> => void turns++;
    const bytes = await encodeTable(table, "f", count);
    expect(turns).toBeGreaterThan(50);
    turns = 0;
    expect((await decodeTable(bytes, "f", count))?.useCount).toBe(5_000);
    expect(turns).toBeGreaterThan(50);
  });
});
