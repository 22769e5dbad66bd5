/**
 * Plural forms in trees: inside one value (Laravel's and vue-i18n's parts between pipes, ICU messages), and as members with
 * the suffixes of i18next: `item_one` since its JSON format v4, before that `item` and `item_plural`, or `item_0`, `item_1` …
 */
import type { ReadOnlyReason, ReadOptions, Refusal } from "../format.ts";
import { formsOfIcu, hasIcuPlural, joinIcu, newIcu, splitIcu } from "../icu-plural.ts";
import type { TreeRules } from "./tree.ts";
import {
  fillCategories,
  formsOfParts,
  hasRanges,
  joinPipes,
  partsOfForms,
  type PipeSyntax,
  pluralPartCount,
  splitPipes,
} from "../../model/pipe-plurals.ts";
import { CATEGORIES, type Forms, isForms, type Text } from "../../model/text.ts";

/** How one value says several forms. */
export type ValueSyntax = "pipes" | "icu";

interface ValueText {
  readonly text: Text;
  /** An ICU message that could not be put together again. */
  readonly readOnly: ReadOnlyReason | null;
}

/** JavaScript's values may be ICU messages, and their pipes are vue-i18n's. */
function pipeSyntax(rules: TreeRules): PipeSyntax {
  return rules.suffixes ? "vue" : "laravel";
}

/**
 * A single leaf's text: plural forms where its pipes make it so (Laravel), or where the caller knows that the key
 * is plural: the forms of an ICU message or between pipes, else the one form there is. A message whose plural
 * cannot be taken apart is one form as it stands, which is not to be written over.
 */
export function readValue(key: string, value: string, rules: TreeRules, options: ReadOptions): ValueText {
  const knownPlural = options.isPlural?.(key, null);
  if (knownPlural === undefined && rules.pipes && value.includes("|")) {
    const { parts } = splitPipes(value, false);
    if (parts.length !== pluralPartCount(options.sourceLocale) || hasRanges(value)) return single(value);
    return { text: { forms: formsOfParts(options.locale, parts) ?? { other: value } }, readOnly: null };
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
  const { parts } = splitPipes(value, !rules.pipes);
  const forms = formsOfParts(locale, parts, pipeSyntax(rules)) ?? { other: value };
  return { text: { forms }, readOnly: null };
}

/** How the value says its forms; `null` when it says one text only. */
export function syntaxOfValue(value: string, rules: TreeRules): ValueSyntax | null {
  if (rules.suffixes && hasIcuPlural(value)) return "icu";
  return value.includes("|") ? "pipes" : null;
}

/** What is written for the forms, or why it cannot be: never a value that says less than they do. */
type Written = { readonly value: string } | { readonly reason: Refusal["reason"] };

/** One value for the forms in the manner of `old`, the value that it replaces; `argument` names a new message's number. */
export function writeForms(
  forms: Forms,
  way: ValueSyntax,
  { old, argument }: { readonly old: string; readonly argument: string },
  rules: TreeRules,
  { locale }: ReadOptions,
): Written {
  if (way === "icu") return writeIcu(forms, old, argument);
  const parts = partsOfForms(locale, forms, pipeSyntax(rules));
  if (parts === null) return { reason: "forms" };
  if (parts.some((part) => part.includes("|"))) return { reason: "unsupported" };
  const { separators } = splitPipes(old, !rules.pipes);
  const value = joinPipes(parts, separators, rules.pipes ? "|" : (separators[0] ?? " | "));
  const { text } = readForms(value, rules, locale);
  return isForms(text) && hasAllForms(text.forms, forms) ? { value } : { reason: "unsupported" };
}

/**
 * Whether each form is read back, and no other: white space at a part's edge would become the separator's. A form
 * whose category the value does not have must stand under another.
 */
function hasAllForms(read: Forms, wanted: Forms): boolean {
  const words = new Set(Object.values(read));
  const known = new Set(Object.values(wanted));
  const isStated = ([name, form]: [string, string]): boolean =>
    Object.hasOwn(read, name) ? read[name] === form : words.has(form);
  return Object.entries(wanted).every(isStated) && [...words].every((form) => known.has(form));
}

function writeIcu(forms: Forms, old: string, argument: string): Written {
  if (!Object.hasOwn(forms, "other") || !hasOnlyCategories(forms)) return { reason: "forms" };
  const icu = splitIcu(old);
  const value = icu === null ? newIcu(argument, forms) : joinIcu(icu, forms);
  return value === null ? { reason: "unsupported" } : { value };
}

function hasOnlyCategories(forms: Forms): boolean {
  const names: readonly string[] = CATEGORIES;
  return Object.keys(forms).length > 0 && Object.keys(forms).every((name) => names.includes(name));
}

/** Whether the one form of a plural key may stand as a value of its own: read, it is that form again. */
export function isPlainOtherForm(form: string, rules: TreeRules, locale: string): boolean {
  const { text, readOnly } = readForms(form, rules, locale);
  return readOnly === null && isForms(text) && text.forms["other"] === form;
}

export type SuffixScheme = "v4" | "v3";

/**
 * The categories of v3's numbers by language, as its plural resolver counts them (`addons/pluralresolver`,
 * i18next 10 to 22: the `sets` and their rules). Where CLDR has moved on since, the category is the one that most
 * numbers of that index have. Languages whose indexes match no categories (Welsh, Cornish) are not there.
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
const NAMED: ReadonlyMap<string, string> = new Map(CATEGORIES.map((category) => [category, `_${category}`]));
const PLURAL: ReadonlyMap<string, string> = new Map([
  ["one", ""],
  ["other", "_plural"],
]);
const NONE: ReadonlyMap<string, string> = new Map();

/** Suffixes by category, in the order in which they are written; empty where the way has none for the locale. */
export function suffixesOf(way: SuffixScheme, locale: string): ReadonlyMap<string, string> {
  if (way === "v4") return NAMED;
  const language = languageOf(locale);
  if (UNMATCHED.has(language)) return NONE;
  const categories = numbered.get(language);
  return categories === undefined ? PLURAL : new Map(categories.map((name, index) => [name, `_${index}`]));
}

/**
 * Forms by their suffixes, in the order in which they are written; `null` where the way has no place for one of them. v3
 * has none for other categories than its own, and its unnumbered names come in pairs: there the forms that are missing
 * say what `other` says.
 */
export function suffixedForms(
  way: SuffixScheme,
  forms: Forms,
  locale: string,
): ReadonlyMap<string, string> | null {
  if (!hasOnly(forms, CATEGORIES)) return null;
  const suffixes = suffixesOf(way, locale);
  const categories = [...suffixes.keys()];
  if (way === "v3" && !(isNumbered(locale) && hasOnly(forms, categories))) {
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

/** Whether v3 numbers the forms in that locale. */
export function isNumbered(locale: string): boolean {
  return numbered.has(languageOf(locale));
}

function languageOf(locale: string): string {
  return (locale.split(/[-_@.]/, 1)[0] ?? "").toLowerCase();
}
