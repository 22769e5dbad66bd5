/**
 * Lexer for Python code and for template expressions with similar syntax: distinguishes comments and strings from
 * code. In `code`, an f-string is delimited by backticks and contains its expressions in braces.
 */
import { indexWithin, isWord } from "./characters.ts";
import type { Mask } from "./masked-source.ts";

/** 1 for characters that may end a run of plain code. */
const STOPS = new Uint8Array(128);
for (const char of "#'\"\\{}\n") STOPS[char.charCodeAt(0)] = 1;

/** An f-string around the current offset, and the brace depth within its current expression. */
interface Formatted {
  readonly quote: number;
  readonly triple: boolean;
  readonly raw: boolean;
  depth: number;
}

/**
 * Lexes `[start, end)` of the source and masks its non-code ranges.
 * @param comments whether `#` starts a comment
 */
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
      // Explicit line continuation.
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

/** Handles a brace or line break in an expression of an f-string. */
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
    // The f-string is not closed, so what follows is treated as code again.
    mask.mark(at, at + 1, "`");
    inside.pop();
  }
  return at;
}

/** Lexes the string whose quote is at `at`; returns the offset to continue at. */
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
  let offset = body;
  for (; offset < end; offset++) {
    const code = source.charCodeAt(offset);
    if (code === 92) offset++;
    else if (code === quote && (!triple || isTriple(source, offset, quote))) break;
    else if (code === 10 && !triple) break;
  }
  const close = Math.min(offset, end);
  const closed = source.charCodeAt(close) === quote && close < end;
  if (!closed) {
    mask.blank(at, close);
    return close;
  }
  // Only the outermost quotes remain, so that every string has one quote on each side.
  mask.blank(at + 1, close + length - 1);
  return Math.min(close + length, end);
}

/** Lexes the text of an f-string up to its end or its next expression. */
function literalPart(
  source: string,
  at: number,
  end: number,
  mask: Mask,
  formatted: Formatted,
  inside: Formatted[],
): number {
  const { quote, triple } = formatted;
  for (let offset = at; offset < end; offset++) {
    const code = source.charCodeAt(offset);
    if (code === 92) {
      // `\N{BULLET}` is an escape, not an expression.
      const named = !formatted.raw && source.startsWith("N{", offset + 1);
      const close = named ? indexWithin(source, "}", offset, Math.min(end, offset + 100)) : -1;
      // A backslash does not escape a brace.
      if (close !== -1) offset = close;
      else if (!/[{}]/.test(source.charAt(offset + 1))) offset++;
    } else if (code === 123 && source.charCodeAt(offset + 1) === 123) offset++;
    else if (code === 123) {
      mask.blank(at, offset);
      formatted.depth = 1;
      return offset + 1;
    } else if (code === quote && (!triple || isTriple(source, offset, quote))) {
      const length = triple ? 3 : 1;
      mask.blank(at, offset + length - 1);
      mask.mark(offset + length - 1, offset + length, "`");
      inside.pop();
      return Math.min(offset + length, end);
    } else if (code === 10 && !triple) {
      mask.blank(at, offset);
      mask.mark(offset, offset + 1, "`");
      inside.pop();
      return offset + 1;
    }
  }
  mask.blank(at, end);
  return end;
}

function isTriple(source: string, at: number, quote: number): boolean {
  return source.charCodeAt(at + 1) === quote && source.charCodeAt(at + 2) === quote;
}

/** Returns the prefix of the string whose quote is at `quote`, in lower case: `rb`, `f`. */
export function stringPrefix(source: string, quote: number, start = 0): string {
  let at = quote;
  while (at > start && quote - at < 3 && isWord(source.charCodeAt(at - 1))) at--;
  const prefix = source.slice(at, quote).toLowerCase();
  return /^(?:[rbuft]|br|rb|fr|rf|tr|rt)$/.test(prefix) ? prefix : "";
}
