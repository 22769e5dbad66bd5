/** A text of a key: one value, or plural forms by CLDR category. Knows nothing of languages or files. */
import type { Forms } from "../api/schemas.ts";

export type { Forms };

/** Exactly one of the two members is there. */
export type Text = { readonly value: string } | { readonly forms: Forms };

/** Whether the text has plural forms. */
export function isForms(text: Text): text is { readonly forms: Forms } {
  return "forms" in text;
}

/** The CLDR categories in their own order. */
export const CATEGORIES = ["zero", "one", "two", "few", "many", "other"] as const;

/** Same kind and same words; the order of forms does not count. */
export function sameText(a: Text, b: Text): boolean {
  if (!isForms(a) || !isForms(b)) return !isForms(a) && !isForms(b) && a.value === b.value;
  const names = Object.keys(a.forms);
  return (
    names.length === Object.keys(b.forms).length && names.every((name) => a.forms[name] === b.forms[name])
  );
}

/** No value, or no form with words in it. */
export function isEmptyText(text: Text): boolean {
  return isForms(text) ? Object.values(text.forms).every((form) => form === "") : text.value === "";
}
