/** The order that names in a file are sorted in, and where new ones are inserted. */
import type { EntryName } from "../format.ts";

type Compare<Value> = (a: Value, b: Value) => number;

/** Fewer names than this may be in order by chance. */
const MIN_SORTED_NAMES = 3;

const byCodeUnits: Compare<string> = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Common sort orders of names, the strictest first; they differ in whether case, dots and numbers matter. */
const NAME_ORDERS: readonly Compare<string>[] = [
  byCodeUnits,
  (a, b) => byCodeUnits(a.toLowerCase(), b.toLowerCase()),
  (a, b) => byCodeUnits(a.replaceAll(".", "\0"), b.replaceAll(".", "\0")),
  new Intl.Collator("en").compare,
  new Intl.Collator("en", { numeric: true }).compare,
  new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true }).compare,
];

/** Returns the first of the orders in which the values are sorted; `null` if there is none. */
function orderOf<Value>(values: readonly Value[], orders: readonly Compare<Value>[]): Compare<Value> | null {
  if (values.length < MIN_SORTED_NAMES) return null;
  const isSortedBy = (compare: Compare<Value>): boolean =>
    values.every((value, index) => index === 0 || compare(values[index - 1] as Value, value) <= 0);
  return orders.find(isSortedBy) ?? null;
}

/** Returns the sort order of the names; `null` if they are not sorted. */
export function nameOrderOf(names: readonly string[]): Compare<string> | null {
  return orderOf(names, NAME_ORDERS);
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

/** New values with the index of the existing one that they follow, in order; -1: before all. */
export type Insertions<New> = readonly (readonly [index: number, added: readonly New[]])[];

/** What determines where a new value is inserted. */
interface InsertionRules<Old, New> {
  /** The order of the existing values; `null`: they are not sorted. */
  readonly order: Compare<Old> | null;
  /** Returns prefixes of the name, the shortest first. */
  readonly prefixesOf: (value: Old) => readonly string[];
  /** Returns the index of the existing value that the new one belongs to, if that is known. */
  readonly anchorOf?: (value: New) => number | undefined;
}

/**
 * Returns where new values are inserted: in order if the existing ones are sorted, otherwise after their anchor, after
 * the last one that shares the longest prefix, or at the end.
 */
export function insertionsOf<Old, New extends Old>(
  existing: readonly Old[],
  added: readonly New[],
  { order, prefixesOf, anchorOf }: InsertionRules<Old, New>,
): Insertions<New> {
  const indexes = new Map<string, number>();
  if (order === null && added.length > 0) {
    for (const [index, value] of existing.entries())
      for (const prefix of prefixesOf(value)) indexes.set(prefix, index);
  }
  const indexFor = (value: New): number => {
    if (order !== null) return lastIndexWhere(existing, (other) => order(other, value) <= 0);
    const anchor = anchorOf?.(value);
    if (anchor !== undefined) return anchor;
    const longest = prefixesOf(value).findLast((prefix) => indexes.has(prefix));
    return (longest === undefined ? undefined : indexes.get(longest)) ?? existing.length - 1;
  };
  const sorted = order === null ? added : added.toSorted(order);
  return [...Map.groupBy(sorted, indexFor)].sort(([a], [b]) => a - b);
}

/** Limits the prefixes of implausibly long names. */
const MAX_PREFIXES = 20;
const MAX_PREFIX_CHARACTERS = 200;
const WORD_END = /[^\s._:/-](?=([\s._:/-]))|[a-z\d](?=[A-Z])/g;

/**
 * Returns the prefixes that end with a whole word, and with the separator after it: `page`, `page.`, `page.title`,
 * `page.titleShort`.
 */
export function wordPrefixes(name: string): readonly string[] {
  const prefixes: string[] = [];
  for (const { index, 1: separator } of name.matchAll(WORD_END)) {
    if (index >= MAX_PREFIX_CHARACTERS || prefixes.length >= MAX_PREFIXES) break;
    prefixes.push(name.slice(0, index + 1));
    if (separator !== undefined) prefixes.push(name.slice(0, index + 2));
  }
  if (name.length <= MAX_PREFIX_CHARACTERS) prefixes.push(name);
  return prefixes;
}

type Named = Omit<EntryName, "locale">;

/**
 * Returns where new entries are inserted. A file sorted by namespace and key, or by key alone, stays sorted;
 * otherwise an entry is inserted at the end, or with `nearKey` after the last one with a similar key.
 */
export function entryInsertions<New extends Named>(
  entries: readonly Named[],
  added: readonly New[],
  { nearKey }: { readonly nearKey: boolean },
): Insertions<New> {
  const orders = NAME_ORDERS.flatMap((compare): readonly Compare<Named>[] => {
    const byKey: Compare<Named> = (a, b) =>
      compare(a.key, b.key) || compare(a.context ?? "", b.context ?? "");
    return [(a, b) => compare(a.namespace ?? "", b.namespace ?? "") || byKey(a, b), byKey];
  });
  const prefixesOf = ({ namespace, key }: Named): readonly string[] =>
    nearKey ? ["", ...wordPrefixes(key)].map((prefix) => `${namespace ?? ""}\u0004${prefix}`) : [];
  const order = added.length === 0 ? null : orderOf(entries, orders);
  return insertionsOf<Named, New>(entries, added, { order, prefixesOf });
}
