/**
 * The one entry point to notifications. VS Code makes links of what looks like one in them, also such that run a command, so
 * names of files and words of the service pass through here and come out as plain text.
 */
import { window } from "vscode";
import { labelText } from "./markdown.ts";

/** Tells that something is done. Out: the label of the action that was chosen, if any was. */
export function showInformation(
  message: string,
  ...actions: readonly string[]
): Thenable<string | undefined> {
  return window.showInformationMessage(labelText(message), ...actions);
}

/** Tells what a person should look at. */
export function showWarning(message: string, ...actions: readonly string[]): Thenable<string | undefined> {
  return window.showWarningMessage(labelText(message), ...actions);
}

/** Tells what went wrong. */
export function showError(message: string, ...actions: readonly string[]): Thenable<string | undefined> {
  return window.showErrorMessage(labelText(message), ...actions);
}
