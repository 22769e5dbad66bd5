/**
 * Splits lists that exceed the limit of one request (§ Limits: 10,000, 5,000 and 1,000), adds up the results, keeps what was
 * done before a failure, and names the items that the service refused (§ Errors, `keys.12.value`).
 */
import type { Client, RequestOptions } from "./client.ts";
import type { DiffKey, SyncBody, TranslationItem, WriteMode } from "./endpoints.ts";
import { isApiError, refusedEntries, type RefusedItem, withDetails } from "./errors.ts";
import type { DiffResult, WriteResult } from "./undocumented-fields.ts";
import type { SyncResult } from "./response-schemas.ts";
import { keyHash, type KeyName } from "../model/key-hash.ts";
import { isForms, type Text } from "../model/translation-text.ts";

interface BatchOptions<Sum> extends RequestOptions {
  /** Called after each request with the sum so far, which is what was done if a later request fails. */
  readonly onProgress?: (done: number, total: number, sum: Sum) => void;
}

/**
 * Compares any number of keys with the service. Returns `null` when a response cannot be parsed, so that everything
 * has to be sent (undocumented-fields.ts).
 * @throws {ApiError} with positions in `keys` in `refused`.
 */
export async function diffInBatches(
  client: Client,
  keys: readonly DiffKey[],
  options?: RequestOptions,
): Promise<DiffResult | null> {
  const results: DiffResult[] = [];
  for (const [number, chunk] of splitIntoChunks(keys, client.maxItems.diff).entries()) {
    const start = number * client.maxItems.diff;
    const response = await withListPositions(client.diff(chunk, options), (index) => start + index);
    if (response === null) return null;
    results.push(response);
  }
  return {
    new: results.flatMap((result) => result.new),
    changed: results.flatMap(({ changed }) => changed),
    restored: results.flatMap(({ restored }) => restored),
    unchanged: results.reduce((sum, { unchanged }) => sum + unchanged, 0),
  };
}

/** The result that the caller expects for a key, unless the service already has it. */
export interface ExpectedChange {
  readonly hash: string;
  /** `null`: unknown. */
  readonly count: "created" | "updated" | "restored" | null;
}

interface SyncOptions extends BatchOptions<SyncResult> {
  /** Parallel to `keys`. */
  readonly expected?: readonly ExpectedChange[];
  /** Awaited before each request. */
  readonly beforeEach?: () => Promise<void>;
}

/**
 * Syncs any number of keys. "Key-limit check is done on the whole sync first: new keys plus restored keys minus keys
 * archived by the same sync" (§ Sync rule 4), so each request also archives, and the first frees the most capacity.
 * Earlier requests stay done when one fails; sending all again is safe (rule 3). Where a request was retried, keys
 * that the response counts as unchanged are counted by `expected`.
 * @throws {ApiError} with positions in the whole lists in `refused`.
 */
export async function syncInBatches(
  client: Client,
  body: SyncBody,
  { expected = [], ...options }: SyncOptions = {},
): Promise<SyncResult> {
  const keys = splitIntoChunks(body.keys, client.maxItems.sync);
  const archive = splitIntoChunks(body.archive ?? [], client.maxItems.sync);
  const sum = emptySyncResult();
  const total = body.keys.length + (body.archive?.length ?? 0);
  let done = 0;
  for (let index = 0; index < Math.max(keys.length, archive.length); index += 1) {
    const chunk = { keys: keys[index] ?? [], archive: archive[index] ?? [] };
    await options.beforeEach?.();
    let isRetried = false;
    const onRetry = (): void => {
      isRetried = true;
    };
    const chunkBody = chunk.archive.length === 0 ? { keys: chunk.keys } : chunk;
    const response = await withListPositions(
      client.sync(chunkBody, { ...options, onRetry }),
      (position) => index * client.maxItems.sync + position,
    );
    const chunkExpected = expected.slice(index * client.maxItems.sync, (index + 1) * client.maxItems.sync);
    const result = isRetried ? recountAfterRetry(response, chunkExpected, chunk.archive.length) : response;
    addSyncResult(sum, result);
    done += chunk.keys.length + chunk.archive.length;
    options.onProgress?.(done, total, sum);
  }
  return sum;
}

/** Returns the result of a sync without keys. */
export function emptySyncResult(): SyncResult {
  return { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };
}

/** Adds a result to `sum`. */
export function addSyncResult(sum: SyncResult, { rejected, ...counts }: SyncResult): void {
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) sum[name] += counts[name];
  sum.rejected.push(...rejected);
}

/**
 * Corrects the result of a retried sync: an earlier attempt, whose response was lost, may have done part or all of
 * it, which the last response counts as unchanged ("Repeating the same sync changes nothing the second time", § Sync
 * rule 3).
 */
function recountAfterRetry(
  response: SyncResult,
  expected: readonly ExpectedChange[],
  archive: number,
): SyncResult {
  const rejected = new Set(response.rejected.map(({ hash }) => hash));
  const expectedCounts = { created: 0, updated: 0, restored: 0 };
  for (const { hash, count } of expected)
    if (count !== null && !rejected.has(hash)) expectedCounts[count] += 1;
  const sum = { ...response, archived: Math.max(response.archived, archive) };
  for (const count of ["created", "updated", "restored"] as const) {
    const done = Math.min(sum.unchanged, Math.max(0, expectedCounts[count] - sum[count]));
    sum[count] += done;
    sum.unchanged -= done;
  }
  return sum;
}

/** The reason of a translation that is not sent because of half a surrogate pair. */
export const MALFORMED_TEXT = "malformed_text";

/** Whether the item can be encoded: half a surrogate pair makes a whole body invalid JSON for strict parsers. */
function isWellFormed({ namespace, key, context, value = "", forms = {} }: TranslationItem): boolean {
  const sent = [namespace, key, context ?? "", value, ...Object.values(forms)];
  return sent.every((text) => text.isWellFormed());
}

/**
 * Writes any number of translations. Those that cannot be encoded are not sent, and are in `skipped` with the reason
 * `MALFORMED_TEXT`. An item with `version: null` had no translation when it was read; `fill_empty`
 * ("only fill empty translations") protects a concurrent one, since the document does not allow a `version` of null.
 * @throws {ApiError} with positions in `items` in `refused`.
 */
export async function writeInBatches(
  client: Client,
  locale: string,
  items: readonly TranslationItem[],
  mode: WriteMode,
  options: BatchOptions<WriteResult> = {},
): Promise<WriteResult> {
  const malformed = items.filter((item) => !isWellFormed(item));
  const numbered = items.map((item, index) => ({ item, index })).filter(({ item }) => isWellFormed(item));
  const isGuarded = ({ item }: { readonly item: TranslationItem }): boolean =>
    mode === "overwrite" && item.version === null;
  const guarded = numbered.filter(isGuarded);
  const others = numbered.filter((each) => !isGuarded(each));
  const requests = [
    ...splitIntoChunks(others, client.maxItems.write).map((chunk) => ({ chunk, mode })),
    ...splitIntoChunks(guarded, client.maxItems.write).map((chunk) => ({
      chunk,
      mode: "fill_empty" as const,
    })),
  ];
  let sum: WriteResult = {
    written: 0,
    skipped: malformed.map((item) => ({ item, reason: MALFORMED_TEXT })),
    unconfirmed: [],
  };
  let done = 0;
  for (const request of requests) {
    const sent = request.chunk.map(({ item }) => item);
    const result = await withListPositions(
      client.writeTranslations(locale, sent, request.mode, options),
      (index) => request.chunk[index]?.index,
    );
    sum = {
      written: sum.written + result.written,
      skipped: [...sum.skipped, ...result.skipped],
      unconfirmed: [...sum.unconfirmed, ...result.unconfirmed],
    };
    done += request.chunk.length;
    options.onProgress?.(done, numbered.length, sum);
  }
  return sum;
}

/** Awaits a request, and converts the positions of refused items in its error to positions in the whole list. */
async function withListPositions<Result>(
  request: Promise<Result>,
  positionOf: (index: number) => number | undefined,
): Promise<Result> {
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

function splitIntoChunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** A translation to write. `version`: as read; `undefined` overwrites any version. */
export interface TranslationEdit {
  readonly name: KeyName;
  readonly text: Text;
  readonly version?: number | null;
}

/** Returns the item of a `PUT` for a translation (§ PUT /translations/{locale}). */
export function toTranslationItem(edit: TranslationEdit): TranslationItem {
  const { namespace, key, context } = edit.name;
  return {
    hash: keyHash(edit.name),
    namespace,
    key,
    context,
    ...(isForms(edit.text) ? { forms: edit.text.forms } : { value: edit.text.value }),
    ...(edit.version === undefined ? {} : { version: edit.version }),
  };
}

/** The key of an item, and the file that its text is from. */
export type ItemName = Pick<RefusedItem, "namespace" | "key" | "context" | "locale" | "file">;

/**
 * Returns the error to throw instead: with `items` where the service refused some; any other error unchanged.
 * @param nameOf Returns the item at an index of a list (`keys`, `archive`, `translations`) that was to be sent.
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
 * @param send Calls one of the functions above with this `onProgress`.
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
