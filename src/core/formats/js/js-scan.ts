/**
 * A module that exports an object, to a tree with places. Literals are read, and texts that are joined of them; any
 * other expression is told and left alone. Nothing is ever executed.
 */
import type { Problem, Span } from "../format.ts";
import {
  type BranchNode,
  MAX_DEPTH,
  type Member,
  type OtherNode,
  type TextNode,
  type Tree,
  type TreeNode,
  withoutWriting,
} from "../tree/tree.ts";
import { exportedObject, frozen, type ObjectLiteral, unwrapped } from "./js-export.ts";
import { type Expression, parseModule } from "./js-parser.ts";

type ArrayLiteral = Extract<Expression, { readonly type: "ArrayExpression" }>;
type Property = ObjectLiteral["properties"][number];

/** Scans the whole text. Never throws; a file with an error in it leaves `sound` false. */
export function scanModule(text: string): Tree {
  const { program, errors } = parseModule(text);
  const problems: Problem[] = errors.map(({ message, offset }) => {
    const start = Math.min(offset, text.length);
    return { code: "syntax", message, span: { start, end: Math.min(start + 1, text.length) } };
  });
  if (program === null) return { root: null, problems, sound: false };
  const exported = exportedObject(program);
  if (exported.kind !== "object") {
    problems.push(withoutObject(exported, text));
    return { root: null, problems, sound: false };
  }
  const scan = new ModuleScan(text, problems);
  const root = scan.object(exported.object);
  return { root, problems, sound: errors.length === 0 && !scan.tooDeep };
}

function withoutObject(
  exported: Exclude<ReturnType<typeof exportedObject>, { readonly kind: "object" }>,
  text: string,
): Problem {
  if (exported.kind === "none") {
    return {
      code: "syntax",
      message: "no object is exported",
      span: { start: text.length, end: text.length },
    };
  }
  const span = { start: exported.start, end: exported.end };
  if (exported.kind === "several") return { code: "syntax", message: "several objects are exported", span };
  return { code: "expression", message: "what is exported is no object literal", span };
}

class ModuleScan {
  readonly #text: string;
  readonly #problems: Problem[];
  #depth = 0;
  /** Something stood deeper than is read. */
  tooDeep = false;

  constructor(text: string, problems: Problem[]) {
    this.#text = text;
    this.#problems = problems;
  }

  object(literal: ObjectLiteral): BranchNode {
    const span = spanOf(literal);
    const members: Member[] = [];
    /** Members before this one may be replaced by what only the running program knows. */
    let uncertain = 0;
    for (const property of literal.properties) {
      const member = this.#member(property);
      if (member.unknown === true) uncertain = members.length;
      members.push(member);
    }
    const known = members.map((member, index) =>
      index < uncertain && member.unknown !== true
        ? { ...member, node: withoutWriting(member.node) }
        : member,
    );
    return { kind: "branch", ...span, open: span.start + 1, members: known };
  }

  #member(property: Property): Member {
    const span = spanOf(property);
    const name = property.type === "SpreadElement" ? null : nameOf(property);
    if (property.type === "SpreadElement" || name === null) {
      const what =
        property.type === "SpreadElement" ? "what is spread here" : "an entry whose key is not known";
      this.#problems.push({ code: "expression", message: `${what} is not read`, span });
      const named = property.type !== "SpreadElement";
      return { name: "", nameSpan: span, named, unknown: true, node: code(span), ...span };
    }
    const nameSpan = this.#nameSpan(spanOf(property.key));
    const isValue = property.type === "ObjectProperty" && !property.shorthand;
    const node = isValue ? this.#value(property.value as Expression) : code(span);
    return { name, nameSpan, named: true, node, ...span };
  }

  /** Inside its quotes. */
  #nameSpan({ start, end }: Span): Span {
    const first = this.#text[start];
    return first === '"' || first === "'" || first === "`"
      ? { start: start + 1, end: end - 1 }
      : { start, end };
  }

  #array(literal: ArrayLiteral): BranchNode {
    const span = spanOf(literal);
    const members: Member[] = [];
    let isCountable = true;
    for (const [index, element] of literal.elements.entries()) {
      // A hole has no place of its own; what follows has its index all the same.
      if (element === null) continue;
      const place = spanOf(element);
      if (element.type === "SpreadElement") {
        isCountable = false;
        this.#problems.push({ code: "expression", message: "what is spread here is not read", span: place });
      }
      const node = element.type === "SpreadElement" ? code(place) : this.#value(element);
      members.push(
        isCountable
          ? { name: String(index), nameSpan: node, named: false, node, ...place }
          : { name: "", nameSpan: place, named: false, unknown: true, node, ...place },
      );
    }
    return { kind: "branch", ...span, open: span.start + 1, members };
  }

  #value(expression: Expression): TreeNode {
    const value = unwrapped(expression);
    const span = spanOf(value);
    switch (value.type) {
      case "ObjectExpression":
        return this.#nested(span, () => this.object(value));
      case "ArrayExpression":
        return this.#nested(span, () => this.#array(value));
      case "CallExpression": {
        const inner = frozen(value);
        return inner === null ? code(span) : this.#nested(span, () => this.#value(inner));
      }
      case "NullLiteral":
        return { kind: "other", reason: "empty", ...span };
      case "NumericLiteral":
      case "BooleanLiteral":
        return { kind: "other", reason: "type", ...span };
      default:
        return textOf(value) ?? code(span);
    }
  }

  #nested(span: Span, read: () => TreeNode): TreeNode {
    if (this.#depth >= MAX_DEPTH) {
      if (!this.tooDeep) {
        this.#problems.push({ code: "syntax", message: `nested deeper than ${MAX_DEPTH}`, span });
      }
      this.tooDeep = true;
      return { kind: "other", reason: "unsupported", ...span };
    }
    this.#depth++;
    const node = read();
    this.#depth--;
    return node;
  }
}

/** A literal, or literals joined by `+`; `null` when the text is not known. */
function textOf(expression: Expression): TextNode | OtherNode | null {
  const span = spanOf(expression);
  if (expression.type === "TemplateLiteral" && expression.expressions.length > 0) {
    return { kind: "other", reason: "interpolation", ...span };
  }
  // Sums lean to the left: `a + b + c + …` is taken apart in a loop, however long it is.
  const parts: string[] = [];
  let left = expression;
  while (left.type === "BinaryExpression" && left.operator === "+") {
    const right = literalText(unwrapped(left.right));
    if (right === null || left.left.type === "PrivateName") return null;
    parts.unshift(right);
    left = unwrapped(left.left);
  }
  const first = literalText(left);
  if (first === null) return null;
  return { kind: "text", value: [first, ...parts].join(""), readOnly: null, ...span };
}

function literalText(expression: Expression): string | null {
  if (expression.type === "StringLiteral") return expression.value;
  if (expression.type !== "TemplateLiteral" || expression.expressions.length > 0) return null;
  return expression.quasis[0]?.value.cooked ?? null;
}

/** The property's name; `null` when code makes it, or it is none (`__proto__: …` names what the object inherits). */
function nameOf(property: Exclude<Property, { readonly type: "SpreadElement" }>): string | null {
  const { key, computed } = property;
  const isPlain = property.type === "ObjectProperty" && !property.shorthand && !computed;
  const name = computed ? computedName(key as Expression) : writtenName(key as Expression);
  return isPlain && name === "__proto__" ? null : name;
}

function computedName(key: Expression): string | null {
  return key.type === "Identifier" ? null : writtenName(key);
}

function writtenName(key: Expression): string | null {
  if (key.type === "Identifier") return key.name;
  if (key.type === "NumericLiteral") return String(key.value);
  return literalText(key);
}

function code(span: Span): OtherNode {
  return { kind: "other", reason: "expression", ...span };
}

function spanOf(node: { readonly start?: number | null; readonly end?: number | null }): Span {
  return { start: node.start ?? 0, end: node.end ?? 0 };
}
