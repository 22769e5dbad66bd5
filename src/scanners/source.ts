/**
 * A lexed source as the scanners see it, and how to walk through it without stepping into strings and brackets.
 * What is between two places means what the language's lexer left there.
 */
import type { Span } from "../model/span.ts";
import { Brackets } from "./lexers/brackets.ts";
import { skipSpace, wordEnd } from "./lexers/characters.ts";
import type { Masked } from "./lexers/masked-source.ts";

/** The grammar of expressions. */
export type Dialect = "javascript" | "php" | "python";

export interface Source extends Masked {
  readonly dialect: Dialect;
  readonly brackets: Brackets;
}

/** A source ready to be scanned. */
export function makeSource(masked: Masked, dialect: Dialect): Source {
  const { text, code } = masked;
  return { text, code, dialect, brackets: new Brackets(code) };
}

/** One argument of a call, without the white space around it. */
export interface Argument extends Span {
  /** PHP's `name: value`, Python's `name=value`. */
  readonly name: string | null;
  /** `...values` (Python's `*values`): neither this nor any later argument has a known place. */
  readonly spread: boolean;
}

/** A member of an object literal; `null` as its value: shorthand (`{ count }`). */
export interface Property {
  readonly name: string;
  readonly value: Span | null;
}

/**
 * The place after the string, template or bracketed part that begins at `at`; `at` itself when none begins
 * there. Never beyond `end`.
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

/** The place after the backtick that closes the template at `open`. */
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

/** The range without white space (and comments, which are blank) at its ends. */
export function trimmed(source: Source, start: number, end: number): Span {
  const { text } = source;
  const from = skipSpace(text, start, end);
  let to = end;
  while (to > from && skipSpace(text, to - 1, to) === to) to--;
  return { start: from, end: to };
}

/** The arguments between the parenthesis at `open` and its partner; none when it is never closed. */
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
      const value = trimmed(source, after + 1, part.end);
      return { ...value, name: code.slice(part.start, nameEnd), spread: false };
    }
  }
  return { ...part, name: null, spread: false };
}

/** The parts between the commas of this level, trimmed; an empty last part (a trailing comma) is left out. */
export function splitAtCommas(source: Source, start: number, end: number): readonly Span[] {
  const { code } = source;
  const parts: Span[] = [];
  let from = start;
  let at = start;
  while (at < end) {
    if (code.charCodeAt(at) === 44) {
      parts.push(trimmed(source, from, at));
      from = ++at;
      continue;
    }
    const after = skipGroup(source, at, end);
    at = after === at ? at + 1 : after;
  }
  const last = trimmed(source, from, end);
  if (last.end > last.start) parts.push(last);
  return parts;
}

/** The members of the object literal that fills the range; none when it is something else. */
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
    else if (code[after] === ":") properties.push({ name, value: trimmed(source, after + 1, part.end) });
  }
  return properties;
}

/** The place after `<…>` that begins at `open`, or `open` when it is no list of types. */
export function typeArgumentsEnd(code: string, open: number): number {
  let depth = 0;
  const limit = Math.min(code.length, open + 300);
  for (let at = open; at < limit; at++) {
    const char = code.charCodeAt(at);
    if (char === 60) depth++;
    else if (char === 62 && code.charCodeAt(at - 1) !== 61 && --depth === 0) return at + 1;
    else if (char === 59) break;
  }
  return open;
}
