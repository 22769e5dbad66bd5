/**
 * Lexer for markup with expressions in single braces (Svelte, Astro): scripts, `{…}` in text and attributes, and
 * attributes with keys. Tolerant of errors; builds no tree and knows no components.
 */
import { indexWithin, isSpace, isWord, skipSpace, wordEnd } from "./characters.ts";
import type { Attribute } from "../javascript/markup-attributes.ts";
import { lexJavaScript, lexJavaScriptInBraces } from "./javascript-lexer.ts";
import type { Mask, Masked } from "./masked-source.ts";

/** A start tag with an attribute that contains a key. */
export interface MarkupTag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: readonly Attribute[];
}

/** Lexed markup: the masked scripts and expressions, and the tags that may contain keys. */
export interface LexedMarkup {
  readonly masked: Masked;
  readonly tags: readonly MarkupTag[];
}

/** Attributes that are recorded; no others affect keys. */
const KEY_ATTRIBUTES = /^(?:i18nKey|id|keypath|ns|count|context|defaults|defaultMessage|t)$/;
const RAW = /^(?:script|style)$/i;

/**
 * Lexes the markup from `start` on; the text before it is already in the mask.
 * @param jsx whether expressions may contain elements
 */
export function lexBraceMarkup(text: string, start: number, mask: Mask, jsx: boolean): LexedMarkup {
  return new MarkupLexer(text, start, mask, jsx).run();
}

class MarkupLexer {
  readonly #text: string;
  readonly #mask: Mask;
  readonly #jsx: boolean;
  readonly #tags: MarkupTag[] = [];
  /** Offset up to which the text has been masked. */
  #done: number;

  constructor(text: string, start: number, mask: Mask, jsx: boolean) {
    this.#text = text;
    this.#mask = mask;
    this.#jsx = jsx;
    this.#done = start;
  }

  run(): LexedMarkup {
    const text = this.#text;
    const openers = /<!--|\{|<(?=[A-Za-z])/g;
    openers.lastIndex = this.#done;
    for (let found = openers.exec(text); found !== null; found = openers.exec(text)) {
      const { index } = found;
      if (found[0] === "<!--") openers.lastIndex = Math.min(this.#find("-->", index + 4) + 3, text.length);
      else if (found[0] === "{") openers.lastIndex = this.#braces(index);
      else openers.lastIndex = this.#tag(index);
    }
    this.#mask.separate(this.#done, text.length);
    return { masked: this.#mask.done(), tags: this.#tags };
  }

  /**
   * Lexes `{…}` at the offset, without Svelte's `#if`, `:else if`, `/each` and `@html`; returns the offset after it.
   */
  #braces(open: number): number {
    const text = this.#text;
    let start = open + 1;
    if (/[#:@/]/.test(text[start] ?? "")) {
      const end = wordEnd(text, start + 1);
      // `{/* a comment */}` and `{/x/.test(y)}` are expressions.
      if (end > start + 1 && !(text[start] === "/" && text[skipSpace(text, end)] !== "}")) start = end;
      if (text.startsWith(" if", start) && text.slice(open, start) === "{:else") start += 3;
    }
    this.#mask.separate(this.#done, start);
    this.#done = lexJavaScriptInBraces(text, start, text.length, this.#mask, this.#jsx);
    return Math.min(this.#done + 1, text.length);
  }

  /** Reads the start tag at `open`, including the content of a script; returns the offset to continue at. */
  #tag(open: number): number {
    const text = this.#text;
    let at = open + 1;
    while (isWord(text.charCodeAt(at)) || /[-.:]/.test(text[at] ?? "")) at++;
    const name = text.slice(open + 1, at);
    const attributes: Attribute[] = [];
    while (at < text.length) {
      at = skipSpace(text, at);
      const char = text[at];
      if (char === ">" || char === "<" || char === undefined) break;
      if (char === "{") at = this.#braces(at);
      else if (/[/"'=]/.test(char)) at++;
      else at = this.#attribute(at, attributes);
    }
    const end = text[at] === ">" ? at + 1 : at;
    if (attributes.length > 0) this.#tags.push({ name, start: open, end, attributes });
    if (!RAW.test(name) || text[end - 2] === "/") return end;
    const close = this.#find(`</${name}`, end);
    if (/^script$/i.test(name)) {
      this.#mask.separate(this.#done, end);
      lexJavaScript(text, end, close, this.#mask, false);
      this.#done = close;
    }
    return close;
  }

  /** Reads one attribute; returns the offset after it. */
  #attribute(start: number, out: Attribute[]): number {
    const text = this.#text;
    let at = start;
    while (at < text.length && !isSpace(text.charCodeAt(at)) && !/["'<>/={}]/.test(text[at] ?? "")) at++;
    if (at === start) return start + 1;
    const name = text.slice(start, at);
    const equals = skipSpace(text, at);
    if (text[equals] !== "=") return at;
    const value = skipSpace(text, equals + 1);
    const quote = text[value];
    if (quote === "{") {
      const after = this.#braces(value);
      if (KEY_ATTRIBUTES.test(name))
        out.push({ name, value: { start: value + 1, end: Math.max(after - 1, value + 1) } });
      return after;
    }
    if (quote === '"' || quote === "'") return this.#quoted(name, value, quote, out);
    return value;
  }

  /** Reads a quoted value, which may contain expressions; a quote inside an expression does not close it. */
  #quoted(name: string, open: number, quote: string, out: Attribute[]): number {
    const text = this.#text;
    const ends = quote === '"' ? /["{]/g : /['{]/g;
    ends.lastIndex = open + 1;
    let plain = true;
    for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
      if (found[0] === "{") {
        plain = false;
        ends.lastIndex = this.#braces(found.index);
        continue;
      }
      const end = found.index + 1;
      if (plain && KEY_ATTRIBUTES.test(name)) {
        // Keeps the `=` and the quotes, so that the value is recognised as a plain attribute.
        this.#mask.separate(this.#done, text.lastIndexOf("=", open));
        this.#mask.blank(open + 1, end - 1);
        this.#done = end;
        out.push({ name, value: { start: open, end } });
      }
      return end;
    }
    return text.length;
  }

  #find(closer: string, from: number): number {
    const offset = indexWithin(this.#text, closer, from, this.#text.length);
    return offset === -1 ? this.#text.length : offset;
  }
}
