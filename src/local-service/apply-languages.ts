/**
 * Applies the languages of the settings to the store, and changes a project's source language when the settings name
 * another one than the store.
 */
import { ContentEdit } from "./edit-keys-and-translations.ts";
import { JOB_TYPE_SOURCE } from "./specification-decisions.ts";
import type { Service } from "./service-context.ts";
import type { Settings } from "./service-settings.ts";
import { addJob, succeedJob, type JobKind, type Task } from "./jobs.ts";
import {
  getMeta,
  incrementContentVersion,
  keysAfter,
  setMeta,
  translationOf,
  type KeyRow,
} from "./store/store-rows.ts";
import { inTimeSlices, type Connection } from "./store/store.ts";
import { settleCompleted } from "./webhooks.ts";

/**
 * Updates the listed languages; texts of a language that is no longer listed are preserved. Returns whether readers can
 * see a difference.
 * @param sourceLocale The current source language; during a change of it not the settings' one, but listed too.
 */
export function applyLanguages(connection: Connection, settings: Settings, sourceLocale: string): boolean {
  const listing = (): string =>
    JSON.stringify(
      connection.all("SELECT locale, name, fallback FROM languages WHERE listed = 1 ORDER BY position"),
    );
  const before = listing();
  connection.run("UPDATE languages SET listed = 0");
  for (const [index, { locale, name, fallback }] of settings.languages.entries()) {
    connection.run(
      `INSERT INTO languages (locale, name, fallback, position, listed) VALUES (?, ?, ?, ?, 1)
       ON CONFLICT (locale) DO UPDATE SET name = excluded.name, fallback = excluded.fallback,
         position = excluded.position, listed = 1`,
      locale,
      name,
      JSON.stringify(fallback),
      index + 1,
    );
  }
  connection.run("UPDATE languages SET listed = 1, position = 0 WHERE locale = ?", sourceLocale);
  return before !== listing();
}

/** Queues a change if the settings name another source language than the store. */
export function queueSourceChange(service: Service, connection: Connection): void {
  const to = service.settings.sourceLocale;
  const from = getMeta(connection, "sourceLocale");
  if (from === undefined) setMeta(connection, "sourceLocale", to);
  connection.run("DELETE FROM jobs WHERE type = ? AND status IN ('queued', 'running')", JOB_TYPE_SOURCE);
  if (from !== undefined && from !== to) addJob(connection, JOB_TYPE_SOURCE, { from, to }, service.now());
}

/** Returns whether a change is pending. */
export function isSourceChanging({ store, settings }: Service): boolean {
  return getMeta(store.reader, "sourceLocale") !== settings.sourceLocale;
}

/**
 * Makes each key's text in the new language its source text, and its old source text a translation; versions increase,
 * outdated marks stay, issues are computed again. One transaction for all keys, during which writers get `409`.
 */
export const sourceChangeJob: JobKind = {
  run: async (service, task) => {
    await service.store.write(Number.POSITIVE_INFINITY, (connection) => change(service, task, connection));
    service.log(`the source language is ${service.settings.sourceLocale} now`);
  },
};

/** Keys per query. */
const BATCH_SIZE = 100;

async function change(service: Service, task: Task, connection: Connection): Promise<void> {
  const edit = new ContentEdit(service, connection);
  const from = edit.languages[0];
  const to = edit.languages.find((language) => language.locale === service.settings.sourceLocale);
  if (from === undefined || to === undefined) throw new Error("the languages of the change are not there");
  let done = 0;
  // One sequence, so that the time slices do not begin anew with each query.
  for await (const key of inTimeSlices(allKeys(connection))) {
    task.stopping.throwIfAborted();
    const next = translationOf(connection, key.id, to.id);
    const text = next?.text ?? null;
    connection.run("DELETE FROM translations WHERE key_id = ? AND language_id = ?", key.id, to.id);
    edit.moveSource(key, text, (next?.version ?? 0) + 1);
    edit.setTranslation({ ...key, text }, from, key.text);
    done++;
  }
  setMeta(connection, "sourceLocale", to.locale);
  applyLanguages(connection, service.settings, to.locale);
  incrementContentVersion(connection);
  edit.finish();
  settleCompleted(connection);
  succeedJob(service, connection, task.id, done, {});
}

function* allKeys(connection: Connection): Generator<KeyRow> {
  for (let keys = keysAfter(connection, 0, BATCH_SIZE); keys.length > 0;) {
    yield* keys;
    keys = keysAfter(connection, keys.at(-1)?.id ?? Number.MAX_SAFE_INTEGER, BATCH_SIZE);
  }
}
