/**
 * What a person made in one project, and what was agreed with its service: drafts, unsaved input, pending renames,
 * followed jobs and the like. Bound to its project: whatever arrives after another one was opened is still stored for
 * this one.
 */
import type * as v from "valibot";
import { Database } from "../database.ts";
import { parsedJson } from "../records.ts";
import { PERSONAL_SCHEMA } from "./personal-schema.ts";

/** The project of a folder without a sign-in. No project of the service has this id. */
export const LOCAL_PROJECT = "";

/**
 * Names of the stored values; each has one writer and one schema. `jobs`: followed jobs; `pulls`: ETags of applied
 * exports; `agreed-mapping`: the confirmed mapping of files to keys; `renames`: renames that the service does not have.
 */
export type PersonalStateName = "jobs" | "pulls" | "agreed-mapping" | "renames";

/** The personal data of one project of a folder. */
export class PersonalData {
  /** The personal database of the folder, shared by all its projects. */
  readonly database: Database;
  /** Identifies the project in the folder; does not change with its slug. */
  readonly project: string;

  #seenVersion: number;

  /** @param database default: in memory, so that nothing is kept */
  constructor(database: Database = inMemory(), project: string = LOCAL_PROJECT) {
    this.database = database;
    this.project = project;
    this.#seenVersion = database.dataVersion;
  }

  /** Returns whether another window has stored anything since the last call. */
  hasExternalChanges(): boolean {
    const { dataVersion } = this.database;
    const isChanged = dataVersion !== this.#seenVersion;
    this.#seenVersion = dataVersion;
    return isChanged;
  }

  /** Returns a value; `null` if it is missing or does not match the schema. */
  get<Value>(name: PersonalStateName, schema: v.GenericSchema<unknown, Value>): Value | null {
    const sql = "SELECT value FROM state WHERE project = ? AND name = ?";
    return parsedJson(this.database.value(sql, this.project, name), schema);
  }

  set(name: PersonalStateName, value: unknown): void {
    const sql = "INSERT OR REPLACE INTO state (project, name, value) VALUES (?, ?, ?)";
    this.database.write(sql, this.project, name, JSON.stringify(value));
  }

  /** Updates a value in one transaction, so that no window's change is lost. Returns the new value. */
  update<Value>(
    name: PersonalStateName,
    schema: v.GenericSchema<unknown, Value>,
    change: (before: Value | null) => Value,
  ): Value {
    return this.database.transaction(() => {
      const value = change(this.get(name, schema));
      this.set(name, value);
      return value;
    });
  }
}

function inMemory(): Database {
  return new Database(undefined, undefined, undefined, PERSONAL_SCHEMA);
}
