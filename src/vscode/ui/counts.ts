/** Counts of things in words, one and many, with the separators of the language. */
import { number } from "./error-messages.ts";
import { l10n } from "../l10n.ts";

const one = (count: number, single: string, several: string): string => (count === 1 ? single : several);

export const counted = {
  keys: (count: number) => one(count, l10n.t("1 key"), l10n.t("{0} keys", number(count))),
  texts: (count: number) => one(count, l10n.t("1 text"), l10n.t("{0} texts", number(count))),
  sourceTexts: (count: number) =>
    one(count, l10n.t("1 source text"), l10n.t("{0} source texts", number(count))),
  languages: (count: number) => one(count, l10n.t("1 language"), l10n.t("{0} languages", number(count))),
  mistakes: (count: number) => one(count, l10n.t("1 mistake"), l10n.t("{0} mistakes", number(count))),
  qaErrors: (count: number) => one(count, l10n.t("1 QA error"), l10n.t("{0} QA errors", number(count))),
  errors: (count: number) => one(count, l10n.t("1 error"), l10n.t("{0} errors", number(count))),
  warnings: (count: number) => one(count, l10n.t("1 warning"), l10n.t("{0} warnings", number(count))),
  files: (count: number) => one(count, l10n.t("1 file"), l10n.t("{0} files", number(count))),
  translations: (count: number) =>
    one(count, l10n.t("1 translation"), l10n.t("{0} translations", number(count))),
  newKeys: (count: number) => one(count, l10n.t("1 new key"), l10n.t("{0} new keys", number(count))),
  newTranslations: (count: number) =>
    one(count, l10n.t("1 new translation"), l10n.t("{0} new translations", number(count))),
  placeholderErrors: (count: number) =>
    one(count, l10n.t("1 placeholder error"), l10n.t("{0} placeholder errors", number(count))),
  characters: (count: number) => one(count, l10n.t("1 character"), l10n.t("{0} characters", number(count))),
  qaIssues: (count: number) => one(count, l10n.t("1 QA issue"), l10n.t("{0} QA issues", number(count))),
  references: (count: number) => one(count, l10n.t("1 reference"), l10n.t("{0} references", number(count))),
  localTranslations: (count: number) =>
    one(
      count,
      l10n.t("1 local translation is not on the service"),
      l10n.t("{0} local translations are not on the service", number(count)),
    ),
  uses: (count: number) => one(count, l10n.t("used once"), l10n.t("used {0} times", number(count))),
  requests: (count: number) => one(count, l10n.t("1 request"), l10n.t("{0} requests", number(count))),
  suggestions: (count: number) =>
    one(count, l10n.t("1 suggestion"), l10n.t("{0} suggestions", number(count))),
} as const;
