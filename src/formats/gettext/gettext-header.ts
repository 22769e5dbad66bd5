/** The fields of gettext's header: the lines of the text of the message with the empty msgid. */
import type { ReadOptions } from "../format.ts";
import { standardPluralForms } from "./plural-forms-header.ts";

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
  kind: "translations" | "template",
  categories: Iterable<string>,
): string {
  const lines = [
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=UTF-8",
    "Content-Transfer-Encoding: 8bit",
  ];
  if (kind === "translations") {
    const plurals = standardPluralForms(locale || sourceLocale, categories);
    lines.push(`Language: ${gettextLocale(locale)}`, `Plural-Forms: ${plurals}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns a locale in gettext's and WordPress's notation: `pt_BR`, `zh_Hans`. */
export function gettextLocale(locale: string): string {
  return locale.replaceAll("-", "_");
}
