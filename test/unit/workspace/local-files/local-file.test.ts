/** Key names and namespaces in files, and the keys that an unreadable part may have. */
import { describe, expect, test } from "vitest";
import { TEMPLATE_RANK } from "../../../../src/database/local-file-repository.ts";
import {
  formatRank,
  hasOwnLocales,
  hidesKeys,
  keyNameIn,
  type LocalFile,
  namespaceChooser,
  namespaceIn,
  namesItsLocales,
  locateFile,
  mayContain,
  mayContainInNamespace,
  mayContainSourceTexts,
  mayShareKeys,
  type UnparsedRange,
  unparsedRangesOfAll,
  unsavedPaths,
  wholeRanges,
} from "../../../../src/workspace/local-files/local-file.ts";
import { combineFiles, sameStamp } from "../../../../src/workspace/local-files/combine-files.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";

const PHP: FilesEntry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php" };
const ALL: FilesEntry = { path: "lang/{locale}/{namespace}.php", format: "laravel_php", namespace: "all" };
const SHEET: FilesEntry = { path: "texts.csv", format: "csv" };
const toService = (locale: string): string | null => ({ en: "en", nl_NL: "nl" })[locale] ?? null;

describe("locateFile", () => {
  test.each<[string, readonly FilesEntry[], string, unknown, string?]>([
    [
      "is the first entry's that fits",
      [SHEET, PHP, ALL],
      "lang/nl_NL/cart.php",
      { entry: PHP, locale: "nl", keyNaming: { namespace: "cart", keyPrefix: "" } },
    ],
    [
      "is that of the source language where the path names none",
      [PHP, SHEET],
      "texts.csv",
      { entry: SHEET, locale: "en" },
    ],
    [
      "is that of a source language which the service does not have yet",
      [SHEET],
      "texts.csv",
      { locale: "de", path: "texts.csv" },
      "de",
    ],
    ["is none of a language that the service has not", [PHP], "lang/fr/cart.php", "no_locale"],
    ["is none where no entry fits", [PHP, SHEET], "src/cart.php", null],
  ])("%s", (_, entries, path, expected, source = "en") => {
    const place = locateFile(path, entries, toService, source);
    if (typeof expected === "object" && expected !== null) expect(place).toMatchObject(expected);
    else expect(place).toBe(expected);
  });
});

test.each<[string, FilesEntry, string | null, string]>([
  ["of the file itself", SHEET, "shop", "shop"],
  ["of the path where the file names none", SHEET, null, "*"],
  ["of the project file, whatever the file says", { ...SHEET, namespace: "all" }, "shop", "all"],
])("derives the namespace %s", (_, entry, own, namespace) => {
  const keyNaming = { namespace: entry.namespace ?? "*", keyPrefix: "app." };
  expect(keyNameIn({ entry, keyNaming }, { key: "title", context: "menu", namespace: own })).toEqual({
    namespace,
    key: "app.title",
    context: "menu",
  });
});

test.each([
  ["a catalogue and its template", ["gettext", 0, "nl.po"], ["gettext", 1, "shop.pot"], true],
  ["a catalogue and what is compiled from it", ["gettext", 2, "nl.mo"], ["gettext", 0, "nl.po"], true],
  ["two files that are compiled from one", ["gettext", 2, "nl.mo"], ["gettext", 2, "nl.l10n.php"], true],
  ["one compiled file, twice", ["gettext", 2, "nl.mo"], ["gettext", 2, "nl.mo"], false],
  ["two catalogues", ["gettext", 0, "a/nl.po"], ["gettext", 0, "b/nl.po"], false],
  ["files of other formats", [null, 0, "nl.json"], [null, 2, "nl.js"], false],
  ["a catalogue and a file of another format", ["gettext", 0, "nl.po"], ["xliff", 2, "nl.xlf"], false],
] as const)("may have the same keys: %s", (_, one, other, expected) => {
  const file = ([family, rank, path]: readonly [string | null, number, string]) =>
    ({ family, rank, path }) as Parameters<typeof mayShareKeys>[0];
  expect(mayShareKeys(file(one), file(other))).toBe(expected);
});

test.each<[FilesEntry["format"], number]>([
  ["json_js", 0],
  ["po", 0],
  ["pot", TEMPLATE_RANK],
  ["wordpress_php", 2],
])("the rank of files of the format %s is %d", (format, expected) => {
  expect(formatRank(format)).toBe(expected);
});

test.each<[FilesEntry, boolean, boolean, string | null]>([
  [PHP, false, false, "cart"],
  [SHEET, true, true, null],
  [{ ...SHEET, namespace: "all" }, true, true, "cart"],
  [{ path: "{locale}.csv", format: "csv" }, true, false, null],
  [{ path: "{locale}.xlf", format: "xliff12" }, false, false, null],
])("knows what files name themselves: %j", (entry, hasLocales, areThey, namespace) => {
  expect([hasOwnLocales(entry.format), namesItsLocales(entry)]).toEqual([hasLocales, areThey]);
  expect(namespaceIn({ entry, keyNaming: { namespace: "cart", keyPrefix: "" } })).toBe(namespace);
});

describe("of a list of files", () => {
  const fileOf = (path: string, family: string | null, dirty: boolean, ...locales: string[]) =>
    ({
      path,
      family,
      dirty,
      locales: new Map(locales.map((locale) => [locale, null])),
      location: { path, entry: { path: "{locale}", format: "po" } },
    }) as unknown as LocalFile;
  const files = [
    fileOf("nl.po", "gettext", true, "nl"),
    fileOf("en.xlf", "xliff", false, "en"),
    fileOf("nl.xlf", "xliff", false, "nl"),
    fileOf("nl.json", null, true, "nl"),
    fileOf("all.csv", null, false, "nl", "en"),
  ];

  test("those with unsaved texts are known by their paths", () => {
    expect(unsavedPaths({ files })).toEqual(new Set(["nl.po", "nl.json"]));
  });

  test("those may have source texts that are of the source language, or have them where no source file does", () => {
    const found = files.filter((file) => mayContainSourceTexts(file, { files, sourceLocale: "en" }));
    expect(found.map(({ path }) => path)).toEqual(["nl.po", "en.xlf", "all.csv"]);
  });
});

describe("namespace of a new key if the file's namespaces are ignored", () => {
  const entries = [
    { key: "cart.title", namespace: "first" },
    { key: "cart.pay.now", namespace: "second" },
    { key: "menu.open", namespace: "third" },
  ];
  const NAMES = ["first", "second", "third"];

  test.each<[string, readonly (string | null)[], string, string | null, string | null]>([
    ["is the wanted one where there are none", [], "a", "wanted", "wanted"],
    ["is the wanted one where the file has it", NAMES, "a", "second", "second"],
    ["is the only one", ["first"], "a", "wanted", "first"],
    ["is that of the nearest key", NAMES, "cart.pay.later", "wanted", "second"],
    ["is that of the first of several as near", NAMES, "cart.total", "wanted", "first"],
    ["is that of a key which it continues", NAMES, "menu.open.now", "wanted", "third"],
    ["is the last one where no key is near", NAMES, "other", "wanted", "third"],
  ])("%s", (_, namespaces, key, wanted, expected) => {
    expect(namespaceChooser(namespaces, entries)(key, wanted)).toBe(expected);
  });
});

test.each<[string, Partial<UnparsedRange>, string, string, boolean]>([
  ["any key of a file that could not be read", { key: null }, "other", "x", true],
  ["the key itself", { key: "cart" }, "app", "cart", true],
  ["what is below it", { key: "cart" }, "app", "cart.title", true],
  ["no other key", { key: "cart" }, "app", "cartoon", false],
  ["no key of another namespace", { key: "cart" }, "other", "cart", false],
  [
    "the key in any namespace where the file names them",
    { key: "cart", namespace: null },
    "other",
    "cart",
    true,
  ],
])("a place that was not understood may hold %s", (_, range, namespace, key, expected) => {
  const unread: UnparsedRange = { path: "a", line: 1, column: 1, namespace: "app", key: null, ...range };
  expect(mayContain([unread], { namespace, key, context: null })).toBe(expected);
  expect(mayContain([], { namespace, key, context: null })).toBe(false);
});

const RANGE: UnparsedRange = { path: "a.json", line: 1, column: 1, namespace: "app", key: null };

test("a file that could not be read has any key of its namespace, and of all where it names them", () => {
  const isIn = (range: UnparsedRange, namespace: string): boolean =>
    mayContainInNamespace([range], { namespace, key: "cart", context: null });
  expect([isIn(RANGE, "app"), isIn(RANGE, "shop")]).toEqual([true, false]);
  expect(isIn({ ...RANGE, namespace: null }, "shop")).toBe(true);
});

test("names the first place of each file from which any key may be missing", () => {
  const later = { ...RANGE, line: 7 };
  const other = { ...RANGE, path: "b.json", line: 3 };
  expect(wholeRanges([{ ...RANGE, key: "cart" }, RANGE, other, later])).toEqual([RANGE, other]);
});

test.each<[Parameters<typeof hidesKeys>[0]["code"], boolean, boolean]>([
  ["syntax", true, true],
  ["type", false, true],
  ["duplicate", false, false],
  ["elsewhere", false, false],
  ["locale", false, false],
])(
  "a problem of the kind %s hides all keys: %s where it names one, %s where it names none",
  (code, one, none) => {
    const problem = { path: "a", code, message: "", span: null, line: null, column: null };
    expect(hidesKeys({ ...problem, name: { namespace: "*", key: "a", context: null } })).toBe(one);
    expect(hidesKeys({ ...problem, name: null })).toBe(none);
  },
);

test("what could not be read of a file has any key after a syntax error, else the one that it names", () => {
  const problem = (code: string, line: number, key: string | null) => ({
    code,
    line,
    column: 1,
    message: "",
    path: "a.json",
    span: null,
    name: key === null ? null : { namespace: "app", key, context: null },
  });
  const location = { path: "a.json", entry: PHP, keyNaming: { namespace: "app", keyPrefix: "" } };
  const problems = [
    problem("syntax", 1, "cart"),
    problem("type", 2, "size"),
    problem("duplicate", 3, "twice"),
    problem("encoding", 4, null),
  ];
  const files = [{ location, problems }] as unknown as Parameters<typeof unparsedRangesOfAll>[0]["files"];
  const folder = { path: "lang/de", reason: "failed", mayHaveSourceTexts: false } as const;
  expect(unparsedRangesOfAll({ files, unreadableFolders: [folder] })).toEqual([
    { path: "lang/de", line: null, column: null, namespace: null, key: null },
    { ...RANGE, line: 1 },
    { ...RANGE, line: 2, key: "size" },
    { ...RANGE, line: 4 },
  ]);
});

describe("what files have in common", () => {
  type File = readonly [path: string, locale: string, texts: number, more?: object];
  const problem = (path: string, code: string) => ({ path, code, name: null });
  /** @param broken paths of folders that cannot be read, and of files of unknown languages */
  const combined = (files: readonly File[], ...broken: readonly string[]) => {
    const stored = files.map(([path, locale, texts, more]) => {
      const empty = { family: null, keyNamespaces: [], sourceNamespaces: [], problems: [] };
      return [path, { ...empty, locales: new Map([[locale, null]]), texts: { [locale]: texts }, ...more }];
    });
    const listing = {
      locations: files.map(([path]) => ({ path })),
      sourceLocale: "en",
      problems: broken.map((path) => problem(path, path.endsWith(".json") ? "locale" : "unreadable")),
    };
    return combineFiles(listing as unknown as Parameters<typeof combineFiles>[0], new Map(stored as never));
  };

  test("are the languages, the source first and the others sorted, with all their texts", async () => {
    const files: readonly File[] = [
      ["nl/a", "nl", 1],
      ["de/a", "de", 2],
      ["en/a", "en", 3],
      ["nl/b", "nl", 4],
    ];
    const { locales, sizes } = await combined(files);
    expect(locales).toEqual(["en", "de", "nl"]);
    expect(sizes).toEqual([
      { locale: "nl", texts: 5 },
      { locale: "de", texts: 2 },
      { locale: "en", texts: 3 },
    ]);
    expect((await combined(files.slice(0, 2))).locales).toEqual(["de", "nl"]);
  });

  test("are source texts that no source file has", async () => {
    const dutch: File = ["nl.po", "nl", 1, { family: "gettext", sourceNamespaces: ["shop", "menu"] }];
    const english = (...keyNamespaces: readonly string[]): File => [
      ...(["en.po", "en", 1] as const),
      { family: "gettext", keyNamespaces },
    ];
    expect(await combined([dutch])).toMatchObject({ hasOtherSources: true, locales: ["en", "nl"] });
    expect(await combined([dutch, english("shop")])).toMatchObject({
      hasOtherSources: true,
      covered: ["gettext:shop"],
    });
    expect(await combined([dutch, english("shop", "menu")])).toMatchObject({ hasOtherSources: false });
  });

  test("is what could not be read: folders, and the first problem of each file that hides keys", async () => {
    const problems = ["duplicate", "syntax", "encoding"].map((code) => problem("en.json", code));
    const { incomplete } = await combined([["en.json", "en", 1, { problems }]], "xx.json", "lang/de");
    expect(incomplete.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "lang/de unreadable",
      "en.json syntax",
    ]);
  });

  test("is a stamp of the same size and time", () => {
    const stamp = { size: 1, modified: 2 };
    expect(sameStamp({ ...stamp }, stamp)).toBe(true);
    for (const other of [
      { ...stamp, size: 2 },
      { ...stamp, modified: 3 },
      { ...stamp, modified: 1 },
      undefined,
    ])
      expect(sameStamp(other, stamp)).toBe(false);
  });
});
