/** How often the code of another project uses a key, as reports, lenses and the translation editor count it. */
import { expect, test } from "vitest";
import type { KeyName } from "../../../../src/model/key-hash.ts";
import { countUsagesBy } from "../../../../src/workspace/usages/usages-elsewhere.ts";

/** A project whose code has these names so often. */
const project = (counts: Readonly<Record<string, number>>) => ({
  usages: { countUsagesOfName: ({ key }: KeyName): number => counts[key] ?? 0 },
  lookup: { frameworks: new Set(["i18next"] as const) },
});
const named = (key: string): KeyName => ({ namespace: "*", key, context: null });

test("a plural form is used by calls that name it, and else by those that name what it is a form of", () => {
  const other = project({ item: 2, menu_one: 3, menu: 1 });
  expect(
    ["item_other", "menu_one", "menu_other", "gone_one"].map((key) => countUsagesBy(other, named(key))),
  ).toEqual([2, 3, 1, 0]);
});
