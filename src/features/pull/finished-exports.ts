/** Exports whose job ended while no pull was waiting for them, usually after a reload. */
import { commands } from "vscode";
import type { Job } from "../../api/response-schemas.ts";
import type { UnattendedEnd } from "../../sync/poll-jobs.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { showInformation, showWarning, offerActions } from "../../vscode/notifications.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Returns the message for an export that failed. */
export function failedExportMessage({ error }: Job): string {
  return error === null
    ? l10n.t("The service did not finish the export. Try again.")
    : l10n.t("The service could not build the export: {0}", error.message);
}

/** Continues the pull that was waiting when the window closed; offers it if the user had cancelled waiting. */
export function exportEnded(app: App, open: OpenProject, { kind, job, purpose }: UnattendedEnd): void {
  if (purpose.kind !== "export") return;
  const { subject, quiet = false, request } = purpose;
  const [profile = ""] = subject;
  if (kind === "ended" && job.status === "succeeded") {
    const pull = (): Thenable<unknown> =>
      commands.executeCommand("projectTranslations.pull", {
        folder: open.root,
        profile,
        locales: request?.locales,
        missing: request?.missing,
        confirm: !quiet,
      });
    if (request !== undefined) void pull();
    else if (!quiet) {
      const message = l10n.t("The export {0} is ready.", labelText(profile));
      offerActions(showInformation, message, { label: l10n.t("Pull"), act: pull });
    }
    return;
  }
  const message =
    kind === "vanished"
      ? l10n.t("The service no longer knows this export. Pull again.")
      : failedExportMessage(job);
  app.log.warn(message);
  app.results.add(open, message, "failed");
  if (!quiet) void showWarning(message);
}
