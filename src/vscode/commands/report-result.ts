/** The result of a command as people see it: a row in Activity, a notification and a line in the log. */
import type { App } from "../app.ts";
import { showInformation, showWarning, offerActions } from "../notifications.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { partialResultError } from "../ui/messages/error-messages.ts";
import type { CommandRun, NextAction, PartialResultError } from "./command-types.ts";

interface ReportOptions {
  /** Whether a part of the work was refused or skipped, so that a warning is shown. */
  readonly isPartial?: boolean;
  /** Offered in the notification. */
  readonly actions?: readonly NextAction[];
  /** Default: the message. */
  readonly notification?: string;
  /** The `viewItem` of the row, if it has menu commands. */
  readonly contextValue?: string | undefined;
}

/** Reports what a command did; a quiet one shows no notification. Does not wait for the user. */
export function reportResult(
  app: App,
  open: OpenProject,
  { quiet }: Pick<CommandRun, "quiet">,
  message: string,
  { isPartial = false, actions = [], notification = message, contextValue }: ReportOptions = {},
): void {
  app.log.info(message);
  app.results.add(open, message, isPartial ? "partly" : "done", contextValue);
  if (!quiet) offerActions(isPartial ? showWarning : showInformation, notification, ...actions);
}

/**
 * Adds what a command did before it failed to Activity, and returns the error that ends it; see `partialResultError`.
 */
export function reportPartialResult(
  app: App,
  open: OpenProject,
  ...[done, ...details]: Parameters<typeof partialResultError>
): PartialResultError {
  app.results.add(open, done, "partly");
  return partialResultError(done, ...details);
}
