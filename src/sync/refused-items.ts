/** Names the keys of items that the service refused (§ Errors, `keys.12.value`). */
import { isApiError, withDetails, type RefusedItem } from "../api/errors.ts";

/** The key of an item, and the file that its text is from. */
export type ItemName = Pick<RefusedItem, "namespace" | "key" | "context" | "locale" | "file">;

/**
 * Returns the error to throw instead: with `items` where the service refused some; any other error unchanged.
 * @param nameOf Returns the item at an index of a list (`keys`, `archive`, `translations`) that batches.ts was called
 * with.
 */
export function withRefusedItems(
  error: unknown,
  nameOf: (list: string, index: number) => ItemName | undefined,
): unknown {
  if (!isApiError(error) || error.refused === undefined) return error;
  const items = error.refused.flatMap(({ list, index, field, messages }): RefusedItem[] => {
    const name = nameOf(list, index);
    return name === undefined ? [] : [{ ...name, field, messages }];
  });
  return items.length === 0 ? error : withDetails(error, { items });
}
