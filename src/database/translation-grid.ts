/**
 * Which keys a table of translations shows, and in which order: those of the service and those that only local files
 * have, narrowed by filters and a search. The rows themselves are of the other repositories.
 */
import { isEmptyText, sameText, type Text } from "../model/text.ts";
import type { Database } from "./database.ts";
import type { KeySearch } from "./key-search.ts";
import type { GridFilter, GridSort } from "../model/grid-query.ts";
import { VISIBLE } from "./local-file-repository.ts";
import { OWNER, TranslationDrafts, type TranslationDraft } from "./translation-drafts.ts";

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
const IS_EMPTY = `text IN ('{"value":""}', '{"forms":{}}')`;
const OWN_DRAFT = `SELECT 1 FROM drafts d WHERE d.project = ${OWNER}`;

export class TranslationGrid {
  readonly #database: Database;
  readonly #search: KeySearch;
  readonly #drafts: TranslationDrafts;

  constructor(database: Database, search: KeySearch) {
    this.#database = database;
    this.#drafts = new TranslationDrafts(database);
    this.#search = search;
  }

  /** The hashes of the keys. */
  find(query: GridQuery, scope: GridScope): readonly string[] {
    const { namespace, tag, sort, filters, words } = query;
    const all = this.#hashes(
      `SELECT hash FROM (${KEYS}) WHERE (?3 IS NULL OR namespace = ?3)
         AND (?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?4)) ORDER BY ${IN_ORDER[sort]}`,
      this.#database.windowPid,
      scope.sourceLocale,
      namespace,
      tag,
    );
    const found = new Set(filters.flatMap((filter) => this.#filtered(filter, query, scope)));
    const searched = words.length === 0 ? null : this.#searched(words);
    return all.filter(
      (hash) => (filters.length === 0 || found.has(hash)) && (searched === null || searched.has(hash)),
    );
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

  #filtered(filter: GridFilter, { locales }: GridQuery, scope: GridScope): readonly string[] {
    const { sourceLocale, isAtService } = scope;
    const targets = locales.filter((locale) => locale !== sourceLocale);
    switch (filter) {
      case "untranslated":
        return targets.flatMap((locale) => this.#untranslated(locale, scope));
      case "outdated":
        return targets.flatMap((locale) =>
          this.#hashes("SELECT hash FROM translations WHERE locale = ? AND is_outdated = 1", locale),
        );
      case "issues":
        return targets.flatMap((locale) =>
          this.#hashes("SELECT hash FROM translations WHERE locale = ? AND issues IS NOT NULL", locale),
        );
      case "notPushed":
        return isAtService ? this.#notPushed(scope) : [];
      case "unused":
        return this.#hashes(
          `SELECT hash FROM keys WHERE NOT EXISTS (SELECT 1 FROM reference_keys r WHERE r.hash = keys.hash)
           UNION ALL
           SELECT n.hash FROM local_names n WHERE NOT EXISTS (SELECT 1 FROM reference_keys r WHERE r.hash = n.hash)
             AND NOT EXISTS (SELECT 1 FROM reference_names r WHERE r.key = n.key AND r.namespace = n.namespace)`,
        );
      case "unsaved":
        return this.#hashes(`SELECT hash FROM drafts WHERE project = ${OWNER}`);
      case "conflicts":
        return [...this.#drafts.all()].filter(scope.isConflict).map(({ hash }) => hash);
      case "refused":
        return scope.refused();
    }
  }

  /** Those with a text that is not saved yet are translated. */
  #untranslated(locale: string, { sourceLocale, isAtService }: GridScope): readonly string[] {
    const draft = `NOT EXISTS (${OWN_DRAFT} AND d.locale = ?1 AND d.hash = key.hash AND NOT d.${IS_EMPTY})`;
    if (isAtService)
      return this.#hashes(
        `SELECT hash FROM keys key WHERE ${draft} AND NOT EXISTS (
           SELECT 1 FROM translations t WHERE t.locale = ?1 AND t.hash = key.hash AND t.is_translated = 1
         )`,
        locale,
      );
    return this.#hashes(
      `SELECT hash FROM (${KEYS}) key WHERE ${draft.replaceAll("?1", "?3")} AND NOT EXISTS (
         SELECT 1 FROM ${LOCAL} WHERE n.hash = key.hash AND e.locale = ?3 AND NOT e.${IS_EMPTY} AND ${VISIBLE}
       )`,
      this.#database.windowPid,
      sourceLocale,
      locale,
    );
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

  #searched(words: readonly string[]): ReadonlySet<string> {
    const has = (text: string): string =>
      `NOT EXISTS (SELECT 1 FROM json_each(?2) word WHERE instr(lower(${text}), word.value) = 0)`;
    const parts = JSON.stringify(words.map((word) => word.toLowerCase()));
    const local = this.#hashes(
      `SELECT DISTINCT n.hash FROM ${LOCAL} WHERE ${VISIBLE}
         AND ${has("iif(n.namespace = '*', '', n.namespace || '.') || n.key || char(10) || e.text")}`,
      this.#database.windowPid,
      parts,
    );
    const drafts = this.#hashes(
      `SELECT hash FROM drafts WHERE project = ${OWNER} AND ?1 IS NOT NULL AND ${has("text")}`,
      this.#database.windowPid,
      parts,
    );
    return new Set([...this.#search.hashes(words), ...local, ...drafts]);
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
