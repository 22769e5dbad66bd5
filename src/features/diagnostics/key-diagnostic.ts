/** Diagnostics of keys with the data for their quick fixes. */
import * as vscode from "vscode";
import type { PlaceholderIssue } from "../../model/placeholder-checks.ts";
import type { KeyIssue } from "../../sync/qa-issues.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { LocalEntry, LocalProblem } from "../../workspace/local-files/local-entries.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { fileProblemMessage } from "../../vscode/files/file-problem-messages.ts";
import { issueMessage } from "../../vscode/ui/text/issue-messages.ts";
import { oneLine } from "../../vscode/ui/text/escape-text.ts";
import type { Severity } from "../../vscode/extension-settings.ts";
import { l10n } from "../../vscode/l10n.ts";

/** `source` of every diagnostic. */
export const DIAGNOSTIC_SOURCE = "Project Translations";

/** What is wrong. */
export type Finding =
  | { readonly kind: "issue"; readonly issue: KeyIssue; readonly inFile: boolean }
  | { readonly kind: "unknown"; readonly candidates: readonly KeyName[] }
  | { readonly kind: "missing"; readonly key: KeyName; readonly locales: readonly string[] }
  | { readonly kind: "outdated"; readonly key: KeyName; readonly locales: readonly string[] }
  /** For a text that the service does not have. */
  | { readonly kind: "placeholder"; readonly issue: PlaceholderIssue; readonly entry: LocalEntry }
  /** Characters. */
  | { readonly kind: "too-long"; readonly length: number; readonly maxLength: number }
  | { readonly kind: "unpushed"; readonly change: "new" | "changed"; readonly hash: string }
  | { readonly kind: "file"; readonly problem: LocalProblem };

export class KeyDiagnostic extends vscode.Diagnostic {
  readonly open: OpenProject;
  readonly finding: Finding;

  constructor(range: vscode.Range, severity: vscode.DiagnosticSeverity, open: OpenProject, finding: Finding) {
    super(range, oneLine(messageOf(open, finding)), severity);
    this.source = DIAGNOSTIC_SOURCE;
    this.code = codeOf(finding);
    this.open = open;
    this.finding = finding;
  }
}

/** The severities by setting; `null`: not reported. */
export const SEVERITIES: Readonly<Record<Severity, vscode.DiagnosticSeverity | null>> = {
  off: null,
  hint: vscode.DiagnosticSeverity.Hint,
  information: vscode.DiagnosticSeverity.Information,
  warning: vscode.DiagnosticSeverity.Warning,
  error: vscode.DiagnosticSeverity.Error,
};

/** Returns the `code` of the diagnostic: the service's rule, or an id of the extension. */
export function codeOf(finding: Finding): string {
  switch (finding.kind) {
    case "issue":
    case "placeholder":
      return finding.issue.rule;
    case "unknown":
      return "unknown-key";
    case "missing":
      return "missing-translation";
    case "outdated":
      return "outdated-translation";
    case "too-long":
    case "unpushed":
      return finding.kind;
    case "file":
      return finding.problem.code;
  }
}

function messageOf({ project }: OpenProject, finding: Finding): string {
  switch (finding.kind) {
    case "issue":
      return `${finding.issue.locale}: ${issueMessage(finding.issue)}`;
    case "unknown":
      return project.isLocal
        ? l10n.t("No translation file has this key.")
        : l10n.t("Neither the service nor a translation file has this key.");
    case "missing":
      return l10n.t("Not translated: {0}", finding.locales.join(", "));
    case "outdated":
      return l10n.t("Older than the source text: {0}", finding.locales.join(", "));
    case "placeholder":
      return issueMessage(finding.issue);
    case "too-long":
      return l10n.t("{0} characters, of at most {1}.", finding.length, finding.maxLength);
    case "unpushed":
      return finding.change === "new"
        ? l10n.t("Not pushed yet: the service does not have this key.")
        : l10n.t("Not pushed yet: the service has another text.");
    case "file":
      return fileProblemMessage(finding.problem);
  }
}
