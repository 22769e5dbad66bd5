/**
 * Lexer for PHP: finds the ends of comments, strings, heredocs and bracketed expressions, and masks comments and
 * strings. No function throws or recurses, and each reads every character at most once.
 */
import type { Span } from "../../util/span.ts";
import type { Mask } from "./mask.ts";

function isNewline(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

/** Whether PHP allows the character in a name; every byte from 0x80 on is allowed. */
export function isLabel(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code >= 0x80
  );
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether it is PHP whitespace, which excludes vertical tab, form feed and no-break space. */
export function isPhpSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/**
 * Returns the offset after whitespace and comments. `#[` starts an attribute, not a comment. A `//` comment ends
 * before a closing tag.
 */
export function skipPhpTrivia(text: string, offset: number): number {
  let end = offset;
  for (;;) {
    const code = text.charCodeAt(end);
    if (isPhpSpace(code)) end++;
    else {
      const next = commentEnd(text, end);
      if (next === null) return end;
      end = next;
    }
  }
}

/** Returns the offset after the comment at `offset`; `null` if there is none. One of a line also ends before `?>`. */
function commentEnd(text: string, offset: number): number | null {
  const code = text.charCodeAt(offset);
  const next = text.charCodeAt(offset + 1);
  if (code === 0x2f && next === 0x2a) {
    const end = text.indexOf("*/", offset + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (code === 0x23 ? next === 0x5b : code !== 0x2f || next !== 0x2f) return null;
  for (let end = offset; end < text.length; end++) {
    const each = text.charCodeAt(end);
    if (isNewline(each) || (each === 0x3f && text.charCodeAt(end + 1) === 0x3e)) return end;
  }
  return text.length;
}

/** Returns the offset after the name at `offset`; `offset` itself if there is none. */
export function labelEnd(text: string, offset: number): number {
  if (isDigit(text.charCodeAt(offset))) return offset;
  let end = offset;
  while (isLabel(text.charCodeAt(end))) end++;
  return end;
}

/** Returns the identifier at `offset`; empty if there is none. */
export function identifierAt(text: string, offset: number): string {
  return text.slice(offset, labelEnd(text, offset));
}

/**
 * Returns the offset after the `'`, `"` or backtick string that starts at `offset`; `null` if it is not closed.
 * @param calls receives the ranges of its `{$…}` with calls, with their braces
 */
export function quotedEnd(text: string, offset: number, calls?: Span[]): number | null {
  return text.charCodeAt(offset) === 0x27
    ? singleQuotedEnd(text, offset)
    : interpolatedEnd(text, offset, undefined, calls);
}

function singleQuotedEnd(text: string, offset: number): number | null {
  for (let close = text.indexOf("'", offset + 1); close >= 0; close = text.indexOf("'", close + 1)) {
    let slashes = close;
    while (text.charCodeAt(slashes - 1) === 0x5c && slashes - 1 > offset) slashes--;
    if ((close - slashes) % 2 === 0) return close + 1;
  }
  return null;
}

/** Context within an interpolated string; the innermost frame is last. */
type Frame =
  | { readonly kind: "quoted"; readonly quote: number }
  | ({ readonly kind: "heredoc" } & HeredocHead)
  /** `{$…}` and `${…}`: code up to the matching brace. */
  | { readonly kind: "code"; depth: number };

/**
 * Returns the offset after the `"` or backtick string at `offset`, or after the heredoc with this head, including
 * interpolated code with nested strings; `null` if it is not closed.
 */
function interpolatedEnd(text: string, offset: number, head?: HeredocHead, calls?: Span[]): number | null {
  const frames: Frame[] = [];
  let codeStart = 0;
  let end = head === undefined ? enterString(text, offset, frames) : enterHeredoc(text, head, frames);
  while (end < text.length) {
    const frame = frames.at(-1);
    if (frame === undefined) return end;
    const next =
      frame.kind === "code"
        ? stepInCode(text, end, frame, frames)
        : frame.kind === "heredoc"
          ? stepInHeredoc(text, end, frame, frames)
          : stepInString(text, end, frame.quote, frames);
    if (next === null) return null;
    if (frames.length === 2 && frame === frames[0]) codeStart = end;
    else if (frames.length === 1 && frame !== frames[0] && text.slice(codeStart, next).includes("("))
      calls?.push({ start: codeStart, end: next });
    end = next;
  }
  return frames.length === 0 ? end : null;
}

/** Enters the string at `offset`; returns the offset of its text. */
function enterString(text: string, offset: number, frames: Frame[]): number {
  frames.push({ kind: "quoted", quote: text.charCodeAt(offset) });
  return offset + 1;
}

/** Enters a heredoc unless it is empty; returns the offset of its first line, or after an empty one. */
function enterHeredoc(text: string, head: HeredocHead, frames: Frame[]): number {
  const closed = closingNameEnd(text, head.body, head.name);
  if (closed === null) frames.push({ kind: "heredoc", ...head });
  return closed ?? head.body;
}

/** Advances by one step in interpolated code; may push or pop frames. */
function stepInCode(
  text: string,
  offset: number,
  frame: Frame & { kind: "code" },
  frames: Frame[],
): number | null {
  const next = skipPhpTrivia(text, offset);
  if (next !== offset) return next;
  const code = text.charCodeAt(offset);
  if (code === 0x27) return singleQuotedEnd(text, offset);
  if (code === 0x22 || code === 0x60) return enterString(text, offset, frames);
  const head = heredocHead(text, offset);
  if (head !== null) return enterHeredoc(text, head, frames);
  if (code === 0x7b) frame.depth++;
  else if (code === 0x7d && --frame.depth < 0) frames.pop();
  return offset + 1;
}

function stepInHeredoc(text: string, offset: number, head: HeredocHead, frames: Frame[]): number {
  const code = text.charCodeAt(offset);
  if (isNewline(code)) {
    const line = offset + (text.startsWith("\r\n", offset) ? 2 : 1);
    const closed = closingNameEnd(text, line, head.name);
    if (closed !== null) frames.pop();
    return closed ?? line;
  }
  if (head.nowdoc) return offset + 1;
  // A backslash at the end of a line does not escape the closing name on the next line.
  if (code === 0x5c && isNewline(text.charCodeAt(offset + 1))) return offset + 1;
  return stepInString(text, offset, null, frames);
}

/** @param quote the character that closes the string; `null` for a heredoc */
function stepInString(text: string, offset: number, quote: number | null, frames: Frame[]): number {
  const code = text.charCodeAt(offset);
  if (code === 0x5c) return offset + 2;
  if (code === quote) frames.pop();
  else if (text.startsWith("{$", offset) || text.startsWith("${", offset)) {
    frames.push({ kind: "code", depth: 0 });
    return offset + (code === 0x7b ? 1 : 2);
  }
  return offset + 1;
}

/** A heredoc or nowdoc. */
interface Heredoc {
  /** Offset after the closing name; the length of the text if there is none. */
  readonly end: number;
  /** The text between the first and the closing line; `null` if it is not closed. */
  readonly raw: string | null;
  /**
   * `raw` without the closing line's indentation and the last line break. Also `null` if a line is indented less than
   * the closing name, which PHP does not allow.
   */
  readonly body: string | null;
  readonly nowdoc: boolean;
}

interface HeredocHead {
  readonly name: string;
  readonly nowdoc: boolean;
  /** Offset of the first line. */
  readonly body: number;
}

const HEREDOC_HEAD = /<<<[ \t]*(["']?)([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)\1(?:\r\n|\r|\n)/y;

function heredocHead(text: string, offset: number): HeredocHead | null {
  HEREDOC_HEAD.lastIndex = offset;
  const found = text.startsWith("<<<", offset) ? HEREDOC_HEAD.exec(text) : null;
  if (found === null) return null;
  const [head, quote, name = ""] = found;
  return { name, nowdoc: quote === "'", body: offset + head.length };
}

/** Returns the offset after the closing name if the line at `line` is the closing line. */
function closingNameEnd(text: string, line: number, name: string): number | null {
  let start = line;
  while (text[start] === " " || text[start] === "\t") start++;
  const end = start + name.length;
  return text.startsWith(name, start) && !isLabel(text.charCodeAt(end)) ? end : null;
}

/** Returns the offset after the heredoc or nowdoc at `offset`; `null` if there is none. `calls`: as of `quotedEnd`. */
export function heredocEnd(text: string, offset: number, calls?: Span[]): number | null {
  const head = heredocHead(text, offset);
  return head === null ? null : (interpolatedEnd(text, offset, head, calls) ?? text.length);
}

/** Returns the heredoc or nowdoc at `offset`; `null` if there is none. */
export function heredocAt(text: string, offset: number): Heredoc | null {
  const head = heredocHead(text, offset);
  if (head === null) return null;
  const { name, nowdoc, body } = head;
  const end = interpolatedEnd(text, offset, head);
  if (end === null) return { end: text.length, raw: null, body: null, nowdoc };
  let line = end - name.length;
  while (line > body && !isNewline(text.charCodeAt(line - 1))) line--;
  const raw = text.slice(body, line);
  return { end, raw, body: withoutIndentation(raw, end - name.length - line), nowdoc };
}

/** Removes the last line break and the indentation; `null` if a line that is not blank is indented less. */
function withoutIndentation(raw: string, indent: number): string | null {
  const text = raw.replace(/(?:\r\n|\r|\n)$/, "");
  if (indent === 0) return text;
  let body = "";
  for (const line of text.split(/(?<=\r\n|\n|\r(?!\n))/)) {
    const width = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (width < indent && /[^\r\n]/.test(line.charAt(width))) return null;
    body += line.slice(Math.min(width, indent));
  }
  return body;
}

/**
 * Returns the offset after the next opening tag from `offset` on that is valid in any PHP configuration; the length
 * of the text if there is none.
 */
export function afterOpeningTag(text: string, offset: number): number {
  const open = text.indexOf("<?", offset);
  if (open < 0) return text.length;
  if (text[open + 2] === "=") return open + 3;
  // Whether a bare `<?` starts PHP depends on php.ini.
  if (text.slice(open + 2, open + 5).toLowerCase() !== "php") return text.length;
  return open + 5 >= text.length || isPhpSpace(text.charCodeAt(open + 5)) ? open + 5 : text.length;
}

/**
 * Returns the offset after the token at `offset`, which must not be whitespace or a comment. A string, heredoc, name
 * or variable is one token, as is the HTML between a closing and the next opening tag; anything else is a single
 * character.
 */
export function skipPhpToken(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  if (code === 0x27 || code === 0x22 || code === 0x60) return quotedEnd(text, offset) ?? text.length;
  if (code === 0x3c) return heredocEnd(text, offset) ?? offset + 1;
  if (code === 0x24) return labelEnd(text, offset + 1);
  if (code === 0x3f && text.charCodeAt(offset + 1) === 0x3e) return afterOpeningTag(text, offset + 2);
  return Math.max(offset + 1, labelEnd(text, offset));
}

/** What ends a skipped expression, besides `,`, `;` and closing brackets. */
export type ExpressionEnd = "value" | "key";

/**
 * Skips an unsupported expression, including nested strings, comments and brackets. Returns the offset of the `,`,
 * `;` or closing bracket that ends it (or of the closing tag, or the length of the text). A `key` also ends at `=>`.
 */
export function skipExpression(text: string, offset: number, kind: ExpressionEnd): number {
  let depth = 0;
  let end = offset;
  while (end < text.length) {
    const next = skipPhpTrivia(text, end);
    if (next !== end) {
      end = next;
      continue;
    }
    const char = text[end] ?? "";
    if (depth === 0 && endsExpression(text, end, kind)) return end;
    if (char === "(" || char === "[" || char === "{") depth++;
    else if (char === ")" || char === "]" || char === "}") depth--;
    end = skipPhpToken(text, end);
  }
  return text.length;
}

function endsExpression(text: string, offset: number, kind: ExpressionEnd): boolean {
  const char = text[offset] ?? "";
  if (char === "," || char === ";" || char === ")" || char === "]" || char === "}") return true;
  if (char === "?") return text[offset + 1] === ">";
  return char === "=" && kind === "key" && text[offset + 1] === ">";
}

/** What ends a range of PHP: `?>`, only the end of the range, or the parenthesis that closes its first one. */
export type PhpUntil = "tag" | "end" | "parenthesis";

const STOPS = new Uint8Array(128);
for (const char of "/#'\"`<?()") STOPS[char.charCodeAt(0)] = 1;

/**
 * Lexes the PHP in a range and masks its comments and strings; the surrounding HTML or Blade is up to the caller.
 * Returns the offset after the range: before `?>`, after the parenthesis, or `end`.
 * @param isNested whether it is code in a string, whose own strings are masked as a whole
 */
export function lexPhp(
  source: string,
  start: number,
  end: number,
  mask: Mask,
  until: PhpUntil,
  isNested = false,
): number {
  const text = end < source.length ? source.slice(0, end) : source;
  /** Blanks a string except for the code of these ranges. */
  const blankText = (from: number, to: number, calls: readonly Span[]): void => {
    let last = from;
    for (const call of calls) {
      mask.blank(last, call.start);
      lexPhp(text, call.start, call.end, mask, "end", true);
      last = call.end;
    }
    mask.blank(last, to);
  };
  let offset = start;
  let depth = 0;
  while (offset < end) {
    const code = text.charCodeAt(offset);
    if (code >= 128 || STOPS[code] === 0) {
      offset++;
      continue;
    }
    let next = offset + 1;
    if (code === 0x28) depth++;
    else if (code === 0x29 && --depth === 0 && until === "parenthesis") return next;
    else if (code === 0x2f || code === 0x23) {
      const close = commentEnd(text, offset);
      if (close !== null) mask.hide(offset, close);
      next = close ?? next;
    } else if (code === 0x27 || code === 0x22 || code === 0x60) {
      const calls: Span[] = [];
      const close = quotedEnd(text, offset, calls);
      next = close ?? end;
      const isTemplate = close !== null && calls.length > 0 && !isNested;
      // So that its end is found as that of a template, beyond quotes in its code.
      if (isTemplate) mask.mark(offset, offset + 1, "`");
      blankText(offset + 1, close === null ? end : close - 1, isTemplate ? calls : []);
      if (isTemplate) mask.mark(next - 1, next, "`");
    } else if (code === 0x3c) {
      const calls: Span[] = [];
      next = heredocEnd(text, offset, calls) ?? next;
      blankText(offset + 3, next, isNested ? [] : calls);
    } else if (code === 0x3f && until === "tag" && text.charCodeAt(next) === 0x3e) return offset;
    offset = next;
  }
  return end;
}
