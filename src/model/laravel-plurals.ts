/**
 * Laravel's plural rules: which part of `one apple|many apples` it shows for a number. They are those of its
 * `MessageSelector`, older than CLDR's and often coarser: Hebrew has two parts, Turkish one.
 */
import { languageOf } from "./locales.ts";
import { neededCategories } from "./plural-categories.ts";

/** Languages by the categories of their parts: each is that of most numbers for which Laravel shows the part. */
const LANGUAGES: readonly (readonly [categories: string, languages: string])[] = [
  [
    "one other",
    `af bn bg ca da de el en eo es et eu fa fi fo fur fy gl gu ha he hu is it ku lb ml mn mr nah nb ne nl nn no om or
     pa pap ps pt so sq sv sw ta te tk ur zu am bh fil fr gun hi hy ln mg nso ti wa xbr mk`,
  ],
  ["one few many", "be ru uk pl"],
  ["one few other", "bs hr sr cs sk lt ro"],
  ["one two other", "ga"],
  ["one two few other", "sl"],
  // 2 has the part of `few`.
  ["one few many other", "mt"],
  ["zero one other", "lv"],
  // The third part is for 8 and 11, the fourth for all other numbers.
  ["one two other other", "cy"],
  ["zero one two few many other", "ar"],
];

/** Laravel shows the first part for every number in languages that it does not know, and in Turkish, Japanese … */
const ONE_PART: readonly string[] = ["other"];

const parts: ReadonlyMap<string, readonly string[]> = new Map(
  LANGUAGES.flatMap(([categories, languages]) =>
    languages.split(/\s+/u).map((language) => [language, categories.split(" ")] as const),
  ),
);

/** Returns the plural category of each part that Laravel distinguishes in the locale. */
export function laravelPartCategories(locale: string): readonly string[] {
  return parts.get(languageOf(locale)) ?? ONE_PART;
}

/** Returns the categories of the locale that Laravel never shows, since it has no part for them. */
export function categoriesWithoutLaravelPart(locale: string): readonly string[] {
  const shown = laravelPartCategories(locale);
  return neededCategories(locale).filter((category) => !shown.includes(category));
}
