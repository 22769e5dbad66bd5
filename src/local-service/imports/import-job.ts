/** The import job: reads a large upload in a thread, then writes it in one transaction. */
import { JOB_TYPE_IMPORT, LIMITS } from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import type { ServiceContext } from "../service-context.ts";
import { JobFailure, succeedJob } from "../jobs/job-store.ts";
import type { JobKind, Task } from "../jobs/job-runner.ts";
import { listedLanguages, totals } from "../store/store-rows.ts";
import { TimeSlice, type Connection } from "../store/store.ts";
import { emit } from "../webhooks/queue-deliveries.ts";
import { isSmallUpload, runInThread } from "../worker-thread.ts";
import type { Line } from "./read-import.ts";
import type { ImportFields, UploadedFile } from "./parse-upload.ts";
import { emptyResult, withoutDuplicates, writeLine, type ImportResult } from "./write-import.ts";

/** The stored request, without its files. */
export interface ImportRequest {
  readonly fields: ImportFields;
}

export function importJob(context: ServiceContext): JobKind {
  const locales = new WeakMap<Task, readonly string[]>();
  return {
    type: JOB_TYPE_IMPORT,
    run: async (task) => {
      const { fields } = task.request as ImportRequest;
      const lines = await readInThread(context, task, fields);
      locales.set(task, [...new Set(lines.map((line) => line.locale))]);
      if (lines.length > LIMITS.importLines) {
        throw new JobFailure("too_many_lines", { lines: lines.length, max: LIMITS.importLines });
      }
      await writeLines(context, task, fields, lines);
      context.log(`import ${task.id}: ${lines.length} lines`);
    },
    failed: (task, failure, connection) => {
      connection.sql("DELETE FROM uploads WHERE job_id = ?").run(task.id);
      emitFinished(context, connection, task, locales.get(task) ?? [], failure, null);
    },
  };
}

async function readInThread(context: ServiceContext, task: Task, fields: ImportFields): Promise<Line[]> {
  const files = context.store.reader
    .sql("SELECT name, bytes FROM uploads WHERE job_id = ? ORDER BY position")
    .all(task.id)
    .map((row): UploadedFile => ({ name: String(row["name"]), bytes: row["bytes"] as Uint8Array }));
  return runInThread(
    {
      kind: "read",
      dataFile: context.store.file,
      request: {
        files,
        fields,
        locales: listedLanguages(context.store.reader).map((language) => language.locale),
        presets: context.settings.spreadsheetPresets,
      },
    },
    isSmallUpload(files),
    task.stopping,
  );
}

async function writeLines(
  context: ServiceContext,
  task: Task,
  fields: ImportFields,
  lines: readonly Line[],
): Promise<void> {
  await context.store.write(Number.POSITIVE_INFINITY, async (connection) => {
    const timeSlice = new TimeSlice();
    await requireKeyCapacity(connection, fields, lines, context.settings.keyLimit, timeSlice);
    const edit = new ContentEdit(context, connection);
    const languages = new Map(edit.languages.map((language) => [language.locale, language]));
    const result = emptyResult();
    const wanted = withoutDuplicates(lines, result);
    for (const [index, line] of wanted.entries()) {
      if (timeSlice.over) {
        task.report({ done: index, total: lines.length });
        await timeSlice.yield();
        task.stopping.throwIfAborted();
      }
      const language = languages.get(line.locale);
      if (language === undefined) result.skipped++;
      else writeLine(edit, line, language, fields, result);
    }
    edit.finish();
    const done = { done: lines.length, total: lines.length };
    succeedJob(connection, task.id, done, result, context.now());
    connection.sql("DELETE FROM uploads WHERE job_id = ?").run(task.id);
    const locales = [...new Set(lines.map((line) => line.locale))];
    emitFinished(context, connection, task, locales, null, result);
  });
}

/** § POST /imports rule 7, checked before anything is written. */
async function requireKeyCapacity(
  connection: Connection,
  fields: ImportFields,
  lines: readonly Line[],
  limit: number,
  timeSlice: TimeSlice,
): Promise<void> {
  if (!fields.createUnknownKeys) return;
  const known = connection.sql("SELECT 1 FROM keys WHERE hash = ?");
  const fresh = new Set<string>();
  for (const { hash } of lines) {
    if (timeSlice.over) await timeSlice.yield();
    if (!fresh.has(hash) && known.get(hash) === undefined) fresh.add(hash);
  }
  const used = totals(connection).active;
  if (fresh.size > 0 && used + fresh.size > limit) {
    throw new JobFailure("key_limit_reached", { limit, used, requested: fresh.size });
  }
}

function emitFinished(
  context: ServiceContext,
  connection: Connection,
  task: Task,
  locales: readonly string[],
  failure: JobFailure | null,
  result: ImportResult | null,
): void {
  // The job ended in this same transaction: the event has exactly the job's end time.
  const ended = connection.sql("SELECT finished_at FROM jobs WHERE id = ?").get(task.id);
  emit(context, connection, "import.finished", {
    job: {
      id: task.id,
      type: JOB_TYPE_IMPORT,
      status: failure === null ? "succeeded" : "failed",
      error: failure === null ? null : { code: failure.code },
      finishedAt: ended?.["finished_at"] ?? null,
    },
    // Each upload belongs to one job, so both share the id.
    import: { id: task.id, locales, result },
  });
}
