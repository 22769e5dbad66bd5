/** The preview of a pull: the files that would change, each with a diff and a check box. */
import * as vscode from "vscode";
import type { PullFile, PullPlan, PullProblem } from "../../sync/pull/pull-plan.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { fileDiff } from "../../vscode/ui/documents/translation-file-content.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { iconButton, showList } from "../../vscode/ui/input/quick-pick.ts";
import { requireAnswer } from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";
import { locationText, unreadableMessage } from "../../vscode/ui/messages/file-problem-messages.ts";

interface ChangeItem extends vscode.QuickPickItem {
  /** The files that its check box selects; none for a heading. */
  readonly files?: readonly PullFile[];
}

/** Whether the file contains source texts, which are usually pushed and not pulled. */
function isSourceFile(open: OpenProject, path: string): boolean {
  const { sourceLocale } = open.project;
  return sourceLocale !== null && open.local.locate(path)?.locale === sourceLocale;
}

/** Returns why local changes might be lost, if so. */
function warningOf(open: OpenProject, file: PullFile, unsaved: ReadonlySet<string>): string | undefined {
  if (unsaved.has(file.path)) return l10n.t("has unsaved changes");
  if (file.isUnparsed === true) return l10n.t("the local file has an error and is replaced entirely");
  // Source texts may contain changes that were not pushed.
  const isSource = file.change === "updated" && file.texts > file.added && isSourceFile(open, file.path);
  return isSource ? l10n.t("source language: texts that were not pushed are replaced") : undefined;
}

/** Returns the number of texts that the files get, with source texts counted separately. */
export function amountText(open: OpenProject, files: readonly PullFile[]): string {
  const sum = (all: readonly PullFile[]): number => all.reduce((total, { texts }) => total + texts, 0);
  const source = sum(files.filter(({ path }) => isSourceFile(open, path)));
  const others = sum(files) - source;
  const parts = [
    ...(others > 0 || source === 0 ? [formatCount.translations(others)] : []),
    ...(source > 0 ? [formatCount.sourceTexts(source)] : []),
  ];
  return l10n.t("{0} in {1}", parts.join(", "), formatCount.files(files.length));
}

/**
 * Returns the files that the user checked. Existing files are checked initially unless local changes might be lost; new
 * files are not. The check box of a language selects all its files.
 *
 * @throws {CommandError} `cancelled`
 */
export async function showChanges(
  app: App,
  open: OpenProject,
  plan: PullPlan,
): Promise<ReadonlySet<PullFile>> {
  const changed = plan.files.filter((file) => file.change !== "unchanged");
  const unsaved = new Set(plan.problems.flatMap(({ kind, path }) => (kind === "unsaved" ? [path] : [])));
  const pick = vscode.window.createQuickPick<ChangeItem>();
  const difference = iconButton("diff", l10n.t("Show Difference"));
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.buttons = [iconButton("diff-multiple", l10n.t("Show All Differences"))];
  const fileRow = (file: PullFile): ChangeItem => ({
    label: `$(${file.change === "created" ? "new-file" : "edit"}) ${file.path}`,
    description: [formatCount.texts(file.texts), warningOf(open, file, unsaved) ?? []].flat().join(" · "),
    buttons: [difference],
    files: [file],
  });
  const rows = (change: PullFile["change"], heading: (amount: string) => string): ChangeItem[] => {
    const files = changed.filter((file) => file.change === change);
    if (files.length === 0) return [];
    const byLocale = Map.groupBy(files, ({ locale }) => locale);
    return [
      { label: heading(amountText(open, files)), kind: vscode.QuickPickItemKind.Separator },
      ...[...byLocale].flatMap(([locale, group]): ChangeItem[] => {
        if (locale === null || group.length === 1) return group.map(fileRow);
        const description = amountText(open, group);
        return [{ label: `$(globe) ${locale}`, description, files: group }, ...group.map(fileRow)];
      }),
    ];
  };
  pick.items = [
    ...rows("updated", (amount) => l10n.t("Existing files: {0}", amount)),
    ...rows("created", (amount) => l10n.t("New files: {0}", amount)),
  ];
  const checked = new Set(
    changed.filter((file) => file.change === "updated" && warningOf(open, file, unsaved) === undefined),
  );
  const isChecked = ({ files }: ChangeItem): boolean =>
    files !== undefined && files.every((file) => checked.has(file));
  const name = projectDisplayName(open);
  const showChecked = (): void => {
    pick.selectedItems = pick.items.filter(isChecked);
    pick.title =
      checked.size === 0
        ? l10n.t("Pull from {0}: nothing selected", name)
        : l10n.t("Pull from {0}: {1}", name, amountText(open, [...checked]));
  };
  pick.placeholder = changed.some(({ change }) => change === "updated")
    ? l10n.t("Selected files are written")
    : l10n.t("Nothing to update. Select the new files you want");
  showChecked();
  pick.onDidChangeSelection((items) => {
    const selected = new Set(items);
    // The row that the user changed wins: a language updates its files, a file updates its language.
    const toggled = pick.items.filter((item) => item.files && selected.has(item) !== isChecked(item));
    if (toggled.length === 0) return;
    for (const item of toggled) {
      for (const file of item.files ?? []) {
        if (selected.has(item)) checked.add(file);
        else checked.delete(file);
      }
    }
    showChecked();
  });
  pick.onDidTriggerItemButton(({ item }) => void showDifference(app, open, item.files?.[0]));
  const differencesTitle = l10n.t("Pull from {0}", name);
  pick.onDidTriggerButton(() => void showAll(app, open, differencesTitle, changed, "before"));
  const chosen = await showList(pick, () => (checked.size === 0 ? undefined : checked));
  void app.virtualDocuments.closeDifferences(differencesTitle);
  return requireAnswer(chosen);
}

async function showDifference(app: App, open: OpenProject, file: PullFile | undefined): Promise<void> {
  if (file === undefined) return;
  const { before = { name: file.path, text: "" }, after } = await fileDiff(open, file, "before");
  await app.virtualDocuments.diffBelowList(before, after, l10n.t("{0}: local ↔ service", file.path));
}

/** Shows the changes of a pull that was written: each file before and after. */
export function showWritten(app: App, open: OpenProject, files: readonly PullFile[]): Promise<void> {
  return showAll(app, open, l10n.t("Pulled from {0}", projectDisplayName(open)), files, "after");
}

async function showAll(
  app: App,
  open: OpenProject,
  title: string,
  files: readonly PullFile[],
  onDisk: "before" | "after",
): Promise<void> {
  const diffs = await Promise.all(files.map((file) => fileDiff(open, file, onDisk)));
  await app.virtualDocuments.diffAll(title, diffs);
}

/** Returns the message of a problem. */
export function problemMessage(problem: PullProblem): string {
  switch (problem.kind) {
    case "unsaved":
      return l10n.t("{0} has unsaved changes.", problem.path);
    case "unreadable":
      return unreadableProblemMessage(problem);
    case "language":
      return l10n.t(
        "{0} has no column for {1}, and none could be added to it. Add one, then pull again.",
        problem.path,
        problem.locale,
      );
    case "text":
      return l10n.t(
        "{0}: {1} was not changed because {2}.",
        problem.path,
        problem.refusal.key,
        refusalReason(problem.refusal.reason),
      );
  }
}

function unreadableProblemMessage({ path, why, line, column }: PullProblem & { kind: "unreadable" }): string {
  const location = locationText(path, line, column);
  switch (why) {
    case "encoding":
      return l10n.t("{0} is not valid in its encoding. Save it as UTF-8, then pull again.", location);
    case "format":
      return l10n.t("{0} is in a format that cannot be edited here.", location);
    case "syntax":
      if (line !== null) return l10n.t("{0} has an error. Fix it, then pull again.", location);
      return l10n.t(
        "{0} cannot be read: it is damaged, or not in its expected format. Fix or delete it, then pull again.",
        path,
      );
    case "too_large":
      return l10n.t("{0} is larger than 50 MB, so it was not changed.", location);
    case "outside":
    case "broken_link":
    case "not_a_file":
    case "failed":
      return unreadableMessage(path, why);
    case "theirs":
      return l10n.t("What the service sent for {0} cannot be read.", location);
  }
}

function refusalReason(code: (PullProblem & { kind: "text" })["refusal"]["reason"]): string {
  switch (code) {
    case "expression":
    case "interpolation":
      return l10n.t("its value is code");
    case "source":
      return l10n.t("its text is the source text itself");
    case "forms":
      return l10n.t("the file cannot hold all its plural forms");
    case "encoding":
      return l10n.t("the file’s encoding cannot represent it");
    case "syntax":
      return l10n.t("the file has an error near it");
    case "conflict":
      return l10n.t("another entry is in the way");
    case "not_found":
      return l10n.t("it does not exist");
    case "unsupported":
      return l10n.t("its value cannot be written in this format");
  }
}
