/**
 * Archive and Restore: archives keys at the service after a preview, and restores archived keys with their source texts and
 * translations by a sync (§ Key states: "key sent again with its source text").
 */
import { emptySyncResult } from "../../api/batches.ts";
import { allKeys } from "../../api/pagination.ts";
import type { Key, SyncResult } from "../../api/response-schemas.ts";
import { sendPush, syncWithPartialResult, type SyncOutcome } from "../../sync/push/send-push.ts";
import { restoredKey } from "../../sync/sync-request-items.ts";
import type { App, Command } from "../../vscode/app.ts";
import { chooseSignedIn, projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { CommandError, type CommonOptions } from "../../vscode/commands/command-types.ts";
import { showInformation, showWarning, offerActions, commandAction } from "../../vscode/notifications.ts";
import { ensureRefreshed } from "../../vscode/projects/ensure-refreshed.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickKeys } from "../../vscode/ui/input/pick-keys.ts";
import { pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import {
  partialResultError,
  refusedKeysMessage,
  rejectionReason,
} from "../../vscode/ui/messages/error-messages.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { keyLabel, projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of both commands; without `hashes` the user picks the keys to restore from all archived keys. */
interface ArchiveOptions extends CommonOptions {
  readonly hashes?: readonly string[];
}

/** Registers `projectTranslations.archive` and `projectTranslations.restore`. */
export function registerArchive(app: App): void {
  app.command("projectTranslations.archive", l10n.t("Archive Keys"), archive);
  app.command("projectTranslations.restore", l10n.t("Restore Archived Keys"), restore);
}

const archive: Command<ArchiveOptions, { readonly result: SyncResult }> = async (app, options, run) => {
  const { hashes } = options;
  if (!Array.isArray(hashes)) throw new CommandError("invalid", l10n.t("“hashes” is missing."));
  const { open, client } = await chooseSignedIn(app, options, "write");
  run.report(l10n.t("Reading keys"));
  await ensureRefreshed(open, run.signal);
  // Keys that are archived already or do not exist are ignored.
  const keys = [...new Set<string>(hashes)].flatMap((hash) => open.project.keys.get(hash) ?? []);
  if (keys.length === 0) return { outcome: "unchanged", result: emptySyncResult() };
  run.pause();
  const title = l10n.t("Archive {0} of {1}?", formatCount.keys(keys.length), projectDisplayName(open));
  const placeholder = l10n.t("Selected keys are archived. Pushing a key restores it.");
  const ticked = run.quiet ? keys : await pickKeys(title, placeholder, "archive", keys);
  if (ticked === undefined) return { outcome: "cancelled" };
  if (ticked.length === 0) return { outcome: "unchanged", result: emptySyncResult() };
  run.report(l10n.t("Archiving {0}", formatCount.keys(ticked.length)), 0);
  const outcome = await sendPush({ client, project: open.project }, [], ticked, {
    signal: run.signal,
    onProgress: (done, total) =>
      run.report(l10n.t("Archiving {0}", formatCount.keys(total)), (100 * done) / total),
  });
  const { result } = outcome;
  app.log.info(
    `Archived ${result.archived} keys: ${ticked.map((key) => projectKeyLabel(open, key)).join(", ")}`,
  );
  const message = l10n.t("Archived {0}. Pushing a key restores it.", formatCount.keys(result.archived));
  record(app, open, message, outcome);
  const back = { folder: open.root, hashes: ticked.map(({ hash }) => hash) };
  const restoreAction = commandAction(l10n.t("Restore"), "projectTranslations.restore", back);
  if (!run.quiet) offerActions(showInformation, message, restoreAction);
  return { outcome: result.archived === 0 ? "unchanged" : "done", result };
};

const restore: Command<ArchiveOptions, { readonly result: SyncResult }> = async (app, options, run) => {
  const { open, client } = await chooseSignedIn(app, options, "write");
  run.report(l10n.t("Reading keys"));
  const wanted = options.hashes === undefined ? null : new Set(options.hashes);
  const found = await allKeys(client, { archived: true }, { signal: run.signal, priority: "person" });
  const archived = found.filter((key) => key.archived && (wanted === null || wanted.has(key.hash)));
  run.pause();
  // A key without a source text cannot be sent.
  const keys = archived.filter((key) => restoredKey(key) !== null);
  if (keys.length === 0) {
    if (!run.quiet)
      void showInformation(
        archived.length === 0
          ? l10n.t("No key is archived.")
          : l10n.t("No archived key has a source text, so none can be restored."),
      );
    return { outcome: "unchanged", result: emptySyncResult() };
  }
  const ticked = run.quiet ? keys : await pickArchived(projectDisplayName(open), keys, wanted !== null);
  if (ticked === undefined) return { outcome: "cancelled" };
  if (ticked.length === 0) return { outcome: "unchanged", result: emptySyncResult() };
  const title = (count: number): string => l10n.t("Restoring {0}", formatCount.keys(count));
  run.report(title(ticked.length), 0);
  const outcome = await syncWithPartialResult(
    client,
    { keys: ticked.flatMap((key) => restoredKey(key) ?? []) },
    {
      signal: run.signal,
      expected: ticked.map(({ hash }) => ({ hash, count: "restored" })),
      onProgress: (done, total) => run.report(title(total), (100 * done) / total),
    },
    (list, index) => {
      const key = list === "keys" ? ticked[index] : undefined;
      return key && { namespace: key.namespace, key: key.key, context: key.context };
    },
  );
  const { result } = outcome;
  const message = restoredMessage(result, ticked);
  record(app, open, message, outcome);
  if (!run.quiet) void (result.rejected.length === 0 ? showInformation : showWarning)(message);
  return { outcome: result.restored === 0 ? "unchanged" : "done", result };
};

/** Returns what was restored, and which of the sent keys the service refused. */
export function restoredMessage(
  { restored, rejected }: Pick<SyncResult, "restored" | "rejected">,
  sent: readonly Key[],
): string {
  const done = l10n.t("Restored {0}.", formatCount.keys(restored));
  const [first] = rejected;
  if (first === undefined) return done;
  const key = sent.find(({ hash }) => hash === first.hash);
  const name = key === undefined ? first.hash : keyLabel(key);
  return `${done} ${refusedKeysMessage(name, rejected.length - 1, rejectionReason(first.reason))}`;
}

/**
 * Refreshes the project and records the result.
 *
 * @throws {PartialResultError} if a request failed.
 */
function record(app: App, open: OpenProject, message: string, { result, failure }: SyncOutcome): void {
  void open.refresher.then((refresher) => refresher.refresh({ priority: "person" }));
  app.results.add(open, message, failure === null && result.rejected.length === 0 ? "done" : "partly");
  if (failure === null) return;
  const { error, sent, total } = failure;
  throw partialResultError(message, total - sent, { result }, error);
}

/** Returns the keys that stay checked; `undefined` if the list was dismissed. */
function pickArchived(
  name: string,
  keys: readonly Key[],
  isTicked: boolean,
): Promise<readonly Key[] | undefined> {
  return pickMany(
    l10n.t("Restore which of {0} in {1}?", formatCount.keys(keys.length), name),
    l10n.t("Selected keys are restored with their translations."),
    keys.map((key) => ({
      label: `$(discard) ${labelText(keyLabel(key))}`,
      detail: labelText(key.source.value ?? key.source.forms?.["other"] ?? ""),
      picked: isTicked,
      value: key,
    })),
  );
}
