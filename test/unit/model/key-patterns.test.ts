/** Patterns of keys and the names that they match. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keyPatternMatcher, qualifiedNames } from "../../../src/model/key-hash.ts";
import { propertyRuns } from "../support/full-run.ts";

test.each([
  ["a.b", ["a.b"], ["a.bc", "xa.b", "a"]],
  ["a.*", ["a.", "a.b", "a.b.c"], ["a", "b.a.c"]],
  ["*.b", [".b", "a.b", "b.b.b"], ["a.bc", "b"]],
  ["*", ["", "a", "*"], []],
  ["a*b*c", ["abc", "axbxc", "abbc", "abcc"], ["acb", "ab", "ac", "abcx"]],
  // What one part took is not there for the next one.
  ["a*ab", ["aab", "axab"], ["ab"]],
  ["*ab*ab*", ["abab", "xabxabx"], ["ab", "aab", "aba"]],
  ["a**b", ["ab", "axb"], ["a"]],
  ["a.(b)+", ["a.(b)+"], ["a.b", "axbb"]],
])("%s", (glob, meant, others) => {
  const matches = keyPatternMatcher(glob);
  expect(meant.filter((name) => !matches(name))).toEqual([]);
  expect(others.filter((name) => matches(name))).toEqual([]);
});

test("matches like a regular expression for any pattern", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (glob, name) => {
      const expression = new RegExp(`^${glob.replaceAll("*", "[^]*")}$`, "u");
      expect(keyPatternMatcher(glob)(name)).toBe(expression.test(name));
    }),
    propertyRuns(100),
  );
});

test("lists both spellings of a namespaced key", () => {
  expect(qualifiedNames({ namespace: "*", key: "a.b", context: null })).toEqual(["a.b"]);
  expect(qualifiedNames({ namespace: "n", key: "a.b", context: null })).toEqual(["n.a.b", "n:a.b"]);
});
