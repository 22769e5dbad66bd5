/**
 * The parts of PHP that a file of arrays needs: where comments, strings, heredocs and bracketed stretches end.
 * Every function takes an offset and gives one, never throws, and reads each character once.
 */
import { isNewline } from "./style.ts";

/** After white space and comments. `#[` begins an attribute and is no comment. A `//` comment ends before a closing tag. */
export function skipPhpTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) at++;
    else if (code === 0x23 && text[at + 1] !== "[") at = lineCommentEnd(text, at);
    else if (code === 0x2f && text[at + 1] === "/") at = lineCommentEnd(text, at);
    else if (code === 0x2f && text[at + 1] === "*") at = blockCommentEnd(text, at);
    else return at;
  }
}

function lineCommentEnd(text: string, offset: number): number {
  for (let at = offset; at < text.length; at++) {
    if (isNewline(text.charCodeAt(at)) || text.startsWith("?>", at)) return at;
  }
  return text.length;
}

function blockCommentEnd(text: string, offset: number): number {
  const end = text.indexOf("*/", offset + 2);
  return end < 0 ? text.length : end + 2;
}

/** After the closing quote of a `'`, `"` or backtick string that begins at `offset`; `null` when it is not closed. */
export function quotedEnd(text: string, offset: number): number | null {
  const quote = text.charCodeAt(offset);
  for (let at = offset + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === quote) return at + 1;
  }
  return null;
}

/** A heredoc or nowdoc. */
export interface Heredoc {
  /** After the closing name; the text's end when there is none. */
  readonly end: number;
  /** Lines without the closing line's indentation and without the last line end; `null` when it is not closed. */
  readonly body: string | null;
  readonly nowdoc: boolean;
}

const HEREDOC =
  /<<<[ \t]*(?:"([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)"|'([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)'|([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*))(?:\r\n|\n|\r)/y;

/** The heredoc that begins at `offset`; `null` when none does. */
export function heredocAt(text: string, offset: number): Heredoc | null {
  HEREDOC.lastIndex = offset;
  const match = HEREDOC.exec(text);
  if (match === null) return null;
  const name = match[1] ?? match[2] ?? match[3] ?? "";
  const start = HEREDOC.lastIndex;
  const nowdoc = match[2] !== undefined;
  for (let line = start; line <= text.length;) {
    let at = line;
    while (text[at] === " " || text[at] === "\t") at++;
    if (text.startsWith(name, at) && !/[\w\u0080-\uffff]/.test(text[at + name.length] ?? "")) {
      return { end: at + name.length, body: bodyOf(text, start, line, at - line), nowdoc };
    }
    while (line < text.length && !isNewline(text.charCodeAt(line))) line++;
    if (line >= text.length) break;
    line += text.startsWith("\r\n", line) ? 2 : 1;
  }
  return { end: text.length, body: null, nowdoc };
}

function bodyOf(text: string, start: number, closingLine: number, indent: number): string {
  let end = closingLine;
  if (end > start) end -= text.startsWith("\r\n", end - 2) && end - 2 >= start ? 2 : 1;
  const body = text.slice(start, end);
  if (indent === 0) return body;
  return body.replaceAll(new RegExp(`(^|\\r\\n|\\n|\\r)[ \\t]{1,${indent}}`, "g"), "$1");
}

/** What ends a stretch of code that is passed over unread, beside `,`, `;` and closing brackets. */
export type StretchEnd = "value" | "key" | "statement";

/**
 * After a stretch that is not understood: the offset of the `,`, `;` or closing bracket that ends it (or of the
 * closing tag, or the text's end). A `key` ends at `=>` too, a `statement` after a block. Strings, comments and
 * brackets inside are passed over.
 */
export function skipStretch(text: string, offset: number, kind: StretchEnd): number {
  let depth = 0;
  let at = offset;
  while (at < text.length) {
    const next = skipPhpTrivia(text, at);
    if (next !== at) {
      at = next;
      continue;
    }
    const char = text[at] ?? "";
    if (char === "'" || char === '"' || char === "`") {
      at = quotedEnd(text, at) ?? text.length;
      continue;
    }
    if (depth === 0 && endsStretch(text, at, kind)) return at;
    if (char === "<" && text.startsWith("<<<", at)) {
      at = heredocAt(text, at)?.end ?? at + 1;
      continue;
    }
    if (char === "(" || char === "[" || char === "{") depth++;
    else if (char === ")" || char === "]" || char === "}") depth--;
    at++;
    if (depth === 0 && char === "}" && kind === "statement") return at;
  }
  return text.length;
}

function endsStretch(text: string, at: number, kind: StretchEnd): boolean {
  const char = text[at] ?? "";
  if (char === "," || char === ";" || char === ")" || char === "]" || char === "}") return true;
  if (char === "?") return text[at + 1] === ">";
  return char === "=" && kind === "key" && text[at + 1] === ">";
}

const IDENTIFIER = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;

/** The identifier at `offset`; empty when none stands there. */
export function identifierAt(text: string, offset: number): string {
  IDENTIFIER.lastIndex = offset;
  return IDENTIFIER.exec(text)?.[0] ?? "";
}
