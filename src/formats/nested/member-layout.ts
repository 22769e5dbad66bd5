/**
 * The layout of an array or object in the text: the lines of its members, where a new member is inserted, which bytes
 * are removed with an old one, and the example files that determine what a file leaves open.
 */
import type { ReadOptions } from "../format.ts";
import { afterNewline, fileNewline, indentUnit, isNewline, lineStart, skipBlanks } from "../whitespace.ts";
import type { PrintContext, TreeSyntax } from "./nested-serializer.ts";
import { BranchComments, BranchGaps } from "./trivia.ts";
import { type BranchNode, type Member, namesIn, type Tree } from "./value-tree.ts";
import type { Span } from "../../model/span.ts";

/**
 * Where new members are inserted: on lines of their own, or on one line with `gap` as the white space between
 * members.
 */
interface InsertionPoint {
  readonly kind: "line-after" | "line-before" | "inline-after" | "inline-before";
  readonly offset: number;
  readonly gap: string;
}

export class BranchText {
  readonly #text: string;
  readonly #branch: BranchNode;
  readonly #members: readonly Member[];
  readonly gaps: BranchGaps;
  readonly #comments: BranchComments;

  constructor(text: string, branch: BranchNode, syntax: TreeSyntax) {
    this.#text = text;
    this.#branch = branch;
    this.#members = branch.members;
    this.gaps = new BranchGaps(text, branch, syntax);
    this.#comments = new BranchComments(text, branch, this.gaps);
  }

  /** Offset of the closing bracket. */
  get #close(): number {
    return this.#branch.end - 1;
  }

  /** Range between the brackets. */
  inside(): Span {
    return { start: this.#branch.open, end: this.#close };
  }

  get trailingComma(): boolean {
    return this.#members.length > 0 && this.gaps.commaAfter(this.#members.length - 1) !== null;
  }

  /**
   * Returns the separator if each line begins with a comma (`
   * , `); `null` otherwise.
   */
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

  /** Whether only white space precedes the member on its line. */
  startsLine(index: number): boolean {
    return this.gaps.isLineStart(this.#members[index]?.start ?? 0);
  }

  /** Returns the white space before the member on its line. */
  indentOf(index: number): string {
    const { start = 0 } = this.#members[index] ?? {};
    return this.#text.slice(lineStart(this.#text, start), start);
  }

  spotAfter(index: number): InsertionPoint {
    const tail = this.gaps.tail(index);
    const after = this.gaps.ownEnd(index);
    if (this.startsLine(index)) {
      // Trailing blanks stay on their line.
      if (tail.endsLine) return { kind: "line-after", offset: skipBlanks(this.#text, tail.end), gap: "" };
      if (skipBlanks(this.#text, after) === this.#close)
        return { kind: "line-after", offset: after, gap: "" };
    }
    return { kind: "inline-after", offset: after, gap: this.#gap() };
  }

  /** Returns the insertion point before the first member and its comments. */
  spotBefore(): InsertionPoint {
    if (this.startsLine(0)) return { kind: "line-before", offset: this.#lead(0), gap: "" };
    return { kind: "inline-before", offset: this.#members[0]?.start ?? 0, gap: this.#gap() };
  }

  /** Returns the line end at the offset, or that of the previous line: a file may have both kinds. */
  newlineNear(offset: number): string | null {
    const after = afterNewline(this.#text, offset);
    if (after > offset) return this.#text.slice(offset, after);
    const start = lineStart(this.#text, offset);
    if (start === 0) return null;
    return this.#text.startsWith("\r\n", start - 2) ? "\r\n" : (this.#text[start - 1] ?? null);
  }

  /** Returns the white space between members on one line: that between the first two, or a space. */
  #gap(): string {
    const second = this.#members[1];
    if (second !== undefined) {
      const gap = this.#text.slice(this.gaps.afterComma(0), second.start);
      if (/^[ \t]*$/.test(gap)) return gap;
    }
    const first = this.#members[0];
    const minified =
      first?.named === true && /["']:(?!\s)/.test(this.#text.slice(first.start, first.node.start + 1));
    return minified ? "" : " ";
  }

  /**
   * Returns the range that is replaced when a member is inserted into an empty branch: its white space, but only that
   * after the last comment.
   */
  emptyBranchRange(): Span {
    const { start, end } = this.inside();
    const last = this.gaps.comments(start, end).at(-1);
    return { start: last?.end ?? start, end };
  }

  /** Whether a comment would remain if all members were removed with their own comments. */
  hasForeignComments(): boolean {
    if (!this.gaps.hasComments()) return false;
    const spans = this.removals(this.#members.map(() => true));
    let rest = "";
    let at = this.#branch.open;
    for (const span of spans) {
      rest += this.#text.slice(at, span.start);
      at = span.end;
    }
    return (rest + this.#text.slice(at, this.#close)).trim() !== "";
  }

  /** Returns the start of the line of the member's first own comment, or of its own line. */
  #lead(index: number): number {
    return lineStart(this.#text, this.#comments.own(index)[0]?.start ?? this.#members[index]?.start ?? 0);
  }

  /**
   * Returns the merged ranges to remove with the members marked in `gone`: the member's line or inline range, its
   * comma and its own comments. A heading is removed only with the last member below it.
   */
  removals(gone: readonly boolean[]): readonly Span[] {
    const spans: Span[] = [];
    const lastKept = gone.lastIndexOf(false);
    for (const [index, leaves] of gone.entries())
      if (leaves) spans.push(this.#removal(index, gone, lastKept));
    return this.#withoutHoles(spans);
  }

  #removal(index: number, gone: readonly boolean[], lastKept: number): Span {
    const tail = this.gaps.tail(index);
    const start = this.#ownStart(index, gone);
    const startsLine = this.gaps.isLineStart(start);
    if (startsLine && tail.endsLine) {
      const next = skipBlanks(this.#text, tail.end);
      return { start: lineStart(this.#text, start), end: afterNewline(this.#text, next) };
    }
    const end = this.gaps.ownEnd(index);
    const before = this.gaps.tail(index - 1).end;
    const foreign = this.gaps.comments(before, start).at(-1);
    // Nothing may move behind a remaining comment, which could be one that extends to the end of the line.
    if (foreign !== undefined && (index > lastKept || tail.endsLine)) {
      return { start: startsLine ? lineStart(this.#text, start) : start, end };
    }
    if (index > lastKept) return { start: lastKept < 0 ? start : this.gaps.tail(lastKept).end, end };
    if (tail.endsLine) return { start: index === 0 ? start : before, end: tail.end };
    return { start, end: skipBlanks(this.#text, end) };
  }

  /**
   * Returns the start of the range to remove: that of its comments, unless they are a heading of remaining members,
   * otherwise that of the member.
   */
  #ownStart(index: number, gone: readonly boolean[]): number {
    const { start = 0 } = this.#members[index] ?? {};
    const [first] = this.#comments.own(index);
    if (first === undefined) return start;
    const heads = this.#comments.isHeading(index);
    const stays = heads && gone.slice(index, this.#comments.paragraphEnd(index)).includes(false);
    return stays ? start : first.start;
  }

  /** Merges ranges with only blank lines between them, and avoids leaving two consecutive blank lines. */
  #withoutHoles(spans: readonly Span[]): readonly Span[] {
    const joined: { start: number; end: number }[] = [];
    for (const span of spans) {
      const last = joined[joined.length - 1];
      // The text between overlapping ranges is empty.
      if (last !== undefined && this.#text.slice(last.end, span.start).trim() === "") {
        last.end = Math.max(last.end, span.end);
      } else {
        joined.push({ ...span });
      }
    }
    return joined.map((span) => this.#withoutHole(span));
  }

  #withoutHole({ start, end }: Span): Span {
    if (!this.#beginsLine(start) || !this.#beginsLine(end)) return { start, end };
    let before = start;
    while (before > this.#branch.open && this.#blankLineBefore(before) !== null) {
      before = this.#blankLineBefore(before) ?? before;
    }
    let after = end;
    while (after < this.#close && this.#blankLineAt(after) !== null)
      after = this.#blankLineAt(after) ?? after;
    const closes = skipBlanks(this.#text, after) === this.#close;
    if (closes && after === end) return { start: before, end };
    const opens = before <= afterNewline(this.#text, this.gaps.lineTail(this.#branch.open).end);
    return before < start || opens ? { start, end: after } : { start, end };
  }

  #beginsLine(offset: number): boolean {
    return offset === 0 || isNewline(this.#text.charCodeAt(offset - 1));
  }

  /** Returns the start of the line before `offset` (a line start) if that line is blank and inside the branch. */
  #blankLineBefore(offset: number): number | null {
    const newline = this.#text.startsWith("\r\n", offset - 2) ? offset - 2 : offset - 1;
    const start = lineStart(this.#text, newline);
    return start > this.#branch.open && skipBlanks(this.#text, start) === newline ? start : null;
  }

  /** Returns the start of the line after the one at `offset` if that line is blank. */
  #blankLineAt(offset: number): number | null {
    const end = skipBlanks(this.#text, offset);
    const next = afterNewline(this.#text, end);
    return next > end ? next : null;
  }
}

/** A scanned file with at least one member. */
export interface TreeExample {
  readonly text: string;
  readonly root: BranchNode;
  readonly locale: string;
}

/** Returns the examples in the options, scanned on first use. */
export function examplesOf(
  { examples = [] }: ReadOptions,
  scan: (text: string) => Tree,
): () => readonly TreeExample[] {
  let known: readonly TreeExample[] | null = null;
  return () =>
    (known ??= examples.flatMap(({ text, locale }) => {
      const { root, sound } = scan(text);
      return root === null || !sound || root.members.length === 0 ? [] : [{ text, root, locale }];
    }));
}

/** Returns how to print the members of a new file that follows the example. */
export function printContextLike({ text, root }: TreeExample, syntax: TreeSyntax): PrintContext {
  const style = syntax.styleOf(text);
  const [first] = root.members;
  const isOneLine = !/[\r\n]/u.test(text.slice(root.start, root.end));
  // PHP's heads are aligned with their own neighbours, so those of another file are no example.
  const heads = syntax.listsAreNameless
    ? root.members
        .filter((member) => member.named)
        .slice(0, 3)
        .map((member) => text.slice(member.start, member.node.start))
    : [];
  return {
    style,
    newline: fileNewline(text),
    unit: unitOf(text, root) ?? style.unit,
    indent: isOneLine ? null : "",
    gap: isOneLine && /^,\S/u.test(text.slice(first?.end)) ? "" : " ",
    padding:
      isOneLine && text.slice(root.open, first?.start).trim() === ""
        ? text.slice(root.open, first?.start)
        : "",
    trailingComma: new BranchText(text, root, syntax).trailingComma,
    likeHeads: heads,
    innerHeads: heads,
    likeValue: null,
    likeBracket: text.slice(root.start, root.open),
    comments: null,
  };
}

/** Returns the indentation of one level: that of the root's first member relative to the root's line. */
export function unitOf(text: string, root: BranchNode): string | undefined {
  const first = root.members[0];
  if (first === undefined) return undefined;
  const indent = text.slice(lineStart(text, first.start), first.start);
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, root.start), root.start))?.[0] ?? "";
  if (/^[ \t]+$/.test(indent) && indent.startsWith(outer) && indent !== outer)
    return indent.slice(outer.length);
  return indentUnit(text);
}

/**
 * Whether a dotted key is written as a flat name in these branches: dotted names start with the same segment, or
 * there are some and nothing is nested. `undefined` if neither is the case.
 */
export function writesFlat(roots: readonly BranchNode[], key: string): boolean | undefined {
  for (const root of roots) {
    const { nested, dottedHeads } = namesIn(root);
    if (dottedHeads.has(key.split(".", 1)[0] ?? key)) return true;
    if (nested) return false;
    if (dottedHeads.size > 0) return true;
  }
  return undefined;
}
