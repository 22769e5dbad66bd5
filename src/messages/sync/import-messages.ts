/** What is said of the results of imports. */
import type { ApiError } from "../../api/errors.ts";
import type { Job } from "../../api/response-schemas.ts";
import { CommandError, type NextAction } from "../../commands/command-types.ts";
import type { RefusedFile } from "../../sync/import/send-import.ts";
import { l10n } from "../../util/l10n.ts";
import { withFullStop } from "../error-messages.ts";
import { importCounts } from "../job-messages.ts";
import { programText } from "../program-texts.ts";
import { fileNamesText, firstPathsText } from "./file-names.ts";

/** Returns the message for a cancelled import whose files were sent, but not answered yet. */
export function sentMessage(files: readonly { readonly path: string }[]): string {
  const names = fileNamesText(files);
  return (
    programText("sent", names) ??
    l10n.t(
      "Before you cancelled, {0} had been sent, and the service has not answered yet. If it accepts the import, you can follow it in Activity: look there before you import again.",
      names,
    )
  );
}

/** Returns the message for uploads without a usable answer: their jobs are unknown, since no endpoint lists jobs. */
export function unansweredMessage(
  files: readonly { readonly path: string }[],
  { status, serviceMessage }: Pick<ApiError, "status" | "serviceMessage">,
): string {
  const names = fileNamesText(files);
  const answer =
    status === undefined
      ? l10n.t("The service did not answer the upload of {0}.", names)
      : l10n.t(
          "The service answered the upload of {0} with an error: {1}",
          names,
          withFullStop(serviceMessage ?? String(status)),
        );
  return `${answer} ${l10n.t("The import may be running anyway: check in a minute whether the texts are there before you import again.")}`;
}

/** Returns the message for a cancelled import whose last job continues. `unsent`: files that were not uploaded. */
export function remainingText(unsent: readonly { readonly path: string }[]): string {
  const message = l10n.t("The import continues on the service. You can follow it in Activity.");
  return `${message} ${unsentText(unsent)}`.trim();
}

/** Returns which files were not uploaded; empty without any. */
export function unsentText(unsent: readonly { readonly path: string }[]): string {
  return unsent.length === 0 ? "" : l10n.t("Not sent: {0}.", firstPathsText(unsent.map(({ path }) => path)));
}

/** The files of one upload request and its job. */
export interface ImportedUpload {
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

/** Returns what the service said of each refused file. */
export function refusedFileMessages(
  refused: readonly RefusedFile[],
): readonly { readonly path: string; readonly message: string }[] {
  return refused.map(({ path, messages }) => {
    const message = messages.join(" ");
    return { path, message: message.includes(path) ? message : `${path}: ${message}` };
  });
}

/**
 * Returns the error for files that the service refused (§ POST /imports rule 2).
 * @param isFirst nothing was imported before
 */
export function refusedFilesError(
  refused: readonly RefusedFile[],
  isFirst: boolean,
  step?: NextAction,
): CommandError {
  const reasons = refusedFileMessages(refused)
    .map(({ message }) => withFullStop(message))
    .join(" ");
  return new CommandError(
    "invalid",
    isFirst
      ? l10n.t(
          "Nothing was imported. The service refused this: {0} Fix or exclude this file, then try again.",
          reasons,
        )
      : l10n.t("The service refused this: {0} Fix or exclude this file, then try again.", reasons),
    { status: 422, errors: Object.fromEntries(refused.map(({ path, messages }) => [path, messages])) },
    step,
  );
}

/** Returns the message for a job that the service no longer knows. */
export function vanishedJobMessage(): string {
  return l10n.t("The service no longer knows this import. Check the project on the service’s website.");
}
