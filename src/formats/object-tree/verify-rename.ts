/** Checks whether two trees differ only in the name of one leaf; ten times faster than comparing all entries. */
import { PLURAL_CATEGORIES, areTextsEqual } from "../../model/translation-text.ts";
import type { KeyRename, ReadOptions } from "../format.ts";
import { isNumbered, readValue } from "./tree-plurals.ts";
import type { BranchNode, Member, Tree, TreeNode, TreeRules } from "./value-tree.ts";

const NAME_SUFFIX = new RegExp(`_(?:${PLURAL_CATEGORIES.join("|")}|plural)$`, "u");
const NUMBER_SUFFIX = new RegExp(`_(?:${PLURAL_CATEGORIES.join("|")}|\\d)$`, "u");

/**
 * Whether the entries of both trees are equal except for the name of one. Also `false` if a full comparison is needed
 * because another leaf has one of the two keys or may be a plural form of one.
 */
export function isLeafRenamed(
  [before, after]: readonly [Tree, Tree],
  { entry, newKey }: KeyRename,
  rules: TreeRules,
  options: ReadOptions,
): boolean {
  const keys = [entry.key, newKey];
  const suffix = isNumbered(options.locale) ? NUMBER_SUFFIX : NAME_SUFFIX;
  const isPluralForm = (key: string): boolean => rules.suffixes && suffix.test(key);
  let isFound = false;

  /** `container`: the common key prefix of the members. */
  const areSame = (was: BranchNode, is: BranchNode, container: string): boolean => {
    if (was.members.length !== is.members.length) return false;
    // A key and its plural forms are in the same container.
    const mayHoldKey = keys.some((key) => key.startsWith(container));
    return was.members.every((member, index) => {
      const other = is.members[index];
      if (other === undefined || member.unknown !== other.unknown) return false;
      if (member.unknown === true) return true;
      if (member.name !== other.name) {
        // Of duplicate members the last one wins.
        return isRenamed(member, other, container) && !isTwice(was, member) && !isTwice(is, other);
      }
      const key = container + member.name;
      const isLeaf = member.node.kind !== "branch" || !rules.nested;
      return !(mayHoldKey && isLeaf && isRelated(key)) && areSameNodes(member.node, other.node, key);
    });
  };
  const areSameNodes = (was: TreeNode, is: TreeNode, path: string): boolean => {
    if (was.kind === "text") {
      return is.kind === "text" && was.value === is.value && was.readOnly === is.readOnly;
    }
    if (was.kind === "other") return is.kind === "other" && was.reason === is.reason;
    if (is.kind !== "branch") return false;
    if (rules.nested) return areSame(was, is, `${path}.`);
    return (was.members.length === 0) === (is.members.length === 0);
  };
  const isRenamed = (was: Member, is: Member, container: string): boolean => {
    if (isFound || keys.some(isPluralForm)) return false;
    isFound = true;
    const { node } = is;
    return (
      container + was.name === entry.key &&
      container + is.name === newKey &&
      node.kind === "text" &&
      areSameNodes(was.node, node, newKey) &&
      areTextsEqual(readValue(newKey, node.value, rules, options).text, entry.text)
    );
  };
  /** Whether the key of another leaf is one of the two, or may be a plural form of one. */
  const isRelated = (key: string): boolean =>
    keys.includes(key) || (isPluralForm(key) && keys.includes(key.replace(suffix, "")));

  if (before.root === null || after.root === null) return false;
  if (before.problems.length !== after.problems.length) return false;
  return areSame(before.root, after.root, "") && isFound;
}

function isTwice({ members }: BranchNode, { name }: Member): boolean {
  return members.filter((each) => each.unknown !== true && each.name === name).length > 1;
}
