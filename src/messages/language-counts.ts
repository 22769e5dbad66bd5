/** The numbers of a language, as texts. */
import type { Language } from "../api/response-schemas.ts";
import type { IssueCounts } from "../sync/qa-issues.ts";
import { l10n } from "../util/l10n.ts";
import { formatCount, formatNumber, formatPercent, relativeTime } from "./counts-and-times.ts";
import { issueCountTexts } from "./issue-messages.ts";

/** Numbers besides those of the service. */
export interface LanguageNumbers {
  readonly issues: IssueCounts;
  /** Number of translations that only local files have. */
  readonly localOnly: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns "87%", "12 not on the service", "3 outdated", "2 QA errors", "2 days ago"; zero counts are omitted. */
export function languageCounts(
  { percent, outdated, lastTranslatedAt, isSource, totalKeys }: Language,
  { issues, localOnly, now }: LanguageNumbers,
): string[] {
  const counts = isSource ? [l10n.t("source, {0}", formatCount.keys(totalKeys))] : [formatPercent(percent)];
  if (localOnly > 0) counts.push(l10n.t("{0} not on the service", formatNumber(localOnly)));
  if (outdated > 0) counts.push(l10n.t("{0} outdated", formatNumber(outdated)));
  counts.push(...issueCountTexts(issues));
  const time = Date.parse(lastTranslatedAt ?? "");
  if (!Number.isNaN(time)) counts.push(relativeTime(time, now));
  return counts;
}
