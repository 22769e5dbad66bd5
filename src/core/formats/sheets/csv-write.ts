/**
 * The splices that change cells and rows of a CSV file, and CSV text from a table. Each column keeps its own habit
 * of quoting. Texts are never changed to keep a spreadsheet program from taking them for formulas: that is data.
 */
import { afterLineEnd, type CsvGrid, type CsvHeader } from "./csv-scan.ts";
import type { Splice } from "../format.ts";
import { placeRows } from "./sheet-order.ts";
import type { SheetPlan } from "./sheet-plan.ts";
import type { Table } from "./sheet-print.ts";

const QUOTE = 0x22;

/** The splices of the plan, sorted, none over another. */
export function csvSplices(
  text: string,
  header: CsvHeader,
  grid: CsvGrid,
  plan: SheetPlan,
): readonly Splice[] {
  const writer = new CellWriter(text, header, grid);
  const splices: Splice[] = [];
  for (const [row, cells] of plan.cells) changeCells(writer, grid, row, cells, splices);
  const tail = removeRows(text, header, grid, plan.removed, splices);
  addRows(text, header, grid, plan, writer, tail, splices);
  // A row that goes in before another stands before the removal of that one.
  return splices.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** A whole new file: commas, quotes only where they must be. */
export function printCsv(table: Table): string {
  return table
    .map((row) => `${row.map((cell) => (mustQuote(cell, ",") ? quoted(cell) : cell)).join(",")}\n`)
    .join("");
}

function mustQuote(text: string, separator: string): boolean {
  return text.includes(separator) || text.includes('"') || text.includes("\n") || text.includes("\r");
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Writes cells the way their columns do. */
class CellWriter {
  readonly separator: string;
  readonly #text: string;
  readonly #grid: CsvGrid;
  readonly #header: CsvHeader;
  readonly #habits = new Map<number, boolean>();

  constructor(text: string, header: CsvHeader, grid: CsvGrid) {
    this.separator = header.separator;
    this.#text = text;
    this.#grid = grid;
    this.#header = header;
  }

  /** A cell in the place of another: quotes that nothing asked for stay. */
  replacement(row: number, column: number, text: string): string {
    const { start } = this.#grid.span(row, column);
    const wasQuoted = this.#text.charCodeAt(start) === QUOTE;
    const isPlain = !mustQuote(this.#grid.text(row, column), this.separator);
    return this.#print(text, isPlain ? wasQuoted : this.#isQuoting(column));
  }

  fresh(column: number, text: string): string {
    return this.#print(text, text !== "" && this.#isQuoting(column));
  }

  #print(text: string, quotes: boolean): string {
    return quotes || mustQuote(text, this.separator) ? quoted(text) : text;
  }

  /** Whether most cells of the column that need no quotes have some. */
  #isQuoting(column: number): boolean {
    const known = this.#habits.get(column);
    if (known !== undefined) return known;
    let votes = 0;
    for (let row = 0; row < this.#grid.count; row++) {
      const { start, end } = this.#grid.span(row, column);
      if (start === end || mustQuote(this.#grid.text(row, column), this.separator)) continue;
      votes += this.#text.charCodeAt(start) === QUOTE ? 1 : -1;
    }
    const title = this.#header.cells[column]?.start ?? this.#text.length;
    const isQuoting = votes === 0 ? this.#text.charCodeAt(title) === QUOTE : votes > 0;
    this.#habits.set(column, isQuoting);
    return isQuoting;
  }
}

function changeCells(
  writer: CellWriter,
  grid: CsvGrid,
  row: number,
  cells: ReadonlyMap<number, string>,
  splices: Splice[],
): void {
  const count = grid.cellCount(row);
  const missing: (readonly [number, string])[] = [];
  for (const [column, text] of cells) {
    if (column >= count) missing.push([column, text]);
    else splices.push({ ...grid.span(row, column), text: writer.replacement(row, column, text) });
  }
  if (missing.length === 0) return;
  const { end } = grid.rowSpan(row);
  let tail = "";
  let at = count - 1;
  for (const [column, text] of missing.sort(([a], [b]) => a - b)) {
    tail += writer.separator.repeat(column - at) + writer.fresh(column, text);
    at = column;
  }
  splices.push({ start: end, end, text: tail });
}

/**
 * Rows with their line ends; of a file without a last line end the one before the last rows goes instead. Gives where
 * the text ends then.
 */
function removeRows(
  text: string,
  header: CsvHeader,
  grid: CsvGrid,
  removed: ReadonlySet<number>,
  splices: Splice[],
): number {
  let tail = text.length;
  const rows = [...removed].sort((a, b) => b - a);
  for (const row of rows) {
    const { start, end } = grid.rowSpan(row);
    const isLast = end === tail;
    const from = isLast ? beforeLineEnd(text, start, header.end) : start;
    splices.push({ start: from, end: isLast ? tail : afterLineEnd(text, end), text: "" });
    if (isLast) tail = from;
  }
  return tail;
}

/** Offset of the line end that stands before `at`. */
function beforeLineEnd(text: string, at: number, least: number): number {
  let from = at;
  if (from > least && text[from - 1] === "\n") from--;
  if (from > least && text[from - 1] === "\r") from--;
  return from;
}

function addRows(
  text: string,
  header: CsvHeader,
  grid: CsvGrid,
  plan: SheetPlan,
  writer: CellWriter,
  tail: number,
  splices: Splice[],
): void {
  const ownEnd = text.slice(header.end, header.next);
  const newline = ownEnd === "" ? "\n" : ownEnd;
  const places = [...placeRows(plan.rows, plan.added)].sort(([a], [b]) => a - b);
  for (const [index, rows] of places) {
    const above = index < 0 ? null : (plan.rows[index]?.row ?? null);
    const end = above === null ? header.end : grid.rowSpan(above).end;
    const next = above === null ? header.next : afterLineEnd(text, end);
    const lines = rows.map(({ cells }) =>
      header.cells.map((_, column) => writer.fresh(column, cells.get(column) ?? "")).join(writer.separator),
    );
    const isUnended = next === end || next > tail;
    const added = lines.map((line) => (isUnended ? newline + line : line + newline)).join("");
    const start = Math.min(next, tail);
    splices.push({ start, end: start, text: added });
  }
}
