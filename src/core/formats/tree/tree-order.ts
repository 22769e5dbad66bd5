/**
 * Which member a new one goes behind: in a sorted branch where the order has it, else where its nearest neighbour
 * by name stands.
 */
import type { Member } from "./tree.ts";
import type { Insertion } from "./tree-draft.ts";

type Compare = (a: string, b: string) => number;

const byUnits: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** The orders that tools and people sort names in, the strictest first; case and dots count, or not. */
const COMPARERS: readonly Compare[] = [
  byUnits,
  (a, b) => byUnits(a.toLowerCase(), b.toLowerCase()),
  (a, b) => byUnits(a.replaceAll(".", "\0"), b.replaceAll(".", "\0")),
  new Intl.Collator("en").compare,
  new Intl.Collator("en", { numeric: true }).compare,
  new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true }).compare,
];

/** How many members must stand in order before that counts as sorted and not as chance. */
const SORTED_FROM = 3;

/** Insertions by the index of the member that they follow; -1: before all. */
export function placeInsertions(
  members: readonly Member[],
  removed: ReadonlySet<Member>,
  insertions: readonly Insertion[],
): ReadonlyMap<number, readonly Insertion[]> {
  const places = new Map<number, Insertion[]>();
  if (insertions.length === 0) return places;
  const compare = comparerOf(members);
  const indexes = new Map(members.map((member, index) => [member, index]));
  const survivors = members.flatMap((member, index) => (removed.has(member) ? [] : [{ member, index }]));
  const neighbours = compare === null ? neighboursOf(survivors) : null;
  const end = survivors.at(-1)?.index ?? -1;
  for (const insertion of insertions) {
    const near = insertion.near === null ? undefined : indexes.get(insertion.near);
    let index: number;
    if (compare !== null) index = lastNotAbove(survivors, insertion.name, compare);
    else if (near !== undefined) index = lastUpTo(survivors, near);
    else index = nearestOf(insertion.name, neighbours) ?? end;
    const list = places.get(index);
    if (list === undefined) places.set(index, [insertion]);
    else list.push(insertion);
  }
  if (compare !== null) for (const list of places.values()) list.sort((a, b) => compare(a.name, b.name));
  return places;
}

interface Survivor {
  readonly member: Member;
  readonly index: number;
}

function comparerOf(members: readonly Member[]): Compare | null {
  if (members.length < SORTED_FROM || !members.every((member) => member.named)) return null;
  const isSorted = (compare: Compare): boolean =>
    members.every((member, index) => {
      if (index === 0) return true;
      const order = compare(members[index - 1]?.name ?? "", member.name);
      return order < 0 || (order === 0 && compare !== byUnits);
    });
  return COMPARERS.find(isSorted) ?? null;
}

function lastNotAbove(survivors: readonly Survivor[], name: string, compare: Compare): number {
  let low = 0;
  let high = survivors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(survivors[middle]?.member.name ?? "", name) <= 0) low = middle + 1;
    else high = middle;
  }
  return survivors[low - 1]?.index ?? -1;
}

function lastUpTo(survivors: readonly Survivor[], index: number): number {
  let low = 0;
  let high = survivors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((survivors[middle]?.index ?? index + 1) <= index) low = middle + 1;
    else high = middle;
  }
  return survivors[low - 1]?.index ?? -1;
}

/** The last member by each start of its name that ends with a whole word; the whole name is one. */
function neighboursOf(survivors: readonly Survivor[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const { member, index } of survivors) {
    if (!member.named) continue;
    for (const start of startsOf(member.name)) last.set(start, index);
  }
  return last;
}

/** The member with the longest start in common, and of several the last. */
function nearestOf(name: string, last: ReadonlyMap<string, number> | null): number | undefined {
  const found = startsOf(name).findLast((start) => last?.has(start) === true);
  return found === undefined ? undefined : last?.get(found);
}

/** A name longer than any that a person writes has no more starts than these. */
const MOST_STARTS = 12;
const LONGEST_START = 200;
const WORD_END = /[^\s._:/-](?=[\s._:/-])|[a-z\d](?=[A-Z])/g;

/** `page.list.titleShort`: `page`, `page.list`, `page.list.title` and the whole, shortest first. */
function startsOf(name: string): readonly string[] {
  const starts: string[] = [];
  WORD_END.lastIndex = 0;
  for (let match = WORD_END.exec(name); match !== null; match = WORD_END.exec(name)) {
    const end = match.index + 1;
    if (end > LONGEST_START || starts.length === MOST_STARTS) break;
    starts.push(name.slice(0, end));
  }
  if (name.length <= LONGEST_START) starts.push(name);
  return starts;
}
