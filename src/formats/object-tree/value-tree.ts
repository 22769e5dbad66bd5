/** The tree of a file of nested, named values (PHP arrays, JSON and JavaScript objects), with ranges. */
import type { PipeRules } from "../../model/pipe-plurals.ts";
import type { Problem, ReadOnlyReason } from "../format.ts";
import type { Span } from "../../util/span.ts";

/** A literal whose text is known. The span includes its quotes. */
export interface TextNode extends Span {
  readonly kind: "text";
  readonly value: string;
  /** Why the text is known but must not be overwritten; `null` if it may be. */
  readonly readOnly: ReadOnlyReason | null;
}

/** An array or object. The span includes the brackets; `open` is the offset after the opening one. */
export interface BranchNode extends Span {
  readonly kind: "branch";
  readonly open: number;
  readonly members: readonly Member[];
}

/** A value whose text is not known. `empty` (JSON's `null`) counts as missing and may be overwritten. */
export interface OtherNode extends Span {
  readonly kind: "other";
  readonly reason: ReadOnlyReason | "empty" | "type";
}

export type TreeNode = TextNode | BranchNode | OtherNode;

/** A value in a branch, with its name. */
export interface Member extends Span {
  /** The index for a list item. */
  readonly name: string;
  /** The name without its quotes; the value for a list item. */
  readonly nameSpan: Span;
  /** Whether the name is written in the file. */
  readonly named: boolean;
  /** Set if code computes the name or the whole item: it has no key but is part of the layout. `name` is empty. */
  readonly unknown?: true;
  readonly node: TreeNode;
}

/** Maximum nesting depth. Deeper files are rejected, so that no file can overflow the stack. */
export const MAX_DEPTH = 100;

/** Result of a scanner. `root` is `null` if the file has no tree. */
export interface Tree {
  readonly root: BranchNode | null;
  readonly problems: readonly Problem[];
  /** False if part of the file was not understood, so that nothing may be changed. */
  readonly isEditable: boolean;
  /** Set if the texts are in records (text-records.ts): the names of a record's text and description. */
  readonly record?: { readonly text: string; readonly description: string; readonly isInline: boolean };
  /** Descriptions from records. */
  readonly descriptions?: ReadonlyMap<Member, string>;
}

/** Returns the members, those before the index read-only: whatever is written there may never be used. */
export function readOnlyBefore(index: number, members: readonly Member[]): readonly Member[] {
  const asReadOnly = (node: TreeNode): TreeNode => {
    if (node.kind === "text") return { ...node, readOnly: "expression" };
    if (node.kind === "other") return node;
    return { ...node, members: readOnlyBefore(node.members.length, node.members) };
  };
  if (index === 0) return members;
  return members.map((member, at) => (at < index ? { ...member, node: asReadOnly(member.node) } : member));
}

/** How a format names and interprets its leaves. */
export interface TreeRules {
  /** Whether nested values have dotted keys; otherwise only the root's own members count (Laravel's JSON). */
  readonly nested: boolean;
  /** Whether `_one`, `_other` members are one plural key (i18next). */
  readonly suffixes: boolean;
  /** Whether `a|b` is plural if it has as many parts as are distinguished in the locale. */
  readonly pipes: boolean;
  /** Which part is for which numbers. */
  readonly parts: PipeRules;
}

/** A leaf with its key. */
export interface Leaf {
  readonly key: string;
  /** Prefix of the key before the member's name: the names of its parents, each followed by a dot. */
  readonly container: string;
  readonly member: Member;
  /** The branch that contains the member. */
  readonly parent: BranchNode;
}

/** An index of a branch's members. */
export interface Names {
  /** Members by name; of several with one name the last is in effect. */
  readonly members: ReadonlyMap<string, readonly Member[]>;
  /** First segments of the names that contain a dot. */
  readonly dottedHeads: ReadonlySet<string>;
  /** Whether any member is a branch. */
  readonly nested: boolean;
}

export function namesIn(branch: BranchNode): Names {
  const known = branch.members.filter((member) => member.unknown !== true);
  const dotted = known.filter((member) => member.name.includes("."));
  return {
    members: Map.groupBy(known, (member) => member.name),
    dottedHeads: new Set(dotted.map((member) => member.name.slice(0, member.name.indexOf(".")))),
    nested: branch.members.some((member) => member.node.kind === "branch"),
  };
}

/** An index of a tree's branches. */
export interface BranchIndex {
  /** Branches by dotted path; the last one of each path. */
  readonly byPath: ReadonlyMap<string, BranchNode>;
  /** The parent of each branch, and its member there. */
  readonly parents: ReadonlyMap<BranchNode, { readonly member: Member; readonly parent: BranchNode }>;
}

export function branchIndexOf(root: BranchNode): BranchIndex {
  const byPath = new Map<string, BranchNode>();
  const parents = new Map<BranchNode, { readonly member: Member; readonly parent: BranchNode }>();
  const walk = (parent: BranchNode, prefix: string): void => {
    for (const member of parent.members) {
      const { name, node } = member;
      if (node.kind !== "branch") continue;
      byPath.set(prefix + name, node);
      parents.set(node, { member, parent });
      walk(node, `${prefix}${name}.`);
    }
  };
  walk(root, "");
  return { byPath, parents };
}
