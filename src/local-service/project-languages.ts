/**
 * Applies the languages of the settings to the store, and changes a project's source language when the settings name
 * another one than the store.
 */
import { ContentEdit } from "./edit-keys-and-translations.ts";
import { addJob, type Job, type JobHandler } from "./jobs.ts";
import type { Service } from "./service-context.ts";
import type { Settings } from "./service-settings.ts";
import { JOB_TYPE_SOURCE } from "./specification-decisions.ts";
import {
  getMeta,
  getOrCreateMeta,
  incrementContentVersion,
  setMeta,
  translationOf,
} from "./store/store-rows.ts";
import { inTimeSlices, type Connection } from "./store/store.ts";
import { fingerprintOf } from "../util/fingerprint.ts";
import { recordCompletedLanguages } from "./send-webhooks.ts";

/**
 * Updates the listed languages; texts of a language that is no longer listed are preserved. Returns whether the listing
 * changed.
 * @param sourceLocale the current source language, which stays listed and first until a change of it has ended
 */
export function applyLanguages(connection: Connection, settings: Settings, sourceLocale: string): boolean {
  const sql = "SELECT locale, name, fallback FROM languages WHERE listed = 1 ORDER BY position";
  const before = connection.all(sql);
  connection.run("UPDATE languages SET listed = 0");
  for (const [index, { locale, name, fallback }] of settings.languages.entries()) {
    connection.run(
      `INSERT INTO languages (locale, name, fallback, position, listed)
       VALUES (:locale, :name, :fallback, :position, 1)
       ON CONFLICT (locale) DO UPDATE SET name = :name, fallback = :fallback, position = :position, listed = 1`,
      { locale, name, fallback: JSON.stringify(fallback), position: index + 1 },
    );
  }
  connection.run("UPDATE languages SET listed = 1, position = 0 WHERE locale = ?", sourceLocale);
  return fingerprintOf(before) !== fingerprintOf(connection.all(sql));
}

/** Queues a change if the settings have another source language than the store, and returns that of the store. */
export function queueSourceChange({ settings, now }: Service, connection: Connection): string {
  const current = getOrCreateMeta(connection, "sourceLocale", () => settings.sourceLocale);
  connection.run("DELETE FROM jobs WHERE type = ? AND status IN ('queued', 'running')", JOB_TYPE_SOURCE);
  if (current !== settings.sourceLocale) addJob(connection, JOB_TYPE_SOURCE, {}, now());
  return current;
}

/** Returns whether a change of the source language is pending. */
export function isSourceChanging({ store, settings }: Service): boolean {
  return getMeta(store.reader, "sourceLocale") !== settings.sourceLocale;
}

/**
 * Makes each key's text in the new language its source text, and its old source text a translation. Versions increase,
 * outdated marks stay, and issues are recomputed. One transaction for all keys; writers get `409` until it ends.
 */
export const sourceChangeJob: JobHandler = {
  run: async (job) => {
    const { service } = job;
    await service.store.write((connection) => changeSource(job, connection));
    service.log(`the source language is ${service.settings.sourceLocale} now`);
  },
};

async function changeSource(job: Job, connection: Connection): Promise<void> {
  const { service, stopping } = job;
  const edit = new ContentEdit(service, connection);
  const [from] = edit.languages;
  const to = edit.language(service.settings.sourceLocale);
  if (from === undefined || to === undefined) throw new Error("a language of the change is not listed");
  const hashes = connection.all<{ hash: string }>("SELECT hash FROM keys ORDER BY id");
  for await (const { hash } of inTimeSlices(hashes)) {
    stopping.throwIfAborted();
    const key = edit.getKey(hash);
    const translation = translationOf(connection, key.id, to.id);
    const text = translation?.text ?? null;
    connection.run("DELETE FROM translations WHERE key_id = ? AND language_id = ?", key.id, to.id);
    edit.moveSource(key, text, (translation?.version ?? 0) + 1);
    edit.setTranslation({ ...key, text }, from, key.text);
  }
  setMeta(connection, "sourceLocale", to.locale);
  applyLanguages(connection, service.settings, to.locale);
  incrementContentVersion(connection);
  // Before the edit ends, since the languages did not become complete by translating.
  recordCompletedLanguages(connection);
  edit.finish();
  job.succeed(connection, hashes.length, {});
}
