/** What a person typed into a box and could not be written, for one project of the service. */
import type { Database } from "./database.ts";

export class InputDraftRepository {
  readonly #database: Database;
  readonly #project: string;

  /** `project`: tells the project from others that the folder had or will have. */
  constructor(database: Database, project: string) {
    this.#database = database;
    this.#project = project;
  }

  /** What was put under this name, which is JSON; `undefined`: nothing. */
  get(name: string): unknown {
    const row = this.#database
      .sql("SELECT value FROM input_drafts WHERE project = ? AND name = ?")
      .get(this.#project, name);
    return row && JSON.parse(row["value"] as string);
  }

  put(name: string, value: unknown): void {
    this.#database.transaction(() =>
      this.#database
        .sql("INSERT OR REPLACE INTO input_drafts (project, name, value) VALUES (?, ?, ?)")
        .run(this.#project, name, JSON.stringify(value)),
    );
  }

  remove(name: string): void {
    this.#database.transaction(() =>
      this.#database.sql("DELETE FROM input_drafts WHERE project = ? AND name = ?").run(this.#project, name),
    );
  }
}
