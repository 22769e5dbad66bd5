/** Plural categories of languages, from CLDR through `Intl`. */
import { getOrCreate } from "../util/maps.ts";
import { PLURAL_CATEGORIES } from "./translation-text.ts";

interface LocalePlurals {
  readonly rules: Intl.PluralRules | undefined;
  readonly all: readonly string[];
  readonly needed: readonly string[];
  readonly single: ReadonlySet<string>;
  readonly rare: ReadonlySet<string>;
}

const cache = new Map<string, LocalePlurals>();

/** Returns all categories of the locale in CLDR's order; `["other"]` for a locale that `Intl` does not know. */
export function pluralCategories(locale: string): readonly string[] {
  return pluralsForLocale(locale).all;
}

/**
 * Returns the categories that a complete plural text has: those of the whole numbers up to 1000. So CLDR's `many` for
 * millions in French, Spanish, Italian and Portuguese is not required, nor `other` for fractions in Russian.
 */
export function neededCategories(locale: string): readonly string[] {
  return pluralsForLocale(locale).needed;
}

/** Returns the category of a whole number; `other` in a locale that `Intl` does not know. */
export function categoryForNumber(locale: string, number: number): string {
  return pluralsForLocale(locale).rules?.select(number) ?? "other";
}

/** Returns whether the category has one number only (English `one`, not Russian), which its text may omit. */
export function isSingleNumberCategory(locale: string, category: string): boolean {
  return pluralsForLocale(locale).single.has(category);
}

/**
 * Returns whether the category has fewer than five whole numbers up to 1000 (Czech `few`): gettext does not require
 * all arguments in its text.
 */
export function isRareCategory(locale: string, category: string): boolean {
  return pluralsForLocale(locale).rare.has(category);
}

function pluralsForLocale(locale: string): LocalePlurals {
  return getOrCreate(cache, locale, () => computePlurals(locale));
}

function computePlurals(locale: string): LocalePlurals {
  const rules = pluralRules(locale);
  if (rules === undefined)
    return { rules, all: ["other"], needed: ["other"], single: new Set(), rare: new Set() };
  const numbers = new Map<string, number>();
  for (let number = 0; number <= 1000; number++) {
    const category = rules.select(number);
    numbers.set(category, (numbers.get(category) ?? 0) + 1);
  }
  const below = (limit: number): ReadonlySet<string> =>
    new Set([...numbers].filter(([, count]) => count < limit).map(([category]) => category));
  const all: readonly string[] = rules.resolvedOptions().pluralCategories;
  const inOrder = PLURAL_CATEGORIES.filter((category) => all.includes(category));
  return {
    rules,
    all: inOrder,
    needed: inOrder.filter((category) => numbers.has(category)),
    single: below(2),
    rare: below(5),
  };
}

/**
 * Returns the rules of the locale, or of its language (`sr@latin`, `de_informal`). `supportedLocalesOf` is checked
 * first, since for unknown languages `Intl` falls back to the system's.
 */
function pluralRules(locale: string): Intl.PluralRules | undefined {
  const subtags = locale.split(/[-_@.]/);
  for (let length = subtags.length; length > 0; length--) {
    const tag = subtags.slice(0, length).join("-");
    try {
      if (Intl.PluralRules.supportedLocalesOf(tag).length > 0) return new Intl.PluralRules(tag);
    } catch {
      // Not a well-formed tag, but a shorter one may be.
    }
  }
  return undefined;
}
