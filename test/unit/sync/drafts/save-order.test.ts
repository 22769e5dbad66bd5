/** Which drafts are saved, in which order, and when the rest is not tried. */
import { expect, it } from "vitest";
import { ApiError } from "../../../../src/api/errors.ts";
import type { TranslationDraft } from "../../../../src/database/personal/translation-draft-repository.ts";
import { endsSave, saveOrder } from "../../../../src/sync/drafts/save-drafts.ts";
import { unsavableDrafts } from "../../../../src/sync/drafts/unsavable-drafts.ts";

const draft = (locale: string, key: string): TranslationDraft => ({
  locale,
  hash: key,
  text: { value: key },
  base: null,
  baseVersion: null,
  origin: "person",
  model: null,
  source: null,
});

it("saves source texts first, then local files, each language once, and leaves out what no longer exists", () => {
  const drafts = [
    draft("de", "a"),
    draft("en", "a"),
    draft("xx", "a"),
    draft("de", "b"),
    draft("nl", "gone"),
    draft("nl", "a"),
  ];
  const order = saveOrder(drafts, {
    isAtService: (locale) => locale === "de",
    sourceLocale: "nl",
    isSavable: ({ locale, hash }) => locale !== "xx" && hash !== "gone",
  });
  expect(order.map(([locale, ofLocale]) => [locale, ofLocale.map(({ hash }) => hash)])).toEqual([
    ["nl", ["a"]],
    ["en", ["a"]],
    ["de", ["a", "b"]],
  ]);
});

it("tells what was deleted from what cannot be read now, as far as the names of keys are known", () => {
  const drafts = [
    draft("nl", "cart"),
    draft("nl", "menu"),
    draft("nl", "unnamed"),
    draft("xx", "cart"),
    draft("nl", "there"),
  ];
  const unsavable = (unreadNamespaces: ReadonlySet<string> | "any", areKeysKnown = true) => {
    const { deleted, unread } = unsavableDrafts(drafts, {
      isRemoved: (locale) => locale === "xx",
      hasKey: (hash) => hash === "there",
      areKeysKnown,
      nameOf: (hash) => (hash === "unnamed" ? undefined : { namespace: hash, key: "a", context: null }),
      unreadNamespaces,
    });
    const names = (list: readonly TranslationDraft[]) => list.map(({ locale, hash }) => `${locale} ${hash}`);
    return [names(deleted), names(unread)];
  };
  expect(unsavable(new Set())).toEqual([["nl cart", "nl menu", "nl unnamed", "xx cart"], []]);
  expect(unsavable(new Set(["cart"]))).toEqual([
    ["nl menu", "xx cart"],
    ["nl cart", "nl unnamed"],
  ]);
  expect(unsavable("any")).toEqual([["xx cart"], ["nl cart", "nl menu", "nl unnamed"]]);
  expect(unsavable("any", false)).toEqual([["xx cart"], []]);
});

it("tries the other languages after a file failed or the service refused one, and only then", () => {
  const error = (kind: "invalid" | "not_found" | "offline" | "unauthorized") =>
    new ApiError(kind, "No", { endpoint: "PUT /translations/nl" });
  expect(endsSave(error("offline"), true)).toBe(true);
  expect(endsSave(error("unauthorized"), true)).toBe(true);
  expect(endsSave(new Error("anything"), true)).toBe(true);
  expect(endsSave(error("not_found"), true)).toBe(false);
  expect(endsSave(error("invalid"), true)).toBe(false);
  expect(endsSave(new Error("the file is locked"), false)).toBe(false);
});
