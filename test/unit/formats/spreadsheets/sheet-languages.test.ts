/** A language without a column gets one; tables grow with new rows and columns. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, ReadOptions } from "../../../../src/formats/format.ts";
import { csv } from "../../../../src/formats/spreadsheets/csv-format.ts";
import { xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { requireTool, PYTHON, runText } from "../../support/reference-tools.ts";
import { ENGLISH } from "../editing.ts";
import { inline, partOf, parts, row, sheet, workbook, zipped } from "./workbooks.ts";

const OPTIONS: ReadOptions = { ...ENGLISH, locales: ["en", "nl", "fr", "pt-BR"] };
const FORMS: Text = { forms: { one: "un", other: "des" } };

function change(key: string, locale: string, text: string | Text | null): Change {
  return {
    key,
    context: null,
    namespace: null,
    locale,
    text: typeof text === "string" ? { value: text } : text,
  };
}

describe("CSV", () => {
  const edited = (text: string, ...changes: readonly Change[]): string => {
    const applied = applyEdit(csv, text, changes, OPTIONS);
    expect(applied.refused).toEqual([]);
    return applied.text;
  };

  test("adds the column after the others, with a cell in each row", () => {
    const text = "key;en;nl\r\na;Save;Bewaren\r\n\r\nb;Open;Openen\r\n";
    expect(edited(text, change("a", "fr", "Garder"))).toBe(
      "key;en;nl;fr\r\na;Save;Bewaren;Garder\r\n\r\nb;Open;Openen;\r\n",
    );
  });

  test("adds several languages and rows at once, and keeps short rows", () => {
    const text = `"key","en","nl"\na,Save,Bewaren\nb,Open\n`;
    const changes = [
      change("c", "fr", "Fermer"),
      change("c", "en", "Close"),
      change("a", "pt-BR", "Guardar"),
      change("a", "nl", "Opslaan"),
    ];
    expect(edited(text, ...changes)).toBe(
      `"key","en","nl","fr","pt-BR"\na,Save,Opslaan,,Guardar\nb,Open\nc,Close,,"Fermer",\n`,
    );
  });

  test("adds no column next to mapped ones", () => {
    const columns = [
      { title: "key", holds: "key" },
      { title: "en", holds: "text", locale: "en", category: null },
    ] as const;
    const text = "key;en\r\na;Save\r\n";
    expect(applyEdit(csv, text, [change("a", "fr", "Garder")], { ...OPTIONS, columns })).toMatchObject({
      text,
      refused: [{ key: "a" }],
    });
  });

  test("adds plural columns like those of other languages", () => {
    for (const [nl, fr] of [
      ["nl one,nl other", "fr,fr one,fr other"],
      ["nl_one,nl_other", "fr,fr_one,fr_other"],
      ["nl [one],nl [other]", "fr,fr [one],fr [other]"],
    ]) {
      const text = `key,nl,${nl}\na,,x,y\n`;
      expect(edited(text, change("a", "fr", FORMS))).toBe(`key,nl,${nl},${fr}\na,,x,y,,un,des\n`);
    }
  });

  test("adds no column for an unknown language, under untitled cells, or without text", () => {
    const refused = (text: string, ...changes: readonly Change[]): readonly string[] => {
      const applied = applyEdit(csv, text, changes, OPTIONS);
      expect(applied.text).toBe(text);
      return applied.refused.map(({ reason }) => reason);
    };
    expect(refused("key,en\na,Save\n", change("a", "xx", "?"))).toEqual(["not_found"]);
    expect(refused("key,en\na,Save,a remark\n", change("a", "fr", "?"))).toEqual(["not_found"]);
    expect(refused("key,value\na,Save\n", change("a", "fr", "?"))).toEqual(["not_found"]);
    expect(refused("key,en\na,Save\n", change("a", "fr", null))).toEqual(["not_found"]);
  });
});

describe("XLSX", () => {
  const TABLE_RELATION = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/></Relationships>`;
  const table = (ref: string, titles: readonly string[], more = ""): string =>
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Texts" displayName="Texts" ref="${ref}"${more}><autoFilter ref="${ref}"/><tableColumns count="${titles.length}">${titles.map((title, index) => `<tableColumn id="${index + 1}" name="${title}"/>`).join("")}</tableColumns></table>`;
  const book = (definition: string, rows: string): Uint8Array => {
    const content = parts([sheet(rows, '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>')], {
      "xl/worksheets/_rels/sheet1.xml.rels": TABLE_RELATION,
      "xl/tables/table1.xml": definition,
    });
    const override =
      '<Override PartName="/xl/tables/table1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"/></Types>';
    const types = content["[Content_Types].xml"]?.replace("</Types>", override) ?? "";
    return zipped({ ...content, "[Content_Types].xml": types });
  };
  const TITLES = ["key", "en", "nl"];
  const ROWS = row(1, ...TITLES) + row(2, "a", "Save", "Bewaren");
  const edited = (bytes: Uint8Array, ...changes: readonly Change[]): Uint8Array => {
    const done = checkedBinaryEdit(xlsx, bytes, changes, OPTIONS);
    expect(done.refused).toEqual([]);
    return done.bytes;
  };
  const cellTexts = (bytes: Uint8Array): string[] =>
    xlsx
      .read(bytes, OPTIONS)
      .entries.map(({ key, locale, text }) => `${key} ${locale} ${"value" in text ? text.value : "?"}`);

  test("adds a column and extends the table", () => {
    const bytes = edited(book(table("A1:C2", TITLES), ROWS), change("a", "fr", "Garder"));
    expect(cellTexts(bytes)).toEqual(["a en Save", "a nl Bewaren", "a fr Garder"]);
    expect(partOf(bytes, "xl/tables/table1.xml")).toBe(table("A1:D2", [...TITLES, "fr"]));
  });

  test("adds the column after untitled cells", () => {
    const rows = row(1, ...TITLES) + row(2, "a", "Save", "Bewaren", "a remark");
    const bytes = edited(book(table("A1:C2", TITLES), rows), change("a", "fr", "Garder"));
    expect(cellTexts(bytes)).toEqual(["a en Save", "a nl Bewaren", "a fr Garder"]);
    expect(partOf(bytes, "xl/worksheets/sheet1.xml")).toContain('r="E1"');
    expect(partOf(bytes, "xl/tables/table1.xml")).toBe(table("A1:C2", TITLES));
  });

  test("writes the title into the header row at any position", () => {
    const rows = row(3, ...TITLES) + row(4, "a", "Save", "Bewaren");
    const bytes = edited(workbook([sheet(rows)]), change("a", "fr", "Garder"));
    expect(cellTexts(bytes)).toEqual(["a en Save", "a nl Bewaren", "a fr Garder"]);
    expect(/<row r="3">.*?<\/row>/.exec(partOf(bytes, "xl/worksheets/sheet1.xml"))?.[0]).toContain("fr");
  });

  test.each([
    ["XFC", true],
    ["XFD", false],
  ])("adds a column after %s: %s", (last, hasRoom) => {
    const rows =
      row(1, ...TITLES) + row(2, "a", "Save").replace("</row>", `${inline(`${last}2`, "x")}</row>`);
    const done = checkedBinaryEdit(xlsx, workbook([sheet(rows)]), [change("a", "fr", "Garder")], OPTIONS);
    expect(done.refused).toHaveLength(hasRoom ? 0 : 1);
  });

  test("extends a table by rows below", () => {
    const before = book(table("A1:C2", TITLES), ROWS);
    const bytes = edited(before, change("b", "en", "Open"), change("c", "nl", "Sluiten"));
    expect(partOf(bytes, "xl/tables/table1.xml")).toBe(table("A1:C4", TITLES));
    expect(partOf(edited(before, change("a", "en", "Keep")), "xl/tables/table1.xml")).toBe(
      table("A1:C2", TITLES),
    );
  });

  test.each([
    ["that ends further up", table("A1:C2", TITLES), ROWS + row(4, "x", "Below", "Onder")],
    ["with a row of totals", table("A1:C2", TITLES, ' totalsRowCount="1"'), ROWS],
    ["that has room for them", table("A1:C9", TITLES), ROWS],
  ])("does not extend a table %s", (_, definition, rows) => {
    const bytes = edited(book(definition, rows), change("b", "en", "Open"));
    expect(partOf(bytes, "xl/tables/table1.xml")).toBe(definition);
  });

  test("is readable by openpyxl", (context) => {
    requireTool(context, "openpyxl");
    const changes = [change("b", "fr", "Ouvrir"), change("a", "fr", "Garder")];
    const bytes = edited(book(table("A1:C2", TITLES), ROWS), ...changes);
    const script = `
import io, sys
from openpyxl import load_workbook
sheet = load_workbook(io.BytesIO(sys.stdin.buffer.read())).active
table = sheet.tables["Texts"]
print(table.ref, table.autoFilter.ref, [column.name for column in table.tableColumns], [cell.value for cell in sheet[3]])
`;
    expect(runText(PYTHON, ["-c", script], bytes).trim()).toBe(
      "A1:D3 A1:D3 ['key', 'en', 'nl', 'fr'] ['b', None, None, 'Ouvrir']",
    );
  });
});

describe("columns of row numbers", () => {
  const languages = (text: string): string[] => [
    ...new Set(
      csv.read(text, { locale: "en", sourceLocale: "en" }).entries.map(({ locale }) => locale ?? ""),
    ),
  ];

  test("are no languages, whatever their title is the code of", () => {
    const text = readFileSync(join(import.meta.dirname, "../../../fixtures/id-column.csv"), "utf8");
    expect(languages(text)).toEqual(["nl", "de"]);
    expect(languages("no,key,en\n1,a,x\n1,b,y\n")).toEqual(["en"]);
    expect(languages("se,key,en\n1,a,x\n2,b,y\n")).toEqual(["en"]);
  });

  test("are not those with texts, or with a text that is a number", () => {
    expect(languages("key,en,id\na,x,1\nb,y,dua\n")).toEqual(["en", "id"]);
    expect(languages("key,en,id\na,x,\nb,y,\n")).toEqual(["en", "id"]);
    expect(languages("key,en,nl\na,9,9\nb,8,8\n")).toEqual(["en", "nl"]);
    expect(languages("key,en,nl\na,x,42\n")).toEqual(["en", "nl"]);
  });

  test("are refused if there is no other", () => {
    expect(csv.read("id,key\n1,a\n2,b\n", { locale: "en", sourceLocale: "en" })).toMatchObject({
      entries: [],
      problems: [{ code: "syntax" }],
    });
  });

  test("stay as they are when a row is added", () => {
    const change = { key: "c", context: null, locale: "nl", text: { value: "x" } };
    const options = { locale: "en", sourceLocale: "en" };
    expect(applyEdit(csv, "id,key,nl\n1,a,x\n2,b,y\n", [change], options).text).toBe(
      "id,key,nl\n1,a,x\n2,b,y\n,c,x\n",
    );
  });
});
