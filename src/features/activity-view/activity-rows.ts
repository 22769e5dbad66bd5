/** The rows of the view "Activity". Knows nothing of VS Code but its texts. */
import { refreshCommand } from "../../commands/declarations/session-commands.ts";
import { importLocalCommand, pullCommand, pushCommand } from "../../commands/declarations/sync-commands.ts";
import { showDiagnosisCommand } from "../../commands/declarations/window-commands.ts";
import { isUnreachable } from "../../api/errors.ts";
import type { Activity, FollowedJob, Freshness } from "../../database/project-state.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { hasEnded } from "../../sync/poll-jobs.ts";
import { l10n } from "../../util/l10n.ts";
import type { Result } from "../../vscode/projects/activity-results.ts";
import { fileProblemMessage } from "../../messages/file-problem-messages.ts";
import { errorKindMessage, toFailure } from "../../messages/error-messages.ts";
import { importCounts, jobErrorMessage, percentOf } from "../../messages/job-messages.ts";
import {
  formatCount,
  formatNumber,
  formatPercent,
  formatTimeOfDay,
  relativeTime,
} from "../../messages/counts-and-times.ts";
import { pendingCounts } from "../../messages/pending-counts.ts";
import { renameRowContent } from "../../vscode/ui/tree-view/key-row-content.ts";
import type { RowContent, RowIcon } from "../../vscode/ui/tree-view/row-content.ts";

/** What the rows are made of. */
export interface ActivityState {
  readonly activity: Activity;
  readonly jobs: readonly FollowedJob[];
  readonly results: readonly Omit<Result, "open">[];
  readonly freshness: Freshness;
  readonly canWrite: boolean;
  /** Names keys as the code of the project does. */
  readonly nameOf: (name: KeyName) => string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A row of a project. */
export interface ActivityRow {
  /** Unique in the project. */
  readonly name: string;
  readonly content: RowContent;
  /** What the commands in its menu, and that of a click, are for; beside the project. */
  readonly commandOptions?: { readonly job: number } | { readonly from: KeyName; readonly to: KeyName };
}

const MAX_TOOLTIP_LINES = 10;

/** Returns the rows of a project: what is running, pending and done, in this order. What is done has the newest first. */
export function activityRows(state: ActivityState): readonly ActivityRow[] {
  const { activity, jobs, results, freshness, now } = state;
  const { running = [], ended = [] } = Object.groupBy(jobs, (each) =>
    isRunning(each) ? "running" : "ended",
  );
  const done = [
    { at: timeOfCheck(freshness, now), row: checkedRow(freshness, now) },
    ...ended.map((followed) => ({ at: followed.startedAt, row: jobRow(followed, now) })),
    ...results.map((result) => ({ at: result.at, row: resultRow(result, now) })),
  ];
  return [
    ...runningRows(activity),
    ...running.map((followed) => jobRow(followed, now)),
    ...incompleteRows(activity),
    ...pendingRows(state),
    ...done.toSorted((a, b) => b.at - a.at).map(({ row: each }) => each),
  ];
}

type RowDetails = Omit<RowContent, "label" | "icon">;

function row(name: string, label: string, icon: RowIcon, details: RowDetails = {}): ActivityRow {
  return { name, content: { label, icon, ...details } };
}

function isRunning({ job, watching }: FollowedJob): boolean {
  return watching && !hasEnded(job);
}

/** Returns the time of the last attempt; before all others if there was none. */
function timeOfCheck(freshness: Freshness, now: number): number {
  if (freshness.kind === "offline") return now;
  return freshness.kind === "never" ? -Infinity : (freshness.at ?? -Infinity);
}

function runningRows({ waiting, busyWith, listeningAt }: Activity): readonly ActivityRow[] {
  const rows: ActivityRow[] = [];
  if (waiting !== null) {
    const label =
      waiting.kind === "rate-limit" ? l10n.t("Paused: rate limit") : l10n.t("Waiting: the project is busy");
    const description = l10n.t("until {0}", formatTimeOfDay(waiting.until));
    rows.push(row("waiting", label, "watch", { description }));
  }
  if (busyWith !== null)
    rows.push(row("busy", l10n.t("Reading from the service"), "loading~spin", { description: busyWith }));
  if (listeningAt !== null) {
    const label = l10n.t("Listening for webhooks");
    rows.push(row("webhooks", label, "radio-tower", { description: listeningAt, kind: "webhooks" }));
  }
  return rows;
}

/** Pending changes; clicking a row pushes, renames, imports or pulls. */
function pendingRows({ activity, canWrite, nameOf }: ActivityState): readonly ActivityRow[] {
  const { sourceAtService, renames, localOnly, changedInFiles, conflicts, uncounted } = activity;
  const rows: ActivityRow[] = [
    ...pushRows(activity, canWrite),
    ...renames.map((rename) => ({
      name: `rename/${keyHash(rename.from)}`,
      content: renameRowContent(rename, nameOf),
      commandOptions: { from: rename.from, to: rename.to },
    })),
  ];
  const importRow = (
    name: string,
    counts: ReadonlyMap<string, number>,
    label: (count: number) => string,
    icon: string,
  ): void => {
    if (counts.size === 0) return;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    rows.push(
      row(name, label(total), icon, {
        description: [[...counts.keys()].join(", "), ...restriction(canWrite)].join(" · "),
        kind: "localOnly",
        click: importLocalCommand,
      }),
    );
  };
  importRow("local-only", localOnly, formatCount.localTranslations, "file");
  importRow("changed-in-files", changedInFiles, formatCount.changedTranslations, "edit");
  if (conflicts > 0)
    rows.push(row("conflicts", formatCount.conflicts(conflicts), "git-compare", { click: pullCommand }));
  const { toPull, pulled } = pendingCounts(activity);
  if (toPull > 0) {
    const label = l10n.t("{0} to pull", pulled);
    const kept = l10n.t("A push leaves these source texts as they are; a pull takes them into your files.");
    rows.push(
      row("pull", label, "cloud-download", {
        ...(uncounted.length > 0 && { description: l10n.t("not counted: {0}", uncounted.join(", ")) }),
        ...(sourceAtService > 0 && { tooltip: [label, kept] }),
        click: pullCommand,
      }),
    );
  }
  return rows;
}

/** What a row says that sends something; a click says so, too. */
function restriction(canWrite: boolean): readonly string[] {
  return canWrite ? [] : [l10n.t("needs a token with write access")];
}

/** Source texts to push; that there are none only if nothing else is to be sent either. */
function pushRows(
  { pushCounts, localOnly, changedInFiles, conflicts, renames }: Activity,
  canWrite: boolean,
): readonly ActivityRow[] {
  if (pushCounts === null) return [];
  const { new: added, changed } = pushCounts;
  if (added + changed === 0) {
    const isEmpty =
      localOnly.size === 0 && changedInFiles.size === 0 && conflicts === 0 && renames.length === 0;
    return isEmpty ? [row("push", l10n.t("Nothing to push"), "check")] : [];
  }
  const counts: string[] = [];
  if (added > 0) counts.push(l10n.t("{0} new", formatNumber(added)));
  if (changed > 0) counts.push(l10n.t("{0} changed", formatNumber(changed)));
  const label = l10n.t("{0} to push", formatCount.sourceTexts(added + changed));
  return [
    row("push", label, "cloud-upload", {
      description: [...counts, ...restriction(canWrite)].join(" · "),
      click: pushCommand,
    }),
  ];
}

/** Files whose keys are incomplete, so that they are neither pushed nor archived. */
function incompleteRows({ incomplete }: Activity): readonly ActivityRow[] {
  const [first] = incomplete;
  if (first === undefined) return [];
  const messages = incomplete.slice(0, MAX_TOOLTIP_LINES).map((problem) => fileProblemMessage(problem));
  const label = l10n.t("Not read completely: {0}", formatCount.files(incomplete.length));
  return [
    row("incomplete", label, "warning", {
      description: first.path,
      tooltip: [label, ...messages, ...(messages.length < incomplete.length ? ["…"] : [])],
      click: showDiagnosisCommand,
    }),
  ];
}

const STATUS = { done: "passed", partly: "warning", failed: "error" } as const;

function resultRow({ message, kind, at, context }: Omit<Result, "open">, now: number): ActivityRow {
  const description = relativeTime(at, now);
  return row(`result/${at}`, message, { status: STATUS[kind] }, { description, kind: context });
}

/** The time of the last refresh. */
function checkedRow(freshness: Freshness, now: number): ActivityRow {
  const at = freshness.kind === "never" ? null : freshness.at;
  const hasFailed = freshness.kind === "offline";
  const time = at === null ? l10n.t("not yet") : relativeTime(at, now);
  if (!hasFailed)
    return row("checked", l10n.t("Checked for changes"), "history", {
      description: time,
      click: refreshCommand,
    });
  const isGone = isUnreachable(freshness.error);
  return row(
    "checked",
    isGone ? l10n.t("The service could not be reached") : l10n.t("The last check failed"),
    isGone ? "debug-disconnect" : "warning",
    {
      description: at === null ? time : l10n.t("last {0}", time),
      tooltip: [toFailure(freshness.error).message],
      click: refreshCommand,
    },
  );
}

function jobRow(followed: FollowedJob, now: number): ActivityRow {
  const { job, kind, subject } = followed;
  const names = subject.join(", ");
  const content: RowContent = {
    label: kind === "import" ? l10n.t("Import: {0}", names) : l10n.t("Export: {0}", names),
    icon: jobIcon(followed),
    description: jobState(followed, now),
    kind: isRunning(followed) ? "runningJob" : undefined,
    tooltip: jobTooltip(followed),
    // Asks again.
    click: followed.failure === undefined ? undefined : refreshCommand,
  };
  return { name: `job/${job.id}`, content, commandOptions: { job: job.id } };
}

function jobState(followed: FollowedJob, now: number): string {
  const { job, kind, watching, startedAt, failure } = followed;
  const age = relativeTime(startedAt, now);
  if (job.status === "succeeded") return [...(kind === "import" ? importCounts([job]) : []), age].join(" · ");
  if (job.status === "failed") return `${jobErrorMessage(job)} · ${age}`;
  if (!watching) return l10n.t("no longer followed");
  if (failure !== undefined) return errorKindMessage(failure);
  const percent = percentOf(job);
  if (percent === undefined) return job.status === "queued" ? l10n.t("queued") : l10n.t("running");
  return l10n.t(
    "{0} ({1} of {2})",
    formatPercent(percent),
    formatNumber(job.progress?.done ?? 0),
    formatNumber(job.progress?.total ?? 0),
  );
}

function jobIcon(followed: FollowedJob): RowIcon {
  const { job, watching, failure } = followed;
  if (job.status === "succeeded") return { status: "passed" };
  if (job.status === "failed") return { status: "error" };
  if (failure !== undefined) return { status: "warning" };
  return watching ? "loading~spin" : "circle-slash";
}

function jobTooltip({ job, subject }: FollowedJob): readonly string[] {
  const lines = [subject.join(", "), l10n.t("Job {0}: {1}", job.id, job.status)];
  if (job.error !== null) lines.push(`${job.error.code}: ${job.error.message}`);
  // "Fields of a job's result object: not shown", so all of them are listed.
  for (const [field, value] of Object.entries(job.result ?? {})) {
    if (typeof value === "number" || typeof value === "string") lines.push(`${field}: ${value}`);
  }
  return lines;
}
