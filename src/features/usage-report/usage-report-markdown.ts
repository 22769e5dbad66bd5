/** The usage report as a Markdown document. */
import type { Undeterminable, UsageReport } from "../../workspace/usages/find-unused-keys.ts";
import { formatCount, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { escapeMarkdown, oneLine } from "../../vscode/ui/text/escape-text.ts";
import { keyLabel } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Returns the report; empty sections are omitted. */
export function reportMarkdown(project: string, report: UsageReport): string {
  const { used, unused, undeterminable, open, leftOut } = report;
  const parts = [
    `# ${l10n.t("Usage of keys: {0}", escapeMarkdown(project))}`,
    l10n.t(
      "{0} used, {1} unused, {2} that may be used.",
      formatCount.keys(used.length),
      formatNumber(unused.length),
      formatNumber(undeterminable.length),
    ),
  ];
  const list = (heading: string, lines: readonly string[]): void => {
    if (lines.length > 0) parts.push(`## ${heading}`, lines.map((line) => `- ${line}`).join("\n"));
  };
  list(
    l10n.t("Unused"),
    unused.map((key) => code(keyLabel(key))),
  );
  list(
    l10n.t("May be used"),
    undeterminable.map((each) => `${code(keyLabel(each.key))}: ${undeterminableReason(each, code)}`),
  );
  const openPaths = [...new Set(open.map(({ path }) => path))];
  list(l10n.t("Code whose keys cannot be determined"), openPaths.map(code));
  list(
    l10n.t("Files that were not searched"),
    leftOut.map(({ path, reason }) => `${code(path)} (${reason})`),
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

/** Returns why it cannot be determined whether the key is used. `format`: of the path or the pattern. */
export function undeterminableReason(
  { pattern, path }: Undeterminable,
  format = (text: string): string => text,
): string {
  return pattern === null
    ? l10n.t("named in {0}", format(path ?? ""))
    : l10n.t("may be used by {0}", format(pattern));
}
