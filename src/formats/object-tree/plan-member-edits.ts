/**
 * Converts changes of keys to changes of a tree's members: which literals are replaced, and which members are
 * removed, added or renamed in which branch. render-member-edits.ts converts them to splices.
 */
import { getOrCreate } from "../../util/maps.ts";
import type { Change, ReadOptions, Refusal, RefusalReason, Splice } from "../format.ts";
import { hasIcuPlural, splitIcu } from "../icu-plural.ts";
import { type Group, type TreeKeys, treeKeys } from "./tree-entries.ts";
import { BranchLayout } from "./commas-and-comments.ts";
import { type TreeExample, writesFlat } from "./infer-file-style.ts";
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
import {
  isSplittable,
  type NewNode,
  type NewText,
  newText,
  putKey,
  type TreeSyntax,
} from "./tree-serializer.ts";
import {
  type BranchIndex,
  branchIndexOf,
  type BranchNode,
  type Leaf,
  type Member,
  type Names,
  namesIn,
  type TreeNode,
  type TreeRules,
} from "./value-tree.ts";
import { type Forms, isForms, areTextsEqual, type Text } from "../../model/translation-text.ts";

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
  keys: TreeKeys | null,
  rules: TreeRules,
  options: ReadOptions,
  examples: () => readonly TreeExample[],
): PluralKeyStyle {
  if (!rules.suffixes) return { syntax: "pipes", argument: "count" };
  const style = keys === null ? null : observedPluralStyle(keys, options);
  if (style !== null) return style;
  for (const { root, locale } of examples()) {
    const exampleOptions = { ...options, locale };
    const exampleStyle = observedPluralStyle(treeKeys(root, rules, exampleOptions), exampleOptions);
    if (exampleStyle !== null) return exampleStyle;
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
): ReadonlyMap<string, NewText> | RefusalReason {
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

/** A member to be added. */
export interface Insertion {
  readonly name: string;
  readonly node: NewNode;
  /** The member that it follows, if that matters. */
  readonly anchor?: Member | undefined;
}

/** Changes to a tree's members. */
export interface TreePlan {
  readonly replace: ReadonlyMap<TreeNode, string>;
  readonly rename: ReadonlyMap<Member, Splice>;
  readonly remove: ReadonlySet<Member>;
  readonly insert: ReadonlyMap<BranchNode, readonly Insertion[]>;
}

/** A plan, and the changes that it leaves out. */
type PlanWithRefusals = TreePlan & { readonly refused: readonly Refusal[] };

/** The tree to be changed. */
export interface EditedTree {
  readonly root: BranchNode;
  readonly rules: TreeRules;
  readonly text: string;
  readonly syntax: TreeSyntax;
  /** Files that determine what the tree leaves open. */
  readonly examples: () => readonly TreeExample[];
}

/** Plans the changes; the last of several changes to a key wins. */
export function planTree(
  tree: EditedTree,
  changes: readonly Change[],
  options: ReadOptions,
): PlanWithRefusals {
  const keys = treeKeys(tree.root, tree.rules, options);
  const byKey = new Map(changes.map((change) => [JSON.stringify([change.key, change.context]), change]));
  const refused: Refusal[] = [];
  for (;;) {
    const planner = new Planner(tree, keys, options);
    const before = refused.length;
    for (const [id, change] of byKey) {
      const reason = planner.change(change);
      if (reason === null) continue;
      byKey.delete(id);
      refused.push({ key: change.key, context: change.context, reason });
    }
    if (refused.length === before) return planner.plan(refused);
    // Of a refused key, some forms may have been planned: repeat without these keys.
  }
}

class Planner {
  readonly #tree: EditedTree;
  readonly #keys: TreeKeys;
  readonly #options: ReadOptions;
  /** Members overridden by others with the same key, by key. */
  readonly #shadowed: ReadonlyMap<string, readonly Leaf[]>;
  readonly #replace = new Map<TreeNode, string>();
  readonly #rename = new Map<Member, Splice>();
  readonly #remove = new Map<Member, Leaf>();
  readonly #insert = new Map<BranchNode, Map<string, Insertion>>();
  readonly #names = new Map<BranchNode, Names>();
  /** New names of renamed members, by branch. */
  readonly #newNames = new Map<BranchNode, Set<string>>();
  #branches: BranchIndex | null = null;
  #style: PluralKeyStyle | null = null;

  constructor(tree: EditedTree, keys: TreeKeys, options: ReadOptions) {
    this.#tree = tree;
    this.#keys = keys;
    this.#options = options;
    this.#shadowed = Map.groupBy(keys.shadowed, (leaf) => leaf.key);
  }

  /** Plans one change. If it is refused, some of its forms may have been planned. */
  change({ key, context, text, description }: Change): RefusalReason | null {
    if (context !== null && context !== "") return "unsupported";
    const group = this.#keys.groups.get(key);
    const single = this.#keys.singles.get(key);
    const leaves = group === undefined ? (single === undefined ? [] : [single]) : [...group.leaves.values()];
    const obstacle = leaves.map(({ member }) => obstacleOf(member.node)).find((reason) => reason !== null);
    if (obstacle !== undefined) return obstacle;
    if (text === null) {
      for (const leaf of leaves) this.#removeLeaf(leaf);
      return leaves.length === 0 ? "not_found" : null;
    }
    if (group !== undefined) return this.#changeGroup(group, text);
    if (single !== undefined) return this.#changeSingle(single, text);
    if (!isForms(text)) return this.#add(key, newText(text.value, description), null);
    const members = newForms(text.forms, this.#pluralStyle(), description, this.#tree.rules, this.#options);
    if (typeof members === "string") return members;
    for (const [suffix, form] of members) {
      const reason = this.#add(key + suffix, form, null);
      if (reason !== null) return reason;
    }
    return null;
  }

  /** Returns the plan. List items that cannot be removed alone are kept, and their removal is refused. */
  plan(earlier: readonly Refusal[]): PlanWithRefusals {
    const refused = [...earlier, ...this.#refuseListItems(), ...this.#refuseOverriding()];
    const remove = new Set(this.#remove.keys());
    const parents = new Set([...this.#remove.values()].map((leaf) => leaf.parent));
    // In the file's order: only the last of several members with one name overrides the others.
    for (const parent of [...parents].sort((a, b) => a.start - b.start)) {
      this.#removeIfEmpty(parent, remove);
    }
    const insert = new Map(
      [...this.#insert].map(([branch, insertions]) => [branch, [...insertions.values()]]),
    );
    return { replace: this.#replace, rename: this.#rename, remove, insert, refused };
  }

  #changeSingle(leaf: Leaf, text: Text): RefusalReason | null {
    const { node } = leaf.member;
    const { rules } = this.#tree;
    const old = node.kind === "text" ? node.value : "";
    if (!isForms(text)) return this.#replaceNode(node, text.value);
    const now = readValue(leaf.key, old, rules, { ...this.#options, isPlural: () => true });
    if (now.readOnly !== null) return now.readOnly;
    if (node.kind === "text" && areTextsEqual(now.text, text)) return null;
    const { forms } = text;
    const ownSyntax = rules.pipes ? "pipes" : syntaxOfValue(old, rules);
    if (ownSyntax !== null) return this.#writeInto(node, ownSyntax, old, forms);
    const { other, ...others } = forms;
    const isOnlyOther = other !== undefined && Object.keys(others).length === 0;
    if (isOnlyOther && isPlainOtherForm(other, rules, this.#options.locale)) {
      return this.#replaceNode(node, other);
    }
    const { syntax } = this.#pluralStyle();
    if (syntax === "pipes" || syntax === "icu") return this.#writeInto(node, syntax, "", forms);
    const suffixed = suffixedForms(syntax, forms, this.#options.locale);
    return suffixed === null ? "forms" : this.#splitIntoForms(leaf, suffixed);
  }

  #writeInto(node: TreeNode, syntax: ValueSyntax, old: string, forms: Forms): RefusalReason | null {
    const { argument } = this.#pluralStyle();
    const written = writeForms(forms, syntax, { old, argument }, this.#tree.rules, this.#options);
    return "reason" in written ? written.reason : this.#replaceNode(node, written.value);
  }

  /** Replaces a member by separate forms: the first in its place, with its comments, then the others. */
  #splitIntoForms(leaf: Leaf, suffixed: ReadonlyMap<string, string>): RefusalReason | null {
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

  #changeGroup(group: Group, text: Text): RefusalReason | null {
    if (!isForms(text)) return this.#mergeForms(group, text.value);
    const suffixed = suffixedForms(group.scheme, text.forms, this.#options.locale);
    if (suffixed === null) return "forms";
    let anchor = group.leaves.values().next().value ?? null;
    for (const [category, suffix] of suffixesOf(group.scheme, this.#options.locale)) {
      const leaf = group.leaves.get(category);
      const form = suffixed.get(suffix);
      if (leaf !== undefined && form !== undefined) this.#replaceNode(leaf.member.node, form);
      else if (leaf !== undefined) this.#removeLeaf(leaf);
      else if (form !== undefined) {
        const reason = this.#add(group.key + suffix, newText(form, null), anchor);
        if (reason !== null) return reason;
      }
      anchor = leaf ?? anchor;
    }
    return null;
  }

  /** Replaces a group by one member, in the place of its first one and with its comments. */
  #mergeForms(group: Group, value: string): RefusalReason | null {
    const suffixes = suffixesOf(group.scheme, this.#options.locale);
    const [[category, first] = ["", null], ...others] = group.leaves;
    if (first === null) return "not_found";
    const reason = this.#renameLeaf(first, suffixes.get(category)?.length ?? 0, "");
    if (reason !== null) return reason;
    this.#replaceNode(first.member.node, value);
    for (const [, leaf] of others) this.#removeLeaf(leaf);
    return null;
  }

  #pluralStyle(): PluralKeyStyle {
    this.#style ??= pluralKeyStyle(this.#keys, this.#tree.rules, this.#options, this.#tree.examples);
    return this.#style;
  }

  #replaceNode(node: TreeNode, value: string): null {
    if (node.kind !== "text" || node.value !== value) this.#replace.set(node, value);
    return null;
  }

  /** Removes a leaf and the duplicates that it overrides, which would otherwise come into effect. */
  #removeLeaf(leaf: Leaf): void {
    this.#remove.set(leaf.member, leaf);
    for (const shadowed of this.#shadowed.get(leaf.key) ?? []) this.#remove.set(shadowed.member, shadowed);
  }

  /** Replaces the end of a member's name; refused if the name is not written plainly enough. */
  #renameLeaf({ member, parent }: Leaf, cut: number, add: string): RefusalReason | null {
    if (cut === 0 && add === "") return null;
    const { name, nameSpan } = member;
    const written = this.#tree.text.slice(nameSpan.start, nameSpan.end);
    const isQuoted = /["'`]/.test(this.#tree.text[nameSpan.start - 1] ?? "");
    const end = name.slice(name.length - cut);
    if (!written.endsWith(end) || !(isQuoted || /^[A-Za-z_$][\w$]*$/.test(written))) {
      return "unsupported";
    }
    const renamed = name.slice(0, name.length - cut) + add;
    if (this.#isTaken(parent, renamed) || this.#insert.get(parent)?.has(renamed) === true) return "conflict";
    this.#rename.set(member, { start: nameSpan.end - cut, end: nameSpan.end, text: add });
    getOrCreate(this.#newNames, parent, () => new Set()).add(renamed);
    return null;
  }

  /** Whether an existing member keeps or gets that name. */
  #isTaken(branch: BranchNode, name: string): boolean {
    const member = this.#namesOf(branch).members.get(name)?.at(-1);
    const isKept = member !== undefined && !this.#remove.has(member) && !this.#rename.has(member);
    return isKept || this.#newNames.get(branch)?.has(name) === true;
  }

  /** Adds a member for the key to the deepest existing branch, next to `anchor` if given. */
  #add(key: string, text: NewText, anchor: Leaf | null): RefusalReason | null {
    const { root, rules } = this.#tree;
    if (!rules.nested) return this.#addTo(root, key, text, false, anchor);
    if (anchor !== null && key.startsWith(anchor.container)) {
      return this.#addTo(anchor.parent, key.slice(anchor.container.length), text, false, anchor);
    }
    let branch = root;
    let rest = key;
    for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
      const found = this.#branchIndex().byPath.get(key.slice(0, dot));
      if (found === undefined) continue;
      branch = found;
      rest = key.slice(dot + 1);
      break;
    }
    // A name that cannot be split is written at the top level (Laravel), unless this branch has such names.
    if (rest.includes(".") && !isSplittable(rest) && this.#namesOf(branch).dottedHeads.size === 0) {
      return this.#addTo(root, key, text, false, anchor);
    }
    return this.#addTo(branch, rest, text, !this.#writesFlat(branch, rest), anchor);
  }

  #addTo(
    branch: BranchNode,
    rest: string,
    text: NewText,
    nested: boolean,
    anchor: Leaf | null,
  ): RefusalReason | null {
    const [first = rest] = nested && isSplittable(rest) ? rest.split(".") : [rest];
    if (this.#isTaken(branch, first)) return "conflict";
    const insertions = getOrCreate(this.#insert, branch, () => new Map());
    const { syntax, text: fileText } = this.#tree;
    const isNamelessList =
      syntax.hasNamelessLists && branch.members.length > 0 && fileText[branch.start] === "[";
    if (isNamelessList && rest !== String(branch.members.length + insertions.size)) return "unsupported";
    const pending = insertions.get(first);
    if (pending !== undefined) {
      const isPut =
        pending.node.kind === "branch" &&
        rest !== first &&
        putKey(pending.node.members, rest.slice(first.length + 1), text, true);
      return isPut ? null : "conflict";
    }
    const members = new Map<string, NewNode>();
    putKey(members, rest, text, nested);
    const node = members.get(first);
    if (node !== undefined) insertions.set(first, { name: first, node, anchor: anchor?.member });
    return null;
  }

  /**
   * Whether to write the rest of a key as a flat name: if similar names are dotted (`auth.failed` for
   * `auth.throttle`), or if there are no branches at all. If the tree shows neither, the examples decide.
   */
  #writesFlat(branch: BranchNode, rest: string): boolean {
    const { root, examples } = this.#tree;
    if (branch !== root) return this.#namesOf(branch).dottedHeads.has(rest.split(".", 1)[0] ?? rest);
    const others = rest.includes(".") ? examples().map((example) => example.root) : [];
    return writesFlat([this.#namesOf(root), ...others.map(namesIn)], rest) ?? false;
  }

  #namesOf(branch: BranchNode): Names {
    return getOrCreate(this.#names, branch, () => namesIn(branch));
  }

  #branchIndex(): BranchIndex {
    this.#branches ??= branchIndexOf(this.#tree.root);
    return this.#branches;
  }

  /** Refuses to remove an item with an index while later ones without a name remain: their keys would change. */
  #refuseListItems(): readonly Refusal[] {
    const refused: Refusal[] = [];
    const counted = [...this.#remove.values()].filter(({ member }) => isIndexed(member));
    for (const { members } of new Set(counted.map(({ parent }) => parent))) {
      const lastKept = members.findLastIndex((member) => !member.named && !this.#remove.has(member));
      for (const member of members.slice(0, Math.max(0, lastKept))) {
        const leaf = isIndexed(member) ? this.#remove.get(member) : undefined;
        if (leaf === undefined) continue;
        this.#remove.delete(member);
        refused.push({ key: leaf.key, context: null, reason: "unsupported" });
      }
    }
    return refused;
  }

  /** Refuses to remove a member that overrides one with keys of its own, which would come into effect. */
  #refuseOverriding(): readonly Refusal[] {
    const refused: Refusal[] = [];
    for (const [member, leaf] of this.#remove) {
      if (!this.#overridesRemaining(member, leaf.parent, this.#remove)) continue;
      this.#remove.delete(member);
      refused.push({ key: leaf.key, context: null, reason: "conflict" });
    }
    return refused;
  }

  /** Whether the member is the last with its name and another one remains. */
  #overridesRemaining(member: Member, parent: BranchNode, remove: { has(member: Member): boolean }): boolean {
    const sameName = this.#namesOf(parent).members.get(member.name) ?? [];
    return sameName.at(-1) === member && sameName.some((other) => other !== member && !remove.has(other));
  }

  /** Removes a branch without remaining members, and its parents likewise. */
  #removeIfEmpty(branch: BranchNode, remove: Set<Member>): void {
    const { member, parent } = this.#branchIndex().parents.get(branch) ?? {};
    if (member === undefined || parent === undefined) return;
    if (remove.has(member) || this.#insert.has(branch)) return;
    if (!branch.members.every((each) => remove.has(each))) return;
    const { text, syntax } = this.#tree;
    if (new BranchLayout(text, branch, syntax).keepsComments()) return;
    if (!this.#canRemove(member, parent, remove)) return;
    remove.add(member);
    this.#removeIfEmpty(parent, remove);
  }

  #canRemove(member: Member, parent: BranchNode, remove: ReadonlySet<Member>): boolean {
    if (this.#overridesRemaining(member, parent, remove)) return false;
    if (!isIndexed(member)) return true;
    const later = parent.members.slice(parent.members.indexOf(member) + 1);
    return later.every((other) => other.named || remove.has(other));
  }
}

/** Whether following items without names are numbered from this one (PHP's `7 => 'x', 'y'`). */
function isIndexed(member: Member): boolean {
  return !member.named || /^-?\d+$/.test(member.name);
}

/** Returns why a value must not be overwritten. */
export function obstacleOf(node: TreeNode): RefusalReason | null {
  if (node.kind === "text") return node.readOnly;
  if (node.kind === "branch") return "conflict";
  if (node.reason === "empty") return null;
  return node.reason === "type" ? "unsupported" : node.reason;
}
