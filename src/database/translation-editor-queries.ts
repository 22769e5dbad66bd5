/**
 * Queries for the translation editor: the sorted hashes of keys, of the service and of local files, that match filters and a
 * search. The rows are read from the other repositories.
 */
import { changedSide } from "../model/agreed-text.ts";
import { isEmptyText, areTextsEqual, type Text } from "../model/translation-text.ts";
import type { Database, SqlValue } from "./database.ts";
import { KeySearch } from "./full-text-search.ts";
import type { RowFilter, RowQuery } from "../model/translation-editor-filters.ts";
import { HAS_NONEMPTY_FORM, VISIBLE } from "./local-file-repository.ts";
import type { RejectedTranslationRepository } from "./personal/rejected-machine-translation-repository.ts";
import type { TranslationDraftRepository } from "./personal/translation-draft-repository.ts";
import { collectInSlices, forEachInSlices, yieldNow } from "../util/event-loop.ts";
import { getOrCreate } from "../util/maps.ts";
import { parsedText, textToJson } from "./records.ts";

/** What is known of source texts besides the service's. */
interface SourceTexts {
  /** Returns the local source text; `undefined` if there is none. */
  readonly localSource: (hash: string) => Text | undefined;
  /** Returns the fingerprint of the source text that the file and the service last agreed on. */
  readonly agreedSource: (hash: string) => string | undefined;
}

/** What a query depends on besides the database. */
export interface RowQueryContext extends SourceTexts {
  readonly sourceLocale: string;
  /** The languages that the filters apply to. */
  readonly locales: readonly string[];
  /** Whether translations are at a service that was read, and not in local files. */
  readonly isServiceKnown: boolean;
  /** Returns the hashes of conflicting drafts. */
  readonly conflicts: () => readonly string[];
  /** Returns the hashes of the keys that the usage report calls unused. */
  readonly unused: () => Promise<readonly string[]>;
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
/** One index look-up for each namespace; `UNION` alone would read every key. */
const NAMESPACES = `WITH RECURSIVE each (namespace) AS (
    SELECT min(namespace) FROM keys
    UNION ALL
    SELECT (SELECT min(namespace) FROM keys WHERE namespace > each.namespace) FROM each WHERE namespace IS NOT NULL
  ), each_local (namespace) AS (
    SELECT min(namespace) FROM local_names
    UNION ALL
    SELECT (SELECT min(namespace) FROM local_names WHERE namespace > each_local.namespace)
    FROM each_local WHERE namespace IS NOT NULL
  ) SELECT namespace FROM each WHERE namespace IS NOT NULL
  UNION SELECT namespace FROM each_local WHERE namespace IS NOT NULL ORDER BY 1`;
/** One index look-up for each combination of tags. */
const TAGS = `WITH RECURSIVE each (tags) AS (
    SELECT min(tags) FROM keys WHERE tags <> '[]'
    UNION ALL
    SELECT (SELECT min(tags) FROM keys WHERE tags <> '[]' AND tags > each.tags) FROM each WHERE tags IS NOT NULL
  ) SELECT DISTINCT tag.value FROM each, json_each(each.tags) tag WHERE each.tags IS NOT NULL ORDER BY 1`;
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

/** Queries that read all keys, in this process or in another. */
export interface WholeProjectQueries {
  /** Returns the results of a query of one column, concatenated with commas; `null` without any. */
  hashes(sql: string, values: readonly SqlValue[]): Promise<string | null>;
  /** Returns the hashes that `KeySearch.hashes` finds. */
  search(words: readonly string[]): Promise<readonly string[]>;
}

/** Runs the queries in this process. */
export class DatabaseQueries implements WholeProjectQueries {
  readonly #database: Database;
  readonly #search: KeySearch;

  constructor(database: Database) {
    this.#database = database;
    this.#search = new KeySearch(database);
  }

  /** Reads the values as one concatenated text, which is ten times faster than reading rows. */
  async hashes(sql: string, values: readonly SqlValue[]): Promise<string | null> {
    return this.#database.value<string | null>(`SELECT group_concat(hash) FROM (${sql})`, ...values) ?? null;
  }

  async search(words: readonly string[]): Promise<readonly string[]> {
    return [...this.#search.hashes(words)];
  }
}

/** Keys of the service and of local files, by their source text. */
const BY_SOURCE_TEXT = `SELECT hash FROM keys WHERE text = ?2 UNION
  SELECT n.hash FROM local_entries e JOIN local_names n ON n.id = e.name JOIN local_files f ON f.id = e.file
  WHERE e.locale = ?3 AND e.text = ?2 AND ${VISIBLE}`;

/** Returns the hashes of the keys with exactly this source text, of the service and of local files. */
export async function keysWithSourceText(
  { database, queries }: { readonly database: Database; readonly queries: WholeProjectQueries },
  text: Text,
  sourceLocale: string,
): Promise<readonly string[]> {
  const found = await queries.hashes(BY_SOURCE_TEXT, [database.windowPid, textToJson(text), sourceLocale]);
  return found === null ? [] : found.split(",");
}

/** Projects with at most so many keys and texts are queried in this process: each query takes at most some 10 ms. */
const MAX_KEYS_HERE = 5_000;
const MAX_TEXTS_HERE = 20_000;

/** Finds the rows of the translation editor. */
export class TranslationEditorQueries {
  readonly #database: Database;
  readonly #here: WholeProjectQueries;
  readonly #elsewhere: WholeProjectQueries;
  readonly #drafts: TranslationDraftRepository;
  readonly #rejected: RejectedTranslationRepository;
  /** Cached query results. */
  readonly #cache = new Map<string, Promise<readonly string[]>>();
  #cacheVersion = "";

  /** @param elsewhere runs the queries of large projects */
  constructor(
    database: Database,
    elsewhere: WholeProjectQueries,
    drafts: TranslationDraftRepository,
    rejected: RejectedTranslationRepository,
  ) {
    this.#database = database;
    this.#here = new DatabaseQueries(database);
    this.#elsewhere = elsewhere;
    this.#drafts = drafts;
    this.#rejected = rejected;
  }

  /** Returns the hashes of the matching keys in order; yields to other work in between. */
  async find(query: RowQuery, context: RowQueryContext): Promise<readonly string[]> {
    const words = query.search.match(/\S+/gu)?.slice(0, MAX_SEARCH_WORDS) ?? [];
    const candidates = await this.#candidates(query, context);
    const filtered = new Set<string>();
    for (const filter of query.filters) {
      const hashes = await this.#filtered(filter, context, candidates);
      await forEachInSlices(hashes, (hash) => filtered.add(hash));
    }
    const searched = words.length === 0 ? null : await this.#searched(words, context, candidates);
    if (query.filters.length === 0 && searched === null) return candidates;
    return collectInSlices(
      candidates,
      (hash) => (query.filters.length === 0 || filtered.has(hash)) && searched?.has(hash) !== false,
    );
  }

  /** Returns the keys of the namespace and tag in order. */
  #candidates(
    { namespace, tag, sort }: RowQuery,
    { sourceLocale }: RowQueryContext,
  ): Promise<readonly string[]> {
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
    return this.#database.column(NAMESPACES);
  }

  /** Returns the tags of all keys, sorted. */
  tags(): readonly string[] {
    return this.#database.column(TAGS);
  }

  /** Returns the keys that match a filter, in at least one of the languages. */
  async #filtered(
    filter: RowFilter,
    context: RowQueryContext,
    candidates: readonly string[],
  ): Promise<readonly string[]> {
    const { sourceLocale, isServiceKnown, locales } = context;
    const targets = locales.filter((locale) => locale !== sourceLocale);
    await yieldNow();
    switch (filter) {
      case "untranslated": {
        const found: (readonly string[])[] = [];
        for (const locale of targets) {
          found.push(await this.#untranslated(locale, isServiceKnown, candidates));
        }
        return found.flat();
      }
      case "outdated":
        return this.#inEach(targets, "SELECT hash FROM translations WHERE locale = ? AND is_outdated = 1");
      case "issues":
        // Those that all views count, which line breaks at the end are not among.
        return this.#inEach(targets, "SELECT hash FROM translations WHERE locale = ? AND issues IS NOT NULL");
      case "notPushed":
        return isServiceKnown ? this.#notPushed(context) : [];
      case "unused":
        return context.unused();
      case "unsaved":
        return this.#drafts.hashes();
      case "conflicts":
        return context.conflicts();
      case "refused":
        return this.#rejected.hashes();
    }
  }

  /** Whether a push sends the local source text, as it is counted everywhere (`PendingChangeQueries`). */
  isNotPushed(hash: string, { localSource, agreedSource }: SourceTexts): boolean {
    const local = localSource(hash);
    if (local === undefined || isEmptyText(local)) return false;
    const atService = parsedText(this.#database.value("SELECT text FROM keys WHERE hash = ?", hash) ?? null);
    if (atService === null)
      return this.#database.value("SELECT 1 FROM archived_keys WHERE hash = ?", hash) === undefined;
    if (areTextsEqual(atService, local)) return false;
    const side = changedSide(local, atService, agreedSource(hash));
    return side !== "service" && side !== "both";
  }

  /** Returns the results of a query in each of the languages, its parameter. */
  async #inEach(locales: readonly string[], sql: string): Promise<readonly string[]> {
    const found: (readonly string[])[] = [];
    for (const locale of locales) found.push(await this.#hashes(sql, locale));
    return found.flat();
  }

  async #untranslated(
    locale: string,
    isServiceKnown: boolean,
    candidates: readonly string[],
  ): Promise<readonly string[]> {
    const missing = isServiceKnown
      ? await this.#cachedHashes(
          "SELECT hash FROM keys EXCEPT SELECT hash FROM translations WHERE locale = ? AND is_translated = 1",
          locale,
        )
      : await this.#missingInFiles(locale, candidates);
    const drafted = new Set(this.#drafts.hashes(`locale = ? AND ${HAS_NONEMPTY_FORM}`, locale));
    return drafted.size === 0 ? missing : collectInSlices(missing, (hash) => !drafted.has(hash));
  }

  async #missingInFiles(locale: string, candidates: readonly string[]): Promise<readonly string[]> {
    const translated = new Set<string>();
    const hashes = await this.#cachedHashes(
      `SELECT n.hash FROM local_files f CROSS JOIN local_entries e ON e.file = f.id
       CROSS JOIN local_names n ON n.id = e.name
       WHERE ${VISIBLE} AND ${HAS_LOCALE} AND e.locale = ?2 AND e.${HAS_NONEMPTY_FORM}`,
      this.#database.windowPid,
      locale,
    );
    await forEachInSlices(hashes, (hash) => translated.add(hash));
    return collectInSlices(candidates, (hash) => !translated.has(hash));
  }

  /** Returns keys whose source text differs from the service's. Rechecked here, since only the first entry of a key counts. */
  async #notPushed(context: RowQueryContext): Promise<readonly string[]> {
    const differing = await this.#cachedHashes(
      `SELECT DISTINCT n.hash FROM local_files f CROSS JOIN local_entries e ON e.file = f.id
       CROSS JOIN local_names n ON n.id = e.name LEFT JOIN keys k ON k.hash = n.hash
       WHERE ${VISIBLE} AND (${HAS_LOCALE} OR f.family IS NOT NULL) AND ${HAS_SOURCE}
         AND iif(e.locale = ?2, e.text, e.source) IS NOT k.text`,
      this.#database.windowPid,
      context.sourceLocale,
    );
    return collectInSlices(differing, (hash) => this.isNotPushed(hash, context));
  }

  async #searched(
    words: readonly string[],
    context: RowQueryContext,
    candidates: readonly string[],
  ): Promise<ReadonlySet<string>> {
    await yieldNow();
    const found = new Set<string>();
    const add = (hashes: readonly string[]): Promise<void> =>
      forEachInSlices(hashes, (hash) => found.add(hash));
    await add(await this.#queries.search(words));
    const missing = await collectInSlices(candidates, (hash) => !found.has(hash));
    if (missing.length === 0) return found;
    const patterns = words.map(likePattern);
    const inDraft = patterns.map(() => `${valuesIn("text")} LIKE ? ESCAPE '\\'`).join(" AND ");
    await add(this.#drafts.hashes(inDraft, ...patterns));
    await add(await this.#namedLocally(patterns));
    await add(await this.#searchedInFiles(patterns, context));
    return found;
  }

  /** Searches the names of keys that are not in the full-text index. */
  async #namedLocally(patterns: readonly string[]): Promise<readonly string[]> {
    if ((await this.#cachedHashes(LOCAL_ONLY)).length === 0) return [];
    const isNamed = containsAll(LOCAL_NAME, patterns);
    return this.#hashes(
      `SELECT n.hash FROM local_names n WHERE n.hash IN (${LOCAL_ONLY}) AND ${isNamed}`,
      ...patterns,
    );
  }

  /**
   * Returns the keys with at least one of the words in a text of a file that may differ from the service's, and the others
   * in the text or name.
   */
  #searchedInFiles(
    patterns: readonly string[],
    { isServiceKnown, sourceLocale }: RowQueryContext,
  ): Promise<readonly string[]> {
    const mayDiffer = isServiceKnown ? `(${HAS_LOCALE} OR f.family IS NOT NULL)` : "TRUE";
    const values = valuesIn(isServiceKnown ? "iif(e.locale = ?2, e.text, e.source)" : "e.text");
    const inText = patterns.map((_, index) => contains(values, index + 3));
    const inTextOrName = inText.map((is, index) => `(${is} OR ${contains(LOCAL_NAME, index + 3)})`);
    // Joins names only if necessary.
    return this.#hashes(
      `SELECT n.hash FROM local_files f CROSS JOIN local_entries e ON e.file = f.id
       CROSS JOIN local_names n ON n.id = e.name
       WHERE ${VISIBLE} AND ${mayDiffer} AND (${inText.join(" OR ")}) AND ${inTextOrName.join(" AND ")}`,
      this.#database.windowPid,
      sourceLocale,
      ...patterns,
    );
  }

  /** Where the queries run now. */
  get #queries(): WholeProjectQueries {
    const keys = this.#database.number("SELECT keys FROM key_counts");
    const texts = this.#database.number("SELECT total(rows) FROM translation_counts");
    return keys <= MAX_KEYS_HERE && texts <= MAX_TEXTS_HERE ? this.#here : this.#elsewhere;
  }

  async #hashes(sql: string, ...values: readonly SqlValue[]): Promise<readonly string[]> {
    const hashes = await this.#queries.hashes(sql, values);
    return hashes === null ? [] : hashes.split(",");
  }

  /** Like `#hashes`, cached, for queries that do not depend on drafts. */
  #cachedHashes(sql: string, ...values: readonly SqlValue[]): Promise<readonly string[]> {
    const version = this.#database.version();
    if (version !== this.#cacheVersion) this.#cache.clear();
    this.#cacheVersion = version;
    const name = JSON.stringify([sql, values]);
    return getOrCreate(this.#cache, name, () => {
      const hashes = this.#hashes(sql, ...values);
      hashes.catch(() => this.#cache.delete(name));
      return hashes;
    });
  }
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
