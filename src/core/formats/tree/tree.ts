/**
 * What files of nested named values (PHP arrays, JSON objects) have in common: the tree with its places, and how
 * its leaves become entries. Scanning one syntax stands in the format's own file, changing in tree-plan.ts.
 */
import { CATEGORIES, type Text } from "../../text.ts";
import type { Entry, Problem, ReadOnlyReason, ReadOptions, ReadResult, Span } from "../format.ts";
import { type Group, holdingsOf } from "./tree-holdings.ts";
import { readValue } from "./tree-values.ts";

/** A literal whose text is known. `start` and `end` enclose its quotes. */
export interface TextNode extends Span {
  readonly kind: "text";
  readonly value: string;
  /** Set when the text is known but must not be written over. */
  readonly readOnly: ReadOnlyReason | null;
}

/** An array or object. `start` and `end` enclose the brackets; `open` is the offset after the opening one. */
export interface BranchNode extends Span {
  readonly kind: "branch";
  readonly open: number;
  readonly members: readonly Member[];
}

/** A value without a known text. `empty` (JSON's `null`) counts as not there, and may be written over. */
export interface OtherNode extends Span {
  readonly kind: "other";
  readonly reason: ReadOnlyReason | "empty" | "type";
}

export type TreeNode = TextNode | BranchNode | OtherNode;

/** One value and its name in a branch. */
export interface Member extends Span {
  /** A list's item is named by its index. */
  readonly name: string;
  /** The name inside its quotes; of a list's item the value. */
  readonly nameSpan: Span;
  /** The name is written in the file. */
  readonly named: boolean;
  /** Code makes the name (or the whole item): no key, only a place in the layout. `name` is empty. */
  readonly unknown?: true;
  readonly node: TreeNode;
}

/** What a scanner found. `root` is `null` when the file has no tree at all. */
export interface Tree {
  readonly root: BranchNode | null;
  readonly problems: readonly Problem[];
  /** False when some of the file was not understood, so that nothing may be changed. */
  readonly sound: boolean;
}

/** How a format names and reads its leaves. */
export interface TreeRules {
  /** Nested values make dotted keys; without, only the root's own members count (Laravel's JSON). */
  readonly nested: boolean;
  /** i18next's `_one`, `_other` members are one plural key. */
  readonly suffixes: boolean;
  /** `a|b` is plural when it has as many parts as the source locale has categories (Laravel). */
  readonly pipes: boolean;
}

/** A leaf with its key. */
export interface Leaf {
  readonly key: string;
  /** What the key begins with, before the member's own name: the names on its way, each with a dot. */
  readonly container: string;
  readonly member: Member;
  /** The branch that the member stands in. */
  readonly parent: BranchNode;
}

/** Nesting that is read; deeper files are refused, so that no file can exhaust the stack. */
export const MAX_DEPTH = 100;

const NO_DESCRIPTIONS: ReadonlyMap<Member, string> = new Map();

/** Entries and problems of a scanned file; `descriptions` are what its comments say of members. */
export function readTree(
  tree: Tree,
  rules: TreeRules,
  options: ReadOptions,
  descriptions: ReadonlyMap<Member, string> = NO_DESCRIPTIONS,
): ReadResult {
  if (tree.root === null) return { entries: [], problems: tree.problems };
  const problems: Problem[] = [...tree.problems];
  const { singles, groups, shadowed } = holdingsOf(tree.root, rules, options);
  const entries: Entry[] = [];
  for (const leaf of shadowed) {
    const span = { start: leaf.member.start, end: leaf.member.end };
    problems.push({ code: "duplicate", message: "the key stands again further down", span, key: leaf.key });
  }
  for (const group of groups.values()) {
    const { key } = group;
    const single = singles.get(key);
    if (single !== undefined) {
      const { start, end } = single.member;
      const message = "plural forms of the key stand beside it";
      problems.push({ code: "duplicate", message, span: { start, end }, key });
    }
    entries.push(groupEntry(group, descriptions));
  }
  for (const { key, member } of singles.values()) {
    const { node, nameSpan } = member;
    if (node.kind === "text") {
      if (groups.has(key)) continue;
      const { text, readOnly } = readValue(key, node.value, rules, options);
      const span = { start: node.start, end: node.end };
      const description = descriptions.get(member) ?? null;
      entries.push(entryOf(key, text, description, nameSpan, span, node.readOnly ?? readOnly));
    } else {
      const problem = problemOf(node);
      if (problem !== null) problems.push({ ...problem, key });
    }
  }
  entries.sort((a, b) => a.valueSpan.start - b.valueSpan.start);
  problems.sort((a, b) => a.span.start - b.span.start);
  return { entries, problems };
}

/** The forms in CLDR's order, from the first member to the last. */
function groupEntry({ key, leaves }: Group, descriptions: ReadonlyMap<Member, string>): Entry {
  const texts: [string, string][] = [];
  const said = new Set<string>();
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  let keySpan: Span | undefined;
  let readOnly: ReadOnlyReason | null = null;
  for (const category of CATEGORIES) {
    const member = leaves.get(category)?.member;
    if (member?.node.kind !== "text") continue;
    texts.push([category, member.node.value]);
    if (member.node.start < start) keySpan = member.nameSpan;
    start = Math.min(start, member.node.start);
    end = Math.max(end, member.node.end);
    readOnly ??= member.node.readOnly;
  }
  for (const { member } of leaves.values()) {
    const description = descriptions.get(member);
    if (description !== undefined) said.add(description);
  }
  const text: Text = { forms: Object.fromEntries(texts) };
  const span = { start, end };
  const description = said.size === 0 ? null : [...said].join("\n");
  return entryOf(key, text, description, keySpan ?? span, span, readOnly);
}

/** An entry of a tree, which says nothing of contexts, namespaces, languages and sources. */
function entryOf(
  key: string,
  text: Text,
  description: string | null,
  keySpan: Span,
  valueSpan: Span,
  readOnly: ReadOnlyReason | null,
): Entry {
  return {
    key,
    context: null,
    namespace: null,
    locale: null,
    text,
    source: null,
    description,
    keySpan,
    valueSpan,
    readOnly,
  };
}

function problemOf(node: OtherNode | BranchNode): Problem | null {
  const span = { start: node.start, end: node.end };
  if (node.kind === "branch")
    return node.members.length === 0 ? null : { code: "type", message: "no text", span };
  if (node.reason === "empty") return null;
  if (node.reason === "type") return { code: "type", message: "no text", span };
  return { code: "expression", message: `not a plain text (${node.reason})`, span };
}

/** The same values, none to be written: what is written there may never be seen. */
export function withoutWriting(node: TreeNode): TreeNode {
  if (node.kind === "text") return { ...node, readOnly: node.readOnly ?? "expression" };
  if (node.kind === "other") return node;
  const members = node.members.map((member) => ({ ...member, node: withoutWriting(member.node) }));
  return { ...node, members };
}
