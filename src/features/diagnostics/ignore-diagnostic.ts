/**
 * Ignoring problems: once, by a comment in the code; or permanently, by a rule in the project file with a scope that the
 * user chooses.
 */
import * as vscode from "vscode";
import { ignoreCommentFor } from "../../workspace/usages/ignore-comment.ts";
import { PROJECT_FILE_NAME, type IgnoreRule } from "../../workspace/project-file/project-file.ts";
import type { App, Command } from "../../vscode/app.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { usageLanguageOf, type DocumentUsage } from "../../vscode/projects/document-usages.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { CommandError, type CommonOptions } from "../../vscode/commands/command-types.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of `projectTranslations.ignoreProblem`. */
interface IgnoreOptions extends CommonOptions {
  /** The problem's code. */
  readonly code?: string;
  /** The key as written in code; with `confirm: false` a pattern. */
  readonly key?: string;
  /** The file, relative to the project's root; with `confirm: false` the rule applies to it only. */
  readonly path?: string;
}

/** Registers `projectTranslations.ignoreProblem`, an action of problems. */
export function registerIgnore(app: App): void {
  app.command("projectTranslations.ignoreProblem", l10n.t("Ignore Problem"), ignore);
}

const ignore: Command<IgnoreOptions, { readonly rule: IgnoreRule }> = async (app, options) => {
  const open = await app.projects.choose(options);
  const { code, key, path } = options;
  if (code === undefined || (key === undefined && path === undefined)) {
    throw new CommandError("invalid", l10n.t("No problem was given. Choose one in the editor."));
  }
  const wanted = { ...(key === undefined ? {} : { key }), ...(path === undefined ? {} : { path }) };
  const rule = options.confirm === false ? wanted : await choose(wanted);
  if (rule === undefined) return { outcome: "cancelled" };
  await editProjectFile(open, ["diagnostics", "ignore", -1], { ...rule, code });
  return { outcome: "done", rule: { ...rule, code } };
};

/** Lets the user choose the scope of the rule: the key, its group, the file, or a typed pattern. */
async function choose({ key, path }: IgnoreRule): Promise<IgnoreRule | undefined> {
  const group = key === undefined ? null : groupOf(key);
  const answers = [
    ...(key === undefined ? [] : [{ label: key, detail: l10n.t("This key, everywhere"), rule: { key } }]),
    ...(group === null
      ? []
      : [{ label: group, detail: l10n.t("Every key of this group"), rule: { key: group } }]),
    ...(path === undefined
      ? []
      : [{ label: path, detail: l10n.t("Every key in this file"), rule: { path } }]),
  ].map(({ label, detail, rule }) => ({ label: labelText(label), detail, value: rule as IgnoreRule | null }));
  const other = { label: l10n.t("Another pattern…"), detail: l10n.t("* matches anything"), value: null };
  const chosen = await pickOne(
    l10n.t("Ignore this problem for which keys?"),
    l10n.t("It is saved in {0}.", PROJECT_FILE_NAME),
    [...answers, other],
  );
  if (chosen !== null) return chosen;
  const typed = await vscode.window.showInputBox({
    title: l10n.t("Ignore this problem for which keys?"),
    prompt: l10n.t("* matches anything"),
    value: group ?? key ?? "",
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? l10n.t("Enter a key name.") : undefined),
  });
  return typed === undefined ? undefined : { key: typed.trim() };
}

/** Returns `cart.items.*` for `cart.items.one`; `null` for a sentence. */
function groupOf(key: string): string | null {
  const end = Math.max(key.lastIndexOf("."), key.lastIndexOf(":"));
  return end <= 0 || /\s/.test(key) ? null : `${key.slice(0, end + 1)}*`;
}

/** Returns the edit that adds an ignore comment; `undefined` if the language does not allow a comment there. */
export function ignoreCommentEdit(
  app: App,
  document: vscode.TextDocument,
  { open, use }: DocumentUsage,
): vscode.WorkspaceEdit | undefined {
  const options = app.documentUsages.findOptions(open);
  const language = usageLanguageOf(document, options);
  const mark = language && ignoreCommentFor(document.getText(), use, language, options);
  if (!mark) return undefined;
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(mark.at), mark.text);
  return edit;
}
