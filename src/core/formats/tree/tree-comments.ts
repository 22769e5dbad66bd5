/**
 * Which comments of an array or object belong to one member and describe it, and which head a group, box a
 * section or hold an entry that was commented out. What a comment says is comments.ts's.
 */
import { type CommentKind, commentKind, commentLines, type CommentStyle, commentStyle } from "../comments.ts";
import type { Span } from "../format.ts";
import type { BranchNode, Member } from "./tree.ts";
import { BranchGaps, newlinesIn } from "./tree-gaps.ts";
import type { TreeSyntax } from "./tree-print.ts";

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
