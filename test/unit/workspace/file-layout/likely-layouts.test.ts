/** Patterns of files that were not recognised, by the languages in their paths. */
import { expect, test } from "vitest";
import { likelyLayouts, localePattern } from "../../../../src/workspace/file-layout/likely-layouts.ts";

test.each([
  ["texts/strings_nl.json", "texts/strings_{locale}.json", "nl"],
  ["texts/strings_pt_BR.json", "texts/strings_{locale}.json", "pt_BR"],
  ["config/locales/nl.yml", "config/locales/{locale}.yml", "nl"],
  ["app/nl/messages.properties", "app/{locale}/{namespace}.properties", "nl"],
])("%s", (path, pattern, locale) => {
  expect(localePattern(path)).toEqual({ pattern, locale });
});

test("without a language there is no pattern", () => {
  expect(localePattern("src/application.json")).toBeNull();
});

test("the pattern with most languages is first; those that are not supported are named", () => {
  const paths = [
    "texts/strings_en.json",
    "texts/strings_nl.json",
    "config/locales/en.yml",
    "config/locales/nl.yml",
    "config/locales/de.yml",
    "data/it.json",
    "node_modules/x/locales/en.json",
    "node_modules/x/locales/nl.json",
    "README.nl.md",
  ];
  expect(likelyLayouts(paths, 5)).toEqual([
    { pattern: "config/locales/{locale}.yml", format: null, locales: ["de", "en", "nl"], files: 3 },
    { pattern: "texts/strings_{locale}.json", format: "json_js", locales: ["en", "nl"], files: 2 },
  ]);
  expect(likelyLayouts(paths, 1)).toHaveLength(1);
});
