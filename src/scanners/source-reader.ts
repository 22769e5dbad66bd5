/** Lexed sources: their code without comments and strings, their brackets, and how to read expressions in them. */
import type { Span } from "../util/span.ts";
import type { Imports } from "./key-usage.ts";
import {
  isWord,
  lastIndexBelow,
  skipSpace,
  skipSpaceBack,
  typeArgumentsEnd,
  wordBefore,
  wordEnd,
  wordStart,
} from "./lexers/characters.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";
import { Mask, type MaskedTexts } from "./lexers/mask.ts";
import { lexPython } from "./lexers/python-lexer.ts";

/** The grammar of expressions. */
export type Dialect = "javascript" | "php" | "python";

/** An argument of a call, trimmed. */
export interface Argument extends Span {
  /** Name of a named argument: PHP's `name: value`, Python's `name=value`. */
  readonly name: string | null;
  /**
   * Whether it is `...values` (Python's `*values`), so that the positions of this and all later arguments are
   * unknown.
   */
  readonly spread: boolean;
}

/** The range of a value, with its quotes. */
export interface ValueSpan extends Span {
  /** Whether it is a plain attribute, in which `&amp;` is a character reference and `\` is literal. */
  readonly isPlain?: boolean;
}

/** A member of an object literal, or an attribute; the value of an attribute without one is `null`. */
export interface Property {
  readonly name: string;
  readonly value: ValueSpan | null;
}

/** A start tag with its attributes. */
export interface Tag extends Span {
  readonly name: string;
  readonly attributes: readonly Property[];
}

/** A member access, with the range of its name or brackets; the name is `null` if it is computed. */
interface Member extends Span {
  readonly name: string | null;
}

/** The receiver of a call: `i18n.global` in `i18n.global.t(`; `null` if there is none. */
export interface Receiver {
  readonly start: number;
  /** Names joined by dots; empty for anything but plain names (a call or index). */
  readonly path: string;
}

/** A name in parentheses, as type assertions require: `(i18n.t as any)`, `(<any>t)`. */
interface ParenthesizedName {
  /** Offset of the opening parenthesis. */
  readonly open: number;
  /** Offset of the last name. */
  readonly start: number;
  readonly end: number;
  /** All names, joined by dots. */
  readonly path: string;
}

const ATTRIBUTE = /([\w$\u0080-\uffff.:-]+)(\s*=\s*)?/y;
const MAX_TAG_CHARACTERS = 20_000;

const PARENTHESIZED =
  /^(\s*(?:<[^()=;]{1,200}>\s*)?)((?:[\w$]+\s*[?!]?\.\s*){0,5})([\w$]+)\s*!?\s*(?:(?:as|satisfies)\b[\s\S]*)?$/;
const MAX_PARENTHESIZED_CHARACTERS = 400;
const BEFORE_PARENTHESIS = new Set("return await yield typeof void case else default in of".split(" "));

/** A lexed text, and ways to read it that skip strings and brackets. */
export class Source implements MaskedTexts {
  readonly text: string;
  readonly code: string;
  readonly dialect: Dialect;
  readonly brackets: Brackets;
  /** What is known of the values that the text imports. */
  imports: Imports | undefined;
  /** Whether names that the text does not declare are fields of its component. */
  isTemplate = false;
  /** The text with its comments, where it is a whole file. */
  withComments: string | undefined;

  constructor({ text, code }: MaskedTexts, dialect: Dialect, brackets = new Brackets(code)) {
    this.text = text;
    this.code = code;
    this.dialect = dialect;
    this.brackets = brackets;
  }

  /** Returns the same source with other imports. */
  withImports(imports: Imports): Source {
    const source = new Source(this, this.dialect, this.brackets);
    source.imports = imports;
    source.isTemplate = this.isTemplate;
    return source;
  }

  /**
   * Returns the offset after the string, template or brackets that start at `start`, at most `end`; `start` itself if
   * none do.
   */
  skipGroup(start: number, end: number): number {
    const { code } = this;
    switch (code.charCodeAt(start)) {
      case 39:
      case 34: {
        const close = code.indexOf(code[start] ?? "", start + 1);
        return close === -1 ? end : Math.min(close + 1, end);
      }
      case 96:
        return this.templateEnd(start, end);
      case 40:
      case 91:
      case 123: {
        const close = this.brackets.closing(start);
        return close === -1 ? start + 1 : Math.min(close + 1, end);
      }
      default:
        return start;
    }
  }

  /** Returns the offset after the character, or after the group that starts with it. */
  skipToken(start: number, end: number): number {
    const groupEnd = this.skipGroup(start, end);
    return groupEnd === start ? start + 1 : groupEnd;
  }

  /** Returns the offset after the backtick that closes the template at `open`. */
  templateEnd(open: number, end: number): number {
    const { code } = this;
    let offset = open + 1;
    while (offset < end) {
      const char = code.charCodeAt(offset);
      if (char === 96) return offset + 1;
      if (char === 123) {
        const close = this.brackets.closing(offset);
        if (close === -1) return end;
        offset = close + 1;
      } else offset++;
    }
    return end;
  }

  /** Trims whitespace (and comments, which are blank). */
  trimSpan(start: number, end: number): Span {
    const { text } = this;
    const from = skipSpace(text, start, end);
    let to = end;
    while (to > from && skipSpace(text, to - 1, to) === to) to--;
    return { start: from, end: to };
  }

  /** Returns the arguments of the call whose parenthesis is at `open`; none if it is not closed. */
  readArguments(open: number): readonly Argument[] {
    const close = this.brackets.closing(open);
    if (close === -1) return [];
    return this.splitAtCommas(open + 1, close).map((part) => this.#readArgument(part));
  }

  #readArgument(part: Span): Argument {
    const { code } = this;
    if (code.startsWith(this.dialect === "python" ? "*" : "...", part.start)) {
      return { ...part, name: null, spread: true };
    }
    if (this.dialect !== "javascript") {
      const sign = this.dialect === "php" ? ":" : "=";
      const nameEnd = wordEnd(code, part.start);
      const after = skipSpace(code, nameEnd, part.end);
      if (nameEnd > part.start && code[after] === sign && code[after + 1] !== sign) {
        const value = this.trimSpan(after + 1, part.end);
        return { ...value, name: code.slice(part.start, nameEnd), spread: false };
      }
    }
    return { ...part, name: null, spread: false };
  }

  /** Splits a range at its top-level commas and trims the parts; drops an empty last part (a trailing comma). */
  splitAtCommas(start: number, end: number): readonly Span[] {
    const { code } = this;
    const parts: Span[] = [];
    let from = start;
    let offset = start;
    while (offset < end) {
      if (code.charCodeAt(offset) === 44) {
        parts.push(this.trimSpan(from, offset));
        from = ++offset;
      } else offset = this.skipToken(offset, end);
    }
    const last = this.trimSpan(from, end);
    if (last.end > last.start) parts.push(last);
    return parts;
  }

  /** Returns the members of the object literal in the range, also with a type (`{} as const`); none for anything else. */
  readObject({ start, end }: Span): readonly Property[] {
    const close = this.code[start] === "{" ? this.brackets.closing(start) : -1;
    if (close === -1 || !/^(?:\s*(?:as|satisfies)\b|$)/.test(this.code.slice(close + 1, end))) return [];
    return this.splitAtCommas(start + 1, close).flatMap((part) => {
      const { name, value } = this.readMember(part);
      return name === null || value === null ? [] : [{ name, value }];
    });
  }

  /**
   * Reads a member of an object or enum. Its name is `null` if it is computed, its value if it is a method; a shorthand
   * (`{ count }`) has its name as value.
   */
  readMember(part: Span): { name: string | null; value: Span | null } {
    const { code, text, brackets } = this;
    const sign = code[part.start];
    let nameEnd: number;
    let name: string | null = null;
    if (sign === "[") nameEnd = brackets.closing(part.start) + 1;
    else if (sign === '"' || sign === "'") {
      nameEnd = this.skipGroup(part.start, part.end);
      name = text.slice(part.start + 1, nameEnd - 1);
    } else {
      nameEnd = wordEnd(code, part.start);
      name = code.slice(part.start, nameEnd);
    }
    if (nameEnd <= part.start) return { name: null, value: null };
    const separator = skipSpace(code, nameEnd, part.end);
    if (separator >= part.end) return { name, value: name === null ? null : part };
    const hasValue = code[separator] === ":" || (code[separator] === "=" && code[separator + 1] !== "=");
    return { name, value: hasValue ? this.trimSpan(separator + 1, part.end) : null };
  }

  /** Reads `.a`, `?.a`, `["a"]`, `[0]` and `[x]` from an offset; also returns the offset after them. */
  readMembers(from: number, limit: number): { readonly members: readonly Member[]; readonly end: number } {
    const { code, text } = this;
    const members: Member[] = [];
    let end = from;
    for (;;) {
      const dot = skipSpace(code, code[end] === "!" ? end + 1 : end, limit);
      const open = code.startsWith("?.[", dot) ? dot + 2 : dot;
      const name = /^\??\.\s*([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)/.exec(
        code.slice(dot, Math.min(limit, dot + 200)),
      );
      const close = code[open] === "[" ? this.brackets.closing(open) : -1;
      if (name !== null) {
        end = dot + name[0].length;
        members.push({ name: name[1] ?? "", start: end - (name[1] ?? "").length, end });
      } else if (close !== -1 && close < limit) {
        const literal = /^\s*(?:(["'])([^"'\\]*)\1|(\d+))\s*$/.exec(text.slice(open + 1, close));
        end = close + 1;
        members.push({ name: literal?.[2] ?? literal?.[3] ?? null, start: open, end });
      } else return { members, end };
    }
  }

  /** Returns the attributes of the JSX tag whose name ends before `from`, and the offset after the tag. */
  readAttributes(from: number): { attributes: readonly Property[]; end: number } {
    const { code } = this;
    const attributes: Property[] = [];
    const limit = Math.min(code.length, from + MAX_TAG_CHARACTERS);
    let offset = skipSpace(code, from);
    if (code[offset] === "<") offset = typeArgumentsEnd(code, offset);
    while (offset < limit) {
      offset = skipSpace(code, offset, limit);
      const last = code[offset] === "/" ? offset + 1 : offset;
      if (code[last] === ">") return { attributes, end: last + 1 };
      ATTRIBUTE.lastIndex = offset;
      const [nameAndSign = "", name = "", equalsSign] = ATTRIBUTE.exec(code) ?? [];
      if (name !== "" && equalsSign === undefined) {
        attributes.push({ name, value: null });
        offset += name.length;
        continue;
      }
      // A value, or `{...props}`.
      const start = offset + nameAndSign.length;
      const end = name === "" && code[offset] !== "{" ? offset : this.skipGroup(start, limit);
      if (end <= start + 1) break;
      const isPlain = code[start] === '"' || code[start] === "'";
      const value = code[start] === "{" ? { start: start + 1, end: end - 1 } : { start, end, isPlain };
      if (name !== "") attributes.push({ name, value });
      offset = end;
    }
    return { attributes: [], end: offset };
  }

  /**
   * Returns the operand that ends before the offset: a literal, or names, members and calls; `null` if there is none.
   * @param separators characters that join its parts
   */
  operandBefore(offset: number, separators: string): Span | null {
    const { code, brackets } = this;
    const last = skipSpaceBack(code, offset);
    const quote = code[last] ?? "";
    if (/["'`]/.test(quote)) {
      const open = code.lastIndexOf(quote, last - 1);
      return open === -1 ? null : { start: open, end: last + 1 };
    }
    let start = last + 1;
    for (let steps = 0; steps < 8; steps++) {
      const before = skipSpaceBack(code, start);
      if (/[)\]}]/.test(code[before] ?? "")) {
        start = brackets.opening(before);
        if (start === -1) return null;
        if (!isWord(code.charCodeAt(start - 1)) && !/[)\]]/.test(code[start - 1] ?? "")) break;
      } else if (isWord(code.charCodeAt(before))) {
        start = wordStart(code, before + 1);
        const separator = skipSpaceBack(code, start);
        if (!separators.includes(code[separator] ?? " ")) break;
        start = code[separator - 1] === "?" ? separator - 1 : separator;
      } else break;
    }
    return start > last ? null : { start, end: last + 1 };
  }

  /** Returns the receiver before the name at `nameStart`, across line breaks and `?.`. */
  receiverBefore(nameStart: number): Receiver | null {
    const { code } = this;
    const names: string[] = [];
    let offset = nameStart;
    for (let steps = 0; steps < 6; steps++) {
      const dot = skipSpaceBack(code, offset);
      if (code[dot] !== "." || code[dot - 1] === ".") break;
      let end = skipSpaceBack(code, code[dot - 1] === "?" ? dot - 1 : dot) + 1;
      if (code[end - 1] === "!") end--;
      const object = code[end - 1] === ")" ? this.parenthesizedName(end - 1) : null;
      if (object !== null) return { start: object.open, path: [object.path, ...names].join(".") };
      const start = wordStart(code, end);
      if (start === end) return { start: names.length === 0 ? nameStart : offset, path: names.join(".") };
      names.unshift(code.slice(start, end));
      offset = start;
    }
    return names.length === 0 ? null : { start: offset, path: names.join(".") };
  }

  /** Returns the name in the parentheses that end at `close`; `null` for anything else, or the arguments of a call. */
  parenthesizedName(close: number): ParenthesizedName | null {
    const { code, brackets } = this;
    const open = brackets.opening(close);
    if (open === -1 || close - open > MAX_PARENTHESIZED_CHARACTERS || isCallParenthesis(code, open))
      return null;
    const found = PARENTHESIZED.exec(code.slice(open + 1, close));
    if (found === null) return null;
    const [, types = "", objects = "", name = ""] = found;
    const start = open + 1 + types.length + objects.length;
    const path = `${objects}${name}`.replaceAll(/[\s?!]/g, "");
    return { open, start, end: start + name.length, path };
  }
}

/** Whether the parenthesis at `open` starts call arguments or a condition rather than an expression. */
export function isCallParenthesis(code: string, open: number): boolean {
  const before = skipSpaceBack(code, open);
  if (isWord(code.charCodeAt(before))) return !BEFORE_PARENTHESIS.has(wordBefore(code, open));
  return code[before] === ")" || code[before] === "]";
}

/** Deeper nesting is not recorded, which bounds lookups on hostile text. */
const MAX_BRACKET_DEPTH = 400;

const PAIRS: Record<number, number> = { 41: 40, 93: 91, 125: 123 };

export class Brackets {
  /**
   * Offsets of opening brackets, ascending; the parallel arrays have their partners and the index of the enclosing
   * bracket.
   */
  readonly #open: number[] = [];
  readonly #close: number[] = [];
  readonly #parent: number[] = [];
  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
    const stack: number[] = [];
    let unrecorded = 0;
    for (let offset = 0; offset < code.length; offset++) {
      const char = code.charCodeAt(offset);
      if (char === 40 || char === 91 || char === 123) {
        if (stack.length >= MAX_BRACKET_DEPTH) {
          unrecorded++;
          continue;
        }
        this.#parent.push(stack.at(-1) ?? -1);
        stack.push(this.#open.length);
        this.#open.push(offset);
        this.#close.push(-1);
      } else if (char === 41 || char === 93 || char === 125) {
        if (unrecorded > 0) {
          unrecorded--;
          continue;
        }
        // Matches the nearest open bracket of the same kind; brackets opened after it are unmatched.
        for (let level = stack.length - 1; level >= 0; level--) {
          const index = stack[level] ?? -1;
          if (code.charCodeAt(this.#open[index] ?? -1) !== PAIRS[char]) continue;
          this.#close[index] = offset;
          stack.length = level;
          break;
        }
      }
    }
  }

  /** Returns the offset of the bracket that closes the one at `open`; -1 if none. */
  closing(open: number): number {
    const index = lastIndexBelow(this.#open, open + 1);
    return this.#open[index] === open ? (this.#close[index] ?? -1) : -1;
  }

  /** Returns the offset of the bracket that the one at `close` closes; -1 if none. */
  opening(close: number): number {
    const open = this.enclosing(close);
    return open !== -1 && this.closing(open) === close ? open : -1;
  }

  /** Returns the offset of the innermost closed bracket around `offset`, optionally of one kind; -1 if none. */
  enclosing(offset: number, kind?: "(" | "[" | "{"): number {
    let index = lastIndexBelow(this.#open, offset);
    while (index >= 0) {
      const open = this.#open[index] ?? -1;
      const close = this.#close[index] ?? -1;
      if (close >= offset && (kind === undefined || this.#code[open] === kind)) return open;
      index = this.#parent[index] ?? -1;
    }
    return -1;
  }
}

/** Lexes a JavaScript text; as in `lexJavaScript`. */
export function javascriptSource(text: string, jsx = false, imports?: Imports): Source {
  const mask = new Mask(text);
  lexJavaScript(text, 0, text.length, mask, jsx);
  const source = new Source(mask.finish(), "javascript");
  source.withComments = text;
  source.imports = imports;
  return source;
}

/** Lexes a Python text. */
export function pythonSource(text: string): Source {
  const mask = new Mask(text);
  lexPython(text, 0, text.length, mask);
  return new Source(mask.finish(), "python");
}
