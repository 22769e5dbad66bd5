/** The calls that hold keys open: their rows in the usage report, and what a person says of them in the project file. */
import * as vscode from "vscode";
import { ignoreCallCommand, limitCallCommand } from "../../commands/declarations/usage-report-commands.ts";
import type { UsageRepository } from "../../database/key-usage-repository.ts";
import type { App, CommandWork, Granted } from "../../vscode/app.ts";
import { CommandError, type CommandRun, requireAnswer } from "../../commands/command-types.ts";
import { reportResult } from "../../vscode/commands/report-result.ts";
import { FileTextCache } from "../../vscode/files/file-text-cache.ts";
import { writeProjectFiles } from "../../vscode/files/write-files.ts";
import { l10n } from "../../util/l10n.ts";
import { showError } from "../../vscode/notifications.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { toFailure } from "../../messages/error-messages.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { labelText } from "../../messages/escape-text.ts";
import type { TreeNode } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { type CallChoice, expressionText } from "../../workspace/usages/call-choices.ts";
import type { UsageReport } from "../../workspace/usages/find-unused-keys.ts";
import { callText, choiceOf, keyPatternsIn, mostHolding } from "./open-call-decisions.ts";

/** A call that may mean several keys. */
export interface OpenCall {
  /** Of the file, relative to the project's folder. */
  readonly path: string;
  /** The expression of the key. */
  readonly key: string;
  /** The call, as far as the key. */
  readonly text: string;
  readonly range: vscode.Range;
  /** Number of keys that it holds open. */
  readonly count: number;
}

/** Returns the calls that hold most keys open and about which nothing is decided, those with most keys first. */
export async function openCallsOf(
  open: OpenProject,
  usages: UsageRepository,
  { heldKeys }: Pick<UsageReport, "heldKeys">,
  choices: readonly CallChoice[],
): Promise<readonly OpenCall[]> {
  const texts = new FileTextCache(open);
  const calls: OpenCall[] = [];
  for (const { reference, count } of mostHolding(usages.openReferences(), heldKeys)) {
    for (const { path, span } of usages.usagesOfPattern(reference)) {
      const read = await texts.read(path);
      if (read === undefined) continue;
      const key = expressionText(read.text, span);
      if (choiceOf(choices, path, key) !== undefined) continue;
      calls.push({ path, key, text: callText(read.text, span), range: read.lines.range(span), count });
    }
  }
  return calls;
}

/** Creates the row of a call; clicking it opens the call. */
export function openCallRow({ root }: OpenProject, call: OpenCall): TreeNode {
  const { path, key, text, range, count } = call;
  const place = `${path}:${range.start.line + 1}`;
  return {
    id: `usage/call/${place}:${range.start.character}`,
    commandOptions: { folder: root, path, key },
    item: () => ({
      label: text,
      description: `${l10n.t("may mean {0}", formatCount.keys(count))} · ${place}`,
      tooltip: `${text}\n${place}`,
      iconPath: new vscode.ThemeIcon("symbol-method"),
      contextValue: "openCall",
      command: {
        command: "vscode.open",
        title: l10n.t("Open"),
        arguments: [vscode.Uri.joinPath(root, path), { selection: range }],
      },
    }),
  };
}

/** Registers the commands of the rows. @param showAgain makes the shown report again */
export function registerOpenCalls(
  app: App,
  showAgain: (app: App, run: CommandRun & Granted<"project">) => Promise<void>,
): void {
  const choose = async (run: CommandRun & Granted<"project">, choice: CallChoice): Promise<void> => {
    const { open } = run;
    const write = await editProjectFile(open, ["usage", "calls", -1], choice);
    const undo = async (): Promise<void> => {
      try {
        if (write.before === undefined) await editProjectFile(open, ["usage"], undefined);
        else
          await writeProjectFiles(open.files, [
            { path: write.path, before: write.after, after: write.before },
          ]);
        await showAgain(app, run);
      } catch (error) {
        void showError(toFailure(error).message);
      }
    };
    await showAgain(app, run);
    const message =
      choice.only === undefined
        ? l10n.t("The usage report ignores {0} in {1}.", labelText(choice.key), labelText(choice.path))
        : l10n.t(
            "{0} in {1} means only {2}.",
            labelText(choice.key),
            labelText(choice.path),
            choice.only.join(", "),
          );
    reportResult(app, open, run, message, { actions: [{ label: l10n.t("Undo"), act: undo }] });
  };
  const limit: CommandWork<typeof limitCallCommand> = async (_app, { path, key, only }, run) => {
    const patterns = only ?? (run.quiet ? [] : await promptForPrefixes(key));
    if (patterns.length === 0)
      throw new CommandError("invalid", l10n.t("Name the keys that the call may mean in “only”."));
    await choose(run, { path, key, only: patterns });
    return { outcome: "done" };
  };
  const ignore: CommandWork<typeof ignoreCallCommand> = async (_app, { path, key }, run) => {
    await choose(run, { path, key });
    return { outcome: "done" };
  };
  app.command(limitCallCommand, limit);
  app.command(ignoreCallCommand, ignore);
}

/** @throws {CommandError} `cancelled` */
async function promptForPrefixes(key: string): Promise<readonly string[]> {
  const typed = await vscode.window.showInputBox({
    title: l10n.t("Which keys may {0} mean?", labelText(key)),
    prompt: l10n.t("Only keys that begin with this; several beginnings are separated by commas."),
    placeHolder: "order.status.",
    ignoreFocusOut: true,
    validateInput: (text) =>
      keyPatternsIn(text).length === 0 ? l10n.t("Type the beginning of the keys.") : null,
  });
  return keyPatternsIn(requireAnswer(typed));
}
