/**
 * The lexer of Python code, and of the expressions in templates that are written like it: tells comments and strings
 * from code. In `code` an f-string stands between backticks, its expressions in their braces.
 */
import { indexWithin, isWord } from "./characters.ts";
import type { Mask } from "./masked-source.ts";

/** 1 for the characters at which code may turn into something else. */
const STOPS = new Uint8Array(128);
for (const char of "#'\"\\{}\n") STOPS[char.charCodeAt(0)] = 1;

/** An f-string that the lexer is inside of, and how deep in braces of an expression in it. */
interface Formatted {
  readonly quote: number;
  readonly triple: boolean;
  readonly raw: boolean;
  depth: number;
}

/** Lexes `[start, end)` of the source and blanks into the mask. With `comments`, `#` begins one. */
export function lexPython(source: string, start: number, end: number, mask: Mask, comments = true): void {
  const inside: Formatted[] = [];
  let at = start;
  while (at < end) {
    const formatted = inside.at(-1);
    if (formatted !== undefined && formatted.depth === 0) {
      at = literalPart(source, at, end, mask, formatted, inside);
      continue;
    }
    const code = source.charCodeAt(at);
    if (code >= 128 || STOPS[code] === 0) {
      at++;
    } else if (code === 35) {
      const newline = comments ? indexWithin(source, "\n", at, end) : at + 1;
      const stop = newline === -1 ? end : newline;
      if (comments) mask.hide(at, stop);
      at = stop;
    } else if (code === 92) {
      // A line goes on.
      const length = source.charCodeAt(at + 1) === 13 ? 3 : 2;
      if (source.charCodeAt(at + length - 1) === 10) mask.hide(at, Math.min(at + length, end));
      at += length;
    } else if (code === 39 || code === 34) {
      at = string(source, at, start, end, mask, inside);
    } else {
      if (formatted !== undefined) at = braceOrLine(code, at, mask, formatted, inside);
      at++;
    }
  }
}

/** A brace or a line's end in an expression of an f-string. */
function braceOrLine(
  code: number,
  at: number,
  mask: Mask,
  formatted: Formatted,
  inside: Formatted[],
): number {
  if (code === 123) formatted.depth++;
  else if (code === 125) formatted.depth--;
  else if (!formatted.triple) {
    // Never closed: what follows is taken for code again.
    mask.mark(at, at + 1, "`");
    inside.pop();
  }
  return at;
}

/** Reads the string whose quote stands at `at`; returns the place to go on from. */
function string(
  source: string,
  at: number,
  start: number,
  end: number,
  mask: Mask,
  inside: Formatted[],
): number {
  const quote = source.charCodeAt(at);
  const triple = source.charCodeAt(at + 1) === quote && source.charCodeAt(at + 2) === quote && at + 3 <= end;
  const length = triple ? 3 : 1;
  const prefix = stringPrefix(source, at, start);
  const body = at + length;
  if (/[ft]/.test(prefix)) {
    mask.mark(at, body, "`");
    inside.push({ quote, triple, raw: prefix.includes("r"), depth: 0 });
    return body;
  }
  let place = body;
  for (; place < end; place++) {
    const code = source.charCodeAt(place);
    if (code === 92) place++;
    else if (code === quote && (!triple || isTriple(source, place, quote))) break;
    else if (code === 10 && !triple) break;
  }
  const close = Math.min(place, end);
  const closed = source.charCodeAt(close) === quote && close < end;
  if (!closed) {
    mask.blank(at, close);
    return close;
  }
  // Only the outermost quotes stay, so that every string has one on each side.
  mask.blank(at + 1, close + length - 1);
  return Math.min(close + length, end);
}

/** The text of an f-string up to its end or its next expression. */
function literalPart(
  source: string,
  at: number,
  end: number,
  mask: Mask,
  formatted: Formatted,
  inside: Formatted[],
): number {
  const { quote, triple } = formatted;
  for (let place = at; place < end; place++) {
    const code = source.charCodeAt(place);
    if (code === 92) {
      // `\N{BULLET}` holds no expression.
      const named = !formatted.raw && source.startsWith("N{", place + 1);
      const close = named ? indexWithin(source, "}", place, Math.min(end, place + 100)) : -1;
      // A backslash saves no brace.
      if (close !== -1) place = close;
      else if (!/[{}]/.test(source.charAt(place + 1))) place++;
    } else if (code === 123 && source.charCodeAt(place + 1) === 123) place++;
    else if (code === 123) {
      mask.blank(at, place);
      formatted.depth = 1;
      return place + 1;
    } else if (code === quote && (!triple || isTriple(source, place, quote))) {
      const length = triple ? 3 : 1;
      mask.blank(at, place + length - 1);
      mask.mark(place + length - 1, place + length, "`");
      inside.pop();
      return Math.min(place + length, end);
    } else if (code === 10 && !triple) {
      mask.blank(at, place);
      mask.mark(place, place + 1, "`");
      inside.pop();
      return place + 1;
    }
  }
  mask.blank(at, end);
  return end;
}

function isTriple(source: string, at: number, quote: number): boolean {
  return source.charCodeAt(at + 1) === quote && source.charCodeAt(at + 2) === quote;
}

/** The letters before a quote that belong to the string, in small letters: `rb`, `f`. */
export function stringPrefix(source: string, quote: number, start = 0): string {
  let at = quote;
  while (at > start && quote - at < 3 && isWord(source.charCodeAt(at - 1))) at--;
  const prefix = source.slice(at, quote).toLowerCase();
  return /^(?:[rbuft]|br|rb|fr|rf|tr|rt)$/.test(prefix) ? prefix : "";
}
