/**
 * Push: compares the local source texts with the service, shows a preview, sends the selected keys and reports the result.
 * Includes unsaved changes of open editors.
 */
import type { FieldsOf, OptionsOf } from "../../commands/define-command.ts";
import { setUpProjectFileCommand } from "../../commands/declarations/session-commands.ts";
import { renameAtServiceCommand } from "../../commands/declarations/key-commands.ts";
import {
  pushCommand,
  pullCommand,
  pushRowCommand,
  importLocalCommand,
} from "../../commands/declarations/sync-commands.ts";
import * as vscode from "vscode";
import type { RefusedItem } from "../../api/errors.ts";
import type { SyncResult } from "../../api/response-schemas.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import {
  mayContainSourceTexts,
  unsavedPaths,
  type UnparsedRange,
  unparsedRanges,
} from "../../workspace/local-files/local-file.ts";
import { parseFilesOption } from "../../vscode/commands/command-options.ts";
import { pendingRenames } from "../../database/personal/pending-rename-repository.ts";
import type { PendingRename } from "../../database/records.ts";
import { addSyncResult } from "../../api/batches.ts";
import { sendPush, type SyncOutcome } from "../../sync/push/send-push.ts";
import { planPush, type PushDependencies, type PushPlan } from "../../sync/push/push-plan.ts";
import { sourceLocaleOf } from "../../sync/handle-source-language-change.ts";
import type { App, CommandWork, SignedInProject } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { clock } from "../../api/system-clock.ts";
import {
  showInformation,
  showWarning,
  offerActions,
  commandAction,
  viewAction,
} from "../../vscode/notifications.ts";
import {
  PartialResultError,
  type CommandResult,
  type NextAction,
  type CommandRun,
} from "../../commands/command-types.ts";
import { reportResult } from "../../vscode/commands/report-result.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { l10n } from "../../util/l10n.ts";
import {
  decideReadPush,
  pushUntilSent,
  requireAllSent,
  requireSourceTexts,
} from "../../operations/push-requirements.ts";
import { confirmMapping } from "./key-mapping-prompt.ts";
import {
  pushPlanFor,
  renamesByNewName,
  type LeftKeys,
  type PushChoice,
} from "../../sync/push/push-decisions.ts";
import { leftKeysText, pushedMessage, refusedKeys, unreadText } from "../../messages/sync/push-messages.ts";
import {
  keyLimitOf,
  nothingToPushMessage,
  previewNotes,
  unparsedText,
} from "../../messages/sync/push-notes.ts";
import {
  choiceOf,
  plannedKeyId,
  pushSections,
  pushTitle,
  type PlannedKey,
} from "../../messages/sync/push-rows.ts";
import { pushDifference } from "./push-difference.ts";
import { showPreview, type PreviewButton } from "../../vscode/ui/preview/show-preview.ts";
import { collectInSlices } from "../../util/event-loop.ts";
import { projectDisplayName } from "../../messages/labels.ts";

/** Registers `projectTranslations.push`. */
export function registerPush(app: App): void {
  app.command(pushCommand, push);
  app.command(pushRowCommand, push);
}

type PushOptions = OptionsOf<typeof pushCommand>;
type PushFields = FieldsOf<typeof pushCommand>;

const push: CommandWork<typeof pushCommand> = async (app, options, run) =>
  pushUntilSent(run.open, (stored) => pushOnce(app, run, { options, run, stored }), {
    clock,
    signal: run.signal,
    onWait: (wait) => run.connection.setActivity({ waiting: wait }),
  });

async function pushOnce(
  app: App,
  chosen: SignedInProject,
  call: { readonly options: PushOptions; readonly run: CommandRun; readonly stored: SyncResult },
): Promise<CommandResult<PushFields>> {
  const { options, run, stored } = call;
  const { quiet } = run;
  const isDryRun = options.dryRun === true;
  const isSilent = quiet || isDryRun;
  const { open, connection, client } = chosen;
  const { local } = connection;
  const dependencies: PushDependencies = {
    client,
    project: connection,
    unsavedPaths: () => unsavedPaths(local),
  };

  run.report(l10n.t("Checking for changes"));
  // A cached source language could be stale, and texts of another language must never become source texts.
  const stats = await (await connection.refresher).refreshKeys({ priority: "person", signal: run.signal });
  const sourceLocale = sourceLocaleOf(stats);
  run.report(l10n.t("Reading the source files"));
  await readSource(app, open, run);
  if (!isSilent) await offerToSave(open, run);
  const entries = await local.sourceEntries();
  const problems = await local.problems(run.signal);
  if (await confirmMapping(chosen, entries, { quiet: isSilent, run })) return pushOnce(app, chosen, call);

  const only = options.only ?? (await keysInFiles(open, options.files));
  const unread = relevantRanges(open, options, entries);
  const pending = pendingRenames(connection, local);
  const renames = renamesByNewName(pending);
  // A key that was archived, or whose text was changed at the service, is only sent if it was asked for or checked.
  const isAsked = options.only !== undefined;
  const plan = async (archiveMissing: boolean): Promise<PushPlan> => {
    run.report(l10n.t("Comparing {0}", formatCount.keys(entries.length)));
    const planned = await planPush(dependencies, entries, {
      signal: run.signal,
      archiveMissing,
      unparsedRanges: unread,
      sourceLocale,
      ...definedFields({ only: only && new Set(only) }),
    });
    return pushPlanFor(planned, { pending, isAsked });
  };
  const archiveMissing = options.archiveMissing === true;
  const planned = await plan(archiveMissing);
  const request = { isAsked, isQuiet: quiet, isDryRun, archiveMissing, renames };
  const { decision, left, unread: unreadOrMalformed, fields } = decideReadPush(open, local, planned, request);
  switch (decision.kind) {
    case "nothing":
      if (!quiet) {
        const { localOnly } = await open.countPendingChanges(run.signal);
        showNothingToPush(app, open, planned, { ...options, ...definedFields({ only }) }, localOnly, left);
      }
      return { outcome: decision.outcome, ...fields, ...(isDryRun ? {} : { result: stored }) };
    case "planned":
      return { outcome: "done", ...fields };
    case "preview":
    case "send":
      break;
  }
  let { choice } = decision;
  if (decision.kind === "preview") {
    const planWithArchive = async (): Promise<PushPlan> => {
      const archiving = await plan(true).finally(() => run.pause());
      if (archiving.unparsedRanges.length > 0) void showWarning(unparsedText(archiving.unparsedRanges));
      return archiving;
    };
    run.pause();
    const rule = { project: open, renames, isArchiveChecked: archiveMissing, isAsked };
    const [note, ...notes] = previewNotes(connection, local, problems, planned);
    const listMissing: PreviewButton<PlannedKey> = {
      icon: "archive",
      tooltip: l10n.t("Also List Keys Missing from Local Files, to Archive Them"),
      kind: "list",
      act: async () => pushSections(await planWithArchive(), rule),
    };
    const { checked } = await showPreview<PlannedKey>(app, {
      idOf: plannedKeyId,
      sections: pushSections(planned, rule),
      titleOf: (keys) => pushTitle(projectDisplayName(open), keys, renames),
      placeholder: note ?? l10n.t("Selected keys are sent. Use a row’s button to see its difference."),
      notes,
      differenceOf: pushDifference,
      buttons: () => (archiveMissing || only !== undefined ? [] : [listMissing]),
    });
    choice = choiceOf(checked, renames);
  }
  // Nothing may be renamed or sent if somebody signed in elsewhere meanwhile.
  connection.client();
  const { items: chosenItems, archive } = choice;
  const renamed = await renameAll(app, open, choice.renames);
  const total = chosenItems.length + archive.length;
  if (total === 0) return { outcome: renamed > 0 ? "done" : "unchanged", ...fields, result: stored };

  const sending = l10n.t("Sending {0}", formatCount.keys(total));
  run.report(sending, 0);
  let storedAt: string | null = null;
  let refusal: unknown;
  const recordKeyLimit = (): void =>
    keyLimitOf(connection).recordError(refusal, connection.stats?.contentVersion ?? null);
  try {
    const outcome = await sendPush(dependencies, chosenItems, archive, {
      signal: run.signal,
      sourceLocale,
      onProgress: (done) => run.report(sending, (100 * done) / total),
    });
    ({ storedAt } = outcome);
    keyLimitOf(connection).forget();
    addSyncResult(stored, outcome.result);
    const leftText = quiet ? leftKeysText(left) : "";
    const message = reportPushed(
      app,
      open,
      choice,
      outcome,
      { unread: unreadOrMalformed, left: leftText },
      run,
    );
    requireAllSent(outcome, message, total, { ...fields, result: stored });
    return { outcome: "done", ...fields, result: stored };
  } catch (error) {
    refusal = error instanceof PartialResultError ? error.cause : error;
    recordKeyLimit();
    throw error;
  } finally {
    // Updates counts and outdated states in the background.
    void connection.refresher.then(async (refresher) => {
      if (storedAt !== null) await refresher.applyPush(stats, chosenItems.length, storedAt);
      await refresher.refresh({ skipRunning: true });
      // The numbers count what earlier requests of this push stored, which was another version until now.
      recordKeyLimit();
    });
  }
}

/** Returns what could not be read of the source files that the options select. */
function relevantRanges(
  open: OpenProject,
  { only, files }: PushOptions,
  entries: readonly LocalEntry[],
): readonly UnparsedRange[] {
  const ranges = unparsedRanges(open.local);
  if (ranges.length === 0) return ranges;
  if (only !== undefined) {
    const read = new Set(entries.map(({ hash }) => hash));
    return only.every((hash) => read.has(hash)) ? [] : ranges;
  }
  if (files === undefined) return ranges;
  const paths = parseFilesOption(open, files);
  return ranges.filter(({ path }) => paths.has(path));
}

/** Returns the hashes of the keys in the files of the option; `undefined` if it is not set. */
async function keysInFiles(
  open: OpenProject,
  files: PushOptions["files"],
): Promise<readonly string[] | undefined> {
  if (files === undefined) return undefined;
  const paths = parseFilesOption(open, files);
  const chosen = open.local.files.filter(({ location }) => paths.has(location.path));
  const entries = await Promise.all(chosen.map((file) => collectInSlices(file.entries)));
  return entries.flat().map(({ hash }) => hash);
}

/** Renames keys at the service sequentially, reports the results and returns the number of renamed keys. */
async function renameAll(app: App, open: OpenProject, renames: readonly PendingRename[]): Promise<number> {
  if (renames.length === 0) return 0;
  let done = 0;
  for (const { from, to } of renames) {
    const result = await app.run(renameAtServiceCommand, { folder: open.root, from, to, confirm: false });
    if (result.outcome === "done" && result.archived) done++;
    if (result.outcome === "failed") app.results.add(open, result.error.message, "failed");
  }
  if (done === renames.length) {
    void showInformation(l10n.t("Renamed on {0}: {1}.", projectDisplayName(open), formatCount.keys(done)));
    return done;
  }
  const message = l10n.t(
    "Renamed on {0}: {1} of {2}. See Activity for the reason.",
    projectDisplayName(open),
    done,
    renames.length,
  );
  const showActivity = viewAction(l10n.t("Show Activity"), "activity");
  offerActions(showWarning, message, showActivity);
  return done;
}

/**
 * Shows that there is nothing to push. Offers to import local translations (`localOnly`: their number by language) and to
 * look for missing keys. Does not wait for the user.
 */
function showNothingToPush(
  app: App,
  open: OpenProject,
  plan: PushPlan,
  options: PushOptions,
  localOnly: ReadonlyMap<string, number>,
  left: LeftKeys,
): void {
  const folder = open.root;
  const actions: NextAction[] = [];
  let message = nothingToPushMessage(open, plan);
  if (localOnly.size > 0) {
    const count = [...localOnly.values()].reduce((sum, each) => sum + each, 0);
    message += ` ${formatCount.localTranslations(count)}.`;
    const label = l10n.t("Import Local Translations…");
    actions.push(commandAction(app, label, importLocalCommand, { folder }));
  }
  const leftText = leftKeysText(left);
  if (leftText !== "") message += ` ${leftText}`;
  if (left.archived.length > 0) {
    const only = left.archived.map(({ hash }) => hash);
    actions.push(commandAction(app, l10n.t("Restore…"), pushCommand, { folder, only }));
  }
  if (left.atService.length > 0) {
    actions.push(commandAction(app, l10n.t("Pull…"), pullCommand, { folder }));
    const only = left.atService.map(({ hash }) => hash);
    actions.push(commandAction(app, l10n.t("Overwrite…"), pushCommand, { folder, only }));
  }
  if (options.archiveMissing !== true && options.only === undefined) {
    const again = { ...options, folder, archiveMissing: true };
    actions.push(commandAction(app, l10n.t("Find Keys to Archive"), pushCommand, again));
  }
  offerActions(showInformation, message, ...actions);
}

/**
 * Reads the local files.
 *
 * @throws {CommandError} `invalid` without source texts.
 */
async function readSource(app: App, open: OpenProject, run: CommandRun): Promise<void> {
  const local = await open.local.reload(run.signal);
  const hasSourceFile = (): boolean => local.locales.includes(local.sourceLocale);
  if (!hasSourceFile() && (open.file.files ?? []).length === 0 && !run.quiet) {
    // Without a known layout, proposes the recognised ones first.
    run.pause();
    await app.run(setUpProjectFileCommand, { folder: open.root });
    await local.reload(run.signal);
  }
  requireSourceTexts(open);
}

/**
 * Lets the user choose to save unsaved source files first or to push them as shown.
 *
 * @throws {CommandCancelled}
 */
async function offerToSave(open: OpenProject, run: CommandRun): Promise<void> {
  const { local } = open;
  const unsaved = local.files.filter((file) => file.dirty && mayContainSourceTexts(file, local));
  if (unsaved.length === 0) return;
  run.pause();
  const paths = unsaved.map((file) => file.location.path);
  const title = l10n.t("Unsaved changes in {0}", formatCount.files(unsaved.length));
  const shouldSave = await pickOne(title, paths.join(", "), [
    { label: l10n.t("Save and Continue"), value: true },
    {
      label: l10n.t("Continue Without Saving"),
      detail: l10n.t("The unsaved text in the editor is pushed."),
      value: false,
    },
  ]);
  if (shouldSave) {
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && paths.includes(open.relative(document.uri) ?? "")) await document.save();
  }
  // The files may have changed while the list was open.
  await local.reload(run.signal);
}

/**
 * Reports the result, with a document about refused keys, and returns its message. For a push that failed, the error that
 * is thrown next is shown instead of a notification.
 */
function reportPushed(
  app: App,
  open: OpenProject,
  { items, archive }: PushChoice,
  { result, failure }: SyncOutcome,
  { unread, left }: { readonly unread: readonly RefusedItem[]; readonly left: string },
  run: CommandRun,
): string {
  const parts = [pushedMessage(open, result), unread.length === 0 ? "" : unreadText(unread), left];
  const message = parts.filter((part) => part !== "").join(" ");
  const refused = refusedKeys(open, { items, archive }, result);
  for (const line of refused) app.log.warn(`Refused: ${line}`);
  reportResult(app, open, { quiet: run.quiet || (failure !== null && refused.length === 0) }, message, {
    isPartial: failure !== null || refused.length > 0 || unread.length > 0,
    details: { name: "push.md", lines: refused },
  });
  return message;
}
