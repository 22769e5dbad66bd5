/**
 * A draft of what is to happen to a tree's members, step by step: each step says whether it can be made beside
 * those before it. Which key needs which steps is tree-plan.ts's, how the bytes change tree-render.ts's.
 */
import type { Refusal } from "../format.ts";
import { branchesOf, type Names, namesIn, parentsOf, type Parents } from "./tree-names.ts";
import { isSplittable, type NewNode, type NewText, putKey } from "./tree-print.ts";
import type { BranchNode, Leaf, Member, TreeNode } from "./tree.ts";

/** A member to come; `near` says after which one, where that is known. */
export interface Insertion {
  readonly name: string;
  readonly node: NewNode;
  readonly near: Member | null;
}

/** A name that gets another end: so many characters go, and these come. */
export interface Rename {
  readonly cut: number;
  readonly add: string;
}

/** What to do to the tree. */
export interface TreePlan {
  readonly replace: ReadonlyMap<TreeNode, string>;
  readonly rename?: ReadonlyMap<Member, Rename>;
  readonly remove: ReadonlySet<Member>;
  readonly insert: ReadonlyMap<BranchNode, readonly Insertion[]>;
  /** Branches whose last member goes: they go as a whole. */
  readonly emptied: ReadonlySet<BranchNode>;
  readonly refused: readonly Refusal[];
}

/** Why a step cannot be made; `null` when it was. */
export type Reason = Refusal["reason"];

/** The tree that is changed. */
export interface DraftTree {
  readonly root: BranchNode;
  /** The whole file; needed only where names get other ends. */
  readonly text: string;
  /** Nested values make dotted keys. */
  readonly nested: boolean;
  /** Whether every item of the branch must go without a name. */
  readonly namelessLists: (branch: BranchNode) => boolean;
  /** Whether the branch holds more than its members (comments of nobody), so that it stays when they go. */
  readonly holdsMore: (branch: BranchNode) => boolean;
}

export class TreeDraft {
  readonly #root: BranchNode;
  readonly #text: string;
  readonly #nested: boolean;
  readonly #namelessLists: (branch: BranchNode) => boolean;
  readonly #holdsMore: (branch: BranchNode) => boolean;
  /** Members that others of the same key cover, by key. */
  readonly #shadowed: ReadonlyMap<string, readonly Leaf[]>;
  readonly #replace = new Map<TreeNode, string>();
  readonly #rename = new Map<Member, Rename>();
  readonly #remove = new Map<Member, Leaf>();
  readonly #insert = new Map<BranchNode, Map<string, Insertion>>();
  readonly #names = new Map<BranchNode, Names>();
  /** Names that members of a branch get by a new end. */
  readonly #newNames = new Map<BranchNode, Set<string>>();
  /** Members by name, in branches where several share one. */
  readonly #twins = new Map<BranchNode, ReadonlyMap<string, readonly Member[]>>();
  #branches: ReadonlyMap<string, BranchNode> | null = null;
  #parents: Parents | null = null;
  #steps = 0;

  constructor({ root, text, nested, namelessLists, holdsMore }: DraftTree, shadowed: readonly Leaf[]) {
    this.#root = root;
    this.#text = text;
    this.#nested = nested;
    this.#namelessLists = namelessLists;
    this.#holdsMore = holdsMore;
    this.#shadowed = Map.groupBy(shadowed, (leaf) => leaf.key);
  }

  /** Steps made so far. */
  get steps(): number {
    return this.#steps;
  }

  /** All steps together. Items of lists that cannot go alone stay, and are refused. */
  plan(): TreePlan {
    const refused = [...this.#keepLists(), ...this.#keepCovers()];
    const emptied = new Set<BranchNode>();
    const remove = new Set(this.#remove.keys());
    const parents = new Set([...this.#remove.values()].map((leaf) => leaf.parent));
    // In the file's order: of several of one name only the last covers others.
    for (const parent of [...parents].sort((a, b) => a.start - b.start)) {
      this.#empty(parent, remove, emptied);
    }
    const insert = new Map(
      [...this.#insert].map(([branch, insertions]) => [branch, [...insertions.values()]]),
    );
    return { replace: this.#replace, rename: this.#rename, remove, insert, emptied, refused };
  }

  replaceNode(node: TreeNode, value: string): null {
    if (node.kind === "text" && node.value === value) return null;
    this.#steps++;
    this.#replace.set(node, value);
    return null;
  }

  /** With the leaf go the duplicates that it covers, or one of those would come to light. */
  removeLeaf(leaf: Leaf): void {
    this.#steps++;
    this.#remove.set(leaf.member, leaf);
    for (const shadowed of this.#shadowed.get(leaf.key) ?? []) this.#remove.set(shadowed.member, shadowed);
  }

  /** Changes the end of a member's name, where its name is written plainly enough for that. */
  renameLeaf({ member, parent }: Leaf, cut: number, add: string): Reason | null {
    if (cut === 0 && add === "") return null;
    const { name, nameSpan } = member;
    const written = this.#text.slice(nameSpan.start, nameSpan.end);
    const isQuoted = /["'`]/.test(this.#text[nameSpan.start - 1] ?? "");
    const end = name.slice(name.length - cut);
    if (!member.named || !written.endsWith(end) || !(isQuoted || /^[A-Za-z_$][\w$]*$/.test(written))) {
      return "unsupported";
    }
    const renamed = name.slice(0, name.length - cut) + add;
    const taken = this.#namesOf(parent).members.get(renamed);
    if (taken !== undefined && !this.#remove.has(taken) && !this.#rename.has(taken)) return "conflict";
    if (this.#insert.get(parent)?.has(renamed) === true) return "conflict";
    this.#steps++;
    this.#rename.set(member, { cut, add });
    this.#newNamesOf(parent).add(renamed);
    return null;
  }

  #newNamesOf(branch: BranchNode): Set<string> {
    let names = this.#newNames.get(branch);
    if (names === undefined) this.#newNames.set(branch, (names = new Set()));
    return names;
  }

  /** A new member for the key, in the deepest branch there is for it; beside `near` if that is given. */
  add(key: string, text: NewText, near: Leaf | null): Reason | null {
    if (!this.#nested) return this.#addTo(this.#root, key, text, false, near);
    this.#branches ??= branchesOf(this.#root);
    if (near !== null) {
      const { container } = near;
      if (key.startsWith(container))
        return this.#addTo(near.parent, key.slice(container.length), text, false, near);
    }
    let branch = this.#root;
    let rest = key;
    for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
      const found = this.#branches.get(key.slice(0, dot));
      if (found === undefined) continue;
      branch = found;
      rest = key.slice(dot + 1);
      break;
    }
    const flat = this.#writesFlat(branch, rest);
    // A name that cannot be taken apart is found at the top only (Laravel), unless such names stand here.
    if (rest.includes(".") && !isSplittable(rest) && this.#namesOf(branch).dottedHeads.size === 0) {
      return this.#addTo(this.#root, key, text, false, near);
    }
    return this.#addTo(branch, rest, text, !flat, near);
  }

  #addTo(branch: BranchNode, rest: string, text: NewText, nested: boolean, near: Leaf | null): Reason | null {
    const [first = rest] = nested && isSplittable(rest) ? rest.split(".") : [rest];
    const taken = this.#namesOf(branch).members.get(first);
    if (taken !== undefined && !this.#remove.has(taken) && !this.#rename.has(taken)) return "conflict";
    if (this.#newNames.get(branch)?.has(first) === true) return "conflict";
    const coming = this.#insert.get(branch);
    if (this.#namelessLists(branch) && rest !== String(branch.members.length + (coming?.size ?? 0))) {
      return "unsupported";
    }
    const pending = coming?.get(first);
    if (pending === undefined) {
      const members = new Map<string, NewNode>();
      putKey(members, rest, text, nested);
      const node = members.get(first);
      if (node !== undefined) this.#insertion(branch, first, node, near?.member ?? null);
      return null;
    }
    if (pending.node.kind !== "branch") return "conflict";
    const below = rest.slice(first.length + 1);
    if (!putKey(pending.node.members, below, text, true)) return "conflict";
    this.#steps++;
    return null;
  }

  #insertion(branch: BranchNode, name: string, node: NewNode, near: Member | null): void {
    this.#steps++;
    let list = this.#insert.get(branch);
    if (list === undefined) this.#insert.set(branch, (list = new Map()));
    list.set(name, { name, node, near });
  }

  /** Flat where names with dots stand beside (`auth.failed` for `auth.throttle`), or where no branch is at all. */
  #writesFlat(branch: BranchNode, rest: string): boolean {
    if (this.#namesOf(branch).dottedHeads.has(rest.split(".", 1)[0] ?? rest)) return true;
    const { nested, dottedHeads } = this.#namesOf(this.#root);
    return !nested && dottedHeads.size > 0;
  }

  #namesOf(branch: BranchNode): Names {
    let names = this.#names.get(branch);
    if (names === undefined) this.#names.set(branch, (names = namesIn(branch)));
    return names;
  }

  /** An item that counts must not go while later ones without names stay: their indexes are their keys. */
  #keepLists(): readonly Refusal[] {
    const refused: Refusal[] = [];
    const parents = new Set(
      [...this.#remove].flatMap(([member, leaf]) => (counts(member) ? [leaf.parent] : [])),
    );
    for (const { members } of parents) {
      const lastKept = members.findLastIndex((member) => !member.named && !this.#remove.has(member));
      for (const member of members.slice(0, Math.max(0, lastKept))) {
        const leaf = counts(member) ? this.#remove.get(member) : undefined;
        if (leaf === undefined) continue;
        this.#remove.delete(member);
        refused.push({ key: leaf.key, context: null, reason: "unsupported" });
      }
    }
    return refused;
  }

  /** A member must not go while another of its name, with keys of its own in it, would come to light. */
  #keepCovers(): readonly Refusal[] {
    const refused: Refusal[] = [];
    for (const [member, leaf] of this.#remove) {
      if (!this.#covers(member, leaf.parent, this.#remove)) continue;
      this.#remove.delete(member);
      refused.push({ key: leaf.key, context: null, reason: "conflict" });
    }
    return refused;
  }

  /** Whether the member is the last of its name and another one stays. */
  #covers(member: Member, parent: BranchNode, remove: { has(member: Member): boolean }): boolean {
    const names = this.#namesOf(parent);
    if (names.members.size === parent.members.length || names.members.get(member.name) !== member)
      return false;
    let twins = this.#twins.get(parent);
    if (twins === undefined) {
      const known = parent.members.filter((other) => other.unknown !== true);
      this.#twins.set(parent, (twins = Map.groupBy(known, (other) => other.name)));
    }
    return twins.get(member.name)?.some((other) => other !== member && !remove.has(other)) === true;
  }

  /** A branch that loses its last member goes too, and so on upwards. */
  #empty(branch: BranchNode, remove: Set<Member>, emptied: Set<BranchNode>): void {
    this.#parents ??= parentsOf(this.#root);
    const place = this.#parents.get(branch);
    if (place === undefined || emptied.has(branch) || this.#insert.has(branch)) return;
    if (!branch.members.every((member) => remove.has(member)) || this.#holdsMore(branch)) return;
    if (!this.#mayGo(place.member, place.parent, remove)) return;
    emptied.add(branch);
    remove.add(place.member);
    this.#empty(place.parent, remove, emptied);
  }

  #mayGo(member: Member, parent: BranchNode, remove: ReadonlySet<Member>): boolean {
    if (this.#covers(member, parent, remove)) return false;
    if (!counts(member)) return true;
    const later = parent.members.slice(parent.members.indexOf(member) + 1);
    return later.every((other) => other.named || remove.has(other));
  }
}

/** Whether the items after it that have no names of their own are counted from this one on (PHP's `7 => 'x', 'y'`). */
function counts(member: Member): boolean {
  return !member.named || /^-?\d+$/.test(member.name);
}
