/**
 * Pull: applies an export of the service to the local files, using the profile of the project file. Shows a preview,
 * writes all selected files or none, and can be undone.
 */
import type { OptionsOf } from "../../commands/define-command.ts";
import {
  pullCommand,
  pullRowCommand,
  showPulledCommand,
  undoPullCommand,
} from "../../commands/declarations/sync-commands.ts";
import {
  leftTextsOf,
  limitToFiles,
  planChoice,
  problemsOf,
  type PullDependencies,
  type PullPlan,
  type PullFile,
} from "../../sync/pull/pull-plan.ts";
import { renameHashes, pendingRenames } from "../../database/personal/pending-rename-repository.ts";
import type { App, CommandWork, SignedInProject } from "../../vscode/app.ts";
import type { Project } from "../../database/project-state.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatDisplayName } from "../../model/file-formats.ts";
import { projectDisplayName } from "../../messages/labels.ts";
import { showInformation, showWarning, offerActions, commandAction } from "../../vscode/notifications.ts";
import { parseFilesOption } from "../../vscode/commands/command-options.ts";
import {
  CommandError,
  requireAnswer,
  type CommandRun,
  type NextAction,
} from "../../commands/command-types.ts";
import { reportResult } from "../../vscode/commands/report-result.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import { l10n } from "../../util/l10n.ts";
import { previewPull, showWritten } from "./pull-preview.ts";
import { amountText, pulledMessage, problemMessage } from "../../messages/sync/pull-messages.ts";
import {
  exportLocationOptions,
  failedExportMessage,
  noProfileError,
  notAppliedError,
  notPulled,
  notWrittenError,
  planExport,
  planOfExport,
  pullOutcome,
  writePlan,
} from "../../operations/pull-requirements.ts";
import * as vscode from "vscode";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { toFailure } from "../../messages/error-messages.ts";
import { labelText, listDocument } from "../../messages/escape-text.ts";
import type { UnattendedEnd } from "../../sync/poll-jobs.ts";
import type { PullRequest } from "../../sync/pull/applied-exports.ts";
import { changedFilesOf, undoPull } from "../../sync/pull/write-pull.ts";

interface PullCall {
  readonly run: CommandRun;
  readonly options: PullOptions;
}

/** The last pulls of this window that wrote files, until they are undone. */
const lastPulls = new WeakMap<
  Project,
  { readonly dependencies: PullDependencies; readonly plan: PullPlan }
>();

/** The kind of rows of pull results in Activity. */
const PULL_RESULT_CONTEXT = "pulled";

/** Registers `projectTranslations.pull`, `.showPulled` and `.undoPull`. */
export function registerPull(app: App): void {
  app.command(pullCommand, pull);
  app.command(pullRowCommand, pull);
  app.command(showPulledCommand, showLast);
  app.command(undoPullCommand, undoLast);
  app.addDisposable(app.projects.onDidEndJob(({ open, end }) => continuePull(app, open, end)));
}

type PullOptions = OptionsOf<typeof pullCommand>;

const pull: CommandWork<typeof pullCommand> = async (app, options, run) => {
  const { quiet } = run;
  const { open } = run;
  run.report(l10n.t("Requesting the export"));
  const named = options.profile ?? open.file.pull?.profile;
  const { profile, isChosen } =
    named === undefined ? await chooseProfile(run, run) : { profile: named, isChosen: false };
  const request: PullRequest = {
    profile,
    locales: options.locales ?? localesOf(open, options),
    missing: options.missing ?? open.file.pull?.missing,
  };
  const dependencies = await dependenciesOf(run, options.only, run);
  run.report(l10n.t("Requesting the export"));
  const only = options.files === undefined ? undefined : parseFilesOption(open, options.files);
  const isPartial = only !== undefined || options.only !== undefined;
  const ignoreEtag = options.ignoreEtag === true || isPartial;
  // Cancelling stops waiting for the export job, which is still followed.
  const given = { signal: run.signal, quiet, ignoreEtag, isPartial, isChosen };
  let outcome = await planExport(dependencies, request, given);
  // Switching branches, for example, changes the local files although the service is unchanged.
  if (outcome.kind === "unchanged" && !quiet && (await hasLocalDifferences(open, run.signal)))
    outcome = await planExport(dependencies, request, { ...given, ignoreEtag: true });
  const whole = planOfExport(outcome);
  // The next pull does not ask again; a pull that was cancelled leaves the project file as it was.
  const remember = async (): Promise<void> => {
    if (isChosen) await rememberProfile(app, open, profile);
  };
  if (whole === null) {
    await remember();
    if (!quiet) showUnchanged(app, open, options);
    return { outcome: "unchanged", files: [] };
  }
  const wanted = only === undefined ? whole : limitToFiles(whole, only);
  let plan = wanted;
  if (!quiet && hasChoices(open, plan, options)) {
    run.pause();
    plan = await planChoice(dependencies, plan, await previewPull(app, run, plan));
  }
  const changed = await write(app, open, dependencies, plan, { run, options });
  await remember();
  const changes = new Map(changed.map(({ path, change }) => [path, change]));
  const results = wanted.files.map(({ path }) => ({
    path,
    change: changes.get(path) ?? ("unchanged" as const),
  }));
  return { ...pullOutcome(changed.length, notPulled(open, plan)), files: results };
};

/** Stores a profile in the project file. A failure is only reported: the pull itself is done. */
async function rememberProfile(app: App, open: OpenProject, profile: string): Promise<void> {
  try {
    await editProjectFile(open, ["pull", "profile"], profile);
  } catch (error) {
    const message = l10n.t("The export format was not saved: {0}", toFailure(error).message);
    app.log.warn(message);
    app.results.add(open, message, "failed");
    void showWarning(message);
  }
}

/** Whether there is something that a person may want to take; source texts that were not pushed only on request. */
function hasChoices(
  { sourceLocale }: OpenProject,
  plan: PullPlan,
  { ignoreEtag = false }: PullOptions,
): boolean {
  if (changedFilesOf(plan).length > 0) return true;
  return leftTextsOf(plan).some(
    ({ reason, locale }) =>
      ignoreEtag || reason === "conflict" || (reason === "file" && locale !== sourceLocale),
  );
}

/** Returns the locales to pull: that of the row or, for a source row, all. */
function localesOf({ sourceLocale }: OpenProject, { only, locale }: PullOptions): readonly string[] {
  return only === undefined || locale === undefined || locale === sourceLocale ? [] : [locale];
}

async function hasLocalDifferences(open: OpenProject, signal: AbortSignal): Promise<boolean> {
  // The count in the views may be stale after a pull or a branch switch.
  const { toPull, sourceAtService, conflicts } = await open.countPendingChanges(signal);
  return (toPull ?? 0) + sourceAtService + conflicts > 0;
}

/** Does not wait for the user. */
function showUnchanged(app: App, open: OpenProject, options: PullOptions): void {
  const message = l10n.t(
    "Already up to date: nothing changed on {0} since the last pull.",
    projectDisplayName(open),
  );
  offerActions(showInformation, message, compareAgain(app, open, options));
}

function compareAgain(app: App, { root }: OpenProject, options: PullOptions): NextAction {
  const again = { ...options, folder: root, ignoreEtag: true };
  return commandAction(app, l10n.t("Compare Again"), pullCommand, again);
}

/**
 * Writes the files of the plan, reports the result and returns the files that changed.
 *
 * @throws {CommandError} if nothing was written although there was something to write.
 */
async function write(
  app: App,
  open: OpenProject,
  dependencies: PullDependencies,
  plan: PullPlan,
  { run, options }: PullCall,
): Promise<readonly PullFile[]> {
  const problems = problemsOf(plan);
  const unsaved = problems.flatMap((problem) => (problem.kind === "unsaved" ? [problem.path] : []));
  if (unsaved.length > 0) throw notWrittenError(unsaved, "unsaved");
  run.signal.throwIfAborted();
  await writePlan(dependencies, plan);
  const changed = changedFilesOf(plan);
  for (const problem of problems) app.log.warn(`Pull: ${problemMessage(open, problem)}`);
  if (changed.length === 0 && problems.length > 0) throw nothingAppliedError(app, open, plan);
  if (changed.length > 0) lastPulls.set(dependencies.project, { dependencies, plan });
  for (const { change, path } of changed) app.log.info(`Pull: ${change} ${path}`);
  reportPulled(app, open, plan, { run, options });
  return changed;
}

/** Returns the error for a pull of which nothing could be applied, with an action that lists why. */
function nothingAppliedError(app: App, open: OpenProject, plan: PullPlan): CommandError {
  return notAppliedError(open, plan, (message, lines) => ({
    label: l10n.t("Show Details"),
    act: () => app.virtualDocuments.open("pull.md", listDocument(message, lines)),
  }));
}

function reportPulled(app: App, open: OpenProject, plan: PullPlan, { run, options }: PullCall): void {
  const problems = problemsOf(plan);
  const left = leftTextsOf(plan);
  const changed = changedFilesOf(plan);
  const message = pulledMessage(open, projectDisplayName(open), plan);
  const target = { folder: open.root };
  const actions =
    changed.length > 0
      ? [
          commandAction(app, l10n.t("Show Changes"), showPulledCommand, target),
          commandAction(app, l10n.t("Undo"), undoPullCommand, target),
        ]
      : left.length > 0
        ? [compareAgain(app, open, options)]
        : [];
  const { lines, hasConflict } = notPulled(open, plan);
  const problemsText = l10n.t("Could not be applied: {0}.", problems.length);
  reportResult(app, open, run, message, {
    isPartial: problems.length > 0 || hasConflict,
    notification: problems.length === 0 ? message : `${message} ${problemsText}`,
    details: { name: "pull.md", lines },
    actions,
    rowKind: changed.length > 0 ? PULL_RESULT_CONTEXT : undefined,
  });
}

async function dependenciesOf(
  { open, connection, client }: SignedInProject,
  only: readonly string[] | undefined,
  run: CommandRun,
): Promise<PullDependencies> {
  const { file } = open;
  if (connection.stats === null)
    await (await connection.refresher).refresh({ priority: "person", signal: run.signal });
  const local = await open.local.reload(run.signal);
  return {
    client,
    project: connection,
    files: open.files,
    jobs: connection.jobPoller,
    local: open.local,
    renamed: renameHashes(pendingRenames(connection, local), "from"),
    ...definedFields({ only: only && new Set(only) }),
    locationOptions: exportLocationOptions(open, file, local),
  };
}

/** The key of an export profile. */
interface ChosenProfile {
  readonly profile: string;
  /** Whether the user chose it. */
  readonly isChosen: boolean;
}

/**
 * Returns the only profile of the project record, or else the one that the user chooses there or, since the record's fields
 * are not shown (§ Project), types.
 *
 * @throws {CommandError} `invalid` with the reason `profile` without prompts if there is not exactly one profile; `cancelled`
 */
async function chooseProfile({ client }: SignedInProject, run: CommandRun): Promise<ChosenProfile> {
  const { exportProfiles } = await client.project({ signal: run.signal });
  const [only] = exportProfiles;
  if (only !== undefined && exportProfiles.length === 1) return { profile: only.key, isChosen: false };
  if (run.quiet) throw noProfileError();
  run.pause();
  if (exportProfiles.length === 0) return { profile: await promptForProfile(), isChosen: true };
  const profiles = exportProfiles.map(({ key, name, format, locales }) => ({
    label: `$(cloud-download) ${labelText(name)}`,
    description: [key === name ? "" : labelText(key), labelText(formatDisplayName(format ?? ""))]
      .filter((part) => part !== "")
      .join(" · "),
    detail: labelText(locales?.join(", ") ?? ""),
    value: key,
  }));
  const picked = await pickOne<string | null>(
    l10n.t("Pull: export format"),
    l10n.t("It is saved in project-translations.json after the pull."),
    [...profiles, { label: `$(edit) ${l10n.t("Type Another Key…")}`, alwaysShow: true, value: null }],
  );
  return { profile: picked ?? (await promptForProfile()), isChosen: true };
}

async function promptForProfile(): Promise<string> {
  const key = await vscode.window.showInputBox({
    title: l10n.t("Pull: export format"),
    prompt: l10n.t(
      "The key of an export format of the project. It is saved in project-translations.json after the pull.",
    ),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === "" ? l10n.t("Type the key of the export format.") : undefined,
  });
  return requireAnswer(key).trim();
}

/** Continues the pull that was waiting when the window closed; offers it if the user had cancelled waiting. */
function continuePull(app: App, open: OpenProject, { kind, job, purpose }: UnattendedEnd): void {
  if (purpose.kind !== "export") return;
  const { subject, quiet = false, request } = purpose;
  const [profile = ""] = subject;
  if (kind === "ended" && job.status === "succeeded") {
    const pull = async (): Promise<void> => {
      const { locales, missing, isChosen = false } = request ?? {};
      const options = definedFields({ profile, locales, missing });
      const { outcome } = await app.run(pullCommand, { ...options, folder: open.root, confirm: !quiet });
      if (isChosen && outcome !== "failed" && outcome !== "cancelled")
        await rememberProfile(app, open, profile);
    };
    if (request !== undefined) void pull();
    else if (!quiet) {
      const message = l10n.t("The export {0} is ready.", labelText(profile));
      offerActions(showInformation, message, { label: l10n.t("Pull"), act: pull });
    }
    return;
  }
  const message =
    kind === "vanished"
      ? l10n.t("The service no longer knows this export. Pull again.")
      : failedExportMessage(job);
  app.log.warn(message);
  app.results.add(open, message, "failed");
  if (!quiet) void showWarning(message);
}

const showLast: CommandWork<typeof showPulledCommand> = async (app, _options, run) => {
  const { open } = run;
  await showWritten(app, open, changedFilesOf(requireLast(open).plan));
  return { outcome: "done" };
};

const undoLast: CommandWork<typeof undoPullCommand> = async (app, _options, run) => {
  const { open } = run;
  const { dependencies, plan } = requireLast(open);
  const remove = async (path: string): Promise<void> =>
    vscode.workspace.fs.delete(vscode.Uri.joinPath(open.root, path), { useTrash: false });
  const outcome = await undoPull(dependencies, plan, remove);
  if (outcome.kind === "changed") {
    throw new CommandError(
      "file_changed",
      l10n.t(
        "The pull was not undone because these files have changed since: {0}.",
        outcome.paths.join(", "),
      ),
    );
  }
  lastPulls.delete(open.connection);
  const message = l10n.t(
    "The pull from {0} was undone: {1}.",
    projectDisplayName(open),
    amountText(open, changedFilesOf(plan)),
  );
  app.results.end(open, PULL_RESULT_CONTEXT);
  reportResult(app, open, run, message);
  return { outcome: "done" };
};

function requireLast(open: OpenProject) {
  const last = lastPulls.get(open.connection);
  if (last !== undefined) return last;
  throw new CommandError(
    "invalid",
    l10n.t("No pull in this window can be undone. Use your version control instead."),
    { reason: "no_pull" },
  );
}
