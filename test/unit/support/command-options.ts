/** Values for the options of declared commands. */
import type * as v from "valibot";
import type { CommandDeclaration } from "../../../src/commands/define-command.ts";
import {
  alternativesOf,
  choicesOf,
  isOptional,
  rangeOf,
  structureOf,
  valueNameOf,
  withoutOptional,
} from "../../../src/commands/schema-structure.ts";

/** Returns a value that the schema accepts. */
export function validValue(schema: v.GenericSchema): unknown {
  const known = withoutOptional(schema);
  switch (valueNameOf(known)) {
    case "uri":
      return "/nowhere";
    case "hash":
      return "0".repeat(40);
    case "locale":
      return "nl";
    case "forms":
      return { other: "text" };
    case "key":
      return { key: "no.such.key" };
    case "issue":
      return { rule: "rule", row: {} };
    case "function":
      return () => undefined;
    case undefined:
  }
  const { item, wrapped, type } = structureOf(known);
  const [first] = choicesOf(known) ?? [];
  if (first !== undefined) return first;
  const [alternative] = alternativesOf(known) ?? [];
  if (alternative !== undefined) return validValue(alternative);
  if (item !== undefined) return item.type === "strict_object" ? [] : [validValue(item)];
  if (wrapped !== undefined) return validValue(wrapped);
  if (type === "boolean") return true;
  if (type === "number") return rangeOf(known).min ?? 1;
  return "no.such.text";
}

/** Returns the options that a command cannot do without. */
export function requiredOptionsOf({ id, options }: CommandDeclaration): Readonly<Record<string, unknown>> {
  const required = Object.entries(options).filter(([, schema]) => !isOptional(schema));
  const values = required.map(([name, schema]) => [name, validValue(schema)] as const);
  // One of two options has to be set.
  const text = id === "projectTranslations.setTranslation" ? { value: "text" } : {};
  return { ...Object.fromEntries(values), ...text };
}
