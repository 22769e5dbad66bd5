/** Keeps the full-text index up to date with the keys and translations that were written since. Works in any thread. */
import { setImmediate } from "node:timers/promises";
import type { Database } from "./database.ts";

/** What the indexing process does for the search. */
export interface SearchIndexing {
  /** Indexes what was written since the last call. @throws the signal's reason */
  update(signal?: AbortSignal): Promise<void>;
}

/** Rows of one transaction, which takes up to 10 ms. */
const BATCH_SIZE = 250;
/** Pages of the index that are merged in one transaction. SQLite's own merges would take up to a second. */
const MERGED_PAGES = 16;

/** The forms of a text, one a line. */
const PLAIN_TEXT = `coalesce(text ->> 'value',
  (SELECT group_concat(atom, char(10)) FROM json_tree(text) WHERE atom IS NOT NULL))`;
/** Code writes the separator of namespaces in several ways. */
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
        // Another connection may write in between.
        await setImmediate();
        signal?.throwIfAborted();
      }
    }
  }

  /** Whether there was something to index. */
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

  /** Whether there was something to merge: the statement alone counts as one change. */
  #merge({ merge }: typeof KEYS): boolean {
    const changes = (): number =>
      Number(this.#database.sql("SELECT total_changes() AS changes").get()?.["changes"]);
    const before = changes();
    this.#database.sql(merge).run(MERGED_PAGES);
    return changes() - before > 1;
  }
}
