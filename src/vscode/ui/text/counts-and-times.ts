/** Counts, numbers and times in the language of the window. */
import { language, l10n } from "../../l10n.ts";

const one = (count: number, singular: string, plural: string): string => (count === 1 ? singular : plural);

/** Formats a count with its noun: `formatCount.keys(3)` is "3 keys". */
export const formatCount = {
  keys: (count: number) => one(count, l10n.t("1 key"), l10n.t("{0} keys", formatNumber(count))),
  texts: (count: number) => one(count, l10n.t("1 text"), l10n.t("{0} texts", formatNumber(count))),
  sourceTexts: (count: number) =>
    one(count, l10n.t("1 source text"), l10n.t("{0} source texts", formatNumber(count))),
  languages: (count: number) =>
    one(count, l10n.t("1 language"), l10n.t("{0} languages", formatNumber(count))),
  mistakes: (count: number) => one(count, l10n.t("1 mistake"), l10n.t("{0} mistakes", formatNumber(count))),
  qaErrors: (count: number) => one(count, l10n.t("1 QA error"), l10n.t("{0} QA errors", formatNumber(count))),
  errors: (count: number) => one(count, l10n.t("1 error"), l10n.t("{0} errors", formatNumber(count))),
  warnings: (count: number) => one(count, l10n.t("1 warning"), l10n.t("{0} warnings", formatNumber(count))),
  files: (count: number) => one(count, l10n.t("1 file"), l10n.t("{0} files", formatNumber(count))),
  translations: (count: number) =>
    one(count, l10n.t("1 translation"), l10n.t("{0} translations", formatNumber(count))),
  newKeys: (count: number) => one(count, l10n.t("1 new key"), l10n.t("{0} new keys", formatNumber(count))),
  newTranslations: (count: number) =>
    one(count, l10n.t("1 new translation"), l10n.t("{0} new translations", formatNumber(count))),
  placeholderErrors: (count: number) =>
    one(count, l10n.t("1 placeholder error"), l10n.t("{0} placeholder errors", formatNumber(count))),
  characters: (count: number) =>
    one(count, l10n.t("1 character"), l10n.t("{0} characters", formatNumber(count))),
  qaIssues: (count: number) => one(count, l10n.t("1 QA issue"), l10n.t("{0} QA issues", formatNumber(count))),
  references: (count: number) =>
    one(count, l10n.t("1 reference"), l10n.t("{0} references", formatNumber(count))),
  localTranslations: (count: number) =>
    one(
      count,
      l10n.t("1 local translation is not on the service"),
      l10n.t("{0} local translations are not on the service", formatNumber(count)),
    ),
  usages: (count: number) => one(count, l10n.t("used once"), l10n.t("used {0} times", formatNumber(count))),
  requests: (count: number) => one(count, l10n.t("1 request"), l10n.t("{0} requests", formatNumber(count))),
  suggestions: (count: number) =>
    one(count, l10n.t("1 suggestion"), l10n.t("{0} suggestions", formatNumber(count))),
} as const;

/** Units of relative times. `size`: in seconds. */
const UNITS = [
  { name: "year", size: 31_536_000 },
  { name: "month", size: 2_592_000 },
  { name: "day", size: 86_400 },
  { name: "hour", size: 3_600 },
  { name: "minute", size: 60 },
] as const;

/** Formats a past time relative to now: "2 days ago". Both in milliseconds since the epoch. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const unit = UNITS.find(({ size }) => Math.abs(seconds) >= size);
  if (unit === undefined) return l10n.t("just now");
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  return format.format(Math.round(seconds / unit.size), unit.name);
}

/** Formats a date and time in the language of the window. */
export function formatDateTime(at: number | Date): string {
  return new Date(at).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

/** Formats an integer with the digit grouping of the language. */
export function formatNumber(count: number): string {
  return count.toLocaleString(language());
}
