/** The view "Activity": running and recent jobs, pauses, pending changes and results of finished commands. */
import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, window } from "vscode";
import { isOffline } from "../../database/project-state.ts";
import { keyHash } from "../../model/key-identity.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { formatCount } from "../../vscode/ui/text/counts.ts";
import { LazyTree, type TreeNode } from "../../vscode/ui/tree/lazy-tree.ts";
import { relativeTime, formatNumber } from "../../vscode/ui/text/error-messages.ts";
import type { Result } from "../../vscode/projects/recent-results.ts";
import { oneLine } from "../../vscode/ui/text/markdown.ts";
import { projectKeyLabel } from "../../vscode/ui/text/text-label.ts";
import { language, l10n } from "../../vscode/l10n.ts";
import { jobRow, registerJobs } from "./jobs.ts";
import { registerPendingCounts } from "./pending-counts.ts";

/** Registers the view and the commands about jobs. */
export function registerActivityView(app: App): void {
  const tree = new LazyTree(() => rootsOf(app));
  const view = window.createTreeView("projectTranslations.activity", { treeDataProvider: tree });
  const head = (): void => {
    const isIn = app.projects.all.some(({ project }) => project.session.kind === "signed-in");
    view.message = isIn ? "" : l10n.t("Jobs and pending changes are listed here once you are signed in.");
  };
  head();
  app.addDisposable(tree);
  app.addDisposable(view);
  app.addDisposable(app.results.onDidChange(() => tree.redraw()));
  app.addDisposable(
    app.projects.onDidChange(() => {
      tree.redraw();
      head();
    }),
  );
  app.addDisposable(
    app.projects.onDidChangeState(({ change }) => {
      if (change.rows !== undefined || change.keys || change.local) return;
      tree.redraw();
      head();
    }),
  );
  registerJobs(app);
  registerPendingCounts(app);
}

function rootsOf(app: App): readonly TreeNode[] {
  const signedIn = app.projects.all.filter(({ project }) => project.session.kind === "signed-in");
  const [only] = signedIn;
  if (app.projects.all.length === 1 && only !== undefined) return rowsOf(app, only);
  return signedIn.map((open) => ({
    id: open.project.id,
    commandOptions: { folder: open.root },
    item: () => {
      const item = new TreeItem(open.project.label, TreeItemCollapsibleState.Expanded);
      item.iconPath = new ThemeIcon("globe");
      return item;
    },
    children: () => rowsOf(app, open),
  }));
}

function rowsOf(app: App, open: OpenProject): readonly TreeNode[] {
  const { id, busyWith, waiting, jobs } = open.project;
  const rows: TreeNode[] = [];
  if (waiting !== null) {
    const until = new Date(waiting.until).toLocaleTimeString(language());
    const label =
      waiting.kind === "rate-limit" ? l10n.t("Paused: rate limit") : l10n.t("Waiting: the project is busy");
    rows.push(row(`${id}/waiting`, label, l10n.t("until {0}", until), new ThemeIcon("watch")));
  }
  if (busyWith !== null) {
    rows.push(
      row(`${id}/busy`, l10n.t("Reading from the service"), oneLine(busyWith), new ThemeIcon("loading~spin")),
    );
  }
  rows.push(
    ...webhookRows(open),
    ...pushRows(open),
    ...renameRows(open),
    ...localOnlyRows(open),
    ...pullRows(open),
    ...jobs.map((followed) => jobRow(open, followed)),
  );
  rows.push(...app.results.of(open).map((result) => resultRow(id, result)));
  rows.push(checkedRow(open));
  return rows;
}

/** The webhook listener of this window, with a button that stops it. */
function webhookRows(open: OpenProject): readonly TreeNode[] {
  const { id, listeningAt } = open.project;
  if (listeningAt === null) return [];
  return [
    {
      id: `${id}/webhooks`,
      commandOptions: { folder: open.root },
      item: () => {
        const item = new TreeItem(l10n.t("Listening for webhooks"));
        item.description = oneLine(listeningAt);
        item.iconPath = new ThemeIcon("radio-tower");
        item.contextValue = "webhooks";
        return item;
      },
    },
  ];
}

/** Pending changes to push; clicking the row starts a push. */
function pushRows(open: OpenProject): readonly TreeNode[] {
  const { id, pushCounts, session } = open.project;
  if (pushCounts === null) return [];
  const all = pushCounts.new + pushCounts.changed + pushCounts.restored;
  if (all === 0 && (open.project.localOnly.size > 0 || open.project.renames.length > 0)) return [];
  if (all === 0) return [row(`${id}/push`, l10n.t("Nothing to push"), "", new ThemeIcon("check"))];
  const parts = [
    pushCounts.new + pushCounts.restored > 0
      ? l10n.t("{0} new", formatNumber(pushCounts.new + pushCounts.restored))
      : "",
    pushCounts.changed > 0 ? l10n.t("{0} changed", formatNumber(pushCounts.changed)) : "",
  ].filter((part) => part !== "");
  const label = l10n.t("{0} to push", formatCount.sourceTexts(all));
  const canWrite = session.kind === "signed-in" && session.canWrite;
  return [
    {
      id: `${id}/push`,
      commandOptions: { folder: open.root },
      item: () => {
        const item = new TreeItem(label);
        item.description = parts.join(" · ");
        item.tooltip = [label, ...parts].join(" · ");
        item.iconPath = new ThemeIcon("cloud-upload");
        item.contextValue = "push";
        if (canWrite)
          item.command = {
            command: "projectTranslations.push",
            title: l10n.t("Push"),
            arguments: [{ folder: open.root }],
          };
        return item;
      },
    },
  ];
}

/** Keys with another name in the local files than at the service; clicking a row renames the key there. */
function renameRows(open: OpenProject): readonly TreeNode[] {
  const { id, renames, session } = open.project;
  const canWrite = session.kind === "signed-in" && session.canWrite;
  return renames.map(({ from, to }) => {
    const options = { folder: open.root, from, to };
    return {
      id: `${id}/rename/${keyHash(from)}`,
      commandOptions: options,
      item: () => {
        const item = new TreeItem(l10n.t("Rename to {0}", projectKeyLabel(open, to)));
        item.description = projectKeyLabel(open, from);
        item.tooltip = l10n.t(
          "{0} is {1} in your files, and not yet on the service.",
          projectKeyLabel(open, from),
          projectKeyLabel(open, to),
        );
        item.iconPath = new ThemeIcon("symbol-key");
        item.contextValue = "rename";
        if (canWrite)
          item.command = {
            command: "projectTranslations.renameAtService",
            title: l10n.t("Rename on the Service"),
            arguments: [options],
          };
        return item;
      },
    };
  });
}

/** Translations that exist only in local files; clicking the row imports them. */
function localOnlyRows(open: OpenProject): readonly TreeNode[] {
  const { id, localOnly, session } = open.project;
  const count = [...localOnly.values()].reduce((sum, each) => sum + each, 0);
  if (count === 0) return [];
  const canWrite = session.kind === "signed-in" && session.canWrite;
  const label = formatCount.localTranslations(count);
  return [
    {
      id: `${id}/local-only`,
      commandOptions: { folder: open.root },
      item: () => {
        const item = new TreeItem(label);
        item.description = [...localOnly.keys()].join(", ");
        item.tooltip = `${label} (${[...localOnly.keys()].join(", ")})`;
        item.iconPath = new ThemeIcon("file");
        item.contextValue = "localOnly";
        if (canWrite)
          item.command = {
            command: "projectTranslations.importLocal",
            title: l10n.t("Import Local Translations"),
            arguments: [{ folder: open.root }],
          };
        return item;
      },
    },
  ];
}

/** Translations that exist only at the service; clicking the row starts a pull. */
function pullRows(open: OpenProject): readonly TreeNode[] {
  const { id, pullCount } = open.project;
  if (pullCount === null || pullCount === 0) return [];
  const label = l10n.t("{0} to pull", formatCount.translations(pullCount));
  return [
    {
      id: `${id}/pull`,
      commandOptions: { folder: open.root },
      item: () => {
        const item = new TreeItem(label);
        item.iconPath = new ThemeIcon("cloud-download");
        item.command = {
          command: "projectTranslations.pull",
          title: l10n.t("Pull"),
          arguments: [{ folder: open.root }],
        };
        return item;
      },
    },
  ];
}

function resultRow(projectId: string, { open, message, kind, at, context }: Result): TreeNode {
  const icons = {
    done: new ThemeIcon("pass", new ThemeColor("testing.iconPassed")),
    partly: new ThemeIcon("warning", new ThemeColor("list.warningForeground")),
    failed: new ThemeIcon("error", new ThemeColor("list.errorForeground")),
  };
  const plain = row(`${projectId}/result/${at}`, oneLine(message), relativeTime(at, Date.now()), icons[kind]);
  if (context === undefined) return plain;
  return {
    ...plain,
    commandOptions: { folder: open.root },
    item: () => {
      const item = plain.item();
      item.contextValue = context;
      return item;
    },
  };
}

/** The time of the last refresh. */
function checkedRow(open: OpenProject): TreeNode {
  const { id, freshness } = open.project;
  const at = freshness.kind === "never" ? null : freshness.at;
  const isAway = isOffline(freshness);
  const label = isAway ? l10n.t("The service could not be reached") : l10n.t("Checked for changes");
  const when = at === null ? l10n.t("not yet") : relativeTime(at, Date.now());
  return {
    id: `${id}/checked`,
    commandOptions: { folder: open.root },
    item: () => {
      const item = new TreeItem(label);
      item.description = isAway && at !== null ? l10n.t("last {0}", when) : when;
      item.iconPath = new ThemeIcon(isAway ? "debug-disconnect" : "history");
      item.command = {
        command: "projectTranslations.refresh",
        title: l10n.t("Refresh"),
        arguments: [{ folder: open.root }],
      };
      return item;
    },
  };
}

function row(id: string, label: string, description: string, icon: ThemeIcon): TreeNode {
  return {
    id,
    item: () => {
      const item = new TreeItem(label);
      item.description = description;
      item.iconPath = icon;
      item.tooltip = description === "" ? label : `${label} (${description})`;
      return item;
    },
  };
}
