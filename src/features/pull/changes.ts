/** Shows which files a pull would change, each with its difference, before anything is written. */
import * as vscode from "vscode";
import type { PullFile, PullPlan } from "../../core/pull.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { nameOf } from "../../host/needs.ts";
import { counted } from "../../host/counted.ts";
import { l10n } from "../../host/words.ts";

interface ChangeItem extends vscode.QuickPickItem {
  readonly file?: PullFile;
}

/** Whether the file holds source texts, which are pushed from here rather than pulled. */
export function isSource(open: OpenProject, path: string): boolean {
  const { sourceLocale } = open.project;
  return sourceLocale !== null && open.local.placeOf(path)?.locale === sourceLocale;
}

/** Whether a person wants all of it written. A row shows its difference and leaves the list open. */
export function showChanges(app: App, open: OpenProject, plan: PullPlan): Promise<boolean> {
  const changed = plan.files.filter((file) => file.change !== "unchanged");
  const pick = vscode.window.createQuickPick<ChangeItem>();
  const difference: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("diff"),
    tooltip: l10n.t("Show Difference"),
  };
  const all: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("diff-multiple"),
    tooltip: l10n.t("Show All Differences"),
  };
  pick.title = l10n.t("Pull from {0} changes {1}", nameOf(open), counted.files(changed.length));
  pick.placeholder = l10n.t("Nothing is written yet.");
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.buttons = [all];
  const rows = (change: PullFile["change"], heading: string): ChangeItem[] => {
    const files = changed.filter((file) => file.change === change);
    if (files.length === 0) return [];
    return [
      { label: heading, kind: vscode.QuickPickItemKind.Separator },
      ...files.map((file) => ({
        label: `$(${change === "created" ? "new-file" : "edit"}) ${file.path}`,
        description:
          change === "updated" && isSource(open, file.path)
            ? `${counted.texts(file.texts)} · ${l10n.t("source language: texts that were not pushed are replaced")}`
            : counted.texts(file.texts),
        buttons: [difference],
        file,
      })),
    ];
  };
  pick.items = [
    {
      label: `$(check) ${changed.length === 1 ? l10n.t("Write the File") : l10n.t("Write All {0} Files", changed.length)}`,
      alwaysShow: true,
    },
    ...rows("updated", l10n.t("Updated")),
    ...rows("created", l10n.t("Created")),
  ];
  return new Promise((resolve) => {
    const listeners = [
      pick.onDidTriggerItemButton(({ item }) => void showDifference(app, open, item.file)),
      pick.onDidTriggerButton(() => void showAll(app, open, changed)),
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item === undefined) return;
        if (item.file !== undefined) {
          void showDifference(app, open, item.file);
          return;
        }
        resolve(true);
        pick.hide();
      }),
      pick.onDidHide(() => {
        for (const listener of listeners) listener.dispose();
        pick.dispose();
        void app.texts.closeDifferences();
        resolve(false);
      }),
    ];
    pick.show();
  });
}

async function showDifference(app: App, open: OpenProject, file: PullFile | undefined): Promise<void> {
  if (file === undefined) return;
  const title = l10n.t("{0}: local ↔ service", file.path);
  await app.texts.diff(before(open, file), after(file), title);
}

async function showAll(app: App, open: OpenProject, files: readonly PullFile[]): Promise<void> {
  await app.texts.diffAll(
    l10n.t("Pull from {0}", nameOf(open)),
    files.map((file) => ({
      file: vscode.Uri.joinPath(open.root, file.path),
      before: file.before === undefined ? undefined : before(open, file),
      after: after(file),
    })),
  );
}

function before(open: OpenProject, file: PullFile): vscode.Uri | { name: string; text: string } {
  return file.before === undefined
    ? { name: file.path, text: "" }
    : vscode.Uri.joinPath(open.root, file.path);
}

function after(file: PullFile): { name: string; text: string } {
  return { name: file.path, text: new TextDecoder().decode(file.after) };
}
