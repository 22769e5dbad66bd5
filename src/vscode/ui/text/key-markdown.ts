/** Markdown for a key and its texts, shared by hovers, completion and inlay hints. Every text is escaped. */
import type { KeyName } from "../../../model/key-hash.ts";
import { neededCategories } from "../../../model/plural-categories.ts";
import { previewLocales } from "../../../workspace/project-file/preview-locales.ts";
import type { ProjectKey } from "../../../database/records.ts";
import { isForms, type Text } from "../../../model/translation-text.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { shownTranslation } from "./translation-states.ts";
import { codeMarkdown, escapeMarkdown } from "../../../messages/escape-text.ts";
import { type KeySpelling, projectKeyLabel } from "../../../messages/labels.ts";
import { l10n } from "../../../util/l10n.ts";

/** A hard line break. */
export const LINE_BREAK = "  \n";

/** Returns the key's name as a heading, as the code of the project says it. */
export function keyHeading(project: KeySpelling, key: KeyName): string {
  const name = projectKeyLabel(project, { ...key, context: null });
  const context = key.context === null ? "" : ` _(${escapeMarkdown(key.context)})_`;
  return `**${escapeMarkdown(name)}**${context}`;
}

/** Returns a text on one line; of a plural text all categories of the locale, missing forms as a dash. */
export function textMarkdown(text: Text, locale: string | null): string {
  if (!isForms(text)) return escapeMarkdown(text.value);
  const needed = locale === null ? [] : neededCategories(locale);
  const categories = [...new Set([...needed, ...Object.keys(text.forms)])];
  return categories
    .map((category) => {
      const form = text.forms[category];
      return `_${escapeMarkdown(category)}_ ${form === undefined || form === "" ? "–" : escapeMarkdown(form)}`;
    })
    .join(" · ");
}

/** Returns the key's text in a language: the service's, else the local file's. */
export function textInLanguage(open: OpenProject, key: ProjectKey, locale: string): Text | null {
  return locale === open.sourceLocale ? key.text : shownTranslation(open, key.hash, locale).text;
}

/** Returns the key's name and a line for each preview language, as documentation of a completion item or hint. */
export function keySummary(open: OpenProject, key: ProjectKey): string {
  const locales = previewLocales(open.file, open.stats);
  const lines = locales.map((locale) => {
    const text = textInLanguage(open, key, locale);
    const shown = text === null ? `$(circle-slash) ${l10n.t("untranslated")}` : textMarkdown(text, locale);
    return `${codeMarkdown(locale)} ${shown}`;
  });
  const description = key.description === null ? [] : [escapeMarkdown(key.description)];
  return [keyHeading(open, key), lines.join(LINE_BREAK), ...description].join("\n\n");
}
