/** Machine translations that the validation refused, with the reason, to be translated by a person. */
import { withOrderedForms, type Text } from "../model/text.ts";
import type { Database } from "./database.ts";
import { OWNER, type DraftId } from "./translation-drafts.ts";

/** A refused translation. */
export interface RefusedTranslation extends DraftId {
  /** Localised sentences. */
  readonly reason: string;
  /** The source text. A change of it makes the refusal obsolete. */
  readonly source: Text;
  /** Version of the existing translation; `null` without one. A change of it makes the refusal obsolete too. */
  readonly version: number | null;
}

const COLUMNS = "locale, hash, reason, source, version";

/** Reads and writes the refused translations of the current project. */
export class RefusedTranslations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(locale: string, hash: string): RefusedTranslation | undefined {
    const row = this.#database
      .sql(`SELECT ${COLUMNS} FROM refused_translations WHERE project = ${OWNER} AND locale = ? AND hash = ?`)
      .get(locale, hash);
    return row && toRefusedTranslation(row);
  }

  /** Whether there are any. */
  get isEmpty(): boolean {
    const any = `SELECT 1 FROM refused_translations WHERE project = ${OWNER} LIMIT 1`;
    return this.#database.sql(any).get() === undefined;
  }

  all(): readonly RefusedTranslation[] {
    return this.#database
      .sql(`SELECT ${COLUMNS} FROM refused_translations WHERE project = ${OWNER} ORDER BY locale, hash`)
      .all()
      .map(toRefusedTranslation);
  }

  put({ locale, hash, reason, source, version }: RefusedTranslation): void {
    this.#database.transaction(() =>
      this.#database
        .sql(
          `INSERT OR REPLACE INTO refused_translations (project, ${COLUMNS}) VALUES (${OWNER}, ?, ?, ?, ?, ?)`,
        )
        .run(locale, hash, reason, JSON.stringify(withOrderedForms(source)), version),
    );
  }

  remove({ locale, hash }: DraftId): void {
    this.#database.transaction(() =>
      this.#database
        .sql(`DELETE FROM refused_translations WHERE project = ${OWNER} AND locale = ? AND hash = ?`)
        .run(locale, hash),
    );
  }
}

function toRefusedTranslation(row: Record<string, unknown>): RefusedTranslation {
  return {
    locale: row["locale"] as string,
    hash: row["hash"] as string,
    reason: row["reason"] as string,
    source: JSON.parse(row["source"] as string) as Text,
    version: row["version"] as number | null,
  };
}
