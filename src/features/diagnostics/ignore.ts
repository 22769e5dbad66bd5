/**
 * Ignoring a problem: this once, by a mark in the code; or from now on, by a rule in the project file. A person chooses
 * how far the rule reaches.
 */
import * as vscode from "vscode";
import { markFor } from "../../workspace/usages/ignore-comment.ts";
import { PROJECT_FILE_NAME, type IgnoreRule } from "../../workspace/project-file/project-file.ts";
import type { App } from "../../vscode/app.ts";
import { ask } from "../../vscode/ui/quick-pick.ts";
import { languageOf, type FoundUse } from "../../vscode/projects/code-keys.ts";
import { labelText } from "../../vscode/markdown.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../vscode/command-result.ts";
import { editProjectFile } from "../../vscode/projects/project-file-edit.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of `projectTranslations.ignoreProblem`. */
interface IgnoreOptions extends CommonOptions {
  /** The problem's code. */
  readonly code?: string;
  /** The key as it is written; with `confirm: false` a pattern. */
  readonly key?: string;
  /** The file, relative to the project's root; with `confirm: false` the rule holds there alone. */
  readonly path?: string;
}

/** Registers `projectTranslations.ignoreProblem`, an action of problems. */
export function registerIgnore(app: App): void {
  app.command("projectTranslations.ignoreProblem", l10n.t("Ignore Problem"), (options: IgnoreOptions) =>
    ignore(app, options),
  );
}

async function ignore(
  app: App,
  options: IgnoreOptions,
): Promise<CommandResult<{ readonly rule: IgnoreRule }>> {
  const open = await app.projects.choose(options);
  if (open === undefined) return { outcome: "cancelled" };
  const { code, key, path } = options;
  if (code === undefined || (key === undefined && path === undefined)) {
    throw new CommandError("invalid", l10n.t("No problem was given. Choose one in the editor."));
  }
  const wanted = { ...(key === undefined ? {} : { key }), ...(path === undefined ? {} : { path }) };
  const rule = options.confirm === false ? wanted : await choose(wanted);
  if (rule === undefined) return { outcome: "cancelled" };
  await editProjectFile(open, ["diagnostics", "ignore", -1], { ...rule, code });
  return { outcome: "done", rule: { ...rule, code } };
}

/** How far the rule reaches: the key, its group, the file, or what is typed. */
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
  const chosen = await ask(
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

/** `cart.items.one` is in `cart.items.*`; a sentence is in no group. */
function groupOf(key: string): string | null {
  const end = Math.max(key.lastIndexOf("."), key.lastIndexOf(":"));
  return end <= 0 || /\s/.test(key) ? null : `${key.slice(0, end + 1)}*`;
}

/** Puts the mark beside the key, where its language allows a comment; `undefined`: it does not. */
export function markEdit(
  app: App,
  document: vscode.TextDocument,
  { open, use }: FoundUse,
): vscode.WorkspaceEdit | undefined {
  const options = app.code.findOptions(open);
  const language = languageOf(document, options);
  const mark = language && markFor(document.getText(), use, language, options);
  if (!mark) return undefined;
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(mark.at), mark.text);
  return edit;
}
