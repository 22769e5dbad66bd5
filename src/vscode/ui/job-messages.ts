/** Why a job failed, in a few words for a row. What to do about it is told by the feature that began the job. */
import type { Job } from "../../api/schemas.ts";
import { counted } from "./counts.ts";
import { number } from "./error-messages.ts";
import { l10n } from "../l10n.ts";

/**
 * What imports did, in counts. "Fields of a job's result object: not shown (the import counters appear only in the
 * `import.finished` event payload)": under those names they are told where they come.
 */
export function importCounts(jobs: readonly Job[]): string[] {
  const sum = (counter: string): number =>
    jobs.reduce((total, { result }) => {
      const counters: Record<string, unknown> = result !== null && !Array.isArray(result) ? result : {};
      const count = counters[counter];
      return total + (typeof count === "number" ? count : 0);
    }, 0);
  const message = [
    [sum("newKeys"), counted.newKeys],
    [sum("newTranslations"), counted.newTranslations],
    [sum("changedTranslations"), (count: number) => l10n.t("{0} changed", number(count))],
    [sum("unchanged"), (count: number) => l10n.t("{0} unchanged", number(count))],
    [sum("skipped"), (count: number) => l10n.t("{0} skipped", number(count))],
    [sum("placeholderErrors"), counted.placeholderErrors],
  ] as const;
  return message.flatMap(([count, message]) => (count > 0 ? [message(count)] : []));
}

/** "Complete list of job error codes: not shown": an unknown one is told in the service's own words. */
export function jobErrorMessage({ error }: Job): string {
  switch (error?.code) {
    case undefined:
      return l10n.t("failed");
    case "too_many_lines":
      return l10n.t("failed: more than 50,000 lines");
    case "key_limit_reached":
      return l10n.t("failed: the key limit is reached");
    case "needs_mapping":
      return l10n.t("failed: the columns are not mapped yet");
    case "keys_only_mixed":
      return l10n.t("failed: a spreadsheet of keys cannot be imported with other files");
    case "zip_slip":
      return l10n.t("failed: the zip is not safe");
    default:
      return l10n.t("failed: {0}", error?.message ?? "");
  }
}
