/** The layout of a text file: its line ends and indentation. */

/** Returns the first line end in the file; a line feed if there is only one line. */
export function fileNewline(text: string): string {
  const feed = text.indexOf("\n");
  if (feed > 0 && text.charCodeAt(feed - 1) === 0x0d) return "\r\n";
  return feed < 0 && text.includes("\r") ? "\r" : "\n";
}

/** Returns the indentation of the first indented line; `undefined` if no line is indented. */
export function indentUnit(text: string): string | undefined {
  return /(?:^|[\r\n])([ \t]+)(?=["'[{}\w$<])/.exec(text)?.[1];
}

/** Returns the text before `offset` on its line if that is blank; `null` otherwise. */
export function indentBefore(text: string, offset: number): string | null {
  const start = skipBlanksBefore(text, offset);
  return start === 0 || isNewline(text.charCodeAt(start - 1)) ? text.slice(start, offset) : null;
}

/** Returns the start of the line that contains `offset`. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isNewline(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Returns the offset of the next line end, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isNewline(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the offset after the line end at `offset`, or `offset` itself if there is none. */
export function afterNewline(text: string, offset: number): number {
  if (text.charCodeAt(offset) === 0x0d) return text.charCodeAt(offset + 1) === 0x0a ? offset + 2 : offset + 1;
  return text.charCodeAt(offset) === 0x0a ? offset + 1 : offset;
}

/** Returns the offset of the line end directly before `offset`, or `offset` itself if there is none. */
export function beforeNewline(text: string, offset: number): number {
  if (text.endsWith("\r\n", offset)) return offset - 2;
  return offset > 0 && isNewline(text.charCodeAt(offset - 1)) ? offset - 1 : offset;
}

/** Returns the number of line ends between two offsets. */
export function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) count++;
  }
  return count;
}

/** Returns the offset of the first character at or after `offset` that is neither a space nor a tab. */
export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) at++;
  return at;
}

/** Returns the offset after the last character before `offset` that is neither a space nor a tab. */
export function skipBlanksBefore(text: string, offset: number): number {
  let at = offset;
  while (text[at - 1] === " " || text[at - 1] === "\t") at--;
  return at;
}

/** Returns the 1-based lines and columns (in UTF-16 units) of offsets, in one pass through the text. */
export function positionsOf(text: string, offsets: readonly number[]): ReadonlyMap<number, Position> {
  const positions = new Map<number, Position>();
  let line = 1;
  let start = 0;
  let at = 0;
  for (const offset of [...new Set(offsets)].sort((a, b) => a - b)) {
    for (; at < offset && at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x0a && (code !== 0x0d || text.charCodeAt(at + 1) === 0x0a)) continue;
      line++;
      start = at + 1;
    }
    positions.set(offset, { line, column: at - start + 1 });
  }
  return positions;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export function isNewline(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
