/** Reads all pages of a list with a cursor (§ Pagination), 1,000 items each. */
import type { Client, RequestOptions } from "./client.ts";
import type { KeysQuery, Page, TranslationsQuery } from "./endpoints.ts";
import { badResponse, isBadCursor } from "./errors.ts";
import type { Key, Row } from "./response-schemas.ts";

/** Limits that protect against a service whose list never ends. */
export interface ListLimits {
  readonly pages: number;
  /** Consecutive empty pages. */
  readonly emptyPages: number;
  /** Size of all responses together. */
  readonly bytes: number;
}

/** Beyond the size of any real project. */
const LIST_LIMITS: ListLimits = { pages: 5_000, emptyPages: 20, bytes: 512 * 1024 * 1024 };

/**
 * Yields the keys that match the filters, one page at a time.
 * @throws {ApiError} also when the cursor became stale (`isBadCursor`): the caller starts again.
 */
export function keyPages(
  client: Client,
  query: KeysQuery = {},
  options?: RequestOptions,
  limits = LIST_LIMITS,
): AsyncGenerator<Key[]> {
  return pages("GET /keys", options, limits, (cursor, pageOptions) =>
    client.keys({ ...query, ...cursor }, pageOptions),
  );
}

/**
 * Returns all keys that match the filters, and starts again once if the cursor became stale.
 * @throws {ApiError} of any kind; an abort rejects with the signal's reason.
 */
export function allKeys(client: Client, query: KeysQuery = {}, options?: RequestOptions): Promise<Key[]> {
  return restartOnBadCursor(async () => {
    const keys: Key[] = [];
    for await (const page of keyPages(client, query, options)) keys.push(...page);
    return keys;
  });
}

/**
 * Yields every active key with its translation in one language, one page at a time.
 * @throws {ApiError} as `keyPages`.
 */
export function translationPages(
  client: Client,
  locale: string,
  query: TranslationsQuery = {},
  options?: RequestOptions,
  limits = LIST_LIMITS,
): AsyncGenerator<Row[]> {
  return pages(`GET /translations/${locale}`, options, limits, (cursor, pageOptions) =>
    client.translations(locale, { ...query, ...cursor }, pageOptions),
  );
}

/**
 * Calls `read`, and once more if a cursor became stale ("A cursor that cannot be read gives `422`", § Pagination).
 * `read` must start at the first page and discard what an earlier call read.
 */
export async function restartOnBadCursor<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isBadCursor(error)) throw error;
    return read();
  }
}

async function* pages<Item>(
  label: string,
  options: RequestOptions | undefined,
  limits: ListLimits,
  fetchPage: (cursor: { cursor?: string }, options: RequestOptions) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
  const listError = (why: string) => badResponse(label, why, "meta.nextCursor");
  const seen = new Set<string>();
  let bytes = 0;
  let empty = 0;
  const pageOptions: RequestOptions = {
    ...options,
    onResponse: (response) => (bytes += response.bytes.length),
  };
  let cursor: { cursor?: string } = {};
  for (;;) {
    const { data, meta } = await fetchPage(cursor, pageOptions);
    yield data;
    if (meta.nextCursor === null) return;
    // The cursors form a cycle.
    if (seen.has(meta.nextCursor)) throw listError("the same cursor was returned twice");
    seen.add(meta.nextCursor);
    empty = data.length === 0 ? empty + 1 : 0;
    if (seen.size >= limits.pages || empty >= limits.emptyPages || bytes > limits.bytes)
      throw listError("the list does not end");
    cursor = { cursor: meta.nextCursor };
  }
}
