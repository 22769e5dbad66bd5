/** Automatic updates of the row list, which add rows but keep those that no longer match the filter. */

/**
 * Returns the found rows together with the listed ones that were not found again, each after the row it followed before.
 * @param listed hashes of the current list, in order
 * @param found hashes of the new query result, in order
 * @param isKey whether a key still exists; rows of deleted keys are dropped
 */
export function mergeRows(
  listed: readonly string[],
  found: readonly string[],
  isKey: (hash: string) => boolean,
): readonly string[] {
  const isFound = new Set(found);
  const kept = new Map<string | null, string[]>();
  let previous: string | null = null;
  for (const hash of listed) {
    if (isFound.has(hash)) previous = hash;
    else if (isKey(hash)) kept.set(previous, [...(kept.get(previous) ?? []), hash]);
  }
  if (kept.size === 0) return found;
  return [...(kept.get(null) ?? []), ...found.flatMap((hash) => [hash, ...(kept.get(hash) ?? [])])];
}
