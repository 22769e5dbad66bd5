/**
 * The synchronisation state of the project's cache: cursors, the service's stats and the like. Every value is JSON and
 * checked when it is read.
 */
import * as v from "valibot";
import { StatsSchema } from "../api/response-schemas.ts";
import type { Database } from "./database.ts";
import { parsedJson } from "./records.ts";
import { LOCAL_STATE, SERVICE_STATE } from "./schema-migrations.ts";

/** Position up to which the keys, or the translations of a language, were read. */
const SyncCursorSchema = v.object({
  /** The service's `contentVersion` and counts at that time. */
  contentVersion: v.number(),
  counts: v.array(v.union([v.number(), v.string(), v.null()])),
  /** The latest `updatedAt`, unchanged; `null`: none, so the next read is complete. */
  since: v.nullable(v.string()),
  /** For translations: the latest `updatedAt` of the keys at that time. */
  keysSince: v.nullable(v.string()),
  /** Time of the last complete read, in milliseconds since the epoch by the local clock. */
  fullReadAt: v.number(),
  /** Local minus remote counts after the last complete read. */
  differences: v.array(v.number()),
});
export type SyncCursor = v.InferOutput<typeof SyncCursorSchema>;

const StoredStatsSchema = v.object({
  stats: StatsSchema,
  /** Time of the last complete refresh in milliseconds since the epoch; `null`: never. */
  checkedAt: v.nullable(v.number()),
});
export type StoredStats = v.InferOutput<typeof StoredStatsSchema>;

const LocalCountsSchema = v.object({
  keys: v.number(),
  /** Number of keys with a source text. */
  withText: v.number(),
  /** Names of languages take long to look up, which the indexing process does. */
  sourceName: v.string(),
  /** Without the source. */
  languages: v.array(
    v.object({ locale: v.string(), name: v.string(), translated: v.number(), outdated: v.number() }),
  ),
});
/** Counts of the local files. */
export type LocalCounts = v.InferOutput<typeof LocalCountsSchema>;

const StoredLocalStateSchema = v.object({
  sourceLocale: v.string(),
  detectedSource: v.nullable(v.string()),
  counts: LocalCountsSchema,
});
/** The state of the local files as of their last reading, which is shown until they are read again. */
export type StoredLocalState = v.InferOutput<typeof StoredLocalStateSchema>;

const CacheContentSchema = v.variant("kind", [
  v.object({ kind: v.literal("files") }),
  v.object({ kind: v.literal("service"), project: v.string() }),
]);
/** What the keys and translations in the cache are: derived from the files, or read from a project of the service. */
export type CacheContent = Readonly<v.InferOutput<typeof CacheContentSchema>>;

export const CONTENT_OF_FILES: CacheContent = { kind: "files" };

/** @param project identifies it at its service */
export function contentOfProject(project: string): CacheContent {
  return { kind: "service", project };
}

/** @param other `null`: of nothing yet */
export function isSameContent(content: CacheContent, other: CacheContent | null): boolean {
  return JSON.stringify(content) === JSON.stringify(other);
}

/** Names of the values that belong to the service's project. Each has one writer and one schema. */
export type StateName = (typeof SERVICE_STATE)[number];

/** Name of the keys' cursor; those of languages are named by locale. */
const KEYS_CURSOR = "";

/** Reads and writes the synchronisation state. */
export class SyncMetadataRepository {
  readonly #database: Database;
  #seenRevision: number;

  constructor(database: Database) {
    this.#database = database;
    this.#seenRevision = this.#revision();
  }

  /** Returns the cursor; `null` while the keys, or the translations of the language, are not completely known. */
  cursor(locale: string = KEYS_CURSOR): SyncCursor | null {
    const json = this.#database.value("SELECT value FROM sync_cursors WHERE name = ?", locale);
    return parsedJson(json, SyncCursorSchema);
  }

  hasCursor(locale: string = KEYS_CURSOR): boolean {
    return this.#database.get("SELECT 1 FROM sync_cursors WHERE name = ?", locale) !== undefined;
  }

  /** Returns the languages with a cursor. */
  locales(): readonly string[] {
    return this.#database.column("SELECT name FROM sync_cursors WHERE name <> ''");
  }

  /** Stores a cursor, after everything up to it was stored. */
  setCursor(cursor: SyncCursor, locale: string = KEYS_CURSOR): void {
    this.#database.transaction(() => {
      const sql = "INSERT OR REPLACE INTO sync_cursors (name, value) VALUES (?, ?)";
      this.#database.write(sql, locale, JSON.stringify(cursor));
      // Whether all are known is shown, too.
      this.#database.count(locale === KEYS_CURSOR ? "keys" : "translations");
      // Notifies other windows, which show new data only after the cursor has changed.
      this.nextRevision();
    });
  }

  get stats(): StoredStats | null {
    return this.get("stats", StoredStatsSchema);
  }

  set stats(stats: StoredStats) {
    this.set("stats", stats);
  }

  get local(): StoredLocalState | null {
    return this.get("local", StoredLocalStateSchema);
  }

  set local(state: StoredLocalState) {
    this.set("local", state);
  }

  /** Returns a value; `null` if it is missing or does not match the schema. */
  get<Value>(name: StateName, schema: v.GenericSchema<unknown, Value>): Value | null {
    return parsedJson(this.#database.value("SELECT value FROM state WHERE name = ?", name), schema);
  }

  set(name: StateName, value: unknown): void {
    const sql = "INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)";
    this.#database.write(sql, name, JSON.stringify(value));
  }

  /** Updates a value in one transaction, so that no window's change is lost. Returns the new value. */
  update<Value>(
    name: StateName,
    schema: v.GenericSchema<unknown, Value>,
    change: (before: Value | null) => Value,
  ): Value {
    return this.#database.transaction(() => {
      const value = change(this.get(name, schema));
      this.set(name, value);
      return value;
    });
  }

  /** Returns the revision of a read or write that starts now; revisions increase across all windows. */
  nextRevision(): number {
    const revision = this.#database.transaction(() => {
      const next = this.#revision() + 1;
      const sql = "INSERT OR REPLACE INTO state (name, value) VALUES ('revision', ?)";
      this.#database.write(sql, String(next));
      return next;
    });
    // Otherwise another window has written, which `hasExternalChanges` must report.
    if (revision === this.#seenRevision + 1) this.#seenRevision = revision;
    return revision;
  }

  /** As `nextRevision`, without blocking the thread while another process writes. */
  startRevision(): Promise<number> {
    return this.#database.transactionAsync(() => this.nextRevision());
  }

  /** Returns whether another window has stored keys or translations since the last call. */
  hasExternalChanges(): boolean {
    const revision = this.#revision();
    const isChanged = revision !== this.#seenRevision;
    this.#seenRevision = revision;
    return isChanged;
  }

  /** What the tables of keys and translations contain; `null`: nothing yet. */
  get content(): CacheContent | null {
    return this.get("content", CacheContentSchema);
  }

  set content(content: CacheContent) {
    this.set("content", content);
  }

  /**
   * Empties the tables of keys and translations, unless another window has stored something else there since.
   * @param content what they contain
   * @param next what is stored there from then on; `null`: nothing
   */
  clear(content: CacheContent | null, next: CacheContent | null = null): void {
    this.#database.transaction(() => {
      const stored = this.content;
      if (stored !== null && !isSameContent(stored, content)) return;
      this.#emptyTables();
      for (const name of [...SERVICE_STATE, ...LOCAL_STATE])
        this.#database.sql("DELETE FROM state WHERE name = ?").run(name);
      if (next !== null) this.content = next;
      this.nextRevision();
    });
  }

  /** Disables triggers, which would make SQLite delete row by row and take a hundred times as long. */
  #emptyTables(): void {
    const triggers = this.#database.all<{ readonly name: string; readonly sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('keys', 'translations')",
    );
    for (const { name } of triggers) this.#database.sql(`DROP TRIGGER ${name}`).run();
    for (const table of ["keys", "removed_keys", "archived_keys", "translations", "sync_cursors"])
      this.#database.sql(`DELETE FROM ${table}`).run();
    for (const table of ["key_search", "translation_search"])
      this.#database.sql(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`).run();
    this.#database.sql("UPDATE key_counts SET keys = 0, with_text = 0").run();
    this.#database.sql("DELETE FROM translation_counts").run();
    this.#database.sql("DELETE FROM keys_to_index").run();
    this.#database.sql("DELETE FROM translations_to_index").run();
    for (const { sql } of triggers) this.#database.sql(sql).run();
  }

  #revision(): number {
    return this.#database.number("SELECT value FROM state WHERE name = 'revision'");
  }
}
