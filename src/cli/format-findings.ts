/** Findings as text, JSON, SARIF 2.1.0, or commands of GitHub's workflows. */
import { pathToFileURL } from "node:url";
import { l10n } from "../util/l10n.ts";
import type { CheckFinding, Severity } from "./check.ts";

export const FINDING_FORMATS = ["text", "json", "sarif", "github"] as const;
export type FindingFormat = (typeof FINDING_FORMATS)[number];

export interface FindingsReport {
  readonly findings: readonly CheckFinding[];
  /** What the paths of the findings are relative to. */
  readonly folder: string;
  /** Of this program. */
  readonly version: string;
}

/** Returns the findings in a format, without a line break at the end. */
export function formatFindings(format: FindingFormat, report: FindingsReport): string {
  switch (format) {
    case "text":
      return [...report.findings.map(findingLine), summary(report.findings)].join("\n");
    case "json":
      return JSON.stringify({ findings: report.findings }, null, 2);
    case "sarif":
      return JSON.stringify(sarif(report), null, 2);
    case "github":
      return [...report.findings.map(githubCommand), summary(report.findings)].join("\n");
  }
}

function findingLine({ path, line, column, severity, code, message }: CheckFinding): string {
  return `${path}:${line}:${column}: ${severity}: ${message} [${code}]`;
}

function summary(findings: readonly CheckFinding[]): string {
  const count = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  return findings.length === 0
    ? l10n.t("No problems were found.")
    : l10n.t("Errors: {0}, warnings: {1}, notes: {2}", count("error"), count("warning"), count("note"));
}

const GITHUB_COMMANDS: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  note: "notice",
};

function githubCommand({
  path,
  line,
  column,
  endLine,
  endColumn,
  severity,
  code,
  message,
}: CheckFinding): string {
  const property = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  // Columns are only allowed on one line.
  const columns = line === endLine ? `,col=${column},endColumn=${endColumn}` : "";
  const where = `file=${property(path)},line=${line},endLine=${endLine}${columns},title=${property(code)}`;
  return `::${GITHUB_COMMANDS[severity]} ${where}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** SARIF 2.1.0, section 3.13. */
function sarif({ findings, folder, version }: FindingsReport): object {
  const codes = [...new Set(findings.map(({ code }) => code))].toSorted();
  return {
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "project-translations", version, rules: codes.map((id) => ({ id })) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(folder).href.replace(/\/$/u, "")}/` } },
        results: findings.map(({ path, line, column, endLine, endColumn, severity, code, message }) => ({
          ruleId: code,
          ruleIndex: codes.indexOf(code),
          level: severity,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: {
                  uri: path.split("/").map(encodeURIComponent).join("/"),
                  uriBaseId: "SRCROOT",
                },
                region: { startLine: line, startColumn: column, endLine, endColumn },
              },
            },
          ],
        })),
      },
    ],
  };
}
