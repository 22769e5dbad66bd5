/** Lists of any length over the limits of one request (§ Limits: 10,000, 5,000 and 1,000), summed up. */
import type { Client, RequestOptions } from "./client.ts";
import { MAX, type DiffKey, type SyncBody, type TranslationItem, type WriteMode } from "./endpoints.ts";
import { isApiError, refusedEntries, withDetails } from "./errors.ts";
import type { DiffAnswer, SkippedItem, WriteResult } from "./undocumented-fields.ts";
import type { SyncResult } from "./schemas.ts";

/** Told after each request: the sum so far (kept by the caller, it says what was done when a later one fails). */
export interface ChunkOptions<Sum> extends RequestOptions {
  readonly onProgress?: (done: number, total: number, sum: Sum) => void;
  /** Awaited before each request. */
  readonly beforeEach?: () => Promise<void>;
}

/** Diffs any number of keys. `null`: an answer could not be read, so everything is to be sent (undocumented-fields.ts). */
export async function diffAll(
  client: Client,
  keys: readonly DiffKey[],
  options: ChunkOptions<DiffAnswer> = {},
): Promise<DiffAnswer | null> {
  const lists = { new: [] as string[], changed: [] as string[], restored: [] as string[] };
  let unchanged = 0;
  let done = 0;
  for (const chunk of chunksOf(keys, MAX.diff)) {
    const start = done;
    const answer = await located(client.diff(chunk, options), (index) => start + index);
    if (answer === null) return null;
    for (const name of ["new", "changed", "restored"] as const) lists[name].push(...answer[name]);
    unchanged += answer.unchanged;
    done += chunk.length;
    options.onProgress?.(done, keys.length, { ...lists, unchanged });
  }
  return { ...lists, unchanged };
}

/** What the caller knows of a key that it syncs: what comes of it where the service does not have it so already. */
export interface ExpectedChange {
  readonly hash: string;
  /** `null`: nobody knows. */
  readonly count: "created" | "updated" | "restored" | null;
}

export interface SyncOptions extends ChunkOptions<SyncResult> {
  /** One for each of the keys, in their order. */
  readonly expected?: readonly ExpectedChange[];
}

/**
 * Syncs any number of keys. "Key-limit check is done on the whole sync first: new keys plus restored keys minus keys
 * archived by the same sync" (§ Sync rule 4), so each request archives along with what it adds, and the first makes
 * the most room. A request that fails throws (`refused` counts in the whole lists); those before it were done, and
 * sending all again is safe (rule 3). What the answer to a repeated request calls unchanged is counted by what was
 * expected of it.
 */
export async function syncAll(
  client: Client,
  body: SyncBody,
  { expected = [], ...options }: SyncOptions = {},
): Promise<SyncResult> {
  const keys = chunksOf(body.keys, MAX.sync);
  const archive = chunksOf(body.archive ?? [], MAX.sync);
  const sum: SyncResult = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };
  const total = body.keys.length + (body.archive?.length ?? 0);
  let done = 0;
  for (let index = 0; index < Math.max(keys.length, archive.length); index += 1) {
    const part = { keys: keys[index] ?? [], archive: archive[index] ?? [] };
    await options.beforeEach?.();
    let isRepeated = false;
    const onRepeat = (): void => {
      isRepeated = true;
    };
    const asked = part.archive.length === 0 ? { keys: part.keys } : part;
    const answer = await located(client.sync(asked, { ...options, onRepeat }), (at) => index * MAX.sync + at);
    const own = expected.slice(index * MAX.sync, (index + 1) * MAX.sync);
    const result = isRepeated ? recount(answer, own, part.archive.length) : answer;
    for (const name of ["created", "updated", "restored", "unchanged", "archived"] as const)
      sum[name] += result[name];
    sum.rejected.push(...result.rejected);
    done += part.keys.length + part.archive.length;
    options.onProgress?.(done, total, sum);
  }
  return sum;
}

/**
 * The whole of a sync whose request was sent more than once: an earlier one, whose answer nobody saw, may have done a
 * part or all of it, which the last answer then counts as unchanged ("Repeating the same sync changes nothing the second
 * time", § Sync rule 3).
 */
function recount(answer: SyncResult, expected: readonly ExpectedChange[], archive: number): SyncResult {
  const rejected = new Set(answer.rejected.map(({ hash }) => hash));
  const wanted = { created: 0, updated: 0, restored: 0 };
  for (const { hash, count } of expected) if (count !== null && !rejected.has(hash)) wanted[count] += 1;
  const sum = { ...answer, archived: Math.max(answer.archived, archive) };
  for (const count of ["created", "updated", "restored"] as const) {
    const done = Math.min(sum.unchanged, Math.max(0, wanted[count] - sum[count]));
    sum[count] += done;
    sum.unchanged -= done;
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
  const numbered = items.map((item, index) => ({ item, index }));
  const isGuarded = ({ item }: { readonly item: TranslationItem }): boolean =>
    mode === "overwrite" && item.version === null;
  const guarded = numbered.filter(isGuarded);
  const others = numbered.filter((each) => !isGuarded(each));
  const requests = [
    ...chunksOf(others, MAX.write).map((chunk) => ({ chunk, mode })),
    ...chunksOf(guarded, MAX.write).map((chunk) => ({ chunk, mode: "fill_empty" as const })),
  ];
  const skipped: SkippedItem[] = [];
  let written = 0;
  let done = 0;
  for (const request of requests) {
    const sent = request.chunk.map(({ item }) => item);
    const result = await located(
      client.writeTranslations(locale, sent, request.mode, options),
      (index) => request.chunk[index]?.index,
    );
    written += result.written;
    skipped.push(...result.skipped);
    done += request.chunk.length;
    options.onProgress?.(done, items.length, { written, skipped });
  }
  return { written, skipped };
}

/** Refused items of one request, with `refused` of the error by their positions in the whole list. */
async function located<Answer>(
  request: Promise<Answer>,
  positionOf: (index: number) => number | undefined,
): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    if (!isApiError(error)) throw error;
    const refused = refusedEntries(error).flatMap((entry) => {
      const index = positionOf(entry.index);
      return index === undefined ? [] : [{ ...entry, index }];
    });
    throw refused.length === 0 ? error : withDetails(error, { refused });
  }
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
