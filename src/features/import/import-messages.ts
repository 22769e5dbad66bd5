/** What is shown of the results of imports, with the actions that may fix a failure. */
import { importCommand } from "../../commands/declarations/sync-commands.ts";
import type { RefusedFile } from "../../sync/import/send-import.ts";
import { labelText } from "../../messages/escape-text.ts";
import { l10n } from "../../util/l10n.ts";
import * as vscode from "vscode";
import type { ImportFields } from "../../api/endpoints.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOneOrNone } from "../../vscode/ui/input/quick-pick.ts";
import { refreshInBackground } from "../../vscode/projects/refresh-project.ts";
import type { NextAction } from "../../commands/command-types.ts";
import type { FoundFile } from "../../operations/find-import-files.ts";
import {
  failureMessage,
  type ImportedUpload,
  importedMessage,
  refusedFileMessages,
  vanishedJobMessage,
} from "../../messages/sync/import-messages.ts";
import type { UnattendedEnd } from "../../sync/poll-jobs.ts";
import type { App } from "../../vscode/app.ts";
import { projectDisplayName } from "../../messages/labels.ts";
import { showInformation, showWarning, commandAction } from "../../vscode/notifications.ts";

/** Returns the action that opens one of the files that the service refused. */
export function openRefusedFile(refused: readonly RefusedFile[], files: readonly FoundFile[]): NextAction {
  const named = refusedFileMessages(refused);
  const pickFile = (): Promise<string | undefined> =>
    pickOneOrNone(
      l10n.t("Import: refused files"),
      l10n.t("Fix or exclude these files, then try again."),
      named.map(({ path, message }) => ({
        label: `$(file) ${labelText(path)}`,
        detail: labelText(message),
        value: path,
      })),
    );
  const act = async (): Promise<void> => {
    const path = named.length === 1 ? named[0]?.path : await pickFile();
    const chosen = files.find((file) => file.path === path);
    if (chosen !== undefined)
      await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(chosen.file));
  };
  return { label: named.length === 1 ? l10n.t("Open File") : l10n.t("Show Files"), act };
}

/** Returns the action that may fix a failed job, by its error code. */
export function remedyFor(
  app: App,
  code: string | undefined,
  { root }: OpenProject,
  files: readonly FoundFile[],
  fields: ImportFields,
): NextAction | undefined {
  const again = (label: string, changed: ImportFields = {}): NextAction => {
    const options = {
      folder: root,
      files: files.map(({ file }) => vscode.Uri.file(file)),
      ...fields,
      ...changed,
    };
    return commandAction(app, label, importCommand, options);
  };
  switch (code) {
    case "key_limit_reached":
      return again(l10n.t("Import Without New Keys"), { createUnknownKeys: false });
    case "needs_mapping":
      return again(l10n.t("Try Again"));
    case "zip_slip": {
      const zip = files.find((file) => /\.zip$/iu.test(file.path));
      const act = () => vscode.commands.executeCommand("revealInExplorer", zip && vscode.Uri.file(zip.file));
      return zip && { label: l10n.t("Show File"), act };
    }
    default:
      return undefined;
  }
}

/** Shows that an import succeeded. Does not wait for the user. */
export function showImported(
  app: App,
  open: OpenProject,
  uploads: readonly ImportedUpload[],
  quiet: boolean,
): void {
  const message = importedMessage(projectDisplayName(open), uploads);
  // The job's row in Activity shows the result as well.
  app.log.info(message);
  if (!quiet) void showInformation(message);
}

/** Reports an import job that ended while no command was waiting for it, usually after a reload. */
export function importEnded(app: App, open: OpenProject, { kind, job, purpose }: UnattendedEnd): void {
  if (purpose.kind !== "import") return;
  const { subject, quiet = false } = purpose;
  refreshInBackground(open);
  if (kind === "ended" && job.status === "succeeded") {
    showImported(app, open, [{ files: subject.map((path) => ({ path })), job }], quiet);
    return;
  }
  const message = kind === "vanished" ? vanishedJobMessage() : failureMessage(job);
  app.log.warn(message);
  if (kind === "vanished") app.results.add(open, message, "failed");
  if (!quiet) void showWarning(message);
}
