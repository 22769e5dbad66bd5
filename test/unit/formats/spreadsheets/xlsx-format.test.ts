/** Reads and edits workbooks of Excel, LibreOffice and Google Sheets. */
import { describe, expect, test } from "vitest";
import type { ReadOptions } from "../../../../src/formats/format.ts";
import { headersOf, xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import { ENGLISH, type Wanted } from "../editing.ts";
import { edit, edited, read, rowsIn } from "./workbook-edits.ts";
import { inline, MAIN, partOf, pathsOf, row, sharedStrings, sheet, workbook, zipped } from "./workbooks.ts";

const problems = (bytes: Uint8Array, options: ReadOptions = ENGLISH) =>
  xlsx.read(bytes, options).problems.map(({ code, message }) => [code, message]);

describe("reading", () => {
  test("reads shared strings with runs, without phonetics", () => {
    const strings = sharedStrings(
      "<t>key</t>",
      "<t>value</t>",
      '<t xml:space="preserve"> a &amp; b&#10;&#x1F389; </t>',
      '<r><rPr><b/></rPr><t>bold</t></r><r><t> plain</t></r><rPh sb="0" eb="1"><t>ふり</t></rPh><phoneticPr fontId="1"/>',
      "<t/>",
    );
    const cell = (at: string, index: number): string => `<c r="${at}" s="3" t="s"><v>${index}</v></c>`;
    const xml = sheet(
      `<row r="1" spans="1:2">${cell("A1", 0)}${cell("B1", 1)}</row><row r="3">${cell("A3", 2)}${cell("B3", 3)}</row><row r="4">${cell("A4", 3)}${cell("B4", 4)}</row><row r="5">${cell("A5", 1)}${cell("B5", 99)}</row>`,
    );
    expect(read(workbook([xml], { "xl/sharedStrings.xml": strings }))).toEqual([
      [" a & b\n🎉 ", "bold plain"],
      ["bold plain", ""],
      ["value", ""],
    ]);
  });

  test("reads namespace prefixes, absolute paths, other folders and quotes", () => {
    const prefixed = `<?xml version='1.0'?><x:worksheet xmlns:x='${MAIN}'><x:sheetData><x:row r='1'><x:c r='A1' t='str'><x:v>key</x:v></x:c><x:c r='B1' t='inlineStr'><x:is><x:r><x:t>val</x:t></x:r><x:r><x:t>ue</x:t></x:r></x:is></x:c></x:row><!-- > --><x:row r='2'><x:c r='A2' t='str'><x:v><![CDATA[a<b]]></x:v></x:c><x:c r='B2'><x:v>1.50</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const bytes = zipped({
      "_rels/.rels": `<Relationships><Relationship Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/Book/Main.xml" Id="a"/></Relationships>`,
      "book/main.xml": `<x:workbook xmlns:x="${MAIN}" xmlns:rel="r"><x:sheets><x:sheet name="One" sheetId="1" rel:id="z"/></x:sheets></x:workbook>`,
      "book/_rels/main.xml.rels": `<Relationships><Relationship Id="y" Type="t/worksheet" TargetMode="External" Target="http://x/y"/><Relationship Id="z" Type="t/worksheet" Target="./../data/./s%201.xml"/></Relationships>`,
      "data/s%201.xml": prefixed,
    });
    expect(read(bytes)).toEqual([["a<b", "1.5"]]);
  });

  test("reads cells and rows without addresses, and gaps", () => {
    const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const xml = sheet(
      `<row/><row>${cell("key")}${cell("en")}${cell("nl")}</row><row>${cell("a")}<c/>${cell("x")}</row><row r="9">${inline("C9", "y")}${inline("A9", "b")}</row><row>${cell("c")}</row>`,
    );
    expect(
      xlsx.read(workbook([xml]), ENGLISH).entries.map(({ key, locale, text }) => [key, locale, text]),
    ).toEqual([
      ["a", "en", { value: "" }],
      ["a", "nl", { value: "x" }],
      ["b", "en", { value: "" }],
      ["b", "nl", { value: "y" }],
      ["c", "en", { value: "" }],
      ["c", "nl", { value: "" }],
    ]);
  });

  test("reads numbers and booleans, and dates, errors and formulas as read-only", () => {
    const styles = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="&quot;day&quot; 0.0"/><numFmt numFmtId="165" formatCode="[$-409]yyyy/mm;@"/><numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"><alignment/></xf><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`;
    const cells = [
      "<v>0.10000000000000001</v>|",
      '<v>7</v>| s="2"',
      '<v>1</v>| t="b"',
      '<v>45000</v>| s="1"',
      '<v>45000</v>| s="3"',
      '<v>0.5</v>| s="4"',
      '<v>2020-01-01</v>| t="d"',
      '<v>#N/A</v>| t="e"',
      '<f>A1&amp;"x"</f><v>shown</v>| t="str"',
      "<f>1+1</f><v>2</v>|",
      '<v>#VALUE!</v>| t="e" vm="1"',
      "<v>1E3</v>|",
      "<v></v>|",
      "<v>some</v>|",
    ].map((cell, index) => {
      const [content = "", attributes = ""] = cell.split("|");
      const number = index + 2;
      return `<row r="${number}">${inline(`A${number}`, `k${index}`)}<c r="B${number}"${attributes}>${content}</c></row>`;
    });
    const bytes = workbook([sheet(row(1, "key", "value") + cells.join(""))], { "xl/styles.xml": styles });
    expect(xlsx.read(bytes, ENGLISH).entries.map(({ text, readOnly }) => [text, readOnly])).toEqual([
      [{ value: "0.1" }, null],
      [{ value: "7" }, null],
      [{ value: "TRUE" }, null],
      ...Array.from({ length: 5 }, () => [{ value: "" }, "unsupported"]),
      [{ value: "shown" }, "expression"],
      [{ value: "2" }, "expression"],
      [{ value: "" }, "unsupported"],
      [{ value: "1000" }, null],
      [{ value: "" }, null],
      [{ value: "some" }, null],
    ]);
    expect(problems(bytes).map(([code, message]) => `${code} ${message?.slice(0, 9)}`)).toEqual(
      [5, 6, 7, 8, 9, 12].map((number) => `type Sheet1!B${number}${number > 9 ? "" : ":"}`.slice(0, 14)),
    );
  });

  test("reads a formula in the key column as read-only", () => {
    const formula = '<c r="A2" t="str"><f>HYPERLINK("http://x","a")</f><v>a</v></c>';
    const bytes = workbook([
      sheet(`${row(1, "key", "value")}<row r="2">${formula}${inline("B2", "x")}</row>`),
    ]);
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject([{ key: "a", readOnly: "expression" }]);
    expect(problems(bytes)).toEqual([["expression", "Sheet1!A2: a formula names the key"]]);
  });

  test("finds the first sheet with a known header", () => {
    const bytes = workbook([
      sheet(""),
      sheet(row(1, "About", "this")),
      sheet(row(3, "Key", "nl") + row(4, "a", "x")),
    ]);
    expect(read(bytes)).toEqual([["a", "x"]]);
    expect(headersOf(bytes)).toEqual([
      ["About", "this"],
      ["Key", "nl"],
    ]);
    const options: ReadOptions = {
      ...ENGLISH,
      columns: [
        { title: "About", holds: "key" },
        { title: "this", holds: "text", locale: null, category: null },
      ],
    };
    expect(read(bytes, options)).toEqual([]);
    expect(problems(workbook([sheet(row(1, "About", "this"))]))).toEqual([
      ["syntax", "the header row has no column `key`: About, this"],
    ]);
    expect(problems(workbook([sheet("")]))).toEqual([["syntax", "there is no header row"]]);
  });

  test("continues after rows without cells", () => {
    const rows = [
      row(1, "key", "value"),
      row(2, "a", "x"),
      '<row r="3"></row>',
      '<row r="4"/>',
      row(5, "b", "y"),
    ];
    expect(read(workbook([sheet(rows.join(""))]))).toEqual([
      ["a", "x"],
      ["b", "y"],
    ]);
  });

  test("reads escapes of characters that are invalid in XML", () => {
    const bytes = workbook([
      sheet(row(1, "key", "value") + row(2, "a_x0009_b", "x_x000D_\n_x005F_x000D_ _x00e9_ _x12_ _X000D_")),
    ]);
    expect(read(bytes)).toEqual([["a\tb", "x\r\n_x000D_ é _x12_ _X000D_"]]);
  });

  test("reads vertically merged cells for all rows, as read-only", async () => {
    const xml = sheet(
      row(1, "namespace", "key", "value") +
        row(2, "shop", "a", "x") +
        row(3, "", "b", "y") +
        row(4, "", "c", "z"),
      '<mergeCells count="2"><mergeCell ref="A2:A3"/><mergeCell ref="C3:C4"/></mergeCells>',
    );
    const bytes = workbook([xml]);
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject([
      { namespace: "shop", key: "a", text: { value: "x" }, readOnly: null },
      { namespace: "shop", key: "b", text: { value: "y" }, readOnly: null },
      { namespace: null, key: "c", text: { value: "y" }, readOnly: "unsupported" },
    ]);
    const { refused, bytes: after } = await edit(
      bytes,
      [{ key: "c" }, "new"],
      [{ key: "a", namespace: "shop" }, null],
      [{ key: "b", namespace: "shop" }, "changed"],
    );
    expect(refused.map(({ key, reason }) => [key, reason])).toEqual([
      ["c", "unsupported"],
      ["a", "unsupported"],
      // It would change what `c` shows too.
      ["b", "conflict"],
    ]);
    expect(after).toBe(bytes);
  });
});

describe("changing", () => {
  const strings = sharedStrings("<t>key</t>", "<t>value</t>", "<t>a</t>", "<r><t>rich</t></r>");
  const FILE = workbook(
    [
      sheet(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2" spans="1:3" ht="30"><c r="A2" t="s"><v>2</v></c><c r="B2" s="7" t="s"><v>3</v></c><c r="D2"><f>B2</f><v>1</v></c></row>',
        '<pageMargins left="1"/>',
        '<dimension ref="A1:D2"/><cols><col min="2" max="3" width="9" style="4"/></cols>',
      ),
    ],
    {
      "xl/sharedStrings.xml": strings,
      "xl/calcChain.xml": "<calcChain/>",
      "docProps/thumbnail.jpeg": "\u0000\u0001",
    },
  );

  test("rewrites the cell with its style and keeps everything else", async () => {
    const after = await edited(FILE, [{ key: "a" }, " 1 < 2\n_x000D_\r\u0001"]);
    expect(rowsIn(after)).toBe(
      rowsIn(FILE).replace(
        '<c r="B2" s="7" t="s"><v>3</v></c>',
        '<c r="B2" s="7" t="inlineStr"><is><t xml:space="preserve"> 1 &lt; 2\n_x005F_x000D__x000D__x0001_</t></is></c>',
      ),
    );
    expect(read(after)).toEqual([["a", " 1 < 2\n_x000D_\r\u0001"]]);
    expect(pathsOf(after)).toEqual(pathsOf(FILE));
    for (const path of pathsOf(FILE)) {
      if (path !== "xl/worksheets/sheet1.xml") expect(partOf(after, path)).toBe(partOf(FILE, path));
    }
    const sheetAt = Buffer.from(FILE).indexOf("xl/worksheets/sheet1.xml") - 30;
    expect(after.subarray(0, sheetAt)).toEqual(FILE.subarray(0, sheetAt));
  });

  test("does not modify its input, also as a slice of a larger buffer", async () => {
    const pool = Buffer.alloc(FILE.length + 16, 7);
    const inPool = pool.subarray(8, 8 + FILE.length);
    inPool.set(FILE);
    expect(await edited(inPool, [{ key: "a" }, "another"])).toEqual(
      await edited(FILE, [{ key: "a" }, "another"]),
    );
    expect(Buffer.compare(inPool, FILE)).toBe(0);
  });

  test("returns the same array without changes", async () => {
    expect((await edit(FILE)).bytes).toBe(FILE);
    expect((await edit(FILE, [{ key: "a" }, "rich"])).bytes).toBe(FILE);
    expect((await edit(FILE, [{ key: "b" }, null])).bytes).toBe(FILE);
  });

  test("is reproducible and reversible", async () => {
    const once = await edited(FILE, [{ key: "a" }, "x"]);
    expect(await edited(FILE, [{ key: "a" }, "x"])).toEqual(once);
    const back = await edited(await edited(once, [{ key: "a" }, "y, z"]), [{ key: "a" }, "x"]);
    expect(back).toEqual(once);
  });

  test("empties a cell and keeps its style", async () => {
    expect(rowsIn(await edited(FILE, [{ key: "a" }, ""]))).toContain('<c r="B2" s="7"/>');
  });

  test("adds a missing cell in the style of its column", async () => {
    const xml = sheet(
      '<row r="1" spans="1:2">' +
        inline("A1", "key") +
        inline("C1", "nl") +
        inline("B1", "en") +
        inline("E1", "de") +
        `</row><row r="2" spans="1:2">${inline("A2", "a")}${inline("D2", "other")}</row>`,
      "",
      '<dimension ref="A1:D2"/><cols><col min="2" max="2" style="4"/></cols>',
    );
    const after = await edited(
      workbook([xml]),
      [{ key: "a", locale: "nl" }, "n"],
      [{ key: "a", locale: "en" }, "e"],
      [{ key: "a", locale: "de" }, "d"],
    );
    expect(rowsIn(after)).toContain(
      `<row r="2">${inline("A2", "a")}<c r="B2" s="4" t="inlineStr"><is><t>e</t></is></c><c r="C2" t="inlineStr"><is><t>n</t></is></c>${inline("D2", "other")}<c r="E2" t="inlineStr"><is><t>d</t></is></c></row>`,
    );
    expect(partOf(after, "xl/worksheets/sheet1.xml")).toContain('<dimension ref="A1:E2"/>');
  });

  test("adds a row in the style of the one above", async () => {
    const after = await edited(FILE, [{ key: "b" }, "x"], [{ key: "c" }, "y"]);
    expect(rowsIn(after)).toBe(
      `${rowsIn(FILE)}<row r="3"><c r="A3" t="inlineStr"><is><t>b</t></is></c><c r="B3" s="7" t="inlineStr"><is><t>x</t></is></c></row><row r="4"><c r="A4" t="inlineStr"><is><t>c</t></is></c><c r="B4" s="7" t="inlineStr"><is><t>y</t></is></c></row>`,
    );
    expect(partOf(after, "xl/worksheets/sheet1.xml")).toContain('<dimension ref="A1:D4"/>');
  });

  test("fills empty rows after the last one", async () => {
    const xml = sheet(
      row(1, "key", "value") +
        row(2, "a", "x") +
        '<row r="3"><c r="A3" s="2"/><c r="B3" s="3"/></row><row r="4" s="1" customFormat="1"/><row r="6"/>',
    );
    const names = ["b", "c", "d", "e"].map((key) => [{ key }, key] as const);
    const after = await edited(workbook([xml]), ...names);
    expect(rowsIn(after)).toMatch(/<row r="3"><c r="A3" s="2" t=.*<row r="4".*<row r="5".*<row r="6"/);
    expect(read(after)).toEqual([["a", "x"], ...["b", "c", "d", "e"].map((key) => [key, key])]);
  });

  test("adds to a sheet with only a header", async () => {
    const after = await edited(workbook([sheet(row(1, "key", "notes", "value"))]), [
      { key: "b" },
      "x",
      "Hint",
    ]);
    expect(xlsx.read(after, ENGLISH).entries).toMatchObject([
      { key: "b", description: "Hint", text: { value: "x" } },
    ]);
  });

  test("uses the sheet's namespace prefix", async () => {
    const xml = `<x:worksheet xmlns:x="${MAIN}"><x:sheetData><x:row r="1"><x:c r="A1" t="str"><x:v>key</x:v></x:c><x:c r="B1" t="str"><x:v>value</x:v></x:c></x:row><x:row r="2"><x:c r="A2" t="str"><x:v>a</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const after = partOf(
      await edited(workbook([xml]), [{ key: "a" }, "x"], [{ key: "b" }, "y"]),
      "xl/worksheets/sheet1.xml",
    );
    expect(after).toContain('<x:c r="B2" t="inlineStr"><x:is><x:t>x</x:t></x:is></x:c></x:row><x:row r="3">');
    expect(after).not.toMatch(/<\/?(?:c|is|t|row)\b/);
  });

  test("refuses formulas, long texts and read-only files", async () => {
    const formulas = sheet(
      `${row(1, "key", "value")}<row r="2">${inline("A2", "a")}<c r="B2"><f>1</f><v>1</v></c></row>${row(3, "b", "x")}`,
    );
    const refusals = async (bytes: Uint8Array, ...wanted: Wanted) => {
      const result = await edit(bytes, ...wanted);
      expect(result.bytes).toBe(bytes);
      return result.refused.map(({ key, reason }) => [key, reason]);
    };
    const bytes = workbook([formulas]);
    expect(await refusals(bytes, [{ key: "a" }, "x"], [{ key: "a" }, null])).toEqual([["a", "expression"]]);
    expect(
      await refusals(bytes, [{ key: "b" }, "x".repeat(32_768)], [{ key: "k".repeat(32_768) }, ""]),
    ).toEqual([
      ["b", "unsupported"],
      ["k".repeat(32_768), "unsupported"],
    ]);
    const macros = workbook([sheet(row(1, "key", "value") + row(2, "a", "x"))], { "xl/vbaProject.bin": "x" });
    expect(await refusals(macros, [{ key: "a" }, "y"])).toEqual([["a", "unsupported"]]);
    expect(xlsx.read(macros, ENGLISH).entries).toMatchObject([{ key: "a", readOnly: "unsupported" }]);
    expect(problems(macros)).toEqual([["type", expect.stringContaining("macros")]]);
    const signed = workbook([sheet(row(1, "key", "value"))], { "_xmlsignatures/sig1.xml": "x" });
    expect(await refusals(signed, [{ key: "a" }, "y"])).toEqual([["a", "unsupported"]]);
  });
});
