/** Where exported files belong among the local ones. */
import { expect, test } from "vitest";
import {
  exportLocationOf,
  type ExportLocationOptions,
} from "../../../../src/workspace/local-files/map-export-to-local-files.ts";
import { createLocaleMap } from "../../../../src/model/locales.ts";

const options = (into: string | undefined, root = ""): ExportLocationOptions => ({
  file: { pull: into === undefined ? {} : { into } },
  entries: [
    { path: `${root}lang/{locale}/{namespace}.php`, format: "laravel_php" },
    { path: `${root}lang/{locale}.json`, format: "laravel_json" },
  ],
  locales: new Set(["en", "nl", "pt-BR"]),
  localeMap: createLocaleMap({}, ["en", "nl", "pt-BR"], ["en", "pt_BR"]),
});

test.each([
  ["a path of the layout", "lang/nl/cart.php", undefined, [], "", "lang/nl/cart.php"],
  ["the locale as the files call it", "lang/pt-BR/cart.php", undefined, [], "", "lang/pt_BR/cart.php"],
  ["a namespace with folders", "lang/nl/admin/users.php", ".", [], "", "lang/nl/admin/users.php"],
  ["without the leading folder", "nl/cart.php", undefined, [], "", "lang/nl/cart.php"],
  [
    "a single file, by the one language that was asked for",
    "cart.php",
    undefined,
    ["nl"],
    "",
    "lang/nl/cart.php",
  ],
  ["the same, where the root is named", "cart.php", ".", ["nl"], "", "lang/nl/cart.php"],
  ["the same, written with a slash", "nl.json", "./", [], "", "lang/nl.json"],
  ["below a folder, whole", "lang/nl/cart.php", "app", [], "app/", "app/lang/nl/cart.php"],
  ["below a folder, a single file", "cart.php", "app/", ["nl"], "app/", "app/lang/nl/cart.php"],
  [
    "below a folder, with folders that fit nothing",
    "x/nl/cart.php",
    "app",
    ["nl"],
    "app/",
    "app/x/nl/cart.php",
  ],
  [
    "below a folder, a path without the first folder of the layout",
    "nl/cart.php",
    "app",
    [],
    "app/",
    "app/nl/cart.php",
  ],
  [
    "below a folder that is named from the project",
    "lang/nl/cart.php",
    "./app",
    [],
    "app/",
    "app/lang/nl/cart.php",
  ],
  ["a single file, below a folder without the layout", "cart.php", "app", ["nl"], "", "app/cart.php"],
  ["what fits nothing", "docs/read.me", "out", [], "", "out/docs/read.me"],
])("%s", (_, name, into, locales, root, path) => {
  expect(exportLocationOf(name, options(into, root), locales)).toMatchObject({ path });
});

test.each([
  ["a single file of several languages", "cart.php", undefined, ["nl", "en"], "language"],
  ["the same, also with a folder to create files in", "cart.php", ".", ["nl", "en"], "language"],
  ["a name that fits nothing", "package.json", undefined, ["nl"], "layout"],
  ["a path of another layout, under one language", "resources/nl/cart.php", undefined, ["nl"], "layout"],
  ["the same of a language as the files call it", "resources/pt_BR/cart.php", undefined, ["nl"], "layout"],
])("knows no place for %s", (_, name, into, locales, expected) => {
  const location = exportLocationOf(name, options(into), locales);
  expect(typeof location === "string" ? location : location.path).toBe(expected);
});

test.each(["pt-BR", "pt_BR"])("has the format and the service's locale of %s", (name) => {
  expect(exportLocationOf(`lang/${name}/cart.php`, options("."), [])).toEqual({
    path: "lang/pt_BR/cart.php",
    format: "laravel_php",
    locale: "pt-BR",
    isInLayout: true,
  });
});

test("has the format of the layout, and any language of the service", () => {
  const entries = [{ path: "texts/{locale}.json", format: "laravel_json" as const }];
  const locales = new Set(["en", "pirate"]);
  const localeMap = createLocaleMap({}, [...locales], ["en", "pirate"]);
  expect(exportLocationOf("texts/pirate.json", { ...options("."), entries, locales, localeMap }, [])).toEqual(
    {
      path: "texts/pirate.json",
      format: "laravel_json",
      locale: "pirate",
      isInLayout: true,
    },
  );
});

test("a file that fits nothing has no known language, also if one was asked for", () => {
  expect(exportLocationOf("docs/nl.json", options("out"), ["nl"])).toEqual({
    path: "out/docs/nl.json",
    format: "json_js",
    locale: null,
    isInLayout: false,
  });
});

test("a file of several languages is not that of an entry with one language in its path", () => {
  const entries = [
    { path: "a/{locale}/texts.csv", format: "csv" as const },
    { path: "b/texts.csv", format: "csv" as const },
  ];
  expect(exportLocationOf("texts.csv", { ...options(undefined), entries }, ["nl", "en"])).toEqual({
    path: "b/texts.csv",
    format: "csv",
    locale: null,
    isInLayout: true,
  });
});
