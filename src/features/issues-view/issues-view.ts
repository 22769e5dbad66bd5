/** The view "QA Issues", by language, key and issue. The badge shows the number of errors that the service counts. */
import { ThemeIcon, TreeItemCollapsibleState } from "vscode";
import { projectIssues, localesWithIssues, type KeyIssue } from "../../sync/qa-issues.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { isError } from "../../vscode/ui/messages/issue-messages.ts";
import {
  createTreeView,
  pagedRows,
  type TreeNode,
  type TreeRows,
} from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { signedInRows } from "../../vscode/ui/tree-view/project-rows.ts";
import { languageLabel, projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import { issueRow, rowOptions, showTranslations } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Registers the view. */
export function registerIssuesView(app: App): void {
  const roots = (): readonly TreeNode[] => signedInRows(app.projects.all, languageRows);
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
  const isSignedIn = projects.all.some(
    ({ project }) => project.session.kind === "signed-in" && project.stats !== null,
  );
  if (!isSignedIn) return l10n.t("The QA issues of the service are listed here once you are signed in.");
  return isEmpty ? l10n.t("No QA issues.") : "";
}

function countErrors(all: readonly OpenProject[]): number {
  let errors = 0;
  for (const { project } of all)
    for (const language of project.stats?.languages ?? []) errors += language.qaErrors;
  return errors;
}

function languageRows(open: OpenProject): readonly TreeNode[] {
  return localesWithIssues(open.project).map((locale) => languageRow(open, locale));
}

function languageRow(open: OpenProject, locale: string): TreeNode {
  const id = `${open.project.id}/${locale}`;
  return {
    id,
    commandOptions: { folder: open.root, locale, filter: "issues" },
    item: () => {
      const language = open.project.stats?.languages.find((each) => each.locale === locale);
      return {
        label: languageLabel(language ?? { locale, name: "" }),
        description: countText(open, locale, language?.qaErrors ?? 0),
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

function countText(open: OpenProject, locale: string, qaErrors: number): string {
  const { project } = open;
  const known = project.isComplete(locale) ? project.translations.counts(locale) : undefined;
  const errors = known?.errors ?? qaErrors;
  const warnings = known === undefined ? 0 : known.issues - errors;
  const counts = errors > 0 ? [formatCount.errors(errors)] : [];
  if (warnings > 0) counts.push(formatCount.warnings(warnings));
  return counts.join(" · ");
}

/** Returns a row for each key; for a key with a single issue the issue itself. */
async function keyRows(open: OpenProject, locale: string, id: string): Promise<TreeRows> {
  const all = await projectIssues(open.project, locale);
  const byKey = [...Map.groupBy(all, (issue) => issue.hash).values()];
  // Errors first, else in the order of the service.
  byKey.sort((a, b) => Number(b.some(isError)) - Number(a.some(isError)));
  return pagedRows(byKey, (issues) => {
    const [first, ...others] = issues;
    if (first === undefined) throw new Error("a group has a member");
    const keyId = `${id}/${first.hash}`;
    return others.length === 0 ? issueRow(open, first, keyId, "key") : keyRow(open, first, issues, keyId);
  });
}

function keyRow(open: OpenProject, first: KeyIssue, issues: readonly KeyIssue[], id: string): TreeNode {
  return {
    id,
    commandOptions: { ...rowOptions(open, first, first.locale), filter: "issues" },
    item: () => ({
      label: projectKeyLabel(open, first),
      description: formatCount.qaIssues(issues.length),
      iconPath: new ThemeIcon("symbol-key"),
      contextValue: "key",
      collapsibleState: TreeItemCollapsibleState.Collapsed,
    }),
    children: () => issues.map((issue, index) => issueRow(open, issue, `${id}/${index}`, "issue")),
  };
}
