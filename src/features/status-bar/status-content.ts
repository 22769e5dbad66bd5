/** What the status bar item shows. Knows nothing of VS Code but its texts. */
import { isUnreachable } from "../../api/errors.ts";
import { hasEnded } from "../../sync/poll-jobs.ts";
import type { FollowedJob, Project } from "../../database/project-state.ts";
import { l10n } from "../../util/l10n.ts";
import { archivedMessage, errorKindMessage, toFailure } from "../../messages/error-messages.ts";
import { percentOf } from "../../messages/job-messages.ts";
import { formatCount, formatNumber, formatPercent, relativeTime } from "../../messages/counts-and-times.ts";
import { pendingCounts } from "../../messages/pending-counts.ts";
import { labelText } from "../../messages/escape-text.ts";

/** The state of a project, as far as the item shows it. */
export interface StatusState extends Pick<
  Project,
  "session" | "source" | "stats" | "activity" | "jobs" | "freshness"
> {
  /** How the project is called. */
  readonly name: string;
  /** Milliseconds since the epoch, and of the clock that waiting times are measured with. */
  readonly now: number;
  readonly monotonic: number;
}

/** The texts may contain theme icons. */
export interface StatusContent {
  readonly text: string;
  readonly tooltip: string;
  readonly isError?: true;
  /** It must be updated every second. */
  readonly hasCountdown?: true;
}

/** Returns the content for a project; `undefined` if there is nothing to show yet. */
export function statusContent(state: StatusState): StatusContent | undefined {
  const { session } = state;
  switch (session.kind) {
    case "unknown":
      return undefined;
    case "untrusted":
      return {
        text: `$(workspace-untrusted) ${l10n.t("Translations")}`,
        tooltip: l10n.t("This folder is not trusted, so nothing is sent to the service."),
      };
    case "signed-out":
      if (state.source.isKnown) return localContent(state);
      return {
        text: `$(globe) ${l10n.t("Translations: sign in")}`,
        tooltip: l10n.t("You are not signed in. Click for options."),
      };
    case "refused":
      return session.reason === "archived"
        ? {
            text: `$(archive) ${l10n.t("Translations: archived")}`,
            tooltip: archivedMessage(),
          }
        : {
            text: `$(error) ${l10n.t("Translations: token not accepted")}`,
            tooltip: errorKindMessage("unauthorized"),
            isError: true,
          };
    case "signed-in":
      return busyContent(state) ?? idleContent(state, session.canWrite);
  }
}

/** The content for a project with local files only. */
function localContent(state: StatusState): StatusContent {
  return {
    text: `$(globe) ${l10n.t("Translations: local files")}`,
    tooltip: [l10n.t("Local files; you are not signed in. Click for options."), ...percentTexts(state)].join(
      " · ",
    ),
  };
}

/** Returns how much of each target language is translated. */
function percentTexts({ stats }: StatusState): readonly string[] {
  const targets = (stats?.languages ?? []).filter(({ isSource }) => !isSource);
  return targets.map(({ locale, percent }) => `${locale} ${formatPercent(percent)}`);
}

/** The content for running jobs and pauses, if any. */
function busyContent({ name, activity, jobs, monotonic }: StatusState): StatusContent | undefined {
  const { waiting, busyWith } = activity;
  if (waiting !== null) {
    const seconds = Math.max(0, Math.ceil((waiting.until - monotonic) / 1000));
    const [text, tooltip] =
      waiting.kind === "rate-limit"
        ? [
            l10n.t("Paused {0} s (rate limit)", seconds),
            l10n.t("{0}: rate limit reached. Continues automatically.", name),
          ]
        : [
            l10n.t("Project is busy, retrying in {0} s", seconds),
            l10n.t("{0}: someone else is writing. Retrying automatically.", name),
          ];
    return { text: `$(sync~spin) ${text}`, tooltip, hasCountdown: true };
  }
  const [first, ...others] = runningJobs(jobs);
  if (first !== undefined) {
    const percent = percentOf(first.job);
    const kind = first.kind === "import" ? l10n.t("Import") : l10n.t("Export");
    const progress = percent === undefined ? kind : `${kind} ${formatPercent(percent)}`;
    return {
      text: `$(sync~spin) ${progress}${others.length > 0 ? ` +${others.length}` : ""}`,
      tooltip: `${name}: ${progress}: ${first.subject.join(", ")}`,
    };
  }
  if (busyWith === null) return undefined;
  return {
    text: `$(sync~spin) ${labelText(name)} ${labelText(busyWith)}`,
    tooltip: l10n.t("{0}: reading from the service", name),
  };
}

/** The content for an idle project. */
function idleContent(state: StatusState, canWrite: boolean): StatusContent {
  const { name, freshness, now } = state;
  if (freshness.kind === "offline") {
    const age = freshness.at === null ? "" : ` · ${relativeTime(freshness.at, now)}`;
    const icon = isUnreachable(freshness.error) ? "debug-disconnect" : "warning";
    return {
      text: `$(${icon}) ${labelText(name)}${age}`,
      tooltip: `${name}: ${toFailure(freshness.error).message}`,
    };
  }
  const { toPush, toPull, pulled } = pendingCounts(state.activity);
  const text = [`$(${canWrite ? "globe" : "lock"}) ${labelText(name)}`];
  const tooltip = [name, ...(canWrite ? [] : [l10n.t("read-only")]), ...percentTexts(state)];
  if (toPush > 0) {
    text.push(`$(arrow-up)${formatNumber(toPush)}`);
    tooltip.push(l10n.t("To push: {0}", formatCount.sourceTexts(toPush)));
  }
  if (toPull > 0) {
    text.push(`$(arrow-down)${formatNumber(toPull)}`);
    tooltip.push(l10n.t("To pull: {0}", pulled));
  }
  return { text: text.join(" "), tooltip: tooltip.join(" · ") };
}

/** Returns the jobs that this window waits for. */
export function runningJobs(jobs: readonly FollowedJob[]): readonly FollowedJob[] {
  return jobs.filter(({ job, watching }) => watching && !hasEnded(job));
}
