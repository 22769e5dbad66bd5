/** All pages of a list, one after another (§ Pagination): same filters, 1,000 items each. */
import type { Client, RequestOptions } from "./client.ts";
import type { KeysQuery, Page, TranslationsQuery } from "./endpoints.ts";
import { ApiError, isBadCursor } from "./errors.ts";
import type { Key, Row } from "./schemas.ts";

/** Where a list is given up: a service that always has another page would fill the memory or keep us reading for ever. */
export interface ListLimits {
  readonly pages: number;
  /** In a row. */
  readonly emptyPages: number;
  /** Of the answers, all pages together. */
  readonly bytes: number;
}

/** More than any project has. */
const LIST_LIMITS: ListLimits = { pages: 5_000, emptyPages: 20, bytes: 512 * 1024 * 1024 };

/** Every key that the filters select, a page at a time. A cursor that went stale throws `isBadCursor`: begin again. */
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

/** Every key that the filters select; begins again when a cursor went stale. Throws ApiError, or the signal's reason. */
export function allKeys(client: Client, query: KeysQuery = {}, options?: RequestOptions): Promise<Key[]> {
  return fromTheStart(async () => {
    const keys: Key[] = [];
    for await (const page of keyPages(client, query, options)) keys.push(...page);
    return keys;
  });
}

/** Every active key with its translation in this language, a page at a time. As keyPages. */
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
 * Reads pages and, when a cursor went stale on the way ("A cursor that cannot be read gives `422`", § Pagination), once
 * more from the first. `read` begins anew each time and keeps nothing of before.
 */
export async function fromTheStart<Result>(read: () => Promise<Result>): Promise<Result> {
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
  const refuse = (why: string): ApiError =>
    new ApiError("bad_response", `${label}: ${why}`, { field: "meta.nextCursor", endpoint: label });
  const seen = new Set<string>();
  let bytes = 0;
  let empty = 0;
  const pageOptions: RequestOptions = { ...options, onAnswer: (answer) => (bytes += answer.bytes.length) };
  let cursor: { cursor?: string } = {};
  for (;;) {
    const { data, meta } = await fetchPage(cursor, pageOptions);
    yield data;
    if (meta.nextCursor === null) return;
    // A service that leads in circles.
    if (seen.has(meta.nextCursor)) throw refuse("the same cursor came twice");
    seen.add(meta.nextCursor);
    empty = data.length === 0 ? empty + 1 : 0;
    if (seen.size >= limits.pages || empty >= limits.emptyPages || bytes > limits.bytes)
      throw refuse("the list does not end");
    cursor = { cursor: meta.nextCursor };
  }
}
