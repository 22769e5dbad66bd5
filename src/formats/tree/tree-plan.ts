/**
 * From changes of keys to changes of a tree's members: which literals are replaced, which members are removed, added or
 * renamed, and in which branch. How the bytes change is decided in tree-render.ts.
 */
import type { Change, ReadOptions, Refusal } from "../format.ts";
import { hasIcuPlural, splitIcu } from "../icu-plural.ts";
import { type Group, type TreeKeys, treeKeys } from "./tree-entries.ts";
import { type TreeExample, writesFlat } from "./tree-layout.ts";
import {
  readValue,
  suffixedForms,
  suffixesOf,
  type SuffixScheme,
  type ValueSyntax,
  syntaxOfValue,
  writeForms,
  isPlainOtherForm,
} from "./tree-plurals.ts";
import { isSplittable, type NewNode, type NewText, newText, putKey } from "./tree-print.ts";
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
} from "./tree.ts";
import { type Forms, isForms, sameText, type Text } from "../../model/text.ts";

interface PluralKeyStyle {
  readonly way: SuffixScheme | ValueSyntax;
  /** What a new ICU message calls its number. */
  readonly argument: string;
}

/**
 * The way of most plural keys that the file has; where it has none, that of the first example with some, else
 * i18next's newest.
 */
export function pluralKeyStyle(
  holdings: TreeKeys | null,
  rules: TreeRules,
  options: ReadOptions,
  examples: () => readonly TreeExample[],
): PluralKeyStyle {
  if (!rules.suffixes) return { way: "pipes", argument: "count" };
  const own = holdings === null ? null : shownWay(holdings, options);
  if (own !== null) return own;
  for (const { root, locale } of examples()) {
    const like = { ...options, locale };
    const shown = shownWay(treeKeys(root, rules, like), like);
    if (shown !== null) return shown;
  }
  return { way: "v4", argument: "count" };
}

/**
 * The way of most plural keys; `null` where there are none. An ICU plural is one whether or not its key is known as
 * plural; a pipe counts only where it is, since `|` stands in titles too.
 */
function shownWay({ groups, singles }: TreeKeys, options: ReadOptions): PluralKeyStyle | null {
  let argument: string | undefined;
  const counts = { v4: 0, v3: 0, icu: 0, pipes: 0 };
  for (const { way } of groups.values()) counts[way]++;
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
  const ways = ["v4", "v3", "icu", "pipes"] as const;
  const way = ways.toSorted((a, b) => counts[b] - counts[a])[0] ?? "v4";
  return counts[way] === 0 ? null : { way, argument: argument ?? "count" };
}

/** A member to come; `near` says after which one, where that is known. */
export interface Insertion {
  readonly name: string;
  readonly node: NewNode;
  readonly near: Member | null;
}

/** A name that gets another end: so many characters go, and these come. */
interface Rename {
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
type Reason = Refusal["reason"];

/** The tree that is changed. */
interface DraftTree {
  readonly root: BranchNode;
  /** The whole file; needed only where names get other ends. */
  readonly text: string;
  /** Nested values make dotted keys. */
  readonly nested: boolean;
  /** Whether every item of the branch must go without a name. */
  readonly namelessLists: (branch: BranchNode) => boolean;
  /** Whether the branch holds more than its members (comments of nobody), so that it stays when they go. */
  readonly holdsMore: (branch: BranchNode) => boolean;
  /** Files that decide what the tree does not show. */
  readonly examples: () => readonly TreeExample[];
}

class TreeDraft {
  readonly #root: BranchNode;
  readonly #text: string;
  readonly #nested: boolean;
  readonly #namelessLists: (branch: BranchNode) => boolean;
  readonly #holdsMore: (branch: BranchNode) => boolean;
  readonly #examples: () => readonly TreeExample[];
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

  constructor(
    { root, text, nested, namelessLists, holdsMore, examples }: DraftTree,
    shadowed: readonly Leaf[],
  ) {
    this.#root = root;
    this.#text = text;
    this.#nested = nested;
    this.#namelessLists = namelessLists;
    this.#holdsMore = holdsMore;
    this.#examples = examples;
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
    const flat = this.#writesFlat(branch, rest, key);
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

  /**
   * Flat where names with dots stand beside (`auth.failed` for `auth.throttle`), or where no branch is at all; in a tree
   * that shows neither, as the examples have it.
   */
  #writesFlat(branch: BranchNode, rest: string, key: string): boolean {
    if (this.#namesOf(branch).dottedHeads.has(rest.split(".", 1)[0] ?? rest)) return true;
    const { nested, dottedHeads } = this.#namesOf(this.#root);
    if (nested || dottedHeads.size > 0) return !nested;
    const roots = rest.includes(".") ? this.#examples().map((example) => example.root) : [];
    return writesFlat(roots, key) ?? false;
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

/**
 * Plans the changes; of several for one key the last holds. `text`, the file's, is needed only where the rules have
 * suffixes; `holdsMore` says which branches stay when their last member goes, since comments stand in them. `examples`
 * decide what the tree does not show.
 */
export function planTree(
  root: BranchNode,
  changes: readonly Change[],
  rules: TreeRules,
  options: ReadOptions,
  namelessLists: (branch: BranchNode) => boolean,
  text = "",
  holdsMore: (branch: BranchNode) => boolean = () => false,
  examples: () => readonly TreeExample[] = () => [],
): TreePlan {
  const byKey = new Map(changes.map((change) => [JSON.stringify([change.key, change.context]), change]));
  const tree = { root, text, nested: rules.nested, namelessLists, holdsMore, examples };
  const refused: Refusal[] = [];
  for (;;) {
    const planner = new Planner(tree, rules, options);
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
  readonly #rules: TreeRules;
  readonly #options: ReadOptions;
  readonly #holdings: TreeKeys;
  readonly #draft: TreeDraft;
  readonly #examples: () => readonly TreeExample[];
  readonly #refused: Refusal[] = [];
  #fileWay: PluralKeyStyle | null = null;

  constructor(tree: DraftTree, rules: TreeRules, options: ReadOptions) {
    this.#rules = rules;
    this.#options = options;
    this.#examples = tree.examples;
    this.#holdings = treeKeys(tree.root, rules, options);
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
    const now = readValue(leaf.key, old, this.#rules, { ...this.#options, isPlural: () => true });
    if (now.readOnly !== null) return now.readOnly;
    if (node.kind === "text" && sameText(now.text, text)) return null;
    const { forms } = text;
    const ownWay = this.#rules.pipes ? "pipes" : syntaxOfValue(old, this.#rules);
    if (ownWay !== null) return this.#writeInto(node, ownWay, old, forms);
    const { other } = forms;
    if (other !== undefined && Object.keys(forms).length === 1) {
      if (isPlainOtherForm(other, this.#rules, this.#options.locale))
        return this.#draft.replaceNode(node, other);
    }
    const { way } = this.#wayOfFile();
    if (way === "pipes" || way === "icu") return this.#writeInto(node, way, "", forms);
    const suffixed = suffixedForms(way, forms, this.#options.locale);
    return suffixed === null ? "forms" : this.#spread(leaf, suffixed);
  }

  #writeInto(node: TreeNode, way: ValueSyntax, old: string, forms: Forms): Reason | null {
    const { argument } = this.#wayOfFile();
    const written = writeForms(forms, way, { old, argument }, this.#rules, this.#options);
    return "reason" in written ? written.reason : this.#draft.replaceNode(node, written.value);
  }

  /** A single member becomes the first form, where it stands and with its comments; the others come behind it. */
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
    const suffixed = suffixedForms(group.way, text.forms, this.#options.locale);
    if (suffixed === null) return "forms";
    let near = group.leaves.values().next().value ?? null;
    for (const [category, suffix] of suffixesOf(group.way, this.#options.locale)) {
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

  /** A group becomes one member: its first one, where it stands and with its comments. */
  #gather(group: Group, value: string): Reason | null {
    const suffixes = suffixesOf(group.way, this.#options.locale);
    const [[category, first] = ["", null], ...others] = group.leaves;
    if (first === null) return "not_found";
    const reason = this.#draft.renameLeaf(first, suffixes.get(category)?.length ?? 0, "");
    if (reason !== null) return reason;
    this.#draft.replaceNode(first.member.node, value);
    for (const [, leaf] of others) this.#draft.removeLeaf(leaf);
    return null;
  }

  #addForms(key: string, forms: Forms, description: string | null | undefined): Reason | null {
    const { way, argument } = this.#wayOfFile();
    if (way === "pipes" || way === "icu") {
      const written = writeForms(forms, way, { old: "", argument }, this.#rules, this.#options);
      return "reason" in written
        ? written.reason
        : this.#draft.add(key, newText(written.value, description), null);
    }
    const suffixed = suffixedForms(way, forms, this.#options.locale);
    if (suffixed === null) return "forms";
    let firstDescription = description;
    for (const [suffix, form] of suffixed) {
      const reason = this.#draft.add(key + suffix, newText(form, firstDescription), null);
      if (reason !== null) return reason;
      firstDescription = null;
    }
    return null;
  }

  #wayOfFile(): PluralKeyStyle {
    this.#fileWay ??= pluralKeyStyle(this.#holdings, this.#rules, this.#options, this.#examples);
    return this.#fileWay;
  }
}

/** Why a value must not be written over. */
function obstacle(node: TreeNode): Reason | null {
  if (node.kind === "text") return node.readOnly;
  if (node.kind === "branch") return "conflict";
  if (node.reason === "empty") return null;
  return node.reason === "type" ? "unsupported" : node.reason;
}
