/**
 * Finds key usages in markup with expressions in single braces: Svelte and Astro components. Tolerant of errors;
 * builds no tree and knows no components. A translator created in a script is in scope in the whole component.
 */
import { sortByOffset } from "./function-calls/call-usages.ts";
import type { Span } from "../util/span.ts";
import { addComponentUsages } from "./javascript/components.ts";
import { addJavaScriptUsages } from "./javascript/javascript-scanner.ts";
import { javascriptFunctions } from "./function-calls/function-signatures.ts";
import { EmbeddedCodeLexer } from "./lexers/embedded-code.ts";
import { makeSource, type Property, type Tag } from "./lexed-source.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./key-usage.ts";
import { isSpace, isWord, skipSpace, wordEnd } from "./lexers/characters.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";

export const svelte: UsageLanguage = {
  languageIds: ["svelte"],
  extensions: [".svelte"],
  comments: "markup",
  find: (text, options) => findIn(text, options, false),
};

export const astro: UsageLanguage = {
  languageIds: ["astro"],
  extensions: [".astro"],
  comments: "markup",
  find: (text, options) => findIn(text, options, true),
};

function findIn(text: string, options: FindOptions, isAstro: boolean): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const lexer = new MarkupLexer(text, isAstro);
  const source = makeSource(lexer.run(), "javascript");
  const usages: KeyUsage[] = [];
  const bindings = addJavaScriptUsages(source, functions, usages);
  for (const tag of lexer.tags) addComponentUsages(bindings, tag, usages);
  return sortByOffset(usages);
}

/** Returns the range of Astro's script between two lines of dashes, and the offset after it. */
export function frontMatter(text: string): (Span & { readonly after: number }) | null {
  const fence = /^\s*---[ \t]*\r?\n/.exec(text.slice(0, 200));
  if (fence === null) return null;
  const close = text.indexOf("\n---", fence[0].length - 1);
  const end = close === -1 ? text.length : close;
  return { start: fence[0].length, end, after: Math.min(end + "\n---".length, text.length) };
}

/** Attributes that are recorded; no others affect keys. */
const KEY_ATTRIBUTES = /^(?:i18nKey|id|keypath|ns|count|context|defaults|defaultMessage|t)$/;
const RAW = /^(?:script|style)$/i;

class MarkupLexer extends EmbeddedCodeLexer {
  /** Start tags with an attribute that contains a key. */
  readonly tags: Tag[] = [];
  readonly #isAstro: boolean;

  constructor(text: string, isAstro: boolean) {
    super(text);
    this.#isAstro = isAstro;
    const script = isAstro ? frontMatter(text) : null;
    if (script !== null) this.script(script.start, script.end, false);
  }

  protected override openers(): RegExp {
    return /<!--|\{|<(?=[A-Za-z])/g;
  }

  protected override open({ index, 0: opener }: RegExpExecArray): number {
    if (opener === "<!--") return this.after("-->", index + 4);
    return opener === "{" ? this.#braces(index) : this.#tag(index);
  }

  /**
   * Lexes `{…}` at the offset, without Svelte's `#if`, `:else if`, `/each` and `@html`; returns the offset after it.
   */
  #braces(open: number): number {
    const text = this.text;
    let start = open + 1;
    if (/[#:@/]/.test(text[start] ?? "")) {
      const end = wordEnd(text, start + 1);
      // `{/* a comment */}` and `{/x/.test(y)}` are expressions.
      if (end > start + 1 && !(text[start] === "/" && text[skipSpace(text, end)] !== "}")) start = end;
      if (text.startsWith(" if", start) && text.slice(open, start) === "{:else") start += 3;
    }
    this.mask.separate(this.done, start);
    this.done = lexJavaScript(text, start, text.length, this.mask, this.#isAstro, "brace");
    return Math.min(this.done + 1, text.length);
  }

  /** Reads the start tag at `open`, including the content of a script; returns the offset to continue at. */
  #tag(open: number): number {
    const text = this.text;
    let at = open + 1;
    while (isWord(text.charCodeAt(at)) || /[-.:]/.test(text[at] ?? "")) at++;
    const name = text.slice(open + 1, at);
    const attributes: Property[] = [];
    while (at < text.length) {
      at = skipSpace(text, at);
      const char = text[at];
      if (char === ">" || char === "<" || char === undefined) break;
      if (char === "{") at = this.#braces(at);
      else if (/[/"'=]/.test(char)) at++;
      else at = this.#attribute(at, attributes);
    }
    const end = text[at] === ">" ? at + 1 : at;
    if (attributes.length > 0) this.tags.push({ name, start: open, end, attributes });
    if (!RAW.test(name) || text[end - 2] === "/") return end;
    const close = this.find(`</${name}`, end);
    if (/^script$/i.test(name)) this.script(end, close, false);
    return close;
  }

  /** Reads one attribute; returns the offset after it. */
  #attribute(start: number, out: Property[]): number {
    const text = this.text;
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
  #quoted(name: string, open: number, quote: string, out: Property[]): number {
    const text = this.text;
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
      if (plain && KEY_ATTRIBUTES.test(name)) out.push({ name, value: this.plainValue(open, end) });
      return end;
    }
    return text.length;
  }
}
