/** An export whose job ended while no pull waits for it, after a reload as a rule: it is fetched, or told. */
import { commands } from "vscode";
import type { Job } from "../../api/schemas.ts";
import type { UnattendedEnd } from "../../sync/jobs.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { labelText } from "../../vscode/markdown.ts";
import { showInformation, showWarning } from "../../vscode/notifications.ts";
import { l10n } from "../../vscode/l10n.ts";

/** One sentence for an export that the service did not build. */
export function failedExportMessage({ error }: Job): string {
  return error === null
    ? l10n.t("The service did not finish the export. Try again.")
    : l10n.t("The service could not build the export: {0}", error.message);
}

/** Goes on with the pull that waited when the window was closed; whoever gave up waiting is offered to. */
export function exportEnded(app: App, open: OpenProject, { kind, job, purpose }: UnattendedEnd): void {
  if (purpose.kind !== "export") return;
  const { subject, quiet = false, request } = purpose;
  const [profile = ""] = subject;
  if (kind === "ended" && job.status === "succeeded") {
    const pull = (): Thenable<unknown> =>
      commands.executeCommand("projectTranslations.pull", {
        folder: open.root,
        profile,
        ...(request === undefined ? {} : { locales: request.locales }),
        ...(request?.missing === undefined ? {} : { missing: request.missing }),
        ...(quiet ? { confirm: false } : {}),
      });
    if (request !== undefined) void pull();
    else if (!quiet) offer(profile, pull);
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

/** Waits for no answer. */
function offer(profile: string, pull: () => Thenable<unknown>): void {
  const go = l10n.t("Pull");
  void showInformation(l10n.t("The export {0} is ready.", labelText(profile)), go).then((answer) =>
    answer === go ? pull() : undefined,
  );
}
