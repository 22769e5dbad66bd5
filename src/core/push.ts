/**
 * Pushes source texts: compares by hash, says what a push would do, and sends what a person ticked (§ POST /keys/diff,
 * § POST /keys/sync). It reads no files; local entries are handed in.
 */
import { diffAll, syncAll } from "../api/chunks.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import { MOST } from "../api/contract.ts";
import { isApiError } from "../api/errors.ts";
import type { DiffAnswer } from "../api/holes.ts";
import { keyPages } from "../api/pages.ts";
import type { SyncKey, SyncResult } from "../api/schemas.ts";
import { NO_NAMESPACE, sourceHash, type KeyName } from "./identity.ts";
import type { Sha1, YieldNow } from "./ports.ts";
import { projectKey, type Project, type ProjectKey } from "./project.ts";
import { isEmptyText, isForms, type Text } from "./text.ts";

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
  /** What the service has, as far as the cache knows. */
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
  const wanted = options.only === undefined ? local : local.filter((key) => options.only?.has(key.hash));
  const empty = wanted.filter((key) => isEmptyText(key.text));
  const sent = [
    ...new Map(wanted.filter((key) => !isEmptyText(key.text)).map((key) => [key.hash, key])).values(),
  ];
  const hashes: { hash: string; sourceHash: string | null }[] = [];
  for (const key of sent) {
    hashes.push({ hash: key.hash, sourceHash: sourceHash(needs.sha1, key.text) });
    if (hashes.length % 5000 === 0) await needs.yieldNow();
  }
  const answer = hashes.length === 0 ? NOTHING : await diffAll(needs.client, hashes, options);
  const kinds = answer === null ? null : kindsOf(answer);
  const items: PushItem[] = [];
  for (const [index, key] of sent.entries()) {
    const service = needs.project.keys.get(key.hash) ?? null;
    const pluralSwitch = service !== null && service.text !== null && service.isPlural !== isForms(key.text);
    let change =
      kinds === null
        ? classify(needs.project, service, hashes[index]?.sourceHash ?? null)
        : kinds.get(key.hash);
    // A singular text can have the source hash of a plural one (§ Key identity), so the kind is compared as well.
    if (change === undefined || change === "unchanged") change = pluralSwitch ? "changed" : "unchanged";
    items.push({ ...key, change, service, pluralSwitch });
    if (index % 5000 === 4999) await needs.yieldNow();
  }
  const archive = options.archiveMissing === true ? await missingKeys(needs, local, options) : [];
  const count = (change: PushChange): number =>
    items.reduce((sum, item) => sum + (item.change === change ? 1 : 0), 0);
  const counts = {
    new: count("new"),
    changed: count("changed") + count("unknown"),
    restored: count("restored"),
    unchanged: count("unchanged"),
    archive: archive.length,
  };
  if (options.only === undefined) {
    needs.project.setPushCounts({ new: counts.new, changed: counts.changed, restored: counts.restored });
  }
  const unknown = answer === null && !needs.project.keysComplete;
  const matchRate = items.length === 0 || unknown ? null : 1 - counts.new / items.length;
  return { items, archive, counts, matchRate, empty };
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
  const keys = items.map(syncKey);
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
    take(needs, items, archive, result);
    return { result, failure: null };
  } catch (error) {
    if (sum === null) throw error;
    // Requests go in order and each takes the next 5,000 of both lists.
    const rounds = Math.ceil(done / MOST.sync);
    take(needs, items.slice(0, rounds * MOST.sync), archive.slice(0, rounds * MOST.sync), sum);
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
  options: RequestOptions,
): Promise<ProjectKey[]> {
  const here = new Set(local.map((key) => key.hash));
  const missing: ProjectKey[] = [];
  for await (const page of keyPages(needs.client, {}, { priority: "person", ...options })) {
    for (const key of page) if (!key.archived && !here.has(key.hash)) missing.push(projectKey(key));
    await needs.yieldNow();
  }
  return missing;
}

const NOTHING: DiffAnswer = { new: [], changed: [], restored: [], unchanged: 0 };

function kindsOf(answer: DiffAnswer): Map<string, PushChange> {
  const kinds = new Map<string, PushChange>();
  for (const change of ["new", "changed", "restored"] as const) {
    for (const hash of answer[change]) kinds.set(hash, change);
  }
  return kinds;
}

/** Where the diff's answer cannot be read ("Names of the response fields: not shown"), the cache says what it can. */
function classify(project: Project, service: ProjectKey | null, hash: string | null): PushChange {
  if (!project.keysComplete) return "unknown";
  // An archived key is in no list of active ones, so "new" may turn out to be "restored".
  if (service === null) return "new";
  return service.sourceHash === hash ? "unchanged" : "changed";
}

/** What the service took is in the project at once; the next refresh brings the rest. */
function take(
  needs: PushNeeds,
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  result: SyncResult,
): void {
  const { project, sha1 } = needs;
  const rejected = new Set(result.rejected.map((each) => each.hash));
  const keys = new Map(project.keys);
  for (const { hash } of archive) keys.delete(hash);
  for (const item of items) {
    if (rejected.has(item.hash)) continue;
    const before = keys.get(item.hash);
    keys.set(item.hash, {
      hash: item.hash,
      ...item.name,
      isPlural: isForms(item.text),
      text: item.text,
      sourceHash: sourceHash(sha1, item.text),
      description: item.description ?? before?.description ?? null,
      maxLength: before?.maxLength ?? null,
      tags: before?.tags ?? [],
      updatedAt: before?.updatedAt ?? null,
    });
  }
  project.setKeys(keys, project.keysComplete);
  const counts = project.pushCounts;
  if (counts === null) return;
  const left = (change: "new" | "changed" | "restored"): number =>
    Math.max(
      0,
      counts[change] - items.filter((item) => item.change === change && !rejected.has(item.hash)).length,
    );
  project.setPushCounts({ new: left("new"), changed: left("changed"), restored: left("restored") });
}

/** How many keys over its limit the customer is, by a `key_limit_reached` body; `null` when it does not say. */
export function overLimit(error: unknown): { limit: number; used: number; requested: number } | null {
  if (!isApiError(error, "key_limit_reached")) return null;
  const { limit, used, requested } = error;
  return limit === undefined || used === undefined || requested === undefined
    ? null
    : { limit, used, requested };
}
