/**
 * Finds key usages in markup with expressions in single braces: Svelte and Astro components. Tolerant of errors;
 * builds no tree and knows no components. A translator created in a script is in scope in the whole component.
 */
import type { Span } from "../util/span.ts";
import { isKeyAttribute, javascriptFunctions } from "./function-calls/function-signatures.ts";
import { addComponentUsages } from "./javascript/components.ts";
import { addJavaScriptUsages } from "./javascript/javascript-scanner.ts";
import {
  type FindOptions,
  type Imports,
  type KeyUsage,
  sortByOffset,
  type UsageLanguage,
} from "./key-usage.ts";
import type { Property } from "./source-reader.ts";
import { isSpace, skipSpace, wordEnd } from "./lexers/characters.ts";
import { MarkupLexer } from "./lexers/embedded-code.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";

export const svelte: UsageLanguage = {
  languageIds: ["svelte"],
  extensions: [".svelte"],
  comments: "markup",
  find: (text, options, imports) => findIn(text, options, false, imports),
};

export const astro: UsageLanguage = {
  languageIds: ["astro"],
  extensions: [".astro"],
  comments: "markup",
  find: (text, options, imports) => findIn(text, options, true, imports),
};

function findIn(
  text: string,
  options: FindOptions,
  isAstro: boolean,
  imports?: Imports,
): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const lexer = new SvelteLexer(text, isAstro);
  const usages: KeyUsage[] = [];
  const source = lexer.run();
  source.imports = imports;
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
const OPTION_ATTRIBUTES = /^(?:count|context|defaults|defaultMessage|t)$/;

/** Whether a component's attribute contains a key or one of its options. */
function isOfKey(name: string): boolean {
  return isKeyAttribute(name) || OPTION_ATTRIBUTES.test(name);
}

class SvelteLexer extends MarkupLexer {
  readonly #isAstro: boolean;

  constructor(text: string, isAstro: boolean) {
    super(text);
    this.#isAstro = isAstro;
    const script = isAstro ? frontMatter(text) : null;
    if (script !== null) this.script(script.start, script.end);
  }

  protected override openers(): RegExp {
    return /<!--|\{|<(?=[A-Za-z])/g;
  }

  protected override open({ index, 0: opener }: RegExpExecArray): number {
    if (opener === "<!--") return this.after("-->", index + 4);
    return opener === "{" ? this.#braces(index) : this.startTag(index);
  }

  /**
   * Lexes `{…}` at the offset, without Svelte's `#if`, `:else if`, `/each` and `@html`; returns the offset after it.
   */
  #braces(open: number): number {
    const { text } = this;
    let start = open + 1;
    if (/[#:@/]/.test(text[start] ?? "")) {
      const end = wordEnd(text, start + 1);
      // `{/* a comment */}` and `{/x/.test(y)}` are expressions.
      if (end > start + 1 && !(text[start] === "/" && text[skipSpace(text, end)] !== "}")) start = end;
      if (text.startsWith(" if", start) && text.slice(open, start) === "{:else") start += 3;
    }
    const end = this.embed(start, () =>
      lexJavaScript(text, start, text.length, this.mask, this.#isAstro, "brace"),
    );
    return Math.min(end + 1, text.length);
  }

  protected override attribute(_tag: string, start: number, out: Property[]): number {
    const { text } = this;
    if (text[start] === "{") return this.#braces(start);
    let nameEnd = start;
    while (
      nameEnd < text.length &&
      !isSpace(text.charCodeAt(nameEnd)) &&
      !/["'<>/={}]/.test(text[nameEnd] ?? "")
    )
      nameEnd++;
    if (nameEnd === start) return start + 1;
    const equals = skipSpace(text, nameEnd);
    if (text[equals] !== "=") return nameEnd;
    const name = text.slice(start, nameEnd);
    const value = skipSpace(text, equals + 1);
    if (text[value] === '"' || text[value] === "'") return this.#quotedValue(name, value, out);
    if (text[value] !== "{") return value;
    const end = this.#braces(value);
    if (isOfKey(name)) {
      out.push({ name, value: { start: value + 1, end: Math.max(end - 1, value + 1) } });
    }
    return end;
  }

  /** Reads a quoted value, which may contain expressions; a quote inside an expression does not close it. */
  #quotedValue(name: string, open: number, out: Property[]): number {
    const { text } = this;
    const ends = text[open] === '"' ? /["{]/g : /['{]/g;
    ends.lastIndex = open + 1;
    let isPlain = true;
    for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
      if (found[0] !== "{") {
        const end = found.index + 1;
        if (isPlain && isOfKey(name)) out.push({ name, value: this.plainValue(open, end) });
        return end;
      }
      isPlain = false;
      ends.lastIndex = this.#braces(found.index);
    }
    return text.length;
  }

  protected override content(tag: string, start: number, isEmpty: boolean): number {
    if (isEmpty || !/^(?:script|style)$/i.test(tag)) return start;
    const end = this.find(`</${tag}`, start);
    return /^script$/i.test(tag) ? this.script(start, end) : end;
  }
}
