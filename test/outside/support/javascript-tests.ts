/** Reads the JavaScript and TypeScript tests of other projects: their string literals, and the calls that have them. */
import { readFileSync } from "node:fs";
import { parse, type ParserOptions } from "@babel/parser";

interface SyntaxNode {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** A call with a plain name or a method's name. */
export interface TestCall {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly arguments: readonly SyntaxNode[];
  /** The calls that it is within, from the outermost. */
  readonly within: readonly TestCall[];
}

const OPTIONS: ParserOptions = { sourceType: "module", plugins: ["typescript", "jsx"], errorRecovery: true };

/** Returns the syntax tree of a file. */
export function parseTest(file: string): SyntaxNode {
  return parse(readFileSync(file, "utf8"), OPTIONS).program as unknown as SyntaxNode;
}

function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/** Returns the text of a string or of a template without expressions; `null` for anything else. */
export function textOf(node: SyntaxNode | undefined): string | null {
  if (node?.type === "StringLiteral") return node["value"] as string;
  if (node?.type !== "TemplateLiteral") return null;
  const parts = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
  return parts.length === 1 ? (parts[0]?.value.cooked ?? null) : null;
}

/** Returns the texts of all literals in the node, in order. */
export function textsIn(node: SyntaxNode): readonly string[] {
  const text = textOf(node);
  return text === null ? childrenOf(node).flatMap(textsIn) : [text];
}

/** Returns the calls of the functions or methods of these names in the node, in order. */
export function callsIn(
  node: SyntaxNode,
  names: ReadonlySet<string>,
  within: readonly TestCall[] = [],
): readonly TestCall[] {
  const found: TestCall[] = [];
  let around = within;
  if (node.type === "CallExpression" || node.type === "NewExpression") {
    const callee = node["callee"] as SyntaxNode;
    const identifier = callee.type === "MemberExpression" ? (callee["property"] as SyntaxNode) : callee;
    const call: TestCall = {
      name: typeof identifier["name"] === "string" ? identifier["name"] : "",
      node,
      arguments: node["arguments"] as readonly SyntaxNode[],
      within,
    };
    if (names.has(call.name)) found.push(call);
    around = [...within, call];
  }
  return [...found, ...childrenOf(node).flatMap((child) => callsIn(child, names, around))];
}

/** Returns the outermost object literals in the node that have the property, in order. */
export function objectsIn(node: SyntaxNode, property: string): readonly SyntaxNode[] {
  const value = node.type === "ObjectExpression" ? valueOf(node) : undefined;
  const isFound = typeof value === "object" && value !== null && property in value;
  return isFound ? [node] : childrenOf(node).flatMap((child) => objectsIn(child, property));
}

/** Returns the first value of a variable of that name in the node. */
export function variableIn(node: SyntaxNode, name: string): SyntaxNode | undefined {
  const { id } = node as { readonly id?: unknown };
  if (node.type === "VariableDeclarator" && isNode(id) && id["name"] === name)
    return node["init"] as SyntaxNode;
  for (const child of childrenOf(node)) {
    const found = variableIn(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the value of an expression of literals; `undefined` for any other part. */
export function valueOf(node: SyntaxNode | undefined): unknown {
  switch (node?.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node["value"];
    case "NullLiteral":
      return null;
    case "TemplateLiteral":
      return textOf(node) ?? undefined;
    case "ArrayExpression":
      return (node["elements"] as readonly SyntaxNode[]).map(valueOf);
    case "BinaryExpression":
      return `${String(valueOf(node["left"] as SyntaxNode))}${String(valueOf(node["right"] as SyntaxNode))}`;
    case "ObjectExpression":
      return Object.fromEntries(
        (node["properties"] as readonly SyntaxNode[])
          .filter(({ type }) => type === "ObjectProperty")
          .map((property) => {
            const key = property["key"] as SyntaxNode;
            return [String(key["name"] ?? key["value"]), valueOf(property["value"] as SyntaxNode)];
          }),
      );
    default:
      return undefined;
  }
}
