/**
 * gettext's messages: their names (context, msgid and msgid_plural in one string) and what they consist of, and the
 * fields of the header (the lines of the text of the message with the empty msgid).
 */
import { isForms, type Text, valuesOf } from "../../model/translation-text.ts";
import type { Change, NewEntry, ReadOptions } from "../format.ts";
import { standardPluralForms } from "./plural-forms-header.ts";

/**
 * The content of a file. A template contains only source texts; in a file of the source locale an empty msgstr stands
 * for the msgid.
 */
export type PoKind = "translations" | "sources" | "template";

/** Separates a context from its msgid. */
export const CONTEXT_END = "\u0004";
/** Separates a msgid from its msgid_plural, and plural forms. Never part of a string. */
export const FORM_END = "\0";

export interface MessageName {
  readonly key: string;
  readonly context: string | null;
  /** The msgid_plural; `null` for a singular message. */
  readonly plural: string | null;
}

/** The inverse of `joinMessageName`. */
export function splitMessageName(name: string): MessageName {
  const end = name.indexOf(FORM_END);
  const singular = end < 0 ? name : name.slice(0, end);
  const contextEnd = singular.indexOf(CONTEXT_END);
  return {
    key: singular.slice(contextEnd + 1),
    // An empty context is none.
    context: contextEnd < 1 ? null : singular.slice(0, contextEnd),
    plural: end < 0 ? null : name.slice(end + 1),
  };
}

/** Returns the name of a message. The empty name is reserved for the header. */
export function joinMessageName(key: string, context: string | null, plural: string | null = null): string {
  const name = context === null || context === "" ? key : context + CONTEXT_END + key;
  return plural === null ? name : name + FORM_END + plural;
}

/**
 * Returns the name of a message; `null` if it cannot be written: the empty name is the header's, and a separator would
 * split the name elsewhere. Only the first separator ends a context, so a key with a context may contain it.
 */
export function writableName(key: string, context: string | null): string | null {
  const isSplitElsewhere = (context === null || context === "" ? key : context).includes(CONTEXT_END);
  const hasFormEnd = [key, context ?? ""].some((part) => part.includes(FORM_END));
  if (isSplitElsewhere || hasFormEnd || joinMessageName(key, context) === "") return null;
  return joinMessageName(key, context);
}

/** Whether a file of the source locale leaves strings empty that would equal their msgid. */
export function hasEmptySources(
  messages: Iterable<readonly [key: string, text: string | undefined]>,
): boolean {
  let empty = 0;
  for (const [key, text] of messages) {
    if (text === "") empty++;
    else if (text === key) empty--;
  }
  return empty >= 0;
}

/** Returns the msgid_plural for a source text; `null` if that is unknown or not plural. */
export function msgidPlural(source: Text | null | undefined): string | null {
  return source != null && isForms(source) ? (source.forms["other"] ?? null) : null;
}

/** Returns the source text of a message. */
export function messageSource(key: string, plural: string | null): Text {
  return plural === null ? { value: key } : { forms: { one: key, other: plural } };
}

/** Returns all strings that a message would have. */
export function stringsOf({ key, context, text, source = null }: Change | NewEntry): readonly string[] {
  return [key, context ?? "", ...[text, source].flatMap(valuesOf)];
}

/** Returns a field's value; `null` if it is missing or empty. */
export function headerField(header: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\n)${name}:([^\\n]*)`, "i").exec(header);
  return found?.[1]?.trim() || null;
}

/** Returns the charset in the header, in lower case; `utf-8` if there is none. */
export function headerCharset(header: string): string {
  const type = headerField(header, "Content-Type") ?? "";
  const charset = /charset=\s*([\w.:-]+)/i.exec(type)?.[1]?.toLowerCase();
  return charset === undefined || charset === "charset" ? "utf-8" : charset;
}

/** Returns the header of a new file. Its `Plural-Forms` covers all the categories. */
export function newHeader(
  { locale, sourceLocale }: ReadOptions,
  kind: PoKind,
  categories: Iterable<string>,
): string {
  const lines = [
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=UTF-8",
    "Content-Transfer-Encoding: 8bit",
  ];
  if (kind !== "template") {
    const plurals = standardPluralForms(locale || sourceLocale, categories);
    lines.push(`Language: ${gettextLocale(locale)}`, `Plural-Forms: ${plurals}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns a locale in gettext's and WordPress's notation: `pt_BR`, `zh_Hans`. */
export function gettextLocale(locale: string): string {
  return locale.replaceAll("-", "_");
}
