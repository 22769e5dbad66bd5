/**
 * The text between the members of an array or object: commas, line ends and comments, and which comment belongs to
 * which member. comments.ts reads the text of comments.
 */
import { getOrCreate } from "../../model/maps.ts";
import {
  type CommentKind,
  commentKind,
  commentLines,
  type CommentStyle,
  commentStyle,
  trimLines,
} from "../comments.ts";
import { isNewline, skipBlanks } from "../whitespace.ts";
import type { TreeSyntax } from "./nested-serializer.ts";
import type { BranchNode, Member } from "./value-tree.ts";
import type { Span } from "../../model/span.ts";

/** The text after a member on its line. */
interface Tail {
  /** Offset after the comma (or the member, if there is none) and the comments on the line. */
  readonly end: number;
  /** Whether the line ends there. */
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

  /** Returns the offset of the comma after the member; `null` if there is none. */
  commaAfter(index: number): number | null {
    const at = this.#syntax.skipTrivia(this.#text, this.#members[index]?.end ?? 0);
    return this.#text[at] === "," ? at : null;
  }

  /** Returns the offset after the member and its comma. */
  afterComma(index: number): number {
    const comma = this.commaAfter(index);
    return comma === null ? (this.#members[index]?.end ?? 0) : comma + 1;
  }

  /**
   * Returns the offset after the member and its comma, or, without a comma, after comments that more of the line
   * follows.
   */
  ownEnd(index: number): number {
    const comma = this.commaAfter(index);
    return comma === null ? this.commaPosition(index) : comma + 1;
  }

  /**
   * Returns the offset for a missing comma: after comments if more of the line follows, before those at the end of
   * it.
   */
  commaPosition(index: number): number {
    const { end = 0 } = this.#members[index] ?? {};
    const last = this.tail(index).endsLine ? undefined : this.commentsAfter(index).at(-1);
    return last === undefined || hasNewline(this.#text, end, last.end) ? end : last.end;
  }

  /** Returns the tail of a member; for -1, that of the opening bracket. */
  tail(index: number): Tail {
    return this.lineTail(index < 0 ? this.#branch.open : this.afterComma(index));
  }

  /** Returns the tail from `offset`: blanks, and comments that end on the same line. */
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

  /** Returns the offset after the comment at `offset`, scanning only that one; `null` if there is none. */
  #commentEnd(offset: number): number | null {
    const first = this.#text[offset];
    if (first !== "/" && first !== "#") return null;
    let end: number;
    if (this.#text[offset + 1] === "*" && first === "/") {
      end = this.#text.indexOf("*/", offset + 2) + 2;
    } else {
      end = offset;
      while (end < this.#text.length && !isNewline(this.#text.charCodeAt(end))) end++;
    }
    // The syntax may not have this kind of comment, or end it earlier (PHP's closing tag).
    const length = this.#syntax.skipTrivia(this.#text.slice(offset, end), 0);
    return length === 0 ? null : offset + length;
  }

  /** Returns the comments between two offsets in the same gap. */
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

  /** Returns the comments between the previous member and this one, except those at the end of the previous line. */
  commentsBefore(index: number): readonly Span[] {
    return this.comments(this.tail(index - 1).end, this.#members[index]?.start ?? 0);
  }

  /**
   * Returns the comments after the member on its line: those before its comma, and also those after it if they end
   * the line.
   */
  commentsAfter(index: number): readonly Span[] {
    const { end = 0 } = this.#members[index] ?? {};
    const tail = this.tail(index);
    if (tail.endsLine) return this.comments(end, tail.end);
    return this.comments(end, this.commaAfter(index) ?? this.#syntax.skipTrivia(this.#text, end));
  }

  /** Whether only white space precedes the offset on its line, and the branch starts on an earlier one. */
  isLineStart(offset: number): boolean {
    let at = offset;
    while (at > 0 && (this.#text.charCodeAt(at - 1) === 0x20 || this.#text.charCodeAt(at - 1) === 0x09)) at--;
    return at > this.#branch.start && isNewline(this.#text.charCodeAt(at - 1));
  }

  /** Whether a gap contains anything other than white space and commas, which are usually comments. */
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

/** Counts the line ends between two offsets. */
function newlinesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) count++;
  }
  return count;
}

/** The comments directly above a member or before it on its line, without blank lines between them. */
interface Above {
  /** Comments that belong to the member: only those below a box, a licence or a commented-out entry. */
  readonly own: readonly Span[];
  readonly lines: readonly string[];
}

const NOTHING: Above = { own: [], lines: [] };

/**
 * A heading rather than a sentence: a few words, the first not in lower case, and no full stop or similar at the end.
 */
const HEADING = /^(?!\p{Ll})\S+(?: \S+){0,2}$/u;

/** In so long a paragraph, the first member is unlikely to be the only one with a description. */
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

  /** Returns the member's own comments before it, including a heading directly above; `[]` if there are none. */
  own(index: number): readonly Span[] {
    return this.#aboveOf(index).own;
  }

  /** Returns the member's description from its comments; `null` if there is none. */
  description(index: number): string | null {
    const lines = this.isHeading(index) ? [] : [...this.#aboveOf(index).lines];
    for (const comment of this.#gaps.commentsAfter(index)) {
      const raw = this.#text.slice(comment.start, comment.end);
      if (commentKind(raw) === "words") lines.push(...commentLines(raw));
    }
    return lines.length === 0 ? null : lines.join("\n");
  }

  /** Whether the comment above is a heading of the paragraph that starts with the member. */
  isHeading(index: number): boolean {
    this.#headings ??= this.#findHeadings();
    return this.#headings.has(index);
  }

  /** Returns the index after the last member of the paragraph, which ends at a blank line or comment. */
  paragraphEnd(index: number): number {
    let end = index + 1;
    while (end < this.#members.length && !this.#beginsParagraph(end)) end++;
    return end;
  }

  #aboveOf(index: number): Above {
    return getOrCreate(this.#above, index, () => this.#findAbove(index));
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
    // Pairs of rules form boxes, and what follows a box may describe the key; a single rule makes a heading.
    const rules = run.filter(({ kind }) => kind === "rule").length;
    const own = rules % 2 === 1 ? [] : run.slice(run.findLastIndex(({ kind }) => kind === "rule") + 1);
    if (own.length === 0) return NOTHING;
    const lines = own.flatMap(({ raw, kind }) =>
      kind === "words" ? commentLines(raw) : kind === "empty" ? [""] : [],
    );
    return { own: own.map(({ comment }) => comment), lines: trimLines(lines) };
  }

  /** Whether a blank line precedes the member, or it is the first one. */
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
   * Finds headings. A comment above several members without blank lines between them may be their heading or describe
   * the first one. It is a heading if most commented paragraphs of the file have several members, if it is as short
   * as a title, or if the paragraph is long. If so, titles above single members are headings too.
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

/** Returns the descriptions of all members in the tree that have one. */
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

/** Returns the style of the tree's first comment; `undefined` if there is none. */
export function commentStyleOf(text: string, root: BranchNode, syntax: TreeSyntax): CommentStyle | undefined {
  const gaps = new BranchGaps(text, root, syntax);
  let at = root.open;
  for (const member of [...root.members, { start: root.end - 1, end: root.end }]) {
    for (const comment of gaps.comments(at, member.start)) {
      const raw = text.slice(comment.start, comment.end);
      if (commentKind(raw) === "words") return commentStyle(raw);
    }
    at = member.end;
  }
  for (const { node } of root.members) {
    const found = node.kind === "branch" ? commentStyleOf(text, node, syntax) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
