/** Adds new and changed keys and translations to the full-text index, on any thread. */
import { yieldNow } from "../util/event-loop.ts";
import type { Database } from "./database.ts";

/** Rows per transaction; some 30 ms. Each adds a segment to the index, so that smaller ones need twice the time for merges. */
const BATCH_SIZE = 4_000;
/** Index pages merged per transaction. SQLite's automatic merges would take up to a second. */
const MAX_MERGED_PAGES = 16;

/** The forms of a text, one per line. */
const PLAIN_TEXT = `coalesce(text ->> 'value',
  (SELECT group_concat(atom, char(10)) FROM json_tree(text) WHERE atom IS NOT NULL))`;
/** Normalises the separators of namespaces, which code writes differently. */
const NAME = `replace(replace(iif(namespace = '*', '', namespace || '.') || key, '::', '.'), ':', '.')`;

/** Inserts the rows up to an id into the index of each table. */
const INSERTS = {
  key: `INSERT INTO key_search (rowid, name, context, text)
    SELECT id, '..' || ${NAME} || char(10, 10), context, ${PLAIN_TEXT} || char(10, 10)
    FROM keys WHERE id IN (SELECT id FROM keys_to_index WHERE id <= ?)`,
  translation: `INSERT INTO translation_search (rowid, text)
    SELECT id, ${PLAIN_TEXT} || char(10, 10) FROM translations
    WHERE text IS NOT NULL AND id IN (SELECT id FROM translations_to_index WHERE id <= ?)`,
};
type IndexedTable = keyof typeof INSERTS;

/** Updates the index. */
export class SearchIndex {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Indexes what was written since the last call.
   * @throws the signal's reason
   */
  async update(signal?: AbortSignal): Promise<void> {
    await this.updateKeys(signal);
    await this.#update("translation", signal);
  }

  /**
   * As `update`, for the names and source texts of keys alone.
   * @throws the signal's reason
   */
  updateKeys(signal?: AbortSignal): Promise<void> {
    return this.#update("key", signal);
  }

  async #update(table: IndexedTable, signal: AbortSignal | undefined): Promise<void> {
    for (let isDone = false; !isDone;) {
      const isIndexed = !this.#indexBatch(table);
      isDone = !this.#merge(table) && isIndexed;
      // Lets other connections write.
      await yieldNow();
      signal?.throwIfAborted();
    }
  }

  /** Indexes a batch. Returns whether there was one. */
  #indexBatch(table: IndexedTable): boolean {
    const database = this.#database;
    const maxId = `SELECT max(id) FROM (SELECT id FROM ${table}s_to_index ORDER BY id LIMIT ?)`;
    const last = (): number => database.number(maxId, BATCH_SIZE);
    if (last() === 0) return false;
    database.transaction(() => {
      const id = last();
      database
        .sql(`DELETE FROM ${table}_search WHERE rowid IN (SELECT id FROM ${table}s_to_index WHERE id <= ?)`)
        .run(id);
      database.sql(INSERTS[table]).run(id);
      database.sql(`DELETE FROM ${table}s_to_index WHERE id <= ?`).run(id);
    });
    return true;
  }

  /** Merges some index pages. Returns whether there were any: the statement itself counts as one change. */
  #merge(table: IndexedTable): boolean {
    const before = this.#database.changes;
    const merge = `INSERT INTO ${table}_search (${table}_search, rank) VALUES ('merge', ?)`;
    this.#database.sql(merge).run(MAX_MERGED_PAGES);
    return this.#database.changes - before > 1;
  }
}
