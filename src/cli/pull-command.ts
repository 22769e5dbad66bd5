/** `pull`: applies an export of the service to the local files. */
import { parseArgs } from "node:util";
import { pulledMessage, problemMessage } from "../messages/sync/pull-messages.ts";
import { pullSections, pullTitle } from "../messages/sync/pull-rows.ts";
import { projectDisplayName } from "../messages/labels.ts";
import {
  exportLocationOptions,
  notAppliedError,
  notPulled,
  noProfileError,
  notWrittenError,
  planOfExport,
  pullOutcome,
} from "../operations/pull-requirements.ts";
import type { ServiceConnection } from "./service-connection.ts";
import type { PullRequest } from "../sync/pull/applied-exports.ts";
import { planPull, problemsOf, type PullDependencies } from "../sync/pull/pull-plan.ts";
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
  const problems = problemsOf(plan);
  const notDone = notPulled(project, plan);
  const files = plan.files.map(({ path, change }) => ({ path, change }));
  const result = { ...pullOutcome(changed.length, notDone), files };
  if (isDryRun) {
    const sections = pullSections(project, plan).filter(({ rows }) => rows.length > 0);
    const title = pullTitle(project, projectDisplayName(project), changed);
    return {
      result,
      lines: planLines(
        title,
        sections,
        problems.map((problem) => problemMessage(project, problem)),
      ),
      isOpen: changed.length + notDone.items.length > 0,
    };
  }
  signal.throwIfAborted();
  const written = await writePull(dependencies, plan);
  if (written.kind === "changed") throw notWrittenError(written.paths, "changed");
  if (changed.length === 0 && problems.length > 0) throw notAppliedError(project, plan);
  return {
    result,
    lines: [
      pulledMessage(project, projectDisplayName(project), plan),
      ...changed.map(({ path, change }) => `  ${change === "created" ? "+" : "~"} ${path}`),
      ...notDone.lines,
    ],
    isOpen: notDone.items.length > 0,
  };
}

/** @throws {CommandError} if there is not exactly one */
async function onlyProfile({ client }: ServiceConnection, signal: AbortSignal): Promise<string> {
  const { exportProfiles } = await client.project({ signal });
  const [only, ...others] = exportProfiles;
  if (only === undefined || others.length > 0) throw noProfileError();
  return only.key;
}
