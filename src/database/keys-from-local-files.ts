/**
 * Derives the tables of keys and translations from the local files while the user is signed out, on any thread. Such
 * rows have revision 0, which rows of the service never have.
 */
import { sha1 } from "../model/key-hash.ts";
import { yieldNow } from "../util/event-loop.ts";
import { isEmptyText, type Text } from "../model/translation-text.ts";
import type { Database, Row, SqlValue } from "./database.ts";
import { HAS_NONEMPTY_FORM, IN_ORDER, VISIBLE } from "./local-file-repository.ts";
import { LOCAL_STATE } from "./schema-migrations.ts";
import { languageName } from "../model/locales.ts";
import { SyncMetadataRepository, type LocalCounts } from "./sync-metadata-repository.ts";
import { TranslationRepository } from "./translation-repository.ts";

/** Determines which entry has a key's source text. */
export interface LocalKeysOptions {
  readonly sourceLocale: string;
  /** The source language that was detected, if nobody has chosen another one; `null`: not detected yet. */
  readonly detectedSource: string | null;
  /** The other languages that have files. */
  readonly locales: readonly string[];
  /** Families and namespaces (`gettext:shop`) that have files of the source language. */
  readonly covered: readonly string[];
}

/** Counts after an update of the keys, and whether it changed any; the translations may not have been updated yet. */
export interface LocalKeysChange extends LocalCounts {
  readonly areKeysChanged: boolean;
}

/** Counts after an update of the translations, and the languages that it changed. */
export interface LocalTranslationsState extends LocalCounts {
  readonly changedLocales: readonly string[];
}

/** Names per transaction. */
const BATCH_SIZE = 200;
/** Texts that are written, and at most deleted, per transaction; some 30 ms. */
const TEXTS_PER_BATCH = 4_000;

const NAMES = "SELECT hash FROM local_names WHERE id > ?1 AND id <= ?2";
const NAMES_WITH_ENTRIES = `SELECT n.hash, n.namespace, n.key, n.context FROM local_names n
  WHERE n.id > ?2 AND n.id <= ?3
    AND EXISTS (SELECT 1 FROM local_entries e JOIN local_files f ON f.id = e.file WHERE e.name = n.id AND ${VISIBLE})`;
/** The entries that determine more of a key than its name; `?5`: JSON of `covered`. */
const KEY_ENTRIES = `SELECT n.hash, n.namespace, e.locale, e.text, e.is_plural, e.source, e.description,
    e.details ->> 'maxLength' AS max_length, f.family
  FROM local_names n JOIN local_entries e ON e.name = n.id JOIN local_files f ON f.id = e.file
  WHERE n.id > ?2 AND n.id <= ?3 AND ${VISIBLE} AND (e.locale = ?4 OR e.is_plural OR e.description IS NOT NULL
    OR e.details ->> 'maxLength' IS NOT NULL OR e.source IS NOT NULL
    AND coalesce(f.family, '') || ':' || n.namespace NOT IN (SELECT value FROM json_each(?5)))
  ORDER BY n.id, f.rank, f.path, e.position`;
const PUT_KEY = `INSERT INTO keys
    (hash, namespace, key, context, is_plural, text, description, max_length, tags, revision)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, '[]', 0)
  ON CONFLICT (hash) DO UPDATE SET is_plural = excluded.is_plural, text = excluded.text,
    description = excluded.description, max_length = excluded.max_length`;

/** The next names by hash: in the order of the translations' indexes, so that writing a batch touches few pages. */
const NEXT_NAMES = "SELECT id, hash FROM local_names WHERE hash > ? ORDER BY hash LIMIT ?";
/** Entries (`?1`: this window) that are translations. `CROSS JOIN` keeps the order of the tables, each found by an index. */
const TRANSLATIONS = `local_entries e CROSS JOIN local_files f ON f.id = e.file
  WHERE ${VISIBLE} AND e.locale <> ?3 AND e.${HAS_NONEMPTY_FORM}`;
const PUT_TRANSLATIONS = `INSERT INTO translations (locale, hash, text, is_translated, is_outdated, errors, is_checked, revision)
  SELECT locale, hash, text, 1, is_fuzzy, 0, 0, 0 FROM (
    SELECT e.locale, n.hash, e.text, coalesce(e.details ->> 'isFuzzy', 0) AS is_fuzzy,
      row_number() OVER (PARTITION BY e.locale, n.hash ORDER BY ${IN_ORDER}) AS place
    FROM json_each(?2) batch CROSS JOIN local_names n ON n.id = batch.value CROSS JOIN ${TRANSLATIONS} AND e.name = n.id)
  WHERE place = 1
  ORDER BY locale, hash
  ON CONFLICT (locale, hash) DO UPDATE SET text = excluded.text, is_outdated = excluded.is_outdated,
    issues = NULL, issue_count = 0, errors = 0, is_checked = 0
    WHERE text IS NOT excluded.text OR is_outdated <> excluded.is_outdated
  RETURNING locale`;
/** Deletes translations without entries, also of names that are gone: between two hashes, in the languages of `?2`. */
const DELETE_TRANSLATIONS = `DELETE FROM translations WHERE id IN (
    SELECT t.id FROM json_each(?2) known CROSS JOIN translations t INDEXED BY sqlite_autoindex_translations_1
      ON t.locale = known.value AND t.hash > ?4 AND t.hash <= ?5
    WHERE NOT EXISTS (SELECT 1 FROM local_names n CROSS JOIN ${TRANSLATIONS}
      AND n.hash = t.hash AND e.name = n.id AND e.locale = t.locale)
    LIMIT ?6)
  RETURNING locale`;
/** After all hashes. */
const LAST_HASH = "~";
/** The languages that have translations. */
const STORED_LOCALES = "SELECT locale FROM translation_counts WHERE rows > 0";

/** Names in `state`: what the tables were last derived from, as `LocalKeys.#basis`. */
const [KEYS_BASIS, TRANSLATIONS_BASIS] = LOCAL_STATE;
type BasisName = typeof KEYS_BASIS | typeof TRANSLATIONS_BASIS;
/** The translations of a key whose source text has changed. */
const EXPIRE_CHECKS = `UPDATE translations SET is_checked = 0
  WHERE locale IN (SELECT locale FROM translation_counts) AND hash = ?`;
const PUT_STATE = "INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)";
/** The visible files: whatever is read again gets another id. */
const VISIBLE_FILES = `SELECT f.id FROM local_files f WHERE f.id > ?2 AND ${VISIBLE} ORDER BY f.id LIMIT ?3`;
const FILES_PER_QUERY = 500;

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

interface DerivedKey {
  readonly name: Row;
  text: string | null;
  isSourceEntry: boolean;
  isPlural: boolean;
  description: string | null;
  maxLength: number | null;
}

/** A derivation in progress; both are called in transactions. */
interface Derivation {
  /** Notices other derivations. */
  check(): void;
  /** Stores what the tables are derived from, unless there were others. */
  finish(basis: string): void;
}

/** Derives keys and their translations from local files. */
export class LocalKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Updates the keys. Returns `null` if the tables contain a project of the service.
   * @throws the signal's reason
   */
  async updateKeys(options: LocalKeysOptions, signal?: AbortSignal): Promise<LocalKeysChange | null> {
    let areKeysChanged = false;
    const basis = this.#basis(options);
    if (this.#isDerived(KEYS_BASIS, basis)) return { ...this.#counts(options), areKeysChanged };
    const derivation = this.#start(KEYS_BASIS);
    if (derivation === null) return null;
    const last = this.#database.number("SELECT max(id) FROM local_names");
    for (let after = 0; after < last; after += BATCH_SIZE) {
      const isChanged = this.#whileOfFiles(() => {
        derivation.check();
        return this.#putKeys(after, this.#keysAfter(after, options));
      });
      if (isChanged === null) return null;
      areKeysChanged ||= isChanged;
      await yieldNow();
      signal?.throwIfAborted();
    }
    const lastKey = this.#database.number("SELECT max(id) FROM keys");
    for (let after = 0; after < lastKey; after += BATCH_SIZE) {
      const isChanged = this.#whileOfFiles(() => {
        derivation.check();
        return this.#deleteUnnamed(after);
      });
      if (isChanged === null) return null;
      areKeysChanged ||= isChanged;
      await yieldNow();
      signal?.throwIfAborted();
    }
    return this.#whileOfFiles(() => {
      derivation.finish(basis);
      this.#database.sql(PUT_CURSOR).run("", COMPLETE_CURSOR);
      if (areKeysChanged) this.#database.sql(INCREMENT_REVISION).run();
      return { ...this.#counts(options), areKeysChanged };
    });
  }

  /**
   * Updates the translations, and counts, which are also stored for the next start. Returns `null` if the tables belong to a
   * project of the service.
   * @throws the signal's reason
   */
  async updateTranslations(
    options: LocalKeysOptions,
    signal?: AbortSignal,
  ): Promise<LocalTranslationsState | null> {
    const { sourceLocale, detectedSource, locales } = options;
    const changed = new Set<string>();
    const basis = this.#basis(options);
    if (this.#isDerived(TRANSLATIONS_BASIS, basis)) return { ...this.#counts(options), changedLocales: [] };
    const derivation = this.#start(TRANSLATIONS_BASIS);
    if (derivation === null) return null;
    const stored = this.#database.column(STORED_LOCALES);
    const size = Math.ceil(TEXTS_PER_BATCH / Math.max(locales.length, stored.length, 10));
    for (let after = ""; after !== LAST_HASH;) {
      const names = this.#database.all(NEXT_NAMES, after, size);
      const until = String(names.at(-1)?.["hash"] ?? LAST_HASH);
      const batch = JSON.stringify(names.map((name) => name["id"]));
      const deleted = this.#whileOfFiles(() => {
        derivation.check();
        const { windowPid } = this.#database;
        const put = this.#database.column(PUT_TRANSLATIONS, windowPid, batch, sourceLocale);
        for (const locale of put) changed.add(locale);
        if (stored.length === 0) return 0;
        const values = [windowPid, JSON.stringify(stored), sourceLocale, after, until] as const;
        const locales = this.#database.column(DELETE_TRANSLATIONS, ...values, TEXTS_PER_BATCH);
        for (const locale of locales) changed.add(locale);
        return locales.length;
      });
      if (deleted === null) return null;
      // There may be more that have no name any more.
      if (deleted < TEXTS_PER_BATCH) after = until;
      await yieldNow();
      signal?.throwIfAborted();
    }
    return this.#whileOfFiles(() => {
      derivation.finish(basis);
      this.#database.sql("DELETE FROM sync_cursors WHERE name <> ''").run();
      for (const locale of locales) this.#database.sql(PUT_CURSOR).run(locale, COMPLETE_CURSOR);
      if (changed.size > 0) this.#database.sql(INCREMENT_REVISION).run();
      const counts = this.#counts(options);
      new SyncMetadataRepository(this.#database).local = { sourceLocale, detectedSource, counts };
      return { ...counts, changedLocales: [...changed] };
    });
  }

  /** Returns a fingerprint of all that keys and translations are derived from. */
  #basis(options: LocalKeysOptions): string {
    const files: number[] = [];
    for (let last = 0; ;) {
      const values = [this.#database.windowPid, last, FILES_PER_QUERY] as const;
      const ids = this.#database.column<number>(VISIBLE_FILES, ...values);
      for (const id of ids) files.push(id);
      if (ids.length < FILES_PER_QUERY) break;
      last = ids.at(-1) ?? last;
    }
    return sha1(JSON.stringify([options, files]));
  }

  /** Whether the tables are as derived from `basis`. */
  #isDerived(name: BasisName, basis: string): boolean {
    return this.#isOfFiles && this.#state(name) === basis;
  }

  /**
   * Starts a derivation: until it is finished, the tables count as derived from nothing, also if another window derives them
   * from its own unsaved texts at the same time. `null` if the tables contain a project of the service.
   */
  #start(name: BasisName): Derivation | null {
    const token = crypto.randomUUID();
    if (this.#whileOfFiles(() => this.#database.sql(PUT_STATE).run(name, token)) === null) return null;
    let isAlone = true;
    const check = (): void => {
      if (this.#state(name) === token) return;
      isAlone = false;
      this.#database.sql(PUT_STATE).run(name, token);
    };
    const finish = (basis: string): void => {
      check();
      if (isAlone) this.#database.sql(PUT_STATE).run(name, basis);
    };
    return { check, finish };
  }

  #state(name: BasisName): SqlValue | undefined {
    return this.#database.value("SELECT value FROM state WHERE name = ?", name);
  }

  /** Runs writes in a transaction; `null` if the tables contain a project of the service. */
  #whileOfFiles<Result>(work: () => Result): Result | null {
    return this.#database.transaction(() => (this.#isOfFiles ? work() : null));
  }

  get #isOfFiles(): boolean {
    return new SyncMetadataRepository(this.#database).content?.kind === "files";
  }

  #keysAfter(after: number, { sourceLocale, covered }: LocalKeysOptions): ReadonlyMap<string, DerivedKey> {
    const { windowPid } = this.#database;
    const isCovered = new Set(covered);
    const values = [windowPid, after, after + BATCH_SIZE, sourceLocale, JSON.stringify(covered)] as const;
    const keys = new Map<string, DerivedKey>();
    for (const name of this.#database.all(NAMES_WITH_ENTRIES, windowPid, after, after + BATCH_SIZE)) {
      const none = { text: null, isSourceEntry: false, isPlural: false, description: null, maxLength: null };
      keys.set(String(name["hash"]), { name, ...none });
    }
    for (const row of this.#database.all(KEY_ENTRIES, ...values)) {
      const key = keys.get(String(row["hash"]));
      if (key === undefined) continue;
      key.description ??= row["description"] as string | null;
      key.maxLength ??= row["max_length"] as number | null;
      if (row["locale"] === sourceLocale) {
        if (key.isSourceEntry) continue;
        key.isSourceEntry = true;
        key.isPlural = row["is_plural"] === 1;
        key.text = nonEmptyText(row["text"]) ?? nonEmptyText(row["source"]);
        continue;
      }
      if (!key.isSourceEntry) {
        key.isPlural ||= row["is_plural"] === 1;
        if (!isCovered.has(`${row["family"]}:${row["namespace"]}`)) key.text ??= nonEmptyText(row["source"]);
      }
    }
    return keys;
  }

  /** Returns whether anything changed. */
  #putKeys(after: number, keys: ReadonlyMap<string, DerivedKey>): boolean {
    const sql = `SELECT hash, is_plural, text, description, max_length FROM keys WHERE hash IN (${NAMES})`;
    const before = byHash(this.#database.all(sql, after, after + BATCH_SIZE));
    let isChanged = false;
    for (const [hash, { name, text, isPlural, description, maxLength }] of keys) {
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
      const { namespace = "", key = "", context = null } = name;
      const values = [Number(isPlural), text, description, maxLength] as const;
      this.#database.sql(PUT_KEY).run(hash, namespace, key, context, ...values);
      if (old !== undefined && old["text"] !== text) this.#database.sql(EXPIRE_CHECKS).run(hash);
    }
    for (const hash of before.keys()) this.#database.sql("DELETE FROM keys WHERE hash = ?").run(hash);
    return isChanged || before.size > 0;
  }

  /** Deletes keys without names. Returns whether there were any. */
  #deleteUnnamed(after: number): boolean {
    const sql = `DELETE FROM keys WHERE id > ?1 AND id <= ?2
      AND NOT EXISTS (SELECT 1 FROM local_names n WHERE n.hash = keys.hash)`;
    return this.#database.sql(sql).run(after, after + BATCH_SIZE).changes > 0;
  }

  #counts({ sourceLocale, locales }: LocalKeysOptions): LocalCounts {
    const translations = new TranslationRepository(this.#database);
    const languages = locales.map((locale) => {
      const { translated, outdated } = translations.counts(locale);
      return { locale, name: languageName(locale), translated, outdated };
    });
    const { keys, withText } = this.#database.get<Pick<LocalCounts, "keys" | "withText">>(
      "SELECT keys, with_text AS withText FROM key_counts",
    ) ?? { keys: 0, withText: 0 };
    return { keys, withText, sourceName: languageName(sourceLocale), languages };
  }
}

function byHash(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [String(row["hash"]), row]));
}

/** Returns the JSON of a text; `null` if it is empty. */
function nonEmptyText(json: SqlValue | undefined): string | null {
  return typeof json !== "string" || isEmptyText(JSON.parse(json) as Text) ? null : json;
}
