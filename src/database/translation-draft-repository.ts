/**
 * The drafts of a project: texts that are not yet written to the service or to local files. Drafts of another
 * project, which the folder was connected to before, are stored but not visible.
 */
import { withOrderedForms, type Text } from "../model/text.ts";
import { getOrCreate } from "../model/maps.ts";
import type { Database } from "./database.ts";
import { parsedText } from "./records.ts";

/** An unsaved text. */
export interface TranslationDraft {
  readonly locale: string;
  readonly hash: string;
  /** An empty text clears the translation. */
  readonly text: Text;
  /** The translation that the draft is based on; `null` without one. */
  readonly base: Text | null;
  /** The version of `base`; `null` without one. */
  readonly baseVersion: number | null;
  readonly origin: "person" | "machine";
  /** The id of the language model that proposed the text. */
  readonly model: string | null;
  /** The source text of a machine translation; `null` for texts of a person. */
  readonly source: Text | null;
}

/** Identifies a draft. */
export type DraftId = Pick<TranslationDraft, "locale" | "hash">;

/** SQL expression for the current project, whose drafts are visible. */
export const OWNER = "coalesce((SELECT value FROM state WHERE name = 'owner'), '')";
const COLUMNS = "locale, hash, text, base, base_version, origin, model, source";

/** Drafts per query. */
const BATCH_SIZE = 1_000;

/** Reads and writes drafts. */
export class TranslationDrafts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(locale: string, hash: string): TranslationDraft | undefined {
    const row = this.#database
      .sql(`SELECT ${COLUMNS} FROM drafts WHERE project = ${OWNER} AND locale = ? AND hash = ?`)
      .get(locale, hash);
    return row && toDraft(row);
  }

  /** Returns the drafts of these keys, by locale and hash. */
  forKeys(hashes: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, TranslationDraft>> {
    const rows = this.#database
      .sql(
        `SELECT ${COLUMNS} FROM drafts WHERE project = ${OWNER} AND hash IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(hashes));
    const found = new Map<string, Map<string, TranslationDraft>>();
    for (const draft of rows.map(toDraft)) {
      getOrCreate(found, draft.locale, () => new Map<string, TranslationDraft>()).set(draft.hash, draft);
    }
    return found;
  }

  /** Returns the number of drafts. */
  count(): number {
    return this.#database.number(`SELECT count(*) FROM drafts WHERE project = ${OWNER}`);
  }

  /**
   * Returns the drafts that may be in conflict: the service's text differs from the base. For the source language, whose
   * texts are in local files, all drafts are returned.
   */
  mayConflict(sourceLocale: string): readonly TranslationDraft[] {
    const columns = COLUMNS.split(", ").map((column) => `d.${column}`);
    return this.#database
      .sql(
        `SELECT ${columns.join(", ")} FROM drafts d
         LEFT JOIN translations t ON t.locale = d.locale AND t.hash = d.hash
         LEFT JOIN keys k ON k.hash = d.hash
         WHERE d.project = ${OWNER} AND (d.locale = ? OR t.version IS NOT d.base_version OR t.text IS NOT d.base
           OR (d.source IS NOT NULL AND d.source IS NOT k.text))`,
      )
      .all(sourceLocale)
      .map(toDraft);
  }

  /** Returns at most `limit` drafts after `after`, ordered by locale and hash. */
  page(limit: number, after: DraftId = { locale: "", hash: "" }): readonly TranslationDraft[] {
    return this.#database
      .sql(`SELECT ${COLUMNS} FROM drafts WHERE project = ${OWNER} AND (locale, hash) > (?, ?)
         ORDER BY locale, hash LIMIT ?`)
      .all(after.locale, after.hash, limit)
      .map(toDraft);
  }

  /** Yields all drafts. Concurrent changes may or may not be included. */
  *all(): Generator<TranslationDraft> {
    for (let after: TranslationDraft | undefined; ;) {
      const page = this.page(BATCH_SIZE, after);
      yield* page;
      after = page.at(-1);
      if (page.length < BATCH_SIZE) return;
    }
  }

  /** Inserts or replaces at most 1,000 drafts. */
  put(drafts: readonly TranslationDraft[]): void {
    this.#database.writeDrafts(() => {
      const insert = this.#database.sql(
        `INSERT OR REPLACE INTO drafts (project, ${COLUMNS}) VALUES (${OWNER}, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      for (const { locale, hash, text, base, baseVersion, origin, model, source } of drafts) {
        insert.run(locale, hash, toJson(text), toJson(base), baseVersion, origin, model, toJson(source));
      }
    });
  }

  /** Removes at most 1,000 drafts. */
  remove(drafts: readonly DraftId[]): void {
    this.#database.writeDrafts(() => {
      const remove = this.#database.sql(
        `DELETE FROM drafts WHERE project = ${OWNER} AND locale = ? AND hash = ?`,
      );
      for (const { locale, hash } of drafts) remove.run(locale, hash);
    });
  }
}

function toDraft(row: Record<string, unknown>): TranslationDraft {
  return {
    locale: row["locale"] as string,
    hash: row["hash"] as string,
    text: JSON.parse(row["text"] as string) as Text,
    base: parsedText(row["base"]),
    baseVersion: row["base_version"] as number | null,
    origin: row["origin"] as TranslationDraft["origin"],
    model: row["model"] as string | null,
    source: parsedText(row["source"]),
  };
}

/** Returns canonical JSON, so that SQL can compare texts. */
function toJson(text: Text | null): string | null {
  return text && JSON.stringify(withOrderedForms(text));
}
