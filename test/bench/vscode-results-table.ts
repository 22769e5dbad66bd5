/**
 * Prints what the bench in the editor measured: a table for each size, with ratios to the extension that does nothing and
 * to the peer, and one for each extension that says by what its costs grow with the size.
 */
import { NOTHING, OURS } from "./peer-adapter.ts";
import type { Cell } from "./vscode-bench.ts";
import type { Figures } from "./vscode-task-options.ts";

/** A median over the rounds; `isCut`: at least so much, it was not waited for any longer. */
interface Figure {
  readonly value: number;
  readonly isCut: boolean;
}

/** What went wrong, with the task it went wrong in. */
export function failuresIn(figures: Figures): readonly string[] {
  return Object.entries(figures)
    .filter(([name]) => name.endsWith("went wrong"))
    .map(([name, why]) => `${name}: ${why}`);
}

/** Medians over the rounds and their ratios; what went wrong is named. */
export function printFigures(cells: readonly Cell[]): void {
  for (const [keys, ofSize] of Map.groupBy(cells, ({ size }) => size.keys)) {
    const names = namesIn(ofSize);
    const load = Math.max(...ofSize.map((cell) => cell.load)).toFixed(1);
    console.log(
      `\n${keys} keys, ${ofSize[0]?.size.sourceFiles} source files (load of the machine up to ${load})`,
    );
    const pairs = ratiosOf(names);
    const rows = [["", ...names, ...pairs.map((pair) => pair.join(" / "))]];
    for (const figure of figuresIn(ofSize)) {
      const of = (name: string): Figure | null => figureOf(ofSize, name, figure);
      const ratios = pairs.map(([above, below]) => ratio(of(above), of(below)));
      rows.push([figure, ...names.map((name) => shown(of(name))), ...ratios]);
    }
    print(rows);
    for (const { name, figures } of ofSize)
      for (const trouble of failuresIn(figures)) console.log(`${name}: ${trouble}`);
  }
}

/** How each cost of each extension grows from size to size; nothing when there is but one. */
export function printGrowth(cells: readonly Cell[]): void {
  const sizes = [...new Map(cells.map(({ size }) => [size.keys, size])).values()].sort(
    (a, b) => a.keys - b.keys,
  );
  const steps = sizes.slice(1).map((larger, at) => [sizes[at] ?? larger, larger] as const);
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (steps.length > 1 && first !== undefined && last !== undefined) steps.push([first, last]);
  if (steps.length === 0) return;
  for (const name of namesIn(cells)) {
    console.log(`\nHow the costs of ${name} grow`);
    const rows = [
      ["", ...sizes.map(({ keys }) => `${keys}`), ...steps.map(([a, b]) => `${a.keys} to ${b.keys}`)],
      ["keys", ...sizes.map(({ keys }) => `${keys}`), ...steps.map(([a, b]) => times(b.keys / a.keys))],
      [
        "source files",
        ...sizes.map(({ sourceFiles }) => `${sourceFiles}`),
        ...steps.map(([a, b]) => times(b.sourceFiles / a.sourceFiles)),
      ],
    ];
    for (const figure of figuresIn(cells.filter((cell) => cell.name === name))) {
      if (!/\((?:ms|MB)\)$/.test(figure)) continue;
      const at = (keys: number): Figure | null =>
        figureOf(
          cells.filter(({ size }) => size.keys === keys),
          name,
          figure,
        );
      const growths = steps.map(([a, b]) => ratio(at(b.keys), at(a.keys), "× "));
      rows.push([figure, ...sizes.map(({ keys }) => shown(at(keys))), ...growths]);
    }
    print(rows);
  }
}

const namesIn = (cells: readonly Cell[]): readonly string[] => [...new Set(cells.map(({ name }) => name))];

/** Those with a number somewhere, in the order in which they were measured. */
function figuresIn(cells: readonly Cell[]): readonly string[] {
  const numbers = cells.flatMap(({ figures }) =>
    Object.keys(figures).filter((name) => typeof figures[name] === "number" && !name.endsWith(": cut")),
  );
  return [...new Set(numbers)];
}

/** Everything to what does nothing, and this extension to the peer. */
function ratiosOf(names: readonly string[]): readonly (readonly [string, string])[] {
  const others = names.filter((name) => name !== NOTHING.name);
  const peers = others.filter((name) => name !== OURS.name);
  return [
    ...(names.includes(NOTHING.name) ? others.map((name) => [name, NOTHING.name] as const) : []),
    ...(names.includes(OURS.name) ? peers.map((name) => [OURS.name, name] as const) : []),
  ];
}

function figureOf(cells: readonly Cell[], name: string, figure: string): Figure | null {
  const its = cells.filter((cell) => cell.name === name).map(({ figures }) => figures);
  const numbers = its.map((figures) => figures[figure]).filter((value) => typeof value === "number");
  const value = numbers.sort((a, b) => a - b)[numbers.length >> 1];
  if (value === undefined) return null;
  const [part = ""] = figure.split(": ");
  return { value, isCut: its.some((figures) => figures[`${part}: cut`] !== undefined) };
}

/** With a sign before it where one of the two was cut. */
function ratio(above: Figure | null, below: Figure | null, before = ""): string {
  if (above === null || below === null || !(below.value > 0)) return "";
  if (above.isCut && below.isCut) return "?";
  const sign = above.isCut ? ">" : below.isCut ? "<" : "";
  return `${sign}${before}${(above.value / below.value).toFixed(2)}`;
}

const times = (factor: number): string => `× ${factor.toFixed(2)}`;

function shown(figure: Figure | null): string {
  if (figure === null) return "-";
  const { value, isCut } = figure;
  return `${isCut ? ">" : ""}${Math.abs(value) >= 100 ? Math.round(value) : value.toFixed(1)}`;
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  for (const row of rows) {
    const cells = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    console.log(cells.join("  "));
  }
}
