/**
 * The projects of the service that a folder was connected to, what their unsaved texts are, and how they are recognised
 * when another token is used. A slug is no identity: it can change, and another project can have the same one.
 */
import * as v from "valibot";
import { sha1 } from "../../model/key-hash.ts";
import { yieldNow } from "../../util/event-loop.ts";
import type { Database } from "../database.ts";
import { parsedJson } from "../records.ts";
import { LOCAL_PROJECT } from "./personal-data.ts";
import { PERSONAL_SCHEMA } from "./personal-schema.ts";

/** A project of the service that the folder is or was connected to. */
export interface KnownProject {
  /** As in `PersonalData`. */
  readonly project: string;
  /** Its id at its base URL. */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** Unsaved texts of another project of the folder than the open one. */
export interface KeptDrafts {
  /** As in `PersonalData`. */
  readonly project: string;
  /** `null` for the local files. */
  readonly name: string | null;
  /** Its slug; `null` for the local files. */
  readonly slug: string | null;
  readonly count: number;
}

/** Agreed texts that are moved per transaction. */
const AGREED_BATCH_SIZE = 1_000;
/** Hashes that are stored of a project. */
const SAMPLE_SIZE = 500;
const HashesSchema = v.array(v.string());

/** Reads and writes the projects of a folder. */
export class KnownProjects {
  readonly #database: Database;

  /** @param database the personal database of the folder */
  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores a project with its current slug and name. */
  put(baseUrl: string, { id, slug, name }: Pick<KnownProject, "id" | "slug" | "name">): void {
    const [project, base] = [personalProject(baseUrl, id), sha1(baseUrl)];
    const isStored = "SELECT 1 FROM projects WHERE project = ? AND slug = ? AND name = ?";
    if (this.#database.get(isStored, project, slug, name) !== undefined) return;
    const sql = `INSERT INTO projects (project, base, id, slug, name) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (project) DO UPDATE SET slug = excluded.slug, name = excluded.name`;
    this.#database.write(sql, project, base, id, slug, name);
  }

  /** Stores the keys by which the project is recognised: some of those in its cache. */
  storeKeys(project: string, cache: Database): void {
    const hashes = cache.column(`SELECT hash FROM keys ORDER BY hash LIMIT ${SAMPLE_SIZE}`);
    const json = JSON.stringify(hashes);
    const stored = this.#database.value("SELECT key_hashes FROM projects WHERE project = ?", project);
    if (hashes.length === 0 || json === stored) return;
    this.#database.write("UPDATE projects SET key_hashes = ? WHERE project = ?", json, project);
  }

  /** Returns the projects at a base URL that had this slug when they were last signed in to. */
  withSlug(baseUrl: string, slug: string): readonly KnownProject[] {
    const sql = "SELECT project, id, slug, name FROM projects WHERE base = ? AND slug = ? ORDER BY project";
    return this.#database.all<KnownProject>(sql, sha1(baseUrl), slug);
  }

  /** Returns hashes of keys that the project has or had, in no order. */
  keys(project: string): readonly string[] {
    const stored = this.#database.value("SELECT key_hashes FROM projects WHERE project = ?", project);
    const sql = `SELECT DISTINCT hash FROM drafts WHERE project = ? LIMIT ${SAMPLE_SIZE}`;
    const ofDrafts = this.#database.column(sql, project);
    return [...new Set([...(parsedJson(stored, HashesSchema) ?? []), ...ofDrafts])];
  }

  /** Returns the drafts of the folder's other projects, those of the local files first. */
  keptDrafts(openProject: string): readonly KeptDrafts[] {
    // The id of a project follows the hash of its base URL.
    const sql = `SELECT d.project, coalesce(p.name, substr(d.project, 42)) AS name, p.slug, count(*) AS count FROM drafts d
      LEFT JOIN projects p ON p.project = d.project WHERE d.project <> ? GROUP BY d.project ORDER BY d.project`;
    const kept = this.#database.all<KeptDrafts>(sql, openProject);
    return kept.map((each) => (each.project === LOCAL_PROJECT ? { ...each, name: null } : each));
  }

  /**
   * Moves everything of the projects at a base URL to another one, at which the same service is reached now. What is there
   * already stays as it is.
   */
  async moveBaseUrl(from: string, to: string): Promise<void> {
    // The id of a project follows the hash of its base URL and a space.
    const range = [`${sha1(from)} `, `${sha1(from)}!`] as const;
    this.#database.transaction(() => {
      for (const table of PERSONAL_SCHEMA.keptRows) {
        if (table === "agreed_texts") continue;
        const sql = `UPDATE OR IGNORE ${table} SET project = ?3 || substr(project, 41) WHERE project > ?1 AND project < ?2`;
        this.#database.sql(sql).run(...range, sha1(to));
      }
      const moved = [`${sha1(to)} `, `${sha1(to)}!`] as const;
      this.#database
        .sql("UPDATE projects SET base = ?3 WHERE project > ?1 AND project < ?2")
        .run(...moved, sha1(to));
    });
    const batch = `FROM agreed_texts WHERE project > ?1 AND project < ?2 LIMIT ${AGREED_BATCH_SIZE}`;
    const hasMore = "SELECT 1 FROM agreed_texts WHERE project > ? AND project < ? LIMIT 1";
    while (this.#database.get(hasMore, ...range) !== undefined) {
      this.#database.transaction(() => {
        this.#database
          .sql(
            `INSERT OR IGNORE INTO agreed_texts SELECT ?3 || substr(project, 41), locale, hash, fingerprint ${batch}`,
          )
          .run(...range, sha1(to));
        this.#database
          .sql(
            `DELETE FROM agreed_texts WHERE (project, locale, hash) IN (SELECT project, locale, hash ${batch})`,
          )
          .run(...range);
      });
      await yieldNow();
    }
  }

  /**
   * Moves drafts to another project. Where that has a draft already, both stay where they are.
   * @returns how many were moved
   */
  moveDrafts(from: string, to: string): number {
    return this.#database.transaction(() => {
      const before = this.#database.number("SELECT count(*) FROM drafts WHERE project = ?", from);
      // A version counts in its own project only; the text that the draft is based on decides.
      const sql = "UPDATE OR IGNORE drafts SET project = ?, base_version = NULL WHERE project = ?";
      this.#database.sql(sql).run(to, from);
      return before - this.#database.number("SELECT count(*) FROM drafts WHERE project = ?", from);
    });
  }
}

/** Returns the id of a project of the service in the personal database. */
export function personalProject(baseUrl: string, id: string): string {
  return `${sha1(baseUrl)} ${id}`;
}
