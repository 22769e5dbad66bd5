/**
 * From changes of keys to changes of a tree's members: which literals are replaced, which members go and which
 * come, and into which branch. How the bytes change is tree-render.ts's.
 */
import { fillCategories } from "../../plurals.ts";
import { isForms, sameText, type Forms, type Text } from "../../text.ts";
import type { Change, ReadOptions, Refusal } from "../format.ts";
import { type DraftTree, type Reason, TreeDraft, type TreePlan } from "./tree-draft.ts";
import { type FileWay, fileWayOf } from "./tree-file-way.ts";
import { type Group, type Holdings, holdingsOf } from "./tree-holdings.ts";
import { newText } from "./tree-print.ts";
import { isNumbered, suffixesOf } from "./tree-suffixes.ts";
import type { BranchNode, Leaf, TreeNode, TreeRules } from "./tree.ts";
import {
  hasOnlyCategories,
  readValue,
  type ValueWay,
  wayOfValue,
  writeForms,
  writesAlone,
} from "./tree-values.ts";

export type { Insertion, TreePlan } from "./tree-draft.ts";

/**
 * Plans the changes; of several for one key the last holds. `text`, the file's, is needed only where the rules have
 * suffixes; `holdsMore` says which branches stay when their last member goes, since comments stand in them.
 */
export function planTree(
  root: BranchNode,
  changes: readonly Change[],
  rules: TreeRules,
  options: ReadOptions,
  namelessLists: (branch: BranchNode) => boolean,
  text = "",
  holdsMore: (branch: BranchNode) => boolean = () => false,
): TreePlan {
  const byKey = new Map(changes.map((change) => [JSON.stringify([change.key, change.context]), change]));
  const tree = { root, text, nested: rules.nested, namelessLists, holdsMore };
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
  readonly #holdings: Holdings;
  readonly #draft: TreeDraft;
  readonly #refused: Refusal[] = [];
  #fileWay: FileWay | null = null;

  constructor(tree: DraftTree, rules: TreeRules, options: ReadOptions) {
    this.#rules = rules;
    this.#options = options;
    this.#holdings = holdingsOf(tree.root, rules, options);
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
    const ownWay = this.#rules.pipes ? "pipes" : wayOfValue(old, this.#rules);
    if (ownWay !== null) return this.#writeInto(node, ownWay, old, forms);
    const { other } = forms;
    if (other !== undefined && Object.keys(forms).length === 1) {
      if (writesAlone(other, this.#rules, this.#options.locale)) return this.#draft.replaceNode(node, other);
    }
    const { way } = this.#wayOfFile();
    if (way === "pipes" || way === "icu") return this.#writeInto(node, way, "", forms);
    const suffixed = this.#suffixed(way, forms);
    return typeof suffixed === "string" ? suffixed : this.#spread(leaf, suffixed);
  }

  #writeInto(node: TreeNode, way: ValueWay, old: string, forms: Forms): Reason | null {
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
    const suffixed = this.#suffixed(group.way, text.forms);
    if (typeof suffixed === "string") return suffixed;
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

  /**
   * Forms by their suffixes, in the order in which they are written. v3 has no place for other categories than its
   * own, and its unnumbered names come in pairs: there the forms that are missing say what `other` says.
   */
  #suffixed(way: "v3" | "v4", forms: Forms): ReadonlyMap<string, string> | "forms" {
    if (!hasOnlyCategories(forms)) return "forms";
    const suffixes = suffixesOf(way, this.#options.locale);
    const categories = [...suffixes.keys()];
    if (way === "v3" && !(isNumbered(this.#options.locale) && hasOnly(forms, categories))) {
      const texts = fillCategories(categories, forms);
      if (texts === null) return "forms";
      return new Map(categories.map((category, index) => [suffixes.get(category) ?? "", texts[index] ?? ""]));
    }
    const there = categories.filter((category) => Object.hasOwn(forms, category));
    return new Map(there.map((category) => [suffixes.get(category) ?? "", forms[category] ?? ""]));
  }

  #addForms(key: string, forms: Forms, description: string | null | undefined): Reason | null {
    const { way, argument } = this.#wayOfFile();
    if (way === "pipes" || way === "icu") {
      const written = writeForms(forms, way, { old: "", argument }, this.#rules, this.#options);
      return "reason" in written
        ? written.reason
        : this.#draft.add(key, newText(written.value, description), null);
    }
    const suffixed = this.#suffixed(way, forms);
    if (typeof suffixed === "string") return suffixed;
    let said = description;
    for (const [suffix, form] of suffixed) {
      const reason = this.#draft.add(key + suffix, newText(form, said), null);
      if (reason !== null) return reason;
      said = null;
    }
    return null;
  }

  #wayOfFile(): FileWay {
    this.#fileWay ??= fileWayOf(this.#holdings, this.#rules, this.#options);
    return this.#fileWay;
  }
}

function hasOnly(forms: Forms, categories: readonly string[]): boolean {
  return Object.keys(forms).every((name) => categories.includes(name));
}

/** Why a value must not be written over. */
function obstacle(node: TreeNode): Reason | null {
  if (node.kind === "text") return node.readOnly;
  if (node.kind === "branch") return "conflict";
  if (node.reason === "empty") return null;
  return node.reason === "type" ? "unsupported" : node.reason;
}
