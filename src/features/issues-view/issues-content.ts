/** What the view "QA Issues" shows. Knows nothing of VS Code but its texts. */
import type { Language } from "../../api/response-schemas.ts";
import type { Project } from "../../database/project-state.ts";
import type { TextSource } from "../../database/session/text-source.ts";
import { refusedSessionMessage } from "../../messages/error-messages.ts";
import { issueCountTexts } from "../../messages/issue-messages.ts";
import { languageLabel } from "../../messages/labels.ts";
import type { IssueCounts } from "../../sync/qa-issues.ts";
import { l10n } from "../../util/l10n.ts";
import type { RowContent } from "../../vscode/ui/tree-view/row-content.ts";

/** The badge of a view. */
interface Badge {
  readonly value: number;
  readonly tooltip: string;
}

/** Returns the number of errors, with that of warnings in the tooltip; none without errors. @param counts of all languages */
export function issuesBadge(counts: readonly IssueCounts[]): Badge | undefined {
  const errors = counts.reduce((sum, each) => sum + each.errors, 0);
  const warnings = counts.reduce((sum, each) => sum + each.warnings, 0);
  if (errors === 0) return undefined;
  return { value: errors, tooltip: issueCountTexts({ errors, warnings }).join(" · ") };
}

/** Returns what is said above the rows. @param isEmpty there are no rows */
export function issuesMessage(
  projects: readonly (Pick<Project, "stats" | "session"> & {
    readonly source: Pick<TextSource, "isKnown">;
  })[],
  isEmpty: boolean,
): string {
  if (!projects.some(({ source, stats }) => source.isKnown && stats !== null))
    return (
      refusedSessionMessage(projects) ??
      l10n.t("QA issues are listed here once there are translation files or you are signed in.")
    );
  return isEmpty ? l10n.t("No QA issues.") : "";
}

/** Returns the row of a language with issues. */
export function languageWithIssuesContent(
  language: Pick<Language, "locale" | "name">,
  counts: IssueCounts,
): RowContent {
  return {
    label: languageLabel(language),
    description: issueCountTexts(counts).join(" · "),
    icon: "globe",
    kind: "languageWithIssues",
    children: "collapsed",
  };
}
