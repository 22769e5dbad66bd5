/** The files whose style a written file follows. */
import { describe, expect, test } from "vitest";
import type { FormatName } from "../../../../src/model/file-formats.ts";
import type { ReadOutcome } from "../../../../src/model/platform.ts";
import { locateFile, type LocalFile } from "../../../../src/workspace/local-files/local-file.ts";
import { writeOptions } from "../../../../src/workspace/local-files/style-from-neighbour-files.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";

const TREE: FilesEntry = { path: "l/{package}/{locale}/{namespace}.json", format: "json_js" };

function locationOf(path: string, entries: readonly FilesEntry[]) {
  const location = locateFile(path, entries, (locale) => locale, "en");
  if (location === null || location === "no_locale") throw new Error(`${path} has no place`);
  return location;
}

/** The examples for a file at a path, as `locale: text`, and the paths that were read. */
async function optionsFor(
  path: string,
  {
    isNew,
    files = {},
    entries = [TREE],
  }: {
    readonly isNew: boolean;
    readonly files?: Readonly<Record<string, string | null>>;
    readonly entries?: readonly FilesEntry[];
  },
) {
  const reads: string[] = [];
  const read = async (each: string): Promise<ReadOutcome> => {
    reads.push(each);
    const text = files[each];
    if (text === undefined || text === null) return { kind: "missing" };
    const bytes = new TextEncoder().encode(text);
    return { kind: "read", bytes, stamp: { size: bytes.length, modified: 1 }, dirty: false };
  };
  const local = Object.entries(files).flatMap(([each, text]) =>
    each.endsWith("package.json")
      ? []
      : {
          path: each,
          location: locationOf(each, entries),
          entries: { length: text === "{}" ? 0 : 1 },
        },
  );
  const options = await writeOptions(
    { read },
    { files: local as unknown as readonly LocalFile[], sourceLocale: "en" },
    locationOf(path, entries),
    isNew,
  );
  const examples = options.examples?.map(({ locale, text }) => `${locale}: ${text}`);
  return { examples, isCommonJs: options.isCommonJs, reads };
}

describe("a new file follows", () => {
  const all = {
    "l/shop/de/cart.json": "de cart",
    "l/shop/en/cart.json": "en cart",
    "l/shop/en/menu.json": "en menu",
    "l/other/en/cart.json": "en other cart",
    "l/shop/fr/menu.json": "fr menu",
  };
  const some = (...names: (keyof typeof all)[]) => Object.fromEntries(names.map((name) => [name, all[name]]));

  test.each<[string, Readonly<Record<string, string | null>>, readonly string[]]>([
    [
      "that of the source language with its namespace, then others with it",
      all,
      ["en: en cart", "de: de cart"],
    ],
    [
      "others of its package and namespace before the source language's of another namespace",
      some("l/shop/de/cart.json", "l/shop/en/menu.json", "l/shop/fr/menu.json"),
      ["de: de cart", "en: en menu"],
    ],
    [
      "no file of its namespace in another package before others",
      some("l/shop/fr/menu.json", "l/other/en/cart.json", "l/shop/de/cart.json"),
      ["de: de cart", "en: en other cart"],
    ],
    [
      "the source language's of another namespace before those of others",
      some("l/shop/fr/menu.json", "l/shop/en/menu.json"),
      ["en: en menu", "fr: fr menu"],
    ],
    [
      "neither a file without texts nor itself",
      { "l/shop/en/cart.json": "{}", "l/shop/nl/cart.json": "itself", "l/shop/de/cart.json": "de cart" },
      ["de: de cart"],
    ],
    [
      "no file that cannot be read or is empty",
      { "l/shop/en/cart.json": null, "l/shop/de/cart.json": " \n" },
      [],
    ],
  ])("%s", async (_, files, expected) => {
    expect((await optionsFor("l/shop/nl/cart.json", { isNew: true, files })).examples).toEqual(expected);
  });

  test("no file of another entry of the layout", async () => {
    const other: FilesEntry = { path: "more/{locale}.json", format: "json_js" };
    const files = { "more/en.json": "more", "l/shop/en/cart.json": "en cart" };
    const options = { isNew: true, files, entries: [TREE, other] };
    expect(await optionsFor("l/shop/nl/cart.json", options)).toMatchObject({ examples: ["en: en cart"] });
    expect(await optionsFor("more/nl.json", options)).toMatchObject({ examples: ["en: more"] });
  });
});

test.each<[FormatName, string, boolean, boolean]>([
  ["json_js", "json", true, true],
  ["json_js", "json", false, true],
  ["laravel_php", "php", false, true],
  ["po", "po", true, true],
  ["po", "po", false, false],
  ["xliff12", "xlf", false, false],
  ["xlsx", "xlsx", true, false],
  ["mo", "mo", true, false],
])("a file of the format %s (%s, new: %s) follows others: %s", async (format, ending, isNew, expected) => {
  const entries: FilesEntry[] = [{ path: `{locale}.${ending}`, format }];
  const files = { [`en.${ending}`]: "text" };
  const { examples, reads } = await optionsFor(`nl.${ending}`, { isNew, files, entries });
  expect([examples, reads]).toEqual(expected ? [["en: text"], [`en.${ending}`]] : [undefined, []]);
});

describe("a new module is one of CommonJS", () => {
  const moduleAt = async (path: string, files: Readonly<Record<string, string>> = {}, isNew = true) => {
    const pattern = path.replace("nl", "{locale}");
    const format = path.endsWith("json") ? "json_js" : "js_module";
    return optionsFor(path, { isNew, files, entries: [{ path: pattern, format }] });
  };

  test.each<[string, string, Readonly<Record<string, string>>, boolean]>([
    ["by its name", "a/nl.cjs", {}, true],
    ["by its name, in TypeScript", "a/nl.cts", { "package.json": '{ "type": "module" }' }, true],
    ["never in TypeScript without that", "a/nl.ts", { "package.json": "{}" }, false],
    ["never as .mjs", "a/nl.mjs", { "package.json": "{}" }, false],
    ["by the package's", "nl.js", { "package.json": "{}" }, true],
    ["by that of a folder above", "a/b/c/nl.js", { "a/package.json": "{}" }, true],
    ["by that of the root", "a/b/c/nl.js", { "package.json": "{}" }, true],
    [
      "not where the nearest says otherwise",
      "a/b/nl.js",
      { "a/package.json": '{"type":"module"}', "package.json": "{}" },
      false,
    ],
    [
      "where the nearest does, whatever is above",
      "a/b/nl.js",
      { "a/package.json": "{}", "package.json": '{"type":"module"}' },
      true,
    ],
    ["as the package says", "nl.js", { "package.json": '{"type":"commonjs"}' }, true],
    ["by one that cannot be understood", "nl.js", { "package.json": "{" }, true],
    ["by one that says nothing", "nl.js", { "package.json": "null" }, true],
    ["not without a package", "a/nl.js", {}, false],
  ])("%s", async (_, path, files, expected) => {
    expect((await moduleAt(path, files)).isCommonJs).toBe(expected);
  });

  test("which is not looked up for one that exists, or data", async () => {
    const files = { "package.json": "{}" };
    expect(await moduleAt("nl.js", files, false)).toMatchObject({ isCommonJs: false, reads: [] });
    expect(await moduleAt("nl.json", files)).toMatchObject({ isCommonJs: false, reads: [] });
  });
});
