/** The files of an export: a single one, or those of a safe archive. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { exportedFiles } from "../../../../src/workspace/local-files/map-export-to-local-files.ts";

const TEXT = strToU8("<?php return [];");
const answer = (bytes: Uint8Array, fileName: string | null, mediaType = "application/octet-stream") => {
  return { kind: "file", bytes: new Uint8Array(bytes), fileName, mediaType, etag: null } as const;
};
const archive = (...paths: readonly string[]): Uint8Array =>
  zipSync(Object.fromEntries(paths.map((path) => [path, strToU8(path)])));

describe("a single file", () => {
  test("uses the file name of the response", () => {
    const [file] = exportedFiles(answer(TEXT, "cart.php"));
    expect([file?.name, file?.read()]).toEqual(["cart.php", TEXT]);
  });

  test.each([
    null,
    "",
    "..",
    "../cart.php",
    "/cart.php",
    "a/../cart.php",
    "cart.php.",
    "cart .",
    "c:cart.php",
    "a//b",
    "a\u0007",
  ])("rejects the name %j", (name) => {
    expect(() => exportedFiles(answer(TEXT, name))).toThrow("the export has no usable file name");
  });

  test.each([
    ["texts.xlsx", "application/zip"],
    ["TEXTS.XLSX", "application/octet-stream"],
    ["texts", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ])("recognises a workbook, although it is a zip: %s, %s", (name, mediaType) => {
    const bytes = archive("xl/workbook.xml");
    expect(exportedFiles(answer(bytes, name, mediaType)).map((file) => file.name)).toEqual([name]);
  });

  test("is not taken for an archive because it starts with P or PK", () => {
    for (const text of ["PHP", "PK is short", "P\u0004\u0003"])
      expect(exportedFiles(answer(strToU8(text), "a.txt"))).toHaveLength(1);
  });
});

describe("an archive", () => {
  test.each([
    ["by its bytes", "application/octet-stream", null],
    ["by its type", "application/zip", "export.zip"],
  ])("is recognised %s and unpacked", (_, mediaType, name) => {
    const bytes = archive("lang/nl/cart.php", "lang/NL.json");
    const files = exportedFiles(answer(bytes, name, mediaType));
    expect(files.map((file) => [file.name, new TextDecoder().decode(file.read())])).toEqual([
      ["lang/nl/cart.php", "lang/nl/cart.php"],
      ["lang/NL.json", "lang/NL.json"],
    ]);
  });

  test("rejects an archive type without archive content", () => {
    expect(() => exportedFiles(answer(TEXT, "export.zip", "application/zip"))).toThrow();
  });

  test.each<[string, readonly string[]]>([
    ['the archive holds the path "../a"', ["../a"]],
    ['the archive holds the path "lang/a."', ["lang/a."]],
    ['the archive holds the path "lang/c:a"', ["lang/c:a"]],
    ['the archive holds "A.json" twice', ["a.json", "A.json"]],
    ['the archive holds "lang/caf\u0065\u0301" twice', ["lang/caf\u00e9", "lang/caf\u0065\u0301"]],
    ['the archive holds "lang" as a file and as a folder', ["lang", "lang/nl.json"]],
    ['the archive holds "Lang/nl" as a file and as a folder', ["lang/NL", "Lang/nl/deep/a.json"]],
  ])("rejects %s", (message, paths) => {
    expect(() => exportedFiles(answer(archive(...paths), null))).toThrow(message);
  });
});
