/** Names that no key has: which of them are mistakes. */
import { expect, test } from "vitest";
import type { KeyName } from "../../../../src/model/key-hash.ts";
import { isMistake } from "../../../../src/workspace/problems/unknown-keys.ts";
import type { KeyReference } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
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
