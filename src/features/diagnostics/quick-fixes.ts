/**
 * Quick fixes: suggestions of the service for QA issues, similar keys for an unknown key, a new entry, and ignoring the
 * problem.
 */
import { commandLink } from "../../vscode/commands/command-links.ts";
import { pushCommand } from "../../commands/declarations/sync-commands.ts";
import {
  setLocalCommand,
  editTranslationCommand,
  applySuggestionCommand,
  applySuggestionsCommand,
} from "../../commands/declarations/text-commands.ts";
import * as vscode from "vscode";
import { type KeyName, qualifiedNames } from "../../model/key-hash.ts";
import {
  hasSuggestion,
  withSuggestion,
  projectIssues,
  keyIssues,
  type KeyIssue,
} from "../../sync/qa-issues.ts";
import { prefersGroups } from "../../workspace/usages/resolve-usage-to-key.ts";
import { NameWriter } from "../../workspace/refactoring/write-key-in-code.ts";
import { usageLanguageFor } from "../../scanners/supported-source-languages.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS, usageLanguageOf, type DocumentUsage } from "../../vscode/usages/document-usages.ts";
import { LOCAL_DOCUMENTS, localDocument, type LocalDocument } from "../../vscode/files/entry-at-position.ts";
import { shortText, labelText } from "../../messages/escape-text.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { keyOptions } from "../../vscode/ui/input/pick-key.ts";
import { l10n } from "../../util/l10n.ts";
import { KeyDiagnostic, correctedEntries, type CorrectedEntry } from "./compute-diagnostics.ts";
import { describeFinding } from "../../messages/findings.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";
import { decodeText, isUndecodable } from "../../formats/text/encoding.ts";
import { ignoreCommentFor } from "../../workspace/problems/ignored-diagnostics.ts";
import { PROJECT_FILE_NAME, type IgnoreRule } from "../../workspace/project-file/project-file.ts";
import { pickOne, type Choice } from "../../vscode/ui/input/quick-pick.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { CommandError, requireAnswer } from "../../commands/command-types.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import { groupOf, nameOfEntry } from "./quick-fix-decisions.ts";
import { smallestChange } from "../../vscode/files/write-files.ts";
import * as v from "valibot";
import {
  defineCommand,
  resolvesWith,
  type CommandDeclaration,
  type OptionsOf,
} from "../../commands/define-command.ts";
import { option } from "../../commands/option-schemas.ts";

export const ignoreProblemCommand = defineCommand({
  id: "ignoreProblem",
  title: "Ignore Problem",
  needs: "project",
  description: "Adds a rule to `diagnostics.ignore` of the project file.",
  options: {
    code: option(v.pipe(v.string(), v.nonEmpty()), "The problem’s code."),
    key: option(
      v.pipe(v.string(), v.nonEmpty()),
      "The key as written in code; with `confirm: false` a pattern.",
    ),
    path: option(v.pipe(v.string(), v.nonEmpty()), "The file, relative to the project’s root."),
  },
  resolvesWith: resolvesWith<{ readonly rule: IgnoreRule }>("`rule`"),
});

/** Maximum number of similar keys offered for an unknown key. */
const MAX_SIMILAR_KEYS = 3;
/** Longer texts are truncated in titles. In characters. */
const MAX_TITLE_TEXT_LENGTH = 60;

/** Registers the quick fixes of this feature's diagnostics, "Fix All" and the ignoring of problems. */
export function registerFixes(app: App): void {
  const documents = [CODE_DOCUMENTS, LOCAL_DOCUMENTS].flat() as vscode.DocumentFilter[];
  const provideCodeActions = async (
    document: vscode.TextDocument,
    _range: vscode.Range,
    context: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> => {
    const fixes: vscode.CodeAction[] = [];
    for (const diagnostic of context.diagnostics) {
      if (!(diagnostic instanceof KeyDiagnostic)) continue;
      const all = new Map<string, vscode.CodeAction>();
      for (const finding of diagnostic.findings)
        for (const fix of await fixesOf(app, document, diagnostic, finding))
          if (!all.has(fix.title)) all.set(fix.title, fix);
      const found = [...all.values(), ...ignoreFixes(app, document, diagnostic)];
      fixes.push(...found.map((fix) => Object.assign(fix, { diagnostics: [diagnostic] })));
    }
    return fixes;
  };
  const { registerCodeActionsProvider } = vscode.languages;
  const { QuickFix } = vscode.CodeActionKind;
  app.addDisposable(
    registerCodeActionsProvider(documents, { provideCodeActions }, { providedCodeActionKinds: [QuickFix] }),
    registerCodeActionsProvider(
      LOCAL_DOCUMENTS,
      { provideCodeActions: (document, _range, context) => fixAllActions(app, document, context) },
      { providedCodeActionKinds: [FIX_ALL, QuickFix] },
    ),
  );
  app.command(ignoreProblemCommand, ignore);
}

/** A fix that runs a command. */
function commandFix<Declared extends CommandDeclaration>(
  title: string,
  command: Declared,
  options: OptionsOf<Declared>,
): vscode.CodeAction {
  const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  fix.command = commandLink(command, options, title);
  return fix;
}

async function fixesOf(
  app: App,
  document: vscode.TextDocument,
  { open, range }: KeyDiagnostic,
  finding: KeyDiagnostic["findings"][number],
): Promise<vscode.CodeAction[]> {
  switch (finding.kind) {
    case "issue":
      return hasSuggestion(finding.issue)
        ? [
            ...suggestionFixes(open, finding.issue, finding.inFile),
            ...(await applyAllFixes(app, open, document, finding.issue)),
          ]
        : [];
    case "unknown":
      return [...similarKeyFixes(app, document, range.start), ...entryFix(app, open, finding.candidates)];
    case "placeholder": {
      const { issue, entry } = finding;
      if (issue.suggestion === "") return [];
      const options = keyOptions(open, entry.name, entry.locale);
      return [setLocalFix(issue.suggestion, { ...options, ...withSuggestion(entry.text, issue) })];
    }
    case "unpushed":
      return open.source.refusal === null
        ? [
            commandFix(l10n.t("Push this key…"), pushCommand, {
              folder: open.root,
              only: [finding.entry.hash],
            }),
          ]
        : [];
    case "too-long":
    case "file":
      return [];
    case "outdated":
    case "missing": {
      const [locale] = finding.locales;
      if (locale === undefined || !open.source.canWrite(locale)) return [];
      const title =
        finding.kind === "missing" ? l10n.t("Translate into {0}…", locale) : l10n.t("Edit {0}…", locale);
      return [commandFix(title, editTranslationCommand, keyOptions(open, finding.key, locale))];
    }
  }
}

/** Fixes that apply the suggestion at the service or, in a translation file, to the file. */
function suggestionFixes(open: OpenProject, issue: KeyIssue, inFile: boolean): vscode.CodeAction[] {
  const fixes: vscode.CodeAction[] = [];
  const text = shortText(issue.suggestion ?? "", MAX_TITLE_TEXT_LENGTH);
  const { source } = open;
  if (source.refusal === null) {
    const title = l10n.t("Change {0} to “{1}” on the service", issue.locale, text);
    const fix = commandFix(title, applySuggestionCommand, { folder: open.root, issue });
    fix.isPreferred = true;
    fixes.push(fix);
  }
  if (inFile || source.savesTo(issue.locale) === "file") {
    const options = keyOptions(open, issue, issue.locale);
    const fix = setLocalFix(issue.suggestion ?? "", { ...options, ...withSuggestion(issue.row.text, issue) });
    if (!inFile) fix.title = l10n.t("Change {0} to “{1}”", issue.locale, text);
    fixes.push(fix);
  }
  return fixes;
}

function setLocalFix(suggestion: string, options: OptionsOf<typeof setLocalCommand>): vscode.CodeAction {
  const title = l10n.t("Change to “{0}” in this file", shortText(suggestion, MAX_TITLE_TEXT_LENGTH));
  return commandFix(title, setLocalCommand, options);
}

/** Fixes that apply all suggestions of the document's keys, or of the language. */
async function applyAllFixes(
  app: App,
  open: OpenProject,
  document: vscode.TextDocument,
  { locale }: KeyIssue,
): Promise<vscode.CodeAction[]> {
  if (open.source.refusal !== null) return [];
  const fixes: vscode.CodeAction[] = [];
  const hashes = new Set<string>();
  for (const use of app.documentUsages.usagesIn(document)) {
    const lookup = app.documentUsages.resolveKey(open, use);
    if (lookup.kind === "known") hashes.add(lookup.key.hash);
  }
  const issues = [...hashes].flatMap((hash) => {
    const key = open.keys.get(hash);
    return key === undefined ? [] : keyIssues(key, open.translationsOf(hash)).filter(hasSuggestion);
  });
  if (issues.length > 1) {
    const title = l10n.t("Apply all suggestions for the keys in this file…");
    const options = { folder: open.root, hashes: issues.map(({ hash }) => hash) };
    fixes.push(commandFix(title, applySuggestionsCommand, options));
  }
  if ((await projectIssues(open.connection, locale, hasSuggestion, 2)).length > 1) {
    const title = l10n.t("Apply all suggestions for {0}…", locale);
    fixes.push(commandFix(title, applySuggestionsCommand, { folder: open.root, locale }));
  }
  return fixes;
}

/** Fixes that ignore the problem, by a comment or a rule. Problems of the file itself cannot be ignored. */
function ignoreFixes(
  app: App,
  document: vscode.TextDocument,
  { open, findings, code, range }: KeyDiagnostic,
): vscode.CodeAction[] {
  const [finding] = findings;
  if (finding === undefined || finding.kind === "file" || finding.kind === "unpushed") return [];
  const fixes: vscode.CodeAction[] = [];
  const found = app.documentUsages.usageAt(document, range.start);
  const edit = found && ignoreCommentEdit(app, document, found);
  if (edit !== undefined) {
    const fix = new vscode.CodeAction(l10n.t("Ignore here"), vscode.CodeActionKind.QuickFix);
    fix.edit = edit;
    fixes.push(fix);
  }
  const [name] = describeFinding(open, finding).keys.flatMap(qualifiedNames);
  const key = found?.use.expression.kind === "static" ? found.use.expression.key : name;
  // The rules of the project with the code apply, also to keys of another one.
  const ruled = app.projects.of(document.uri) ?? open;
  const path = ruled.codePath(document.uri);
  if (path === null || ruled.file.files === undefined) return fixes;
  const options = { folder: ruled.root, ...definedFields({ code, path, key }) };
  return [...fixes, commandFix(l10n.t("Ignore by a pattern…"), ignoreProblemCommand, options)];
}

function similarKeyFixes(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CodeAction[] {
  const found = app.documentUsages.usageAt(document, position);
  if (found === undefined || found.use.expression.kind === "pattern") return [];
  const { use } = found;
  const language = usageLanguageFor(document.uri.path);
  if (language === undefined) return [];
  const find = app.documentUsages.findOptions(found.open);
  const writer = new NameWriter(document.getText(), use, language, find);
  if (!writer.isQuoted) return [];
  const spellings = app.documentUsages.nearestInWindow(found.open, use, MAX_SIMILAR_KEYS);
  return spellings.flatMap((spelling, index) => {
    const written = writer.codeFor(spelling);
    if (written === null) return [];
    const title = l10n.t("Change to “{0}”", shortText(spelling, MAX_TITLE_TEXT_LENGTH));
    const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    fix.edit = new vscode.WorkspaceEdit();
    fix.edit.replace(document.uri, documentRange(document, writer.span), written);
    fix.isPreferred = index === 0;
    return [fix];
  });
}

/** A fix that adds an entry under the name that fits the project's namespaces best. */
function entryFix(app: App, open: OpenProject, candidates: readonly KeyName[]): vscode.CodeAction[] {
  const isInGroup = prefersGroups(app.documentUsages.lookupOptions(open));
  const name = nameOfEntry(candidates, open.keyNames, isInGroup);
  const locale = open.local.loaded?.sourceLocale;
  if (name === undefined || locale === undefined || (open.file.files ?? []).length === 0) return [];
  const title = l10n.t(
    "Add “{0}” to the translation files…",
    shortText(projectKeyLabel(open, name), MAX_TITLE_TEXT_LENGTH),
  );
  return [commandFix(title, setLocalCommand, keyOptions(open, name, locale))];
}

const FIX_ALL = vscode.CodeActionKind.SourceFixAll.append("projectTranslations");

/**
 * "Fix All" for a translation file, also on save and as a quick fix: applies all suggestions in one undoable edit. Does not
 * write to the service.
 */
async function fixAllActions(
  app: App,
  document: vscode.TextDocument,
  { only, diagnostics }: vscode.CodeActionContext,
): Promise<vscode.CodeAction[]> {
  const isSource = only !== undefined && vscode.CodeActionKind.Source.intersects(only);
  const isQuick = diagnostics.some(
    (each) =>
      each instanceof KeyDiagnostic &&
      each.findings.some(({ kind }) => kind === "placeholder" || kind === "issue"),
  );
  if (isSource ? !only.contains(FIX_ALL) && !FIX_ALL.contains(only) : !isQuick) return [];
  const local = await localDocument(app, document);
  if (local === undefined) return [];
  const corrected = await correctedEntries(app, local, document.uri);
  // A single suggestion has its own quick fix.
  if (corrected.length < (isSource ? 1 : 2)) return [];
  const edit = await editFor(document, local, corrected);
  if (edit === null) return [];
  const title = l10n.t("Apply all suggestions in this file ({0})", corrected.length);
  const action = new vscode.CodeAction(title, isSource ? FIX_ALL : vscode.CodeActionKind.QuickFix);
  action.edit = edit;
  return [action];
}

/** Returns the edit; `null` if the file cannot be edited, or the document differs from the file that was read. */
async function editFor(
  document: vscode.TextDocument,
  { open, file, text }: LocalDocument,
  corrected: readonly CorrectedEntry[],
): Promise<vscode.WorkspaceEdit | null> {
  if (document.getText() !== text) return null;
  const changes = corrected.map(({ entry, text: after }) => ({
    name: entry.name,
    locale: entry.locale,
    text: after,
  }));
  const path = open.relative(document.uri);
  const { writes } = await open.local.planEdit(changes);
  const write = writes.find((each) => each.path === path);
  const after = write === undefined ? null : decodeText(write.after, file.location.entry.format);
  if (after === null || isUndecodable(after)) return null;
  const change = smallestChange(document, after.text);
  if (change === null) return null;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, change.range, change.text);
  return edit;
}

/** Adds a rule to the project file, with a scope that the user chooses. */
const ignore: CommandWork<typeof ignoreProblemCommand> = async (_app, options, run) => {
  const { open } = run;
  const { code, key, path } = options;
  if (code === undefined || (key === undefined && path === undefined)) {
    throw new CommandError("invalid", l10n.t("No problem was given. Choose one in the editor."));
  }
  const given = definedFields({ key, path });
  const rule = run.quiet ? given : await chooseRule(given);
  await editProjectFile(open, ["diagnostics", "ignore", -1], { ...rule, code });
  return { outcome: "done", rule: { ...rule, code } };
};

/** Lets the user choose the scope of the rule: the key, its group, the file, or a typed pattern. */
async function chooseRule({ key, path }: IgnoreRule): Promise<IgnoreRule> {
  const group = key === undefined ? undefined : groupOf(key);
  const choice = (
    label: string | undefined,
    detail: string,
    value: IgnoreRule,
  ): Choice<IgnoreRule | null>[] => (label === undefined ? [] : [{ label: labelText(label), detail, value }]);
  const title = l10n.t("Ignore this problem for which keys?");
  const chosen = await pickOne(title, l10n.t("It is saved in {0}.", PROJECT_FILE_NAME), [
    ...choice(key, l10n.t("This key, everywhere"), definedFields({ key })),
    ...choice(group, l10n.t("Every key of this group"), definedFields({ key: group })),
    ...choice(path, l10n.t("Every key in this file"), definedFields({ path })),
    { label: l10n.t("Another pattern…"), detail: l10n.t("* matches anything"), value: null },
  ]);
  if (chosen !== null) return chosen;
  const typed = await vscode.window.showInputBox({
    title,
    prompt: l10n.t("* matches anything"),
    value: group ?? key ?? "",
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? l10n.t("Enter a key name.") : undefined),
  });
  return { key: requireAnswer(typed).trim() };
}

/** Returns the edit that adds an ignore comment; `undefined` if the language does not allow a comment there. */
function ignoreCommentEdit(
  app: App,
  document: vscode.TextDocument,
  { open, use }: DocumentUsage,
): vscode.WorkspaceEdit | undefined {
  const options = app.documentUsages.findOptions(open);
  const language = usageLanguageOf(document, options);
  const comment = language && ignoreCommentFor(document.getText(), use, language, options);
  if (!comment) return undefined;
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(comment.offset), comment.text);
  return edit;
}
