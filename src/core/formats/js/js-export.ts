/**
 * Finds the object that a module exports: its default export, `module.exports`, `export =`, or the one object that it
 * exports by name. Names are followed to their declaration in the module, and no further.
 */
import type { Expression, Program, Statement } from "./js-parser.ts";

export type ObjectLiteral = Extract<Expression, { readonly type: "ObjectExpression" }>;

/** What a module exports. */
export type Exported =
  | { readonly kind: "object"; readonly object: ObjectLiteral }
  /** Something is exported at the place, and it is no object that stands there. */
  | { readonly kind: "other"; readonly start: number; readonly end: number }
  /** Several objects are, each by its name. */
  | { readonly kind: "several"; readonly start: number; readonly end: number }
  | { readonly kind: "none" };

/** Names in a module are followed this far. */
const MOST_STEPS = 10;

export function exportedObject(program: Program): Exported {
  const declared = declarations(program);
  const whole = wholeExport(program);
  if (whole !== undefined) {
    const object = objectOf(whole, declared, MOST_STEPS);
    if (object !== null) return { kind: "object", object };
    return { kind: "other", start: whole.start ?? 0, end: whole.end ?? 0 };
  }
  const named = program.body.flatMap((statement) => namedExports(statement, declared));
  const [first, second] = named;
  if (first === undefined) return { kind: "none" };
  if (second === undefined) return { kind: "object", object: first };
  return { kind: "several", start: second.start ?? 0, end: second.end ?? 0 };
}

/** The last of `export default`, `export =` and `module.exports =`. */
function wholeExport(program: Program): Expression | undefined {
  let found: Expression | undefined;
  for (const statement of program.body) {
    if (statement.type === "ExportDefaultDeclaration") {
      const { declaration } = statement;
      if (!declaration.type.endsWith("Declaration")) found = declaration as Expression;
    } else if (statement.type === "TSExportAssignment") {
      found = statement.expression;
    } else if (statement.type === "ExportNamedDeclaration") {
      // `export { messages as default }`
      for (const each of statement.source == null ? statement.specifiers : []) {
        if (each.type === "ExportSpecifier" && nameOf(each.exported) === "default") found = each.local;
      }
    } else {
      found = commonExport(statement) ?? found;
    }
  }
  return found;
}

function nameOf(node: { readonly type: string }): string | null {
  const { name, value } = node as { readonly name?: unknown; readonly value?: unknown };
  return typeof name === "string" ? name : typeof value === "string" ? value : null;
}

/** The right side of `module.exports = …`, also behind `exports =`. */
function commonExport(statement: Statement): Expression | undefined {
  let assigned = statement.type === "ExpressionStatement" ? statement.expression : undefined;
  let found: Expression | undefined;
  while (assigned?.type === "AssignmentExpression" && assigned.operator === "=") {
    const target = memberPath(assigned.left);
    if (target === "module.exports" || target === "exports.default" || target === "module.exports.default") {
      found = assigned.right;
    }
    assigned = assigned.right;
  }
  let last = found;
  while (last?.type === "AssignmentExpression") last = last.right;
  return last;
}

/** `a.b.c` of a chain of plain names; else `null`. */
function memberPath(node: { readonly type: string }): string | null {
  const names: string[] = [];
  let at = node as Expression;
  while (at.type === "MemberExpression" && !at.computed && at.property.type === "Identifier") {
    names.unshift(at.property.name);
    at = at.object;
  }
  return at.type === "Identifier" ? [at.name, ...names].join(".") : null;
}

type Declared = ReadonlyMap<string, Expression>;

/** The values of the module's own variables, by name; of one that is declared twice none. */
function declarations(program: Program): Declared {
  const found = new Map<string, Expression>();
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === "Identifier" && init != null) found.set(id.name, init);
    }
  }
  return found;
}

/** The objects that the statement exports by a name. */
function namedExports(statement: Statement, declared: Declared): readonly ObjectLiteral[] {
  const values: Expression[] = [];
  if (statement.type === "ExportNamedDeclaration" && statement.source == null) {
    if (statement.declaration?.type === "VariableDeclaration") {
      for (const { init } of statement.declaration.declarations) if (init != null) values.push(init);
    }
    for (const each of statement.specifiers) if (each.type === "ExportSpecifier") values.push(each.local);
  } else if (statement.type === "ExpressionStatement") {
    const { expression } = statement;
    const target = expression.type === "AssignmentExpression" ? memberPath(expression.left) : null;
    if (expression.type === "AssignmentExpression" && /^(?:module\.)?exports\.[^.]+$/u.test(target ?? "")) {
      values.push(expression.right);
    }
  }
  return values.flatMap((value) => objectOf(value, declared, MOST_STEPS) ?? []);
}

/** The object literal that an expression is in the end; `null` when code makes it. */
function objectOf(expression: Expression, declared: Declared, steps: number): ObjectLiteral | null {
  const value = unwrapped(expression);
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

/** Without what only types see: brackets, `as const`, `satisfies`, `!`. */
export function unwrapped(expression: Expression): Expression {
  let value = expression;
  for (;;) {
    switch (value.type) {
      case "ParenthesizedExpression":
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

/** The argument of `Object.freeze(…)`, which changes no text; else `null`. */
export function frozen(expression: Expression): Expression | null {
  if (expression.type !== "CallExpression" || memberPath(expression.callee) !== "Object.freeze") return null;
  const [only, ...others] = expression.arguments;
  return only === undefined || others.length > 0 ? null : (only as Expression);
}
