/** The view "QA Issues", by language, key and issue. The badge shows the number of errors. */
import { ThemeIcon, TreeItemCollapsibleState, type ViewBadge } from "vscode";
import { issueCounts, localesWithIssues, projectIssues } from "../../sync/qa-issues.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { issueCountTexts } from "../../messages/issue-messages.ts";
import {
  createTreeView,
  pagedRows,
  type TreeNode,
  type TreeRows,
} from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { knownRows } from "../../vscode/ui/tree-view/project-rows.ts";
import { languageLabel } from "../../messages/labels.ts";
import { keyIssuesRow, showTranslations } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { issuesByKey } from "../../vscode/ui/tree-view/key-row-content.ts";
import { l10n } from "../../util/l10n.ts";

/** Registers the view. */
export function registerIssuesView(app: App): void {
  const roots = (): readonly TreeNode[] => knownRows(app.projects.all, languageRows);
  const { tree, view } = createTreeView(app, "projectTranslations.issues", () => l10n.t("QA Issues"), roots);
  const draw = (): void => {
    tree.redraw();
    view.badge = badgeOf(app.projects.all);
    view.message = messageOf(app, roots().length === 0);
  };
  app.addDisposable(app.store.subscribe(["settings", "projects", "session", "stats", "translations"], draw));
}

function messageOf({ projects }: App, isEmpty: boolean): string {
  const isKnown = projects.all.some(({ source, stats }) => source.isKnown && stats !== null);
  if (!isKnown)
    return l10n.t("QA issues are listed here once there are translation files or you are signed in.");
  return isEmpty ? l10n.t("No QA issues.") : "";
}

/** The number of errors; the tooltip also has that of warnings. */
function badgeOf(all: readonly OpenProject[]): ViewBadge | undefined {
  const total = { errors: 0, warnings: 0 };
  for (const each of all) {
    for (const language of each.stats?.languages ?? []) {
      const { errors, warnings } = issueCounts(each, language);
      total.errors += errors;
      total.warnings += warnings;
    }
  }
  if (total.errors === 0) return undefined;
  return { value: total.errors, tooltip: issueCountTexts(total).join(" · ") };
}

function languageRows(open: OpenProject): readonly TreeNode[] {
  return localesWithIssues(open).map((locale) => languageRow(open, locale));
}

function languageRow(open: OpenProject, locale: string): TreeNode {
  const id = `${open.id}/${locale}`;
  return {
    id,
    commandOptions: { folder: open.root, locale, filter: "issues" },
    item: () => {
      const known = open.stats?.languages.find((each) => each.locale === locale);
      const language = known ?? { locale, name: "", qaErrors: 0 };
      return {
        label: languageLabel(language),
        description: issueCountTexts(issueCounts(open, language)).join(" · "),
        iconPath: new ThemeIcon("globe"),
        contextValue: "language",
        collapsibleState: TreeItemCollapsibleState.Collapsed,
      };
    },
    children: async () => {
      await showTranslations(open, locale);
      return keyRows(open, locale, id);
    },
  };
}

/** Returns a row for each key; for a key with a single issue the issue itself. */
async function keyRows(open: OpenProject, locale: string, id: string): Promise<TreeRows> {
  const byKey = issuesByKey(await projectIssues(open, locale));
  return pagedRows(byKey, (issues) => keyIssuesRow(open, issues, `${id}/${issues[0]?.hash ?? ""}`));
}
