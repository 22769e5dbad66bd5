/** A text of a key: one value, or plural forms by CLDR category. Knows nothing of languages or files. */
/** Texts of a plural key by CLDR category. */
export type Forms = Record<string, string>;

/** Exactly one of the two members is there. */
export type Text = { readonly value: string } | { readonly forms: Forms };

/** Whether the text has plural forms. */
export function isForms(text: Text): text is { readonly forms: Forms } {
  return "forms" in text;
}

/** The CLDR categories in their own order. */
export const CATEGORIES = ["zero", "one", "two", "few", "many", "other"] as const;

/** The value, or of plural forms `other` (else the last that is not empty); empty for no text. */
export function plainText(text: Text | null): string {
  if (text === null) return "";
  if (!isForms(text)) return text.value;
  return text.forms["other"] || (Object.values(text.forms).findLast((form) => form !== "") ?? "");
}

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

/** The same text with its forms in CLDR's order, other names behind them. */
export function withOrderedForms(text: Text): Text {
  if (!isForms(text)) return text;
  const names = Object.keys(text.forms);
  const known = CATEGORIES.filter((category) => Object.hasOwn(text.forms, category));
  const others = names.filter((name) => !known.some((category) => category === name));
  return { forms: Object.fromEntries([...known, ...others].map((name) => [name, text.forms[name] ?? ""])) };
}

/** A text without halves of characters, which no file and no request can hold: `�` stands for them. */
export function wellFormed(text: Text): Text {
  if (!isForms(text)) return { value: text.value.toWellFormed() };
  const forms = Object.entries(text.forms).map(([category, form]) => [category, form.toWellFormed()]);
  return { forms: Object.fromEntries(forms) as Record<string, string> };
}
