/** Messages about options that were refused, and what their values may be. Does not import VS Code: docs use it, too. */
import type * as v from "valibot";
import type { CommandDeclaration } from "../commands/define-command.ts";
import { TEXT_RULES } from "../commands/option-schemas.ts";
import type { OptionProblem } from "../commands/parse-options.ts";
import {
  alternativesOf,
  choicesOf,
  entriesOf,
  rangeOf,
  structureOf,
  valueNameOf,
  withoutOptional,
} from "../commands/schema-structure.ts";

/** Translates messages, as VS Code's `l10n`. */
export interface Translator {
  readonly t: (message: string, ...values: readonly (string | number)[]) => string;
}

/** Returns which option was refused and what it may be. */
export function optionProblemMessage(
  { title: english, options }: CommandDeclaration,
  problem: OptionProblem,
  l10n: Translator,
): string {
  const title = l10n.t(english);
  switch (problem.kind) {
    case "not-an-object":
      return l10n.t("{0} takes one object with options: {1}.", title, Object.keys(options).join(", "));
    case "unknown":
      return l10n.t(
        "There is no option “{0}”. {1} takes here: {2}.",
        problem.path,
        title,
        problem.known.join(", "),
      );
    case "missing":
      return l10n.t("The option “{0}” is missing: {1}.", problem.path, valueText(problem.expected, l10n));
    case "wrong":
      return l10n.t(
        "The option “{0}” has a wrong value. It may be {1}.",
        problem.path,
        valueText(problem.expected, l10n),
      );
    case "rule": {
      const names = [`${problem.path}value`, `${problem.path}forms`] as const;
      return problem.rule === TEXT_RULES.both
        ? l10n.t("Give either the option “{0}” or “{1}”, not both.", ...names)
        : l10n.t("No text was given: set the option “{0}” or “{1}”.", ...names);
    }
  }
}

/** Returns the name of the refused option, for the failure's `errors`; `undefined` if no single one is. */
export function refusedOption(problem: OptionProblem): string | undefined {
  return "path" in problem && problem.kind !== "rule" ? problem.path : undefined;
}

/** Returns what the values of the schema may be, to continue a sentence. */
export function valueText(schema: v.GenericSchema, l10n: Translator): string {
  const known = withoutOptional(schema);
  switch (valueNameOf(known)) {
    case "uri":
      return l10n.t("a path or a Uri");
    case "hash":
      return l10n.t("the hash of a key (40 hexadecimal digits)");
    case "locale":
      return l10n.t("a language code");
    case "forms":
      return l10n.t("an object of plural category to text");
    case "key":
      return l10n.t("an object with “key” and, optionally, “namespace” and “context”");
    case "issue":
      return l10n.t("an issue of the view QA Issues");
    case "function":
      return l10n.t("a function");
    case undefined:
      return typeText(known, l10n);
  }
}

function typeText(schema: v.GenericSchema, l10n: Translator): string {
  const { item, wrapped } = structureOf(schema);
  const choices = choicesOf(schema);
  if (choices !== undefined)
    return l10n.t("one of these: {0}", choices.map((choice) => `“${choice}”`).join(", "));
  const alternatives = alternativesOf(schema);
  // All unions of options are of a value and a list of such values.
  if (alternatives?.[0] !== undefined)
    return l10n.t("{0}, or a list of such values", valueText(alternatives[0], l10n));
  if (item !== undefined) return l10n.t("a list, each item {0}", valueText(item, l10n));
  if (schema.type === "nullable" && wrapped !== undefined)
    return l10n.t("{0}, or null", valueText(wrapped, l10n));
  const entries = entriesOf(schema);
  if (entries !== undefined) return l10n.t("an object with {0}", Object.keys(entries).join(", "));
  switch (schema.type) {
    case "boolean":
      return l10n.t("true or false");
    case "number":
      return wholeNumberText(rangeOf(schema), l10n);
    default:
      return l10n.t("a text");
  }
}

function wholeNumberText({ min, max }: ReturnType<typeof rangeOf>, l10n: Translator): string {
  if (min !== undefined && max !== undefined) return l10n.t("a whole number from {0} to {1}", min, max);
  return min === undefined ? l10n.t("a whole number") : l10n.t("a whole number from {0}", min);
}
