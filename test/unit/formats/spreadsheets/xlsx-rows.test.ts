/** `xlsx`: new workbooks, and invalid ones. */
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { headersOf, xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import { ENGLISH } from "../editing.ts";
import { read } from "./read-workbook.ts";
import { inline, parts, row, sheet, workbook, zipped } from "./workbooks.ts";

describe("printing", () => {
  test("prints reproducible workbooks that it can read", () => {
    const entries = [
      { namespace: "n", key: "a", context: "c", description: "d", text: { value: " x\r\n<&>\u0000_x0041_" } },
      { key: "b", context: null, text: { forms: { one: "p", other: "q" } } },
    ];
    const bytes = xlsx.print(entries, ENGLISH);
    expect(xlsx.print(entries, ENGLISH)).toEqual(bytes);
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject(entries);
    expect(xlsx.read(bytes, ENGLISH).problems).toEqual([]);
    // Without the attribute Excel drops white space around a text.
    const xml = strFromU8(unzipSync(bytes)["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
    expect(xml.match(/<t[^>]*> x/gu)).toEqual(['<t xml:space="preserve"> x']);
    // A bold header, and texts that no program takes for a number.
    expect(xml.match(/<c r="B[123]" s="\d"/gu)).toEqual(
      ["B1", "B2", "B3"].map((at, index) => `<c r="${at}" s="${index === 0 ? 1 : 2}"`),
    );
    expect(xml).toContain('<dimension ref="A1:G3"/>');
    // The date of each part: the first that zip files can have.
    expect(Buffer.from(bytes).readUInt32LE(10)).toBe(0x0021_0000);
    expect(headersOf(bytes)).toEqual([
      ["namespace", "key", "context", "description", "value", "one", "other"],
    ]);
  });
});

describe("invalid files", () => {
  const XML = sheet(row(1, "key", "value") + row(2, "a", "x"));
  const refuses = (bytes: Uint8Array): string => {
    const { entries, problems: found } = xlsx.read(bytes, ENGLISH);
    expect(entries).toEqual([]);
    expect(found.map(({ code }) => code)).toEqual(["syntax"]);
    expect(headersOf(bytes).length).toBeLessThan(2);
    return found[0]?.message ?? "";
  };

  test("have distinct problems", () => {
    expect(refuses(new Uint8Array())).toContain("zip");
    expect(refuses(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]))).toContain("encrypted");
    expect(refuses(zipped({ "a.txt": "x" }))).toContain("no workbook");
    expect(refuses(workbook([XML]).subarray(0, -9))).toContain("zip");
    expect(refuses(zipped({ ...parts([XML]), "XL/Workbook.xml": "" }))).toContain("two parts");
    expect(
      refuses(workbook([XML.replace("<worksheet", '<!DOCTYPE x [<!ENTITY a "b">]><worksheet')])),
    ).toContain("no header");
    const types = (parts([XML])["[Content_Types].xml"] ?? "").replace(
      "sheet.main+xml",
      "sheet.binary.macroEnabled.main",
    );
    expect(refuses(workbook([XML], { "[Content_Types].xml": types }))).toContain("binary");
  });

  test("are rejected with a doctype or truncated XML", () => {
    expect(refuses(workbook([XML.replace("</sheetData>", "</sheetData><!DOCTYPE x>")]))).toContain("broken");
    expect(refuses(workbook([XML.slice(0, XML.lastIndexOf("</row>") + 3)]))).toContain("broken");
    expect(refuses(workbook([XML.replace("</sheetData>", "<!-- ")]))).toContain("broken");
  });

  test("keep undefined entities", () => {
    expect(
      read(workbook([XML.replace('<t xml:space="preserve">x<', "<t>&lol;&#0;&#x110000;&amp;lt;<")])),
    ).toEqual([["a", "&lol;&#0;&#x110000;&lt;"]]);
  });

  test("are not unpacked if too large or of a wrong size", () => {
    const big = zipped({ ...parts([XML]), "xl/media/zero": "0".repeat(3_000_000) });
    expect(refuses(big)).toContain("ratio is too high");
    const lying = big.slice();
    const view = new DataView(lying.buffer);
    for (let at = 0; at + 46 < lying.length; at++) {
      const isEntry = view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 24, true) === 3_000_000;
      if (isEntry) view.setUint32(at + 24, 3_000, true);
    }
    // Never asked for, so never unpacked.
    expect(read(lying)).toEqual([["a", "x"]]);
    const sheetBomb = zipped(parts([XML + " ".repeat(900_000)]));
    const bombView = new DataView(sheetBomb.buffer);
    for (let at = 0; at + 46 < sheetBomb.length; at++) {
      const isEntry =
        bombView.getUint32(at, true) === 0x02014b50 && bombView.getUint32(at + 24, true) > 900_000;
      if (isEntry) bombView.setUint32(at + 24, 2_000, true);
    }
    expect(refuses(sheetBomb)).toContain("larger than declared");
  });

  test("are read in time for any depth, width and number of merged cells", () => {
    const deep = workbook([XML.replace("</row></sheetData>", `${"<c>".repeat(200_000)}</row></sheetData>`)]);
    read(deep);
    const merged = '<mergeCell ref="A2:XFD1048576"/>'.repeat(50_000);
    const all = zipped(
      parts([XML.replace("</worksheet>", `<mergeCells>${merged}</mergeCells></worksheet>`)]),
      0,
    );
    expect(xlsx.read(all, ENGLISH).entries).toMatchObject([{ key: "a", readOnly: "unsupported" }]);
    const wide = sheet(
      `<row r="1">${inline("A1", "key")}${inline("B1", "en")}${inline("ZZZ1", "nl")}</row>${row(2, "a", "x")}`,
    );
    expect(read(workbook([wide]))).toEqual([["a", "x"]]);
  });
});
