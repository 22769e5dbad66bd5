/**
 * Push: compares the source texts of the local files with the service, shows what is new and changed, sends what is
 * ticked, and tells what came of it. Unsaved text of an open editor counts as it is shown there.
 */
import * as vscode from "vscode";
import type { SyncResult } from "../../api/schemas.ts";
import type { LocalEntries, LocalEntry, LocalFiles } from "../../workspace/local-files/local-entries.ts";
import { mayHoldSources } from "../../workspace/local-files/local-file.ts";
import { pathsOf } from "../../vscode/uri-option.ts";
import { keyHash } from "../../model/key-identity.ts";
import { hashesOf, pendingRenames, type PendingRename } from "../../database/pending-renames.ts";
import { sendPush } from "../../sync/push.ts";
import { planPush, type PushDependencies, type PushPlan, type PushPlanCounts } from "../../sync/push-plan.ts";
import {
  isSourceLanguageChange,
  retrySourceLanguageChange,
  sourceLocaleOf,
} from "../../sync/source-language.ts";
import { unparsedRanges } from "../../workspace/local-files/unparsed-ranges.ts";
import type { App, Run } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { ask } from "../../vscode/ui/quick-pick.ts";
import { clock } from "../../vscode/clock.ts";
import { firstSourceProblem } from "../../vscode/projects/file-problems.ts";
import { chooseSignedIn, nameOf, type Chosen } from "../../vscode/command-requirements.ts";
import { showInformation, showWarning } from "../../vscode/notifications.ts";
import { partlyDoneMessage } from "../../vscode/ui/error-messages.ts";
import {
  CommandError,
  PartlyDone,
  type CommandResult,
  type CommonOptions,
} from "../../vscode/command-result.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { l10n } from "../../vscode/l10n.ts";
import { keyLimitOf } from "./key-limit.ts";
import { confirmMapping } from "./mapping.ts";
import { notesOf, nothingToPushMessage, unparsedText } from "./preview-notes.ts";
import { showPreview, type PushChoice } from "./preview.ts";
import { showPushed } from "./report.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** Options of `projectTranslations.push`. */
export interface PushOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly archiveMissing?: boolean;
  /** Hashes: only these keys. */
  readonly only?: readonly string[];
  /** Paths or Uris of translation files: only keys that stand in them. */
  readonly files?: unknown;
}

export interface PushFields {
  readonly plan: PushPlanCounts;
  /** Absent in a dry run. */
  readonly result?: SyncResult;
}

const NOTHING_SENT: SyncResult = {
  created: 0,
  updated: 0,
  restored: 0,
  unchanged: 0,
  archived: 0,
  rejected: [],
};

/** Entries made between two chances for other work; some 5 ms. */
const BATCH_SIZE = 2_000;

/** Registers `projectTranslations.push`. */
export function registerPush(app: App): void {
  app.command("projectTranslations.push", l10n.t("Push"), (options: PushOptions, run) =>
    push(app, options, run),
  );
}

async function push(app: App, options: PushOptions, run: Run): Promise<CommandResult<PushFields>> {
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { project } = chosen.open;
  // What was stored before the source language changed is told with the rest.
  const stored: SyncResult = { ...NOTHING_SENT, rejected: [] };
  return retrySourceLanguageChange(() => pushOnce(app, chosen, { options, run, stored }), {
    clock,
    signal: run.signal,
    onWait: (wait) => project.setWaiting(wait),
  });
}

async function pushOnce(
  app: App,
  chosen: Chosen,
  call: { readonly options: PushOptions; readonly run: Run; readonly stored: SyncResult },
): Promise<CommandResult<PushFields>> {
  const { options, run, stored } = call;
  const quiet = options.confirm === false;
  const { open, client } = chosen;
  const dependencies: PushDependencies = { client, project: open.project };

  run.report(l10n.t("Checking for changes"));
  // Texts of another language must never become the source texts, so an older answer is not good enough.
  const stats = await (await open.refresher).refreshKeys({ priority: "person", signal: run.signal });
  const sourceLocale = sourceLocaleOf(stats);
  run.report(l10n.t("Reading the source files"));
  const read = await readSource(open, run, quiet);
  if (!quiet && options.dryRun !== true && !(await savedOrAgreed(read, run))) return { outcome: "cancelled" };
  const source = await open.local.reload(run.signal);
  const local: LocalEntry[] = [];
  for (const entry of source.entries(source.sourceLocale).values()) {
    if (local.push(entry) % BATCH_SIZE === 0) await yieldNow();
  }
  local.sort(inFileOrder);
  const problems = await source.problems();

  const verdict = await confirmMapping(app, open, local, { quiet: quiet || options.dryRun === true, run });
  if (verdict === "closed") return { outcome: "cancelled" };
  if (verdict === "changed") return pushOnce(app, chosen, call);

  const only = options.only ?? (await keysInFiles(open, options.files));
  const pending = pendingRenames(open.project, source);
  const oldNames = hashesOf(pending, "from");
  const renames = new Map(pending.map((rename) => [keyHash(rename.to), rename]));
  const plan = async (archiveMissing: boolean): Promise<PushPlan> => {
    run.report(l10n.t("Comparing {0}", counted.keys(local.length)));
    const made = await planPush(dependencies, local, {
      signal: run.signal,
      archiveMissing,
      unread: unparsedRanges(source),
      sourceLocale,
      ...(only === undefined ? {} : { only: new Set(only) }),
    });
    // The old name of a key that is to be renamed has its translations still.
    const archive = made.archive.filter(({ hash }) => !oldNames.has(hash));
    return { ...made, archive, counts: { ...made.counts, archive: archive.length } };
  };
  const planned = await plan(options.archiveMissing === true);
  // Whoever is not asked must not take "nothing to archive" for an answer.
  if ((quiet || options.dryRun === true) && planned.unread.length > 0)
    throw new CommandError("invalid", unparsedText(planned.unread), { reason: "unread_source" });
  const changes = planned.items.filter((item) => item.change !== "unchanged");
  const { counts } = planned;
  const isAskedToRename = planned.items.some(({ hash }) => renames.has(hash)) && !quiet;
  if (changes.length === 0 && planned.archive.length === 0 && !isAskedToRename) {
    if (!quiet) {
      const { localOnly } = await open.countPendingChanges(run.signal);
      const all = [...localOnly.values()].reduce((sum, count) => sum + count, 0);
      showNothingToPush(open, planned, only === undefined ? options : { ...options, only }, all);
    }
    return {
      outcome: "unchanged",
      plan: counts,
      ...(options.dryRun === true ? {} : { result: stored }),
    };
  }
  if (options.dryRun === true) return { outcome: "done", plan: counts };

  // Where nobody is asked, the new name is a new key, and the rename waits: it archives.
  let choice: PushChoice | undefined = { items: changes, archive: planned.archive, renames: [] };
  if (!quiet) {
    run.pause();
    choice = await showPreview(app, planned, {
      name: nameOf(open),
      notes: notesOf(open, source, problems, planned),
      renames,
      archiveTicked: options.archiveMissing === true,
      ...(options.archiveMissing === true || only !== undefined
        ? {}
        : {
            withArchive: async () => {
              const archiving = await plan(true).finally(() => run.pause());
              if (archiving.unread.length > 0) void showWarning(unparsedText(archiving.unread));
              return archiving;
            },
          }),
    });
  }
  if (choice === undefined) return { outcome: "cancelled" };
  const { items, archive } = choice;
  const renamed = await renameAll(app, open, choice.renames);
  if (items.length + archive.length === 0)
    return { outcome: renamed > 0 ? "done" : "unchanged", plan: counts, result: stored };

  const total = items.length + archive.length;
  run.report(l10n.t("Sending {0}", counted.keys(total)), 0);
  let taken: { readonly sent: number; readonly storedAt: string } | null = null;
  try {
    const { result, failure, storedAt } = await sendPush(dependencies, items, archive, {
      signal: run.signal,
      sourceLocale,
      onProgress: (done) => run.report(l10n.t("Sending {0}", counted.keys(total)), (100 * done) / total),
    });
    keyLimitOf(open.project).forget();
    addTo(stored, result);
    if (storedAt !== null) taken = { sent: items.length, storedAt };
    const message = showPushed(app, open, { items, archive, result, quiet, partial: failure !== null });
    if (failure !== null) {
      const { error, sent } = failure;
      if (isSourceLanguageChange(error)) throw error;
      throw new PartlyDone(
        partlyDoneMessage(message, total - sent, error),
        { plan: counts, result: stored },
        error,
      );
    }
    return { outcome: "done", plan: counts, result: stored };
  } catch (error) {
    const cause = error instanceof PartlyDone ? error.cause : error;
    keyLimitOf(open.project).learn(cause, open.project.stats?.contentVersion ?? null);
    throw error;
  } finally {
    // What the service made of it (outdated marks, counts) is shown soon; nobody waits for it.
    void open.refresher.then(async (refresher) => {
      if (taken !== null) await refresher.takePush(stats, taken.sent, taken.storedAt);
      await refresher.refresh({ anew: true });
    });
  }
}

/** The keys of these translation files, by their hashes; `undefined`: no files are named. */
async function keysInFiles(open: OpenProject, files: unknown): Promise<readonly string[] | undefined> {
  if (files === undefined) return undefined;
  const paths = pathsOf(open, files);
  const hashes = new Set<string>();
  for (const file of open.local.files.filter(({ place }) => paths.has(place.path))) {
    for (const { hash } of file.entries) {
      hashes.add(hash);
      if (hashes.size % BATCH_SIZE === 0) await yieldNow();
    }
  }
  return [...hashes];
}

/** Renames keys at the service, one after the other, and tells what came of it. Out: how many were renamed. */
async function renameAll(app: App, open: OpenProject, renames: readonly PendingRename[]): Promise<number> {
  if (renames.length === 0) return 0;
  let done = 0;
  for (const { from, to } of renames) {
    const result = await vscode.commands.executeCommand<CommandResult<{ archived: boolean }>>(
      "projectTranslations.renameAtService",
      { folder: open.root, from, to, confirm: false },
    );
    if (result.outcome === "done" && result.archived) done++;
    if (result.outcome === "failed") app.results.add(open, result.error.message, "failed");
  }
  if (done === renames.length) {
    void showInformation(l10n.t("Renamed on {0}: {1}.", nameOf(open), counted.keys(done)));
    return done;
  }
  const show = l10n.t("Show Activity");
  const message = l10n.t(
    "Renamed on {0}: {1} of {2}. See Activity for the reason.",
    nameOf(open),
    done,
    renames.length,
  );
  void showWarning(message, show).then((answer) =>
    answer === show ? vscode.commands.executeCommand("projectTranslations.activity.focus") : undefined,
  );
  return done;
}

function addTo(sum: SyncResult, { rejected, ...counts }: SyncResult): void {
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) sum[name] += counts[name];
  sum.rejected.push(...rejected);
}

/** Waits for no answer. What no local file has is looked for only when somebody wants that. */
function showNothingToPush(open: OpenProject, plan: PushPlan, options: PushOptions, localOnly: number): void {
  const look = l10n.t("Find Keys to Archive");
  const bring = l10n.t("Import Local Translations…");
  const actions = options.archiveMissing === true || options.only !== undefined ? [] : [look];
  if (localOnly > 0) actions.unshift(bring);
  const message = [
    nothingToPushMessage(open, plan),
    ...(localOnly > 0 ? [`${counted.localTranslations(localOnly)}.`] : []),
  ];
  void showInformation(message.join(" "), ...actions).then((chosen) => {
    if (chosen === bring)
      return vscode.commands.executeCommand("projectTranslations.importLocal", { folder: open.root });
    if (chosen !== look) return undefined;
    const again = { ...options, folder: open.root, archiveMissing: true };
    return vscode.commands.executeCommand("projectTranslations.push", again);
  });
}

/** By the path of the file, and in it by the place. */
function inFileOrder(a: LocalEntry, b: LocalEntry): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.entry.keySpan.start - b.entry.keySpan.start;
}

/** The local files, with at least one of the source language. Throws CommandError. */
async function readSource(open: OpenProject, run: Run, quiet: boolean): Promise<LocalFiles> {
  const local: LocalEntries = await open.local.reload(run.signal);
  const found = (): boolean => local.locales.includes(local.sourceLocale);
  if (!found() && (open.file.files ?? []).length === 0 && !quiet) {
    // Where no layout is known, the ones that are found are proposed first.
    run.pause();
    await vscode.commands.executeCommand("projectTranslations.setUpProjectFile", { folder: open.root });
    await local.reload(run.signal);
  }
  const isEmpty = local.entries(local.sourceLocale).values().next().done === true;
  if (!isEmpty) return local;
  const problem = firstSourceProblem(open);
  if (problem !== undefined) throw new CommandError("invalid", `${problem}.`, { reason: "unread_source" });
  if (found()) return local;
  throw new CommandError(
    "invalid",
    l10n.t(
      "No translation files of the source language ({0}) were found. Set “files” in project-translations.json.",
      local.sourceLocale,
    ),
    { reason: "no_source_files" },
  );
}

/** Unsaved source files are saved first, or pushed as the editor shows them: a person decides. */
async function savedOrAgreed(local: LocalFiles, run: Run): Promise<boolean> {
  const dirty = local.files.filter((file) => file.dirty && mayHoldSources(file, local));
  if (dirty.length === 0) return true;
  run.pause();
  const answer = await ask(
    l10n.t("Unsaved changes in {0}", counted.files(dirty.length)),
    dirty.map((file) => file.place.path).join(", "),
    [
      { label: l10n.t("Save and Continue"), value: "save" as const },
      {
        label: l10n.t("Continue Without Saving"),
        detail: l10n.t("The unsaved text in the editor is pushed."),
        value: "shown" as const,
      },
    ],
  );
  if (answer === "save") {
    const paths = new Set(dirty.map((file) => file.place.path));
    for (const document of vscode.workspace.textDocuments) {
      const isMeant = [...paths].some((path) => document.uri.path.endsWith(`/${path}`));
      if (document.isDirty && isMeant) await document.save();
    }
  }
  return answer !== undefined;
}
