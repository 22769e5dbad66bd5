/** Messages about what came of an import, and what to do about each code of a failed job. */
import type { Job } from "../../api/schemas.ts";
import { importRemedy } from "../../sync/import.ts";
import { labelText } from "../../vscode/markdown.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { importCounts } from "../../vscode/ui/job-messages.ts";
import { l10n } from "../../vscode/l10n.ts";

/** The first paths, and how many more there are. */
export function shortList(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(", ");
  return paths.length > 3 ? l10n.t("{0} and {1} more", shown, paths.length - 3) : shown;
}

/** What is imported: one file by its path, several by their number. */
export function fileNamesText(files: readonly { readonly path: string }[]): string {
  const [only] = files;
  return only !== undefined && files.length === 1 ? labelText(only.path) : counted.files(files.length);
}

/** Files that were sent without an answer, which nobody can ask for: no endpoint lists the jobs of others. */
export function vanishedJobMessage(files: readonly { readonly path: string }[]): string {
  return l10n.t(
    "{0} was uploaded, but the service did not answer. The import may be running anyway: check in a minute whether the texts are there before you import again.",
    fileNamesText(files),
  );
}

/** The job of the last upload goes on unwatched. `unsent`: files that were to follow. */
export function remainingText(unsent: readonly { readonly path: string }[]): string {
  const message = l10n.t("The import continues on the service. You can follow it in Activity.");
  return unsent.length === 0
    ? message
    : `${message} ${l10n.t("Not sent: {0}.", shortList(unsent.map(({ path }) => path)))}`;
}

/** What one request sent, and its job. */
export interface ImportedUpload {
  readonly files: readonly { readonly path: string }[];
  readonly job: Job;
}

/** One sentence for uploads that succeeded. */
export function importedMessage(name: string, uploads: readonly ImportedUpload[]): string {
  const what = fileNamesText(uploads.flatMap(({ files }) => files));
  const message = importCounts(uploads.map(({ job }) => job));
  if (message.length === 0) return l10n.t("Imported {0} into {1}.", what, name);
  return l10n.t("Imported {0} into {1}: {2}.", what, name, message.join(", "));
}

/** One sentence for a failed import with what to do next (§ Errors, job error codes). */
export function failureMessage({ error }: Job): string {
  switch (importRemedy(error?.code)) {
    case "split":
      return l10n.t(
        "The import has more than 50,000 lines (keys times languages). Import fewer files or languages at a time.",
      );
    case "free-keys":
      return l10n.t(
        "The new keys do not fit into the key limit of your plan. Archive keys that are not used, or import without creating keys.",
      );
    case "save-preset":
      return l10n.t(
        "The service does not know the columns of this spreadsheet. Save a column mapping for its header row in the service’s own pages, then import again.",
      );
    case "import-apart":
      return l10n.t(
        "A spreadsheet that only creates keys cannot be imported together with translation files. Import it by itself.",
      );
    case "check-archive":
      return l10n.t("The zip contains a path outside its folder. Create it again from files you trust.");
    case "other":
      return error === null
        ? l10n.t("The import failed, and the service did not say why. Try again.")
        : l10n.t("The import failed: {0}", error.message);
  }
}
