/** The translations of the project's keys, as the service has them (§ Translation row), by language and key hash. */
import type { QaIssue } from "../api/response-schemas.ts";
import type { Text } from "../model/translation-text.ts";
import type { Database, Row } from "./database.ts";
import { NO_ISSUES, parsedText, type ProjectRow } from "./records.ts";

const COLUMNS = "hash, text, is_translated, is_outdated, issues, version, updated_at";
const OF_KEY = "locale = ? AND hash = ?";
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
    const row = this.#database.get(`SELECT ${COLUMNS} FROM translations WHERE ${OF_KEY}`, locale, hash);
    return row && toRow(row);
  }

  /** Returns the rows of a key in these languages, by language. */
  forKey(hash: string, locales: readonly string[]): Map<string, ProjectRow> {
    const sql = `SELECT locale, ${COLUMNS} FROM translations
      WHERE locale IN (SELECT value FROM json_each(?)) AND hash = ?`;
    const rows = this.#database.all(sql, JSON.stringify(locales), hash);
    return new Map(rows.map((row) => [row["locale"] as string, toRow(row)]));
  }

  /** Returns whether there is a translation; `undefined` without a row, like `isOutdated` and `text`. */
  isTranslated(locale: string, hash: string): boolean | undefined {
    return toBoolean(this.#valueOf("is_translated", locale, hash));
  }

  isOutdated(locale: string, hash: string): boolean | undefined {
    return toBoolean(this.#valueOf("is_outdated", locale, hash));
  }

  text(locale: string, hash: string): Text | null | undefined {
    const text = this.#valueOf("text", locale, hash);
    return text === undefined ? undefined : parsedText(text);
  }

  /** Yields the rows of a language. Concurrent changes may or may not be included. */
  *values(locale: string): Generator<ProjectRow> {
    const sql = `SELECT ${COLUMNS} FROM translations WHERE locale = ? AND hash > ? ORDER BY hash LIMIT ?`;
    for (let after = ""; ;) {
      const rows = this.#database.all(sql, locale, after, BATCH_SIZE);
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
    const sql = "SELECT 1 FROM translations WHERE locale = ? AND issues IS NOT NULL LIMIT 1";
    return this.#database.get(sql, locale) !== undefined;
  }

  counts(locale: string): TranslationCounts {
    const sql = `SELECT count(*) AS rows, total(is_translated) AS translated, total(is_outdated) AS outdated,
      total(errors) AS errors FROM translations WHERE locale = ?`;
    return this.#database.get(sql, locale) as unknown as TranslationCounts;
  }

  /** Returns the latest `updatedAt`, unchanged. */
  latestChange(locale: string): string | null {
    const sql = "SELECT max(updated_at) FROM translations WHERE locale = ?";
    return this.#database.value(sql, locale) as string | null;
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
      for (const { hash, text, isTranslated, isOutdated, issues, version, updatedAt } of rows) {
        const errors = issues.filter(({ level }) => level === "error").length;
        upsert.run(
          ...[locale, hash, text && JSON.stringify(text), Number(isTranslated), Number(isOutdated)],
          ...[issues.length === 0 ? null : JSON.stringify(issues), version, updatedAt, errors, revision],
        );
      }
    });
  }

  /** Removes rows of earlier revisions. Yields after each time slice. */
  *removeBefore(locale: string, revision: number): Generator<void> {
    const sql =
      "SELECT id, hash, revision FROM translations WHERE locale = ? AND hash > ? ORDER BY hash LIMIT ?";
    for (let after = ""; ;) {
      const rows = this.#database.all(sql, locale, after, BATCH_SIZE);
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

  #valueOf(column: "text" | "is_translated" | "is_outdated", locale: string, hash: string) {
    return this.#database.value(`SELECT ${column} FROM translations WHERE ${OF_KEY}`, locale, hash);
  }

  /** Yields the rows of a language that match a condition, which has an index. */
  *#matching(locale: string, condition: string): Generator<ProjectRow> {
    const sql = `SELECT id, ${COLUMNS} FROM translations
      WHERE locale = ? AND ${condition} AND id > ? ORDER BY id LIMIT ?`;
    for (let after = 0; ;) {
      const rows = this.#database.all(sql, locale, after, BATCH_SIZE);
      yield* rows.map(toRow);
      if (rows.length < BATCH_SIZE) return;
      after = Number(rows.at(-1)?.["id"]);
    }
  }
}

function toBoolean(value: unknown): boolean | undefined {
  return value === undefined ? undefined : value === 1;
}

function toRow(row: Row): ProjectRow {
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
