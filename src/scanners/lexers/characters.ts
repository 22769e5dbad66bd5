/** Character classes and cursor functions shared by all scanners, independent of the language. */

/** Letters, digits, `_`, `$` and all non-ASCII characters: the characters of a name in any supported language. */
export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code >= 128
  );
}

/** Space, tab, line breaks and form feed. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

/** Returns the first offset from `start` (before `end`) that is not whitespace, else `end`. */
export function skipSpace(text: string, start: number, end: number = text.length): number {
  let offset = start;
  while (offset < end && isSpace(text.charCodeAt(offset))) offset++;
  return offset;
}

/** Returns the offset of the last character before `end` that is not whitespace, else -1. */
export function skipSpaceBack(text: string, end: number): number {
  let offset = end - 1;
  while (offset >= 0 && isSpace(text.charCodeAt(offset))) offset--;
  return offset;
}

/** Returns the start of the word that ends before `end`; `end` itself if there is none. */
export function wordStart(text: string, end: number): number {
  let offset = end;
  while (offset > 0 && isWord(text.charCodeAt(offset - 1))) offset--;
  return offset;
}

/** Returns the word before `end`, which whitespace may follow; empty if there is none. */
export function wordBefore(text: string, end: number): string {
  const wordEnd = skipSpaceBack(text, end) + 1;
  return text.slice(wordStart(text, wordEnd), wordEnd);
}

/** Returns the end of the word at `start`; `start` itself if there is none. */
export function wordEnd(text: string, start: number): number {
  let offset = start;
  while (offset < text.length && isWord(text.charCodeAt(offset))) offset++;
  return offset;
}

/** `indexOf` limited to `[from, end)`; -1 if not found. */
export function indexWithin(text: string, needle: string, from: number, end: number): number {
  if (end >= text.length) return text.indexOf(needle, from);
  // A slice shares its parent's memory, so searching a short range of a long text is cheap.
  const offset = text.slice(from, end).indexOf(needle);
  return offset === -1 ? -1 : from + offset;
}

/** Escapes a name for use in a regular expression. */
export function escapeRegExp(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Returns the index of the last of the ascending offsets that is less than `limit`; -1 if there is none. */
export function lastIndexBelow(offsets: readonly number[], limit: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the offset after the type arguments `<…>` at `open`, or `open` if there are none. */
export function typeArgumentsEnd(code: string, open: number, end: number = code.length): number {
  let depth = 0;
  let brackets = 0;
  const limit = Math.min(end, open + MAX_TYPE_CHARACTERS);
  for (let offset = open; offset < limit; offset++) {
    const char = code.charCodeAt(offset);
    if (char === 60) depth++;
    else if (char === 62 && code.charCodeAt(offset - 1) !== 61 && --depth === 0) return offset + 1;
    else if (char === 40 || char === 91 || char === 123) brackets++;
    else if (char === 41 || char === 93 || char === 125) {
      if (--brackets < 0) break;
    } else if (char === 59 && brackets === 0) break;
  }
  return open;
}

const MAX_TYPE_CHARACTERS = 300;
