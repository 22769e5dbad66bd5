/** The entries of a tree: its leaves by their dotted keys, and plural keys whose forms are separate members. */
import { getOrCreate } from "../../model/maps.ts";
import type { Entry, Problem, ReadOptions, ReadResult } from "../format.ts";
import type { BranchNode, Leaf, Member, OtherNode, Tree, TreeNode, TreeRules } from "./value-tree.ts";
import { isNumbered, readValue, suffixesOf, type SuffixScheme } from "./nested-plurals.ts";
import { pluralPartCount } from "../../model/pipe-plurals.ts";
import { PLURAL_CATEGORIES, type Text } from "../../model/text.ts";

/**
 * Visits each leaf in the file's order. `covered`: it is in a branch that a later one with the same name overrides,
 * as in PHP and JSON.
 */
function eachLeaf(root: BranchNode, nested: boolean, take: (leaf: Leaf, covered: boolean) => void): void {
  const walk = (branch: BranchNode, container: string, covered: boolean): void => {
    const last = lastBranches(branch, nested);
    for (const member of branch.members) {
      if (member.unknown === true) continue;
      const { name, node } = member;
      const isCovered = covered || (last?.has(name) === true && last.get(name) !== member);
      const key = container + name;
      if (node.kind === "branch" && nested) walk(node, `${key}.`, isCovered);
      else take({ key, container, member, parent: branch }, isCovered);
    }
  };
  walk(root, "", false);
}

/**
 * Returns the last member with each name, if any is a branch; `null` otherwise, since the keys of texts show
 * duplicates themselves.
 */
function lastBranches(branch: BranchNode, nested: boolean): ReadonlyMap<string, Member> | null {
  if (!nested || !branch.members.some(({ node }) => node.kind === "branch")) return null;
  const known = branch.members.filter((member) => member.unknown !== true);
  return new Map(known.map((member) => [member.name, member]));
}

/** A plural key whose forms are separate members. */
export interface Group {
  /** The key without a suffix. */
  readonly key: string;
  readonly scheme: SuffixScheme;
  /** Leaves by category, in the file's order. */
  readonly leaves: ReadonlyMap<string, Leaf>;
}

/** The leaves of a file by key: single ones and plural groups. Of `"a.b"` and `a: { b }` the later one wins. */
export interface TreeKeys {
  readonly singles: ReadonlyMap<string, Leaf>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly shadowed: readonly Leaf[];
}

/** Sorts a tree's leaves into single keys and plural groups. */
export function treeKeys(root: BranchNode, rules: TreeRules, options: ReadOptions): TreeKeys {
  const singles = new Map<string, Leaf>();
  const shadowed: Leaf[] = [];
  eachLeaf(root, rules.nested, (leaf, covered) => {
    const former = covered ? undefined : singles.get(leaf.key);
    if (former !== undefined) shadowed.push(former);
    if (covered) shadowed.push(leaf);
    else singles.set(leaf.key, leaf);
  });
  const groups = new Map<string, Group>();
  if (!rules.suffixes) return { singles, groups, shadowed };
  const { named, numbered, plurals } = candidatesOf(singles, options);
  const take = (scheme: SuffixScheme, key: string, leaves: Forms): void => {
    if (groups.has(key)) return;
    groups.set(key, { key, scheme, leaves });
    for (const leaf of leaves.values()) singles.delete(leaf.key);
  };
  // The caller's answer takes precedence.
  const isOne = (key: string, looksSo: () => boolean): boolean => options.isPlural?.(key, null) ?? looksSo();
  for (const [key, forms] of named) {
    if (isOne(key, () => isNamedGroup(key, forms, singles, options.locale))) take("v4", key, forms);
  }
  for (const [key, forms] of numbered) {
    if (isOne(key, () => isNumberedGroup(key, forms, singles, options.locale))) take("v3", key, forms);
  }
  for (const [key, forms] of plurals) {
    if (options.isPlural?.(key, null) !== false) take("v3", key, forms);
  }
  return { singles, groups, shadowed };
}

const categories: ReadonlySet<string> = new Set(PLURAL_CATEGORIES);

const LONGEST_SUFFIX = "_plural".length;

type Forms = Map<string, Leaf>;

/** Potential plural groups, by the key that they would have. */
interface Candidates {
  /** `key_one`, `key_other` … */
  readonly named: ReadonlyMap<string, Forms>;
  /** `key_0`, `key_1` … in a locale for which v3 numbers the forms. */
  readonly numbered: ReadonlyMap<string, Forms>;
  /** `key` and `key_plural` in any other locale. */
  readonly plurals: ReadonlyMap<string, Forms>;
}

function candidatesOf(singles: ReadonlyMap<string, Leaf>, { locale }: ReadOptions): Candidates {
  const named = new Map<string, Forms>();
  const numbered = new Map<string, Forms>();
  const plurals = new Map<string, Forms>();
  const old = suffixesOf("v3", locale);
  const hasNumbers = isNumbered(locale);
  const numbers = new Map([...old].map(([category, suffix]) => [suffix, category]));
  for (const leaf of singles.values()) {
    const { key } = leaf;
    const cut = key.lastIndexOf("_");
    if (cut < 1 || key.length - cut > LONGEST_SUFFIX || leaf.member.node.kind !== "text") continue;
    const stem = key.slice(0, cut);
    const suffix = key.slice(cut);
    const category = suffix.slice(1);
    if (categories.has(category)) {
      // Ordinal forms (`place_ordinal_one`) are separate keys, since the service's plurals are cardinal.
      if (!stem.endsWith("_ordinal")) put(named, stem, category, leaf);
    } else if (hasNumbers) {
      const numberedAs = numbers.get(suffix);
      if (numberedAs !== undefined) put(numbered, stem, numberedAs, leaf);
    } else if (suffix === "_plural" && old.size > 0) {
      const bare = singles.get(stem);
      if (bare?.member.node.kind !== "text") continue;
      put(plurals, stem, "one", bare);
      put(plurals, stem, "other", leaf);
    }
  }
  return { named, numbered, plurals };
}

function put(candidates: Map<string, Forms>, stem: string, category: string, leaf: Leaf): void {
  getOrCreate(candidates, stem, () => new Map()).set(category, leaf);
}

/**
 * Whether members with plural suffixes look like one key: there is `_other` and, if the file's locale has several
 * forms, another one (in English, `see_other` alone is just a name), but no member without a suffix.
 */
function isNamedGroup(
  key: string,
  forms: Forms,
  singles: ReadonlyMap<string, Leaf>,
  locale: string,
): boolean {
  if (!forms.has("other") || singles.has(key)) return false;
  return forms.size > 1 || pluralPartCount(locale) === 1;
}

/** i18next's count, which only occurs in plural texts. */
const COUNT = /\{\{-?\s*count\b/;

/**
 * Whether numbered members look like one key: they are exactly the forms of a locale with several, there is no other
 * member with that name, and a form contains the count. This excludes lists of steps or paragraphs (`step_0`,
 * `step_1`, `step_2`), which have no count.
 */
function isNumberedGroup(
  key: string,
  forms: Forms,
  singles: ReadonlyMap<string, Leaf>,
  locale: string,
): boolean {
  const { size } = suffixesOf("v3", locale);
  if (size < 2 || forms.size !== size || singles.has(key) || singles.has(`${key}_${size}`)) return false;
  return [...forms.values()].some(({ member: { node } }) => node.kind === "text" && COUNT.test(node.value));
}

/** Maximum nesting depth. Deeper files are rejected, so that no file can overflow the stack. */
export const MAX_DEPTH = 100;

/** What the entries of trees do not have. */
const NOT_IN_TREES = { context: null, namespace: null, locale: null, source: null } as const;

/** Returns the entries and problems of a scanned file; `descriptions` are from the comments on members. */
export function readTree(
  tree: Tree,
  rules: TreeRules,
  options: ReadOptions,
  descriptions: ReadonlyMap<Member, string>,
): ReadResult {
  if (tree.root === null) return { entries: [], problems: tree.problems };
  const problems: Problem[] = [...tree.problems];
  const { singles, groups, shadowed } = treeKeys(tree.root, rules, options);
  const entries: Entry[] = [];
  for (const leaf of shadowed) {
    const span = { start: leaf.member.start, end: leaf.member.end };
    problems.push({ code: "duplicate", message: "the key stands again further down", span, key: leaf.key });
  }
  for (const group of groups.values()) {
    const { key } = group;
    const single = singles.get(key);
    if (single !== undefined) {
      const { start, end } = single.member;
      const message = "plural forms of the key stand beside it";
      problems.push({ code: "duplicate", message, span: { start, end }, key });
    }
    entries.push(groupEntry(group, descriptions));
  }
  for (const { key, member } of singles.values()) {
    const { node, nameSpan } = member;
    if (node.kind === "text") {
      if (groups.has(key)) continue;
      const { text, readOnly } = readValue(key, node.value, rules, options);
      entries.push({
        ...NOT_IN_TREES,
        key,
        text,
        description: descriptions.get(member) ?? null,
        keySpan: nameSpan,
        valueSpan: { start: node.start, end: node.end },
        readOnly: node.readOnly ?? readOnly,
      });
    } else {
      const problem = problemOf(node);
      if (problem !== null) problems.push({ ...problem, key });
    }
  }
  entries.sort((a, b) => a.valueSpan.start - b.valueSpan.start);
  problems.sort((a, b) => a.span.start - b.span.start);
  return { entries, problems };
}

/** Returns the entry of a plural group: forms in CLDR order, ranges from the first member to the last. */
function groupEntry({ key, leaves }: Group, descriptions: ReadonlyMap<Member, string>): Entry {
  const forms = PLURAL_CATEGORIES.flatMap((category) => {
    const member = leaves.get(category)?.member;
    return member?.node.kind === "text" ? [{ category, nameSpan: member.nameSpan, node: member.node }] : [];
  });
  const text: Text = { forms: Object.fromEntries(forms.map(({ category, node }) => [category, node.value])) };
  const [first] = forms.toSorted((a, b) => a.node.start - b.node.start);
  const valueSpan = {
    start: first?.node.start ?? 0,
    end: forms.reduce((end, { node }) => Math.max(end, node.end), 0),
  };
  const keySpan = first?.nameSpan ?? valueSpan;
  const readOnly = forms.find(({ node }) => node.readOnly !== null)?.node.readOnly ?? null;
  const described = [...leaves.values()].flatMap(({ member }) => descriptions.get(member) ?? []);
  const description = described.length === 0 ? null : [...new Set(described)].join("\n");
  return { ...NOT_IN_TREES, key, text, description, keySpan, valueSpan, readOnly };
}

function problemOf(node: OtherNode | BranchNode): Problem | null {
  const span = { start: node.start, end: node.end };
  if (node.kind === "branch")
    return node.members.length === 0 ? null : { code: "type", message: "no text", span };
  if (node.reason === "empty") return null;
  if (node.reason === "type") return { code: "type", message: "no text", span };
  return { code: "expression", message: `not a plain text (${node.reason})`, span };
}

/** Returns the values as read-only: whatever is written there may never be used. */
export function asReadOnly(node: TreeNode): TreeNode {
  if (node.kind === "text") return { ...node, readOnly: node.readOnly ?? "expression" };
  if (node.kind === "other") return node;
  const members = node.members.map((member) => ({ ...member, node: asReadOnly(member.node) }));
  return { ...node, members };
}
