/** The translations of the project's keys, as the service has them (§ Translation row), by language and key hash. */
import type { QaIssue } from "../api/response-schemas.ts";
import type { Text } from "../model/text.ts";
import type { Database } from "./database.ts";
import { NO_ISSUES, parsedText, type ProjectRow } from "./records.ts";

const COLUMNS = "hash, text, is_translated, is_outdated, issues, version, updated_at";
const UPSERT = `
  INSERT INTO translations (locale, ${COLUMNS}, errors, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (locale, hash) DO UPDATE SET
    text = excluded.text, is_translated = excluded.is_translated, is_outdated = excluded.is_outdated,
    issues = excluded.issues, errors = excluded.errors, version = excluded.version,
    updated_at = excluded.updated_at, revision = excluded.revision
  WHERE revision <= excluded.revision OR version < excluded.version`;
/** Rows per query or removal. */
const BATCH_SIZE = 1_000;

/** Numbers of rows, of translated and outdated ones, and of QA issues of level `error`. */
export interface TranslationCounts {
  readonly rows: number;
  readonly translated: number;
  readonly outdated: number;
  readonly errors: number;
}

/** Reads and writes translations. */
export class TranslationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(locale: string, hash: string): ProjectRow | undefined {
    const row = this.#database
      .sql(`SELECT ${COLUMNS} FROM translations WHERE locale = ? AND hash = ?`)
      .get(locale, hash);
    return row && toRow(row);
  }

  /** Returns the rows of a key in these languages, by language. */
  forKey(hash: string, locales: readonly string[]): Map<string, ProjectRow> {
    const rows = this.#database
      .sql(
        `SELECT locale, ${COLUMNS} FROM translations
         WHERE locale IN (SELECT value FROM json_each(?)) AND hash = ?`,
      )
      .all(JSON.stringify(locales), hash);
    return new Map(rows.map((row) => [row["locale"] as string, toRow(row)]));
  }

  /** Returns the rows of these keys in a language, by hash. */
  of(locale: string, hashes: readonly string[]): ReadonlyMap<string, ProjectRow> {
    const rows = this.#database
      .sql(
        `SELECT ${COLUMNS} FROM translations WHERE locale = ? AND hash IN (SELECT value FROM json_each(?))`,
      )
      .all(locale, JSON.stringify(hashes));
    return new Map(rows.map((row) => [row["hash"] as string, toRow(row)]));
  }

  /** Returns whether there is a translation; `undefined` without a row, like `isOutdated` and `text`. */
  isTranslated(locale: string, hash: string): boolean | undefined {
    const row = this.#database
      .sql("SELECT is_translated FROM translations WHERE locale = ? AND hash = ?")
      .get(locale, hash);
    return row && row["is_translated"] === 1;
  }

  isOutdated(locale: string, hash: string): boolean | undefined {
    const row = this.#database
      .sql("SELECT is_outdated FROM translations WHERE locale = ? AND hash = ?")
      .get(locale, hash);
    return row && row["is_outdated"] === 1;
  }

  text(locale: string, hash: string): Text | null | undefined {
    const row = this.#database
      .sql("SELECT text FROM translations WHERE locale = ? AND hash = ?")
      .get(locale, hash);
    return row && parsedText(row["text"]);
  }

  /** Yields the rows of a language. Concurrent changes may or may not be included. */
  *values(locale: string): Generator<ProjectRow> {
    const statement = this.#database.sql(
      `SELECT ${COLUMNS} FROM translations WHERE locale = ? AND hash > ? ORDER BY hash LIMIT ?`,
    );
    for (let after = ""; ;) {
      const rows = statement.all(locale, after, BATCH_SIZE);
      yield* rows.map(toRow);
      if (rows.length < BATCH_SIZE) return;
      after = rows.at(-1)?.["hash"] as string;
    }
  }

  /** Like `values`, for rows whose source text changed after they were translated. */
  outdated(locale: string): Generator<ProjectRow> {
    return this.#matching(locale, "is_outdated = 1");
  }

  /** Like `values`, for rows with QA issues. */
  withIssues(locale: string): Generator<ProjectRow> {
    return this.#matching(locale, "issues IS NOT NULL");
  }

  hasIssues(locale: string): boolean {
    const statement = this.#database.sql(
      "SELECT 1 FROM translations WHERE locale = ? AND issues IS NOT NULL LIMIT 1",
    );
    return statement.get(locale) !== undefined;
  }

  counts(locale: string): TranslationCounts {
    const row = this.#database
      .sql(
        `SELECT count(*) AS rows, total(is_translated) AS translated, total(is_outdated) AS outdated, total(errors) AS errors
         FROM translations WHERE locale = ?`,
      )
      .get(locale);
    return row as unknown as TranslationCounts;
  }

  /** Returns the latest `updatedAt`, unchanged. */
  latestChange(locale: string): string | null {
    const row = this.#database
      .sql("SELECT max(updated_at) AS time FROM translations WHERE locale = ?")
      .get(locale);
    return (row?.["time"] ?? null) as string | null;
  }

  /** Returns how many changed after this time, at most `limit`. */
  countChangedAfter(locale: string, time: string, limit: number): number {
    const count = `SELECT count(*) FROM (
      SELECT 1 FROM translations WHERE locale = ? AND updated_at > ? LIMIT ?
    )`;
    return this.#database.number(count, locale, time, limit);
  }

  /**
   * Inserts or replaces at most 1,000 rows, except those of a later revision, unless the service's `version` of those
   * is lower.
   * @param revision Revision of the read or write that the rows come from.
   */
  put(locale: string, rows: readonly ProjectRow[], revision: number): void {
    this.#database.transaction(() => {
      const upsert = this.#database.sql(UPSERT);
      for (const row of rows) {
        upsert.run(
          locale,
          row.hash,
          row.text && JSON.stringify(row.text),
          row.isTranslated ? 1 : 0,
          row.isOutdated ? 1 : 0,
          row.issues.length === 0 ? null : JSON.stringify(row.issues),
          row.version,
          row.updatedAt,
          row.issues.filter(({ level }) => level === "error").length,
          revision,
        );
      }
    });
  }

  /** Removes rows of earlier revisions. Yields after each time slice. */
  *removeBefore(locale: string, revision: number): Generator<void> {
    const statement = this.#database.sql(
      "SELECT id, hash, revision FROM translations WHERE locale = ? AND hash > ? ORDER BY hash LIMIT ?",
    );
    for (let after = ""; ;) {
      const rows = statement.all(locale, after, BATCH_SIZE);
      const old = rows.filter((row) => Number(row["revision"]) < revision);
      if (old.length > 0)
        this.#database.transaction(() => {
          const remove = this.#database.sql("DELETE FROM translations WHERE id = ? AND revision < ?");
          for (const { id } of old) remove.run(Number(id), revision);
        });
      if (rows.length < BATCH_SIZE) return;
      after = rows.at(-1)?.["hash"] as string;
      yield;
    }
  }

  /** Yields the rows of a language that match a condition, which has an index. */
  *#matching(locale: string, condition: string): Generator<ProjectRow> {
    const statement = this.#database.sql(
      `SELECT id, ${COLUMNS} FROM translations WHERE locale = ? AND ${condition} AND id > ? ORDER BY id LIMIT ?`,
    );
    for (let after = 0; ;) {
      const rows = statement.all(locale, after, BATCH_SIZE);
      yield* rows.map(toRow);
      if (rows.length < BATCH_SIZE) return;
      after = Number(rows.at(-1)?.["id"]);
    }
  }
}

function toRow(row: Record<string, unknown>): ProjectRow {
  const issues = row["issues"] as string | null;
  return {
    hash: row["hash"] as string,
    text: parsedText(row["text"]),
    isTranslated: row["is_translated"] === 1,
    isOutdated: row["is_outdated"] === 1,
    issues: issues === null ? NO_ISSUES : (JSON.parse(issues) as QaIssue[]),
    version: row["version"] as number | null,
    updatedAt: row["updated_at"] as string | null,
  };
}
