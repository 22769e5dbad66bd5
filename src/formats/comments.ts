/**
 * What the comments of PHP, JSON and JavaScript say: their words without the marks around them, whether such words
 * are about a key at all, and how a new one is written. Where comments are is found in tree-trivia.ts.
 */

/**
 * `words`: may be said of a key. `heading`: words in a box or between lines. `rule`: a line of one mark, which with
 * others makes such a box. `entry`: an entry that was commented out. `directive`: for a tool (a linter's, a
 * formatter's). `licence`: about the file. `empty`: a blank line between words.
 */
export type CommentKind = "words" | "heading" | "rule" | "entry" | "directive" | "licence" | "empty";

/** The lines of one comment, without its marks, the `*` or `|` before each line, and empty lines at both ends. */
export function commentLines(raw: string): readonly string[] {
  const block = raw.startsWith("/*");
  const lines = bodyOf(raw)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => (block ? withoutGutter(line.trim()) : line.trim()));
  let end = lines.length;
  while (end > 0 && lines[end - 1] === "") end--;
  const start = lines.findIndex((line) => line !== "");
  return start < 0 ? [] : lines.slice(start, end);
}

function bodyOf(raw: string): string {
  if (!raw.startsWith("/*")) return raw.slice(markEnd(raw, raw[0] ?? "")).replace(/^!/, "");
  let end = raw.length;
  if (end >= 4 && raw.endsWith("*/")) end -= 2;
  const start = Math.min(markEnd(raw.slice(1, end), "*") + 1, end);
  while (end > start && raw[end - 1] === "*") end--;
  return raw.slice(start, end);
}

/** After the run of one character that the text begins with. */
function markEnd(text: string, mark: string): number {
  let at = 0;
  while (at < text.length && text[at] === mark) at++;
  return at;
}

function withoutGutter(line: string): string {
  return /^[*|](?:\s|$)/.test(line) ? line.slice(1).trim() : line;
}

/** A line that begins with a run of one mark: part of a box, or a line under a heading. */
const RULE = /^[^\p{L}\p{N}]{0,8}?([-=*#~_+/])\1{3}/u;

const DIRECTIVE =
  /^(?:(?:es|ts|ox|style|js)(?:lint|hint)\b|(?:prettier|biome|oxfmt|dprint|vite|@vite)-ignore|deno-\w+-ignore|@ts-|@(?:php(?:stan|cs|md)|psalm|codeCoverage|formatter:|noinspection|Suppress|var|return|type|satisfies|extends|template|package)\b|phpcs:|noinspection\b|(?:istanbul|c8|v8) ignore|cspell:|spell-?checker:|webpack\w+:|#(?:end)?region\b|endregion\b|vim:|sourceMappingURL=|[@#]__)/i;

const LICENCE =
  /@licen[cs]e\b|@preserve\b|\bSPDX-|\bcopyright\s+(?:\(c\)|\u00a9|\d{4})|(?:\(c\)|\u00a9)\s*\d{4}|\blicensed under\b/i;

/** A name and a value as PHP, JSON or JavaScript write them, or the end of an array that was commented out. */
const QUOTED_ENTRY =
  /^(["'`])(?:[^\\]|\\.)*?\1\s*(?:=>|:)\s*(?:["'`[{(\d-]|\w+\(|(?:true|false|null|array)\b|$)/i;
const BARE_ENTRY = /^[\w$-]+\s*(?:=>|:)\s*(?:[[{(]$|(["'`]).*\1\s*,$|\w+\(.*\)\s*,$)|^\d+\s*=>/;
const CLOSING = /^[\])}]+[,;]?$/;

/** What the comment is for. */
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

/** Of a line longer than any that a person would write only the start is looked at. */
function isEntry(line: string): boolean {
  const start = line.slice(0, 1_000);
  return QUOTED_ENTRY.test(start) || BARE_ENTRY.test(start) || CLOSING.test(start);
}

/** How a file writes its comments; told from one of them. */
export type CommentStyle = "//" | "#" | "/*" | "/**";

/** The manner of a comment as written; `undefined` when it is none. */
export function commentStyle(raw: string): CommentStyle | undefined {
  return (["/**", "/*", "//", "#"] as const).find((mark) => raw.startsWith(mark));
}

/**
 * The lines of a new comment, without indentation; a single one when `oneLine` (then as a block). Words that would
 * end the comment are taken apart: a block's end mark, and PHP's closing tag, which ends a line comment too.
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
