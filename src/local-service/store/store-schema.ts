/** The tables of the store and their migrations. Triggers keep the counters of `GET /stats` up to date. */
import type { DatabaseSync } from "node:sqlite";

/** `PRAGMA user_version` of the latest supported schema. */
const SCHEMA_VERSION = 2;

/** A store that cannot be opened; the message is for the operator. */
export class StoreError extends Error {}

/**
 * Creates or migrates the tables.
 * @throws {StoreError} for a file of a later version or of another program
 */
export function migrate(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      `The data file has schema ${version}; this program supports up to ${SCHEMA_VERSION}. Use a newer version.`,
    );
  }
  if (version === 0) {
    const tables = Number(database.prepare("SELECT count(*) AS n FROM sqlite_master").get()?.["n"] ?? 0);
    if (tables > 0) throw new StoreError("The data file belongs to another program.");
  }
  const steps = version === 0 ? `${TABLES} ${TRIGGERS} ${INDEXES_BY_NAME}` : INDEXES_BY_NAME;
  database.exec(`BEGIN IMMEDIATE; ${steps} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
}

/** Schema 2: indexes to list keys by name. */
const INDEXES_BY_NAME = `
CREATE INDEX keys_by_name ON keys (name, id);
CREATE INDEX keys_by_namespace_name ON keys (namespace, name, id);
`;

const TABLES = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE languages (
  id INTEGER PRIMARY KEY,
  locale TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  fallback TEXT NOT NULL,
  position INTEGER NOT NULL,
  listed INTEGER NOT NULL,
  translated INTEGER NOT NULL DEFAULT 0,
  outdated INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  last_translated_at TEXT
) STRICT;

CREATE TABLE totals (id INTEGER PRIMARY KEY CHECK (id = 1), active INTEGER NOT NULL, with_source INTEGER NOT NULL) STRICT;
INSERT INTO totals VALUES (1, 0, 0);

CREATE TABLE keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL UNIQUE,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  context TEXT,
  is_plural INTEGER NOT NULL,
  value TEXT,
  forms TEXT,
  source_hash TEXT,
  description TEXT,
  max_length INTEGER,
  archived INTEGER NOT NULL DEFAULT 0,
  version INTEGER,
  activated_at TEXT NOT NULL,
  source_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX keys_by_namespace ON keys (namespace, id);

CREATE TABLE key_tags (key_id INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (key_id, tag)) STRICT, WITHOUT ROWID;
CREATE INDEX key_tags_by_tag ON key_tags (tag, key_id);

-- A cleared translation keeps its row, so that its versions never start again.
CREATE TABLE translations (
  key_id INTEGER NOT NULL,
  language_id INTEGER NOT NULL,
  value TEXT,
  forms TEXT,
  translated INTEGER NOT NULL,
  outdated INTEGER NOT NULL,
  issues TEXT NOT NULL,
  errors INTEGER NOT NULL,
  version INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (key_id, language_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  request TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  done INTEGER,
  total INTEGER,
  result TEXT,
  error_code TEXT,
  error_values TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT
) STRICT;
CREATE INDEX jobs_open ON jobs (id) WHERE status IN ('queued', 'running');

CREATE TABLE uploads (
  job_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (job_id, position)
) STRICT;

CREATE TABLE exports (
  request TEXT PRIMARY KEY,
  content_version INTEGER NOT NULL,
  etag TEXT NOT NULL,
  media_type TEXT NOT NULL,
  file_name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  built_at TEXT NOT NULL
) STRICT;

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER,
  outcome TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE next_at IS NOT NULL;
`;

/** Count active keys, and translations of active keys by language. */
const TRIGGERS = `
CREATE TRIGGER keys_inserted AFTER INSERT ON keys WHEN NEW.archived = 0 BEGIN
  UPDATE totals SET active = active + 1, with_source = with_source + (NEW.source_hash IS NOT NULL);
END;
CREATE TRIGGER keys_source_moved AFTER UPDATE OF source_hash ON keys
WHEN NEW.archived = 0 AND OLD.archived = 0 AND (OLD.source_hash IS NULL) <> (NEW.source_hash IS NULL) BEGIN
  UPDATE totals SET with_source = with_source + (NEW.source_hash IS NOT NULL) - (OLD.source_hash IS NOT NULL);
END;
CREATE TRIGGER keys_archived AFTER UPDATE OF archived ON keys WHEN OLD.archived = 0 AND NEW.archived = 1 BEGIN
  UPDATE totals SET active = active - 1, with_source = with_source - (OLD.source_hash IS NOT NULL);
  UPDATE languages SET translated = languages.translated - t.translated, outdated = languages.outdated - t.outdated,
    errors = languages.errors - t.errors
  FROM (SELECT language_id, translated, outdated, errors FROM translations WHERE key_id = NEW.id) AS t
  WHERE languages.id = t.language_id;
END;
CREATE TRIGGER keys_restored AFTER UPDATE OF archived ON keys WHEN OLD.archived = 1 AND NEW.archived = 0 BEGIN
  UPDATE totals SET active = active + 1, with_source = with_source + (NEW.source_hash IS NOT NULL);
  UPDATE languages SET translated = languages.translated + t.translated, outdated = languages.outdated + t.outdated,
    errors = languages.errors + t.errors
  FROM (SELECT language_id, translated, outdated, errors FROM translations WHERE key_id = NEW.id) AS t
  WHERE languages.id = t.language_id;
END;
CREATE TRIGGER translations_inserted AFTER INSERT ON translations
WHEN (SELECT archived FROM keys WHERE id = NEW.key_id) = 0 BEGIN
  UPDATE languages SET translated = translated + NEW.translated, outdated = outdated + NEW.outdated,
    errors = errors + NEW.errors WHERE id = NEW.language_id;
END;
CREATE TRIGGER translations_updated AFTER UPDATE OF translated, outdated, errors ON translations
WHEN (NEW.translated <> OLD.translated OR NEW.outdated <> OLD.outdated OR NEW.errors <> OLD.errors)
  AND (SELECT archived FROM keys WHERE id = NEW.key_id) = 0 BEGIN
  UPDATE languages SET translated = translated + NEW.translated - OLD.translated,
    outdated = outdated + NEW.outdated - OLD.outdated, errors = errors + NEW.errors - OLD.errors
  WHERE id = NEW.language_id;
END;
CREATE TRIGGER translations_deleted AFTER DELETE ON translations
WHEN (SELECT archived FROM keys WHERE id = OLD.key_id) = 0 BEGIN
  UPDATE languages SET translated = translated - OLD.translated, outdated = outdated - OLD.outdated,
    errors = errors - OLD.errors WHERE id = OLD.language_id;
END;
`;
