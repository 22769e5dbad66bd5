/**
 * Queries for the translation editor: the sorted hashes of keys, of the service and of local files, that match filters and a
 * search. The rows are read from the other repositories.
 */
import { isEmptyText, areTextsEqual, type Text } from "../model/translation-text.ts";
import type { Database } from "./database.ts";
import type { KeySearch } from "./full-text-search.ts";
import type { GridFilter, GridSort } from "../model/translation-editor-filters.ts";
import { HAS_NONEMPTY_FORM, VISIBLE } from "./local-file-repository.ts";
import { CURRENT_REJECTIONS } from "./rejected-machine-translation-repository.ts";
import { OWNER } from "./translation-draft-repository.ts";
import { collectInSlices, yieldNow } from "../util/event-loop.ts";
import { getOrCreate } from "../util/maps.ts";
import { parsedText } from "./records.ts";

export interface GridQuery {
  /** Filters of which a key must match at least one; empty for all keys. */
  readonly filters: readonly GridFilter[];
  /** Search words, all of which must occur in the name or in a text. */
  readonly words: readonly string[];
  readonly namespace: string | null;
  readonly tag: string | null;
  readonly sort: GridSort;
  /** The languages that the filters apply to. */
  readonly locales: readonly string[];
}

/** The origin of texts. */
export interface GridScope {
  readonly sourceLocale: string;
  /** Whether translations are at the service and not in local files. */
  readonly isAtService: boolean;
  /** Returns the local source text; `undefined` if there is none. */
  readonly localSource: (hash: string) => Text | undefined;
  /** Returns the hashes of conflicting drafts. */
  readonly conflicts: () => readonly string[];
  /** Whether a key counts as used although no usage was found. */
  readonly isKept: (hash: string) => boolean;
}

const HAS_SOURCE = "(e.locale = ?2 OR e.source IS NOT NULL)";
/** Both tables have an index on the hash. */
const LOCAL_ONLY = "SELECT hash FROM local_names EXCEPT SELECT hash FROM keys";
/** Keys of the service and keys that exist only in local source files. */
const KEYS = `
  SELECT hash, namespace, key, context, text, updated_at, tags FROM keys
  UNION ALL
  SELECT n.hash, n.namespace, n.key, n.context, (
      SELECT e.text FROM local_entries e WHERE e.name = n.id AND e.locale = ?2 LIMIT 1
    ), NULL, '[]'
  FROM local_names n WHERE n.hash IN (${LOCAL_ONLY}) AND EXISTS (
    SELECT 1 FROM local_entries e JOIN local_files f ON f.id = e.file
    WHERE e.name = n.id AND ${HAS_SOURCE} AND ${VISIBLE}
  )`;
const IN_ORDER: Readonly<Record<GridQuery["sort"], string>> = {
  name: "namespace, key, context",
  source: "lower(text), namespace, key, context",
  changed: "updated_at DESC, namespace, key, context",
};
/** Condition on a file; `locales` is a JSON array. */
const HAS_LOCALE = "instr(f.locales, json_quote(?2)) > 0";
const LOCAL_NAME = "(iif(n.namespace = '*', '', n.namespace || '.') || n.key)";
/** Longer words are truncated, since SQLite limits patterns to 50,000 bytes. */
const LONGEST_PATTERN = 5_000;

export class TranslationGrid {
  readonly #database: Database;
  readonly #search: KeySearch;
  /** Cached query results, valid while only drafts are written. */
  readonly #cache = new Map<string, readonly string[]>();
  #cacheRevision = "";

  constructor(database: Database, search: KeySearch) {
    this.#database = database;
    this.#search = search;
  }

  /** Returns the hashes of the matching keys in order; yields to other work in between. */
  async find(query: GridQuery, scope: GridScope): Promise<readonly string[]> {
    const { filters, words } = query;
    const all = this.#all(query, scope);
    if (filters.length === 0 && words.length === 0) return all;
    const found = new Set<string>();
    for (const filter of filters) {
      for await (const some of this.#filtered(filter, query, scope, all))
        for (const hash of some) found.add(hash);
    }
    const searched = words.length === 0 ? null : await this.#searched(words, scope, all);
    return all.filter(
      (hash) => (filters.length === 0 || found.has(hash)) && (searched === null || searched.has(hash)),
    );
  }

  #all({ namespace, tag, sort }: GridQuery, { sourceLocale }: GridScope): readonly string[] {
    return this.#cachedHashes(
      `SELECT hash FROM (${KEYS}) WHERE (?3 IS NULL OR namespace = ?3)
         AND (?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?4)) ORDER BY ${IN_ORDER[sort]}`,
      this.#database.windowPid,
      sourceLocale,
      namespace,
      tag,
    );
  }

  namespaces(): readonly string[] {
    return this.#values(
      "SELECT namespace AS value FROM keys UNION SELECT namespace FROM local_names ORDER BY 1",
    );
  }

  tags(): readonly string[] {
    return this.#values(
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
          const none = isAtService ? this.#untranslated(locale) : this.#untranslatedInFiles(locale, all);
          // Keys with a draft that is not empty count as translated.
          const isFilled = `project = ${OWNER} AND locale = ? AND ${HAS_NONEMPTY_FORM}`;
          const drafted = new Set(this.#hashes(`SELECT hash FROM drafts WHERE ${isFilled}`, locale));
          yield none.filter((hash) => !drafted.has(hash));
          await yieldNow();
        }
        return;
      case "outdated":
      case "issues": {
        const condition = filter === "outdated" ? "is_outdated = 1" : "issues IS NOT NULL";
        for (const locale of targets)
          yield this.#hashes(`SELECT hash FROM translations WHERE locale = ? AND ${condition}`, locale);
        return;
      }
      case "notPushed":
        yield isAtService ? await this.#notPushed(scope) : [];
        return;
      case "unused":
        yield await collectInSlices(
          this.#cachedHashes(`SELECT hash FROM (SELECT hash FROM keys EXCEPT SELECT hash FROM reference_keys)
           UNION ALL
           SELECT n.hash FROM local_names n WHERE n.hash IN (${LOCAL_ONLY})
             AND NOT EXISTS (SELECT 1 FROM reference_keys r WHERE r.hash = n.hash)
             AND NOT EXISTS (SELECT 1 FROM reference_names r WHERE r.key = n.key AND r.namespace = n.namespace)`),
          (hash) => !scope.isKept(hash),
        );
        return;
      case "unsaved":
        yield this.#hashes(`SELECT hash FROM drafts WHERE project = ${OWNER}`);
        return;
      case "conflicts":
        yield scope.conflicts();
        return;
      case "refused":
        yield this.#hashes(`SELECT r.hash FROM ${CURRENT_REJECTIONS}`);
    }
  }

  #untranslated(locale: string): readonly string[] {
    return this.#cachedHashes(
      "SELECT hash FROM keys EXCEPT SELECT hash FROM translations WHERE locale = ? AND is_translated = 1",
      locale,
    );
  }

  #untranslatedInFiles(locale: string, all: readonly string[]): readonly string[] {
    const translated = this.#cachedHashes(
      `SELECT n.hash FROM local_files f CROSS JOIN local_entries e ON e.file = f.id
       CROSS JOIN local_names n ON n.id = e.name
       WHERE ${VISIBLE} AND ${HAS_LOCALE} AND e.locale = ?2 AND e.${HAS_NONEMPTY_FORM}`,
      this.#database.windowPid,
      locale,
    );
    const isTranslated = new Set(translated);
    return all.filter((hash) => !isTranslated.has(hash));
  }

  /** Keys whose source text differs from the service's. Rechecked here, since only the first entry of a key counts. */
  async #notPushed({ sourceLocale, localSource }: GridScope): Promise<readonly string[]> {
    const differing = this.#cachedHashes(
      `SELECT DISTINCT n.hash FROM local_files f CROSS JOIN local_entries e ON e.file = f.id
       CROSS JOIN local_names n ON n.id = e.name LEFT JOIN keys k ON k.hash = n.hash
       WHERE ${VISIBLE} AND (${HAS_LOCALE} OR f.family IS NOT NULL) AND ${HAS_SOURCE}
         AND iif(e.locale = ?2, e.text, e.source) IS NOT k.text`,
      this.#database.windowPid,
      sourceLocale,
    );
    return collectInSlices(differing, (hash) => {
      const row = this.#database.sql("SELECT text FROM keys WHERE hash = ?").get(hash);
      return isNotPushed(parsedText(row?.["text"] ?? null), localSource(hash));
    });
  }

  async #searched(
    words: readonly string[],
    scope: GridScope,
    all: readonly string[],
  ): Promise<ReadonlySet<string>> {
    await yieldNow();
    const found = this.#search.hashes(words);
    if (all.every((hash) => found.has(hash))) return found;
    const patterns = words.map(patternOf);
    const isDrafted = patterns.map((_, index) => has("text", index + 1)).join(" AND ");
    const drafts = `SELECT hash FROM drafts WHERE project = ${OWNER} AND ${isDrafted}`;
    for (const hash of this.#hashes(drafts, ...patterns)) found.add(hash);
    for (const hash of this.#namedLocally(patterns)) found.add(hash);
    for (const file of this.#filesToSearch(scope)) {
      await yieldNow();
      for (const hash of this.#searchedIn(file, patterns, scope)) found.add(hash);
    }
    return found;
  }

  /** Searches the names of keys that are not in the full-text index. */
  #namedLocally(patterns: readonly string[]): readonly string[] {
    if (this.#cachedHashes(LOCAL_ONLY).length === 0) return [];
    const isNamed = patterns.map((_, index) => has(LOCAL_NAME, index + 1)).join(" AND ");
    return this.#hashes(
      `SELECT n.hash FROM local_names n WHERE n.hash IN (${LOCAL_ONLY}) AND ${isNamed}`,
      ...patterns,
    );
  }

  /** Files that may contain texts that differ from the service's. */
  #filesToSearch({ isAtService, sourceLocale }: GridScope): readonly number[] {
    const isAsked = isAtService ? `(${HAS_LOCALE} OR f.family IS NOT NULL)` : "?2 IS NOT NULL";
    return this.#database
      .sql(`SELECT f.id FROM local_files f WHERE ${VISIBLE} AND ${isAsked}`)
      .all(this.#database.windowPid, sourceLocale)
      .map(({ id }) => Number(id));
  }

  /** Keys with at least one of the words in the text and the others in the text or name. */
  #searchedIn(
    file: number,
    patterns: readonly string[],
    { isAtService, sourceLocale }: GridScope,
  ): readonly string[] {
    const text = isAtService ? "iif(e.locale = ?2, e.text, coalesce(e.source, ''))" : "e.text";
    const inText = patterns.map((_, index) => has(text, index + 3));
    const isThere = inText.map((is, index) => `(${is} OR ${has(LOCAL_NAME, index + 3)})`);
    // Joins names only if necessary.
    return this.#hashes(
      `SELECT n.hash FROM local_entries e CROSS JOIN local_names n ON n.id = e.name
       WHERE e.file = ?1 AND (${inText.join(" OR ")}) AND ${isThere.join(" AND ")}`,
      file,
      sourceLocale,
      ...patterns,
    );
  }

  /** Reads the hashes as one concatenated text, which is ten times faster than reading rows. */
  #hashes(sql: string, ...values: readonly (string | number | null)[]): readonly string[] {
    const row = this.#database.sql(`SELECT group_concat(hash) AS hashes FROM (${sql})`).get(...values);
    const hashes = row?.["hashes"];
    return typeof hashes === "string" ? hashes.split(",") : [];
  }

  /** Like `#hashes`, cached, for queries that do not depend on drafts. */
  #cachedHashes(sql: string, ...values: readonly (string | number | null)[]): readonly string[] {
    return this.#cached(JSON.stringify([sql, values]), () => this.#hashes(sql, ...values));
  }

  #cached(name: string, read: () => readonly string[]): readonly string[] {
    const revision = this.#database.revisionWithoutDrafts;
    if (revision !== this.#cacheRevision) this.#cache.clear();
    this.#cacheRevision = revision;
    return getOrCreate(this.#cache, name, read);
  }

  #values(sql: string): readonly string[] {
    return this.#cached(sql, () =>
      this.#database
        .sql(sql)
        .all()
        .map((row) => row["value"] as string),
    );
  }
}

/** Whether the local source text differs from the service's. `null`, `undefined`: there is none. */
export function isNotPushed(atService: Text | null, local: Text | undefined): boolean {
  if (local === undefined || isEmptyText(local)) return false;
  return atService === null || !areTextsEqual(atService, local);
}

/** Returns the case-insensitive LIKE pattern for texts that contain the word. */
function patternOf(word: string): string {
  return `%${word.slice(0, LONGEST_PATTERN).replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
}

/** Returns the SQL condition that a text matches the numbered pattern. */
function has(text: string, number: number): string {
  return `${text} LIKE ?${number} ESCAPE '\\'`;
}
