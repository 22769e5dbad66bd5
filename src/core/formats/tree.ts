/**
 * What files of nested named values (PHP arrays, JSON objects) have in common: the tree with its places, and how
 * its leaves become entries. Scanning one syntax stands in the format's own file, changing in tree-edit.ts.
 */
import type { Entry, Problem, ReadOnlyReason, ReadOptions, ReadResult, Span } from "./format.ts";
import { formsOfParts, hasRanges, pluralPartCount, splitPipes } from "../plurals.ts";
import { CATEGORIES, type Text } from "../text.ts";

/** A literal whose text is known. `start` and `end` enclose its quotes. */
export interface TextNode extends Span {
  readonly kind: "text";
  readonly value: string;
  /** Set when the text is known but must not be written over. */
  readonly readOnly: ReadOnlyReason | null;
}

/** An array or object. `start` and `end` enclose the brackets; `open` is the offset after the opening one. */
export interface BranchNode extends Span {
  readonly kind: "branch";
  readonly open: number;
  readonly members: readonly Member[];
}

/** A value without a known text. `empty` (JSON's `null`) counts as not there, and may be written over. */
export interface OtherNode extends Span {
  readonly kind: "other";
  readonly reason: ReadOnlyReason | "empty" | "type";
}

export type TreeNode = TextNode | BranchNode | OtherNode;

/** One value and its name in a branch. */
export interface Member extends Span {
  /** A list's item is named by its index. */
  readonly name: string;
  /** The name inside its quotes; of a list's item the value. */
  readonly nameSpan: Span;
  /** The name is written in the file. */
  readonly named: boolean;
  /** Code makes the name (or the whole item): no key, only a place in the layout. `name` is empty. */
  readonly unknown?: true;
  readonly node: TreeNode;
}

/** What a scanner found. `root` is `null` when the file has no tree at all. */
export interface Tree {
  readonly root: BranchNode | null;
  readonly problems: readonly Problem[];
  /** False when some of the file was not understood, so that nothing may be changed. */
  readonly sound: boolean;
}

/** How a format names and reads its leaves. */
export interface TreeRules {
  /** Nested values make dotted keys; without, only the root's own members count (Laravel's JSON). */
  readonly nested: boolean;
  /** i18next's `_one`, `_other` members are one plural key. */
  readonly suffixes: boolean;
  /** `a|b` is plural when it has as many parts as the source locale has categories (Laravel). */
  readonly pipes: boolean;
}

/** A leaf with all names on its way, outermost first. */
export interface Leaf {
  readonly key: string;
  readonly path: readonly Member[];
  readonly member: Member;
  /** The branch that the member stands in. */
  readonly parent: BranchNode;
}

/** Nesting that is read; deeper files are refused, so that no file can exhaust the stack. */
export const MAX_DEPTH = 100;

/** Leaves in the file's order. Of members of one name in one branch only the last is there, as in PHP and JSON. */
interface Leaves {
  readonly live: readonly Leaf[];
  readonly shadowed: readonly Leaf[];
}

function leavesOf(root: BranchNode, nested: boolean): Leaves {
  const live: Leaf[] = [];
  const shadowed: Leaf[] = [];
  const walk = (branch: BranchNode, prefix: string, path: readonly Member[], into: Leaf[]): void => {
    const last = new Map<string, Member>();
    for (const member of branch.members) if (member.unknown !== true) last.set(member.name, member);
    for (const member of branch.members) {
      if (member.unknown === true) continue;
      const list = last.get(member.name) === member ? into : shadowed;
      const key = prefix + member.name;
      const here = [...path, member];
      if (member.node.kind === "branch" && nested) walk(member.node, `${key}.`, here, list);
      else list.push({ key, path: here, member, parent: branch });
    }
  };
  walk(root, "", [], live);
  return { live, shadowed };
}

/** A plural key whose forms stand in members of their own. */
export interface Group {
  /** Without the suffix. */
  readonly key: string;
  /** By category, in the file's order. */
  readonly leaves: ReadonlyMap<string, Leaf>;
}

/** What a file holds by key: single leaves and groups. Of `"a.b"` and `a: { b }` the later one counts. */
export interface Holdings {
  readonly singles: ReadonlyMap<string, Leaf>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly shadowed: readonly Leaf[];
}

const SUFFIX = new RegExp(`^(.+)_(${CATEGORIES.join("|")})$`, "su");

/** Sorts a tree's leaves into single keys and plural groups. */
export function holdingsOf(root: BranchNode, rules: TreeRules, options: ReadOptions): Holdings {
  const leaves = leavesOf(root, rules.nested);
  const singles = new Map<string, Leaf>();
  const shadowed = [...leaves.shadowed];
  for (const leaf of leaves.live) {
    const former = singles.get(leaf.key);
    if (former !== undefined) shadowed.push(former);
    singles.set(leaf.key, leaf);
  }
  const groups = new Map<string, Group>();
  if (!rules.suffixes) return { singles, groups, shadowed };
  const candidates = new Map<string, Map<string, Leaf>>();
  for (const leaf of singles.values()) {
    const [, key = "", category = ""] = SUFFIX.exec(leaf.key) ?? [];
    // Ordinal forms (`place_ordinal_one`) are keys of their own: the service's plural is the cardinal one.
    if (key === "" || key.endsWith("_ordinal") || leaf.member.node.kind !== "text") continue;
    let forms = candidates.get(key);
    if (forms === undefined) candidates.set(key, (forms = new Map()));
    forms.set(category, leaf);
  }
  for (const [key, forms] of candidates) {
    if (!isGroup(key, forms, singles, options)) continue;
    groups.set(key, { key, leaves: forms });
    for (const leaf of forms.values()) singles.delete(leaf.key);
  }
  return { singles, groups, shadowed };
}

/**
 * Whether members with plural suffixes are one key. The caller's word holds; else `_other` must be there, with
 * another form beside it where the file's locale has more than one (an English `see_other` alone is a name), and
 * no member without suffix.
 */
function isGroup(
  key: string,
  forms: ReadonlyMap<string, Leaf>,
  singles: ReadonlyMap<string, Leaf>,
  options: ReadOptions,
): boolean {
  const said = options.isPlural?.(key, null);
  if (said !== undefined) return said;
  if (!forms.has("other") || singles.has(key)) return false;
  return forms.size > 1 || pluralPartCount(options.locale) === 1;
}

/** A single leaf's text: plural forms where its pipes make it so. */
export function textOfLeaf(key: string, value: string, rules: TreeRules, options: ReadOptions): Text {
  const said = options.isPlural?.(key, null);
  if (said === false) return { value };
  if (said === undefined && (!rules.pipes || !value.includes("|"))) return { value };
  const { parts } = splitPipes(value, !rules.pipes);
  if (said === undefined) {
    const count = pluralPartCount(options.sourceLocale);
    if (parts.length !== count || hasRanges(value)) return { value };
  }
  return { forms: formsOfParts(options.locale, parts) ?? { other: value } };
}

/** Entries and problems of a scanned file. */
export function readTree(tree: Tree, rules: TreeRules, options: ReadOptions): ReadResult {
  if (tree.root === null) return { entries: [], problems: tree.problems };
  const problems: Problem[] = [...tree.problems];
  const { singles, groups, shadowed } = holdingsOf(tree.root, rules, options);
  const placed: (readonly [number, Entry])[] = [];
  for (const leaf of shadowed) {
    const span = { start: leaf.member.start, end: leaf.member.end };
    problems.push({ code: "duplicate", message: "the key stands again further down", span, key: leaf.key });
  }
  for (const { key, leaves: forms } of groups.values()) {
    if (singles.has(key)) {
      const { start = 0, end = 0 } = singles.get(key)?.member ?? {};
      problems.push({
        code: "duplicate",
        message: "plural forms of the key stand beside it",
        span: { start, end },
        key,
      });
    }
    placed.push(groupEntry(key, forms));
  }
  for (const leaf of singles.values()) {
    const { node, nameSpan } = leaf.member;
    if (node.kind === "text") {
      if (groups.has(leaf.key)) continue;
      placed.push([
        node.start,
        {
          key: leaf.key,
          context: null,
          namespace: null,
          locale: null,
          source: null,
          text: textOfLeaf(leaf.key, node.value, rules, options),
          description: null,
          keySpan: nameSpan,
          valueSpan: { start: node.start, end: node.end },
          readOnly: node.readOnly,
        },
      ]);
    } else {
      const problem = problemOf(node);
      if (problem !== null) problems.push({ ...problem, key: leaf.key });
    }
  }
  placed.sort(([a], [b]) => a - b);
  problems.sort((a, b) => a.span.start - b.span.start);
  return { entries: placed.map(([, entry]) => entry), problems };
}

function groupEntry(key: string, forms: ReadonlyMap<string, Leaf>): readonly [number, Entry] {
  const texts: [string, string][] = [];
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  let keySpan: Span | undefined;
  let readOnly: ReadOnlyReason | null = null;
  for (const category of CATEGORIES) {
    const member = forms.get(category)?.member;
    if (member?.node.kind !== "text") continue;
    texts.push([category, member.node.value]);
    if (member.node.start < start) keySpan = member.nameSpan;
    start = Math.min(start, member.node.start);
    end = Math.max(end, member.node.end);
    readOnly ??= member.node.readOnly;
  }
  const text: Text = { forms: Object.fromEntries(texts) };
  const span = { start, end };
  return [
    start,
    {
      key,
      context: null,
      namespace: null,
      locale: null,
      source: null,
      text,
      description: null,
      keySpan: keySpan ?? span,
      valueSpan: span,
      readOnly,
    },
  ];
}

function problemOf(node: OtherNode | BranchNode): Problem | null {
  const span = { start: node.start, end: node.end };
  if (node.kind === "branch")
    return node.members.length === 0 ? null : { code: "type", message: "no text", span };
  if (node.reason === "empty") return null;
  if (node.reason === "type") return { code: "type", message: "no text", span };
  return { code: "expression", message: `not a plain text (${node.reason})`, span };
}
