/** `pull`: applies an export of the service to the local files. */
import { parseArgs } from "node:util";
import {
  pulledMessage,
  leftItem,
  leftTextMessage,
  problemItem,
  problemMessage,
} from "../messages/sync/pull-messages.ts";
import { pullSections, pullTitle } from "../messages/sync/pull-rows.ts";
import { projectDisplayName } from "../messages/labels.ts";
import {
  exportLocationOptions,
  notAppliedError,
  noProfileError,
  notWrittenError,
  planOfExport,
} from "../operations/pull-requirements.ts";
import type { ServiceConnection } from "./service-connection.ts";
import type { PullRequest } from "../sync/pull/applied-exports.ts";
import { leftTextsOf, planPull, problemsOf, type PullDependencies } from "../sync/pull/pull-plan.ts";
import { changedFilesOf, writePull } from "../sync/pull/write-pull.ts";
import { l10n } from "../util/l10n.ts";
import { listOption, singleFolder } from "./arguments.ts";
import { planLines } from "./plan-lines.ts";
import { runSyncCommand, SYNC_OPTIONS, SYNC_USAGE, type SyncReport, type SyncRun } from "./sync-command.ts";

export const PULL_USAGE = `pull [FOLDER] [--profile KEY] [--locales LOCALE,…] ${SYNC_USAGE}`;

/** Returns the exit code. */
export async function pull(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...SYNC_OPTIONS,
      profile: { type: "string" },
      locales: { type: "string", multiple: true, default: [] },
    },
  });
  const locales = listOption(values.locales);
  return runSyncCommand(singleFolder(positionals), values, { signal, needsWrite: false }, (run) =>
    pullOnce(run, values.profile, locales),
  );
}

async function pullOnce(
  { open, service, isDryRun, progress, signal }: SyncRun,
  named: string | undefined,
  locales: readonly string[],
): Promise<SyncReport> {
  const { project, file } = open;
  const { local } = project;
  progress.report(l10n.t("Requesting the export"));
  const request: PullRequest = {
    profile: named ?? file.pull?.profile ?? (await onlyProfile(service, signal)),
    locales,
    missing: file.pull?.missing,
  };
  await local.reload(signal);
  const dependencies: PullDependencies = {
    client: service.client,
    project,
    files: open.files,
    jobs: service.jobs,
    local,
    locationOptions: exportLocationOptions(project, file, local),
  };
  // Files may have been changed, or checked out, since an export was applied.
  const plan = planOfExport(await planPull(dependencies, request, { signal, quiet: true, ignoreEtag: true }));
  if (plan === null) throw new Error("an unconditional request has an answer");
  const changed = changedFilesOf(plan);
  const left = leftTextsOf(plan);
  const problems = problemsOf(plan);
  const items = [...problems.map(problemItem), ...left.map((each) => leftItem(project, each))];
  const hasConflict = left.some(({ reason }) => reason === "conflict");
  const result = {
    outcome: changed.length > 0 ? "done" : hasConflict ? "conflict" : "unchanged",
    files: plan.files.map(({ path, change }) => ({ path, change })),
    ...(items.length > 0 ? { items } : {}),
  } as const;
  const notes = [...problems.map(problemMessage), ...left.map((each) => leftTextMessage(project, each))];
  if (isDryRun) {
    const sections = pullSections(project, plan).filter(({ rows }) => rows.length > 0);
    const title = pullTitle(project, projectDisplayName(project), changed);
    return {
      result,
      lines: planLines(title, sections, problems.map(problemMessage)),
      isOpen: changed.length + items.length > 0,
    };
  }
  signal.throwIfAborted();
  const written = await writePull(dependencies, plan);
  if (written.kind === "changed") throw notWrittenError(written.paths, "changed");
  if (changed.length === 0 && problems.length > 0) throw notAppliedError(project, plan);
  const files = changed.map(({ path, change }) => `${change === "created" ? "+" : "~"} ${path}`);
  return {
    result,
    lines: [
      pulledMessage(project, projectDisplayName(project), plan),
      ...files.map((each) => `  ${each}`),
      ...notes,
    ],
    isOpen: items.length > 0,
  };
}

/** @throws {CommandError} if there is not exactly one */
async function onlyProfile({ client }: ServiceConnection, signal: AbortSignal): Promise<string> {
  const { exportProfiles } = await client.project({ signal });
  const [only, ...others] = exportProfiles;
  if (only === undefined || others.length > 0) throw noProfileError();
  return only.key;
}
