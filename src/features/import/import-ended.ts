/** What came of an import, told in all the places where a person looks for it. */
import type { UnattendedEnd } from "../../sync/jobs.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { nameOf } from "../../vscode/command-requirements.ts";
import { showInformation, showWarning } from "../../vscode/notifications.ts";
import { l10n } from "../../vscode/l10n.ts";
import { failureMessage, importedMessage, type ImportedUpload } from "./import-messages.ts";

/** Tells of an import that succeeded. Waits for no answer. */
export function showImported(
  app: App,
  open: OpenProject,
  uploads: readonly ImportedUpload[],
  quiet: boolean,
): void {
  const message = importedMessage(nameOf(open), uploads);
  // Its job stands in Activity, with what came of it.
  app.log.info(message);
  if (!quiet) void showInformation(message);
}

/** The job of an import ended while no command waits for it, after a reload as a rule. */
export function importEnded(app: App, open: OpenProject, { kind, job, purpose }: UnattendedEnd): void {
  if (purpose.kind !== "import") return;
  const { subject, quiet = false } = purpose;
  void open.refresher.then((refresher) => refresher.refresh({ priority: "person" }));
  if (kind === "ended" && job.status === "succeeded") {
    showImported(app, open, [{ files: subject.map((path) => ({ path })), job }], quiet);
    return;
  }
  const message =
    kind === "vanished"
      ? l10n.t("The service no longer knows this import. Check the project on the service’s website.")
      : failureMessage(job);
  app.log.warn(message);
  if (kind === "vanished") app.results.add(open, message, "failed");
  if (!quiet) void showWarning(message);
}
