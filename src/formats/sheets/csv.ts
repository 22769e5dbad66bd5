/**
 * Spreadsheets as CSV: a header row with titles for the columns (`sheet-columns.ts`), separated by commas, semicolons
 * or tabs. Read as spreadsheet programs do: a quote is only special at the start of a cell, and rows may have any
 * number of cells. An edit rewrites only the changed cells, quoted like the rest of their column; texts that look
 * like formulas are data and are left alone.
 */
import { applySplices, refusalOf } from "../apply-edit.ts";
import {
  type Change,
  type Entry,
  NO_SPAN,
  type Problem,
  type ReadOptions,
  type ReadResult,
  type Splice,
  type TextFormat,
} from "../format.ts";
import {
  type ColumnOptions,
  columnsOf,
  headerMessage,
  isHeaderProblem,
  countKnownTitles,
  missingTitles,
} from "./sheet-columns.ts";
import { type CellKind, type Grid, readSheet } from "./sheet-entries.ts";
import {
  rowInsertions,
  planSheet,
  type SheetPlan,
  type SheetRules,
  type Table,
  tableOf,
} from "./sheet-plan.ts";
import { fileNewline } from "../whitespace.ts";
import type { Span } from "../../model/span.ts";

/** Maximum number of cells in a row and of rows: more than any spreadsheet program supports. */
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;

const SEPARATORS = [",", ";", "\t"] as const;
const QUOTE = 0x22;
const FEED = 0x0a;
const RETURN = 0x0d;

/** The header row of a CSV file. */
interface CsvHeader {
  readonly separator: string;
  readonly titles: readonly string[];
  readonly cells: readonly Span[];
  /** End of the header's line, and start of the next one. */
  readonly end: number;
  readonly next: number;
}

/**
 * Returns the first row that is not blank, and the separator: that of a `sep=;` line, otherwise whichever of comma,
 * semicolon and tab gives the most known titles, and then the most cells. `null` if there is no such row.
 */
export function csvHeader(text: string, options: ColumnOptions = {}): CsvHeader | null {
  const separatorLine = /^sep=([^\r\n"])(?:\r\n?|\n|$)/i.exec(text);
  const start = afterBlankLines(text, separatorLine?.[0].length ?? 0);
  if (start >= text.length) return null;
  const separators = separatorLine?.[1] === undefined ? SEPARATORS : [separatorLine[1]];
  let best: CsvHeader | null = null;
  let most = [-1, -1];
  for (const separator of separators) {
    const header = headerAt(text, start, separator);
    const rank = [countKnownTitles(header.titles, options), header.titles.length];
    if ((rank[0] ?? 0) > (most[0] ?? 0) || (rank[0] === most[0] && (rank[1] ?? 0) > (most[1] ?? 0))) {
      best = header;
      most = rank;
    }
  }
  return best;
}

function headerAt(text: string, start: number, separator: string): CsvHeader {
  const { cells, end } = cellsAt(text, start, separator.charCodeAt(0), MAX_COLUMNS);
  const titles = cells.map((cell) => cellText(text, cell.start, cell.end));
  return { separator, titles, cells, end, next: afterLineEnd(text, end) };
}

/** Returns the first `limit` cells of the row at `start`, the start of its last cell, and the end of the row. */
function cellsAt(
  text: string,
  start: number,
  separator: number,
  limit: number,
): { readonly cells: readonly Span[]; readonly last: number; readonly end: number } {
  const cells: Span[] = [];
  for (let at = start; ;) {
    const end = cellEnd(text, at, separator);
    if (cells.length < limit) cells.push({ start: at, end });
    if (text.charCodeAt(end) !== separator) return { cells, last: at, end };
    at = end + 1;
  }
}

function afterBlankLines(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === FEED || text.charCodeAt(at) === RETURN) at++;
  return at;
}

/** Returns the offset after the line end at `at`, if there is one. */
function afterLineEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === RETURN) return text.charCodeAt(at + 1) === FEED ? at + 2 : at + 1;
  return code === FEED ? at + 1 : at;
}

/** Returns the end of the cell at `start`: the offset of a separator, a line end, or the end of the text. */
function cellEnd(text: string, start: number, separator: number): number {
  let at = text.charCodeAt(start) === QUOTE ? closingQuote(text, start) + 1 : start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === separator || code === FEED || code === RETURN) break;
  }
  return Math.min(at, text.length);
}

/** Returns the offset of the quote that closes the one at `start`; the length of the text if there is none. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
  }
  return text.length;
}

/** Returns the unquoted text of a cell. */
function cellText(text: string, start: number, end: number): string {
  if (start >= end || text.charCodeAt(start) !== QUOTE) return text.slice(start, end);
  const close = Math.min(closingQuote(text, start), end);
  const inner = text.slice(start + 1, close);
  const unquoted = inner.includes('"') ? inner.replaceAll('""', '"') : inner;
  return close + 1 < end ? unquoted + text.slice(close + 1, end) : unquoted;
}

/** The rows below the header, without blank ones. */
export class CsvGrid implements Grid {
  readonly source: string;
  readonly width: number;
  readonly #separator: number;
  readonly #rows: Span[] = [];
  /** The cells of the row requested last. */
  #read: { readonly row: number; readonly cells: readonly Span[] } = { row: -1, cells: [] };
  /** Why parsing stopped, and the offset. */
  fault: { readonly message: string; readonly at: number } | null = null;

  constructor(text: string, header: CsvHeader) {
    this.source = text;
    this.width = header.cells.length;
    this.#separator = header.separator.charCodeAt(0);
    this.#scan(header);
  }

  #scan(header: CsvHeader): void {
    const text = this.source;
    if (this.width >= MAX_COLUMNS) this.fault = { message: "too many columns", at: header.end };
    for (let start = header.next; start < text.length;) {
      const { last, end } = cellsAt(text, start, this.#separator, 0);
      if (end === text.length && text.charCodeAt(last) === QUOTE && closingQuote(text, last) >= text.length) {
        this.fault ??= { message: "a quote is not closed", at: last };
      }
      if (end > start) {
        if (this.#rows.length === MAX_ROWS) {
          this.fault ??= { message: "too many rows", at: start };
          return;
        }
        this.#rows.push({ start, end });
      }
      start = afterLineEnd(text, end);
    }
  }

  get count(): number {
    return this.#rows.length;
  }

  /** Range of the row without its line end. */
  rowSpan(row: number): Span {
    return this.#rows[row] ?? NO_SPAN;
  }

  /** Rows are read in order, so only the last one's cells are cached. */
  #cells(row: number): readonly Span[] {
    if (this.#read.row !== row) {
      const { start } = this.rowSpan(row);
      this.#read = { row, cells: cellsAt(this.source, start, this.#separator, this.width).cells };
    }
    return this.#read.cells;
  }

  /** Returns how many of the header's columns the row has a cell for. */
  cellCount(row: number): number {
    return this.#cells(row).length;
  }

  text(row: number, column: number): string {
    const cell = this.#cells(row)[column];
    return cell === undefined ? "" : cellText(this.source, cell.start, cell.end);
  }

  kind(): CellKind {
    return "text";
  }

  /** Range of a cell; the end of the row if the cell is missing. */
  span(row: number, column: number): Span {
    const { end } = this.rowSpan(row);
    return this.#cells(row)[column] ?? { start: end, end };
  }

  /** Range of a cell without its quotes; of the whole cell if anything follows the closing quote. */
  inner(row: number, column: number): Span {
    const span = this.span(row, column);
    const isQuoted = span.end - span.start > 1 && this.source.charCodeAt(span.start) === QUOTE;
    if (!isQuoted || closingQuote(this.source, span.start) !== span.end - 1) return span;
    return { start: span.start + 1, end: span.end - 1 };
  }

  address(row: number, column: number): string {
    return `row ${row + 1} below the header, column ${column + 1}`;
  }
}

/** Returns the splices of the plan, sorted and without overlaps. */
function csvSplices(text: string, header: CsvHeader, grid: CsvGrid, plan: SheetPlan): readonly Splice[] {
  const writer = new CellWriter(text, header, grid);
  const splices: Splice[] = [];
  for (const [row, cells] of plan.cells) changeCells(writer, grid, row, cells, splices);
  const tail = removeRows(text, grid, plan.removed, splices);
  addRows(text, header, grid, plan, writer, tail, splices);
  // A row inserted before another comes before the removal of that one.
  return splices.sort((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * Returns the text with further columns, which are empty in all rows; `null` if a row has more cells than the header,
 * since these would end up below the new titles.
 */
function widenCsv(text: string, header: CsvHeader, grid: CsvGrid, titles: readonly string[]): string | null {
  const { separator } = header;
  const last = header.cells.at(-1);
  const isQuoting = last !== undefined && text.charCodeAt(last.start) === QUOTE;
  const cells = titles.map((title) => (isQuoting || mustQuote(title, separator) ? quoted(title) : title));
  const splices: Splice[] = [{ start: header.end, end: header.end, text: separator + cells.join(separator) }];
  for (let row = 0; row < grid.count; row++) {
    const count = grid.cellCount(row);
    const { end } = grid.rowSpan(row);
    if (grid.span(row, count - 1).end < end) return null;
    // A row that was already shorter than the header may stay so.
    if (count === grid.width) splices.push({ start: end, end, text: separator.repeat(titles.length) });
  }
  return applySplices(text, splices);
}

/** Prints a new file, with quotes only where they are required. */
function printCsv(table: Table, separator: string, newline: string): string {
  return table
    .map((row) => row.map((cell) => (mustQuote(cell, separator) ? quoted(cell) : cell)).join(separator))
    .map((line) => line + newline)
    .join("");
}

function mustQuote(text: string, separator: string): boolean {
  return text.includes(separator) || text.includes('"') || text.includes("\n") || text.includes("\r");
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Writes cells in the style of their columns. */
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

  /** Replaces a cell; one that was quoted needlessly stays quoted. */
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

  /** Whether most cells of the column that need no quotes are quoted. */
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
 * Removes rows with their line ends. At the end of a file without a final line end, the preceding line end is removed
 * instead. Returns the new end of the text.
 */
function removeRows(text: string, grid: CsvGrid, removed: ReadonlySet<number>, splices: Splice[]): number {
  let tail = text.length;
  const rows = [...removed].sort((a, b) => b - a);
  for (const row of rows) {
    const { start, end } = grid.rowSpan(row);
    const isLast = end === tail;
    const from = isLast ? beforeLineEnd(text, start) : start;
    splices.push({ start: from, end: isLast ? tail : afterLineEnd(text, end), text: "" });
    if (isLast) tail = from;
  }
  return tail;
}

/** Returns the start of the line end before `at`. */
function beforeLineEnd(text: string, at: number): number {
  let from = at;
  if (text[from - 1] === "\n") from--;
  if (text[from - 1] === "\r") from--;
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
  const places = [...rowInsertions(plan.rows, plan.added)].sort(([a], [b]) => a - b);
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

const ANYTHING: SheetRules = { fits: () => true, keeps: () => null };

export const csv: TextFormat = {
  kind: "text",
  name: "csv",
  read(text, options) {
    const header = csvHeader(text, options);
    if (header === null) {
      const problem: Problem = { code: "syntax", message: "there is no header row", span: NO_SPAN };
      return { entries: [], problems: text.trim() === "" ? [] : [problem] };
    }
    const columns = columnsOf(header.titles, options);
    if (isHeaderProblem(columns)) {
      const message = headerMessage(header.titles, columns);
      const span = { start: header.cells[0]?.start ?? 0, end: header.end };
      return { entries: [], problems: [{ code: "syntax", message, span }] };
    }
    const grid = new CsvGrid(text, header);
    const { entries, problems } = withoutMergeMarks(readSheet(grid, columns, options));
    if (grid.fault === null) return { entries, problems };
    const { message, at } = grid.fault;
    return { entries, problems: [...problems, { code: "syntax", message, span: { start: at, end: at } }] };
  },
  edit(text, changes, options) {
    const widened = withColumns(text, changes, options);
    if (widened !== null) {
      const { splices, refused } = csv.edit(widened, changes, options);
      return { splices: [{ start: 0, end: text.length, text: applySplices(widened, splices) }], refused };
    }
    const header = csvHeader(text, options);
    const columns = header === null ? null : columnsOf(header.titles, options);
    const grid = header === null ? null : new CsvGrid(text, header);
    if (
      header === null ||
      columns === null ||
      isHeaderProblem(columns) ||
      grid === null ||
      grid.fault !== null
    ) {
      return { splices: [], refused: changes.map((change) => refusalOf(change, "syntax")) };
    }
    const plan = planSheet(grid, columns, changes, options, ANYTHING);
    return { splices: csvSplices(text, header, grid, plan), refused: plan.refused };
  },
  print(entries, options) {
    const like = options.examples?.[0]?.text ?? "";
    const separator = csvHeader(like, options)?.separator ?? ",";
    return printCsv(tableOf(entries, options), separator, fileNewline(like));
  },
};

/** Returns the sheet with empty columns for missing languages; `null` if none are needed or none can be added. */
function withColumns(text: string, changes: readonly Change[], options: ReadOptions): string | null {
  const header = csvHeader(text, options);
  const columns = header === null ? null : columnsOf(header.titles, options);
  if (header === null || columns === null || isHeaderProblem(columns)) return null;
  const titles = missingTitles(header.titles, columns, changes, options);
  if (titles.length === 0) return null;
  const grid = new CsvGrid(text, header);
  return grid.fault === null ? widenCsv(text, header, grid, titles) : null;
}

/** The conflict markers of a merge, which would otherwise be read as rows. */
const MERGE_MARK = /^(?:<{7} |={7}$|>{7} )/u;

function withoutMergeMarks({ entries, problems }: ReadResult): ReadResult {
  const isMark = ({ key }: Entry): boolean => MERGE_MARK.test(key);
  const first = entries.find((entry) => entry.key.startsWith("<") && isMark(entry));
  if (first === undefined) return { entries, problems };
  const message = "a merge that is not finished";
  return {
    entries: entries.filter((entry) => !isMark(entry)),
    problems: [{ code: "syntax", message, span: first.keySpan }, ...problems],
  };
}
