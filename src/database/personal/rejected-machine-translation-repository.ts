/** Machine translations that the validation rejected, with the reason, to be translated by a person. */
import type { Text } from "../../model/translation-text.ts";
import type { Database } from "../database.ts";
import { textToJson } from "../records.ts";
import type { PersonalData } from "./personal-data.ts";
import type { DraftId } from "./translation-draft-repository.ts";

/** A rejected machine translation. */
export interface RejectedTranslation extends DraftId {
  /** Localised sentences. */
  readonly reason: string;
  /** The source text. A change of it makes the rejection obsolete. */
  readonly source: Text;
  /** Version of the existing translation; `null` without one. A change of it makes the rejection obsolete too. */
  readonly version: number | null;
}

interface Rejection {
  readonly locale: string;
  readonly hash: string;
  readonly reason: string;
  readonly source: string;
  readonly version: number | null;
}

/** Rejections without a later draft. */
const REJECTIONS = `SELECT r.* FROM rejected_translations r WHERE r.project = ?
  AND NOT EXISTS (SELECT 1 FROM drafts d WHERE d.project = r.project AND d.locale = r.locale AND d.hash = r.hash)`;

/** Reads and writes the rejected machine translations of a project. */
export class RejectedTranslationRepository {
  readonly #personal: PersonalData;
  readonly #cache: Database;

  /** @param cache the keys and translations, of which a rejection is of a certain state */
  constructor(personal: PersonalData, cache: Database) {
    this.#personal = personal;
    this.#cache = cache;
  }

  /** Returns the reason of a current rejection. */
  reason(locale: string, hash: string): string | undefined {
    const { database, project } = this.#personal;
    const sql = `${REJECTIONS} AND r.locale = ? AND r.hash = ?`;
    const rejection = database.get<Rejection>(sql, project, locale, hash);
    return rejection !== undefined && this.#isCurrent(rejection) ? rejection.reason : undefined;
  }

  /** Returns the hashes of the keys with current rejections, with duplicates. */
  hashes(): readonly string[] {
    const { database, project } = this.#personal;
    const rejections = database.all<Rejection>(REJECTIONS, project);
    return rejections.filter((each) => this.#isCurrent(each)).map(({ hash }) => hash);
  }

  /** Returns the number of current rejections. */
  count(): number {
    return this.hashes().length;
  }

  put({ locale, hash, reason, source, version }: RejectedTranslation): void {
    const { database, project } = this.#personal;
    const sql = `INSERT OR REPLACE INTO rejected_translations (project, locale, hash, reason, source, version)
      VALUES (?, ?, ?, ?, ?, ?)`;
    database.write(sql, project, locale, hash, reason, textToJson(source), version);
  }

  remove({ locale, hash }: DraftId): void {
    const { database, project } = this.#personal;
    const sql = "DELETE FROM rejected_translations WHERE project = ? AND locale = ? AND hash = ?";
    database.write(sql, project, locale, hash);
  }

  /** Returns whether source text and translation are those at the time of the rejection. */
  #isCurrent({ locale, hash, source, version }: Rejection): boolean {
    const sql = "SELECT version FROM translations WHERE locale = ? AND hash = ?";
    return (
      this.#cache.value("SELECT text FROM keys WHERE hash = ?", hash) === source &&
      (this.#cache.value(sql, locale, hash) ?? null) === version
    );
  }
}
