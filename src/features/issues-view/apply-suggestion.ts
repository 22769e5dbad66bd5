/** Applies the suggestion of a QA issue, with the version that was read, so that no concurrent change is overwritten. */
import { commands, window } from "vscode";
import { hasSuggestion, textWithSuggestion, type KeyIssue } from "../../sync/qa-issues.ts";
import type { App } from "../../vscode/app.ts";
import { labelText } from "../../vscode/ui/text/markdown.ts";
import {
  CommandError,
  type CommandResult,
  type CommonOptions,
} from "../../vscode/commands/command-result.ts";
import { keyLabel } from "../../vscode/ui/text/text-label.ts";
import { l10n } from "../../vscode/l10n.ts";

interface ApplyOptions extends CommonOptions {
  /** The issue of the tree row. */
  readonly issue?: KeyIssue;
}

/** Registers `projectTranslations.applySuggestion`, an action of issue rows. */
export function registerApplySuggestion(app: App): void {
  app.command("projectTranslations.applySuggestion", l10n.t("Apply Suggestion"), apply);
}

async function apply(_app: App, { folder, issue, confirm }: ApplyOptions): Promise<CommandResult> {
  if (issue === undefined || !hasSuggestion(issue)) {
    throw new CommandError("not_found", l10n.t("There is no suggestion here. Choose an issue that has one."));
  }
  const { locale, namespace, key, context, row } = issue;
  // Interactively, the user resolves a conflict.
  const command = confirm === false ? "setTranslation" : "editTranslation";
  const result = await commands.executeCommand<CommandResult>(`projectTranslations.${command}`, {
    folder,
    locale,
    namespace,
    key,
    context,
    ...textWithSuggestion(issue),
    version: row.version,
    ...(confirm === undefined ? {} : { confirm }),
  });
  if (result.outcome === "done" && confirm !== false) {
    window.setStatusBarMessage(
      l10n.t("{0} ({1}): suggestion applied", labelText(keyLabel(issue)), locale),
      5000,
    );
  }
  return result;
}
