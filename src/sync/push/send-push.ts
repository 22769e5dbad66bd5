/** Sends the selected part of a push plan (§ POST /keys/sync). */
import {
  syncInBatches,
  withPartialResult,
  type ExpectedChange,
  type PartialResult,
} from "../../api/batches.ts";
import type { RequestOptions } from "../../api/client.ts";
import type { SyncKey, SyncResult } from "../../api/response-schemas.ts";
import type { ProjectKey } from "../../database/records.ts";
import { sourceHash } from "../../model/key-hash.ts";
import { isForms } from "../../model/translation-text.ts";
import { forEachInSlices, TimeSlices } from "../../util/event-loop.ts";
import {
  itemName,
  overwritesService,
  type PushChange,
  type PushDependencies,
  type PushItem,
  storeAgreed,
} from "./push-plan.ts";
import { syncKey } from "../sync-request-items.ts";
import { requireSourceLocale } from "../handle-source-language-change.ts";

/** Keys written to the database per time slice; at most some 20 ms. */
const BATCH_SIZE = 250;

/** Result of a sync in several requests; after a failure another push completes the rest. */
export type SyncOutcome = PartialResult<SyncResult>;

/** Result of a push. */
export interface PushResult extends SyncOutcome {
  /** The service's time after the last request; `null` unless the stored keys certainly equal the service's. */
  readonly storedAt: string | null;
  /** The keys that were not sent, or whose request had no answer. */
  readonly left: { readonly items: readonly PushItem[]; readonly archive: readonly ProjectKey[] };
}

export interface SendOptions extends RequestOptions {
  /** As in PlanOptions; checked before each request, since a plan may be outdated when it is sent. */
  readonly sourceLocale?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Sends items and archives keys, 5,000 per request, and stores what the service accepted.
 * @throws {ApiError} only if the first request failed.
 */
export async function sendPush(
  dependencies: PushDependencies,
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  options: SendOptions = {},
): Promise<PushResult> {
  const isSameSession = dependencies.project.sessionGuard();
  let respondedAt: string | null = null;
  const keys: SyncKey[] = [];
  await forEachInSlices(items, ({ name, text, description }) =>
    keys.push(syncKey(name, text, { description: description || null })),
  );
  const body = { keys, archive: archive.map((key) => key.hash) };
  const expected = items.map(expectedChange);
  const onResponse: RequestOptions["onResponse"] = ({ headers }) => (respondedAt = responseTime(headers));
  const { onProgress, sourceLocale, ...request } = options;
  const requireSource = (locale: string) => ({
    failOnSourceLanguageChange: true,
    beforeEach: () => requireSourceLocale(dependencies.client, locale, { priority: "person", ...request }),
  });
  const done = await withPartialResult<SyncResult>(
    (progress) =>
      syncInBatches(dependencies.client, body, {
        ...request,
        ...(sourceLocale === undefined ? {} : requireSource(sourceLocale)),
        expected,
        onResponse,
        onProgress: progress,
      }),
    (list, index) => {
      if (list === "keys") return itemName(items[index]);
      const archived = list === "archive" ? archive[index] : undefined;
      return archived && { namespace: archived.namespace, key: archived.key, context: archived.context };
    },
    onProgress,
  );
  // Each request has the next 5,000 of both lists.
  let rounds = 1;
  const sentBy = (list: readonly unknown[]): number =>
    Math.min(list.length, rounds * dependencies.client.maxItems.sync);
  const sent = done.failure?.sent ?? items.length + archive.length;
  while (sentBy(items) + sentBy(archive) < sent) rounds += 1;
  const isKnown = done.failure === null && isResultCertain(items, archive, done.result);
  const left = { items: items.slice(sentBy(items)), archive: archive.slice(sentBy(archive)) };
  const pushed = { ...done, storedAt: isKnown ? respondedAt : null, left };
  const sentItems = items.slice(0, sentBy(items));
  await applyResult(dependencies, sentItems, archive.slice(0, sentBy(archive)), pushed, isSameSession);
  return pushed;
}

const COUNT_OF_CHANGE = { new: "created", changed: "updated", restored: "restored" } as const;

function expectedChange({ hash, change }: PushItem): ExpectedChange {
  return { hash, count: change === "unchanged" || change === "unknown" ? null : COUNT_OF_CHANGE[change] };
}

/**
 * Returns whether the counts prove that each key was stored as sent. Those of restored keys do not, since their details
 * are only known to the service.
 */
function isResultCertain(
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  { created, updated, unchanged, archived, rejected }: SyncResult,
): boolean {
  const areAllStored = created + updated + unchanged + rejected.length === items.length;
  return areAllStored && archived === archive.length;
}

/** Returns the end of the second in which the service responded; `null` without a `Date` header. */
function responseTime(headers: Headers): string | null {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? null : new Date(date + 999).toISOString();
}

/** Stores what the service accepted, without waiting for the next refresh. */
async function applyResult(
  dependencies: PushDependencies,
  items: readonly PushItem[],
  archive: readonly ProjectKey[],
  { result, storedAt }: PushResult,
  isSameSession: () => boolean,
): Promise<void> {
  if (!isSameSession()) return;
  const { project } = dependencies;
  const rejected = new Set(result.rejected.map((each) => each.hash));
  const accepted: Record<PushChange, number> = { new: 0, changed: 0, restored: 0, unchanged: 0, unknown: 0 };
  const { keys } = project;
  const revision = await project.syncMetadata.startRevision();
  const slices = new TimeSlices();
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const batch: ProjectKey[] = [];
    for (const item of items.slice(start, start + BATCH_SIZE)) {
      if (slices.isOver) await slices.next();
      if (rejected.has(item.hash)) continue;
      if (!overwritesService(item)) accepted[item.change] += 1;
      const before = keys.get(item.hash);
      const hash = sourceHash(item.text);
      // An empty one is not sent.
      const description = item.description || (before?.description ?? null);
      const isChanged = before?.sourceHash !== hash || description !== before.description;
      batch.push({
        hash: item.hash,
        ...item.name,
        isPlural: isForms(item.text),
        text: item.text,
        sourceHash: hash,
        description,
        maxLength: before?.maxLength ?? null,
        tags: before?.tags ?? [],
        updatedAt: (isChanged ? storedAt : null) ?? before?.updatedAt ?? null,
      });
    }
    const isStored = await project.database.transactionAsync(() => {
      if (!isSameSession()) return false;
      keys.put(batch, revision);
      return true;
    });
    if (!isStored) return;
    await slices.next();
  }
  if (!isSameSession()) return;
  await storeAgreed(
    dependencies,
    items.filter(({ hash }) => !rejected.has(hash)),
  );
  const archived = archive.map(({ hash }) => hash);
  if (!isSameSession()) return;
  const locales = project.stats?.languages.map(({ locale }) => locale) ?? [];
  await project.agreedTexts.forget(locales, archived);
  await project.database.writeInSlices(keys.remove(archived, revision));
  const counts = project.activity.pushCounts;
  if (counts === null) return;
  const pushCounts = {
    new: Math.max(0, counts.new - accepted.new),
    changed: Math.max(0, counts.changed - accepted.changed - accepted.unknown),
    restored: Math.max(0, counts.restored - accepted.restored),
  };
  project.setActivity({ pushCounts });
}
