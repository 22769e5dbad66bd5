/**
 * Converts changes of keys to changes of a tree's members: which literals are replaced, and which members are
 * removed, added or renamed in which branch. byte-minimal-edit.ts converts them to splices.
 */
import { getOrCreate } from "../../model/maps.ts";
import type { Change, ReadOptions, Refusal } from "../format.ts";
import { hasIcuPlural, splitIcu } from "../icu-plural.ts";
import { type Group, type TreeKeys, treeKeys } from "./nested-entries.ts";
import { type TreeExample, writesFlat } from "./style-examples.ts";
import {
  readValue,
  suffixedForms,
  suffixesOf,
  type SuffixScheme,
  type ValueSyntax,
  syntaxOfValue,
  writeForms,
  isPlainOtherForm,
} from "./nested-plurals.ts";
import { isSplittable, type NewNode, type NewText, newText, putKey } from "./nested-serializer.ts";
import {
  branchesOf,
  type BranchNode,
  type Leaf,
  type Member,
  type Names,
  namesIn,
  type Parents,
  parentsOf,
  type TreeNode,
  type TreeRules,
} from "./value-tree.ts";
import { type Forms, isForms, areTextsEqual, type Text } from "../../model/text.ts";

interface PluralKeyStyle {
  readonly syntax: SuffixScheme | ValueSyntax;
  /** Name of the number in a new ICU message. */
  readonly argument: string;
}

/**
 * Returns the plural notation of most plural keys in the file; if it has none, that of the first example with any, or
 * else i18next's newest one.
 */
export function pluralKeyStyle(
  holdings: TreeKeys | null,
  rules: TreeRules,
  options: ReadOptions,
  examples: () => readonly TreeExample[],
): PluralKeyStyle {
  if (!rules.suffixes) return { syntax: "pipes", argument: "count" };
  const own = holdings === null ? null : observedPluralStyle(holdings, options);
  if (own !== null) return own;
  for (const { root, locale } of examples()) {
    const like = { ...options, locale };
    const shown = observedPluralStyle(treeKeys(root, rules, like), like);
    if (shown !== null) return shown;
  }
  return { syntax: "v4", argument: "count" };
}

/**
 * Returns the notation of most plural keys; `null` if there are none. ICU plurals always count, but pipes only if the
 * key is known to be plural, since `|` also occurs in titles.
 */
function observedPluralStyle({ groups, singles }: TreeKeys, options: ReadOptions): PluralKeyStyle | null {
  let argument: string | undefined;
  const counts = { v4: 0, v3: 0, icu: 0, pipes: 0 };
  for (const { scheme: syntax } of groups.values()) counts[syntax]++;
  for (const [key, { member }] of singles) {
    if (member.node.kind !== "text") continue;
    const { value } = member.node;
    if (hasIcuPlural(value)) {
      const icu = splitIcu(value);
      if (icu === null) continue;
      counts.icu++;
      argument ??= icu.argument;
    } else if (value.includes("|") && options.isPlural?.(key, null) === true) {
      counts.pipes++;
    }
  }
  const syntaxes = ["v4", "v3", "icu", "pipes"] as const;
  const syntax = syntaxes.toSorted((a, b) => counts[b] - counts[a])[0] ?? "v4";
  return counts[syntax] === 0 ? null : { syntax, argument: argument ?? "count" };
}

/**
 * Returns the texts for the forms of a new key by the suffix of their names, the description with the first one; or
 * why the style cannot express the forms.
 */
export function newForms(
  forms: Forms,
  { syntax, argument }: PluralKeyStyle,
  description: string | null | undefined,
  rules: TreeRules,
  options: ReadOptions,
): ReadonlyMap<string, NewText> | Reason {
  if (syntax === "pipes" || syntax === "icu") {
    const written = writeForms(forms, syntax, { old: "", argument }, rules, options);
    return "reason" in written ? written.reason : new Map([["", newText(written.value, description)]]);
  }
  const suffixed = suffixedForms(syntax, forms, options.locale);
  if (suffixed === null) return "forms";
  return new Map(
    [...suffixed].map(([suffix, form], index) => [suffix, newText(form, index === 0 ? description : null)]),
  );
}

/** A member to be added, after `near` if that is known. */
export interface Insertion {
  readonly name: string;
  readonly node: NewNode;
  readonly near: Member | null;
}

/** Replaces the end of a name: removes `cut` characters and appends `add`. */
interface Rename {
  readonly cut: number;
  readonly add: string;
}

/** Changes to a tree's members. */
export interface TreePlan {
  readonly replace: ReadonlyMap<TreeNode, string>;
  readonly rename?: ReadonlyMap<Member, Rename>;
  readonly remove: ReadonlySet<Member>;
  readonly insert: ReadonlyMap<BranchNode, readonly Insertion[]>;
  /** Branches that lose their last member and are removed as a whole. */
  readonly emptied: ReadonlySet<BranchNode>;
  readonly refused: readonly Refusal[];
}

/** Why a step is not possible; `null` if it was done. */
type Reason = Refusal["reason"];

/** The tree to be changed. */
export interface EditedTree {
  readonly root: BranchNode;
  readonly rules: TreeRules;
  /** The text of the file; only needed for renaming members, if the rules have suffixes. */
  readonly text: string;
  /** Whether all items of the branch must be written without names. */
  readonly namelessLists: (branch: BranchNode) => boolean;
  /**
   * Whether the branch has content other than its members (unrelated comments), so that it is kept when they are
   * removed.
   */
  readonly holdsMore: (branch: BranchNode) => boolean;
  /** Files that determine what the tree leaves open. */
  readonly examples: () => readonly TreeExample[];
}

class TreeDraft {
  /** Number of steps so far. */
  steps = 0;
  readonly #tree: EditedTree;
  /** Members overridden by others with the same key, by key. */
  readonly #shadowed: ReadonlyMap<string, readonly Leaf[]>;
  readonly #replace = new Map<TreeNode, string>();
  readonly #rename = new Map<Member, Rename>();
  readonly #remove = new Map<Member, Leaf>();
  readonly #insert = new Map<BranchNode, Map<string, Insertion>>();
  readonly #names = new Map<BranchNode, Names>();
  /** New names of renamed members, by branch. */
  readonly #newNames = new Map<BranchNode, Set<string>>();
  /** Members by name, for branches with duplicate names. */
  readonly #twins = new Map<BranchNode, ReadonlyMap<string, readonly Member[]>>();
  #branches: ReadonlyMap<string, BranchNode> | null = null;
  #parents: Parents | null = null;

  constructor(tree: EditedTree, shadowed: readonly Leaf[]) {
    this.#tree = tree;
    this.#shadowed = Map.groupBy(shadowed, (leaf) => leaf.key);
  }

  /**
   * Returns the plan for all steps. List items that cannot be removed alone are kept, and their removal is refused.
   */
  plan(): TreePlan {
    const refused = [...this.#keepLists(), ...this.#keepCovers()];
    const emptied = new Set<BranchNode>();
    const remove = new Set(this.#remove.keys());
    const parents = new Set([...this.#remove.values()].map((leaf) => leaf.parent));
    // In the file's order: only the last of several members with one name overrides the others.
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
    this.steps++;
    this.#replace.set(node, value);
    return null;
  }

  /** Removes a leaf and the duplicates that it overrides, which would otherwise come into effect. */
  removeLeaf(leaf: Leaf): void {
    this.steps++;
    this.#remove.set(leaf.member, leaf);
    for (const shadowed of this.#shadowed.get(leaf.key) ?? []) this.#remove.set(shadowed.member, shadowed);
  }

  /** Replaces the end of a member's name; refused if the name is not written plainly enough. */
  renameLeaf({ member, parent }: Leaf, cut: number, add: string): Reason | null {
    if (cut === 0 && add === "") return null;
    const { name, nameSpan } = member;
    const written = this.#tree.text.slice(nameSpan.start, nameSpan.end);
    const isQuoted = /["'`]/.test(this.#tree.text[nameSpan.start - 1] ?? "");
    const end = name.slice(name.length - cut);
    if (!member.named || !written.endsWith(end) || !(isQuoted || /^[A-Za-z_$][\w$]*$/.test(written))) {
      return "unsupported";
    }
    const renamed = name.slice(0, name.length - cut) + add;
    if (this.#isTaken(parent, renamed) || this.#insert.get(parent)?.has(renamed) === true) return "conflict";
    this.steps++;
    this.#rename.set(member, { cut, add });
    getOrCreate(this.#newNames, parent, () => new Set()).add(renamed);
    return null;
  }

  /** Whether an existing member keeps or gets that name. */
  #isTaken(branch: BranchNode, name: string): boolean {
    const member = this.#namesOf(branch).members.get(name);
    const isKept = member !== undefined && !this.#remove.has(member) && !this.#rename.has(member);
    return isKept || this.#newNames.get(branch)?.has(name) === true;
  }

  /** Adds a member for the key to the deepest existing branch, next to `near` if given. */
  add(key: string, text: NewText, near: Leaf | null): Reason | null {
    if (!this.#tree.rules.nested) return this.#addTo(this.#tree.root, key, text, false, near);
    this.#branches ??= branchesOf(this.#tree.root);
    if (near !== null && key.startsWith(near.container)) {
      return this.#addTo(near.parent, key.slice(near.container.length), text, false, near);
    }
    let branch = this.#tree.root;
    let rest = key;
    for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
      const found = this.#branches.get(key.slice(0, dot));
      if (found === undefined) continue;
      branch = found;
      rest = key.slice(dot + 1);
      break;
    }
    const flat = this.#writesFlat(branch, rest, key);
    // A name that cannot be split is written at the top level (Laravel), unless this branch has such names.
    if (rest.includes(".") && !isSplittable(rest) && this.#namesOf(branch).dottedHeads.size === 0) {
      return this.#addTo(this.#tree.root, key, text, false, near);
    }
    return this.#addTo(branch, rest, text, !flat, near);
  }

  #addTo(branch: BranchNode, rest: string, text: NewText, nested: boolean, near: Leaf | null): Reason | null {
    const [first = rest] = nested && isSplittable(rest) ? rest.split(".") : [rest];
    if (this.#isTaken(branch, first)) return "conflict";
    const coming = this.#insert.get(branch);
    if (this.#tree.namelessLists(branch) && rest !== String(branch.members.length + (coming?.size ?? 0))) {
      return "unsupported";
    }
    const pending = coming?.get(first);
    if (pending === undefined) {
      const members = new Map<string, NewNode>();
      putKey(members, rest, text, nested);
      const node = members.get(first);
      if (node === undefined) return null;
      this.steps++;
      const insertion = { name: first, node, near: near?.member ?? null };
      getOrCreate(this.#insert, branch, () => new Map()).set(first, insertion);
      return null;
    }
    if (pending.node.kind !== "branch") return "conflict";
    const below = rest.slice(first.length + 1);
    if (!putKey(pending.node.members, below, text, true)) return "conflict";
    this.steps++;
    return null;
  }

  /**
   * Whether to write the key as a flat name: if similar names are dotted (`auth.failed` for `auth.throttle`), or if
   * there are no branches at all. If the tree shows neither, the examples decide.
   */
  #writesFlat(branch: BranchNode, rest: string, key: string): boolean {
    if (this.#namesOf(branch).dottedHeads.has(rest.split(".", 1)[0] ?? rest)) return true;
    const { nested, dottedHeads } = this.#namesOf(this.#tree.root);
    if (nested || dottedHeads.size > 0) return !nested;
    const roots = rest.includes(".") ? this.#tree.examples().map((example) => example.root) : [];
    return writesFlat(roots, key) ?? false;
  }

  #namesOf(branch: BranchNode): Names {
    return getOrCreate(this.#names, branch, () => namesIn(branch));
  }

  /** Refuses to remove an item with an index while later ones without a name remain: their keys would change. */
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

  /** Refuses to remove a member that overrides one with keys of its own, which would come into effect. */
  #keepCovers(): readonly Refusal[] {
    const refused: Refusal[] = [];
    for (const [member, leaf] of this.#remove) {
      if (!this.#covers(member, leaf.parent, this.#remove)) continue;
      this.#remove.delete(member);
      refused.push({ key: leaf.key, context: null, reason: "conflict" });
    }
    return refused;
  }

  /** Whether the member is the last with its name and another one remains. */
  #covers(member: Member, parent: BranchNode, remove: { has(member: Member): boolean }): boolean {
    const names = this.#namesOf(parent);
    if (names.members.size === parent.members.length || names.members.get(member.name) !== member)
      return false;
    const twins = getOrCreate(this.#twins, parent, () => {
      const known = parent.members.filter((other) => other.unknown !== true);
      return Map.groupBy(known, (other) => other.name);
    });
    return twins.get(member.name)?.some((other) => other !== member && !remove.has(other)) === true;
  }

  /** Removes a branch without remaining members, and its parents likewise. */
  #empty(branch: BranchNode, remove: Set<Member>, emptied: Set<BranchNode>): void {
    this.#parents ??= parentsOf(this.#tree.root);
    const place = this.#parents.get(branch);
    if (place === undefined || emptied.has(branch) || this.#insert.has(branch)) return;
    if (!branch.members.every((member) => remove.has(member)) || this.#tree.holdsMore(branch)) return;
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

/** Whether following items without names are numbered from this one (PHP's `7 => 'x', 'y'`). */
function counts(member: Member): boolean {
  return !member.named || /^-?\d+$/.test(member.name);
}

/** Plans the changes; the last of several changes to a key wins. */
export function planTree(tree: EditedTree, changes: readonly Change[], options: ReadOptions): TreePlan {
  const byKey = new Map(changes.map((change) => [JSON.stringify([change.key, change.context]), change]));
  const refused: Refusal[] = [];
  for (;;) {
    const planner = new Planner(tree, options);
    const halfDone = [...byKey].filter(([, change]) => planner.change(change) === "half-done");
    const plan = planner.plan();
    if (halfDone.length === 0) return { ...plan, refused: [...refused, ...plan.refused] };
    // Only some forms of these keys could be written: repeat without the keys.
    for (const [id, { key, context }] of halfDone) {
      byKey.delete(id);
      refused.push(...plan.refused.filter((refusal) => refusal.key === key && refusal.context === context));
    }
  }
}

type Outcome = "done" | "refused" | "half-done";

class Planner {
  readonly #tree: EditedTree;
  readonly #options: ReadOptions;
  readonly #holdings: TreeKeys;
  readonly #draft: TreeDraft;
  readonly #refused: Refusal[] = [];
  #fileWay: PluralKeyStyle | null = null;

  constructor(tree: EditedTree, options: ReadOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#holdings = treeKeys(tree.root, tree.rules, options);
    this.#draft = new TreeDraft(tree, this.#holdings.shadowed);
  }

  change(change: Change): Outcome {
    const before = this.#draft.steps;
    const reason = change.context === null || change.context === "" ? this.#apply(change) : "unsupported";
    if (reason === null) return "done";
    this.#refused.push({ key: change.key, context: change.context, reason });
    return this.#draft.steps === before ? "refused" : "half-done";
  }

  plan(): TreePlan {
    const plan = this.#draft.plan();
    return { ...plan, refused: [...this.#refused, ...plan.refused] };
  }

  #apply({ key, text, description }: Change): Reason | null {
    const group = this.#holdings.groups.get(key);
    const single = group === undefined ? this.#holdings.singles.get(key) : undefined;
    if (text === null) return this.#removeKey(single, group);
    if (single !== undefined) return this.#changeSingle(single, text);
    if (group !== undefined) return this.#changeGroup(group, text);
    if (!isForms(text)) return this.#draft.add(key, newText(text.value, description), null);
    return this.#addForms(key, text.forms, description);
  }

  #removeKey(single: Leaf | undefined, group: Group | undefined): Reason | null {
    const leaves = single === undefined ? [...(group?.leaves.values() ?? [])] : [single];
    if (leaves.length === 0) return "not_found";
    for (const { member } of leaves) {
      const reason = obstacle(member.node);
      if (reason !== null) return reason;
    }
    for (const leaf of leaves) this.#draft.removeLeaf(leaf);
    return null;
  }

  #changeSingle(leaf: Leaf, text: Text): Reason | null {
    const { node } = leaf.member;
    const reason = obstacle(node);
    if (reason !== null) return reason;
    const old = node.kind === "text" ? node.value : "";
    if (!isForms(text)) return this.#draft.replaceNode(node, text.value);
    const now = readValue(leaf.key, old, this.#tree.rules, { ...this.#options, isPlural: () => true });
    if (now.readOnly !== null) return now.readOnly;
    if (node.kind === "text" && areTextsEqual(now.text, text)) return null;
    const { forms } = text;
    const ownWay = this.#tree.rules.pipes ? "pipes" : syntaxOfValue(old, this.#tree.rules);
    if (ownWay !== null) return this.#writeInto(node, ownWay, old, forms);
    const { other, ...others } = forms;
    const isOnlyOther = other !== undefined && Object.keys(others).length === 0;
    if (isOnlyOther && isPlainOtherForm(other, this.#tree.rules, this.#options.locale)) {
      return this.#draft.replaceNode(node, other);
    }
    const { syntax } = this.#pluralStyle();
    if (syntax === "pipes" || syntax === "icu") return this.#writeInto(node, syntax, "", forms);
    const suffixed = suffixedForms(syntax, forms, this.#options.locale);
    return suffixed === null ? "forms" : this.#spread(leaf, suffixed);
  }

  #writeInto(node: TreeNode, syntax: ValueSyntax, old: string, forms: Forms): Reason | null {
    const { argument } = this.#pluralStyle();
    const written = writeForms(forms, syntax, { old, argument }, this.#tree.rules, this.#options);
    return "reason" in written ? written.reason : this.#draft.replaceNode(node, written.value);
  }

  /**
   * Replaces a single member by separate forms: the first one in its place, with its comments, followed by the
   * others.
   */
  #spread(leaf: Leaf, suffixed: ReadonlyMap<string, string>): Reason | null {
    const [[suffix, form] = ["", ""], ...others] = suffixed;
    const reason = this.#draft.renameLeaf(leaf, 0, suffix);
    if (reason !== null) return reason;
    this.#draft.replaceNode(leaf.member.node, form);
    for (const [end, value] of others) {
      const failed = this.#draft.add(leaf.key + end, newText(value, null), leaf);
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
    const suffixed = suffixedForms(group.scheme, text.forms, this.#options.locale);
    if (suffixed === null) return "forms";
    let near = group.leaves.values().next().value ?? null;
    for (const [category, suffix] of suffixesOf(group.scheme, this.#options.locale)) {
      const leaf = group.leaves.get(category);
      const form = suffixed.get(suffix);
      if (leaf !== undefined && form !== undefined) this.#draft.replaceNode(leaf.member.node, form);
      else if (leaf !== undefined) this.#draft.removeLeaf(leaf);
      else if (form !== undefined) {
        const reason = this.#draft.add(group.key + suffix, newText(form, null), near);
        if (reason !== null) return reason;
      }
      near = leaf ?? near;
    }
    return null;
  }

  /** Replaces a group by one member, in the place of its first one and with its comments. */
  #gather(group: Group, value: string): Reason | null {
    const suffixes = suffixesOf(group.scheme, this.#options.locale);
    const [[category, first] = ["", null], ...others] = group.leaves;
    if (first === null) return "not_found";
    const reason = this.#draft.renameLeaf(first, suffixes.get(category)?.length ?? 0, "");
    if (reason !== null) return reason;
    this.#draft.replaceNode(first.member.node, value);
    for (const [, leaf] of others) this.#draft.removeLeaf(leaf);
    return null;
  }

  #addForms(key: string, forms: Forms, description: string | null | undefined): Reason | null {
    const members = newForms(forms, this.#pluralStyle(), description, this.#tree.rules, this.#options);
    if (typeof members === "string") return members;
    for (const [suffix, text] of members) {
      const reason = this.#draft.add(key + suffix, text, null);
      if (reason !== null) return reason;
    }
    return null;
  }

  #pluralStyle(): PluralKeyStyle {
    this.#fileWay ??= pluralKeyStyle(this.#holdings, this.#tree.rules, this.#options, this.#tree.examples);
    return this.#fileWay;
  }
}

/** Returns why a value must not be overwritten. */
function obstacle(node: TreeNode): Reason | null {
  if (node.kind === "text") return node.readOnly;
  if (node.kind === "branch") return "conflict";
  if (node.reason === "empty") return null;
  return node.reason === "type" ? "unsupported" : node.reason;
}
