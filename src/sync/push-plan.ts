/**
 * What a push would do: compares source texts with the service's by hash and decides which keys are new, changed, restored
 * or to be archived (§ POST /keys/diff). It reads no files; local entries are handed in.
 */
import { isDeepStrictEqual } from "node:util";
import { diffAll } from "../api/batches.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import type { DiffKey } from "../api/endpoints.ts";
import { fromTheStart, keyPages } from "../api/pages.ts";
import type { DiffAnswer } from "../api/undocumented-fields.ts";
import type { ProjectKey } from "../database/project-records.ts";
import { projectKey, type Project } from "../database/project-state.ts";
import { sourceHash, type KeyName } from "../model/key-identity.ts";
import { isEmptyText, isForms, type Text } from "../model/text.ts";
import { yieldNow } from "../model/time-slices.ts";
import { mayContain, type UnparsedRange } from "../workspace/local-files/unparsed-ranges.ts";
import { withItems, type ItemName } from "./refused-items.ts";
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

/** The key and its file, for errors. */
export function itemName(key: LocalKey | undefined): ItemName | undefined {
  return key === undefined ? undefined : { ...key.name, file: key.path };
}

/** Keys looked at, or written to the database, before other work gets its turn; at most some 20 ms. */
export const BATCH_SIZE = 1_000;

/** Does the work for each item, in slices. */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => void,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    work(item, index);
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await yieldNow();
  }
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
