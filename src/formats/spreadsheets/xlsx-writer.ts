/**
 * Writes workbooks. In an existing sheet, changed cells become inline strings and keep their style, new rows are
 * added after the last one that is not empty, removed rows are closed up if nothing refers to rows by number, and
 * everything else keeps its bytes. New workbooks have one sheet, and the same table always gives the same bytes.
 */
import { strToU8, zipSync } from "fflate";
import { applySplices, sortSplices } from "../editing/apply-verified-edit.ts";
import type { Splice } from "../format.ts";
import type { SheetPlan, Table } from "./sheet-edit.ts";
import {
  type CellElement,
  cellsOf,
  lettersOf,
  printRange,
  type Range,
  rangeOf,
  type RowElement,
  type SheetGrid,
} from "./xlsx-reader.ts";
import { escapeCell, tagAt, XmlTags } from "./xlsx-xml.ts";

/** New rows and columns of the sheet that contains the table: 1-based rows, 0-based columns. */
export interface TableGrowth {
  readonly rows: { readonly first: number; readonly last: number } | null;
  readonly columns: { readonly first: number; readonly titles: readonly string[] } | null;
}

/** Returns the table's XML, extended by the new rows directly below it and the new columns directly to its right. */
export function growTable(xml: string, { rows, columns }: TableGrowth): string {
  const tags = new XmlTags(xml);
  while (tags.nextTag() && !tags.isOpen("table"));
  const range = referenceOf(tags);
  if (range === null) return xml;
  const hasTotals = Number(tags.attribute("totalsRowCount")) > 0;
  const isBelow = rows !== null && rows.first === range.bottom + 1 && !hasTotals;
  const isBeside = columns !== null && columns.first === range.right + 1;
  const bottom = isBelow ? rows.last : range.bottom;
  const right = isBeside ? range.right + columns.titles.length : range.right;
  if (bottom === range.bottom && right === range.right) return xml;
  const grown = { ...range, bottom, right };
  const splices: Splice[] = [...setValue(tags, "ref", printRange(grown))];
  while (tags.nextTag()) {
    if (tags.isOpen("autoFilter")) {
      const filtered = referenceOf(tags);
      if (filtered?.bottom !== range.bottom || filtered.right !== range.right) continue;
      splices.push(...setValue(tags, "ref", printRange(grown)));
    } else if (tags.isOpen("tableColumns") && isBeside) addColumns(tags, columns.titles, splices);
  }
  return applySplices(xml, sortSplices(splices));
}

/** Returns the range in the tag's `ref`; `null` if there is none. */
function referenceOf(tags: XmlTags): Range | null {
  return rangeOf(tags.attribute("ref") ?? "");
}

/** Returns the splice that replaces an attribute's value; none if the tag does not have the attribute. */
function setValue(tags: XmlTags, name: string, text: string): readonly Splice[] {
  const span = tags.valueSpan(name);
  return span === null ? [] : [{ ...span, text }];
}

function addColumns(tags: XmlTags, titles: readonly string[], splices: Splice[]): void {
  const prefix = tags.prefix;
  const before = Number(tags.attribute("count"));
  splices.push(...setValue(tags, "count", String(before + titles.length)));
  let most = 0;
  while (tags.nextTag() && !tags.isClose) {
    most = Math.max(most, Number(tags.attribute("id")));
    tags.skip();
  }
  const columns = titles.map(
    (title, index) => `<${prefix}tableColumn id="${most + 1 + index}" name="${escapeCell(title)}"/>`,
  );
  splices.push({ start: tags.start, end: tags.start, text: columns.join("") });
}

/** Elements of a sheet that do not refer to rows. */
const ROWLESS: ReadonlySet<string> = new Set([
  "sheetPr",
  "dimension",
  "sheetViews",
  "sheetFormatPr",
  "cols",
  "sheetData",
  "sheetCalcPr",
  "sheetProtection",
  "phoneticPr",
  "printOptions",
  "pageMargins",
  "pageSetup",
  "headerFooter",
]);

/** Whether rows of the sheet can be renumbered without breaking references in it. */
function isPlainSheet(grid: SheetGrid): boolean {
  if (grid.hasFormulas || grid.isBroken) return false;
  const tags = new XmlTags(grid.xml);
  if (!tags.nextTag() || tags.isEmpty) return false;
  while (tags.nextTag() && !tags.isClose) {
    if (!ROWLESS.has(tags.localName)) return false;
    tags.skip();
  }
  return true;
}

/** Returns the sheet without these rows; those below move up. */
function withoutRows(xml: string, removed: ReadonlySet<number>): string {
  const gone = [...removed].sort((a, b) => a - b);
  const splices: Splice[] = [];
  let passed = 0;
  let number = 0;
  const tags = new XmlTags(xml);
  while (tags.nextTag()) {
    if (tags.isOpen("dimension")) splices.push(...shorten(tags, gone.length));
    else if (tags.isOpen("row")) {
      const { start } = tags;
      const statedNumber = Number(tags.attribute("r"));
      number = statedNumber > 0 ? statedNumber : number + 1;
      while ((gone[passed] ?? Infinity) < number) passed++;
      if (removed.has(number)) {
        tags.skip();
        splices.push({ start, end: tags.end, text: "" });
      } else if (passed > 0) splices.push(...renumber(tags, passed));
    } else if (tags.isOpen("c") && passed > 0) splices.push(...renumber(tags, passed));
    else if (tags.isClose && tags.is("sheetData")) break;
  }
  return applySplices(xml, splices);
}

function shorten(tags: XmlTags, rows: number): readonly Splice[] {
  const range = referenceOf(tags);
  if (range === null || range.bottom - rows < range.top) return [];
  return setValue(tags, "ref", printRange({ ...range, bottom: range.bottom - rows }));
}

/** Decreases the row number at the end of `r`. */
function renumber(tags: XmlTags, by: number): readonly Splice[] {
  const match = /^([A-Za-z]*)(\d+)$/.exec(tags.attribute("r") ?? "");
  return match === null ? [] : setValue(tags, "r", `${match[1] ?? ""}${Number(match[2]) - by}`);
}

/** A sheet's XML after editing. */
interface EditedSheet {
  readonly xml: string;
  /** Numbers of the new rows. */
  readonly rows: TableGrowth["rows"];
}

/** Returns the sheet's XML with titles added to its header row, starting at that column. */
export function withTitles(grid: SheetGrid, first: number, titles: readonly string[]): string {
  const editor = new SheetEditor(grid);
  editor.change(grid.header, new Map(titles.map((title, index) => [first + index, title])));
  return editor.finish();
}

/**
 * Applies the plan. `isAlone`: nothing outside of the sheet refers to its rows, so that removed rows can be closed
 * up; otherwise they are emptied.
 */
export function editSheet(grid: SheetGrid, plan: SheetPlan, isAlone: boolean): EditedSheet {
  const editor = new SheetEditor(grid);
  for (const [row, cells] of plan.cells) editor.change(grid.element(row), cells);
  const isShifting = isAlone && plan.removed.size > 0 && isPlainSheet(grid);
  if (!isShifting) for (const row of plan.removed) editor.empty(grid.element(row));
  for (const { cells } of plan.added) editor.add(cells);
  const edited = editor.finish();
  const numbers = new Set([...plan.removed].map((row) => grid.element(row).number));
  return { xml: isShifting ? withoutRows(edited, numbers) : edited, rows: editor.addedRows };
}

class SheetEditor {
  readonly #grid: SheetGrid;
  readonly #xml: string;
  readonly #splices: Splice[] = [];
  /** The last row that is not empty, which new rows look like. */
  readonly #templateRow: RowElement | undefined;
  /** New rows, which are inserted after the last one. */
  #appended = "";
  readonly #firstNewRow: number;
  #nextNewRow: number;
  #right = -1;
  #bottom = 0;
  #columnStyles: readonly (readonly [first: number, last: number, style: string])[] | null = null;

  constructor(grid: SheetGrid) {
    this.#grid = grid;
    this.#xml = grid.xml;
    this.#templateRow = grid.rows.findLast(({ number }) => number <= grid.lastFilledRow);
    this.#firstNewRow = Math.max(grid.lastFilledRow, grid.lastMergedRow) + 1;
    this.#nextNewRow = this.#firstNewRow;
  }

  get addedRows(): TableGrowth["rows"] {
    return this.#nextNewRow > this.#firstNewRow
      ? { first: this.#firstNewRow, last: this.#nextNewRow - 1 }
      : null;
  }

  finish(): string {
    if (this.#appended !== "") this.#replace(this.#grid.rowsEnd, this.#grid.rowsEnd, this.#appended);
    this.#growDimension();
    return applySplices(this.#xml, sortSplices(this.#splices));
  }

  #replace(start: number, end: number, text: string): void {
    this.#splices.push({ start, end, text });
  }

  /** Replaces texts of a row's cells; `template`: the row whose styles are used for new cells. */
  change(row: RowElement, cells: ReadonlyMap<number, string>, template?: RowElement): void {
    const tags = tagAt(this.#xml, row);
    const present = cellsOf(this.#xml, row);
    const byColumn = new Map(present.map((cell) => [cell.column, cell]));
    const [first = 1, last = 0] = (tags.attribute("spans") ?? "").split(":").map(Number);
    let isWithinSpans = true;
    for (const [column, text] of [...cells].sort(([a], [b]) => a - b)) {
      const cell = byColumn.get(column);
      if (cell !== undefined) this.#replace(cell.start, cell.end, this.#rewritten(cell, text));
      if (cell !== undefined || text === "") continue;
      const at = present.find((other) => other.column > column)?.start ?? row.close;
      this.#replace(
        at,
        at,
        this.#newCell(tags, row.number, column, text, styleIn(template, column) ?? rowStyle(tags)),
      );
      isWithinSpans &&= first <= column + 1 && column + 1 <= last;
    }
    // An optional hint of the cells' columns that is no longer correct.
    const spans = isWithinSpans ? null : tags.attributeSpan("spans");
    if (spans !== null) this.#replace(spans.start, spans.end, "");
  }

  /** Clears the content of all the row's cells. */
  empty(row: RowElement): void {
    for (const cell of cellsOf(this.#xml, row))
      this.#replace(cell.start, cell.end, this.#rewritten(cell, ""));
  }

  /** Adds a row, replacing an empty one if there are any after the last row. */
  add(cells: ReadonlyMap<number, string>): void {
    const { trailingEmptyRows, header } = this.#grid;
    const template = this.#templateRow;
    const number = this.#nextNewRow++;
    const empty = trailingEmptyRows.find((row) => row.number === number);
    // An element with separate start and end tags, even if it is empty.
    if (empty !== undefined && !tagAt(this.#xml, empty).isEmpty) return this.change(empty, cells, template);
    const tags = tagAt(this.#xml, template ?? empty ?? header);
    const row = [...cells]
      .sort(([a], [b]) => a - b)
      .map(([column, text]) => this.#newCell(tags, number, column, text, styleIn(template, column)));
    const style = template === undefined ? null : rowStyle(tags);
    const format = style === null ? "" : ` s="${escapeCell(style)}" customFormat="1"`;
    const { prefix } = tags;
    const text = `<${prefix}row r="${number}"${format}>${row.join("")}</${prefix}row>`;
    const below = trailingEmptyRows.find((other) => other.number > number);
    if (empty !== undefined) this.#replace(empty.start, empty.open, text);
    else if (below !== undefined) this.#replace(below.start, below.start, text);
    else this.#appended += text;
  }

  /**
   * Returns the cell with another text: it keeps its attributes except those that determine how its content is read.
   */
  #rewritten(cell: CellElement, text: string): string {
    const tags = tagAt(this.#xml, cell);
    const { start, end } = tags;
    const dropped = ["t", "cm", "vm", "ph"].flatMap((name) => tags.attributeSpan(name) ?? []);
    const splices = dropped
      .sort((a, b) => a.start - b.start)
      .map((span) => ({ start: span.start - start, end: span.end - start, text: "" }));
    const tag = applySplices(this.#xml.slice(start, end), splices);
    const head = tag.slice(0, tag.length - (tags.isEmpty ? 2 : 1)).trimEnd();
    return head + content(tags.prefix, text);
  }

  /** @param style `null`: that of the column */
  #newCell({ prefix }: XmlTags, row: number, column: number, text: string, style: string | null): string {
    this.#bottom = Math.max(this.#bottom, row);
    this.#right = Math.max(this.#right, column);
    this.#columnStyles ??= columnStyles(this.#xml);
    const ofColumn = this.#columnStyles.find(([first, last]) => first <= column && column <= last)?.[2];
    return newCell(prefix, column, row, style ?? ofColumn ?? null, text);
  }

  #growDimension(): void {
    const tags = new XmlTags(this.#xml);
    while (tags.nextTag() && !tags.isOpen("dimension")) if (tags.isOpen("sheetData")) return;
    const range = referenceOf(tags);
    if (range === null) return;
    const right = Math.max(range.right, this.#right);
    const bottom = Math.max(range.bottom, this.#bottom);
    if (right === range.right && bottom === range.bottom) return;
    this.#splices.push(...setValue(tags, "ref", printRange({ ...range, right, bottom })));
  }
}

function styleIn(row: RowElement | undefined, column: number): string | null {
  return row?.cells.find((cell) => cell.column === column)?.style ?? null;
}

function rowStyle(row: XmlTags): string | null {
  return row.attribute("customFormat") === "1" ? row.attribute("s") : null;
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

function columnStyles(xml: string): (readonly [number, number, string])[] {
  const styles: (readonly [number, number, string])[] = [];
  for (const tags = new XmlTags(xml); tags.nextTag() && !tags.isOpen("sheetData");) {
    const style = tags.isOpen("col") ? tags.attribute("style") : null;
    if (style === null) continue;
    styles.push([Number(tags.attribute("min")) - 1, Number(tags.attribute("max")) - 1, style]);
  }
  return styles;
}

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
