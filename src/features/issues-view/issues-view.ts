/** The view "QA Issues", by language, key and issue. The badge shows the number of errors. */
import { issueCounts, localesWithIssues, projectIssues, type IssueCounts } from "../../sync/qa-issues.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { createTreeView } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { pagedRows, type TreeNode, type TreeRows } from "../../vscode/ui/tree-view/tree-node.ts";
import { knownRows } from "../../vscode/ui/tree-view/project-rows.ts";
import { keyIssuesRow, showTranslations } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { issuesByKey } from "../../vscode/ui/tree-view/key-row-content.ts";
import { l10n } from "../../util/l10n.ts";
import { issuesBadge, issuesMessage, languageWithIssuesContent } from "./issues-content.ts";

/** Registers the view. */
export function registerIssuesView(app: App): void {
  const roots = (): readonly TreeNode[] => knownRows(app.projects.all, languageRows);
  const { tree, view } = createTreeView(app, "projectTranslations.issues", () => l10n.t("QA Issues"), roots);
  const draw = (): void => {
    tree.redraw();
    const { all } = app.projects;
    view.badge = issuesBadge(all.flatMap(issueCountsOf));
    view.message = issuesMessage(all, roots().length === 0);
  };
  app.addDisposable(app.store.subscribe(["settings", "projects", "session", "stats", "translations"], draw));
}

function issueCountsOf(open: OpenProject): readonly IssueCounts[] {
  return (open.stats?.languages ?? []).map((language) => issueCounts(open, language));
}

function languageRows(open: OpenProject): readonly TreeNode[] {
  return localesWithIssues(open.connection).map((locale) => languageRow(open, locale));
}

function languageRow(open: OpenProject, locale: string): TreeNode {
  const id = `${open.id}/${locale}`;
  return {
    id,
    commandOptions: { folder: open.root, locale, filter: "issues" },
    content: () => {
      const known = open.stats?.languages.find((each) => each.locale === locale);
      const language = known ?? { locale, name: "", qaErrors: 0 };
      return languageWithIssuesContent(language, issueCounts(open, language));
    },
    children: async () => {
      await showTranslations(open, locale);
      return keyRows(open, locale, id);
    },
  };
}

/** Returns a row for each key; for a key with a single issue the issue itself. */
async function keyRows(open: OpenProject, locale: string, id: string): Promise<TreeRows> {
  const byKey = issuesByKey(await projectIssues(open.connection, locale));
  return pagedRows(byKey, (issues) => keyIssuesRow(open, issues, `${id}/${issues[0]?.hash ?? ""}`));
}
