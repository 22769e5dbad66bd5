/**
 * One sheet's XML row by row and cell by cell, in one pass, and what a cell says. Keeps nothing of what it passed.
 */
import { runsText, type SharedStrings } from "./xlsx-values.ts";
import { cellXmlText, XmlTags, xmlText } from "./xlsx-xml.ts";

/** Columns and rows of the largest sheet that there is. */
export const MOST_COLUMNS = 16_384;
const MOST_ROWS = 1_048_576;
/** What a cell's `t` and style say of its content. */
export const EMPTY = 0;
const SHARED = 1;
const INLINE = 2;
const STRING = 3;
const NUMBER = 4;
const BOOLEAN = 5;
export const UNKNOWN = 6;
export const FORMULA = 8;

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
  return column > MOST_COLUMNS ? -1 : column - 1;
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
export interface Passed {
  column: number;
  start: number;
  end: number;
  type: number;
  /** The content of `v`, or the whole `is`. */
  from: number;
  to: number;
}

/** Goes through the rows and cells of a sheet. */
export class SheetScan {
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
      const said = Number(tags.attribute("r") ?? "");
      this.number = Number.isInteger(said) && said > 0 && said <= MOST_ROWS ? said : this.number + 1;
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
    for (tags.attributeEnd = tags.nameEnd; tags.nextAttribute();) {
      const { xml, attributeName, attributeNameEnd, valueStart, attributeEnd } = tags;
      const value = xml.slice(valueStart, attributeEnd - 1);
      if (attributeNameEnd - attributeName === 1) {
        const name = xml[attributeName];
        if (name === "r") cell.column = columnOf(value);
        else if (name === "s") style = Number(value);
        else if (name === "t") type = value;
        // The cell has a value of another kind beside the one that is shown (ECMA-376 § 18.3.1.4).
      } else if (xml.startsWith("vm", attributeName) && attributeNameEnd - attributeName === 2)
        isStrange = true;
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
export function textOf(xml: string, type: number, from: number, to: number, sources: SheetSources): string {
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
      const said = xmlText(xml, from, to).trim();
      const number = Number(said);
      return said !== "" && Number.isFinite(number) ? String(number) : said;
    }
    case BOOLEAN:
      return xmlText(xml, from, to).trim() === "1" ? "TRUE" : "FALSE";
    default:
      return "";
  }
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
