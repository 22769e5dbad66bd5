/**
 * What is between the members of an array or object: commas, line ends and comments, and which comment belongs to which
 * member. The text of comments is read in comments.ts.
 */
import { type CommentKind, commentKind, commentLines, type CommentStyle, commentStyle } from "../comments.ts";
import { isNewline, skipBlanks } from "../style.ts";
import type { TreeSyntax } from "./tree-print.ts";
import type { BranchNode, Member } from "./tree.ts";
import type { Span } from "../../model/span.ts";

/** What follows a member on its line. */
interface Tail {
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
function newlinesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) count++;
  }
  return count;
}

/** The comments directly above a member, or before it on its line; nothing but one line end between any two. */
interface Above {
  /** What goes with the member: nothing of it stands above a box, a licence or a commented-out entry. */
  readonly own: readonly Span[];
  readonly lines: readonly string[];
}

const NOTHING: Above = { own: [], lines: [] };

/** Words of a heading, rather than a sentence: a few, the first not in small letters, with no full stop or its like behind. */
const HEADING = /^(?!\p{Ll})\S+(?: \S+){0,2}$/u;

/** Of so many members the first would hardly be the only one that has something said of it. */
const LONG_PARAGRAPH = 8;

export class BranchComments {
  readonly #text: string;
  readonly #members: readonly Member[];
  readonly #gaps: BranchGaps;
  readonly #above = new Map<number, Above>();
  #headings: ReadonlySet<number> | null = null;

  constructor(text: string, branch: BranchNode, gaps: BranchGaps) {
    this.#text = text;
    this.#members = branch.members;
    this.#gaps = gaps;
  }

  /** The member's own comments before it; `[]` when there are none. A heading counts, where it stands directly above. */
  own(index: number): readonly Span[] {
    return this.#aboveOf(index).own;
  }

  /** What the comments say of the member; `null` when they say nothing. */
  description(index: number): string | null {
    const lines = this.isHeading(index) ? [] : [...this.#aboveOf(index).lines];
    for (const comment of this.#gaps.commentsAfter(index)) {
      const raw = this.#text.slice(comment.start, comment.end);
      if (commentKind(raw) === "words") lines.push(...commentLines(raw));
    }
    return lines.length === 0 ? null : lines.join("\n");
  }

  /** Whether the comment above speaks of the paragraph that the member begins. */
  isHeading(index: number): boolean {
    this.#headings ??= this.#findHeadings();
    return this.#headings.has(index);
  }

  /** Index after the last member of the paragraph that the member stands in: a blank line or a comment ends it. */
  paragraphEnd(index: number): number {
    let end = index + 1;
    while (end < this.#members.length && !this.#beginsParagraph(end)) end++;
    return end;
  }

  #aboveOf(index: number): Above {
    let above = this.#above.get(index);
    if (above === undefined) this.#above.set(index, (above = this.#findAbove(index)));
    return above;
  }

  #findAbove(index: number): Above {
    const comments = this.#gaps.commentsBefore(index);
    if (comments.length === 0) return NOTHING;
    const { start = 0 } = this.#members[index] ?? {};
    const onLines = this.#gaps.isLineStart(start);
    const run: { readonly comment: Span; readonly raw: string; readonly kind: CommentKind }[] = [];
    let below = start;
    for (const comment of comments.toReversed()) {
      if (newlinesIn(this.#text, comment.end, below) !== (onLines ? 1 : 0)) break;
      if (onLines && !this.#gaps.isLineStart(comment.start)) break;
      const raw = this.#text.slice(comment.start, comment.end);
      const kind = commentKind(raw);
      if (kind === "heading" || kind === "entry" || kind === "licence") break;
      run.push({ comment, raw, kind });
      below = comment.start;
    }
    run.reverse();
    // Lines by pairs make boxes, and what stands under a box may be said of the key; one alone makes a heading.
    const rules = run.filter(({ kind }) => kind === "rule").length;
    const own = rules % 2 === 1 ? [] : run.slice(run.findLastIndex(({ kind }) => kind === "rule") + 1);
    if (own.length === 0) return NOTHING;
    const lines = own.flatMap(({ raw, kind }) =>
      kind === "words" ? commentLines(raw) : kind === "empty" ? [""] : [],
    );
    const first = lines.findIndex((line) => line !== "");
    const last = lines.findLastIndex((line) => line !== "");
    return { own: own.map(({ comment }) => comment), lines: first < 0 ? [] : lines.slice(first, last + 1) };
  }

  /** A blank line stands in the gap before the member, or nothing at all. */
  #beginsSection(index: number): boolean {
    if (index === 0) return true;
    let at = this.#gaps.tail(index - 1).end;
    for (const comment of this.#gaps.commentsBefore(index)) {
      if (newlinesIn(this.#text, at, comment.start) > 1) return true;
      at = comment.end;
    }
    return newlinesIn(this.#text, at, this.#members[index]?.start ?? at) > 1;
  }

  #beginsParagraph(index: number): boolean {
    return this.#gaps.commentsBefore(index).length > 0 || this.#beginsSection(index);
  }

  /**
   * A comment above several members that no blank line parts may head them all or describe the first. It is a
   * heading in a file that is set in paragraphs, where most commented paragraphs begin so, where it is as short
   * as a title, or where the paragraph is long; and then such titles head paragraphs of one member too.
   */
  #findHeadings(): ReadonlySet<number> {
    const headings = new Set<number>();
    const sections = this.#members.flatMap((_, index) => (this.#beginsSection(index) ? [index] : []));
    if (sections.length < 2) return headings;
    const commented = sections.filter((index) => this.#aboveOf(index).lines.length > 0);
    const several = commented.filter((index) => this.paragraphEnd(index) > index + 1);
    const isHabit = several.length > 1 && several.length * 2 >= commented.length;
    for (const index of several) {
      const isLong = this.paragraphEnd(index) - index >= LONG_PARAGRAPH;
      if (isHabit || isLong || this.#isTitle(index)) headings.add(index);
    }
    if (headings.size > 0) for (const index of commented) if (this.#isTitle(index)) headings.add(index);
    return headings;
  }

  #isTitle(index: number): boolean {
    const { lines } = this.#aboveOf(index);
    const [first = ""] = lines;
    return lines.length === 1 && HEADING.test(first) && !/[.!?:;,]$/.test(first);
  }
}

/** Descriptions of all members that have one, in the whole tree. */
export function describeTree(
  text: string,
  root: BranchNode,
  syntax: TreeSyntax,
): ReadonlyMap<Member, string> {
  const found = new Map<Member, string>();
  const walk = (branch: BranchNode): void => {
    const gaps = new BranchGaps(text, branch, syntax);
    const comments = gaps.hasComments() ? new BranchComments(text, branch, gaps) : null;
    for (const [index, member] of branch.members.entries()) {
      if (member.node.kind === "branch") walk(member.node);
      const description = comments?.description(index) ?? null;
      if (description !== null) found.set(member, description);
    }
  };
  walk(root);
  return found;
}

/** How the tree's comments are written, by the first one inside; `undefined` when it has none. */
export function commentStyleOf(text: string, root: BranchNode, syntax: TreeSyntax): CommentStyle | undefined {
  const gaps = new BranchGaps(text, root, syntax);
  if (gaps.hasComments()) {
    let at = root.open;
    for (const member of [...root.members, { start: root.end - 1, end: root.end }]) {
      for (const comment of gaps.comments(at, member.start)) {
        const raw = text.slice(comment.start, comment.end);
        if (commentKind(raw) === "words") return commentStyle(raw);
      }
      at = member.end;
    }
  }
  for (const { node } of root.members) {
    const found = node.kind === "branch" ? commentStyleOf(text, node, syntax) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
