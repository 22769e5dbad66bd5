/** The calls that hold keys open: their rows in the usage report, and what a person says of them in the project file. */
import * as vscode from "vscode";
import { ignoreCallCommand, limitCallCommand } from "../../commands/declarations/usage-report-commands.ts";
import type { UsageRepository } from "../../database/key-usage-repository.ts";
import { encodeText } from "../../formats/text/encoding.ts";
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
import { labelText } from "../../messages/escape-text.ts";
import type { TreeNode } from "../../vscode/ui/tree-view/tree-node.ts";
import { type CallChoice, choiceOf, expressionText } from "../../workspace/usages/call-choices.ts";
import type { UsageReport } from "../../workspace/usages/find-unused-keys.ts";
import {
  callText,
  keyPatternsIn,
  mostHolding,
  type CallLocation,
  type OpenCall,
} from "./open-call-decisions.ts";
import { callLocationContent, openCallContent, locationText } from "./report-content.ts";

/** Returns the calls that hold most keys open and about which nothing is decided, those with most keys first. */
export async function openCallsOf(
  open: OpenProject,
  usages: UsageRepository,
  { heldKeys }: Pick<UsageReport, "heldKeys">,
  choices: readonly CallChoice[],
): Promise<readonly OpenCall[]> {
  const texts = new FileTextCache(open);
  const calls = new Map<string, OpenCall>();
  for (const { reference, count } of mostHolding(usages.openReferences(), heldKeys)) {
    for (const { path, span } of usages.usagesOfPattern(reference)) {
      const read = await texts.read(path);
      if (read === undefined) continue;
      const key = expressionText(read.text, span);
      if (choiceOf(choices, path, key) !== undefined) continue;
      const text = callText(read.text, span);
      const location = { path, range: read.lines.range(span) };
      const equal = calls.get(key);
      calls.set(
        key,
        equal
          ? { ...equal, locations: [...equal.locations, location] }
          : { key, text, locations: [location], count },
      );
    }
  }
  return [...calls.values()];
}

/** Returns the row of a call, with one for each place if there are several; clicking one opens it. */
export function openCallRow({ root }: OpenProject, call: OpenCall): TreeNode {
  const { key, locations } = call;
  const [first, ...others] = locations;
  const opens = ({ path, range }: CallLocation) => ({
    uri: vscode.Uri.joinPath(root, path),
    selection: range,
  });
  const id = `usage/call/${key}`;
  const content = () => openCallContent(call);
  if (others.length === 0)
    return { id, commandOptions: { folder: root, key, path: first.path }, opens: opens(first), content };
  const locationRow = (location: CallLocation): TreeNode => ({
    // Several may be on one line.
    id: `${id}/${locationText(location)}:${location.range.start.character}`,
    commandOptions: { folder: root, key, path: location.path },
    opens: opens(location),
    content: () => callLocationContent(location),
  });
  return { id, commandOptions: { folder: root, key }, content, children: () => locations.map(locationRow) };
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
        // A file that was created stays, empty.
        const after = write.before ?? encodeText({ text: "{}\n", bom: false });
        await writeProjectFiles(open.files, [{ path: write.path, before: write.after, after }]);
        await showAgain(app, run);
      } catch (error) {
        void showError(toFailure(error).message);
      }
    };
    await showAgain(app, run);
    const call =
      choice.path === undefined
        ? labelText(choice.key)
        : l10n.t("{0} in {1}", labelText(choice.key), labelText(choice.path));
    const message =
      choice.only === undefined
        ? l10n.t("The usage report ignores {0}.", call)
        : l10n.t("{0} means only {1}.", call, choice.only.join(", "));
    reportResult(app, open, run, message, { actions: [{ label: l10n.t("Undo"), act: undo }] });
  };
  const limit: CommandWork<typeof limitCallCommand> = async (_app, { path, key, only }, run) => {
    const patterns = only ?? (run.quiet ? [] : await promptForPrefixes(key));
    if (patterns.length === 0)
      throw new CommandError("invalid", l10n.t("Name the keys that the call may mean in “only”."));
    await choose(run, { ...(path !== undefined && { path }), key, only: patterns });
    return { outcome: "done" };
  };
  const ignore: CommandWork<typeof ignoreCallCommand> = async (_app, { path, key }, run) => {
    await choose(run, { ...(path !== undefined && { path }), key });
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
