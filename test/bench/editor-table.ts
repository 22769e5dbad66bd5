/** Prints what the bench in the editor measured: a table for each size, with ratios to the extension that does nothing. */
import type { Cell } from "./editor.ts";

/** Medians over the rounds; errors are named. */
export function printFigures(cells: readonly Cell[]): void {
  for (const [keys, ofSize] of Map.groupBy(cells, ({ size }) => size.keys)) {
    const names = [...new Set(ofSize.map(({ name }) => name))];
    const [floor] = names;
    const load = Math.max(...ofSize.map((cell) => cell.load)).toFixed(1);
    console.log(
      `\n${keys} keys, ${ofSize[0]?.size.sourceFiles} source files (load of the machine up to ${load})`,
    );
    const figures = [...new Set(ofSize.flatMap((cell) => Object.keys(cell.figures)))];
    const rows = [["", ...names, ...names.slice(1).map((name) => `${name} / ${floor}`)]];
    for (const figure of figures) {
      const of = (name: string): number | null =>
        medianOf(ofSize.filter((cell) => cell.name === name).map((cell) => cell.figures[figure]));
      const all = names.map(of);
      const [first] = all;
      const ratios = all.slice(1).map((each) => (each && first ? (each / first).toFixed(2) : ""));
      if (all.some((each) => each !== null)) rows.push([figure, ...all.map(shown), ...ratios]);
    }
    const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
    for (const row of rows) {
      const cellsOfRow = row.map((cell, at) =>
        at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      );
      console.log(cellsOfRow.join("  "));
    }
    for (const { name, figures: said } of ofSize) {
      if (said["error"] !== undefined) console.log(`${name}: ${said["error"]}`);
    }
  }
}

function medianOf(figures: readonly unknown[]): number | null {
  const numbers = figures.filter((figure) => typeof figure === "number").sort((a, b) => a - b);
  return numbers[numbers.length >> 1] ?? null;
}

function shown(figure: number | null): string {
  if (figure === null) return "-";
  return Math.abs(figure) >= 100 ? String(Math.round(figure)) : figure.toFixed(1);
}
