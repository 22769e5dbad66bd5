/** The view "Activity": running and recent jobs, pauses, pending changes and results of finished commands. */
import { ThemeColor, ThemeIcon, window, MarkdownString } from "vscode";
import { isOffline, type FollowedJob } from "../../database/project-state.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { App, Command } from "../../vscode/app.ts";
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
import { registerPendingCounts } from "./watch-pending-changes.ts";
import type { Job } from "../../api/response-schemas.ts";
import { hasEnded } from "../../sync/poll-jobs.ts";
import { importCounts, jobErrorMessage, percentOf } from "../../vscode/ui/text/job-messages.ts";
import { escapeMarkdown } from "../../vscode/ui/text/escape-text.ts";
import type { CommonOptions } from "../../vscode/commands/command-types.ts";

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
  const { id, busyWith, waiting, jobs } = open.project;
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
  const { id, listeningAt } = open.project;
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
  const { id, pushCounts } = open.project;
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
  const { id, renames } = open.project;
  return renames.map(({ from, to }) => {
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
  const { id, localOnly } = open.project;
  const count = [...localOnly.values()].reduce((sum, each) => sum + each, 0);
  if (count === 0) return [];
  const label = formatCount.localTranslations(count);
  const description = [...localOnly.keys()].join(", ");
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
  const { id, pullCount } = open.project;
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

/** Registers `listJobs` and `stopWatchingJob`. */
export function registerJobs(app: App): void {
  app.command("projectTranslations.listJobs", l10n.t("List Jobs"), listJobs);
  app.command("projectTranslations.stopWatchingJob", l10n.t("Stop Following"), stopWatching);
}

const listJobs: Command<CommonOptions, { readonly jobs: readonly Job[] }> = async (app, options) => {
  const open = await app.projects.choose(options);
  return { outcome: "done", jobs: open.project.jobs.map(({ job }) => job) };
};

const stopWatching: Command<CommonOptions & { readonly job?: number }> = async (app, options) => {
  const open = await app.projects.choose(options);
  if (options.job === undefined) return { outcome: "cancelled" };
  open.jobs.unwatch(options.job);
  return { outcome: "done" };
};

/** Creates the row of a job. */
export function jobRow(open: OpenProject, followed: FollowedJob): TreeNode {
  const { job, kind, subject, watching } = followed;
  return {
    id: `${open.project.id}/job/${job.id}`,
    commandOptions: { folder: open.root, job: job.id },
    item: () => ({
      label:
        kind === "import"
          ? l10n.t("Import: {0}", subject.join(", "))
          : l10n.t("Export: {0}", subject.join(", ")),
      description: stateOf(followed),
      iconPath: iconOf(followed),
      contextValue: hasEnded(job) || !watching ? "job" : "runningJob",
      tooltip: tooltipOf(followed),
    }),
  };
}

function stateOf({ job, kind, watching, startedAt }: FollowedJob): string {
  const when = relativeTime(startedAt, Date.now());
  if (job.status === "succeeded")
    return [...(kind === "import" ? importCounts([job]) : []), when].join(" · ");
  if (job.status === "failed") return `${jobErrorMessage(job)} · ${when}`;
  if (!watching) return l10n.t("no longer followed");
  const percent = percentOf(job);
  if (percent === undefined) return job.status === "queued" ? l10n.t("queued") : l10n.t("running");
  return l10n.t(
    "{0} % ({1} of {2})",
    percent,
    formatNumber(job.progress?.done ?? 0),
    formatNumber(job.progress?.total ?? 0),
  );
}

function iconOf({ job, watching }: FollowedJob): ThemeIcon {
  if (job.status === "succeeded") return new ThemeIcon("pass", new ThemeColor("testing.iconPassed"));
  if (job.status === "failed") return new ThemeIcon("error", new ThemeColor("list.errorForeground"));
  return new ThemeIcon(watching ? "loading~spin" : "circle-slash");
}

function tooltipOf({ job, subject }: FollowedJob): MarkdownString {
  const lines = [
    `**${escapeMarkdown(subject.join(", "))}**`,
    escapeMarkdown(l10n.t("Job {0}: {1}", job.id, job.status)),
  ];
  if (job.error !== null) lines.push(escapeMarkdown(`${job.error.code}: ${job.error.message}`));
  // "Fields of a job's result object: not shown", so all of them are listed.
  for (const [field, value] of Object.entries(job.result ?? {})) {
    if (typeof value === "number" || typeof value === "string")
      lines.push(escapeMarkdown(`${field}: ${value}`));
  }
  return new MarkdownString(lines.join("\n\n"));
}
