/**
 * Changes of the project file that a person asked for (a profile to remember, a key to keep): one value is set,
 * everything else keeps its bytes. Nothing is written here.
 */
import { applySplices } from "./formats/edit.ts";
import { scanJson } from "./formats/json/json-scan.ts";
import { jsonSyntax } from "./formats/json/json-tree.ts";
import { fileNewline, indentUnit, lineStart, skipBlanks } from "./formats/style.ts";
import type { BranchNode, Member, TreeNode } from "./formats/tree/tree.ts";
import type { Insertion, TreePlan } from "./formats/tree/tree-plan.ts";
import type { NewNode, TreeSyntax } from "./formats/tree/tree-print.ts";
import { renderPlan } from "./formats/tree/tree-render.ts";

const json = jsonSyntax("  ");

/** New values come as finished JSON and not as texts to be quoted. */
const rawJson: TreeSyntax = {
  ...json,
  styleOf: (text) => ({ ...json.styleOf(text), value: (literal) => literal }),
};

/**
 * The file's text with one value (what JSON can say) set; `undefined` takes it out. Objects on the way are made, and `-1` at the
 * path's end appends to a list. An empty text becomes a new file. `null` when the file cannot be understood.
 */
export function setInProjectFile(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
): string | null {
  const start = text.trim() === "" ? "{}\n" : text;
  const { root, sound } = scanJson(start);
  if (root === null || !sound || path.length === 0) return null;
  const plan = planValue(start, root, path, value);
  return plan === null ? null : applySplices(start, renderPlan(start, root, plan, rawJson));
}

function planValue(
  text: string,
  root: BranchNode,
  path: readonly (string | number)[],
  value: unknown,
): TreePlan | null {
  let branch = root;
  for (const [index, part] of path.entries()) {
    const name = part === -1 ? String(branch.members.length) : String(part);
    const member = branch.members.findLast((other) => other.name === name);
    const rest = path.slice(index + 1);
    if (member === undefined) {
      return value === undefined ? planOf({}) : planOf({ insert: [branch, insertionOf(name, rest, value)] });
    }
    if (rest.length === 0) {
      if (value === undefined) return planOf({ remove: member });
      return planOf({ replace: [member.node, printed(text, member, value)] });
    }
    if (member.node.kind !== "branch") return null;
    branch = member.node;
  }
  return null;
}

/** A plan of one step. */
function planOf(step: {
  readonly replace?: readonly [TreeNode, string];
  readonly insert?: readonly [BranchNode, Insertion];
  readonly remove?: Member;
}): TreePlan {
  const { replace, insert, remove } = step;
  return {
    replace: new Map(replace === undefined ? [] : [replace]),
    insert: new Map(insert === undefined ? [] : [[insert[0], [insert[1]]]]),
    remove: new Set(remove === undefined ? [] : [remove]),
    emptied: new Set(),
    refused: [],
  };
}

function insertionOf(name: string, rest: readonly (string | number)[], value: unknown): Insertion {
  const wrapped = rest.reduceRight<unknown>(
    (inner, part) => (typeof part === "number" ? [inner] : { [part]: inner }),
    value,
  );
  return { name, node: nodeOf(wrapped), near: null };
}

function nodeOf(value: unknown): NewNode {
  const all: [string, unknown][] = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const members = all.filter(([, member]) => member !== undefined);
  if (members.length === 0) return { kind: "text", value: JSON.stringify(value) };
  return { kind: "branch", members: new Map(members.map(([name, member]) => [name, nodeOf(member)])) };
}

/** A value in place of another, in lines that stand as deep as the one it begins on. */
function printed(text: string, member: Member, value: unknown): string {
  const line = lineStart(text, member.start);
  const indent = text.slice(line, skipBlanks(text, line));
  return JSON.stringify(value, null, indentUnit(text) ?? "  ").replaceAll("\n", fileNewline(text) + indent);
}
