/**
 * How one array or object lies in the text: its members' lines, commas and comments; where a new member would
 * go, and which bytes leave with an old one. Only looks.
 */
import type { Span } from "./format.ts";
import { afterNewline, isNewline, lineStart, skipBlanks } from "./style.ts";
import type { BranchNode, Member } from "./tree.ts";
import type { TreeSyntax } from "./tree-print.ts";

/** Where new members go; on lines of their own, or on one line with `gap` as the white space between members. */
export interface Spot {
  readonly kind: "line-after" | "line-before" | "inline-after" | "inline-before";
  readonly offset: number;
  readonly gap: string;
}

interface Tail {
  /** After the comma (or the member, where none follows) and the comments on that line. */
  readonly end: number;
  /** The line ends there. */
  readonly endsLine: boolean;
}

export class BranchText {
  readonly #text: string;
  readonly #branch: BranchNode;
  readonly #members: readonly Member[];
  readonly #syntax: TreeSyntax;

  constructor(text: string, branch: BranchNode, syntax: TreeSyntax) {
    this.#text = text;
    this.#branch = branch;
    this.#members = branch.members;
    this.#syntax = syntax;
  }

  /** Offset of the closing bracket. */
  get #close(): number {
    return this.#branch.end - 1;
  }

  /** What stands between the brackets. */
  inside(): Span {
    return { start: this.#branch.open, end: this.#close };
  }

  get trailingComma(): boolean {
    return this.#members.length > 0 && this.commaAfter(this.#members.length - 1) !== null;
  }

  /** Offset of the comma after the member; `null` when none follows. */
  commaAfter(index: number): number | null {
    const at = this.#syntax.skipTrivia(this.#text, this.#members[index]?.end ?? 0);
    return this.#text[at] === "," ? at : null;
  }

  /** Whether only white space stands before the member on its line. */
  startsLine(index: number): boolean {
    return this.#isLineStart(this.#members[index]?.start ?? 0);
  }

  #isLineStart(offset: number): boolean {
    const start = lineStart(this.#text, offset);
    return start > this.#branch.start && skipBlanks(this.#text, start) === offset;
  }

  /** The white space before the member on its line. */
  indentOf(index: number): string {
    const { start = 0 } = this.#members[index] ?? {};
    return this.#text.slice(lineStart(this.#text, start), start);
  }

  /** After the member and its comma. */
  #afterComma(index: number): number {
    const comma = this.commaAfter(index);
    return comma === null ? (this.#members[index]?.end ?? 0) : comma + 1;
  }

  #tail(index: number): Tail {
    return this.#lineTail(index < 0 ? this.#branch.open : this.#afterComma(index));
  }

  /** From `offset` over blanks and comments that end on the same line. */
  #lineTail(offset: number): Tail {
    let end = offset;
    for (;;) {
      const at = skipBlanks(this.#text, end);
      if (at >= this.#text.length || isNewline(this.#text.charCodeAt(at))) return { end, endsLine: true };
      const after = this.#commentEnd(at);
      if (after === null || /[\r\n]/.test(this.#text.slice(at, after)))
        return { end: offset, endsLine: false };
      end = after;
    }
  }

  /** After the one comment that begins at `offset`; `null` when none does. */
  #commentEnd(offset: number): number | null {
    const end = this.#syntax.skipTrivia(this.#text, offset);
    if (end === offset) return null;
    if (this.#text.startsWith("/*", offset)) return Math.min(end, this.#text.indexOf("*/", offset) + 2);
    let at = offset;
    while (at < end && !isNewline(this.#text.charCodeAt(at))) at++;
    return at;
  }

  spotAfter(index: number): Spot {
    const tail = this.#tail(index);
    const after = this.#afterComma(index);
    if (this.startsLine(index)) {
      if (tail.endsLine) return { kind: "line-after", offset: tail.end, gap: "" };
      if (skipBlanks(this.#text, after) === this.#close)
        return { kind: "line-after", offset: after, gap: "" };
    }
    return { kind: "inline-after", offset: after, gap: this.#gap() };
  }

  /** Before the first member and the comments that belong to it. */
  spotBefore(): Spot {
    if (this.startsLine(0)) return { kind: "line-before", offset: this.#lead(0), gap: "" };
    return { kind: "inline-before", offset: this.#members[0]?.start ?? 0, gap: this.#gap() };
  }

  /** The line end at the offset, else the one before its line: a file may have both kinds. */
  newlineNear(offset: number): string | null {
    const after = afterNewline(this.#text, offset);
    if (after > offset) return this.#text.slice(offset, after);
    const start = lineStart(this.#text, offset);
    if (start === 0) return null;
    return this.#text.startsWith("\r\n", start - 2) ? "\r\n" : (this.#text[start - 1] ?? null);
  }

  /** White space between members of one line: as between the first two, else one blank. */
  #gap(): string {
    const second = this.#members[1];
    if (second !== undefined) {
      const gap = this.#text.slice(this.#afterComma(0), second.start);
      if (/^[ \t]*$/.test(gap)) return gap;
    }
    const first = this.#members[0];
    const minified =
      first?.named === true && /["']:(?!\s)/.test(this.#text.slice(first.start, first.node.start + 1));
    return minified ? "" : " ";
  }

  /** What the insertion into a branch without members replaces: all white space, or that after its comments. */
  emptyPlace(): Span {
    const { start, end } = this.inside();
    const last = this.#comments(start, end).at(-1);
    return { start: last?.end ?? start, end };
  }

  /** Comments between two offsets with no member between them. */
  #comments(start: number, end: number): readonly Span[] {
    const comments: Span[] = [];
    let at = start;
    while (at < end) {
      const after = this.#commentEnd(at);
      const char = this.#text.charCodeAt(at);
      if (char === 0x20 || (char >= 0x09 && char <= 0x0d) || after === null) {
        at++;
      } else {
        comments.push({ start: at, end: after });
        at = after;
      }
    }
    return comments;
  }

  /** Whether a comment would be left if every member went with its own. */
  hasForeignComments(): boolean {
    const spans = this.removals(this.#members.map(() => true));
    let rest = "";
    let at = this.#branch.open;
    for (const span of spans) {
      rest += this.#text.slice(at, span.start);
      at = span.end;
    }
    return (rest + this.#text.slice(at, this.#close)).trim() !== "";
  }

  /** Start of the line of the first comment that stands directly above the member, else of its own line. */
  #lead(index: number): number {
    return this.#ownComments(index)[0] ?? lineStart(this.#text, this.#members[index]?.start ?? 0);
  }

  /** Line starts of the comments directly above the member, with no blank line between. */
  #ownComments(index: number): readonly number[] {
    const { start = 0 } = this.#members[index] ?? {};
    const comments = this.#comments(this.#tail(index - 1).end, start);
    const lines: number[] = [];
    let below = start;
    for (const comment of comments.toReversed()) {
      const between = this.#text.slice(comment.end, below);
      if (!this.#isLineStart(comment.start) || newlines(between) !== 1 || between.trim() !== "") break;
      lines.unshift(lineStart(this.#text, comment.start));
      below = comment.start;
    }
    return lines;
  }

  /** Whether the member begins a paragraph: a blank line or a comment stands before it. */
  #beginsParagraph(index: number): boolean {
    if (index >= this.#members.length) return true;
    const gap = this.#text.slice(this.#tail(index - 1).end, this.#members[index]?.start);
    return gap.trim() !== "" || newlines(gap) !== 1;
  }

  /**
   * The bytes that leave with the members marked in `gone`, merged: a member's line or stretch, its comma, the
   * comment on its line, and the comment above unless it heads members that stay.
   */
  removals(gone: readonly boolean[]): readonly Span[] {
    const spans: Span[] = [];
    const lastKept = gone.lastIndexOf(false);
    for (const [index, leaves] of gone.entries())
      if (leaves) spans.push(this.#removal(index, gone, lastKept));
    return this.#withoutHoles(spans);
  }

  #removal(index: number, gone: readonly boolean[], lastKept: number): Span {
    const member = this.#members[index];
    const start = member?.start ?? 0;
    const tail = this.#tail(index);
    if (this.startsLine(index) && tail.endsLine) {
      const next = skipBlanks(this.#text, tail.end);
      return { start: this.#removalStart(index, gone), end: afterNewline(this.#text, next) };
    }
    const end = this.#afterComma(index);
    if (index > lastKept) return { start: lastKept < 0 ? start : this.#afterComma(lastKept), end };
    if (tail.endsLine) return { start: index === 0 ? start : this.#afterComma(index - 1), end };
    return { start, end: skipBlanks(this.#text, end) };
  }

  #removalStart(index: number, gone: readonly boolean[]): number {
    if (this.#ownComments(index).length === 0) return this.#lead(index);
    let paragraphEnd = index + 1;
    while (!this.#beginsParagraph(paragraphEnd)) paragraphEnd++;
    const headsOthers = gone.slice(index, paragraphEnd).includes(false);
    return headsOthers ? lineStart(this.#text, this.#members[index]?.start ?? 0) : this.#lead(index);
  }

  /** Spans with only blank lines between them become one; no doubled blank line is left behind. */
  #withoutHoles(spans: readonly Span[]): readonly Span[] {
    const joined: { start: number; end: number }[] = [];
    for (const span of spans) {
      const last = joined[joined.length - 1];
      if (
        last !== undefined &&
        this.#text.slice(last.end, span.start).trim() === "" &&
        last.end <= span.start
      ) {
        last.end = Math.max(last.end, span.end);
      } else if (last !== undefined && span.start < last.end) {
        last.end = Math.max(last.end, span.end);
      } else {
        joined.push({ ...span });
      }
    }
    return joined.map((span) => this.#withoutHole(span));
  }

  #withoutHole({ start, end }: Span): Span {
    if (lineStart(this.#text, start) !== start || lineStart(this.#text, end) !== end) return { start, end };
    let before = start;
    while (before > this.#branch.open && this.#blankLineBefore(before) !== null) {
      before = this.#blankLineBefore(before) ?? before;
    }
    let after = end;
    while (after < this.#close && this.#blankLineAt(after) !== null)
      after = this.#blankLineAt(after) ?? after;
    const closes = skipBlanks(this.#text, after) === this.#close;
    if (closes && after === end) return { start: before, end };
    const opens = before <= afterNewline(this.#text, this.#lineTail(this.#branch.open).end);
    return before < start || opens ? { start, end: after } : { start, end };
  }

  /** Start of the line before the line start `offset`, when that line is blank and inside the branch. */
  #blankLineBefore(offset: number): number | null {
    const newline = this.#text.startsWith("\r\n", offset - 2) ? offset - 2 : offset - 1;
    const start = lineStart(this.#text, newline);
    return start > this.#branch.open && skipBlanks(this.#text, start) === newline ? start : null;
  }

  /** Start of the line after the line that begins at `offset`, when that one is blank. */
  #blankLineAt(offset: number): number | null {
    const end = skipBlanks(this.#text, offset);
    const next = afterNewline(this.#text, end);
    return next > end ? next : null;
  }
}

function newlines(text: string): number {
  return text.split(/\r\n|\n|\r/).length - 1;
}
