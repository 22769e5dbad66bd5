/** The import job: reads a large upload in a thread, then writes it in one transaction and counts the results. */
import {
  isEmptyText,
  isForms,
  areTextsEqual,
  type Text,
  withoutEmptyForms,
} from "../../model/translation-text.ts";
import { JOB_TYPE_IMPORT, LIMITS } from "../specification-decisions.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import type { Service } from "../service-context.ts";
import { JobFailure, succeedJob, type JobHandler, type Task } from "../jobs.ts";
import { keyByHash, listedLocales, totals, type KeyRow, type LanguageRow } from "../store/store-rows.ts";
import { inTimeSlices, type Connection } from "../store/store.ts";
import { emit } from "../webhooks.ts";
import { runInThread } from "../run-in-worker-thread.ts";
import type { ImportFields, ImportLine } from "./read-import.ts";
import { isSmallUpload, type UploadedFile } from "./upload-files.ts";

/** § Event kinds, `import.finished`, `result`; also the job's `result`. */
const NO_RESULT = {
  newKeys: 0,
  newTranslations: 0,
  changedTranslations: 0,
  unchanged: 0,
  skipped: 0,
  placeholderErrors: 0,
};
type ImportResult = typeof NO_RESULT;

/** Locales in the files of jobs, as far as these were read, for `import.finished`. */
const importedLocales = new WeakMap<Task, readonly string[]>();

export const importJob: JobHandler = {
  run: async (service, task) => {
    const { fields } = task.request as { fields: ImportFields };
    const lines = await readInThread(service, task, fields);
    importedLocales.set(task, [...new Set(lines.map((line) => line.locale))]);
    if (lines.length > LIMITS.importLines) {
      throw new JobFailure("too_many_lines", { lines: lines.length, max: LIMITS.importLines });
    }
    await service.store.write((connection) => writeLines(service, task, connection, fields, lines));
    service.log(`import ${task.id}: ${lines.length} lines`);
  },
  onFailure: (service, task, failure, connection) => endImport(service, task, connection, failure, null),
};

function readInThread(service: Service, task: Task, fields: ImportFields): Promise<ImportLine[]> {
  const { store, settings } = service;
  const sql = "SELECT name, bytes FROM uploads WHERE job_id = ? ORDER BY position";
  const files = store.reader.all<UploadedFile>(sql, task.id);
  const locales = listedLocales(store.reader);
  const request = { files, fields, locales, presets: settings.spreadsheetPresets };
  return runInThread("readLines", [store.file, request], isSmallUpload(files), task.stopping);
}

async function writeLines(
  service: Service,
  task: Task,
  connection: Connection,
  fields: ImportFields,
  lines: readonly ImportLine[],
): Promise<void> {
  const used = totals(connection).active;
  const edit = new ContentEdit(service, connection);
  const result = { ...NO_RESULT };
  for await (const [index, line] of inTimeSlices(withoutDuplicates(lines, result).entries())) {
    task.stopping.throwIfAborted();
    service.progress.set(task.id, { done: index, total: lines.length });
    const language = edit.language(line.locale);
    if (language === undefined) result.skipped++;
    else writeLine(edit, line, language, fields, result);
  }
  // § POST /imports rule 7: the transaction is rolled back, so that nothing is written.
  const limit = service.settings.keyLimit;
  if (result.newKeys > 0 && used + result.newKeys > limit) {
    throw new JobFailure("key_limit_reached", { limit, used, requested: result.newKeys });
  }
  edit.finish();
  succeedJob(service, connection, task.id, lines.length, result);
  endImport(service, task, connection, null, result);
}

/**
 * Returns one line for each key in each language: the last non-empty one, so that repeating an import changes
 * nothing. The others are counted as `unchanged` if they are equal, else as `skipped`.
 */
function withoutDuplicates(lines: readonly ImportLine[], result: ImportResult): ImportLine[] {
  const chosen = new Map<string, ImportLine>();
  for (const line of lines) {
    const id = `${line.hash} ${line.locale}`;
    const other = chosen.get(id);
    if (other === undefined) {
      chosen.set(id, line);
      continue;
    }
    const [winner, loser] = textOf(line) === null && textOf(other) !== null ? [other, line] : [line, other];
    const [loserText, winnerText] = [textOf(loser), textOf(winner)];
    if (loserText !== null && winnerText !== null && areTextsEqual(loserText, winnerText)) result.unchanged++;
    else result.skipped++;
    const description = winner.description ?? loser.description;
    chosen.set(id, { ...winner, description, source: winner.source ?? loser.source });
  }
  return [...chosen.values()];
}

/** Returns the line's text; `null` if it is empty, since an import clears nothing. */
function textOf({ text }: ImportLine): Text | null {
  return text === null || isEmptyText(text) ? null : text;
}

/**
 * Writes one line; one of the source language sets the key's source text. Skips archived keys, texts of the other
 * kind, empty texts, and without `overwrite` texts that would replace another one.
 */
function writeLine(
  edit: ContentEdit,
  line: ImportLine,
  language: LanguageRow,
  fields: ImportFields,
  result: ImportResult,
): void {
  const isSource = language === edit.languages[0];
  let key = keyByHash(edit.connection, line.hash);
  if (key === undefined) {
    if (!fields.createUnknownKeys) {
      result.skipped++;
      return;
    }
    key = createKey(edit, line, isSource, fields);
    result.newKeys++;
    if (isSource) {
      if (key.text !== null) result.newTranslations++;
      return;
    }
  }
  if (isSource && key.description === null && !key.archived) edit.setDetails(key, line);
  const ownText = textOf(line);
  const text = ownText === null || isSource ? ownText : withoutEmptyForms(ownText);
  if (key.archived || text === null || key.isPlural !== line.isPlural) {
    result.skipped++;
    return;
  }
  const before = edit.textIn(key, language);
  if (before !== null && areTextsEqual(before, text)) result.unchanged++;
  else if (before !== null && !fields.overwrite) result.skipped++;
  else {
    if (isSource) edit.setSource(key, text);
    else result.placeholderErrors += edit.setTranslation(key, language, text);
    if (before === null) result.newTranslations++;
    else result.changedTranslations++;
  }
}

/**
 * Creates the line's key. A file of another language that also contains the source text sets it only for keys that it
 * creates.
 */
function createKey(edit: ContentEdit, line: ImportLine, isSource: boolean, fields: ImportFields): KeyRow {
  const ownText = isSource ? line.text : line.source;
  const id = edit.insertKey({
    ...line,
    text: ownText !== null && isForms(ownText) === line.isPlural && !isEmptyText(ownText) ? ownText : null,
    maxLength: null,
  });
  if (fields.tag !== undefined) edit.addTags(id, [fields.tag]);
  return edit.getKey(line.hash);
}

/** Deletes the upload and emits `import.finished`, in the transaction that ended the job. */
function endImport(
  service: Service,
  task: Task,
  connection: Connection,
  failure: JobFailure | null,
  result: ImportResult | null,
): void {
  connection.run("DELETE FROM uploads WHERE job_id = ?", task.id);
  // The event has exactly the job's end time.
  const ended = connection.get<{ at: string }>("SELECT finished_at AS at FROM jobs WHERE id = ?", task.id);
  emit(service, connection, "import.finished", {
    job: {
      id: task.id,
      type: JOB_TYPE_IMPORT,
      status: failure === null ? "succeeded" : "failed",
      error: failure && { code: failure.code },
      finishedAt: ended?.at ?? null,
    },
    // Each upload belongs to one job, so both share the id.
    import: { id: task.id, locales: importedLocales.get(task) ?? [], result },
  });
}
