/** Sends what a person ticked of a push's plan (§ POST /keys/sync). */
import { syncAll, type ExpectedChange } from "../api/batches.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import { MAX, type SyncBody } from "../api/endpoints.ts";
import type { SyncKey, SyncResult } from "../api/schemas.ts";
import { NO_TAGS, type ProjectKey } from "../database/project-records.ts";
import { NO_NAMESPACE, sourceHash } from "../model/key-identity.ts";
import { isForms } from "../model/text.ts";
import { inSlices, yieldNow } from "../model/time-slices.ts";
import {
  BATCH_SIZE,
  inBatches,
  itemName,
  type LocalKey,
  type PushChange,
  type PushDependencies,
  type PushItem,
} from "./push-plan.ts";
import { withItems, type ItemName } from "./refused-items.ts";
import { confirmSourceLocale } from "./source-language.ts";

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
