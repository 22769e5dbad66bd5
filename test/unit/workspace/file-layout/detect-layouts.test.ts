/** The apps of a folder without a project file, and their translation files. */
import { expect, test } from "vitest";
import { formatInfo } from "../../../../src/model/file-formats.ts";
import { globFilter } from "../../../../src/workspace/file-system/globs.ts";
import { formats } from "../../../../src/formats/supported-formats.ts";
import {
  APP_GLOBS,
  layoutsAt,
  mayBeTranslation,
  detectApps,
} from "../../../../src/workspace/file-layout/detect-layouts.ts";

const apps = async (files: Readonly<Record<string, string>>): Promise<Record<string, string[]>> => {
  const bytes = async (path: string): Promise<Uint8Array> => new TextEncoder().encode(files[path] ?? "");
  const found = await detectApps(Object.keys(files).sort(), bytes, formats);
  return Object.fromEntries([...found].map(([app, entries]) => [app, entries.map(({ path }) => path)]));
};
const TEXTS = '{ "save": "Save" }';

test("recognises a single app for the whole folder", async () => {
  expect(
    await apps({
      "package.json": "{}",
      "packages/texts/package.json": "{}",
      "packages/texts/locales/en.json": TEXTS,
      "packages/texts/locales/nl.json": TEXTS,
    }),
  ).toEqual({ "": ["packages/texts/locales/{locale}.json"] });
});

test("recognises several apps by their manifests", async () => {
  expect(
    await apps({
      "package.json": "{}",
      "apps/web/package.json": "{}",
      "apps/web/messages/en.json": TEXTS,
      "apps/web/messages/nl.json": TEXTS,
      "apps/api/composer.json": "{}",
      "apps/api/lang/en/cart.php": "<?php return ['save' => 'Save'];",
      "apps/api/lang/nl/cart.php": "<?php return ['save' => 'Bewaren'];",
      // Of an installed package.
      "apps/api/lang/vendor/mail/en/mail.php": "<?php return ['hi' => 'Hello'];",
      "apps/api/lang/vendor/mail/nl/mail.php": "<?php return ['hi' => 'Hallo'];",
    }),
  ).toEqual({
    "apps/api": ["lang/{locale}/{namespace}.php"],
    "apps/web": ["messages/{locale}.json"],
  });
});

test("recognises an app in the folder itself beside others", async () => {
  expect(
    await apps({
      "package.json": "{}",
      "locales/en.json": TEXTS,
      "locales/nl.json": TEXTS,
      "apps/web/package.json": "{}",
      "apps/web/messages/en.json": TEXTS,
      "apps/web/messages/nl.json": TEXTS,
    }),
  ).toEqual({ "": ["locales/{locale}.json"], "apps/web": ["messages/{locale}.json"] });
});

test("takes PHP files with names of countries for texts, which only PHP reads", async () => {
  const countries = "<?php return ['BE' => 'B', 'DE' => 'G', 'FR' => 'F', 'GB' => 'U', 'NL' => 'N'];";
  expect(await apps({ "lang/en/countries.php": countries, "lang/nl/countries.php": countries })).toEqual({
    "": ["lang/{locale}/{namespace}.php"],
  });
});

test("collects the layouts of all apps in a folder that is no app", () => {
  const web = { path: "messages/{locale}.json", format: "json_js" } as const;
  const api = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" } as const;
  const found = new Map([
    ["apps/web", [web]],
    ["apps/api", [api]],
  ]);
  expect(layoutsAt(found, "apps/web")).toEqual([web]);
  expect(layoutsAt(found, "apps")).toBeUndefined();
  expect(layoutsAt(found, "")).toEqual([
    { ...web, path: "apps/web/messages/{locale}.json" },
    { ...api, path: "apps/api/lang/{locale}/{namespace}.php" },
  ]);
  expect(layoutsAt(new Map([["", [web]]]), "")).toEqual([web]);
});

test("recognises modules with every ending that they may have", async () => {
  const { matches } = globFilter(APP_GLOBS);
  for (const extension of formatInfo("js_module").extensions) {
    const files = {
      [`src/locales/en${extension}`]: 'module.exports = { save: "Save the changes" };',
      [`src/locales/nl${extension}`]: 'module.exports = { save: "Bewaar de wijzigingen" };',
    };
    expect(Object.keys(files).filter((path) => !matches(path))).toEqual([]);
    expect(await apps(files)).toEqual({ "": [`src/locales/{locale}${extension}`] });
  }
});

test("ignores test data, examples and generated files", async () => {
  expect(
    await apps({
      "package.json": "{}",
      "test/fixtures/locales/en.json": TEXTS,
      "test/fixtures/locales/nl.json": TEXTS,
      "examples/locales/en.json": TEXTS,
      "dist/locales/en.json": TEXTS,
    }),
  ).toEqual({});
});

test("takes a folder that is named like an example for an app if it uses the texts of a package", async () => {
  const files = {
    "package.json": "{}",
    "packages/texts/package.json": '{ "name": "@shop/texts" }',
    "packages/texts/locales/en.json": TEXTS,
    "packages/texts/locales/nl.json": TEXTS,
    "playground/locales/en/page.json": TEXTS,
    "playground/locales/nl/page.json": TEXTS,
    "playground/test/locales/en/page.json": TEXTS,
    "playgrounds/locales/en/page.json": TEXTS,
    "tests/demo/locales/en/page.json": TEXTS,
    "tests/demo/locales/nl/page.json": TEXTS,
    "packages/ui/package.json": '{ "name": "@shop/ui" }',
    "packages/ui/test/locales/en.json": TEXTS,
  };
  const manifest = (dependency: string): string => JSON.stringify({ dependencies: { [dependency]: "*" } });
  expect(await apps({ ...files, "playground/package.json": manifest("@shop/texts") })).toEqual({
    "packages/texts": ["locales/{locale}.json"],
    playground: ["locales/{locale}/{namespace}.json"],
  });
  const only = { "": ["packages/texts/locales/{locale}.json"] };
  expect(await apps({ ...files, "playground/package.json": manifest("vue") })).toEqual(only);
  // A package without texts of its own.
  expect(await apps({ ...files, "playground/package.json": manifest("@shop/ui") })).toEqual(only);
  expect(await apps({ ...files, "tests/demo/package.json": manifest("@shop/texts") })).toEqual(only);
  expect(await apps(files)).toEqual(only);
});

test.each([
  ["public/locales/en/common.json", true],
  ["lang/nl.json", true],
  ["locale/nl/LC_MESSAGES/django.po", true],
  ["src/locales/en.ts", true],
  ["src/locales/en.cts", true],
  ["tests/locales/en/common.json", false],
  ["src/app.json", false],
  ["tsconfig.json", false],
  ["node_modules/x/locales/en.json", false],
])("decides whether a new file may be a translation: %s, %s", (path, expected) => {
  expect(mayBeTranslation(path)).toBe(expected);
});
