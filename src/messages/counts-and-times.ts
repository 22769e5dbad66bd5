/** Counts, numbers and times in the language of the window. */
import { clock } from "../api/system-clock.ts";
import { formatNumber, language, l10n } from "../util/l10n.ts";
import { getOrCreate } from "../util/maps.ts";

export { formatNumber };

/** Returns a function that returns the format of the window's language: creating one takes longer than formatting. */
function perLanguage<Format>(create: (language: string) => Format): () => Format {
  const formats = new Map<string, Format>();
  return () => getOrCreate(formats, language(), () => create(language()));
}

const relativeFormat = perLanguage((name) => new Intl.RelativeTimeFormat(name, { numeric: "auto" }));
const timeFormat = perLanguage(
  (name) => new Intl.DateTimeFormat(name, { hour: "numeric", minute: "numeric", second: "numeric" }),
);
const dateTimeFormat = perLanguage(
  (name) => new Intl.DateTimeFormat(name, { dateStyle: "medium", timeStyle: "short" }),
);
const percentFormat = perLanguage(
  (name) => new Intl.NumberFormat(name, { style: "percent", maximumFractionDigits: 1 }),
);

/** Returns a function that formats a count with its noun. `texts`: the singular and, with the formatted count, the plural. */
const plural =
  (texts: (count: string) => readonly [singular: string, plural: string]) =>
  (count: number): string =>
    texts(formatNumber(count))[count === 1 ? 0 : 1];

/** Formats a count with its noun: `formatCount.keys(3)` is "3 keys". */
export const formatCount = {
  keys: plural((count) => [l10n.t("1 key"), l10n.t("{0} keys", count)]),
  moreKeys: plural((count) => [l10n.t("1 more key"), l10n.t("{0} more keys", count)]),
  texts: plural((count) => [l10n.t("1 text"), l10n.t("{0} texts", count)]),
  replacedTexts: plural((count) => [
    l10n.t("replaces 1 text that differs"),
    l10n.t("replaces {0} texts that differ", count),
  ]),
  unsavedTexts: plural((count) => [l10n.t("1 unsaved text"), l10n.t("{0} unsaved texts", count)]),
  sourceTexts: plural((count) => [l10n.t("1 source text"), l10n.t("{0} source texts", count)]),
  languages: plural((count) => [l10n.t("1 language"), l10n.t("{0} languages", count)]),
  mistakes: plural((count) => [l10n.t("1 mistake"), l10n.t("{0} mistakes", count)]),
  qaErrors: plural((count) => [l10n.t("1 QA error"), l10n.t("{0} QA errors", count)]),
  qaWarnings: plural((count) => [l10n.t("1 QA warning"), l10n.t("{0} QA warnings", count)]),
  files: plural((count) => [l10n.t("1 file"), l10n.t("{0} files", count)]),
  modules: plural((count) => [l10n.t("1 module"), l10n.t("{0} modules", count)]),
  translations: plural((count) => [l10n.t("1 translation"), l10n.t("{0} translations", count)]),
  newKeys: plural((count) => [l10n.t("1 new key"), l10n.t("{0} new keys", count)]),
  newTranslations: plural((count) => [l10n.t("1 new translation"), l10n.t("{0} new translations", count)]),
  characters: plural((count) => [l10n.t("1 character"), l10n.t("{0} characters", count)]),
  qaIssues: plural((count) => [l10n.t("1 QA issue"), l10n.t("{0} QA issues", count)]),
  references: plural((count) => [l10n.t("1 reference"), l10n.t("{0} references", count)]),
  localTranslations: plural((count) => [
    l10n.t("1 local translation is not on the service"),
    l10n.t("{0} local translations are not on the service", count),
  ]),
  changedTranslations: plural((count) => [
    l10n.t("1 translation changed in your files"),
    l10n.t("{0} translations changed in your files", count),
  ]),
  conflicts: plural((count) => [
    l10n.t("1 text changed here and on the service"),
    l10n.t("{0} texts changed here and on the service", count),
  ]),
  usages: plural((count) => [l10n.t("used once"), l10n.t("used {0} times", count)]),
  calls: plural((count) => [l10n.t("1 call"), l10n.t("{0} calls", count)]),
  requests: plural((count) => [l10n.t("1 request"), l10n.t("{0} requests", count)]),
  suggestions: plural((count) => [l10n.t("1 suggestion"), l10n.t("{0} suggestions", count)]),
} as const;

/** Formats numbers of translations and source texts as everywhere: "3 translations, 1 source text"; zero counts are omitted. */
export function formatTexts(translations: number, sourceTexts: number): string {
  const parts = [
    ...(translations > 0 || sourceTexts === 0 ? [formatCount.translations(translations)] : []),
    ...(sourceTexts > 0 ? [formatCount.sourceTexts(sourceTexts)] : []),
  ];
  return parts.join(", ");
}

/** Units of times. `size`: in seconds. */
const UNITS = [
  { name: "year", size: 31_536_000 },
  { name: "month", size: 2_592_000 },
  { name: "day", size: 86_400 },
  { name: "hour", size: 3_600 },
  { name: "minute", size: 60 },
] as const;

/** Formats a past time relative to now: "2 days ago". Both in milliseconds since the epoch. */
export function relativeTime(time: number, now: number): string {
  // The clock may have been set back since.
  const seconds = Math.min(0, Math.round((time - now) / 1000));
  const unit = UNITS.find(({ size }) => Math.abs(seconds) >= size);
  if (unit === undefined) return l10n.t("just now");
  return relativeFormat().format(Math.trunc(seconds / unit.size), unit.name);
}

/** Formats how long something takes, in seconds, in its largest unit and rounded up: "40 seconds", "2 minutes". */
export function formatDuration(seconds: number): string {
  const { name, size } = UNITS.find((unit) => seconds >= unit.size) ?? { name: "second", size: 1 };
  const format = new Intl.NumberFormat(language(), { style: "unit", unit: name, unitDisplay: "long" });
  return format.format(Math.ceil(seconds / size));
}

/** Formats a time of the monotonic clock as the time of day. */
export function formatTimeOfDay(monotonicTime: number): string {
  return timeFormat().format(clock.now() + monotonicTime - clock.monotonic());
}

/** Formats a date and time in the language of the window. */
export function formatDateTime(time: number | Date): string {
  return dateTimeFormat().format(time);
}

/** Formats a number of hundredths as the language writes it: "94%". */
export function formatPercent(percent: number): string {
  return percentFormat().format(percent / 100);
}
