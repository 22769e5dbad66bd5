/** The words of each text file of a project that may be a part of a key, as they were when the file was last searched. */
import type { FileStamp } from "../model/platform.ts";
import type { Database } from "./database.ts";

/** The words of a file. */
export interface FileWords {
  readonly path: string;
  readonly words: readonly string[];
}

const VERSION = `SELECT value FROM state WHERE name = 'words.version'`;

export class FileWordRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Deletes all words if they were stored for another version of the code, or other options. */
  prepare(version: string): void {
    if (this.#database.value<string>(VERSION) === version) return;
    this.#database.transaction(() => {
      this.#database.sql(`DELETE FROM file_words`).run();
      const sql = `INSERT OR REPLACE INTO state (name, value) VALUES ('words.version', ?)`;
      this.#database.sql(sql).run(version);
    });
  }

  /** Returns the stamps of the files with words, by path. */
  stamps(): ReadonlyMap<string, FileStamp> {
    const rows = this.#database.all<FileStamp & { readonly path: string }>(
      `SELECT path, size, modified FROM file_words`,
    );
    return new Map(rows.map((row) => [row.path, row]));
  }

  /** Replaces the words of a file; none may contain a line feed. */
  put(path: string, { size, modified }: FileStamp, words: Iterable<string>): void {
    const sql = `INSERT OR REPLACE INTO file_words (path, size, modified, words) VALUES (?, ?, ?, ?)`;
    this.#database.sql(sql).run(path, size, modified, [...words].join("\n"));
  }

  delete(path: string): void {
    this.#database.sql(`DELETE FROM file_words WHERE path = ?`).run(path);
  }

  /** Returns files with their words after a path, by path. */
  after(path: string, limit: number): readonly FileWords[] {
    const sql = `SELECT path, words FROM file_words WHERE path > ? ORDER BY path LIMIT ?`;
    return this.#database
      .all<{ readonly path: string; readonly words: string }>(sql, path, limit)
      .map((row) => ({ path: row.path, words: row.words === "" ? [] : row.words.split("\n") }));
  }

  transaction(work: () => void): void {
    this.#database.transaction(work);
  }
}
