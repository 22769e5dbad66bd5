/**
 * What stands between the members of one array or object: commas, comments, line ends. Only looks, and in time
 * that grows with the gaps alone, however long a line is.
 */
import type { Span } from "../format.ts";
import { isNewline, skipBlanks } from "../style.ts";
import type { BranchNode, Member } from "./tree.ts";
import type { TreeSyntax } from "./tree-print.ts";

/** What follows a member on its line. */
export interface Tail {
  /** After the comma (or the member, where none follows) and the comments on that line. */
  readonly end: number;
  /** The line ends there. */
  readonly endsLine: boolean;
}

export class BranchGaps {
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

  /** Offset of the comma after the member; `null` when none follows. */
  commaAfter(index: number): number | null {
    const at = this.#syntax.skipTrivia(this.#text, this.#members[index]?.end ?? 0);
    return this.#text[at] === "," ? at : null;
  }

  /** After the member and its comma. */
  afterComma(index: number): number {
    const comma = this.commaAfter(index);
    return comma === null ? (this.#members[index]?.end ?? 0) : comma + 1;
  }

  /** After the member, its comma, and the comments that stand in place of one on a line that goes on. */
  ownEnd(index: number): number {
    const comma = this.commaAfter(index);
    if (comma !== null) return comma + 1;
    return this.commaPlace(index);
  }

  /** Where a comma that the member lacks goes: behind comments on a line that goes on, before those that end it. */
  commaPlace(index: number): number {
    const { end = 0 } = this.#members[index] ?? {};
    const last = this.tail(index).endsLine ? undefined : this.commentsAfter(index).at(-1);
    return last === undefined || hasNewline(this.#text, end, last.end) ? end : last.end;
  }

  /** The tail of a member; of the opening bracket for -1. */
  tail(index: number): Tail {
    return this.lineTail(index < 0 ? this.#branch.open : this.afterComma(index));
  }

  /** From `offset` over blanks and comments that end on the same line. */
  lineTail(offset: number): Tail {
    let end = offset;
    for (;;) {
      const at = skipBlanks(this.#text, end);
      if (at >= this.#text.length || isNewline(this.#text.charCodeAt(at))) return { end, endsLine: true };
      const after = this.#commentEnd(at);
      if (after === null || hasNewline(this.#text, at, after)) return { end: offset, endsLine: false };
      end = after;
    }
  }

  /** After the one comment that begins at `offset`; `null` when none does. Only that one is looked at. */
  #commentEnd(offset: number): number | null {
    const first = this.#text[offset];
    if (first !== "/" && first !== "#") return null;
    let end: number;
    if (this.#text[offset + 1] === "*" && first === "/") {
      const close = this.#text.indexOf("*/", offset + 2);
      end = close < 0 ? this.#text.length : close + 2;
    } else {
      end = offset;
      while (end < this.#text.length && !isNewline(this.#text.charCodeAt(end))) end++;
    }
    // Other syntax may know no comment of this kind, or end it earlier (PHP's closing tag).
    const length = this.#syntax.skipTrivia(this.#text.slice(offset, end), 0);
    return length === 0 ? null : offset + length;
  }

  /** Comments between two offsets with no member between them. */
  comments(start: number, end: number): readonly Span[] {
    const comments: Span[] = [];
    let at = start;
    while (at < end) {
      const char = this.#text.charCodeAt(at);
      const isBlank = char === 0x20 || (char >= 0x09 && char <= 0x0d) || char === 0x2c;
      const after = isBlank ? null : this.#commentEnd(at);
      if (after === null) {
        at++;
      } else {
        comments.push({ start: at, end: after });
        at = after;
      }
    }
    return comments;
  }

  /** Comments between the member and the one before, without those that end that one's line. */
  commentsBefore(index: number): readonly Span[] {
    return this.comments(this.tail(index - 1).end, this.#members[index]?.start ?? 0);
  }

  /** Comments of the member's own line after it: before its comma, and after it when the line ends with them. */
  commentsAfter(index: number): readonly Span[] {
    const { end = 0 } = this.#members[index] ?? {};
    const tail = this.tail(index);
    if (tail.endsLine) return this.comments(end, tail.end);
    return this.comments(end, this.commaAfter(index) ?? this.#syntax.skipTrivia(this.#text, end));
  }

  /** Whether only white space stands before the offset on its line, and the branch began on an earlier one. */
  isLineStart(offset: number): boolean {
    let at = offset;
    while (at > 0 && (this.#text.charCodeAt(at - 1) === 0x20 || this.#text.charCodeAt(at - 1) === 0x09)) at--;
    return at > this.#branch.start && isNewline(this.#text.charCodeAt(at - 1));
  }

  /** Whether anything but white space and commas stands in a gap: comments, most likely. */
  hasComments(): boolean {
    let at = this.#branch.open;
    for (const member of this.#members) {
      if (!isBare(this.#text, at, member.start)) return true;
      at = member.end;
    }
    return !isBare(this.#text, at, this.#branch.end - 1);
  }
}

function isBare(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20 && code !== 0x2c) return false;
  }
  return true;
}

function hasNewline(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isNewline(text.charCodeAt(at))) return true;
  return false;
}

/** Line ends between two offsets. */
export function newlinesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) count++;
  }
  return count;
}
