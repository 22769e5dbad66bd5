/** Why a job failed, in a few words for a row. What to do about it is told by the feature that began the job. */
import type { Job } from "../../api/schemas.ts";
import { l10n } from "../l10n.ts";

/** "Complete list of job error codes: not shown": an unknown one is told in the service's own words. */
export function jobErrorWords({ error }: Job): string {
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
      return l10n.t("failed: a spreadsheet of keys cannot go with other files");
    case "zip_slip":
      return l10n.t("failed: the zip is not safe");
    default:
      return l10n.t("failed: {0}", error?.message ?? "");
  }
}
