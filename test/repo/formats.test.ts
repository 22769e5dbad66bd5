/** What is known of a file format is in its record in `src/model/file-formats.ts`. */
import { describe, expect, test } from "vitest";
import { EXTENSIONS, FORMAT_NAMES, formatInfo, GROUP_NAMES } from "../../src/model/file-formats.ts";
import { read, readJson, sources } from "./tree.ts";

const NAMES = `["'](?:${FORMAT_NAMES.join("|")})["']`;
/** A comparison, a case, or a list of names. */
const COMPARISON = new RegExp(
  String.raw`[!=]==?\s*${NAMES}|${NAMES}\s*[!=]==?|\bcase\s+${NAMES}|\[[^\][]*?${NAMES}[^\][]*\]\s*\)?\.(?:includes|has|some|find)|new Set(?:<\w+>)?\(\[[^\][]*?${NAMES}`,
  "g",
);

/** The code without comments and imports. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$|^import [^;]*;$/gmu, "");
}

/** The places of what the expression finds in code, as `PATH: CODE`. */
function places(texts: ReadonlyMap<string, string>, expression: RegExp): readonly string[] {
  return [...texts].flatMap(([path, text]) =>
    Array.from(codeOf(text).matchAll(expression), ([found]) => `${path}: ${found.replaceAll(/\s+/g, " ")}`),
  );
}

const comparisons = (texts: ReadonlyMap<string, string>): readonly string[] => places(texts, COMPARISON);

test("no code compares the name of a format", () => {
  expect(comparisons(sources(/^/))).toEqual([]);
});

test.each([
  'if (format === "pot") return;',
  'if ("po" !== entry.format) return;',
  'case "xliff12":',
  '["csv", "xlsx"].includes(format)',
  'const BINARY = new Set(["mo", "xlsx"]);',
])("%s is found", (code) => {
  expect(comparisons(new Map([["src/a.ts", code]]))).toHaveLength(1);
});

/** Endings of files that are translations, or tables of them. Source code and its settings have the other ones, too. */
const OWN_ENDINGS = EXTENSIONS.filter(([, name]) => {
  const { isOnlyTranslations, family } = formatInfo(name);
  return isOnlyTranslations || family === "spreadsheet";
}).map(([extension]) => extension.slice(1).replaceAll(".", String.raw`\\?\.`));
/** An ending as a whole text, or in a list, a glob or an expression; or endings of data beside those of PHP. */
const ENDING = new RegExp(
  String.raw`["'\`][^"'\`\n]*\.(?:${OWN_ENDINGS.join("|")})["'\`]|\.[{(](?:\?:)?(?:[\w.]+[,|])*(?:${OWN_ENDINGS.join("|")})[,|)}]|\.(?:${OWN_ENDINGS.join("|")})\$|[,|](?:${OWN_ENDINGS.join("|")})[,|]|\.[{(](?:\?:)?(?:[\w.]+[,|])*(?:json[,|](?:[\w.]+[,|])*php|php[,|](?:[\w.]+[,|])*json)[,|)}]`,
  "g",
);
/** Where an ending does not mean a format, and why. */
const WITH_ENDINGS: Readonly<Record<string, string>> = {
  "src/model/file-formats.ts": "the records",
};

const endings = (texts: ReadonlyMap<string, string>): readonly string[] =>
  places(new Map([...texts].filter(([path]) => !Object.hasOwn(WITH_ENDINGS, path))), ENDING);

test("no other code has the endings of files of a format", () => {
  expect(endings(sources(/^/))).toEqual([]);
});

test.each([
  'path.endsWith(".po")',
  'const DOCUMENTS = { pattern: "**/*.{po,pot}" };',
  'const DOCUMENTS = ["php", { pattern: "**/*.{csv,xlf}" }];',
  String.raw`/\.(?:csv|xlsx)$/iu.test(name)`,
  String.raw`/\.xlsx$/iu.test(name)`,
  'new Set("json,php,po,pot".split(","))',
  'const GLOB = "**/*.{json,php}";',
  '[".l10n.php"]',
])("%s is found", (code) => {
  expect(endings(new Map([["src/a.ts", code]]))).toHaveLength(1);
});

test.each(['"csv"', "// shop-nl.po", '"**/*.{php,vue}"', "`${name}.json`"])("%s is no ending", (code) => {
  expect(endings(new Map([["src/a.ts", code]]))).toEqual([]);
});

describe("the records", () => {
  test("each ending stands for one format", () => {
    const all = EXTENSIONS.map(([extension]) => extension);
    expect(new Set(all).size).toBe(all.length);
    const others = FORMAT_NAMES.flatMap((name) => formatInfo(name).extensions);
    expect([...new Set(others)].toSorted()).toEqual(all.toSorted());
  });

  test("each format has a name of its own", () => {
    expect(new Set(FORMAT_NAMES.map((name) => formatInfo(name).displayName)).size).toBe(FORMAT_NAMES.length);
  });

  test.each(["README.md", "src/cli/README.md"])("%s has the names of all kinds of formats", (path) => {
    expect(GROUP_NAMES.filter((name) => !read(path).includes(name))).toEqual([]);
  });

  test.each(["package.nls.json", "package.nls.nl.json"])("the welcome view of %s has them, too", (path) => {
    const { "welcome.signedOut": text = "" } = readJson<Readonly<Record<string, string>>>(path);
    expect(GROUP_NAMES.filter((name) => !text.includes(name))).toEqual([]);
  });
});
