/**
 * Quick fixes: suggestions of the service for QA issues, similar keys for an unknown key, a new entry, and ignoring the
 * problem.
 */
import * as vscode from "vscode";
import type { KeyName } from "../../model/key-hash.ts";
import {
  hasSuggestion,
  textWithSuggestion,
  projectIssues,
  keyIssues,
  type KeyIssue,
} from "../../sync/qa-issues.ts";
import { nearestSpellings } from "../../workspace/usages/key-suggestions.ts";
import { NameWriter } from "../../workspace/refactoring/spell-key-in-code.ts";
import { isForms } from "../../model/text.ts";
import { usageLanguageFor } from "../../scanners/supported-languages.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS } from "../../vscode/projects/document-usages.ts";
import { LOCAL_DOCUMENTS } from "../../vscode/files/translation-file-documents.ts";
import { shortText } from "../../vscode/ui/text/escape-text.ts";
import { keyOptions } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { canWrite } from "../../vscode/commands/command-requirements.ts";
import { l10n } from "../../vscode/l10n.ts";
import { registerFixAll } from "./fix-all.ts";
import { namesOf } from "./code-diagnostics.ts";
import { ignoreCommentEdit, registerIgnore } from "./ignore-diagnostic.ts";
import { codeOf, KeyDiagnostic } from "./key-diagnostic.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";

/** Similar keys offered for an unknown key. */
const MAX_NEAR = 3;
/** Of a text in a title, in characters. */
const IN_TITLE = 60;

/** Registers the quick fixes of this feature's diagnostics. */
export function registerFixes(app: App): void {
  const documents = [CODE_DOCUMENTS, LOCAL_DOCUMENTS].flat() as vscode.DocumentFilter[];
  app.addDisposable(
    vscode.languages.registerCodeActionsProvider(
      documents,
      {
        provideCodeActions: (document, _range, { diagnostics }) =>
          diagnostics.flatMap((diagnostic) =>
            diagnostic instanceof KeyDiagnostic
              ? [...fixesOf(app, document, diagnostic), ...ignoreFixes(app, document, diagnostic)]
              : [],
          ),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  registerFixAll(app);
  registerIgnore(app);
}

function fixesOf(app: App, document: vscode.TextDocument, diagnostic: KeyDiagnostic): vscode.CodeAction[] {
  const { finding, open } = diagnostic;
  switch (finding.kind) {
    case "issue":
      return hasSuggestion(finding.issue)
        ? [
            ...suggestionFixes(open, finding.issue, finding.inFile, diagnostic),
            ...allFixes(app, document, finding.issue, diagnostic),
          ]
        : [];
    case "unknown":
      return [
        ...nearFixes(app, document, diagnostic),
        ...entryFix(app, open, finding.candidates, diagnostic),
      ];
    case "placeholder": {
      const { issue, entry } = finding;
      if (issue.suggestion === "") return [];
      const text = isForms(entry.text)
        ? { forms: { ...entry.text.forms, [issue.form]: issue.suggestion } }
        : { value: issue.suggestion };
      const title = l10n.t("Change to “{0}” in this file", shortText(issue.suggestion, IN_TITLE));
      const options = { ...keyOptions(open, entry.name, entry.locale), ...text };
      return [runs(title, "projectTranslations.setLocal", options, diagnostic)];
    }
    case "unpushed": {
      if (!canWrite(open)) return [];
      const options = { folder: open.root, only: [finding.hash] };
      return [runs(l10n.t("Push this key…"), "projectTranslations.push", options, diagnostic)];
    }
    case "too-long":
    case "file":
      return [];
    case "outdated":
    case "missing": {
      const [locale] = finding.locales;
      const isLocal = open.project.isLocal;
      if (locale === undefined || !(isLocal || canWrite(open))) return [];
      const options = keyOptions(open, finding.key, locale);
      const title =
        finding.kind === "missing" ? l10n.t("Translate into {0}…", locale) : l10n.t("Edit {0}…", locale);
      // Without a service the text is written to the local file.
      const command = isLocal ? "projectTranslations.setLocal" : "projectTranslations.editTranslation";
      return [runs(title, command, options, diagnostic)];
    }
  }
}

/** Fixes that apply the suggestion at the service or, in a translation file, to the file. */
function suggestionFixes(
  open: OpenProject,
  issue: KeyIssue,
  inFile: boolean,
  diagnostic: KeyDiagnostic,
): vscode.CodeAction[] {
  const fixes: vscode.CodeAction[] = [];
  const text = shortText(issue.suggestion ?? "", IN_TITLE);
  if (canWrite(open)) {
    const title = l10n.t("Change {0} to “{1}” in the service", issue.locale, text);
    const fix = runs(title, "projectTranslations.applySuggestion", { folder: open.root, issue }, diagnostic);
    fix.isPreferred = true;
    fixes.push(fix);
  }
  if (inFile) {
    const options = { ...keyOptions(open, issue, issue.locale), ...textWithSuggestion(issue) };
    const title = l10n.t("Change to “{0}” in this file", text);
    fixes.push(runs(title, "projectTranslations.setLocal", options, diagnostic));
  }
  return fixes;
}

/** Fixes that apply all suggestions of the document's keys, or of the language. */
function allFixes(
  app: App,
  document: vscode.TextDocument,
  { locale }: KeyIssue,
  diagnostic: KeyDiagnostic,
): vscode.CodeAction[] {
  const { open } = diagnostic;
  if (!canWrite(open)) return [];
  const fixes: vscode.CodeAction[] = [];
  const hashes = new Set<string>();
  for (const use of app.documentUsages.usagesIn(document)) {
    const lookup = app.documentUsages.resolveKey(open, use);
    if (lookup.kind === "known") hashes.add(lookup.key.hash);
  }
  const here = [...hashes].flatMap((hash) => {
    const key = open.project.keys.get(hash);
    return key === undefined
      ? []
      : keyIssues(key, open.project.translationsOf(key.hash)).filter(hasSuggestion);
  });
  const command = "projectTranslations.applySuggestions";
  if (here.length > 1) {
    const title = l10n.t("Apply all suggestions for the keys in this file…");
    const options = { folder: open.root, hashes: here.map(({ hash }) => hash) };
    fixes.push(runs(title, command, options, diagnostic));
  }
  if (projectIssues(open.project, locale).filter(hasSuggestion).length > 1) {
    const title = l10n.t("Apply all suggestions for {0}…", locale);
    fixes.push(runs(title, command, { folder: open.root, locale }, diagnostic));
  }
  return fixes;
}

/** Fixes that ignore the problem, by a comment or a rule. Problems of the file itself cannot be ignored. */
function ignoreFixes(
  app: App,
  document: vscode.TextDocument,
  diagnostic: KeyDiagnostic,
): vscode.CodeAction[] {
  const { open, finding } = diagnostic;
  if (finding.kind === "file" || finding.kind === "unpushed") return [];
  const fixes: vscode.CodeAction[] = [];
  const found = app.documentUsages.usageAt(document, diagnostic.range.start);
  const edit = found && ignoreCommentEdit(app, document, found);
  if (edit !== undefined) {
    const once = new vscode.CodeAction(l10n.t("Ignore here"), vscode.CodeActionKind.QuickFix);
    once.edit = edit;
    once.diagnostics = [diagnostic];
    fixes.push(once);
  }
  const isInCode = found?.use.expression.kind === "static";
  const key = isInCode
    ? found.use.expression.key
    : finding.kind === "unknown"
      ? undefined
      : namesOf(finding)[0];
  const path = open.relative(document.uri);
  if (path === null || open.file.files === undefined) return fixes;
  const options = { folder: open.root, code: codeOf(finding), path, ...(key === undefined ? {} : { key }) };
  const title = l10n.t("Ignore by a pattern…");
  return [...fixes, runs(title, "projectTranslations.ignoreProblem", options, diagnostic)];
}

function nearFixes(app: App, document: vscode.TextDocument, diagnostic: KeyDiagnostic): vscode.CodeAction[] {
  const found = app.documentUsages.usageAt(document, diagnostic.range.start);
  if (found === undefined || found.use.expression.kind === "pattern") return [];
  const { open, use } = found;
  const language = usageLanguageFor(document.uri.path);
  if (language === undefined) return [];
  const writer = new NameWriter(document.getText(), use, language, app.documentUsages.findOptions(open));
  if (!writer.isQuoted) return [];
  const near = nearestSpellings(found.use.expression.key, MAX_NEAR, {
    names: open.keyNames,
    search: open.keySearch,
    options: app.documentUsages.lookupOptions(open),
    usage: use,
  });
  return near.flatMap((spelling, index) => {
    const written = writer.write(spelling);
    if (written === null) return [];
    const title = l10n.t("Change to “{0}”", shortText(spelling, IN_TITLE));
    const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    fix.edit = new vscode.WorkspaceEdit();
    fix.edit.replace(document.uri, documentRange(document, writer.span), written);
    fix.diagnostics = [diagnostic];
    fix.isPreferred = index === 0;
    return [fix];
  });
}

/** A fix that adds an entry under the name that fits the project's namespaces best. */
function entryFix(
  app: App,
  open: OpenProject,
  candidates: readonly KeyName[],
  diagnostic: KeyDiagnostic,
): vscode.CodeAction[] {
  const names = open.keyNames;
  const fitting = candidates.filter(({ namespace }) => names.hasNamespace(namespace));
  // Laravel tries the JSON key first, but an existing group is the conventional place for the key.
  const laravel = app.documentUsages.lookupOptions(open).frameworks.has("laravel");
  const name =
    (laravel ? fitting.find(({ namespace }) => namespace !== "*") : undefined) ?? fitting[0] ?? candidates[0];
  const locale = open.local.loaded?.sourceLocale;
  if (name === undefined || locale === undefined || (open.file.files ?? []).length === 0) return [];
  const title = l10n.t("Add “{0}” to the translation files…", shortText(name.key, IN_TITLE));
  return [runs(title, "projectTranslations.setLocal", keyOptions(open, name, locale), diagnostic)];
}

function runs(title: string, command: string, options: object, diagnostic: KeyDiagnostic): vscode.CodeAction {
  const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  fix.command = { title, command, arguments: [options] };
  fix.diagnostics = [diagnostic];
  return fix;
}
