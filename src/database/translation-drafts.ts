/**
 * The drafts of a project: texts that are to be written to the service or to local files, until they are. Those of another
 * project of the service, which the folder had before, are not seen until it is that one's again.
 */
import { withOrderedForms, type Text } from "../model/text.ts";
import type { Database } from "./database.ts";

/** A text that is not written yet. */
export interface TranslationDraft {
  readonly locale: string;
  readonly hash: string;
  /** An empty text clears the translation. */
  readonly text: Text;
  /** The translation as it was when the draft was begun; `null`: there was none. */
  readonly base: Text | null;
  /** The version of `base`; `null`: it has none. */
  readonly baseVersion: number | null;
  readonly origin: "person" | "machine";
  /** The id of the language model that proposed the text. */
  readonly model: string | null;
  /** What a machine translated; `null`: a person answers for the text. */
  readonly source: Text | null;
}

/** Names a draft. */
export type DraftId = Pick<TranslationDraft, "locale" | "hash">;

/** The project that the database is of; whose drafts are seen. */
export const OWNER = "coalesce((SELECT value FROM state WHERE name = 'owner'), '')";
const COLUMNS = "locale, hash, text, base, base_version, origin, model, source";

/** Read from the database at a time. */
const BATCH_SIZE = 1_000;

export class TranslationDrafts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(locale: string, hash: string): TranslationDraft | undefined {
    const row = this.#database
      .sql(`SELECT ${COLUMNS} FROM drafts WHERE project = ${OWNER} AND locale = ? AND hash = ?`)
      .get(locale, hash);
    return row && draftOf(row);
  }

  /** Those of these keys, by locale. */
  of(hashes: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, TranslationDraft>> {
    const rows = this.#database
      .sql(
        `SELECT ${COLUMNS} FROM drafts WHERE project = ${OWNER} AND hash IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(hashes));
    const found = new Map<string, Map<string, TranslationDraft>>();
    for (const draft of rows.map(draftOf)) {
      const own = found.get(draft.locale) ?? new Map<string, TranslationDraft>();
      found.set(draft.locale, own.set(draft.hash, draft));
    }
    return found;
  }

  /** How many there are. */
  count(): number {
    const row = this.#database.sql(`SELECT count(*) AS count FROM drafts WHERE project = ${OWNER}`).get();
    return Number(row?.["count"]);
  }

  /** At most `limit` drafts in the order of locale and hash, from the one after `after`. */
  page(limit: number, after: DraftId = { locale: "", hash: "" }): readonly TranslationDraft[] {
    return this.#database
      .sql(`SELECT ${COLUMNS} FROM drafts WHERE project = ${OWNER} AND (locale, hash) > (?, ?)
         ORDER BY locale, hash LIMIT ?`)
      .all(after.locale, after.hash, limit)
      .map(draftOf);
  }

  /** All of them. What changes in the meantime may come or not. */
  *all(): Generator<TranslationDraft> {
    for (let after: TranslationDraft | undefined; ;) {
      const page = this.page(BATCH_SIZE, after);
      yield* page;
      after = page.at(-1);
      if (page.length < BATCH_SIZE) return;
    }
  }

  /** Puts drafts in, in place of those of the same key and locale. At most 1,000. */
  put(drafts: readonly TranslationDraft[]): void {
    const insert = this.#database.sql(
      `INSERT OR REPLACE INTO drafts (project, ${COLUMNS}) VALUES (${OWNER}, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#database.transaction(() => {
      for (const { locale, hash, text, base, baseVersion, origin, model, source } of drafts) {
        const [was, of] = [base, source].map((each) => each && jsonOf(each));
        insert.run(locale, hash, jsonOf(text), was ?? null, baseVersion, origin, model, of ?? null);
      }
    });
  }

  /** They were written or discarded. At most 1,000. */
  remove(drafts: readonly DraftId[]): void {
    const remove = this.#database.sql(
      `DELETE FROM drafts WHERE project = ${OWNER} AND locale = ? AND hash = ?`,
    );
    this.#database.transaction(() => {
      for (const { locale, hash } of drafts) remove.run(locale, hash);
    });
  }
}

function draftOf(row: Record<string, unknown>): TranslationDraft {
  return {
    locale: row["locale"] as string,
    hash: row["hash"] as string,
    text: JSON.parse(row["text"] as string) as Text,
    base: JSON.parse((row["base"] as string | null) ?? "null") as Text | null,
    baseVersion: row["base_version"] as number | null,
    origin: row["origin"] as TranslationDraft["origin"],
    model: row["model"] as string | null,
    source: JSON.parse((row["source"] as string | null) ?? "null") as Text | null,
  };
}

/** The same JSON for the same text, so that SQL can compare texts. */
function jsonOf(text: Text): string {
  return JSON.stringify(withOrderedForms(text));
}
