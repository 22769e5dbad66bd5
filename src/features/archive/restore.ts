/**
 * Restore: restores archived keys with their source texts and translations by a sync (§ Key states: "key sent again with
 * its source text").
 */
import { type CommonOptions, type CommandResult } from "../../vscode/commands/command-result.ts";
import { allKeys } from "../../api/pagination.ts";
import type { Key, SyncResult } from "../../api/schemas.ts";
import { emptySyncResult } from "../../api/batches.ts";
import { syncWithPartialResult } from "../../sync/push/push.ts";
import { restoredKey } from "../../sync/sync-key.ts";
import type { App, CommandRun } from "../../vscode/app.ts";
import { formatCount } from "../../vscode/ui/text/counts.ts";
import { pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { labelText } from "../../vscode/ui/text/markdown.ts";
import { chooseSignedIn, projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { showInformation, showWarning } from "../../vscode/notifications.ts";
import {
  partialResultError,
  refusedKeysMessage,
  rejectionReason,
} from "../../vscode/ui/text/error-messages.ts";
import { keyLabel } from "../../vscode/ui/text/text-label.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Registers `projectTranslations.restore`; without `hashes` the user picks from all archived keys. */
export function registerRestore(app: App): void {
  app.command("projectTranslations.restore", l10n.t("Restore Archived Keys"), restore);
}

async function restore(
  app: App,
  options: ArchiveOptions,
  run: CommandRun,
): Promise<CommandResult<{ readonly result: SyncResult }>> {
  const { open, client } = await chooseSignedIn(app, options, "write");
  run.report(l10n.t("Reading keys"));
  const wanted = options.hashes === undefined ? null : new Set(options.hashes);
  const found = await allKeys(client, { archived: true }, { signal: run.signal, priority: "person" });
  const archived = found.filter((key) => key.archived && (wanted === null || wanted.has(key.hash)));
  run.pause();
  // A key without a source text cannot be sent.
  const keys = archived.filter((key) => restoredKey(key) !== null);
  if (keys.length === 0) {
    if (options.confirm !== false)
      void showInformation(
        archived.length === 0
          ? l10n.t("No key is archived.")
          : l10n.t("No archived key has a source text, so none can be restored."),
      );
    return { outcome: "unchanged", result: emptySyncResult() };
  }
  const ticked =
    options.confirm === false ? keys : await confirm(projectDisplayName(open), keys, wanted !== null);
  if (ticked === undefined) return { outcome: "cancelled" };
  if (ticked.length === 0) return { outcome: "unchanged", result: emptySyncResult() };
  const title = (count: number): string => l10n.t("Restoring {0}", formatCount.keys(count));
  run.report(title(ticked.length), 0);
  const { result, failure } = await syncWithPartialResult(
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
  void open.refresher.then((refresher) => refresher.refresh({ priority: "person" }));
  const message = restoredMessage(result, ticked);
  const isWhole = failure === null && result.rejected.length === 0;
  app.results.add(open, message, isWhole ? "done" : "partly");
  if (failure !== null) {
    const { error, sent, total } = failure;
    throw partialResultError(message, total - sent, { result }, error);
  }
  if (options.confirm !== false) void (isWhole ? showInformation : showWarning)(message);
  return { outcome: result.restored === 0 ? "unchanged" : "done", result };
}

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

/** The keys that stay ticked; `undefined`: closed. */
async function confirm(
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

/** Options of `projectTranslations.archive`. */
export interface ArchiveOptions extends CommonOptions {
  readonly hashes?: readonly string[];
}
