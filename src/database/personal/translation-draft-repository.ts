/**
 * The drafts of a project: texts that are not yet written to the service or to local files. Drafts of another
 * project, which the folder was connected to before, are stored but not visible.
 */
import type { Text } from "../../model/translation-text.ts";
import type { Database } from "../database.ts";
import { parsedText, textToJson } from "../records.ts";
import type { PersonalData } from "./personal-data.ts";

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

/** Drafts per query or transaction. */
const BATCH_SIZE = 1_000;

/**
 * Of drafts (a JSON array of `[locale, hash, base_version, base, source]`), the numbers of those that may be in conflict: all
 * that `draftState` (`decide-draft.ts`) says are, and more.
 */
const MAY_CONFLICT = `SELECT d.key AS number FROM json_each(?1) d
  LEFT JOIN translations t ON t.locale = d.value ->> 0 AND t.hash = d.value ->> 1
  LEFT JOIN keys k ON k.hash = d.value ->> 1
  WHERE d.value ->> 0 = ?2 OR t.version IS NOT d.value ->> 2 OR t.text IS NOT d.value ->> 3
    OR (d.value ->> 4 IS NOT NULL AND d.value ->> 4 IS NOT k.text)`;

/** Reads and writes drafts. */
export class TranslationDraftRepository {
  readonly #personal: PersonalData;
  readonly #cache: Database;

  /** @param cache the keys and translations, which drafts can be in conflict with */
  constructor(personal: PersonalData, cache: Database) {
    this.#personal = personal;
    this.#cache = cache;
  }

  get(locale: string, hash: string): TranslationDraft | undefined {
    return this.#select("locale = ? AND hash = ?", locale, hash).map(toDraft)[0];
  }

  /** Returns the drafts of a key in these languages, by language. */
  forKey(hash: string, locales: readonly string[]): Map<string, TranslationDraft> {
    const condition = "locale IN (SELECT value FROM json_each(?)) AND hash = ?";
    const drafts = this.#select(condition, JSON.stringify(locales), hash).map(toDraft);
    return new Map(drafts.map((draft) => [draft.locale, draft]));
  }

  /** Returns the number of drafts. */
  count(): number {
    const { database, project } = this.#personal;
    return database.number("SELECT count(*) FROM drafts WHERE project = ?", project);
  }

  /** Returns the languages that have drafts. */
  locales(): readonly string[] {
    const { database, project } = this.#personal;
    return database.column("SELECT DISTINCT locale FROM drafts WHERE project = ? ORDER BY locale", project);
  }

  /** Returns the hashes of the keys with drafts that fulfil a condition, with duplicates. */
  hashes(condition = "TRUE", ...values: readonly string[]): readonly string[] {
    const { database, project } = this.#personal;
    return database.column(`SELECT hash FROM drafts WHERE project = ? AND ${condition}`, project, ...values);
  }

  /**
   * Returns the drafts that may be in conflict: the service's text differs from the base. For the source language, whose
   * texts are in local files, all drafts are returned.
   */
  mayConflict(sourceLocale: string): readonly TranslationDraft[] {
    return [...this.#batches()].flatMap((rows) => {
      const states = rows.map((row) => [row.locale, row.hash, row.base_version, row.base, row.source]);
      const numbers = this.#cache.column<number>(MAY_CONFLICT, JSON.stringify(states), sourceLocale);
      return numbers.flatMap((number) => rows[number] ?? []).map(toDraft);
    });
  }

  /** Yields all drafts, ordered by locale and hash. Concurrent changes may or may not be included. */
  *all(): Generator<TranslationDraft> {
    for (const batch of this.#batches()) yield* batch.map(toDraft);
  }

  *#batches(): Generator<readonly DraftRow[]> {
    const after = `(locale, hash) > (?, ?) ORDER BY locale, hash LIMIT ${BATCH_SIZE}`;
    for (let last: DraftId | undefined = { locale: "", hash: "" }; last !== undefined;) {
      const batch = this.#select(after, last.locale, last.hash);
      yield batch;
      last = batch.length < BATCH_SIZE ? undefined : batch.at(-1);
    }
  }

  /** Inserts or replaces drafts, and removes those that are `undefined`. */
  set(drafts: readonly (readonly [DraftId, TranslationDraft | undefined])[]): void {
    this.put(drafts.flatMap(([, draft]) => draft ?? []));
    this.remove(drafts.flatMap(([id, draft]) => (draft === undefined ? [id] : [])));
  }

  /** Inserts or replaces drafts. */
  put(drafts: readonly TranslationDraft[]): void {
    const insert = `INSERT OR REPLACE INTO drafts
      (project, locale, hash, text, base, base_version, origin, model, source)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
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
    const remove = "DELETE FROM drafts WHERE project = ? AND locale = ? AND hash = ?";
    this.#writeEach(remove, drafts, ({ locale, hash }) => [locale, hash]);
  }

  #select(condition: string, ...values: readonly string[]): DraftRow[] {
    const { database, project } = this.#personal;
    return database.all<DraftRow>(
      `SELECT * FROM drafts WHERE project = ? AND ${condition}`,
      project,
      ...values,
    );
  }

  /** Runs the statement with the project and the values of each item, in transactions of limited length. */
  #writeEach<Item>(
    sql: string,
    items: readonly Item[],
    valuesOf: (item: Item) => (string | number | null)[],
  ): void {
    const { database, project } = this.#personal;
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      database.transaction(() => {
        const statement = database.sql(sql);
        for (const item of items.slice(start, start + BATCH_SIZE)) statement.run(project, ...valuesOf(item));
      });
    }
  }
}

/** A row of the table; texts are JSON. */
interface DraftRow extends DraftId {
  readonly text: string;
  readonly base: string | null;
  readonly base_version: number | null;
  readonly origin: TranslationDraft["origin"];
  readonly model: string | null;
  readonly source: string | null;
}

function toDraft(row: DraftRow): TranslationDraft {
  return {
    locale: row.locale,
    hash: row.hash,
    text: JSON.parse(row.text) as Text,
    base: parsedText(row.base),
    baseVersion: row.base_version,
    origin: row.origin,
    model: row.model,
    source: parsedText(row.source),
  };
}
