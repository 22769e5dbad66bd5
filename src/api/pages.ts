/** All pages of a list, one after another (§ Pagination): same filters, 1,000 items each. */
import type { Client, RequestOptions } from "./client.ts";
import type { KeysQuery, Page, TranslationsQuery } from "./contract.ts";
import { ApiError, isBadCursor } from "./errors.ts";
import type { Key, Row } from "./schemas.ts";

/** Every key that the filters select, a page at a time. A cursor that went stale throws `isBadCursor`: begin again. */
export function keyPages(
  client: Client,
  query: KeysQuery = {},
  options?: RequestOptions,
): AsyncGenerator<Key[]> {
  return pages("GET /keys", (cursor) => client.keys({ ...query, ...cursor }, options));
}

/** Every active key with its translation in this language, a page at a time. As keyPages. */
export function translationPages(
  client: Client,
  locale: string,
  query: TranslationsQuery = {},
  options?: RequestOptions,
): AsyncGenerator<Row[]> {
  return pages("GET /translations", (cursor) =>
    client.translations(locale, { ...query, ...cursor }, options),
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
  fetchPage: (cursor: { cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
  const seen = new Set<string>();
  let cursor: { cursor?: string } = {};
  for (;;) {
    const { data, meta } = await fetchPage(cursor);
    yield data;
    if (meta.nextCursor === null) return;
    // A service that leads in circles would keep us reading for ever.
    if (seen.has(meta.nextCursor))
      throw new ApiError("bad_response", `${label}: the same cursor came twice`, {
        field: "meta.nextCursor",
      });
    seen.add(meta.nextCursor);
    cursor = { cursor: meta.nextCursor };
  }
}
