/**
 * AI translation jobs, which no endpoint starts or shows: they only exist for `ai_job.finished`. No AI is involved:
 * untranslated keys get the text of the language's fallback languages. The operator starts one with a line on
 * standard input (`{"aiJob":{"locale":"de-AT"}}`).
 */
import * as v from "valibot";
import { yieldNow } from "../util/event-loop.ts";
import { ContentEdit } from "./edit-keys-and-translations.ts";
import { type Service, timestamp } from "./service-context.ts";
import { succeedJob, type JobKind, type Task } from "./jobs.ts";
import { keysAfter, listedLanguages } from "./store/store-rows.ts";
import type { Connection } from "./store/store.ts";
import { emit } from "./webhooks.ts";

export const AiRequestSchema = v.object({
  locale: v.string(),
  /** Texts to write at most; the job ends with `budget_exceeded` when there are more. */
  budget: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});
export type AiRequest = v.InferOutput<typeof AiRequestSchema>;

type AiStatus = "completed" | "failed" | "cancelled" | "budget_exceeded";

/** Keys per transaction; completed batches are preserved if the job is cancelled. */
const BATCH_SIZE = 200;

const NO_COUNTS = { total: 0, translated: 0, flagged: 0, skipped: 0 };
type Counts = typeof NO_COUNTS;

export const aiJob: JobKind = {
  run: async (service, task) => {
    const { store, cancelledJobs } = service;
    const request = v.parse(AiRequestSchema, task.request);
    const [, ...targets] = listedLanguages(store.reader);
    const counts = { ...NO_COUNTS };
    let step: number | AiStatus = targets.some(({ locale }) => locale === request.locale) ? 0 : "failed";
    while (typeof step === "number") {
      await yieldNow();
      task.stopping.throwIfAborted();
      const after: number = step;
      step = cancelledJobs.has(task.id)
        ? "cancelled"
        : await store.write(Number.POSITIVE_INFINITY, (connection) =>
            translateBatch(service, connection, request, after, counts),
          );
    }
    const status = step;
    await store.write(Number.POSITIVE_INFINITY, (connection) => {
      succeedJob(service, connection, task.id, counts.total, { status, ...counts });
      const error = status === "failed" ? "unknown_locale" : null;
      emitFinished(service, connection, task, status, counts, error);
    });
  },
  failed: (service, task, failure, connection) =>
    emitFinished(service, connection, task, "failed", NO_COUNTS, failure.code),
};

/** Processes the next keys. Returns the id of the last one, or how the job ended. */
function translateBatch(
  service: Service,
  connection: Connection,
  { locale, budget = Number.POSITIVE_INFINITY }: AiRequest,
  after: number,
  counts: Counts,
): number | AiStatus {
  const edit = new ContentEdit(service, connection);
  const languageOf = (name: string) => edit.languages.find((language) => language.locale === name);
  const target = languageOf(locale);
  if (target === undefined) return "failed";
  const sources = target.fallback.flatMap((name) => languageOf(name) ?? []);
  const keys = keysAfter(connection, after, BATCH_SIZE);
  let status: AiStatus | undefined;
  for (const key of keys) {
    if (key.archived || edit.textIn(key, target) !== null) continue;
    const text = sources.map((source) => edit.textIn(key, source)).find((one) => one !== null);
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
  return status ?? keys.at(-1)?.id ?? "completed";
}

/** § Event kinds, `ai_job.finished`. */
function emitFinished(
  service: Service,
  connection: Connection,
  { id, request, startedAt }: Task,
  status: AiStatus,
  counts: Counts,
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
