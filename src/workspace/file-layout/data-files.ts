/** Tells files with data of each language apart from translation files: names of languages and countries, and formats. */
import type { Entry } from "../../formats/format.ts";
import { isKnownLocale } from "../../model/locales.ts";
import { valuesOf } from "../../model/translation-text.ts";

/** Fewer entries show nothing. */
const MIN_ENTRIES = 5;
/** Of the entries of a list of names, whose file may also have its own language and a title. */
const MIN_CODES_SHARE = 0.9;
const MAX_WORDS_SHARE = 0.1;

/** A country (`NL`) or a region (`419`), as data has them. */
const REGION = /^(?:[A-Z]{2}|\d{3})$/;
/** Three different letters in a row, as in any word but in no format (`yyyy-MMM-dd`), or one of a script without case. */
const WORD = /\p{Lo}|(\p{L})(?!\1)(\p{Ll})(?!\1|\2)\p{Ll}/u;

/** Whether the entries of a file are data of a language: named by languages or countries, or without any words. */
export function isLanguageData(entries: readonly Pick<Entry, "key" | "text">[]): boolean {
  if (entries.length < MIN_ENTRIES) return false;
  const codes = entries.filter(({ key }) => isCode(key.slice(key.lastIndexOf(".") + 1)));
  if (codes.length >= entries.length * MIN_CODES_SHARE) return true;
  // Untranslated texts are empty.
  const values = entries.flatMap(({ text }) => valuesOf(text)).filter((value) => value.trim() !== "");
  const words = values.filter((value) => WORD.test(value));
  return values.length >= MIN_ENTRIES && words.length < values.length * MAX_WORDS_SHARE;
}

function isCode(name: string): boolean {
  return REGION.test(name) || isKnownLocale(name);
}
