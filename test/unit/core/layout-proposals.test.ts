/** Proposed layouts of the usual kinds of projects, and the other mappings of the same files. */
import { describe, expect, test } from "vitest";
import { alternativeMappings, proposeLayouts } from "../../../src/core/layout-proposals.ts";
import type { FilesEntry } from "../../../src/core/project-file.ts";

const PHP = "<?php return ['a' => 'x'];";
const JSON_TEXT = '{ "a": "x", "b": { "c": "y" } }';

async function propose(
  files: Readonly<Record<string, string>>,
): Promise<[string, string, string, string[]][]> {
  const proposals = await proposeLayouts(Object.keys(files), (path) => {
    const text = files[path];
    return Promise.resolve(text === undefined ? undefined : new TextEncoder().encode(text));
  });
  return proposals.map(({ entry, reason, locales }) => [entry.path, entry.format, reason, [...locales]]);
}

describe("proposeLayouts", () => {
  test("Laravel", async () => {
    expect(
      await propose({
        "lang/en/auth.php": PHP,
        "lang/en/admin/users.php": PHP,
        "lang/nl/auth.php": PHP,
        "lang/vendor/pkg/en/messages.php": PHP,
        "lang/en.json": '{ "A": "B" }',
        "lang/php_en.json": '{ "A": "B" }',
        "app/Http/Kernel.php": PHP,
        "config/app.php": PHP,
        "vendor/laravel/framework/src/lang/en/auth.php": PHP,
        "node_modules/x/locales/en.json": JSON_TEXT,
        "composer.json": "{}",
      }),
    ).toEqual([
      ["lang/{locale}/{namespace}.php", "laravel_php", "folder-per-locale", ["en", "nl"]],
      ["lang/vendor/{package}/{locale}/{namespace}.php", "laravel_php", "package-overrides", ["en"]],
      ["lang/{locale}.json", "laravel_json", "file-per-locale", ["en"]],
    ]);
  });

  test.each([
    [
      "public/locales/{locale}/{namespace}.json",
      ["public/locales/en/common.json", "public/locales/nl/common.json"],
    ],
    ["locales/{locale}.json", ["locales/en.json", "locales/pt_BR.json"]],
    ["src/locales/{locale}.json", ["src/locales/en.json"]],
    ["messages/{locale}.json", ["messages/en.json"]],
    ["src/i18n/{locale}/{namespace}.json", ["src/i18n/en/a.json"]],
    [
      "packages/web/i18n/{namespace}.{locale}.json",
      ["packages/web/i18n/common.en.json", "packages/web/i18n/x.nl.json"],
    ],
    ["{locale}.json", ["en.json", "nl.json"]],
  ])("%s", async (pattern, paths) => {
    const found = await propose(Object.fromEntries(paths.map((path) => [path, JSON_TEXT])));
    expect(found.map(([path]) => path)).toEqual([pattern]);
  });

  test("files without texts, or alone and without a telling folder, are no layout", async () => {
    expect(await propose({ "locales/en.json": '{ "a": 1, "b": 2 }', "locales/nl.json": "{}" })).toEqual([]);
    expect(await propose({ "data/is.json": JSON_TEXT })).toEqual([]);
    expect(await propose({ "locales/en.json": "nonsense" })).toEqual([]);
    expect(await proposeLayouts(["locales/en.json"], () => Promise.resolve(undefined))).toEqual([]);
  });
});

describe("alternativeMappings", () => {
  const php: FilesEntry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" };
  const json: FilesEntry = { path: "locales/{locale}.json", format: "json_js" };

  test("every key without namespace, with and without the group in the key", () => {
    const alternatives = alternativeMappings([php]);
    expect(alternatives.map(({ code }) => code)).toEqual(["namespace-in-key", "no-namespace"]);
    expect(alternatives[0]?.files).toEqual([{ ...php, namespace: "*", keyPrefix: "{namespace}." }]);
  });

  test("i18next's own namespace for files that name none", () => {
    expect(alternativeMappings([json])).toEqual([
      { code: "default-namespace", files: [{ ...json, namespace: "translation" }] },
    ]);
  });

  test("the path's own names where the given mapping says otherwise", () => {
    const given = [{ ...php, namespace: "*" }];
    expect(alternativeMappings(given).map(({ code }) => code)).toEqual(["as-proposed", "namespace-in-key"]);
  });
});
