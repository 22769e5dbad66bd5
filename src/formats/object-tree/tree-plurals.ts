/**
 * Plural forms in trees: in a single value (pipe-separated in Laravel and vue-i18n, or ICU messages), or in members
 * with i18next's suffixes: `item_one` since its JSON format v4, previously `item` and `item_plural`, or `item_0`,
 * `item_1` …
 */
import type { ReadOnlyReason, ReadOptions, RefusalReason } from "../format.ts";
import { formsOfIcu, hasIcuPlural, joinIcu, newIcu, splitIcu } from "../icu-plural.ts";
import type { TreeRules } from "./value-tree.ts";
import { fillCategories, joinPipes } from "../../model/pipe-plurals.ts";
import { languageOf } from "../../model/locales.ts";
import { PLURAL_CATEGORIES, type Forms, isForms, type Text } from "../../model/translation-text.ts";

/** How a single value contains several forms. */
export type ValueSyntax = "pipes" | "icu";

interface ValueText {
  readonly text: Text;
  /** Set for an ICU message that could not be restored from its forms. */
  readonly readOnly: ReadOnlyReason | null;
}

/**
 * Returns the text of a single leaf. It is plural if its pipes say so (Laravel), or if the caller knows that the key
 * is plural: the forms of an ICU message or between pipes, otherwise a single form. A message whose plural cannot be
 * split is a single, read-only form.
 */
export function readValue(key: string, value: string, rules: TreeRules, options: ReadOptions): ValueText {
  const knownPlural = options.isPlural?.(key, null);
  if (knownPlural === undefined && rules.pipes && value.includes("|")) {
    const { parts } = rules.parts.split(value);
    const shown = rules.parts.shownCategories(options.locale);
    const isPlural = parts.length === shown.length && !rules.parts.hasRanges(value);
    return isPlural ? readForms(value, rules, options.locale) : single(value);
  }
  return knownPlural === true ? readForms(value, rules, options.locale) : single(value);
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
  const { parts } = rules.parts.split(value);
  const forms = rules.parts.forms(locale, parts) ?? { other: value };
  return { text: { forms }, readOnly: null };
}

/** Returns how the value contains its forms; `null` if it has a single text. */
export function syntaxOfValue(value: string, rules: TreeRules): ValueSyntax | null {
  if (rules.suffixes && hasIcuPlural(value)) return "icu";
  return rules.parts.split(value).parts.length > 1 ? "pipes" : null;
}

/** The value for the forms, or why it cannot be written: never a value that loses any of them. */
type WrittenForms = { readonly value: string } | { readonly reason: RefusalReason };

/**
 * Returns one value for the forms, written like `old`, which it replaces; `argument` is the name of the number in a
 * new message.
 */
export function writeForms(
  forms: Forms,
  scheme: ValueSyntax,
  { old, argument }: { readonly old: string; readonly argument: string },
  rules: TreeRules,
  { locale }: ReadOptions,
): WrittenForms {
  if (scheme === "icu") return writeIcu(forms, old, argument);
  const parts = rules.parts.parts(locale, forms);
  if (parts === null) return { reason: "forms" };
  const { separators } = rules.parts.split(old);
  const value = joinPipes(parts, separators, rules.pipes ? "|" : (separators[0] ?? " | "));
  const { text } = readForms(value, rules, locale);
  const wanted = formsInValue(forms, rules, locale);
  return isForms(text) && hasAllForms(text.forms, wanted) ? { value } : { reason: "unsupported" };
}

/** Returns the forms that a single value can have: Laravel's without those that it never shows. */
export function formsInValue(forms: Forms, rules: TreeRules, locale: string): Forms {
  return rules.pipes ? rules.parts.formsInValue(locale, forms) : forms;
}

/**
 * Whether exactly these forms are read back: white space at the edge of a part would become part of the separator. A
 * form whose category is not in the value must be there under another.
 */
function hasAllForms(read: Forms, wanted: Forms): boolean {
  const words = new Set(Object.values(read));
  const known = new Set(Object.values(wanted));
  const isStated = ([name, form]: [string, string]): boolean =>
    Object.hasOwn(read, name) ? read[name] === form : words.has(form);
  return Object.entries(wanted).every(isStated) && [...words].every((form) => known.has(form));
}

function writeIcu(forms: Forms, old: string, argument: string): WrittenForms {
  if (!Object.hasOwn(forms, "other") || !hasOnly(forms, PLURAL_CATEGORIES)) return { reason: "forms" };
  const icu = splitIcu(old);
  const value = icu === null ? newIcu(argument, forms) : joinIcu(icu, forms);
  return value === null ? { reason: "unsupported" } : { value };
}

/** Whether the only form of a plural key can be a value by itself: it must be read back as that form. */
export function isPlainOtherForm(form: string, rules: TreeRules, locale: string): boolean {
  const { text, readOnly } = readForms(form, rules, locale);
  return readOnly === null && isForms(text) && text.forms["other"] === form;
}

export type SuffixScheme = "v4" | "v3";

/**
 * The categories of v3's numbered suffixes by language, from its plural resolver (`addons/pluralresolver`, i18next 10
 * to 22: the `sets` and their rules). Where CLDR has changed since, the category is that of most numbers with the
 * index. Languages whose indexes do not match categories (Welsh, Cornish) are omitted.
 */
const NUMBERED: readonly (readonly [languages: string, categories: string])[] = [
  ["ay bo cgg fa ht id ja jbo ka km ko ky lo ms sah su th tt ug vi wo zh", "other"],
  ["be ru uk csb pl", "one few many"],
  ["bs cnr hr sr cs sk lt ro", "one few other"],
  ["ar", "zero one two few many other"],
  ["ga", "one two few many other"],
  ["gd", "one two few other"],
  ["he iw", "one two many other"],
  ["jv", "zero other"],
  ["lv", "one other zero"],
  ["mnk", "zero one other"],
  ["mt", "one few many other"],
  ["or", "one other"],
  ["sl", "other one two few"],
];
const UNMATCHED = new Set(["cy", "kw", "dz"]);

const numbered = new Map(
  NUMBERED.flatMap(([languages, categories]) =>
    languages.split(" ").map((language) => [language, categories.split(" ")] as const),
  ),
);
const NAMED: ReadonlyMap<string, string> = new Map(
  PLURAL_CATEGORIES.map((category) => [category, `_${category}`]),
);
const PLURAL: ReadonlyMap<string, string> = new Map([
  ["one", ""],
  ["other", "_plural"],
]);
const NONE: ReadonlyMap<string, string> = new Map();

/** Returns the suffixes by category, in writing order; empty if the scheme has none for the locale. */
export function suffixesOf(scheme: SuffixScheme, locale: string): ReadonlyMap<string, string> {
  if (scheme === "v4") return NAMED;
  const language = languageOf(locale);
  if (UNMATCHED.has(language)) return NONE;
  const categories = numbered.get(language);
  return categories === undefined ? PLURAL : new Map(categories.map((name, index) => [name, `_${index}`]));
}

/**
 * Returns the forms by suffix, in writing order; `null` if the scheme has no suffix for one of them. v3 has suffixes
 * for its own categories only, and its unnumbered ones come in pairs: there a missing form is filled with `other`.
 */
export function suffixedForms(
  scheme: SuffixScheme,
  forms: Forms,
  locale: string,
): ReadonlyMap<string, string> | null {
  if (!hasOnly(forms, PLURAL_CATEGORIES)) return null;
  const suffixes = suffixesOf(scheme, locale);
  const categories = [...suffixes.keys()];
  if (scheme === "v3" && !(isNumbered(locale) && hasOnly(forms, categories))) {
    const texts = fillCategories(categories, forms);
    if (texts === null) return null;
    return new Map(categories.map((category, index) => [suffixes.get(category) ?? "", texts[index] ?? ""]));
  }
  const there = categories.filter((category) => Object.hasOwn(forms, category));
  return new Map(there.map((category) => [suffixes.get(category) ?? "", forms[category] ?? ""]));
}

function hasOnly(forms: Forms, categories: readonly string[]): boolean {
  return Object.keys(forms).every((name) => categories.includes(name));
}

/** Whether v3 numbers the forms in the locale. */
export function isNumbered(locale: string): boolean {
  return numbered.has(languageOf(locale));
}
