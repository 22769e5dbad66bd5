/** The view "Activity": running and recent jobs, pauses, pending changes and results of finished commands. */
import { commandLink } from "../../vscode/commands/command-links.ts";
import type { CommandDeclaration } from "../../commands/define-command.ts";
import { refreshCommand } from "../../commands/declarations/session-commands.ts";
import { showDiagnosisCommand } from "../../commands/declarations/window-commands.ts";
import { renameAtServiceCommand } from "../../commands/declarations/key-commands.ts";
import {
  listJobsCommand,
  stopWatchingJobCommand,
  pushCommand,
  importLocalCommand,
  pullCommand,
} from "../../commands/declarations/sync-commands.ts";
import { ThemeIcon, MarkdownString } from "vscode";
import type { FollowedJob } from "../../database/project-state.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import {
  formatCount,
  formatTimeOfDay,
  relativeTime,
  formatNumber,
} from "../../vscode/ui/text/counts-and-times.ts";
import { canWrite } from "../../vscode/commands/command-requirements.ts";
import { createTreeView, statusIcon, type TreeNode } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { signedInRows } from "../../vscode/ui/tree-view/project-rows.ts";
import type { Result } from "../../vscode/projects/activity-results.ts";
import { fileProblemMessage } from "../../vscode/ui/messages/file-problem-messages.ts";
import { projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";
import { registerPendingCounts } from "./watch-pending-changes.ts";
import { hasEnded } from "../../sync/poll-jobs.ts";
import { importCounts, jobErrorMessage, percentOf } from "../../vscode/ui/messages/job-messages.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { escapeMarkdown } from "../../vscode/ui/text/escape-text.ts";

const MAX_TOOLTIP_LINES = 10;

/** Registers the view and the commands about jobs. */
export function registerActivityView(app: App): void {
  const { tree, view } = createTreeView(app, "projectTranslations.activity", () =>
    signedInRows(app.projects.all, (open) => projectRows(app, open)),
  );
  const draw = (): void => {
    tree.redraw();
    const isSignedIn = app.projects.all.some(({ project }) => project.session.kind === "signed-in");
    view.message = isSignedIn
      ? ""
      : l10n.t("Jobs and pending changes are listed here once you are signed in.");
  };
  draw();
  app.addDisposable(
    app.store.subscribe(
      ["projects", "results", "session", "stats", "freshness", "jobs", "activity", "pending", "drafts"],
      draw,
    ),
  );
  app.command(listJobsCommand, listJobs);
  app.command(stopWatchingJobCommand, stopWatching);
  registerPendingCounts(app);
}

function projectRows(app: App, open: OpenProject): readonly TreeNode[] {
  const { jobs, activity } = open.project;
  const { busyWith, waiting, listeningAt } = activity;
  const rows: TreeNode[] = [];
  if (waiting !== null) {
    const label =
      waiting.kind === "rate-limit" ? l10n.t("Paused: rate limit") : l10n.t("Waiting: the project is busy");
    const until = l10n.t("until {0}", formatTimeOfDay(waiting.until));
    rows.push(row(open, "waiting", label, "watch", { description: until }));
  }
  if (busyWith !== null) {
    const label = l10n.t("Reading from the service");
    rows.push(row(open, "busy", label, "loading~spin", { description: busyWith }));
  }
  if (listeningAt !== null) {
    // Its menu has a command that stops listening.
    const more = { description: listeningAt, contextValue: "webhooks" };
    rows.push(row(open, "webhooks", l10n.t("Listening for webhooks"), "radio-tower", more));
  }
  rows.push(
    ...incompleteRows(open),
    ...pendingRows(open),
    ...jobs.map((followed) => jobRow(open, followed)),
    ...app.results.of(open).map(resultRow),
    checkedRow(open),
  );
  return rows;
}

/** Pending changes; clicking a row pushes, renames, imports or pulls. */
function pendingRows(open: OpenProject): readonly TreeNode[] {
  const { pushCounts, sourceAtService, renames, localOnly, changedInFiles, conflicts, pullCount } =
    open.project.activity;
  const rows: TreeNode[] = [];
  const added = pushCounts?.new ?? 0;
  const changed = pushCounts?.changed ?? 0;
  if (added + changed > 0) {
    const counts: string[] = [];
    if (added > 0) counts.push(l10n.t("{0} new", formatNumber(added)));
    if (changed > 0) counts.push(l10n.t("{0} changed", formatNumber(changed)));
    const label = l10n.t("{0} to push", formatCount.sourceTexts(added + changed));
    rows.push(
      row(open, "push", label, "cloud-upload", {
        description: counts.join(" · "),
        tooltip: [label, ...counts].join(" · "),
        contextValue: "push",
        click: canWrite(open) && pushCommand,
      }),
    );
  } else if (
    pushCounts !== null &&
    localOnly.size === 0 &&
    changedInFiles.size === 0 &&
    conflicts === 0 &&
    renames.length === 0
  ) {
    rows.push(row(open, "push", l10n.t("Nothing to push"), "check"));
  }
  for (const { from, to } of renames) {
    const names = [projectKeyLabel(open, from), projectKeyLabel(open, to)] as const;
    rows.push(
      row(open, `rename/${keyHash(from)}`, l10n.t("Rename to {0}", names[1]), "symbol-key", {
        description: names[0],
        tooltip: l10n.t("{0} is {1} in your files, and not yet on the service.", ...names),
        contextValue: "rename",
        click: canWrite(open) && renameAtServiceCommand,
        options: { from, to },
      }),
    );
  }
  const localRow = (
    name: string,
    counts: ReadonlyMap<string, number>,
    label: (count: number) => string,
    icon: string,
  ): TreeNode =>
    row(open, name, label([...counts.values()].reduce((sum, count) => sum + count, 0)), icon, {
      description: [...counts.keys()].join(", "),
      contextValue: "localOnly",
      click: canWrite(open) && importLocalCommand,
    });
  if (localOnly.size > 0) rows.push(localRow("local-only", localOnly, formatCount.localTranslations, "file"));
  if (changedInFiles.size > 0)
    rows.push(localRow("changed-in-files", changedInFiles, formatCount.changedTranslations, "edit"));
  if (conflicts > 0)
    rows.push(
      row(open, "conflicts", formatCount.conflicts(conflicts), "git-compare", { click: pullCommand }),
    );
  if (sourceAtService > 0) {
    const label = formatCount.sourceTextsAtService(sourceAtService);
    const tooltip = l10n.t("{0}. A push leaves this as it is; a pull takes it into your files.", label);
    rows.push(row(open, "source-at-service", label, "cloud", { tooltip, click: pullCommand }));
  }
  if (pullCount !== null && pullCount > 0) {
    const label = l10n.t("{0} to pull", formatCount.translations(pullCount));
    rows.push(row(open, "pull", label, "cloud-download", { click: pullCommand }));
  }
  return rows;
}

/** Files whose keys are incomplete, so that they are neither pushed nor archived. */
function incompleteRows(open: OpenProject): readonly TreeNode[] {
  const { incomplete } = open.project.activity;
  const [first] = incomplete;
  if (first === undefined) return [];
  const messages = incomplete.slice(0, MAX_TOOLTIP_LINES).map(fileProblemMessage);
  return [
    row(
      open,
      "incomplete",
      l10n.t("Not read completely: {0}", formatCount.files(incomplete.length)),
      "warning",
      {
        description: first.path,
        tooltip: [...messages, ...(messages.length < incomplete.length ? ["…"] : [])].join("\n"),
        click: showDiagnosisCommand,
      },
    ),
  ];
}

function resultRow({ open, message, kind, at, context }: Result): TreeNode {
  const icon = statusIcon(({ done: "passed", partly: "warning", failed: "error" } as const)[kind]);
  const description = relativeTime(at, Date.now());
  return row(open, `result/${at}`, message, icon, { description, contextValue: context });
}

/** The time of the last refresh. */
function checkedRow(open: OpenProject): TreeNode {
  const { freshness } = open.project;
  const at = freshness.kind === "never" ? null : freshness.at;
  const hasFailed = freshness.kind === "offline";
  const time = at === null ? l10n.t("not yet") : relativeTime(at, Date.now());
  const label = hasFailed ? l10n.t("The service could not be reached") : l10n.t("Checked for changes");
  return row(open, "checked", label, hasFailed ? "debug-disconnect" : "history", {
    description: hasFailed && at !== null ? l10n.t("last {0}", time) : time,
    click: refreshCommand,
  });
}

interface RowDetails {
  readonly description?: string;
  /** Default: label and description. */
  readonly tooltip?: string;
  /** For the commands of its menu. */
  readonly contextValue?: string | undefined;
  /** The command that a click runs. */
  readonly click?: CommandDeclaration | false;
  /** Options of the commands besides the project. */
  readonly options?: object;
}

function row(
  { project, root }: OpenProject,
  name: string,
  label: string,
  icon: string | ThemeIcon,
  { description = "", tooltip, contextValue, click = false, options = {} }: RowDetails = {},
): TreeNode {
  const commandOptions = { folder: root, ...options };
  return {
    id: `${project.id}/${name}`,
    commandOptions,
    item: () => ({
      label,
      description,
      iconPath: typeof icon === "string" ? new ThemeIcon(icon) : icon,
      tooltip: tooltip ?? (description === "" ? label : `${label} (${description})`),
      ...definedFields({ contextValue }),
      ...(click !== false && {
        command: commandLink(click, commandOptions, label),
      }),
    }),
  };
}

const listJobs: CommandWork<typeof listJobsCommand> = async (app, options) => {
  const open = await app.projects.choose(options);
  return { outcome: "done", jobs: open.project.jobs.map(({ job }) => job) };
};

const stopWatching: CommandWork<typeof stopWatchingJobCommand> = async (app, options) => {
  const open = await app.projects.choose(options);
  if (options.job === undefined) return { outcome: "cancelled" };
  open.jobs.unwatch(options.job);
  return { outcome: "done" };
};

/** Creates the row of a job. */
function jobRow(open: OpenProject, followed: FollowedJob): TreeNode {
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
  const age = relativeTime(startedAt, Date.now());
  if (job.status === "succeeded") return [...(kind === "import" ? importCounts([job]) : []), age].join(" · ");
  if (job.status === "failed") return `${jobErrorMessage(job)} · ${age}`;
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
  if (job.status === "succeeded") return statusIcon("passed");
  if (job.status === "failed") return statusIcon("error");
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
