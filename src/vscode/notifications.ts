/**
 * The only module that shows notifications. VS Code renders links in notifications, including command links, so messages
 * are escaped here: they may contain file names and texts of the service.
 */
import { window } from "vscode";
import type { CommandDeclaration, CommandRunner, OptionsOf } from "../commands/define-command.ts";
import type { NextAction } from "../commands/command-types.ts";
import { showView, type ViewName } from "./ui/tree-view/show-view.ts";
import { labelText } from "../messages/escape-text.ts";

/** Shows a notification. Resolves to the label of the chosen action, if any. */
type Show = (message: string, ...actions: readonly string[]) => Thenable<string | undefined>;

export const showInformation: Show = (message, ...actions) =>
  window.showInformationMessage(labelText(message), ...actions);
export const showWarning: Show = (message, ...actions) =>
  window.showWarningMessage(labelText(message), ...actions);
export const showError: Show = (message, ...actions) =>
  window.showErrorMessage(labelText(message), ...actions);

/** Shows a notification and runs the chosen action. Does not wait for the user. */
export function offerActions(show: Show, message: string, ...actions: readonly NextAction[]): void {
  void show(message, ...actions.map(({ label }) => label)).then((chosen) =>
    actions.find(({ label }) => label === chosen)?.act(),
  );
}

/** Returns an action that runs a declared command. */
export function commandAction<Declared extends CommandDeclaration>(
  app: CommandRunner,
  label: string,
  declaration: Declared,
  options: OptionsOf<Declared>,
): NextAction {
  return { label, act: () => app.run(declaration, options) };
}

/** Returns an action that shows a view. */
export function viewAction(label: string, view: ViewName): NextAction {
  return { label, act: () => showView(view) };
}
