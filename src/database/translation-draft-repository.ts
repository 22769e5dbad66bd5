/**
 * The drafts of a project: texts that are not yet written to the service or to local files. Drafts of another
 * project, which the folder was connected to before, are stored but not visible.
 */
import type { Text } from "../model/translation-text.ts";
import type { Database } from "./database.ts";
import { parsedText, textToJson } from "./records.ts";

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
export const CURRENT_PROJECT = "coalesce((SELECT value FROM state WHERE name = 'owner'), '')";

/** Drafts per query or transaction. */
const BATCH_SIZE = 1_000;

/** Reads and writes drafts. */
export class TranslationDraftRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(locale: string, hash: string): TranslationDraft | undefined {
    return this.#select("locale = ? AND hash = ?", locale, hash)[0];
  }

  /** Returns the drafts of a key in these languages, by language. */
  forKey(hash: string, locales: readonly string[]): Map<string, TranslationDraft> {
    const condition = "locale IN (SELECT value FROM json_each(?)) AND hash = ?";
    const drafts = this.#select(condition, JSON.stringify(locales), hash);
    return new Map(drafts.map((draft) => [draft.locale, draft]));
  }

  /** Returns the number of drafts. */
  count(): number {
    return this.#database.number(`SELECT count(*) FROM drafts WHERE project = ${CURRENT_PROJECT}`);
  }

  /**
   * Returns the drafts that may be in conflict: the service's text differs from the base. For the source language, whose
   * texts are in local files, all drafts are returned.
   */
  mayConflict(sourceLocale: string): readonly TranslationDraft[] {
    return this.#database
      .all(
        `SELECT d.* FROM drafts d
         LEFT JOIN translations t ON t.locale = d.locale AND t.hash = d.hash
         LEFT JOIN keys k ON k.hash = d.hash
         WHERE d.project = ${CURRENT_PROJECT} AND (d.locale = ? OR t.version IS NOT d.base_version OR t.text IS NOT d.base
           OR (d.source IS NOT NULL AND d.source IS NOT k.text))`,
        sourceLocale,
      )
      .map(toDraft);
  }

  /** Yields all drafts, ordered by locale and hash. Concurrent changes may or may not be included. */
  *all(): Generator<TranslationDraft> {
    const after = `(locale, hash) > (?, ?) ORDER BY locale, hash LIMIT ${BATCH_SIZE}`;
    for (let last: DraftId | undefined = { locale: "", hash: "" }; last !== undefined;) {
      const batch = this.#select(after, last.locale, last.hash);
      yield* batch;
      last = batch.length < BATCH_SIZE ? undefined : batch.at(-1);
    }
  }

  /** Inserts or replaces drafts. */
  put(drafts: readonly TranslationDraft[]): void {
    const insert = `INSERT OR REPLACE INTO drafts
      (project, locale, hash, text, base, base_version, origin, model, source)
      VALUES (${CURRENT_PROJECT}, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.#writeEach(insert, drafts, ({ locale, hash, text, base, baseVersion, origin, model, source }) => {
      return [
        locale,
        hash,
        textToJson(text),
        textToJson(base),
        baseVersion,
        origin,
        model,
        textToJson(source),
      ];
    });
  }

  /** Removes drafts. */
  remove(drafts: readonly DraftId[]): void {
    const remove = `DELETE FROM drafts WHERE project = ${CURRENT_PROJECT} AND locale = ? AND hash = ?`;
    this.#writeEach(remove, drafts, ({ locale, hash }) => [locale, hash]);
  }

  #select(condition: string, ...values: readonly (string | number)[]): TranslationDraft[] {
    const sql = `SELECT * FROM drafts WHERE project = ${CURRENT_PROJECT} AND ${condition}`;
    return this.#database.all(sql, ...values).map(toDraft);
  }

  /** Runs the statement with the values of each item, in transactions of limited length. */
  #writeEach<Item>(
    sql: string,
    items: readonly Item[],
    valuesOf: (item: Item) => (string | number | null)[],
  ): void {
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      this.#database.writeDrafts(() => {
        const statement = this.#database.sql(sql);
        for (const item of items.slice(start, start + BATCH_SIZE)) statement.run(...valuesOf(item));
      });
    }
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
