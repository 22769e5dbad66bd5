/**
 * Restore: brings archived keys back with the source text and translations that they had. A sync of the key does it
 * (§ Key states: "key sent again with its source text").
 */
import { type CommonOptions, PartlyDone, type CommandResult } from "../../vscode/command-result.ts";
import { allKeys } from "../../api/pages.ts";
import type { Key, SyncKey, SyncResult } from "../../api/schemas.ts";
import { NO_NAMESPACE } from "../../model/key-identity.ts";
import { syncParts } from "../../sync/push.ts";
import type { App, Run } from "../../vscode/app.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { pickMany } from "../../vscode/ui/quick-pick.ts";
import { labelText } from "../../vscode/markdown.ts";
import { chooseSignedIn, nameOf } from "../../vscode/command-requirements.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { partlyDoneMessage } from "../../vscode/ui/error-messages.ts";
import { keyLabel } from "../../vscode/ui/text-label.ts";
import { l10n } from "../../vscode/l10n.ts";

const NOTHING: SyncResult = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };

/** Registers `projectTranslations.restore`; without `hashes` a person chooses among all archived keys. */
export function registerRestore(app: App): void {
  app.command(
    "projectTranslations.restore",
    l10n.t("Restore Archived Keys"),
    (options: ArchiveOptions, run) => restore(app, options, run),
  );
}

async function restore(
  app: App,
  options: ArchiveOptions,
  run: Run,
): Promise<CommandResult<{ readonly result: SyncResult }>> {
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open, client } = chosen;
  run.report(l10n.t("Reading keys"));
  const wanted = options.hashes === undefined ? null : new Set(options.hashes);
  const found = await allKeys(client, { archived: true }, { signal: run.signal, priority: "person" });
  const archived = found.filter((key) => key.archived && (wanted === null || wanted.has(key.hash)));
  run.pause();
  // Without a source text there is nothing to send, and nothing that anybody could miss.
  const keys = archived.filter(({ source }) => source.value != null || source.forms != null);
  if (keys.length === 0) {
    if (options.confirm !== false) void showInformation(l10n.t("No key is archived."));
    return { outcome: "unchanged", result: NOTHING };
  }
  const ticked = options.confirm === false ? keys : await confirm(nameOf(open), keys, wanted !== null);
  if (ticked === undefined) return { outcome: "cancelled" };
  if (ticked.length === 0) return { outcome: "unchanged", result: NOTHING };
  const title = (count: number): string => l10n.t("Restoring {0}", counted.keys(count));
  run.report(title(ticked.length), 0);
  const { result, failure } = await syncParts(
    client,
    { keys: ticked.map(asSent) },
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
  const message = l10n.t("Restored {0}.", counted.keys(result.restored));
  const isWhole = failure === null && result.rejected.length === 0;
  app.results.add(open, message, isWhole ? "done" : "partly");
  if (failure !== null) {
    const { error, sent, total } = failure;
    throw new PartlyDone(partlyDoneMessage(message, total - sent, error), { result }, error);
  }
  if (options.confirm !== false) void showInformation(message);
  return { outcome: result.restored === 0 ? "unchanged" : "done", result };
}

/** As it was, so that the restored key is the old one. */
function asSent({ namespace, key, context, source, description, maxLength, tags }: Key): SyncKey {
  return {
    key,
    ...(namespace === NO_NAMESPACE ? {} : { namespace }),
    ...(context === null || context === "" ? {} : { context }),
    ...(source.forms != null ? { forms: source.forms } : { value: source.value ?? "" }),
    ...(description === null ? {} : { description }),
    ...(maxLength === null ? {} : { maxLength }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}

/** The keys that stay ticked; `undefined`: closed. */
async function confirm(
  name: string,
  keys: readonly Key[],
  isTicked: boolean,
): Promise<readonly Key[] | undefined> {
  return pickMany(
    l10n.t("Restore which of {0} in {1}?", counted.keys(keys.length), name),
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
