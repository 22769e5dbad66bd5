/** Reads workbooks of Excel, LibreOffice and Google Sheets. */
import { describe, expect, test } from "vitest";
import type { ReadOptions } from "../../../../src/formats/format.ts";
import { headersOf, xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import { ENGLISH } from "../editing.ts";
import { read } from "./read-workbook.ts";
import { inline, MAIN, parts, row, sharedStrings, sheet, workbook, zipped } from "./workbooks.ts";

const problems = (bytes: Uint8Array, options: ReadOptions = ENGLISH) =>
  xlsx.read(bytes, options).problems.map(({ code, message }) => [code, message]);

describe("reading", () => {
  test("reads shared strings with runs, without phonetics", () => {
    const strings = sharedStrings(
      "<t>key</t>",
      "<t>value</t>",
      '<t xml:space="preserve"> a &amp; b&#10;&#x1F389; </t>',
      '<rPh sb="0" eb="1"><t/></rPh><r><rPr><b/></rPr><t>bold</t></r><r><t> plain</t></r><rPh sb="0" eb="1"><t>ふり</t></rPh><phoneticPr fontId="1"/>',
      "<t/>",
    ).replace("<si><t/></si>", "<si/><si><t>end</t></si>");
    const cell = (at: string, index: number): string => `<c r="${at}" s="3" t="s"><v>${index}</v></c>`;
    const xml = sheet(
      `<row r="1" spans="1:2">${cell("A1", 0)}${cell("B1", 1)}</row><row r="3">${cell("A3", 2)}${cell("B3", 3)}</row><row r="4">${cell("A4", 3)}${cell("B4", 4)}</row><row r="5">${cell("A5", 1)}${cell("B5", 99)}</row><row r="6">${cell("A6", 0)}${cell("B6", 5)}</row><row r="7">${inline("A7", "last")}<extLst><ext>${cell("B7", 3)}</ext></extLst></row>`,
    );
    expect(read(workbook([xml], { "xl/sharedStrings.xml": strings }))).toEqual([
      [" a & b\n🎉 ", "bold plain"],
      ["bold plain", ""],
      ["value", ""],
      ["key", "end"],
      ["last", ""],
    ]);
  });

  test("reads namespace prefixes, absolute paths, other folders and quotes", () => {
    const prefixed = `<?xml version='1.0'?><x:worksheet xmlns:x='${MAIN}'><x:sheetData><x:row r='1'><x:c r='A1' t='str'><x:v>key</x:v></x:c><x:c r='B1' t='inlineStr'><x:is><x:r><x:t>val</x:t></x:r><x:r><x:t>ue</x:t></x:r></x:is></x:c></x:row><!-- > --><x:row r='2'><x:c r='A2' t='str'><x:v><![CDATA[a<b\r\nc]]></x:v></x:c><x:c r='B2'><x:v>1.50</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const bytes = zipped({
      "_rels/.rels": `<Relationships><Relationship Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/Book/Main.xml" Id="a"/></Relationships>`,
      "book/main.xml": `<x:workbook xmlns:x="${MAIN}" xmlns:rel="r"><x:sheets><x:sheet name="One" sheetId="1" rel:id="z"/></x:sheets></x:workbook>`,
      "book/_rels/main.xml.rels": `<Relationships><Relationship Id="y" Type="t/worksheet" TargetMode="External" Target="http://x/y"/><Relationship Id="z" Type="t/worksheet" Target="./../data/./s%201.xml"/></Relationships>`,
      "data/s%201.xml": prefixed,
    });
    expect(read(bytes)).toEqual([["a<b\nc", "1.5"]]);
  });

  test("reads cells and rows without addresses, and gaps", () => {
    const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const xml = sheet(
      `<row/><row>${cell("key")}${cell("en")}${cell("nl")}</row><row>${cell("a")}<c/>${cell("x")}</row><row r="9">${inline("C9", "y")}${inline("A9", "b")}</row><row>${cell("c")}</row><row r="11">${inline("B11", "w")}${cell("z")}${inline("A11", "d")}</row>`,
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
      ["d", "en", { value: "w" }],
      ["d", "nl", { value: "z" }],
    ]);
    const gap = workbook([sheet(row(1, "key", "", "nl") + row(2, "a", "", "x"))]);
    expect(headersOf(gap)).toEqual([["key", "", "nl"]]);
    expect(headersOf(workbook([sheet(row(1, "key") + row(2, "a", "x"))]))).toEqual([["key"]]);
    const swapped = `<row r="1">${inline("B1", "nl")}${inline("A1", "key")}</row>`;
    expect(headersOf(workbook([sheet(swapped)]))).toEqual([["key", "nl"]]);
    expect(read(gap)).toEqual([["a", "x"]]);
  });

  test("reads numbers and booleans, and dates, errors and formulas as read-only", () => {
    const styles = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="&quot;day&quot; 0.0"/><numFmt numFmtId="165" formatCode="[$-409]yyyy/mm;@"/><numFmt numFmtId="166" formatCode="[h]"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"><alignment/></xf><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="45"/></cellXfs></styleSheet>`;
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
      '<v></v>| s="1"',
      '<v>5</v>| vm="1"',
      '<v>0</v>| t="b"',
      '<v>0.5</v>| s="5"',
      '<v> 1.50 </v>| t="str"',
      '<f>1/0</f><v>#DIV/0!</v>| t="e"',
      '<v>a_x0041_</v>| t="str" s="1"',
      '<v> 1 </v>| t="b"',
      "<v> </v>|",
      '<f t="shared" si="0"/><v>2</v>|',
      '<v>a&amp;b<!-- c -->&lt;</v>| t="str"',
      '<v>shown</v>| t="inlineStr"',
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
      [{ value: "" }, null],
      [{ value: "" }, "unsupported"],
      [{ value: "FALSE" }, null],
      [{ value: "" }, "unsupported"],
      [{ value: " 1.50 " }, null],
      [{ value: "" }, "expression"],
      [{ value: "aA" }, null],
      [{ value: "TRUE" }, null],
      [{ value: "" }, null],
      [{ value: "2" }, "expression"],
      [{ value: "a&b<" }, null],
      [{ value: "shown" }, null],
    ]);
    expect(problems(bytes).map(([code, message]) => `${code} ${message?.slice(0, 9)}`)).toEqual(
      [5, 6, 7, 8, 9, 12, 17, 19].map((number) =>
        `type Sheet1!B${number}${number > 9 ? "" : ":"}`.slice(0, 14),
      ),
    );
  });

  test("reads the last row that a sheet can have", () => {
    const cells = `<row r="1048576">${inline("A1048576", "a")}<c r="B1048576" vm="1"><v>1</v></c></row>`;
    expect(problems(workbook([sheet(row(1, "key", "value") + cells)]))[0]?.[1]).toMatch(/^Sheet1!B1048576:/u);
  });

  test.each(["1.5", "-2", "0", "1048577", "9e99", "x"])("counts a row whose number is %s", (number) => {
    const cells = `<row r="${number}">${inline("A2", "a")}<c r="B2" vm="1"><v>1</v></c></row>`;
    expect(problems(workbook([sheet(row(1, "key", "value") + cells)]))[0]?.[1]).toMatch(/^Sheet1!B2:/u);
  });

  test("knows the formats of dates and times by their codes", () => {
    const isDate = (code: string): boolean => {
      const styles = `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`;
      const cells = `<row r="2">${inline("A2", "a")}<c r="B2"><v>45000</v></c></row>`;
      const bytes = workbook([sheet(row(1, "key", "value") + cells)], { "xl/styles.xml": styles });
      return xlsx.read(bytes, ENGLISH).entries[0]?.readOnly === "unsupported";
    };
    const dates = ["YYYY", "d/m", "[h]", "[mm]:ss", "ss", "0000000000yy", "[$-409]h", "\\dy"];
    expect(dates.filter(isDate)).toEqual(dates);
    const numbers = ["#,##0.00", "0\\d", "0_d", "*s0", "[Red]0", "[$-409]0", "&quot;days&quot; 0", "0 \\h"];
    expect(numbers.filter(isDate)).toEqual([]);
  });

  test("knows the formats of dates and times by their numbers", () => {
    const isDate = (id: number): boolean => {
      const styles = `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>`;
      const cells = `<row r="2">${inline("A2", "a")}<c r="B2"><v>45000</v></c></row>`;
      const bytes = workbook([sheet(row(1, "key", "value") + cells)], { "xl/styles.xml": styles });
      return xlsx.read(bytes, ENGLISH).entries[0]?.readOnly === "unsupported";
    };
    expect(Array.from({ length: 62 }, (_, id) => id).filter(isDate)).toEqual([
      ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47],
      ...[50, 51, 52, 53, 54, 55, 56, 57, 58],
    ]);
  });

  test("reads the text of a cell with content of an extension, and no sheet of macros", () => {
    const cell = '<c r="B2" t="str"><v>x</v><extLst><ext uri="u"/></extLst></c>';
    const first = sheet(`${row(1, "key", "value")}<row r="2">${inline("A2", "a")}${cell}</row>`);
    expect(read(workbook([first]))).toEqual([["a", "x"]]);
    const both = parts([first, sheet(row(1, "key", "value") + row(2, "b", "y"))]);
    const name = "xl/_rels/workbook.xml.rels";
    const macros = (both[name] ?? "").replace("/worksheet", "/xlMacrosheet");
    expect(read(zipped({ ...both, [name]: macros }))).toEqual([["b", "y"]]);
  });

  test("reads a number without a style in the first one", () => {
    const styles = `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="14"/><xf numFmtId="0"/></cellXfs></styleSheet>`;
    const cells = `<row r="2">${inline("A2", "a")}<c r="B2"><v>45000</v></c></row><row r="3">${inline("A3", "b")}<c r="B3" s="1"><v>7</v></c></row>`;
    const bytes = workbook([sheet(row(1, "key", "value") + cells)], { "xl/styles.xml": styles });
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject([
      { key: "a", text: { value: "" }, readOnly: "unsupported" },
      { key: "b", text: { value: "7" }, readOnly: null },
    ]);
  });

  test("reads a column of numbers as texts where a mapping says so", () => {
    const columns = [
      { title: "key", holds: "key" },
      { title: "id", holds: "text", locale: "id", category: null },
    ] as const;
    const bytes = workbook([sheet(row(1, "key", "id") + row(2, "a", "1") + row(3, "b", "2"))]);
    expect(read(bytes, { ...ENGLISH, columns })).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });

  test("finds parts by names with backslashes, and the workbook without a relation", () => {
    const { "_rels/.rels": _, ...others } = parts([sheet(row(1, "key", "value") + row(2, "a", "x"))]);
    expect(read(zipped(others))).toEqual([["a", "x"]]);
    const renamed = (name: (path: string) => string) =>
      Object.fromEntries(Object.entries(others).map(([path, xml]) => [name(path), xml]));
    expect(read(zipped(renamed((path) => path.replaceAll("/", "\\"))))).toEqual([["a", "x"]]);
    expect(read(zipped(renamed((path) => `/${path}`)))).toEqual([["a", "x"]]);
    const relations = "xl/_rels/workbook.xml.rels";
    const target = others[relations]?.replace("worksheets/sheet1", "worksheets\\sheet1") ?? "";
    expect(read(zipped({ ...others, [relations]: target }))).toEqual([["a", "x"]]);
  });

  test("reports a part that ends within a tag", () => {
    const { "xl/workbook.xml": book = "", ...others } = parts([sheet(row(1, "key", "value"))]);
    const cut = zipped({ ...others, "xl/workbook.xml": book.slice(0, book.indexOf(" sheetId")) });
    expect(problems(cut)).toEqual([["syntax", "xl/workbook.xml is not the XML of a workbook"]]);
  });

  test("reads a formula in the key column as read-only", () => {
    const formula = '<c r="A2" t="str"><f>HYPERLINK("http://x","a")</f><v>a</v></c>';
    const bytes = workbook([
      sheet(`${row(1, "key", "value")}<row r="2">${formula}${inline("B2", "x")}</row>`),
    ]);
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject([{ key: "a", readOnly: "expression" }]);
    expect(problems(bytes)).toEqual([["expression", "Sheet1!A2: a formula names the key"]]);
    const inContext = workbook([
      sheet(
        `${row(1, "context", "key", "value")}<row r="2">${formula}${inline("B2", "b")}${inline("C2", "x")}</row>`,
      ),
    ]);
    expect(xlsx.read(inContext, ENGLISH).entries).toMatchObject([
      { key: "b", context: "a", readOnly: "expression" },
    ]);
  });

  test("reads no key whose namespace is no text", () => {
    const unknown = (number: number): string => `<c r="A${number}" t="e"><v>#N/A</v></c>`;
    const rows = [2, 3].map((number) => {
      return `<row r="${number}">${number === 2 ? unknown(2) : inline("A3", "shop")}${inline(`B${number}`, "a")}${inline(`C${number}`, "x")}</row>`;
    });
    const bytes = workbook([sheet(row(1, "namespace", "key", "value") + rows.join(""))]);
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject([{ namespace: "shop", key: "a" }]);
    expect(problems(bytes)).toEqual([["type", "Sheet1!A2: no text names the key"]]);
  });

  test("says of forms why the first that is read-only is", () => {
    const cells = `<row r="2">${inline("A2", "a")}<c r="B2" t="str"><f>1+1</f><v>2</v></c><c r="C2" t="e"><v>#N/A</v></c></row>`;
    const bytes = workbook([sheet(row(1, "key", "one", "other") + cells)]);
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject([{ key: "a", readOnly: "expression" }]);
  });

  test("reads a workbook with many parts and a long sheet, in which cells of many rows are merged", () => {
    const rows = Array.from({ length: 4_000 }, (_, index) =>
      row(index + 2, index === 0 ? "shop" : "", `key.${index * 7_919}`),
    );
    const merged = '<mergeCells count="1"><mergeCell ref="A2:A4001"/></mergeCells>';
    const more = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`xl/media/${index}.xml`, "<a/>"]),
    );
    const bytes = workbook([sheet(row(1, "namespace", "key", "value") + rows.join(""), merged)], more);
    const { entries, problems: found } = xlsx.read(bytes, ENGLISH);
    expect([entries.length, found]).toEqual([4_000, []]);
    expect(entries.at(-1)).toMatchObject({ namespace: "shop", key: `key.${3_999 * 7_919}` });
  });

  test("reads forms as read-only if one of them is a formula", () => {
    const formula = '<c r="C2" t="str"><f>1+1</f><v>2</v></c>';
    const cells = `<row r="2">${inline("A2", "a")}${inline("B2", "x")}${formula}</row>`;
    const bytes = workbook([sheet(row(1, "key", "one", "other") + cells)]);
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject([
      { key: "a", text: { forms: { one: "x", other: "2" } }, readOnly: "expression" },
    ]);
  });

  test("skips a sheet whose only column of texts has the numbers of its rows", () => {
    const numbered = sheet(row(1, "key", "id") + row(2, "a", "1") + row(3, "b", "2"));
    const bytes = workbook([numbered, sheet(row(1, "key", "value") + row(2, "a", "x"))]);
    expect(xlsx.read(bytes, ENGLISH).entries).toMatchObject([{ key: "a", text: { value: "x" } }]);
    expect(problems(bytes)).toEqual([]);
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
    const unknown = [sheet(row(1, "About", "this")), sheet(row(1, "key", "What"))];
    expect(problems(workbook(unknown))).toEqual([
      ["syntax", "the header row has no column `key`: About, this"],
    ]);
    const blank = '<row r="1"><c r="A1" s="1"/><c r="B1"/></row>';
    expect(headersOf(workbook([sheet(blank + row(2, "key", "value"))]))).toEqual([["key", "value"]]);
    expect(problems(workbook([sheet("")]))).toEqual([["syntax", "there is no header row"]]);
    const numbered = sheet(row(1, "key", "id") + row(2, "a", "1"));
    expect(problems(workbook([numbered, sheet("")]))).toEqual([
      ["syntax", "the header row has no column `value`"],
    ]);
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

  test("reads vertically merged cells for all rows, as read-only", () => {
    const xml = sheet(
      row(1, "namespace", "key", "value") +
        row(12, "shop", "a", "x") +
        row(13, "", "b", "y") +
        row(14, "", "c", "z"),
      '<mergeCells count="2"><mergeCell ref="A12:A13"/><mergeCell ref="C13:C14"/></mergeCells>',
    );
    expect(xlsx.read(workbook([xml]), ENGLISH).entries).toMatchObject([
      { namespace: "shop", key: "a", text: { value: "x" }, readOnly: null },
      { namespace: "shop", key: "b", text: { value: "y" }, readOnly: null },
      { namespace: null, key: "c", text: { value: "y" }, readOnly: "unsupported" },
    ]);
    // Of so many rows nobody knows which cells are merged.
    const all = sheet(
      row(1, "key", "value") + row(2, "a", "x"),
      '<mergeCells><mergeCell ref="D1:D1048576"/></mergeCells>',
    );
    expect(xlsx.read(workbook([all]), ENGLISH).entries).toMatchObject([
      { key: "a", text: { value: "x" }, readOnly: "unsupported" },
    ]);
    // What a cell had before it was merged into the one beside it is not shown.
    const wide = sheet(
      row(1, "key", "en", "nl") + row(2, "a", "x", "old"),
      '<mergeCells count="1"><mergeCell ref="B2:C2"/></mergeCells>',
    );
    expect(xlsx.read(workbook([wide]), ENGLISH).entries).toMatchObject([
      { locale: "en", text: { value: "x" }, readOnly: null },
      { locale: "nl", text: { value: "" }, readOnly: "unsupported" },
    ]);
  });
});
