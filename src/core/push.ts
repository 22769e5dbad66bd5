/**
 * Pushes source texts: compares by hash, says what a push would do, and sends what a person ticked (§ POST /keys/diff,
 * § POST /keys/sync). It reads no files; local entries are handed in.
 */
import { diffAll, syncAll } from "../api/chunks.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import { MOST, type DiffKey } from "../api/contract.ts";
import { isApiError } from "../api/errors.ts";
import type { DiffAnswer } from "../api/holes.ts";
import { fromTheStart, keyPages } from "../api/pages.ts";
import type { SyncKey, SyncResult } from "../api/schemas.ts";
import { NO_NAMESPACE, sourceHash, type KeyName } from "./identity.ts";
import { NO_TAGS } from "./key-map.ts";
import type { Sha1, YieldNow } from "./ports.ts";
import { projectKey, type Project, type ProjectKey } from "./project.ts";
import { isEmptyText, isForms, type Text } from "./text.ts";
import { mayStandIn, type Unread } from "./unread.ts";

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
  readonly unread: readonly Unread[];
}

export interface PushPlanCounts {
  readonly new: number;
  readonly changed: number;
  readonly restored: number;
  readonly unchanged: number;
  readonly archive: number;
}

export interface PushNeeds {
  readonly client: Client;
  readonly project: Project;
  readonly sha1: Sha1;
  readonly yieldNow: YieldNow;
}

export interface PlanOptions extends RequestOptions {
  readonly archiveMissing?: boolean;
  /** What of the source files could not be read; what may stand there is not missing. */
  readonly unread?: readonly Unread[];
  /** Only these hashes. */
  readonly only?: ReadonlySet<string>;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Compares; changes nothing. One request per 10,000 keys, and the list of keys when `archiveMissing` needs it. */
export async function planPush(
  needs: PushNeeds,
  local: readonly LocalKey[],
  options: PlanOptions = {},
): Promise<PushPlan> {
  const { client, project, sha1, yieldNow } = needs;
  const empty: LocalKey[] = [];
  const wanted = new Map<string, LocalKey>();
  await inSlices(yieldNow, local, (key) => {
    if (options.only?.has(key.hash) === false) return;
    if (isEmptyText(key.text)) empty.push(key);
    else wanted.set(key.hash, key);
  });
  const sent = [...wanted.values()];
  const hashes: DiffKey[] = [];
  await inSlices(yieldNow, sent, (key) =>
    hashes.push({ hash: key.hash, sourceHash: sourceHash(sha1, key.text) }),
  );
  const answer = hashes.length === 0 ? NOTHING : await diffAll(client, hashes, options);
  const kinds = answer === null ? null : kindsOf(answer);
  const cacheKnows = answer === null && (await isCacheCurrent(needs, options));
  const items: PushItem[] = [];
  const counted: Record<PushChange, number> = { new: 0, changed: 0, restored: 0, unchanged: 0, unknown: 0 };
  await inSlices(yieldNow, sent, (key, index) => {
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
  const anyKey = new Map<string, Unread>();
  for (const place of options.unread ?? []) {
    if (place.key === null && !anyKey.has(place.path)) anyKey.set(place.path, place);
  }
  const unread = options.archiveMissing === true ? [...anyKey.values()] : [];
  const archive =
    options.archiveMissing === true && unread.length === 0 ? await missingKeys(needs, local, options) : [];
  const { unknown, ...counts } = { ...counted, archive: archive.length };
  counts.changed += unknown;
  if (options.only === undefined) {
    project.setPushCounts({ new: counts.new, changed: counts.changed, restored: counts.restored });
  }
  const matchRate = items.length === 0 || unknown > 0 ? null : 1 - counts.new / items.length;
  return { items, archive, counts, matchRate, empty, unread };
}

/** Keys looked at before other work gets its turn; some 5 ms where each is hashed. */
const SLICE = 1000;

async function inSlices<Item>(
  yieldNow: YieldNow,
  items: readonly Item[],
  work: (item: Item, index: number) => void,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    work(item, index);
    if (index % SLICE === SLICE - 1) await yieldNow();
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

export interface SendOptions extends RequestOptions {
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Sends these items and archives these keys, in requests of 5,000. The project knows afterwards what the service
 * took. Throws ApiError only when nothing was done.
 */
export async function sendPush(
  needs: PushNeeds,
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  options: SendOptions = {},
): Promise<PushDone> {
  const keys: SyncKey[] = [];
  await inSlices(needs.yieldNow, items, (item) => keys.push(syncKey(item)));
  const total = keys.length + archive.length;
  let done = 0;
  let sum: SyncResult | null = null;
  const progress = (now: number, all: number, so: SyncResult): void => {
    done = now;
    sum = { ...so, rejected: [...so.rejected] };
    options.onProgress?.(now, all);
  };
  try {
    const result = await syncAll(
      needs.client,
      { keys, archive: archive.map((key) => key.hash) },
      { ...options, onProgress: progress },
    );
    await take(needs, items, archive, result);
    return { result, failure: null };
  } catch (error) {
    if (sum === null) throw error;
    // Requests go in order and each takes the next 5,000 of both lists.
    let rounds = 1;
    const sentBy = (list: readonly unknown[]): number => Math.min(list.length, rounds * MOST.sync);
    while (sentBy(items) + sentBy(archive) < done) rounds += 1;
    await take(needs, items.slice(0, sentBy(items)), archive.slice(0, sentBy(archive)), sum);
    return { result: sum, failure: { error, sent: done, total } };
  }
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
  needs: PushNeeds,
  local: readonly LocalKey[],
  { unread = [], ...options }: PlanOptions,
): Promise<ProjectKey[]> {
  const here = new Set<string>();
  await inSlices(needs.yieldNow, local, (key) => here.add(key.hash));
  return fromTheStart(async () => {
    const missing: ProjectKey[] = [];
    for await (const page of keyPages(needs.client, {}, { priority: "person", ...options })) {
      for (const key of page) {
        if (!key.archived && !here.has(key.hash) && !mayStandIn(unread, key)) missing.push(projectKey(key));
      }
      await needs.yieldNow();
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
async function isCacheCurrent({ client, project }: PushNeeds, options: RequestOptions): Promise<boolean> {
  if (!project.keysComplete || project.freshness.kind !== "fresh") return false;
  const stats = await client.stats({ priority: "person", ...options });
  return JSON.stringify(stats) === JSON.stringify(project.stats);
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
  { project, sha1, yieldNow }: PushNeeds,
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  result: SyncResult,
): Promise<void> {
  const rejected = new Set(result.rejected.map((each) => each.hash));
  const taken: ProjectKey[] = [];
  const left: Record<PushChange, number> = { new: 0, changed: 0, restored: 0, unchanged: 0, unknown: 0 };
  await inSlices(yieldNow, items, (item) => {
    if (rejected.has(item.hash)) return;
    left[item.change] -= 1;
    const before = project.keys.get(item.hash);
    taken.push({
      hash: item.hash,
      ...item.name,
      isPlural: isForms(item.text),
      text: item.text,
      sourceHash: sourceHash(sha1, item.text),
      description: item.description ?? before?.description ?? null,
      maxLength: before?.maxLength ?? null,
      tags: before?.tags ?? NO_TAGS,
      updatedAt: before?.updatedAt ?? null,
    });
  });
  // At once: what others put there while the hashes were made stays.
  const changes = new Map<string, ProjectKey | null>(archive.map(({ hash }) => [hash, null]));
  for (const key of taken) changes.set(key.hash, key);
  project.setKeys(project.keys.with(changes), project.keysComplete);
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
