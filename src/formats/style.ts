/** How a text file is laid out: its line ends and its unit of indentation. Looks only; changes nothing. */

/** The line end that the file uses first; a file of one line gets `\n`. */
export function fileNewline(text: string): string {
  const feed = text.indexOf("\n");
  if (feed > 0 && text.charCodeAt(feed - 1) === 0x0d) return "\r\n";
  return feed < 0 && text.includes("\r") ? "\r" : "\n";
}

/** The white space before the first indented line; `undefined` when no line is indented. */
export function indentUnit(text: string): string | undefined {
  return /(?:^|[\r\n])([ \t]+)(?=["'[{}\w$<])/.exec(text)?.[1];
}

/** Offset of the start of the line that `offset` stands in. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isNewline(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Offset after the line end at `offset`, or `offset` itself when none stands there. */
export function afterNewline(text: string, offset: number): number {
  if (text.charCodeAt(offset) === 0x0d) return text.charCodeAt(offset + 1) === 0x0a ? offset + 2 : offset + 1;
  return text.charCodeAt(offset) === 0x0a ? offset + 1 : offset;
}

/** Offset of the first character at or after `offset` that is no space or tab. */
export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09)) at++;
  return at;
}

export function isNewline(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
