/**
 * AI translation jobs. No endpoint starts or shows one; they exist for the event `ai_job.finished`. No AI is involved:
 * untranslated keys get the text of the language's fallback languages. A line on standard input starts a job
 * (`{"aiJob":{"locale":"de-AT"}}`).
 */
import * as v from "valibot";
import { yieldNow } from "../util/event-loop.ts";
import { ContentEdit } from "./edit-keys-and-translations.ts";
import { JobFailure, succeedJob, type JobHandler, type Task } from "./jobs.ts";
import { timestamp, type Service } from "./service-context.ts";
import { keysAfter } from "./store/store-rows.ts";
import type { Connection } from "./store/store.ts";
import { emit } from "./webhooks.ts";

export const AiRequestSchema = v.object({
  locale: v.string(),
  /** Maximum number of texts to write; if there are more, the job ends with `budget_exceeded`. */
  budget: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), Number.MAX_SAFE_INTEGER),
});
export type AiRequest = v.InferInput<typeof AiRequestSchema>;

type AiStatus = "completed" | "failed" | "cancelled" | "budget_exceeded";

/** Keys per transaction; completed batches are preserved if the job is cancelled. */
const BATCH_SIZE = 200;

const NO_COUNTS = { total: 0, translated: 0, flagged: 0, skipped: 0 };

/** How far a job is. */
interface AiProgress {
  lastKeyId: number;
  readonly counts: typeof NO_COUNTS;
}

export const aiJob: JobHandler = {
  run: async (service, task) => {
    const { store, cancelledJobs } = service;
    const request = v.parse(AiRequestSchema, task.request);
    const progress: AiProgress = { lastKeyId: 0, counts: { ...NO_COUNTS } };
    let status: AiStatus | undefined;
    while (status === undefined) {
      await yieldNow();
      task.stopping.throwIfAborted();
      status = cancelledJobs.has(task.id)
        ? "cancelled"
        : await store.write((connection) => translateBatch(service, connection, request, progress));
    }
    const finalStatus = status;
    const { counts } = progress;
    await store.write((connection) => {
      succeedJob(service, connection, task.id, counts.total, { status: finalStatus, ...counts });
      emitFinished(service, connection, task, finalStatus, counts, null);
    });
  },
  onFailure: (service, task, failure, connection) =>
    emitFinished(service, connection, task, "failed", NO_COUNTS, failure.code),
};

/**
 * Processes the next keys. Returns how the job ended; `undefined` if it has not.
 * @throws {JobFailure} if the project has no such target language
 */
function translateBatch(
  service: Service,
  connection: Connection,
  { locale, budget }: v.InferOutput<typeof AiRequestSchema>,
  progress: AiProgress,
): AiStatus | undefined {
  const { counts } = progress;
  const edit = new ContentEdit(service, connection);
  const target = edit.language(locale);
  if (target === undefined || target === edit.languages[0]) {
    throw new JobFailure("unknown_locale", { locale });
  }
  const fallbacks = target.fallback.flatMap((fallback) => edit.language(fallback) ?? []);
  const keys = keysAfter(connection, progress.lastKeyId, BATCH_SIZE);
  let status: AiStatus | undefined = keys.length === 0 ? "completed" : undefined;
  for (const key of keys) {
    progress.lastKeyId = key.id;
    if (key.archived || edit.textIn(key, target) !== null) continue;
    const text = fallbacks.map((fallback) => edit.textIn(key, fallback)).find((one) => one !== null);
    if (text != null && counts.translated >= budget) {
      status = "budget_exceeded";
      break;
    }
    counts.total++;
    if (text == null) counts.skipped++;
    else {
      counts.translated++;
      if (edit.setTranslation(key, target, text) > 0) counts.flagged++;
    }
  }
  edit.finish();
  return status;
}

/** Emits `ai_job.finished` (§ Event kinds). */
function emitFinished(
  service: Service,
  connection: Connection,
  { id, request, startedAt }: Task,
  status: AiStatus,
  counts: typeof NO_COUNTS,
  error: string | null,
): void {
  emit(service, connection, "ai_job.finished", {
    job: {
      id,
      locale: v.parse(AiRequestSchema, request).locale,
      status,
      mode: "fill_empty",
      scope: "untranslated",
      error,
      totalItems: counts.total,
      translatedItems: counts.translated,
      flaggedItems: counts.flagged,
      failedItems: 0,
      skippedItems: counts.skipped,
      startedAt,
      finishedAt: timestamp(service.now()),
    },
  });
}
