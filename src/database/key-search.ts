/** Full-text search of keys: by name, by source text and by the texts of all languages, letters' case aside. */
import { isForms, type Text } from "../model/text.ts";
import type { Database } from "./database.ts";
import type { NamedKey } from "./key-names.ts";

export interface KeyQuery {
  /** Parts of a name or of a text, all of which a key has. Without any, every key is found. */
  readonly words: readonly string[];
  /** Keys whose names begin with one of these and the word come first: `cart.`, which the place in code leaves out. */
  readonly starts?: readonly string[];
  /** Languages whose texts come before those of others. */
  readonly locales?: readonly string[];
}

/** A key that was found. */
export interface KeyHit extends NamedKey {
  /** In the source language. */
  readonly text: Text | null;
  /** The text that has the words; `null`: they are in the name. `locale`: `null` in the source language. */
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
const HASHES_BY_KEY = `SELECT keys.hash FROM key_search CROSS JOIN keys ON keys.id = key_search.rowid
  WHERE key_search MATCH ?`;
const HASHES_BY_TRANSLATION = `SELECT translations.hash, translations.text
  FROM translation_search CROSS JOIN translations ON translations.id = translation_search.rowid
  WHERE translation_search MATCH ?`;
const IS_UP_TO_DATE = `SELECT NOT EXISTS (SELECT 1 FROM keys_to_index)
  AND NOT EXISTS (SELECT 1 FROM translations_to_index) AS is_up_to_date`;

/** The two indexes. */
const KEYS = {
  nextTrigram: "SELECT term FROM key_trigrams WHERE term >= ? LIMIT 1",
  count: "SELECT count(*) AS count FROM (SELECT 1 FROM key_search WHERE key_search MATCH ? LIMIT ?)",
};
const TRANSLATIONS = {
  nextTrigram: "SELECT term FROM translation_trigrams WHERE term >= ? LIMIT 1",
  count:
    "SELECT count(*) AS count FROM (SELECT 1 FROM translation_search WHERE translation_search MATCH ? LIMIT ?)",
};

/** Letters of a token of the index. */
const TRIGRAM = 3;
/** So many of the trigrams that begin with a word of one or two letters are looked for. */
const MAX_TRIGRAMS = 100;
/** More rows than that are not counted. */
const MANY_ROWS = 500;
/** So many of a word's trigrams find it in texts; common ones take long and exclude little. */
const RARE_TRIGRAMS = 4;
/** What may stand before a part of a name. */
const SEPARATORS = [".", "/", " ", "|", "("];
/** A word that SQL finds in JSON as it is, letters' case aside. */
const PLAIN = /^[ !#-[\]-~]+$/;
/** The beginning of a name: parts, and nothing that is in no name. */
const NAME_LIKE = /^[\w-]+(?:[.:/]+[\w-]*)+$/;

interface Row {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  /** JSON of a `Text`, and so is `translation`. */
  readonly text: string | null;
  readonly locale: string;
  readonly translation: string;
}

export class KeySearch {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether everything in the database can be found (see `SearchIndexing`). */
  get isUpToDate(): boolean {
    return this.#database.sql(IS_UP_TO_DATE).get()?.["is_up_to_date"] === 1;
  }

  /**
   * At most `limit` keys, the best first: those that have the words in their names (at the beginning, at the beginning
   * of a part, anywhere), then in their source text (at the beginning, anywhere), then in the text of another language.
   * What was written a moment ago may not be indexed yet.
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

  /** All keys that have the words in their names, in their source texts or in one translation, in no order. */
  hashes(words: readonly string[]): ReadonlySet<string> {
    const texts = words.map(withoutNul).filter((word) => word !== "");
    const names = texts.map((word) => word.replaceAll(/:+/g, "."));
    const match = anyOf([inName(this.#keysWith(names)), this.#keysWith(texts)]);
    const found = new Set(match === "" ? [] : hashesOf(this.#database.sql(HASHES_BY_KEY).all(match)));
    const count = this.#database.sql("SELECT count(*) AS count FROM keys").get()?.["count"];
    if (found.size < Number(count)) for (const hash of this.#translatedWith(texts)) found.add(hash);
    return found;
  }

  /** Keys with a translation that has the words. The index knows of trigrams, not of their order. */
  #translatedWith(words: readonly string[]): readonly string[] {
    const match = allOf(
      words.filter((word) => lengthOf(word) > 1).map((word) => this.#translationsWith(word)),
    );
    if (match === "") return [];
    if (words.length < MAX_WORDS && words.every((word) => PLAIN.test(word))) {
      const isThere = words.map(() => "AND instr(lower(translations.text), ?) > 0").join(" ");
      const parts = words.map((word) => word.toLowerCase());
      return hashesOf(this.#database.sql(`${HASHES_BY_TRANSLATION} ${isThere}`).all(match, ...parts));
    }
    const patterns = words.map(patternOf);
    const rows = this.#database.sql(HASHES_BY_TRANSLATION).all(match);
    const has = ({ text }: Record<string, unknown>): boolean =>
      formsOf(JSON.parse(text as string) as Text).some((form) =>
        patterns.every((pattern) => pattern.test(form)),
      );
    return hashesOf(rows.filter(has));
  }

  /** Keys whose names have the rarest trigrams of this one, in no order. */
  similar(name: string): readonly NamedKey[] {
    let total = 0;
    const rare = this.#byRarity(`..${name.toLowerCase()}`, KEYS).filter(
      ({ count }) => count > 0 && (total += count) <= MANY_ROWS,
    );
    return this.#byKey(inName(anyOf(rare.map(({ trigram }) => quoted(trigram)))), MANY_ROWS);
  }

  /** Keys whose source texts have the rarest words of this one, those that share the most with it first. */
  similarTexts(text: string, limit: number): readonly KeyHit[] {
    const words = wordsOf(text);
    const { count } = KEYS;
    let total = 0;
    const rare = [...words]
      .filter((word) => lengthOf(word) > TRIGRAM)
      .slice(0, MAX_WORDS)
      .map((word) => ({
        word,
        count: Number(this.#database.sql(count).get(inText(quoted(word)), MANY_ROWS)?.["count"]),
      }))
      .sort((a, b) => a.count - b.count)
      .filter(({ count }) => count > 0 && (total += count) <= MANY_ROWS);
    const hits = this.#byKey(inText(anyOf(rare.map(({ word }) => quoted(word)))), MANY_ROWS);
    return hits
      .map((hit) => ({ hit, shared: sharedWords(words, wordsOf(formsOf(hit.text).join(" "))) }))
      .filter(({ shared }) => shared >= LEAST_SHARED)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, limit)
      .map(({ hit }) => hit);
  }

  *#ranked({ words, starts = [], locales = [] }: KeyQuery, limit: number): Generator<KeyHit, void> {
    const texts = words.map(withoutNul).filter((word) => word !== "");
    const names = texts.map((word) => word.replaceAll(/:+/g, "."));
    const [name = "", text = ""] = [names[0], texts[0]];
    if (texts.length <= 1) {
      const beginnings = name === "" ? starts : [...starts, ""];
      yield* this.#byKey(inName(anyOf(beginnings.map((start) => quoted(`..${start}${name}`)))), limit);
    }
    if (texts.length === 0) {
      yield* this.#database
        .sql(ALL)
        .all(limit)
        .map((row) => hitOf(row as unknown as Row));
      return;
    }
    const isLetter = texts.length === 1 && lengthOf(text) === 1;
    if (texts.length === 1 && !isLetter) {
      yield* this.#byKey(inName(anyOf(SEPARATORS.map((separator) => quoted(separator + name)))), limit);
    }
    const named = this.#byKey(inName(this.#keysWith(names)), limit);
    yield* named;
    // One letter is in every text, and the beginning of a name is no word of one.
    if (isLetter || (texts.length === 1 && named.length > 0 && NAME_LIKE.test(text))) return;
    const patterns = texts.map(patternOf);
    if (texts.length === 1) {
      const beginning = anyOf(this.#phrases(text, KEYS).map((phrase) => `^ ${phrase}`));
      if (beginning !== "") yield* this.#byKey(`text : ${beginning}`, limit, patterns);
    }
    yield* this.#byKey(this.#keysWith(texts), limit, patterns);
    yield* this.#byTranslation(texts, patterns, locales, limit);
  }

  /** `patterns`: of words that may be in the source text. */
  #byKey(match: string, limit: number, patterns: readonly RegExp[] = []): readonly KeyHit[] {
    if (match === "") return [];
    const rows = this.#database.sql(BY_KEY).all(match, limit) as unknown as readonly Row[];
    return rows.map((row) => hitOf(row, patterns));
  }

  #byTranslation(
    words: readonly string[],
    patterns: readonly RegExp[],
    locales: readonly string[],
    limit: number,
  ): readonly KeyHit[] {
    const match = allOf(
      words.filter((word) => lengthOf(word) > 1).map((word) => this.#translationsWith(word)),
    );
    if (match === "") return [];
    const rows = this.#database.sql(BY_TRANSLATION).all(match, limit) as unknown as readonly Row[];
    const hits = rows.flatMap((row) => {
      // The index knows of trigrams, not of their order.
      const text = formsOf(JSON.parse(row.translation) as Text).find((form) =>
        patterns.every((pattern) => pattern.test(form)),
      );
      return text === undefined ? [] : [{ ...hitOf(row), match: { locale: row.locale, text } }];
    });
    return [...hits.filter(({ match: { locale } }) => locales.includes(locale)), ...hits];
  }

  /** Matches keys that have all of the words. */
  #keysWith(words: readonly string[]): string {
    return allOf(words.map((word) => anyOf(this.#phrases(word, KEYS))));
  }

  /** Matches translations that have the word, and a few others. */
  #translationsWith(word: string): string {
    if (lengthOf(word) < TRIGRAM) return anyOf(this.#phrases(word, TRANSLATIONS));
    const rare = this.#byRarity(word, TRANSLATIONS).slice(0, RARE_TRIGRAMS);
    return allOf(rare.map(({ trigram }) => quoted(trigram)));
  }

  #byRarity(text: string, { count }: typeof KEYS): { readonly trigram: string; readonly count: number }[] {
    const rows = (trigram: string): number =>
      Number(this.#database.sql(count).get(quoted(trigram), MANY_ROWS)?.["count"]);
    return [...new Set(trigramsOf(text))]
      .map((trigram) => ({ trigram, count: rows(trigram) }))
      .sort((a, b) => a.count - b.count);
  }

  /** The word as a phrase, or the trigrams that begin with one of one or two letters. */
  #phrases(word: string, { nextTrigram }: typeof KEYS): readonly string[] {
    if (lengthOf(word) >= TRIGRAM) return [quoted(word)];
    const start = word.toLowerCase();
    const next = (from: string): string | undefined =>
      this.#database.sql(nextTrigram).get(from)?.["term"] as string | undefined;
    const trigrams: string[] = [];
    for (let trigram = next(start); trigram?.startsWith(start) === true; trigram = next(`${trigram}\0`)) {
      if (trigrams.push(trigram) === MAX_TRIGRAMS) break;
    }
    return trigrams.map(quoted);
  }
}

function hashesOf(rows: readonly Record<string, unknown>[]): readonly string[] {
  return rows.map(({ hash }) => hash as string);
}

function hitOf({ hash, namespace, key, context, text: json }: Row, patterns: readonly RegExp[] = []): KeyHit {
  const text = json === null ? null : (JSON.parse(json) as Text);
  const forms = patterns.length === 0 ? [] : formsOf(text);
  const form =
    forms.find((each) => patterns.every((pattern) => pattern.test(each))) ??
    forms.find((each) => patterns.some((pattern) => pattern.test(each)));
  return {
    hash,
    namespace,
    key,
    context,
    text,
    match: form === undefined ? null : { locale: null, text: form },
  };
}

/** The value of a text, or all of its forms. */
function formsOf(text: Text | null): readonly string[] {
  if (text === null) return [];
  return isForms(text) ? Object.values(text.forms) : [text.value];
}

/** Folds letters' case as the index does. */
function patternOf(word: string): RegExp {
  return new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
}

/** An expression ends at a NUL. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

/** The expression of a phrase, whatever is in it. */
function quoted(text: string): string {
  return `"${withoutNul(text).replaceAll('"', '""')}"`;
}

/** Nothing matches an empty expression, so one of several has to be there, */
function anyOf(expressions: readonly string[]): string {
  return bracketed(
    expressions.filter((each) => each !== ""),
    " OR ",
  );
}

/** and all of several do. */
function allOf(expressions: readonly string[]): string {
  return expressions.includes("") ? "" : bracketed(expressions, " AND ");
}

function bracketed(expressions: readonly string[], operator: string): string {
  return expressions.length === 0 ? "" : `(${expressions.join(operator)})`;
}

function inText(expression: string): string {
  return expression === "" ? "" : `text : ${expression}`;
}

/** So many words of a text are looked for in others. */
const MAX_WORDS = 12;
/** Texts that share less are not alike. */
const LEAST_SHARED = 0.3;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** How many of the words of both texts are in both: 0 to 1. */
function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

function inName(expression: string): string {
  return expression === "" ? "" : `name : ${expression}`;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function trigramsOf(text: string): readonly string[] {
  const letters = Array.from(text);
  return letters.slice(0, -2).map((letter, at) => letter + letters[at + 1] + letters[at + 2]);
}
