/** The tree of a file of nested named values (PHP arrays, JSON and JavaScript objects), with its locations. */
import type { Problem, ReadOnlyReason } from "../format.ts";
import type { Span } from "../../model/span.ts";

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

/** What is asked of a branch's members again and again. */
export interface Names {
  readonly members: ReadonlyMap<string, Member>;
  /** First segments of the names that have a dot in them. */
  readonly dottedHeads: ReadonlySet<string>;
  /** Whether any member is a branch. */
  readonly nested: boolean;
}

export function namesIn(branch: BranchNode): Names {
  const known = branch.members.filter((member) => member.unknown !== true);
  const dotted = known.filter((member) => member.name.includes("."));
  return {
    members: new Map(known.map((member) => [member.name, member])),
    dottedHeads: new Set(dotted.map((member) => member.name.slice(0, member.name.indexOf(".")))),
    nested: branch.members.some((member) => member.node.kind === "branch"),
  };
}

/** Branches by their dotted path; the later of two counts. */
export function branchesOf(root: BranchNode): ReadonlyMap<string, BranchNode> {
  const branches = new Map<string, BranchNode>();
  const walk = (branch: BranchNode, prefix: string): void => {
    for (const { name, node } of branch.members) {
      if (node.kind !== "branch") continue;
      branches.set(prefix + name, node);
      walk(node, `${prefix}${name}.`);
    }
  };
  walk(root, "");
  return branches;
}

/** Where each branch stands. */
export type Parents = ReadonlyMap<BranchNode, { readonly member: Member; readonly parent: BranchNode }>;

export function parentsOf(root: BranchNode): Parents {
  const parents = new Map<BranchNode, { readonly member: Member; readonly parent: BranchNode }>();
  const walk = (parent: BranchNode): void => {
    for (const member of parent.members) {
      if (member.node.kind !== "branch") continue;
      parents.set(member.node, { member, parent });
      walk(member.node);
    }
  };
  walk(root);
  return parents;
}
