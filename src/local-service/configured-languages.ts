/** Applies the languages of the settings to the store. Texts of a language that is no longer listed are preserved. */
import type { Settings } from "./service-settings.ts";
import type { Connection } from "./store/store.ts";

/**
 * Updates the listed languages. Returns whether readers can see a difference.
 * @param sourceLocale The current source language; during a change of it not the settings' one, but listed too.
 */
export function applyLanguages(connection: Connection, settings: Settings, sourceLocale: string): boolean {
  const before = listing(connection);
  connection.sql("UPDATE languages SET listed = 0").run();
  const upsert = connection.sql(
    `INSERT INTO languages (locale, name, fallback, position, listed) VALUES (?, ?, ?, ?, 1)
     ON CONFLICT (locale) DO UPDATE SET name = excluded.name, fallback = excluded.fallback,
       position = excluded.position, listed = 1`,
  );
  for (const [index, language] of settings.languages.entries()) {
    const position = language.locale === sourceLocale ? 0 : index + 1;
    upsert.run(language.locale, language.name, JSON.stringify(language.fallback), position);
  }
  connection.sql("UPDATE languages SET listed = 1, position = 0 WHERE locale = ?").run(sourceLocale);
  return before !== listing(connection);
}

function listing(connection: Connection): string {
  return JSON.stringify(
    connection.sql("SELECT locale, name, fallback FROM languages WHERE listed = 1 ORDER BY position").all(),
  );
}
