/** Where a new row of a spreadsheet goes: sorted sheets stay sorted, others keep what belongs together together. */
import type { AddedRow } from "./sheet-plan.ts";

type Named = Pick<AddedRow, "namespace" | "key" | "context">;
type Compare = (a: string, b: string) => number;

/** How many rows must stand in order before that counts as sorted and not as chance. */
const SORTED_FROM = 3;
/** Dots of a key beyond these do not tell neighbours apart. */
const MOST_DOTS = 8;

const COMPARERS: readonly Compare[] = [
  byCodeUnit,
  (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase()),
  new Intl.Collator("en").compare,
];

/**
 * For each index of `rows` the new rows that go behind it (`-1`: before all), in their order. A sheet in order of
 * namespace and key, or of key alone, stays so; elsewhere a row goes behind the last of its namespace that shares
 * the most leading segments of the key.
 */
export function placeRows<Row extends Named>(
  rows: readonly Named[],
  added: readonly Row[],
): ReadonlyMap<number, readonly Row[]> {
  const places = new Map<number, Row[]>();
  if (added.length === 0) return places;
  const compare = comparerOf(rows);
  const neighbours = compare === null ? neighboursOf(rows) : new Map<string, number>();
  for (const row of added) {
    const index =
      compare === null ? nearest(neighbours, row, rows.length - 1) : lastNotAbove(rows, row, compare);
    const list = places.get(index);
    if (list === undefined) places.set(index, [row]);
    else list.push(row);
  }
  if (compare !== null) for (const list of places.values()) list.sort(compare);
  return places;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparerOf(rows: readonly Named[]): ((a: Named, b: Named) => number) | null {
  if (rows.length < SORTED_FROM) return null;
  for (const compare of COMPARERS) {
    const byKey = (a: Named, b: Named): number =>
      compare(a.key, b.key) || compare(a.context ?? "", b.context ?? "");
    const byName = (a: Named, b: Named): number =>
      compare(a.namespace ?? "", b.namespace ?? "") || byKey(a, b);
    for (const order of [byName, byKey]) {
      const isSorted = rows.every((row, index) => {
        const before = rows[index - 1];
        return before === undefined || order(before, row) <= 0;
      });
      if (isSorted) return order;
    }
  }
  return null;
}

function lastNotAbove(rows: readonly Named[], row: Named, compare: (a: Named, b: Named) => number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = rows[middle];
    if (other !== undefined && compare(other, row) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The last row of each namespace, and of each leading part of a key in it. */
function neighboursOf(rows: readonly Named[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const [index, row] of rows.entries()) for (const head of headsOf(row)) last.set(head, index);
  return last;
}

function nearest(neighbours: ReadonlyMap<string, number>, row: Named, end: number): number {
  for (const head of headsOf(row).toReversed()) {
    const index = neighbours.get(head);
    if (index !== undefined) return index;
  }
  return end;
}

/** The namespace, then longer and longer leading parts of the key. */
function headsOf({ namespace, key }: Named): string[] {
  const heads = [`${namespace ?? ""}\u0004`];
  let dot = key.indexOf(".");
  for (let count = 0; dot >= 0 && count < MOST_DOTS; count++) {
    heads.push(`${namespace ?? ""}\u0004${key.slice(0, dot + 1)}`);
    dot = key.indexOf(".", dot + 1);
  }
  return heads;
}
