/** Names that no key has: which of them are mistakes. */
import { expect, test } from "vitest";
import { keyHash, type KeyName } from "../../../../src/model/key-hash.ts";
import { isMistake, isUnknownKey } from "../../../../src/workspace/problems/unknown-keys.ts";
import type { KeyReference } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { createKeyNames } from "../../support/key-database.ts";

const NAMES = createKeyNames(
  [
    { namespace: "cart", key: "title" },
    { namespace: "shop::cart", key: "title" },
    { namespace: "*", key: "pagination.next" },
  ].map((name) => ({ ...name, context: null, hash: `${name.namespace}|${name.key}` })),
);
const CONTEXT: Parameters<typeof isMistake>[2] = {
  names: NAMES,
  lookup: { frameworks: new Set(["laravel"]) },
  localNamespaces: new Set(["cart"]),
  unreadNamespaces: new Set(),
};

function mistake(
  key: string,
  more: Partial<KeyReference> = {},
  context: Partial<typeof CONTEXT> = {},
): boolean {
  const usage: KeyReference = {
    expression: { kind: "static", key },
    namespaces: null,
    keyPrefix: "",
    context: null,
    ...more,
  };
  const [group = "", ...rest] = key.split(".");
  const candidates: readonly KeyName[] = [
    { namespace: "*", key, context: null },
    { namespace: group, key: rest.join("."), context: null },
  ];
  return isMistake(usage, candidates, { ...CONTEXT, ...context });
}

test("a name that nothing has is a mistake", () => expect(mistake("cart.gone")).toBe(true));

test.each<[string, Partial<KeyReference>]>([
  ["only a part of it is known", { expression: { kind: "pattern", prefix: "cart.", suffix: "" } }],
  ["its namespace is not known", { namespaces: "unknown" }],
  ["its context is not known", { dynamicContext: true }],
  ["it may be no key", { isUncertain: true }],
])("a name is none where %s", (_, more) => expect(mistake("cart.gone", more)).toBe(false));

test("a name is none that may be in a file which could not be read", () => {
  expect(mistake("cart.gone", {}, { unreadNamespaces: "any" })).toBe(false);
  expect(mistake("cart.gone", {}, { unreadNamespaces: new Set(["cart"]) })).toBe(false);
  expect(mistake("cart.gone", {}, { unreadNamespaces: new Set(["mail"]) })).toBe(true);
});

test("a name of a package is one only where the project has texts of the package, or is it", () => {
  expect(mistake("shop::cart.gone")).toBe(true);
  expect(mistake("other::cart.gone")).toBe(false);
  const lookup = { ...CONTEXT.lookup, packageNames: ["other"] };
  expect(mistake("other::cart.gone", {}, { lookup })).toBe(true);
  expect(mistake("third::cart.gone", {}, { lookup })).toBe(false);
  expect(mistake("::cart.gone")).toBe(true);
});

test("a name is unknown once all keys and usages are known, and no file of any language has it", () => {
  const candidates = ["gone", "gone_other"].map((key) => ({ namespace: "cart", key, context: null }));
  const isUnknown = (
    { inFiles = false, hasService = false, areUsagesComplete = true, namespaces = new Set(["cart"]) } = {},
    more: Partial<KeyReference> = {},
    frameworks: readonly FrameworkName[] = ["laravel"],
  ): boolean => {
    // One of the names is enough.
    const has = new Map(inFiles ? candidates.slice(1).map((name) => [keyHash(name), {}]) : []);
    const loaded = {
      locales: ["en", "nl"],
      entries: (locale: string) => (locale === "nl" ? has : new Map()),
    };
    const project = {
      keysComplete: true,
      source: { hasService, isKnown: true },
      freshness: { kind: "fresh" as const },
    };
    const reference: KeyReference = {
      expression: { kind: "static", key: "cart.gone" },
      namespaces: null,
      keyPrefix: "",
      context: null,
      ...more,
    };
    return isUnknownKey(
      reference,
      candidates,
      { project, keyNames: NAMES, local: { loaded, namespaces, unreadNamespaces: new Set() } as never },
      { lookup: { frameworks: new Set(frameworks) }, areUsagesComplete },
    );
  };
  expect(isUnknown()).toBe(true);
  expect(isUnknown({ inFiles: true })).toBe(false);
  expect(isUnknown({ areUsagesComplete: false })).toBe(false);
  expect(isUnknown({}, { isUncertain: true })).toBe(false);
  // A text that is a key may not be extracted yet, if only files say so.
  for (const [more, frameworks] of [
    [{ isMessage: true }, ["laravel"]],
    [{}, ["gettext"]],
  ] as const) {
    expect(isUnknown({}, more, frameworks)).toBe(false);
    expect(isUnknown({ hasService: true }, more, frameworks)).toBe(true);
  }
});

test("a name is none that the framework has, in groups that the project has not made its own", () => {
  expect(mistake("validation.required")).toBe(false);
  expect(mistake("validation.required", {}, { localNamespaces: new Set(["validation"]) })).toBe(true);
  // Keys of the group are in the file without groups.
  expect(mistake("pagination.previous")).toBe(true);
  expect(mistake("Not Found")).toBe(false);
  const lookup = { frameworks: new Set(["i18next"] as const) };
  expect(mistake("validation.required", {}, { lookup })).toBe(true);
  const auth = createKeyNames([{ namespace: "auth", key: "failed", context: null, hash: "auth|failed" }]);
  expect([mistake("auth.gone"), mistake("auth.gone", {}, { names: auth })]).toEqual([false, true]);
});
