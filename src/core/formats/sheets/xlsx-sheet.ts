/**
 * One sheet's cells with their places: the columns that mean something, and what is needed to write next to them.
 * Changes nothing.
 */
import { NO_SPAN, type Span } from "../format.ts";
import type { CellKind, Grid } from "./sheet-entries.ts";
import {
  EMPTY,
  FORMULA,
  lettersOf,
  MOST_COLUMNS,
  type Passed,
  type Range,
  rangeOf,
  type RowElement,
  SheetScan,
  type SheetSources,
  textOf,
  UNKNOWN,
} from "./xlsx-scan.ts";
import { XmlTags } from "./xlsx-xml.ts";

/** Rows of merged cells that are looked at one by one. */
const MOST_MERGED = 1_000_000;

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
    this.#slots = new Int32Array(MOST_COLUMNS).fill(-1);
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
    let budget = MOST_MERGED;
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
