/** What is said of a command that failed or was cancelled. */
import { PartialResultError } from "../commands/command-types.ts";
import { toFailure } from "../messages/error-messages.ts";
import { isAbortError } from "../util/abort-error.ts";
import { l10n } from "../util/l10n.ts";

/** @param signal that of the command */
export function failureText(error: unknown, signal: AbortSignal): string {
  const partly = error instanceof PartialResultError ? error : null;
  const cause = partly?.cause ?? error;
  if (signal.aborted && (cause === signal.reason || isAbortError(cause)))
    return partly?.message ?? l10n.t("Cancelled. Nothing was written.");
  return toFailure(cause, partly?.message).message;
}
