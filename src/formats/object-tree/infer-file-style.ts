/** Files whose style an edited or new file follows where its own text leaves a choice. */
import type { ReadOptions } from "../format.ts";
import { fileNewline, indentUnit, lineStart } from "../text/lines-and-indentation.ts";
import { BranchLayout } from "./commas-and-comments.ts";
import type { PrintContext, TreeSyntax } from "./tree-serializer.ts";
import { type BranchNode, type Names, type Tree } from "./value-tree.ts";

/** A scanned file with at least one member. */
export interface TreeExample {
  readonly text: string;
  readonly root: BranchNode;
  readonly locale: string;
  /** As in `Tree`. */
  readonly record?: Tree["record"];
}

/** Returns the examples in the options, scanned on first use. */
export function examplesOf(
  { examples = [] }: ReadOptions,
  scan: (text: string) => Tree,
): () => readonly TreeExample[] {
  let known: readonly TreeExample[] | null = null;
  return () =>
    (known ??= examples.flatMap(({ text, locale }) => {
      const { root, isEditable, record } = scan(text);
      return root === null || !isEditable || root.members.length === 0
        ? []
        : [{ text, root, locale, ...(record === undefined ? {} : { record }) }];
    }));
}

/** Returns how to print the members of a new file that follows the example. */
export function printContextLike({ text, root }: TreeExample, syntax: TreeSyntax): PrintContext {
  const style = syntax.styleOf(text);
  const [first] = root.members;
  const isOneLine = !/[\r\n]/u.test(text.slice(root.start, root.end));
  // PHP's heads are aligned with their own neighbours, so those of another file are no example.
  const heads = syntax.hasNamelessLists
    ? root.members
        .filter((member) => member.named)
        .slice(0, 3)
        .map((member) => text.slice(member.start, member.node.start))
    : [];
  return {
    style,
    newline: fileNewline(text),
    unit: unitOf(text, root) ?? style.unit,
    indent: isOneLine ? null : "",
    gap: isOneLine && /^,\S/u.test(text.slice(first?.end)) ? "" : " ",
    padding:
      isOneLine && text.slice(root.open, first?.start).trim() === ""
        ? text.slice(root.open, first?.start)
        : "",
    trailingComma: new BranchLayout(text, root, syntax).trailingComma,
    neighbourHeads: heads,
    nestedHeads: heads,
    neighbourValue: null,
    parentBracket: text.slice(root.start, root.open),
    comments: null,
  };
}

/** Returns the indentation of one level: that of the root's first member relative to the root's line. */
export function unitOf(text: string, root: BranchNode): string | undefined {
  const first = root.members[0];
  if (first === undefined) return undefined;
  const indent = text.slice(lineStart(text, first.start), first.start);
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, root.start), root.start))?.[0] ?? "";
  if (/^[ \t]+$/.test(indent) && indent.startsWith(outer) && indent !== outer)
    return indent.slice(outer.length);
  return indentUnit(text);
}

/**
 * Whether a dotted key is written as a flat name in these branches: dotted names start with the same segment, or
 * there are some and nothing is nested. `undefined` if neither is the case.
 */
export function writesFlat(branches: Iterable<Names>, key: string): boolean | undefined {
  for (const { nested, dottedHeads } of branches) {
    if (dottedHeads.has(key.split(".", 1)[0] ?? key)) return true;
    if (nested) return false;
    if (dottedHeads.size > 0) return true;
  }
  return undefined;
}
