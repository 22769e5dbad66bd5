/** Plural forms as parts of one value (`apple|apples`). plural-categories.ts has the categories of each locale. */
import { neededCategories, pluralCategories } from "./plural-categories.ts";
import { PLURAL_CATEGORIES, type Forms } from "./translation-text.ts";

/**
 * Returns how many parts a plural value has in the locale: one per category of everyday whole numbers. CLDR's `many`
 * of French, Spanish, Italian and Portuguese starts at a million, and their files have two parts; `many` of Czech and
 * `other` of Polish are for fractions only.
 */
export function pluralPartCount(locale: string): number {
  return neededCategories(locale).length;
}

/** The framework of the syntax. vue-i18n's parts may start with one for zero (`no cars | one car`). */
export type PipeSyntax = "laravel" | "vue";

/**
 * Returns the categories of `count` parts in a locale: the locale's own if the number fits; in vue-i18n also with
 * `zero` before them. Any other number is read generically (one: `other`; two: `one`, `other`; three: `zero`, `one`,
 * `other`), so that no part is lost. `null` when there are more parts than categories.
 */
export function categoriesForPartCount(
  locale: string,
  count: number,
  syntax: PipeSyntax = "laravel",
): readonly string[] | null {
  const [needed, all] = usualCategories(locale, syntax);
  if (count === needed.length) return needed;
  if (count === all.length) return all;
  if (count < 1 || count > PLURAL_CATEGORIES.length) return null;
  if (count === 1) return ["other"];
  if (count === 2) return ["one", "other"];
  return [...PLURAL_CATEGORIES.slice(0, count - 1), "other"];
}

/** Returns the two usual sets of categories of the locale, the smaller one first. */
function usualCategories(
  locale: string,
  syntax: PipeSyntax,
): readonly [readonly string[], readonly string[]] {
  const needed = neededCategories(locale);
  if (syntax === "laravel") return [needed, pluralCategories(locale)];
  return [needed, needed.length < 2 || needed.includes("zero") ? needed : ["zero", ...needed]];
}

/** Converts parts to forms; `null` when there are more parts than categories. */
export function partsToForms(
  locale: string,
  parts: readonly string[],
  syntax: PipeSyntax = "laravel",
): Forms | null {
  const categories = categoriesForPartCount(locale, parts.length, syntax);
  return (
    categories && Object.fromEntries(categories.map((category, index) => [category, parts[index] ?? ""]))
  );
}

/**
 * Converts forms to parts, such that `partsToForms` restores them where the number of parts allows it. A missing
 * category gets the text of `other` (or the nearest one before it). `null` when a text would be lost.
 */
export function formsToParts(
  locale: string,
  forms: Forms,
  syntax: PipeSyntax = "laravel",
): readonly string[] | null {
  const names = Object.keys(forms);
  for (let count = 1; count <= PLURAL_CATEGORIES.length; count++) {
    const categories = categoriesForPartCount(locale, count, syntax);
    if (categories?.length === names.length && categories.every((name) => Object.hasOwn(forms, name))) {
      return categories.map((name) => forms[name] ?? "");
    }
  }
  for (const categories of usualCategories(locale, syntax)) {
    // A French `many` that equals `other` needs no part.
    if (names.every((name) => categories.includes(name) || forms[name] === forms["other"])) {
      return fillCategories(categories, forms);
    }
  }
  return null;
}

/** Returns a text per category, a missing one like `formsToParts`; `null` when a text would be lost. */
export function fillCategories(categories: readonly string[], forms: Forms): readonly string[] | null {
  const names = Object.keys(forms);
  if (names.length === 0) return null;
  let last = Object.hasOwn(forms, "other") ? forms["other"] : forms[names[0] ?? ""];
  const parts = categories.map((category) => {
    if (!Object.hasOwn(forms, category)) return forms["other"] ?? last ?? "";
    return (last = forms[category]) ?? "";
  });
  return names.every((name) => parts.includes(forms[name] ?? "")) ? parts : null;
}

/** A value split at `|`; `separators[i]` is between the parts `i` and `i + 1`. */
export interface SplitPipes {
  readonly parts: readonly string[];
  readonly separators: readonly string[];
}

/** Laravel's ranges before a part: `{0}`, `[1,19]`, `[20,*]`. */
const RANGE =
  /(?:^|\|)\s*(?:\{\s*-?\d+(?:\.\d+)?\s*\}|[[\]]\s*(?:\*|-?[\w.]+)\s*,\s*(?:\*|-?[\w.]+)\s*[[\]])/u;

/** Returns whether a part starts with a range, so that the value selects by number and not by plural category. */
export function hasRanges(value: string): boolean {
  return RANGE.test(value);
}

/** Splits a value at each `|`; with `trim`, whitespace around it belongs to the separator (vue-i18n's rule). */
export function splitPipes(value: string, trim: boolean): SplitPipes {
  const parts: string[] = [];
  const separators: string[] = [];
  let rest = 0;
  for (let at = value.indexOf("|"); at >= 0; at = value.indexOf("|", rest)) {
    let start = at;
    let end = at + 1;
    if (trim) {
      while (start > rest && isAsciiSpace(value.charCodeAt(start - 1))) start--;
      while (end < value.length && isAsciiSpace(value.charCodeAt(end))) end++;
    }
    parts.push(value.slice(rest, start));
    separators.push(value.slice(start, end));
    rest = end;
  }
  parts.push(value.slice(rest));
  return { parts, separators };
}

/** Joins parts; missing separators are `fallback`. */
export function joinPipes(parts: readonly string[], separators: readonly string[], fallback: string): string {
  const [first = "", ...others] = parts;
  return first + others.map((part, index) => (separators[index] ?? fallback) + part).join("");
}

function isAsciiSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
