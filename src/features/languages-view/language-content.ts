/** What the view "Languages" shows of a language. Knows nothing of VS Code but its texts. */
import type { Language } from "../../api/response-schemas.ts";
import type { IssueCounts } from "../../sync/qa-issues.ts";
import { l10n } from "../../util/l10n.ts";
import {
  formatCount,
  formatDateTime,
  formatNumber,
  formatPercent,
  relativeTime,
} from "../../messages/counts-and-times.ts";
import { issueCountTexts } from "../../messages/issue-messages.ts";
import { languageLabel } from "../../messages/labels.ts";

/** What is known of a language besides its numbers at the service, or in the files. */
export interface LanguageState {
  readonly issues: IssueCounts;
  /** Number of translations that only local files have. */
  readonly localOnly: number;
  /** Whether the numbers are those of the service, not of the files. */
  readonly hasService: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The row of a language. Nothing in it is escaped. */
export interface LanguageContent {
  readonly label: string;
  /** "87%", "12 not on the service", "3 outdated", "2 QA errors", "2 days ago"; zero counts are omitted. */
  readonly counts: readonly string[];
  /** The `viewItem`: which commands its menu has. */
  readonly contextValue: "language" | "sourceLanguage" | "local language" | "local sourceLanguage";
  /** Label and value. */
  readonly tooltipRows: readonly (readonly [label: string, value: string])[];
  readonly ring: RingShares;
  /** Those that are not empty. */
  readonly groups: readonly LanguageGroup[];
}

/** The shares of a ring, from 0 to 1. */
export interface RingShares {
  readonly translated: number;
  readonly outdated: number;
  readonly hasErrors: boolean;
}

/** A group of keys or issues; the translation editor opens with its name as filter, if it is one. */
export type GroupName = "all" | "untranslated" | "local" | "outdated" | "issues" | "translated";

/** A row below a language. */
export interface LanguageGroup {
  readonly name: GroupName;
  readonly label: string;
  /** The name of a codicon. */
  readonly icon: string;
}

/** Decides what is shown of a language. */
export function languageContent(language: Language, state: LanguageState): LanguageContent {
  const { isSource } = language;
  const kind = isSource ? "sourceLanguage" : "language";
  return {
    label: languageLabel(language),
    counts: countTexts(language, state),
    contextValue: state.hasService ? kind : `local ${kind}`,
    tooltipRows: tooltipRows(language, state),
    ring: ringShares(language, state),
    groups: groupsOf(language, state),
  };
}

function countTexts(
  { percent, outdated, lastTranslatedAt, isSource, totalKeys }: Language,
  { issues, localOnly, now }: LanguageState,
): string[] {
  const counts = isSource ? [l10n.t("source, {0}", formatCount.keys(totalKeys))] : [formatPercent(percent)];
  if (localOnly > 0) counts.push(l10n.t("{0} not on the service", formatNumber(localOnly)));
  if (outdated > 0) counts.push(l10n.t("{0} outdated", formatNumber(outdated)));
  counts.push(...issueCountTexts(issues));
  const time = Date.parse(lastTranslatedAt ?? "");
  if (!Number.isNaN(time)) counts.push(relativeTime(time, now));
  return counts;
}

function tooltipRows(
  { totalKeys, translated, outdated, lastTranslatedAt }: Language,
  { issues, localOnly }: LanguageState,
): LanguageContent["tooltipRows"] {
  const rows: (readonly [string, string])[] = [
    [l10n.t("Translated"), l10n.t("{0} of {1}", formatNumber(translated), formatNumber(totalKeys))],
    [l10n.t("Untranslated"), formatNumber(Math.max(0, totalKeys - translated))],
  ];
  if (localOnly > 0) rows.push([l10n.t("Local, not on the service"), formatNumber(localOnly)]);
  rows.push([l10n.t("Outdated"), formatNumber(outdated)]);
  rows.push([l10n.t("QA errors"), formatNumber(issues.errors)]);
  if (issues.warnings > 0) rows.push([l10n.t("QA warnings"), formatNumber(issues.warnings)]);
  if (lastTranslatedAt !== null)
    rows.push([l10n.t("Last change"), formatDateTime(new Date(lastTranslatedAt))]);
  return rows;
}

function ringShares({ totalKeys, translated, outdated }: Language, { issues }: LanguageState): RingShares {
  const share = (count: number): number => (totalKeys === 0 ? 0 : Math.min(1, count / totalKeys));
  return { translated: share(translated), outdated: share(outdated), hasErrors: issues.errors > 0 };
}

function groupsOf(
  { isSource, totalKeys, translated, outdated }: Language,
  { issues, localOnly }: LanguageState,
): LanguageGroup[] {
  const group = (
    name: GroupName,
    icon: string,
    count: number,
    labelOf: (count: string) => string,
  ): LanguageGroup[] => (count > 0 ? [{ name, icon, label: labelOf(formatNumber(count)) }] : []);
  if (isSource) return group("all", "list-unordered", totalKeys, (count) => l10n.t("All keys ({0})", count));
  return [
    ...group("untranslated", "circle-slash", totalKeys - translated, (count) =>
      l10n.t("Untranslated ({0})", count),
    ),
    ...group("local", "file", localOnly, (count) => l10n.t("Local, not on the service ({0})", count)),
    ...group("outdated", "history", outdated, (count) => l10n.t("Outdated ({0})", count)),
    ...group("issues", "warning", issues.errors + issues.warnings, (count) =>
      l10n.t("QA issues ({0})", count),
    ),
    ...group("translated", "check", translated, (count) => l10n.t("Translated ({0})", count)),
  ];
}
