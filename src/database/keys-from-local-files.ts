/**
 * Derives the tables of keys and translations from the local files while the user is signed out, on any thread. Such
 * rows have revision 0, which rows of the service never have.
 */
import { yieldNow } from "../util/event-loop.ts";
import { getOrCreate } from "../util/maps.ts";
import { isEmptyText, type Text } from "../model/translation-text.ts";
import type { Database, Row, SqlValue } from "./database.ts";
import { VISIBLE } from "./local-file-repository.ts";
import { TranslationRepository } from "./translation-repository.ts";

/** Determines which entry has a key's source text. */
export interface LocalKeysOptions {
  readonly sourceLocale: string;
  /** The other languages that have files. */
  readonly locales: readonly string[];
  /** Families and namespaces (`gettext:shop`) that have files of the source language. */
  readonly covered: readonly string[];
}

/** Counts after an update, and what it changed. */
export interface LocalKeysState {
  readonly keys: number;
  /** Number of keys with a source text. */
  readonly withText: number;
  readonly languages: readonly {
    readonly locale: string;
    readonly translated: number;
    readonly outdated: number;
  }[];
  readonly areKeysChanged: boolean;
  readonly changedLocales: readonly string[];
}

/** Names per transaction. */
const BATCH_SIZE = 200;

const NAMES = "SELECT hash FROM local_names WHERE id > ?1 AND id <= ?2";
const ENTRIES = `SELECT n.hash, n.namespace, n.key, n.context, e.locale, e.text, e.is_plural, e.source, e.description,
    e.details ->> 'isFuzzy' AS is_fuzzy, e.details ->> 'maxLength' AS max_length, f.family
  FROM local_names n JOIN local_entries e ON e.name = n.id JOIN local_files f ON f.id = e.file
  WHERE n.id > ?2 AND n.id <= ?3 AND ${VISIBLE} ORDER BY n.id, f.rank, f.path, e.position`;
const PUT_KEY = `INSERT INTO keys
    (hash, namespace, key, context, is_plural, text, description, max_length, tags, revision)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, '[]', 0)
  ON CONFLICT (hash) DO UPDATE SET is_plural = excluded.is_plural, text = excluded.text,
    description = excluded.description, max_length = excluded.max_length`;
const PUT_TRANSLATION = `INSERT INTO translations (locale, hash, text, is_translated, is_outdated, errors, revision)
  VALUES (?, ?, ?, 1, ?, 0, 0)
  ON CONFLICT (locale, hash) DO UPDATE SET text = excluded.text, is_outdated = excluded.is_outdated`;

/** Owner of the tables while signed out. No project can have such a slug. */
export const LOCAL_OWNER = "local files";
const OWNER = "SELECT value FROM state WHERE name = 'owner'";

/** A `SyncCursor` that marks a language as completely known. */
const COMPLETE_CURSOR = JSON.stringify({
  contentVersion: 0,
  counts: [],
  since: null,
  keysSince: null,
  fullReadAt: 0,
  differences: [],
});

const PUT_CURSOR = "INSERT INTO sync_cursors (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING";
/** So that other windows show the changes. */
const INCREMENT_REVISION = `INSERT INTO state (name, value) VALUES ('revision', '1')
  ON CONFLICT DO UPDATE SET value = CAST(value + 1 AS TEXT)`;

interface LocalKey {
  readonly row: Row;
  text: string | null;
  isSourceEntry: boolean;
  isPlural: boolean;
  description: string | null;
  maxLength: number | null;
  readonly translations: Map<string, { readonly text: string; readonly isFuzzy: boolean }>;
}

/** Derives keys from local files. */
export class LocalKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Updates the tables. Returns `null` if they belong to a project of the service.
   * @throws the signal's reason
   */
  async update(options: LocalKeysOptions, signal?: AbortSignal): Promise<LocalKeysState | null> {
    const changed = new Set<string>();
    let areKeysChanged = false;
    const known = this.#database.column("SELECT name FROM sync_cursors WHERE name <> ''");
    const locales = [...new Set([...options.locales, ...known])];
    const last = this.#database.number("SELECT max(id) FROM local_names");
    for (let after = 0; after < last; after += BATCH_SIZE) {
      const isOwned = this.#database.transaction(() => {
        if (!this.#isOwnedByLocalFiles) return false;
        const keys = this.#keysAfter(after, options);
        areKeysChanged = this.#putKeys(after, keys) || areKeysChanged;
        for (const locale of locales) if (this.#putTranslations(after, locale, keys)) changed.add(locale);
        return true;
      });
      if (!isOwned) return null;
      await yieldNow();
      signal?.throwIfAborted();
    }
    const lastKey = this.#database.number("SELECT max(id) FROM keys");
    for (let after = 0; after < lastKey; after += BATCH_SIZE) {
      areKeysChanged =
        this.#database.transaction(
          () => this.#isOwnedByLocalFiles && this.#deleteUnnamed(after, locales, changed),
        ) || areKeysChanged;
      await yieldNow();
      signal?.throwIfAborted();
    }
    return this.#database.transaction(() => {
      if (!this.#isOwnedByLocalFiles) return null;
      for (const locale of known)
        if (!options.locales.includes(locale))
          this.#database.sql("DELETE FROM sync_cursors WHERE name = ?").run(locale);
      for (const locale of ["", ...options.locales])
        this.#database.sql(PUT_CURSOR).run(locale, COMPLETE_CURSOR);
      if (areKeysChanged || changed.size > 0) this.#database.sql(INCREMENT_REVISION).run();
      return { ...this.#counts(options.locales), areKeysChanged, changedLocales: [...changed] };
    });
  }

  get #isOwnedByLocalFiles(): boolean {
    return this.#database.value(OWNER) === JSON.stringify(LOCAL_OWNER);
  }

  #keysAfter(after: number, { sourceLocale, covered }: LocalKeysOptions): ReadonlyMap<string, LocalKey> {
    const keys = new Map<string, LocalKey>();
    const isCovered = new Set(covered);
    for (const row of this.#database.all(ENTRIES, this.#database.windowPid, after, after + BATCH_SIZE)) {
      const key = getOrCreate(keys, String(row["hash"]), () => {
        const none = { text: null, isSourceEntry: false, isPlural: false, description: null };
        return { row, ...none, maxLength: null, translations: new Map() };
      });
      key.description ??= row["description"] as string | null;
      key.maxLength ??= row["max_length"] as number | null;
      const text = nonEmptyText(row["text"]);
      if (row["locale"] === sourceLocale) {
        if (key.isSourceEntry) continue;
        key.isSourceEntry = true;
        key.isPlural = row["is_plural"] === 1;
        key.text = text ?? nonEmptyText(row["source"]);
        continue;
      }
      if (!key.isSourceEntry) {
        key.isPlural ||= row["is_plural"] === 1;
        if (!isCovered.has(`${row["family"]}:${row["namespace"]}`)) key.text ??= nonEmptyText(row["source"]);
      }
      const locale = String(row["locale"]);
      if (text !== null && !key.translations.has(locale))
        key.translations.set(locale, { text, isFuzzy: Boolean(row["is_fuzzy"]) });
    }
    return keys;
  }

  /** Returns whether anything changed, like `#putTranslations`. */
  #putKeys(after: number, keys: ReadonlyMap<string, LocalKey>): boolean {
    const sql = `SELECT hash, is_plural, text, description, max_length FROM keys WHERE hash IN (${NAMES})`;
    const before = byHash(this.#database.all(sql, after, after + BATCH_SIZE));
    let isChanged = false;
    for (const [hash, { row, text, isPlural, description, maxLength }] of keys) {
      const old = before.get(hash);
      before.delete(hash);
      if (
        old?.["text"] === text &&
        old["is_plural"] === Number(isPlural) &&
        old["description"] === description &&
        old["max_length"] === maxLength
      )
        continue;
      isChanged = true;
      const { namespace = "", key = "", context = null } = row;
      const values = [Number(isPlural), text, description, maxLength] as const;
      this.#database.sql(PUT_KEY).run(hash, namespace, key, context, ...values);
    }
    for (const hash of before.keys()) this.#database.sql("DELETE FROM keys WHERE hash = ?").run(hash);
    return isChanged || before.size > 0;
  }

  #putTranslations(after: number, locale: string, keys: ReadonlyMap<string, LocalKey>): boolean {
    const sql = `SELECT id, hash, text, is_outdated FROM translations WHERE locale = ?3 AND hash IN (${NAMES})`;
    const before = byHash(this.#database.all(sql, after, after + BATCH_SIZE, locale));
    let isChanged = false;
    for (const [hash, { translations }] of keys) {
      const translation = translations.get(locale);
      if (translation === undefined) continue;
      const old = before.get(hash);
      before.delete(hash);
      const { text, isFuzzy } = translation;
      if (old?.["text"] === text && old["is_outdated"] === Number(isFuzzy)) continue;
      isChanged = true;
      this.#database.sql(PUT_TRANSLATION).run(locale, hash, text, Number(isFuzzy));
    }
    for (const { id } of before.values())
      this.#database.sql("DELETE FROM translations WHERE id = ?").run(id as number);
    return isChanged || before.size > 0;
  }

  /** Deletes keys and translations without entries. Adds affected languages to `changed`. Returns whether there were any. */
  #deleteUnnamed(after: number, locales: readonly string[], changed: Set<string>): boolean {
    const sql = `SELECT hash FROM keys WHERE id > ?1 AND id <= ?2
      AND NOT EXISTS (SELECT 1 FROM local_names n WHERE n.hash = keys.hash)`;
    const unnamed = this.#database.column(sql, after, after + BATCH_SIZE);
    const deleteTranslation = this.#database.sql("DELETE FROM translations WHERE locale = ? AND hash = ?");
    for (const hash of unnamed) {
      for (const locale of locales) if (deleteTranslation.run(locale, hash).changes > 0) changed.add(locale);
      this.#database.sql("DELETE FROM keys WHERE hash = ?").run(hash);
    }
    return unnamed.length > 0;
  }

  #counts(locales: readonly string[]): Pick<LocalKeysState, "keys" | "withText" | "languages"> {
    const translations = new TranslationRepository(this.#database);
    const languages = locales.map((locale) => {
      const { translated, outdated } = translations.counts(locale);
      return { locale, translated, outdated };
    });
    const { keys, withText } = this.#database.get<Pick<LocalKeysState, "keys" | "withText">>(
      "SELECT keys, with_text AS withText FROM key_counts",
    ) ?? { keys: 0, withText: 0 };
    return { keys, withText, languages };
  }
}

function byHash(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [String(row["hash"]), row]));
}

/** Returns the JSON of a text; `null` if it is empty. */
function nonEmptyText(json: SqlValue | undefined): string | null {
  return typeof json !== "string" || isEmptyText(JSON.parse(json) as Text) ? null : json;
}
