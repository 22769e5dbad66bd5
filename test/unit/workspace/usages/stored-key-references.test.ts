/** Serialised key references round-trip, and equal references have equal texts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  parseKeyReference,
  resolveStoredReference,
  serializeKeyReference,
} from "../../../../src/workspace/usages/stored-key-references.ts";
import type { KeyReference } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import { propertyRuns } from "../../support/full-run.ts";
import { createKeyNames } from "../../support/key-database.ts";

const text = fc.string({ maxLength: 5 });
const reference: fc.Arbitrary<KeyReference> = fc.record(
  {
    expression: fc.oneof(
      fc.record({ kind: fc.constant("static" as const), key: text }),
      fc.record({ kind: fc.constant("pattern" as const), prefix: text, suffix: text }),
    ),
    namespaces: fc.oneof(
      fc.constant("unknown" as const),
      fc.constant(null),
      fc.array(text, { minLength: 1 }),
    ),
    keyPrefix: text,
    context: fc.option(text),
    dynamicContext: fc.constant(true as const),
    plural: fc.constant(true as const),
    ordinal: fc.constant(true as const),
    openOptions: fc.constant(true as const),
    isMessage: fc.constant(true as const),
    isUncertain: fc.constant(true as const),
    isLearned: fc.constant(true as const),
  },
  { requiredKeys: ["expression", "namespaces", "keyPrefix", "context"] },
);

test("round-trips references and their text", () => {
  fc.assert(
    fc.property(reference, (given) => {
      const stored = serializeKeyReference(given);
      expect(parseKeyReference(stored)).toEqual(given);
      expect(serializeKeyReference(parseKeyReference(stored))).toBe(stored);
    }),
    propertyRuns(100),
  );
});

/** A reference without anything else. */
const PLAIN = { namespaces: null, keyPrefix: "", context: null } as const;
const OPTIONS = { frameworks: new Set(["vue-i18n"] as const) };
const named = (key: string) => ({ namespace: "*", key, context: null, hash: key });
const resolved = (given: Pick<KeyReference, "expression"> & Partial<KeyReference>, keys: readonly string[]) =>
  resolveStoredReference(
    serializeKeyReference({ ...PLAIN, ...given }),
    createKeyNames(keys.map(named)),
    OPTIONS,
  );

test("a pattern and a group mean all of their keys, however many they are", () => {
  const keys = Array.from({ length: 1_200 }, (_, index) => `status.${index}`);
  const found = resolved({ expression: { kind: "pattern", prefix: "status.", suffix: "" } }, keys);
  expect(found).toMatchObject({ kind: "pattern", pattern: "status.*" });
  expect(found.kind === "pattern" && new Set(found.hashes).size).toBe(1_200);
  const group = resolved({ expression: { kind: "static", key: "status" } }, keys);
  expect(group.kind === "keys" && new Set(group.hashes).size).toBe(1_200);
});

test("a reference means a key, all of a group, some that it does not name, or none", () => {
  const keys = ["menu.a", "menu.b", "other"];
  const expression = (key: string) => ({ expression: { kind: "static", key } as const });
  expect(resolved(expression("menu.a"), keys)).toEqual({ kind: "keys", hashes: ["menu.a"] });
  expect(resolved(expression("menu"), keys)).toEqual({ kind: "keys", hashes: ["menu.a", "menu.b"] });
  expect(resolved(expression("gone"), keys)).toMatchObject({
    kind: "unknown",
    names: [{ namespace: "*", key: "gone", context: null }],
  });
  const open = { expression: { kind: "pattern", prefix: "", suffix: "" } as const };
  expect(resolved(open, keys)).toEqual({
    kind: "pattern",
    prefix: "",
    suffix: "",
    pattern: "*",
    hashes: [],
  });
  expect(resolved({ ...open, keyPrefix: "menu" }, keys)).toMatchObject({
    pattern: "menu.*",
    hashes: ["menu.a", "menu.b"],
  });
});
