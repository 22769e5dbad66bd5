/** Automatic updates of a list, which add items but keep those that were not found again. */
import { getOrCreate } from "./maps.ts";

/**
 * Returns the found items together with the shown ones that were not found again, each after the item it followed before.
 * @param shown the current items, in order
 * @param found the items of the new result, in order
 * @param isKept returns whether an item that was not found again stays
 */
export function keepListed(
  shown: readonly string[],
  found: readonly string[],
  isKept: (item: string) => boolean,
): readonly string[] {
  const isFound = new Set(found);
  const kept = new Map<string | null, string[]>();
  let previous: string | null = null;
  for (const item of shown) {
    if (isFound.has(item)) previous = item;
    else if (isKept(item)) getOrCreate(kept, previous, () => []).push(item);
  }
  if (kept.size === 0) return found;
  return [...(kept.get(null) ?? []), ...found.flatMap((item) => [item, ...(kept.get(item) ?? [])])];
}
