/**
 * The preview of a push: what is new, changed, restored and (when asked for) in no local file, each with a
 * difference to look at and a box to tick. Nothing is sent from here.
 */
import * as vscode from "vscode";
import type { ProjectKey } from "../../core/project.ts";
import type { PushItem, PushPlan } from "../../core/push.ts";
import type { App } from "../../host/app.ts";
import { labelText } from "../../host/markdown.ts";
import { l10n } from "../../host/words.ts";
import { kindWords, ROW_KINDS, rowsOf, sidesOf, type PushRow } from "./rows.ts";

/** What a person ticked. */
export interface PushChoice {
  readonly items: readonly PushItem[];
  readonly archive: readonly ProjectKey[];
}

export interface PreviewNeeds {
  /** The project's name, for the title. */
  readonly name: string;
  /** Told above the rows: what does not fit, what is left out. */
  readonly notes: readonly string[];
  /** Ticks the rows to archive at first. */
  readonly archiveTicked: boolean;
  /** Plans again with the keys that no local file has; absent when they are there already. */
  readonly withArchive?: () => Promise<PushPlan>;
}

interface Row extends vscode.QuickPickItem {
  readonly row?: PushRow;
}

/** What was ticked when a person accepted; `undefined`: closed. */
export function showPreview(app: App, plan: PushPlan, needs: PreviewNeeds): Promise<PushChoice | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const difference: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("diff"),
    tooltip: l10n.t("Show Difference"),
  };
  const archive: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("archive"),
    tooltip: l10n.t("Also List Keys That No Local File Has, to Archive Them"),
  };
  const fill = (shown: PushPlan): void => {
    const unticked = new Set(pick.items.filter((item) => !pick.selectedItems.includes(item)).map(idOf));
    pick.title = titleOf(needs.name, shown);
    pick.placeholder =
      needs.notes[0] ?? l10n.t("Ticked keys are sent. The button of a row shows the difference.");
    const rows = rowsOf(shown);
    pick.items = itemsOf(rows, needs.notes.slice(1), difference);
    pick.selectedItems = pick.items.filter(
      (item) => isTicked(item.row, needs.archiveTicked) && !unticked.has(idOf(item)),
    );
  };
  fill(plan);
  if (needs.withArchive !== undefined) pick.buttons = [archive];
  return new Promise((resolve, reject) => {
    const listeners = [
      pick.onDidTriggerItemButton(({ item }) => void showDifference(app, item)),
      pick.onDidTriggerButton((button) => {
        if (button !== archive || needs.withArchive === undefined) return;
        pick.buttons = [];
        pick.busy = true;
        needs
          .withArchive()
          .then(fill, (error: unknown) => {
            reject(error);
            pick.hide();
          })
          .finally(() => {
            pick.busy = false;
          });
      }),
      pick.onDidAccept(() => {
        const rows = pick.selectedItems.flatMap(({ row }) => (row === undefined ? [] : [row]));
        resolve({ items: rows.flatMap((row) => row.items), archive: rows.flatMap((row) => row.archive) });
        pick.hide();
      }),
      pick.onDidHide(() => {
        for (const listener of listeners) listener.dispose();
        pick.dispose();
        void app.texts.closeDifferences();
        resolve(undefined);
      }),
    ];
    pick.show();
  });
}

function isTicked(row: PushRow | undefined, archive: boolean): boolean {
  return row !== undefined && !row.refused && (row.kind !== "archive" || archive);
}

function idOf({ label, description }: Row): string {
  return `${label}\u001f${description ?? ""}`;
}

function itemsOf(rows: readonly PushRow[], notes: readonly string[], button: vscode.QuickInputButton): Row[] {
  const items: Row[] = notes.map((note) => ({ label: note, kind: vscode.QuickPickItemKind.Separator }));
  for (const kind of ROW_KINDS) {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) continue;
    const count = own.reduce((sum, row) => sum + row.items.length + row.archive.length, 0);
    items.push({ label: kindWords(kind, count), kind: vscode.QuickPickItemKind.Separator });
    for (const row of own) {
      const { label, description, detail } = row;
      items.push({ label, description, detail, buttons: [button], row });
    }
  }
  return items;
}

async function showDifference(app: App, { row }: Row): Promise<void> {
  if (row === undefined) return;
  const { service, local } = sidesOf(row);
  const name =
    row.items.length + row.archive.length === 1
      ? (row.items[0]?.name.key ?? row.archive[0]?.key)
      : row.description;
  const title = l10n.t("{0}: service ↔ local", labelText(name ?? ""));
  await app.texts.diffBelowList(
    { name: `${name}.txt`, text: service },
    { name: `${name}.txt`, text: local },
    title,
  );
}

function titleOf(name: string, { counts }: PushPlan): string {
  const parts = [
    l10n.t("{0} new", counts.new),
    l10n.t("{0} changed", counts.changed),
    ...(counts.restored > 0 ? [l10n.t("{0} restored", counts.restored)] : []),
    l10n.t("{0} unchanged", counts.unchanged),
    ...(counts.archive > 0 ? [l10n.t("{0} to archive", counts.archive)] : []),
  ];
  return l10n.t("Push to {0}: {1}", name, parts.join(", "));
}
