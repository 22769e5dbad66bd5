/** A key and its texts in Markdown, alike in hovers, completions and hints; every text is escaped. */
import { NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import { neededCategories } from "../../model/plural-rules.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import type { ProjectKey } from "../../database/project-records.ts";
import { isForms, type Text } from "../../model/text.ts";
import type { OpenProject } from "../projects/project-handle.ts";
import { localOnlyText } from "../projects/local-texts.ts";
import { codeMarkdown, escapeMarkdown } from "../markdown.ts";
import { l10n } from "../l10n.ts";

/** A line end inside a paragraph. */
export const LINE_BREAK = "  \n";

/** The key's name as it stands at the head of a hover; with theme icons on. */
export function heading(key: KeyName): string {
  const namespace =
    key.namespace === NO_NAMESPACE ? "" : `${escapeMarkdown(key.namespace)} $(chevron-right) `;
  const context = key.context === null ? "" : ` _(${escapeMarkdown(key.context)})_`;
  return `${namespace}**${escapeMarkdown(key.key)}**${context}`;
}

/** A text on one line; the plural forms of a locale in its own categories, those it lacks with a dash. */
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

/** The key's text in a language: the service's, else the local file's; of the source language the source text. */
export function textIn(open: OpenProject, key: ProjectKey, locale: string): Text | null {
  if (locale === open.project.sourceLocale) return key.text;
  const row = open.project.translation(locale, key.hash);
  return row?.text ?? localOnlyText(open, locale, key.hash) ?? null;
}

/** The name and a line for each preview language: what a completion or a hint tells beside itself. */
export function keySummary(open: OpenProject, key: ProjectKey): string {
  const locales = previewLocales(open.file, open.project.stats);
  const lines = locales.map((locale) => {
    const text = textIn(open, key, locale);
    const shown = text === null ? `$(circle-slash) ${l10n.t("not translated")}` : textMarkdown(text, locale);
    return `${codeMarkdown(locale)} ${shown}`;
  });
  const description = key.description === null ? [] : [escapeMarkdown(key.description)];
  return [heading(key), lines.join(LINE_BREAK), ...description].join("\n\n");
}
