/** Edit distance with an upper bound. */
import leven from "leven";

/** Returns the Levenshtein distance in UTF-16 code units, or some number above `maxDistance` when it exceeds that. */
export function editDistance(a: string, b: string, maxDistance = Infinity): number {
  return leven(a, b, { maxDistance: maxDistance + 1 });
}
