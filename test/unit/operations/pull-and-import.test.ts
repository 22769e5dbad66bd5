/** What a pull and an import take from the files of a project. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Stats } from "../../../src/api/response-schemas.ts";
import { findImportFiles, requireImportFields } from "../../../src/operations/find-import-files.ts";
import { exportLocationOptions } from "../../../src/operations/pull-requirements.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import { DUTCH } from "../support/open-shop.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

test("an import has the unsaved text of a file, and what is on disk once that is discarded", async () => {
  const unsaved = new Map([[DUTCH, "<?php return ['title' => 'Mijn mandje'];"]]);
  const { files, local } = await shop.open("one", { unsaved });
  await local.load();
  const root = join(shop.folder, "app");
  const find = async () => {
    const { signal } = new AbortController();
    const [found, ...others] = await findImportFiles({ root, files, local }, [join(root, DUTCH)], signal);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ path: DUTCH, file: join(root, DUTCH) });
    return new TextDecoder().decode(found?.bytes);
  };
  expect(await find()).toBe(unsaved.get(DUTCH));
  unsaved.clear();
  expect(await find()).toBe(await shop.read(DUTCH));
});

test("an import needs the format and the language of each file, and none whose keys get a prefix", async () => {
  const root = join(shop.folder, "app");
  const { signal } = new AbortController();
  await shop.write("texts/words.json", '{"title": "Your cart"}');
  const files = [
    { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
    { path: "lang/{locale}.json", format: "laravel_json", keyPrefix: "app." },
  ] as const;
  const { files: onDisk, local } = await shop.open("one", { file: { files: [...files] } });
  await local.load();
  const find = (...paths: readonly string[]) =>
    findImportFiles(
      { root, files: onDisk, local },
      paths.map((path) => join(root, path)),
      signal,
    );
  expect(() => requireImportFields([], {})).not.toThrow();
  const php = await find(DUTCH);
  expect(() => requireImportFields(php, {})).not.toThrow();
  // What the service would import as other keys.
  const prefixed = await find(DUTCH, "lang/en.json");
  for (const given of [{}, { format: "laravel_json", locale: "en" }] as const)
    expect(() => requireImportFields(prefixed, given)).toThrow("before the keys of lang/en.json");
  const words = await find("texts/words.json");
  expect(() => requireImportFields(words, { format: "laravel_json" })).toThrow("What language is");
  expect(() => requireImportFields(words, { format: "laravel_json", locale: "nl" })).not.toThrow();
});

test("a pull writes a language to the file that spells it in another way", () => {
  const languages = ["en", "pt-BR", "zh-Hant"].map((locale) => ({ locale }));
  const fileOf = (locale: string) => ({ location: { placeholders: { locale } } });
  const files = [fileOf("en"), fileOf("pt_BR"), fileOf("pt_BR")];
  const { locales, localeMap } = exportLocationOptions(
    { stats: { languages } as unknown as Stats },
    { locales: { zh: "zh-Hant" } },
    { files } as unknown as Parameters<typeof exportLocationOptions>[2],
  );
  expect([...locales]).toEqual(["en", "pt-BR", "zh-Hant"]);
  expect(["en", "pt-BR", "zh-Hant"].map(localeMap.toFile)).toEqual(["en", "pt_BR", "zh"]);
});
