/** Gives the items that the service refused (§ Errors, `keys.12.value`) the names of their keys. */
import { isApiError, withDetails, type RefusedItem } from "../api/errors.ts";

/** What is known of an item: its key, and where its text is from. */
export type ItemName = Pick<RefusedItem, "namespace" | "key" | "context" | "locale" | "file">;

/**
 * The error to throw instead: with `items` where the service refused some. `nameOf` says what stands at a position of a
 * list (`keys`, `archive`, `translations`) as it was given to batches.ts. Anything else comes back as it is.
 */
export function withItems(
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
