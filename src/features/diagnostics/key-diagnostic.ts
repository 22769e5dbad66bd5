/** A problem of a key as the editor shows it, with what its fixes need. */
import * as vscode from "vscode";
import type { IssueOfKey } from "../../core/issues.ts";
import type { KeyName } from "../../core/identity.ts";
import type { OpenProject } from "../../host/app.ts";
import { issueWords } from "../../host/issue-words.ts";
import { oneLine } from "../../host/markdown.ts";
import type { Severity } from "../../host/settings.ts";
import { l10n } from "../../host/words.ts";

/** `source` of every diagnostic. */
export const SOURCE = "Project Translations";

/** What is wrong. */
export type Finding =
  | { readonly kind: "issue"; readonly issue: IssueOfKey; readonly inFile: boolean }
  | { readonly kind: "unknown"; readonly candidates: readonly KeyName[] }
  | { readonly kind: "missing"; readonly key: KeyName; readonly locales: readonly string[] };

export class KeyDiagnostic extends vscode.Diagnostic {
  readonly open: OpenProject;
  readonly finding: Finding;

  constructor(range: vscode.Range, severity: vscode.DiagnosticSeverity, open: OpenProject, finding: Finding) {
    super(range, wordsOf(finding), severity);
    this.source = SOURCE;
    this.code = codeOf(finding);
    this.open = open;
    this.finding = finding;
  }
}

/** The setting's word as VS Code's number; `null`: such problems are not wanted. */
export function severityOf(setting: Severity): vscode.DiagnosticSeverity | null {
  switch (setting) {
    case "off":
      return null;
    case "hint":
      return vscode.DiagnosticSeverity.Hint;
    case "information":
      return vscode.DiagnosticSeverity.Information;
    case "warning":
      return vscode.DiagnosticSeverity.Warning;
    case "error":
      return vscode.DiagnosticSeverity.Error;
  }
}

function codeOf(finding: Finding): string {
  switch (finding.kind) {
    case "issue":
      return finding.issue.rule;
    case "unknown":
      return "unknown-key";
    case "missing":
      return "missing-translation";
  }
}

function wordsOf(finding: Finding): string {
  switch (finding.kind) {
    case "issue":
      return oneLine(`${finding.issue.locale}: ${issueWords(finding.issue)}`);
    case "unknown":
      return l10n.t("Neither the service nor a translation file has this key.");
    case "missing":
      return l10n.t("Not translated: {0}", oneLine(finding.locales.join(", ")));
  }
}
