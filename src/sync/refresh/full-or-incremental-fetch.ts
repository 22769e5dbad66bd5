/**
 * Reads the keys, or the translations of a language, incrementally where that is reliable, else completely. The
 * caller supplies the requests and the storage.
 */
import { isApiError } from "../../api/errors.ts";
import { restartOnBadCursor } from "../../api/pagination.ts";
import type { Stats } from "../../api/response-schemas.ts";
import type { SyncCursor } from "../../database/sync-metadata-repository.ts";
import type { Clock, Log } from "../../model/platform.ts";

/** What is read, and how it is requested and stored. */
export interface IncrementalSource {
  /** The stored cursor; `null` before the first complete read. */
  readonly cursor: SyncCursor | null;
  /** Whether to read everything in any case. */
  readonly readsAll: boolean;
  /** Returns the service's counts of what is read. */
  readonly countsOf: (stats: Stats) => SyncCursor["counts"];
  /** Time of the latest change of the stored keys. */
  readonly keysSince: string | null;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly log: Log;
  /** Returns the time of the latest stored change; `null` without one. */
  readonly latestChange: () => string | null;
  /** Returns how many changes after this time are stored already, at most `limit`. */
  readonly countChangedAfter: (time: string, limit: number) => number;
  /** Reads everything and removes what no longer exists. Returns the number of requests. */
  readonly readAll: () => Promise<number>;
  readonly readChanges: (since: string) => Promise<void>;
  /** Like `readChanges` after a complete read; also removes what was archived since. */
  readonly catchUp: (since: string) => Promise<void>;
  /** Called when the counts still differ: reads where `updatedSince` may miss changes. */
  readonly readHidden: (cursor: SyncCursor) => Promise<void>;
  /** Returns local minus remote counts. The first must equal its stored value; the others are only hints. */
  readonly differences: (stats: Stats) => readonly number[];
  readonly stats: Stats;
  /** Requests the current counts of the service. */
  readonly requestStats: () => Promise<Stats>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * How much earlier than the last seen change a read starts, since concurrent writes may become visible out of order
 * (milliseconds of the service's clock). The minimum covers timestamps in whole seconds.
 */
const OVERLAP_MS = 30_000;
const MIN_OVERLAP_MS = 2_000;

/** Limit for stored changes that are read again: a large import or push changes everything at the same time. */
const MAX_REPEATED_CHANGES = 2_000;

/** Returns whether the service reports the same version and counts as when the cursor was stored. */
export function isCurrent(
  cursor: Pick<SyncCursor, "contentVersion" | "counts">,
  contentVersion: number,
  counts: SyncCursor["counts"],
): boolean {
  // The counts too, since the document does not say which changes increase `contentVersion`.
  return (
    cursor.contentVersion === contentVersion &&
    cursor.counts.length === counts.length &&
    cursor.counts.every((count, index) => count === counts[index])
  );
}

/**
 * Brings the stored data up to date and returns the new cursor. Everything is read on the first time, when the
 * version decreased (a restored backup), once a day, when the filter is refused ("Value formats of … and
 * `updatedSince` …: not shown"), or when the counts afterwards differ from the service's more than before.
 * @throws {ApiError}
 */
export async function readIncrementally(reading: IncrementalSource): Promise<SyncCursor> {
  const { cursor, readsAll, keysSince, log } = reading;
  const { contentVersion } = reading.stats;
  const counts = reading.countsOf(reading.stats);
  const positionAt = (stats: Stats): Pick<SyncCursor, "contentVersion" | "counts"> => {
    return { contentVersion: stats.contentVersion, counts: reading.countsOf(stats) };
  };
  const start = reading.clock.now();
  let { stats } = reading;
  // Pages may contain changes made after the counts were read, so the counts are requested again before a difference
  // is acted on.
  const differences = async (usual: readonly number[]): Promise<readonly number[]> => {
    const first = reading.differences(stats);
    if (areExpected(first, usual) || stats !== reading.stats) return first;
    stats = await reading.requestStats();
    return reading.differences(stats);
  };
  // A full read in the future was made before the clock was set back.
  const age = cursor === null ? Number.NaN : start - cursor.fullReadAt;
  const isUsable = cursor !== null && age >= 0 && age < DAY_MS && contentVersion >= cursor.contentVersion;
  if (cursor !== null && cursor.since !== null && isUsable && !readsAll) {
    try {
      await reading.readChanges(startOfChanges(cursor.since, reading.countChangedAfter));
      if (!areExpected(await differences(cursor.differences), cursor.differences))
        await reading.readHidden(cursor);
      if (areExpected(await differences(cursor.differences), cursor.differences)) {
        return {
          ...cursor,
          contentVersion,
          counts,
          keysSince,
          since: latestTime(reading.latestChange()) ?? cursor.since,
        };
      }
      log.debug("The counts differ after reading the changes; reading everything.");
    } catch (error) {
      if (!isApiError(error, "invalid")) throw error;
      log.debug("The service refuses the filter for changes; reading everything.");
    }
  }
  const usual = cursor?.differences ?? NO_DIFFERENCES;
  for (let rereads = 0; ; rereads++) {
    const before = stats;
    const elapsed = startTimer(reading.clock);
    const pages = await restartOnBadCursor(reading.readAll);
    // A single page is consistent.
    if (pages > 1) stats = await reading.requestStats();
    const isUndisturbed = isCurrent(positionAt(before), stats.contentVersion, reading.countsOf(stats));
    if (!isUndisturbed) {
      await readConcurrentChanges(reading, elapsed());
      stats = await reading.requestStats();
    }
    const now = await differences(usual);
    // Concurrent changes explain a difference, which then is not permanent.
    const isExplained = isUndisturbed || areExpected(now, NO_DIFFERENCES);
    if (!isExplained && rereads < MAX_REREADS) {
      log.debug("Much was changed during the complete read; reading everything again.");
      continue;
    }
    // Without any translation yet, every later one is newer than the keys.
    const since = latestTime(reading.latestChange()) ?? keysSince;
    const storedDifferences = [...(isExplained ? now : usual)];
    return { ...positionAt(before), keysSince, since, fullReadAt: start, differences: storedDifferences };
  }
}

/** Returns a function that returns the elapsed time: the longest, whether the clock was set or the machine stood by. */
function startTimer(clock: IncrementalSource["clock"]): () => number {
  const [start, startOfTime] = [clock.monotonic(), clock.now()];
  return () => Math.max(clock.monotonic() - start, clock.now() - startOfTime);
}

/** Complete reads that are repeated because of concurrent changes. */
const MAX_REREADS = 1;

/** Reads the changes that were made during a complete read, which started `elapsed` milliseconds ago. */
async function readConcurrentChanges(reading: IncrementalSource, elapsed: number): Promise<void> {
  const last = latestTime(reading.latestChange());
  if (last === null) return;
  try {
    // No timestamp exceeds the service's current time, so this one precedes the start of the read.
    await reading.catchUp(shiftTime(last, -elapsed - MIN_OVERLAP_MS));
  } catch (error) {
    if (!isApiError(error, "invalid")) throw error;
  }
}

/** Counts that agree with the service's. */
const NO_DIFFERENCES = [0, 0, 0] as const;

/** Returns the start time of an incremental read: with overlap, unless that repeats too many changes. */
function startOfChanges(last: string, countChangedAfter: IncrementalSource["countChangedAfter"]): string {
  for (const overlap of [OVERLAP_MS, MIN_OVERLAP_MS]) {
    const start = shiftTime(last, -overlap);
    if (countChangedAfter(start, MAX_REPEATED_CHANGES + 1) <= MAX_REPEATED_CHANGES) return start;
  }
  return timeAfter(last);
}

/**
 * Returns whether differences equal the stored ones. A service may count differently; a hint that differed after a
 * complete read is ignored later.
 */
function areExpected(now: readonly number[], before: readonly number[]): boolean {
  return now.every((difference, index) =>
    index === 0 ? difference === before[0] : difference === 0 || before[index] !== 0,
  );
}

/** Returns the latest timestamp, unchanged; `null` if none can be parsed. */
export function latestTime(...times: readonly (string | null)[]): string | null {
  const valid = times.filter((time) => time !== null && !Number.isNaN(Date.parse(time)));
  return valid.sort((a, b) => Date.parse(b ?? "") - Date.parse(a ?? ""))[0] ?? null;
}

/** Returns an earlier timestamp, for changes that became visible late. */
export function withOverlap(since: string): string {
  return shiftTime(since, -OVERLAP_MS);
}

/** Returns the next timestamp in the service's resolution. */
export function timeAfter(last: string): string {
  return shiftTime(last, last.includes(".") ? 1 : 1000);
}

/** Shifts a timestamp and preserves its number of fractional digits. */
function shiftTime(time: string, milliseconds: number): string {
  const digits = /\.(\d+)/u.exec(time)?.[1]?.length ?? 0;
  const other = new Date(Date.parse(time) + milliseconds).toISOString();
  return other.replace(/\.(\d+)Z$/u, (_, fraction: string) =>
    digits === 0 ? "Z" : `.${fraction.padEnd(digits, "0").slice(0, digits)}Z`,
  );
}
