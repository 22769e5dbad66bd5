/**
 * CSV text to cells with their places, as spreadsheets read it: a quote counts only where a cell begins, what
 * stands behind a closing quote belongs to the cell, rows may have any number of cells. Knows no columns.
 */
import type { Span } from "../format.ts";
import { type ColumnOptions, knownTitles } from "./sheet-columns.ts";
import type { CellKind, Grid } from "./sheet-entries.ts";

/** More cells in a row, and more rows, than any spreadsheet program takes. */
const MOST_COLUMNS = 16_384;
const MOST_ROWS = 1_048_576;

const SEPARATORS = [",", ";", "\t"] as const;
const QUOTE = 0x22;
const FEED = 0x0a;
const RETURN = 0x0d;

/** The header row of a CSV file. */
export interface CsvHeader {
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
  const said = /^sep=([^\r\n"])(?:\r\n?|\n|$)/i.exec(text);
  const start = afterBlankLines(text, said?.[0].length ?? 0);
  if (start >= text.length) return null;
  const separators = said?.[1] === undefined ? SEPARATORS : [said[1]];
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
    if (cells.length < MOST_COLUMNS) cells.push({ start: at, end });
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
export function afterLineEnd(text: string, at: number): number {
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
export function cellText(text: string, start: number, end: number): string {
  if (start >= end || text.charCodeAt(start) !== QUOTE) return text.slice(start, end);
  const close = Math.min(closingQuote(text, start), end);
  const inner = text.slice(start + 1, close);
  const said = inner.includes('"') ? inner.replaceAll('""', '"') : inner;
  return close + 1 < end ? said + text.slice(close + 1, end) : said;
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
    if (cells.length >= MOST_COLUMNS) this.fault = { message: "too many columns", at: header.end };
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
      else if (this.count === MOST_ROWS) {
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
