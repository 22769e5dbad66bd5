/** What uses mean as ids come, go and come again: every answer is that of meanings made anew. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LookupOptions } from "../../../src/core/key-lookup.ts";
import { KeyNames } from "../../../src/core/key-names.ts";
import { UsageMeanings } from "../../../src/core/usage-meanings.ts";
import { UsageTable } from "../../../src/core/usage-table.ts";
import type { KeyUse, UsedKey } from "../../../src/core/usages/usage.ts";

const OPTIONS: LookupOptions = { frameworks: new Set(["i18next"]) };
const KEYS = ["a", "a_male", "b.c", "b.d", "menu.x", "menu.y", "menu.z"].map((key) => ({
  hash: `hash of ${key}`,
  namespace: "*",
  key,
  context: null,
}));

function useOf(used: UsedKey, isDynamic = false): KeyUse {
  const span = { start: 1, end: 5 };
  return {
    ...{ used, namespaces: null, keyPrefix: "", context: null, keySpan: span, callSpan: span },
    ...(isDynamic ? { dynamicContext: true } : {}),
  } as KeyUse;
}

const said = (key: string): UsedKey => ({ kind: "static", key });

/** A table that tells the meanings of what is new in it. */
class Code {
  readonly table = new UsageTable();
  readonly names = KeyNames.of(KEYS, KEYS.length);
  readonly meanings = new UsageMeanings(this.table, this.names, OPTIONS);

  put(path: string, uses: readonly KeyUse[]): void {
    for (const id of this.table.set(path, { size: 1, modified: 1 }, uses, null)) this.meanings.resolve(id);
  }

  /** What they say of the keys and of some names that no key has. */
  says(meanings = this.meanings) {
    const counted = (ids: readonly number[]): number =>
      ids.reduce((sum, id) => sum + this.table.count(id), 0);
    const unknown = ["nope", "b.e", "translation"].map((key) =>
      counted(meanings.unknownIdsOf({ namespace: "*", key, context: null })),
    );
    return {
      counts: KEYS.map(({ hash }) => counted(meanings.idsOf(hash))),
      patterns: meanings.patterns().map(({ pattern, matches }) => [pattern, matches.map(({ hash }) => hash)]),
      patternsOf: KEYS.map(({ hash }) => meanings.patternsOf(hash).map(({ pattern }) => pattern)),
      unknown: [...unknown, meanings.unknownIds().length],
    };
  }
}

const use = fc.oneof(
  fc.constantFrom("a", "b.c", "b.d", "menu", "b", "nope", "b.e", "other").map((key) => useOf(said(key))),
  fc.constantFrom("menu.", "b.", "", "q").map((prefix) => useOf({ kind: "pattern", prefix, suffix: "" })),
  fc.constant(useOf(said("a"), true)),
);
const change = fc.record({
  path: fc.constantFrom("1.ts", "2.ts", "3.ts"),
  uses: fc.array(use, { maxLength: 4 }),
  isGone: fc.boolean(),
});

test("every answer is that of meanings made anew", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const code = new Code();
      for (const { path, uses, isGone } of changes) {
        if (isGone) code.table.remove(path);
        else code.put(path, uses);
      }
      const anew = new UsageMeanings(code.table, code.names, OPTIONS);
      for (const id of code.table.ids()) anew.resolve(id);
      expect(code.says()).toEqual(code.says(anew));
    }),
  );
});

describe("the answers", () => {
  test("count each use of a key, however it is said", () => {
    const code = new Code();
    code.put("1.ts", [useOf(said("a")), useOf(said("a"), true), useOf(said("menu"))]);
    code.put("2.ts", [useOf(said("menu.x")), useOf({ kind: "pattern", prefix: "b.", suffix: "" })]);
    code.put("3.ts", [useOf(said("nope")), useOf(said("nope"))]);
    expect(code.says()).toEqual({
      counts: [2, 1, 0, 0, 2, 1, 1],
      patterns: [["b.*", ["hash of b.c", "hash of b.d"]]],
      patternsOf: [[], [], ["b.*"], ["b.*"], [], [], []],
      unknown: [2, 0, 0, 1],
    });
    expect([code.meanings.idsOf("nobody's"), code.meanings.patternsOf("nobody's")]).toEqual([[], []]);
  });

  test("stay right, and small, while somebody types names that no key has", () => {
    const code = new Code();
    for (let round = 0; round < 5_000; round++) code.put("1.ts", [useOf(said(`typed ${round}`))]);
    const asked = (key: string) => code.meanings.unknownIdsOf({ namespace: "*", key, context: null }).length;
    expect([asked("typed 4999"), asked("typed 4998"), asked("typed 0")]).toEqual([1, 0, 0]);
    code.put("2.ts", [useOf(said("typed 4999"))]);
    expect(asked("typed 4999")).toBe(1);
    expect(code.meanings.unknownIds()).toHaveLength(1);
  });
});
