/** Messages about the results of imports, with the actions that may fix a failure. */
import { importCommand } from "../../commands/declarations/sync-commands.ts";
import type { Job } from "../../api/response-schemas.ts";
import type { RefusedFile } from "../../sync/import/send-import.ts";
import { labelText } from "../../messages/escape-text.ts";
import { importCounts } from "../../messages/job-messages.ts";
import { l10n } from "../../util/l10n.ts";
import * as vscode from "vscode";
import type { ImportFields } from "../../api/endpoints.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOneOrNone } from "../../vscode/ui/input/quick-pick.ts";
import { refreshInBackground } from "../../vscode/projects/refresh-project.ts";
import { withFullStop } from "../../messages/error-messages.ts";
import { CommandError, type NextAction } from "../../commands/command-types.ts";
import type { FoundFile } from "./choose-import-files.ts";
import { fileNamesText, firstPathsText } from "./file-names.ts";
import type { UnattendedEnd } from "../../sync/poll-jobs.ts";
import type { App } from "../../vscode/app.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { showInformation, showWarning, commandAction } from "../../vscode/notifications.ts";

/** Returns the message for a cancelled import whose files were sent, but not answered yet. */
export function sentMessage(files: readonly { readonly path: string }[]): string {
  return l10n.t(
    "{0} was sent before you cancelled, and the service has not answered yet. If it accepts the import, you can follow it in Activity: look there before you import again.",
    fileNamesText(files),
  );
}

/** Returns the message for uploads without a response: their jobs are unknown, since no endpoint lists jobs. */
export function unansweredMessage(files: readonly { readonly path: string }[]): string {
  return l10n.t(
    "{0} was uploaded, but the service did not answer. The import may be running anyway: check in a minute whether the texts are there before you import again.",
    fileNamesText(files),
  );
}

/** Returns the message for a cancelled import whose last job continues. `unsent`: files that were not uploaded. */
export function remainingText(unsent: readonly { readonly path: string }[]): string {
  const message = l10n.t("The import continues on the service. You can follow it in Activity.");
  return unsent.length === 0
    ? message
    : `${message} ${l10n.t("Not sent: {0}.", firstPathsText(unsent.map(({ path }) => path)))}`;
}

/** The files of one upload request and its job. */
interface ImportedUpload {
  readonly files: readonly { readonly path: string }[];
  readonly job: Job;
}

/** Returns the message for uploads that succeeded. */
export function importedMessage(name: string, uploads: readonly ImportedUpload[]): string {
  const imported = fileNamesText(uploads.flatMap(({ files }) => files));
  const counts = importCounts(uploads.map(({ job }) => job));
  return counts.length === 0
    ? l10n.t("Imported {0} into {1}.", imported, name)
    : l10n.t("Imported {0} into {1}: {2}.", imported, name, counts.join(", "));
}

/** Returns the message for a failed import, with what to do next (§ Errors, job error codes). */
export function failureMessage({ error }: Job): string {
  switch (error?.code) {
    case "too_many_lines":
      return l10n.t(
        "The import has more than 50,000 lines (keys times languages). Import fewer files or languages at a time.",
      );
    case "key_limit_reached":
      return l10n.t(
        "The new keys do not fit into the key limit of your plan. Archive keys that are not used, or import without creating keys.",
      );
    case "needs_mapping":
      return l10n.t(
        "The service does not know the columns of this spreadsheet. Save a column mapping for its header row on the service’s website, then import again.",
      );
    case "keys_only_mixed":
      return l10n.t(
        "A spreadsheet that only creates keys cannot be imported together with translation files. Import it by itself.",
      );
    case "zip_slip":
      return l10n.t("The zip contains a path outside its folder. Create it again from files you trust.");
    // "Complete list of job error codes: not shown" (§ Errors).
    default:
      return error === null
        ? l10n.t("The import failed, and the service did not say why. Try again.")
        : l10n.t("The import failed: {0}", error.message);
  }
}

/**
 * Returns the error for files that the service refused (§ POST /imports rule 2), with an action that opens the first one.
 * `isFirst`: nothing was imported before.
 */
export function refusedFilesError(
  refused: readonly RefusedFile[],
  files: readonly FoundFile[],
  isFirst: boolean,
): CommandError {
  const named = refused.map(({ path, messages }) => {
    const message = messages.join(" ");
    return { path, message: message.includes(path) ? message : `${path}: ${message}` };
  });
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
  const show = async (): Promise<void> => {
    const path = named.length === 1 ? named[0]?.path : await pickFile();
    const chosen = files.find((file) => file.path === path);
    if (chosen !== undefined) await vscode.commands.executeCommand("vscode.open", chosen.uri);
  };
  const reasons = named.map(({ message }) => withFullStop(message)).join(" ");
  return new CommandError(
    "invalid",
    isFirst
      ? l10n.t(
          "Nothing was imported. The service refused this: {0} Fix or exclude this file, then try again.",
          reasons,
        )
      : l10n.t("The service refused this: {0} Fix or exclude this file, then try again.", reasons),
    { status: 422, errors: Object.fromEntries(refused.map(({ path, messages }) => [path, messages])) },
    { label: named.length === 1 ? l10n.t("Open File") : l10n.t("Show Files"), act: show },
  );
}

/** Returns the message for a job that the service no longer knows. */
export function vanishedJobMessage(): string {
  return l10n.t("The service no longer knows this import. Check the project on the service’s website.");
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
    const options = { folder: root, files: files.map((file) => file.uri), ...fields, ...changed };
    return commandAction(app, label, importCommand, options);
  };
  switch (code) {
    case "key_limit_reached":
      return again(l10n.t("Import Without New Keys"), { createUnknownKeys: false });
    case "needs_mapping":
      return again(l10n.t("Try Again"));
    case "zip_slip": {
      const zip = files.find((file) => /\.zip$/iu.test(file.path));
      const act = () => vscode.commands.executeCommand("revealInExplorer", zip?.uri);
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
