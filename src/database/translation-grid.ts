/**
 * Which keys a table of translations shows, and in which order: those of the service and those that only local files
 * have, narrowed by filters and a search. The rows themselves are of the other repositories.
 */
import { isEmptyText, sameText, type Text } from "../model/text.ts";
import type { Database } from "./database.ts";
import type { KeySearch } from "./key-search.ts";
import type { GridFilter, GridSort } from "../model/grid-query.ts";
import { HAS_WORDS, VISIBLE } from "./local-file-repository.ts";
import { OWNER, TranslationDrafts, type TranslationDraft } from "./translation-drafts.ts";
import { yieldNow } from "../model/time-slices.ts";

export interface GridQuery {
  /** Keys that any of these finds; none: all keys. */
  readonly filters: readonly GridFilter[];
  /** Parts of names and texts, all of which a key has. */
  readonly words: readonly string[];
  readonly namespace: string | null;
  readonly tag: string | null;
  readonly sort: GridSort;
  /** The languages that the filters look at. */
  readonly locales: readonly string[];
}

/** Where texts are. */
export interface GridScope {
  readonly sourceLocale: string;
  /** The texts of other languages are the service's; else those of local files. */
  readonly isAtService: boolean;
  /** The source text of the local files; `undefined`: they have none. */
  readonly localSource: (hash: string) => Text | undefined;
  readonly isConflict: (draft: TranslationDraft) => boolean;
  /** Of texts that a language model did not translate as it should. */
  readonly refused: () => readonly string[];
}

const LOCAL = `local_entries e JOIN local_files f ON f.id = e.file JOIN local_names n ON n.id = e.name`;
const SAYS_SOURCE = "(e.locale = ?2 OR e.source IS NOT NULL)";
/** Of the service, and those whose source text only a local file has. */
const KEYS = `
  SELECT hash, namespace, key, context, text, updated_at, tags FROM keys
  UNION ALL
  SELECT n.hash, n.namespace, n.key, n.context, (
      SELECT e.text FROM local_entries e WHERE e.name = n.id AND e.locale = ?2 LIMIT 1
    ), NULL, '[]'
  FROM local_names n WHERE NOT EXISTS (SELECT 1 FROM keys WHERE hash = n.hash) AND EXISTS (
    SELECT 1 FROM local_entries e JOIN local_files f ON f.id = e.file
    WHERE e.name = n.id AND ${SAYS_SOURCE} AND ${VISIBLE}
  )`;
const IN_ORDER: Readonly<Record<GridQuery["sort"], string>> = {
  name: "namespace, key, context",
  source: "lower(text), namespace, key, context",
  changed: "updated_at DESC, namespace, key, context",
};
/** Of a file; its locales are JSON. */
const HAS_LOCALE = "instr(f.locales, json_quote(?2)) > 0";

export class TranslationGrid {
  readonly #database: Database;
  readonly #search: KeySearch;
  readonly #drafts: TranslationDrafts;
  /** The keys in their order, as long as nothing is written. */
  #ordered: { readonly of: string; readonly hashes: readonly string[] } | null = null;

  constructor(database: Database, search: KeySearch) {
    this.#database = database;
    this.#drafts = new TranslationDrafts(database);
    this.#search = search;
  }

  /** The hashes of the keys, with other work in between. */
  async find(query: GridQuery, scope: GridScope): Promise<readonly string[]> {
    const { filters, words } = query;
    const all = this.#all(query, scope);
    const found = new Set<string>();
    for (const filter of filters) {
      for await (const some of this.#filtered(filter, query, scope, all))
        for (const hash of some) found.add(hash);
    }
    const searched = words.length === 0 ? null : await this.#searched(words, scope);
    return all.filter(
      (hash) => (filters.length === 0 || found.has(hash)) && (searched === null || searched.has(hash)),
    );
  }

  #all({ namespace, tag, sort }: GridQuery, { sourceLocale }: GridScope): readonly string[] {
    const of = JSON.stringify([namespace, tag, sort, sourceLocale, this.#database.revision]);
    if (this.#ordered?.of === of) return this.#ordered.hashes;
    const hashes = this.#hashes(
      `SELECT hash FROM (${KEYS}) WHERE (?3 IS NULL OR namespace = ?3)
         AND (?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?4)) ORDER BY ${IN_ORDER[sort]}`,
      this.#database.windowPid,
      sourceLocale,
      namespace,
      tag,
    );
    this.#ordered = { of, hashes };
    return hashes;
  }

  namespaces(): readonly string[] {
    return this.#column(
      "SELECT namespace AS value FROM keys UNION SELECT namespace FROM local_names ORDER BY 1",
    );
  }

  tags(): readonly string[] {
    return this.#column(
      "SELECT DISTINCT tag.value AS value FROM keys, json_each(keys.tags) tag WHERE keys.tags <> '[]' ORDER BY 1",
    );
  }

  async *#filtered(
    filter: GridFilter,
    { locales }: GridQuery,
    scope: GridScope,
    all: readonly string[],
  ): AsyncGenerator<readonly string[]> {
    const { sourceLocale, isAtService } = scope;
    const targets = locales.filter((locale) => locale !== sourceLocale);
    await yieldNow();
    switch (filter) {
      case "untranslated":
        for (const locale of targets) {
          yield isAtService ? this.#untranslated(locale) : this.#untranslatedInFiles(locale, all);
          await yieldNow();
        }
        return;
      case "outdated":
        for (const locale of targets)
          yield this.#hashes("SELECT hash FROM translations WHERE locale = ? AND is_outdated = 1", locale);
        return;
      case "issues":
        for (const locale of targets)
          yield this.#hashes("SELECT hash FROM translations WHERE locale = ? AND issues IS NOT NULL", locale);
        return;
      case "notPushed":
        yield isAtService ? this.#notPushed(scope) : [];
        return;
      case "unused":
        yield this.#hashes(
          `SELECT hash FROM keys WHERE NOT EXISTS (SELECT 1 FROM reference_keys r WHERE r.hash = keys.hash)
           UNION ALL
           SELECT n.hash FROM local_names n WHERE NOT EXISTS (SELECT 1 FROM reference_keys r WHERE r.hash = n.hash)
             AND NOT EXISTS (SELECT 1 FROM reference_names r WHERE r.key = n.key AND r.namespace = n.namespace)`,
        );
        return;
      case "unsaved":
        yield this.#hashes(`SELECT hash FROM drafts WHERE project = ${OWNER}`);
        return;
      case "conflicts":
        yield [...this.#drafts.all()].filter(scope.isConflict).map(({ hash }) => hash);
        return;
      case "refused":
        yield scope.refused();
    }
  }

  /** Those with a text that is not saved yet are translated. */
  #untranslated(locale: string): readonly string[] {
    return this.#hashes(
      `SELECT hash FROM keys
       EXCEPT SELECT hash FROM translations WHERE locale = ?1 AND is_translated = 1
       EXCEPT SELECT hash FROM drafts WHERE project = ${OWNER} AND locale = ?1 AND ${HAS_WORDS}`,
      locale,
    );
  }

  #untranslatedInFiles(locale: string, all: readonly string[]): readonly string[] {
    const translated = this.#hashes(
      `SELECT hash FROM drafts WHERE project = ${OWNER} AND locale = ?2 AND ${HAS_WORDS}
       UNION ALL
       SELECT n.hash FROM local_files f CROSS JOIN local_entries e ON e.file = f.id
       CROSS JOIN local_names n ON n.id = e.name
       WHERE ${VISIBLE} AND ${HAS_LOCALE} AND e.locale = ?2 AND e.${HAS_WORDS}`,
      this.#database.windowPid,
      locale,
    );
    const isTranslated = new Set(translated);
    return all.filter((hash) => !isTranslated.has(hash));
  }

  /** SQL compares JSON, which may have the same forms in another order. */
  #notPushed({ sourceLocale, localSource }: GridScope): readonly string[] {
    const differing = this.#hashes(
      `SELECT DISTINCT n.hash FROM ${LOCAL} LEFT JOIN keys k ON k.hash = n.hash
       WHERE ${SAYS_SOURCE} AND ${VISIBLE} AND iif(e.locale = ?2, e.text, e.source) IS NOT k.text`,
      this.#database.windowPid,
      sourceLocale,
    );
    return differing.filter((hash) => this.isNotPushed(hash, localSource(hash)));
  }

  /** Whether the service has another source text than the local files. */
  isNotPushed(hash: string, local: Text | undefined): boolean {
    if (local === undefined || isEmptyText(local)) return false;
    const json = this.#database.sql("SELECT text FROM keys WHERE hash = ?").get(hash)?.["text"];
    return typeof json !== "string" || !sameText(JSON.parse(json) as Text, local);
  }

  async #searched(words: readonly string[], scope: GridScope): Promise<ReadonlySet<string>> {
    await yieldNow();
    const found = new Set(this.#search.hashes(words));
    const parts = words.map((word) => word.toLowerCase());
    const draft = allIn("text", parts.length);
    const drafts = `SELECT hash FROM drafts WHERE project = ${OWNER} AND ${draft}`;
    for (const hash of this.#hashes(drafts, ...parts)) found.add(hash);
    for (const file of this.#filesToSearch(scope)) {
      await yieldNow();
      for (const hash of this.#searchedIn(file, parts, scope)) found.add(hash);
    }
    return found;
  }

  /** Files with texts that the service does not have, or not that way. */
  #filesToSearch({ isAtService, sourceLocale }: GridScope): readonly number[] {
    const isAsked = isAtService ? `(${HAS_LOCALE} OR f.family IS NOT NULL)` : "?2 IS NOT NULL";
    const files = `SELECT f.id AS hash FROM local_files f WHERE ${VISIBLE} AND ${isAsked}`;
    return this.#hashes(files, this.#database.windowPid, sourceLocale).map(Number);
  }

  #searchedIn(
    file: number,
    parts: readonly string[],
    { isAtService, sourceLocale }: GridScope,
  ): readonly string[] {
    const entries = `SELECT n.hash FROM local_entries e CROSS JOIN local_names n ON n.id = e.name WHERE e.file = ?`;
    const text = isAtService ? "iif(e.locale = ?, e.text, coalesce(e.source, ''))" : "e.text";
    const name = "iif(n.namespace = '*', '', n.namespace || '.') || n.key";
    const locale = isAtService ? [sourceLocale] : [];
    const values = (all: readonly string[]): readonly string[] => all.flatMap((part) => [...locale, part]);
    const [only] = parts;
    // Names are looked up only where they are needed.
    if (only !== undefined && parts.length === 1)
      return this.#hashes(
        `${entries} AND ${allIn(text, 1)} UNION ALL ${entries} AND ${allIn(name, 1)}`,
        file,
        ...values(parts),
        file,
        only,
      );
    return this.#hashes(
      `${entries} AND ${allIn(`${name} || char(10) || ${text}`, parts.length)}`,
      file,
      ...values(parts),
    );
  }

  #hashes(sql: string, ...values: readonly (string | number | null)[]): readonly string[] {
    return this.#database
      .sql(sql)
      .all(...values)
      .map((row) => row["hash"] as string);
  }

  #column(sql: string): readonly string[] {
    return this.#database
      .sql(sql)
      .all()
      .map((row) => row["value"] as string);
  }
}

/** Says in SQL that so many words, in small letters, are all in a text; each takes the text's own parameters before it. */
function allIn(text: string, count: number): string {
  return Array<string>(count).fill(`instr(lower(${text}), ?) > 0`).join(" AND ");
}
