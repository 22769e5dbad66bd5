/** Archive: takes keys out of use, reversibly (pushing one again restores it). A person sees which before it is done. */
import * as vscode from "vscode";
import { sendPush } from "../../core/push.ts";
import type { SyncResult } from "../../api/schemas.ts";
import type { App } from "../../host/app.ts";
import { sha1, yieldNow } from "../../host/clock.ts";
import { inOneLine } from "../../host/key-options.ts";
import { chooseSignedIn } from "../../host/needs.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.archive`. */
export interface ArchiveOptions extends CommonOptions {
  readonly hashes?: readonly string[];
}

/** Registers `projectTranslations.archive`. */
export function registerArchive(app: App): void {
  app.command(
    "projectTranslations.archive",
    l10n.t("Archive keys"),
    async (options: ArchiveOptions, run): Promise<CommandResult<{ result: SyncResult }>> => {
      const chosen = await chooseSignedIn(app, options, "write");
      if (chosen === undefined) return { outcome: "cancelled" };
      const { open, client } = chosen;
      if (!open.project.keysComplete) {
        await (await open.refresher).refresh({ priority: "person", signal: run.signal });
      }
      const hashes = [...new Set(options.hashes ?? [])];
      const keys = hashes.flatMap((hash) => open.project.keys.get(hash) ?? []);
      if (keys.length === 0 || keys.length < hashes.length) {
        throw new CommandError(
          "not_found",
          l10n.t(
            "{0} of {1} keys are not active keys of this project, so none was archived. Refresh, then choose again.",
            hashes.length - keys.length,
            hashes.length,
          ),
        );
      }
      if (options.confirm !== false) {
        run.pause();
        const items = keys.map((key) => ({
          label: key.key,
          description: key.namespace === "*" ? "" : key.namespace,
          detail: inOneLine(key.text),
          picked: true,
          key,
        }));
        const picked = await vscode.window.showQuickPick(items, {
          canPickMany: true,
          ignoreFocusOut: true,
          matchOnDetail: true,
          title: l10n.t("Archive {0} keys", keys.length),
          placeHolder: l10n.t("Ticked keys are archived. Pushing a key again restores it."),
        });
        if (picked === undefined || picked.length === 0) return { outcome: "cancelled" };
        keys.splice(0, keys.length, ...picked.map((item) => item.key));
      }
      run.report(l10n.t("Archiving {0} keys", keys.length));
      const needs = { client, project: open.project, sha1, yieldNow };
      const { result, failure } = await sendPush(needs, [], keys, { signal: run.signal });
      void open.refresher.then((refresher) => refresher.refresh({ priority: "person" }));
      if (failure !== null) throw failure.error;
      if (options.confirm !== false) {
        void vscode.window.showInformationMessage(l10n.t("{0} keys were archived.", result.archived));
      }
      return { outcome: "done", result };
    },
  );
}
