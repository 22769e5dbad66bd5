/**
 * The names that i18next gives the members of a plural key: `item_one` since its JSON format v4, before that
 * `item` and `item_plural`, or `item_0`, `item_1` … in languages that have other than two forms. Names only.
 */
import { CATEGORIES } from "../../text.ts";

export type SuffixWay = "v4" | "v3";

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
export function suffixesOf(way: SuffixWay, locale: string): ReadonlyMap<string, string> {
  if (way === "v4") return NAMED;
  const language = languageOf(locale);
  if (UNMATCHED.has(language)) return NONE;
  const categories = numbered.get(language);
  return categories === undefined ? PLURAL : new Map(categories.map((name, index) => [name, `_${index}`]));
}

/** Whether v3 numbers the forms in that locale. */
export function isNumbered(locale: string): boolean {
  return numbered.has(languageOf(locale));
}

function languageOf(locale: string): string {
  return (locale.split(/[-_@.]/, 1)[0] ?? "").toLowerCase();
}
