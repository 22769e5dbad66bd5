/** Ranges of a text. */

/** Half-open range of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the range of a match. */
export function spanOf({ index, 0: text }: RegExpExecArray): Span {
  return { start: index, end: index + text.length };
}

/** Returns the smallest replacement that turns one text into another and splits no CRLF and no surrogate pair. */
export function smallestReplacement(before: string, after: string): Span & { readonly text: string } {
  const limit = Math.min(before.length, after.length);
  let start = 0;
  while (start < limit && before[start] === after[start]) start++;
  if (splitsCharacter(before, start) || splitsCharacter(after, start)) start--;
  let tail = 0;
  while (tail < limit - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (splitsCharacter(before, before.length - tail) || splitsCharacter(after, after.length - tail)) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** Whether the offset is inside a CRLF or a surrogate pair, where VS Code has no position. */
function splitsCharacter(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (text[offset - 1] === "\r") return text[offset] === "\n";
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}
