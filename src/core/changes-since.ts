/**
 * Reads a part of a project by its changes since the last time where that can be trusted, else whole. What is read,
 * and from where, is handed in; nothing is kept here.
 */
import { isApiError } from "../api/errors.ts";
import { fromTheStart } from "../api/pages.ts";
import type { Stats } from "../api/schemas.ts";
import type { Part } from "./cache.ts";
import type { Log, YieldNow } from "./ports.ts";

/** Items with the service's times of their last changes. */
export interface Dated {
  times(): Iterable<string | null>;
}

export interface Reading<Items extends Dated> {
  /** What is known so far; `null`: nothing, or not all of it. */
  readonly part: Part | null;
  readonly known: Items;
  /** Read everything, whatever is known. */
  readonly whole: boolean;
  /** The service's numbers of this part, and the latest change of the keys that are known. */
  readonly told: Part["told"];
  readonly keysSince: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly log: Log;
  readonly yieldNow: YieldNow;
  /** All of it. */
  readonly readWhole: () => Promise<Items>;
  /** What is known with the changes since then in it. */
  readonly readChanges: (since: string) => Promise<Items>;
  /** Where the counts still differ: looks where changes may hide, before everything is read. `null`: knows no place. */
  readonly readHidden: (items: Items, part: Part) => Promise<Items | null>;
  /** Our counts less the service's. The first must stay as it was; the others are no more than signs. */
  readonly differences: (items: Items, stats: Stats) => number[];
  readonly stats: Stats;
  /** The service's numbers as they are by now. */
  readonly askStats: () => Promise<Stats>;
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * How much earlier than the last change seen is asked for again: a write that was begun before another may be seen
 * after it. Milliseconds of the service's clock. The small one at least covers times of whole seconds.
 */
const OVERLAP = 30_000;
const SMALL_OVERLAP = 2_000;

/** More that is known already is not asked for again: a large import or push makes everything at one time. */
const MANY_AGAIN = 2_000;

/** Whether the service says nothing else of a part than when it was read. */
export function isCurrent(part: Part, contentVersion: number, told: Part["told"]): boolean {
  // The numbers as well, since the document does not say which changes move `contentVersion`.
  return part.contentVersion === contentVersion && JSON.stringify(part.told) === JSON.stringify(told);
}

/**
 * Everything is read when there is nothing yet, when the version went back (a restored backup), when a day has passed,
 * when the filter is refused ("Value formats of … and `updatedSince` …: not shown"), or when our counts afterwards
 * differ from the service's otherwise than they did.
 */
export async function readPart<Items extends Dated>(
  reading: Reading<Items>,
): Promise<{ items: Items; part: Part }> {
  const { part, whole, told, keysSince, now, log } = reading;
  const { contentVersion } = reading.stats;
  let { stats } = reading;
  // Others work on while pages are read, so numbers from before may be older than the pages: they are asked for once
  // more before anything is made of a difference.
  const differences = async (items: Items, usual: readonly number[]): Promise<number[]> => {
    const first = reading.differences(items, stats);
    if (agree(first, usual) || stats !== reading.stats) return first;
    stats = await reading.askStats();
    return reading.differences(items, stats);
  };
  const young = part !== null && now - part.wholeAt < DAY && contentVersion >= part.contentVersion;
  if (part !== null && part.since !== null && young && !whole) {
    try {
      const start = startOf(part.since, reading.known);
      await reading.yieldNow();
      let items = await reading.readChanges(start);
      if (!agree(await differences(items, part.differences), part.differences)) {
        items = (await reading.readHidden(items, part)) ?? items;
      }
      if (agree(await differences(items, part.differences), part.differences)) {
        const since = latest(items.times()) ?? part.since;
        return { items, part: { ...part, contentVersion, told, keysSince, since } };
      }
      log.debug("The counts differ after reading the changes; reading everything.");
    } catch (error) {
      if (!isApiError(error, "invalid")) throw error;
      log.debug("The changes cannot be asked for; reading everything.");
    }
  }
  const items = await fromTheStart(reading.readWhole);
  const since = latest(items.times());
  const after = await differences(items, part?.differences ?? NONE);
  return { items, part: { contentVersion, told, keysSince, since, wholeAt: now, differences: after } };
}

/** A service that counts as we do. */
const NONE = [0, 0, 0] as const;

/** From where the changes are asked for: earlier than the last one, where that does not bring everything again. */
function startOf(last: string, known: Dated): string {
  for (const overlap of [OVERLAP, SMALL_OVERLAP]) {
    const start = moved(last, -overlap);
    let again = 0;
    for (const time of known.times()) if (time !== null && isLater(time, start)) again++;
    if (again <= MANY_AGAIN) return start;
  }
  return justAfter(last);
}

/** A service may count otherwise than we do; a sign that did not fit after a whole read says nothing later. */
function agree(now: readonly number[], before: readonly number[]): boolean {
  return now.every((difference, index) =>
    index === 0 ? difference === before[0] : difference === 0 || before[index] !== 0,
  );
}

/** The latest time, compared as time, in the service's own words; `null`: there is none that can be read. */
export function latest(times: Iterable<string | null>): string | null {
  let words: string | null = null;
  for (const time of times) {
    if (time !== null && (words === null || isLater(time, words))) words = time;
  }
  return words === null || Number.isNaN(Date.parse(words)) ? null : words;
}

/** Whether a time of the service is later than another. */
export function isLater(time: string, than: string): boolean {
  // Same length and both in UTC: the words sort as the times do, and parsing 50,000 dates is spared.
  return time.length === than.length ? time > than : Date.parse(time) > Date.parse(than);
}

/** A little earlier, for what may have been seen late. */
export function withOverlap(since: string): string {
  return moved(since, -OVERLAP);
}

/** The next moment that the service can write down: everything that was seen is older. */
export function justAfter(last: string): string {
  return moved(last, last.includes(".") ? 1 : 1000);
}

/** Another time, written as the service writes its times (with as many digits of a second). */
function moved(time: string, milliseconds: number): string {
  const digits = /\.(\d+)/u.exec(time)?.[1]?.length ?? 0;
  const other = new Date(Date.parse(time) + milliseconds).toISOString();
  return other.replace(/\.(\d+)Z$/u, (_, fraction: string) =>
    digits === 0 ? "Z" : `.${fraction.padEnd(digits, "0").slice(0, digits)}Z`,
  );
}
