/**
 * Copies the personal data of version 0.3, which was in the tables of a project's cache, to the personal database of the
 * folder. Nothing is overwritten there.
 */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Database, Row } from "../database.ts";
import { KnownProjects, personalProject } from "./known-projects.ts";
import { LOCAL_PROJECT } from "./personal-data.ts";

/** Tables of the cache, with the tables that took their place. */
const TABLES = {
  drafts: "drafts",
  refused_translations: "rejected_translations",
  input_drafts: "unsaved_input",
} as const;
/** The owner of the tables while nobody was signed in. */
const LOCAL_OWNER = "local files";
const STATE_NAMES = ["jobs", "pulls", "agreed-mapping", "renames"];

/** Reads the rows of a table, whatever can be read of it. */
type ReadRows = (sql: string) => readonly Row[];

const IS_PERSONAL_STATE = `name IN (${STATE_NAMES.map((name) => `'${name}'`).join(", ")})`;

/**
 * Copies the data of a cache that was set aside, once. Nothing happens without such a file.
 * @param baseUrl that of the cache
 */
export function importEarlierData(personal: Database, file: string, baseUrl: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const marker = `imported ${file} ${stats.mtimeMs}`;
  if (personal.value("SELECT 1 FROM state WHERE project = ? AND name = ?", LOCAL_PROJECT, marker) === 1)
    return;
  let from: DatabaseSync | undefined;
  try {
    const cache = (from = new DatabaseSync(file, { readOnly: true }));
    const read: ReadRows = (sql) => {
      const rows: Row[] = [];
      try {
        for (const row of cache.prepare(sql).iterate()) rows.push(row as Row);
      } catch {
        // There is no such table, or the rest of it is damaged.
      }
      return rows;
    };
    copyRows(personal, read, baseUrl);
  } catch {
    // Not a database any more.
  } finally {
    from?.close();
  }
  const sql = "INSERT OR REPLACE INTO state (project, name, value) VALUES (?, ?, 'true')";
  personal.write(sql, LOCAL_PROJECT, marker);
}

function copyRows(personal: Database, read: ReadRows, baseUrl: string): void {
  const owner = read("SELECT value FROM state WHERE name = 'owner'")[0]?.["value"];
  const tables = Object.entries(TABLES).map(([from, to]): readonly [string, readonly Row[]] => [
    to,
    read(`SELECT * FROM ${from}`),
  ]);
  const state = read(`SELECT name, value FROM state WHERE ${IS_PERSONAL_STATE}`);
  const all = [...tables, ["state", state.map((row) => ({ project: owner ?? "", ...row }))] as const];
  const projects = new KnownProjects(personal);
  personal.transaction(() => {
    for (const [table, rows] of all) {
      for (const row of rows) {
        const { project, ...others } = row;
        // A project was identified by its slug.
        if (isOfService(project)) projects.put(baseUrl, { id: project, slug: project, name: project });
        const names = Object.keys(others).join(", ");
        const marks = Object.keys(others).map(() => ", ?");
        personal
          .sql(`INSERT OR IGNORE INTO ${table} (project, ${names}) VALUES (?${marks.join("")})`)
          .run(projectName(project, baseUrl), ...Object.values(others));
      }
    }
  });
}

function projectName(project: unknown, baseUrl: string): string {
  return isOfService(project) ? personalProject(baseUrl, project) : LOCAL_PROJECT;
}

/** Drafts of the local files had no project, or the owner of the cache's tables. */
function isOfService(project: unknown): project is string {
  return typeof project === "string" && project !== "" && project !== LOCAL_OWNER;
}
