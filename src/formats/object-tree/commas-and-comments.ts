/**
 * The layout of an array or object in the text: its commas, line ends and comments, which comment belongs to which
 * member, where a new member is inserted, and which bytes are removed with an old one. Members are named by their
 * index. code-comments.ts reads the text of comments.
 */
import { getOrCreate } from "../../util/maps.ts";
import type { Span } from "../../util/span.ts";
import { applySplices } from "../editing/apply-verified-edit.ts";
import {
  type CommentKind,
  commentKind,
  commentLines,
  type CommentStyle,
  commentStyle,
  trimLines,
} from "../text/code-comments.ts";
import {
  afterNewline,
  beforeNewline,
  countNewlines,
  isNewline,
  lineEnd,
  lineStart,
  skipBlanks,
  skipBlanksBefore,
} from "../text/lines-and-indentation.ts";
import type { TreeSyntax } from "./tree-serializer.ts";
import type { BranchNode, Member } from "./value-tree.ts";

/** The text after a member on its line. */
interface Trailing {
  /** Offset after the comma (or the member, if there is none) and the comments on the line. */
  readonly end: number;
  /** Whether the line ends there. */
  readonly isLineEnd: boolean;
}

/** The comments that belong to a member: directly above it or before it on its line, without blank lines between. */
interface LeadingComments {
  /** Only those below a box, a licence or a commented-out entry. */
  readonly spans: readonly Span[];
  readonly lines: readonly string[];
}

const NO_COMMENTS: LeadingComments = { spans: [], lines: [] };

/** Where new members are inserted, and the text before and after each of them. */
interface InsertionPoint {
  readonly offset: number;
  readonly newline: string;
  readonly before: string;
  readonly after: string;
}

/** A title, not a sentence: a few words, the first not in lower case, without a full stop or similar. */
const TITLE = /^(?!\p{Ll})\S+(?: \S+){0,2}$/u;

/** In so long a paragraph, the first member is unlikely to be the only one with a description. */
const MIN_LONG_PARAGRAPH = 8;

export class BranchLayout {
  readonly #text: string;
  readonly #branch: BranchNode;
  readonly #members: readonly Member[];
  readonly #syntax: TreeSyntax;
  readonly #leadingComments = new Map<number, LeadingComments>();
  #headings: ReadonlySet<number> | null = null;

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

  /** Returns the offset for a missing comma: after comments, but before those that end the line. */
  commaPosition(index: number): number {
    const { end = 0 } = this.#members[index] ?? {};
    const last = this.#trailing(index).isLineEnd ? undefined : this.#commentsAfter(index).at(-1);
    return last === undefined || countNewlines(this.#text, end, last.end) > 0 ? end : last.end;
  }

  /** Whether the last member has a comma. */
  get trailingComma(): boolean {
    return this.commaAfter(this.#members.length - 1) !== null;
  }

  /** Returns the separator if each line begins with a comma (`\n  , `); `null` otherwise. */
  commaFirst(): string | null {
    let separator: string | null = null;
    for (const [index, { end }] of this.#members.entries()) {
      const next = this.#members[index + 1];
      if (next === undefined) break;
      const gap = this.#text.slice(end, next.start);
      if (!/^[ \t]*[\r\n]\s*,[ \t]*$/u.test(gap)) return null;
      separator ??= gap.replace(/^[ \t]+/u, "");
    }
    return separator;
  }

  /** Returns the white space before the member if nothing else precedes it on its line; `null` otherwise. */
  indentOf(index: number): string | null {
    const { start = 0 } = this.#members[index] ?? {};
    return this.#isLineStart(start) ? this.#text.slice(lineStart(this.#text, start), start) : null;
  }

  /**
   * Returns where members are inserted after the given one; for -1, before the first one and its comments.
   * `fileNewline`: the line end to use if the place does not show one.
   */
  insertionPoint(index: number, fileNewline: string): InsertionPoint {
    const indent = this.indentOf(Math.max(index, 0));
    const onLine = indent === null ? null : this.#lineAfter(index);
    if (indent === null || onLine === null) {
      const gap = this.#inlineGap();
      return index < 0
        ? { offset: this.#members[0]?.start ?? 0, newline: fileNewline, before: "", after: gap }
        : { offset: this.#endWithComma(index), newline: fileNewline, before: gap, after: "" };
    }
    const newline = this.#newlineNear(onLine) ?? fileNewline;
    const [before, after] = index < 0 ? [indent, newline] : [newline + indent, ""];
    return { offset: onLine, newline, before, after };
  }

  /**
   * Returns the range that is replaced when a member is inserted into an empty branch: its white space, but only that
   * after the last comment.
   */
  emptyRange(): Span {
    const last = this.#comments(this.#branch.open, this.#close).at(-1);
    return { start: last?.end ?? this.#branch.open, end: this.#close };
  }

  /** Whether a comment would remain if all members were removed with their own comments. */
  keepsComments(): boolean {
    if (!this.hasComments()) return false;
    const { open } = this.#branch;
    const removals = this.removals(this.#members.map(() => true));
    const splices = removals.map(({ start, end }) => ({ start: start - open, end: end - open, text: "" }));
    return applySplices(this.#text.slice(open, this.#close), splices).trim() !== "";
  }

  /** Whether there is anything other than white space and commas between members, which are usually comments. */
  hasComments(): boolean {
    return this.#gaps().some(({ start, end }) => !isBlankOrCommas(this.#text, start, end));
  }

  /** Returns the style of the first comment among the members that is not for a tool or about the file. */
  commentStyle(): CommentStyle | undefined {
    const comments = this.#gaps().flatMap(({ start, end }) => this.#comments(start, end));
    const description = comments
      .map((comment) => this.#raw(comment))
      .find((raw) => commentKind(raw) === "words");
    return description === undefined ? undefined : commentStyle(description);
  }

  /** Returns the member's description from its comments; `null` if there is none. */
  description(index: number): string | null {
    const lines = this.#isHeading(index) ? [] : [...this.#leadingCommentsOf(index).lines];
    for (const comment of this.#commentsAfter(index)) {
      const raw = this.#raw(comment);
      if (commentKind(raw) === "words") lines.push(...commentLines(raw));
    }
    return lines.length === 0 ? null : lines.join("\n");
  }

  /**
   * Returns the merged ranges to remove with the members marked in `isRemoved`: the member's line or inline range, its
   * comma and its own comments. A heading is removed only with the last member below it. `endsOnNewLine`:
   * whether other members are inserted on lines of their own at the end.
   */
  removals(isRemoved: readonly boolean[], endsOnNewLine = false): readonly Span[] {
    const merged: { start: number; end: number }[] = [];
    const lastKept = isRemoved.lastIndexOf(false);
    const keptEnd = endsOnNewLine ? this.#trailing(lastKept).end : this.#endOfLastKept(lastKept);
    for (const index of isRemoved.keys()) {
      if (isRemoved[index] !== true) continue;
      const span = this.#removal(index, isRemoved, lastKept, keptEnd);
      const last = merged.at(-1);
      // Ranges with only blank lines between them are merged; the text between overlapping ones is empty.
      if (last !== undefined && this.#text.slice(last.end, span.start).trim() === "") {
        last.end = Math.max(last.end, span.end);
      } else {
        merged.push({ ...span });
      }
    }
    return merged.map((span) => this.#withBlankLines(span));
  }

  /** Offset of the closing bracket. */
  get #close(): number {
    return this.#branch.end - 1;
  }

  /** Returns the ranges before, between and after the members. */
  #gaps(): Span[] {
    const starts = [this.#branch.open, ...this.#members.map(({ end }) => end)];
    const ends = [...this.#members.map(({ start }) => start), this.#close];
    return starts.map((start, index) => ({ start, end: ends[index] ?? start }));
  }

  #raw({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }

  /** Returns the offset after the member and its comma; without one, that of the missing comma. */
  #endWithComma(index: number): number {
    const comma = this.commaAfter(index);
    return comma === null ? this.commaPosition(index) : comma + 1;
  }

  /** Returns the offset after the member and its comma, if it has one. */
  #afterComma(index: number): number {
    const comma = this.commaAfter(index);
    return comma === null ? (this.#members[index]?.end ?? 0) : comma + 1;
  }

  /** Returns the tail of a member; for -1, that of the opening bracket. */
  #trailing(index: number): Trailing {
    return this.#trailingFrom(index < 0 ? this.#branch.open : this.#afterComma(index));
  }

  /** Returns the tail from `offset`: blanks, and comments that end on the same line. */
  #trailingFrom(offset: number): Trailing {
    let end = offset;
    for (;;) {
      const at = skipBlanks(this.#text, end);
      if (at >= this.#text.length || isNewline(this.#text.charCodeAt(at))) return { end, isLineEnd: true };
      const after = this.#commentEnd(at);
      if (after === null || countNewlines(this.#text, at, after) > 0)
        return { end: offset, isLineEnd: false };
      end = after;
    }
  }

  /** Returns the offset after the comment at `offset`, scanning only that one; `null` if there is none. */
  #commentEnd(offset: number): number | null {
    const first = this.#text[offset];
    if (first !== "/" && first !== "#") return null;
    const isBlock = this.#text.startsWith("/*", offset);
    const end = isBlock ? this.#text.indexOf("*/", offset + 2) + 2 : lineEnd(this.#text, offset);
    // The syntax may not have this kind of comment, or end it earlier (PHP's closing tag).
    const length = this.#syntax.skipTrivia(this.#text.slice(offset, end), 0);
    return length === 0 ? null : offset + length;
  }

  /** Returns the comments between two offsets in the same gap. */
  #comments(start: number, end: number): readonly Span[] {
    const comments: Span[] = [];
    for (let at = start; at < end; at++) {
      const after = this.#commentEnd(at);
      if (after === null) continue;
      comments.push({ start: at, end: after });
      at = after - 1;
    }
    return comments;
  }

  /** Returns the comments between the previous member and this one, except those at the end of the previous line. */
  #commentsBefore(index: number): readonly Span[] {
    return this.#comments(this.#trailing(index - 1).end, this.#members[index]?.start ?? 0);
  }

  /**
   * Returns the comments after the member on its line: those before its comma, and also those after it if they end
   * the line.
   */
  #commentsAfter(index: number): readonly Span[] {
    const { end = 0 } = this.#members[index] ?? {};
    const trailing = this.#trailing(index);
    if (trailing.isLineEnd) return this.#comments(end, trailing.end);
    return this.#comments(end, this.#syntax.skipTrivia(this.#text, end));
  }

  /** Whether only white space precedes the offset on its line, and the branch starts on an earlier one. */
  #isLineStart(offset: number): boolean {
    return isNewline(this.#text.charCodeAt(skipBlanksBefore(this.#text, offset) - 1));
  }

  /** Returns the offset of a new line after the member or, for -1, before the first; `null`: not on its own line. */
  #lineAfter(index: number): number | null {
    if (index < 0) {
      return lineStart(
        this.#text,
        this.#leadingCommentsOf(0).spans[0]?.start ?? this.#members[0]?.start ?? 0,
      );
    }
    const trailing = this.#trailing(index);
    // Trailing blanks stay on their line.
    if (trailing.isLineEnd) return skipBlanks(this.#text, trailing.end);
    const after = this.#endWithComma(index);
    return skipBlanks(this.#text, after) === this.#close ? after : null;
  }

  /** Returns the line end at the offset, or that of the previous line: a file may have both kinds. */
  #newlineNear(offset: number): string | null {
    const after = afterNewline(this.#text, offset);
    if (after > offset) return this.#text.slice(offset, after);
    const start = lineStart(this.#text, offset);
    return start === 0 ? null : this.#text.slice(beforeNewline(this.#text, start), start);
  }

  /** Returns the white space between members on one line: that between the first two, or a space. */
  #inlineGap(): string {
    const [first, second] = this.#members;
    if (first === undefined) return " ";
    if (second !== undefined) {
      const gap = this.#text.slice(this.#afterComma(0), second.start);
      if (/^[ \t]*$/.test(gap)) return gap;
    }
    const minified = /["']:(?!\s)/.test(this.#text.slice(first.start, first.node.start + 1));
    return minified ? "" : " ";
  }

  #removal(index: number, isRemoved: readonly boolean[], lastKept: number, keptEnd: number): Span {
    const trailing = this.#trailing(index);
    const start = this.#removalStart(index, isRemoved);
    const startsLine = this.#isLineStart(start);
    if (startsLine && trailing.isLineEnd) {
      const next = skipBlanks(this.#text, trailing.end);
      return { start: lineStart(this.#text, start), end: afterNewline(this.#text, next) };
    }
    const end = this.#endWithComma(index);
    const before = this.#trailing(index - 1).end;
    const otherComment = this.#comments(before, start).at(-1);
    // Nothing may move behind a remaining comment, which could be one that extends to the end of the line.
    if (otherComment !== undefined && (index > lastKept || trailing.isLineEnd)) {
      return { start: startsLine ? lineStart(this.#text, start) : start, end };
    }
    if (index > lastKept) return { start: lastKept < 0 ? start : keptEnd, end };
    if (trailing.isLineEnd) return { start: index === 0 ? start : before, end: trailing.end };
    return { start, end: skipBlanks(this.#text, end) };
  }

  /** Returns where the closing bracket follows the last member that stays: below a comment to the end of its line. */
  #endOfLastKept(index: number): number {
    const { end, isLineEnd } = this.#trailing(index);
    const last = isLineEnd && index >= 0 ? this.#commentsAfter(index).at(-1) : undefined;
    const isOpen = last !== undefined && !this.#text.startsWith("/*", last.start);
    return isOpen ? afterNewline(this.#text, skipBlanks(this.#text, end)) : end;
  }

  /** Returns the start of the member's comments, unless they are a heading of remaining members; otherwise its own. */
  #removalStart(index: number, isRemoved: readonly boolean[]): number {
    const { start = 0 } = this.#members[index] ?? {};
    const [first] = this.#leadingCommentsOf(index).spans;
    if (first === undefined) return start;
    const stays = this.#isHeading(index) && isRemoved.slice(index, this.#paragraphEnd(index)).includes(false);
    return stays ? start : first.start;
  }

  /** Extends a removed range so that it does not leave two consecutive blank lines, or one at a bracket. */
  #withBlankLines({ start, end }: Span): Span {
    if (!this.#beginsLine(start) || !this.#beginsLine(end)) return { start, end };
    let before = start;
    for (let line = this.#blankLineBefore(before); line !== null; line = this.#blankLineBefore(line))
      before = line;
    let after = end;
    for (let line = this.#blankLineAt(after); line !== null; line = this.#blankLineAt(line)) after = line;
    const closes = skipBlanks(this.#text, after) === this.#close;
    if (closes && after === end) return { start: before, end };
    const opens = before <= afterNewline(this.#text, this.#trailingFrom(this.#branch.open).end);
    return before < start || opens ? { start, end: after } : { start, end };
  }

  #beginsLine(offset: number): boolean {
    return offset === 0 || isNewline(this.#text.charCodeAt(offset - 1));
  }

  /** Returns the start of the line before `offset` (a line start) if that line is blank and inside the branch. */
  #blankLineBefore(offset: number): number | null {
    const newline = beforeNewline(this.#text, offset);
    const start = lineStart(this.#text, newline);
    return start > this.#branch.open && skipBlanks(this.#text, start) === newline ? start : null;
  }

  /** Returns the start of the line after the one at `offset` if that line is blank and inside the branch. */
  #blankLineAt(offset: number): number | null {
    const end = skipBlanks(this.#text, offset);
    const next = afterNewline(this.#text, end);
    return next > end && offset < this.#close ? next : null;
  }

  #leadingCommentsOf(index: number): LeadingComments {
    return getOrCreate(this.#leadingComments, index, () => this.#findLeadingComments(index));
  }

  #findLeadingComments(index: number): LeadingComments {
    const comments = this.#commentsBefore(index);
    if (comments.length === 0) return NO_COMMENTS;
    const { start = 0 } = this.#members[index] ?? {};
    const onLines = this.#isLineStart(start);
    const run: { readonly comment: Span; readonly raw: string; readonly kind: CommentKind }[] = [];
    let below = start;
    for (const comment of comments.toReversed()) {
      if (countNewlines(this.#text, comment.end, below) !== (onLines ? 1 : 0)) break;
      if (onLines && !this.#isLineStart(comment.start)) break;
      const raw = this.#raw(comment);
      const kind = commentKind(raw);
      if (kind === "heading" || kind === "entry" || kind === "licence") break;
      run.unshift({ comment, raw, kind });
      below = comment.start;
    }
    // Pairs of rules form boxes, and what follows a box may describe the key; a single rule makes a heading.
    const rules = run.filter(({ kind }) => kind === "rule").length;
    const own = rules % 2 === 1 ? [] : run.slice(run.findLastIndex(({ kind }) => kind === "rule") + 1);
    if (own.length === 0) return NO_COMMENTS;
    const lines = own.flatMap(({ raw, kind }) =>
      kind === "words" ? commentLines(raw) : kind === "empty" ? [""] : [],
    );
    return { spans: own.map(({ comment }) => comment), lines: trimLines(lines) };
  }

  /** Whether a blank line precedes the member, or it is the first one. */
  #beginsSection(index: number): boolean {
    if (index === 0) return true;
    let at = this.#trailing(index - 1).end;
    for (const comment of this.#commentsBefore(index)) {
      if (countNewlines(this.#text, at, comment.start) > 1) return true;
      at = comment.end;
    }
    return countNewlines(this.#text, at, this.#members[index]?.start ?? at) > 1;
  }

  /** Returns the index after the last member of the paragraph, which ends at a blank line or comment. */
  #paragraphEnd(index: number): number {
    const isNext = (other: number): boolean =>
      other < this.#members.length && this.#commentsBefore(other).length === 0 && !this.#beginsSection(other);
    let end = index + 1;
    while (isNext(end)) end++;
    return end;
  }

  /** Whether the comment above is a heading of the paragraph that starts with the member. */
  #isHeading(index: number): boolean {
    this.#headings ??= this.#findHeadings();
    return this.#headings.has(index);
  }

  /**
   * Finds headings. A comment above several members without blank lines between them may be their heading or describe
   * the first one. It is a heading if most commented paragraphs of the file have several members, if it is as short
   * as a title, or if the paragraph is long. If so, titles above single members are headings too.
   */
  #findHeadings(): ReadonlySet<number> {
    const headings = new Set<number>();
    const sections = [...this.#members.keys()].filter((index) => this.#beginsSection(index));
    if (sections.length < 2) return headings;
    const commented = sections.filter((index) => this.#leadingCommentsOf(index).lines.length > 0);
    const several = commented.filter((index) => this.#paragraphEnd(index) > index + 1);
    const isHabit = several.length > 1 && several.length * 2 >= commented.length;
    for (const index of several) {
      const isLong = this.#paragraphEnd(index) - index >= MIN_LONG_PARAGRAPH;
      if (isHabit || isLong || this.#isTitle(index)) headings.add(index);
    }
    if (headings.size > 0) for (const index of commented) if (this.#isTitle(index)) headings.add(index);
    return headings;
  }

  #isTitle(index: number): boolean {
    const { lines } = this.#leadingCommentsOf(index);
    const [first = ""] = lines;
    return lines.length === 1 && TITLE.test(first) && !/[.!?:;,]$/.test(first);
  }
}

function isBlankOrCommas(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20 && code !== 0x2c) return false;
  }
  return true;
}

/** Returns the descriptions of all members in the tree that have one. */
export function describeTree(
  text: string,
  root: BranchNode,
  syntax: TreeSyntax,
): ReadonlyMap<Member, string> {
  const found = new Map<Member, string>();
  const walk = (branch: BranchNode): void => {
    const layout = new BranchLayout(text, branch, syntax);
    const hasComments = layout.hasComments();
    for (const [index, member] of branch.members.entries()) {
      if (member.node.kind === "branch") walk(member.node);
      const description = hasComments ? layout.description(index) : null;
      if (description !== null) found.set(member, description);
    }
  };
  walk(root);
  return found;
}

/** Returns the style of the tree's first comment; `undefined` if there is none. */
export function commentStyleOf(text: string, root: BranchNode, syntax: TreeSyntax): CommentStyle | undefined {
  const own = new BranchLayout(text, root, syntax).commentStyle();
  if (own !== undefined) return own;
  for (const { node } of root.members) {
    const found = node.kind === "branch" ? commentStyleOf(text, node, syntax) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
