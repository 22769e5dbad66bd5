/** The order that names in a file are sorted in, and where a new one belongs. */
import type { EntryName } from "../format.ts";

/** Fewer names than this may be in order by chance. */
export const SORTED_FROM = 3;

export type Compare<Value = string> = (a: Value, b: Value) => number;

export const byCodeUnits: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Whether no value comes before the one that precedes it. */
export function isSorted<Value>(values: readonly Value[], compare: Compare<Value>): boolean {
  return values.every((value, index) => index === 0 || compare(values[index - 1] as Value, value) <= 0);
}

/** Returns the index of the last value for which the condition, which holds up to some value, holds; or -1. */
export function lastIndexWhere<Value>(
  values: readonly Value[],
  condition: (value: Value) => boolean,
): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(values[middle] as Value)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

type Named = Omit<EntryName, "locale">;

/** Dots beyond this number are ignored when looking for a key's neighbours. */
const MAX_DOTS = 8;

const COMPARERS: readonly Compare[] = [
  byCodeUnits,
  (a, b) => byCodeUnits(a.toLowerCase(), b.toLowerCase()),
  new Intl.Collator("en").compare,
];

/**
 * Returns the new entries to insert after each index of `entries` (`-1`: before all), in order. A file sorted by
 * namespace and key, or by key alone, stays sorted; otherwise an entry is inserted at the end, or with `nearKey` after
 * the last one of its namespace that shares the most leading key segments.
 */
export function insertionsByIndex<New extends Named>(
  entries: readonly Named[],
  added: readonly New[],
  { nearKey }: { readonly nearKey: boolean },
): ReadonlyMap<number, readonly New[]> {
  if (added.length === 0) return new Map();
  const compare = sortOrderOf(entries);
  if (compare !== null) {
    return Map.groupBy(added.toSorted(compare), (entry) =>
      lastIndexWhere(entries, (other) => compare(other, entry) <= 0),
    );
  }
  const neighbours = nearKey ? neighboursOf(entries) : new Map<string, number>();
  return Map.groupBy(added, (entry) => nearest(neighbours, entry, entries.length - 1));
}

function sortOrderOf(entries: readonly Named[]): Compare<Named> | null {
  if (entries.length < SORTED_FROM) return null;
  const orders = COMPARERS.flatMap((compare): readonly Compare<Named>[] => {
    const byKey: Compare<Named> = (a, b) =>
      compare(a.key, b.key) || compare(a.context ?? "", b.context ?? "");
    return [(a, b) => compare(a.namespace ?? "", b.namespace ?? "") || byKey(a, b), byKey];
  });
  return orders.find((order) => isSorted(entries, order)) ?? null;
}

/** Returns the index of the last row for each namespace, and for each key prefix in it. */
function neighboursOf(entries: readonly Named[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const [index, entry] of entries.entries()) for (const head of headsOf(entry)) last.set(head, index);
  return last;
}

function nearest(neighbours: ReadonlyMap<string, number>, entry: Named, end: number): number {
  const head = headsOf(entry).findLast((each) => neighbours.has(each));
  return neighbours.get(head ?? "") ?? end;
}

/** Returns the namespace, then successively longer prefixes of the key. */
function headsOf({ namespace, key }: Named): string[] {
  const heads = [`${namespace ?? ""}\u0004`];
  let dot = key.indexOf(".");
  for (let count = 0; dot >= 0 && count < MAX_DOTS; count++) {
    heads.push(`${namespace ?? ""}\u0004${key.slice(0, dot + 1)}`);
    dot = key.indexOf(".", dot + 1);
  }
  return heads;
}
