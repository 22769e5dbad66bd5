/** A usage report as Markdown. */
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import { escapeMarkdown, oneLine } from "../../messages/escape-text.ts";
import { type KeySpelling, projectKeyLabel } from "../../messages/labels.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { l10n } from "../../util/l10n.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { UsageReport } from "../../workspace/usages/find-unused-keys.ts";
import type { OpenCall } from "./open-call-decisions.ts";
import {
  locationText,
  probablyUnusedReason,
  skipReasonText,
  undeterminableReason,
} from "./report-content.ts";

/** Returns the report; empty sections are omitted. */
export function reportMarkdown(
  open: KeySpelling & Pick<OpenProject, "label">,
  report: UsageReport,
  calls: readonly OpenCall[],
): string {
  const nameOf = (key: KeyName): string => code(projectKeyLabel(open, key));
  const { used, unused, probablyUnused, undeterminable, skippedFiles } = report;
  const parts = [
    `# ${l10n.t("Usage of keys: {0}", escapeMarkdown(open.label))}`,
    l10n.t(
      "{0} used, {1} unused, {2} probably unused, {3} that may be used.",
      formatCount.keys(used.length),
      formatNumber(unused.length),
      formatNumber(probablyUnused.length),
      formatNumber(undeterminable.length),
    ),
  ];
  const list = (heading: string, lines: readonly string[]): void => {
    if (lines.length > 0) parts.push(`## ${heading}`, lines.map((line) => `- ${line}`).join("\n"));
  };
  list(
    l10n.t("Unresolved calls"),
    calls.map(({ text, locations, count }) => {
      const where = locations.map((location) => code(locationText(location))).join(", ");
      return `${code(text)} (${where}): ${l10n.t("may mean {0}", formatCount.keys(count))}`;
    }),
  );
  list(
    l10n.t("Unused"),
    unused.map((key) => nameOf(key)),
  );
  list(
    l10n.t("Probably unused"),
    probablyUnused.map((each) => `${nameOf(each.key)}: ${probablyUnusedReason(each, code)}`),
  );
  list(
    l10n.t("May be used"),
    undeterminable.map((each) => `${nameOf(each.key)}: ${undeterminableReason(each, code)}`),
  );
  list(
    l10n.t("Files that were not searched"),
    skippedFiles.map(({ path, reason }) => `${code(path)} (${skipReasonText(reason)})`),
  );
  return `${parts.join("\n\n")}\n`;
}

/** Formats as inline code with a delimiter that does not occur in the text. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const pad = longest > 0 ? " " : "";
  const fence = "`".repeat(longest + 1);
  return `${fence}${pad}${oneLine(text)}${pad}${fence}`;
}
