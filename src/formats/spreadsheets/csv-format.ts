/**
 * Spreadsheets as CSV: a header row with titles for the columns (`sheet-columns.ts`), separated by commas, semicolons
 * or tabs. Read as spreadsheet programs do: a quote is only special at the start of a cell, and rows may have any
 * number of cells. An edit rewrites only the changed cells, quoted like the rest of their column; texts that look
 * like formulas are data and are left alone.
 */
import { getOrCreate } from "../../util/maps.ts";
import { applySplices, refuseAll, sortSplices } from "../editing/apply-verified-edit.ts";
import {
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
  countKnownTitles,
  missingTitles,
  type SheetColumns,
  withoutRowNumbers,
} from "./sheet-columns.ts";
import { type CellKind, type Grid, MAX_COLUMNS, MAX_ROWS, readSheet } from "./sheet-entries.ts";
import { entryInsertions } from "../editing/sort-order.ts";
import { planSheet, type SheetPlan, tableOf } from "./sheet-edit.ts";
import { afterNewline, beforeNewline, fileNewline, isNewline } from "../text/lines-and-indentation.ts";
import type { Span } from "../../util/span.ts";

const SEPARATORS = [",", ";", "\t"] as const;
/** The line that tells Excel the separator. */
const SEPARATOR_LINE = /^sep=([^\r\n"])(?:\r\n?|\n|$)/i;
const QUOTE = 0x22;

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
  const separatorLine = SEPARATOR_LINE.exec(text);
  const start = afterBlankLines(text, separatorLine?.[0].length ?? 0);
  if (start >= text.length) return null;
  const separators = separatorLine?.[1] === undefined ? SEPARATORS : [separatorLine[1]];
  const ranked = separators
    .map((separator) => headerAt(text, start, separator))
    .map((header) => ({ header, known: countKnownTitles(header.titles, options) }))
    .sort((a, b) => b.known - a.known || b.header.titles.length - a.header.titles.length);
  return ranked[0]?.header ?? null;
}

function headerAt(text: string, start: number, separator: string): CsvHeader {
  const { cells, end } = cellsAt(text, start, separator.charCodeAt(0), MAX_COLUMNS);
  const titles = cells.map((cell) => cellText(text, cell.start, cell.end));
  return { separator, titles, cells, end, next: afterNewline(text, end) };
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
  while (isNewline(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the end of the cell at `start`: the offset of a separator, a line end, or the end of the text. */
function cellEnd(text: string, start: number, separator: number): number {
  let at = text.charCodeAt(start) === QUOTE ? closingQuote(text, start) + 1 : start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === separator || isNewline(code)) break;
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
  readonly header: CsvHeader;
  readonly width: number;
  readonly #separator: number;
  readonly #rows: Span[] = [];
  /** The cells of the row requested last. */
  #read: { readonly row: number; readonly cells: readonly Span[] } = { row: -1, cells: [] };
  /** Why parsing stopped, and the offset. */
  fault: { readonly message: string; readonly at: number } | null = null;

  constructor(text: string, header: CsvHeader) {
    this.source = text;
    this.header = header;
    this.width = header.cells.length;
    this.#separator = header.separator.charCodeAt(0);
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
      start = afterNewline(text, end);
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
  contentSpan(row: number, column: number): Span {
    const span = this.span(row, column);
    const isQuoted = span.end - span.start > 1 && this.source.charCodeAt(span.start) === QUOTE;
    if (!isQuoted || closingQuote(this.source, span.start) !== span.end - 1) return span;
    return { start: span.start + 1, end: span.end - 1 };
  }

  isQuoted(row: number, column: number): boolean {
    return this.source.charCodeAt(this.span(row, column).start) === QUOTE;
  }

  address(row: number, column: number): string {
    return `row ${row + 1} below the header, column ${column + 1}`;
  }
}

/**
 * Returns the text with further columns, which are empty in all rows; `null` if a row has more cells than the header,
 * since these would end up below the new titles.
 */
function widenCsv(grid: CsvGrid, titles: readonly string[]): string | null {
  const { source: text, header } = grid;
  const { separator } = header;
  const last = header.cells.at(-1);
  const isQuoting = last !== undefined && text.charCodeAt(last.start) === QUOTE;
  const cells = titles.map((title) => printCell(title, separator, isQuoting));
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

function mustQuote(text: string, separator: string): boolean {
  return text.includes(separator) || /["\n\r]/.test(text);
}

/** `quotes`: whether to quote the cell even if that is not required. */
function printCell(text: string, separator: string, quotes = false): string {
  return quotes || mustQuote(text, separator) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Edits rows; writes cells in the style of their columns. */
class CsvEditor {
  readonly #grid: CsvGrid;
  readonly #splices: Splice[] = [];
  /** Whether a column's cells are quoted, by column. */
  readonly #quoting = new Map<number, boolean>();

  constructor(grid: CsvGrid) {
    this.#grid = grid;
  }

  /** Returns the splices of the plan, sorted and without overlaps. */
  apply(plan: SheetPlan): readonly Splice[] {
    for (const [row, cells] of plan.cells) this.#change(row, cells);
    this.#add(plan, this.#remove(plan.removed));
    return sortSplices(this.#splices);
  }

  #change(row: number, cells: ReadonlyMap<number, string>): void {
    const { separator } = this.#grid.header;
    const count = this.#grid.cellCount(row);
    const { end } = this.#grid.rowSpan(row);
    let tail = "";
    let at = count - 1;
    for (const [column, text] of [...cells].sort(([a], [b]) => a - b)) {
      if (column < count) {
        this.#splices.push({ ...this.#grid.span(row, column), text: this.#replacement(row, column, text) });
      } else {
        tail += separator.repeat(column - at) + this.#newCell(column, text);
        at = column;
      }
    }
    if (tail !== "") this.#splices.push({ start: end, end, text: tail });
  }

  /**
   * Removes rows with their line ends. At the end of a file without a final line end, the preceding line end is
   * removed instead. Returns the new end of the text.
   */
  #remove(removed: ReadonlySet<number>): number {
    const text = this.#grid.source;
    let tail = text.length;
    for (const row of [...removed].sort((a, b) => b - a)) {
      const { start, end } = this.#grid.rowSpan(row);
      const isLast = end === tail;
      const from = isLast ? beforeNewline(text, start) : start;
      this.#splices.push({ start: from, end: isLast ? tail : afterNewline(text, end), text: "" });
      if (isLast) tail = from;
    }
    return tail;
  }

  #add({ rows, added }: SheetPlan, tail: number): void {
    const { source: text, header } = this.#grid;
    const newline = text.slice(header.end, header.next) || "\n";
    for (const [index, inserted] of entryInsertions(rows, added, { nearKey: true })) {
      const above = rows[index];
      const end = above === undefined ? header.end : this.#grid.rowSpan(above.row).end;
      const next = afterNewline(text, end);
      const isUnended = next === end || next > tail;
      const start = Math.min(next, tail);
      const lines = inserted.map(({ cells }) => {
        const texts = header.cells.map((_, column) => this.#newCell(column, cells.get(column) ?? ""));
        const line = texts.join(header.separator);
        return isUnended ? newline + line : line + newline;
      });
      this.#splices.push({ start, end: start, text: lines.join("") });
    }
  }

  /** Returns the new content of a cell; one that was quoted needlessly stays quoted. */
  #replacement(row: number, column: number, text: string): string {
    const { separator } = this.#grid.header;
    const isPlain = !mustQuote(this.#grid.text(row, column), separator);
    const isQuoted = isPlain ? this.#grid.isQuoted(row, column) : this.#isQuoting(column);
    return printCell(text, separator, isQuoted);
  }

  #newCell(column: number, text: string): string {
    return printCell(text, this.#grid.header.separator, text !== "" && this.#isQuoting(column));
  }

  /** Whether most cells of the column that need no quotes are quoted. */
  #isQuoting(column: number): boolean {
    return getOrCreate(this.#quoting, column, () => {
      const { header, source, count } = this.#grid;
      let votes = 0;
      for (let row = 0; row < count; row++) {
        const { start, end } = this.#grid.span(row, column);
        if (start === end || mustQuote(this.#grid.text(row, column), header.separator)) continue;
        votes += this.#grid.isQuoted(row, column) ? 1 : -1;
      }
      return votes === 0 ? source[header.cells[column]?.start ?? -1] === '"' : votes > 0;
    });
  }
}

/** Parses a sheet; returns a problem if there is no usable header row. */
function openCsv(
  text: string,
  options: ReadOptions,
): { readonly grid: CsvGrid; readonly columns: SheetColumns } | Problem {
  const header = csvHeader(text, options);
  if (header === null) return { code: "syntax", message: "there is no header row", span: NO_SPAN };
  const titled = columnsOf(header.titles, options);
  const grid = new CsvGrid(text, header);
  const columns =
    typeof titled === "string" ? titled : withoutRowNumbers(titled, header.titles, grid, options);
  if (typeof columns !== "string") return { grid, columns };
  const span = { start: header.cells[0]?.start ?? 0, end: header.end };
  return { code: "syntax", message: columns, span };
}

export const csv: TextFormat = {
  kind: "text",
  name: "csv",
  read(text, options) {
    const sheet = openCsv(text, options);
    if ("code" in sheet) return { entries: [], problems: /^[\r\n]*$/.test(text) ? [] : [sheet] };
    const { grid, columns } = sheet;
    const { entries, problems } = withoutMergeMarks(readSheet(grid, columns, options));
    if (grid.fault === null) return { entries, problems };
    const { message, at } = grid.fault;
    return { entries, problems: [...problems, { code: "syntax", message, span: { start: at, end: at } }] };
  },
  edit(text, changes, options) {
    const sheet = openCsv(text, options);
    if ("code" in sheet || sheet.grid.fault !== null) {
      return { splices: [], refused: refuseAll(changes, "syntax") };
    }
    const { grid, columns } = sheet;
    const titles = missingTitles(grid.header.titles, columns, changes, options);
    const widened = titles.length === 0 ? null : widenCsv(grid, titles);
    if (widened !== null) {
      const { splices, refused } = csv.edit(widened, changes, options);
      return { splices: [{ start: 0, end: text.length, text: applySplices(widened, splices) }], refused };
    }
    const plan = planSheet(grid, columns, changes, options);
    return { splices: new CsvEditor(grid).apply(plan), refused: plan.refused };
  },
  print(entries, options) {
    const like = options.examples?.[0]?.text ?? "";
    const header = csvHeader(like, options);
    const separator = header?.separator ?? ",";
    const newline = fileNewline(like);
    const separatorLine = header === null ? "" : (SEPARATOR_LINE.exec(like)?.[0] ?? "");
    const rows = tableOf(entries, options).map((row) => row.map((cell) => printCell(cell, separator)));
    return separatorLine + rows.map((cells) => cells.join(separator) + newline).join("");
  },
};

/** The conflict markers of a merge, which would otherwise be read as rows. */
const MERGE_MARK = /^(?:<{7} |={7}$|>{7} )/u;

function withoutMergeMarks({ entries, problems }: ReadResult): ReadResult {
  const isMark = ({ key }: Entry): boolean => MERGE_MARK.test(key);
  const first = entries.find((entry) => entry.key.startsWith("<") && isMark(entry));
  if (first === undefined) return { entries, problems };
  const message = "an unfinished merge";
  return {
    entries: entries.filter((entry) => !isMark(entry)),
    problems: [{ code: "syntax", message, span: first.keySpan }, ...problems],
  };
}
