/**
 * How an array or object is laid out in the text: its members' lines, where a new member is inserted, which bytes are
 * removed with an old one, and the files that serve as an example where a file leaves its layout open.
 */
import type { ReadOptions } from "../format.ts";
import { afterNewline, fileNewline, indentUnit, isNewline, lineStart, skipBlanks } from "../style.ts";
import type { PrintContext, TreeSyntax } from "./tree-print.ts";
import { BranchComments, BranchGaps } from "./tree-trivia.ts";
import { type BranchNode, type Member, namesIn, type Tree } from "./tree.ts";
import type { Span } from "../../model/span.ts";

/** Where new members go; on lines of their own, or on one line with `gap` as the white space between members. */
interface InsertionPoint {
  readonly kind: "line-after" | "line-before" | "inline-after" | "inline-before";
  readonly offset: number;
  readonly gap: string;
}

export class BranchText {
  readonly #text: string;
  readonly #branch: BranchNode;
  readonly #members: readonly Member[];
  readonly #gaps: BranchGaps;
  readonly #comments: BranchComments;

  constructor(text: string, branch: BranchNode, syntax: TreeSyntax) {
    this.#text = text;
    this.#branch = branch;
    this.#members = branch.members;
    this.#gaps = new BranchGaps(text, branch, syntax);
    this.#comments = new BranchComments(text, branch, this.#gaps);
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

  /** What separates the members where each line begins with the comma (`\n, `); `null`: they are not written so. */
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

  /** Offset of the comma after the member; `null` when none follows. */
  commaAfter(index: number): number | null {
    return this.#gaps.commaAfter(index);
  }

  /** Where a comma that the member lacks goes. */
  commaPlace(index: number): number {
    return this.#gaps.commaPlace(index);
  }

  /** Whether only white space stands before the member on its line. */
  startsLine(index: number): boolean {
    return this.#gaps.isLineStart(this.#members[index]?.start ?? 0);
  }

  /** The white space before the member on its line. */
  indentOf(index: number): string {
    const { start = 0 } = this.#members[index] ?? {};
    return this.#text.slice(lineStart(this.#text, start), start);
  }

  spotAfter(index: number): InsertionPoint {
    const tail = this.#gaps.tail(index);
    const after = this.#gaps.ownEnd(index);
    if (this.startsLine(index)) {
      // Blanks at the line's end stay with the line that they are on.
      if (tail.endsLine) return { kind: "line-after", offset: skipBlanks(this.#text, tail.end), gap: "" };
      if (skipBlanks(this.#text, after) === this.#close)
        return { kind: "line-after", offset: after, gap: "" };
    }
    return { kind: "inline-after", offset: after, gap: this.#gap() };
  }

  /** Before the first member and the comments that belong to it. */
  spotBefore(): InsertionPoint {
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
      const gap = this.#text.slice(this.#gaps.afterComma(0), second.start);
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
    const last = this.#gaps.comments(start, end).at(-1);
    return { start: last?.end ?? start, end };
  }

  /** Whether a comment would be left if every member went with its own. */
  hasForeignComments(): boolean {
    if (!this.#gaps.hasComments()) return false;
    const spans = this.removals(this.#members.map(() => true));
    let rest = "";
    let at = this.#branch.open;
    for (const span of spans) {
      rest += this.#text.slice(at, span.start);
      at = span.end;
    }
    return (rest + this.#text.slice(at, this.#close)).trim() !== "";
  }

  /** Start of the line of the member's own first comment, else of its own line. */
  #lead(index: number): number {
    return lineStart(this.#text, this.#comments.own(index)[0]?.start ?? this.#members[index]?.start ?? 0);
  }

  /**
   * The bytes that leave with the members marked in `gone`, merged: a member's line or stretch, its comma and its
   * own comments; a heading only with the last member that stands under it.
   */
  removals(gone: readonly boolean[]): readonly Span[] {
    const spans: Span[] = [];
    const lastKept = gone.lastIndexOf(false);
    for (const [index, leaves] of gone.entries())
      if (leaves) spans.push(this.#removal(index, gone, lastKept));
    return this.#withoutHoles(spans);
  }

  #removal(index: number, gone: readonly boolean[], lastKept: number): Span {
    const tail = this.#gaps.tail(index);
    const start = this.#ownStart(index, gone);
    const startsLine = this.#gaps.isLineStart(start);
    if (startsLine && tail.endsLine) {
      const next = skipBlanks(this.#text, tail.end);
      return { start: lineStart(this.#text, start), end: afterNewline(this.#text, next) };
    }
    const end = this.#gaps.ownEnd(index);
    const before = this.#gaps.tail(index - 1).end;
    const foreign = this.#gaps.comments(before, start).at(-1);
    // Nothing may come to stand behind a comment that stays: it could be one that goes to the line's end.
    if (foreign !== undefined && (index > lastKept || tail.endsLine)) {
      return { start: startsLine ? lineStart(this.#text, start) : start, end };
    }
    if (index > lastKept) return { start: lastKept < 0 ? start : this.#gaps.tail(lastKept).end, end };
    if (tail.endsLine) return { start: index === 0 ? start : before, end: tail.end };
    return { start, end: skipBlanks(this.#text, end) };
  }

  /** Where what goes with the member begins: it, or its comments unless they head members that stay. */
  #ownStart(index: number, gone: readonly boolean[]): number {
    const { start = 0 } = this.#members[index] ?? {};
    const [first] = this.#comments.own(index);
    if (first === undefined) return start;
    const heads = this.#comments.isHeading(index);
    const stays = heads && gone.slice(index, this.#comments.paragraphEnd(index)).includes(false);
    return stays ? start : first.start;
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
    const opens = before <= afterNewline(this.#text, this.#gaps.lineTail(this.#branch.open).end);
    return before < start || opens ? { start, end: after } : { start, end };
  }

  #beginsLine(offset: number): boolean {
    return offset === 0 || isNewline(this.#text.charCodeAt(offset - 1));
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

/** A scanned file with at least one member. */
export interface TreeExample {
  readonly text: string;
  readonly root: BranchNode;
  readonly locale: string;
}

/** The examples of the options, scanned when somebody asks for the first time. */
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

/** How the members of a whole new file are printed when it is to look like the example. */
export function printContextLike({ text, root }: TreeExample, syntax: TreeSyntax): PrintContext {
  const style = syntax.styleOf(text);
  const [first] = root.members;
  const isOneLine = !/[\r\n]/u.test(text.slice(root.start, root.end));
  // PHP aligns its arrows with each other, so that a head is like its own neighbours alone.
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

/** One level of indentation: how far the root's first member stands to the right of the root's own line. */
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
 * Whether a dotted key is one flat name in these branches: where names with dots begin like it, or stand and nothing is
 * nested. `undefined`: nothing shows it.
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
