/** Text of a key: one value, or plural forms by CLDR category; literal replacement in it, and its length. */

/** Plural forms by CLDR category. */
export type Forms = Record<string, string>;

/** A singular or a plural text. */
export type Text = { readonly value: string } | { readonly forms: Forms };

/** Returns whether the text is plural. */
export function isForms(text: Text): text is { readonly forms: Forms } {
  return "forms" in text;
}

/** Returns the value, or all forms; none for no text. */
export function valuesOf(text: Text | null): readonly string[] {
  if (text === null) return [];
  return isForms(text) ? Object.values(text.forms) : [text.value];
}

/** Returns the value, or all forms joined. */
export function flatText(text: Text): string {
  return valuesOf(text).join(" · ");
}

/** CLDR's plural categories in their usual order. */
export const PLURAL_CATEGORIES = ["zero", "one", "two", "few", "many", "other"] as const;

/** Returns the value, or the form `other` (else the last form that is not empty); empty for no text. */
export function plainText(text: Text | null): string {
  if (text === null) return "";
  if (!isForms(text)) return text.value;
  return text.forms["other"] || (Object.values(text.forms).findLast((form) => form !== "") ?? "");
}

/** Compares kind and content; the order of forms is irrelevant. */
export function areTextsEqual(a: Text, b: Text): boolean {
  if (!isForms(a) || !isForms(b)) return !isForms(a) && !isForms(b) && a.value === b.value;
  const names = Object.keys(a.forms);
  return (
    names.length === Object.keys(b.forms).length && names.every((name) => a.forms[name] === b.forms[name])
  );
}

/** Returns whether the value, or each form, is empty. */
export function isEmptyText(text: Text): boolean {
  return valuesOf(text).every((value) => value === "");
}

/** Sorts forms in CLDR's order, unknown categories last by name, so that equal texts have the same JSON. */
export function withOrderedForms(text: Text): Text {
  if (!isForms(text)) return text;
  const names = Object.keys(text.forms);
  const known = PLURAL_CATEGORIES.filter((category) => Object.hasOwn(text.forms, category));
  const others = names.filter((name) => !known.some((category) => category === name)).sort();
  return { forms: Object.fromEntries([...known, ...others].map((name) => [name, text.forms[name] ?? ""])) };
}

/** Changes the value, or each form. */
function mapText(text: Text, change: (value: string) => string): Text {
  if (!isForms(text)) return { value: change(text.value) };
  return {
    forms: Object.fromEntries(Object.entries(text.forms).map(([name, form]) => [name, change(form)])),
  };
}

/** Replaces lone surrogates, which neither files nor requests can contain, with `�`. */
export function toWellFormedText(text: Text): Text {
  return mapText(text, (value) => value.toWellFormed());
}

/** Removes empty forms, which the service does not store. */
export function withoutEmptyForms(text: Text): Text {
  if (!isForms(text)) return text;
  return { forms: Object.fromEntries(Object.entries(text.forms).filter(([, form]) => form !== "")) };
}

/** Compares texts; an empty form counts as none, and an empty text as no text. */
export function isSameOrBothEmpty(a: Text | null, b: Text | null): boolean {
  const isSomething = (text: Text | null): text is Text => text !== null && !isEmptyText(text);
  if (!isSomething(a) || !isSomething(b)) return isSomething(a) === isSomething(b);
  return areTextsEqual(withoutEmptyForms(a), withoutEmptyForms(b));
}

/** Like `isSameOrBothEmpty`, ignoring what a service may normalise: whitespace and the composition of characters. */
export function isSameNormalized(a: Text | null, b: Text | null): boolean {
  const normalized = (text: Text): Text =>
    mapText(text, (value) => value.normalize().replaceAll(/\s+/gu, " ").trim());
  return isSameOrBothEmpty(a && normalized(a), b && normalized(b));
}

/** Returns the number of code points, the unit of `maxLength` (§ Key); the document does not specify it. */
export function codePointCount(value: string): number {
  return Array.from(value).length;
}

/** Returns the code points of the value, or of the longest form. */
export function textLength(text: Text): number {
  return Math.max(0, ...valuesOf(text).map(codePointCount));
}

export interface Replacement {
  readonly find: string;
  readonly replacement: string;
  readonly matchCase: boolean;
  /** Only matches that no letter, digit or underscore stands beside. */
  readonly wholeWord: boolean;
  /** `find` is a regular expression, and `replacement` may name its groups (`$1`). */
  readonly isRegExp: boolean;
}

/** Returns the pattern of the matches; `null` if `find` is empty or not a regular expression. */
export function matchPattern({ find, matchCase, wholeWord, isRegExp }: Replacement): RegExp | null {
  if (find === "") return null;
  const source = isRegExp ? find : escapeRegExp(find);
  const words = wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
  try {
    return new RegExp(words, matchCase ? "gu" : "giu");
  } catch {
    return null;
  }
}

/** Replaces all matches; `null` when nothing changes. */
export function replaceInText(text: Text, options: Replacement): Text | null {
  const pattern = matchPattern(options);
  if (pattern === null) return null;
  const { replacement, isRegExp } = options;
  const replaced = mapText(text, (value) =>
    // A function, since `$` is special in a replacement string.
    isRegExp ? value.replaceAll(pattern, replacement) : value.replaceAll(pattern, () => replacement),
  );
  return areTextsEqual(text, replaced) ? null : replaced;
}

/** Escapes a text for a regular expression; Node 22 has no `RegExp.escape`. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
