/** The error of a write that would have overwritten a change of somebody else. */
import { CommandError } from "../commands/command-result.ts";
import { l10n } from "../l10n.ts";

/** @param paths of the files that were changed since they were read */
export function fileChangedError(paths: readonly string[]): CommandError {
  return new CommandError(
    "file_changed",
    l10n.t("{0} was changed in the meantime, so nothing was written. Try again.", paths.join(", ")),
  );
}
