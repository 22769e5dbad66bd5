/**
 * Comments of PHP, JSON and JavaScript: their text without delimiters, whether it describes a key, and how to write a
 * new one. commas-and-comments.ts locates them.
 */

/**
 * What a comment is for. `words`: may describe a key. `heading`: text in a box or between rules. `rule`: a line of
 * one repeated character, part of such a box. `entry`: a commented-out entry. `directive`: for a tool such as a
 * linter or formatter. `licence`: about the file. `empty`: a blank line between text lines.
 */
export type CommentKind = "words" | "heading" | "rule" | "entry" | "directive" | "licence" | "empty";

/**
 * Returns the lines of a comment without its delimiters, the `*` or `|` at the start of each line, and leading and
 * trailing empty lines.
 */
export function commentLines(raw: string): readonly string[] {
  const block = raw.startsWith("/*");
  const lines = bodyOf(raw)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => (block ? withoutGutter(line.trim()) : line.trim()));
  return trimLines(lines);
}

/** Removes leading and trailing empty lines. */
export function trimLines(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line !== "");
  return start < 0 ? [] : lines.slice(start, lines.findLastIndex((line) => line !== "") + 1);
}

function bodyOf(raw: string): string {
  if (!raw.startsWith("/*")) return raw.slice(markEnd(raw, raw[0] ?? "")).replace(/^!/, "");
  let end = raw.length;
  if (end >= 4 && raw.endsWith("*/")) end -= 2;
  const start = markEnd(raw.slice(1, end), "*") + 1;
  while (end > start && raw[end - 1] === "*") end--;
  return raw.slice(start, end);
}

/** Returns the offset after the run of `mark` at the start of the text. */
function markEnd(text: string, mark: string): number {
  let at = 0;
  while (at < text.length && text[at] === mark) at++;
  return at;
}

function withoutGutter(line: string): string {
  return /^[*|](?:\s|$)/.test(line) ? line.slice(1).trim() : line;
}

/** A line that starts with a run of one character: part of a box, or the underline of a heading. */
const RULE = /^[^\p{L}\p{N}]{0,8}?([-=*#~_+/])\1{3}/u;

const DIRECTIVE =
  /^(?:(?:es|ts|ox|style|js)(?:lint|hint)\b|(?:prettier|biome|oxfmt|dprint|vite|@vite)-ignore|deno-\w+-ignore|@ts-|@(?:php(?:stan|cs|md)\w*|psalm|codeCoverage\w*|formatter:|noinspection|Suppress\w*|var|return|type|satisfies|extends|template|package)\b|phpcs:|noinspection\b|(?:istanbul|c8|v8) ignore|cspell:|spell-?checker:|webpack\w+:|#(?:end)?region\b|endregion\b|vim:|sourceMappingURL=|[@#]__)/i;

const LICENCE =
  /@licen[cs]e\b|@preserve\b|\bSPDX-|\bcopyright\s+(?:\(c\)|\u00a9|\d{4})|(?:\(c\)|\u00a9)\s*\d{4}|\blicensed under\b/i;

/** A name and a value in PHP, JSON or JavaScript syntax, or the end of a commented-out array. */
const QUOTED_ENTRY =
  /^(["'`])(?:[^\\]|\\.)*?\1\s*(?:=>|:)\s*(?:["'`[{(\d-]|\w+\(|(?:true|false|null|array)\b|$)/i;
const BARE_ENTRY = /^[\w$-]+\s*(?:=>|:)\s*(?:[[{(]$|(["'`]).*\1\s*,$|\w+\(.*\)\s*,$)|^\d+\s*=>/;
const CLOSING = /^[\])}]+[,;]?$/;

/** Classifies a comment. */
export function commentKind(raw: string): CommentKind {
  const lines = commentLines(raw);
  const [first = ""] = lines;
  if (raw.split(/[\n\r]/).some((line) => RULE.test(line.trimStart()))) {
    return lines.some((line) => /[\p{L}\p{N}]/u.test(line)) ? "heading" : "rule";
  }
  if (first === "") return "empty";
  if (raw.startsWith("/*!") || LICENCE.test(raw)) return "licence";
  if (DIRECTIVE.test(first) || raw.startsWith("#region")) return "directive";
  return lines.some(isEntry) ? "entry" : "words";
}

/** Tests only the start of an implausibly long line. */
function isEntry(line: string): boolean {
  const start = line.slice(0, 1_000);
  return QUOTED_ENTRY.test(start) || BARE_ENTRY.test(start) || CLOSING.test(start);
}

/** The comment style of a file, detected from one of its comments. */
export type CommentStyle = "//" | "#" | "/*" | "/**";

/** Returns the style of a comment; `undefined` for anything else. */
export function commentStyle(raw: string): CommentStyle | undefined {
  return (["/**", "/*", "//", "#"] as const).find((mark) => raw.startsWith(mark));
}

/**
 * Returns the lines of a new comment, without indentation; a single line (a block comment) if `oneLine`. Text that
 * would terminate the comment is split: the end of a block comment, and PHP's closing tag, which also ends a line
 * comment.
 */
export function printComment(words: string, style: CommentStyle, oneLine: boolean): readonly string[] {
  const lines = words
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0) return [];
  if (!oneLine && (style === "//" || style === "#")) {
    return lines.map((line) => `${style} ${line.replaceAll("?>", "? >")}`);
  }
  const open = style === "/**" ? "/**" : "/*";
  const safe = lines.map((line) => line.replaceAll("*/", "* /"));
  if (oneLine || safe.length === 1) return [`${open} ${safe.join(" ")} */`];
  return [open, ...safe.map((line) => ` * ${line}`), " */"];
}
