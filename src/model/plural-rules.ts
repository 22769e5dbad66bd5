/** Which plural categories a language has and needs, from CLDR by way of `Intl`. Knows no file format. */
import { CATEGORIES } from "./text.ts";

interface LocalePlurals {
  readonly rules: Intl.PluralRules | undefined;
  readonly all: readonly string[];
  readonly needed: readonly string[];
  readonly single: ReadonlySet<string>;
}

const known = new Map<string, LocalePlurals>();

/** All categories of the locale in CLDR's order; `["other"]` for a locale that `Intl` does not know. */
export function pluralCategories(locale: string): readonly string[] {
  return pluralsOf(locale).all;
}

/**
 * The categories without which a plural text is incomplete: those that whole numbers up to 1000 use. So the
 * `many` that newer CLDR gives French, Spanish, Italian and Portuguese for millions is not asked for, nor the
 * `other` that Russian has for fractions.
 */
export function neededCategories(locale: string): readonly string[] {
  return pluralsOf(locale).needed;
}

/** The category that the whole number has in the locale; `other` in a locale that `Intl` does not know. */
export function categoryOfNumber(locale: string, number: number): string {
  return pluralsOf(locale).rules?.select(number) ?? "other";
}

/** Whether the category stands for one number only (English `one`, not Russian `one`): its text need not say it. */
export function isSingleNumber(locale: string, category: string): boolean {
  return pluralsOf(locale).single.has(category);
}

function pluralsOf(locale: string): LocalePlurals {
  let found = known.get(locale);
  if (found === undefined) {
    found = computePlurals(locale);
    known.set(locale, found);
  }
  return found;
}

function computePlurals(locale: string): LocalePlurals {
  const rules = rulesOf(locale);
  if (rules === undefined) return { rules, all: ["other"], needed: ["other"], single: new Set() };
  const numbers = new Map<string, number>();
  for (let number = 0; number <= 1000; number++) {
    const category = rules.select(number);
    numbers.set(category, (numbers.get(category) ?? 0) + 1);
  }
  const all: readonly string[] = rules.resolvedOptions().pluralCategories;
  const inOrder = CATEGORIES.filter((category) => all.includes(category));
  return {
    rules,
    all: inOrder,
    needed: inOrder.filter((category) => numbers.has(category)),
    single: new Set(inOrder.filter((category) => numbers.get(category) === 1)),
  };
}

/**
 * The rules of the locale, else of its language alone (`sr@latin`, `de_informal`). Asked for by
 * `supportedLocalesOf`, since for a language that it does not know `Intl` takes the machine's own.
 */
function rulesOf(locale: string): Intl.PluralRules | undefined {
  const subtags = locale.split(/[-_@.]/);
  for (let length = subtags.length; length > 0; length--) {
    const tag = subtags.slice(0, length).join("-");
    try {
      if (Intl.PluralRules.supportedLocalesOf(tag).length > 0) return new Intl.PluralRules(tag);
    } catch {
      // Not a well-formed tag; a shorter one may be.
    }
  }
  return undefined;
}
