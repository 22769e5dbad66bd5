/** The structure of a valibot schema, which messages, docs and tests describe. */
import * as v from "valibot";
import type { ValueMetadata } from "./option-schemas.ts";

/** The members of the schemas that options consist of. */
interface Structure {
  readonly type: string;
  readonly wrapped?: v.GenericSchema;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly (v.GenericSchema & Pick<Structure, "pipe"> & { readonly requirement?: unknown })[];
}

/** Returns the schema's structure. */
export function structureOf(schema: v.GenericSchema): Structure {
  return schema;
}

/** Whether the option may be left out. */
export function isOptional(schema: v.GenericSchema): boolean {
  return schema.type === "exact_optional" || schema.type === "optional";
}

/** Returns the schema of an option that is not left out. */
export function withoutOptional(schema: v.GenericSchema): v.GenericSchema {
  const { wrapped } = structureOf(schema);
  return isOptional(schema) && wrapped !== undefined ? wrapped : schema;
}

/** Returns the schemas of an object's members; `undefined` if it is no object with named members. */
export function entriesOf(schema: v.GenericSchema): Structure["entries"] {
  return structureOf(withoutOptional(schema)).entries;
}

/** Returns the schema of the value at a path of names and list positions, or of its nearest parent that is known. */
export function schemaAt(schema: v.GenericSchema, path: readonly string[]): v.GenericSchema {
  const known = withoutOptional(schema);
  const [first, ...rest] = path;
  if (first === undefined) return known;
  const { entries, item } = structureOf(known);
  const member = entries?.[first] ?? item;
  return member === undefined ? known : schemaAt(member, rest);
}

/** Returns the alternatives of a union; `undefined` of another schema. */
export function alternativesOf(schema: v.GenericSchema): readonly v.GenericSchema[] | undefined {
  return schema.type === "union" ? (structureOf(schema).options as readonly v.GenericSchema[]) : undefined;
}

/** Returns the values of a list of choices; `undefined` of another schema. */
export function choicesOf(schema: v.GenericSchema): readonly string[] | undefined {
  return schema.type === "picklist" ? (structureOf(schema).options as readonly string[]) : undefined;
}

/** Returns the smallest and the largest number that a schema accepts. */
export function rangeOf(schema: v.GenericSchema): { readonly min?: number; readonly max?: number } {
  const range: { min?: number; max?: number } = {};
  for (const step of structureOf(schema).pipe ?? []) {
    if (step.pipe !== undefined && step !== schema) Object.assign(range, rangeOf(step));
    if (typeof step.requirement !== "number") continue;
    if (step.type === "min_value") range.min = step.requirement;
    if (step.type === "max_value") range.max = step.requirement;
  }
  return range;
}

/** Returns what the values of the schema are called; `undefined` if its type says it. */
export function valueNameOf(schema: v.GenericSchema): ValueMetadata["value"] | undefined {
  const { value } = v.getMetadata(schema) as Partial<ValueMetadata>;
  return value;
}

/** Returns the description of an option, as Markdown. */
export function descriptionOf(schema: v.GenericSchema): string {
  return v.getDescription(withoutOptional(schema)) ?? "";
}
