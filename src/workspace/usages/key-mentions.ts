/**
 * Whether texts of any kind name a key anywhere, outside of what is known to be its use: in a string, a template, a
 * comment, a document. It only tells that a key cannot be called unused, never that it is used.
 */
import { unescapeJavaScript } from "../../scanners/lexers/literals.ts";
import { unescapeMarkup } from "../../scanners/lexers/markup-text.ts";

/** A name to search for. */
export interface SearchedName {
  readonly name: string;
  /** It counts only as a whole literal: a plain word names too much elsewhere. */
  readonly isLiteral: boolean;
}

/** A word with what keys are made of; what ends a sentence is taken off. */
const WORD = /[\p{L}\p{N}_$][\p{L}\p{N}_$.:/-]*/gu;
const WORD_ONLY = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:/-]*$/u;
const WORD_END = /[.:/-]+$/;
/** Quotes of all kinds, plain, escaped or as character references; other escapes are stepped over. */
const QUOTE = /\\?["'`]|&(?:quot|apos|#0?39|#34);|\\[\s\S]/g;
const BETWEEN_TAGS = />([^<>]+)(?=<)/g;
/** Values without quotes: `label: Save`, `- Save`, `label = Save`. */
const PLAIN_VALUE = /^[ \t]*(?:-[ \t]+)*(?:[\w.-]{1,200}[ \t]*[:=][ \t]*)?([^\s"'#][^\n]{0,1000})$/gm;
const PLAIN_VALUE_FILE = /\.(?:ya?ml|neon|ini|toml|conf|properties)$/i;
/** An escape is so many characters for one at most (`\u{1F600}`). */
const LONGEST_ESCAPE = 10;

/** Looks for names in texts, one text after the other. */
export class Mentions<Id> {
  readonly #words = new Map<string, Id[]>();
  readonly #literals = new Map<string, Id[]>();
  readonly #found = new Map<Id, string>();
  #longestLiteral = 0;

  /** By name, whom it stands for; a name may stand for several. */
  add({ name, isLiteral }: SearchedName, id: Id): void {
    if (name === "") return;
    const isWord = !isLiteral && WORD_ONLY.test(name) && !WORD_END.test(name);
    const names = isWord ? this.#words : this.#literals;
    if (!isWord) this.#longestLiteral = Math.max(this.#longestLiteral, name.length);
    const ids = names.get(name);
    if (ids === undefined) names.set(name, [id]);
    else ids.push(id);
  }

  /** Notes which names the text of the file at `path` has. Linear in its length. */
  search(path: string, text: string): void {
    if (this.#words.size > 0) {
      for (const [word] of text.matchAll(WORD)) {
        this.#note(this.#words.get(word) ?? this.#words.get(word.replace(WORD_END, "")), path);
      }
    }
    if (this.#literals.size === 0) return;
    const longest = this.#longestLiteral * LONGEST_ESCAPE;
    for (const literal of literalsOf(path, text)) {
      if (literal.length <= longest)
        for (const form of formsOf(literal)) this.#note(this.#literals.get(form), path);
    }
  }

  /** The first file that names it; `undefined`: none does. */
  pathOf(id: Id): string | undefined {
    return this.#found.get(id);
  }

  #note(ids: readonly Id[] | undefined, path: string): void {
    for (const id of ids ?? []) if (!this.#found.has(id)) this.#found.set(id, path);
  }
}

/**
 * What may be a literal, by the text alone. Whatever stands between two quotes of a kind counts, also what is outside of
 * strings, since an apostrophe in a comment would turn all strings after it inside out.
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

/** What the literal may say, by the escapes of any language. */
function formsOf(literal: string): ReadonlySet<string> {
  const forms = new Set([literal]);
  if (literal.includes("\\")) {
    forms.add(unescapeJavaScript(literal));
    forms.add(literal.replaceAll(/\\(.)/gs, "$1"));
  }
  if (literal.includes("&")) forms.add(unescapeMarkup(literal));
  if (literal.includes("%%")) forms.add(literal.replaceAll("%%", "%"));
  return forms;
}
