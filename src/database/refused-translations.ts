/** Translations of a language model that the check refused, with the reason: for a person to write. */
import { withOrderedForms, type Text } from "../model/text.ts";
import type { Database } from "./database.ts";
import { OWNER, type DraftId } from "./translation-drafts.ts";

export interface RefusedTranslation extends DraftId {
  /** A sentence for people, or several. */
  readonly reason: string;
  /** What was to be translated. Another one makes the refusal a thing of the past. */
  readonly source: Text;
  /** Of the translation that stood there; `null`: none. Another one does the same. */
  readonly version: number | null;
}

const COLUMNS = "locale, hash, reason, source, version";

/** Those of the service's project that the folder has now. */
export class RefusedTranslations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(locale: string, hash: string): RefusedTranslation | undefined {
    const row = this.#database
      .sql(`SELECT ${COLUMNS} FROM refused_translations WHERE project = ${OWNER} AND locale = ? AND hash = ?`)
      .get(locale, hash);
    return row && refusedOf(row);
  }

  all(): readonly RefusedTranslation[] {
    return this.#database
      .sql(`SELECT ${COLUMNS} FROM refused_translations WHERE project = ${OWNER} ORDER BY locale, hash`)
      .all()
      .map(refusedOf);
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

function refusedOf(row: Record<string, unknown>): RefusedTranslation {
  return {
    locale: row["locale"] as string,
    hash: row["hash"] as string,
    reason: row["reason"] as string,
    source: JSON.parse(row["source"] as string) as Text,
    version: row["version"] as number | null,
  };
}
