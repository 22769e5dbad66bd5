/**
 * Lexer for JavaScript and TypeScript with JSX: distinguishes comments, strings, templates, regular expressions and
 * JSX text from code in a single pass. It is not a parser: it continues through broken text, and a wrong guess only
 * has local effects.
 */
import {
  indexWithin,
  isWord,
  skipSpaceBack,
  skipSpace,
  typeArgumentsEnd,
  wordEnd,
  wordStart,
} from "./characters.ts";
import type { Mask } from "./mask.ts";

/** The lexer's context. A frame is left at its own end, so frames form a stack. */
type Frame = { kind: "code"; depth: number } | { kind: "template" } | { kind: "tag" } | { kind: "children" };

/** Keywords that precede an expression, so that `/` starts a regular expression and `<` an element. */
const BEFORE_EXPRESSION = new Set(
  "return typeof case do else in of instanceof new delete void throw yield await default".split(" "),
);
/** Keywords that a string may follow without a space. */
const BEFORE_STRING = new Set([...BEFORE_EXPRESSION, "from", "import", "export", "as"]);

/**
 * Lookahead limits in characters, which keep the lexer linear, and the maximum number of possible element names that
 * are looked up.
 */
const REGEXP_LIMIT = 2_000;
const ELEMENT_NAMES_LIMIT = 500;

/** 1 for characters that may end a run of plain code. */
const STOPS = new Uint8Array(128);
for (const char of "/'\"`{}<") STOPS[char.charCodeAt(0)] = 1;

/**
 * Lexes `[start, end)` of the source as a program or expression and masks its non-code ranges. With `jsx`, `<` at the
 * start of an expression opens an element (in TypeScript without JSX it starts a type assertion).
 * @param until `brace`: an expression in braces, without its opening one
 * @returns the offset of the first unmatched closing brace for `brace`, if there is one, or else `end`
 */
export function lexJavaScript(
  source: string,
  start: number,
  end: number,
  mask: Mask,
  jsx: boolean,
  until: "end" | "brace" = "end",
): number {
  return new JavaScriptLexer(source, start, end, mask, jsx).run(until);
}

class JavaScriptLexer {
  readonly #source: string;
  readonly #start: number;
  #end: number;
  readonly #mask: Mask;
  readonly #jsx: boolean;
  readonly #stack: Frame[] = [{ kind: "code", depth: 0 }];
  readonly #lastClosing = new Map<string, number>();
  #offset: number;
  /** Range of the last run of comments, so that it can be skipped when looking back. */
  #commentStart = -1;
  #commentEnd = -1;

  constructor(source: string, start: number, end: number, mask: Mask, jsx: boolean) {
    this.#source = source;
    this.#start = start;
    this.#end = end;
    this.#mask = mask;
    this.#jsx = jsx;
    this.#offset = start;
  }

  run(until: "end" | "brace"): number {
    while (this.#offset < this.#end) {
      const frame = this.#stack.at(-1);
      if (frame === undefined) break;
      if (frame.kind === "code") this.#code(frame, until);
      else if (frame.kind === "template") this.#template();
      else if (frame.kind === "tag") this.#tag();
      else this.#children();
    }
    return this.#end;
  }

  #code(frame: { depth: number }, until: "end" | "brace"): void {
    const source = this.#source;
    while (this.#offset < this.#end) {
      const offset = this.#offset;
      const code = source.charCodeAt(offset);
      if (code >= 128 || STOPS[code] === 0) {
        this.#offset++;
        continue;
      }
      switch (code) {
        case 47: // /
          if (!this.#comment() && !this.#regExp()) this.#offset++;
          break;
        case 39: // '
        case 34: // "
          this.#string(code);
          break;
        case 96: // `
          this.#offset++;
          this.#stack.push({ kind: "template" });
          return;
        case 123: // {
          frame.depth++;
          this.#offset++;
          break;
        case 125: // }
          this.#offset++;
          if (frame.depth > 0) frame.depth--;
          else if (this.#stack.length > 1) {
            this.#stack.pop();
            return;
          } else if (until === "brace") {
            this.#end = this.#offset - 1;
            return;
          }
          break;
        default: // <
          if (this.#jsx && this.#opensElement()) return;
          this.#offset++;
      }
    }
  }

  /** Lexes a comment if one starts at the offset. */
  #comment(): boolean {
    const next = this.#source.charCodeAt(this.#offset + 1);
    if (next !== 47 && next !== 42) return false;
    const closer = next === 47 ? "\n" : "*/";
    const close = indexWithin(this.#source, closer, this.#offset + 2, this.#end);
    const end = close === -1 ? this.#end : next === 47 ? close : close + 2;
    this.#mask.hide(this.#offset, end);
    if (this.#commentEnd === -1 || skipSpaceBack(this.#source, this.#offset) !== this.#commentEnd - 1) {
      this.#commentStart = this.#offset;
    }
    this.#commentEnd = end;
    this.#offset = end;
    return true;
  }

  #string(quote: number): void {
    const source = this.#source;
    const open = this.#offset;
    // An apostrophe directly after a word is text mistaken for code (`Don't`), never a string.
    if (quote === 39 && open > this.#start && isWord(source.charCodeAt(open - 1))) {
      if (!BEFORE_STRING.has(source.slice(wordStart(source, open), open))) {
        this.#offset++;
        return;
      }
    }
    let offset = open + 1;
    while (offset < this.#end) {
      const code = source.charCodeAt(offset);
      if (code === quote) {
        this.#mask.blank(open + 1, offset);
        this.#offset = offset + 1;
        return;
      }
      if (code === 92)
        offset += source.charCodeAt(offset + 1) === 13 && source.charCodeAt(offset + 2) === 10 ? 3 : 2;
      else if (code === 10) break;
      else offset++;
    }
    // Not closed on its line, probably half-typed, so only this line is skipped.
    this.#offset = Math.min(offset, this.#end);
    this.#mask.blank(open, this.#offset);
  }

  /** Lexes a regular expression if one starts at the offset and ends on the same line. */
  #regExp(): boolean {
    if (!this.#expressionStartsAt(this.#offset, false)) return false;
    const source = this.#source;
    let inClass = false;
    const limit = Math.min(this.#end, this.#offset + REGEXP_LIMIT);
    for (let offset = this.#offset + 1; offset < limit; offset++) {
      const code = source.charCodeAt(offset);
      if (code === 10 || code === 13) return false;
      if (code === 92) offset++;
      else if (code === 91) inClass = true;
      else if (code === 93) inClass = false;
      else if (code === 47 && !inClass) {
        this.#mask.blank(this.#offset + 1, offset);
        this.#offset = wordEnd(source, offset + 1);
        return true;
      }
    }
    return false;
  }

  #template(): void {
    const source = this.#source;
    const open = this.#offset;
    for (let offset = open; offset < this.#end; offset++) {
      const code = source.charCodeAt(offset);
      if (code === 92) offset++;
      else if (code === 96) {
        this.#mask.blank(open, offset);
        this.#offset = offset + 1;
        this.#stack.pop();
        return;
      } else if (code === 36 && source.charCodeAt(offset + 1) === 123) {
        this.#mask.blank(open, offset);
        this.#offset = offset + 2;
        this.#stack.push({ kind: "code", depth: 0 });
        return;
      }
    }
    this.#mask.blank(open, this.#end);
    this.#offset = this.#end;
  }

  /** Enters a JSX element if `<` opens one here; returns whether it does. */
  #opensElement(): boolean {
    const source = this.#source;
    const first = source.charCodeAt(this.#offset + 1);
    const isFragment = first === 62;
    if (!isFragment && !(isWord(first) && !(first >= 48 && first <= 57))) return false;
    if (!this.#expressionStartsAt(this.#offset, true)) return false;
    if (isFragment) {
      this.#offset += 2;
      this.#stack.push({ kind: "children" });
      return true;
    }
    const nameEnd = this.#tagNameEnd(this.#offset + 1);
    const after = skipSpace(source, nameEnd);
    const next = source.charCodeAt(after);
    // `<T,>` `<T = X>` `<T extends X>` `<const T>` are type parameters.
    if (next === 44 || next === 61 || /^extends\b/.test(source.slice(after, after + 8))) return false;
    const name = source.slice(this.#offset + 1, nameEnd);
    if (name === "const") return false;
    // Only the closing tag distinguishes `<T>text</T>` from `<T>(x) => …`.
    if (next === 62 && first >= 65 && first <= 90 && this.#lastClosingTag(name) < after) return false;
    this.#offset = nameEnd;
    this.#stack.push({ kind: "tag" });
    return true;
  }

  #tag(): void {
    const source = this.#source;
    const offset = this.#offset;
    const code = source.charCodeAt(offset);
    if (code === 62) {
      this.#offset++;
      this.#stack[this.#stack.length - 1] = { kind: "children" };
    } else if (code === 47) {
      if (source.charCodeAt(offset + 1) === 62) {
        this.#offset += 2;
        this.#stack.pop();
      } else if (!this.#comment()) this.#offset++;
    } else if (code === 34 || code === 39) {
      const close = indexWithin(source, code === 34 ? '"' : "'", offset + 1, this.#end);
      if (close === -1) this.#offset++;
      else {
        this.#mask.blank(offset + 1, close);
        this.#offset = close + 1;
      }
    } else if (code === 123) {
      this.#offset++;
      this.#stack.push({ kind: "code", depth: 0 });
    } else if (code === 60 && isWord(source.charCodeAt(offset - 1))) {
      // `<Foo<Bar<X>> prop>`
      this.#offset = Math.max(typeArgumentsEnd(source, offset, this.#end), offset + 1);
    } else if (code === 60) {
      this.#offset = this.#tagNameEnd(offset + 1);
      this.#stack.push({ kind: "tag" });
    } else if (code === 125) this.#leaveMarkup();
    else this.#offset++;
  }

  #children(): void {
    const source = this.#source;
    const open = this.#offset;
    const stop = /[{}]|<(?=[/>\w$\u0080-\uffff])/g;
    stop.lastIndex = open;
    const offset = Math.min(stop.exec(source)?.index ?? this.#end, this.#end);
    this.#mask.blank(open, offset);
    this.#offset = offset;
    if (offset >= this.#end) return;
    const code = source.charCodeAt(offset);
    if (code === 123) {
      this.#offset++;
      this.#stack.push({ kind: "code", depth: 0 });
    } else if (code === 125) this.#leaveMarkup();
    else if (source.charCodeAt(offset + 1) === 47) {
      const close = indexWithin(source, ">", offset, this.#end);
      this.#offset = close === -1 ? this.#end : close + 1;
      this.#stack.pop();
    } else {
      this.#offset = this.#tagNameEnd(offset + 1);
      this.#stack.push({ kind: "tag" });
    }
  }

  /** A bare `}` cannot occur in markup: code was mistaken for markup, or the markup is half-typed. */
  #leaveMarkup(): void {
    while (this.#stack.length > 1 && this.#stack.at(-1)?.kind !== "code") this.#stack.pop();
  }

  #tagNameEnd(start: number): number {
    let offset = start;
    while (offset < this.#end) {
      const code = this.#source.charCodeAt(offset);
      if (!isWord(code) && code !== 46 && code !== 45 && code !== 58) break;
      offset++;
    }
    return offset;
  }

  /** Returns the offset of the last `</name`; cached by name. */
  #lastClosingTag(name: string): number {
    let offset = this.#lastClosing.get(name);
    if (offset === undefined) {
      if (this.#lastClosing.size >= ELEMENT_NAMES_LIMIT) return -1;
      const tag = `</${name}`;
      offset = this.#source.lastIndexOf(tag, this.#end);
      // `</Tag>` does not close `<T>`.
      while (offset > 0 && isWord(this.#source.charCodeAt(offset + tag.length)))
        offset = this.#source.lastIndexOf(tag, offset - 1);
      this.#lastClosing.set(name, offset);
    }
    return offset;
  }

  /** Whether an expression can start at the offset, judging by what precedes it. */
  #expressionStartsAt(offset: number, element: boolean): boolean {
    const source = this.#source;
    let last = skipSpaceBack(source, offset);
    if (last === this.#commentEnd - 1 && this.#commentEnd !== -1)
      last = skipSpaceBack(source, this.#commentStart);
    if (last < this.#start) return true;
    const code = source.charCodeAt(last);
    if (isWord(code)) {
      const start = wordStart(source, last + 1);
      return BEFORE_EXPRESSION.has(source.slice(start, last + 1)) && source.charCodeAt(start - 1) !== 46;
    }
    const char = source.charAt(last);
    if (/[)\]}'"`.]/.test(char)) return false;
    if (char === "+" || char === "-") return source[last - 1] !== char;
    if (char === ">") return !element || source[last - 1] === "=";
    if (char === "<" || char === "/") return !element;
    return char !== "!" || !this.#isNonNullAssertion(last, offset);
  }

  /** Whether `!` at the offset is a non-null assertion (`x! / 2`) rather than a negation (`a && !/x/.test(b)`). */
  #isNonNullAssertion(offset: number, next: number): boolean {
    const source = this.#source;
    const before = source[offset - 1] ?? "";
    if (before === "]") return true;
    // Minified `if (a)!/x/.test(b)` has no space after `!`, while a hand-written division has one.
    if (before === ")") return next > offset + 1;
    const start = wordStart(source, offset);
    return (
      start < offset && (source[start - 1] === "." || !BEFORE_EXPRESSION.has(source.slice(start, offset)))
    );
  }
}
