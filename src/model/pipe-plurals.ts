/** Plural forms as parts of one value (`apple|apples`). laravel-plurals.ts has Laravel's order of the parts. */
import { laravelPartCategories } from "./laravel-plurals.ts";
import { neededCategories, pluralCategories } from "./plural-categories.ts";
import { PLURAL_CATEGORIES, type Forms } from "./translation-text.ts";

/** Who chooses the part: Laravel's `MessageSelector`, or vue-i18n, whose parts may start with one for zero (`no cars | one car`). */
export type PipeSyntax = "message-selector" | "vue";

/** Converts parts to forms; `null` when there are more parts than categories. */
export function partsToForms(locale: string, parts: readonly string[], syntax: PipeSyntax): Forms | null {
  const categories =
    syntax === "message-selector"
      ? laravelCategories(locale, parts.length)
      : vueCategoriesForPartCount(locale, parts.length);
  return (
    categories && Object.fromEntries(categories.map((category, index) => [category, parts[index] ?? ""]))
  );
}

/**
 * Returns the categories of the first parts, those that Laravel shows. Surplus parts are never shown; but if there is
 * one for each category of the language, that is what the author meant (Turkish `elma|elmalar`).
 */
function laravelCategories(locale: string, count: number): readonly string[] {
  const shown = laravelPartCategories(locale);
  if (count === 1) return ["other"];
  if (count <= shown.length) return shown.slice(0, count);
  const usual = [neededCategories(locale), pluralCategories(locale)];
  return usual.find((categories) => categories.length === count) ?? shown;
}

/**
 * Returns the categories of `count` parts in vue-i18n: the locale's own if the number fits, also with `zero` before
 * them. Any other number is read generically (one: `other`; two: `one`, `other`; three: `zero`, `one`, `other`), so
 * that no part is lost. `null` when there are more parts than categories.
 */
export function vueCategoriesForPartCount(locale: string, count: number): readonly string[] | null {
  const fitting = usualVueCategories(locale).find((categories) => categories.length === count);
  if (fitting !== undefined) return fitting;
  if (count < 1 || count > PLURAL_CATEGORIES.length) return null;
  if (count === 1) return ["other"];
  if (count === 2) return ["one", "other"];
  return [...PLURAL_CATEGORIES.slice(0, count - 1), "other"];
}

/** Returns the usual sets of categories of the locale, the smaller one first. */
function usualVueCategories(locale: string): readonly (readonly string[])[] {
  const needed = neededCategories(locale);
  return needed.length < 2 || needed.includes("zero") ? [needed] : [needed, ["zero", ...needed]];
}

/**
 * Converts forms to parts. A missing category gets the text of `other` (or the nearest one before it). `null` when a
 * text would be lost; Laravel's parts do not contain the categories that it never shows (`laravelForms`).
 */
export function formsToParts(locale: string, forms: Forms, syntax: PipeSyntax): readonly string[] | null {
  return syntax === "message-selector" ? laravelParts(locale, forms) : vueParts(locale, forms);
}

function laravelParts(locale: string, forms: Forms): readonly string[] | null {
  const categories = laravelPartCategories(locale);
  const shown = laravelForms(locale, forms);
  const count = Object.keys(shown).length;
  const first = categories.slice(0, count);
  // Without `other` the last parts may be missing.
  const isBeginning =
    count > 1 && !Object.hasOwn(shown, "other") && first.every((name) => Object.hasOwn(shown, name));
  return fillCategories(isBeginning ? first : categories, shown);
}

/** Returns the forms that a Laravel value can have: without those of the language that Laravel never shows. */
export function laravelForms(locale: string, forms: Forms): Forms {
  const shown = laravelPartCategories(locale);
  const hidden = pluralCategories(locale).filter((category) => !shown.includes(category));
  const isComplete = shown.every((category) => Object.hasOwn(forms, category));
  const kept = Object.entries(forms).filter(
    ([name]) => !hidden.includes(name) || (name === "other" && !isComplete),
  );
  return kept.length === 0 ? forms : Object.fromEntries(kept);
}

function vueParts(locale: string, forms: Forms): readonly string[] | null {
  const names = Object.keys(forms);
  for (let count = 1; count <= PLURAL_CATEGORIES.length; count++) {
    const categories = vueCategoriesForPartCount(locale, count);
    if (categories?.length === names.length && categories.every((name) => Object.hasOwn(forms, name))) {
      return categories.map((name) => forms[name] ?? "");
    }
  }
  for (const categories of usualVueCategories(locale)) {
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

/** A pipe of vue-i18n, or a sign or literal that contains none: `\|`, `{'|'}`. */
const VUE_PIPE = /\\[\\{}@|]|\{\s*'(?:[^'\\\n]|\\.)*'\s*\}|\|/gu;

/** Splits a value at its pipes; in vue-i18n, white space around one belongs to it. */
export function splitPipes(value: string, syntax: PipeSyntax): SplitPipes {
  const parts: string[] = [];
  const separators: string[] = [];
  let rest = 0;
  for (const { index, 0: found } of value.matchAll(syntax === "vue" ? VUE_PIPE : /\|/gu)) {
    if (found !== "|") continue;
    let start = index;
    let end = index + 1;
    if (syntax === "vue") {
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
