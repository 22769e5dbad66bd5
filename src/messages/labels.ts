/** Single-line labels for keys and texts. */
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import { languageName } from "../model/locales.ts";
import { isForms, type Text } from "../model/translation-text.ts";
import type { Language } from "../api/response-schemas.ts";
import type { Project } from "../database/project-state.ts";
import { l10n } from "../util/l10n.ts";
import { formatCount } from "./counts-and-times.ts";
import { labelText, oneLine } from "./escape-text.ts";

/** Returns the project's name at the service, else that of its folder. */
export function projectDisplayName({ session, label }: Pick<Project, "session" | "label">): string {
  return session.kind === "signed-in" ? session.name || session.slug || label : label;
}

/** What decides how the code of a project names its keys. */
export type KeySpelling = Pick<Project, "namespaceSeparator" | "unwrittenNamespaces">;

const WITHOUT_PROJECT: KeySpelling = { namespaceSeparator: ".", unwrittenNamespaces: new Set() };

/**
 * Returns the key's name as the code of the project says it, with its context: `booking.title`, `common:save`, `Pay (menu)`.
 * The only function that spells a key. @param project `undefined`: none is known
 */
export function projectKeyLabel(project: KeySpelling | undefined, name: KeyName): string {
  const { key, context } = name;
  const { namespaceSeparator } = project ?? WITHOUT_PROJECT;
  const namespace = writtenNamespace(project ?? WITHOUT_PROJECT, name);
  const prefix = namespace === "" ? "" : `${namespace}${namespaceSeparator}`;
  return oneLine(`${prefix}${key}${context === null ? "" : ` (${context})`}`);
}

/** Keys that are named; others are counted. */
const MAX_NAMED_KEYS = 3;

/** Names the keys of texts with their languages, `cart.title (fr, nl)`, the first of many. */
export function namedTexts(
  project: KeySpelling | undefined,
  texts: readonly { readonly name: KeyName; readonly locale: string }[],
): string {
  const locales = Map.groupBy(texts, ({ name }) => projectKeyLabel(project, name));
  const named = Array.from(
    locales,
    ([key, each]) => `${key} (${each.map(({ locale }) => locale).join(", ")})`,
  );
  const shown = named.slice(0, MAX_NAMED_KEYS).join(", ");
  const others = named.length - MAX_NAMED_KEYS;
  return others > 0 ? l10n.t("{0} and {1}", shown, formatCount.moreKeys(others)) : shown;
}

/** Returns the namespace as the code of the project says it before a key; empty if it does not. */
export function writtenNamespace(
  { unwrittenNamespaces }: Pick<KeySpelling, "unwrittenNamespaces">,
  { namespace }: KeyName,
): string {
  const isWritten = namespace !== NO_NAMESPACE && unwrittenNamespaces !== "all";
  return isWritten && !unwrittenNamespaces.has(namespace) ? namespace : "";
}

/** Returns the language's name at the service, or else its name in itself, and its locale; the locale alone without a name. */
export function languageLabel({ name, locale }: Pick<Language, "name" | "locale">): string {
  const shown = name === "" ? languageName(locale) : name;
  return shown === locale ? locale : `${shown} (${locale})`;
}

/** Returns the label of a language by its locale. */
export function localeLabel({ stats }: Pick<Project, "stats">, locale: string): string {
  const known = stats?.languages.find((each) => each.locale === locale);
  return languageLabel(known ?? { name: "", locale });
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

/** Returns why nothing can be done with a key, and what helps. */
export function archivedKeyMessage(): string {
  return l10n.t("This key is archived on the service. Restore it first.");
}
