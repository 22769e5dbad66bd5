/**
 * From changes of keys to changes of a tree's members: which literals are replaced, which members go and which
 * come, and into which branch. How the bytes change is tree-render.ts's.
 */
import { fillCategories } from "../plurals.ts";
import { CATEGORIES, isForms, sameText, type Forms, type Text } from "../text.ts";
import type { Change, ReadOptions, Refusal } from "./format.ts";
import { type FileWay, fileWayOf } from "./tree-file-way.ts";
import { type Group, type Holdings, holdingsOf } from "./tree-holdings.ts";
import { branchesOf, type Names, namesIn, parentsOf, type Parents } from "./tree-names.ts";
import { isSplittable, type NewNode, newText, type NewText, putKey } from "./tree-print.ts";
import { suffixesOf } from "./tree-suffixes.ts";
import type { BranchNode, Leaf, Member, TreeNode, TreeRules } from "./tree.ts";
import {
  hasOnlyCategories,
  readValue,
  type ValueWay,
  wayOfValue,
  writeForms,
  writesAlone,
} from "./tree-values.ts";

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

type Reason = Refusal["reason"];

/** Plans the changes; of several for one key the last holds. `text` is needed only where the rules have suffixes. */
export function planTree(
  root: BranchNode,
  changes: readonly Change[],
  rules: TreeRules,
  options: ReadOptions,
  namelessLists: (branch: BranchNode) => boolean,
  text = "",
): TreePlan {
  const byKey = new Map(changes.map((change) => [JSON.stringify([change.key, change.context]), change]));
  const refused: Refusal[] = [];
  for (;;) {
    const planner = new Planner(text, root, rules, options, namelessLists);
    const halfDone = [...byKey].filter(([, change]) => planner.change(change) === "half-done");
    const plan = planner.plan();
    if (halfDone.length === 0) return { ...plan, refused: [...refused, ...plan.refused] };
    // Some forms of a key found no place after others had: none of the key may come. Each turn leaves some out.
    for (const [id, { key, context }] of halfDone) {
      byKey.delete(id);
      refused.push(...plan.refused.filter((refusal) => refusal.key === key && refusal.context === context));
    }
  }
}

type Outcome = "done" | "refused" | "half-done";

class Planner {
  readonly #text: string;
  readonly #root: BranchNode;
  readonly #rules: TreeRules;
  readonly #options: ReadOptions;
  readonly #namelessLists: (branch: BranchNode) => boolean;
  readonly #holdings: Holdings;
  readonly #replace = new Map<TreeNode, string>();
  readonly #rename = new Map<Member, Rename>();
  readonly #remove = new Map<Member, Leaf>();
  readonly #insert = new Map<BranchNode, Map<string, Insertion>>();
  readonly #names = new Map<BranchNode, Names>();
  /** Names that members of a branch get by a new end. */
  readonly #newNames = new Map<BranchNode, Set<string>>();
  readonly #refused: Refusal[] = [];
  #fileWay: FileWay | null = null;
  #branches: ReadonlyMap<string, BranchNode> | null = null;
  #parents: Parents | null = null;
  #duplicates: ReadonlyMap<string, readonly Leaf[]> | null = null;
  #steps = 0;

  constructor(
    text: string,
    root: BranchNode,
    rules: TreeRules,
    options: ReadOptions,
    namelessLists: (branch: BranchNode) => boolean,
  ) {
    this.#text = text;
    this.#root = root;
    this.#rules = rules;
    this.#options = options;
    this.#namelessLists = namelessLists;
    this.#holdings = holdingsOf(root, rules, options);
  }

  change(change: Change): Outcome {
    const before = this.#steps;
    const reason = change.context === null || change.context === "" ? this.#apply(change) : "unsupported";
    if (reason === null) return "done";
    this.#refused.push({ key: change.key, context: change.context, reason });
    return this.#steps === before ? "refused" : "half-done";
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
    const [replace, rename] = [this.#replace, this.#rename];
    return { replace, rename, remove, insert, emptied, refused: this.#refused };
  }

  #apply({ key, text, description }: Change): Reason | null {
    const group = this.#holdings.groups.get(key);
    const single = group === undefined ? this.#holdings.singles.get(key) : undefined;
    if (text === null) return this.#removeKey(single, group);
    if (single !== undefined) return this.#changeSingle(single, text);
    if (group !== undefined) return this.#changeGroup(group, text);
    if (!isForms(text)) return this.#add(key, newText(text.value, description), null);
    return this.#addForms(key, text.forms, description);
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
    this.#steps++;
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
    const now = readValue(leaf.key, old, this.#rules, { ...this.#options, isPlural: () => true });
    if (now.readOnly !== null) return now.readOnly;
    if (node.kind === "text" && sameText(now.text, text)) return null;
    const { forms } = text;
    const ownWay = this.#rules.pipes ? "pipes" : wayOfValue(old, this.#rules);
    if (ownWay !== null) return this.#writeInto(node, ownWay, old, forms);
    const { other } = forms;
    if (other !== undefined && Object.keys(forms).length === 1) {
      if (writesAlone(other, this.#rules, this.#options.locale)) return this.#replaceNode(node, other);
    }
    const { way } = this.#wayOfFile();
    if (way === "pipes" || way === "icu") return this.#writeInto(node, way, "", forms);
    const suffixed = this.#suffixed(way, forms);
    return typeof suffixed === "string" ? suffixed : this.#spread(leaf, suffixed);
  }

  #writeInto(node: TreeNode, way: ValueWay, old: string, forms: Forms): Reason | null {
    const { argument } = this.#wayOfFile();
    const written = writeForms(forms, way, { old, argument }, this.#rules, this.#options);
    return "reason" in written ? written.reason : this.#replaceNode(node, written.value);
  }

  /** A single member becomes the first form, where it stands and with its comments; the others come behind it. */
  #spread(leaf: Leaf, suffixed: ReadonlyMap<string, string>): Reason | null {
    const [[suffix, form] = ["", ""], ...others] = suffixed;
    const reason = this.#renameLeaf(leaf, 0, suffix);
    if (reason !== null) return reason;
    this.#replaceNode(leaf.member.node, form);
    for (const [end, value] of others) {
      const failed = this.#add(leaf.key + end, newText(value, null), leaf);
      if (failed !== null) return failed;
    }
    return null;
  }

  #changeGroup(group: Group, text: Text): Reason | null {
    for (const { member } of group.leaves.values()) {
      const reason = obstacle(member.node);
      if (reason !== null) return reason;
    }
    if (!isForms(text)) return this.#gather(group, text.value);
    const suffixed = this.#suffixed(group.way, text.forms);
    if (typeof suffixed === "string") return suffixed;
    let near = group.leaves.values().next().value ?? null;
    for (const [category, suffix] of suffixesOf(group.way, this.#options.locale)) {
      const leaf = group.leaves.get(category);
      const form = suffixed.get(suffix);
      if (leaf !== undefined && form !== undefined) this.#replaceNode(leaf.member.node, form);
      else if (leaf !== undefined) this.#removeLeaf(leaf);
      else if (form !== undefined) {
        const reason = this.#add(group.key + suffix, newText(form, null), near);
        if (reason !== null) return reason;
      }
      near = leaf ?? near;
    }
    return null;
  }

  /** A group becomes one member: its first one, where it stands and with its comments. */
  #gather(group: Group, value: string): Reason | null {
    const suffixes = suffixesOf(group.way, this.#options.locale);
    const [[category, first] = ["", null], ...others] = group.leaves;
    if (first === null) return "not_found";
    const reason = this.#renameLeaf(first, suffixes.get(category)?.length ?? 0, "");
    if (reason !== null) return reason;
    this.#replaceNode(first.member.node, value);
    for (const [, leaf] of others) this.#removeLeaf(leaf);
    return null;
  }

  /** Forms by their suffixes, in the order in which they are written. */
  #suffixed(way: "v3" | "v4", forms: Forms): ReadonlyMap<string, string> | "forms" {
    if (!hasOnlyCategories(forms)) return "forms";
    const suffixes = suffixesOf(way, this.#options.locale);
    if (way === "v3") {
      const categories = [...suffixes.keys()];
      const texts = fillCategories(categories, forms);
      if (texts === null) return "forms";
      return new Map(categories.map((category, index) => [suffixes.get(category) ?? "", texts[index] ?? ""]));
    }
    const there = CATEGORIES.filter((category) => Object.hasOwn(forms, category));
    return new Map(there.map((category) => [suffixes.get(category) ?? "", forms[category] ?? ""]));
  }

  /** Changes the end of a member's name, where its name is written plainly enough for that. */
  #renameLeaf({ member, parent }: Leaf, cut: number, add: string): Reason | null {
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

  #addForms(key: string, forms: Forms, description: string | null | undefined): Reason | null {
    const { way, argument } = this.#wayOfFile();
    if (way === "pipes" || way === "icu") {
      const written = writeForms(forms, way, { old: "", argument }, this.#rules, this.#options);
      return "reason" in written ? written.reason : this.#add(key, newText(written.value, description), null);
    }
    const suffixed = this.#suffixed(way, forms);
    if (typeof suffixed === "string") return suffixed;
    let said = description;
    for (const [suffix, form] of suffixed) {
      const reason = this.#add(key + suffix, newText(form, said), null);
      if (reason !== null) return reason;
      said = null;
    }
    return null;
  }

  #wayOfFile(): FileWay {
    this.#fileWay ??= fileWayOf(this.#holdings, this.#rules, this.#options);
    return this.#fileWay;
  }

  #replaceNode(node: TreeNode, value: string): null {
    if (node.kind === "text" && node.value === value) return null;
    this.#steps++;
    this.#replace.set(node, value);
    return null;
  }

  /** A new member for the key, in the deepest branch there is for it; beside `near` if that is given. */
  #add(key: string, text: NewText, near: Leaf | null): Reason | null {
    if (!this.#rules.nested) return this.#addTo(this.#root, key, text, false, near);
    this.#branches ??= branchesOf(this.#root);
    if (near !== null) {
      const container = near.path
        .slice(0, -1)
        .map((member) => `${member.name}.`)
        .join("");
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
