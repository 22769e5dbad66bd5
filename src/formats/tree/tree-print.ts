/**
 * New values of a tree as text: members of a whole new file, or of an edit. How one syntax writes names, texts
 * and brackets is the format's (`TreeSyntax`); where they go is not decided here.
 */
import { type CommentStyle, printComment } from "../comments.ts";

/** A value that is not in the file yet. */
export type NewNode =
  | { readonly kind: "text"; readonly value: string; readonly comment?: string }
  | { readonly kind: "branch"; readonly members: Map<string, NewNode> };

export type NewText = Extract<NewNode, { readonly kind: "text" }>;

/** A new text, with what is said of it. */
export function newText(value: string, description: string | null | undefined): NewText {
  const comment = description?.trim() ?? "";
  return comment === "" ? { kind: "text", value } : { kind: "text", value, comment };
}

/** What one syntax (PHP, JSON) writes; made for one file, whose habits it follows. */
export interface TreeStyle {
  /** A literal of the text; `like` is the literal that it replaces or stands beside, as written. */
  value(text: string, like: string | null): string;
  /** What stands before a value (`'name' => `); `like` are the same stretches of the members around. */
  head(name: string, like: readonly string[]): string;
  /** Brackets of a new branch inside one that begins with `like`. */
  brackets(like: string, list: boolean): readonly [string, string];
  /** Whether an array that has no member yet gets a comma after its last one. */
  readonly trailingComma: boolean;
  /** Indentation of one level, where the file shows none. */
  readonly unit: string;
}

/** One syntax of trees. */
export interface TreeSyntax {
  /** After white space and comments. */
  skipTrivia(text: string, offset: number): number;
  /** Whether every item of a `[…]` must go without a name (JSON), or may have one (PHP). */
  readonly listsAreNameless: boolean;
  /** Whether a new entry's description is written as a comment; absent: never, as the syntax knows none. */
  readonly comments?: "always" | "if-present";
  styleOf(text: string): TreeStyle;
}

/** Where new members are put, and in the manner of what. */
export interface PrintContext {
  readonly style: TreeStyle;
  readonly newline: string;
  readonly unit: string;
  /** Indentation of the member itself; `null`: everything on one line. */
  readonly indent: string | null;
  /** Between members of one line, behind the comma; absent: a blank. */
  readonly gap?: string;
  /** Inside the brackets of a branch of one line; absent: nothing. */
  readonly padding?: string;
  readonly trailingComma: boolean;
  readonly likeHeads: readonly string[];
  /** The same for the members of new branches; absent: none. */
  readonly innerHeads?: readonly string[];
  readonly likeValue: string | null;
  /** The opening bracket of the branch around. */
  readonly likeBracket: string;
  /** How a new member's comment is written; `null`: not at all. */
  readonly comments: CommentStyle | null;
}

/** One member without comma and without the indentation before it. `nameless`: an item of a list. */
export function printMember(name: string, node: NewNode, place: PrintContext, nameless: boolean): string {
  const head = nameless ? "" : place.style.head(name, place.likeHeads);
  return printOwnComment(node, place) + head + printNode(node, place);
}

function printOwnComment(node: NewNode, { comments, indent, newline }: PrintContext): string {
  if (comments === null || node.kind !== "text" || node.comment === undefined) return "";
  const lines = printComment(node.comment, comments, indent === null);
  return lines.map((line) => line + (indent === null ? " " : newline + indent)).join("");
}

function printNode(node: NewNode, place: PrintContext): string {
  if (node.kind === "text") return place.style.value(node.value, place.likeValue);
  const list = isList(node.members);
  const [open, close] = place.style.brackets(place.likeBracket, list);
  return open + printMembers(node.members, place, list) + close;
}

/** All members with the white space between the brackets. */
function printMembers(members: ReadonlyMap<string, NewNode>, place: PrintContext, list: boolean): string {
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

/** Whether the names are those of a list: 0, 1, 2 and so on, in this order. */
function isList(members: ReadonlyMap<string, NewNode>): boolean {
  let index = 0;
  for (const name of members.keys()) if (name !== String(index++)) return false;
  return index > 0;
}

/** How a whole new file is printed that follows no other; `bracket`: the one that opens its root. */
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

/** A whole tree as the one value of a new file. */
export function printRoot(members: Map<string, NewNode>, place: PrintContext): string {
  const [open, close] = place.style.brackets(place.likeBracket, false);
  return open + printMembers(members, place, false) + close;
}

/** A segment of a key that may be a name of its own: a sentence with a full stop in it is not split there. */
const SEGMENT = /^[^\s.]+$/u;

/** Whether the key may be taken apart at its dots. */
export function isSplittable(key: string): boolean {
  return key.includes(".") && key.split(".").every((segment) => SEGMENT.test(segment));
}

/**
 * Puts a text under a dotted key, nesting where `nested` and the key allow it; a key that would have to nest
 * under a text stays one flat name. `false` when the name is taken.
 */
export function putKey(members: Map<string, NewNode>, key: string, text: NewText, nested: boolean): boolean {
  const segments = nested && isSplittable(key) ? key.split(".") : [key];
  let branch = members;
  for (const segment of segments.slice(0, -1)) {
    const next = branch.get(segment);
    if (next === undefined) {
      const created: NewNode = { kind: "branch", members: new Map() };
      branch.set(segment, created);
      branch = created.members;
    } else if (next.kind === "branch") {
      branch = next.members;
    } else {
      return putFlat(members, key, text);
    }
  }
  const name = segments[segments.length - 1] ?? key;
  if (!branch.has(name)) return putFlat(branch, name, text);
  return putFlat(members, key, text);
}

function putFlat(members: Map<string, NewNode>, name: string, text: NewText): boolean {
  if (members.has(name)) return false;
  members.set(name, text);
  return true;
}
