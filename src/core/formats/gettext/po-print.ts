/** New messages of a PO or POT file, and whole new files. */
import { isForms, type Text } from "../../text.ts";
import type { NewEntry, ReadOptions } from "../format.ts";
import { newHeader } from "./gettext-header.ts";
import {
  type GettextPlurals,
  gettextPlurals,
  standardPluralForms,
  stringsOfForms,
} from "./gettext-plurals.ts";
import { layOut, plainStyle, type PoStyle } from "./po-layout.ts";

/** A message to write. */
export interface NewMessage {
  readonly key: string;
  readonly context: string | null;
  readonly description: string | null;
  readonly plural: string | null;
  readonly strings: readonly string[];
}

/** The message's lines, without a line end behind the last. */
export function printMessage(message: NewMessage, style: PoStyle, describedBy: "#." | "#"): string {
  const { key, context, description, plural, strings } = message;
  const lines = (description ?? "")
    .split(/\r\n|[\n\r]/)
    .filter((line) => line.trim() !== "")
    .map((line) => `${describedBy} ${line.trim()}`);
  const put = (keyword: string, said: string): void => {
    lines.push(`${keyword} ${layOut(said, keyword, style, null)}`);
  };
  if (context !== null) put("msgctxt", context);
  put("msgid", key);
  if (plural !== null) put("msgid_plural", plural);
  for (const [index, said] of strings.entries()) put(plural === null ? "msgstr" : `msgstr[${index}]`, said);
  return lines.join(style.eol);
}

/** A whole file. What has no way to be a message (an empty key, which is the header's) is left out. */
export function printPo(entries: readonly NewEntry[], format: "po" | "pot", options: ReadOptions): string {
  const style = plainStyle("\n");
  const categories = new Set(entries.flatMap(({ text }) => (isForms(text) ? saidCategories(text) : [])));
  const isTemplate = format === "pot";
  const header = newHeader(options, isTemplate ? "template" : "translations", categories);
  const plurals = gettextPlurals(standardPluralForms(options.locale, categories), options.locale);
  const blocks = entries
    .filter(({ key, context }) => key !== "" || (context !== null && context !== ""))
    .map((entry) => printMessage(newMessageOf(entry, isTemplate, plurals, options), style, "#."));
  const head = `msgid ""\nmsgstr ${layOut(header, "msgstr", style, null)}`;
  return `${[head, ...blocks].join("\n\n")}\n`;
}

function saidCategories(text: Extract<Text, { readonly forms: unknown }>): string[] {
  return Object.entries(text.forms).flatMap(([name, form]) => (form === "" ? [] : [name]));
}

function newMessageOf(
  { key, context, text, source = null, description = null }: NewEntry,
  isTemplate: boolean,
  plurals: GettextPlurals,
  { locale, sourceLocale }: ReadOptions,
): NewMessage {
  const base = { key, context: context === "" ? null : context, description };
  if (!isForms(text)) return { ...base, plural: null, strings: [isTemplate ? "" : text.value] };
  const said = isTemplate || locale === sourceLocale ? text : source;
  // Where nobody says it: programs fall back to it, and the next merge with the template sets it right.
  const plural = said !== null && isForms(said) ? (said.forms["other"] ?? key) : key;
  if (isTemplate) return { ...base, plural, strings: ["", ""] };
  return { ...base, plural, strings: stringsOfForms(plurals, text.forms) ?? Object.values(text.forms) };
}
