/** Texts that a user typed into an input box and that could not be saved, for one project. */
import type { PersonalData } from "./personal-data.ts";

/** Reads and writes the unsaved input of a project. */
export class UnsavedInputRepository {
  readonly #personal: PersonalData;

  constructor(personal: PersonalData) {
    this.#personal = personal;
  }

  /** Returns the value stored under a name; `undefined` without one. */
  get(name: string): unknown {
    const { database, project } = this.#personal;
    const sql = "SELECT value FROM unsaved_input WHERE project = ? AND name = ?";
    const json = database.value(sql, project, name);
    return json === undefined ? undefined : JSON.parse(json as string);
  }

  /** @param value plain JSON */
  put(name: string, value: unknown): void {
    const { database, project } = this.#personal;
    const sql = "INSERT OR REPLACE INTO unsaved_input (project, name, value) VALUES (?, ?, ?)";
    database.write(sql, project, name, JSON.stringify(value));
  }

  remove(name: string): void {
    const { database, project } = this.#personal;
    database.write("DELETE FROM unsaved_input WHERE project = ? AND name = ?", project, name);
  }
}
