/** Automatic updates of the rows, which add some but keep those that no longer match the filter. */
import { getOrCreate } from "../../util/maps.ts";

/**
 * Returns the found rows together with the shown ones that were not found again, each after the row it followed before.
 * @param shown hashes of the current rows, in order
 * @param found hashes of the new query result, in order
 * @param isKey returns whether a key still exists; rows of deleted keys are dropped
 */
export function keepListedRows(
  shown: readonly string[],
  found: readonly string[],
  isKey: (hash: string) => boolean,
): readonly string[] {
  const isFound = new Set(found);
  const kept = new Map<string | null, string[]>();
  let previous: string | null = null;
  for (const hash of shown) {
    if (isFound.has(hash)) previous = hash;
    else if (isKey(hash)) getOrCreate(kept, previous, () => []).push(hash);
  }
  if (kept.size === 0) return found;
  return [...(kept.get(null) ?? []), ...found.flatMap((hash) => [hash, ...(kept.get(hash) ?? [])])];
}
