/** Reports the result of a push: a notification, a log entry, and a document if keys were refused. */
import type { SyncResult } from "../../api/response-schemas.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { PushItem } from "../../sync/push/push-plan.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { documentMarkdown } from "../../vscode/ui/text/escape-text.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { rejectionReason } from "../../vscode/ui/text/error-messages.ts";
import { showInformation, showWarning, offerActions } from "../../vscode/notifications.ts";
import { projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";

export interface PushReport {
  readonly items: readonly PushItem[];
  readonly archive: readonly ProjectKey[];
  readonly result: SyncResult;
  /** Only writes to the log. */
  readonly quiet: boolean;
  /** A later request failed; its error message includes the result. */
  readonly partial: boolean;
}

/** Shows the result and returns the message. Does not wait for the user. */
export function showPushed(app: App, open: OpenProject, pushed: PushReport): string {
  const { result, quiet, partial } = pushed;
  const message = sentenceOf(open, result);
  app.log.info(`${partial ? "Pushed in part. " : ""}${message}`);
  for (const { hash, reason } of result.rejected)
    app.log.warn(`Not taken: ${nameOfHash(open, pushed, hash)}: ${reason}`);
  app.results.add(open, message, partial || result.rejected.length > 0 ? "partly" : "done");
  if (quiet) return message;
  if (result.rejected.length === 0) {
    if (!partial) void showInformation(message);
    return message;
  }
  const act = () => app.virtualDocuments.open("push.md", reportOf(open, pushed));
  offerActions(showWarning, message, { label: l10n.t("Show Details"), act });
  return message;
}

function sentenceOf(
  open: OpenProject,
  { created, updated, restored, unchanged, archived, rejected }: SyncResult,
): string {
  const parts = [
    [created, l10n.t("{0} created", created)],
    [updated, l10n.t("{0} updated", updated)],
    [restored, l10n.t("{0} restored", restored)],
    [unchanged, l10n.t("{0} unchanged", unchanged)],
    [archived, l10n.t("{0} archived", archived)],
    [rejected.length, l10n.t("{0} refused", rejected.length)],
  ] as const;
  const message = parts.filter(([count]) => count > 0).map(([, message]) => message);
  return l10n.t(
    "Pushed to {0}: {1}.",
    projectDisplayName(open),
    message.length === 0 ? l10n.t("nothing changed") : message.join(", "),
  );
}

function reportOf(open: OpenProject, pushed: PushReport): string {
  const lines = [`# ${documentMarkdown(sentenceOf(open, pushed.result))}`, ""];
  for (const { hash, reason } of pushed.result.rejected) {
    lines.push(`- ${documentMarkdown(`${nameOfHash(open, pushed, hash)}: ${rejectionReason(reason)}`)}`);
  }
  return `${lines.join("\n")}\n`;
}

function nameOfHash(open: OpenProject, { items, archive }: PushReport, hash: string): string {
  const name = items.find((item) => item.hash === hash)?.name ?? archive.find((key) => key.hash === hash);
  return name === undefined ? hash : projectKeyLabel(open, name);
}
