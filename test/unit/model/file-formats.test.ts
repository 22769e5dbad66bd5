/** What is made from the records of file formats, and facts of them that reading and writing shows. */
import { describe, expect, test } from "vitest";
import {
  bilingualFamily,
  documentsWhere,
  extensionGlob,
  extensionsWhere,
  formatDisplayName,
  formatInfo,
  FORMAT_NAMES,
  isGenerated,
} from "../../../src/model/file-formats.ts";
import type { NewEntry, ReadOptions } from "../../../src/formats/format.ts";
import { printTranslationFile, isUnreadable } from "../../../src/formats/parse-and-edit-file.ts";
import { formatOf, formats } from "../../../src/formats/supported-formats.ts";

test("globs have the last part of each ending once", () => {
  expect(extensionGlob(({ isCode }) => isCode)).toBe("{cjs,cts,js,mjs,mts,ts}");
  expect(extensionGlob(({ groupName }) => groupName === "PHP")).toBe("php");
  expect(extensionsWhere(({ groupName }) => groupName === "PHP")).toEqual([".l10n.php", ".php"]);
});

test("documents are selected by language, or by ending where VS Code has none", () => {
  expect(documentsWhere(({ family }) => family === "gettext" || family === "tree")).toEqual([
    "php",
    "json",
    "jsonc",
    "javascript",
    "typescript",
    { pattern: "**/*.{po,pot}" },
  ]);
  expect(documentsWhere(({ outline }) => outline !== null)).toEqual([
    "php",
    { pattern: "**/*.{csv,po,pot,xlf,xliff}" },
  ]);
});

test("a format that only the service has keeps its name there", () => {
  expect(formatDisplayName("xliff20")).toBe("XLIFF 2.0");
  expect(formatDisplayName("android_xml")).toBe("android_xml");
  expect([isGenerated("android_xml"), bilingualFamily("android_xml")]).toEqual([false, null]);
});

describe.each(FORMAT_NAMES)("%s", (name) => {
  const info = formatInfo(name);
  const options: ReadOptions = { locale: "nl", sourceLocale: "en" };

  test("holds a description as its record says", async () => {
    const format = formatOf(name);
    if (format === undefined) throw new Error(`${name} is not written`);
    const own = info.ownLocales ? { locale: "nl" } : {};
    const entry: NewEntry = {
      key: "Save",
      context: null,
      ...own,
      text: { value: info.isTemplate ? "Save" : "Bewaar" },
      source: { value: "Save" },
      description: "On a button",
    };
    const bytes = await printTranslationFile(format, [entry], options);
    const read = await formats.read(name, bytes, options);
    if (isUnreadable(read)) throw new Error(read.refused);
    expect(read.entries).toHaveLength(1);
    const found = read.entries[0]?.description ?? null;
    // JSON and generated PHP have comments only if a person or a program puts them there.
    const isWritten =
      info.descriptions !== null && !["JSON"].includes(info.groupName) && info.kind !== "generated";
    expect(found).toBe(isWritten ? "On a button" : null);
  });
});

const WITH_DESCRIPTIONS = {
  laravel_json: '{\n  // On a button\n  "Save": "Bewaar"\n}\n',
  json_js: '{ "Save": { "message": "Bewaar", "description": "On a button" } }\n',
  wordpress_php:
    "<?php\nreturn ['domain'=>'shop','plural-forms'=>'nplurals=2; plural=n != 1;','messages'=>[\n// On a button\n'Save'=>'Bewaar']];\n",
} as const;

test.each(Object.entries(WITH_DESCRIPTIONS))(
  "%s has the description of a comment or record",
  async (name, text) => {
    const format = name as keyof typeof WITH_DESCRIPTIONS;
    expect(formatInfo(format).descriptions).not.toBeNull();
    const read = await formats.read(format, new TextEncoder().encode(text), {
      locale: "nl",
      sourceLocale: "en",
    });
    if (isUnreadable(read)) throw new Error(read.refused);
    expect(read.entries.map(({ description }) => description)).toEqual(["On a button"]);
  },
);
