/** Reads all pages of a list with a cursor (§ Pagination), 1,000 items each. */
import type { Client, RequestOptions } from "./client.ts";
import type { KeysQuery, Page, PageQuery, TranslationsQuery } from "./endpoints.ts";
import { badResponse, isFieldRefused } from "./errors.ts";
import type { Key, TranslationRow } from "./response-schemas.ts";

/** Limits that protect against a service whose list never ends. */
export interface ListLimits {
  readonly pages: number;
  /** Size of all responses together. */
  readonly bytes: number;
}

/**
 * Beyond the size of any real project. Pages may be empty: "While `meta.nextCursor` is not null, the next page is
 * requested" (§ Pagination).
 */
const LIST_LIMITS: ListLimits = { pages: 5_000, bytes: 512 * 1024 * 1024 };

/**
 * Yields the keys that match the filters, one page at a time.
 * @throws {ApiError} also when the cursor became stale: the caller starts again (`restartOnBadCursor`).
 */
export function keyPages(
  client: Client,
  query: KeysQuery = {},
  options?: RequestOptions,
  limits = LIST_LIMITS,
): AsyncGenerator<Key[]> {
  return pages("GET /keys", query, options, limits, client.keys);
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
): AsyncGenerator<TranslationRow[]> {
  return pages(`GET /translations/${locale}`, query, options, limits, (pageQuery, pageOptions) =>
    client.translations(locale, pageQuery, pageOptions),
  );
}

/**
 * Calls `read`, and once more if a cursor became stale ("A cursor that cannot be read gives `422` with an error on the field `cursor`", § Pagination).
 * `read` must start at the first page and discard what an earlier call read.
 */
export async function restartOnBadCursor<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isFieldRefused(error, "cursor")) throw error;
    return read();
  }
}

/**
 * "Maximum string lengths of the filter parameters per parameter: not shown" (§ GET /translations/{locale}): if the
 * filter by namespace is refused, every namespace is read and filtered here.
 */
async function* pages<Item extends { readonly namespace: string }, Query extends { namespace?: string }>(
  label: string,
  query: Query,
  options: RequestOptions | undefined,
  limits: ListLimits,
  fetchPage: (query: Omit<Query, "namespace"> & PageQuery, options: RequestOptions) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
  const listError = (why: string) => badResponse(label, why, "meta.nextCursor");
  const { namespace, ...unfiltered } = query;
  const seen = new Set<string>();
  let filters: Omit<Query, "namespace"> = query;
  let bytes = 0;
  const pageOptions: RequestOptions = {
    ...options,
    onResponse: (response) => (bytes += response.bytes.length),
  };
  let page = await fetchPage(query, pageOptions).catch((error: unknown) => {
    if (namespace === undefined || !isFieldRefused(error, "namespace")) throw error;
    filters = unfiltered;
    return fetchPage(filters, pageOptions);
  });
  for (;;) {
    const { data, meta } = page;
    yield filters === query ? data : data.filter((item) => item.namespace === namespace);
    if (meta.nextCursor === null) return;
    // The cursors form a cycle.
    if (seen.has(meta.nextCursor)) throw listError("the same cursor was returned twice");
    seen.add(meta.nextCursor);
    if (seen.size >= limits.pages || bytes > limits.bytes) throw listError("the list does not end");
    page = await fetchPage({ ...filters, cursor: meta.nextCursor }, pageOptions);
  }
}
