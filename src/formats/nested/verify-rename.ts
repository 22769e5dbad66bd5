/** Checks whether two trees differ only in the name of one leaf; ten times faster than comparing all entries. */
import { PLURAL_CATEGORIES, areTextsEqual } from "../../model/text.ts";
import type { KeyRename, ReadOptions } from "../format.ts";
import { isNumbered, readValue } from "./nested-plurals.ts";
import type { BranchNode, Member, Tree, TreeNode, TreeRules } from "./value-tree.ts";

/**
 * Whether the entries of both trees are equal except for the name of one. Also `false` if a full comparison is needed
 * because another leaf has one of the two keys or may be a plural form of one.
 */
export function isLeafRenamed(
  [before, after]: readonly [Tree, Tree],
  rename: KeyRename,
  rules: TreeRules,
  options: ReadOptions,
): boolean {
  if (before.root === null || after.root === null) return false;
  if (before.problems.length !== after.problems.length) return false;
  const comparison = new TreeComparison(rename, rules, options);
  return comparison.areSame(before.root, after.root, "") && comparison.isFound;
}

class TreeComparison {
  readonly #rename: KeyRename;
  readonly #rules: TreeRules;
  readonly #options: ReadOptions;
  readonly #keys: readonly [old: string, renamed: string];
  /** Whether the renamed leaf was found. */
  isFound = false;

  constructor(rename: KeyRename, rules: TreeRules, options: ReadOptions) {
    this.#rename = rename;
    this.#rules = rules;
    this.#options = options;
    this.#keys = [rename.entry.key, rename.newKey];
  }

  /** `container`: the common key prefix of the members. */
  areSame(was: BranchNode, is: BranchNode, container: string): boolean {
    if (was.members.length !== is.members.length) return false;
    // A key and its plural forms are in the same container.
    const mayHoldKey = this.#keys.some((key) => key.startsWith(container));
    for (const [index, member] of was.members.entries()) {
      const other = is.members[index];
      if (other === undefined || member.unknown !== other.unknown) return false;
      if (member.unknown === true) continue;
      const wasFound = this.isFound;
      const areSame =
        member.name === other.name
          ? this.#isOther(member, container, mayHoldKey) &&
            this.#areSameNodes(member.node, other.node, container + member.name)
          : this.#isRenamed(member, other, container);
      if (!areSame) return false;
      // Of duplicate members the last one wins.
      if (wasFound !== this.isFound && (isTwice(was, member) || isTwice(is, other))) return false;
    }
    return true;
  }

  #areSameNodes(was: TreeNode, is: TreeNode, path: string): boolean {
    if (was.kind === "text") {
      return is.kind === "text" && was.value === is.value && was.readOnly === is.readOnly;
    }
    if (was.kind === "other") return is.kind === "other" && was.reason === is.reason;
    if (is.kind !== "branch") return false;
    if (this.#rules.nested) return this.areSame(was, is, `${path}.`);
    return (was.members.length === 0) === (is.members.length === 0);
  }

  #isRenamed(was: Member, is: Member, container: string): boolean {
    const { entry, newKey } = this.#rename;
    if (this.isFound || this.#keys.some((key) => this.#stemOf(key) !== null)) return false;
    this.isFound = true;
    const { node } = is;
    return (
      container + was.name === entry.key &&
      container + is.name === newKey &&
      node.kind === "text" &&
      this.#areSameNodes(was.node, node, newKey) &&
      areTextsEqual(readValue(newKey, node.value, this.#rules, this.#options).text, entry.text)
    );
  }

  /** Whether the member has neither of the two keys and is not a plural form of one. */
  #isOther({ name, node }: Member, container: string, mayHoldKey: boolean): boolean {
    if (!mayHoldKey || (node.kind === "branch" && this.#rules.nested)) return true;
    const key = container + name;
    const stem = this.#stemOf(key);
    return !this.#keys.includes(key) && (stem === null || !this.#keys.includes(stem));
  }

  /** Returns the key that this one may be a plural form of; `null` if none. */
  #stemOf(key: string): string | null {
    if (!this.#rules.suffixes) return null;
    const suffix = (isNumbered(this.#options.locale) ? NUMBER_SUFFIX : NAME_SUFFIX).exec(key);
    return suffix && key.slice(0, suffix.index);
  }
}

const NAME_SUFFIX = new RegExp(`_(?:${PLURAL_CATEGORIES.join("|")}|plural)$`, "u");
const NUMBER_SUFFIX = new RegExp(`_(?:${PLURAL_CATEGORIES.join("|")}|\\d)$`, "u");

function isTwice({ members }: BranchNode, { name }: Member): boolean {
  return members.filter((each) => each.unknown !== true && each.name === name).length > 1;
}
