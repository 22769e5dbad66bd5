/** The form fields of an upload, and how files are grouped into uploads. */
import { expect, test } from "vitest";
import type { ImportFields } from "../../../../src/api/endpoints.ts";
import { locateFile } from "../../../../src/workspace/local-files/local-file.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import {
  importTarget,
  groupIntoUploads,
  type ImportSource,
} from "../../../../src/sync/import/import-plan.ts";

const LOCALES: Readonly<Record<string, string>> = { en: "en", nl: "nl", pt_BR: "pt-BR" };

test.each<
  [
    entry: FilesEntry,
    path: string,
    sentAs: string,
    namespace: string | null,
    locale: string | null,
    prefix: string,
  ]
>([
  // What the service reads in the path needs no field.
  [
    { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
    "lang/nl/cart.php",
    "lang/nl/cart.php",
    null,
    null,
    "",
  ],
  [{ path: "lang/{locale}.json", format: "laravel_json" }, "lang/nl.json", "lang/nl.json", null, null, ""],
  [
    { path: "locales/{locale}/{namespace}.json", format: "json_js" },
    "locales/nl/cart.json",
    "locales/nl/cart.json",
    null,
    null,
    "",
  ],
  // The service's own name of the language.
  [
    { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
    "lang/pt_BR/cart.php",
    "lang/pt-BR/cart.php",
    null,
    null,
    "",
  ],
  // A namespace that is not the path's.
  [
    { path: "lang/{locale}/{namespace}.php", format: "laravel_php", namespace: "*" },
    "lang/nl/cart.php",
    "lang/nl/cart.php",
    "*",
    null,
    "",
  ],
  [
    { path: "lang/{locale}/{namespace}.php", format: "laravel_php", namespace: "cart" },
    "lang/nl/cart.php",
    "lang/nl/cart.php",
    "cart",
    null,
    "",
  ],
  [
    { path: "locales/{locale}.json", format: "json_js", namespace: "app" },
    "locales/nl.json",
    "locales/nl.json",
    "app",
    null,
    "",
  ],
  [{ path: "po/{namespace}-{locale}.po", format: "po" }, "po/app-nl.po", "po/app-nl.po", null, null, ""],
  // A path without a language, of which a person is asked.
  [{ path: "texts/{namespace}.json", format: "json_js" }, "texts/a.json", "texts/a.json", null, null, ""],
  [{ path: "lang/x-{locale}.php", format: "laravel_php" }, "lang/x-nl.php", "lang/x-nl.php", "*", "nl", ""],
  // A format whose keys have no namespaces, whatever the path says.
  [
    { path: "x/{locale}/texts.json", format: "laravel_json" },
    "x/nl/texts.json",
    "x/nl/texts.json",
    null,
    null,
    "",
  ],
  // Files that say namespaces or languages themselves.
  [{ path: "l/x-{locale}.csv", format: "csv" }, "l/x-nl.csv", "l/x-nl.csv", null, null, ""],
  [{ path: "texts.csv", format: "csv" }, "texts.csv", "texts.csv", null, null, ""],
  [{ path: "texts.csv", format: "csv", namespace: "app" }, "texts.csv", "texts.csv", "app", null, ""],
  [
    { path: "l/messages.{locale}.xlf", format: "xliff12" },
    "l/messages.nl.xlf",
    "l/messages.nl.xlf",
    null,
    null,
    "",
  ],
  // The prefix, which no field says.
  [
    { path: "lang/{locale}.json", format: "laravel_json", keyPrefix: "app." },
    "lang/nl.json",
    "lang/nl.json",
    null,
    null,
    "app.",
  ],
])("plans uploads for %j: %s", (entry, path, sentAs, namespace, locale, keyPrefix) => {
  const place = locateFile(path, [entry], (name) => LOCALES[name] ?? null, "en");
  if (place === null || place === "no_locale") throw new Error(`${path} has no place`);
  expect(importTarget(place)).toEqual({
    path: sentAs,
    target: { format: entry.format, namespace, locale, keyPrefix },
  });
});

test("sends the locale if the path does not contain it", () => {
  const entry: FilesEntry = { path: "app/{locale}-texts/main.json", format: "json_js" };
  const place = locateFile("app/nl-texts/main.json", [entry], (name) => LOCALES[name] ?? null, "en");
  if (place === null || place === "no_locale") throw new Error("no place");
  expect(importTarget(place).target.locale).toBe("nl");
});

test("groups files by format, namespace and locale in the order of the first", () => {
  const file = (path: string, place: (Partial<ImportSource["target"]> & object) | null): ImportSource => ({
    path,
    bytes: new Uint8Array(),
    target: place && { format: "json_js", namespace: null, locale: null, keyPrefix: "", ...place },
  });
  const files = [
    file("a", {}),
    file("b", { namespace: "shop" }),
    file("c", null),
    file("d", {}),
    file("e", { locale: "nl" }),
    file("f", { namespace: "shop", locale: "nl" }),
    file("g", { format: "laravel_json" }),
    file("h", { namespace: "shop", keyPrefix: "x." }),
    file("i", null),
  ];
  const spread = (given: ImportFields): unknown[] =>
    groupIntoUploads(files, given).map((upload) => [
      upload.files.map(({ path }) => path).join(""),
      upload.fields,
    ]);
  expect(spread({ overwrite: true })).toEqual([
    ["ad", { format: "json_js", overwrite: true }],
    ["bh", { format: "json_js", namespace: "shop", overwrite: true }],
    ["ci", { overwrite: true }],
    ["e", { format: "json_js", locale: "nl", overwrite: true }],
    ["f", { format: "json_js", namespace: "shop", locale: "nl", overwrite: true }],
    ["g", { format: "laravel_json", overwrite: true }],
  ]);
  // What a person says counts for all files.
  expect(spread({ namespace: "all", locale: "de", format: "json_js" })).toEqual([
    ["abcdefghi", { namespace: "all", locale: "de", format: "json_js" }],
  ]);
  expect(groupIntoUploads([], {})).toEqual([]);
});
