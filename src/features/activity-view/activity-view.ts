/** The view "Activity": running and recent jobs, pauses, pending changes and results of finished commands. */
import { ThemeColor, ThemeIcon, window } from "vscode";
import { isOffline } from "../../database/project-state.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount, relativeTime, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { canWrite } from "../../vscode/commands/command-requirements.ts";
import {
  LazyTreeProvider,
  type ItemProperties,
  type TreeNode,
} from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { signedInRows } from "../../vscode/ui/tree-view/project-rows.ts";
import type { Result } from "../../vscode/projects/activity-results.ts";
import { projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import { language, l10n } from "../../vscode/l10n.ts";
import { jobRow, registerJobs } from "./job-rows.ts";
import { registerPendingCounts } from "./watch-pending-changes.ts";

/** Registers the view and the commands about jobs. */
export function registerActivityView(app: App): void {
  const tree = new LazyTreeProvider(() => signedInRows(app.projects.all, (open) => rowsOf(app, open)));
  const view = window.createTreeView("projectTranslations.activity", { treeDataProvider: tree });
  const draw = (): void => {
    tree.redraw();
    const isIn = app.projects.all.some(({ project }) => project.session.kind === "signed-in");
    view.message = isIn ? "" : l10n.t("Jobs and pending changes are listed here once you are signed in.");
  };
  draw();
  app.addDisposable(
    tree,
    view,
    app.results.onDidChange(() => tree.redraw()),
    app.projects.onDidChange(draw),
    app.projects.onDidChangeState(({ change }) => {
      if (change.rows === undefined && !change.keys && !change.local) draw();
    }),
  );
  registerJobs(app);
  registerPendingCounts(app);
}

function rowsOf(app: App, open: OpenProject): readonly TreeNode[] {
  const { id, jobs, activity } = open.project;
  const { busyWith, waiting } = activity;
  const rows: TreeNode[] = [];
  if (waiting !== null) {
    const until = new Date(waiting.until).toLocaleTimeString(language());
    const label =
      waiting.kind === "rate-limit" ? l10n.t("Paused: rate limit") : l10n.t("Waiting: the project is busy");
    rows.push(row(`${id}/waiting`, label, l10n.t("until {0}", until), new ThemeIcon("watch")));
  }
  if (busyWith !== null) {
    const label = l10n.t("Reading from the service");
    rows.push(row(`${id}/busy`, label, busyWith, new ThemeIcon("loading~spin")));
  }
  rows.push(
    ...webhookRows(open),
    ...pushRows(open),
    ...renameRows(open),
    ...localOnlyRows(open),
    ...pullRows(open),
    ...jobs.map((followed) => jobRow(open, followed)),
    ...app.results.of(open).map((result) => resultRow(id, result)),
    checkedRow(open),
  );
  return rows;
}

/** The webhook listener of this window, with a button that stops it. */
function webhookRows(open: OpenProject): readonly TreeNode[] {
  const { id, activity } = open.project;
  const { listeningAt } = activity;
  if (listeningAt === null) return [];
  const label = l10n.t("Listening for webhooks");
  const iconPath = new ThemeIcon("radio-tower");
  return [
    commandRow(`${id}/webhooks`, open, {
      label,
      description: listeningAt,
      iconPath,
      contextValue: "webhooks",
    }),
  ];
}

/** Pending changes to push; clicking the row starts a push. */
function pushRows(open: OpenProject): readonly TreeNode[] {
  const { id, activity } = open.project;
  const { pushCounts, localOnly, renames } = activity;
  if (pushCounts === null) return [];
  const all = pushCounts.new + pushCounts.changed + pushCounts.restored;
  if (all === 0 && (localOnly.size > 0 || renames.length > 0)) return [];
  if (all === 0) return [row(`${id}/push`, l10n.t("Nothing to push"), "", new ThemeIcon("check"))];
  const parts = [
    pushCounts.new + pushCounts.restored > 0
      ? l10n.t("{0} new", formatNumber(pushCounts.new + pushCounts.restored))
      : "",
    pushCounts.changed > 0 ? l10n.t("{0} changed", formatNumber(pushCounts.changed)) : "",
  ].filter((part) => part !== "");
  const label = l10n.t("{0} to push", formatCount.sourceTexts(all));
  const item: ItemProperties = {
    label,
    description: parts.join(" · "),
    tooltip: [label, ...parts].join(" · "),
    iconPath: new ThemeIcon("cloud-upload"),
    contextValue: "push",
  };
  const click = canWrite(open) && { command: "projectTranslations.push", title: l10n.t("Push") };
  return [commandRow(`${id}/push`, open, item, click)];
}

/** Keys with another name in the local files than at the service; clicking a row renames the key there. */
function renameRows(open: OpenProject): readonly TreeNode[] {
  const { id, activity } = open.project;
  return activity.renames.map(({ from, to }) => {
    const names = [projectKeyLabel(open, from), projectKeyLabel(open, to)] as const;
    const item: ItemProperties = {
      label: l10n.t("Rename to {0}", names[1]),
      description: names[0],
      tooltip: l10n.t("{0} is {1} in your files, and not yet on the service.", ...names),
      iconPath: new ThemeIcon("symbol-key"),
      contextValue: "rename",
    };
    const title = l10n.t("Rename on the Service");
    const click = canWrite(open) && { command: "projectTranslations.renameAtService", title };
    return commandRow(`${id}/rename/${keyHash(from)}`, open, item, click, { from, to });
  });
}

/** Translations that exist only in local files; clicking the row imports them. */
function localOnlyRows(open: OpenProject): readonly TreeNode[] {
  const { id, activity } = open.project;
  const count = [...activity.localOnly.values()].reduce((sum, each) => sum + each, 0);
  if (count === 0) return [];
  const label = formatCount.localTranslations(count);
  const description = [...activity.localOnly.keys()].join(", ");
  const item: ItemProperties = {
    label,
    description,
    tooltip: `${label} (${description})`,
    iconPath: new ThemeIcon("file"),
    contextValue: "localOnly",
  };
  const title = l10n.t("Import Local Translations");
  const click = canWrite(open) && { command: "projectTranslations.importLocal", title };
  return [commandRow(`${id}/local-only`, open, item, click)];
}

/** Translations that exist only at the service; clicking the row starts a pull. */
function pullRows(open: OpenProject): readonly TreeNode[] {
  const { id, activity } = open.project;
  const { pullCount } = activity;
  if (pullCount === null || pullCount === 0) return [];
  const label = l10n.t("{0} to pull", formatCount.translations(pullCount));
  const item: ItemProperties = { label, iconPath: new ThemeIcon("cloud-download") };
  return [
    commandRow(`${id}/pull`, open, item, { command: "projectTranslations.pull", title: l10n.t("Pull") }),
  ];
}

function resultRow(projectId: string, { open, message, kind, at, context }: Result): TreeNode {
  const icons = {
    done: new ThemeIcon("pass", new ThemeColor("testing.iconPassed")),
    partly: new ThemeIcon("warning", new ThemeColor("list.warningForeground")),
    failed: new ThemeIcon("error", new ThemeColor("list.errorForeground")),
  };
  const plain = row(`${projectId}/result/${at}`, message, relativeTime(at, Date.now()), icons[kind]);
  return context === undefined
    ? plain
    : commandRow(plain.id, open, { ...plain.item(), contextValue: context });
}

/** The time of the last refresh. */
function checkedRow(open: OpenProject): TreeNode {
  const { id, freshness } = open.project;
  const at = freshness.kind === "never" ? null : freshness.at;
  const isAway = isOffline(freshness);
  const when = at === null ? l10n.t("not yet") : relativeTime(at, Date.now());
  const item: ItemProperties = {
    label: isAway ? l10n.t("The service could not be reached") : l10n.t("Checked for changes"),
    description: isAway && at !== null ? l10n.t("last {0}", when) : when,
    iconPath: new ThemeIcon(isAway ? "debug-disconnect" : "history"),
  };
  return commandRow(`${id}/checked`, open, item, {
    command: "projectTranslations.refresh",
    title: l10n.t("Refresh"),
  });
}

function row(id: string, label: string, description: string, icon: ThemeIcon): TreeNode {
  const tooltip = description === "" ? label : `${label} (${description})`;
  return { id, item: () => ({ label, description, iconPath: icon, tooltip }) };
}

/**
 * Creates a row with menu commands.
 *
 * @param click the command that a click runs, if any
 * @param target options of the commands besides the project
 */
function commandRow(
  id: string,
  { root }: OpenProject,
  item: ItemProperties,
  click: { readonly command: string; readonly title: string } | false = false,
  target: object = {},
): TreeNode {
  const options = { folder: root, ...target };
  const command = click && { command: { ...click, arguments: [options] } };
  return { id, commandOptions: options, item: () => ({ ...item, ...command }) };
}
