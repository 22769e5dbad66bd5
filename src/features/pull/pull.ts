/**
 * Pull: brings an export of the service into the local files, by the profile that the project file names. Shows what
 * would change when that is more than a few files, and writes all of it or nothing.
 */
import { localeMap } from "../../model/locales.ts";
import {
  planPull,
  writePull,
  type PullDependencies,
  type PullOutcome,
  type PullPlan,
} from "../../sync/pull.ts";
import type { PullRequest } from "../../sync/pull-state.ts";
import { countToPull } from "../../sync/pending-changes.ts";
import type { App, Run } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { ask } from "../../vscode/ui/quick-pick.ts";
import { sha1, yieldNow } from "../../vscode/clock.ts";
import { chooseSignedIn, nameOf, type Chosen } from "../../vscode/command-requirements.ts";
import { showInformation, showWarning } from "../../vscode/notifications.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../vscode/outcome.ts";
import { editProjectFile } from "../../vscode/projects/project-file-edit.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { l10n } from "../../vscode/l10n.ts";
import { isSource, showChanges } from "./changes.ts";
import { problemDocument, problemWords } from "./problems.ts";
import { exportEnded, failedExportWords } from "./export-ended.ts";
import { chooseProfile } from "./profile.ts";

/** Options of `projectTranslations.pull`. */
export interface PullOptions extends CommonOptions {
  /** A profile's key; default: the project file's. */
  readonly profile?: string;
  /** The service's locales; default: the profile's own choice. */
  readonly locales?: readonly string[];
  readonly missing?: "fallback" | "empty" | "omit";
}

export interface PullFields {
  readonly files: readonly { readonly path: string; readonly change: "created" | "updated" | "unchanged" }[];
}

/** As many changed files are written without being shown first. */
const FEW = 3;

/** Registers `projectTranslations.pull`. */
export function registerPull(app: App): void {
  app.command("projectTranslations.pull", l10n.t("Pull"), (options: PullOptions, run) =>
    pull(app, options, run),
  );
  app.own(app.projects.onDidEndJob(({ open, end }) => exportEnded(app, open, end)));
}

async function pull(app: App, options: PullOptions, run: Run): Promise<CommandResult<PullFields>> {
  const quiet = options.confirm === false;
  const chosen = await chooseSignedIn(app, options, "read");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  run.report(l10n.t("Asking for the export"));
  const named = options.profile ?? open.file.pull?.profile;
  const profile = named ?? (await chooseProfile(chosen, { quiet, run }));
  if (profile === undefined) return { outcome: "cancelled" };
  const request: PullRequest = {
    profile,
    locales: options.locales ?? [],
    missing: options.missing ?? open.file.pull?.missing,
  };
  const needs = await needsOf(chosen, request, run);
  run.report(l10n.t("Asking for the export"));
  // Whoever cancels waits no longer for a job that builds the export; it is still followed.
  let outcome = await planPull(needs, request, { signal: run.signal, quiet });
  if (outcome.kind === "unchanged" && !quiet && (await wantsAnew(open, run)))
    outcome = await planPull(needs, request, { signal: run.signal, anew: true });
  // The pick is the agreement, and that the service knows the profile is certain now.
  if (named === undefined && !quiet) await editProjectFile(open, ["pull", "profile"], profile);
  const plan = planOf(outcome);
  if (plan === null) {
    if (!quiet) void showInformation(l10n.t("Already up to date: nothing changed on {0}.", nameOf(open)));
    return { outcome: "unchanged", files: [] };
  }
  return finish(app, open, needs, plan, { quiet, run });
}

/** Nothing changed on the service, but the files here are no longer as they were pulled (another branch, say). */
async function wantsAnew(open: OpenProject, run: Run): Promise<boolean> {
  const { project } = open;
  if (!project.keysComplete) return false;
  // The count that the views show lags behind a pull or a switch of branches.
  const count = await countToPull(project, await open.local.load(), yieldNow);
  if (count === null || count === 0) return false;
  run.pause();
  const answer = await ask(
    l10n.t("Nothing changed on {0} since the last pull", nameOf(open)),
    l10n.t("{0} translations here are missing or say something else than there.", count),
    [
      { label: `$(check) ${l10n.t("Leave the Files as They Are")}`, value: false },
      { label: `$(cloud-download) ${l10n.t("Take Over What the Service Has")}`, value: true },
    ],
  );
  return answer === true;
}

async function finish(
  app: App,
  open: OpenProject,
  needs: PullDependencies,
  plan: PullPlan,
  { quiet, run }: { readonly quiet: boolean; readonly run: Run },
): Promise<CommandResult<PullFields>> {
  const files = plan.files.map(({ path, change }) => ({ path, change }));
  const changed = plan.files.filter((file) => file.change !== "unchanged");
  const unsaved = plan.problems.flatMap((problem) => (problem.kind === "unsaved" ? [problem.path] : []));
  if (unsaved.length > 0) throw notAsRead(unsaved, l10n.t("have unsaved changes"));
  // A source text that differs may be one that was not pushed yet, so nobody's is replaced unseen.
  const replacesSource = changed.some((file) => file.change === "updated" && isSource(open, file.path));
  const replacesUnread = changed.some((file) => file.unread === true);
  if ((changed.length > FEW || replacesSource || replacesUnread) && !quiet) {
    run.pause();
    if (!(await showChanges(app, open, plan))) return { outcome: "cancelled" };
  }
  run.signal.throwIfAborted();
  const written = await writePull(needs, plan);
  if (written.kind === "changed") throw notAsRead(written.paths, l10n.t("were changed in the meantime"));
  if (changed.length > 0) {
    open.local.invalidate(changed.map((file) => file.path));
    open.project.localChanged();
  }
  for (const problem of plan.problems) app.log.warn(`Pull: ${problemWords(problem)}`);
  const texts = changed.reduce((sum, file) => sum + file.texts, 0);
  const words =
    changed.length === 0
      ? l10n.t("Already up to date: every file says what {0} says.", nameOf(open))
      : l10n.t(
          "Pulled from {0}: {1} in {2}.",
          nameOf(open),
          counted.texts(texts),
          counted.files(changed.length),
        );
  app.log.info(`${words} ${changed.map((file) => `${file.change} ${file.path}`).join(", ")}`);
  app.results.add(open, words, plan.problems.length === 0 ? "done" : "partly");
  if (!quiet) tell(app, words, plan);
  return { outcome: changed.length === 0 ? "unchanged" : "done", files };
}

/** Waits for no answer. */
function tell(app: App, words: string, plan: PullPlan): void {
  if (plan.problems.length === 0) {
    void showInformation(words);
    return;
  }
  const details = l10n.t("Show Details");
  const told = `${words} ${l10n.t("{0} could not be taken over.", plan.problems.length)}`;
  void showWarning(told, details).then((answer) => {
    if (answer === details) return app.texts.open("pull.md", problemDocument(words, plan.problems));
    return undefined;
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
          "The export is not safe to unpack ({0}), so nothing was written. Look at the profile’s paths.",
          outcome.message,
        ),
      );
    case "job": {
      if (outcome.end === "unwatched")
        throw new CommandError("cancelled", l10n.t("Nobody watches the export any more."));
      const { error } = outcome.job;
      throw new CommandError(
        "job_failed",
        failedExportWords(outcome.job),
        error === null ? {} : { reason: error.code },
      );
    }
  }
}

function notAsRead(paths: readonly string[], what: string): CommandError {
  return new CommandError(
    "file_changed",
    l10n.t(
      "Nothing was written, since these files {0}: {1}. Save or close them, then try again.",
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
    sha1,
    yieldNow,
    place: {
      file,
      entries,
      locales: new Set(locales),
      localeMap: localeMap(file.locales ?? {}, locales, [...new Set(inFiles)]),
      asked: request.locales,
    },
  };
}
