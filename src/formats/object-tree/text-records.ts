/**
 * Files whose texts are records with a description: FormatJS's extracted messages (`defaultMessage`, `description`)
 * and their kin. Each record is read as one text with the record's name, and new texts are written as such records.
 */
import type { NewNode, NewText } from "./tree-serializer.ts";
import type { BranchNode, Member, TextNode, Tree, TreeNode } from "./value-tree.ts";

/** The members of a record. */
interface RecordShape {
  readonly text: string;
  readonly description: string;
  /** Further members that such records have. */
  readonly others: ReadonlySet<string>;
  /** Whether `text` alone shows that it is such a record. */
  readonly isDistinct: boolean;
}

const SHAPES: readonly RecordShape[] = [
  // FormatJS, also with the places of the messages in the code.
  {
    text: "defaultMessage",
    description: "description",
    others: new Set(["id", "file", "start", "end", "line", "col"]),
    isDistinct: true,
  },
  // Transifex' structured JSON.
  {
    text: "string",
    description: "developer_comment",
    others: new Set(["context", "character_limit"]),
    isDistinct: false,
  },
  // Lingui.
  {
    text: "translation",
    description: "description",
    others: new Set(["origin", "defaults", "message", "comments", "obsolete", "flags"]),
    isDistinct: false,
  },
  // Browser extensions.
  { text: "message", description: "description", others: new Set(["placeholders"]), isDistinct: false },
];

/** The names that a file's records have for the text and its description. */
export interface TextRecord extends Pick<RecordShape, "text" | "description"> {
  /** Whether the file has its records on one line each. */
  readonly isInline: boolean;
}

/** Returns the tree with a text in the place of each record, if the whole file has records of one shape. */
export function withTextRecords(text: string, tree: Tree): Tree {
  const { root } = tree;
  if (root === null || root.members.length === 0) return tree;
  const shape = SHAPES.find((each) => consistsOf(root, each) && isCertain(root, each));
  if (shape === undefined) return tree;
  const descriptions = new Map<Member, string>();
  const collapsed = collapse(root, shape, descriptions);
  const { start, end } = root.members[0] ?? root;
  const isInline = !/[\r\n]/u.test(text.slice(start, end));
  const record = { text: shape.text, description: shape.description, isInline };
  return { ...tree, root: collapsed, record, descriptions };
}

function memberOf({ members }: BranchNode, name: string): TreeNode | undefined {
  return members.find((member) => member.name === name)?.node;
}

function isRecord(node: BranchNode, { text, description, others }: RecordShape): boolean {
  const value = memberOf(node, text);
  return (
    value?.kind === "text" &&
    node.members.every(({ name }) => name === text || name === description || others.has(name))
  );
}

/** Whether the branch has records, directly or in groups, and nothing else. */
function consistsOf(branch: BranchNode, shape: RecordShape): boolean {
  return branch.members.every(
    ({ node, named }) =>
      named && node.kind === "branch" && (isRecord(node, shape) || consistsOf(node, shape)),
  );
}

/** Whether one of the records has more than a text, which a group of texts might have too. */
function isCertain(branch: BranchNode, shape: RecordShape): boolean {
  return branch.members.some(({ node }) => {
    if (node.kind !== "branch") return false;
    return isRecord(node, shape) ? shape.isDistinct || node.members.length > 1 : isCertain(node, shape);
  });
}

function collapse(branch: BranchNode, shape: RecordShape, descriptions: Map<Member, string>): BranchNode {
  const members = branch.members.map((member): Member => {
    const { node } = member;
    if (node.kind !== "branch") return member;
    if (!isRecord(node, shape)) return { ...member, node: collapse(node, shape, descriptions) };
    const collapsed = { ...member, node: memberOf(node, shape.text) as TextNode };
    const description = memberOf(node, shape.description);
    if (description?.kind === "text" && description.value !== "")
      descriptions.set(collapsed, description.value);
    return collapsed;
  });
  return { ...branch, members };
}

/**
 * Returns the members with a record in the place of each text. `areAll`: whether the file has no others, so that one of
 * them must show that it is a record; an empty description does.
 */
export function asTextRecords(
  members: ReadonlyMap<string, NewNode>,
  record: TextRecord,
  areAll: boolean,
): Map<string, NewNode> {
  const isDistinct = SHAPES.some((shape) => shape.text === record.text && shape.isDistinct);
  const isShown = isDistinct || !areAll || [...members.values()].some(isDescribed);
  const all = [...members].map(([name, node], index): [string, NewNode] => {
    return [name, asRecord(isShown || index > 0 ? node : describedFirst(node), record)];
  });
  return new Map(all);
}

function isDescribed(node: NewNode): boolean {
  if (node.kind === "text") return node.comment !== undefined;
  return [...node.members.values()].some(isDescribed);
}

/** Returns the node with an empty description of its first text. */
function describedFirst(node: NewNode): NewNode {
  if (node.kind === "text") return { ...node, comment: "" };
  const members = [...node.members].map(([name, each], index): [string, NewNode] => {
    return [name, index === 0 ? describedFirst(each) : each];
  });
  return { ...node, members: new Map(members) };
}

function asRecord(node: NewNode, record: TextRecord): NewNode {
  if (node.kind === "text") return newRecord(node, record);
  const members = new Map([...node.members].map(([name, each]) => [name, asRecord(each, record)]));
  return { ...node, members };
}

function newRecord({ value, comment }: NewText, { text, description, isInline }: TextRecord): NewNode {
  const members = new Map<string, NewNode>([[text, { kind: "text", value }]]);
  if (comment !== undefined) members.set(description, { kind: "text", value: comment });
  return isInline ? { kind: "branch", members, inline: { padding: " " } } : { kind: "branch", members };
}
