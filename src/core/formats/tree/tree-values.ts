/**
 * Plural forms inside one value: Laravel's and vue-i18n's parts between pipes, and ICU messages. Reads them as
 * forms, and writes forms in the manner of the value that they replace.
 */
import {
  formsOfParts,
  hasRanges,
  joinPipes,
  partsOfForms,
  type PartsWay,
  pluralPartCount,
  splitPipes,
} from "../../plurals.ts";
import { CATEGORIES, type Forms, isForms, type Text } from "../../text.ts";
import type { ReadOnlyReason, ReadOptions, Refusal } from "../format.ts";
import { formsOfIcu, hasIcuPlural, joinIcu, newIcu, splitIcu } from "../icu-plural.ts";
import type { TreeRules } from "./tree.ts";

/** How one value says several forms. */
export type ValueWay = "pipes" | "icu";

export interface ValueText {
  readonly text: Text;
  /** An ICU message that could not be put together again. */
  readonly readOnly: ReadOnlyReason | null;
}

/** JavaScript's values may be ICU messages, and their pipes are vue-i18n's. */
function partsWay(rules: TreeRules): PartsWay {
  return rules.suffixes ? "vue" : "laravel";
}

/**
 * A single leaf's text: plural forms where its pipes make it so (Laravel), or where the caller knows that the key
 * is plural: the forms of an ICU message or between pipes, else the one form there is. A message whose plural
 * cannot be taken apart is one form as it stands, which is not to be written over.
 */
export function readValue(key: string, value: string, rules: TreeRules, options: ReadOptions): ValueText {
  const said = options.isPlural?.(key, null);
  if (said === undefined && rules.pipes && value.includes("|")) {
    const { parts } = splitPipes(value, false);
    if (parts.length !== pluralPartCount(options.sourceLocale) || hasRanges(value)) return single(value);
    return { text: { forms: formsOfParts(options.locale, parts) ?? { other: value } }, readOnly: null };
  }
  return said === true ? readForms(value, rules, options.locale) : single(value);
}

function single(value: string): ValueText {
  return { text: { value }, readOnly: null };
}

function readForms(value: string, rules: TreeRules, locale: string): ValueText {
  if (rules.suffixes && hasIcuPlural(value)) {
    const icu = splitIcu(value);
    if (icu === null) return { text: { forms: { other: value } }, readOnly: "unsupported" };
    return { text: { forms: formsOfIcu(icu) }, readOnly: null };
  }
  const { parts } = splitPipes(value, !rules.pipes);
  const forms = formsOfParts(locale, parts, partsWay(rules)) ?? { other: value };
  return { text: { forms }, readOnly: null };
}

/** How the value says its forms; `null` when it says one text only. */
export function wayOfValue(value: string, rules: TreeRules): ValueWay | null {
  if (rules.suffixes && hasIcuPlural(value)) return "icu";
  return value.includes("|") ? "pipes" : null;
}

/** What is written for the forms, or why it cannot be: never a value that says less than they do. */
export type Written = { readonly value: string } | { readonly reason: Refusal["reason"] };

/** One value for the forms in the manner of `old`, the value that it replaces; `argument` names a new message's number. */
export function writeForms(
  forms: Forms,
  way: ValueWay,
  { old, argument }: { readonly old: string; readonly argument: string },
  rules: TreeRules,
  { locale }: ReadOptions,
): Written {
  if (way === "icu") return writeIcu(forms, old, argument);
  const parts = partsOfForms(locale, forms, partsWay(rules));
  if (parts === null) return { reason: "forms" };
  if (parts.some((part) => part.includes("|"))) return { reason: "unsupported" };
  const { separators } = splitPipes(old, !rules.pipes);
  const value = joinPipes(parts, separators, rules.pipes ? "|" : (separators[0] ?? " | "));
  const { text } = readForms(value, rules, locale);
  return isForms(text) && saysAll(text.forms, forms) ? { value } : { reason: "unsupported" };
}

/**
 * Whether each form is read back, and no other: white space at a part's edge would become the separator's. A form
 * whose category the value does not have must stand under another.
 */
function saysAll(read: Forms, wanted: Forms): boolean {
  const words = new Set(Object.values(read));
  const known = new Set(Object.values(wanted));
  const isSaid = ([name, form]: [string, string]): boolean =>
    Object.hasOwn(read, name) ? read[name] === form : words.has(form);
  return Object.entries(wanted).every(isSaid) && [...words].every((form) => known.has(form));
}

function writeIcu(forms: Forms, old: string, argument: string): Written {
  if (!Object.hasOwn(forms, "other") || !hasOnlyCategories(forms)) return { reason: "forms" };
  const icu = splitIcu(old);
  const value = icu === null ? newIcu(argument, forms) : joinIcu(icu, forms);
  return value === null ? { reason: "unsupported" } : { value };
}

export function hasOnlyCategories(forms: Forms): boolean {
  const names: readonly string[] = CATEGORIES;
  return Object.keys(forms).length > 0 && Object.keys(forms).every((name) => names.includes(name));
}

/** Whether the one form of a plural key may stand as a value of its own: read, it is that form again. */
export function writesAlone(form: string, rules: TreeRules, locale: string): boolean {
  const { text, readOnly } = readForms(form, rules, locale);
  return readOnly === null && isForms(text) && text.forms["other"] === form;
}
