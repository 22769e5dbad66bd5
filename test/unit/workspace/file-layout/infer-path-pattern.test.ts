/** The pattern that a path is found by, and where files are looked for. */
import { describe, expect, test } from "vitest";
import { matchPath, fillIn } from "../../../../src/workspace/file-layout/path-patterns.ts";
import {
  hasTranslationName,
  isExcluded,
  patternOf,
  englishFirst,
  type PatternOfPath,
} from "../../../../src/workspace/file-layout/infer-path-pattern.ts";

type Found = readonly [
  pattern: string,
  format: string,
  reason: PatternOfPath["reason"],
  locale: string | null,
  name: string | null,
];

const found: readonly (readonly [path: string, found: Found])[] = [
  // A folder for each language.
  ["lang/nl/cart.php", ["lang/{locale}/{namespace}.php", "laravel_php", "folder-per-locale", "nl", "cart"]],
  [
    "lang/nl/admin/users.php",
    ["lang/{locale}/{namespace}.php", "laravel_php", "folder-per-locale", "nl", "admin/users"],
  ],
  [
    "locales/en/nl/a.json",
    ["locales/en/{locale}/{namespace}.json", "json_js", "folder-per-locale", "nl", "a"],
  ],
  [
    "nl/locales/nl/a.json",
    ["nl/locales/{locale}/{namespace}.json", "json_js", "folder-per-locale", "nl", "a"],
  ],
  [
    "lang/vendor/nl/a.php",
    ["lang/vendor/{locale}/{namespace}.php", "laravel_php", "folder-per-locale", "nl", "a"],
  ],
  [
    "locales/nl/shop.texts.json",
    ["locales/{locale}/{namespace}.texts.json", "json_js", "folder-per-locale", "nl", "shop"],
  ],
  [
    "lang/vendor/pkg/nl/a.php",
    ["lang/vendor/{package}/{locale}/{namespace}.php", "laravel_php", "package-overrides", "nl", "a"],
  ],
  [
    "locale/nl/LC_MESSAGES/shop.po",
    ["locale/{locale}/LC_MESSAGES/{namespace}.po", "po", "folder-per-locale", "nl", "shop"],
  ],
  [
    "locale/nl/LC_MESSAGES/shop.mo",
    ["locale/{locale}/LC_MESSAGES/{namespace}.mo", "mo", "folder-per-locale", "nl", "shop"],
  ],
  [
    "locale/nl/LC_MESSAGES/my.shop.po",
    ["locale/{locale}/LC_MESSAGES/{namespace}.po", "po", "folder-per-locale", "nl", "my.shop"],
  ],
  // A file for each language.
  ["locales/nl.json", ["locales/{locale}.json", "json_js", "file-per-locale", "nl", null]],
  [
    "locales/common.nl.json",
    ["locales/{namespace}.{locale}.json", "json_js", "file-per-locale", "nl", "common"],
  ],
  ["po/nl.po", ["po/{locale}.po", "po", "file-per-locale", "nl", null]],
  ["po/shop.nl.po", ["po/{namespace}.{locale}.po", "po", "file-per-locale", "nl", "shop"]],
  [
    "languages/shop-nl_NL.po",
    ["languages/{namespace}-{locale}.po", "po", "file-per-locale", "nl_NL", "shop"],
  ],
  [
    "languages/shop-nl_NL.l10n.php",
    ["languages/{namespace}-{locale}.l10n.php", "wordpress_php", "file-per-locale", "nl_NL", "shop"],
  ],
  ["src/messages.nl.xlf", ["src/{namespace}.{locale}.xlf", "xliff12", "file-per-locale", "nl", "messages"]],
  // One for all.
  ["languages/shop.pot", ["languages/shop.pot", "pot", "one-file", null, "shop"]],
  ["i18n/texts.csv", ["i18n/texts.csv", "csv", "one-file", null, "texts"]],
  ["i18n/texts.xlsx", ["i18n/texts.xlsx", "xlsx", "one-file", null, "texts"]],
  ["src/messages.xlf", ["src/messages.xlf", "xliff12", "one-file", null, "messages"]],
  // A spreadsheet for each language.
  ["i18n/nl.csv", ["i18n/{locale}.csv", "csv", "file-per-locale", "nl", null]],
];

describe("pathPattern", () => {
  test.each(found)("%s", (path, [pattern, format, reason, locale, name]) => {
    expect(patternOf(path)).toEqual({ pattern, format, reason, locale, name });
    if (reason === "one-file") return;
    // The pattern finds the path again, and the path is the pattern's.
    const placed = matchPath(pattern, path);
    expect(placed).toMatchObject({ locale, namespace: name });
    expect(placed && fillIn(pattern, placed)).toBe(path);
  });

  test.each([
    "README.md",
    "src/app.ts",
    "package.json",
    "locales/nl.d.ts",
    "nl.php",
    "lang/nl.php",
    "a.b.nl.json",
    "po/nl.common.po",
    "i18n/nl.nl.json",
    "locales/data.json",
  ])("finds no pattern in %s", (path) => expect(patternOf(path)).toBeNull());
});

test.each([
  ["node_modules/x/lang/nl.json", true],
  ["app/dist/nl.json", true],
  [".git/nl.json", true],
  ["storage/lang/nl.json", true],
  ["dist.json", false],
  ["vendor/x/lang/nl.json", true],
  ["app/vendor/lang/nl.json", true],
  ["vendor/x/lang/vendor/y/nl.json", true],
  ["lang/build", false],
  ["lang/vendor/x/nl.json", false],
  ["app/lang/vendor/x/nl.json", false],
  ["lang/nl.json", false],
  ["distribution/nl.json", false],
])("excludes %s: %s", (path, expected) => expect(isExcluded(path)).toBe(expected));

test.each([
  ["lang/nl.json", true],
  ["src/Locales/a/nl.json", true],
  ["app/i18n/nl.json", true],
  ["src/nl.json", false],
  ["src/language-tools/nl.json", false],
  ["lang.json", false],
  ["src/translations.csv", true],
  ["src/translations.XLSX", true],
  ["src/translations.json", false],
  ["src/prices.csv", false],
])("recognises %s as a translation file: %s", (path, expected) =>
  expect(hasTranslationName(path)).toBe(expected),
);

test("samples English files first, the others in order", () => {
  expect(
    englishFirst([
      "engine/a.json",
      "lang/de.json",
      "lang/en.json",
      "a/nl.json",
      "a-en_GB.po",
      "men/x.json",
      "x/en-US/a.json",
    ]),
  ).toEqual([
    "lang/en.json",
    "a-en_GB.po",
    "x/en-US/a.json",
    "engine/a.json",
    "lang/de.json",
    "a/nl.json",
    "men/x.json",
  ]);
});
