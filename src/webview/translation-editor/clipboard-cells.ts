/** Clipboard format of spreadsheets: tab-separated cells, one line per row, quoted if a cell contains tabs or lines. */

/** Parses copied cells. Unpaired quotes are literal. */
export function readCells(copied: string): string[][] {
  const text = copied.replace(/(?:\r\n?|\n)$/u, "");
  const rows: string[][] = [[]];
  for (let at = 0; at <= text.length;) {
    const quoted = /^"((?:[^"]|"")*)"(?=[\t\r\n]|$)/u.exec(text.startsWith('"', at) ? text.slice(at) : "");
    const end = quoted === null ? endOf(text, at) : at + quoted[0].length;
    rows.at(-1)?.push(quoted === null ? text.slice(at, end) : (quoted[1] ?? "").replaceAll('""', '"'));
    if (end < text.length && text[end] !== "\t") rows.push([]);
    at = end + (text.startsWith("\r\n", end) ? 2 : 1);
  }
  return rows;
}

export function writeCells(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => (isEmptyRow(cells) ? '""' : cells.map(writeCell).join("\t"))).join("\n");
}

function writeCell(cell: string): string {
  return /[\t\r\n"]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A row of one empty cell, which would be an empty line and lost at the end. */
function isEmptyRow(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0] === "";
}

function endOf(text: string, from: number): number {
  const length = text.slice(from).search(/[\t\r\n]/u);
  return length === -1 ? text.length : from + length;
}
