/** Databases filled with keys. */
import { Database } from "../../../src/database/database.ts";
import { KeyNames, type NamedKey } from "../../../src/database/key-name-repository.ts";
import type { ProjectRow } from "../../../src/database/records.ts";
import { TranslationRepository } from "../../../src/database/translation-repository.ts";
import type { Text } from "../../../src/model/translation-text.ts";

/** Creates an in-memory database with these keys. */
export function createKeyDatabase(keys: Iterable<NamedKey & { readonly text?: Text | null }>): Database {
  const database = new Database();
  addKeys(database, keys);
  return database;
}

export function addKeys(
  database: Database,
  keys: Iterable<NamedKey & { readonly text?: Text | null }>,
): void {
  const insert = database.sql(
    `INSERT INTO keys (hash, namespace, key, context, text, is_plural, tags, revision) VALUES (?, ?, ?, ?, ?, 0, '[]', 1)
     ON CONFLICT (hash) DO UPDATE SET text = excluded.text`,
  );
  database.transaction(() => {
    for (const { hash, namespace, key, context, text = null } of keys)
      insert.run(hash, namespace, key, context, text && JSON.stringify(text));
  });
}

export function addTranslations(
  database: Database,
  locale: string,
  texts: Readonly<Record<string, Text | null>>,
): void {
  const insert = database.sql(
    `INSERT INTO translations (locale, hash, text, is_translated, is_outdated, errors, revision) VALUES (?, ?, ?, 1, 0, 0, 1)
     ON CONFLICT (locale, hash) DO UPDATE SET text = excluded.text`,
  );
  database.transaction(() => {
    for (const [hash, text] of Object.entries(texts)) insert.run(locale, hash, text && JSON.stringify(text));
  });
}

export function createKeyNames(keys: Iterable<NamedKey>): KeyNames {
  return new KeyNames(createKeyDatabase(keys));
}

/** Returns all rows of a language, in the order of the keys. */
export function translationsIn(database: Database, locale: string): ProjectRow[] {
  const translations = new TranslationRepository(database);
  return database
    .column(
      `SELECT t.hash FROM translations t LEFT JOIN keys k ON k.hash = t.hash WHERE t.locale = ? ORDER BY k.id, t.id`,
      locale,
    )
    .flatMap((hash) => translations.get(locale, hash) ?? []);
}
