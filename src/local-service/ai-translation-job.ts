/**
 * AI translation jobs. No endpoint starts or shows one; they exist for the event `ai_job.finished`. No AI is involved:
 * untranslated keys get the text of the language's fallback languages. A line on standard input starts a job
 * (`{"aiJob":{"locale":"de-AT"}}`).
 */
import * as v from "valibot";
import { yieldNow } from "../util/event-loop.ts";
import { ContentEdit } from "./edit-keys-and-translations.ts";
import { JobFailure, type Job, type JobHandler } from "./jobs.ts";
import { timestamp } from "./service-context.ts";
import { keysAfter } from "./store/store-rows.ts";
import type { Connection } from "./store/store.ts";
import { emit } from "./send-webhooks.ts";

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
  run: async (job) => {
    const { store, cancelledJobs } = job.service;
    const progress: AiProgress = { lastKeyId: 0, counts: { ...NO_COUNTS } };
    let status: AiStatus | undefined;
    while (status === undefined) {
      await yieldNow();
      job.stopping.throwIfAborted();
      status = cancelledJobs.has(job.id)
        ? "cancelled"
        : await store.write((connection) => translateBatch(job, connection, progress));
    }
    const finalStatus = status;
    const { counts } = progress;
    await store.write((connection) => {
      job.succeed(connection, counts.total, { status: finalStatus, ...counts });
      emitFinished(job, connection, finalStatus, counts, null);
    });
  },
  onFailure: (job, failure, connection) => emitFinished(job, connection, "failed", NO_COUNTS, failure.code),
};

/**
 * Processes the next keys. Returns how the job ended; `undefined` if it has not.
 * @throws {JobFailure} if the project has no such target language
 */
function translateBatch(job: Job, connection: Connection, progress: AiProgress): AiStatus | undefined {
  const { counts } = progress;
  const { locale, budget } = v.parse(AiRequestSchema, job.request);
  const edit = new ContentEdit(job.service, connection);
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
  { service, id, request, startedAt }: Job,
  connection: Connection,
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
