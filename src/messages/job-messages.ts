/** Short messages about jobs, for tree rows. The feature that started a job says what to do about a failure. */
import type { Job } from "../api/response-schemas.ts";
import { formatCount, formatNumber } from "./counts-and-times.ts";
import { l10n } from "../util/l10n.ts";

/**
 * Returns the counts of import jobs. "Fields of a job's result object: not shown (the import counters appear only in the
 * `import.finished` event payload)": counters with the names of that payload are shown if they are present.
 */
export function importCounts(jobs: readonly Job[]): string[] {
  const sum = (counter: string): number =>
    jobs.reduce((total, { result }) => {
      const counters: Record<string, unknown> = result !== null && !Array.isArray(result) ? result : {};
      const count = counters[counter];
      return total + (typeof count === "number" ? count : 0);
    }, 0);
  const counters = [
    [sum("newKeys"), formatCount.newKeys],
    [sum("newTranslations"), formatCount.newTranslations],
    [sum("changedTranslations"), (count: number) => l10n.t("{0} changed", formatNumber(count))],
    [sum("unchanged"), (count: number) => l10n.t("{0} unchanged", formatNumber(count))],
    [sum("skipped"), (count: number) => l10n.t("{0} skipped", formatNumber(count))],
    [sum("placeholderErrors"), formatCount.qaErrors],
  ] as const;
  return counters.flatMap(([count, format]) => (count > 0 ? [format(count)] : []));
}

/** Returns why the job failed. "Complete list of job error codes: not shown": for others, the service's message. */
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

/** Returns the progress of a job, 0 to 100; `undefined` if it is not known. */
export function percentOf({ progress }: Job): number | undefined {
  if (progress === null || progress.total <= 0) return undefined;
  return Math.min(100, Math.floor((progress.done / progress.total) * 100));
}
