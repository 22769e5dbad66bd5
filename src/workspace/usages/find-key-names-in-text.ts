/**
 * Searches any text (strings, templates, comments, documents) for the names of keys, outside of known usages. An
 * occurrence only means that a key cannot be called unused, never that it is used.
 */
import { getOrCreate } from "../../util/maps.ts";
import { unescapeJavaScript, unescapeMarkup } from "../../scanners/lexers/string-literals.ts";

/** A name to search for. */
export interface SearchedName {
  readonly name: string;
  /** Only counts as a complete literal: a plain word is too common. */
  readonly isLiteral: boolean;
}

/** A word of the characters that keys consist of, without trailing punctuation. */
const WORD = /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.:/-]*[\p{L}\p{N}_$])?/gu;
const WORD_ONLY = new RegExp(`^${WORD.source}$`, "u");
/** Quotes of all kinds, plain, escaped or as character references; other escape sequences are skipped. */
const QUOTE = /\\?["'`]|&(?:quot|apos|#0?39|#34);|\\[\s\S]/g;
const BETWEEN_TAGS = />([^<>]+)(?=<)/g;
/** Values without quotes: `label: Save`, `- Save`, `label = Save`. */
const PLAIN_VALUE = /^[ \t]*(?:-[ \t]+)*(?:[\w.-]{1,200}[ \t]*[:=][ \t]*)?([^\s"'#][^\n]{0,1000})$/gm;
const PLAIN_VALUE_FILE = /\.(?:ya?ml|neon|ini|toml|conf|properties)$/i;
/** Most characters of an escape sequence for one character (`\u{1F600}`). */
const MAX_ESCAPE_CHARACTERS = 10;

/** Searches texts for names, one text at a time. */
export class KeyOccurrences<Id> {
  readonly #words = new Map<string, Id[]>();
  readonly #literals = new Map<string, Id[]>();
  readonly #paths = new Map<Id, string>();
  #maxLiteralLength = 0;

  /** Adds a name to search for; several ids may share a name. */
  add({ name, isLiteral }: SearchedName, id: Id): void {
    if (name === "") return;
    const isWord = !isLiteral && WORD_ONLY.test(name);
    const names = isWord ? this.#words : this.#literals;
    if (!isWord) this.#maxLiteralLength = Math.max(this.#maxLiteralLength, name.length);
    getOrCreate(names, name, () => []).push(id);
  }

  /** Records which names occur in the text of the file at `path`. Linear in its length. */
  search(path: string, text: string): void {
    if (this.#words.size > 0) {
      for (const [word] of text.matchAll(WORD)) this.#record(this.#words.get(word), path);
    }
    if (this.#literals.size === 0) return;
    const maxLength = this.#maxLiteralLength * MAX_ESCAPE_CHARACTERS;
    for (const literal of literalsOf(path, text)) {
      if (literal.length <= maxLength)
        for (const form of unescapedForms(literal)) this.#record(this.#literals.get(form), path);
    }
  }

  /** Returns the first file that contains one of the id's names, by id; ids without one are omitted. */
  paths(): ReadonlyMap<Id, string> {
    return this.#paths;
  }

  #record(ids: readonly Id[] | undefined, path: string): void {
    for (const id of ids ?? []) if (!this.#paths.has(id)) this.#paths.set(id, path);
  }
}

/**
 * Yields whatever may be a literal. Any text between two quotes of a kind counts, also outside of strings, since an
 * apostrophe in a comment would invert all strings after it.
 */
function* literalsOf(path: string, text: string): Generator<string> {
  const openings = new Map<string, number>();
  for (const found of text.matchAll(QUOTE)) {
    const [quote] = found;
    const start = openings.get(quote);
    if (start !== undefined) yield text.slice(start, found.index);
    openings.set(quote, found.index + quote.length);
  }
  for (const [, between = ""] of text.matchAll(BETWEEN_TAGS)) yield between.trim().replaceAll(/\s+/g, " ");
  if (!PLAIN_VALUE_FILE.test(path)) return;
  for (const [, value = ""] of text.matchAll(PLAIN_VALUE)) yield value.trimEnd();
}

/** Returns the literal and its unescaped forms in any language. */
function unescapedForms(literal: string): ReadonlySet<string> {
  const forms = new Set([literal]);
  if (literal.includes("\\")) {
    forms.add(unescapeJavaScript(literal));
    forms.add(literal.replaceAll(/\\(.)/gs, "$1"));
  }
  if (literal.includes("&")) forms.add(unescapeMarkup(literal));
  if (literal.includes("%%")) forms.add(literal.replaceAll("%%", "%"));
  return forms;
}
