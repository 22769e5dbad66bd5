/**
 * Reads one sheet's XML in one pass, row by row and cell by cell: the cells of the columns that mean something, with their
 * ranges, and what is needed to write next to them.
 */
import { NO_SPAN } from "../format.ts";
import type { CellKind, Grid } from "./sheet-entries.ts";
import { runsText, type SharedStrings } from "./xlsx-package.ts";
import { cellXmlText, XmlTags, xmlText } from "./xlsx-xml.ts";
import type { Span } from "../../model/span.ts";

/** Columns and rows of the largest sheet that there is. */
export const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
/** What a cell's `t` and style say of its content. */
const EMPTY = 0;
const SHARED = 1;
const INLINE = 2;
const STRING = 3;
const NUMBER = 4;
const BOOLEAN = 5;
const UNKNOWN = 6;
const FORMULA = 8;

/** What cells refer to. */
export interface SheetSources {
  readonly strings: SharedStrings | null;
  readonly dates: readonly boolean[];
}

/** `B12` to the column 1; `-1` when it is no address of a sheet. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length && at < 4; at++) {
    const letter = reference.charCodeAt(at) | 0x20;
    if (letter < 0x61 || letter > 0x7a) break;
    column = column * 26 + letter - 0x60;
  }
  return column > MAX_COLUMNS ? -1 : column - 1;
}

/** The column 1 to `B`. */
export function lettersOf(column: number): string {
  let letters = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(0x41 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** `A1:D10` as numbers: columns from 0, rows from 1. */
export interface Range {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** `null`: no range of a sheet. */
export function rangeOf(reference: string): Range | null {
  const match = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?$/.exec(reference);
  if (match === null) return null;
  const [, first = "", top = "", last = first, bottom = top] = match;
  const range = { left: columnOf(first), top: Number(top), right: columnOf(last), bottom: Number(bottom) };
  return range.left < 0 || range.right < range.left || range.bottom < range.top ? null : range;
}

/** A row's element: its tag, and where its content ends. */
export interface RowElement {
  readonly number: number;
  readonly start: number;
  readonly open: number;
  readonly close: number;
}

/** The cell that a scan has just passed. */
interface Passed {
  column: number;
  start: number;
  end: number;
  type: number;
  /** The content of `v`, or the whole `is`. */
  from: number;
  to: number;
}

/** Goes through the rows and cells of a sheet. */
class SheetScan {
  readonly tags: XmlTags;
  readonly #dates: readonly boolean[];
  readonly cell: Passed = { column: -1, start: 0, end: 0, type: EMPTY, from: 0, to: 0 };
  /** The row that `nextRow` came to. */
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
      const statedNumber = Number(tags.attribute("r") ?? "");
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
    for (let index = 0; index < tags.attributeCount; index++) {
      const name = tags.attributeName(index);
      if (name === "r") cell.column = columnOf(tags.rawValue(index));
      else if (name === "s") style = Number(tags.rawValue(index));
      else if (name === "t") type = tags.rawValue(index);
      // The cell has a value of another kind beside the one that is shown (ECMA-376 § 18.3.1.4).
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
      return STRING;
    case "b":
      return BOOLEAN;
    case "n":
      return isDate ? UNKNOWN : NUMBER;
    case "inlineStr":
      return STRING;
    default:
      return UNKNOWN;
  }
}

/** What a cell of that type and content says. */
function textOf(xml: string, type: number, from: number, to: number, sources: SheetSources): string {
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

/** The last column with anything in it; `-1`: there is none. */
export function lastColumn(xml: string): number {
  const scan = new SheetScan(xml, []);
  let last = -1;
  while (scan.nextRow()) {
    while (scan.nextCell()) if (scan.cell.type !== EMPTY) last = Math.max(last, scan.cell.column);
  }
  return last;
}

/** The first row with any text in it: its titles by column, and its number. `null`: the sheet has no text. */
export function sheetHeader(
  xml: string,
  sources: SheetSources,
): { readonly titles: readonly string[]; readonly number: number } | null {
  const scan = new SheetScan(xml, sources.dates);
  while (scan.nextRow()) {
    const titles: string[] = [];
    while (scan.nextCell()) {
      const { column, type, from, to } = scan.cell;
      const title = column < 0 ? "" : textOf(xml, type, from, to, sources);
      if (title === "") continue;
      while (titles.length < column) titles.push("");
      titles[column] = title;
    }
    if (titles.length > 0) return { titles, number: scan.number };
  }
  return null;
}

/** Rows of merged cells that are looked at one by one. */
const MAX_MERGED = 1_000_000;

/** Numbers kept of each row and cell. */
const ROW = 6;
const CELL = 6;

/** The rows of a sheet below its header that have a cell in one of the kept columns. */
export class SheetGrid implements Grid {
  readonly name: string;
  readonly xml: string;
  /** The columns whose cells are kept. */
  readonly kept: readonly number[];
  count = 0;
  /** The XML breaks off, or is none that can be trusted. */
  isBroken = false;
  /** Whether any cell of the sheet has a formula. */
  hasFormulas = false;
  /** The last row with anything in it, and the empty ones behind it. */
  lastFull = 0;
  readonly tail: RowElement[] = [];
  /** Behind the last row's element; `-1`: the sheet has none. */
  behindRows = -1;
  /** The last row that merged cells reach to. */
  lastMerged = 0;
  readonly #sources: SheetSources;
  readonly #slots: Int32Array;
  #rows = new Int32Array(ROW * 64);
  #cells = new Int32Array(CELL * 256);
  #cellCount = 0;
  readonly #merged = new Map<number, Range[]>();
  #indexes: Map<number, number> | null = null;
  #isAllMerged = false;

  constructor(name: string, xml: string, headerRow: number, kept: readonly number[], sources: SheetSources) {
    this.name = name;
    this.xml = xml;
    this.kept = kept;
    this.#sources = sources;
    this.#slots = new Int32Array(MAX_COLUMNS).fill(-1);
    for (const [slot, column] of kept.entries()) this.#slots[column] = slot;
    this.#scan(headerRow);
  }

  #scan(headerRow: number): void {
    const scan = new SheetScan(this.xml, this.#sources.dates);
    let isBelow = false;
    while (scan.nextRow()) {
      const first = this.#cellCount;
      let isFull = false;
      while (scan.nextCell()) {
        const { cell } = scan;
        if (cell.type !== EMPTY) isFull = true;
        if ((cell.type & FORMULA) !== 0) this.hasFormulas = true;
        if (isBelow && cell.column >= 0 && (this.#slots[cell.column] ?? -1) >= 0) this.#keepCell(cell);
      }
      const { number, start, open, close } = scan;
      this.behindRows = scan.tags.end;
      if (this.#cellCount > first) this.#keepRow(scan, first);
      isBelow ||= number === headerRow;
      if (isFull) {
        this.lastFull = Math.max(number, this.lastFull);
        this.tail.length = 0;
      } else this.tail.push({ number, start, open, close });
    }
    this.#readMerged(scan.tags);
    this.isBroken = scan.tags.broken;
  }

  #keepCell({ column, start, end, type, from, to }: Passed): void {
    const at = this.#cellCount * CELL;
    if (at === this.#cells.length) this.#cells = grown(this.#cells);
    this.#cells[at] = column;
    this.#cells[at + 1] = type;
    this.#cells[at + 2] = start;
    this.#cells[at + 3] = end;
    this.#cells[at + 4] = from;
    this.#cells[at + 5] = to;
    this.#cellCount++;
  }

  #keepRow({ number, start, open, close }: RowElement, first: number): void {
    const at = this.count * ROW;
    if (at === this.#rows.length) this.#rows = grown(this.#rows);
    this.#rows[at] = number;
    this.#rows[at + 1] = first;
    this.#rows[at + 2] = this.#cellCount - first;
    this.#rows[at + 3] = start;
    this.#rows[at + 4] = open;
    this.#rows[at + 5] = close;
    this.count++;
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
        const list = this.#merged.get(row);
        if (list === undefined) this.#merged.set(row, [range]);
        else list.push(range);
      }
    }
  }

  element(row: number): RowElement {
    const at = row * ROW;
    return {
      number: this.#rows[at] ?? 0,
      start: this.#rows[at + 3] ?? 0,
      open: this.#rows[at + 4] ?? 0,
      close: this.#rows[at + 5] ?? 0,
    };
  }

  /** Index of the cell, `-1`: there is none. Rows are most often full, so its place among them is tried first. */
  #cell(row: number, column: number): number {
    const first = this.#rows[row * ROW + 1] ?? 0;
    const length = this.#rows[row * ROW + 2] ?? 0;
    const guess = first + (this.#slots[column] ?? 0);
    if (guess < first + length && this.#cells[guess * CELL] === column) return guess;
    for (let cell = first; cell < first + length; cell++) {
      if (this.#cells[cell * CELL] === column) return cell;
    }
    return -1;
  }

  /** Where the cell's element stands; `null`: there is none. */
  cellSpan(row: number, column: number): Span | null {
    const cell = this.#cell(row, column);
    if (cell < 0) return null;
    return { start: this.#cells[cell * CELL + 2] ?? 0, end: this.#cells[cell * CELL + 3] ?? 0 };
  }

  #ownText(row: number, column: number): string {
    const cell = this.#cell(row, column);
    if (cell < 0) return "";
    const at = cell * CELL;
    const [type = 0, from = 0, to = 0] = [this.#cells[at + 1], this.#cells[at + 4], this.#cells[at + 5]];
    return textOf(this.xml, type, from, to, this.#sources);
  }

  /** A cell that one above it is merged over shows that one's text. */
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
    const cell = this.#cell(row, column);
    const type = cell < 0 ? EMPTY : (this.#cells[cell * CELL + 1] ?? EMPTY);
    if ((type & FORMULA) !== 0) return "formula";
    return type === UNKNOWN ? "unknown" : "text";
  }

  /** The merged range that covers the cell and begins elsewhere. */
  #rangeOver(row: number, column: number): Range | undefined {
    if (this.#merged.size === 0) return undefined;
    const { number } = this.element(row);
    return this.#merged
      .get(number)
      ?.find(
        ({ left, right, top }) => left <= column && column <= right && (left !== column || top !== number),
      );
  }

  /** Whether any merged range reaches into the row. */
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

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
