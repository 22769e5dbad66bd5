/** The distance of two texts, bounded. */
import leven from "leven";

/** The Levenshtein distance in UTF-16 units; some number above `most` as soon as it is known to be more than that. */
export function editDistance(a: string, b: string, most = Infinity): number {
  return leven(a, b, { maxDistance: most + 1 });
}
