/** The import job: reads the upload, in a worker thread if it is large, then writes it in one transaction. */
import {
  areTextsEqual,
  isForms,
  isSameOrBothEmpty,
  withoutEmptyForms,
} from "../../model/translation-text.ts";
import { ContentEdit } from "../edit-keys-and-translations.ts";
import { JobFailure, type Job, type JobHandler } from "../jobs.ts";
import { runInThread } from "../run-in-worker-thread.ts";
import { JOB_TYPE_IMPORT, LIMITS } from "../specification-decisions.ts";
import { keyByHash, listedLocales, totals, type KeyRow, type LanguageRow } from "../store/store-rows.ts";
import { inTimeSlices, type Connection } from "../store/store.ts";
import { emit } from "../send-webhooks.ts";
import { nonEmptyText, type ImportFields, type ImportLine } from "./read-import-lines.ts";
import { isSmallUpload, type UploadedFile } from "./check-upload.ts";

/** `result` of `import.finished` (§ Event kinds), and of the job. */
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
const importedLocales = new WeakMap<Job, readonly string[]>();

export const importJob: JobHandler = {
  run: async (job) => {
    const { store, log } = job.service;
    const lines = await readUpload(job);
    importedLocales.set(job, [...new Set(lines.map((line) => line.locale))]);
    if (lines.length > LIMITS.importLines) {
      throw new JobFailure("too_many_lines", { lines: lines.length, max: LIMITS.importLines });
    }
    await store.write((connection) => writeLines(job, connection, lines));
    log(`import ${job.id}: ${lines.length} lines`);
  },
  onFailure: (job, failure, connection) => endImport(job, connection, failure, null),
};

function fieldsOf(job: Job): ImportFields {
  return (job.request as { fields: ImportFields }).fields;
}

function readUpload(job: Job): Promise<ImportLine[]> {
  const { store, settings } = job.service;
  const sql = "SELECT name, bytes FROM uploads WHERE job_id = ? ORDER BY position";
  const files = store.reader.all<UploadedFile>(sql, job.id);
  const locales = listedLocales(store.reader);
  const request = { files, fields: fieldsOf(job), locales, presets: settings.spreadsheetPresets };
  return runInThread("readLines", [store.file, request], isSmallUpload(files), job.stopping);
}

async function writeLines(job: Job, connection: Connection, lines: readonly ImportLine[]): Promise<void> {
  const { service, stopping } = job;
  const fields = fieldsOf(job);
  const used = totals(connection).active;
  const edit = new ContentEdit(service, connection);
  const result = { ...NO_RESULT };
  for await (const [index, line] of inTimeSlices(withoutDuplicates(lines, result).entries())) {
    stopping.throwIfAborted();
    job.report(index, lines.length);
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
  job.succeed(connection, lines.length, result);
  endImport(job, connection, null, result);
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
    const hasText = nonEmptyText(line.text) !== null || nonEmptyText(other.text) === null;
    const [used, ignored] = hasText ? [line, other] : [other, line];
    if (nonEmptyText(ignored.text) !== null && isSameOrBothEmpty(ignored.text, used.text)) result.unchanged++;
    else result.skipped++;
    const description = used.description ?? ignored.description;
    chosen.set(id, { ...used, description, source: used.source ?? ignored.source });
  }
  return [...chosen.values()];
}

/**
 * Writes one line; a line of the source language sets the source text. Skips archived keys, empty texts, plural texts
 * of singular keys and vice versa, and without `overwrite` texts that would replace another one.
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
  const lineText = nonEmptyText(line.text);
  if (key.archived || lineText === null || key.isPlural !== line.isPlural) {
    result.skipped++;
    return;
  }
  const text = isSource ? lineText : withoutEmptyForms(lineText);
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

/** Creates the key of a line. The source text in a file of another language is only used here. */
function createKey(edit: ContentEdit, line: ImportLine, isSource: boolean, fields: ImportFields): KeyRow {
  const source = nonEmptyText(isSource ? line.text : line.source);
  const text = source !== null && isForms(source) === line.isPlural ? source : null;
  const id = edit.insertKey({ ...line, text, maxLength: null });
  if (fields.tag !== undefined) edit.addTags(id, [fields.tag]);
  return edit.getKey(line.hash);
}

/** Deletes the upload and emits `import.finished`, in the transaction that ends the job. */
function endImport(
  job: Job,
  connection: Connection,
  failure: JobFailure | null,
  result: ImportResult | null,
): void {
  const { service, id } = job;
  connection.run("DELETE FROM uploads WHERE job_id = ?", id);
  const sql = "SELECT finished_at AS finishedAt FROM jobs WHERE id = ?";
  const row = connection.get<{ finishedAt: string }>(sql, id);
  emit(service, connection, "import.finished", {
    job: {
      id,
      type: JOB_TYPE_IMPORT,
      status: failure === null ? "succeeded" : "failed",
      error: failure && { code: failure.code },
      finishedAt: row?.finishedAt ?? null,
    },
    // There is one job for each upload, so both have the same id.
    import: { id, locales: importedLocales.get(job) ?? [], result },
  });
}
