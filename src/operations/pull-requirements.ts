/** What a pull needs, and the errors of one that cannot be applied. */
import { isApiError, type RefusedItem } from "../api/errors.ts";
import type { Job } from "../api/response-schemas.ts";
import { CommandCancelled, CommandError, type NextAction } from "../commands/command-types.ts";
import type { Project } from "../database/project-state.ts";
import {
  leftItem,
  leftTextMessage,
  problemItem,
  problemMessage,
  type PulledProject,
} from "../messages/sync/pull-messages.ts";
import { projectDisplayName } from "../messages/labels.ts";
import { createLocaleMap } from "../model/locales.ts";
import type { PullRequest } from "../sync/pull/applied-exports.ts";
import {
  leftTextsOf,
  planPull,
  problemsOf,
  type PullDependencies,
  type PullOptions,
  type PullOutcome,
  type PullPlan,
} from "../sync/pull/pull-plan.ts";
import { writePull } from "../sync/pull/write-pull.ts";
import { definedFields } from "../util/defined-fields.ts";
import { l10n } from "../util/l10n.ts";
import type { LocalFiles } from "../workspace/local-files/local-entries.ts";
import type { ExportLocationOptions } from "../workspace/local-files/map-export-to-local-files.ts";
import type { ProjectFile } from "../workspace/project-file/project-file.ts";

/** Returns how the files of an export are mapped to local ones. `local`: the files that were read. */
export function exportLocationOptions(
  { stats }: Pick<Project, "stats">,
  file: ProjectFile,
  local: Pick<LocalFiles, "files">,
): ExportLocationOptions {
  const locales = stats?.languages.map((language) => language.locale) ?? [];
  const inFiles = local.files.flatMap(({ location }) => location.placeholders.locale ?? []);
  return {
    file,
    entries: file.files ?? [],
    locales: new Set(locales),
    localeMap: createLocaleMap(file.locales ?? {}, locales, [...new Set(inFiles)]),
  };
}

/** The error if there is not exactly one export format, and nobody is asked which. */
export function noProfileError(): CommandError {
  return new CommandError("invalid", profileMessage(l10n.t("No export format is chosen.")), {
    reason: "profile",
  });
}

function profileMessage(message: string): string {
  return `${message} ${l10n.t("Set “pull.profile” in project-translations.json, or the option “profile”.")}`;
}

/**
 * `planPull`.
 * @throws {CommandError} `not_found` if the service does not know the export format
 */
export async function planExport(
  dependencies: PullDependencies,
  request: PullRequest,
  options: PullOptions,
): Promise<PullOutcome> {
  try {
    return await planPull(dependencies, request, options);
  } catch (error) {
    // The export is the first request; a job that is not found has vanished.
    if (!isApiError(error, "not_found")) throw error;
    const name = projectDisplayName(dependencies.project);
    const message = profileMessage(l10n.t("{0} has no export format “{1}”.", name, request.profile));
    throw new CommandError("not_found", message, { status: 404, reason: "profile" });
  }
}

/**
 * Returns the plan; `null` if nothing changed at the service.
 *
 * @throws {CommandError} if there is no export.
 */
export function planOfExport(outcome: PullOutcome): PullPlan | null {
  switch (outcome.kind) {
    case "unchanged":
      return null;
    case "planned":
      return outcome.plan;
    case "unsafe":
      throw new CommandError(
        "unsafe_file",
        l10n.t(
          "The export is not safe to unpack ({0}), so nothing was written. Check the paths of the export format.",
          outcome.message,
        ),
      );
    case "job": {
      if (outcome.end === "unwatched") throw new CommandCancelled();
      throw new CommandError(
        "job_failed",
        failedExportMessage(outcome.job),
        definedFields({ reason: outcome.job.error?.code }),
      );
    }
  }
}

/** Returns the message for an export that failed. */
export function failedExportMessage({ error }: Job): string {
  return error === null
    ? l10n.t("The service did not finish the export. Try again.")
    : l10n.t("The service could not build the export: {0}", error.message);
}

/** Returns the error for files that are not as they were read. `reason`: continues "these files". */
export function notWrittenError(paths: readonly string[], reason: "unsaved" | "changed"): CommandError {
  return new CommandError(
    "file_changed",
    l10n.t(
      "Nothing was written because these files {0}: {1}. Save or close them, then try again.",
      reason === "unsaved" ? l10n.t("have unsaved changes") : l10n.t("were changed in the meantime"),
      paths.join(", "),
    ),
  );
}

/**
 * Writes the files of a plan, all or none.
 * @throws {CommandError} if one of them changed since the plan
 */
export async function writePlan(dependencies: PullDependencies, plan: PullPlan): Promise<void> {
  const written = await writePull(dependencies, plan);
  if (written.kind === "changed") throw notWrittenError(written.paths, "changed");
}

/** What a pull leaves as it is, or cannot apply. */
export interface NotPulled {
  /** As in the result of the command. */
  readonly items: readonly RefusedItem[];
  /** The same for people. */
  readonly lines: readonly string[];
  /** Whether texts changed on both sides. */
  readonly hasConflict: boolean;
}

export function notPulled(project: PulledProject, plan: PullPlan): NotPulled {
  const problems = problemsOf(plan);
  const left = leftTextsOf(plan);
  return {
    items: [
      ...problems.map((problem) => problemItem(project, problem)),
      ...left.map((each) => leftItem(project, each)),
    ],
    lines: [
      ...problems.map((problem) => problemMessage(project, problem)),
      ...left.map((each) => leftTextMessage(project, each)),
    ],
    hasConflict: left.some(({ reason }) => reason === "conflict"),
  };
}

/** Returns the fields of a pull's result that say what it did not do, and its outcome. `written`: the number of files. */
export function pullOutcome(written: number, { items, hasConflict }: NotPulled) {
  const outcome = written > 0 ? "done" : hasConflict ? "conflict" : "unchanged";
  return { outcome, ...(items.length > 0 ? { items } : {}) } as const;
}

/**
 * Returns the error for a pull of which nothing could be applied.
 * @param stepOf returns the action that lists why
 */
export function notAppliedError(
  project: PulledProject,
  plan: PullPlan,
  stepOf?: (message: string, lines: readonly string[]) => NextAction,
): CommandError {
  const problems = problemsOf(plan);
  const messages = problems.map((problem) => problemMessage(project, problem));
  const [first = "", ...others] = messages;
  const isUnreadable = problems.every((problem) => problem.kind === "unreadable" && problem.why === "theirs");
  const more = others.length > 0 ? [l10n.t("Could not be applied either: {0}.", others.length)] : [];
  const message = [l10n.t("Nothing was pulled."), first, ...more].join(" ");
  const { items, lines } = notPulled(project, plan);
  return new CommandError(
    isUnreadable ? "bad_response" : "invalid",
    message,
    { reason: "not_applied", items },
    stepOf?.(message, lines),
  );
}
