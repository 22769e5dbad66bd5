/**
 * From a plan to the smallest splices: literals in place, members with their comma, line and own comment. The
 * file's layout (a line for each member, all on one line, sorted, trailing commas) is followed, never changed.
 */
import type { CommentStyle } from "../comments.ts";
import type { Splice } from "../format.ts";
import { fileNewline, indentUnit, lineStart } from "../style.ts";
import type { BranchNode, Member } from "./tree.ts";
import { BranchText } from "./tree-branch-text.ts";
import { commentStyleOf } from "./tree-comments.ts";
import { placeInsertions } from "./tree-order.ts";
import type { Insertion, TreePlan } from "./tree-plan.ts";
import { type NewNode, printMember, type PrintPlace, type TreeStyle, type TreeSyntax } from "./tree-print.ts";

/** The splices of the plan, sorted, none over another. */
export function renderPlan(
  text: string,
  root: BranchNode,
  plan: TreePlan,
  syntax: TreeSyntax,
): readonly Splice[] {
  const style = syntax.styleOf(text);
  const splices: Splice[] = [];
  for (const [node, value] of plan.replace) {
    const { start, end } = node;
    splices.push({ start, end, text: style.value(value, text.slice(start, end)) });
  }
  for (const [{ nameSpan }, { cut, add }] of plan.rename ?? []) {
    splices.push({ start: nameSpan.end - cut, end: nameSpan.end, text: add });
  }
  const touched = new Set<BranchNode>(plan.insert.keys());
  const collect = (branch: BranchNode): void => {
    for (const member of branch.members) {
      if (plan.remove.has(member)) touched.add(branch);
      if (member.node.kind === "branch" && !plan.emptied.has(member.node)) collect(member.node);
    }
  };
  if (plan.remove.size > 0) collect(root);
  const file: FileHabits = {
    text,
    style,
    newline: fileNewline(text),
    unit: unitOf(text, root) ?? style.unit,
    trailingComma:
      root.members.length > 0 ? new BranchText(text, root, syntax).trailingComma : style.trailingComma,
    oneLine: root.members.length > 0 && !/[\r\n]/.test(text.slice(root.start, root.end)),
    comments: hasComments(plan) ? commentsOf(text, root, syntax) : null,
  };
  for (const branch of touched) {
    if (plan.emptied.has(branch)) continue;
    // One by one: a call takes only so many arguments.
    for (const splice of new BranchEdit(file, branch, plan, syntax).splices()) splices.push(splice);
  }
  return merged(splices);
}

function hasComments(plan: TreePlan): boolean {
  const isSaid = ({ node }: { readonly node: NewNode }): boolean =>
    node.kind === "text"
      ? node.comment !== undefined
      : [...node.members.values()].some((member) => isSaid({ node: member }));
  return [...plan.insert.values()].some((insertions) => insertions.some(isSaid));
}

/** How a new comment is written; `null` where the file's language has none, or the file shows none and need not. */
function commentsOf(text: string, root: BranchNode, syntax: TreeSyntax): CommentStyle | null {
  if (syntax.comments === undefined) return null;
  return commentStyleOf(text, root, syntax) ?? (syntax.comments === "always" ? "//" : null);
}

interface FileHabits {
  readonly text: string;
  readonly style: TreeStyle;
  readonly newline: string;
  readonly unit: string;
  readonly trailingComma: boolean;
  readonly oneLine: boolean;
  readonly comments: CommentStyle | null;
}

/** One level of indentation: how far the root's first member stands to the right of the root's own line. */
function unitOf(text: string, root: BranchNode): string | undefined {
  const first = root.members[0];
  if (first === undefined) return undefined;
  const indent = text.slice(lineStart(text, first.start), first.start);
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, root.start), root.start))?.[0] ?? "";
  if (/^[ \t]+$/.test(indent) && indent.startsWith(outer) && indent !== outer)
    return indent.slice(outer.length);
  return indentUnit(text);
}

/** The change of one branch's own members. */
class BranchEdit {
  readonly #file: FileHabits;
  readonly #branch: BranchNode;
  readonly #members: readonly Member[];
  readonly #layout: BranchText;
  readonly #plan: TreePlan;
  readonly #syntax: TreeSyntax;
  /** Insertions by the index of the member they follow; -1: before all. */
  readonly #after: ReadonlyMap<number, readonly Insertion[]>;
  /** The last index that insertions follow; -2: none do. */
  readonly #lastPlace: number;
  readonly #splices: Splice[] = [];

  constructor(file: FileHabits, branch: BranchNode, plan: TreePlan, syntax: TreeSyntax) {
    this.#file = file;
    this.#branch = branch;
    this.#members = branch.members;
    this.#plan = plan;
    this.#syntax = syntax;
    this.#layout = new BranchText(file.text, branch, syntax);
    this.#after = placeInsertions(branch.members, plan.remove, plan.insert.get(branch) ?? []);
    this.#lastPlace = [...this.#after.keys()].reduce((last, index) => Math.max(last, index), -2);
  }

  splices(): readonly Splice[] {
    if (this.#members.length === 0) this.#fillEmpty();
    else if (this.#leavesNothing()) this.#splices.push({ ...this.#layout.inside(), text: "" });
    else this.#change();
    return this.#splices;
  }

  /** Whether nothing but white space would be left between the brackets. */
  #leavesNothing(): boolean {
    if (this.#after.size > 0 || !this.#members.every((member) => this.#plan.remove.has(member))) return false;
    return !this.#layout.hasForeignComments();
  }

  #change(): void {
    const trailing = this.#layout.trailingComma;
    const last = this.#lastOfResult();
    for (const [index, member] of this.#members.entries()) {
      if (this.#plan.remove.has(member)) continue;
      const comma = this.#layout.commaAfter(index);
      const wanted = trailing || last !== index;
      if (wanted && comma === null) {
        const place = this.#layout.commaPlace(index);
        this.#splices.push({ start: place, end: place, text: "," });
      }
      if (!wanted && comma !== null) this.#splices.push({ start: comma, end: comma + 1, text: "" });
    }
    for (const [index, insertions] of this.#after) this.#insertAfter(index, insertions, last);
    const removals = this.#layout.removals(this.#members.map((member) => this.#plan.remove.has(member)));
    for (const { start, end } of removals) this.#splices.push({ start, end, text: "" });
  }

  /** Index of the member that will be last, or `null` when a new one will. */
  #lastOfResult(): number | null {
    const last = this.#members.findLastIndex((member) => !this.#plan.remove.has(member));
    return this.#lastPlace >= last ? null : last;
  }

  #insertAfter(index: number, insertions: readonly Insertion[], last: number | null): void {
    const spot = index < 0 ? this.#layout.spotBefore() : this.#layout.spotAfter(index);
    // Not looked for on a line of many members, which may be the whole file.
    const isInline = spot.kind === "inline-after" || spot.kind === "inline-before";
    const newline = (isInline ? null : this.#layout.newlineNear(spot.offset)) ?? this.#file.newline;
    const place = { ...this.#placeAt(Math.max(index, 0)), newline };
    const isEnd = last === null && index === this.#lastPlace;
    const printed = insertions.map((insertion, at) => {
      const comma = this.#layout.trailingComma || !isEnd || at < insertions.length - 1 ? "," : "";
      return this.#print(insertion, place) + comma;
    });
    const indent = place.indent ?? "";
    const text = printed
      .map((member) => {
        if (spot.kind === "line-after") return newline + indent + member;
        if (spot.kind === "line-before") return indent + member + newline;
        return spot.kind === "inline-after" ? spot.gap + member : member + spot.gap;
      })
      .join("");
    this.#splices.push({ start: spot.offset, end: spot.offset, text });
  }

  #print(insertion: Insertion, place: PrintPlace): string {
    return printMember(insertion.name, insertion.node, place, this.#isNameless(insertion.name));
  }

  /** An item that goes on with a list is written without its index. */
  #isNameless(name: string): boolean {
    if (this.#isJsonList()) return true;
    if (this.#members.length === 0 || this.#members.some((member) => member.named)) return false;
    return Number(name) >= this.#members.length && /^\d+$/.test(name) && this.#continuesList(name);
  }

  #continuesList(name: string): boolean {
    const insertions = this.#plan.insert.get(this.#branch) ?? [];
    return (
      insertions.findIndex((insertion) => insertion.name === name) === Number(name) - this.#members.length
    );
  }

  #isJsonList(): boolean {
    const isList = this.#syntax.listsAreNameless && this.#file.text[this.#branch.start] === "[";
    return isList && !this.#becomesObject();
  }

  /** PHP writes an empty array as `[]` whatever was in it, so that such a list may get members with names. */
  #becomesObject(): boolean {
    if (!this.#syntax.listsAreNameless || this.#file.text[this.#branch.start] !== "[") return false;
    const insertions = this.#plan.insert.get(this.#branch) ?? [];
    return this.#members.length === 0 && insertions.some(({ name }, index) => name !== String(index));
  }

  #placeAt(index: number): PrintPlace {
    const { text, style, newline, unit, comments } = this.#file;
    const member = this.#members[index];
    const around = this.#members.slice(Math.max(0, index - 3), index + 4).filter((other) => other.named);
    const nearest = member?.named === true ? [member, ...around] : around;
    // A neighbour's quotes may be owed to its own text (an apostrophe in it), so the most go before the nearest.
    // A heredoc beside is no reason for another one.
    const texts = [member, ...around].filter((other) => /["']/.test(text[other?.node.start ?? 0] ?? ""));
    const quoteOf = (other: (typeof texts)[number]): string => text[other?.node.start ?? 0] ?? "";
    const votes = (quote: string): number => texts.filter((other) => quoteOf(other) === quote).length;
    const beside = texts.toSorted((a, b) => votes(quoteOf(b)) - votes(quoteOf(a)))[0];
    return {
      style,
      newline,
      unit,
      indent: member !== undefined && this.#layout.startsLine(index) ? this.#layout.indentOf(index) : null,
      trailingComma: this.#layout.trailingComma,
      likeHeads: nearest.map((other) => text.slice(other.start, other.node.start)),
      likeValue: beside === undefined ? null : text.slice(beside.node.start, beside.node.end),
      likeBracket: text.slice(this.#branch.start, this.#branch.open),
      comments,
    };
  }

  #fillEmpty(): void {
    const { text, style, newline, unit, trailingComma, oneLine, comments } = this.#file;
    const base = /^[ \t]*/.exec(text.slice(lineStart(text, this.#branch.start)))?.[0] ?? "";
    const place: PrintPlace = {
      style,
      newline,
      unit,
      indent: oneLine ? null : base + unit,
      trailingComma,
      likeHeads: [],
      likeValue: null,
      likeBracket: text.slice(this.#branch.start, this.#branch.open),
      comments,
    };
    const insertions = this.#plan.insert.get(this.#branch) ?? [];
    const printed = insertions.map((insertion) => this.#print(insertion, place));
    const before = newline + base + unit;
    const filled = oneLine
      ? printed.join(", ")
      : before + printed.join(`,${before}`) + (trailingComma ? "," : "") + newline + base;
    const gap = this.#layout.emptyPlace();
    if (!this.#becomesObject()) {
      this.#splices.push({ ...gap, text: filled });
      return;
    }
    const { start, open, end } = this.#branch;
    const [opening, closing] = style.brackets("{", false);
    this.#splices.push(
      { start, end: open, text: opening },
      { ...gap, text: filled },
      { start: end - 1, end, text: closing },
    );
  }
}

/** Sorted; splices that touch at one offset become one, overlapping removals too. */
function merged(splices: readonly Splice[]): readonly Splice[] {
  const sorted = splices.map((splice, order) => ({ splice, order }));
  sorted.sort((a, b) => a.splice.start - b.splice.start || a.order - b.order);
  const result: Splice[] = [];
  for (const { splice } of sorted) {
    const last = result[result.length - 1];
    if (last !== undefined && (splice.start < last.end || splice.start === last.start)) {
      const end = Math.max(last.end, splice.end);
      result[result.length - 1] = { start: last.start, end, text: last.text + splice.text };
    } else if (splice.start !== splice.end || splice.text !== "") {
      result.push(splice);
    }
  }
  return result;
}
