/** Clipboard format of spreadsheets: tab-separated cells, one line per row, quoted if a cell contains tabs or lines. */

/** Parses copied cells. Unpaired quotes are literal. */
export function readCells(copied: string): string[][] {
  const text = copied.replaceAll(/\r\n?/gu, "\n").replace(/\n$/u, "");
  const rows: string[][] = [[]];
  for (let at = 0; at <= text.length;) {
    const quoted = /^"((?:[^"]|"")*)"(?=[\t\n]|$)/u.exec(text.startsWith('"', at) ? text.slice(at) : "");
    const end = quoted === null ? endOf(text, at) : at + quoted[0].length;
    rows.at(-1)?.push(quoted === null ? text.slice(at, end) : (quoted[1] ?? "").replaceAll('""', '"'));
    if (text[end] === "\n") rows.push([]);
    at = end + 1;
  }
  return rows;
}

export function writeCells(rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells) =>
      cells.map((cell) => (/[\t\n"]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t"),
    )
    .join("\n");
}

function endOf(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === "\t" || text[at] === "\n") return at;
  return text.length;
}
