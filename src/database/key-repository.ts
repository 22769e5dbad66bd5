/** The active keys of the project, as the service has them (§ Key). */
import type { Text } from "../model/translation-text.ts";
import type { Database, Row } from "./database.ts";
import type { NamedKey } from "./key-name-repository.ts";
import { parsedText, type ProjectKey, textToJson } from "./records.ts";

const NAME_COLUMNS = "hash, namespace, key, context";
const COLUMNS = `${NAME_COLUMNS}, is_plural, text, source_hash, description, max_length, tags, updated_at`;
/** The hash implies the name, which never changes. Revisions of the service start at 1; keys of local files have 0. */
const UPSERT = `
  INSERT INTO keys (${COLUMNS}, revision) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12
  WHERE NOT EXISTS (SELECT 1 FROM removed_keys WHERE hash = ?1 AND revision > ?12)
  ON CONFLICT (hash) DO UPDATE SET
    is_plural = excluded.is_plural, text = excluded.text, source_hash = excluded.source_hash,
    description = excluded.description, max_length = excluded.max_length, tags = excluded.tags,
    updated_at = excluded.updated_at, revision = excluded.revision,
    text_before = CASE WHEN revision > 0 AND text IS NOT NULL AND text IS NOT excluded.text
      THEN text ELSE text_before END
  WHERE revision <= excluded.revision`;
/** Keys per query. */
const BATCH_SIZE = 1_000;
/** Keys per transaction, each with its translations in all languages. */
const REMOVAL_BATCH_SIZE = 50;

/** Reads and writes keys. `Project.keys` returns a new object after each change, so that it can key caches. */
export class KeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get size(): number {
    return this.#database.number("SELECT keys FROM key_counts");
  }

  get(hash: string): ProjectKey | undefined {
    const row = this.#database.get(`SELECT ${COLUMNS} FROM keys WHERE hash = ?`, hash);
    return row && toKey(row);
  }

  has(hash: string): boolean {
    return this.#database.get("SELECT 1 FROM keys WHERE hash = ?", hash) !== undefined;
  }

  /** Whether the key is archived on the service, as far as is known. */
  isArchived(hash: string): boolean {
    return this.#database.get("SELECT 1 FROM archived_keys WHERE hash = ?", hash) !== undefined;
  }

  /**
   * Returns whether the service has the key with plural forms; `undefined` without such a key. Keys of local files do
   * not count, since they must not affect how files are parsed.
   */
  isPlural(hash: string): boolean | undefined {
    const isPlural = this.#database.value("SELECT is_plural FROM keys WHERE hash = ? AND revision > 0", hash);
    return isPlural === undefined ? undefined : isPlural === 1;
  }

  text(hash: string): Text | null | undefined {
    const text = this.#database.value("SELECT text FROM keys WHERE hash = ?", hash);
    return text === undefined ? undefined : parsedText(text);
  }

  /** Returns the source text before its last change that was seen on this machine; `null` without one. */
  previousText(hash: string): Text | null {
    const sql = "SELECT text_before FROM keys WHERE hash = ? AND text_before IS NOT text";
    return parsedText(this.#database.value(sql, hash) ?? null);
  }

  /** Yields all keys. Concurrent changes may or may not be included, so the caller may pause between two. */
  values(): Generator<ProjectKey> {
    return this.#rows(COLUMNS, "TRUE", toKey);
  }

  /** Like `values`, but only names and hashes. */
  names(): Generator<NamedKey> {
    return this.#rows(NAME_COLUMNS, "TRUE", toNamedKey);
  }

  /** Like `names`, for keys with plural forms at the service. */
  pluralKeys(): Generator<NamedKey> {
    return this.#rows(NAME_COLUMNS, "is_plural AND revision > 0", toNamedKey);
  }

  /** Yields batches of the keys without a translation in this language. */
  *untranslated(locale: string): Generator<readonly ProjectKey[]> {
    const sql = `SELECT ${COLUMNS} FROM keys WHERE id > ? AND id <= ? AND NOT EXISTS (
      SELECT 1 FROM translations WHERE locale = ? AND hash = keys.hash AND is_translated = 1
    ) ORDER BY id`;
    for (let id = 0, last = this.#lastId(); id < last; id += BATCH_SIZE)
      yield this.#database.all(sql, id, id + BATCH_SIZE, locale).map(toKey);
  }

  /** Returns the latest `updatedAt`, unchanged. */
  latestChange(): string | null {
    return this.#database.value<string>("SELECT max(updated_at) FROM keys") ?? null;
  }

  /** Returns how many changed after this time, at most `limit`. */
  countChangedAfter(time: string, limit: number): number {
    const count = "SELECT count(*) FROM (SELECT 1 FROM keys WHERE updated_at > ? LIMIT ?)";
    return this.#database.number(count, time, limit);
  }

  /** Returns the namespaces with keys that changed after this time, and the number of keys in each, at most `limit`. */
  namespacesChangedAfter(time: string, limit: number): ReadonlyMap<string, number> {
    const count = "SELECT count(*) FROM (SELECT 1 FROM keys WHERE namespace = ? LIMIT ?)";
    const changed = "SELECT DISTINCT namespace FROM keys INDEXED BY keys_by_time WHERE updated_at > ?";
    const namespaces = this.#database.column(changed, time);
    return new Map(
      namespaces.map((namespace) => [namespace, this.#database.number(count, namespace, limit)]),
    );
  }

  /**
   * Inserts or replaces at most 1,000 keys, except those that a later revision wrote or removed.
   * @param revision Revision of the read or write that the keys come from.
   */
  put(keys: readonly ProjectKey[], revision: number): void {
    this.#database.transaction(() => {
      const upsert = this.#database.sql(UPSERT);
      for (const { hash, namespace, key, context, isPlural, text, tags, ...details } of keys) {
        const { sourceHash, description, maxLength, updatedAt } = details;
        upsert.run(
          ...[hash, namespace, key, context, Number(isPlural), textToJson(text), sourceHash],
          ...[description, maxLength, JSON.stringify(tags), updatedAt, revision],
        );
      }
    });
  }

  /** Stores which keys are archived at the service, and which it does not have at all. Yields after each time slice. */
  *setArchived(archived: readonly string[], unknown: readonly string[]): Generator<void> {
    const writes = [
      [archived, "INSERT OR IGNORE INTO archived_keys (hash) VALUES (?)"],
      [unknown, "DELETE FROM archived_keys WHERE hash = ?"],
    ] as const;
    for (const [hashes, sql] of writes) {
      for (let start = 0; start < hashes.length; start += BATCH_SIZE) {
        this.#database.transaction(() => {
          const write = this.#database.sql(sql);
          for (const hash of hashes.slice(start, start + BATCH_SIZE)) write.run(hash);
        });
        yield;
      }
    }
  }

  /** Removes keys with their translations, except those of a later revision. Yields after each time slice. */
  *remove(hashes: readonly string[], revision: number): Generator<void> {
    for (let start = 0; start < hashes.length; start += REMOVAL_BATCH_SIZE) {
      this.#database.transaction(() => {
        const remove = this.#database.sql("DELETE FROM keys WHERE hash = ? AND revision <= ?");
        const note = this.#database.sql("INSERT OR REPLACE INTO removed_keys (hash, revision) VALUES (?, ?)");
        // "the service never archives on its own", nor does it delete keys.
        const noteArchived = this.#database.sql("INSERT OR IGNORE INTO archived_keys (hash) VALUES (?)");
        const removeTranslation = this.#database.sql(
          "DELETE FROM translations WHERE locale = ? AND hash = ?",
        );
        const locales = this.#database.column("SELECT name FROM sync_cursors WHERE name <> ''");
        for (const hash of hashes.slice(start, start + REMOVAL_BATCH_SIZE)) {
          if (remove.run(hash, revision).changes === 0) continue;
          note.run(hash, revision);
          noteArchived.run(hash);
          for (const locale of locales) removeTranslation.run(locale, hash);
        }
      });
      yield;
    }
  }

  /** Removes the keys of earlier revisions. Yields after each time slice. */
  *removeBefore(revision: number): Generator<void> {
    const sql = "SELECT hash FROM keys WHERE id > ? AND id <= ? AND revision < ?";
    for (let id = 0, last = this.#lastId(); id < last; id += BATCH_SIZE) {
      yield* this.remove(this.#database.column(sql, id, id + BATCH_SIZE, revision), revision);
      yield;
    }
    this.#database.write("DELETE FROM removed_keys WHERE revision < ?", revision);
  }

  *#rows<Key>(columns: string, condition: string, toResult: (row: Row) => Key): Generator<Key> {
    const sql = `SELECT ${columns} FROM keys WHERE ${condition} AND id > ? AND id <= ? ORDER BY id`;
    for (let id = 0, last = this.#lastId(); id < last; id += BATCH_SIZE)
      for (const row of this.#database.all(sql, id, id + BATCH_SIZE)) yield toResult(row);
  }

  #lastId(): number {
    return this.#database.number("SELECT max(id) FROM keys");
  }
}

function toNamedKey(row: Row): NamedKey {
  return {
    hash: row["hash"] as string,
    namespace: row["namespace"] as string,
    key: row["key"] as string,
    context: row["context"] as string | null,
  };
}

function toKey(row: Row): ProjectKey {
  return {
    ...toNamedKey(row),
    isPlural: row["is_plural"] === 1,
    text: parsedText(row["text"]),
    sourceHash: row["source_hash"] as string | null,
    description: row["description"] as string | null,
    maxLength: row["max_length"] as number | null,
    tags: JSON.parse(row["tags"] as string) as string[],
    updatedAt: row["updated_at"] as string | null,
  };
}
