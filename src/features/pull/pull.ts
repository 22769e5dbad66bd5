/**
 * Pull: brings an export of the service into the local files, by the profile that the project file names. Shows what
 * would change, writes all that a person ticks or nothing, tells what was written, and takes it back on demand.
 */
import { commands } from "vscode";
import { localeMap } from "../../model/locales.ts";
import {
  onlyFiles,
  planPull,
  writePull,
  type PullDependencies,
  type PullOutcome,
  type PullPlan,
} from "../../sync/pull.ts";
import type { PullRequest } from "../../sync/pull-state.ts";
import { hashesOf, pendingRenames } from "../../database/pending-renames.ts";
import type { App, Run } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { chooseSignedIn, nameOf, type Chosen } from "../../vscode/command-requirements.ts";
import { showInformation, showWarning } from "../../vscode/notifications.ts";
import { pathsOf } from "../../vscode/uri-option.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../vscode/command-result.ts";
import { editProjectFile } from "../../vscode/projects/project-file-edit.ts";
import { l10n } from "../../vscode/l10n.ts";
import { amountText, showChanges } from "./changes.ts";
import { problemDocument, problemMessage } from "./problems.ts";
import { exportEnded, failedExportMessage } from "./export-ended.ts";
import { chooseProfile } from "./profile.ts";
import { type LastPulls, PULLED, registerUndoPull } from "./undo.ts";

/** Options of `projectTranslations.pull`. */
export interface PullOptions extends CommonOptions {
  /** A profile's key; default: the project file's. */
  readonly profile?: string;
  /** The service's locales; default: the profile's own choice. */
  readonly locales?: readonly string[];
  readonly missing?: "fallback" | "empty" | "omit";
  /** Paths or Uris of translation files: only these are written. */
  readonly files?: unknown;
  /** Hashes of keys: only these are pulled, into files that are here. */
  readonly only?: readonly string[];
  /** The language of the row that the command was chosen at. */
  readonly locale?: string;
}

export interface PullFields {
  readonly files: readonly { readonly path: string; readonly change: "created" | "updated" | "unchanged" }[];
}

/** Options of a pull that a person began from one of our messages. */
interface OwnPullOptions extends PullOptions {
  /** Compares the files although nothing changed on the service. */
  readonly anew?: boolean;
}

/** Registers `projectTranslations.pull`. */
export function registerPull(app: App): void {
  const pulled: LastPulls = new WeakMap();
  app.command("projectTranslations.pull", l10n.t("Pull"), (options: OwnPullOptions, run) =>
    pull(app, pulled, options, run),
  );
  registerUndoPull(app, pulled);
  app.own(app.projects.onDidEndJob(({ open, end }) => exportEnded(app, open, end)));
}

async function pull(
  app: App,
  pulled: LastPulls,
  options: OwnPullOptions,
  run: Run,
): Promise<CommandResult<PullFields>> {
  const quiet = options.confirm === false;
  const chosen = await chooseSignedIn(app, options, "read");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  run.report(l10n.t("Requesting the export"));
  const named = options.profile ?? open.file.pull?.profile;
  const profile = named ?? (await chooseProfile(chosen, { quiet, run }));
  if (profile === undefined) return { outcome: "cancelled" };
  const request: PullRequest = {
    profile,
    locales: options.locales ?? localesOf(open, options),
    missing: options.missing ?? open.file.pull?.missing,
  };
  const all = await needsOf(chosen, request, run);
  const dependencies = options.only === undefined ? all : { ...all, only: new Set(options.only) };
  run.report(l10n.t("Requesting the export"));
  // Whoever cancels waits no longer for a job that builds the export; it is still followed.
  const only = options.files === undefined ? undefined : pathsOf(open, options.files);
  const anew = options.anew === true || only !== undefined || options.only !== undefined;
  let outcome = await planPull(dependencies, request, { signal: run.signal, quiet, anew });
  if (outcome.kind === "unchanged" && !quiet && (await isDifferent(open)))
    outcome = await planPull(dependencies, request, { signal: run.signal, anew: true });
  // The pick is the agreement, and that the service knows the profile is certain now.
  if (named === undefined && !quiet) await editProjectFile(open, ["pull", "profile"], profile);
  const whole = planOf(outcome);
  const plan = whole !== null && only !== undefined ? onlyThese(whole, only) : whole;
  if (plan === null) {
    if (!quiet) showUnchanged(open, options);
    return { outcome: "unchanged", files: [] };
  }
  return finish(app, pulled, { open, dependencies, plan, quiet, run });
}

/** A key is pulled in the language of its row; at the source's, in every language. */
function localesOf({ project }: OpenProject, { only, locale }: PullOptions): readonly string[] {
  return only === undefined || locale === undefined || locale === project.sourceLocale ? [] : [locale];
}

/** The plan for these files alone; whoever pulls everything the next time gets the rest. */
function onlyThese(plan: PullPlan, paths: ReadonlySet<string>): PullPlan {
  const files = plan.files.filter(({ path }) => paths.has(path));
  return { ...plan, files, problems: plan.problems.filter(({ path }) => paths.has(path)), etag: null };
}

/** Nothing changed on the service, but the files here are no longer as they were pulled (another branch, say). */
async function isDifferent(open: OpenProject): Promise<boolean> {
  const { project } = open;
  if (!project.keysComplete) return false;
  // The count that the views show lags behind a pull or a switch of branches.
  const { toPull } = await open.countPendingChanges();
  return toPull !== null && toPull > 0;
}

/** Waits for no answer. */
function showUnchanged(open: OpenProject, options: OwnPullOptions): void {
  const again = l10n.t("Compare Again");
  const message = l10n.t("Already up to date: nothing changed on {0} since the last pull.", nameOf(open));
  void showInformation(message, again).then((answer) => {
    if (answer !== again) return undefined;
    return commands.executeCommand("projectTranslations.pull", { ...options, folder: open.root, anew: true });
  });
}

async function finish(
  app: App,
  pulled: LastPulls,
  {
    open,
    dependencies,
    plan: planned,
    quiet,
    run,
  }: {
    readonly open: OpenProject;
    readonly dependencies: PullDependencies;
    readonly plan: PullPlan;
    readonly quiet: boolean;
    readonly run: Run;
  },
): Promise<CommandResult<PullFields>> {
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
      ? l10n.t("Already up to date: all files match {0}.", nameOf(open))
      : l10n.t("Pulled from {0}: {1}.", nameOf(open), amountText(open, changed));
  app.log.info(`${message} ${changed.map((file) => `${file.change} ${file.path}`).join(", ")}`);
  app.results.add(
    open,
    message,
    plan.problems.length === 0 ? "done" : "partly",
    changed.length > 0 ? PULLED : undefined,
  );
  if (!quiet) showResult(app, open, message, plan);
  const files = planned.files.map(({ path, change }) => {
    return { path, change: changed.some((file) => file.path === path) ? change : ("unchanged" as const) };
  });
  return { outcome: changed.length === 0 ? "unchanged" : "done", files };
}

/** Waits for no answer. */
function showResult(app: App, open: OpenProject, message: string, plan: PullPlan): void {
  const changes = l10n.t("Show Changes");
  const undo = l10n.t("Undo");
  const details = l10n.t("Show Details");
  const isWritten = plan.files.some(({ change }) => change !== "unchanged");
  const actions = isWritten ? [changes, undo] : [];
  const shown =
    plan.problems.length === 0
      ? showInformation(message, ...actions)
      : showWarning(
          `${message} ${l10n.t("{0} could not be applied.", plan.problems.length)}`,
          details,
          ...actions,
        );
  void shown.then((answer) => {
    const own = { folder: open.root };
    switch (answer) {
      case changes:
        return commands.executeCommand("projectTranslations.showPulled", own);
      case undo:
        return commands.executeCommand("projectTranslations.undoPull", own);
      case details:
        return app.texts.open("pull.md", problemDocument(message, plan.problems));
      default:
        return undefined;
    }
  });
}

/** The plan; `null`: nothing changed on the service. Throws CommandError for what gave no export. */
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

async function needsOf({ open, client }: Chosen, request: PullRequest, run: Run): Promise<PullDependencies> {
  const { project, file } = open;
  if (project.stats === null)
    await (await open.refresher).refresh({ priority: "person", signal: run.signal });
  const local = await open.local.reload(run.signal);
  const locales = project.stats?.languages.map((language) => language.locale) ?? [];
  const inFiles = local.files.flatMap(({ place }) => place.placed.locale ?? []);
  const entries = file.files ?? [];
  return {
    client,
    project,
    files: open.files,
    jobs: open.jobs,
    local: open.local,
    renamed: hashesOf(pendingRenames(project, local), "from"),
    place: {
      file,
      entries,
      locales: new Set(locales),
      localeMap: localeMap(file.locales ?? {}, locales, [...new Set(inFiles)]),
      asked: request.locales,
    },
  };
}
