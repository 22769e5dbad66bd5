/** The order that names in a file are sorted in, and where a new one belongs. */

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
