/**
 * Plans a push: compares source texts with the service's by hash and decides which keys are new, changed, restored or
 * to be archived (§ POST /keys/diff). The caller supplies the local entries.
 */
import { diffInBatches, type ItemName, withRefusedItems } from "../../api/batches.ts";
import type { Client, RequestOptions } from "../../api/client.ts";
import type { DiffKey } from "../../api/endpoints.ts";
import { restartOnBadCursor, keyPages } from "../../api/pagination.ts";
import type { DiffResult } from "../../api/undocumented-fields.ts";
import type { LocalEntry } from "../../database/local-file-repository.ts";
import type { ProjectKey } from "../../database/records.ts";
import { projectKey, type Project } from "../../database/project-state.ts";
import { type AgreedText, type ChangedSide, changedSide, textFingerprint } from "../../model/agreed-text.ts";
import { sourceHash } from "../../model/key-hash.ts";
import { isEmptyText, isForms, valuesOf } from "../../model/translation-text.ts";
import { collectInSlices, forEachInSlices, yieldNow } from "../../util/event-loop.ts";
import { mayContain, wholeRanges, type UnparsedRange } from "../../workspace/local-files/local-file.ts";
import { keyCounts } from "../refresh/fetch-keys-and-translations.ts";
import { isCurrent } from "../refresh/full-or-incremental-fetch.ts";

/** One source entry of the local files, as far as a push needs it. */
export type LocalKey = Pick<LocalEntry, "hash" | "name" | "text" | "description" | "path">;

/** `unknown`: the diff could not be parsed, so the key is sent; a sync is idempotent (§ Sync rule 3). */
export type PushChange = "new" | "changed" | "restored" | "unchanged" | "unknown";

/** A local key and what a push does with it. */
export interface PushItem extends LocalKey {
  readonly change: PushChange;
  /** The service's key, as stored; `null` if unknown or unchanged. */
  readonly service: ProjectKey | null;
  /** Whether it changes between singular and plural, which the service refuses (§ Sync rule 2). */
  readonly pluralSwitch: boolean;
  /** Which side changed a text that differs since both were last equal; `none` for keys that only one side has. */
  readonly side: ChangedSide;
}

/** Returns whether a push would overwrite a text that somebody changed at the service; it is only sent if chosen. */
export function overwritesService({ side }: Pick<PushItem, "side">): boolean {
  return side === "service" || side === "both";
}

/** Returns whether a push leaves the key as it is at the service unless it is chosen; it may be archived on purpose. */
export function isLeftUnlessChosen(item: Pick<PushItem, "change" | "side">): boolean {
  return item.change === "restored" || overwritesService(item);
}

/** What a push would do. */
export interface PushPlan {
  readonly items: readonly PushItem[];
  /** Active keys of the service that no local file has; empty without `archiveMissing`. */
  readonly archive: readonly ProjectKey[];
  readonly counts: PushPlanCounts;
  /** Local entries without a text, which are not pushed. */
  readonly empty: readonly LocalKey[];
  /** Local entries with half a surrogate pair, which makes a whole body invalid JSON for strict parsers; not pushed. */
  readonly malformed: readonly LocalKey[];
  /** The first range of each source file or folder that may have any key: its keys are neither sent nor archived. */
  readonly unparsedRanges: readonly UnparsedRange[];
}

/** Numbers of keys by change. `changed`: without those that `overwritesService`. */
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
  /** Returns the files whose texts are unsaved ones of an editor; default: none. */
  readonly unsavedPaths?: () => ReadonlySet<string>;
}

/** Stores that the files and the service have these source texts. */
export async function storeAgreed(
  { project, unsavedPaths }: PushDependencies,
  items: readonly LocalKey[],
): Promise<void> {
  const { sourceLocale } = project;
  if (sourceLocale === null) return;
  const agreed: AgreedText[] = [];
  const unsaved = unsavedPaths?.();
  await forEachInSlices(items, ({ hash, text, path }) => {
    if (unsaved?.has(path) === true) return;
    agreed.push({ locale: sourceLocale, hash, fingerprint: textFingerprint(text) });
  });
  await project.agreedTexts.store(agreed);
}

export interface PlanOptions extends RequestOptions {
  readonly archiveMissing?: boolean;
  /** Unparsed ranges of the source files; keys that may be in them are not missing. */
  readonly unparsedRanges?: readonly UnparsedRange[];
  /** Limits the plan to these hashes. */
  readonly only?: ReadonlySet<string>;
  /** The language of the texts: fails with ApiError `busy` if the source language is changed concurrently. */
  readonly sourceLocale?: string;
}

/**
 * Plans a push without changing anything at the service, and stores which texts are equal. One request per 10,000 keys, and the list of keys with `archiveMissing`.
 * @throws {ApiError}
 */
export async function planPush(
  dependencies: PushDependencies,
  local: readonly LocalKey[],
  options: PlanOptions = {},
): Promise<PushPlan> {
  const { client, project } = dependencies;
  const isSameSession = project.sessionGuard();
  const empty: LocalKey[] = [];
  const malformed: LocalKey[] = [];
  const localByHash = new Map<string, LocalKey>();
  await forEachInSlices(local, (key) => {
    if (options.only?.has(key.hash) === false) return;
    if (!isWellFormed(key)) malformed.push(key);
    else if (isEmptyText(key.text)) empty.push(key);
    else localByHash.set(key.hash, key);
  });
  const sent = [...localByHash.values()];
  const hashes: DiffKey[] = [];
  await forEachInSlices(sent, (key) => hashes.push({ hash: key.hash, sourceHash: sourceHash(key.text) }));
  const diff = await diffKeys(client, hashes, sent, options);
  const changes = diff === null ? null : changesByHash(diff);
  const isStoredCurrent = diff === null && (await isStoredDataCurrent(dependencies, options));
  const planned: Omit<PushItem, "side">[] = [];
  const counted: Record<PushChange, number> = { new: 0, changed: 0, restored: 0, unchanged: 0, unknown: 0 };
  await forEachInSlices(sent, (key, index) => {
    const { hash } = key;
    const wasPlural = project.keys.isPlural(hash);
    const isOtherKind = wasPlural !== undefined && wasPlural !== isForms(key.text);
    const pluralSwitch = isOtherKind && project.keys.get(hash)?.text !== null;
    let change =
      changes === null
        ? classify(isStoredCurrent, project.keys.get(hash), hashes[index]?.sourceHash ?? null)
        : changes.get(hash);
    // A singular and a plural text may have the same source hash (§ Key identity), so the kind is compared too.
    if (change === undefined || change === "unchanged") change = pluralSwitch ? "changed" : "unchanged";
    const service = change === "unchanged" ? null : (project.keys.get(hash) ?? null);
    counted[change] += 1;
    planned.push({ ...key, change, service, pluralSwitch });
  });
  const agreed = await agreedSources(dependencies, planned);
  const items: PushItem[] = [];
  await forEachInSlices(planned, (item) => {
    const side = sideOf(item, agreed.get(item.hash));
    const whole = { ...item, side };
    items.push(whole);
    if (overwritesService(whole)) counted[item.change] -= 1;
  });
  await storeAgreed(
    dependencies,
    items.filter(({ change }) => change === "unchanged"),
  );
  const unparsedRanges = wholeRanges(options.unparsedRanges ?? []);
  const archive =
    options.archiveMissing === true && unparsedRanges.length === 0
      ? await missingKeys(dependencies, local, options)
      : [];
  if (diff !== null && isSameSession())
    await project.database.writeInSlices(project.keys.setArchived(diff.restored, diff.new));
  const { unknown, ...counts } = { ...counted, archive: archive.length };
  counts.changed += unknown;
  if (options.only === undefined) {
    const pushCounts = { new: counts.new, changed: counts.changed, restored: counts.restored };
    project.setActivity({ pushCounts });
  }
  return { items, archive, counts, empty, malformed, unparsedRanges };
}

/** Keys per look-up of agreed texts. */
const LOOK_UP_SIZE = 1_000;

/** Returns the fingerprints of the agreed source texts of keys that differ, by hash. */
async function agreedSources(
  { project }: PushDependencies,
  items: readonly Omit<PushItem, "side">[],
): Promise<ReadonlyMap<string, string>> {
  const { sourceLocale } = project;
  const agreed = new Map<string, string>();
  if (sourceLocale === null) return agreed;
  const hashes = await collectInSlices(items, mayHaveChangedAtService);
  for (let start = 0; start < hashes.length; start += LOOK_UP_SIZE) {
    const batch = hashes.slice(start, start + LOOK_UP_SIZE).map(({ hash }) => hash);
    for (const [hash, fingerprint] of project.agreedTexts.of(sourceLocale, batch))
      agreed.set(hash, fingerprint);
    await yieldNow();
  }
  return agreed;
}

function mayHaveChangedAtService({ change }: Pick<PushItem, "change">): boolean {
  return change === "changed" || change === "unknown";
}

/** Returns which side changed a text that differs. `agreed`: the fingerprint of the agreed text. */
function sideOf(item: Omit<PushItem, "side">, agreed: string | undefined): ChangedSide {
  const { change, service, text, pluralSwitch } = item;
  if (!mayHaveChangedAtService(item)) return "none";
  // The service compared with a text that is newer than the stored one.
  if (change === "changed" && service?.sourceHash === sourceHash(text) && !pluralSwitch) return "service";
  if (service?.text == null) return "unknown";
  const side = changedSide(text, service.text, agreed);
  // Only the hash of the service tells texts apart that differ in empty forms.
  return side === "none" ? "unknown" : side;
}

/** Whether all that would be sent of the key can be encoded: half a surrogate pair is no character. */
function isWellFormed({ name, text, description }: LocalKey): boolean {
  const sent = [name.namespace, name.key, name.context ?? "", description ?? "", ...valuesOf(text)];
  return sent.every((each) => each.isWellFormed());
}

/** Compares keys with the service, and names refused items in the error. */
async function diffKeys(
  client: Client,
  hashes: readonly DiffKey[],
  keys: readonly LocalKey[],
  options: PlanOptions,
): Promise<DiffResult | null> {
  try {
    const failOnSourceLanguageChange = options.sourceLocale !== undefined;
    return await diffInBatches(client, hashes, { ...options, failOnSourceLanguageChange });
  } catch (error) {
    throw withRefusedItems(error, (list, index) => (list === "keys" ? itemName(keys[index]) : undefined));
  }
}

/** Returns the key and its file, for errors. */
export function itemName(key: LocalKey | undefined): ItemName | undefined {
  return key === undefined ? undefined : { ...key.name, file: key.path };
}

/** Reads the active keys that no file has from the service, since stale data must not archive anything. */
async function missingKeys(
  dependencies: PushDependencies,
  local: readonly LocalKey[],
  { unparsedRanges = [], only, ...options }: PlanOptions,
): Promise<ProjectKey[]> {
  const localHashes = new Set<string>();
  await forEachInSlices(local, (key) => localHashes.add(key.hash));
  return restartOnBadCursor(async () => {
    const missing: ProjectKey[] = [];
    for await (const page of keyPages(dependencies.client, {}, { priority: "person", ...options })) {
      for (const key of page) {
        const isCandidate = !key.archived && only?.has(key.hash) !== false;
        if (isCandidate && !localHashes.has(key.hash) && !mayContain(unparsedRanges, key))
          missing.push(projectKey(key));
      }
      await yieldNow();
    }
    return missing;
  });
}

function changesByHash(diff: DiffResult): Map<string, PushChange> {
  const changes = new Map<string, PushChange>();
  for (const change of ["new", "changed", "restored"] as const) {
    for (const hash of diff[change]) changes.set(hash, change);
  }
  return changes;
}

/** Returns whether the service still reports the version and counts of the stored keys; one request. */
async function isStoredDataCurrent(
  { client, project }: PushDependencies,
  options: RequestOptions,
): Promise<boolean> {
  const cursor = project.syncMetadata.cursor();
  if (cursor === null || project.freshness.kind !== "fresh") return false;
  const stats = await client.stats({ priority: "person", ...options });
  return isCurrent(cursor, stats.contentVersion, keyCounts(stats));
}

/**
 * Classifies a key by the stored data when the diff cannot be parsed ("Names of the response fields: not shown").
 * Stale data must not keep a changed text from being sent.
 */
function classify(
  isStoredCurrent: boolean,
  service: ProjectKey | undefined,
  hash: string | null,
): PushChange {
  if (!isStoredCurrent) return "unknown";
  // Archived keys are not stored, so "new" may turn out to be "restored".
  if (service === undefined) return "new";
  return service.sourceHash === hash ? "unchanged" : "changed";
}
