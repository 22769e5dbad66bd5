/**
 * Pushes source texts: compares by hash, says what a push would do, and sends what a person ticked (§ POST /keys/diff,
 * § POST /keys/sync). It reads no files; local entries are handed in.
 */
import { isDeepStrictEqual } from "node:util";
import { diffAll, syncAll, type ExpectedChange } from "../api/batches.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import { MAX, type DiffKey, type SyncBody } from "../api/contract.ts";
import { isApiError } from "../api/errors.ts";
import type { DiffAnswer } from "../api/undocumented-fields.ts";
import { fromTheStart, keyPages } from "../api/pages.ts";
import type { SyncKey, SyncResult } from "../api/schemas.ts";
import { NO_NAMESPACE, sourceHash, type KeyName } from "../model/key-identity.ts";
import { NO_TAGS, type ProjectKey } from "../database/project-records.ts";
import { inSlices, yieldNow } from "../model/time-slices.ts";
import { projectKey, type Project } from "../database/project-state.ts";
import { withItems, type ItemName } from "./refused-items.ts";
import { confirmSourceLocale } from "./source-language.ts";
import { isEmptyText, isForms, type Text } from "../model/text.ts";
import { mayContain, type UnparsedRange } from "../workspace/local-files/unparsed-ranges.ts";

/** One source entry of the local files. */
export interface LocalKey {
  readonly hash: string;
  readonly name: KeyName;
  readonly text: Text;
  readonly description: string | null;
  /** Relative path of its file. */
  readonly path: string;
}

/** `unknown`: the service's answer could not be read, so it is sent; a sync is idempotent (§ Sync rule 3). */
export type PushChange = "new" | "changed" | "restored" | "unchanged" | "unknown";

export interface PushItem extends LocalKey {
  readonly change: PushChange;
  /** What the service has, as far as the cache knows; `null` also where nothing is to be changed. */
  readonly service: ProjectKey | null;
  /** It would switch between singular and plural, which the service refuses (§ Sync rule 2). */
  readonly pluralSwitch: boolean;
}

export interface PushPlan {
  readonly items: readonly PushItem[];
  /** Active keys of the service that no local file has; empty unless asked for. */
  readonly archive: readonly ProjectKey[];
  readonly counts: PushPlanCounts;
  /** Share of the local keys that the service knows, 0 to 1; `null`: nobody can say. */
  readonly matchRate: number | null;
  /** Local entries without a text, which are not pushed. */
  readonly empty: readonly LocalKey[];
  /** Source files that may hold any key, each once, so nothing is archived although it was asked for. */
  readonly unread: readonly UnparsedRange[];
}

export interface PushPlanCounts {
  readonly new: number;
  readonly changed: number;
  readonly restored: number;
  readonly unchanged: number;
  readonly archive: number;
}

export interface PushDependencies {
  readonly client: Client;
  readonly project: Project;
}

export interface PlanOptions extends RequestOptions {
  readonly archiveMissing?: boolean;
  /** What of the source files could not be read; what may stand there is not missing. */
  readonly unread?: readonly UnparsedRange[];
  /** Only these hashes, also of what is missing. */
  readonly only?: ReadonlySet<string>;
  /** The language of the texts: ApiError `busy` when the service changes the source language meanwhile. */
  readonly sourceLocale?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Compares; changes nothing. One request per 10,000 keys, and the list of keys when `archiveMissing` needs it. */
export async function planPush(
  dependencies: PushDependencies,
  local: readonly LocalKey[],
  options: PlanOptions = {},
): Promise<PushPlan> {
  const { client, project } = dependencies;
  const empty: LocalKey[] = [];
  const wanted = new Map<string, LocalKey>();
  await inBatches(local, (key) => {
    if (options.only?.has(key.hash) === false) return;
    if (isEmptyText(key.text)) empty.push(key);
    else wanted.set(key.hash, key);
  });
  const sent = [...wanted.values()];
  const hashes: DiffKey[] = [];
  await inBatches(sent, (key) => hashes.push({ hash: key.hash, sourceHash: sourceHash(key.text) }));
  const answer = hashes.length === 0 ? NOTHING : await diffed(client, hashes, sent, options);
  const kinds = answer === null ? null : kindsOf(answer);
  const cacheKnows = answer === null && (await isCacheCurrent(dependencies, options));
  const items: PushItem[] = [];
  const counted: Record<PushChange, number> = { new: 0, changed: 0, restored: 0, unchanged: 0, unknown: 0 };
  await inBatches(sent, (key, index) => {
    const { hash } = key;
    const knownAs = project.keys.isPlural(hash);
    const isOtherKind = knownAs !== undefined && knownAs !== isForms(key.text);
    const pluralSwitch = isOtherKind && project.keys.get(hash)?.text !== null;
    let change =
      kinds === null
        ? classify(cacheKnows, project.keys.get(hash), hashes[index]?.sourceHash ?? null)
        : kinds.get(hash);
    // A singular text can have the source hash of a plural one (§ Key identity), so the kind is compared as well.
    if (change === undefined || change === "unchanged") change = pluralSwitch ? "changed" : "unchanged";
    const service = change === "unchanged" ? null : (project.keys.get(hash) ?? null);
    counted[change] += 1;
    items.push({ ...key, change, service, pluralSwitch });
  });
  const anyKey = new Map<string, UnparsedRange>();
  for (const place of options.unread ?? []) {
    if (place.key === null && !anyKey.has(place.path)) anyKey.set(place.path, place);
  }
  const unread = options.archiveMissing === true ? [...anyKey.values()] : [];
  const archive =
    options.archiveMissing === true && unread.length === 0
      ? await missingKeys(dependencies, local, options)
      : [];
  const { unknown, ...counts } = { ...counted, archive: archive.length };
  counts.changed += unknown;
  if (options.only === undefined) {
    project.setPushCounts({ new: counts.new, changed: counts.changed, restored: counts.restored });
  }
  const matchRate = items.length === 0 || unknown > 0 ? null : 1 - counts.new / items.length;
  return { items, archive, counts, matchRate, empty, unread };
}

/** The diff of these keys. A refused item is named in the error. */
async function diffed(
  client: Client,
  hashes: readonly DiffKey[],
  keys: readonly LocalKey[],
  options: PlanOptions,
): Promise<DiffAnswer | null> {
  try {
    const failOnSourceLanguageChange = options.sourceLocale !== undefined;
    return await diffAll(client, hashes, { ...options, failOnSourceLanguageChange });
  } catch (error) {
    throw withItems(error, (list, index) => (list === "keys" ? itemName(keys[index]) : undefined));
  }
}

function itemName(key: LocalKey | undefined): ItemName | undefined {
  return key === undefined ? undefined : { ...key.name, file: key.path };
}

/** Keys looked at, or written to the database, before other work gets its turn; at most some 20 ms. */
const BATCH_SIZE = 1_000;

async function inBatches<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => void,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    work(item, index);
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await yieldNow();
  }
}

/** What stays to do when a request of several failed; `sum` is what was done before. */
export interface PushFailure {
  readonly error: unknown;
  readonly sent: number;
  readonly total: number;
}

export interface PushDone {
  readonly result: SyncResult;
  /** Later requests failed; all before them were done, and pushing again completes the rest. */
  readonly failure: PushFailure | null;
}

export interface Pushed extends PushDone {
  /** The service's time when all of it was stored, where the keys are known here as they are there now; else `null`. */
  readonly storedAt: string | null;
}

export interface SendOptions extends RequestOptions {
  /** What each of the keys comes to, in their order; for what is counted when an answer was lost. */
  readonly expected?: readonly ExpectedChange[];
  /** As in PlanOptions; asked for before each request, since a plan may be old when it is sent. */
  readonly sourceLocale?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Sends these items and archives these keys, in requests of 5,000. The project knows afterwards what the service
 * took. Throws ApiError only when nothing was done.
 */
export async function sendPush(
  dependencies: PushDependencies,
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  options: SendOptions = {},
): Promise<Pushed> {
  let answeredAt: string | null = null;
  const keys: SyncKey[] = [];
  await inBatches(items, (item) => keys.push(syncKey(item)));
  const body = { keys, archive: archive.map((key) => key.hash) };
  const expected = items.map(expectedOf);
  const onAnswer: RequestOptions["onAnswer"] = ({ headers }) => (answeredAt = answerTime(headers));
  const done = await syncParts(
    dependencies.client,
    body,
    { ...options, expected, onAnswer },
    (list, index) => {
      if (list === "keys") return itemName(items[index]);
      const archived = list === "archive" ? archive[index] : undefined;
      return archived && { namespace: archived.namespace, key: archived.key, context: archived.context };
    },
  );
  // Requests go in order and each takes the next 5,000 of both lists.
  let rounds = 1;
  const sentBy = (list: readonly unknown[]): number => Math.min(list.length, rounds * MAX.sync);
  const sent = done.failure?.sent ?? items.length + archive.length;
  while (sentBy(items) + sentBy(archive) < sent) rounds += 1;
  const isKnown = done.failure === null && isAllKnown(items, archive, done.result);
  const pushed = { ...done, storedAt: isKnown ? answeredAt : null };
  await take(dependencies, items.slice(0, sentBy(items)), archive.slice(0, sentBy(archive)), pushed);
  return pushed;
}

/**
 * Syncs in requests of 5,000. `nameOf`: the key at a position of `keys` or `archive`, for refused items. Throws ApiError
 * or the signal's reason only when nothing was done.
 */
export async function syncParts(
  client: Client,
  body: SyncBody,
  { onProgress, sourceLocale, ...options }: SendOptions,
  nameOf: (list: string, index: number) => ItemName | undefined,
): Promise<PushDone> {
  let failed: { sum: SyncResult; sent: number; total: number } | null = null;
  const progress = (sent: number, total: number, sum: SyncResult): void => {
    failed = { sum: { ...sum, rejected: [...sum.rejected] }, sent, total };
    onProgress?.(sent, total);
  };
  try {
    const result = await syncAll(client, body, {
      ...options,
      onProgress: progress,
      ...(sourceLocale === undefined
        ? {}
        : {
            failOnSourceLanguageChange: true,
            beforeEach: () =>
              confirmSourceLocale(client, sourceLocale, {
                priority: "person",
                ...options,
              }),
          }),
    });
    return { result, failure: null };
  } catch (thrown) {
    const error = withItems(thrown, nameOf);
    // Read anew, since only the callback writes it.
    const before = failed as { sum: SyncResult; sent: number; total: number } | null;
    if (before === null) throw error;
    return { result: before.sum, failure: { error, sent: before.sent, total: before.total } };
  }
}

const COUNTS = { new: "created", changed: "updated", restored: "restored" } as const;

function expectedOf({ hash, change }: PushItem): ExpectedChange {
  return { hash, count: change === "unchanged" || change === "unknown" ? null : COUNTS[change] };
}

/**
 * Whether the service's counts leave nothing open about the keys that were sent. What an archived key had beside its
 * text, before it was restored, is known to the service alone.
 */
function isAllKnown(
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  { created, updated, restored, unchanged, archived, rejected }: SyncResult,
): boolean {
  const taken = created + updated + unchanged + rejected.length === items.length;
  return taken && restored === 0 && archived === archive.length;
}

/** The end of the second in which the service answered, as it writes its times; `null`: it does not say. */
function answerTime(headers: Headers): string | null {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? null : new Date(date + 999).toISOString();
}

/** The key as `POST /keys/sync` takes it. "absent means `*`" for the namespace. */
export function syncKey(item: LocalKey): SyncKey {
  const { namespace, key, context } = item.name;
  return {
    key,
    ...(namespace === NO_NAMESPACE ? {} : { namespace }),
    ...(context === null || context === "" ? {} : { context }),
    ...(isForms(item.text) ? { forms: item.text.forms } : { value: item.text.value }),
    ...(item.description === null || item.description === "" ? {} : { description: item.description }),
  };
}

/** Keys that were active and are nowhere in the files. Asked anew, since an old cache must not archive anything. */
async function missingKeys(
  dependencies: PushDependencies,
  local: readonly LocalKey[],
  { unread = [], only, ...options }: PlanOptions,
): Promise<ProjectKey[]> {
  const here = new Set<string>();
  await inBatches(local, (key) => here.add(key.hash));
  return fromTheStart(async () => {
    const missing: ProjectKey[] = [];
    for await (const page of keyPages(dependencies.client, {}, { priority: "person", ...options })) {
      for (const key of page) {
        const isMeant = !key.archived && only?.has(key.hash) !== false;
        if (isMeant && !here.has(key.hash) && !mayContain(unread, key)) missing.push(projectKey(key));
      }
      await yieldNow();
    }
    return missing;
  });
}

const NOTHING: DiffAnswer = { new: [], changed: [], restored: [], unchanged: 0 };

function kindsOf(answer: DiffAnswer): Map<string, PushChange> {
  const kinds = new Map<string, PushChange>();
  for (const change of ["new", "changed", "restored"] as const) {
    for (const hash of answer[change]) kinds.set(hash, change);
  }
  return kinds;
}

/** Whether the service counts nothing otherwise than when the cache was brought up to it; one request. */
async function isCacheCurrent(
  { client, project }: PushDependencies,
  options: RequestOptions,
): Promise<boolean> {
  if (!project.keysComplete || project.freshness.kind !== "fresh") return false;
  const stats = await client.stats({ priority: "person", ...options });
  return isDeepStrictEqual(stats, project.stats);
}

/**
 * Where the diff's answer cannot be read ("Names of the response fields: not shown"), the cache says what it can; an
 * old one must not keep a changed text from being sent.
 */
function classify(cacheKnows: boolean, service: ProjectKey | undefined, hash: string | null): PushChange {
  if (!cacheKnows) return "unknown";
  // An archived key is in no list of active ones, so "new" may turn out to be "restored".
  if (service === undefined) return "new";
  return service.sourceHash === hash ? "unchanged" : "changed";
}

/** What the service took is in the project at once; the next refresh brings the rest. */
async function take(
  { project }: PushDependencies,
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  { result, storedAt }: Pushed,
): Promise<void> {
  const rejected = new Set(result.rejected.map((each) => each.hash));
  const left: Record<PushChange, number> = { new: 0, changed: 0, restored: 0, unchanged: 0, unknown: 0 };
  const { keys } = project;
  const revision = project.syncState.nextRevision();
  // Whoever signed out while it was sent wants nothing stored.
  const isOver = (): boolean => project.session.kind === "signed-out";
  for (let start = 0; start < items.length && !isOver(); start += BATCH_SIZE) {
    const taken: ProjectKey[] = [];
    for (const item of items.slice(start, start + BATCH_SIZE)) {
      if (rejected.has(item.hash)) continue;
      left[item.change] -= 1;
      const before = keys.get(item.hash);
      const hash = sourceHash(item.text);
      const isNews =
        before?.sourceHash !== hash || (item.description ?? before.description) !== before.description;
      taken.push({
        hash: item.hash,
        ...item.name,
        isPlural: isForms(item.text),
        text: item.text,
        sourceHash: hash,
        description: item.description ?? before?.description ?? null,
        maxLength: before?.maxLength ?? null,
        tags: before?.tags ?? NO_TAGS,
        updatedAt: (isNews ? storedAt : null) ?? before?.updatedAt ?? null,
      });
    }
    keys.put(taken, revision);
    await yieldNow();
  }
  const archived = archive.map(({ hash }) => hash);
  if (!isOver()) await inSlices(keys.remove(archived, revision));
  project.keysChanged();
  const counts = project.pushCounts;
  if (counts === null) return;
  project.setPushCounts({
    new: Math.max(0, counts.new + left.new),
    changed: Math.max(0, counts.changed + left.changed + left.unknown),
    restored: Math.max(0, counts.restored + left.restored),
  });
}

/** How many keys over its limit the customer is, by a `key_limit_reached` body; `null` when it does not say. */
export function overLimit(error: unknown): { limit: number; used: number; requested: number } | null {
  if (!isApiError(error, "key_limit_reached")) return null;
  const { limit, used, requested } = error;
  return limit === undefined || used === undefined || requested === undefined
    ? null
    : { limit, used, requested };
}
