/**
 * The preview of a pull: the files that would change, and the texts that stay as they are, each with a diff and a check
 * box.
 */
import * as vscode from "vscode";
import { importLocalCommand } from "../../commands/declarations/sync-commands.ts";
import type { LeftText } from "../../sync/pull/compare-with-export.ts";
import {
  keepLocalTexts,
  leftTextsOf,
  problemsOf,
  settled,
  type PullFile,
  type PullPlan,
} from "../../sync/pull/pull-plan.ts";
import { changedFilesOf } from "../../sync/pull/write-pull.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { fileDiff } from "../../vscode/ui/documents/translation-file-content.ts";
import { canWrite, projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { formatCount, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { textDocument } from "../../vscode/ui/documents/virtual-documents.ts";
import { projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import { iconButton, showList } from "../../vscode/ui/input/quick-pick.ts";
import { requireAnswer } from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";
import { amountText, bothTexts } from "./pull-messages.ts";

interface ChangeItem extends vscode.QuickPickItem {
  /** What its check box selects; none for a heading. */
  readonly selects?: readonly (PullFile | LeftText)[];
}

/** What the user checked. */
export interface ChosenChanges {
  readonly files: readonly PullFile[];
  /** Texts that are taken from the service although the files changed. */
  readonly texts: readonly LeftText[];
  /** Conflicts that are settled in favour of the files. */
  readonly kept: readonly LeftText[];
}

function isFile(change: PullFile | LeftText): change is PullFile {
  return "change" in change;
}

/** Returns what the user should know of a file before it is written. */
function noteOf(file: PullFile, unsaved: ReadonlySet<string>): string | undefined {
  if (unsaved.has(file.path)) return l10n.t("has unsaved changes");
  if (file.isUnparsed === true) return l10n.t("the local file has an error and is replaced entirely");
  const notes = [
    ...(file.isWhole ? [l10n.t("replaced as a whole")] : []),
    // Of these it is unknown which side changed.
    ...(file.differing > 0 ? [l10n.t("replaces {0} that differ", formatCount.texts(file.differing))] : []),
  ];
  return notes.length > 0 ? notes.join(" · ") : undefined;
}

const TEXT_ICONS = { file: "edit", deleted: "trash", conflict: "git-compare" } as const;

/**
 * Returns what the user checked. Existing files are checked initially unless their content might be lost; new files, and
 * texts that changed in the files, are not. The check box of a language selects all its files, that of a file all its
 * texts.
 *
 * @throws {CommandError} `cancelled`
 */
export async function showChanges(app: App, open: OpenProject, plan: PullPlan): Promise<ChosenChanges> {
  const changed = changedFilesOf(plan);
  let left = leftTextsOf(plan);
  const kept: LeftText[] = [];
  const unsaved = new Set(problemsOf(plan).flatMap(({ kind, path }) => (kind === "unsaved" ? [path] : [])));
  const pick = vscode.window.createQuickPick<ChangeItem>();
  const difference = iconButton("diff", l10n.t("Show Difference"));
  const allDifferences = iconButton("diff-multiple", l10n.t("Show All Differences"));
  const send = iconButton("cloud-upload", l10n.t("Import Local Translations…"));
  const keep = iconButton("check", l10n.t("Keep Mine"));
  const keepAll = iconButton("check-all", l10n.t("Keep Mine for All Unselected Conflicts"));
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const fileRow = (file: PullFile): ChangeItem => ({
    label: `$(${file.change === "created" ? "new-file" : "edit"}) ${file.path}`,
    description: [formatCount.texts(file.texts), noteOf(file, unsaved) ?? []].flat().join(" · "),
    buttons: [difference],
    selects: [file],
  });
  const fileRows = (change: PullFile["change"], heading: (amount: string) => string): ChangeItem[] => {
    const files = changed.filter((file) => file.change === change);
    if (files.length === 0) return [];
    const byLocale = Map.groupBy(files, ({ locale }) => locale);
    return [
      separator(heading(amountText(open, files))),
      ...[...byLocale].flatMap(([locale, group]): ChangeItem[] => {
        if (locale === null || group.length === 1) return group.map(fileRow);
        const description = amountText(open, group);
        return [{ label: `$(globe) ${locale}`, description, selects: group }, ...group.map(fileRow)];
      }),
    ];
  };
  const textRow = (text: LeftText): ChangeItem => ({
    label: `$(${TEXT_ICONS[text.reason]}) ${labelText(projectKeyLabel(open, text.name))}`,
    description: `${labelText(text.locale)} · ${text.path}`,
    detail: labelText(bothTexts(text)),
    buttons: text.reason === "conflict" ? [keep, difference] : [difference],
    selects: [text],
  });
  const textRows = (texts: readonly LeftText[], heading: (count: string) => string): ChangeItem[] => {
    if (texts.length === 0) return [];
    const byPath = Map.groupBy(texts, ({ path }) => path);
    return [
      separator(heading(formatNumber(texts.length))),
      ...[...byPath].flatMap(([path, group]): ChangeItem[] => {
        if (group.length === 1) return group.map(textRow);
        const description = formatCount.texts(group.length);
        return [{ label: `$(file) ${path}`, description, selects: group }, ...group.map(textRow)];
      }),
    ];
  };
  const checked = new Set<PullFile | LeftText>(
    changed.filter(
      (file) =>
        file.change === "updated" &&
        file.isUnparsed !== true &&
        !(file.isWhole && file.differing > 0) &&
        !unsaved.has(file.path),
    ),
  );
  const isChecked = ({ selects }: ChangeItem): boolean =>
    selects !== undefined && selects.every((each) => checked.has(each));
  const showRows = (): void => {
    const conflicts = left.filter(({ reason }) => reason === "conflict");
    const local = left.filter(({ reason }) => reason !== "conflict");
    const [source, translations] = [true, false].map((isSource) =>
      local.filter(({ locale }) => (locale === open.project.sourceLocale) === isSource),
    );
    const canSend = canWrite(open) && left.some((text) => isSendable(open, text));
    pick.buttons = [
      ...(canSend ? [send] : []),
      ...(conflicts.length > 0 ? [keepAll] : []),
      ...(changed.length > 0 ? [allDifferences] : []),
    ];
    const items = [
      ...fileRows("updated", (amount) => l10n.t("Existing files: {0}", amount)),
      ...textRows(conflicts, (count) => l10n.t("Changed here and on the service: {0}", count)),
      ...textRows(translations ?? [], (count) => l10n.t("Changed only in your files: {0}", count)),
      ...textRows(source ?? [], (count) => l10n.t("Not pushed yet: {0}", count)),
      ...fileRows("created", (amount) => l10n.t("New files: {0}", amount)),
    ];
    // Without `picked`, VS Code reports that nothing is selected when rows are replaced.
    pick.items = items.map((item) => ({ ...item, picked: isChecked(item) }));
  };
  const chosenChanges = (): ChosenChanges => {
    const files: PullFile[] = [];
    const texts: LeftText[] = [];
    for (const each of checked) {
      if (isFile(each)) files.push(each);
      else texts.push(each);
    }
    return { files, texts, kept };
  };
  const name = projectDisplayName(open);
  const showChecked = (): void => {
    pick.selectedItems = pick.items.filter(isChecked);
    const { files, texts } = chosenChanges();
    pick.title =
      checked.size === 0
        ? l10n.t("Pull from {0}: nothing selected", name)
        : l10n.t("Pull from {0}: {1}", name, amountText(open, files, texts));
  };
  pick.placeholder = left.some(({ reason }) => reason === "conflict")
    ? l10n.t("Selected texts are pulled; where both changed, you can also keep yours")
    : left.length > 0
      ? l10n.t("Selected texts are pulled; the others stay as they are")
      : changed.some(({ change }) => change === "updated")
        ? l10n.t("Selected files are written")
        : l10n.t("Nothing to update. Select the new files you want");
  showRows();
  showChecked();
  const keepMine = (texts: readonly LeftText[]): void => {
    kept.push(...texts);
    for (const text of texts) checked.delete(text);
    left = left.map((text) => (texts.includes(text) ? settled(text) : text));
    showRows();
    showChecked();
  };
  pick.onDidChangeSelection((items) => {
    const selected = new Set(items);
    // The row that the user changed wins: a language updates its files, a file updates its language.
    const toggled = pick.items.filter((item) => item.selects && selected.has(item) !== isChecked(item));
    if (toggled.length === 0) return;
    for (const item of toggled) {
      for (const each of item.selects ?? []) {
        if (selected.has(item)) checked.add(each);
        else checked.delete(each);
      }
    }
    showChecked();
  });
  pick.onDidTriggerItemButton(({ item, button }) => {
    const [first] = item.selects ?? [];
    if (button === keep) keepMine(first === undefined || isFile(first) ? [] : [first]);
    else void showDifference(app, open, first);
  });
  const differencesTitle = l10n.t("Pull from {0}", name);
  let isSending = false;
  pick.onDidTriggerButton((button) => {
    if (button === send) {
      isSending = true;
      pick.hide();
    } else if (button === keepAll)
      keepMine(left.filter((text) => text.reason === "conflict" && !checked.has(text)));
    else void showAll(app, open, differencesTitle, changed, "before");
  });
  const chosen = await showList(pick, () => (checked.size + kept.length === 0 ? undefined : chosenChanges()));
  void app.virtualDocuments.closeDifferences(differencesTitle);
  if (isSending) {
    await keepLocalTexts(open, plan, kept);
    void app.run(importLocalCommand, { folder: open.root });
  }
  return requireAnswer(chosen);
}

function separator(label: string): ChangeItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Whether the text is a translation that the service could get. */
function isSendable({ project }: OpenProject, { reason, locale }: LeftText): boolean {
  return reason === "file" && locale !== project.sourceLocale;
}

async function showDifference(
  app: App,
  open: OpenProject,
  change: PullFile | LeftText | undefined,
): Promise<void> {
  if (change === undefined) return;
  const title = l10n.t("{0}: local ↔ service", change.path);
  if (isFile(change)) {
    const { before = { name: change.path, text: "" }, after } = await fileDiff(open, change, "before");
    return app.virtualDocuments.diffBelowList(before, after, title);
  }
  const name = `${projectKeyLabel(open, change.name)}.txt`;
  const before = { name, text: textDocument(change.ours) };
  const after = { name, text: textDocument(change.theirs) };
  await app.virtualDocuments.diffBelowList(before, after, title);
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
