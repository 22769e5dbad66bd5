/** Sends items in several requests, and names those that the service refused (§ Errors, `keys.12.value`). */
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

/** A failed request of several: how many items were sent before it. */
export interface RequestFailure {
  readonly error: unknown;
  readonly sent: number;
  readonly total: number;
}

/** The sum of several requests. */
export interface PartialResult<Sum> {
  readonly result: Sum;
  /** A later request failed; those before it were executed, and `result` is their sum. */
  readonly failure: RequestFailure | null;
}

/**
 * Sends items in several requests.
 * @param send Calls one of the functions of batches.ts with this `onProgress`.
 * @param nameOf As in `withRefusedItems`.
 * @throws {ApiError} only if the first request failed; an abort rejects with the signal's reason.
 */
export async function withPartialResult<Sum>(
  send: (onProgress: (sent: number, total: number, sum: Sum) => void) => Promise<Sum>,
  nameOf: (list: string, index: number) => ItemName | undefined,
  onProgress?: (sent: number, total: number) => void,
): Promise<PartialResult<Sum>> {
  const sums: (readonly [sum: Sum, sent: number, total: number])[] = [];
  try {
    const result = await send((sent, total, sum) => {
      sums.push([sum, sent, total]);
      onProgress?.(sent, total);
    });
    return { result, failure: null };
  } catch (thrown) {
    const error = withRefusedItems(thrown, nameOf);
    const last = sums.at(-1);
    if (last === undefined) throw error;
    const [result, sent, total] = last;
    return { result, failure: { error, sent, total } };
  }
}
