/** Clipboard format of spreadsheets: tab-separated cells, one line per row, quoted if a cell contains tabs or lines. */
import type { Cell } from "./editor-protocol.ts";

/** Returns the text of a spreadsheet cell: the value, or one line per form. */
export function toClipboardText(parts: Cell["parts"]): string {
  return parts.map(({ text }) => text).join("\n");
}

/** Parses copied cells. Unpaired quotes are literal. */
export function readCells(copied: string): string[][] {
  const text = copied.replace(/(?:\r\n?|\n)$/u, "");
  const rows: string[][] = [[]];
  const cell = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|[^\t\r\n]*/uy;
  for (let start = 0; start <= text.length;) {
    cell.lastIndex = start;
    const [written = "", quoted] = cell.exec(text) ?? [];
    const end = start + written.length;
    rows.at(-1)?.push(quoted === undefined ? written : quoted.replaceAll('""', '"'));
    if (end < text.length && text[end] !== "\t") rows.push([]);
    start = end + (text.startsWith("\r\n", end) ? 2 : 1);
  }
  return rows;
}

/** Returns the clipboard text of cells. */
export function writeCells(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => (isEmptyRow(cells) ? '""' : cells.map(writeCell).join("\t"))).join("\n");
}

function writeCell(cell: string): string {
  return /[\t\r\n"]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Returns whether it is a row of one empty cell, which would be an empty line and lost at the end. */
function isEmptyRow(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0] === "";
}
