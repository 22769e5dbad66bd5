/** Lists of any length over the limits of one request (§ Limits: 10,000, 5,000 and 1,000), summed up. */
import type { Client, RequestOptions } from "./client.ts";
import { MOST, type DiffKey, type SyncBody, type TranslationItem, type WriteMode } from "./contract.ts";
import type { DiffAnswer, SkippedItem, WriteResult } from "./holes.ts";
import type { SyncResult } from "./schemas.ts";

/** Told after each request: the sum so far (kept by the caller, it says what was done when a later one fails). */
export interface ChunkOptions<Sum> extends RequestOptions {
  readonly onProgress?: (done: number, total: number, sum: Sum) => void;
}

/** Diffs any number of keys. `null`: an answer could not be read, so everything is to be sent (holes.ts). */
export async function diffAll(
  client: Client,
  keys: readonly DiffKey[],
  options: ChunkOptions<DiffAnswer> = {},
): Promise<DiffAnswer | null> {
  const lists = { new: [] as string[], changed: [] as string[], restored: [] as string[] };
  let unchanged = 0;
  let done = 0;
  for (const chunk of chunksOf(keys, MOST.diff)) {
    const answer = await client.diff(chunk, options);
    if (answer === null) return null;
    for (const name of ["new", "changed", "restored"] as const) lists[name].push(...answer[name]);
    unchanged += answer.unchanged;
    done += chunk.length;
    options.onProgress?.(done, keys.length, { ...lists, unchanged });
  }
  return { ...lists, unchanged };
}

/**
 * Syncs any number of keys. "Key-limit check is done on the whole sync first: new keys plus restored keys minus keys
 * archived by the same sync" (§ Sync rule 4), so each request archives along with what it adds, and the first makes
 * the most room. A request that fails throws; those before it were done, and sending all again is safe (rule 3).
 */
export async function syncAll(
  client: Client,
  body: SyncBody,
  options: ChunkOptions<SyncResult> = {},
): Promise<SyncResult> {
  const keys = chunksOf(body.keys, MOST.sync);
  const archive = chunksOf(body.archive ?? [], MOST.sync);
  const sum: SyncResult = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };
  const total = body.keys.length + (body.archive?.length ?? 0);
  let done = 0;
  for (let index = 0; index < Math.max(keys.length, archive.length); index += 1) {
    const part = { keys: keys[index] ?? [], archive: archive[index] ?? [] };
    const result = await client.sync(part.archive.length === 0 ? { keys: part.keys } : part, options);
    for (const name of ["created", "updated", "restored", "unchanged", "archived"] as const)
      sum[name] += result[name];
    sum.rejected.push(...result.rejected);
    done += part.keys.length + part.archive.length;
    options.onProgress?.(done, total, sum);
  }
  return sum;
}

/**
 * Writes any number of translations. An item with `version: null` had no translation when it was read; that it still
 * has none is guarded by `fill_empty` ("only fill empty translations"), since nothing says that `version` may be null.
 */
export async function writeAll(
  client: Client,
  locale: string,
  items: readonly TranslationItem[],
  mode: WriteMode,
  options: ChunkOptions<WriteResult> = {},
): Promise<WriteResult> {
  const guarded = mode === "overwrite" ? items.filter((item) => item.version === null) : [];
  const others = mode === "overwrite" ? items.filter((item) => item.version !== null) : items;
  const requests = [
    ...chunksOf(others, MOST.write).map((chunk) => ({ chunk, mode })),
    ...chunksOf(guarded, MOST.write).map((chunk) => ({ chunk, mode: "fill_empty" as const })),
  ];
  const skipped: SkippedItem[] = [];
  let written = 0;
  let done = 0;
  for (const request of requests) {
    const result = await client.writeTranslations(locale, request.chunk, request.mode, options);
    written += result.written;
    skipped.push(...result.skipped);
    done += request.chunk.length;
    options.onProgress?.(done, items.length, { written, skipped });
  }
  return { written, skipped };
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
