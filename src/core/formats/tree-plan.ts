/**
 * From changes of keys to changes of a tree's members: which literals are replaced, which members go and which
 * come, and into which branch. How the bytes change is tree-render.ts's.
 */
import { formsOfParts, joinPipes, partsOfForms, splitPipes } from "../plurals.ts";
import { CATEGORIES, isForms, sameText, type Forms, type Text } from "../text.ts";
import type { Change, ReadOptions, Refusal } from "./format.ts";
import {
  type BranchNode,
  type Group,
  type Holdings,
  holdingsOf,
  type Leaf,
  type Member,
  textOfLeaf,
  type TreeNode,
  type TreeRules,
} from "./tree.ts";
import { isSplittable, type NewNode, putKey } from "./tree-print.ts";

/** A member to come; `near` says after which one, where that is known. */
export interface Insertion {
  readonly name: string;
  readonly node: NewNode;
  readonly near: Member | null;
}

/** What to do to the tree. */
export interface TreePlan {
  readonly replace: ReadonlyMap<TreeNode, string>;
  readonly remove: ReadonlySet<Member>;
  readonly insert: ReadonlyMap<BranchNode, readonly Insertion[]>;
  /** Branches whose last member goes: they go as a whole. */
  readonly emptied: ReadonlySet<BranchNode>;
  readonly refused: readonly Refusal[];
}

type Reason = Refusal["reason"];

/** Plans the changes; of several for one key the last holds. */
export function planTree(
  root: BranchNode,
  changes: readonly Change[],
  rules: TreeRules,
  options: ReadOptions,
  namelessLists: (branch: BranchNode) => boolean,
): TreePlan {
  const planner = new Planner(root, rules, options, namelessLists);
  const byKey = new Map(changes.map((change) => [JSON.stringify([change.key, change.context]), change]));
  for (const change of byKey.values()) planner.change(change);
  return planner.plan();
}

class Planner {
  readonly #root: BranchNode;
  readonly #rules: TreeRules;
  readonly #options: ReadOptions;
  readonly #namelessLists: (branch: BranchNode) => boolean;
  readonly #holdings: Holdings;
  readonly #replace = new Map<TreeNode, string>();
  readonly #remove = new Map<Member, Leaf>();
  readonly #insert = new Map<BranchNode, Map<string, Insertion>>();
  readonly #names = new Map<BranchNode, Names>();
  readonly #refused: Refusal[] = [];
  #branches: ReadonlyMap<string, BranchNode> | null = null;
  #parents: ReadonlyMap<BranchNode, { readonly member: Member; readonly parent: BranchNode }> | null = null;
  #duplicates: ReadonlyMap<string, readonly Leaf[]> | null = null;

  constructor(
    root: BranchNode,
    rules: TreeRules,
    options: ReadOptions,
    namelessLists: (branch: BranchNode) => boolean,
  ) {
    this.#root = root;
    this.#rules = rules;
    this.#options = options;
    this.#namelessLists = namelessLists;
    this.#holdings = holdingsOf(root, rules, options);
  }

  change(change: Change): void {
    const reason = change.context === null || change.context === "" ? this.#apply(change) : "unsupported";
    if (reason !== null) this.#refused.push({ key: change.key, context: change.context, reason });
  }

  plan(): TreePlan {
    this.#keepLists();
    const emptied = new Set<BranchNode>();
    const remove = new Set(this.#remove.keys());
    for (const parent of new Set([...this.#remove.values()].map((leaf) => leaf.parent))) {
      this.#empty(parent, remove, emptied);
    }
    const insert = new Map(
      [...this.#insert].map(([branch, insertions]) => [branch, [...insertions.values()]]),
    );
    return { replace: this.#replace, remove, insert, emptied, refused: this.#refused };
  }

  #apply({ key, text }: Change): Reason | null {
    const group = this.#holdings.groups.get(key);
    const single = group === undefined ? this.#holdings.singles.get(key) : undefined;
    if (text === null) return this.#removeKey(single, group);
    if (single !== undefined) return this.#changeSingle(single, text);
    if (group !== undefined) return this.#changeGroup(group, text);
    if (!isForms(text)) return this.#add(key, text.value, null);
    return this.#addForms(key, text.forms, null);
  }

  #removeKey(single: Leaf | undefined, group: Group | undefined): Reason | null {
    const leaves = single === undefined ? [...(group?.leaves.values() ?? [])] : [single];
    if (leaves.length === 0) return "not_found";
    for (const { member } of leaves) {
      const reason = obstacle(member.node);
      if (reason !== null) return reason;
    }
    for (const leaf of leaves) this.#removeLeaf(leaf);
    return null;
  }

  /** With the leaf go the duplicates that it covers, or one of those would come to light. */
  #removeLeaf(leaf: Leaf): void {
    this.#duplicates ??= Map.groupBy(this.#holdings.shadowed, (shadowed) => shadowed.key);
    this.#remove.set(leaf.member, leaf);
    for (const shadowed of this.#duplicates.get(leaf.key) ?? []) this.#remove.set(shadowed.member, shadowed);
  }

  #changeSingle(leaf: Leaf, text: Text): Reason | null {
    const { node } = leaf.member;
    const reason = obstacle(node);
    if (reason !== null) return reason;
    const old = node.kind === "text" ? node.value : "";
    if (!isForms(text)) return this.#replaceNode(node, text.value);
    const now = textOfLeaf(leaf.key, old, this.#rules, { ...this.#options, isPlural: () => true });
    if (node.kind === "text" && sameText(now, text)) return null;
    const onlyOther = Object.keys(text.forms).length === 1 && Object.hasOwn(text.forms, "other");
    if (this.#rules.pipes || old.includes("|") || onlyOther || this.#writesPipes()) {
      const value = this.#piped(text.forms, old);
      return value === null ? "unsupported" : this.#replaceNode(node, value);
    }
    return this.#addForms(leaf.key, text.forms, leaf) ?? (this.#removeLeaf(leaf), null);
  }

  #changeGroup(group: Group, text: Text): Reason | null {
    for (const { member } of group.leaves.values()) {
      const reason = obstacle(member.node);
      if (reason !== null) return reason;
    }
    const first = group.leaves.values().next().value ?? null;
    if (!isForms(text)) {
      const reason = this.#add(group.key, text.value, first);
      if (reason === null) for (const leaf of group.leaves.values()) this.#removeLeaf(leaf);
      return reason;
    }
    if (!hasOnlyCategories(text.forms)) return "unsupported";
    let near = first;
    for (const category of CATEGORIES) {
      const leaf = group.leaves.get(category);
      const form = Object.hasOwn(text.forms, category) ? text.forms[category] : undefined;
      if (leaf !== undefined && form !== undefined) this.#replaceNode(leaf.member.node, form);
      else if (leaf !== undefined) this.#removeLeaf(leaf);
      else if (form !== undefined && near !== null) {
        const name = `${suffixStem(near.member.name)}_${category}`;
        this.#insertion(near.parent, name, { kind: "text", value: form }, near.member);
      }
      near = leaf ?? near;
    }
    return null;
  }

  #addForms(key: string, forms: Forms, near: Leaf | null): Reason | null {
    if (this.#rules.pipes || (near === null && this.#writesPipes())) {
      const value = this.#piped(forms, "");
      return value === null ? "unsupported" : this.#add(key, value, near);
    }
    if (!this.#rules.suffixes || !hasOnlyCategories(forms)) return "unsupported";
    for (const category of CATEGORIES) {
      const form = Object.hasOwn(forms, category) ? forms[category] : undefined;
      const reason = form === undefined ? null : this.#add(`${key}_${category}`, form, near);
      if (reason !== null) return reason;
    }
    return null;
  }

  /** One value for the forms; `null` when it could not be read back as they are. */
  #piped(forms: Forms, old: string): string | null {
    const parts = partsOfForms(this.#options.locale, forms);
    if (parts === null || parts.some((part) => part.includes("|"))) return null;
    if (formsOfParts(this.#options.locale, parts) === null) return null;
    const { separators } = splitPipes(old, !this.#rules.pipes);
    return joinPipes(parts, separators, this.#rules.pipes ? "|" : " | ");
  }

  /** A JSON file whose plural keys have pipes (vue-i18n) gets no suffixes. */
  #writesPipes(): boolean {
    if (this.#holdings.groups.size > 0 || this.#options.isPlural === undefined) return false;
    for (const [key, { member }] of this.#holdings.singles) {
      if (member.node.kind !== "text" || !member.node.value.includes("|")) continue;
      if (this.#options.isPlural(key, null) === true) return true;
    }
    return false;
  }

  #replaceNode(node: TreeNode, value: string): null {
    if (node.kind !== "text" || node.value !== value) this.#replace.set(node, value);
    return null;
  }

  /** A new member for the key, in the deepest branch there is for it; beside `near` if that is given. */
  #add(key: string, value: string, near: Leaf | null): Reason | null {
    if (!this.#rules.nested) return this.#addTo(this.#root, key, value, false, near);
    this.#branches ??= branchesOf(this.#root);
    if (near !== null) {
      const container = near.path
        .slice(0, -1)
        .map((member) => `${member.name}.`)
        .join("");
      if (key.startsWith(container))
        return this.#addTo(near.parent, key.slice(container.length), value, false, near);
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
      return this.#addTo(this.#root, key, value, false, near);
    }
    return this.#addTo(branch, rest, value, !flat, near);
  }

  #addTo(branch: BranchNode, rest: string, value: string, nested: boolean, near: Leaf | null): Reason | null {
    const [first = rest] = nested && isSplittable(rest) ? rest.split(".") : [rest];
    const taken = this.#namesOf(branch).members.get(first);
    if (taken !== undefined && !this.#remove.has(taken)) return "conflict";
    const coming = this.#insert.get(branch);
    if (this.#namelessLists(branch) && rest !== String(branch.members.length + (coming?.size ?? 0))) {
      return "unsupported";
    }
    const pending = coming?.get(first);
    if (pending === undefined) {
      const members = new Map<string, NewNode>();
      putKey(members, rest, value, nested);
      const node = members.get(first);
      if (node !== undefined) this.#insertion(branch, first, node, near?.member ?? null);
      return null;
    }
    if (pending.node.kind !== "branch") return "conflict";
    const below = rest.slice(first.length + 1);
    return putKey(pending.node.members, below, value, true) ? null : "conflict";
  }

  #insertion(branch: BranchNode, name: string, node: NewNode, near: Member | null): void {
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

  /** An item without a name must not go while later ones stay: their indexes are their keys. */
  #keepLists(): void {
    for (const [member, leaf] of this.#remove) {
      if (member.named) continue;
      const { members } = leaf.parent;
      const later = members.slice(members.indexOf(member) + 1);
      if (later.every((other) => other.named || this.#remove.has(other))) continue;
      this.#remove.delete(member);
      this.#refused.push({ key: leaf.key, context: null, reason: "unsupported" });
    }
  }

  /** A branch that loses its last member goes too, and so on upwards. */
  #empty(branch: BranchNode, remove: Set<Member>, emptied: Set<BranchNode>): void {
    this.#parents ??= parentsOf(this.#root);
    const place = this.#parents.get(branch);
    if (place === undefined || emptied.has(branch) || this.#insert.has(branch)) return;
    if (!branch.members.every((member) => remove.has(member))) return;
    if (!place.member.named && place.parent.members.at(-1) !== place.member) return;
    emptied.add(branch);
    remove.add(place.member);
    this.#empty(place.parent, remove, emptied);
  }
}

/** Why a value must not be written over. */
function obstacle(node: TreeNode): Reason | null {
  if (node.kind === "text") return node.readOnly;
  if (node.kind === "branch") return "conflict";
  if (node.reason === "empty") return null;
  return node.reason === "type" ? "unsupported" : node.reason;
}

function hasOnlyCategories(forms: Forms): boolean {
  const names: readonly string[] = CATEGORIES;
  return Object.keys(forms).length > 0 && Object.keys(forms).every((name) => names.includes(name));
}

function suffixStem(name: string): string {
  return name.slice(0, name.lastIndexOf("_"));
}

/** What is asked of a branch's members again and again. */
interface Names {
  readonly members: ReadonlyMap<string, Member>;
  /** First segments of the names that have a dot in them. */
  readonly dottedHeads: ReadonlySet<string>;
  /** Whether any member is a branch. */
  readonly nested: boolean;
}

function namesIn(branch: BranchNode): Names {
  const known = branch.members.filter((member) => member.unknown !== true);
  const dotted = known.filter((member) => member.name.includes("."));
  return {
    members: new Map(known.map((member) => [member.name, member])),
    dottedHeads: new Set(dotted.map((member) => member.name.slice(0, member.name.indexOf(".")))),
    nested: branch.members.some((member) => member.node.kind === "branch"),
  };
}

/** Branches by their dotted path; the later of two counts. */
function branchesOf(root: BranchNode): ReadonlyMap<string, BranchNode> {
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

function parentsOf(
  root: BranchNode,
): ReadonlyMap<BranchNode, { readonly member: Member; readonly parent: BranchNode }> {
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
