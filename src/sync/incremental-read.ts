/**
 * Reads the keys, or the translations of a language, by their changes since the last time where that can be trusted,
 * else whole. Where they are read from and put is handed in.
 */
import { isDeepStrictEqual } from "node:util";
import { isApiError } from "../api/errors.ts";
import { fromTheStart } from "../api/pages.ts";
import type { Stats } from "../api/schemas.ts";
import type { SyncCursor } from "../database/sync-state-repository.ts";
import type { Log } from "../model/platform.ts";

export interface Reading {
  /** How far they were read; `null`: not whole. */
  readonly cursor: SyncCursor | null;
  /** Read everything, whatever is known. */
  readonly whole: boolean;
  /** The service's numbers of what is read. */
  readonly countsOf: (stats: Stats) => SyncCursor["counts"];
  /** The latest change of the keys that are known. */
  readonly keysSince: string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  /** The latest change of all that is known; `null`: none. */
  readonly latestChange: () => string | null;
  /** How many changes after this time are known already; counts up to `limit`. */
  readonly countChangedAfter: (time: string, limit: number) => number;
  /** Reads everything and removes what is no more. Out: in how many requests. */
  readonly readWhole: () => Promise<number>;
  readonly readChanges: (since: string) => Promise<void>;
  /** As `readChanges`, after everything was read just now, and removes what was archived since then. */
  readonly catchUp: (since: string) => Promise<void>;
  /** Where the counts still differ: looks where changes may hide, before everything is read. */
  readonly readHidden: (cursor: SyncCursor) => Promise<void>;
  /** Our counts less the service's. The first must stay as it was; the others are no more than signs. */
  readonly differences: (stats: Stats) => readonly number[];
  readonly stats: Stats;
  /** The service's numbers as they are by now. */
  readonly requestStats: () => Promise<Stats>;
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

/** Whether the service says nothing else than when the cursor was set. */
export function isCurrent(
  cursor: Pick<SyncCursor, "contentVersion" | "counts">,
  contentVersion: number,
  counts: SyncCursor["counts"],
): boolean {
  // The numbers as well, since the document does not say which changes move `contentVersion`.
  return cursor.contentVersion === contentVersion && isDeepStrictEqual(cursor.counts, counts);
}

/**
 * Everything is read when there is nothing yet, when the version went back (a restored backup), when a day has passed,
 * when the filter is refused ("Value formats of … and `updatedSince` …: not shown"), or when our counts afterwards
 * differ from the service's otherwise than they did. Out: the cursor of what is known now.
 */
export async function readIncrementally(reading: Reading): Promise<SyncCursor> {
  const { cursor, whole, keysSince, log } = reading;
  const { contentVersion } = reading.stats;
  const counts = reading.countsOf(reading.stats);
  const positionAt = (stats: Stats): Pick<SyncCursor, "contentVersion" | "counts"> => {
    return { contentVersion: stats.contentVersion, counts: reading.countsOf(stats) };
  };
  const start = reading.now();
  let { stats } = reading;
  // Others work on while pages are read, so numbers from before may be older than the pages: they are asked for once
  // more before anything is made of a difference.
  const differences = async (usual: readonly number[]): Promise<readonly number[]> => {
    const first = reading.differences(stats);
    if (agree(first, usual) || stats !== reading.stats) return first;
    stats = await reading.requestStats();
    return reading.differences(stats);
  };
  const isYoung = cursor !== null && start - cursor.wholeAt < DAY && contentVersion >= cursor.contentVersion;
  if (cursor !== null && cursor.since !== null && isYoung && !whole) {
    try {
      await reading.readChanges(startOf(cursor.since, reading.countChangedAfter));
      if (!agree(await differences(cursor.differences), cursor.differences)) await reading.readHidden(cursor);
      if (agree(await differences(cursor.differences), cursor.differences)) {
        return { ...cursor, contentVersion, counts, keysSince, since: latestOf(reading) ?? cursor.since };
      }
      log.debug("The counts differ after reading the changes; reading everything.");
    } catch (error) {
      if (!isApiError(error, "invalid")) throw error;
      log.debug("The changes cannot be asked for; reading everything.");
    }
  }
  const usual = cursor?.differences ?? NONE;
  for (let repeats = 0; ; repeats++) {
    const before = stats;
    const began = reading.now();
    const pages = await fromTheStart(reading.readWhole);
    // One page is of one moment.
    if (pages > 1) stats = await reading.requestStats();
    const isCalm = isCurrent(positionAt(before), stats.contentVersion, reading.countsOf(stats));
    if (!isCalm) {
      await readChangedSince(reading, reading.now() - began);
      stats = await reading.requestStats();
    }
    const now = await differences(usual);
    // What changed while the pages were read explains a difference, so it is none that stays.
    const isExplained = isCalm || agree(now, NONE);
    if (!isExplained && repeats < MAX_REPEATS) {
      log.debug("Others changed much while everything was read; reading it once more.");
      continue;
    }
    // Where nothing was ever written, whatever comes is newer than the keys are.
    const since = latestOf(reading) ?? keysSince;
    const kept = [...(isExplained ? now : usual)];
    return { ...positionAt(before), keysSince, since, wholeAt: start, differences: kept };
  }
}

/** A whole read that was disturbed is done once more. */
const MAX_REPEATS = 1;

/** After a whole read: the changes that others made since it began, so many milliseconds ago. */
async function readChangedSince(reading: Reading, elapsed: number): Promise<void> {
  const last = latestOf(reading);
  if (last === null) return;
  try {
    // The newest item is no newer than the service's clock is now, so this is before the reading began.
    await reading.catchUp(moved(last, -elapsed - SMALL_OVERLAP));
  } catch (error) {
    if (!isApiError(error, "invalid")) throw error;
  }
}

/** A service that counts as we do. */
const NONE = [0, 0, 0] as const;

/** From where the changes are asked for: earlier than the last one, where that does not bring everything again. */
function startOf(last: string, countChangedAfter: Reading["countChangedAfter"]): string {
  for (const overlap of [OVERLAP, SMALL_OVERLAP]) {
    const start = moved(last, -overlap);
    if (countChangedAfter(start, MANY_AGAIN + 1) <= MANY_AGAIN) return start;
  }
  return timeAfter(last);
}

/** `null` also where it is no time. */
function latestOf(reading: Reading): string | null {
  return latest([reading.latestChange()]);
}

/** A service may count otherwise than we do; a sign that did not fit after a whole read says nothing later. */
function agree(now: readonly number[], before: readonly number[]): boolean {
  return now.every((difference, index) =>
    index === 0 ? difference === before[0] : difference === 0 || before[index] !== 0,
  );
}

/** The latest time, compared as time, in the service's own words; `null`: there is none that can be read. */
export function latest(times: Iterable<string | null>): string | null {
  let latest: string | null = null;
  for (const time of times) {
    if (time !== null && (latest === null || isLater(time, latest))) latest = time;
  }
  return latest === null || Number.isNaN(Date.parse(latest)) ? null : latest;
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
export function timeAfter(last: string): string {
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
