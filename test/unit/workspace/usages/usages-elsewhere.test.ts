/** How often the code of another project uses a key, as reports, lenses and the translation editor count it. */
import { expect, test } from "vitest";
import type { KeyName } from "../../../../src/model/key-hash.ts";
import { createKeyNames } from "../../support/key-database.ts";
import {
  countUsagesBy,
  dynamicUsageElsewhere,
  type OtherProject,
} from "../../../../src/workspace/usages/usages-elsewhere.ts";

/** A project whose code has these names so often. */
const project = (counts: Readonly<Record<string, number>>) => ({
  usages: { countUsagesOfName: ({ key }: KeyName): number => counts[key] ?? 0 },
  lookup: { frameworks: new Set(["i18next"] as const) },
});
/** One whose code also builds names with these parts, of which it has some itself. */
const building = (
  counts: Readonly<Record<string, number>>,
  names: readonly string[],
  ownNames: readonly string[] = [],
): OtherProject => {
  const patterns = (written: readonly string[]) =>
    written.map((pattern) => {
      const [prefix = "", suffix = ""] = pattern.split("*");
      return { pattern, prefix, suffix, count: 1 } as unknown as ReturnType<
        OtherProject["usages"]["patterns"]
      >[number];
    });
  return {
    usages: {
      ...project(counts).usages,
      patterns: () => patterns([...ownNames, ...names]),
      unmatchedPatterns: () => patterns(names),
      // Any key, which says nothing of others than its own where it names none of these.
      dynamicReferences: () => (Object.keys(counts).length === 0 ? [ANY_KEY] : []),
    },
    names: createKeyNames([]),
    lookup: project({}).lookup,
    findOccurrences: () => Promise.resolve(new Map()),
  };
};
const ANY_KEY = JSON.stringify([["", ""], null, "", null, []]);
const named = (key: string): KeyName => ({ namespace: "*", key, context: null });

test("a plural form is used by calls that name it, and else by those that name what it is a form of", () => {
  const other = project({ item: 2, menu_one: 3, menu: 1 });
  expect(
    ["item_other", "menu_one", "menu_other", "gone_one"].map((key) => countUsagesBy(other, named(key))),
  ).toEqual([2, 3, 1, 0]);
});

test("a key with a context is used only by calls with that context", () => {
  const { lookup } = project({});
  const usages = {
    countUsagesOfName: ({ namespace, key, context }: KeyName): number =>
      namespace === "shop" && key === "Post" && context === "verb" ? 2 : 0,
  };
  const count = (namespace: string, context: string | null): number =>
    countUsagesBy({ usages, lookup }, { namespace, key: "Post", context });
  expect([count("shop", "verb"), count("shop", null), count("cart", "verb")]).toEqual([2, 0, 0]);
});

test("names that another project builds count where it uses keys by name, or has no such names itself", async () => {
  const consumer = building({ "shop.title": 1 }, ["*", "aba*bab"], ["cart.*"]);
  const stranger = building({}, ["shop.*", "*.other:end"], ["menu.*"]);
  const keys = ["menu.open", "shop.title"].map(named);
  const usageOf = await dynamicUsageElsewhere([consumer, stranger], keys, createKeyNames([]));
  expect(["cart.a", "shop.a", "menu.open", "abab", "ababab", "x"].map((key) => usageOf(named(key)))).toEqual([
    "cart.*",
    "shop.*",
    undefined,
    undefined,
    "aba*bab",
    undefined,
  ]);
  // In the order of the projects.
  const again = await dynamicUsageElsewhere([stranger, consumer], keys, createKeyNames([]));
  expect(["cart.a", "menu.open"].map((key) => again(named(key)))).toEqual(["cart.*", undefined]);
});
