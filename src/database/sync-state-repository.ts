/**
 * How the project stands to the service: how far its keys and languages were read, the service's numbers, followed jobs
 * and the like. Every value is JSON and is checked when it is read.
 */
import * as v from "valibot";
import { StatsSchema } from "../api/schemas.ts";
import type { Database } from "./database.ts";
import { SERVICE_STATE } from "./schema.ts";

/** How far the keys, or the translations of a language, were read. */
const SyncCursorSchema = v.object({
  /** The `contentVersion` that they were brought to, and the service's numbers of them at that time. */
  contentVersion: v.number(),
  counts: v.array(v.union([v.number(), v.string(), v.null()])),
  /** The latest `updatedAt` seen, in the service's words; `null`: none, so the next read is whole. */
  since: v.nullable(v.string()),
  /** Of translations: the latest `updatedAt` of the keys that were known when they were read. */
  keysSince: v.nullable(v.string()),
  /** When they were last read whole. Milliseconds since the epoch, on this machine's clock. */
  wholeAt: v.number(),
  /** By how much our counts differed from the service's after the last whole read. */
  differences: v.array(v.number()),
});
export type SyncCursor = v.InferOutput<typeof SyncCursorSchema>;

const StoredStatsSchema = v.object({
  stats: StatsSchema,
  /** When everything was last seen to be as new as the service; `null`: never. Milliseconds since the epoch. */
  checkedAt: v.nullable(v.number()),
});
export type StoredStats = v.InferOutput<typeof StoredStatsSchema>;

/** Names of the values that are of the service's project. Each is written in one place and read by its schema. */
export type StateName = (typeof SERVICE_STATE)[number];

/** The cursor of the keys; those of languages have their locales. */
const KEYS = "";

export class SyncStateRepository {
  readonly #database: Database;
  #seenRevision: number;

  constructor(database: Database) {
    this.#database = database;
    this.#seenRevision = this.#revision();
  }

  /** `null`: the keys, or the translations of the language, are not known whole. */
  cursor(locale: string = KEYS): SyncCursor | null {
    const row = this.#database.sql("SELECT value FROM sync_cursors WHERE name = ?").get(locale);
    return parsed(row?.["value"], SyncCursorSchema);
  }

  hasCursor(locale: string = KEYS): boolean {
    return this.#database.sql("SELECT 1 FROM sync_cursors WHERE name = ?").get(locale) !== undefined;
  }

  /** All up to there is in the database. */
  setCursor(cursor: SyncCursor, locale: string = KEYS): void {
    this.#database.transaction(() => {
      this.#database
        .sql("INSERT OR REPLACE INTO sync_cursors (name, value) VALUES (?, ?)")
        .run(locale, JSON.stringify(cursor));
      // Other windows show what was read only now.
      this.nextRevision();
    });
  }

  get stats(): StoredStats | null {
    return this.get("stats", StoredStatsSchema);
  }

  set stats(stats: StoredStats) {
    this.set("stats", stats);
  }

  /** `null`: there is no such value, or none of this shape. */
  get<Value>(name: StateName, schema: v.GenericSchema<unknown, Value>): Value | null {
    const row = this.#database.sql("SELECT value FROM state WHERE name = ?").get(name);
    return parsed(row?.["value"], schema);
  }

  set(name: StateName, value: unknown): void {
    this.#database.transaction(() =>
      this.#database
        .sql("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)")
        .run(name, JSON.stringify(value)),
    );
  }

  /** Reads, changes and writes a value so that no other window's change is lost. Out: the new value. */
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

  /** The number of a read or a write that begins now: later ones have larger numbers, also in other windows. */
  nextRevision(): number {
    const revision = this.#database.transaction(() => {
      const next = this.#revision() + 1;
      this.#database
        .sql("INSERT OR REPLACE INTO state (name, value) VALUES ('revision', ?)")
        .run(String(next));
      return next;
    });
    // Otherwise another window was in between, which `hasOthersChanges` tells.
    if (revision === this.#seenRevision + 1) this.#seenRevision = revision;
    return revision;
  }

  /** Whether another window has read or written keys or translations since this was last asked. */
  hasOthersChanges(): boolean {
    const revision = this.#revision();
    const isChanged = revision !== this.#seenRevision;
    this.#seenRevision = revision;
    return isChanged;
  }

  /** Which project of the service all of it is of; `null`: it is nobody's. */
  get owner(): string | null {
    return this.get("owner", v.string());
  }

  set owner(project: string) {
    this.set("owner", project);
  }

  /** Removes all that is of the service, where it is of this project or nobody's: another window may have begun anew. */
  clear(owner: string | null): void {
    this.#database.transaction(() => {
      if (this.owner !== null && this.owner !== owner) return;
      this.#emptyTables();
      for (const name of SERVICE_STATE) this.#database.sql("DELETE FROM state WHERE name = ?").run(name);
      this.nextRevision();
    });
  }

  /** Without triggers, since with them SQLite removes row by row, which takes a hundred times as long. */
  #emptyTables(): void {
    const triggers = this.#database
      .sql(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('keys', 'translations')",
      )
      .all();
    for (const { name } of triggers) this.#database.sql(`DROP TRIGGER ${name as string}`).run();
    for (const table of ["keys", "removed_keys", "translations", "sync_cursors"])
      this.#database.sql(`DELETE FROM ${table}`).run();
    for (const table of ["key_search", "translation_search"])
      this.#database.sql(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`).run();
    for (const table of ["keys_to_index", "translations_to_index"])
      this.#database.sql(`DELETE FROM ${table}`).run();
    for (const { sql } of triggers) this.#database.sql(sql as string).run();
  }

  #revision(): number {
    const row = this.#database.sql("SELECT value FROM state WHERE name = 'revision'").get();
    return Number(row?.["value"] ?? 0);
  }
}

function parsed<Value>(json: unknown, schema: v.GenericSchema<unknown, Value>): Value | null {
  if (typeof json !== "string") return null;
  const result = v.safeParse(schema, JSON.parse(json));
  return result.success ? result.output : null;
}
