/** Finds the parts of imported values. */
import type { Span } from "../../util/span.ts";
import type { ExportedValue } from "../key-usage.ts";
import { type KnownExpression, NAMES, type Step } from "./constants.ts";

/** Returns the alternatives of an imported value, at the place of its name. */
export function importedParts(value: ExportedValue, { start, end }: Span): readonly KnownExpression[] {
  if (value === null) return [null];
  return typeof value === "object" && "anyOf" in value
    ? value.anyOf.flatMap((each) => importedParts(each, { start, end }))
    : [{ kind: "imported", value, start, end }];
}

/** Returns the parts of an imported value that the step leads to. */
export function importedMembers(
  value: Exclude<ExportedValue, null>,
  step: Exclude<Step, readonly string[]>,
  place: Span,
): readonly KnownExpression[] {
  if (typeof value === "string") return [null];
  if ("elements" in value) {
    if (step === null) return value.elements.flatMap((element) => importedParts(element, place));
    const element = typeof step === "string" && /^\d+$/.test(step) ? value.elements[Number(step)] : undefined;
    return element === undefined ? [null] : importedParts(element, place);
  }
  if (!("members" in value)) return [null];
  if (step === null) return value.members.flatMap(([, member]) => importedParts(member, place));
  if (step === NAMES) return value.members.flatMap(([name]) => importedParts(name, place));
  const member = value.members.find(([name]) => name === step);
  return member === undefined ? [null] : importedParts(member[1], place);
}
