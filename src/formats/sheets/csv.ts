/**
 * Spreadsheets as CSV: a header row whose titles name the columns (`sheet-columns.ts`), separated by commas, semicolons
 * or tabs. Read as spreadsheet programs do: a quote counts only where a cell begins, and rows may have any number of
 * cells. A change rewrites its cell in the quoting of its column and nothing else; texts that look like formulas are
 * data and stay as they are.
 */
import { applySplices, refusalOf } from "../edit.ts";
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
  knownTitles,
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
import { fileNewline } from "../style.ts";
import type { Span } from "../../model/span.ts";

/** More cells in a row, and more rows, than any spreadsheet program takes. */
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
  /** Where the header's line ends, and where the next begins. */
  readonly end: number;
  readonly next: number;
}

/**
 * The first row with anything in it, and what separates its cells: as a line `sep=;` says, else the one of comma,
 * semicolon and tab by which the most titles are known, then by which there are the most cells. `null`: no row.
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
    const rank = [knownTitles(header.titles, options), header.titles.length];
    if ((rank[0] ?? 0) > (most[0] ?? 0) || (rank[0] === most[0] && (rank[1] ?? 0) > (most[1] ?? 0))) {
      best = header;
      most = rank;
    }
  }
  return best;
}

function headerAt(text: string, start: number, separator: string): CsvHeader {
  const code = separator.charCodeAt(0);
  const cells: Span[] = [];
  let at = start;
  for (;;) {
    const end = cellEnd(text, at, code);
    if (cells.length < MAX_COLUMNS) cells.push({ start: at, end });
    at = end;
    if (text.charCodeAt(at) !== code) break;
    at++;
  }
  const titles = cells.map((cell) => cellText(text, cell.start, cell.end));
  return { separator, titles, cells, end: at, next: afterLineEnd(text, at) };
}

function afterBlankLines(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === FEED || text.charCodeAt(at) === RETURN) at++;
  return at;
}

/** Offset after the line end at `at`, if one stands there. */
function afterLineEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === RETURN) return text.charCodeAt(at + 1) === FEED ? at + 2 : at + 1;
  return code === FEED ? at + 1 : at;
}

/** Offset of the separator, line end or end of text that ends the cell which begins at `start`. */
function cellEnd(text: string, start: number, separator: number): number {
  let at = text.charCodeAt(start) === QUOTE ? closingQuote(text, start) + 1 : start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === separator || code === FEED || code === RETURN) break;
  }
  return Math.min(at, text.length);
}

/** Offset of the quote that closes the one at `start`; the text's length when none does. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== QUOTE) return at;
  }
  return text.length;
}

/** What a cell says. */
function cellText(text: string, start: number, end: number): string {
  if (start >= end || text.charCodeAt(start) !== QUOTE) return text.slice(start, end);
  const close = Math.min(closingQuote(text, start), end);
  const inner = text.slice(start + 1, close);
  const unquoted = inner.includes('"') ? inner.replaceAll('""', '"') : inner;
  return close + 1 < end ? unquoted + text.slice(close + 1, end) : unquoted;
}

/** The rows below the header; rows without anything in them are not among them. */
export class CsvGrid implements Grid {
  readonly source: string;
  readonly width: number;
  #ends = new Int32Array(1024);
  #starts = new Int32Array(256);
  #lengths = new Int32Array(256);
  #firsts = new Int32Array(256);
  count = 0;
  /** Why reading stopped, and where. */
  fault: { readonly message: string; readonly at: number } | null = null;

  constructor(text: string, header: CsvHeader) {
    this.source = text;
    this.width = header.cells.length;
    this.#scan(header);
  }

  #scan(header: CsvHeader): void {
    const text = this.source;
    const { separator, cells } = header;
    if (cells.length >= MAX_COLUMNS) this.fault = { message: "too many columns", at: header.end };
    const code = separator.charCodeAt(0);
    let stored = 0;
    let at = header.next;
    while (at < text.length) {
      const start = at;
      const first = stored;
      let count = 0;
      let last = at;
      for (;;) {
        last = at;
        at = cellEnd(text, at, code);
        if (count < this.width) {
          if (stored === this.#ends.length) this.#ends = grown(this.#ends);
          this.#ends[stored++] = at;
        }
        count++;
        if (at >= text.length || text.charCodeAt(at) !== code) break;
        at++;
      }
      if (at === text.length && text.charCodeAt(last) === QUOTE && closingQuote(text, last) >= text.length) {
        this.fault ??= { message: "a quote is not closed", at: last };
      }
      if (count === 1 && at === start) stored = first;
      else if (this.count === MAX_ROWS) {
        this.fault ??= { message: "too many rows", at: start };
        return;
      } else this.#keep(start, first, stored - first, at);
      at = afterLineEnd(text, at);
    }
  }

  #rowEnds = new Int32Array(256);

  #keep(start: number, first: number, length: number, end: number): void {
    if (this.count === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#firsts = grown(this.#firsts);
      this.#lengths = grown(this.#lengths);
      this.#rowEnds = grown(this.#rowEnds);
    }
    this.#starts[this.count] = start;
    this.#firsts[this.count] = first;
    this.#lengths[this.count] = length;
    this.#rowEnds[this.count++] = end;
  }

  /** The whole row without its line end. */
  rowSpan(row: number): Span {
    return { start: this.#starts[row] ?? 0, end: this.#rowEnds[row] ?? 0 };
  }

  /** How many of the header's columns the row has cells for. */
  cellCount(row: number): number {
    return this.#lengths[row] ?? 0;
  }

  #start(row: number, column: number): number {
    return column === 0
      ? (this.#starts[row] ?? 0)
      : (this.#ends[(this.#firsts[row] ?? 0) + column - 1] ?? 0) + 1;
  }

  text(row: number, column: number): string {
    if (column >= this.cellCount(row)) return "";
    return cellText(
      this.source,
      this.#start(row, column),
      this.#ends[(this.#firsts[row] ?? 0) + column] ?? 0,
    );
  }

  kind(): CellKind {
    return "text";
  }

  /** Of a cell that is not there: where its row ends. */
  span(row: number, column: number): Span {
    if (column < 0 || column >= this.cellCount(row)) {
      const { end } = this.rowSpan(row);
      return { start: end, end };
    }
    return { start: this.#start(row, column), end: this.#ends[(this.#firsts[row] ?? 0) + column] ?? 0 };
  }

  /** A cell in which something stands behind the closing quote is taken whole. */
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

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** The splices of the plan, sorted, none over another. */
function csvSplices(text: string, header: CsvHeader, grid: CsvGrid, plan: SheetPlan): readonly Splice[] {
  const writer = new CellWriter(text, header, grid);
  const splices: Splice[] = [];
  for (const [row, cells] of plan.cells) changeCells(writer, grid, row, cells, splices);
  const tail = removeRows(text, grid, plan.removed, splices);
  addRows(text, header, grid, plan, writer, tail, splices);
  // A row that goes in before another stands before the removal of that one.
  return splices.sort((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * The text with further columns, in which no row has anything yet; `null`: a row has more cells than the header, so that
 * these would come to stand below the new titles.
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
    // A row that ended early before may go on to.
    if (count === grid.width) splices.push({ start: end, end, text: separator.repeat(titles.length) });
  }
  return applySplices(text, splices);
}

/** A whole new file: quotes only where they must be. */
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

/** Offset of the line end that stands before `at`. */
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
  extensions: [".csv"],
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

/** The sheet with empty columns for languages that it lacks; `null`: it needs none, or none can be added. */
function withColumns(text: string, changes: readonly Change[], options: ReadOptions): string | null {
  const header = csvHeader(text, options);
  const columns = header === null ? null : columnsOf(header.titles, options);
  if (header === null || columns === null || isHeaderProblem(columns)) return null;
  const titles = missingTitles(header.titles, columns, changes, options);
  if (titles.length === 0) return null;
  const grid = new CsvGrid(text, header);
  return grid.fault === null ? widenCsv(text, header, grid, titles) : null;
}

/** The lines that a merge leaves behind, which would be rows like any other. */
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
