/**
 * The lexer of PHP code: tells comments, strings and heredocs from code. It reads one stretch of PHP; what lies
 * around it (HTML, Blade) is the caller's to find and hide.
 */
import { indexWithin, isWord, wordEnd } from "./characters.ts";
import type { Mask } from "./mask.ts";

/** Where a stretch of PHP ends: at `?>` (or the range's end), only at the range's end, or after its parenthesis. */
export type PhpUntil = "tag" | "end" | "parenthesis";

const STOPS = new Uint8Array(128);
for (const char of "/#'\"`<?()") STOPS[char.charCodeAt(0)] = 1;

/**
 * Lexes PHP from `start` and blanks into the mask; returns the place after it (before `?>`). With
 * `"parenthesis"` the text at `start` must be `(`.
 */
export function lexPhp(source: string, start: number, end: number, mask: Mask, until: PhpUntil): number {
  let at = start;
  let depth = 0;
  while (at < end) {
    const code = source.charCodeAt(at);
    if (code >= 128 || STOPS[code] === 0) {
      at++;
      continue;
    }
    const next = source.charCodeAt(at + 1);
    if (code === 40) {
      depth++;
      at++;
    } else if (code === 41) {
      depth--;
      at++;
      if (until === "parenthesis" && depth === 0) return at;
    } else if (code === 47 && next === 42) {
      const close = indexWithin(source, "*/", at + 2, end);
      const stop = close === -1 ? end : close + 2;
      mask.hide(at, stop);
      at = stop;
    } else if ((code === 47 && next === 47) || (code === 35 && next !== 91)) {
      const stop = lineCommentEnd(source, at, end, until);
      mask.hide(at, stop);
      at = stop;
    } else if (code === 39 || code === 34 || code === 96) {
      const close = stringEnd(source, at, end);
      mask.blank(at + 1, close);
      at = Math.min(close + 1, end);
    } else if (code === 60 && next === 60 && source.charCodeAt(at + 2) === 60) {
      at = heredoc(source, at, end, mask);
    } else if (code === 63 && next === 62 && until === "tag") {
      return at;
    } else at++;
  }
  return end;
}

/** `//` and `#` run to the line's end, or to `?>` on that line. */
function lineCommentEnd(source: string, at: number, end: number, until: PhpUntil): number {
  const newline = indexWithin(source, "\n", at, end);
  const stop = newline === -1 ? end : newline;
  if (until !== "tag") return stop;
  const tag = indexWithin(source, "?>", at, stop);
  return tag === -1 ? stop : tag;
}

/** The place of the closing quote, or the range's end. */
function stringEnd(source: string, open: number, end: number): number {
  const quote = source.charCodeAt(open);
  for (let at = open + 1; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code === quote) return at;
    if (code === 92) at++;
  }
  return end;
}

/** `<<<NAME`, `<<<"NAME"` or `<<<'NAME'` to the line that begins with NAME. */
function heredoc(source: string, open: number, end: number, mask: Mask): number {
  const stop = heredocEnd(source, open, end);
  mask.blank(open + 3, stop);
  return stop;
}

/** The place after the heredoc or nowdoc that `<<<` at `open` begins; right after `<<<` when it begins none. */
export function heredocEnd(source: string, open: number, end: number): number {
  let at = open + 3;
  while (source.charCodeAt(at) === 32 || source.charCodeAt(at) === 9) at++;
  const quote = source.charCodeAt(at);
  const quoted = quote === 39 || quote === 34;
  const nameStart = quoted ? at + 1 : at;
  const nameEnd = wordEnd(source, nameStart);
  const name = source.slice(nameStart, nameEnd);
  if (name === "" || nameEnd > end) return open + 3;
  let line = indexWithin(source, "\n", quoted ? nameEnd + 1 : nameEnd, end);
  while (line !== -1) {
    let word = line + 1;
    while (source.charCodeAt(word) === 32 || source.charCodeAt(word) === 9) word++;
    if (source.startsWith(name, word) && !isWord(source.charCodeAt(word + name.length))) {
      return Math.min(word + name.length, end);
    }
    line = indexWithin(source, "\n", line + 1, end);
  }
  return end;
}
