/** Single-line labels for keys and texts. */
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import { languageName } from "../model/locales.ts";
import { isForms, type Text } from "../model/translation-text.ts";
import type { Language } from "../api/response-schemas.ts";
import type { Project } from "../database/project-state.ts";
import { labelText, oneLine } from "./escape-text.ts";

/** Returns a key's name as it is written in code: `namespace.key (context)`. */
export function keyLabel({ namespace, key, context }: KeyName, separator = "."): string {
  const prefix = namespace === NO_NAMESPACE ? "" : `${namespace}${separator}`;
  return oneLine(`${prefix}${key}${context === null ? "" : ` (${context})`}`);
}

/** What decides how the code of a project names its keys. */
export type KeySpelling = Pick<Project, "namespaceSeparator" | "unwrittenNamespaces">;

/** Returns the key's name as the code of the project says it: `booking.title`, `common:save`, `Pay`. */
export function projectKeyLabel(
  { namespaceSeparator, unwrittenNamespaces }: KeySpelling,
  name: KeyName,
): string {
  const isUnwritten = unwrittenNamespaces === "all" || unwrittenNamespaces.has(name.namespace);
  return keyLabel(isUnwritten ? { ...name, namespace: NO_NAMESPACE } : name, namespaceSeparator);
}

/** Returns the language's name at the service, or else its name in itself, and its locale; the locale alone without a name. */
export function languageLabel({ name, locale }: Pick<Language, "name" | "locale">): string {
  const shown = name === "" ? languageName(locale) : name;
  return shown === locale ? locale : `${shown} (${locale})`;
}

/** Returns the value, or each form with its category, escaped for a label; empty for no text. */
export function textLabel(text: Text | null): string {
  return joinForms(text, labelText);
}

/** Returns a text on one line; plural forms with their categories. */
export function textLine(text: Text | null): string {
  return oneLine(joinForms(text, (value) => value));
}

function joinForms(text: Text | null, show: (value: string) => string): string {
  if (text === null) return "";
  if (!isForms(text)) return show(text.value);
  return Object.entries(text.forms)
    .map(([category, form]) => `${category}: ${show(form)}`)
    .join(" · ");
}
