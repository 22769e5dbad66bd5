/**
 * Lexer for Python code and for template expressions with similar syntax: distinguishes comments and strings from
 * code. In `code`, an f-string is delimited by backticks and contains its expressions in braces.
 */
import { indexWithin, isWord } from "./characters.ts";
import type { Mask } from "./mask.ts";

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
  const string = (offset: number): number => {
    const quote = source.charAt(offset);
    const quotes = source.startsWith(quote.repeat(3), offset) && offset + 3 <= end ? quote.repeat(3) : quote;
    const prefix = stringPrefix(source, offset, start);
    const body = offset + quotes.length;
    if (/[ft]/.test(prefix)) {
      mask.mark(offset, body, "`");
      inside.push({ quotes, raw: prefix.includes("r"), depth: 0 });
      return body;
    }
    let close = body;
    for (; close < end; close++) {
      const code = source.charCodeAt(close);
      if (code === quotes.charCodeAt(0) && source.startsWith(quotes, close)) break;
      if (code === 92) close += source.startsWith("\r\n", close + 1) ? 2 : 1;
      else if (code === 10 && quotes.length === 1) break;
    }
    if (close >= end || source[close] !== quote) {
      mask.blank(offset, Math.min(close, end));
      return Math.min(close, end);
    }
    // Only the outermost quotes remain, so that every string has one quote on each side.
    mask.blank(offset + 1, close + quotes.length - 1);
    return Math.min(close + quotes.length, end);
  };

  /** Leaves the f-string whose last character is at `at`. */
  const leave = (offset: number): number => {
    mask.mark(offset, offset + 1, "`");
    inside.pop();
    return Math.min(offset + 1, end);
  };

  /** Lexes the text of an f-string up to its end or its next expression. */
  const literalPart = (from: number, formatted: Formatted): number => {
    const { quotes, raw } = formatted;
    for (let offset = from; offset < end; offset++) {
      const code = source.charCodeAt(offset);
      if (code === 92) {
        // `\N{BULLET}` is an escape, not an expression.
        const isNamed = !raw && source.startsWith("N{", offset + 1);
        const close = isNamed ? indexWithin(source, "}", offset, Math.min(end, offset + 100)) : -1;
        // A backslash does not escape a brace.
        if (close !== -1) offset = close;
        else if (!/[{}]/.test(source.charAt(offset + 1)))
          offset += source.startsWith("\r\n", offset + 1) ? 2 : 1;
      } else if (code === 123 && source.charCodeAt(offset + 1) === 123) offset++;
      else if (code === 123) {
        mask.blank(from, offset);
        formatted.depth = 1;
        return offset + 1;
      } else if (code === quotes.charCodeAt(0) && source.startsWith(quotes, offset)) {
        mask.blank(from, offset + quotes.length - 1);
        return leave(offset + quotes.length - 1);
      } else if (code === 10 && quotes.length === 1) {
        mask.blank(from, offset);
        return leave(offset);
      }
    }
    mask.blank(from, end);
    return end;
  };

  let offset = start;
  while (offset < end) {
    const formatted = inside.at(-1);
    if (formatted?.depth === 0) {
      offset = literalPart(offset, formatted);
      continue;
    }
    const code = source.charCodeAt(offset);
    if (code >= 128 || STOPS[code] === 0) {
      offset++;
    } else if (code === 35) {
      const newline = comments ? indexWithin(source, "\n", offset, end) : offset + 1;
      const stop = newline === -1 ? end : newline;
      if (comments) mask.hide(offset, stop);
      offset = stop;
    } else if (code === 92) {
      // Explicit line continuation.
      const length = source.charCodeAt(offset + 1) === 13 ? 3 : 2;
      if (source.charCodeAt(offset + length - 1) === 10) mask.hide(offset, Math.min(offset + length, end));
      offset += length;
    } else if (code === 39 || code === 34) {
      offset = string(offset);
    } else {
      if (formatted !== undefined) {
        if (code === 123) formatted.depth++;
        else if (code === 125) formatted.depth--;
        // The f-string is not closed, so what follows is treated as code again.
        else if (formatted.quotes.length === 1) leave(offset);
      }
      offset++;
    }
  }
}

/** Returns the prefix of the string whose quote is at `quote`, in lower case: `rb`, `f`. */
export function stringPrefix(source: string, quote: number, start = 0): string {
  let offset = quote;
  while (offset > start && quote - offset < 3 && isWord(source.charCodeAt(offset - 1))) offset--;
  const prefix = source.slice(offset, quote).toLowerCase();
  return /^(?:[rbuft]|br|rb|fr|rf|tr|rt)$/.test(prefix) ? prefix : "";
}
