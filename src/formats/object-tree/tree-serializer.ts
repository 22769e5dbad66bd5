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
  /** Returns a literal; `like` is the literal, as written, that it replaces or is inserted next to. */
  value(text: string, like: string | null): string;
  /** Returns the text before a value (`'name' => `); `like` are those of the members around it. */
  head(name: string, like: readonly string[]): string;
  /** Returns the brackets of a new branch inside one that starts with `like`. */
  brackets(like: string, list: boolean): readonly [string, string];
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
  readonly listsAreNameless: boolean;
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
  readonly likeHeads: readonly string[];
  /** Heads that the members of new branches follow; absent: none. */
  readonly innerHeads?: readonly string[];
  readonly likeValue: string | null;
  /** The opening bracket of the parent branch. */
  readonly likeBracket: string;
  /** The style of new comments; `null`: none are written. */
  readonly comments: CommentStyle | null;
}

/** Prints a member without its comma and indentation. `nameless`: it is a list item. */
export function printMember(name: string, node: NewNode, place: PrintContext, nameless: boolean): string {
  const head = nameless ? "" : place.style.head(name, place.likeHeads);
  return printOwnComment(node, place) + head + printNode(node, place);
}

function printOwnComment(node: NewNode, { comments, indent, newline }: PrintContext): string {
  if (comments === null || node.kind !== "text" || node.comment === undefined) return "";
  const lines = printComment(node.comment, comments, indent === null);
  return lines.map((line) => line + (indent === null ? " " : newline + indent)).join("");
}

export function printNode(node: NewNode, place: PrintContext): string {
  if (node.kind === "text") return place.style.value(node.value, place.likeValue);
  const list = isList(node.members);
  const [open, close] = place.style.brackets(place.likeBracket, list);
  const inside = node.inline === undefined ? place : { ...place, ...node.inline, indent: null };
  return open + printMembers(node.members, inside, list) + close;
}

/** Prints all members with the white space between the brackets. */
export function printMembers(
  members: ReadonlyMap<string, NewNode>,
  place: PrintContext,
  list: boolean,
): string {
  if (members.size === 0) return "";
  const inner = place.indent === null ? null : place.indent + place.unit;
  const at: PrintContext = { ...place, indent: inner, likeHeads: place.innerHeads ?? [] };
  const printed = [...members].map(([name, node]) => printMember(name, node, at, list));
  const { padding = "", gap = " " } = place;
  if (inner === null) return padding + printed.join(`,${gap}`) + padding;
  const comma = place.trailingComma ? "," : "";
  const before = place.newline + inner;
  return `${before}${printed.join(`,${before}`)}${comma}${place.newline}${place.indent}`;
}

/** Whether the names are those of a list: 0, 1, 2 and so on, in order. */
function isList(members: ReadonlyMap<string, NewNode>): boolean {
  let index = 0;
  for (const name of members.keys()) if (name !== String(index++)) return false;
  return index > 0;
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
    likeHeads: [],
    likeValue: null,
    likeBracket: bracket,
    comments,
  };
}

/** Prints a whole tree as the only value of a new file. */
export function printRoot(members: Map<string, NewNode>, place: PrintContext): string {
  const [open, close] = place.style.brackets(place.likeBracket, false);
  return open + printMembers(members, place, false) + close;
}

/** A key segment that may be a separate name: sentences with full stops are not split. */
const SEGMENT = /^[^\s.]+$/u;

/** Whether the key may be split at its dots. */
export function isSplittable(key: string): boolean {
  return key.includes(".") && key.split(".").every((segment) => SEGMENT.test(segment));
}

/**
 * Adds a text with a dotted key, nested if `nested` and the key allow it; a key that would be nested in a text stays
 * a flat name. Returns `false` if the name is taken.
 */
export function putKey(members: Map<string, NewNode>, key: string, text: NewText, nested: boolean): boolean {
  const segments = nested && isSplittable(key) ? key.split(".") : [key];
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
