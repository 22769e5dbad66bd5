/** The translations of the project's keys, as the service has them (§ Translation row), by language and key hash. */
import type { QaIssue } from "../api/response-schemas.ts";
import type { Database, Row } from "./database.ts";
import type { Text } from "../model/translation-text.ts";
import { parsedText, type ProjectRow, textToJson } from "./records.ts";

const COLUMNS = "hash, text, is_translated, is_outdated, issues, version, updated_at";
/** Conditions of filters, each with an index. `outdated`: the source text changed after the translation. */
const CONDITIONS = { outdated: "is_outdated = 1", issues: "issues IS NOT NULL" };
type TranslationFilter = keyof typeof CONDITIONS;
const UPSERT = `
  INSERT INTO translations (locale, ${COLUMNS}, issue_count, errors, revision)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (locale, hash) DO UPDATE SET
    text = excluded.text, is_translated = excluded.is_translated, is_outdated = excluded.is_outdated,
    issues = excluded.issues, issue_count = excluded.issue_count, errors = excluded.errors, version = excluded.version,
    updated_at = excluded.updated_at, revision = excluded.revision
  WHERE revision <= excluded.revision OR version < excluded.version`;
/** Rows per query or removal. */
const BATCH_SIZE = 1_000;

/** Numbers of rows, of translated and outdated ones, of QA issues, and of those of level `error`. */
export interface TranslationCounts {
  readonly rows: number;
  readonly translated: number;
  readonly outdated: number;
  readonly issues: number;
  readonly errors: number;
}

/** A translation's text. */
export interface TranslatedText {
  readonly locale: string;
  readonly hash: string;
  readonly text: Text;
}

const NO_COUNTS: TranslationCounts = { rows: 0, translated: 0, outdated: 0, issues: 0, errors: 0 };

/** Reads and writes translations. */
export class TranslationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(locale: string, hash: string): ProjectRow | undefined {
    const sql = `SELECT ${COLUMNS} FROM translations WHERE locale = ? AND hash = ?`;
    const row = this.#database.get(sql, locale, hash);
    return row && toRow(row);
  }

  /** Returns the rows of a key in these languages, by language. */
  forKey(hash: string, locales: readonly string[]): Map<string, ProjectRow> {
    const sql = `SELECT locale, ${COLUMNS} FROM translations
      WHERE locale IN (SELECT value FROM json_each(?)) AND hash = ?`;
    const rows = this.#database.all(sql, JSON.stringify(locales), hash);
    return new Map(rows.map((row) => [row["locale"] as string, toRow(row)]));
  }

  /** Yields the rows of a language that match the filter. Concurrent changes may or may not be included. */
  *rows(locale: string, filter: TranslationFilter): Generator<ProjectRow> {
    const sql = `SELECT id, ${COLUMNS} FROM translations
      WHERE locale = ? AND ${CONDITIONS[filter]} AND id > ? ORDER BY id LIMIT ?`;
    for (let after = 0; ;) {
      const rows = this.#database.all(sql, locale, after, BATCH_SIZE);
      yield* rows.map(toRow);
      if (rows.length < BATCH_SIZE) return;
      after = Number(rows.at(-1)?.["id"]);
    }
  }

  /**
   * Yields the texts of all languages that contain one of the strings, in lists of one slice of work each, which may be
   * empty.
   */
  *containing(strings: readonly string[]): Generator<readonly TranslatedText[]> {
    if (strings.length === 0) return;
    const inJson = JSON.stringify(strings.map((each) => JSON.stringify(each).slice(1, -1)));
    const last = this.#database.number("SELECT coalesce(max(id), 0) FROM translations");
    const sql = `SELECT locale, hash, text FROM translations WHERE id > ? AND id <= ? AND text IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(text, value) > 0)`;
    for (let after = 0; after < last; after += BATCH_SIZE) {
      yield this.#database.all(sql, after, after + BATCH_SIZE, inJson).flatMap((row) => {
        const text = parsedText(row["text"]);
        return text === null ? [] : [{ locale: String(row["locale"]), hash: String(row["hash"]), text }];
      });
    }
  }

  hasIssues(locale: string): boolean {
    const sql = "SELECT 1 FROM translations WHERE locale = ? AND issues IS NOT NULL LIMIT 1";
    return this.#database.get(sql, locale) !== undefined;
  }

  counts(locale: string): TranslationCounts {
    const sql = "SELECT rows, translated, outdated, issues, errors FROM translation_counts WHERE locale = ?";
    return this.#database.get<TranslationCounts>(sql, locale) ?? NO_COUNTS;
  }

  /** Returns the latest `updatedAt`, unchanged. */
  latestChange(locale: string): string | null {
    const sql = `SELECT updated_at FROM translations WHERE locale = ? AND updated_at IS NOT NULL
      ORDER BY updated_at DESC LIMIT 1`;
    return this.#database.value<string>(sql, locale) ?? null;
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
          ...[locale, hash, textToJson(text), Number(isTranslated), Number(isOutdated)],
          ...[issues.length === 0 ? null : JSON.stringify(issues), version, updatedAt],
          ...[issues.length, errors, revision],
        );
      }
    });
  }

  /** Removes rows of earlier revisions. Yields after each time slice. */
  *removeBefore(locale: string, revision: number): Generator<void> {
    const lastOfBatch = `SELECT max(hash) FROM (
      SELECT hash FROM translations WHERE locale = ? AND hash > ? ORDER BY hash LIMIT ?
    )`;
    const remove = "DELETE FROM translations WHERE locale = ? AND hash > ? AND hash <= ? AND revision < ?";
    for (let after = ""; ;) {
      const last = this.#database.value<string>(lastOfBatch, locale, after, BATCH_SIZE) ?? null;
      if (last === null) return;
      this.#database.write(remove, locale, after, last, revision);
      after = last;
      yield;
    }
  }
}

function toRow(row: Row): ProjectRow {
  const issues = row["issues"] as string | null;
  return {
    hash: row["hash"] as string,
    text: parsedText(row["text"]),
    isTranslated: row["is_translated"] === 1,
    isOutdated: row["is_outdated"] === 1,
    issues: issues === null ? [] : (JSON.parse(issues) as QaIssue[]),
    version: row["version"] as number | null,
    updatedAt: row["updated_at"] as string | null,
  };
}
