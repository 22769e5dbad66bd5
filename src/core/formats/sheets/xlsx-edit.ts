/**
 * Changes in a sheet's XML: changed cells become inline strings and keep their style, new rows come behind the last
 * one that has anything in it. Everything else keeps its bytes.
 */
import { applySplices } from "../edit.ts";
import type { Splice } from "../format.ts";
import type { SheetPlan } from "./sheet-plan.ts";
import { escapeCell, XmlTags } from "./xlsx-xml.ts";
import { columnOf, lettersOf, rangeOf, type RowElement } from "./xlsx-scan.ts";
import type { SheetGrid } from "./xlsx-sheet.ts";
import { isPlainSheet, withoutRows } from "./xlsx-rows.ts";

/**
 * The sheet's XML after the plan. `isAlone`: nothing outside of the sheet refers to its rows, so that a removed one
 * may close up; else it is emptied.
 */
export function editSheet(grid: SheetGrid, plan: SheetPlan, isAlone: boolean): string {
  const editor = new SheetEditor(grid);
  for (const [row, cells] of plan.cells) editor.change(grid.element(row), cells, null);
  const isShifting = isAlone && plan.removed.size > 0 && isPlainSheet(grid);
  if (!isShifting) for (const row of plan.removed) editor.empty(grid.element(row));
  for (const { cells } of plan.added) editor.add(cells);
  const edited = editor.finish();
  const numbers = new Set([...plan.removed].map((row) => grid.element(row).number));
  return isShifting ? withoutRows(edited, numbers) : edited;
}

/** A cell that stands in a row. */
interface CellElement {
  readonly column: number;
  readonly start: number;
  readonly open: number;
  readonly end: number;
}

class SheetEditor {
  readonly #grid: SheetGrid;
  readonly #xml: string;
  readonly #splices: Splice[] = [];
  /** Whole new rows, which go behind the last one. */
  #added = "";
  #bottom = 0;
  #right = -1;
  #next: number;
  #columnStyles: readonly (readonly [first: number, last: number, style: string])[] | null = null;

  constructor(grid: SheetGrid) {
    this.#grid = grid;
    this.#xml = grid.xml;
    this.#next = Math.max(grid.lastFull, grid.lastMerged) + 1;
  }

  finish(): string {
    const { behindRows } = this.#grid;
    if (this.#added !== "") this.#splices.push({ start: behindRows, end: behindRows, text: this.#added });
    this.#growDimension();
    return applySplices(
      this.#xml,
      this.#splices.sort((a, b) => a.start - b.start || a.end - b.end),
    );
  }

  /** New texts of a row's cells; `above`: the row whose styles a cell without its own takes. */
  change(row: RowElement, cells: ReadonlyMap<number, string>, above: RowElement | null): void {
    const tags = this.#tagsOf(row);
    const present = this.#cellsOf(row);
    const byColumn = new Map(present.map((cell) => [cell.column, cell]));
    for (const [column, text] of [...cells].sort(([a], [b]) => a - b)) {
      const cell = byColumn.get(column);
      if (cell !== undefined) {
        this.#splices.push({ start: cell.start, end: cell.end, text: this.#rewritten(cell, text) });
        continue;
      }
      if (text === "") continue;
      const at = present.find((other) => other.column > column)?.start ?? row.close;
      const style =
        (above === null ? null : this.#styleIn(above, column)) ?? this.#defaultStyle(tags, column);
      this.#splices.push({
        start: at,
        end: at,
        text: newCell(tags.prefix(), column, row.number, style, text),
      });
      this.#reach(row.number, column);
      const spans = tags.attributeSpan("spans");
      const [first = 1, last = 0] = (tags.attribute("spans") ?? "").split(":").map(Number);
      // A hint of where cells stand, which no longer holds.
      if (spans !== null && (column + 1 < first || column + 1 > last)) {
        if (!this.#splices.some(({ start }) => start === spans.start)) {
          this.#splices.push({ start: spans.start, end: spans.end, text: "" });
        }
      }
    }
  }

  /** All of a row's cells lose their content. */
  empty(row: RowElement): void {
    for (const cell of this.#cellsOf(row)) {
      this.#splices.push({ start: cell.start, end: cell.end, text: this.#rewritten(cell, "") });
    }
  }

  /** A new row, in the place of an empty one if such rows stand behind the last. */
  add(cells: ReadonlyMap<number, string>): void {
    const grid = this.#grid;
    const number = this.#next++;
    const above = grid.count === 0 ? null : this.#lastRow();
    const empty = grid.tail.find((row) => row.number === number);
    // An element of two tags has them both, even with nothing between.
    if (empty !== undefined && !this.#tagsOf(empty).isEmpty) {
      this.change(empty, cells, above);
      return;
    }
    const tags = this.#tagsOf(above ?? empty ?? this.#headerRow());
    const prefix = tags.prefix();
    const ownStyle = above === null || tags.attribute("customFormat") !== "1" ? null : tags.attribute("s");
    const row = [...cells]
      .sort(([a], [b]) => a - b)
      .map(([column, text]) => {
        const style = (above === null ? null : this.#styleIn(above, column)) ?? this.#columnStyle(column);
        this.#reach(number, column);
        return newCell(prefix, column, number, style, text);
      });
    const format = ownStyle === null ? "" : ` s="${escapeCell(ownStyle)}" customFormat="1"`;
    const text = `<${prefix}row r="${number}"${format}>${row.join("")}</${prefix}row>`;
    if (empty !== undefined) this.#splices.push({ start: empty.start, end: empty.open, text });
    else if (grid.tail.some((other) => other.number > number)) this.#insertBefore(number, text);
    else this.#added += text;
  }

  #insertBefore(number: number, text: string): void {
    const start = this.#grid.tail.find((row) => row.number > number)?.start ?? this.#grid.behindRows;
    this.#splices.push({ start, end: start, text });
  }

  /** The last row that has anything in it, among those with kept cells. */
  #lastRow(): RowElement | null {
    const grid = this.#grid;
    for (let row = grid.count - 1; row >= 0; row--) {
      const element = grid.element(row);
      if (element.number <= grid.lastFull) return element;
    }
    return null;
  }

  /** The first row of the sheet, for its prefix. */
  #headerRow(): RowElement {
    const tags = new XmlTags(this.#xml);
    while (tags.next() && !tags.isOpen("row"));
    return { number: 1, start: tags.start, open: tags.end, close: tags.end };
  }

  #tagsOf(element: { readonly start: number }): XmlTags {
    const tags = new XmlTags(this.#xml, element.start);
    tags.next();
    return tags;
  }

  #cellsOf(row: RowElement): CellElement[] {
    const cells: CellElement[] = [];
    let column = -1;
    for (const tags = new XmlTags(this.#xml, row.open); tags.end < row.close && tags.next();) {
      if (!tags.isOpen("c")) {
        tags.skip();
        continue;
      }
      const reference = tags.attribute("r");
      column = reference === null ? column + 1 : columnOf(reference);
      const { start, end: open } = tags;
      tags.skip();
      cells.push({ column, start, open, end: tags.end });
    }
    return cells;
  }

  /** The cell with another text: its attributes stay, but for those that say how its content is to be read. */
  #rewritten({ start, open }: CellElement, text: string): string {
    const tags = this.#tagsOf({ start });
    const dropped = ["t", "cm", "vm", "ph"].flatMap((name) => tags.attributeSpan(name) ?? []);
    const splices = dropped
      .sort((a, b) => a.start - b.start)
      .map((span) => ({ start: span.start - start, end: span.end - start, text: "" }));
    const tag = applySplices(this.#xml.slice(start, open), splices);
    const head = tag.slice(0, tag.length - (tags.isEmpty ? 2 : 1)).trimEnd();
    return head + content(tags.prefix(), text);
  }

  #styleIn(row: RowElement, column: number): string | null {
    const cell = this.#cellsOf(row).find((each) => each.column === column);
    return cell === undefined ? null : this.#tagsOf(cell).attribute("s");
  }

  #defaultStyle(row: XmlTags, column: number): string | null {
    return row.attribute("customFormat") === "1" ? row.attribute("s") : this.#columnStyle(column);
  }

  #columnStyle(column: number): string | null {
    this.#columnStyles ??= columnStyles(this.#xml);
    return this.#columnStyles.find(([first, last]) => first <= column && column <= last)?.[2] ?? null;
  }

  #reach(row: number, column: number): void {
    this.#bottom = Math.max(this.#bottom, row);
    this.#right = Math.max(this.#right, column);
  }

  #growDimension(): void {
    const tags = new XmlTags(this.#xml);
    while (tags.next() && !tags.isOpen("dimension")) if (tags.isOpen("sheetData")) return;
    const span = tags.attributeSpan("ref");
    const range = rangeOf(tags.attribute("ref") ?? "");
    if (span === null || range === null) return;
    const right = Math.max(range.right, this.#right);
    const bottom = Math.max(range.bottom, this.#bottom);
    if (right === range.right && bottom === range.bottom) return;
    const text = `${lettersOf(range.left)}${range.top}:${lettersOf(right)}${bottom}`;
    this.#splices.push({ start: span.valueStart, end: span.end - 1, text });
  }
}

/** A cell's `>` and what follows it. */
function content(prefix: string, text: string): string {
  if (text === "") return "/>";
  const space = text.trim() === text ? "" : ' xml:space="preserve"';
  return ` t="inlineStr"><${prefix}is><${prefix}t${space}>${escapeCell(text)}</${prefix}t></${prefix}is></${prefix}c>`;
}

function newCell(prefix: string, column: number, row: number, style: string | null, text: string): string {
  const styled = style === null ? "" : ` s="${escapeCell(style)}"`;
  return `<${prefix}c r="${lettersOf(column)}${row}"${styled}${content(prefix, text)}`;
}

function columnStyles(xml: string): (readonly [number, number, string])[] {
  const styles: (readonly [number, number, string])[] = [];
  for (const tags = new XmlTags(xml); tags.next() && !tags.isOpen("sheetData");) {
    const style = tags.isOpen("col") ? tags.attribute("style") : null;
    if (style === null) continue;
    styles.push([Number(tags.attribute("min")) - 1, Number(tags.attribute("max")) - 1, style]);
  }
  return styles;
}
