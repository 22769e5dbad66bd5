/**
 * Archive and Restore: archives keys at the service after a preview, and restores archived keys with their source texts and
 * translations by a sync (§ Key states: "key sent again with its source text").
 */
import { archiveCommand, removeUnusedCommand } from "../../commands/declarations/key-commands.ts";
import { emptySyncResult, syncInBatches, withPartialResult } from "../../api/batches.ts";
import { allKeys } from "../../api/pagination.ts";
import type { Key, SyncResult } from "../../api/response-schemas.ts";
import { projectKey } from "../../database/project-state.ts";
import type { ProjectKey } from "../../database/records.ts";
import { sendPush, type SyncOutcome } from "../../sync/push/send-push.ts";
import { restoredKey } from "../../sync/sync-request-items.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { CommandRun, NextAction } from "../../commands/command-types.ts";
import { reportPartialResult, reportResult } from "../../vscode/commands/report-result.ts";
import { showInformation, commandAction } from "../../vscode/notifications.ts";
import { ensureRefreshed, refreshInBackground } from "../../vscode/projects/refresh-project.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickKeys } from "../../vscode/ui/input/pick-keys.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { refusedKeysMessage, rejectionReason } from "../../messages/error-messages.ts";
import { type KeySpelling, projectKeyLabel, projectDisplayName } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";
import { defineCommand } from "../../commands/define-command.ts";
import { HashesSchema, option } from "../../commands/option-schemas.ts";

export const restoreCommand = defineCommand({
  id: "restore",
  title: "Restore Archived Keys",
  needs: "write-access",
  description: "Restores archived keys with their translations.",
  options: { hashes: option(HashesSchema, "Hashes of the keys; default: all archived keys.") },
  resolvesWith: archiveCommand.resolvesWith,
});

/** Registers `projectTranslations.archive` and `projectTranslations.restore`. */
export function registerArchive(app: App): void {
  app.command(archiveCommand, archive);
  app.command(restoreCommand, restore);
}

const archive: CommandWork<typeof archiveCommand> = async (app, options, run) => {
  const { open, connection, client } = run;
  const hashes = new Set(options.hashes);
  const offered = new Set(run.quiet ? [] : (options.alsoOffer ?? []).filter((hash) => !hashes.has(hash)));
  run.report(l10n.t("Reading keys"));
  await ensureRefreshed(open, run.signal);
  // Keys that are archived already or do not exist are ignored.
  const keys = keysToArchive(open.keys, [...hashes, ...offered]);
  if (keys.length === 0) return { outcome: "unchanged", result: emptySyncResult() };
  run.pause();
  const chosen = run.quiet
    ? keys
    : await pickKeys(app, open, keys, {
        titleOf: (count) => l10n.t("Archive {0} of {1}?", count, projectDisplayName(open)),
        emptyTitle: l10n.t("Select keys to archive"),
        placeholder: l10n.t("Selected keys are archived, and can be restored"),
        icon: "archive",
        unchecked: { heading: l10n.t("Probably unused"), hashes: offered },
      });
  const progress = l10n.t("Archiving {0}", formatCount.keys(chosen.length));
  run.report(progress, 0);
  const outcome = await sendPush({ client, project: connection }, [], chosen, {
    signal: run.signal,
    onProgress: (done, total) => run.report(progress, (100 * done) / total),
  });
  const { result } = outcome;
  app.log.info(`Archived keys: ${chosen.map((key) => projectKeyLabel(open, key)).join(", ")}`);
  const message = l10n.t("Archived {0}.", formatCount.keys(result.archived));
  const restoreOptions = { folder: open.root, hashes: chosen.map(({ hash }) => hash) };
  const { hashes: archived } = restoreOptions;
  const { local } = open;
  const isInFiles = local.locales.some((locale) => archived.some((hash) => local.entries(locale).has(hash)));
  reportSync(app, open, run, message, outcome, [
    // Otherwise the entries stay in the files and are offered to each push again.
    ...(isInFiles
      ? [commandAction(app, l10n.t("Remove from Files…"), removeUnusedCommand, restoreOptions)]
      : []),
    commandAction(app, l10n.t("Restore"), restoreCommand, restoreOptions),
  ]);
  return { outcome: result.archived === 0 ? "unchanged" : "done", result };
};

const restore: CommandWork<typeof restoreCommand> = async (app, options, run) => {
  const { open, client } = run;
  run.report(l10n.t("Reading keys"));
  const { hashes } = options;
  const found = await allKeys(client, { archived: true }, { signal: run.signal, priority: "person" });
  const { archived, keys } = keysToRestore(found, hashes);
  run.pause();
  if (keys.length === 0) {
    if (!run.quiet)
      void showInformation(
        archived.length === 0
          ? l10n.t("No key is archived.")
          : l10n.t("No archived key has a source text, so none can be restored."),
      );
    return { outcome: "unchanged", result: emptySyncResult() };
  }
  const rows = keys.map((key) => ({ ...key, text: projectKey(key).text }));
  const chosen = run.quiet
    ? keys
    : await pickKeys(app, open, rows, {
        titleOf: (count) => l10n.t("Restore {0} in {1}?", count, projectDisplayName(open)),
        emptyTitle: l10n.t("Select keys to restore"),
        placeholder: l10n.t("Selected keys are restored with their translations."),
        icon: "discard",
        isChecked: hashes !== undefined,
      });
  const progress = l10n.t("Restoring {0}", formatCount.keys(chosen.length));
  run.report(progress, 0);
  const outcome = await withPartialResult<SyncResult>(
    (onProgress) =>
      syncInBatches(
        client,
        { keys: chosen.flatMap((key) => restoredKey(key) ?? []) },
        {
          signal: run.signal,
          // Corrects the counts after a lost response.
          expected: chosen.map(({ hash }) => ({ hash, count: "restored" })),
          onProgress,
        },
      ),
    (list, index) => {
      const key = list === "keys" ? chosen[index] : undefined;
      return key && { namespace: key.namespace, key: key.key, context: key.context };
    },
    (done, total) => run.report(progress, (100 * done) / total),
  );
  reportSync(app, open, run, restoredMessage(open, outcome.result, chosen), outcome);
  return { outcome: outcome.result.restored === 0 ? "unchanged" : "done", result: outcome.result };
};

/** Returns the active keys among the hashes, each once. */
export function keysToArchive(
  keys: { get(hash: string): ProjectKey | undefined },
  hashes: readonly string[],
): readonly ProjectKey[] {
  return [...new Set(hashes)].flatMap((hash) => keys.get(hash) ?? []);
}

/**
 * Returns the archived keys among the hashes, or all without any, and those of them that can be restored: a key without a
 * source text cannot be sent.
 */
export function keysToRestore(
  found: readonly Key[],
  hashes: readonly string[] | undefined,
): { readonly archived: readonly Key[]; readonly keys: readonly Key[] } {
  const wanted = hashes && new Set(hashes);
  const archived = found.filter((key) => key.archived && wanted?.has(key.hash) !== false);
  return { archived, keys: archived.filter((key) => restoredKey(key) !== null) };
}

/** Returns what was restored, and which of the sent keys the service refused. */
export function restoredMessage(
  project: KeySpelling,
  { restored, rejected }: Pick<SyncResult, "restored" | "rejected">,
  sent: readonly Key[],
): string {
  const done = l10n.t("Restored {0}.", formatCount.keys(restored));
  const [first] = rejected;
  if (first === undefined) return done;
  const key = sent.find(({ hash }) => hash === first.hash);
  const name = key === undefined ? first.hash : projectKeyLabel(project, key);
  return `${done} ${refusedKeysMessage(name, rejected.length - 1, rejectionReason(first.reason))}`;
}

/**
 * Refreshes the project and reports the result.
 *
 * @throws {PartialResultError} if a request failed.
 */
function reportSync(
  app: App,
  open: OpenProject,
  run: CommandRun,
  message: string,
  { result, failure }: SyncOutcome,
  actions: readonly NextAction[] = [],
): void {
  refreshInBackground(open);
  if (failure !== null) {
    const { error, sent, total } = failure;
    throw reportPartialResult(app, open, message, total - sent, { result }, error);
  }
  reportResult(app, open, run, message, { isPartial: result.rejected.length > 0, actions });
}
