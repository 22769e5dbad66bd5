/** Key names after a planned change, compared with a full lookup. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ChangedNames } from "../../../../src/workspace/refactoring/key-names-after-change.ts";
import { createKeyNames } from "../../support/key-database.ts";
import { propertyRuns } from "../../support/full-run.ts";

const PARTS = ["a", "a.b", "a.b.c", "b", "zz"];
const name = fc.record({
  namespace: fc.constantFrom("*", "n", "m"),
  key: fc.constantFrom(...PARTS),
  context: fc.constantFrom(null, "x", "y"),
});
const hashOf = ({ namespace, key, context }: { namespace: string; key: string; context: string | null }) =>
  `${namespace}|${key}|${context ?? ""}`;

test("answers like a freshly built set after every change", () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), name, fc.option(name), (given, added, taken) => {
      const keys = [
        ...new Map(given.map((each) => [hashOf(each), { ...each, hash: hashOf(each) }])).values(),
      ];
      const key = { ...added, hash: hashOf(added) };
      const without = taken === null ? null : hashOf(taken);
      const changed = new ChangedNames(createKeyNames(keys), without === null ? [] : [without], [key]);
      const left = keys.filter(({ hash }) => hash !== without && hash !== key.hash);
      const anew = createKeyNames([...left, key]);
      expect([...changed.namespaces()].sort()).toEqual([...anew.namespaces()].sort());
      for (const namespace of ["*", "n", "m", "none"]) {
        expect(changed.hasNamespace(namespace)).toBe(anew.hasNamespace(namespace));
        for (const part of [...PARTS, "", "a.", "q"]) {
          expect(changed.hasPrefix(namespace, part)).toBe(anew.hasPrefix(namespace, part));
          expect(changed.withAnyContext(namespace, part)?.key).toBe(
            anew.withAnyContext(namespace, part)?.key,
          );
          const plain = anew.get(namespace, part);
          if (plain !== undefined) expect(changed.withAnyContext(namespace, part)).toEqual(plain);
          for (const context of [null, "x", "y"]) {
            expect(changed.get(namespace, part, context)).toEqual(anew.get(namespace, part, context));
          }
          for (const suffix of ["", "b", ".c"]) {
            const all = changed.matching(namespace, part, suffix, 100);
            const expected = anew.matching(namespace, part, suffix, 100);
            expect(all.map((each) => each.key)).toEqual(expected.map((each) => each.key));
            expect(all.map(hashOf).sort()).toEqual(expected.map(hashOf).sort());
            expect(changed.matching(namespace, part, suffix, 2)).toEqual(all.slice(0, 2));
          }
        }
      }
    }),
    propertyRuns(100),
  );
});

test("finds what was removed under no name, and of names with several contexts the one without first", () => {
  const key = (of: string, context: string | null = null) => {
    return { namespace: "*", key: of, context, hash: hashOf({ namespace: "*", key: of, context }) };
  };
  const before = createKeyNames([key("a"), key("b", "x"), key("c")]);
  const changed = new ChangedNames(before, [hashOf(key("a"))], [key("b"), key("d")]);
  expect(changed.get("*", "a")).toBeUndefined();
  expect(changed.withAnyContext("*", "a")).toBeUndefined();
  expect(changed.get("*", "b", "x")).toEqual(key("b", "x"));
  expect(changed.withAnyContext("*", "b")).toEqual(key("b"));
  expect(changed.matching("*", "", "", 9)).toEqual([key("b"), key("b", "x"), key("c"), key("d")]);
  expect(changed.matching("*", "", "", 2)).toEqual([key("b"), key("b", "x")]);
});

test("has no namespace any more whose only key was renamed away", () => {
  const key = (namespace: string) => ({ namespace, key: "a", context: null, hash: namespace });
  const changed = new ChangedNames(createKeyNames([key("shop"), key("menu")]), ["shop"], [key("cart")]);
  expect([...changed.namespaces()].sort()).toEqual(["cart", "menu"]);
  expect(["shop", "cart"].map((each) => changed.hasNamespace(each))).toEqual([false, true]);
});
