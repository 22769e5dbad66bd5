/** Builds workbooks as different programs write them, and reads their parts. Independent of the product's code. */
import { strToU8, zipSync, type Zippable } from "fflate";

export const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const TYPES = "http://schemas.openxmlformats.org/package/2006/content-types";
const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';

export type Parts = Record<string, string>;

/** The parts of a workbook with these sheets (whole XML each), and more parts or others. */
export function parts(sheets: readonly string[], more: Parts = {}): Parts {
  const numbered = sheets.map((xml, index) => ({ xml, number: index + 1 }));
  return {
    "[Content_Types].xml": `${HEAD}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET}.sheet.main+xml"/>${numbered.map(({ number }) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${SHEET}.worksheet+xml"/>`).join("")}</Types>`,
    "_rels/.rels": `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbered.map(({ number }) => `<sheet name="Sheet${number}" sheetId="${number}" r:id="rId${number}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships xmlns="${RELATIONS}">${numbered.map(({ number }) => `<Relationship Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join("")}<Relationship Id="rId98" Type="${OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="rId99" Type="${OFFICE}/styles" Target="/xl/styles.xml"/></Relationships>`,
    ...Object.fromEntries(numbered.map(({ xml, number }) => [`xl/worksheets/sheet${number}.xml`, xml])),
    ...more,
  };
}

export function zipped(content: Parts, level: 0 | 6 = 6): Uint8Array {
  const files: Zippable = {};
  for (const [path, text] of Object.entries(content)) {
    files[path] = [strToU8(text), { mtime: new Date(2020, 1, 2), level }];
  }
  return zipSync(files);
}

/** A workbook of these sheets. */
export function workbook(sheets: readonly string[], more: Parts = {}): Uint8Array {
  return zipped(parts(sheets, more));
}

/** A sheet's XML around its rows; `after`: what follows them. */
export function sheet(rows: string, after = "", before = ""): string {
  return `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;
}

/** `text` at `reference` as an inline string. */
export function inline(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** A row of inline strings; empty ones are left out. */
export function row(number: number, ...texts: readonly string[]): string {
  const cells = texts.map((text, column) =>
    text === "" ? "" : inline(`${String.fromCharCode(65 + column)}${number}`, text),
  );
  return `<row r="${number}">${cells.join("")}</row>`;
}

export function sharedStrings(...items: readonly string[]): string {
  return `${HEAD}<sst xmlns="${MAIN}" count="${items.length}" uniqueCount="${items.length}">${items.map((item) => `<si>${item}</si>`).join("")}</sst>`;
}
