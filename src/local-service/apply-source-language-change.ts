/**
 * Changes a project's source language when the project file names another one than the store. Each key's text in the
 * new language becomes its source text, and its old source text a translation; versions increase, outdated marks
 * stay, issues are computed again. One transaction for all keys, during which writers get `409`.
 */
import { ContentEdit } from "./edit-keys-and-translations.ts";
import { JOB_TYPE_SOURCE } from "./specification-decisions.ts";
import type { ServiceContext } from "./service-context.ts";
import { addJob, succeedJob } from "./jobs/job-store.ts";
import type { JobKind, Task } from "./jobs/job-runner.ts";
import { applyLanguages } from "./configured-languages.ts";
import { getMeta, setMeta } from "./store/store-values.ts";
import { keysAfter, translationOf, type KeyRow, type LanguageRow } from "./store/store-rows.ts";
import { TimeSlice, type Connection } from "./store/store.ts";
import { settleCompleted } from "./webhooks/queue-deliveries.ts";

/** Keys per query. */
const BATCH_SIZE = 100;

/** Queues a change if the settings name another source language than the store. */
export function queueSourceChange(context: ServiceContext, connection: Connection): void {
  const to = context.settings.sourceLocale;
  const from = getMeta(connection, "sourceLocale");
  if (from === undefined) setMeta(connection, "sourceLocale", to);
  connection.sql("DELETE FROM jobs WHERE type = ? AND status IN ('queued', 'running')").run(JOB_TYPE_SOURCE);
  if (from !== undefined && from !== to) addJob(connection, JOB_TYPE_SOURCE, { from, to }, context.now());
}

/** Returns whether a change is pending. */
export function isSourceChanging(context: ServiceContext): boolean {
  return getMeta(context.store.reader, "sourceLocale") !== context.settings.sourceLocale;
}

export function sourceChangeJob(context: ServiceContext): JobKind {
  return {
    type: JOB_TYPE_SOURCE,
    run: async (task) => {
      await context.store.write(Number.POSITIVE_INFINITY, (connection) => change(context, task, connection));
      context.log(`the source language is ${context.settings.sourceLocale} now`);
    },
  };
}

async function change(context: ServiceContext, task: Task, connection: Connection): Promise<void> {
  const edit = new ContentEdit(context, connection);
  const from = edit.languages[0];
  const to = edit.languages.find((language) => language.locale === context.settings.sourceLocale);
  if (from === undefined || to === undefined) throw new Error("the languages of the change are not there");
  const timeSlice = new TimeSlice();
  let done = 0;
  for (let keys = keysAfter(connection, 0, BATCH_SIZE); keys.length > 0;) {
    for (const key of keys) {
      if (timeSlice.over) await timeSlice.yield();
      task.stopping.throwIfAborted();
      swapTexts(edit, key, from, to);
    }
    done += keys.length;
    keys = keysAfter(connection, keys.at(-1)?.id ?? Number.MAX_SAFE_INTEGER, BATCH_SIZE);
  }
  setMeta(connection, "sourceLocale", to.locale);
  applyLanguages(connection, context.settings, to.locale);
  edit.markChanged();
  edit.finish();
  settleCompleted(connection);
  succeedJob(connection, task.id, { done, total: done }, {}, context.now());
}

function swapTexts(edit: ContentEdit, key: KeyRow, from: LanguageRow, to: LanguageRow): void {
  const { connection } = edit;
  const next = translationOf(connection, key.id, to.id);
  const text = next?.text ?? null;
  connection.sql("DELETE FROM translations WHERE key_id = ? AND language_id = ?").run(key.id, to.id);
  edit.moveSource(key, text, (next?.version ?? 0) + 1);
  edit.setTranslation({ ...key, text }, from, key.text);
}
