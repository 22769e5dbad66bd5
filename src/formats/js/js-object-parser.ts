/**
 * Scans a module that exports an object into a tree with ranges. Reads literals and concatenations of them; any other
 * expression is reported as a problem and left alone. Nothing is ever executed.
 */
import type { Problem } from "../format.ts";
import { type Expression, parseModule, type Program, type Statement } from "./babel-parser.ts";
import {
  type BranchNode,
  MAX_DEPTH,
  type Member,
  type OtherNode,
  readOnlyBefore,
  type TextNode,
  type Tree,
  type TreeNode,
} from "../object-tree/value-tree.ts";
import type { Span } from "../../util/span.ts";

type ObjectLiteral = Extract<Expression, { readonly type: "ObjectExpression" }>;
type ArrayLiteral = Extract<Expression, { readonly type: "ArrayExpression" }>;
type Property = ObjectLiteral["properties"][number];
type FunctionDeclaration = Extract<Statement, { readonly type: "FunctionDeclaration" }>;
type VariableDeclaration = Extract<Statement, { readonly type: "VariableDeclaration" }>;

/** Maximum number of steps from an export to its object literal. */
const MAX_STEPS = 10;

const WHOLE_EXPORTS: ReadonlySet<string> = new Set([
  "module.exports",
  "exports.default",
  "module.exports.default",
]);
const NAMED_EXPORT = /^(?:module\.)?exports\.[^.]+$/u;

type Declared = ReadonlyMap<string, Expression>;

/**
 * Returns the object that a module exports, or why it has none: the value of the last `export default`, `export =` or
 * `module.exports =`; without one, the only object that is exported by name.
 */
function exportedObject(program: Program, text: string): ObjectLiteral | Problem {
  const declared = new Map<string, Expression>();
  const named: Expression[] = [];
  let whole: Expression | undefined;
  const declare = ({ declarations }: VariableDeclaration): readonly Expression[] =>
    declarations.flatMap(({ id, init }) => {
      if (id.type === "Identifier" && init != null) declared.set(id.name, init);
      return init ?? [];
    });
  for (const statement of program.body) {
    if (statement.type === "VariableDeclaration") {
      declare(statement);
    } else if (statement.type === "ExportDefaultDeclaration") {
      const { declaration } = statement;
      const isFunction = declaration.type === "FunctionDeclaration";
      if (isFunction || !declaration.type.endsWith("Declaration")) whole = declaration as Expression;
    } else if (statement.type === "TSExportAssignment") {
      whole = statement.expression;
    } else if (statement.type === "ExportNamedDeclaration" && statement.source == null) {
      if (statement.declaration?.type === "VariableDeclaration")
        named.push(...declare(statement.declaration));
      for (const each of statement.specifiers) {
        if (each.type !== "ExportSpecifier") continue;
        named.push(each.local);
        // `export { messages as default }`
        if (propertyName(each.exported) === "default") whole = each.local;
      }
    } else if (statement.type === "ExpressionStatement") {
      let value = statement.expression;
      let isWhole = false;
      // Also `exports = module.exports = …`.
      while (value.type === "AssignmentExpression") {
        const target = memberPath(value.left) ?? "";
        if (NAMED_EXPORT.test(target)) named.push(value.right);
        isWhole ||= value.operator === "=" && WHOLE_EXPORTS.has(target);
        value = value.right;
      }
      if (isWhole) whole = value;
    }
  }
  if (whole !== undefined) {
    const message = "what is exported is not an object literal";
    return objectOf(whole, declared, MAX_STEPS) ?? { code: "expression", message, span: spanOf(whole) };
  }
  const [first, second] = named.flatMap((value) => objectOf(value, declared, MAX_STEPS) ?? []);
  if (first === undefined) {
    const span = { start: text.length, end: text.length };
    return { code: "syntax", message: "no object is exported", span };
  }
  if (second === undefined) return first;
  return { code: "syntax", message: "several objects are exported", span: spanOf(second) };
}

function propertyName(node: { readonly type: string }): string | null {
  const { name, value } = node as { readonly name?: unknown; readonly value?: unknown };
  return typeof name === "string" ? name : typeof value === "string" ? value : null;
}

/** Returns `a.b.c` for a chain of plain member accesses; otherwise `null`. */
function memberPath(node: { readonly type: string }): string | null {
  const names: string[] = [];
  let at = node as Expression;
  while (at.type === "MemberExpression" && !at.computed && at.property.type === "Identifier") {
    names.unshift(at.property.name);
    at = at.object;
  }
  return at.type === "Identifier" ? [at.name, ...names].join(".") : null;
}

/** Resolves an expression to its object literal; `null` if code computes it. */
function objectOf(expression: Expression, declared: Declared, steps: number): ObjectLiteral | null {
  const value = unwrapped(expression) as Expression | FunctionDeclaration;
  if (steps === 0) return null;
  switch (value.type) {
    case "ObjectExpression":
      return value;
    case "Identifier": {
      const init = declared.get(value.name);
      return init === undefined ? null : objectOf(init, declared, steps - 1);
    }
    case "CallExpression": {
      // `Object.freeze({…})`, `defineLocale({…})`, `defineI18nLocale(() => ({…}))`
      const [only, ...others] = value.arguments;
      if (only === undefined || others.length > 0 || memberPath(value.callee) === null) return null;
      return objectOf(only as Expression, declared, steps - 1);
    }
    case "ArrowFunctionExpression":
    case "FunctionDeclaration":
    case "FunctionExpression": {
      const { body } = value;
      if (body.type !== "BlockStatement") return objectOf(body, declared, steps - 1);
      const [only, ...others] = body.body;
      if (only?.type !== "ReturnStatement" || only.argument == null || others.length > 0) return null;
      return objectOf(only.argument, declared, steps - 1);
    }
    default:
      return null;
  }
}

/** Removes what has no effect at run time: `as const`, `satisfies`, `!`. */
function unwrapped(expression: Expression): Expression {
  let value = expression;
  for (;;) {
    switch (value.type) {
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSTypeAssertion":
        value = value.expression;
        continue;
      default:
        return value;
    }
  }
}

/** Returns the argument of `Object.freeze(…)`, which does not affect the texts; otherwise `null`. */
function frozen(expression: Expression): Expression | null {
  if (expression.type !== "CallExpression" || memberPath(expression.callee) !== "Object.freeze") return null;
  const [only, ...others] = expression.arguments;
  return only === undefined || others.length > 0 ? null : (only as Expression);
}

/** Scans the whole text. Never throws; `isEditable` is false if the file has an error. */
export function scanModule(text: string): Tree {
  const { program, errors } = parseModule(text);
  const problems: Problem[] = errors.map(({ message, offset }) => {
    const start = Math.min(offset, text.length);
    return { code: "syntax", message, span: { start, end: Math.min(start + 1, text.length) } };
  });
  if (program === null) return { root: null, problems, isEditable: false };
  const exported = exportedObject(program, text);
  if ("code" in exported) return { root: null, problems: [...problems, exported], isEditable: false };
  const scan = new ModuleScan(text, problems);
  const root = scan.object(exported);
  return { root, problems, isEditable: errors.length === 0 && !scan.isTooDeep };
}

class ModuleScan {
  readonly #text: string;
  readonly #problems: Problem[];
  #depth = 0;
  /** Whether something was nested too deeply to be read. */
  isTooDeep = false;

  constructor(text: string, problems: Problem[]) {
    this.#text = text;
    this.#problems = problems;
  }

  object(literal: ObjectLiteral): BranchNode {
    const span = spanOf(literal);
    const members = literal.properties.map((property) => this.#member(property));
    // The last member that is only known at run time may overwrite those before it.
    const uncertain = Math.max(
      0,
      members.findLastIndex((member) => member.unknown === true),
    );
    return { kind: "branch", ...span, open: span.start + 1, members: readOnlyBefore(uncertain, members) };
  }

  #member(property: Property): Member {
    const span = spanOf(property);
    if (property.type === "SpreadElement") return this.#unknown("what is spread here", span, false);
    const name = identifierName(property);
    if (name === null) return this.#unknown("an entry whose key is not known", span, true);
    const { start, end } = spanOf(property.key);
    const isQuoted = /["'`]/.test(this.#text[start] ?? "");
    const nameSpan = isQuoted ? { start: start + 1, end: end - 1 } : { start, end };
    const isValue = property.type === "ObjectProperty";
    const node = isValue ? this.#value(property.value as Expression) : code(span);
    return { name, nameSpan, named: true, node, ...span };
  }

  #unknown(what: string, span: Span, named: boolean): Member {
    this.#problems.push({ code: "expression", message: `${what} is not read`, span });
    return { name: "", nameSpan: span, named, unknown: true, node: code(span), ...span };
  }

  #array(literal: ArrayLiteral): BranchNode {
    const span = spanOf(literal);
    const members: Member[] = [];
    let isCountable = true;
    for (const [index, element] of literal.elements.entries()) {
      // A hole is not a member, but the following items keep their indexes.
      if (element === null) continue;
      const place = spanOf(element);
      if (element.type === "SpreadElement") {
        isCountable = false;
        members.push(this.#unknown("what is spread here", place, false));
        continue;
      }
      const node = this.#value(element);
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
        return nodeText(value) ?? code(span);
    }
  }

  #nested(span: Span, read: () => TreeNode): TreeNode {
    if (this.#depth >= MAX_DEPTH) {
      if (!this.isTooDeep) {
        this.#problems.push({ code: "syntax", message: `nested deeper than ${MAX_DEPTH}`, span });
      }
      this.isTooDeep = true;
      return { kind: "other", reason: "unsupported", ...span };
    }
    this.#depth++;
    const node = read();
    this.#depth--;
    return node;
  }
}

/** Returns the text of a literal or of literals joined by `+`; `null` if it is not known. */
function nodeText(expression: Expression): TextNode | OtherNode | null {
  const span = spanOf(expression);
  if (expression.type === "TemplateLiteral" && expression.expressions.length > 0) {
    return { kind: "other", reason: "interpolation", ...span };
  }
  // `a + b + c + …` is left-associative: a loop handles any length without recursion.
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

/** Returns the property's name; `null` if code computes it, or if it sets the prototype (`__proto__: …`). */
function identifierName(property: Exclude<Property, { readonly type: "SpreadElement" }>): string | null {
  const { key, computed } = property;
  const isPlain = property.type === "ObjectProperty" && !property.shorthand && !computed;
  const name = computed && key.type === "Identifier" ? null : writtenName(key as Expression);
  return isPlain && name === "__proto__" ? null : name;
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
