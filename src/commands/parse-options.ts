/** Checks the options of a call against the declaration of the command. */
import * as v from "valibot";
import type { CommandDeclaration, OptionEntries, OptionsOf } from "./define-command.ts";
import { TEXT_RULES } from "./option-schemas.ts";
import { entriesOf, schemaAt } from "./schema-structure.ts";

/** Why options were refused. `path`: names and list positions, separated by dots. */
export type OptionProblem =
  | { readonly kind: "not-an-object" }
  /** `known`: the names that are possible there. */
  | { readonly kind: "unknown"; readonly path: string; readonly known: readonly string[] }
  | { readonly kind: "missing" | "wrong"; readonly path: string; readonly expected: v.GenericSchema }
  /** A rule about several options of the object at `path`, which is empty or ends with a dot. */
  | { readonly kind: "rule"; readonly path: string; readonly rule: TextRule };

type TextRule = (typeof TEXT_RULES)[keyof typeof TEXT_RULES];

export type ParsedOptions<Declaration> =
  | { readonly kind: "valid"; readonly options: OptionsOf<Declaration> }
  | { readonly kind: "invalid"; readonly problem: OptionProblem };

/** Returns the options, or the first problem. A member that is `undefined` counts as left out. */
export function parseOptions<Entries extends OptionEntries, Fields extends object>(
  declaration: CommandDeclaration<Entries, Fields>,
  given: unknown,
): ParsedOptions<CommandDeclaration<Entries, Fields>> {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  if (!isObject) return { kind: "invalid", problem: { kind: "not-an-object" } };
  const result = v.safeParse(declaration.schema, withoutUndefined(given), { abortEarly: true });
  if (result.success) {
    const options = result.output as OptionsOf<CommandDeclaration<Entries, Fields>>;
    return { kind: "valid", options };
  }
  const [issue] = result.issues;
  return { kind: "invalid", problem: problemOf(v.strictObject(declaration.options), issue) };
}

function problemOf(schema: v.GenericSchema, issue: v.BaseIssue<unknown>): OptionProblem {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  const path = keys.join(".");
  const rule = Object.values(TEXT_RULES).find((each) => each === issue.message);
  if (rule !== undefined) return { kind: "rule", path: keys.map((key) => `${key}.`).join(""), rule };
  if (issue.type === "strict_object" && issue.expected === "never") {
    const known = Object.keys(entriesOf(schemaAt(schema, keys.slice(0, -1))) ?? {});
    return { kind: "unknown", path, known };
  }
  const isMissing = issue.type === "strict_object" && issue.input === undefined;
  return { kind: isMissing ? "missing" : "wrong", path, expected: schemaAt(schema, keys) };
}

/** Returns the value without members that are `undefined`, in plain objects and lists. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, withoutUndefined(member)] as const],
  );
  return Object.fromEntries(members);
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
