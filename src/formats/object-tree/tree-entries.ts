/** The entries of a tree: its leaves by their dotted keys, and plural keys whose forms are separate members. */
import { getOrCreate } from "../../util/maps.ts";
import type { Entry, Problem, ReadOptions, ReadResult } from "../format.ts";
import type { BranchNode, Leaf, Member, OtherNode, TextNode, Tree, TreeRules } from "./value-tree.ts";
import { isNumbered, readValue, suffixesOf, type SuffixScheme } from "./tree-plurals.ts";
import { neededCategories } from "../../model/plural-categories.ts";
import { PLURAL_CATEGORIES } from "../../model/translation-text.ts";

/** A leaf whose text is known. */
export interface TextLeaf extends Leaf {
  readonly member: Member & { readonly node: TextNode };
}

/** A plural key whose forms are separate members. */
export interface Group {
  /** The key without a suffix. */
  readonly key: string;
  readonly scheme: SuffixScheme;
  /** Leaves by category, in the file's order. */
  readonly leaves: ReadonlyMap<string, TextLeaf>;
}

/** The leaves of a file by key: single ones and plural groups. Of `"a.b"` and `a: { b }` the later one wins. */
export interface TreeKeys {
  readonly singles: ReadonlyMap<string, Leaf>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly shadowed: readonly Leaf[];
}

/** Sorts a tree's leaves into single keys and plural groups. */
export function treeKeys(root: BranchNode, rules: TreeRules, options: ReadOptions): TreeKeys {
  const { singles, shadowed } = leavesOf(root, rules.nested);
  const groups = new Map<string, Group>();
  if (!rules.suffixes) return { singles, groups, shadowed };
  for (const [scheme, candidates] of candidatesOf(singles, options.locale)) {
    for (const [key, leaves] of candidates) {
      if (groups.has(key)) continue;
      // The caller's answer takes precedence.
      const isGroup =
        options.isPlural?.(key, null) ?? looksPlural(scheme, key, leaves, singles, options.locale);
      if (!isGroup) continue;
      groups.set(key, { key, scheme, leaves });
      for (const leaf of leaves.values()) singles.delete(leaf.key);
    }
  }
  return { singles, groups, shadowed };
}

/**
 * Returns the leaves by key in the file's order, and those that a later leaf, or a later branch with the name of
 * theirs, overrides as in PHP and JSON.
 */
function leavesOf(root: BranchNode, nested: boolean): { singles: Map<string, Leaf>; shadowed: Leaf[] } {
  const singles = new Map<string, Leaf>();
  const shadowed: Leaf[] = [];
  const walk = (parent: BranchNode, container: string, isCovered: boolean): void => {
    const known = parent.members.filter((member) => member.unknown !== true);
    // Only needed for branches: the keys of texts show duplicates themselves.
    const hasBranches = nested && known.some(({ node }) => node.kind === "branch");
    const last = new Map(hasBranches ? known.map((member) => [member.name, member]) : []);
    for (const member of known) {
      const key = container + member.name;
      const covered = isCovered || (last.get(member.name) ?? member) !== member;
      const leaf: Leaf = { key, container, member, parent };
      const former = singles.get(key);
      if (member.node.kind === "branch" && nested) walk(member.node, `${key}.`, covered);
      else if (covered) shadowed.push(leaf);
      else {
        if (former !== undefined) shadowed.push(former);
        singles.set(key, leaf);
      }
    }
  };
  walk(root, "", false);
  return { singles, shadowed };
}

const categories: ReadonlySet<string> = new Set(PLURAL_CATEGORIES);

const LONGEST_SUFFIX = "_plural".length;

type Candidates = Map<string, Map<string, TextLeaf>>;

/**
 * Returns potential plural groups by the key that they would have: `key_one`, `key_other` … (v4), and those of v3:
 * `key_0`, `key_1` … in a locale for which it numbers the forms, `key` and `key_plural` in any other.
 */
function candidatesOf(
  singles: ReadonlyMap<string, Leaf>,
  locale: string,
): readonly [SuffixScheme, Candidates][] {
  const v4: Candidates = new Map();
  const v3: Candidates = new Map();
  const old = suffixesOf("v3", locale);
  const hasNumbers = isNumbered(locale);
  const numbers = new Map([...old].map(([category, suffix]) => [suffix, category]));
  for (const leaf of singles.values()) {
    const { key } = leaf;
    const cut = key.lastIndexOf("_");
    if (cut < 1 || key.length - cut > LONGEST_SUFFIX || !isTextLeaf(leaf)) continue;
    const stem = key.slice(0, cut);
    const suffix = key.slice(cut);
    const category = suffix.slice(1);
    const category3 = numbers.get(suffix);
    if (categories.has(category)) {
      // Ordinal forms (`place_ordinal_one`) are separate keys, since the service's plurals are cardinal.
      if (!stem.endsWith("_ordinal")) put(v4, stem, category, leaf);
    } else if (category3 !== undefined) {
      const bare = hasNumbers ? undefined : singles.get(stem);
      if (hasNumbers) put(v3, stem, category3, leaf);
      else if (bare !== undefined && isTextLeaf(bare)) {
        put(v3, stem, "one", bare);
        put(v3, stem, "other", leaf);
      }
    }
  }
  return [
    ["v4", v4],
    ["v3", v3],
  ];
}

function put(candidates: Candidates, stem: string, category: string, leaf: TextLeaf): void {
  getOrCreate(candidates, stem, () => new Map()).set(category, leaf);
}

function isTextLeaf(leaf: Leaf): leaf is TextLeaf {
  return leaf.member.node.kind === "text";
}

/** i18next's count, which only occurs in plural texts. */
const COUNT = /\{\{-?\s*count\b/;

/**
 * Whether members with plural suffixes look like one key. With categories there must be `_other` and, if the file's
 * locale has several forms, another one (in English, `see_other` alone is just a name), but no member without a
 * suffix. With numbers they must be exactly the forms of a locale with several, without another member of that name,
 * and one must contain the count: lists of steps or paragraphs (`step_0`, `step_1`, `step_2`) do not.
 */
function looksPlural(
  scheme: SuffixScheme,
  key: string,
  forms: ReadonlyMap<string, TextLeaf>,
  singles: ReadonlyMap<string, Leaf>,
  locale: string,
): boolean {
  // Another, longer separator: `item___one`.
  if (key.endsWith("_")) return false;
  if (scheme === "v3" && !isNumbered(locale)) return true;
  if (singles.has(key)) return false;
  if (scheme === "v4") return forms.has("other") && (forms.size > 1 || neededCategories(locale).length === 1);
  const { size } = suffixesOf("v3", locale);
  if (size < 2 || forms.size !== size || singles.has(`${key}_${size}`)) return false;
  return [...forms.values()].some(({ member }) => COUNT.test(member.node.value));
}

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
    problems.push({ code: "duplicate", message: "the key is repeated further down", span, key: leaf.key });
  }
  for (const group of groups.values()) {
    const { key } = group;
    const single = singles.get(key);
    if (single !== undefined) {
      const { start, end } = single.member;
      const message = "the key also has plural forms";
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
  const forms = PLURAL_CATEGORIES.flatMap((category): [string, string][] => {
    const leaf = leaves.get(category);
    return leaf === undefined ? [] : [[category, leaf.member.node.value]];
  });
  const members = [...leaves.values()].map((leaf) => leaf.member).sort((a, b) => a.node.start - b.node.start);
  const valueSpan = { start: members[0]?.node.start ?? 0, end: members.at(-1)?.node.end ?? 0 };
  const described = new Set([...leaves.values()].flatMap(({ member }) => descriptions.get(member) ?? []));
  return {
    ...NOT_IN_TREES,
    key,
    text: { forms: Object.fromEntries(forms) },
    description: described.size === 0 ? null : [...described].join("\n"),
    keySpan: members[0]?.nameSpan ?? valueSpan,
    formNameSpans: members.map(({ nameSpan }) => nameSpan),
    valueSpan,
    readOnly: members.find(({ node }) => node.readOnly !== null)?.node.readOnly ?? null,
  };
}

function problemOf(node: OtherNode | BranchNode): Problem | null {
  const span = { start: node.start, end: node.end };
  if (node.kind === "branch")
    return node.members.length === 0 ? null : { code: "type", message: "not a text", span };
  if (node.reason === "empty") return null;
  if (node.reason === "type") return { code: "type", message: "not a text", span };
  return { code: "expression", message: `not a plain text (${node.reason})`, span };
}
