/** The files of a layout by their paths alone: their languages, what cannot be read, and how each is read. */
import { describe, expect, test } from "vitest";
import {
  findFiles,
  findPaths,
  listFiles,
  type LocalLayout,
  readOptionsOf,
} from "../../../../src/workspace/local-files/list-local-files.ts";
import { matchEntry } from "../../../../src/workspace/local-files/local-file.ts";
import type { FolderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import type { WalkScope } from "../../../../src/workspace/file-system/walk-folder.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";

const JSON_FILES: FilesEntry = { path: "lang/{locale}/{namespace}.json", format: "json_js" };
const SHEET: FilesEntry = { path: "texts.csv", format: "csv" };
const XLIFF: FilesEntry = { path: "xliff/{locale}/{namespace}.xlf", format: "xliff12" };
const SCOPE: WalkScope = { exclude: ["old"], otherProjects: ["apps/two"] };

const layoutOf = (rest: Partial<LocalLayout> = {}): LocalLayout => {
  return { files: [JSON_FILES], locales: {}, sourceLocale: null, serviceLocales: [], ...rest };
};

/** Lists files of these languages, and folders that cannot be read. */
async function list(locales: readonly string[], rest: Partial<LocalLayout> = {}, ...folders: string[]) {
  const layout = layoutOf(rest);
  const paths = locales.map((locale) => `lang/${locale}/cart.json`);
  return listFiles(layout, {
    files: paths.flatMap((path) => matchEntry(path, layout.files) ?? []),
    unreadableFolders: folders.map((path) => ({ path, reason: "failed" })),
  });
}

describe("the source language of a service that is not known yet", () => {
  test.each<[string, readonly string[], Partial<LocalLayout>, string]>([
    ["is English", ["de", "en-GB", "en"], {}, "en"],
    ["is that of a country where there is no other English", ["de", "en-GB", "en-US"], {}, "en-GB"],
    ["is English of a country, also with an underscore", ["de", "EN_gb"], {}, "EN_gb"],
    ["is no other language whose name begins alike", ["enm", "de"], {}, "de"],
    ["is the first one by name without English", ["nl", "de", "fr"], {}, "de"],
    ["is English without any files", [], {}, "en"],
    ["is English also if the service has others first", ["de", "en"], { serviceLocales: ["de", "en"] }, "en"],
    ["has the name that the project file gives it", ["us", "de"], { locales: { us: "en-US" } }, "en-US"],
    ["is not guessed once it is known", ["de", "en"], { sourceLocale: "de" }, "de"],
  ])("%s: %s", async (_, locales, rest, expected) => {
    expect((await list(locales, rest)).sourceLocale).toBe(expected);
  });
});

test("a file that says no language is of the source language, also where that is guessed by the others", async () => {
  for (const [sourceLocale, expected] of [
    [null, "de"],
    ["nl", "nl"],
  ] as const) {
    const layout = layoutOf({ files: [JSON_FILES, SHEET], sourceLocale });
    const files = ["lang/nl/a.json", "lang/de/a.json", "texts.csv"];
    const matched = files.flatMap((path) => matchEntry(path, layout.files) ?? []);
    const { locations } = await listFiles(layout, { files: matched, unreadableFolders: [] });
    expect(locations.map(({ locale }) => locale)).toEqual(["nl", "de", expected]);
  }
});

test("a file of a language that the service does not have is left out and named", async () => {
  const service = { sourceLocale: "en", serviceLocales: ["en", "nl"] };
  const { locations, problems, localeMap, localeNames } = await list(["en", "fr", "nl_NL"], service);
  expect(locations.map(({ path, locale }) => [path, locale])).toEqual([["lang/en/cart.json", "en"]]);
  expect(problems.map(({ path, code, message }) => [path, code, message])).toEqual([
    ["lang/fr/cart.json", "locale", "the service has no such locale"],
    ["lang/nl_NL/cart.json", "locale", "the service has no such locale"],
  ]);
  expect([localeMap.toService("fr"), localeNames]).toEqual([null, [{}, ["en", "nl"], ["en", "fr", "nl_NL"]]]);
});

test.each<[string, string, readonly FilesEntry[], boolean]>([
  ["of the source language", "lang/en", [JSON_FILES], true],
  ["of another language", "lang/de", [JSON_FILES], false],
  ["of another language of one entry, where the others have no files", "lang/de", [SHEET, JSON_FILES], false],
  ["of all languages", "lang", [JSON_FILES], true],
  ["of another language whose files have the source text", "xliff/de", [JSON_FILES, XLIFF], true],
])("a folder %s that cannot be read may have source texts: %s", async (_, path, files, expected) => {
  const { unreadableFolders, problems } = await list([], { files, sourceLocale: "en" }, path);
  expect(unreadableFolders).toEqual([{ path, reason: "failed", mayHaveSourceTexts: expected }]);
  expect(problems).toEqual([
    {
      path,
      code: "unreadable",
      message: "cannot be read (failed)",
      reason: "failed",
      span: null,
      line: null,
      column: null,
      name: null,
    },
  ]);
});

describe("a file is read", () => {
  const project = { locales: { dutch: "nl" }, sourceLocale: "en", serviceLocales: ["en", "fr"] };
  const optionsOf = async (entry: FilesEntry, path: string, rest: Partial<LocalLayout>) => {
    const layout = layoutOf({ ...project, files: [entry], ...rest });
    const matched = matchEntry(path, layout.files);
    const listing = await listFiles(layout, { files: matched ? [matched] : [], unreadableFolders: [] });
    const [location] = listing.locations;
    if (location === undefined) throw new Error("the file is not listed");
    const options = readOptionsOf(listing, location);
    expect(options.location).toBe(location);
    return [options.locale, options.sourceLocale, options.locales];
  };

  test.each<[string, FilesEntry, string, Partial<LocalLayout>, readonly unknown[]]>([
    ["in its own language", JSON_FILES, "lang/fr/a.json", {}, ["fr", "en", undefined]],
    ["with the languages that a table may name", SHEET, "texts.csv", {}, ["en", "en", ["en", "fr", "dutch"]]],
    [
      "with whatever looks like a language while those of the service are unknown",
      SHEET,
      "texts.csv",
      { serviceLocales: [] },
      ["en", "en", undefined],
    ],
  ])("%s", async (_, entry, path, rest, expected) => {
    expect(await optionsOf(entry, path, rest)).toEqual(expected);
  });
});

describe("on disk", () => {
  const asked: unknown[] = [];
  const files: Pick<FolderFiles, "find"> = {
    find: async (filter, scope, signal) => {
      asked.push([scope, signal]);
      const all = ["lang/nl/b.json", "lang/nl/a.json", "lang/nl/a.txt", "lang/en/a.json"];
      expect([filter.mayContain("lang/nl"), filter.mayContain("src")]).toEqual([true, false]);
      const unreadable = ["lang/fr/link.json", "lang/de"].map((path) => {
        return { path, reason: "broken_link" as const };
      });
      return { files: all.filter(filter.matches), unreadable };
    },
  };
  const { signal } = new AbortController();

  test("files are found and sorted, also those that cannot be read", async () => {
    asked.length = 0;
    const found = await findFiles(layoutOf({ files: [SHEET, JSON_FILES] }), files, SCOPE, signal);
    expect(found.files.map(({ path, entry }) => [path, entry])).toEqual(
      ["lang/en/a.json", "lang/fr/link.json", "lang/nl/a.json", "lang/nl/b.json"].map((path) => [
        path,
        JSON_FILES,
      ]),
    );
    expect(found.unreadableFolders).toEqual([{ path: "lang/de", reason: "broken_link" }]);
    expect(await findPaths(layoutOf(), files, SCOPE, signal)).toEqual([
      "lang/en/a.json",
      "lang/nl/a.json",
      "lang/nl/b.json",
    ]);
    expect(asked).toEqual([
      [SCOPE, signal],
      [SCOPE, signal],
    ]);
  });

  test("none is looked for without a layout", async () => {
    asked.length = 0;
    const none = layoutOf({ files: [] });
    expect(await findFiles(none, files, SCOPE)).toEqual({ files: [], unreadableFolders: [] });
    expect([await findPaths(none, files, SCOPE), asked]).toEqual([[], []]);
  });
});
