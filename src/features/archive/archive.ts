/**
 * Archive: archives keys at the service after a preview. restore.ts restores them, as does a push of the key
 * (§ Key states, "restored").
 */
import { type ArchiveOptions, registerRestore } from "./restore.ts";
import * as vscode from "vscode";
import type { SyncResult } from "../../api/schemas.ts";
import { NO_NAMESPACE } from "../../model/key-identity.ts";
import type { ProjectKey } from "../../database/records.ts";
import { emptySyncResult } from "../../api/batches.ts";
import { sendPush } from "../../sync/push/push.ts";
import { plainText } from "../../model/text.ts";
import type { App, CommandRun } from "../../vscode/app.ts";
import { labelText } from "../../vscode/ui/text/markdown.ts";
import { chooseSignedIn, projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { partialResultError } from "../../vscode/ui/text/error-messages.ts";
import { CommandError, type CommandResult } from "../../vscode/commands/command-result.ts";
import { ensureRefreshed } from "../../vscode/projects/ensure-refreshed.ts";
import { formatCount } from "../../vscode/ui/text/counts.ts";
import { projectKeyLabel } from "../../vscode/ui/text/text-label.ts";
import { pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { offerActions } from "../../vscode/offer-actions.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Registers `projectTranslations.archive`. */
export function registerArchive(app: App): void {
  app.command("projectTranslations.archive", l10n.t("Archive Keys"), archive);
  registerRestore(app);
}

async function archive(
  app: App,
  options: ArchiveOptions,
  run: CommandRun,
): Promise<CommandResult<{ readonly result: SyncResult }>> {
  const { hashes } = options;
  if (!Array.isArray(hashes)) throw new CommandError("invalid", l10n.t("“hashes” is missing."));
  const { open, client } = await chooseSignedIn(app, options, "write");
  run.report(l10n.t("Reading keys"));
  await ensureRefreshed(open, run.signal);
  // Keys that are archived already or do not exist are ignored.
  const keys = [...new Set<string>(hashes)].flatMap((hash) => open.project.keys.get(hash) ?? []);
  if (keys.length === 0) return { outcome: "unchanged", result: emptySyncResult() };
  run.pause();
  const ticked = options.confirm === false ? keys : await confirm(projectDisplayName(open), keys);
  if (ticked === undefined) return { outcome: "cancelled" };
  if (ticked.length === 0) return { outcome: "unchanged", result: emptySyncResult() };
  run.report(l10n.t("Archiving {0}", formatCount.keys(ticked.length)), 0);
  const { result, failure } = await sendPush({ client, project: open.project }, [], ticked, {
    signal: run.signal,
    onProgress: (done, total) =>
      run.report(l10n.t("Archiving {0}", formatCount.keys(total)), (100 * done) / total),
  });
  app.log.info(
    `Archived ${result.archived} keys: ${ticked.map((key) => projectKeyLabel(open, key)).join(", ")}`,
  );
  void open.refresher.then((refresher) => refresher.refresh({ priority: "person" }));
  const message = l10n.t("Archived {0}. Pushing a key restores it.", formatCount.keys(result.archived));
  app.results.add(open, message, failure === null ? "done" : "partly");
  if (failure !== null) {
    const { error, sent, total } = failure;
    throw partialResultError(message, total - sent, { result }, error);
  }
  if (options.confirm !== false) {
    const again = { folder: open.root, hashes: ticked.map(({ hash }) => hash) };
    const act = () => vscode.commands.executeCommand("projectTranslations.restore", again);
    offerActions(showInformation, message, { label: l10n.t("Restore"), act });
  }
  return { outcome: result.archived === 0 ? "unchanged" : "done", result };
}

/** The keys that stay ticked; `undefined`: closed. */
async function confirm(
  name: string,
  keys: readonly ProjectKey[],
): Promise<readonly ProjectKey[] | undefined> {
  return pickMany(
    l10n.t("Archive {0} of {1}?", formatCount.keys(keys.length), name),
    l10n.t("Selected keys are archived. Pushing a key restores it."),
    keys.map((key) => ({
      label: `$(archive) ${labelText(key.key)}`,
      description: key.namespace === NO_NAMESPACE ? "" : labelText(key.namespace),
      detail: labelText(plainText(key.text)),
      picked: true,
      value: key,
    })),
  );
}
