/** The plural categories that a language needs in practice. */
import { expect, test } from "vitest";
import {
  isSingleNumberCategory,
  neededCategories,
  pluralCategories,
} from "../../../src/model/plural-categories.ts";

test.each([
  ["en", "one other", "one other"],
  ["fr", "one many other", "one other"],
  ["ru", "one few many other", "one few many"],
  ["pl", "one few many other", "one few many"],
  ["ja", "other", "other"],
  ["ar", "zero one two few many other", "zero one two few many other"],
  ["pt_BR", "one many other", "one other"],
  ["not a locale", "other", "other"],
  // Never the machine's own language's.
  ["xx", "other", "other"],
  ["sr@latin", "one few other", "one few other"],
  ["de_informal", "one other", "one other"],
])("%s has %s and requires %s", (locale, all, needed) => {
  expect(pluralCategories(locale).join(" ")).toBe(all);
  expect(neededCategories(locale).join(" ")).toBe(needed);
});

test("knows that `one` is one number in English, many in Russian and two in French", () => {
  expect(["en", "ru", "fr"].map((locale) => isSingleNumberCategory(locale, "one"))).toEqual([
    true,
    false,
    false,
  ]);
});
