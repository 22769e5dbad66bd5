/** What is asked of a tree's branches again and again while changes are planned: names, paths, parents. */
import type { BranchNode, Member } from "./tree.ts";

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
