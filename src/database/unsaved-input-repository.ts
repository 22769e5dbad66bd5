/** Texts that a user typed into an input box and that could not be saved, for one project of the service. */
import type { Database } from "./database.ts";

/** Reads and writes the unsaved input of a project. */
export class UnsavedInputRepository {
  readonly #database: Database;
  readonly #project: string;

  /** @param project Identifies the project among those that the folder is connected to over time. */
  constructor(database: Database, project: string) {
    this.#database = database;
    this.#project = project;
  }

  /** Returns the value stored under a name; `undefined` without one. */
  get(name: string): unknown {
    const sql = "SELECT value FROM input_drafts WHERE project = ? AND name = ?";
    const json = this.#database.value(sql, this.#project, name);
    return json === undefined ? undefined : JSON.parse(json as string);
  }

  /** @param value plain JSON */
  put(name: string, value: unknown): void {
    const sql = "INSERT OR REPLACE INTO input_drafts (project, name, value) VALUES (?, ?, ?)";
    this.#database.write(sql, this.#project, name, JSON.stringify(value));
  }

  remove(name: string): void {
    const sql = "DELETE FROM input_drafts WHERE project = ? AND name = ?";
    this.#database.write(sql, this.#project, name);
  }
}
