/** The fields of gettext's header: the text of the message with the empty msgid, a line for each. */
import type { ReadOptions } from "../format.ts";
import { standardPluralForms } from "./plural-forms.ts";

/** A field's value; `null` when the header has none, or an empty one. */
export function headerField(header: string, name: string): string | null {
  const wanted = `${name.toLowerCase()}:`;
  for (let start = 0; start < header.length;) {
    const feed = header.indexOf("\n", start);
    const end = feed < 0 ? header.length : feed;
    if (header.slice(start, start + wanted.length).toLowerCase() === wanted) {
      return header.slice(start + wanted.length, end).trim() || null;
    }
    start = end + 1;
  }
  return null;
}

/** The name of the encoding that the header says, in lower case; `utf-8` where it says none. */
export function headerCharset(header: string): string {
  const type = headerField(header, "Content-Type") ?? "";
  const charset = /charset=\s*([\w.:-]+)/i.exec(type)?.[1]?.toLowerCase();
  return charset === undefined || charset === "charset" ? "utf-8" : charset;
}

/** The header of a new file, its `Plural-Forms` with places for all the categories. */
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
  if (kind === "template") return lines.map((line) => `${line}\n`).join("");
  const plurals = standardPluralForms(locale || sourceLocale, categories);
  return [...lines, `Language: ${gettextLocale(locale)}`, `Plural-Forms: ${plurals}`]
    .map((line) => `${line}\n`)
    .join("");
}

/** As gettext and WordPress write a locale: `pt_BR`, `zh_Hans`. */
export function gettextLocale(locale: string): string {
  return locale.replaceAll("-", "_");
}
