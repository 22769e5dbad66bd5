/** Applies the service's own suggestion for an issue, with the version that was read, so that nobody is run over. */
import { commands, window } from "vscode";
import { fixedText, type IssueOfKey } from "../../sync/qa-issues.ts";
import type { App } from "../../vscode/app.ts";
import { labelText } from "../../vscode/markdown.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../vscode/command-result.ts";
import { keyLabel } from "../../vscode/ui/text-label.ts";
import { hasSuggestion } from "../../vscode/ui/tree-rows.ts";
import { l10n } from "../../vscode/l10n.ts";

interface ApplyOptions extends CommonOptions {
  /** The row's issue. */
  readonly issue?: IssueOfKey;
}

/** Registers `projectTranslations.applySuggestion`, an action of issue rows. */
export function registerApplySuggestion(app: App): void {
  app.command("projectTranslations.applySuggestion", l10n.t("Apply Suggestion"), (options: ApplyOptions) =>
    apply(options),
  );
}

async function apply({ folder, issue, confirm }: ApplyOptions): Promise<CommandResult> {
  if (issue === undefined || !hasSuggestion(issue)) {
    throw new CommandError("not_found", l10n.t("There is no suggestion here. Choose an issue that has one."));
  }
  const { locale, namespace, key, context, row } = issue;
  // Where a person may be asked, a conflict is theirs to decide.
  const command = confirm === false ? "setTranslation" : "editTranslation";
  const result = await commands.executeCommand<CommandResult>(`projectTranslations.${command}`, {
    folder,
    locale,
    namespace,
    key,
    ...(context === null ? {} : { context }),
    ...fixedText(issue),
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
