/**
 * The syntax of whole ICU messages: their arguments, and the first error. The rules are those of FormatJS's parser
 * (`@formatjs/icu-messageformat-parser`), which ICU's own agree with; icu-message.ts finds the plurals in texts that
 * may be no ICU messages.
 */
import type { Span } from "../util/span.ts";

export interface IcuSyntaxOptions {
  /** Whether `<b>…</b>` is syntax (FormatJS, next-intl), so that tags must be closed. */
  readonly tags: boolean;
}

/** An argument of a message; the span is that of its name with the brace before it, or of `{name}`. */
export interface IcuArgument extends Span {
  readonly name: string;
}

export interface IcuSyntaxError extends Span {
  readonly kind:
    | "argument"
    | "argument-type"
    | "argument-style"
    | "closing-brace"
    | "options"
    | "duplicate-option"
    | "missing-other"
    | "tag";
}

export interface IcuSyntax {
  readonly arguments: readonly IcuArgument[];
  readonly error: IcuSyntaxError | null;
}

/** Levels of nesting that are parsed; deeper ones are an error. */
const MAX_DEPTH = 100;

/** Parses a message. Linear in its length. */
export function parseIcuSyntax(text: string, options: IcuSyntaxOptions): IcuSyntax {
  const parser = new IcuParser(text, options);
  try {
    parser.message(0, null, false);
    return { arguments: parser.arguments, error: null };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return { arguments: parser.arguments, error: error.at };
  }
}

class SyntaxFailure extends Error {
  readonly at: IcuSyntaxError;

  constructor(at: IcuSyntaxError) {
    super(at.kind);
    this.at = at;
  }
}

const SIMPLE_TYPES: ReadonlySet<string> = new Set(["number", "date", "time"]);
/** Further types of ICU itself (PHP's intl, Symfony). */
const ICU_TYPES: ReadonlySet<string> = new Set(["spellout", "ordinal", "duration"]);
const OPTION_TYPES: ReadonlySet<string> = new Set(["plural", "selectordinal", "select"]);

/** Unicode's Pattern_White_Space: with marks of direction, without no-break spaces. */
const SPACE = /[\t-\r \u0085\u200e\u200f\u2028\u2029]*/uy;
// JavaScript has no property for Pattern_Syntax: ASCII punctuation, and symbols beyond.
const IDENTIFIER =
  /[^\p{White_Space}!-/:-@[-^`{-~\u00a1-\u00a7\u00a9\u00ab\u00ac\u00ae\u00b0\u00b1\u00b6\u00bb\u00bf\u00d7\u00f7\u2010-\u203e\u2041-\u2053\u2055-\u205e\u2190-\u245f\u2500-\u2775\u2794-\u2bff\u2e00-\u2e7f\u3001-\u3003\u3008-\u3020\u3030\ufd3e\ufd3f\ufe45\ufe46]*/uy;
const INTEGER = /-?\d+/uy;
const TAG_NAME =
  /[A-Za-z][-.\w\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c-\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd]*/uy;

class IcuParser {
  readonly arguments: IcuArgument[] = [];
  readonly #text: string;
  readonly #options: IcuSyntaxOptions;
  #at = 0;

  constructor(text: string, options: IcuSyntaxOptions) {
    this.#text = text;
    this.#options = options;
  }

  /** Parses to the end, or up to the brace or closing tag that ends the message. */
  message(depth: number, type: string | null, isInTag: boolean): void {
    if (depth > MAX_DEPTH) this.#fail("argument");
    const text = this.#text;
    while (this.#at < text.length) {
      const character = text[this.#at];
      if (character === "'") this.#quote(type);
      else if (character === "{") this.#argument(depth, isInTag);
      else if (character === "}" && depth > 0) return;
      else if (character === "<" && this.#options.tags && text[this.#at + 1] === "/") {
        if (isInTag) return;
        this.#fail("tag");
      } else if (character === "<" && this.#options.tags && /[A-Za-z]/u.test(text[this.#at + 1] ?? ""))
        this.#tag(depth, type);
      else this.#at++;
    }
  }

  /** An apostrophe quotes before a brace or angle bracket, and before `#` in a plural; two are one. */
  #quote(type: string | null): void {
    const text = this.#text;
    const next = text[this.#at + 1];
    if (next === "'") this.#at += 2;
    else if (!isQuotable(next, type, this.#options)) this.#at++;
    else this.#at = endOfQuote(text, this.#at);
  }

  #argument(depth: number, isInTag: boolean): void {
    const start = this.#at++;
    this.#match(SPACE);
    const name = this.#match(IDENTIFIER);
    if (name === "") this.#fail(this.#isAtEnd() ? "closing-brace" : "argument", start);
    this.#match(SPACE);
    if (this.#isAtEnd()) this.#fail("closing-brace", start);
    const character = this.#text[this.#at];
    if (character !== "}" && character !== ",") this.#fail("argument", start);
    this.#at++;
    this.arguments.push({ name, start, end: this.#at });
    if (character === ",") this.#argumentOptions(depth, isInTag, start);
  }

  #argumentOptions(depth: number, isInTag: boolean, start: number): void {
    this.#match(SPACE);
    const typeAt = this.#at;
    const type = this.#match(IDENTIFIER);
    if (OPTION_TYPES.has(type)) this.#choice(type, depth, isInTag, start);
    else if (SIMPLE_TYPES.has(type) || (!this.#options.tags && ICU_TYPES.has(type))) this.#style(type);
    else this.#fail("argument-type", typeAt);
    this.#close(start);
  }

  #style(type: string): void {
    this.#match(SPACE);
    if (this.#text[this.#at] !== ",") return;
    this.#at++;
    this.#match(SPACE);
    const start = this.#at;
    let nested = 0;
    for (; !this.#isAtEnd(); this.#at++) {
      const character = this.#text[this.#at];
      if (character === "'") {
        const close = this.#text.indexOf("'", this.#at + 1);
        if (close === -1) this.#fail("argument-style");
        this.#at = close;
      } else if (character === "{") nested++;
      else if (character === "}" && nested-- === 0) break;
    }
    const style = this.#text.slice(start, this.#at).trim();
    const isWrong =
      style === "" || (this.#options.tags && style.startsWith("::") && !isSkeleton(style.slice(2), type));
    if (isWrong) this.#fail("argument-style", start);
  }

  #choice(type: string, depth: number, isInTag: boolean, start: number): void {
    this.#match(SPACE);
    if (this.#text[this.#at] !== ",") this.#fail("options", start);
    this.#at++;
    this.#match(SPACE);
    const selectorAt = this.#at;
    let selector = this.#match(IDENTIFIER);
    if (type !== "select" && selector === "offset") {
      if (this.#text[this.#at] !== ":") this.#fail("options", selectorAt);
      this.#at++;
      this.#match(SPACE);
      if (this.#match(INTEGER) === "") this.#fail("options");
      this.#match(SPACE);
      selector = this.#match(IDENTIFIER);
    }
    const seen = new Set<string>();
    for (;;) {
      const at = this.#at - selector.length;
      if (selector === "") {
        if (type === "select" || this.#text[this.#at] !== "=") break;
        this.#at++;
        const number = this.#match(INTEGER);
        if (number === "") this.#fail("options", at);
        selector = `=${number}`;
      }
      if (seen.has(selector)) this.#fail("duplicate-option", at);
      seen.add(selector);
      this.#match(SPACE);
      const open = this.#at;
      if (this.#text[open] !== "{") this.#fail("options", at);
      this.#at++;
      this.message(depth + 1, type, isInTag);
      this.#close(open);
      this.#match(SPACE);
      selector = this.#match(IDENTIFIER);
    }
    if (seen.size === 0) this.#fail("options");
    if (!seen.has("other")) this.#fail("missing-other", start);
  }

  #tag(depth: number, type: string | null): void {
    const start = this.#at++;
    const name = this.#match(TAG_NAME);
    this.#match(SPACE);
    if (this.#text.startsWith("/>", this.#at)) {
      this.#at += 2;
      return;
    }
    if (this.#text[this.#at] !== ">") this.#fail("tag", start);
    this.#at++;
    this.message(depth + 1, type, true);
    if (!this.#text.startsWith("</", this.#at)) this.#fail("tag", start);
    const close = this.#at;
    this.#at += 2;
    if (this.#match(TAG_NAME) !== name) this.#fail("tag", close);
    this.#match(SPACE);
    if (this.#text[this.#at] !== ">") this.#fail("tag", close);
    this.#at++;
  }

  /** Expects the brace that closes the one at `open`. */
  #close(open: number): void {
    this.#match(SPACE);
    if (this.#text[this.#at] !== "}") this.#fail("closing-brace", open);
    this.#at++;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += match.length;
    return match;
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #fail(kind: IcuSyntaxError["kind"], start: number = this.#at): never {
    const { length } = this.#text;
    const from = Math.min(start, Math.max(0, length - 1));
    throw new SyntaxFailure({ kind, start: from, end: Math.min(length, Math.max(this.#at, from + 1)) });
  }
}

/** Whether FormatJS reads the skeleton: it is not empty, nor is an option of a number's (`currency/`). */
function isSkeleton(skeleton: string, type: string): boolean {
  const tokens = skeleton.trim().split(/\s+/u);
  if (type !== "number") return tokens[0] !== "";
  return tokens.every((token) => token !== "" && !token.split("/").slice(1).includes(""));
}

/** Whether an apostrophe before this character starts a quote. */
function isQuotable(next: string | undefined, type: string | null, { tags }: IcuSyntaxOptions): boolean {
  if (next === "{" || next === "}") return true;
  if (next === "<" || next === ">") return tags;
  return next === "#" && (type === "plural" || type === "selectordinal");
}

/** Returns the offset after the quote that starts at `at`; without a second apostrophe it goes to the end. */
function endOfQuote(text: string, at: number): number {
  for (let from = at + 2; ;) {
    const close = text.indexOf("'", from);
    if (close === -1) return text.length;
    if (text[close + 1] !== "'") return close + 1;
    from = close + 2;
  }
}
