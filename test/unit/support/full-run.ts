/** The number of cases of property tests and matrices: a part in the quick run, all with `TEST_FULL=1`. */
import fc from "fast-check";

/** Whether this is the full run. */
export const IS_FULL = process.env["TEST_FULL"] === "1";

/** The share of a property's runs in the quick run. */
const QUICK_SHARE = 0.1;

/** How long a property that needs nothing but its code runs in the quick run, in milliseconds. */
const QUICK_TIME_MS = 60;

/**
 * Returns how often a property runs that needs nothing but its code: in the quick run, as often as it can in a moment, and
 * at least once.
 */
export function propertyRuns(full: number): {
  readonly numRuns: number;
  readonly plugins?: fc.Plugin<unknown>[];
} {
  return IS_FULL ? { numRuns: full } : { numRuns: full, plugins: [endAfterQuickTime] };
}

/**
 * Ends a property when its first run began `QUICK_TIME_MS` ago. fast-check's own limit counts from before that, so on a
 * busy machine nothing may have run by then.
 */
const endAfterQuickTime: fc.Plugin<unknown> = () => {
  let end: number | null = null;
  return {
    decorateRun: (run) => (value) => {
      const now = performance.now();
      if (end !== null && now >= end) return new fc.PreconditionFailure(true);
      end ??= now + QUICK_TIME_MS;
      return run(value);
    },
  };
};

/** Returns the number of runs of a property that waits for a service, files or processes: in the quick run, a tenth. */
export function runCount(full: number): number {
  return IS_FULL ? full : Math.max(1, Math.ceil(full * QUICK_SHARE));
}

/** Returns all items in the full run; the first, middle and last in the quick run. */
export function samplePositions<Item>(items: readonly Item[]): readonly Item[] {
  if (IS_FULL) return items;
  const chosen = [0, Math.floor(items.length / 2), items.length - 1];
  return items.filter((_, index) => chosen.includes(index));
}
