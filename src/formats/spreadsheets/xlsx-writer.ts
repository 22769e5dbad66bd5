/** Prints workbooks with one sheet. The same table always gives the same bytes. */
import { strToU8, zipSync } from "fflate";
import type { Table } from "./sheet-edit.ts";
import { lettersOf } from "./xlsx-reader.ts";
import { escapeCell } from "./xlsx-xml.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const CONTENT_TYPES = `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`;

const ROOT_RELATIONS = `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const WORKBOOK = `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Translations" sheetId="1" r:id="rId1"/></sheets></workbook>`;

const WORKBOOK_RELATIONS = `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;

/**
 * Style 1: bold, for the header. Style 2: wrapped and formatted as text, so that nothing typed becomes a number or a
 * date.
 */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Prints a new workbook. */
export function printXlsx(table: Table): Uint8Array {
  return zipSync(
    {
      "[Content_Types].xml": strToU8(CONTENT_TYPES),
      "_rels/.rels": strToU8(ROOT_RELATIONS),
      "xl/workbook.xml": strToU8(WORKBOOK),
      "xl/_rels/workbook.xml.rels": strToU8(WORKBOOK_RELATIONS),
      "xl/styles.xml": strToU8(STYLES),
      "xl/worksheets/sheet1.xml": strToU8(sheetXml(table)),
    },
    // Zip files contain local times: a local date gives the same bytes in every time zone.
    { mtime: new Date(1980, 0, 1), level: 6, os: 3, attrs: 0o100644 << 16 },
  );
}

function sheetXml(table: Table): string {
  const width = table[0]?.length ?? 1;
  const rows = table.map((cells, index) => {
    const number = index + 1;
    const style = index === 0 ? "1" : "2";
    const texts = cells.map((text, column) => newCell("", column, number, style, text));
    return `<row r="${number}">${texts.join("")}</row>`;
  });
  return `${HEAD}<worksheet xmlns="${MAIN}"><dimension ref="A1:${lettersOf(width - 1)}${table.length}"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${width}" width="36" style="2" customWidth="1"/></cols><sheetData>${rows.join("")}</sheetData></worksheet>`;
}

/** Returns the rest of a cell, from the end of its start tag. */
function content(prefix: string, text: string): string {
  if (text === "") return "/>";
  const space = text.trim() === text ? "" : ' xml:space="preserve"';
  return ` t="inlineStr"><${prefix}is><${prefix}t${space}>${escapeCell(text)}</${prefix}t></${prefix}is></${prefix}c>`;
}

function newCell(prefix: string, column: number, row: number, style: string | null, text: string): string {
  const styled = style === null ? "" : ` s="${escapeCell(style)}"`;
  return `<${prefix}c r="${lettersOf(column)}${row}"${styled}${content(prefix, text)}`;
}
