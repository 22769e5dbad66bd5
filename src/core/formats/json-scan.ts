/**
 * JSON text to a tree with places. Comments and trailing commas are taken, so that a hand-kept file is not lost
 * over them; whether they may be written is not decided here.
 */
import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import type { Problem } from "./format.ts";
import { type BranchNode, MAX_DEPTH, type Member, type Tree, type TreeNode } from "./tree.ts";

interface OpenBranch {
  readonly start: number;
  readonly list: boolean;
  readonly members: Member[];
  name: { readonly text: string; readonly start: number; readonly end: number } | null;
}

/** Scans the whole text. Never throws; what cannot be understood is a `syntax` problem and leaves `sound` false. */
export function scanJson(text: string): Tree {
  const tooDeep = deepAt(text);
  if (tooDeep !== null) {
    const span = { start: tooDeep, end: tooDeep + 1 };
    const message = `nested deeper than ${MAX_DEPTH}`;
    return { root: null, problems: [{ code: "syntax", message, span }], sound: false };
  }
  const problems: Problem[] = [];
  const open: OpenBranch[] = [];
  let root: TreeNode | null = null;

  const place = (node: TreeNode): void => {
    const parent = open[open.length - 1];
    if (parent === undefined) {
      root ??= node;
    } else if (parent.list) {
      const { start, end } = node;
      const name = String(parent.members.length);
      parent.members.push({ name, nameSpan: { start, end }, named: false, node, start, end });
    } else if (parent.name !== null) {
      const { text: name, start, end } = parent.name;
      const nameSpan = { start: start + 1, end: end - 1 };
      parent.members.push({ name, nameSpan, named: true, node, start, end: node.end });
      parent.name = null;
    }
  };
  const begin = (start: number, list: boolean): void => {
    open.push({ start, list, members: [], name: null });
  };
  const finish = (end: number): void => {
    const branch = open.pop();
    if (branch === undefined) return;
    place({ kind: "branch", start: branch.start, end, open: branch.start + 1, members: branch.members });
  };

  visit(
    text,
    {
      onObjectBegin: (offset) => begin(offset, false),
      onArrayBegin: (offset) => begin(offset, true),
      onObjectProperty: (name, offset, length) => {
        const branch = open[open.length - 1];
        if (branch !== undefined) branch.name = { text: name, start: offset, end: offset + length };
      },
      onObjectEnd: (offset, length) => finish(offset + length),
      onArrayEnd: (offset, length) => finish(offset + length),
      onLiteralValue: (value: unknown, start, length) => {
        const end = start + length;
        if (typeof value === "string") place({ kind: "text", value, start, end, readOnly: null });
        else place({ kind: "other", reason: value === null ? "empty" : "type", start, end });
      },
      onError: (error: ParseErrorCode, start, length) => {
        const message = printParseErrorCode(error);
        problems.push({ code: "syntax", message, span: { start, end: start + length } });
      },
    },
    { allowTrailingComma: true },
  );
  // An unclosed file: what was read of it is kept, and nothing of it may be changed.
  while (open.length > 0) finish(text.length);
  return finished(root, problems);
}

function finished(root: TreeNode | null, problems: readonly Problem[]): Tree {
  if (root === null || root.kind !== "branch") {
    const span = { start: root?.start ?? 0, end: root?.end ?? 0 };
    const none: Problem = { code: "syntax", message: "no object", span };
    return { root: null, problems: problems.length > 0 ? problems : [none], sound: false };
  }
  return { root: root satisfies BranchNode, problems, sound: problems.length === 0 };
}

/** Where nesting gets too deep for the reader; looks at brackets outside of strings and comments. */
function deepAt(text: string): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = stringEnd(text, at);
        break;
      case 0x2f: // /
        at = commentEnd(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return at;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      default:
    }
  }
  return null;
}

/** Offset of the closing quote, or of the line's end before it: a JSON string never spans lines. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22 || code === 0x0a || code === 0x0d) return at;
  }
  return text.length;
}

/** Offset of a comment's last character; `start` itself when no comment begins there. */
function commentEnd(text: string, start: number): number {
  const next = text[start + 1];
  if (next === "/") {
    const end = text.indexOf("\n", start);
    return end < 0 ? text.length : end;
  }
  if (next !== "*") return start;
  const end = text.indexOf("*/", start + 2);
  return end < 0 ? text.length : end + 1;
}
