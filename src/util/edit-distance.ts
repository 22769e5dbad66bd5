/** Edit distance with an upper bound. */
import leven from "leven";

/**
 * Returns the Levenshtein distance in UTF-16 code units, or some number above `maxDistance` when it exceeds that. Two neighbours
 * that are swapped count as one edit, as people type them.
 */
export function editDistance(a: string, b: string, maxDistance = Infinity): number {
  return areNeighboursSwapped(a, b) ? 1 : leven(a, b, { maxDistance: maxDistance + 1 });
}

function areNeighboursSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (
    a[at] !== undefined && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
  );
}
