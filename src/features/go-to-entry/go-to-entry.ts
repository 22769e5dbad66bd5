/** Go to entry: opens the local file of a key with its text selected; the source's, or another language's. */
import * as vscode from "vscode";
import type { App } from "../../host/app.ts";
import { keyOf, type KeyOptions } from "../../host/key-options.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.goToEntry`; `locale` is the service's, default the source. */
export interface GoToEntryOptions extends CommonOptions, KeyOptions {
  readonly locale?: string;
}

/** Registers `projectTranslations.goToEntry`. */
export function registerGoToEntry(app: App): void {
  app.command(
    "projectTranslations.goToEntry",
    l10n.t("Go to entry"),
    async (options: GoToEntryOptions, run): Promise<CommandResult<{ file: string }>> => {
      const open = await app.projects.choose(options);
      if (open === undefined) return { outcome: "cancelled" };
      const name = keyOf(options);
      const { sourceLocale } = await open.local.load(run.signal);
      const wanted = open.local.find(name.hash, options.locale ?? sourceLocale);
      const entry = wanted ?? open.local.find(name.hash, sourceLocale);
      if (entry === undefined) {
        throw new CommandError(
          "not_found",
          l10n.t(
            "The key {0} is in no local translation file. Pull, or add it to the source file.",
            name.key,
          ),
        );
      }
      const uri = vscode.Uri.joinPath(open.root, entry.path);
      const document = await vscode.workspace.openTextDocument(uri);
      const { start, end } = entry.entry.valueSpan;
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      await vscode.window.showTextDocument(document, { selection: range, preview: true });
      return { outcome: "done", file: entry.path };
    },
  );
}
