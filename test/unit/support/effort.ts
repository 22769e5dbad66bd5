/** How much the property tests and matrices do: a share in the quick run, everything with `TEST_FULL=1`. */

/** Whether this is the exhaustive run. */
export const IS_FULL = process.env["TEST_FULL"] === "1";

/** The part of the runs of a property that the quick run does. */
const QUICK_SHARE = 0.1;

/** How many runs a property makes: `full` in the exhaustive run, a tenth in the quick one. */
export function runs(full: number): number {
  return IS_FULL ? full : Math.max(1, Math.ceil(full * QUICK_SHARE));
}

/** Places in a sequence: all in the exhaustive run, the first, the middle and the last in the quick one. */
export function places<Item>(items: readonly Item[]): readonly Item[] {
  if (IS_FULL) return items;
  const chosen = [0, Math.floor(items.length / 2), items.length - 1];
  return items.filter((_, index) => chosen.includes(index));
}
