/** In how many languages a key is translated, as code lenses say it. */
import type { ProjectRow } from "../../database/records.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { isEmptyText } from "../../model/translation-text.ts";
import { l10n } from "../../util/l10n.ts";
import { localOnlyText } from "../../vscode/files/local-texts.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";

/** Numbers of languages, by the state of a key in them. */
type LanguageCounts = Readonly<
  Record<"translated" | "outdated" | "localOnly" | "missing" | "unread", number>
> & {
  /** Why the service has no translation of the key, nor the key itself. */
  readonly absence: string | null;
};

/** Returns the numbers of one or several keys as texts. Languages that were not read are not among the known ones. */
export function languageTexts(all: readonly LanguageCounts[]): string[] {
  const sum = (state: Exclude<keyof LanguageCounts, "absence">): number =>
    all.reduce((total, counts) => total + counts[state], 0);
  const translated = sum("translated");
  const outdated = sum("outdated");
  const localOnly = sum("localOnly");
  const unread = Math.max(...all.map((counts) => counts.unread));
  const [absence, ...others] = new Set(all.map((counts) => counts.absence));
  return [
    l10n.t("{0}/{1} translated", translated, translated + outdated + localOnly + sum("missing")),
    ...(outdated > 0 ? [l10n.t("{0} outdated", outdated)] : []),
    ...(localOnly > 0 ? [l10n.t("{0} not on the service", localOnly)] : []),
    ...(absence != null && others.length === 0 ? [absence] : []),
    ...(unread > 0 ? [l10n.t("{0} not read", formatCount.languages(unread))] : []),
  ];
}

/**
 * Returns the numbers of languages in which the key is up to date, is outdated, or has only a local translation. Without a
 * service, and before its keys are known, the files count.
 */
export function languageCounts(open: OpenProject, hash: string): LanguageCounts {
  const { local } = open;
  const targets = (open.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  const locales = new Set(targets.map(({ locale }) => locale));
  if (locales.size === 0) for (const locale of local.loaded?.locales ?? []) locales.add(locale);
  locales.delete(local.loaded?.sourceLocale ?? "");
  const count = { translated: 0, outdated: 0, localOnly: 0, missing: 0, unread: 0, absence: null };
  const isPushed = open.keys.has(hash);
  // As in the translation editor: its columns have the texts of the service.
  if (!isPushed && open.keysComplete && open.source.hasService) {
    const absence = open.keys.isArchived(hash) ? l10n.t("archived") : l10n.t("not pushed");
    return { ...count, missing: locales.size, absence };
  }
  const complete = isPushed ? open.connection.completeLocales() : new Set<string>();
  const rows = open.translationsOf(hash);
  for (const locale of locales)
    count[stateOf(open, { locale, hash, isComplete: complete.has(locale), row: rows.get(locale) })]++;
  return count;
}

interface KeyInLanguage {
  readonly locale: string;
  readonly hash: string;
  /** Whether the service has the key, and all translations of the language are known. */
  readonly isComplete: boolean;
  readonly row: ProjectRow | undefined;
}

function stateOf(
  open: OpenProject,
  { locale, hash, isComplete, row }: KeyInLanguage,
): "translated" | "outdated" | "localOnly" | "missing" | "unread" {
  const { local } = open;
  if (localOnlyText(open, locale, hash) !== undefined) return "localOnly";
  if (isComplete) {
    if (row?.isOutdated === true) return "outdated";
    return row?.isTranslated === true ? "translated" : "missing";
  }
  if (local.loaded?.locales.includes(locale) !== true) return "unread";
  const text = local.loaded?.entries(locale).get(hash)?.text;
  return text === undefined || isEmptyText(text) ? "missing" : "translated";
}
