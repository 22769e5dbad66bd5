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
  readonly quotes: string;
  readonly raw: boolean;
  depth: number;
}

/**
 * Lexes `[start, end)` of the source and masks its non-code ranges.
 * @param comments whether `#` starts a comment
 */
export function lexPython(source: string, start: number, end: number, mask: Mask, comments = true): void {
  const inside: Formatted[] = [];

  /** Lexes the string whose quote is at `at`; returns the offset to continue at. */
  const string = (at: number): number => {
    const quote = source.charAt(at);
    const quotes = source.startsWith(quote.repeat(3), at) && at + 3 <= end ? quote.repeat(3) : quote;
    const prefix = stringPrefix(source, at, start);
    const body = at + quotes.length;
    if (/[ft]/.test(prefix)) {
      mask.mark(at, body, "`");
      inside.push({ quotes, raw: prefix.includes("r"), depth: 0 });
      return body;
    }
    let close = body;
    for (; close < end; close++) {
      const code = source.charCodeAt(close);
      if (code === quotes.charCodeAt(0) && source.startsWith(quotes, close)) break;
      if (code === 92) close++;
      else if (code === 10 && quotes.length === 1) break;
    }
    if (close >= end || source[close] !== quote) {
      mask.blank(at, Math.min(close, end));
      return Math.min(close, end);
    }
    // Only the outermost quotes remain, so that every string has one quote on each side.
    mask.blank(at + 1, close + quotes.length - 1);
    return Math.min(close + quotes.length, end);
  };

  /** Leaves the f-string whose last character is at `at`. */
  const leave = (at: number): number => {
    mask.mark(at, at + 1, "`");
    inside.pop();
    return Math.min(at + 1, end);
  };

  /** Lexes the text of an f-string up to its end or its next expression. */
  const literalPart = (from: number, formatted: Formatted): number => {
    const { quotes, raw } = formatted;
    for (let at = from; at < end; at++) {
      const code = source.charCodeAt(at);
      if (code === 92) {
        // `\N{BULLET}` is an escape, not an expression.
        const isNamed = !raw && source.startsWith("N{", at + 1);
        const close = isNamed ? indexWithin(source, "}", at, Math.min(end, at + 100)) : -1;
        // A backslash does not escape a brace.
        if (close !== -1) at = close;
        else if (!/[{}]/.test(source.charAt(at + 1))) at++;
      } else if (code === 123 && source.charCodeAt(at + 1) === 123) at++;
      else if (code === 123) {
        mask.blank(from, at);
        formatted.depth = 1;
        return at + 1;
      } else if (code === quotes.charCodeAt(0) && source.startsWith(quotes, at)) {
        mask.blank(from, at + quotes.length - 1);
        return leave(at + quotes.length - 1);
      } else if (code === 10 && quotes.length === 1) {
        mask.blank(from, at);
        return leave(at);
      }
    }
    mask.blank(from, end);
    return end;
  };

  let at = start;
  while (at < end) {
    const formatted = inside.at(-1);
    if (formatted?.depth === 0) {
      at = literalPart(at, formatted);
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
      at = string(at);
    } else {
      if (formatted !== undefined) {
        if (code === 123) formatted.depth++;
        else if (code === 125) formatted.depth--;
        // The f-string is not closed, so what follows is treated as code again.
        else if (formatted.quotes.length === 1) leave(at);
      }
      at++;
    }
  }
}

/** Returns the prefix of the string whose quote is at `quote`, in lower case: `rb`, `f`. */
export function stringPrefix(source: string, quote: number, start = 0): string {
  let at = quote;
  while (at > start && quote - at < 3 && isWord(source.charCodeAt(at - 1))) at--;
  const prefix = source.slice(at, quote).toLowerCase();
  return /^(?:[rbuft]|br|rb|fr|rf|tr|rt)$/.test(prefix) ? prefix : "";
}
