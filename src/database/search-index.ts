/** Adds new and changed keys and translations to the full-text index, on any thread. */
import { setImmediate } from "node:timers/promises";
import type { Database } from "./database.ts";

/** Updates the index, in this process or another one. */
export interface SearchIndexing {
  /** Indexes what was written since the last call.
   * @throws the signal's reason */
  update(signal?: AbortSignal): Promise<void>;
}

/** Rows per transaction, which takes up to 10 ms. */
const BATCH_SIZE = 250;
/** Index pages merged per transaction. SQLite's automatic merges would take up to a second. */
const MAX_MERGED_PAGES = 16;

/** The forms of a text, one per line. */
const PLAIN_TEXT = `coalesce(text ->> 'value',
  (SELECT group_concat(atom, char(10)) FROM json_tree(text) WHERE atom IS NOT NULL))`;
/** Normalises the separators of namespaces, which code writes differently. */
const NAME = `replace(replace(iif(namespace = '*', '', namespace || '.') || key, '::', '.'), ':', '.')`;

const KEYS = {
  lastOfBatch: "SELECT max(id) AS id FROM (SELECT id FROM keys_to_index ORDER BY id LIMIT ?)",
  remove: "DELETE FROM key_search WHERE rowid IN (SELECT id FROM keys_to_index WHERE id <= ?)",
  add: `INSERT INTO key_search (rowid, name, context, text)
    SELECT id, '..' || ${NAME} || char(10, 10), context, ${PLAIN_TEXT} || char(10, 10)
    FROM keys WHERE id IN (SELECT id FROM keys_to_index WHERE id <= ?)`,
  done: "DELETE FROM keys_to_index WHERE id <= ?",
  merge: "INSERT INTO key_search (key_search, rank) VALUES ('merge', ?)",
};
const TRANSLATIONS = {
  lastOfBatch: "SELECT max(id) AS id FROM (SELECT id FROM translations_to_index ORDER BY id LIMIT ?)",
  remove:
    "DELETE FROM translation_search WHERE rowid IN (SELECT id FROM translations_to_index WHERE id <= ?)",
  add: `INSERT INTO translation_search (rowid, text)
    SELECT id, ${PLAIN_TEXT} || char(10, 10) FROM translations
    WHERE text IS NOT NULL AND id IN (SELECT id FROM translations_to_index WHERE id <= ?)`,
  done: "DELETE FROM translations_to_index WHERE id <= ?",
  merge: "INSERT INTO translation_search (translation_search, rank) VALUES ('merge', ?)",
};

/** Updates the index in this process. */
export class SearchIndex implements SearchIndexing {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async update(signal?: AbortSignal): Promise<void> {
    for (const table of [KEYS, TRANSLATIONS]) {
      for (let isDone = false; !isDone;) {
        const isIndexed = !this.#indexBatch(table);
        isDone = !this.#merge(table) && isIndexed;
        // Lets other connections write.
        await setImmediate();
        signal?.throwIfAborted();
      }
    }
  }

  /** Indexes a batch. Returns whether there was one. */
  #indexBatch({ lastOfBatch, remove, add, done }: typeof KEYS): boolean {
    const database = this.#database;
    const last = (): number | null => database.sql(lastOfBatch).get(BATCH_SIZE)?.["id"] as number | null;
    if (last() === null) return false;
    database.transaction(() => {
      const id = last();
      for (const statement of [remove, add, done]) database.sql(statement).run(id);
    });
    return true;
  }

  /** Merges some index pages. Returns whether there were any: the statement itself counts as one change. */
  #merge({ merge }: typeof KEYS): boolean {
    const changes = (): number =>
      Number(this.#database.sql("SELECT total_changes() AS changes").get()?.["changes"]);
    const before = changes();
    this.#database.sql(merge).run(MAX_MERGED_PAGES);
    return changes() - before > 1;
  }
}
