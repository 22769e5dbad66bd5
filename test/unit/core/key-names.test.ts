/** Names of keys made ready for looking up: exact, by prefix and by pattern. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KeyNames } from "../../../src/core/key-names.ts";

const part = fc.constantFrom("a", "b", "a.b", "a.", "", "ä", "zz", "a.c.d");
const key = fc.record({
  namespace: fc.constantFrom("*", "n"),
  key: part,
  context: fc.constantFrom(null, "", "x", "y"),
});

test("asking gives what going through all keys gives", () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 30 }), part, part, (given, prefix, suffix) => {
      const id = (each: (typeof given)[number]) => `${each.namespace}|${each.key}|${each.context ?? ""}`;
      const keys = [...new Map(given.map((each) => [id(each), { ...each, hash: id(each) }])).values()];
      const names = new KeyNames(keys);
      expect(names.size).toBe(keys.length);
      for (const each of keys)
        expect(names.get(each.namespace, each.key, each.context)?.hash).toBe(each.hash);
      const wanted = keys.filter(
        (each) =>
          each.namespace === "n" &&
          each.key.startsWith(prefix) &&
          each.key.endsWith(suffix) &&
          each.key.length >= prefix.length + suffix.length,
      );
      const matching = names.matching("n", prefix, suffix, Number.POSITIVE_INFINITY);
      expect(matching.map((each) => each.hash).sort()).toEqual(wanted.map((each) => each.hash).sort());
      expect(names.hasPrefix("n", prefix)).toBe(
        keys.some((each) => each.namespace === "n" && each.key.startsWith(prefix)),
      );
    }),
  );
});

test("a key with any context", () => {
  const names = new KeyNames([{ hash: "1", namespace: "*", key: "a", context: "x" }]);
  expect(names.get("*", "a")).toBeUndefined();
  expect(names.withAnyContext("*", "a")?.hash).toBe("1");
});
