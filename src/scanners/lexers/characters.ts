/** Character classes and small steps over a text that all scanners share. Knows no language. */

/** Letters, digits, `_`, `$` and everything beyond ASCII: what a name may hold in the languages here. */
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

/** Space, tab, line ends, form feed. */
export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

/** The first place from `at` on (before `end`) that is no white space, else `end`. */
export function skipSpace(text: string, at: number, end: number = text.length): number {
  let place = at;
  while (place < end && isSpace(text.charCodeAt(place))) place++;
  return place;
}

/** The place of the last character before `at` that is no white space, else -1. */
export function lastBefore(text: string, at: number): number {
  let place = at - 1;
  while (place >= 0 && isSpace(text.charCodeAt(place))) place--;
  return place;
}

/** Where the word that ends before `end` begins; `end` itself when there is none. */
export function wordStart(text: string, end: number): number {
  let place = end;
  while (place > 0 && isWord(text.charCodeAt(place - 1))) place--;
  return place;
}

/** Where the word that begins at `start` ends; `start` itself when there is none. */
export function wordEnd(text: string, start: number): number {
  let place = start;
  while (place < text.length && isWord(text.charCodeAt(place))) place++;
  return place;
}

/** `indexOf` that looks no further than `end`; -1 when the needle is not wholly within `[from, end)`. */
export function indexWithin(text: string, needle: string, from: number, end: number): number {
  if (end >= text.length) return text.indexOf(needle, from);
  // A slice shares the characters, so a search in a short range of a long text stays short.
  const place = text.slice(from, end).indexOf(needle);
  return place === -1 ? -1 : from + place;
}

/** The name taken literally in a regular expression. */
export function escapeRegExp(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
