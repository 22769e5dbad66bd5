/**
 * The only module that shows notifications. VS Code renders links in notifications, including command links, so messages
 * are escaped here: they may contain file names and texts of the service.
 */
import { window } from "vscode";
import { labelText } from "./ui/text/markdown.ts";

/** Shows an information message. Resolves to the label of the chosen action, if any. */
export function showInformation(
  message: string,
  ...actions: readonly string[]
): Thenable<string | undefined> {
  return window.showInformationMessage(labelText(message), ...actions);
}

/** Shows a warning. Resolves to the label of the chosen action, if any. */
export function showWarning(message: string, ...actions: readonly string[]): Thenable<string | undefined> {
  return window.showWarningMessage(labelText(message), ...actions);
}

/** Shows an error. Resolves to the label of the chosen action, if any. */
export function showError(message: string, ...actions: readonly string[]): Thenable<string | undefined> {
  return window.showErrorMessage(labelText(message), ...actions);
}
