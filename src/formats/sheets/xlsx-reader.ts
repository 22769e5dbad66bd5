/**
 * Reads a sheet's XML in a single pass by rows and cells: the cells of the relevant columns with their ranges, and
 * what is needed to insert others next to them.
 */
import { getOrCreate } from "../../model/maps.ts";
import { NO_SPAN } from "../format.ts";
import type { CellKind, Grid } from "./sheet-entries.ts";
import { runsText, type SharedStrings } from "./xlsx-package.ts";
import { cellXmlText, XmlTags, xmlText } from "./xlsx-xml.ts";
import type { Span } from "../../model/span.ts";

/** Limits of Excel. */
export const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
/** Content of a cell, by its `t` attribute and style. */
const EMPTY = 0;
const SHARED = 1;
const INLINE = 2;
const STRING = 3;
const NUMBER = 4;
const BOOLEAN = 5;
const UNKNOWN = 6;
const FORMULA = 8;

/** What cells refer to in other parts. */
export interface SheetSources {
  readonly strings: SharedStrings | null;
  readonly dates: readonly boolean[];
}

/** Returns the 0-based column of an address: 1 for `B12`; `-1` if it is not a cell address. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length && at < 4; at++) {
    const letter = reference.charCodeAt(at) | 0x20;
    if (letter < 0x61 || letter > 0x7a) break;
    column = column * 26 + letter - 0x60;
  }
  return column > MAX_COLUMNS ? -1 : column - 1;
}

/** Returns the letters of a 0-based column: `B` for 1. */
export function lettersOf(column: number): string {
  let letters = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(0x41 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** `A1:D10` as numbers: 0-based columns, 1-based rows. */
export interface Range {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns a range as an address. */
export function printRange({ left, top, right, bottom }: Range): string {
  return `${lettersOf(left)}${top}:${lettersOf(right)}${bottom}`;
}

/** Returns `null` if it is not a valid range. */
export function rangeOf(reference: string): Range | null {
  const match = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?$/.exec(reference);
  if (match === null) return null;
  const [, first = "", top = "", last = first, bottom = top] = match;
  const range = { left: columnOf(first), top: Number(top), right: columnOf(last), bottom: Number(bottom) };
  return range.left < 0 || range.right < range.left || range.bottom < range.top ? null : range;
}

/** A row element: its start tag, and the end of its content. */
export interface RowElement {
  readonly number: number;
  readonly start: number;
  readonly open: number;
  readonly close: number;
}

const NO_ROW: RowElement = { number: 0, start: 0, open: 0, close: 0 };

/** The cell scanned last. */
interface ScannedCell {
  column: number;
  start: number;
  end: number;
  type: number;
  /** Start of the content of `v`, or of the whole `is` element. */
  from: number;
  to: number;
}

/** Iterates over the rows and cells of a sheet. */
class SheetScan {
  readonly tags: XmlTags;
  readonly #dates: readonly boolean[];
  readonly cell: ScannedCell = { column: -1, start: 0, end: 0, type: EMPTY, from: 0, to: 0 };
  /** Number of the current row. */
  number = 0;
  start = 0;
  open = 0;
  close = 0;
  #isEmptyRow = false;
  #isOver: boolean;

  constructor(xml: string, dates: readonly boolean[]) {
    this.tags = new XmlTags(xml);
    this.#dates = dates;
    this.#isOver = !this.#toData();
  }

  #toData(): boolean {
    while (this.tags.next()) if (this.tags.isOpen("sheetData")) return !this.tags.isEmpty;
    return false;
  }

  nextRow(): boolean {
    const { tags } = this;
    while (!this.#isOver && tags.next()) {
      if (tags.isClose && tags.is("sheetData")) break;
      if (!tags.isOpen("row")) continue;
      const statedNumber = Number(tags.attribute("r"));
      this.number =
        Number.isInteger(statedNumber) && statedNumber > 0 && statedNumber <= MAX_ROWS
          ? statedNumber
          : this.number + 1;
      this.start = tags.start;
      this.open = tags.end;
      this.close = tags.end;
      this.#isEmptyRow = tags.isEmpty;
      this.cell.column = -1;
      return true;
    }
    this.#isOver = true;
    return false;
  }

  nextCell(): boolean {
    const { tags } = this;
    if (this.#isEmptyRow) return false;
    while (tags.next()) {
      if (tags.isClose) {
        if (!tags.is("row")) continue;
        this.close = tags.start;
        return false;
      }
      if (tags.is("c")) {
        this.#readCell();
        return true;
      }
      tags.skip();
    }
    this.close = tags.end;
    return false;
  }

  #readCell(): void {
    const { tags, cell } = this;
    cell.start = tags.start;
    cell.type = EMPTY;
    cell.column++;
    let type = "n";
    let style = -1;
    let isFormula = false;
    let isStrange = false;
    for (const attribute of tags.attributes) {
      const name = tags.attributeName(attribute);
      if (name === "r") cell.column = columnOf(tags.rawValue(attribute));
      else if (name === "s") style = Number(tags.rawValue(attribute));
      else if (name === "t") type = tags.rawValue(attribute);
      // The cell has another value besides the one displayed (ECMA-376 § 18.3.1.4).
      else if (name === "vm") isStrange = true;
    }
    if (!tags.isEmpty) {
      while (tags.next() && !(tags.isClose && tags.is("c"))) {
        if (tags.isClose) continue;
        if (tags.is("v")) {
          cell.from = tags.end;
          cell.to = tags.skip();
          if (cell.to > cell.from) cell.type = typeOf(type, this.#dates[style] === true);
        } else if (tags.is("is")) {
          cell.from = tags.start;
          tags.skip();
          cell.to = tags.end;
          cell.type = INLINE;
        } else {
          if (tags.is("f")) isFormula = true;
          else isStrange = true;
          tags.skip();
        }
      }
    }
    if (isStrange) cell.type = UNKNOWN;
    if (isFormula) cell.type |= FORMULA;
    cell.end = tags.end;
  }
}

function typeOf(type: string, isDate: boolean): number {
  switch (type) {
    case "s":
      return SHARED;
    case "str":
    case "inlineStr":
      return STRING;
    case "b":
      return BOOLEAN;
    case "n":
      return isDate ? UNKNOWN : NUMBER;
    default:
      return UNKNOWN;
  }
}

/** Returns the text of a cell. */
function cellText(xml: string, { type, from, to }: ScannedCell, sources: SheetSources): string {
  switch (type & ~FORMULA) {
    case SHARED:
      return sources.strings?.at(Number(xmlText(xml, from, to).trim())) ?? "";
    case INLINE: {
      const tags = new XmlTags(xml, from);
      tags.next();
      return runsText(tags);
    }
    case STRING:
      return cellXmlText(xml, from, to);
    case NUMBER: {
      const numeral = xmlText(xml, from, to).trim();
      const number = Number(numeral);
      return numeral !== "" && Number.isFinite(number) ? String(number) : numeral;
    }
    case BOOLEAN:
      return xmlText(xml, from, to).trim() === "1" ? "TRUE" : "FALSE";
    default:
      return "";
  }
}

/** Returns the last column that is not empty; `-1` if there is none. */
export function lastColumn(xml: string): number {
  const scan = new SheetScan(xml, []);
  let last = -1;
  while (scan.nextRow()) {
    while (scan.nextCell()) if (scan.cell.type !== EMPTY) last = Math.max(last, scan.cell.column);
  }
  return last;
}

/** Returns the first row with any text: its titles by column, and its number. `null` if the sheet has no text. */
export function sheetHeader(
  xml: string,
  sources: SheetSources,
): { readonly titles: readonly string[]; readonly number: number } | null {
  const scan = new SheetScan(xml, sources.dates);
  while (scan.nextRow()) {
    const titles: string[] = [];
    while (scan.nextCell()) {
      const { column } = scan.cell;
      const title = column < 0 ? "" : cellText(xml, scan.cell, sources);
      if (title === "") continue;
      while (titles.length < column) titles.push("");
      titles[column] = title;
    }
    if (titles.length > 0) return { titles, number: scan.number };
  }
  return null;
}

/** Maximum number of rows of merged cells that are indexed one by one. */
const MAX_MERGED = 1_000_000;

/** A row with its cells in the relevant columns. */
interface SheetRow extends RowElement {
  readonly cells: readonly ScannedCell[];
}

/** The rows below the header that have a cell in one of the relevant columns. */
export class SheetGrid implements Grid {
  readonly name: string;
  readonly xml: string;
  /** Whether the XML is incomplete or cannot be trusted. */
  isBroken = false;
  /** Whether any cell of the sheet has a formula. */
  hasFormulas = false;
  header = NO_ROW;
  /** The last row that is not empty, and the empty rows after it. */
  lastFull = 0;
  readonly tail: RowElement[] = [];
  /** Offset after the last row's element; `-1` if the sheet has no rows. */
  behindRows = -1;
  /** The last row that a merged range reaches. */
  lastMerged = 0;
  readonly #sources: SheetSources;
  /** Index of each stored column. */
  readonly #places: ReadonlyMap<number, number>;
  readonly #rows: SheetRow[] = [];
  readonly #merged = new Map<number, Range[]>();
  #indexes: Map<number, number> | null = null;
  #isAllMerged = false;

  /** @param columns the relevant columns, whose cells are stored */
  constructor(
    name: string,
    xml: string,
    headerRow: number,
    columns: readonly number[],
    sources: SheetSources,
  ) {
    this.name = name;
    this.xml = xml;
    this.#sources = sources;
    this.#places = new Map(columns.map((column, place) => [column, place]));
    this.#scan(headerRow);
  }

  #scan(headerRow: number): void {
    const scan = new SheetScan(this.xml, this.#sources.dates);
    let isBelow = false;
    while (scan.nextRow()) {
      const cells: ScannedCell[] = [];
      let isFull = false;
      while (scan.nextCell()) {
        const { cell } = scan;
        if (cell.type !== EMPTY) isFull = true;
        if ((cell.type & FORMULA) !== 0) this.hasFormulas = true;
        if (isBelow && this.#places.has(cell.column)) cells.push({ ...cell });
      }
      const { number, start, open, close } = scan;
      const row = { number, start, open, close };
      this.behindRows = scan.tags.end;
      if (cells.length > 0) this.#rows.push({ ...row, cells });
      if (!isBelow && number === headerRow) {
        isBelow = true;
        this.header = row;
      }
      if (isFull) {
        this.lastFull = Math.max(number, this.lastFull);
        this.tail.length = 0;
      } else this.tail.push(row);
    }
    this.#readMerged(scan.tags);
    this.isBroken = scan.tags.broken;
  }

  #readMerged(tags: XmlTags): void {
    let budget = MAX_MERGED;
    while (tags.next()) {
      if (!tags.isOpen("mergeCell")) continue;
      const range = rangeOf(tags.attribute("ref") ?? "");
      if (range === null) continue;
      this.lastMerged = Math.max(this.lastMerged, range.bottom);
      budget -= range.bottom - range.top + 1;
      this.#isAllMerged ||= budget < 0;
      if (this.#isAllMerged) continue;
      for (let row = range.top; row <= range.bottom; row++) {
        getOrCreate(this.#merged, row, () => []).push(range);
      }
    }
  }

  get count(): number {
    return this.#rows.length;
  }

  element(row: number): RowElement {
    return this.#rows[row] ?? NO_ROW;
  }

  /** Most rows are full, so the column's own index is tried first. */
  #cell(row: number, column: number): ScannedCell | undefined {
    const cells = this.#rows[row]?.cells ?? [];
    const guess = cells[this.#places.get(column) ?? -1];
    return guess?.column === column ? guess : cells.find((cell) => cell.column === column);
  }

  #ownText(row: number, column: number): string {
    const cell = this.#cell(row, column);
    return cell === undefined ? "" : cellText(this.xml, cell, this.#sources);
  }

  /** A cell covered by the one above it has that cell's text. */
  text(row: number, column: number): string {
    const range = this.#rangeOver(row, column);
    if (range === undefined) return this.#ownText(row, column);
    if (range.left !== range.right) return "";
    this.#indexes ??= new Map(
      Array.from({ length: this.count }, (_, index) => [this.element(index).number, index]),
    );
    const top = this.#indexes.get(range.top);
    return top === undefined ? "" : this.#ownText(top, column);
  }

  kind(row: number, column: number): CellKind {
    if (this.#isAllMerged || this.#rangeOver(row, column) !== undefined) return "covered";
    const type = this.#cell(row, column)?.type ?? EMPTY;
    if ((type & FORMULA) !== 0) return "formula";
    return type === UNKNOWN ? "unknown" : "text";
  }

  /** Returns the merged range that covers the cell and starts in another one. */
  #rangeOver(row: number, column: number): Range | undefined {
    if (this.#merged.size === 0) return undefined;
    const { number } = this.element(row);
    return this.#merged
      .get(number)
      ?.find(
        ({ left, right, top }) => left <= column && column <= right && (left !== column || top !== number),
      );
  }

  /** Whether a merged range includes the row. */
  isMerged(row: number): boolean {
    return this.#isAllMerged || this.#merged.has(this.element(row).number);
  }

  /** Whether any cell of the row has a formula. */
  isComputed(row: number): boolean {
    const { open, close } = this.element(row);
    for (const tags = new XmlTags(this.xml, open); tags.end < close && tags.next();) {
      if (tags.isOpen("f")) return true;
    }
    return false;
  }

  inner(): Span {
    return NO_SPAN;
  }

  span(): Span {
    return NO_SPAN;
  }

  address(row: number, column: number): string {
    return `${this.name}!${lettersOf(column)}${this.element(row).number}`;
  }
}
