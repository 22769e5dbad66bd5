/**
 * AI translation jobs, which no endpoint starts or shows: they only exist for `ai_job.finished`. No AI is involved:
 * untranslated keys get the text of the language's fallback languages. The operator starts one with a line on
 * standard input (`{"aiJob":{"locale":"de-AT"}}`).
 */
import * as v from "valibot";
import { JOB_TYPE_AI } from "./specification-decisions.ts";
import { ContentEdit } from "./edit-keys-and-translations.ts";
import { type ServiceContext, timestamp } from "./service-context.ts";
import { succeedJob } from "./jobs/jobs.ts";
import type { JobKind, Task } from "./jobs/runner.ts";
import { keysAfter, listedLanguages, translationOf, type KeyRow } from "./store/rows.ts";
import type { Connection } from "./store/store.ts";
import { emit } from "./webhooks/events.ts";

export const AiRequestSchema = v.object({
  locale: v.string(),
  /** Texts to write at most; the job ends with `budget_exceeded` when there are more. */
  budget: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});
export type AiRequest = v.InferOutput<typeof AiRequestSchema>;

type AiStatus = "completed" | "failed" | "cancelled" | "budget_exceeded";

/** Keys per transaction; completed batches are preserved if the job is cancelled. */
const BATCH_SIZE = 200;

interface Counts {
  total: number;
  translated: number;
  flagged: number;
  failed: number;
  skipped: number;
}

/** Creates the job kind. `isCancelled` is called between batches. */
export function aiJob(context: ServiceContext, isCancelled: (jobId: number) => boolean): JobKind {
  return {
    type: JOB_TYPE_AI,
    run: async (task) => {
      const request = v.parse(AiRequestSchema, task.request);
      const target = listedLanguages(context.store.reader)
        .slice(1)
        .find(({ locale }) => locale === request.locale);
      const counts: Counts = { total: 0, translated: 0, flagged: 0, failed: 0, skipped: 0 };
      let status: AiStatus | undefined = target === undefined ? "failed" : undefined;
      let after = 0;
      while (status === undefined) {
        task.stopping.throwIfAborted();
        if (isCancelled(task.id)) status = "cancelled";
        else {
          const step = await context.store.write(Number.POSITIVE_INFINITY, (connection) =>
            batch(context, connection, request, after, counts),
          );
          if (typeof step === "number") after = step;
          else status = step;
        }
      }
      const ended = status;
      await context.store.write(Number.POSITIVE_INFINITY, (connection) =>
        end(context, connection, task, request, ended, counts),
      );
    },
    failed: (task, failure, connection) => {
      const request = v.parse(AiRequestSchema, task.request);
      const counts: Counts = { total: 0, translated: 0, flagged: 0, failed: 0, skipped: 0 };
      emitFinished(context, connection, task, request, "failed", counts, failure.code);
    },
  };
}

/** Processes the next keys. Returns the id of the last one, or how the job ended. */
function batch(
  context: ServiceContext,
  connection: Connection,
  request: AiRequest,
  after: number,
  counts: Counts,
): number | AiStatus {
  const edit = new ContentEdit(context, connection);
  const target = edit.languages.find(({ locale }) => locale === request.locale);
  if (target === undefined) return "failed";
  const sources = target.fallback.flatMap(
    (locale) => edit.languages.find((one) => one.locale === locale) ?? [],
  );
  const keys = keysAfter(connection, after, BATCH_SIZE);
  for (const key of keys) {
    if (key.archived || translationOf(connection, key.id, target.id)?.text != null) continue;
    const text = sources
      .map((source) => textIn(connection, key, source.id, source === edit.languages[0]))
      .find((one) => one !== null);
    if (text !== undefined && counts.translated >= (request.budget ?? Number.POSITIVE_INFINITY)) {
      edit.finish();
      return "budget_exceeded";
    }
    counts.total++;
    if (text == null) counts.skipped++;
    else {
      const { errors } = edit.setTranslation(key, target, text);
      counts.translated++;
      if (errors > 0) counts.flagged++;
    }
  }
  edit.finish();
  return keys.at(-1)?.id ?? "completed";
}

function textIn(connection: Connection, key: KeyRow, languageId: number, isSource: boolean): KeyRow["text"] {
  return isSource ? key.text : (translationOf(connection, key.id, languageId)?.text ?? null);
}

function end(
  context: ServiceContext,
  connection: Connection,
  task: Task,
  request: AiRequest,
  status: AiStatus,
  counts: Counts,
): void {
  const progress = { done: counts.translated + counts.skipped, total: counts.total };
  succeedJob(connection, task.id, progress, { status, ...counts }, context.now());
  emitFinished(
    context,
    connection,
    task,
    request,
    status,
    counts,
    status === "failed" ? "unknown_locale" : null,
  );
}

/** § Event kinds, `ai_job.finished`. */
function emitFinished(
  context: ServiceContext,
  connection: Connection,
  task: Task,
  request: AiRequest,
  status: AiStatus,
  counts: Counts,
  error: string | null,
): void {
  emit(context, connection, "ai_job.finished", {
    job: {
      id: task.id,
      locale: request.locale,
      status,
      mode: "fill_empty",
      scope: "untranslated",
      error,
      totalItems: counts.total,
      translatedItems: counts.translated,
      flaggedItems: counts.flagged,
      failedItems: counts.failed,
      skippedItems: counts.skipped,
      startedAt: task.startedAt,
      finishedAt: timestamp(context.now()),
    },
  });
}
