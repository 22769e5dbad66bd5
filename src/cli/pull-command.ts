/** `pull`: applies an export of the service to the local files. */
import { pullCommand } from "../commands/declarations/sync-commands.ts";
import type { OptionsOf } from "../commands/define-command.ts";
import { pulledMessage, problemMessage } from "../messages/sync/pull-messages.ts";
import { pullSections, pullTitle } from "../messages/sync/pull-rows.ts";
import { projectDisplayName } from "../messages/labels.ts";
import {
  exportLocationOptions,
  notAppliedError,
  notPulled,
  noProfileError,
  planExport,
  planOfExport,
  pullOutcome,
  writePlan,
} from "../operations/pull-requirements.ts";
import type { ServiceConnection } from "../projects/sign-in.ts";
import type { PullRequest } from "../sync/pull/applied-exports.ts";
import { problemsOf, type PullDependencies } from "../sync/pull/pull-plan.ts";
import { changedFilesOf } from "../sync/pull/write-pull.ts";
import { l10n } from "../util/l10n.ts";
import { singleFolder } from "./arguments.ts";
import { programCommand } from "./command.ts";
import { planLines } from "./plan-lines.ts";
import { runSyncCommand, SYNC_OPTIONS, SYNC_USAGE, type SyncReport, type SyncRun } from "./sync-command.ts";

export const pull = programCommand({
  operands: `[FOLDER] ${SYNC_USAGE}`,
  options: SYNC_OPTIONS,
  from: { declaration: pullCommand, names: ["profile", "locales", "missing"] },
  run: ({ operands, values, declared }, signal) =>
    runSyncCommand(singleFolder(operands), values, { signal, needsWrite: false }, (run) =>
      pullOnce(run, declared),
    ),
});

async function pullOnce(
  { open, service, isDryRun, progress, signal }: SyncRun,
  options: Pick<OptionsOf<typeof pullCommand>, "profile" | "locales" | "missing">,
): Promise<SyncReport> {
  const { project, file } = open;
  const { local } = project;
  progress.report(l10n.t("Requesting the export"));
  const request: PullRequest = {
    profile: options.profile ?? file.pull?.profile ?? (await onlyProfile(service, signal)),
    locales: options.locales ?? [],
    missing: options.missing ?? file.pull?.missing,
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
  const plan = planOfExport(
    await planExport(dependencies, request, { signal, quiet: true, ignoreEtag: true }),
  );
  if (plan === null) throw new Error("an unconditional request has an answer");
  const changed = changedFilesOf(plan);
  const problems = problemsOf(plan);
  const notDone = notPulled(project, plan);
  const files = plan.files.map(({ path, change }) => ({ path, change }));
  const result = { ...pullOutcome(changed.length, notDone), files };
  if (isDryRun) {
    const sections = pullSections(project, plan).filter(({ rows }) => rows.length > 0);
    const name = projectDisplayName(project);
    const title = changed.length > 0 ? pullTitle(project, name, changed) : pulledMessage(project, name, plan);
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
  await writePlan(dependencies, plan);
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
