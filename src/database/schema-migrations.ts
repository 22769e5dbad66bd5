/**
 * The tables of a project's cache, and how a database is migrated: `PRAGMA user_version` tells which migrations were
 * applied. No table ever contains a token.
 */
import type { DatabaseSync } from "node:sqlite";
import type { StoreTable } from "./store.ts";

/**
 * Data of the service. Texts are JSON: `{"value":…}` or `{"forms":{…}}`; timestamps are the service's own. `revision`
 * numbers the read or write that a row comes from (`SyncMetadataRepository.nextRevision`). `sync_cursors` has the
 * position up to which the keys, and each language, were read; without a row they are not completely known.
 * `removed_keys` prevents pages that were requested earlier from restoring a key. `text_before`: the source text before
 * its last change that was seen on this machine; `NULL` without one. `translated` has the order of `keys`, so that
 * untranslated keys are found with a merge join. `is_checked`: whether the issues are those of the text; what was derived from
 * local files is checked later (`LocalChecks`).
 */
const SERVICE = `
  CREATE TABLE keys (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    context TEXT,
    is_plural INTEGER NOT NULL,
    text TEXT,
    source_hash TEXT,
    description TEXT,
    max_length INTEGER,
    tags TEXT NOT NULL,
    updated_at TEXT,
    revision INTEGER NOT NULL,
    text_before TEXT
  ) STRICT;
  CREATE INDEX keys_by_name ON keys (namespace, key, context);
  CREATE INDEX keys_by_time ON keys (updated_at);
  CREATE TABLE removed_keys (
    hash TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE translations (
    id INTEGER PRIMARY KEY,
    locale TEXT NOT NULL,
    hash TEXT NOT NULL,
    text TEXT,
    is_translated INTEGER NOT NULL,
    is_outdated INTEGER NOT NULL,
    issues TEXT,
    issue_count INTEGER NOT NULL DEFAULT 0,
    errors INTEGER NOT NULL,
    is_checked INTEGER NOT NULL DEFAULT 1,
    version INTEGER,
    updated_at TEXT,
    revision INTEGER NOT NULL,
    UNIQUE (locale, hash)
  ) STRICT;
  CREATE INDEX translations_by_time ON translations (locale, updated_at) WHERE updated_at IS NOT NULL;
  CREATE INDEX translated ON translations (locale, hash) WHERE is_translated = 1;
  CREATE INDEX outdated_translations ON translations (locale) WHERE is_outdated = 1;
  CREATE INDEX translations_with_issues ON translations (locale) WHERE issues IS NOT NULL;
  CREATE INDEX translations_with_line_break ON translations (locale)
    WHERE instr(text, '\\n"') > 0 OR instr(text, '\\r"') > 0;
  CREATE INDEX translations_to_check ON translations (id) WHERE is_checked = 0;
  CREATE TABLE sync_cursors (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE state (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Source files, their key references, and the resolution of those to keys. A reference is JSON. A partly known one
 * has a `pattern`; `reference_names` has those that name no key of the project. `meaning` is the fingerprint of the
 * resolution. `imports`: values of other files that the usages of a file depend on, as JSON; `source_dependencies` has the
 * modules that a file imports such values from, without extension.
 */
const USAGES = `
  CREATE TABLE source_files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    modified REAL NOT NULL,
    left_out TEXT,
    imports TEXT
  ) STRICT;
  CREATE INDEX source_files_left_out ON source_files (path) WHERE left_out IS NOT NULL;
  CREATE TABLE source_dependencies (
    module TEXT NOT NULL,
    file INTEGER NOT NULL,
    PRIMARY KEY (module, file)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX source_dependencies_by_file ON source_dependencies (file);
  CREATE TABLE key_references (
    id INTEGER PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    is_dynamic INTEGER NOT NULL,
    prefix TEXT,
    suffix TEXT,
    pattern TEXT,
    meaning TEXT NOT NULL
  ) STRICT;
  CREATE INDEX key_references_dynamic ON key_references (id) WHERE is_dynamic = 1;
  CREATE INDEX key_references_pattern ON key_references (id) WHERE pattern IS NOT NULL;
  CREATE TABLE usages (
    file INTEGER NOT NULL,
    number INTEGER NOT NULL,
    reference INTEGER NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (file, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usages_by_reference ON usages (reference);
  CREATE TABLE reference_keys (
    hash TEXT NOT NULL,
    is_certain INTEGER NOT NULL,
    reference INTEGER NOT NULL,
    PRIMARY KEY (hash, is_certain, reference)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reference_keys_by_reference ON reference_keys (reference);
  CREATE TABLE reference_names (
    key TEXT NOT NULL,
    namespace TEXT NOT NULL,
    context TEXT NOT NULL,
    reference INTEGER NOT NULL,
    PRIMARY KEY (key, namespace, context, reference)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reference_names_by_reference ON reference_names (reference);
`;

/**
 * Full-text search of names and texts by trigrams, ignoring case. The triggers only record which rows changed:
 * indexing a row takes ten times as long as writing it, so `update-search-index.ts` does it later, and merges the index in
 * small steps. A name starts with two dots, so that its start can be matched by a phrase, and a text ends with two
 * line feeds, so that its last two letters start a trigram.
 */
const SEARCH = `
  CREATE VIRTUAL TABLE key_search USING fts5 (
    name, context, text, tokenize = 'trigram', content = '', contentless_delete = 1
  );
  CREATE VIRTUAL TABLE translation_search USING fts5 (
    text, tokenize = 'trigram', content = '', contentless_delete = 1, detail = none
  );
  ${["key_search", "translation_search"]
    .flatMap((table) =>
      Object.entries({ automerge: 0, crisismerge: 1_000 }).map(
        ([setting, value]) => `INSERT INTO ${table} (${table}, rank) VALUES ('${setting}', ${value});`,
      ),
    )
    .join("\n")}
  CREATE VIRTUAL TABLE key_trigrams USING fts5vocab (key_search, instance);
  CREATE VIRTUAL TABLE translation_trigrams USING fts5vocab (translation_search, instance);
  CREATE TABLE keys_to_index (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE translations_to_index (id INTEGER PRIMARY KEY) STRICT;
  ${["keys", "translations"]
    .flatMap((table) =>
      [
        ["inserted", "INSERT", "TRUE", "new"],
        ["updated", "UPDATE OF text", "new.text IS NOT old.text", "new"],
        ["deleted", "DELETE", "TRUE", "old"],
      ].map(
        ([name, event, condition, row]) =>
          `CREATE TRIGGER ${table}_${name} AFTER ${event} ON ${table} WHEN ${condition} BEGIN
             INSERT INTO ${table}_to_index (id) VALUES (${row}.id) ON CONFLICT DO NOTHING;
           END;`,
      ),
    )
    .join("\n")}
`;

/**
 * Local translation files. `owner`: process id of the window that writes or removes a file, or whose unsaved text it
 * is; `state`: `writing`, `complete`, or `replaced` by another one. The files of all languages have the same names in
 * nearly the same order, so entries of adjacent names are adjacent in the index, and writing a file touches few
 * pages. `texts`: the number of entries with a text by locale; `source_namespaces`: namespaces of the entries that contain
 * source texts; so that nobody has to count entries.
 */
const LOCAL_FILES = `
  CREATE TABLE local_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL,
    owner INTEGER,
    state TEXT NOT NULL DEFAULT 'writing',
    rank INTEGER NOT NULL,
    family TEXT,
    key_prefix TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified REAL NOT NULL,
    is_recent INTEGER NOT NULL,
    read_under TEXT NOT NULL,
    locales TEXT NOT NULL DEFAULT '[]',
    namespaces TEXT NOT NULL DEFAULT '[]',
    key_namespaces TEXT NOT NULL DEFAULT '[]',
    problems TEXT NOT NULL DEFAULT '[]',
    entries INTEGER NOT NULL DEFAULT 0,
    texts TEXT NOT NULL DEFAULT '{}',
    source_namespaces TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  CREATE INDEX local_files_by_path ON local_files (path, owner);
  CREATE INDEX local_files_owned ON local_files (id) WHERE owner IS NOT NULL;
  CREATE TABLE local_names (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    context TEXT
  ) STRICT;
  CREATE TABLE local_entries (
    file INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name INTEGER NOT NULL,
    locale TEXT NOT NULL,
    text TEXT NOT NULL,
    is_plural INTEGER NOT NULL,
    source TEXT,
    description TEXT,
    key_start INTEGER NOT NULL,
    key_end INTEGER NOT NULL,
    value_start INTEGER NOT NULL,
    value_end INTEGER NOT NULL,
    details TEXT,
    PRIMARY KEY (file, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX local_entries_by_name ON local_entries (name, locale);
  CREATE INDEX local_entries_plural ON local_entries (name) WHERE is_plural;
  CREATE INDEX local_entries_source ON local_entries (name) WHERE source IS NOT NULL;
`;

/**
 * Numbers of rows, kept by triggers, since counting them takes longer the more there are: one row for the keys, and one
 * for each language. The indexes are for lists of all tags and namespaces.
 */
const COUNTS = `
  CREATE INDEX keys_by_tags ON keys (tags) WHERE tags <> '[]';
  CREATE INDEX local_names_by_namespace ON local_names (namespace);
  CREATE TABLE key_counts (
    keys INTEGER NOT NULL,
    with_text INTEGER NOT NULL
  ) STRICT;
  INSERT INTO key_counts VALUES (0, 0);
  CREATE TRIGGER keys_counted_inserted AFTER INSERT ON keys BEGIN
    UPDATE key_counts SET keys = keys + 1, with_text = with_text + (new.text IS NOT NULL);
  END;
  CREATE TRIGGER keys_counted_updated AFTER UPDATE OF text ON keys
    WHEN (new.text IS NULL) <> (old.text IS NULL) BEGIN
    UPDATE key_counts SET with_text = with_text + (new.text IS NOT NULL) - (old.text IS NOT NULL);
  END;
  CREATE TRIGGER keys_counted_deleted AFTER DELETE ON keys BEGIN
    UPDATE key_counts SET keys = keys - 1, with_text = with_text - (old.text IS NOT NULL);
  END;
  CREATE TABLE translation_counts (
    locale TEXT PRIMARY KEY,
    rows INTEGER NOT NULL,
    translated INTEGER NOT NULL,
    outdated INTEGER NOT NULL,
    issues INTEGER NOT NULL,
    errors INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER translations_counted_inserted AFTER INSERT ON translations BEGIN
    INSERT INTO translation_counts
      VALUES (new.locale, 1, new.is_translated, new.is_outdated, new.issue_count, new.errors)
      ON CONFLICT (locale) DO UPDATE SET rows = rows + 1, translated = translated + new.is_translated,
        outdated = outdated + new.is_outdated, issues = issues + new.issue_count, errors = errors + new.errors;
  END;
  CREATE TRIGGER translations_counted_updated AFTER UPDATE OF is_translated, is_outdated, issue_count, errors ON translations
    WHEN new.is_translated <> old.is_translated OR new.is_outdated <> old.is_outdated
      OR new.issue_count <> old.issue_count OR new.errors <> old.errors BEGIN
    UPDATE translation_counts SET translated = translated + new.is_translated - old.is_translated,
      outdated = outdated + new.is_outdated - old.is_outdated, issues = issues + new.issue_count - old.issue_count,
      errors = errors + new.errors - old.errors WHERE locale = new.locale;
  END;
  CREATE TRIGGER translations_counted_deleted AFTER DELETE ON translations BEGIN
    UPDATE translation_counts SET rows = rows - 1, translated = translated - old.is_translated,
      outdated = outdated - old.is_outdated, issues = issues - old.issue_count, errors = errors - old.errors
      WHERE locale = old.locale;
  END;
`;

/** The tables were created by a version of the extension that this one does not know, or whose cache it does not use. */
export class UnknownSchemaError extends Error {}

/** The tables of one kind of database. */
export interface DatabaseSchema {
  readonly migrations: readonly string[];
  /** `user_version` after the first migration. */
  readonly firstVersion: number;
  /** Tables whose rows exist nowhere else, optionally with a condition; copied when the file cannot be used. */
  readonly keptRows: readonly string[];
  /** The tables of the store that a table belongs to; others are not counted. */
  readonly counted: Readonly<Record<string, readonly StoreTable[]>>;
  /** `FULL`: what was written survives a power failure; `NORMAL`: the last writes may not. */
  readonly synchronous: "NORMAL" | "FULL";
  /** Size of the write-ahead log, in pages of 4 KiB, at which a commit moves it into the file. */
  readonly checkpointPages: number;
}

/** Names in `state` of what the tables contain, and of values that go with it and can be fetched or made again. */
export const SERVICE_STATE = ["content", "stats", "local", "results"] as const;

/** Names in `state` of what keys and translations were derived from while signed out. */
export const LOCAL_STATE = ["local keys", "local translations", "local checks"] as const;

/** Keys that were seen to be archived at the service: `removed_keys` is emptied by a complete read. */
const ARCHIVED_KEYS = `
  CREATE TABLE archived_keys (
    hash TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Literals that functions of the project's own were called with, as JSON for each source file. Ids grow, so that the
 * largest and the number of rows tell whether any row has changed.
 */
const LITERAL_CALLS = `
  CREATE TABLE literal_calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL UNIQUE,
    calls TEXT NOT NULL
  ) STRICT;
`;

/** Words of texts that may be a part of a key, one a line, by the file that has them. */
const WORDS = `
  CREATE TABLE file_words (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    modified REAL NOT NULL,
    words TEXT NOT NULL
  ) STRICT;
`;

/**
 * The cache: what was fetched from the service and read from files. It is not migrated: a change of its tables gets the next
 * version, and a cache of another one is built anew. Version 0.3 has 101.
 */
export const CACHE_SCHEMA: DatabaseSchema = {
  migrations: [SERVICE + ARCHIVED_KEYS + USAGES + LITERAL_CALLS + WORDS + SEARCH + LOCAL_FILES + COUNTS],
  firstVersion: 110,
  synchronous: "NORMAL",
  checkpointPages: 16_000,
  counted: {
    keys: ["keys"],
    archived_keys: ["keys"],
    translations: ["translations"],
  },
  keptRows: [`state WHERE name IN ('revision', ${SERVICE_STATE.map((name) => `'${name}'`).join(", ")})`],
};

/**
 * Copies rows that exist nowhere else to another database. Of a damaged table it copies what can be read from both ends;
 * of another version of the tables, the columns that both have.
 * @returns whether everything could be read
 */
export function copyKeptRows(from: DatabaseSync, to: DatabaseSync, { keptRows }: DatabaseSchema): boolean {
  let isComplete = true;
  for (const rows of keptRows) {
    const [table = ""] = rows.split(" ");
    const known = new Set(columnsOf(to, table));
    for (const order of ["ASC", "DESC"]) {
      try {
        const columns = columnsOf(from, table).filter((name) => known.has(name));
        const names = columns.join(", ");
        const insert = to.prepare(
          `INSERT OR REPLACE INTO ${table} (${names}) VALUES (${columns.map(() => "?").join(", ")})`,
        );
        const read = from.prepare(`SELECT ${names} FROM ${rows} ORDER BY ${columns[0] ?? 1} ${order}`);
        for (const row of read.iterate()) insert.run(...Object.values(row));
        break;
      } catch {
        isComplete = false;
      }
    }
  }
  return isComplete;
}

/** @throws SQLite's error if there is no such table */
function columnsOf(sqlite: DatabaseSync, table: string): string[] {
  return sqlite
    .prepare(`SELECT * FROM ${table} LIMIT 0`)
    .columns()
    .map(({ name }) => name);
}

/**
 * Migrates the tables to this version.
 * @throws {UnknownSchemaError} if no migration of this version results in such tables
 */
export function migrate(sqlite: DatabaseSync, schema: DatabaseSchema): void {
  const { migrations, firstVersion } = schema;
  if (appliedMigrations(sqlite, schema) === migrations.length) return;
  // If one fails, the caller closes the connection, which undoes all.
  sqlite.exec("BEGIN IMMEDIATE");
  // Another window may have migrated them in between.
  for (const [index, migration] of [...migrations.entries()].slice(appliedMigrations(sqlite, schema)))
    sqlite.exec(`${migration}; PRAGMA user_version = ${firstVersion + index}`);
  sqlite.exec("COMMIT");
}

/** Returns the number of migrations that were applied. */
function appliedMigrations(sqlite: DatabaseSync, { migrations, firstVersion }: DatabaseSchema): number {
  const version = Number(sqlite.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version === 0) return 0;
  const applied = version - firstVersion + 1;
  if (applied < 1 || applied > migrations.length) throw new UnknownSchemaError(`unknown schema ${version}`);
  return applied;
}
