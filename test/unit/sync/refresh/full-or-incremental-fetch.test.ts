/** The requests that update keys and translations, and the next cursors. */
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../../src/api/errors.ts";
import type { Stats } from "../../../../src/api/response-schemas.ts";
import type { SyncCursor } from "../../../../src/database/sync-metadata-repository.ts";
import {
  isCurrent,
  timeAfter,
  latestTime,
  readIncrementally,
  type IncrementalSource,
  withOverlap,
} from "../../../../src/sync/refresh/full-or-incremental-fetch.ts";

const HOUR = 3_600_000;
const NOON = "2026-01-01T12:00:00Z";
const CURSOR: SyncCursor = {
  contentVersion: 5,
  counts: [10],
  since: NOON,
  keysSince: "2026-01-01T11:00:00Z",
  fullReadAt: HOUR,
  differences: [0, 0, 0],
};

/** The service's numbers: `[contentVersion, keys]`. */
const numbers = ([contentVersion, totalKeys]: readonly [number, number]): Stats => ({
  contentVersion,
  languages: [
    {
      locale: "en",
      name: "en",
      isSource: true,
      totalKeys,
      translated: 0,
      outdated: 0,
      qaErrors: 0,
      percent: 0,
      lastTranslatedAt: null,
    },
  ],
});
const keysOf = ({ languages }: Stats): number => languages[0]?.totalKeys ?? 0;

interface Case {
  readonly cursor?: SyncCursor | null;
  readonly readsAll?: boolean;
  readonly now?: number;
  /** How long a whole reading takes. */
  readonly takes?: number;
  /** How much more, or less, that is by the clock on the wall. */
  readonly isSet?: number;
  readonly pages?: number;
  readonly latest?: string | null;
  /** How many keys are known. */
  readonly known?: number;
  /** How many changes are known since `HH:MM:SS`. */
  readonly knownSince?: Readonly<Record<string, number>>;
  /** The known stats, then those of each later request. */
  readonly stats?: readonly (readonly [number, number])[];
  /** Our other counts less the service's. */
  readonly signs?: readonly number[];
  /** What happens on each request. */
  readonly on?: (requests: string, world: { known: number }) => void;
}

/** Returns the cursor and the requests in order. */
async function read(given: Case): Promise<{ cursor: SyncCursor; requests: string[] }> {
  const stats = [...(given.stats ?? [[6, 10] as const])].map(numbers);
  const world = { known: given.known ?? 10 };
  let now = given.now ?? 2 * HOUR;
  let elapsed = 0;
  const requests: string[] = [];
  const ask = (what: string): void => {
    requests.push(what);
    given.on?.(what, world);
  };
  const reading: IncrementalSource = {
    cursor: given.cursor === undefined ? CURSOR : given.cursor,
    readsAll: given.readsAll ?? false,
    countsOf: (each) => [keysOf(each)],
    keysSince: "2026-01-01T11:30:00Z",
    clock: { now: () => now, monotonic: () => elapsed },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    latestChange: () => (given.latest === undefined ? "2026-01-01T12:30:00Z" : given.latest),
    countChangedAfter: (time, limit) => Math.min(limit, given.knownSince?.[time.slice(11, 19)] ?? 0),
    readAll: async () => {
      ask("everything");
      elapsed += given.takes ?? 0;
      now += (given.takes ?? 0) + (given.isSet ?? 0);
      return given.pages ?? 1;
    },
    readChanges: async (since) => ask(`changes since ${since}`),
    catchUp: async (since) => ask(`what changed meanwhile, since ${since}`),
    readHidden: async () => ask("hidden changes"),
    differences: (each) => [world.known - keysOf(each), ...(given.signs ?? [])],
    stats: stats[0] as Stats,
    requestStats: async () => {
      ask("numbers");
      if (stats.length > 1) stats.shift();
      return structuredClone(stats[0] as Stats);
    },
  };
  return { cursor: await readIncrementally(reading), requests };
}

const CHANGES = "changes since 2026-01-01T11:59:30Z";
const REFUSED = new ApiError("invalid", "updatedSince");

describe("requested reads", () => {
  test.each<[string, Case, readonly string[]]>([
    ["the changes", {}, [CHANGES]],
    ["everything where nothing is known", { cursor: null }, ["everything"]],
    ["everything where no time of a change is known", { cursor: { ...CURSOR, since: null } }, ["everything"]],
    ["everything where that is wanted", { readsAll: true }, ["everything"]],
    ["the changes of the same version", { stats: [[5, 10]] }, [CHANGES]],
    ["everything where the version went back", { stats: [[4, 10]] }, ["everything"]],
    ["the changes for a day", { now: 25 * HOUR - 1 }, [CHANGES]],
    ["everything after a day", { now: 25 * HOUR }, ["everything"]],
    ["everything after the clock was set back", { now: HOUR - 1 }, ["everything"]],
    [
      "less far back where that brings 2,001 known changes again",
      { knownSince: { "11:59:30": 2_001, "11:59:58": 2_000 } },
      ["changes since 2026-01-01T11:59:58Z"],
    ],
    ["as far back as brings 2,000", { knownSince: { "11:59:30": 2_000 } }, [CHANGES]],
    [
      "only what is newer where all was changed at one time",
      { knownSince: { "11:59:30": 30_000, "11:59:58": 30_000 } },
      ["changes since 2026-01-01T12:00:01Z"],
    ],
    [
      "the numbers once more where they differ, which settles it",
      { stats: [[6, 9] as const, [7, 10] as const] },
      [CHANGES, "numbers"],
    ],
    [
      "hidden changes where they still differ, which settles it",
      { known: 9, on: (requests, world) => requests === "hidden changes" && (world.known = 10) },
      [CHANGES, "numbers", "hidden changes"],
    ],
    [
      "everything where they differ after all",
      { known: 9 },
      [CHANGES, "numbers", "hidden changes", "everything"],
    ],
    [
      "nothing more where they differ as ever",
      { known: 9, cursor: { ...CURSOR, differences: [-1] } },
      [CHANGES],
    ],
    [
      "everything where they differ otherwise than ever",
      { known: 9, cursor: { ...CURSOR, differences: [1] } },
      [CHANGES, "numbers", "hidden changes", "everything"],
    ],
    [
      "everything where a sign differs that did not",
      { signs: [2] },
      [CHANGES, "numbers", "hidden changes", "everything"],
    ],
    [
      "nothing more where a sign differs that always did",
      { signs: [2], cursor: { ...CURSOR, differences: [0, 1] } },
      [CHANGES],
    ],
    [
      "everything where the changes are refused",
      {
        on: (requests) => {
          if (requests === CHANGES) throw REFUSED;
        },
      },
      [CHANGES, "everything"],
    ],
  ])("%s", async (_, given, expected) => {
    expect((await read(given)).requests).toEqual(expected);
  });

  test("stops after any other failure", async () => {
    const failing = (kind: "offline" | "invalid", at: string): Promise<unknown> =>
      read({
        cursor: at === CHANGES ? CURSOR : null,
        on: (requests) => {
          if (requests === at) throw new ApiError(kind, "x");
        },
      });
    await expect(failing("offline", CHANGES)).rejects.toMatchObject({ kind: "offline" });
    await expect(failing("invalid", "everything")).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("paged full read", () => {
  const calm: Case = { cursor: null, pages: 2, takes: 60_000 };
  /** The service's clock at the last change, less a minute of reading and two seconds. */
  const MEANWHILE = "what changed meanwhile, since 2026-01-01T12:28:58Z";

  test.each<[string, Case, readonly string[]]>([
    ["is compared with the numbers of afterwards", calm, ["everything", "numbers"]],
    [
      "is followed by what changed meanwhile",
      { ...calm, stats: [[6, 9] as const, [7, 10] as const] },
      ["everything", "numbers", MEANWHILE, "numbers"],
    ],
    [
      "is followed by as much where the clock was set back meanwhile",
      { ...calm, isSet: -HOUR, stats: [[6, 9] as const, [7, 10] as const] },
      ["everything", "numbers", MEANWHILE, "numbers"],
    ],
    [
      "is followed by more where the machine stood by meanwhile",
      { ...calm, isSet: 60_000, stats: [[6, 9] as const, [7, 10] as const] },
      ["everything", "numbers", "what changed meanwhile, since 2026-01-01T12:27:58Z", "numbers"],
    ],
    [
      "is read without that where no change is known",
      { ...calm, latest: null, stats: [[6, 9] as const, [7, 10] as const] },
      ["everything", "numbers", "numbers"],
    ],
    [
      "is read without that where it is refused",
      {
        ...calm,
        stats: [[6, 9] as const, [7, 10] as const],
        on: (requests) => {
          if (requests === MEANWHILE) throw REFUSED;
        },
      },
      ["everything", "numbers", MEANWHILE, "numbers"],
    ],
    [
      "is read once more where it is disturbed and leaves a difference, and not a third time",
      {
        ...calm,
        known: 9,
        stats: [
          [6, 9],
          [7, 10],
          [8, 10],
          [9, 11],
          [10, 11],
        ],
      },
      ["everything", "numbers", MEANWHILE, "numbers", "everything", "numbers", MEANWHILE, "numbers"],
    ],
  ])("%s", async (_, given, expected) => {
    expect((await read(given)).requests).toEqual(expected);
  });

  test("stops at any other failure", async () => {
    const failing = read({
      ...calm,
      stats: [[6, 9] as const, [7, 10] as const],
      on: (requests) => {
        if (requests === MEANWHILE) throw new ApiError("offline", "x");
      },
    });
    await expect(failing).rejects.toMatchObject({ kind: "offline" });
  });
});

describe("completeness", () => {
  const READ = {
    contentVersion: 6,
    counts: [10],
    since: "2026-01-01T12:30:00Z",
    keysSince: "2026-01-01T11:30:00Z",
  };

  test.each<[string, Case, Partial<SyncCursor>]>([
    ["the changes", {}, { ...READ, fullReadAt: HOUR }],
    ["the counts of now", { stats: [[6, 11]], known: 11 }, { counts: [11], differences: [0, 0, 0] }],
    ["no change later than before", { latest: null }, { ...READ, since: NOON, fullReadAt: HOUR }],
    ["everything", { cursor: null }, { ...READ, fullReadAt: 2 * HOUR, differences: [0] }],
    ["everything, and nothing was ever written", { cursor: null, latest: null }, { since: READ.keysSince }],
    ["a time that is none is no time", { cursor: null, latest: "yesterday" }, { since: READ.keysSince }],
    ["how much the counts differ afterwards", { known: 8, signs: [3] }, { differences: [-2, 3] }],
    [
      "the time before everything was read",
      { cursor: null, pages: 2, takes: 60_000 },
      { fullReadAt: 2 * HOUR, contentVersion: 6 },
    ],
    [
      "the numbers of before, where others worked meanwhile",
      {
        cursor: null,
        pages: 2,
        stats: [
          [6, 9],
          [7, 10],
        ],
      },
      { contentVersion: 6, counts: [9], differences: [0] },
    ],
    [
      "the usual differences, where others never rested",
      {
        cursor: { ...CURSOR, differences: [3, 0, 0] },
        readsAll: true,
        pages: 2,
        known: 9,
        stats: [
          [6, 9],
          [7, 10],
          [8, 10],
          [9, 11],
          [10, 11],
        ],
      },
      { contentVersion: 8, counts: [10], differences: [3, 0, 0] },
    ],
  ])("%s", async (_, given, expected) => {
    expect((await read(given)).cursor).toMatchObject(expected);
  });
});

test("is unchanged only if the version and all counts are the same", () => {
  expect(isCurrent(CURSOR, 5, [10])).toBe(true);
  expect(isCurrent(CURSOR, 6, [10])).toBe(false);
  expect(isCurrent(CURSOR, 4, [10])).toBe(false);
  expect(isCurrent(CURSOR, 5, [11])).toBe(false);
  expect(isCurrent(CURSOR, 5, [10, null])).toBe(false);
});

describe("timestamps", () => {
  test.each([
    [[], null],
    [[null, null], null],
    [[NOON, null], NOON],
    [["2026-01-01T12:00:01Z", NOON], "2026-01-01T12:00:01Z"],
    [[NOON, "2026-01-01T12:00:01Z"], "2026-01-01T12:00:01Z"],
    // Of another spelling, so not as words.
    [[NOON, "2026-01-01T12:00:00.500Z"], "2026-01-01T12:00:00.500Z"],
    [["2026-01-01T14:00:00+05:00", NOON], NOON],
    [["none"], null],
  ])("returns the latest of %j: %j", (times, expected) => {
    expect(latestTime(...times)).toBe(expected);
  });

  test.each([
    [NOON, "2026-01-01T11:59:30Z", "2026-01-01T12:00:01Z"],
    ["2026-01-01T12:00:00.5Z", "2026-01-01T11:59:30.5Z", "2026-01-01T12:00:00.5Z"],
    ["2026-01-01T12:00:00.123Z", "2026-01-01T11:59:30.123Z", "2026-01-01T12:00:00.124Z"],
    ["2026-01-01T12:00:00.123456Z", "2026-01-01T11:59:30.123000Z", "2026-01-01T12:00:00.124000Z"],
  ])("%s: subtracts the margin (%s) and adds the smallest step (%s)", (time, earlier, after) => {
    expect([withOverlap(time), timeAfter(time)]).toEqual([earlier, after]);
  });
});
