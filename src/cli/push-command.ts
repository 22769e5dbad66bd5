/** `push`: sends new and changed source texts to the service. */
import type { RefusedItem } from "../api/errors.ts";
import { addSyncResult, emptySyncResult } from "../api/batches.ts";
import { clock } from "../api/system-clock.ts";
import { pushCommand } from "../commands/declarations/sync-commands.ts";
import { formatCount } from "../messages/counts-and-times.ts";
import { leftKeysText, pushedMessage, refusedKeys, unreadText } from "../messages/sync/push-messages.ts";
import { nothingToPushMessage } from "../messages/sync/push-notes.ts";
import { pushSections, pushTitle } from "../messages/sync/push-rows.ts";
import type { SyncResult } from "../api/response-schemas.ts";
import type { PendingRename } from "../database/records.ts";
import { projectDisplayName } from "../messages/labels.ts";
import { isForms } from "../model/translation-text.ts";
import {
  decideReadPush,
  type PushFields,
  pushUntilSent,
  requireAllSent,
  requireSourceTexts,
  suspiciousMapping,
  suspiciousMappingError,
} from "../operations/push-requirements.ts";
import { sourceLocaleOf } from "../sync/handle-source-language-change.ts";
import { pushPlanFor, type PushChoice } from "../sync/push/push-decisions.ts";
import { planPush } from "../sync/push/push-plan.ts";
import { type PushResult, sendPush } from "../sync/push/send-push.ts";
import { l10n } from "../util/l10n.ts";
import { unparsedRanges } from "../workspace/local-files/local-file.ts";
import { singleFolder } from "./arguments.ts";
import { programCommand } from "./command.ts";
import { planLines } from "./plan-lines.ts";
import { runSyncCommand, SYNC_OPTIONS, SYNC_USAGE, type SyncReport, type SyncRun } from "./sync-command.ts";

export const push = programCommand({
  operands: `[FOLDER] ${SYNC_USAGE}`,
  options: SYNC_OPTIONS,
  from: { declaration: pushCommand, names: ["archiveMissing"] },
  run: ({ operands, values, declared: { archiveMissing = false } }, signal) =>
    runSyncCommand(singleFolder(operands), values, { signal, needsWrite: true }, (run) =>
      pushUntilSent(run.open.project, (stored) => pushOnce(run, archiveMissing, stored), { clock, signal }),
    ),
});

async function pushOnce(run: SyncRun, archiveMissing: boolean, stored: SyncResult): Promise<SyncReport> {
  const { open, service, isDryRun, progress, signal } = run;
  const { project } = open;
  const { local } = project;
  const { refresher, client } = service;
  const dependencies = { client, project };
  progress.report(l10n.t("Checking for changes"));
  const stats = await refresher.refreshKeys({ priority: "person", signal });
  const sourceLocale = sourceLocaleOf(stats);
  progress.report(l10n.t("Reading the source files"));
  await local.reload(signal);
  requireSourceTexts(project);
  const entries = await local.sourceEntries();
  const mapped = {
    project,
    local,
    refresher: () => Promise.resolve(refresher),
    files: open.file.files ?? [],
  };
  const mapping = await suspiciousMapping(mapped, entries, signal);
  if (mapping !== null) throw suspiciousMappingError(mapping);
  progress.report(l10n.t("Comparing {0}", formatCount.keys(entries.length)));
  const compared = await planPush(dependencies, entries, {
    signal,
    archiveMissing,
    unparsedRanges: unparsedRanges(local),
    sourceLocale,
  });
  // Nobody renamed anything here, and no keys are named.
  const renames = new Map<string, PendingRename>();
  const planned = pushPlanFor(compared, { pending: [], isAsked: false });
  const request = { isAsked: false, isQuiet: true, isDryRun, archiveMissing, renames };
  const { decision, left, unread, fields } = decideReadPush(project, local, planned, request);
  const notes = [unread.length === 0 ? "" : unreadText(unread), leftKeysText(left)].filter(
    (text) => text !== "",
  );
  switch (decision.kind) {
    case "nothing":
      return {
        result: { outcome: decision.outcome, ...fields, ...(isDryRun ? {} : { result: stored }) },
        lines: [nothingToPushMessage(project, planned), ...notes],
        isOpen: fields.items !== undefined,
      };
    case "planned": {
      const rule = { project, renames, isArchiveChecked: archiveMissing, isAsked: false };
      const sections = pushSections(planned, rule);
      const checked = sections.flatMap(({ rows }) =>
        rows.flatMap((row) => (row.isChecked ? row.changes : [])),
      );
      const title = pushTitle(projectDisplayName(project), checked, renames);
      return {
        result: { outcome: "done", ...fields },
        lines: planLines(title, sections, notes),
        isOpen: true,
      };
    }
    case "preview":
    case "send":
      return send(run, decision.choice, { sourceLocale, fields, notes, stored });
  }
}

interface Sending {
  readonly sourceLocale: string;
  readonly fields: PushFields;
  /** What is left. */
  readonly notes: readonly string[];
  readonly stored: SyncResult;
}

async function send(
  { open, service, progress, signal }: SyncRun,
  { items, archive }: PushChoice,
  { sourceLocale, fields, notes, stored }: Sending,
): Promise<SyncReport> {
  const { project } = open;
  const total = items.length + archive.length;
  const sending = l10n.t("Sending {0}", formatCount.keys(total));
  progress.report(sending, 0);
  const outcome = await sendPush({ client: service.client, project }, items, archive, {
    signal,
    sourceLocale,
    onProgress: (done) => progress.report(sending, (100 * done) / total),
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { result: emptySyncResult(), failure: { error, sent: 0, total }, left: { items, archive } };
  });
  addSyncResult(stored, outcome.result);
  const lines = [
    pushedMessage(project, stored),
    ...notes,
    ...refusedKeys(project, { items, archive }, stored),
  ];
  const left = [...(fields.items ?? []), ...unsentItems(outcome.left)];
  const all = left.length === 0 ? fields : { ...fields, items: left };
  requireAllSent(outcome, lines.join(" "), total, { ...all, result: stored });
  return {
    result: { outcome: "done", ...fields, result: stored },
    lines,
    isOpen: fields.items !== undefined || stored.rejected.length > 0,
  };
}

/** Returns the keys that were not sent, or whose request had no answer, as items of the result. */
function unsentItems({ items, archive }: PushResult["left"]): readonly RefusedItem[] {
  const messages = [l10n.t("Not sent, or not confirmed by the service.")];
  return [
    ...items.map(({ name, path, text }) => ({
      ...name,
      file: path,
      field: isForms(text) ? "forms" : "value",
      messages,
    })),
    ...archive.map(({ namespace, key, context }) => ({
      namespace,
      key,
      context,
      field: "archive",
      messages,
    })),
  ];
}
