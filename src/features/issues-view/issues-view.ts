/** The view "QA Issues", by language, key and issue. The badge shows the number of errors. */
import { ThemeIcon, TreeItemCollapsibleState } from "vscode";
import { issueCounts, localesWithIssues, projectIssues, type IssueCounts } from "../../sync/qa-issues.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
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
  const { tree, view } = createTreeView(app, "projectTranslations.issues", roots);
  const draw = (): void => {
    tree.redraw();
    const errors = countErrors(app.projects.all);
    view.badge = errors === 0 ? undefined : { value: errors, tooltip: formatCount.qaErrors(errors) };
    view.message = messageOf(app, roots().length === 0);
  };
  app.addDisposable(app.store.subscribe(["projects", "session", "stats", "translations"], draw));
}

function messageOf({ projects }: App, isEmpty: boolean): string {
  const isKnown = projects.all.some(
    (each) => (each.session.kind === "signed-in" || each.isLocal) && each.stats !== null,
  );
  if (!isKnown)
    return l10n.t("QA issues are listed here once there are translation files or you are signed in.");
  return isEmpty ? l10n.t("No QA issues.") : "";
}

function countErrors(all: readonly OpenProject[]): number {
  const locales = all.flatMap((each) =>
    (each.stats?.languages ?? []).map((language) => issueCounts(each, language).errors),
  );
  return locales.reduce((sum, errors) => sum + errors, 0);
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
        description: countText(issueCounts(open, language)),
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

function countText({ errors, warnings }: IssueCounts): string {
  const counts = [
    ...(errors > 0 ? [formatCount.errors(errors)] : []),
    ...(warnings > 0 ? [formatCount.warnings(warnings)] : []),
  ];
  return counts.join(" · ");
}

/** Returns a row for each key; for a key with a single issue the issue itself. */
async function keyRows(open: OpenProject, locale: string, id: string): Promise<TreeRows> {
  const byKey = issuesByKey(await projectIssues(open, locale));
  return pagedRows(byKey, (issues) => keyIssuesRow(open, issues, `${id}/${issues[0]?.hash ?? ""}`));
}
