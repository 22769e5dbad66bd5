/**
 * Queries for the translation editor: the sorted hashes of keys, of the service and of local files, that match filters and a
 * search. The rows are read from the other repositories.
 */
import { isEmptyText, areTextsEqual, type Text } from "../model/translation-text.ts";
import type { Database } from "./database.ts";
import type { KeySearch } from "./full-text-search.ts";
import type { RowFilter, RowQuery } from "../model/translation-editor-filters.ts";
import { HAS_NONEMPTY_FORM, VISIBLE } from "./local-file-repository.ts";
import type { RejectedTranslationRepository } from "./personal/rejected-machine-translation-repository.ts";
import type { TranslationDraftRepository } from "./personal/translation-draft-repository.ts";
import { collectInSlices, yieldNow } from "../util/event-loop.ts";
import { getOrCreate } from "../util/maps.ts";
import { parsedText } from "./records.ts";

/** What a query depends on besides the database. */
export interface RowQueryContext {
  readonly sourceLocale: string;
  /** The languages that the filters apply to. */
  readonly locales: readonly string[];
  /** Whether translations are at the service and not in local files. */
  readonly hasService: boolean;
  /** Returns the local source text; `undefined` if there is none. */
  readonly localSource: (hash: string) => Text | undefined;
  /** Returns the hashes of conflicting drafts. */
  readonly conflicts: () => readonly string[];
  /** Returns whether a key counts as used although no usage was found. */
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
const ORDER_BY: Readonly<Record<RowQuery["sort"], string>> = {
  name: "namespace, key, context",
  source: `lower(${valuesIn("text")}), namespace, key, context`,
  changed: "updated_at DESC, namespace, key, context",
};
/** Condition on a file; `locales` is a JSON array. */
const HAS_LOCALE = "instr(f.locales, json_quote(?2)) > 0";
const LOCAL_NAME = "(iif(n.namespace = '*', '', n.namespace || '.') || n.key)";
const MAX_SEARCH_WORDS = 50;
/** Characters. Longer words are truncated, since SQLite limits patterns to 50,000 bytes. */
const MAX_PATTERN_LENGTH = 5_000;

/** Finds the rows of the translation editor. */
export class TranslationEditorQueries {
  readonly #database: Database;
  readonly #search: KeySearch;
  readonly #drafts: TranslationDraftRepository;
  readonly #rejected: RejectedTranslationRepository;
  /** Cached query results. */
  readonly #cache = new Map<string, readonly string[]>();
  #cacheRevision = "";

  constructor(
    database: Database,
    search: KeySearch,
    drafts: TranslationDraftRepository,
    rejected: RejectedTranslationRepository,
  ) {
    this.#database = database;
    this.#search = search;
    this.#drafts = drafts;
    this.#rejected = rejected;
  }

  /** Returns the hashes of the matching keys in order; yields to other work in between. */
  async find(query: RowQuery, context: RowQueryContext): Promise<readonly string[]> {
    const words = query.search.match(/\S+/gu)?.slice(0, MAX_SEARCH_WORDS) ?? [];
    const candidates = this.#candidates(query, context);
    const filtered = new Set<string>();
    for (const filter of query.filters)
      for (const hash of await this.#filtered(filter, context, candidates)) filtered.add(hash);
    const searched = words.length === 0 ? null : await this.#searched(words, context, candidates);
    return candidates.filter(
      (hash) => (query.filters.length === 0 || filtered.has(hash)) && searched?.has(hash) !== false,
    );
  }

  /** Returns the keys of the namespace and tag in order. */
  #candidates({ namespace, tag, sort }: RowQuery, { sourceLocale }: RowQueryContext): readonly string[] {
    return this.#cachedHashes(
      `SELECT hash FROM (${KEYS}) WHERE (?3 IS NULL OR namespace = ?3)
         AND (?4 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?4)) ORDER BY ${ORDER_BY[sort]}`,
      this.#database.windowPid,
      sourceLocale,
      namespace,
      tag,
    );
  }

  /** Returns the namespaces of all keys, sorted. */
  namespaces(): readonly string[] {
    return this.#values(
      "SELECT namespace AS value FROM keys UNION SELECT namespace FROM local_names ORDER BY 1",
    );
  }

  /** Returns the tags of all keys, sorted. */
  tags(): readonly string[] {
    return this.#values(
      "SELECT DISTINCT tag.value AS value FROM keys, json_each(keys.tags) tag WHERE keys.tags <> '[]' ORDER BY 1",
    );
  }

  /** Returns the keys that match a filter, in at least one of the languages. */
  async #filtered(
    filter: RowFilter,
    context: RowQueryContext,
    candidates: readonly string[],
  ): Promise<readonly string[]> {
    const { sourceLocale, hasService, locales } = context;
    const targets = locales.filter((locale) => locale !== sourceLocale);
    await yieldNow();
    switch (filter) {
      case "untranslated": {
        const found: (readonly string[])[] = [];
        for (const locale of targets) {
          found.push(this.#untranslated(locale, hasService, candidates));
          await yieldNow();
        }
        return found.flat();
      }
      case "outdated":
        return targets.flatMap((locale) =>
          this.#hashes("SELECT hash FROM translations WHERE locale = ? AND is_outdated = 1", locale),
        );
      case "issues":
        return targets.flatMap((locale) =>
          this.#hashes("SELECT hash FROM translations WHERE locale = ? AND issues IS NOT NULL", locale),
        );
      case "notPushed":
        return hasService ? this.#notPushed(context) : [];
      case "unused":
        return collectInSlices(
          this.#cachedHashes(`SELECT hash FROM (SELECT hash FROM keys EXCEPT SELECT hash FROM reference_keys)
           UNION ALL
           SELECT n.hash FROM local_names n WHERE n.hash IN (${LOCAL_ONLY})
             AND NOT EXISTS (SELECT 1 FROM reference_keys r WHERE r.hash = n.hash)
             AND NOT EXISTS (SELECT 1 FROM reference_names r WHERE r.key = n.key AND r.namespace = n.namespace)`),
          (hash) => !context.isKept(hash),
        );
      case "unsaved":
        return this.#drafts.hashes();
      case "conflicts":
        return context.conflicts();
      case "refused":
        return this.#rejected.hashes();
    }
  }

  #untranslated(locale: string, hasService: boolean, candidates: readonly string[]): readonly string[] {
    const missing = hasService
      ? this.#cachedHashes(
          "SELECT hash FROM keys EXCEPT SELECT hash FROM translations WHERE locale = ? AND is_translated = 1",
          locale,
        )
      : this.#missingInFiles(locale, candidates);
    const drafted = new Set(this.#drafts.hashes(`locale = ? AND ${HAS_NONEMPTY_FORM}`, locale));
    return missing.filter((hash) => !drafted.has(hash));
  }

  #missingInFiles(locale: string, candidates: readonly string[]): readonly string[] {
    const translated = new Set(
      this.#cachedHashes(
        `SELECT n.hash FROM local_files f CROSS JOIN local_entries e ON e.file = f.id
         CROSS JOIN local_names n ON n.id = e.name
         WHERE ${VISIBLE} AND ${HAS_LOCALE} AND e.locale = ?2 AND e.${HAS_NONEMPTY_FORM}`,
        this.#database.windowPid,
        locale,
      ),
    );
    return candidates.filter((hash) => !translated.has(hash));
  }

  /** Returns keys whose source text differs from the service's. Rechecked here, since only the first entry of a key counts. */
  async #notPushed({ sourceLocale, localSource }: RowQueryContext): Promise<readonly string[]> {
    const differing = this.#cachedHashes(
      `SELECT DISTINCT n.hash FROM local_files f CROSS JOIN local_entries e ON e.file = f.id
       CROSS JOIN local_names n ON n.id = e.name LEFT JOIN keys k ON k.hash = n.hash
       WHERE ${VISIBLE} AND (${HAS_LOCALE} OR f.family IS NOT NULL) AND ${HAS_SOURCE}
         AND iif(e.locale = ?2, e.text, e.source) IS NOT k.text`,
      this.#database.windowPid,
      sourceLocale,
    );
    return collectInSlices(differing, (hash) => {
      const text = this.#database.value("SELECT text FROM keys WHERE hash = ?", hash);
      return isNotPushed(parsedText(text ?? null), localSource(hash));
    });
  }

  async #searched(
    words: readonly string[],
    context: RowQueryContext,
    candidates: readonly string[],
  ): Promise<ReadonlySet<string>> {
    await yieldNow();
    const found = this.#search.hashes(words);
    if (candidates.every((hash) => found.has(hash))) return found;
    const patterns = words.map(likePattern);
    const inDraft = patterns.map(() => `${valuesIn("text")} LIKE ? ESCAPE '\\'`).join(" AND ");
    for (const hash of this.#drafts.hashes(inDraft, ...patterns)) found.add(hash);
    for (const hash of this.#namedLocally(patterns)) found.add(hash);
    for (const file of this.#filesToSearch(context)) {
      await yieldNow();
      for (const hash of this.#searchedIn(file, patterns, context)) found.add(hash);
    }
    return found;
  }

  /** Searches the names of keys that are not in the full-text index. */
  #namedLocally(patterns: readonly string[]): readonly string[] {
    if (this.#cachedHashes(LOCAL_ONLY).length === 0) return [];
    const isNamed = containsAll(LOCAL_NAME, patterns);
    return this.#hashes(
      `SELECT n.hash FROM local_names n WHERE n.hash IN (${LOCAL_ONLY}) AND ${isNamed}`,
      ...patterns,
    );
  }

  /** Returns the ids of the files that may contain texts that differ from the service's. */
  #filesToSearch({ hasService, sourceLocale }: RowQueryContext): readonly number[] {
    const mayDiffer = hasService ? `(${HAS_LOCALE} OR f.family IS NOT NULL)` : "?2 IS NOT NULL";
    return this.#database
      .all(
        `SELECT f.id FROM local_files f WHERE ${VISIBLE} AND ${mayDiffer}`,
        this.#database.windowPid,
        sourceLocale,
      )
      .map(({ id }) => Number(id));
  }

  /** Returns the keys with at least one of the words in the text, and the others in the text or name. */
  #searchedIn(
    file: number,
    patterns: readonly string[],
    { hasService, sourceLocale }: RowQueryContext,
  ): readonly string[] {
    const values = valuesIn(hasService ? "iif(e.locale = ?2, e.text, e.source)" : "e.text");
    const inText = patterns.map((_, index) => contains(values, index + 3));
    const inTextOrName = inText.map((is, index) => `(${is} OR ${contains(LOCAL_NAME, index + 3)})`);
    // Joins names only if necessary.
    return this.#hashes(
      `SELECT n.hash FROM local_entries e CROSS JOIN local_names n ON n.id = e.name
       WHERE e.file = ?1 AND (${inText.join(" OR ")}) AND ${inTextOrName.join(" AND ")}`,
      file,
      sourceLocale,
      ...patterns,
    );
  }

  /** Reads the hashes as one concatenated text, which is ten times faster than reading rows. */
  #hashes(sql: string, ...values: readonly (string | number | null)[]): readonly string[] {
    const hashes = this.#database.value(`SELECT group_concat(hash) FROM (${sql})`, ...values);
    return typeof hashes === "string" ? hashes.split(",") : [];
  }

  /** Like `#hashes`, cached, for queries that do not depend on drafts. */
  #cachedHashes(sql: string, ...values: readonly (string | number | null)[]): readonly string[] {
    return this.#cached(JSON.stringify([sql, values]), () => this.#hashes(sql, ...values));
  }

  #cached(name: string, read: () => readonly string[]): readonly string[] {
    const revision = this.#database.revision;
    if (revision !== this.#cacheRevision) this.#cache.clear();
    this.#cacheRevision = revision;
    return getOrCreate(this.#cache, name, read);
  }

  #values(sql: string): readonly string[] {
    return this.#cached(sql, () => this.#database.all(sql).map(({ value }) => String(value)));
  }
}

/** Returns whether the local source text differs from the service's. `null`, `undefined`: there is none. */
export function isNotPushed(atService: Text | null, local: Text | undefined): boolean {
  if (local === undefined || isEmptyText(local)) return false;
  return atService === null || !areTextsEqual(atService, local);
}

/** Returns the case-insensitive LIKE pattern for texts that contain the word. */
function likePattern(word: string): string {
  return `%${word.slice(0, MAX_PATTERN_LENGTH).replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
}

/** Returns the SQL expression for the value or the joined forms of a text; empty for no text. */
function valuesIn(text: string): string {
  const forms = `(SELECT group_concat(value, char(10)) FROM json_each(${text}, '$.forms'))`;
  return `coalesce(${text} ->> '$.value', ${forms}, '')`;
}

/** Returns the SQL condition that a value matches the numbered pattern. */
function contains(value: string, number: number): string {
  return `${value} LIKE ?${number} ESCAPE '\\'`;
}

/** Returns the SQL condition that a value matches all patterns, which are the first parameters. */
function containsAll(value: string, patterns: readonly string[]): string {
  return patterns.map((_, index) => contains(value, index + 1)).join(" AND ");
}
