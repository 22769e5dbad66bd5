/** The result of a command as people see it: a row in Activity, a notification and a line in the log. */
import type { RowKind } from "../../commands/row-menus.ts";
import type { App } from "../app.ts";
import { showInformation, showWarning, offerActions } from "../notifications.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { listDocument } from "../../messages/escape-text.ts";
import { l10n } from "../../util/l10n.ts";
import { partialResultError } from "../../messages/error-messages.ts";
import type { CommandRun, NextAction, PartialResultError } from "../../commands/command-types.ts";

interface ReportOptions {
  /** Whether a part of the work was refused or skipped, so that a warning is shown. */
  readonly isPartial?: boolean;
  /** Offered in the notification. */
  readonly actions?: readonly NextAction[];
  /** A list that the action Show Details opens; `name`: of its document. */
  readonly details?: { readonly name: string; readonly lines: readonly string[] };
  /** Default: the message. */
  readonly notification?: string;
  /** The kind of the row, if it has a menu. */
  readonly rowKind?: RowKind | undefined;
}

/** Reports what a command did; a quiet one shows no notification. Does not wait for the user. */
export function reportResult(
  app: App,
  open: OpenProject,
  { quiet }: Pick<CommandRun, "quiet">,
  message: string,
  { isPartial = false, actions = [], details, notification = message, rowKind }: ReportOptions = {},
): void {
  app.log.info(message);
  app.results.add(open, message, isPartial ? "partly" : "done", rowKind);
  if (quiet) return;
  const allActions = [...actions];
  if (details !== undefined && details.lines.length > 0) {
    const act = () => app.virtualDocuments.open(details.name, listDocument(message, details.lines));
    allActions.unshift({ label: l10n.t("Show Details"), act });
  }
  offerActions(isPartial ? showWarning : showInformation, notification, ...allActions);
}

/**
 * Adds what a command did before it failed to Activity, and returns the error that ends it. Parameters as in
 * `partialResultError`.
 */
export function reportPartialResult(
  app: App,
  open: OpenProject,
  done: string,
  rest: number,
  fields: object,
  cause: unknown,
): PartialResultError {
  app.results.add(open, done, "partly");
  return partialResultError(done, rest, fields, cause);
}
