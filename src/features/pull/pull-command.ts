/**
 * Pull: applies an export of the service to the local files, using the profile of the project file. Shows a preview,
 * writes all selected files or none, and can be undone.
 */
import { commands } from "vscode";
import { createLocaleMap } from "../../model/locales.ts";
import {
  onlyFiles,
  planPull,
  writePull,
  type PullDependencies,
  type PullOutcome,
  type PullPlan,
  type PullRequest,
} from "../../sync/pull/pull-plan.ts";
import { renameHashes, pendingRenames } from "../../database/pending-rename-repository.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import {
  chooseSignedIn,
  projectDisplayName,
  type SignedInProject,
} from "../../vscode/commands/command-requirements.ts";
import { showInformation, showWarning, offerActions } from "../../vscode/notifications.ts";
import { parseFilesOption } from "../../vscode/commands/command-options.ts";
import {
  CommandError,
  type CommandResult,
  type CommonOptions,
  type CommandRun,
} from "../../vscode/commands/command-types.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import { l10n } from "../../vscode/l10n.ts";
import { amountText, showChanges } from "./pull-preview.ts";
import { problemDocument, problemMessage } from "./pull-problem-messages.ts";
import { exportEnded, failedExportMessage } from "./finished-exports.ts";
import { chooseProfile } from "./export-profile.ts";
import { type LastPulls, PULL_RESULT_CONTEXT, registerUndoPull } from "./undo-pull-command.ts";

/** Options of `projectTranslations.pull`. */
export interface PullOptions extends CommonOptions {
  /** The key of a profile; default: that of the project file. */
  readonly profile?: string;
  /** Locales of the service; default: those of the profile. */
  readonly locales?: readonly string[];
  readonly missing?: "fallback" | "empty" | "omit";
  /** Paths or Uris of translation files: only these are written. */
  readonly files?: unknown;
  /** Hashes of keys: only these are pulled, into files that are here. */
  readonly only?: readonly string[];
  /** The language of the tree row that the command was run from. */
  readonly locale?: string;
}

export interface PullFields {
  readonly files: readonly { readonly path: string; readonly change: "created" | "updated" | "unchanged" }[];
}

/** Options of a pull started from a notification. */
interface OwnPullOptions extends PullOptions {
  /** Compares the files even if nothing changed at the service. */
  readonly anew?: boolean;
}

/** Registers `projectTranslations.pull`. */
export function registerPull(app: App): void {
  const pulled: LastPulls = new WeakMap();
  app.command("projectTranslations.pull", l10n.t("Pull"), (_app, options: OwnPullOptions, run) =>
    pull(app, pulled, options, run),
  );
  registerUndoPull(app, pulled);
  app.addDisposable(app.projects.onDidEndJob(({ open, end }) => exportEnded(app, open, end)));
}

async function pull(
  app: App,
  pulled: LastPulls,
  options: OwnPullOptions,
  run: CommandRun,
): Promise<CommandResult<PullFields>> {
  const { quiet } = run;
  const chosen = await chooseSignedIn(app, options, "read");
  const { open } = chosen;
  run.report(l10n.t("Requesting the export"));
  const named = options.profile ?? open.file.pull?.profile;
  const profile = named ?? (await chooseProfile(chosen, run));
  if (profile === undefined) return { outcome: "cancelled" };
  const request: PullRequest = {
    profile,
    locales: options.locales ?? localesOf(open, options),
    missing: options.missing ?? open.file.pull?.missing,
  };
  const all = await needsOf(chosen, request, run);
  const dependencies = options.only === undefined ? all : { ...all, only: new Set(options.only) };
  run.report(l10n.t("Requesting the export"));
  // Cancelling stops waiting for the export job, which is still followed.
  const only = options.files === undefined ? undefined : parseFilesOption(open, options.files);
  const isPartial = only !== undefined || options.only !== undefined;
  const anew = options.anew === true || isPartial;
  let outcome = await planPull(dependencies, request, { signal: run.signal, quiet, anew, isPartial });
  if (outcome.kind === "unchanged" && !quiet && (await hasLocalDifferences(open)))
    outcome = await planPull(dependencies, request, { signal: run.signal, anew: true });
  // Stores the picked profile now that the service has accepted it.
  if (named === undefined && !quiet) await editProjectFile(open, ["pull", "profile"], profile);
  const whole = planOf(outcome);
  const plan = whole !== null && only !== undefined ? restrictToFiles(whole, only) : whole;
  if (plan === null) {
    if (!quiet) showUnchanged(open, options);
    return { outcome: "unchanged", files: [] };
  }
  return finish(app, pulled, open, dependencies, plan, run);
}

/** Returns the locales to pull: that of the row or, for a source row, all. */
function localesOf({ project }: OpenProject, { only, locale }: PullOptions): readonly string[] {
  return only === undefined || locale === undefined || locale === project.sourceLocale ? [] : [locale];
}

/** Restricts the plan to these files; the next full pull applies the rest. */
function restrictToFiles(plan: PullPlan, paths: ReadonlySet<string>): PullPlan {
  const files = plan.files.filter(({ path }) => paths.has(path));
  return { ...plan, files, problems: plan.problems.filter(({ path }) => paths.has(path)), etag: null };
}

/** Whether the local files differ although the service is unchanged (after switching branches, for example). */
async function hasLocalDifferences(open: OpenProject): Promise<boolean> {
  const { project } = open;
  if (!project.keysComplete) return false;
  // The count in the views may be stale after a pull or a branch switch.
  const { toPull } = await open.countPendingChanges();
  return toPull !== null && toPull > 0;
}

/** Does not wait for the user. */
function showUnchanged(open: OpenProject, options: OwnPullOptions): void {
  const message = l10n.t(
    "Already up to date: nothing changed on {0} since the last pull.",
    projectDisplayName(open),
  );
  const again = { ...options, folder: open.root, anew: true };
  const act = () => commands.executeCommand("projectTranslations.pull", again);
  offerActions(showInformation, message, { label: l10n.t("Compare Again"), act });
}

async function finish(
  app: App,
  pulled: LastPulls,
  open: OpenProject,
  dependencies: PullDependencies,
  planned: PullPlan,
  run: CommandRun,
): Promise<CommandResult<PullFields>> {
  const { quiet } = run;
  let plan = planned;
  if (!quiet && planned.files.some((file) => file.change !== "unchanged")) {
    run.pause();
    const chosen = await showChanges(app, open, planned);
    if (chosen === undefined) return { outcome: "cancelled" };
    const paths = new Set(Array.from(chosen, ({ path }) => path));
    plan = onlyFiles(planned, (path) => paths.has(path));
  }
  const unsaved = plan.problems.flatMap((problem) => (problem.kind === "unsaved" ? [problem.path] : []));
  if (unsaved.length > 0) throw notAsRead(unsaved, l10n.t("have unsaved changes"));
  run.signal.throwIfAborted();
  const changed = plan.files.filter((file) => file.change !== "unchanged");
  const written = await writePull(dependencies, plan);
  if (written.kind === "changed") throw notAsRead(written.paths, l10n.t("were changed in the meantime"));
  if (changed.length > 0) {
    open.local.invalidate(changed.map((file) => file.path));
    open.project.localChanged();
    pulled.set(open, { dependencies, plan });
  }
  for (const problem of plan.problems) app.log.warn(`Pull: ${problemMessage(problem)}`);
  const message =
    changed.length === 0
      ? l10n.t("Already up to date: all files match {0}.", projectDisplayName(open))
      : l10n.t("Pulled from {0}: {1}.", projectDisplayName(open), amountText(open, changed));
  app.log.info(`${message} ${changed.map((file) => `${file.change} ${file.path}`).join(", ")}`);
  app.results.add(
    open,
    message,
    plan.problems.length === 0 ? "done" : "partly",
    changed.length > 0 ? PULL_RESULT_CONTEXT : undefined,
  );
  if (!quiet) showResult(app, open, message, plan);
  const files = planned.files.map(({ path, change }) => {
    return { path, change: changed.some((file) => file.path === path) ? change : ("unchanged" as const) };
  });
  return { outcome: changed.length === 0 ? "unchanged" : "done", files };
}

/** Does not wait for the user. */
function showResult(app: App, open: OpenProject, message: string, plan: PullPlan): void {
  const { problems, files } = plan;
  const own = { folder: open.root };
  const show = () => commands.executeCommand("projectTranslations.showPulled", own);
  const undo = () => commands.executeCommand("projectTranslations.undoPull", own);
  const isWritten = files.some(({ change }) => change !== "unchanged");
  const actions = isWritten
    ? [
        { label: l10n.t("Show Changes"), act: show },
        { label: l10n.t("Undo"), act: undo },
      ]
    : [];
  if (problems.length === 0) {
    offerActions(showInformation, message, ...actions);
    return;
  }
  const text = `${message} ${l10n.t("{0} could not be applied.", problems.length)}`;
  const details = () => app.virtualDocuments.open("pull.md", problemDocument(message, problems));
  offerActions(showWarning, text, { label: l10n.t("Show Details"), act: details }, ...actions);
}

/**
 * Returns the plan; `null` if nothing changed at the service.
 *
 * @throws {CommandError} if there is no export.
 */
function planOf(outcome: PullOutcome): PullPlan | null {
  switch (outcome.kind) {
    case "unchanged":
      return null;
    case "planned":
      return outcome.plan;
    case "unsafe":
      throw new CommandError(
        "unsafe_file",
        l10n.t(
          "The export is not safe to unpack ({0}), so nothing was written. Check the profile’s paths.",
          outcome.message,
        ),
      );
    case "job": {
      if (outcome.end === "unwatched")
        throw new CommandError("cancelled", l10n.t("The export is no longer being followed."));
      const { error } = outcome.job;
      throw new CommandError(
        "job_failed",
        failedExportMessage(outcome.job),
        error === null ? {} : { reason: error.code },
      );
    }
  }
}

function notAsRead(paths: readonly string[], what: string): CommandError {
  return new CommandError(
    "file_changed",
    l10n.t(
      "Nothing was written because these files {0}: {1}. Save or close them, then try again.",
      what,
      paths.join(", "),
    ),
  );
}

async function needsOf(
  { open, client }: SignedInProject,
  request: PullRequest,
  run: CommandRun,
): Promise<PullDependencies> {
  const { project, file } = open;
  if (project.stats === null)
    await (await open.refresher).refresh({ priority: "person", signal: run.signal });
  const local = await open.local.reload(run.signal);
  const locales = project.stats?.languages.map((language) => language.locale) ?? [];
  const inFiles = local.files.flatMap(({ location }) => location.placeholders.locale ?? []);
  const entries = file.files ?? [];
  return {
    client,
    project,
    files: open.files,
    jobs: open.jobs,
    local: open.local,
    renamed: renameHashes(pendingRenames(project, local), "from"),
    place: {
      file,
      entries,
      locales: new Set(locales),
      localeMap: createLocaleMap(file.locales ?? {}, locales, [...new Set(inFiles)]),
      requestedLocales: request.locales,
    },
  };
}
