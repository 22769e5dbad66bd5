/**
 * Prints new values of a tree, for new files and for edits. The syntax of names, texts and brackets is up to the
 * format (`TreeSyntax`); the caller decides where the values go.
 */
import { getOrCreate } from "../../util/maps.ts";
import { type CommentStyle, printComment } from "../text/code-comments.ts";

/** A value to be added to the file. */
export type NewNode =
  | { readonly kind: "text"; readonly value: string; readonly comment?: string }
  | {
      readonly kind: "branch";
      readonly members: Map<string, NewNode>;
      /** Set if the branch is on one line wherever it is inserted. */
      readonly inline?: InlineSpacing;
    };

/** White space of a branch on one line. */
export interface InlineSpacing {
  /** After the comma between members; absent: a space. */
  readonly gap?: string;
  /** Inside the brackets; absent: none. */
  readonly padding?: string;
}

export type NewText = Extract<NewNode, { readonly kind: "text" }>;

/** Returns a new text with its description. */
export function newText(value: string, description: string | null | undefined): NewText {
  const comment = description?.trim() ?? "";
  return comment === "" ? { kind: "text", value } : { kind: "text", value, comment };
}

/** How a syntax (PHP, JSON) is written in the style of one file. */
export interface TreeStyle {
  /** Returns a literal; `example`: the literal, as written, that it replaces or is inserted next to. */
  value(text: string, example: string | null): string;
  /** Returns the text before a value (`'name' => `); `examples`: those of the members around it, the nearest first. */
  head(name: string, examples: readonly string[]): string;
  /** Returns the brackets of a new branch; `parentBracket`: the opening bracket of the branch around it. */
  brackets(parentBracket: string, isList: boolean): readonly [string, string];
  /** Whether an array that was empty gets a trailing comma. */
  readonly trailingComma: boolean;
  /** Indentation of one level, if the file shows none. */
  readonly unit: string;
}

/** A syntax of trees. */
export interface TreeSyntax {
  /** Returns the offset after white space and comments. */
  skipTrivia(text: string, offset: number): number;
  /** Whether the items of a `[…]` cannot have names (JSON), or may have them (PHP). */
  readonly hasNamelessLists: boolean;
  /** Whether a new entry's description is written as a comment; absent: never, since the syntax has no comments. */
  readonly comments?: "always" | "if-present";
  styleOf(text: string): TreeStyle;
}

/** Position and style of new members. */
export interface PrintContext extends InlineSpacing {
  readonly style: TreeStyle;
  readonly newline: string;
  readonly unit: string;
  /** Indentation of the member; `null`: everything on one line. */
  readonly indent: string | null;
  readonly trailingComma: boolean;
  readonly neighbourHeads: readonly string[];
  /** Heads that the members of new branches follow; absent: none. */
  readonly nestedHeads?: readonly string[];
  readonly neighbourValue: string | null;
  /** The opening bracket of the parent branch. */
  readonly parentBracket: string;
  /** The style of new comments; `null`: none are written. */
  readonly comments: CommentStyle | null;
}

/** Prints a member without its comma and indentation. */
export function printMember(name: string, node: NewNode, context: PrintContext, isListItem: boolean): string {
  const head = isListItem ? "" : context.style.head(name, context.neighbourHeads);
  return printDescription(node, context) + head + printNode(node, context);
}

function printDescription(node: NewNode, { comments, indent, newline }: PrintContext): string {
  if (comments === null || node.kind !== "text" || node.comment === undefined) return "";
  const lines = printComment(node.comment, comments, indent === null);
  return lines.map((line) => line + (indent === null ? " " : newline + indent)).join("");
}

function printNode(node: NewNode, context: PrintContext): string {
  if (node.kind === "text") return context.style.value(node.value, context.neighbourValue);
  const isList = isListOf(node.members);
  const [open, close] = context.style.brackets(context.parentBracket, isList);
  const inside = node.inline === undefined ? context : { ...context, ...node.inline, indent: null };
  return open + printMembers(node.members, inside, isList) + close;
}

/** Prints all members with the white space between the brackets. */
export function printMembers(
  members: ReadonlyMap<string, NewNode>,
  context: PrintContext,
  isList: boolean,
): string {
  if (members.size === 0) return "";
  const innerIndent = context.indent === null ? null : context.indent + context.unit;
  const inside: PrintContext = { ...context, indent: innerIndent, neighbourHeads: context.nestedHeads ?? [] };
  const printed = [...members].map(([name, node]) => printMember(name, node, inside, isList));
  const { padding = "", gap = " " } = context;
  if (innerIndent === null) return padding + printed.join(`,${gap}`) + padding;
  const comma = context.trailingComma ? "," : "";
  const before = context.newline + innerIndent;
  return `${before}${printed.join(`,${before}`)}${comma}${context.newline}${context.indent}`;
}

/** Whether the names are 0, 1, 2 and so on, in order. */
function isListOf(members: ReadonlyMap<string, NewNode>): boolean {
  return members.size > 0 && [...members.keys()].every((name, index) => name === String(index));
}

/** Returns how to print a new file without an example; `bracket`: the opening bracket of its root. */
export function defaultPrintContext(
  style: TreeStyle,
  bracket: string,
  comments: CommentStyle | null = null,
): PrintContext {
  return {
    style,
    newline: "\n",
    unit: style.unit,
    indent: "",
    trailingComma: style.trailingComma,
    neighbourHeads: [],
    neighbourValue: null,
    parentBracket: bracket,
    comments,
  };
}

/** Prints a whole tree as the only value of a new file. */
export function printRoot(members: Map<string, NewNode>, context: PrintContext): string {
  const [open, close] = context.style.brackets(context.parentBracket, false);
  return open + printMembers(members, context, false) + close;
}

/** A key segment that may be a separate name: sentences with full stops are not split. */
const SEGMENT = /^[^\s.]+$/u;

/** Whether the key may be split at its dots. */
export function isSplittable(key: string): boolean {
  return key.split(".").every((segment) => SEGMENT.test(segment));
}

/**
 * Adds a text with a dotted key, nested if `isNested` and the key allow it; a key that would be nested in a text stays
 * a flat name. Returns `false` if the name is taken.
 */
export function putKey(
  members: Map<string, NewNode>,
  key: string,
  text: NewText,
  isNested: boolean,
): boolean {
  const segments = isNested && isSplittable(key) ? key.split(".") : [key];
  const name = segments.pop() ?? key;
  let branch = members;
  for (const segment of segments) {
    const next = getOrCreate(branch, segment, (): NewNode => ({ kind: "branch", members: new Map() }));
    if (next.kind === "text") return putFlat(members, key, text);
    branch = next.members;
  }
  return putFlat(branch, name, text) || putFlat(members, key, text);
}

function putFlat(members: Map<string, NewNode>, name: string, text: NewText): boolean {
  if (members.has(name)) return false;
  members.set(name, text);
  return true;
}
