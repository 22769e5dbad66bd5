/** Full-text search of keys: by name, source text and texts of all languages, ignoring case. */
import { codePointCount, escapeRegExp, type Text, valuesOf } from "../model/translation-text.ts";
import { getOrCreate } from "../util/maps.ts";
import type { Database } from "./database.ts";
import type { NamedKey } from "./key-name-repository.ts";

/** A search query. */
export interface KeyQuery {
  /** Parts of a name or a text, all of which must match. Empty: every key matches. */
  readonly words: readonly string[];
  /** Prefixes that the code omits at this position (`cart.`): names that start with one and the word rank first. */
  readonly prefixes?: readonly string[];
  /** Languages whose texts rank before those of others. */
  readonly locales?: readonly string[];
}

/** A matching key. */
export interface KeyHit extends NamedKey {
  /** The source text. */
  readonly text: Text | null;
  /** The matching text; `null` if the name matches. `locale` is `null` for the source language. */
  readonly match: { readonly locale: string | null; readonly text: string } | null;
}

const COLUMNS = "keys.hash, keys.namespace, keys.key, keys.context, keys.text";
const ALL = `SELECT ${COLUMNS} FROM keys ORDER BY id LIMIT ?`;
const BY_KEY = `SELECT ${COLUMNS} FROM key_search CROSS JOIN keys ON keys.id = key_search.rowid
  WHERE key_search MATCH ? ORDER BY key_search.rowid LIMIT ?`;
const BY_TRANSLATION = `SELECT ${COLUMNS}, translations.locale, translations.text AS translation
  FROM translation_search CROSS JOIN translations ON translations.id = translation_search.rowid
  CROSS JOIN keys ON keys.hash = translations.hash
  WHERE translation_search MATCH ? ORDER BY translation_search.rowid LIMIT ?`;
/** Concatenated into one value, which takes a tenth of the time of reading as many rows. */
const HASHES_BY_KEY = `SELECT group_concat(keys.hash) AS hashes
  FROM key_search CROSS JOIN keys ON keys.id = key_search.rowid WHERE key_search MATCH ?`;
const WITH_TRANSLATION = `FROM translation_search
  CROSS JOIN translations ON translations.id = translation_search.rowid WHERE translation_search MATCH ?`;
const HASHES_BY_TRANSLATION = `SELECT group_concat(translations.hash) AS hashes ${WITH_TRANSLATION}`;
const TEXTS_BY_TRANSLATION = `SELECT translations.hash, translations.text AS translation ${WITH_TRANSLATION}`;
const IS_UP_TO_DATE = `SELECT NOT EXISTS (SELECT 1 FROM keys_to_index)
  AND NOT EXISTS (SELECT 1 FROM translations_to_index) AS is_up_to_date`;

/** The indexes of names with source texts, and of translations. */
type SearchIndexName = "key" | "translation";

/** Characters of an index token. */
const TRIGRAM_LENGTH = 3;
/** Limit for the trigrams that a word of one or two letters is expanded to. */
const MAX_TRIGRAMS = 100;
/** Rows are counted up to this number. */
const MAX_COUNTED_ROWS = 500;
/** Number of a word's rarest trigrams to query; common ones are slow and exclude little. */
const MAX_RARE_TRIGRAMS = 4;
const COMMON_TRIGRAMS = 2;
/** What the index has before and after a name, so that its first and last letter have trigrams of their own. */
const NAME_START = "..";
const NAME_END = "\n\n";
/** Characters that may precede a part of a name. */
const SEPARATORS = [".", "/", " ", "|", "("];
/** A word without characters that JSON escapes. */
const PLAIN_WORD = /^[ !#-[\]-~]+$/;
/** The start of a name with several parts. */
const NAME_LIKE = /^[\w-]+(?:[.:/]+[\w-]*)+$/;

interface FoundText {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  /** JSON of a `Text`, like `translation`. */
  readonly text: string | null;
  readonly locale: string;
  readonly translation: string;
}

/** Searches the full-text index. */
export class KeySearch {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether everything in the database is indexed (see `SearchIndex`). */
  get isUpToDate(): boolean {
    return this.#database.number(IS_UP_TO_DATE) === 1;
  }

  /**
   * Yields at most `limit` keys, best first: those with the words in their names (at the start, at the start of a
   * part, anywhere), then in their source text (at the start, anywhere), then in another language. Recent changes may
   * not be indexed yet.
   */
  *find(query: KeyQuery, limit: number): Generator<KeyHit, void> {
    const found = new Set<string>();
    for (const hit of this.#ranked(query, limit)) {
      if (found.has(hit.hash)) continue;
      found.add(hit.hash);
      yield hit;
      if (found.size >= limit) return;
    }
  }

  /** Returns all keys with each of the words in their name, or the others in the source text or one translation; unordered. */
  hashes(words: readonly string[]): Set<string> {
    const { texts, names } = parseWords(words);
    const anywhere = this.#keysWith(texts);
    const isSame = names.every((name, index) => name === texts[index]);
    const match = isSame ? anywhere : anyOf([inColumn("name", this.#keysWith(names)), anywhere]);
    const found = new Set(match === "" ? [] : hashesOf(this.#database.value(HASHES_BY_KEY, match)));
    const count = this.#database.number("SELECT keys FROM key_counts");
    if (found.size < count) for (const hash of this.#translatedWith(texts)) found.add(hash);
    for (const [rest, keys] of this.#partlyNamed(texts, names)) {
      const translated = new Set(this.#translatedWith(rest));
      for (const hash of keys) if (translated.has(hash)) found.add(hash);
    }
    return found;
  }

  /** Yields the keys with some of the words in their names, by the other words; the most frequent ones. */
  *#partlyNamed(
    texts: readonly string[],
    names: readonly string[],
  ): Generator<readonly [rest: readonly string[], keys: readonly string[]]> {
    if (texts.length < 2 || texts.length > MAX_WORDS) return;
    /** The words in the name of each key, as bits. */
    const named = new Map<string, number>();
    for (const [index, name] of names.entries()) {
      const match = inColumn("name", this.#keysWith([name]));
      const hashes = match === "" ? [] : hashesOf(this.#database.value(HASHES_BY_KEY, match));
      for (const hash of hashes) named.set(hash, (named.get(hash) ?? 0) | (1 << index));
    }
    const keys = new Map<number, string[]>();
    for (const [hash, bits] of named) getOrCreate(keys, bits, () => []).push(hash);
    const groups = [...keys].sort(([, a], [, b]) => b.length - a.length).slice(0, MAX_NAME_GROUPS);
    for (const [bits, hashes] of groups) {
      const rest = texts.filter((_, index) => (bits & (1 << index)) === 0);
      if (rest.length > 0) yield [rest, hashes];
    }
  }

  /** Returns keys with the words in one translation. Checks the texts, since the index ignores the order of trigrams. */
  #translatedWith(words: readonly string[]): readonly string[] {
    const match = this.#translationsWithAll(words);
    if (match === "") return [];
    if (words.length < MAX_WORDS && words.every((word) => PLAIN_WORD.test(word))) {
      const isThere = words.map(() => "AND instr(lower(translations.text), ?) > 0").join(" ");
      const parts = words.map((word) => word.toLowerCase());
      return hashesOf(this.#database.value(`${HASHES_BY_TRANSLATION} ${isThere}`, match, ...parts));
    }
    const patterns = words.map(wordPattern);
    const rows = this.#database.all<Pick<FoundText, "hash" | "translation">>(TEXTS_BY_TRANSLATION, match);
    return rows.filter((row) => matchingForm(row, patterns) !== undefined).map(({ hash }) => hash);
  }

  /** Returns keys whose names have the rarest trigrams of this one, unordered. */
  similarNames(name: string): readonly NamedKey[] {
    const rare = rarest(this.#byRarity(`${NAME_START}${name.toLowerCase()}${NAME_END}`, "key"));
    return this.#byKey(inColumn("name", anyOf(rare.map(({ trigram }) => phrase(trigram)))), MAX_COUNTED_ROWS);
  }

  /** Returns keys whose source texts have the rarest words of this one, most similar first. */
  similarTexts(text: string, limit: number): readonly KeyHit[] {
    const words = splitWords(text);
    const counted = [...words]
      .filter((word) => codePointCount(word) > TRIGRAM_LENGTH)
      .slice(0, MAX_WORDS)
      .map((word) => ({ word, count: this.#count("key", inColumn("text", phrase(word))) }))
      .sort((a, b) => a.count - b.count);
    const rare = rarest(counted);
    const hits = this.#byKey(inColumn("text", anyOf(rare.map(({ word }) => phrase(word)))), MAX_COUNTED_ROWS);
    return hits
      .map((hit) => ({ hit, shared: sharedWords(words, splitWords(valuesOf(hit.text).join(" "))) }))
      .filter(({ shared }) => shared >= MIN_SHARED_SHARE)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, limit)
      .map(({ hit }) => hit);
  }

  *#ranked({ words, prefixes: starts = [], locales = [] }: KeyQuery, limit: number): Generator<KeyHit, void> {
    const { texts, names } = parseWords(words);
    const [name = "", text = ""] = [names[0], texts[0]];
    if (texts.length <= 1) {
      const beginnings = name === "" ? starts : [...starts, ""];
      yield* this.#byKey(
        inColumn("name", anyOf(beginnings.map((start) => phrase(`${NAME_START}${start}${name}`)))),
        limit,
      );
    }
    if (texts.length === 0) {
      yield* this.#database.all<FoundText>(ALL, limit).map((row) => toHit(row));
      return;
    }
    const isLetter = texts.length === 1 && codePointCount(text) === 1;
    if (texts.length === 1 && !isLetter) {
      yield* this.#byKey(
        inColumn("name", anyOf(SEPARATORS.map((separator) => phrase(separator + name)))),
        limit,
      );
    }
    const named = this.#byKey(inColumn("name", this.#keysWith(names)), limit);
    yield* named;
    // A single letter matches every text, and the start of a name is not a word of a text.
    if (isLetter || (texts.length === 1 && named.length > 0 && NAME_LIKE.test(text))) return;
    const patterns = texts.map(wordPattern);
    if (texts.length === 1) {
      const beginning = anyOf(this.#phrases(text, "key").map((phrase) => `^ ${phrase}`));
      yield* this.#byKey(inColumn("text", beginning), limit, patterns);
    }
    yield* this.#byKey(this.#keysWith(texts), limit, patterns);
    yield* this.#byTranslation(texts, patterns, locales, limit);
  }

  /** @param patterns Patterns of words that may be in the source text. */
  #byKey(match: string, limit: number, patterns: readonly RegExp[] = []): readonly KeyHit[] {
    if (match === "") return [];
    return this.#database.all<FoundText>(BY_KEY, match, limit).map((row) => toHit(row, patterns));
  }

  #byTranslation(
    words: readonly string[],
    patterns: readonly RegExp[],
    locales: readonly string[],
    limit: number,
  ): readonly KeyHit[] {
    const match = this.#translationsWithAll(words);
    if (match === "") return [];
    const hits = this.#database.all<FoundText>(BY_TRANSLATION, match, limit).flatMap((row) => {
      // The index ignores the order of trigrams.
      const text = matchingForm(row, patterns);
      return text === undefined ? [] : [{ ...toHit(row), match: { locale: row.locale, text } }];
    });
    return [...hits.filter(({ match: { locale } }) => locales.includes(locale)), ...hits];
  }

  /** Returns an expression for keys with all of the words. */
  #keysWith(words: readonly string[]): string {
    return allOf(words.map((word) => anyOf(this.#phrases(word, "key"))));
  }

  /** Returns an expression for translations with all of the words, and a few false positives. */
  #translationsWithAll(words: readonly string[]): string {
    return allOf(
      words.filter((word) => codePointCount(word) > 1).map((word) => this.#translationsWith(word)),
    );
  }

  #translationsWith(word: string): string {
    if (codePointCount(word) < TRIGRAM_LENGTH) return anyOf(this.#phrases(word, "translation"));
    const rarest = this.#byRarity(word, "translation").slice(0, MAX_RARE_TRIGRAMS);
    const rare = rarest.filter(({ count }) => count < MAX_COUNTED_ROWS);
    const found = rare.length === 0 ? rarest.slice(0, COMMON_TRIGRAMS) : rare;
    return allOf(found.map(({ trigram }) => phrase(trigram)));
  }

  #byRarity(text: string, index: SearchIndexName): { readonly trigram: string; readonly count: number }[] {
    return [...new Set(trigramsOf(text))]
      .map((trigram) => ({ trigram, count: this.#count(index, phrase(trigram)) }))
      .sort((a, b) => a.count - b.count);
  }

  /** Returns the number of matching rows, at most `MAX_COUNTED_ROWS`. */
  #count(index: SearchIndexName, match: string): number {
    return this.#database.number(
      `SELECT count(*) FROM (SELECT 1 FROM ${index}_search WHERE ${index}_search MATCH ? LIMIT ?)`,
      match,
      MAX_COUNTED_ROWS,
    );
  }

  /** Returns the word as a phrase, or the trigrams that start with a word of one or two letters. */
  #phrases(word: string, index: SearchIndexName): readonly string[] {
    if (codePointCount(word) >= TRIGRAM_LENGTH) return [phrase(word)];
    const start = word.toLowerCase();
    const sql = `SELECT term FROM ${index}_trigrams WHERE term >= ? LIMIT 1`;
    const next = (from: string) => this.#database.value<string>(sql, from);
    const trigrams: string[] = [];
    for (let trigram = next(start); trigram?.startsWith(start) === true; trigram = next(`${trigram}\0`)) {
      if (trigrams.push(trigram) === MAX_TRIGRAMS) break;
    }
    return trigrams.map(phrase);
  }
}

/** Returns the first items of a list by rarity, up to the number of rows that can be compared. */
function rarest<Item extends { readonly count: number }>(byRarity: readonly Item[]): Item[] {
  let total = 0;
  return byRarity.filter(({ count }) => (total += count) <= MAX_COUNTED_ROWS);
}

function hashesOf(hashes: unknown): readonly string[] {
  return typeof hashes === "string" ? hashes.split(",") : [];
}

/** Returns the first form of the translation with all of the words. */
function matchingForm(
  { translation }: Pick<FoundText, "translation">,
  words: readonly RegExp[],
): string | undefined {
  const forms = valuesOf(JSON.parse(translation) as Text);
  return forms.find((form) => words.every((word) => word.test(form)));
}

function toHit(
  { hash, namespace, key, context, text: json }: FoundText,
  patterns: readonly RegExp[] = [],
): KeyHit {
  const text = json === null ? null : (JSON.parse(json) as Text);
  const forms = patterns.length === 0 ? [] : valuesOf(text);
  const form =
    forms.find((each) => patterns.every((pattern) => pattern.test(each))) ??
    forms.find((each) => patterns.some((pattern) => pattern.test(each)));
  const match = form === undefined ? null : { locale: null, text: form };
  return { hash, namespace, key, context, text, match };
}

/** Returns the words as they are in texts and, with the separator of the index, in names. */
function parseWords(words: readonly string[]): Record<"texts" | "names", readonly string[]> {
  const texts = words.map(withoutNul).filter((word) => word !== "");
  return { texts, names: texts.map((word) => word.replaceAll(/:+/g, ".")) };
}

/** Returns a pattern that ignores case like the index. */
function wordPattern(word: string): RegExp {
  return new RegExp(escapeRegExp(word), "iu");
}

/** Removes NULs, which would end an expression. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

/** Returns the expression of a phrase, with quotes escaped. */
function phrase(text: string): string {
  return `"${withoutNul(text).replaceAll('"', '""')}"`;
}

/** Joins expressions with OR. */
function anyOf(expressions: readonly string[]): string {
  const parts = expressions.filter((each) => each !== "");
  return joinExpressions(parts, " OR ");
}

/** Joins expressions with AND. */
function allOf(expressions: readonly string[]): string {
  return expressions.includes("") ? "" : joinExpressions(expressions, " AND ");
}

function joinExpressions(expressions: readonly string[], operator: string): string {
  return expressions.length === 0 ? "" : `(${expressions.join(operator)})`;
}

function inColumn(column: "name" | "text", expression: string): string {
  return expression === "" ? "" : `${column} : ${expression}`;
}

/** Words of a text that are searched for in others. */
const MAX_WORDS = 12;
/** Combinations of words in names that are searched for. */
const MAX_NAME_GROUPS = 8;
/** Minimum share of common words of similar texts. */
const MIN_SHARED_SHARE = 0.3;

function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** Returns the share of words that both texts have, 0 to 1. */
function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

function trigramsOf(text: string): readonly string[] {
  const letters = Array.from(text);
  return letters.slice(0, -2).map((letter, at) => letter + letters[at + 1] + letters[at + 2]);
}
