/** Machine translations that the validation rejected, with the reason, to be translated by a person. */
import type { Text } from "../model/translation-text.ts";
import type { Database } from "./database.ts";
import { textToJson } from "./records.ts";
import { CURRENT_PROJECT, type DraftId } from "./translation-draft-repository.ts";

/** A rejected machine translation. */
export interface RejectedTranslation extends DraftId {
  /** Localised sentences. */
  readonly reason: string;
  /** The source text. A change of it makes the rejection obsolete. */
  readonly source: Text;
  /** Version of the existing translation; `null` without one. A change of it makes the rejection obsolete too. */
  readonly version: number | null;
}

/** Rejections `r` of the current project without a later draft, translation or source text. */
export const CURRENT_REJECTIONS = `refused_translations r WHERE r.project = ${CURRENT_PROJECT}
  AND r.source = (SELECT text FROM keys WHERE hash = r.hash)
  AND r.version IS (SELECT version FROM translations WHERE locale = r.locale AND hash = r.hash)
  AND NOT EXISTS (SELECT 1 FROM drafts d WHERE d.project = r.project AND d.locale = r.locale AND d.hash = r.hash)`;

/** Reads and writes the rejected machine translations of the current project. */
export class RejectedTranslationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the reason of a current rejection. */
  reason(locale: string, hash: string): string | undefined {
    const sql = `SELECT r.reason FROM ${CURRENT_REJECTIONS} AND r.locale = ? AND r.hash = ?`;
    return this.#database.value(sql, locale, hash) as string | undefined;
  }

  /** Returns the number of current rejections. */
  count(): number {
    return this.#database.number(`SELECT count(*) FROM ${CURRENT_REJECTIONS}`);
  }

  put({ locale, hash, reason, source, version }: RejectedTranslation): void {
    const sql = `INSERT OR REPLACE INTO refused_translations (project, locale, hash, reason, source, version)
      VALUES (${CURRENT_PROJECT}, ?, ?, ?, ?, ?)`;
    this.#database.write(sql, locale, hash, reason, textToJson(source), version);
  }

  remove({ locale, hash }: DraftId): void {
    const sql = `DELETE FROM refused_translations WHERE project = ${CURRENT_PROJECT} AND locale = ? AND hash = ?`;
    this.#database.write(sql, locale, hash);
  }
}
