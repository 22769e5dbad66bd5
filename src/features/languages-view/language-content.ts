/** What the view "Languages" shows of a language. Knows nothing of VS Code but its texts. */
import type { Language } from "../../api/response-schemas.ts";
import type { RowKind } from "../../commands/row-menus.ts";
import { ROW_FILTERS, type RowFilter } from "../../model/translation-editor-filters.ts";
import { l10n } from "../../util/l10n.ts";
import { formatDateTime, formatNumber } from "../../messages/counts-and-times.ts";
import { languageCounts, type LanguageNumbers } from "../../messages/language-counts.ts";
import { languageLabel } from "../../messages/labels.ts";
import type { RowContent } from "../../vscode/ui/tree-view/row-content.ts";
import { progressRing, type RingShares } from "./progress-ring.ts";

/** What is known of a language besides its numbers at the service, or in the files. */
export interface LanguageState extends LanguageNumbers {
  /** Whether the numbers are those of the service, not of the files. */
  readonly hasService: boolean;
}

/** A group of keys or issues. */
export type GroupName = "all" | "untranslated" | "local" | "outdated" | "issues" | "translated";

/** A row below a language, with those of keys or issues. */
export interface LanguageGroup {
  readonly name: GroupName;
  /** With which the translation editor opens. */
  readonly filter: readonly RowFilter[];
  readonly content: RowContent;
}

/** Returns the row of a language. Counts that are zero are omitted: "87%", "3 outdated", "2 QA errors", "2 days ago". */
export function languageContent(language: Language, state: LanguageState): RowContent {
  const label = languageLabel(language);
  const counts = languageCounts(language, state);
  const fromFiles = l10n.t("From the local files; you are not signed in.");
  return {
    label,
    description: counts.join(" · "),
    icon: progressRing(ringShares(language, state)),
    kind: kindOf(language, state),
    tooltip: state.hasService ? [label] : [label, fromFiles],
    tooltipTable: tooltipTable(language, state),
    spokenLabel: [label, ...counts].join(", "),
    ...(languageGroups(language, state).length > 0 && { children: "collapsed" }),
  };
}

function kindOf({ isSource }: Language, { hasService }: LanguageState): RowKind {
  if (hasService) return isSource ? "sourceLanguage" : "language";
  return isSource ? "localSourceLanguage" : "localLanguage";
}

function tooltipTable(
  { totalKeys, translated, outdated, lastTranslatedAt }: Language,
  { issues, localOnly }: LanguageState,
): readonly (readonly [string, string])[] {
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

/** Returns the groups of a language that are not empty. */
export function languageGroups(
  { locale, isSource, totalKeys, translated, outdated }: Language,
  { issues, localOnly }: LanguageState,
): readonly LanguageGroup[] {
  const group = (
    name: GroupName,
    icon: string,
    count: number,
    labelOf: (count: string) => string,
  ): LanguageGroup[] => {
    if (count <= 0) return [];
    const label = labelOf(formatNumber(count));
    const kind = name === "local" ? "localOnly" : "group";
    const spokenLabel = `${label}, ${locale}`;
    const content = { label, icon, kind, tooltip: [label], spokenLabel, children: "collapsed" } as const;
    return [{ name, filter: ROW_FILTERS.filter((each) => each === name), content }];
  };
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
