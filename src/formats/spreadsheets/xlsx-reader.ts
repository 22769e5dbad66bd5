/**
 * Reads a sheet's XML in a single pass by rows and cells: the cells of the relevant columns with their ranges, and
 * what is needed to insert others next to them.
 */
import { getOrCreate } from "../../util/maps.ts";
import { NO_SPAN } from "../format.ts";
import { type CellKind, type Grid, MAX_COLUMNS, MAX_ROWS } from "./sheet-entries.ts";
import { runsText } from "./xlsx-package.ts";
import { cellXmlText, XmlTags, xmlText } from "./xlsx-xml.ts";
import type { Span } from "../../util/span.ts";

/** What cells refer to in other parts. */
export interface SheetSources {
  readonly strings: readonly string[];
  /** For each cell style, whether it formats numbers as dates or times. */
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

/** Returns `null` if it is not a valid range. */
export function rangeOf(reference: string): Range | null {
  const match = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})(?::\$?([A-Za-z]{1,3})\$?(\d{1,7}))?$/.exec(reference);
  if (match === null) return null;
  const [, first = "", top = "", last = first, bottom = top] = match;
  const range = { left: columnOf(first), top: Number(top), right: columnOf(last), bottom: Number(bottom) };
  return range.left < 0 || range.right < range.left || range.bottom < range.top ? null : range;
}

/** A cell element. */
interface CellElement {
  readonly column: number;
  /** `unknown`: not a text, but for example a date. */
  readonly kind: Exclude<CellKind, "covered">;
  /** Empty if the text of the column is not needed. */
  readonly text: string;
}

/** A row element with its cells. */
interface RowElement {
  readonly number: number;
  readonly cells: readonly CellElement[];
}

/** Reads the rows of a sheet. */
class SheetScan {
  readonly tags: XmlTags;
  readonly #sources: SheetSources;
  readonly #columns: ReadonlySet<number> | null;
  #number = 0;

  /** @param columns those whose texts are needed; `null`: all */
  constructor(tags: XmlTags, sources: SheetSources, columns: ReadonlySet<number> | null) {
    this.tags = tags;
    this.#sources = sources;
    this.#columns = columns;
  }

  /** Returns the next row with its cells; `null` after the last one. */
  nextRow(): RowElement | null {
    const { tags } = this;
    while (tags.nextTag() && !(tags.isClose && tags.is("sheetData"))) {
      if (!tags.isOpen("row")) continue;
      const stated = Number(tags.attribute("r"));
      const isValid = Number.isInteger(stated) && stated > 0 && stated <= MAX_ROWS;
      this.#number = isValid ? stated : this.#number + 1;
      return { number: this.#number, cells: tags.isEmpty ? [] : this.#cells() };
    }
    return null;
  }

  /** Reads the cells up to the end of the row. */
  #cells(): readonly CellElement[] {
    const { tags } = this;
    const cells: CellElement[] = [];
    while (tags.nextTag() && !(tags.isClose && tags.is("row"))) {
      if (tags.isOpen("c")) cells.push(this.#cell((cells.at(-1)?.column ?? -1) + 1));
      else tags.skip();
    }
    return cells;
  }

  #cell(defaultColumn: number): CellElement {
    const { tags } = this;
    let column = defaultColumn;
    let type = "n";
    // The first style, unless another is stated.
    let style = "0";
    let isFormula = false;
    let isUnknown = false;
    let text = "";
    for (const attribute of tags.attributes) {
      const name = tags.attributeName(attribute);
      if (name === "r") column = columnOf(tags.rawValue(attribute));
      else if (name === "s") style = tags.rawValue(attribute);
      else if (name === "t") type = tags.rawValue(attribute);
      // The cell has another value besides the one displayed (ECMA-376 § 18.3.1.4).
      else if (name === "vm") isUnknown = true;
    }
    const isNeeded = this.#columns === null || this.#columns.has(column);
    if (!tags.isEmpty) {
      while (tags.nextTag() && !(tags.isClose && tags.is("c"))) {
        if (tags.isClose) continue;
        if (tags.is("v")) {
          const from = tags.end;
          const to = tags.skip();
          if (to === from) continue;
          if (type === "n" ? this.#sources.dates[Number(style)] === true : !VALUE_TYPES.has(type))
            isUnknown = true;
          else if (isNeeded) text = this.#valueText(type, from, to);
        } else if (tags.is("is")) {
          if (isNeeded) text = runsText(tags);
          else tags.skip();
        } else {
          if (tags.is("f")) isFormula = true;
          tags.skip();
        }
      }
    }
    const kind = isFormula ? "formula" : isUnknown ? "unknown" : "text";
    return { column, kind, text: isUnknown ? "" : text };
  }

  /** Returns the text of a value by the `t` attribute of its cell. */
  #valueText(type: string, from: number, to: number): string {
    const xml = this.tags.text;
    if (type === "str" || type === "inlineStr") return cellXmlText(xml, from, to);
    const value = xmlText(xml, from, to).trim();
    if (type === "s") return this.#sources.strings[Number(value)] ?? "";
    if (type === "b") return value === "1" ? "TRUE" : "FALSE";
    const number = Number(value);
    return value !== "" && Number.isFinite(number) ? String(number) : value;
  }
}

/** The types of values with a text; `n`, the default, may be a date. */
const VALUE_TYPES: ReadonlySet<string> = new Set(["n", "s", "str", "inlineStr", "b"]);

/** Starts reading the rows of a sheet. */
function scanSheet(xml: string, sources: SheetSources, columns: ReadonlySet<number> | null): SheetScan {
  const tags = new XmlTags(xml);
  while (tags.nextTag() && !tags.isOpen("sheetData"));
  return new SheetScan(tags, sources, columns);
}

/** Returns the first row with any text: its titles by column, and its number. `null` if the sheet has no text. */
export function sheetHeader(
  xml: string,
  sources: SheetSources,
): { readonly titles: readonly string[]; readonly number: number } | null {
  const scan = scanSheet(xml, sources, null);
  for (let row = scan.nextRow(); row !== null; row = scan.nextRow()) {
    const titles: string[] = [];
    for (const { column, text } of row.cells) {
      if (column < 0 || text === "") continue;
      while (titles.length < column) titles.push("");
      titles[column] = text;
    }
    if (titles.length > 0) return { titles, number: row.number };
  }
  return null;
}

/** Maximum number of rows of merged cells that are indexed one by one. */
const MAX_MERGED = 1_000_000;

/** The rows below the header that have a cell in one of the relevant columns. */
export class SheetGrid implements Grid {
  readonly name: string;
  /** Whether the XML is incomplete or cannot be trusted. */
  readonly isBroken: boolean;
  readonly rows: RowElement[] = [];
  readonly #merged = new Map<number, Range[]>();
  #indexes: Map<number, number> | null = null;
  #isAllMerged = false;

  /** @param columns the relevant columns, whose cells are stored */
  constructor(
    name: string,
    xml: string,
    headerRow: number,
    columns: ReadonlySet<number>,
    sources: SheetSources,
  ) {
    this.name = name;
    const scan = scanSheet(xml, sources, columns);
    let isBelow = false;
    for (let row = scan.nextRow(); row !== null; row = scan.nextRow()) {
      const cells = row.cells.filter(({ column }) => columns.has(column));
      if (isBelow && cells.length > 0) this.rows.push({ number: row.number, cells });
      isBelow ||= row.number === headerRow;
    }
    this.#readMerged(scan.tags);
    this.isBroken = scan.tags.broken;
  }

  #readMerged(tags: XmlTags): void {
    let budget = MAX_MERGED;
    while (tags.nextTag()) {
      if (!tags.isOpen("mergeCell")) continue;
      const range = rangeOf(tags.attribute("ref") ?? "");
      if (range === null) continue;
      budget -= range.bottom - range.top + 1;
      this.#isAllMerged ||= budget < 0;
      if (this.#isAllMerged) continue;
      for (let row = range.top; row <= range.bottom; row++) {
        getOrCreate(this.#merged, row, () => []).push(range);
      }
    }
  }

  get count(): number {
    return this.rows.length;
  }

  #number(row: number): number {
    return this.rows[row]?.number ?? 0;
  }

  #cell(row: number, column: number): CellElement | undefined {
    return this.rows[row]?.cells.find((cell) => cell.column === column);
  }

  /** A cell covered by the one above it has that cell's text. */
  text(row: number, column: number): string {
    const range = this.#rangeOver(row, column);
    if (range === undefined) return this.#cell(row, column)?.text ?? "";
    if (range.left !== range.right) return "";
    this.#indexes ??= new Map(this.rows.map(({ number }, index) => [number, index]));
    const top = this.#indexes.get(range.top);
    return (top === undefined ? undefined : this.#cell(top, column)?.text) ?? "";
  }

  kind(row: number, column: number): CellKind {
    if (this.#isAllMerged || this.#rangeOver(row, column) !== undefined) return "covered";
    return this.#cell(row, column)?.kind ?? "text";
  }

  /** Returns the merged range that covers the cell and starts in another one. */
  #rangeOver(row: number, column: number): Range | undefined {
    if (this.#merged.size === 0) return undefined;
    const number = this.#number(row);
    return this.#merged
      .get(number)
      ?.find(
        ({ left, right, top }) => left <= column && column <= right && (left !== column || top !== number),
      );
  }

  contentSpan(): Span {
    return NO_SPAN;
  }

  span(): Span {
    return NO_SPAN;
  }

  address(row: number, column: number): string {
    return `${this.name}!${lettersOf(column)}${this.#number(row)}`;
  }
}
