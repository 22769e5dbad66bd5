/**
 * Plural forms written as parts of one value (`apple|apples`). Which categories a locale has is said in
 * plural-rules.ts; which text a count picks is decided nowhere here.
 */
import { neededCategories, pluralCategories } from "./plural-rules.ts";
import { CATEGORIES, type Forms } from "./text.ts";

/**
 * How many parts make a value plural in the locale: one for each category that whole numbers of everyday size
 * have. CLDR's `many` of French, Spanish, Italian and Portuguese begins at a million, and files of those
 * languages have two parts; `many` of Czech and `other` of Polish are for fractions only.
 */
export function pluralPartCount(locale: string): number {
  return neededCategories(locale).length;
}

/** Whose syntax the parts have. vue-i18n's may begin with one for nothing at all (`no cars | one car | {n} cars`). */
export type PipeSyntax = "laravel" | "vue";

/**
 * The categories of `count` parts in a locale. As many as the locale has: those; in vue-i18n one more: `zero`
 * before them. Fewer or more: the plain reading (one: `other`; two: `one`, `other`; three: `zero`, `one`,
 * `other`), so that no part is lost. `null` when there are more parts than categories exist.
 */
export function categoriesOfParts(
  locale: string,
  count: number,
  syntax: PipeSyntax = "laravel",
): readonly string[] | null {
  const [whole, more] = usualCategories(locale, syntax);
  if (count === whole.length) return whole;
  if (count === more.length) return more;
  if (count < 1 || count > CATEGORIES.length) return null;
  if (count === 1) return ["other"];
  if (count === 2) return ["one", "other"];
  return [...CATEGORIES.slice(0, count - 1), "other"];
}

/** The two sets of categories that values of the locale have as a rule, the smaller one first. */
function usualCategories(
  locale: string,
  syntax: PipeSyntax,
): readonly [readonly string[], readonly string[]] {
  const whole = neededCategories(locale);
  if (syntax === "laravel") return [whole, pluralCategories(locale)];
  return [whole, whole.length < 2 || whole.includes("zero") ? whole : ["zero", ...whole]];
}

/** Parts to forms; `null` when there are too many parts to be forms. */
export function formsOfParts(
  locale: string,
  parts: readonly string[],
  syntax: PipeSyntax = "laravel",
): Forms | null {
  const categories = categoriesOfParts(locale, parts.length, syntax);
  return (
    categories && Object.fromEntries(categories.map((category, index) => [category, parts[index] ?? ""]))
  );
}

/**
 * Forms to parts, so that `formsOfParts` gives them back wherever the number of parts allows it. A category that
 * is missing takes the text of `other` (or of the nearest one before it). `null` when some text would get lost.
 */
export function partsOfForms(
  locale: string,
  forms: Forms,
  syntax: PipeSyntax = "laravel",
): readonly string[] | null {
  const names = Object.keys(forms);
  for (let count = 1; count <= CATEGORIES.length; count++) {
    const categories = categoriesOfParts(locale, count, syntax);
    if (categories?.length === names.length && categories.every((name) => Object.hasOwn(forms, name))) {
      return categories.map((name) => forms[name] ?? "");
    }
  }
  for (const categories of usualCategories(locale, syntax)) {
    // French `many`, where it says what `other` says, needs no part of its own.
    if (names.every((name) => categories.includes(name) || forms[name] === forms["other"])) {
      return fillCategories(categories, forms);
    }
  }
  return null;
}

/**
 * One text for each category; where the forms lack one, that of `other` (or of the nearest one before it). `null`
 * when a form's text would get lost.
 */
export function fillCategories(categories: readonly string[], forms: Forms): readonly string[] | null {
  const names = Object.keys(forms);
  if (names.length === 0) return null;
  let last = Object.hasOwn(forms, "other") ? forms["other"] : forms[names[0] ?? ""];
  const parts = categories.map((category) => {
    if (Object.hasOwn(forms, category)) last = forms[category];
    return (Object.hasOwn(forms, category) ? forms[category] : (forms["other"] ?? last)) ?? "";
  });
  return names.every((name) => parts.includes(forms[name] ?? "")) ? parts : null;
}

/** A `|`-separated value taken apart; `separators[i]` stands between the parts `i` and `i + 1`. */
export interface Pipes {
  readonly parts: readonly string[];
  readonly separators: readonly string[];
}

/** Laravel's ranges before a part: `{0}`, `[1,19]`, `[20,*]`. */
const RANGE =
  /(?:^|\|)\s*(?:\{\s*-?\d+(?:\.\d+)?\s*\}|[[\]]\s*(?:\*|-?[\w.]+)\s*,\s*(?:\*|-?[\w.]+)\s*[[\]])/u;

/** Whether any part begins with a range, so that the value is one choice by number and not plural forms. */
export function hasRanges(value: string): boolean {
  return RANGE.test(value);
}

/** Every `|` separates; with `trim`, white space around it belongs to the separator (vue-i18n's rule). */
export function splitPipes(value: string, trim: boolean): Pipes {
  const parts: string[] = [];
  const separators: string[] = [];
  let rest = 0;
  for (let at = value.indexOf("|"); at >= 0; at = value.indexOf("|", rest)) {
    let start = at;
    let end = at + 1;
    if (trim) {
      while (start > rest && isBlank(value.charCodeAt(start - 1))) start--;
      while (end < value.length && isBlank(value.charCodeAt(end))) end++;
    }
    parts.push(value.slice(rest, start));
    separators.push(value.slice(start, end));
    rest = end;
  }
  parts.push(value.slice(rest));
  return { parts, separators };
}

/** Parts to one value; separators that are not given are `fallback`. */
export function joinPipes(parts: readonly string[], separators: readonly string[], fallback: string): string {
  return parts
    .map((part, index) => (index === 0 ? part : (separators[index - 1] ?? fallback) + part))
    .join("");
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
