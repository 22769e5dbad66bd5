/** The keys that dynamic usages may refer to. */
import { expect, test } from "vitest";
import { dynamicUsageMatcher } from "../../../../src/workspace/usages/dynamic-usages.ts";
import type {
  KeyReference,
  KeyResolutionOptions,
} from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import { createKeyNames } from "../../support/key-database.ts";

const use = (
  said: string | readonly [prefix: string, suffix: string],
  changes: Partial<KeyReference> = {},
): KeyReference => ({
  expression:
    typeof said === "string"
      ? { kind: "static", key: said }
      : { kind: "pattern", prefix: said[0], suffix: said[1] },
  namespaces: "unknown",
  keyPrefix: "",
  context: null,
  ...changes,
});
const I18NEXT: KeyResolutionOptions = { frameworks: new Set(["i18next"]) };

function patternOf(
  uses: readonly KeyReference[],
  key: string,
  { namespace = "app", ...options }: Partial<KeyResolutionOptions> & { readonly namespace?: string } = {},
): string | undefined {
  const names = createKeyNames([{ hash: "x", namespace, key, context: null }]);
  return dynamicUsageMatcher(uses, names, { ...I18NEXT, ...options })({
    namespace,
    key,
    context: null,
  });
}

test.each<[string, string | readonly [string, string], string, string | undefined]>([
  ["a whole key", "title", "title", "*title"],
  ["its end, below a prefix out of sight", "title", "cart.title", "*title"],
  ["several parts of its end", "cart.title", "shop.cart.title", "*cart.title"],
  ["not a part of a word", "itle", "cart.title", undefined],
  ["not its beginning", "cart", "cart.title", undefined],
  ["a beginning", ["status.", ""], "status.paid", "status.*"],
  ["a beginning below a prefix", ["status.", ""], "order.status.paid", "status.*"],
  ["a beginning and an end", ["status.", ".label"], "order.status.paid.label", "status.*.label"],
  ["not another end", ["status.", ".label"], "status.paid.title", undefined],
  ["not where both are one", ["a.b", "b.c"], "a.b.c", undefined],
  ["where nothing stands between them", ["a.", "b"], "a.b", "a.*b"],
  ["nothing at all: any key", ["", ""], "cart.title", "*"],
])("matches keys for %s", (_, said, key, pattern) => {
  expect(patternOf([use(said)], key)).toBe(pattern);
});

test("matches variants of a key for a call that may show them", () => {
  expect(patternOf([use("item", { plural: true })], "cart.item_one")).toBe("*item_one");
  expect(patternOf([use("item", { context: "sent" })], "cart.item_sent")).toBe("*item_sent");
  expect(patternOf([use("item", { openOptions: true })], "cart.item_sent")).toBe("*item_sent");
  expect(patternOf([use("item")], "cart.item_one")).toBeUndefined();
});

test("limits a namespaced translator to its own keys", () => {
  const bound = { namespaces: ["app"] };
  expect(patternOf([use("title", bound), use(["status.", ""], bound)], "cart.status.title")).toBeUndefined();
});

test("matches the keys of the namespace below its prefixes for a call without literal parts", () => {
  const open = [
    use(["", ""], { namespaces: ["app"], keyPrefix: "cart" }),
    use(["", ""], { namespaces: ["app"], keyPrefix: "menu" }),
  ];
  expect(patternOf(open, "cart.title")).toBe("cart.*");
  expect(patternOf(open, "menu.title")).toBe("menu.*");
  expect(patternOf(open, "cartoon")).toBeUndefined();
  expect(patternOf(open, "cart.title", { namespace: "other" })).toBeUndefined();
  const inBoth = [use(["", ""], { namespaces: ["shop", "app"], keyPrefix: "cart" })];
  expect(["shop", "app"].map((namespace) => patternOf(inBoth, "cart.title", { namespace }))).toEqual([
    "cart.*",
    "cart.*",
  ]);
});

test.each<[string, Partial<KeyResolutionOptions>, string, string | undefined]>([
  ["another separator", { keySeparator: "/" }, "cart/title", "*title"],
  ["a long separator", { keySeparator: "::" }, "cart::title", "*title"],
  ["no separator", { keySeparator: false }, "cart.title", undefined],
  ["gettext, whose keys are texts", { frameworks: new Set(["gettext"]) }, "cart.title", undefined],
])("with %s", (_, options, key, pattern) => {
  expect(patternOf([use("title")], key, options)).toBe(pattern);
});
