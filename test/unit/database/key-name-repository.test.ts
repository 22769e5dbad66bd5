/** Looks up key names: exact, by prefix and by pattern. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KeyNames } from "../../../src/database/key-name-repository.ts";
import { addKeys, createKeyDatabase, createKeyNames } from "../support/key-database.ts";
import { propertyRuns } from "../support/full-run.ts";

const part = fc.constantFrom(
  "a",
  "b",
  "a.b",
  "a.",
  "",
  "ä",
  "zz",
  "a.c.d",
  "%",
  "a_b",
  "A",
  "a\0b",
  "*",
  "😀",
  "\uffff",
);
const key = fc.record({
  namespace: fc.constantFrom("*", "n"),
  key: part,
  context: fc.constantFrom(null, "x", "y"),
});

test("finds the same keys as a full scan", () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 30 }), part, part, (given, prefix, suffix) => {
      const id = (each: (typeof given)[number]) => `${each.namespace}|${each.key}|${each.context ?? ""}`;
      const keys = [...new Map(given.map((each) => [id(each), { ...each, hash: id(each) }])).values()];
      const names = createKeyNames(keys);
      for (const each of keys)
        expect(names.get(each.namespace, each.key, each.context)?.hash).toBe(each.hash);
      const expected = keys.filter(
        (each) =>
          each.namespace === "n" &&
          each.key.startsWith(prefix) &&
          each.key.endsWith(suffix) &&
          each.key.length >= prefix.length + suffix.length,
      );
      const matching = names.matching("n", prefix, suffix, Number.POSITIVE_INFINITY);
      expect(matching.map((each) => each.hash).sort()).toEqual(expected.map((each) => each.hash).sort());
      expect(names.hasPrefix("n", prefix)).toBe(
        keys.some((each) => each.namespace === "n" && each.key.startsWith(prefix)),
      );
      expect(names.namespaces()).toEqual([...new Set(keys.map(({ namespace }) => namespace))].sort());
    }),
    propertyRuns(100),
  );
});

test("finds a key with any context", () => {
  const names = createKeyNames([{ hash: "1", namespace: "*", key: "a", context: "x" }]);
  expect(names.get("*", "a")).toBeUndefined();
  expect(names.get("*", "a", "")).toBeUndefined();
  expect(names.withAnyContext("*", "a")?.hash).toBe("1");
  const both = createKeyNames(
    ["y", null, "x"].map((context) => ({ hash: `${context}`, namespace: "*", key: "a", context })),
  );
  expect([both.withAnyContext("*", "a")?.hash, both.withAnyContext("n", "a")]).toEqual(["null", undefined]);
  const plain = createKeyNames([{ hash: "2", namespace: "*", key: "a", context: null }]);
  for (const context of [undefined, null, ""]) expect(plain.get("*", "a", context)?.hash).toBe("2");
});

test("finds keys added after a lookup", () => {
  const database = createKeyDatabase([{ hash: "1", namespace: "b", key: "a", context: null }]);
  const names = new KeyNames(database);
  const found = (): readonly string[] => names.matching("b", "", ".end", 9).map(({ hash }) => hash);
  expect([names.namespaces(), names.hasNamespace("a"), found()]).toEqual([["b"], false, []]);
  addKeys(database, [
    { hash: "2", namespace: "a", key: "a", context: null },
    { hash: "3", namespace: "b", key: "x.end", context: null },
  ]);
  expect([names.namespaces(), names.hasNamespace("a"), found()]).toEqual([["a", "b"], true, ["3"]]);
});

test("finds keys in several namespaces with contexts", () => {
  const keys = Array.from({ length: 6_000 }, (_, at) => ({
    hash: at.toString(16).padStart(40, "0"),
    namespace: `space${at % 3}`,
    key: `group${(at * 7_919) % 53}.name${at}`,
    context: at % 10 === 0 ? `context ${at % 7}` : null,
  }));
  const names = createKeyNames(keys);
  expect(names.namespaces()).toEqual(["space0", "space1", "space2"]);
  expect(keys.map(({ namespace, key, context }) => names.get(namespace, key, context))).toEqual(keys);
  expect(keys.map(({ namespace, key }) => names.withAnyContext(namespace, key))).toEqual(keys);
  expect(keys.filter(({ key }) => names.get("space3", key) !== undefined)).toEqual([]);
  const all = keys.filter(({ namespace }) => namespace === "space1").map(({ key }) => key);
  const found = (prefix: string, suffix: string, limit = 10_000): readonly string[] =>
    names.matching("space1", prefix, suffix, limit).map(({ key }) => key);
  expect(found("", "")).toEqual(all.sort());
  expect(found("group7.", "")).toEqual(all.filter((key) => key.startsWith("group7.")));
  expect(found("group", "9")).toEqual(all.filter((key) => key.endsWith("9")));
  expect(found("group7.", "", 3)).toEqual(all.filter((key) => key.startsWith("group7.")).slice(0, 3));
  expect(["group52.", "group53", "zzz", ""].map((prefix) => names.hasPrefix("space1", prefix))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("an end of names is looked for in its namespace, up to the limit, whatever was looked for before", () => {
  const names = createKeyNames(
    ["a|x.end", "a|y.end", "a|z.end", "b|w.end"].map((hash) => {
      const [namespace = "", key = ""] = hash.split("|");
      return { hash, namespace, key, context: null };
    }),
  );
  const found = (namespace: string, suffix: string, limit: number): readonly string[] =>
    names.matching(namespace, "", suffix, limit).map(({ hash }) => hash);
  expect(found("a", ".end", 2)).toEqual(["a|x.end", "a|y.end"]);
  expect(found("a", ".end", 9)).toEqual(["a|x.end", "a|y.end", "a|z.end"]);
  expect([found("b", ".end", 9), found("a", "z.end", 9), found("a", ".end", 1)]).toEqual([
    ["b|w.end"],
    ["a|z.end"],
    ["a|x.end"],
  ]);
  expect([names.hasNamespace("a"), names.hasNamespace("c"), names.hasNamespace("")]).toEqual([
    true,
    false,
    false,
  ]);
});
