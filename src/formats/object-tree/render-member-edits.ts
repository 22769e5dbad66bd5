/**
 * Converts a plan to the smallest splices: replaces literals in place, and adds and removes members with their comma,
 * line and own comment. A new member is inserted in order if the branch is sorted, otherwise after its nearest
 * neighbour by name. The file's layout (members on separate lines or on one, trailing commas) is never changed.
 */
import type { CommentStyle } from "../text/code-comments.ts";
import type { Splice } from "../format.ts";
import {
  type Insertions,
  insertionsOf,
  lastIndexWhere,
  nameOrderOf,
  wordPrefixes,
} from "../editing/sort-order.ts";
import { fileNewline, lineStart } from "../text/lines-and-indentation.ts";
import { BranchLayout, commentStyleOf } from "./commas-and-comments.ts";
import type { Insertion, TreePlan } from "./plan-member-edits.ts";
import {
  defaultPrintContext,
  printMember,
  printMembers,
  type PrintContext,
  type TreeSyntax,
} from "./tree-serializer.ts";
import { printContextLike, type TreeExample, unitOf } from "./infer-file-style.ts";
import type { BranchNode, Member } from "./value-tree.ts";

/** Returns insertions with the index of the member that they follow. */
function insertionsByIndex(
  members: readonly Member[],
  removed: ReadonlySet<Member>,
  insertions: readonly Insertion[],
): Insertions<Insertion> {
  if (insertions.length === 0) return [];
  const order = members.every(({ named }) => named) ? nameOrderOf(members.map(({ name }) => name)) : null;
  const kept = [...members.entries()].filter(([, member]) => !removed.has(member));
  const indexes = new Map(members.map((member, index) => [member, index]));
  const byKeptIndex = insertionsOf<NamedMember, Insertion>(
    kept.map(([, member]) => member),
    insertions,
    {
      order: order === null ? null : (a, b) => order(a.name, b.name),
      prefixesOf: ({ name, named = true }) => (named ? wordPrefixes(name) : []),
      anchorOf: ({ anchor }) => {
        const anchorIndex = anchor === undefined ? undefined : indexes.get(anchor);
        if (anchorIndex === undefined) return undefined;
        return lastIndexWhere(kept, ([index]) => index <= anchorIndex);
      },
    },
  );
  return byKeptIndex.map(([index, list]) => [kept[index]?.[0] ?? -1, list]);
}

type NamedMember = Pick<Member, "name"> & { readonly named?: boolean };

/** Returns the splices of the plan, sorted and without overlaps. */
export function renderPlan(
  text: string,
  root: BranchNode,
  plan: TreePlan,
  syntax: TreeSyntax,
  examples: () => readonly TreeExample[],
): readonly Splice[] {
  const file = fileStyleOf(text, root, syntax, plan.insert.size > 0, examples);
  const splices = [...plan.rename.values()];
  for (const [node, value] of plan.replace) {
    const { start, end } = node;
    splices.push({ start, end, text: file.context.style.value(value, text.slice(start, end)) });
  }
  const changedBranches = new Set<BranchNode>(plan.insert.keys());
  const collect = (branch: BranchNode): void => {
    for (const member of branch.members) {
      if (plan.remove.has(member)) changedBranches.add(branch);
      else if (member.node.kind === "branch") collect(member.node);
    }
  };
  if (plan.remove.size > 0) collect(root);
  for (const branch of changedBranches) {
    // One by one, since the number of arguments of a call is limited.
    for (const splice of new BranchEdit(file, branch, plan, syntax).splices()) splices.push(splice);
  }
  return mergeSplices(splices);
}

interface FileStyle {
  readonly text: string;
  /** How members are printed where their branch shows nothing else. */
  readonly context: PrintContext;
  /** Whether the whole tree, which has members, is on one line. */
  readonly isOneLine: boolean;
  /** The separator of the root's members if it is a leading comma. */
  readonly commaFirst: string | null;
}

function fileStyleOf(
  text: string,
  root: BranchNode,
  syntax: TreeSyntax,
  inserts: boolean,
  examples: () => readonly TreeExample[],
): FileStyle {
  const isEmpty = root.members.length === 0;
  const [example] = isEmpty && inserts ? examples() : [];
  const like =
    example === undefined ? defaultPrintContext(syntax.styleOf(text), "") : printContextLike(example, syntax);
  const hasLines = /[\r\n]/.test(text);
  const layout = new BranchLayout(text, root, syntax);
  const context: PrintContext = {
    ...like,
    newline: example === undefined || hasLines ? fileNewline(text) : like.newline,
    unit: unitOf(text, root) ?? like.unit,
    trailingComma: isEmpty ? like.trailingComma : layout.trailingComma,
    comments: inserts ? commentsOf(text, root, syntax) : null,
  };
  const isOneLine = !isEmpty && !/[\r\n]/.test(text.slice(root.start, root.end));
  return { text, context, isOneLine, commaFirst: layout.commaFirst() };
}

/** Returns the style of new comments; `null` if the syntax has none, or the file need not have any. */
function commentsOf(text: string, root: BranchNode, syntax: TreeSyntax): CommentStyle | null {
  if (syntax.comments === undefined) return null;
  return commentStyleOf(text, root, syntax) ?? (syntax.comments === "always" ? "//" : null);
}

/** Edits the direct members of one branch. */
class BranchEdit {
  readonly #file: FileStyle;
  readonly #branch: BranchNode;
  readonly #layout: BranchLayout;
  readonly #plan: TreePlan;
  readonly #insertions: readonly Insertion[];
  readonly #byIndex: Insertions<Insertion>;
  /** Whether the items have no names because of their bracket. */
  readonly #isNamelessList: boolean;

  constructor(file: FileStyle, branch: BranchNode, plan: TreePlan, syntax: TreeSyntax) {
    this.#file = file;
    this.#branch = branch;
    this.#plan = plan;
    this.#layout = new BranchLayout(file.text, branch, syntax);
    this.#insertions = plan.insert.get(branch) ?? [];
    this.#byIndex = insertionsByIndex(branch.members, plan.remove, this.#insertions);
    this.#isNamelessList = syntax.hasNamelessLists && file.text[branch.start] === "[";
  }

  splices(): readonly Splice[] {
    const { members, open, end } = this.#branch;
    if (members.length === 0) return this.#fillEmpty();
    const isCleared = this.#byIndex.length === 0 && members.every((member) => this.#plan.remove.has(member));
    if (isCleared && !this.#layout.keepsComments()) return [{ start: open, end: end - 1, text: "" }];
    const separator = this.#layout.commaFirst() ?? this.#commaFirstOfFile();
    return separator === null ? this.#change() : this.#changeCommaFirst(separator);
  }

  /** Returns the separator of a single member in a file with leading commas, placed below the opening bracket. */
  #commaFirstOfFile(): string | null {
    const { text, commaFirst } = this.#file;
    const { start, open, members } = this.#branch;
    const [first] = members;
    if (commaFirst === null || members.length !== 1 || /[\r\n]/u.test(text.slice(open, first?.start))) {
      return null;
    }
    const indent = text.slice(lineStart(text, start), start).replaceAll(/[^\t]/gu, " ");
    return commaFirst.replace(/^([\r\n]+)\s*/u, `$1${indent}`);
  }

  /** Edits a branch with leading commas: members are added and removed with the separator before them. */
  #changeCommaFirst(separator: string): readonly Splice[] {
    const { members } = this.#branch;
    const splices: Splice[] = [];
    let head = "";
    for (const [index, insertions] of this.#byIndex) {
      const context = this.#contextAt(Math.max(index, 0));
      const printed = insertions.map((insertion) => this.#print(insertion, context));
      const anchor = members[index];
      if (anchor === undefined) head = printed.map((member) => member + separator).join("");
      else splices.push({ start: anchor.end, end: anchor.end, text: separator + printed.join(separator) });
    }
    const firstKept = members.findIndex((member) => !this.#plan.remove.has(member));
    const start = members[0]?.start ?? 0;
    const comma = firstKept < 0 && head === "" ? this.#layout.commaAfter(members.length - 1) : null;
    const lastEnd = comma === null ? members.at(-1)?.end : comma + 1;
    const end = (firstKept < 0 ? lastEnd : members[firstKept]?.start) ?? start;
    splices.push({ start, end, text: firstKept < 0 ? head.slice(0, -separator.length) : head });
    for (const [index, member] of members.entries()) {
      if (firstKept < 0 || index <= firstKept || !this.#plan.remove.has(member)) continue;
      splices.push({ start: members[index - 1]?.end ?? start, end: member.end, text: "" });
    }
    return splices;
  }

  #change(): readonly Splice[] {
    const { members } = this.#branch;
    const splices: Splice[] = [];
    const { trailingComma } = this.#layout;
    const removed = members.map((member) => this.#plan.remove.has(member));
    const lastKept = removed.lastIndexOf(false);
    const lastIndex = this.#byIndex.at(-1)?.[0] ?? -2;
    const endsWithNew = lastIndex >= lastKept;
    for (const [index, isRemoved] of removed.entries()) {
      if (isRemoved) continue;
      const comma = this.#layout.commaAfter(index);
      const isWanted = trailingComma || endsWithNew || index !== lastKept;
      if (isWanted && comma === null) {
        const start = this.#layout.commaPosition(index);
        splices.push({ start, end: start, text: "," });
      }
      if (!isWanted && comma !== null) splices.push({ start: comma, end: comma + 1, text: "" });
    }
    let endsOnNewLine = false;
    for (const [index, insertions] of this.#byIndex) {
      const isEnd = endsWithNew && index === lastIndex;
      const { offset, newline, before, after } = this.#layout.insertionPoint(
        index,
        this.#file.context.newline,
      );
      if (isEnd) endsOnNewLine = /^[\r\n]/.test(before);
      const context = { ...this.#contextAt(Math.max(index, 0)), newline };
      const printed = insertions.map((insertion, at) => {
        const comma = trailingComma || !isEnd || at < insertions.length - 1 ? "," : "";
        return before + this.#print(insertion, context) + comma + after;
      });
      splices.push({ start: offset, end: offset, text: printed.join("") });
    }
    for (const { start, end } of this.#layout.removals(removed, endsOnNewLine))
      splices.push({ start, end, text: "" });
    return splices;
  }

  #print(insertion: Insertion, context: PrintContext): string {
    return printMember(insertion.name, insertion.node, context, this.#isNameless(insertion.name));
  }

  /** An item that continues a list is written without its index. */
  #isNameless(name: string): boolean {
    if (this.#isNamelessList) return true;
    const { members } = this.#branch;
    if (members.some((member) => member.named) || !/^\d+$/.test(name)) return false;
    return (
      this.#insertions.findIndex((insertion) => insertion.name === name) === Number(name) - members.length
    );
  }

  #contextAt(index: number): PrintContext {
    const { text, context } = this.#file;
    const { members, start, open } = this.#branch;
    const member = members[index];
    const around = members.slice(Math.max(0, index - 3), index + 4).filter((other) => other.named);
    const nearest = member?.named === true ? [member, ...around] : around;
    // A neighbour's quotes may be due to its own text (such as an apostrophe), so the majority takes precedence over
    // the nearest. A heredoc is no reason to write another one.
    const quoteOf = ({ node }: Member): string => text[node.start] ?? "";
    const texts = [...new Set(member === undefined ? around : [member, ...around])].filter((other) =>
      /["']/.test(quoteOf(other)),
    );
    const votes = (quote: string): number => texts.filter((other) => quoteOf(other) === quote).length;
    const neighbour = texts.toSorted((a, b) => votes(quoteOf(b)) - votes(quoteOf(a)))[0]?.node;
    return {
      ...context,
      indent: this.#layout.indentOf(index),
      trailingComma: this.#layout.trailingComma,
      neighbourHeads: nearest.map((other) => text.slice(other.start, other.node.start)),
      neighbourValue: neighbour === undefined ? null : text.slice(neighbour.start, neighbour.end),
      parentBracket: text.slice(start, open),
    };
  }

  #fillEmpty(): readonly Splice[] {
    const { text, context, isOneLine } = this.#file;
    const { start, open, end } = this.#branch;
    const indent = isOneLine ? null : (/^[ \t]*/.exec(text.slice(lineStart(text, start)))?.[0] ?? "");
    const members = new Map(this.#insertions.map(({ name, node }) => [name, node]));
    // PHP writes any empty array as `[]`, so such a list may get members with names.
    const hasNames = this.#insertions.some(({ name }, index) => name !== String(index));
    const becomesObject = this.#isNamelessList && hasNames;
    const filled = printMembers(
      members,
      { ...context, indent, neighbourValue: null, parentBracket: text.slice(start, open) },
      this.#isNamelessList && !hasNames,
    );
    const splice: Splice = { ...this.#layout.emptyRange(), text: filled };
    if (!becomesObject) return [splice];
    const [opening, closing] = context.style.brackets("{", false);
    return [{ start, end: open, text: opening }, splice, { start: end - 1, end, text: closing }];
  }
}

/** Sorts splices, and merges those at the same offset and overlapping removals. */
function mergeSplices(splices: readonly Splice[]): readonly Splice[] {
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
