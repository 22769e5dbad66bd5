/** Followed jobs: their rows, the command that lists them, and the command that stops following one. */
import { MarkdownString, ThemeColor, ThemeIcon } from "vscode";
import type { Job } from "../../api/response-schemas.ts";
import { hasEnded } from "../../sync/poll-jobs.ts";
import type { FollowedJob } from "../../database/project-state.ts";
import type { App, Command } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { importCounts, jobErrorMessage, percentOf } from "../../vscode/ui/text/job-messages.ts";
import type { TreeNode } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { escapeMarkdown } from "../../vscode/ui/text/escape-text.ts";
import type { CommonOptions } from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";
import { relativeTime, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";

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
