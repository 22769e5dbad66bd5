/**
 * Converts a plan to the smallest splices: replaces literals in place, and adds and removes members with their comma,
 * line and own comment. A new member is inserted in order if the branch is sorted, otherwise after its nearest
 * neighbour by name. The file's layout (members on separate lines or on one, trailing commas) is never changed.
 */
import { getOrCreate } from "../../model/maps.ts";
import type { CommentStyle } from "../comments.ts";
import type { Splice } from "../format.ts";
import { byCodeUnits, type Compare, lastIndexWhere, SORTED_FROM } from "../sort-order.ts";
import { fileNewline, lineStart } from "../whitespace.ts";
import { BranchText, printContextLike, type TreeExample, unitOf } from "./member-layout.ts";
import type { Insertion, TreePlan } from "./plan-member-changes.ts";
import {
  printMember,
  printMembers,
  type PrintContext,
  type TreeStyle,
  type TreeSyntax,
} from "./nested-serializer.ts";
import { commentStyleOf } from "./trivia.ts";
import type { BranchNode, Member } from "./value-tree.ts";

/** Common sort orders of names, the strictest first; they differ in whether case and dots matter. */
const COMPARERS: readonly Compare[] = [
  byCodeUnits,
  (a, b) => byCodeUnits(a.toLowerCase(), b.toLowerCase()),
  (a, b) => byCodeUnits(a.replaceAll(".", "\0"), b.replaceAll(".", "\0")),
  new Intl.Collator("en").compare,
  new Intl.Collator("en", { numeric: true }).compare,
  new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true }).compare,
];

/** Returns insertions by the index of the member that they follow; -1: before all. */
function assignInsertions(
  members: readonly Member[],
  removed: ReadonlySet<Member>,
  insertions: readonly Insertion[],
): ReadonlyMap<number, readonly Insertion[]> {
  const places = new Map<number, Insertion[]>();
  if (insertions.length === 0) return places;
  const compare = comparerOf(members);
  const indexes = new Map(members.map((member, index) => [member, index]));
  const survivors = members.flatMap((member, index) => (removed.has(member) ? [] : [{ member, index }]));
  const neighbours = neighboursOf(compare === null ? survivors : []);
  const end = survivors.at(-1)?.index ?? -1;
  const lastOf = (condition: (survivor: Survivor) => boolean): number =>
    survivors[lastIndexWhere(survivors, condition)]?.index ?? -1;
  for (const insertion of insertions) {
    const near = insertion.near === null ? undefined : indexes.get(insertion.near);
    let index: number;
    if (compare !== null) index = lastOf(({ member }) => compare(member.name, insertion.name) <= 0);
    else if (near !== undefined) index = lastOf((survivor) => survivor.index <= near);
    else index = nearestOf(insertion.name, neighbours) ?? end;
    getOrCreate(places, index, () => []).push(insertion);
  }
  if (compare !== null) for (const list of places.values()) list.sort((a, b) => compare(a.name, b.name));
  return places;
}

interface Survivor {
  readonly member: Member;
  readonly index: number;
}

function comparerOf(members: readonly Member[]): Compare | null {
  if (members.length < SORTED_FROM || !members.every((member) => member.named)) return null;
  const isSorted = (compare: Compare): boolean =>
    members.every((member, index) => {
      if (index === 0) return true;
      const order = compare(members[index - 1]?.name ?? "", member.name);
      return order < 0 || (order === 0 && compare !== byCodeUnits);
    });
  return COMPARERS.find(isSorted) ?? null;
}

/** Returns the last member for each prefix of its name that ends with a whole word, including the whole name. */
function neighboursOf(survivors: readonly Survivor[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const { member, index } of survivors) {
    if (!member.named) continue;
    for (const start of startsOf(member.name)) last.set(start, index);
  }
  return last;
}

/** Returns the member with the longest common prefix; of several, the last. */
function nearestOf(name: string, last: ReadonlyMap<string, number>): number | undefined {
  const found = startsOf(name).findLast((start) => last.has(start));
  return found === undefined ? undefined : last.get(found);
}

/** Limits the prefixes of implausibly long names. */
const MAX_STARTS = 12;
const MAX_PREFIX_CHARACTERS = 200;
const WORD_END = /[^\s._:/-](?=[\s._:/-])|[a-z\d](?=[A-Z])/g;

/**
 * Returns the prefixes of a name, the shortest first: `page`, `page.list`, `page.list.title` and
 * `page.list.titleShort`.
 */
function startsOf(name: string): readonly string[] {
  const starts: string[] = [];
  for (const { index } of name.matchAll(WORD_END)) {
    if (index >= MAX_PREFIX_CHARACTERS || starts.length === MAX_STARTS) break;
    starts.push(name.slice(0, index + 1));
  }
  if (name.length <= MAX_PREFIX_CHARACTERS) starts.push(name);
  return starts;
}

/** Returns the splices of the plan, sorted and without overlaps. */
export function renderPlan(
  text: string,
  root: BranchNode,
  plan: TreePlan,
  syntax: TreeSyntax,
  examples: () => readonly TreeExample[] = () => [],
): readonly Splice[] {
  const [example] = root.members.length === 0 && plan.insert.size > 0 ? examples() : [];
  const like = example === undefined ? null : printContextLike(example, syntax);
  const style = like?.style ?? syntax.styleOf(text);
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
  const file: FileStyle = {
    text,
    style,
    newline: like === null || /[\r\n]/.test(text) ? fileNewline(text) : like.newline,
    unit: like?.unit ?? unitOf(text, root) ?? style.unit,
    trailingComma:
      like?.trailingComma ??
      (root.members.length > 0 ? new BranchText(text, root, syntax).trailingComma : style.trailingComma),
    oneLine: root.members.length > 0 && !/[\r\n]/.test(text.slice(root.start, root.end)),
    comments: plan.insert.size > 0 ? commentsOf(text, root, syntax) : null,
    heads: like?.likeHeads ?? [],
    commaFirst: commaFirstIn(text, root, syntax),
  };
  for (const branch of touched) {
    if (plan.emptied.has(branch)) continue;
    // One by one, since the number of arguments of a call is limited.
    for (const splice of new BranchEdit(file, branch, plan, syntax).splices()) splices.push(splice);
  }
  return merged(splices);
}

/**
 * Returns the style of new comments; `null` if the syntax has none, or if the file has none and need not have any.
 */
function commentsOf(text: string, root: BranchNode, syntax: TreeSyntax): CommentStyle | null {
  if (syntax.comments === undefined) return null;
  return commentStyleOf(text, root, syntax) ?? (syntax.comments === "always" ? "//" : null);
}

interface FileStyle {
  readonly text: string;
  readonly style: TreeStyle;
  readonly newline: string;
  readonly unit: string;
  readonly trailingComma: boolean;
  readonly oneLine: boolean;
  readonly comments: CommentStyle | null;
  /** The heads of members in the example that an empty file follows. */
  readonly heads: readonly string[];
  /** For a file with leading commas: returns the separator in a branch that does not show it itself. */
  readonly commaFirst: ((branch: BranchNode) => string | null) | null;
}

/** Leading commas are placed below the opening bracket of their branch. */
function commaFirstIn(text: string, root: BranchNode, syntax: TreeSyntax): FileStyle["commaFirst"] {
  const shown = new BranchText(text, root, syntax).commaFirst();
  if (shown === null) return null;
  return ({ start, open, members }) => {
    const [first] = members;
    const isBeside = first !== undefined && !/[\r\n]/u.test(text.slice(open, first.start));
    const line = text.slice(lineStart(text, start), start);
    if (members.length !== 1 || !isBeside) return null;
    return `${/^[\r\n]+/u.exec(shown)?.[0] ?? fileNewline(text)}${line.replaceAll(/[^\t]/gu, " ")}${/,[ \t]*$/u.exec(shown)?.[0] ?? ", "}`;
  };
}

/** Edits the direct members of one branch. */
class BranchEdit {
  readonly #file: FileStyle;
  readonly #branch: BranchNode;
  readonly #members: readonly Member[];
  readonly #layout: BranchText;
  readonly #plan: TreePlan;
  readonly #insertions: readonly Insertion[];
  /** Insertions by the index of the member that they follow; -1: before all. */
  readonly #after: ReadonlyMap<number, readonly Insertion[]>;
  /** Last index with insertions after it; -2 if there are none. */
  readonly #lastPosition: number;
  readonly #isJsonList: boolean;
  /** PHP writes any empty array as `[]`, so such a list may get members with names. */
  readonly #becomesObject: boolean;
  readonly #splices: Splice[] = [];

  constructor(file: FileStyle, branch: BranchNode, plan: TreePlan, syntax: TreeSyntax) {
    this.#file = file;
    this.#branch = branch;
    this.#members = branch.members;
    this.#plan = plan;
    this.#layout = new BranchText(file.text, branch, syntax);
    this.#insertions = plan.insert.get(branch) ?? [];
    this.#after = assignInsertions(branch.members, plan.remove, this.#insertions);
    this.#lastPosition = [...this.#after.keys()].reduce((last, index) => Math.max(last, index), -2);
    const isList = syntax.listsAreNameless && file.text[branch.start] === "[";
    const hasNames = this.#insertions.some(({ name }, index) => name !== String(index));
    this.#becomesObject = isList && branch.members.length === 0 && hasNames;
    this.#isJsonList = isList && !this.#becomesObject;
  }

  splices(): readonly Splice[] {
    if (this.#members.length === 0) this.#fillEmpty();
    else if (this.#leavesNothing()) this.#splices.push({ ...this.#layout.inside(), text: "" });
    else {
      const separator = this.#layout.commaFirst() ?? this.#file.commaFirst?.(this.#branch) ?? null;
      if (separator === null) this.#change();
      else this.#changeCommaFirst(separator);
    }
    return this.#splices;
  }

  /** Edits a branch with leading commas: members are added and removed with the separator before them. */
  #changeCommaFirst(separator: string): void {
    const members = this.#members;
    const kept = [...members.keys()].filter((index) => !this.#isRemoved(index));
    const [first] = kept;
    let head = "";
    for (const [index, insertions] of [...this.#after].sort(([a], [b]) => a - b)) {
      const place = this.#placeAt(Math.max(index, 0));
      const printed = insertions.map((insertion) => this.#print(insertion, place));
      const anchor = members[kept.findLast((each) => each <= index) ?? -1];
      if (anchor === undefined) {
        head += printed.map((member) => member + separator).join("");
      } else {
        const text = printed.map((member) => separator + member).join("");
        this.#splices.push({ start: anchor.end, end: anchor.end, text });
      }
    }
    const start = members[0]?.start ?? 0;
    const end = first === undefined ? (members.at(-1)?.end ?? start) : (members[first]?.start ?? start);
    const text = first === undefined ? head.slice(0, -separator.length) : head;
    if (start < end || text !== "") this.#splices.push({ start, end, text });
    for (const [index, member] of members.entries()) {
      const before = members[index - 1];
      if (first === undefined || index < first || before === undefined || !this.#isRemoved(index)) continue;
      this.#splices.push({ start: before.end, end: member.end, text: "" });
    }
  }

  #isRemoved(index: number): boolean {
    const member = this.#members[index];
    return member !== undefined && this.#plan.remove.has(member);
  }

  /** Whether only white space would remain between the brackets. */
  #leavesNothing(): boolean {
    if (this.#after.size > 0 || !this.#members.every((member) => this.#plan.remove.has(member))) return false;
    return !this.#layout.hasForeignComments();
  }

  #change(): void {
    const trailing = this.#layout.trailingComma;
    const last = this.#lastOfResult();
    for (const index of this.#members.keys()) {
      if (this.#isRemoved(index)) continue;
      const comma = this.#layout.gaps.commaAfter(index);
      const wanted = trailing || last !== index;
      if (wanted && comma === null) {
        const start = this.#layout.gaps.commaPosition(index);
        this.#splices.push({ start, end: start, text: "," });
      }
      if (!wanted && comma !== null) this.#splices.push({ start: comma, end: comma + 1, text: "" });
    }
    for (const [index, insertions] of this.#after) this.#insertAfter(index, insertions, last);
    const removals = this.#layout.removals(this.#members.map((member) => this.#plan.remove.has(member)));
    for (const { start, end } of removals) this.#splices.push({ start, end, text: "" });
  }

  /** Returns the index of the last remaining member; `null` if a new one will be last. */
  #lastOfResult(): number | null {
    const last = this.#members.findLastIndex((member) => !this.#plan.remove.has(member));
    return this.#lastPosition >= last ? null : last;
  }

  #insertAfter(index: number, insertions: readonly Insertion[], last: number | null): void {
    const spot = index < 0 ? this.#layout.spotBefore() : this.#layout.spotAfter(index);
    // Not searched for in a line with several members, which may be the whole file.
    const isInline = spot.kind === "inline-after" || spot.kind === "inline-before";
    const newline = (isInline ? null : this.#layout.newlineNear(spot.offset)) ?? this.#file.newline;
    const place = { ...this.#placeAt(Math.max(index, 0)), newline };
    const isEnd = last === null && index === this.#lastPosition;
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

  #print(insertion: Insertion, place: PrintContext): string {
    return printMember(insertion.name, insertion.node, place, this.#isNameless(insertion.name));
  }

  /** An item that continues a list is written without its index. */
  #isNameless(name: string): boolean {
    if (this.#isJsonList) return true;
    const count = this.#members.length;
    if (count === 0 || this.#members.some((member) => member.named) || !/^\d+$/.test(name)) return false;
    return this.#insertions.findIndex((insertion) => insertion.name === name) === Number(name) - count;
  }

  #placeAt(index: number): PrintContext {
    const { text, style, newline, unit, comments } = this.#file;
    const member = this.#members[index];
    const around = this.#members.slice(Math.max(0, index - 3), index + 4).filter((other) => other.named);
    const nearest = member?.named === true ? [member, ...around] : around;
    // A neighbour's quotes may be due to its own text (such as an apostrophe), so the majority takes precedence over
    // the nearest. A heredoc is no reason to write another one.
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
    const { text, style, trailingComma, oneLine, heads } = this.#file;
    const base = /^[ \t]*/.exec(text.slice(lineStart(text, this.#branch.start)))?.[0] ?? "";
    const place: PrintContext = {
      ...this.#placeAt(0),
      indent: oneLine ? null : base,
      trailingComma,
      likeHeads: heads,
      innerHeads: heads,
    };
    const members = new Map(this.#insertions.map(({ name, node }) => [name, node]));
    const filled = printMembers(members, place, this.#isJsonList);
    const gap = this.#layout.emptyBranchRange();
    if (!this.#becomesObject) {
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

/** Sorts splices, and merges those at the same offset and overlapping removals. */
function merged(splices: readonly Splice[]): readonly Splice[] {
  const result: Splice[] = [];
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
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
