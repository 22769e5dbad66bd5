/**
 * From a plan to the smallest splices: literals in place, members with their comma, line and own comment. The
 * file's layout (a line for each member, all on one line, sorted, trailing commas) is followed, never changed.
 */
import type { Splice } from "./format.ts";
import { fileNewline, indentUnit, lineStart } from "./style.ts";
import type { BranchNode, Member } from "./tree.ts";
import { BranchText } from "./tree-branch-text.ts";
import type { Insertion, TreePlan } from "./tree-plan.ts";
import { printMember, type PrintPlace, type TreeStyle, type TreeSyntax } from "./tree-print.ts";

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
  };
  for (const branch of touched) {
    if (plan.emptied.has(branch)) continue;
    splices.push(...new BranchEdit(file, branch, plan, syntax).splices());
  }
  return merged(splices);
}

interface FileHabits {
  readonly text: string;
  readonly style: TreeStyle;
  readonly newline: string;
  readonly unit: string;
  readonly trailingComma: boolean;
  readonly oneLine: boolean;
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
  readonly #splices: Splice[] = [];

  constructor(file: FileHabits, branch: BranchNode, plan: TreePlan, syntax: TreeSyntax) {
    this.#file = file;
    this.#branch = branch;
    this.#members = branch.members;
    this.#plan = plan;
    this.#syntax = syntax;
    this.#layout = new BranchText(file.text, branch, syntax);
    this.#after = placeInsertions(branch.members, plan.remove, plan.insert.get(branch) ?? []);
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
      if (wanted && comma === null) this.#splices.push({ start: member.end, end: member.end, text: "," });
      if (!wanted && comma !== null) this.#splices.push({ start: comma, end: comma + 1, text: "" });
    }
    for (const [index, insertions] of this.#after) this.#insertAfter(index, insertions, last);
    this.#splices.push(
      ...this.#layout
        .removals(this.#members.map((member) => this.#plan.remove.has(member)))
        .map(({ start, end }): Splice => ({ start, end, text: "" })),
    );
  }

  /** Index of the member that will be last, or `null` when a new one will. */
  #lastOfResult(): number | null {
    const last = this.#members.findLastIndex((member) => !this.#plan.remove.has(member));
    const newLast = Math.max(-2, ...this.#after.keys());
    return newLast >= last ? null : last;
  }

  #insertAfter(index: number, insertions: readonly Insertion[], last: number | null): void {
    const spot = index < 0 ? this.#layout.spotBefore() : this.#layout.spotAfter(index);
    const newline = this.#layout.newlineNear(spot.offset) ?? this.#file.newline;
    const place = { ...this.#placeAt(Math.max(index, 0)), newline };
    const isEnd = last === null && index === Math.max(...this.#after.keys());
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
    return this.#syntax.listsAreNameless && this.#file.text[this.#branch.start] === "[";
  }

  #placeAt(index: number): PrintPlace {
    const { text, style, newline, unit } = this.#file;
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
    };
  }

  #fillEmpty(): void {
    const { text, style, newline, unit, trailingComma, oneLine } = this.#file;
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
    };
    const insertions = this.#plan.insert.get(this.#branch) ?? [];
    const printed = insertions.map((insertion) => this.#print(insertion, place));
    const { start, end } = this.#layout.emptyPlace();
    if (oneLine) {
      this.#splices.push({ start, end, text: printed.join(", ") });
      return;
    }
    const before = newline + base + unit;
    const comma = trailingComma ? "," : "";
    this.#splices.push({ start, end, text: before + printed.join(`,${before}`) + comma + newline + base });
  }
}

const COMPARERS: readonly ((a: string, b: string) => number)[] = [
  (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  (a, b) => {
    const [x, y] = [a.toLowerCase(), b.toLowerCase()];
    return x < y ? -1 : x > y ? 1 : 0;
  },
  new Intl.Collator("en").compare,
];

/** How many members must stand in order before that counts as sorted and not as chance. */
const SORTED_FROM = 3;

/**
 * Where the insertions go: in order where the members are in order, else after the last member that shares the
 * most leading segments of the name, else at the end.
 */
function placeInsertions(
  members: readonly Member[],
  removed: ReadonlySet<Member>,
  insertions: readonly Insertion[],
): ReadonlyMap<number, readonly Insertion[]> {
  const places = new Map<number, Insertion[]>();
  if (insertions.length === 0) return places;
  const compare = comparerOf(members);
  const indexes = new Map(members.map((member, index) => [member, index]));
  const survivors = members.flatMap((member, index) => (removed.has(member) ? [] : [{ member, index }]));
  const lastByHead = new Map(survivors.map(({ member, index }) => [headOf(member.name), index]));
  const end = survivors.at(-1)?.index ?? -1;
  for (const insertion of insertions) {
    const near = insertion.near === null ? undefined : indexes.get(insertion.near);
    let index: number;
    if (compare !== null) index = lastNotAbove(survivors, insertion.name, compare);
    else if (near !== undefined)
      index = survivors.findLast((survivor) => survivor.index <= near)?.index ?? -1;
    else index = neighbourOf(survivors, lastByHead, insertion.name) ?? end;
    const list = places.get(index);
    if (list === undefined) places.set(index, [insertion]);
    else list.push(insertion);
  }
  if (compare !== null) for (const list of places.values()) list.sort((a, b) => compare(a.name, b.name));
  return places;
}

interface Survivor {
  readonly member: Member;
  readonly index: number;
}

function comparerOf(members: readonly Member[]): ((a: string, b: string) => number) | null {
  if (members.length < SORTED_FROM || !members.every((member) => member.named)) return null;
  const isSorted = (compare: (a: string, b: string) => number): boolean =>
    members.every((member, index) => index === 0 || compare(members[index - 1]?.name ?? "", member.name) < 0);
  return COMPARERS.find(isSorted) ?? null;
}

function lastNotAbove(
  survivors: readonly Survivor[],
  name: string,
  compare: (a: string, b: string) => number,
): number {
  let low = 0;
  let high = survivors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(survivors[middle]?.member.name ?? "", name) < 0) low = middle + 1;
    else high = middle;
  }
  return survivors[low - 1]?.index ?? -1;
}

/** In a flat file: after the last member with the longest common start of dotted segments. */
function neighbourOf(
  survivors: readonly Survivor[],
  lastByHead: ReadonlyMap<string, number>,
  name: string,
): number | undefined {
  const fallback = name.includes(".") ? lastByHead.get(headOf(name)) : undefined;
  if (fallback === undefined) return undefined;
  const segments = name.split(".");
  for (let count = segments.length - 1; count > 1; count--) {
    const head = `${segments.slice(0, count).join(".")}.`;
    const found = survivors.findLast(({ member }) => member.name.startsWith(head));
    if (found !== undefined) return found.index;
  }
  return fallback;
}

/** The first segment with its dot; a name without dots shares no start with any. */
function headOf(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? ` ${name}` : name.slice(0, dot + 1);
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
