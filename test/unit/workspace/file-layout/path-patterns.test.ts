/** Path patterns against paths, names against files, and locales of files against the service's. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectFromPath } from "../../../../src/formats/detect-format.ts";
import {
  globOf,
  globsOf,
  matchFolder,
  matchPath,
  keyNamingOf,
  fillIn,
  locateKey,
} from "../../../../src/workspace/file-layout/path-patterns.ts";
import { hasLocaleShape, isKnownLocale, createLocaleMap } from "../../../../src/model/locales.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { cpuTime } from "../../support/cpu-time.ts";
import { propertyRuns } from "../../support/full-run.ts";

const PHP: FilesEntry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" };
const LARAVEL_JSON: FilesEntry = { path: "lang/{locale}.json", format: "laravel_json" };
const PACKAGES: FilesEntry = {
  path: "lang/vendor/{package}/{locale}/{namespace}.php",
  format: "laravel_php",
};
const I18NEXT: FilesEntry = { path: "public/locales/{locale}/{namespace}.json", format: "json_js" };

describe("matchPath", () => {
  test.each([
    [PHP.path, "lang/en/auth.php", { locale: "en", namespace: "auth", package: null }],
    [PHP.path, "lang/pt_BR/admin/users.php", { locale: "pt_BR", namespace: "admin/users", package: null }],
    [PHP.path, "lang/vendor/pkg/en/x.php", null],
    [PHP.path, "lang/en/auth.php.bak", null],
    [PHP.path, "old/lang/en/auth.php", null],
    [PHP.path, "lang/en/.php", null],
    [PACKAGES.path, "lang/vendor/pkg/en/x/y.php", { locale: "en", namespace: "x/y", package: "pkg" }],
    [LARAVEL_JSON.path, "lang/nl.json", { locale: "nl", namespace: null, package: null }],
    [LARAVEL_JSON.path, "lang/php_en.json", null],
    [LARAVEL_JSON.path, "langXnl.json", null],
    [
      "i18n/{namespace}.{locale}.json",
      "i18n/common.de.json",
      { locale: "de", namespace: "common", package: null },
    ],
    ["{locale}/x-{locale}.json", "nl/x-nl.json", { locale: "nl", namespace: null, package: null }],
    ["{locale}/x-{locale}.json", "nl/x-de.json", null],
    ["locale{locale}.json", "localenl.json", { locale: "nl", namespace: null, package: null }],
    ["all.csv", "all.csv", { locale: null, namespace: null, package: null }],
    ["a(b)[c]+{locale}.json", "a(b)[c]+nl.json", { locale: "nl", namespace: null, package: null }],
  ])("%s ⇄ %s", (pattern, path, placed) => {
    expect(matchPath(pattern, path)).toEqual(placed);
    if (placed !== null) expect(fillIn(pattern, placed)).toBe(path);
  });

  test("accepts a known locale of any shape", () => {
    expect(matchPath(LARAVEL_JSON.path, "lang/pirate-speak.json")).toBeNull();
    expect(matchPath(LARAVEL_JSON.path, "lang/pirate.json", new Set(["pirate"]))?.locale).toBe("pirate");
  });

  test("cannot build a path without all placeholders", () => {
    expect(fillIn(PHP.path, { locale: "en" })).toBeNull();
  });

  const long = (length: number): string => "x".repeat(length);

  test.each<[string, string, string, boolean]>([
    ["a locale of 40 characters", "{locale}.json", `de_${long(37)}.json`, true],
    ["a locale of more", "{locale}.json", `de_${long(38)}.json`, false],
    ["a package of 100 characters", "{package}/a.php", `${long(100)}/a.php`, true],
    ["a package of more", "{package}/a.php", `${long(101)}/a.php`, false],
    ["a path of 1,024 characters", "{namespace}.json", `${long(1_019)}.json`, true],
    ["a path of more", "{namespace}.json", `${long(1_020)}.json`, false],
    ["eight placeholders", "{package}/".repeat(8), "x/".repeat(8), true],
    ["more placeholders", "{package}/".repeat(9), "x/".repeat(9), false],
  ])("respects the limits: %s", (_, pattern, path, isMatch) => {
    expect(matchPath(pattern, path, new Set([`de_${long(37)}`, `de_${long(38)}`])) !== null).toBe(isMatch);
  });

  test("takes linear time for a long path", () => {
    const start = cpuTime();
    matchPath("{namespace}/{locale}/{namespace}.{locale}.json", `${"a/".repeat(2_000)}b.json`);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });
});

test.each([
  [PHP.path, "", { locale: null, namespace: null, package: null }],
  [PHP.path, "lang/nl", { locale: "nl", namespace: null, package: null }],
  [PHP.path, "lang/nl/admin", { locale: "nl", namespace: null, package: null }],
  [PHP.path, "src", null],
  [LARAVEL_JSON.path, "lang", { locale: null, namespace: null, package: null }],
  [LARAVEL_JSON.path, "lang/nl", null],
  ["{package}/{locale}", "shop/nl", null],
  ["{locale}/a.json", "vendor", null],
])("of %s, files below “%s” have the values %j", (pattern, folder, values) => {
  expect(matchFolder(pattern, folder)).toEqual(values);
});

describe("globOf", () => {
  test.each([
    [PHP.path, "lang/*/**/*.php"],
    [LARAVEL_JSON.path, "lang/*.json"],
    ["{namespace}.{locale}.json", "**/*.*.json"],
    ["i18n/x-{namespace}.json", "i18n/x-*.json"],
    ["a[1]/{locale}.json", "a?1?/*.json"],
    ["{namespace}/{locale}.json", "**/*/*.json"],
    ["{locale}{namespace}.json", "**.json"],
    ["a/{package}/{locale}/{locale}/{package}/x.json", "a/*/*/*/*/x.json"],
    ["a/{package}/{locale}/{locale}/{package}/x-{locale}.json", "a/*/*/*/*/**/*"],
  ])("%s", (pattern, glob) => {
    expect(globOf(pattern)).toBe(glob);
  });
});

describe("key names", () => {
  const cases: readonly (readonly [FilesEntry, string, string, string, string])[] = [
    [PHP, "lang/en/auth.php", "failed", "auth", "failed"],
    [PHP, "lang/en/admin/users.php", "a.b", "admin/users", "a.b"],
    [PACKAGES, "lang/vendor/pkg/en/messages.php", "hi", "pkg::messages", "hi"],
    [LARAVEL_JSON, "lang/en.json", "A sentence.", "*", "A sentence."],
    [I18NEXT, "public/locales/en/common.json", "a.b", "common", "a.b"],
    [{ ...PHP, namespace: "*", keyPrefix: "{namespace}." }, "lang/en/auth.php", "a.b", "*", "auth.a.b"],
    [{ ...PHP, namespace: "app-{namespace}", keyPrefix: "x." }, "lang/en/auth.php", "a", "app-auth", "x.a"],
    [{ path: "src/{locale}.json", format: "json_js", namespace: "web" }, "src/en.json", "a", "web", "a"],
  ];

  test.each(cases)("%j %s: %s", (entry, path, inFile, namespace, key) => {
    const placed = matchPath(entry.path, path);
    if (placed === null) throw new Error("no match");
    const naming = keyNamingOf(entry, placed);
    expect([naming.namespace, naming.keyPrefix + inFile]).toEqual([namespace, key]);
    const back = locateKey(entry, { namespace, key });
    expect(back?.key).toBe(inFile);
    expect(fillIn(entry.path, { ...back?.placeholders, locale: placed.locale })).toBe(path);
  });

  const byPackage: FilesEntry = {
    path: "{package}/{locale}.json",
    format: "json_js",
    keyPrefix: "{package}.",
  };

  test.each<[string, string, string | null]>([
    ["the first part of the name", "shop.cart.title", "cart.title"],
    ["a part that a folder may be called by", `${"x".repeat(100)}.title`, "title"],
    ["no part that is longer", `${"x".repeat(101)}.title`, null],
    ["no empty part", ".title", null],
    ["no whole name", "title", null],
    ["no name with nothing behind it", "shop.", null],
  ])("expands a placeholder in a prefix: %s", (_, key, inFile) => {
    expect(locateKey(byPackage, { namespace: "*", key })?.key ?? null).toBe(inFile);
  });

  test.each([
    [100, "title"],
    [256, null],
  ])("searches a prefix of several parts in the first 256 characters: %d", (length, inFile) => {
    const entry: FilesEntry = {
      path: "{namespace}/{locale}.json",
      format: "json_js",
      namespace: "*",
      keyPrefix: "{namespace}.",
    };
    const prefix = "x".repeat(length);
    expect(locateKey(entry, { namespace: "*", key: `${prefix}.title` })?.key ?? null).toBe(inFile);
  });

  test("finds the values of a prefix beside that of the namespace", () => {
    const entry: FilesEntry = {
      path: "{package}/{locale}/{namespace}.json",
      format: "json_js",
      namespace: "{namespace}",
      keyPrefix: "{package}.",
    };
    expect(locateKey(entry, { namespace: "cart", key: "shop.title" })).toEqual({
      placeholders: { package: "shop", namespace: "cart" },
      key: "title",
    });
  });

  test("finds a placeholder behind a part of the prefix", () => {
    const entry: FilesEntry = { ...byPackage, keyPrefix: "app.{package}." };
    expect(locateKey(entry, { namespace: "*", key: "app.shop.cart.title" })).toEqual({
      placeholders: { package: "shop" },
      key: "cart.title",
    });
  });

  test("names no namespace whose value the path does not have", () => {
    const entry: FilesEntry = { path: "{locale}.json", format: "json_js", namespace: "{namespace}" };
    expect(keyNamingOf(entry, { locale: "nl", namespace: null, package: null }).namespace).toBe("*");
  });

  test("names no namespace of a format that has none", () => {
    const entry: FilesEntry = { path: "lang/{namespace}/{locale}.json", format: "laravel_json" };
    const placed = { locale: "nl", namespace: "admin", package: null };
    expect(keyNamingOf(entry, placed).namespace).toBe("*");
  });

  test("removes a prefix that repeats the namespace, or rejects the key", () => {
    const entry: FilesEntry = { ...PHP, keyPrefix: "{namespace}-" };
    expect(locateKey(entry, { namespace: "cart", key: "cart-title" })).toEqual({
      placeholders: { namespace: "cart" },
      key: "title",
    });
    expect(locateKey(entry, { namespace: "cart", key: "shop-title" })).toBeNull();
    expect(locateKey(entry, { namespace: "cart", key: "cart-" })).toBeNull();
  });

  test.each<FilesEntry>([
    { path: "texts.csv", format: "csv" },
    { path: "{locale}.xlf", format: "xliff12" },
  ])("lets files of $format name their keys' namespaces", (entry) => {
    for (const namespace of ["*", "auth", "pkg::x"])
      expect(locateKey(entry, { namespace, key: "a" })).toEqual({ placeholders: {}, key: "a" });
  });

  test("reports files that cannot contain a key", () => {
    expect(locateKey(PHP, { namespace: "*", key: "a" })).toBeNull();
    expect(locateKey(PHP, { namespace: "pkg::x", key: "a" })).toBeNull();
    expect(locateKey(LARAVEL_JSON, { namespace: "auth", key: "a" })).toBeNull();
    expect(locateKey({ ...I18NEXT, path: "{locale}.json" }, { namespace: "auth", key: "a" })).toBeNull();
    // The file's own namespace is in neither the key's namespace nor its prefix.
    expect(locateKey({ ...I18NEXT, namespace: "*" }, { namespace: "*", key: "a" })).toBeNull();
    expect(
      locateKey({ ...PHP, namespace: "*", keyPrefix: "{namespace}." }, { namespace: "*", key: "plain" }),
    ).toBeNull();
  });
});

describe("detectFromPath", () => {
  test.each([
    ["lang/nl/auth.php", "laravel_php", "nl", "auth"],
    ["resources/lang/pt_BR/admin/users.php", "laravel_php", "pt_BR", "admin/users"],
    ["lang/vendor/pkg/nl/messages.php", "laravel_php", "nl", "pkg::messages"],
    ["lang/nl.json", "laravel_json", "nl", null],
    ["nl.json", "json_js", "nl", null],
    ["nl/auth.php", "laravel_php", "nl", "auth"],
    ["auth.php", "laravel_php", null, "auth"],
    ["public/locales/nl/common.json", "json_js", "nl", "common"],
    ["src/i18n/nl/deep/er.json", "json_js", "nl", "deep/er"],
    ["messages/zh-Hant-TW.json", "json_js", "zh-Hant-TW", null],
    ["i18n/common.nl.json", "json_js", "nl", "common"],
    ["app/de_informal/x.php", "laravel_php", "de_informal", "x"],
    ["languages/shop-nl_NL.po", "po", "nl_NL", "shop"],
    ["locale/nl/LC_MESSAGES/django.po", "po", "nl", "django"],
    ["languages/shop-nl_NL-0123456789abcdef0123456789abcdef.json", "wordpress_jed", "nl_NL", "shop"],
    ["languages/shop-nl_NL.l10n.php", "wordpress_php", "nl_NL", "shop"],
    ["languages/shop.pot", "pot", null, "shop"],
    ["messages.nl.xlf", "xliff12", "nl", null],
    ["texts.csv", "csv", null, null],
    ["LANG\\nl\\auth.PHP", "laravel_php", "nl", "auth"],
  ])("%s", (path, format, locale, namespace) => {
    expect(detectFromPath(path)).toEqual({ format, locale, namespace });
  });

  test("does not recognise other files", () => {
    expect(detectFromPath("README.md")).toBeNull();
    fc.assert(
      fc.property(fc.string(), (path) => void detectFromPath(path)),
      propertyRuns(100),
    );
  });
});

describe("locales", () => {
  test.each(["nl", "pt_BR", "zh-Hans-CN", "sr@latin", "de_informal", "fil", "es-419"])(
    "accepts %s",
    (name) => {
      expect(isKnownLocale(name)).toBe(true);
    },
  );
  test.each(["vendor", "php_en", "index", "common", "x", "", "zz", "percentages", "en/us", "e1"])(
    "rejects %j",
    (name) => {
      expect(isKnownLocale(name)).toBe(false);
    },
  );
  test("checks the shape, not whether the language exists", () => {
    expect(hasLocaleShape("xx_XX")).toBe(true);
  });

  test("prefers the same name, then the only one that differs in case or dash", () => {
    const map = createLocaleMap({}, ["en", "pt-BR", "zh-CN"], ["en", "pt_BR", "zh_cn", "nl"]);
    expect(["en", "pt_BR", "zh_cn", "nl"].map(map.toService)).toEqual(["en", "pt-BR", "zh-CN", null]);
    expect(["en", "pt-BR", "zh-CN"].map(map.toFile)).toEqual(["en", "pt_BR", "zh_cn"]);
  });

  test("maps an ambiguous name to nothing", () => {
    const map = createLocaleMap({}, ["pt-BR"], ["pt_BR", "pt_br"]);
    expect(["pt_BR", "pt_br"].map(map.toService)).toEqual([null, null]);
    expect(createLocaleMap({}, ["pt-BR", "pt-br"], ["pt_BR"]).toService("pt_BR")).toBeNull();
    expect(createLocaleMap({}, ["pt-BR", "pt_BR"], ["pt_BR"]).toService("pt_BR")).toBe("pt_BR");
  });

  test("knows a locale that has no file yet", () => {
    const map = createLocaleMap({}, ["en", "pt-BR", "de"], ["en", "pt_BR"]);
    expect(["de", "pt_br", "fr"].map(map.toService)).toEqual(["de", null, null]);
    expect(createLocaleMap({}, ["en", "pt-BR"], ["en"]).toService("pt_BR")).toBe("pt-BR");
  });

  test("prefers the project file's mapping", () => {
    const map = createLocaleMap({ cn: "zh-Hans", en: "en-GB" }, ["en", "en-GB", "zh-Hans"], ["cn", "en"]);
    expect([map.toService("cn"), map.toService("en"), map.toFile("zh-Hans")]).toEqual([
      "zh-Hans",
      "en-GB",
      "cn",
    ]);
  });

  test("maps a name to itself while the service is unknown", () => {
    expect(createLocaleMap({}, [], ["pt_BR"]).toService("pt_BR")).toBe("pt_BR");
  });

  test("names a new locale's files like the others", () => {
    expect(createLocaleMap({}, ["en", "pt-BR", "de-AT"], ["en", "pt_BR"]).toFile("de-AT")).toBe("de_AT");
    expect(createLocaleMap({}, ["en", "de-AT"], ["en"]).toFile("de-AT")).toBe("de-AT");
  });
});

test("many patterns have globs of their folders", () => {
  const patterns = Array.from({ length: 20 }, (_, index) => `src/locales/{locale}/part${index}.ts`);
  expect(globsOf(patterns.slice(0, 2))).toEqual(["src/locales/*/part0.ts", "src/locales/*/part1.ts"]);
  expect(globsOf(patterns.slice(0, 12))).toHaveLength(12);
  expect(globsOf(patterns.slice(0, 13))).toEqual(["src/locales/**/*.ts"]);
  expect(globsOf([...patterns, "lang/{locale}/{namespace}.php", "texts.csv"])).toEqual([
    "src/locales/**/*.ts",
    "lang/**/*.php",
    "**/*.csv",
  ]);
});
