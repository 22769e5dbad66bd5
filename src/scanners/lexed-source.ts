/** A lexed source, and functions to traverse it while skipping strings and brackets. */
import type { Span } from "../util/span.ts";
import {
  isWord,
  lastBefore,
  lastIndexBelow,
  skipSpace,
  typeArgumentsEnd,
  wordEnd,
  wordStart,
} from "./lexers/characters.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";
import { Mask, type Masked } from "./lexers/masked-source.ts";
import { lexPython } from "./lexers/python-lexer.ts";

/** The grammar of expressions. */
export type Dialect = "javascript" | "php" | "python";

export interface Source extends Masked {
  readonly dialect: Dialect;
  readonly brackets: Brackets;
}

/** Creates a source from the lexer's result. */
export function makeSource(masked: Masked, dialect: Dialect): Source {
  const { text, code } = masked;
  return { text, code, dialect, brackets: new Brackets(code) };
}

/** Lexes a JavaScript text; as in `lexJavaScript`. */
export function javascriptSource(text: string, jsx = false): Source {
  const mask = new Mask(text);
  lexJavaScript(text, 0, text.length, mask, jsx);
  return makeSource(mask.done(), "javascript");
}

/** Lexes a Python text. */
export function pythonSource(text: string): Source {
  const mask = new Mask(text);
  lexPython(text, 0, text.length, mask);
  return makeSource(mask.done(), "python");
}

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

/** A member of an object literal; the value of a shorthand (`{ count }`) is `null`. */
export interface Property {
  readonly name: string;
  readonly value: Span | null;
}

/** A start tag with its attributes: the values are without braces but with quotes. */
export interface Tag extends Span {
  readonly name: string;
  readonly attributes: readonly Property[];
}

/**
 * Returns the offset after the string, template or brackets that start at `at`, at most `end`; `at` itself if none
 * start there.
 */
export function skipGroup(source: Source, at: number, end: number): number {
  const { code } = source;
  switch (code.charCodeAt(at)) {
    case 39:
    case 34: {
      const close = code.indexOf(code[at] ?? "", at + 1);
      return close === -1 ? end : Math.min(close + 1, end);
    }
    case 96:
      return templateEnd(source, at, end);
    case 40:
    case 91:
    case 123: {
      const close = source.brackets.closing(at);
      return close === -1 ? at + 1 : Math.min(close + 1, end);
    }
    default:
      return at;
  }
}

/** Returns the offset after the backtick that closes the template at `open`. */
export function templateEnd(source: Source, open: number, end: number): number {
  const { code } = source;
  let at = open + 1;
  while (at < end) {
    const char = code.charCodeAt(at);
    if (char === 96) return at + 1;
    if (char === 123) {
      const close = source.brackets.closing(at);
      if (close === -1) return end;
      at = close + 1;
    } else at++;
  }
  return end;
}

/** Trims whitespace (and comments, which are blank). */
export function trimSpan(source: Source, start: number, end: number): Span {
  const { text } = source;
  const from = skipSpace(text, start, end);
  let to = end;
  while (to > from && skipSpace(text, to - 1, to) === to) to--;
  return { start: from, end: to };
}

/** Returns the arguments of the call whose parenthesis is at `open`; none if it is not closed. */
export function readArguments(source: Source, open: number): readonly Argument[] {
  const close = source.brackets.closing(open);
  if (close === -1) return [];
  const found: Argument[] = [];
  for (const part of splitAtCommas(source, open + 1, close)) found.push(asArgument(source, part));
  return found;
}

function asArgument(source: Source, part: Span): Argument {
  const { code } = source;
  if (code.startsWith(source.dialect === "python" ? "*" : "...", part.start)) {
    return { ...part, name: null, spread: true };
  }
  if (source.dialect !== "javascript") {
    const sign = source.dialect === "php" ? ":" : "=";
    const nameEnd = wordEnd(code, part.start);
    const after = skipSpace(code, nameEnd, part.end);
    if (nameEnd > part.start && code[after] === sign && code[after + 1] !== sign) {
      const value = trimSpan(source, after + 1, part.end);
      return { ...value, name: code.slice(part.start, nameEnd), spread: false };
    }
  }
  return { ...part, name: null, spread: false };
}

/** Splits a range at its top-level commas and trims the parts; drops an empty last part (a trailing comma). */
export function splitAtCommas(source: Source, start: number, end: number): readonly Span[] {
  const { code } = source;
  const parts: Span[] = [];
  let from = start;
  let at = start;
  while (at < end) {
    if (code.charCodeAt(at) === 44) {
      parts.push(trimSpan(source, from, at));
      from = ++at;
      continue;
    }
    const after = skipGroup(source, at, end);
    at = after === at ? at + 1 : after;
  }
  const last = trimSpan(source, from, end);
  if (last.end > last.start) parts.push(last);
  return parts;
}

/** Returns the members of the object literal in the range; none for anything else. */
export function readObject(source: Source, span: Span): readonly Property[] {
  const { code, text } = source;
  if (code[span.start] !== "{" || source.brackets.closing(span.start) !== span.end - 1) return [];
  const properties: Property[] = [];
  for (const part of splitAtCommas(source, span.start + 1, span.end - 1)) {
    const quoted = code[part.start] === '"' || code[part.start] === "'";
    const nameEnd = quoted ? skipGroup(source, part.start, part.end) : wordEnd(code, part.start);
    if (nameEnd === part.start) continue;
    const name = quoted ? text.slice(part.start + 1, nameEnd - 1) : code.slice(part.start, nameEnd);
    const after = skipSpace(code, nameEnd, part.end);
    if (after === part.end && !quoted) properties.push({ name, value: null });
    else if (code[after] === ":") properties.push({ name, value: trimSpan(source, after + 1, part.end) });
  }
  return properties;
}

/** A member access, with the range of its name or brackets; the name is `null` if it is computed. */
interface Member extends Span {
  readonly name: string | null;
}

/** Reads `.a`, `?.a`, `["a"]`, `[0]` and `[x]` from an offset; also returns the offset after them. */
export function readMembers(
  source: Source,
  from: number,
  limit: number,
): { readonly members: readonly Member[]; readonly end: number } {
  const { code, text } = source;
  const members: Member[] = [];
  let end = from;
  for (;;) {
    const dot = skipSpace(code, code[end] === "!" ? end + 1 : end, limit);
    const open = code.startsWith("?.[", dot) ? dot + 2 : dot;
    const name = /^\??\.\s*([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)/.exec(
      code.slice(dot, Math.min(limit, dot + 200)),
    );
    const close = code[open] === "[" ? source.brackets.closing(open) : -1;
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
export function readAttributes(
  source: Source,
  from: number,
): { attributes: readonly Property[]; end: number } {
  const { code } = source;
  const attributes: Property[] = [];
  const limit = Math.min(code.length, from + TAG_LIMIT);
  let at = skipSpace(code, from);
  if (code[at] === "<") at = typeArgumentsEnd(code, at);
  while (at < limit) {
    at = skipSpace(code, at, limit);
    const last = code[at] === "/" ? at + 1 : at;
    if (code[last] === ">") return { attributes, end: last + 1 };
    ATTRIBUTE.lastIndex = at;
    const [written = "", name = "", equals] = ATTRIBUTE.exec(code) ?? [];
    if (name !== "" && equals === undefined) {
      attributes.push({ name, value: null });
      at += name.length;
      continue;
    }
    // A value, or `{...props}`.
    const start = at + written.length;
    const end = name === "" && code[at] !== "{" ? at : skipGroup(source, start, limit);
    if (end <= start + 1) break;
    const value = code[start] === "{" ? { start: start + 1, end: end - 1 } : { start, end };
    if (name !== "") attributes.push({ name, value });
    at = end;
  }
  return { attributes: [], end: at };
}

const ATTRIBUTE = /([\w$\u0080-\uffff.:-]+)(\s*=\s*)?/y;
const TAG_LIMIT = 20_000;

/** Deeper nesting is not recorded, which bounds lookups on hostile text. */
const DEPTH_LIMIT = 400;

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
    let beyond = 0;
    for (let at = 0; at < code.length; at++) {
      const char = code.charCodeAt(at);
      if (char === 40 || char === 91 || char === 123) {
        if (stack.length >= DEPTH_LIMIT) {
          beyond++;
          continue;
        }
        this.#parent.push(stack.at(-1) ?? -1);
        stack.push(this.#open.length);
        this.#open.push(at);
        this.#close.push(-1);
      } else if (char === 41 || char === 93 || char === 125) {
        if (beyond > 0) {
          beyond--;
          continue;
        }
        // Matches the nearest open bracket of the same kind; brackets opened after it are unmatched.
        for (let level = stack.length - 1; level >= 0; level--) {
          const index = stack[level] ?? -1;
          if (code.charCodeAt(this.#open[index] ?? -1) !== PAIRS[char]) continue;
          this.#close[index] = at;
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

/** The receiver of a call: `i18n.global` in `i18n.global.t(`; `null` if there is none. */
export interface Receiver {
  readonly start: number;
  /** Names joined by dots; empty for anything but plain names (a call or index). */
  readonly path: string;
}

/** Returns the receiver before the name at `nameStart`, across line breaks and `?.`. */
export function receiverBefore(source: Source, nameStart: number): Receiver | null {
  const { code } = source;
  const names: string[] = [];
  let offset = nameStart;
  for (let steps = 0; steps < 6; steps++) {
    const dot = lastBefore(code, offset);
    if (code[dot] !== "." || code[dot - 1] === ".") break;
    const before = code[dot - 1] === "?" ? dot - 1 : dot;
    let end = lastBefore(code, before) + 1;
    if (code[end - 1] === "!") end--;
    const wrapped = code[end - 1] === ")" ? wrappedName(source, end - 1) : null;
    if (wrapped !== null) return { start: wrapped.open, path: [wrapped.path, ...names].join(".") };
    const start = wordStart(code, end);
    if (start === end) return { start: names.length === 0 ? nameStart : offset, path: names.join(".") };
    names.unshift(code.slice(start, end));
    offset = start;
  }
  return names.length === 0 ? null : { start: offset, path: names.join(".") };
}

/** A name in parentheses, as type assertions require: `(i18n.t as any)`, `(<any>t)`. */
export interface WrappedName {
  /** Offset of the opening parenthesis. */
  readonly open: number;
  /** Offset of the last name. */
  readonly start: number;
  readonly end: number;
  /** All names, joined by dots. */
  readonly path: string;
}

const WRAPPED =
  /^(\s*(?:<[^()=;]{1,200}>\s*)?)((?:[\w$]+\s*[?!]?\.\s*){0,5})([\w$]+)\s*!?\s*(?:(?:as|satisfies)\b[\s\S]*)?$/;
const WRAPPED_LIMIT = 400;
const BEFORE_PARENTHESIS = new Set([
  "return",
  "await",
  "yield",
  "typeof",
  "void",
  "case",
  "else",
  "default",
  "in",
  "of",
]);

/** Returns the name in the parentheses that end at `close`; `null` for anything else, or the arguments of a call. */
export function wrappedName(source: Source, close: number): WrappedName | null {
  const { code, brackets } = source;
  const open = brackets.enclosing(close);
  if (open === -1 || brackets.closing(open) !== close || close - open > WRAPPED_LIMIT) return null;
  const found = isCallParenthesis(code, open) ? null : WRAPPED.exec(code.slice(open + 1, close));
  if (found === null) return null;
  const [, types = "", objects = "", name = ""] = found;
  const start = open + 1 + types.length + objects.length;
  const path = `${objects}${name}`.replaceAll(/[\s?!]/g, "");
  return { open, start, end: start + name.length, path };
}

/** Whether the parenthesis at `open` starts call arguments or a condition rather than an expression. */
export function isCallParenthesis(code: string, open: number): boolean {
  const before = lastBefore(code, open);
  if (isWord(code.charCodeAt(before))) {
    return !BEFORE_PARENTHESIS.has(code.slice(wordStart(code, before + 1), before + 1));
  }
  return code[before] === ")" || code[before] === "]";
}
