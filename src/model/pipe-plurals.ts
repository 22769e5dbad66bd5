/** Plural forms as parts of one value (`apple|apples`). Frameworks decide which part is for which numbers. */
import type { Forms } from "./translation-text.ts";

/** How a framework reads and writes plural forms as parts of one value. */
export interface PipeRules {
  /** Splits a value at its pipes. */
  readonly split: (value: string) => SplitPipes;
  /** Converts parts to forms; `null` when there are more parts than categories. */
  readonly forms: (locale: string, parts: readonly string[]) => Forms | null;
  /**
   * Converts forms to parts. A missing category gets the text of `other` (or the nearest one before it). `null` when a
   * text would be lost.
   */
  readonly parts: (locale: string, forms: Forms) => readonly string[] | null;
  /** Returns the forms that a value can have, without those that are never shown. */
  readonly formsInValue: (locale: string, forms: Forms) => Forms;
  /** Returns the category of each part that is distinguished in the locale. */
  readonly shownCategories: (locale: string) => readonly string[];
  /** Whether a part starts with a range of numbers, so that it is not for a plural category. */
  readonly hasRanges: (value: string) => boolean;
}

/** Returns the forms whose categories these are. */
export function formsOfParts(categories: readonly string[], parts: readonly string[]): Forms {
  return Object.fromEntries(categories.map((category, index) => [category, parts[index] ?? ""]));
}

/** Returns a text per category, a missing one that of `other`, or of the nearest one before it; `null` when a text would be lost. */
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

/** Splits a value at the matches of a pattern that are pipes; with `trim`, white space around one belongs to it. */
export function splitAtPipes(value: string, pattern: RegExp, trim: boolean): SplitPipes {
  const parts: string[] = [];
  const separators: string[] = [];
  let rest = 0;
  for (const { index, 0: found } of value.matchAll(pattern)) {
    if (found !== "|") continue;
    let start = index;
    let end = index + 1;
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
