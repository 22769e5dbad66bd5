/**
 * The preview of a push: what is new, changed, restored and (when asked for) in no local file, each with a
 * difference to look at and a box to tick. Nothing is sent from here.
 */
import * as vscode from "vscode";
import type { ProjectKey } from "../../database/project-records.ts";
import type { PendingRename } from "../../database/pending-renames.ts";
import type { PushItem, PushPlan } from "../../sync/push-plan.ts";
import type { App } from "../../vscode/app.ts";
import { labelText } from "../../vscode/markdown.ts";
import { showList } from "../../vscode/ui/quick-pick.ts";
import { l10n } from "../../vscode/l10n.ts";
import { kindLabel, ROW_KINDS, rowsOf, sidesOf, type PushRow } from "./preview-rows.ts";

/** What a person ticked. */
export interface PushChoice {
  readonly items: readonly PushItem[];
  readonly archive: readonly ProjectKey[];
  /** Keys to be renamed at the service, which are not among the items. */
  readonly renames: readonly PendingRename[];
}

export interface PreviewDependencies {
  /** The project's name, for the title. */
  readonly name: string;
  /** Told above the rows: what does not fit, what is left out. */
  readonly notes: readonly string[];
  /** Keys that the files call otherwise than the service, by the hashes of their new names. */
  readonly renames: ReadonlyMap<string, PendingRename>;
  /** Ticks the rows to archive at first. */
  readonly archiveTicked: boolean;
  /** Plans again with the keys that no local file has; absent when they are there already. */
  readonly withArchive?: () => Promise<PushPlan>;
}

interface Row extends vscode.QuickPickItem {
  readonly row?: PushRow;
}

/** What was ticked when a person accepted; `undefined`: closed. */
export async function showPreview(
  app: App,
  plan: PushPlan,
  dependencies: PreviewDependencies,
): Promise<PushChoice | undefined> {
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
    tooltip: l10n.t("Also List Keys Missing from Local Files, to Archive Them"),
  };
  const fill = (shown: PushPlan): void => {
    const unticked = new Set(pick.items.filter((item) => !pick.selectedItems.includes(item)).map(idOf));
    const rows = rowsOf(shown, dependencies.renames);
    pick.title = titleOf(dependencies.name, shown, dependencies.renames);
    pick.placeholder =
      dependencies.notes[0] ?? l10n.t("Selected keys are sent. Use a row’s button to see its difference.");
    pick.items = itemsOf(rows, dependencies.notes.slice(1), difference);
    pick.selectedItems = pick.items.filter(
      (item) => isTicked(item.row, dependencies.archiveTicked) && !unticked.has(idOf(item)),
    );
  };
  fill(plan);
  if (dependencies.withArchive !== undefined) pick.buttons = [archive];
  let failed: { readonly error: unknown } | undefined;
  pick.onDidTriggerItemButton(({ item }) => void showDifference(app, item));
  pick.onDidTriggerButton((button) => {
    if (button !== archive || dependencies.withArchive === undefined) return;
    pick.buttons = [];
    pick.busy = true;
    dependencies
      .withArchive()
      .then(fill, (error: unknown) => {
        failed = { error };
        pick.hide();
      })
      .finally(() => {
        pick.busy = false;
      });
  });
  const choice = await showList(pick, (items) => {
    const rows = items.flatMap(({ row }) => (row === undefined ? [] : [row]));
    return {
      items: rows.flatMap((row) => (row.rename === undefined ? row.items : [])),
      archive: rows.flatMap((row) => row.archive),
      renames: rows.flatMap((row) => row.rename ?? []),
    };
  });
  void app.texts.closeDifferences();
  if (failed !== undefined) throw failed.error;
  return choice;
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
    items.push({ label: kindLabel(kind, count), kind: vscode.QuickPickItemKind.Separator });
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

function titleOf(
  name: string,
  { items, counts }: PushPlan,
  renames: ReadonlyMap<string, PendingRename>,
): string {
  const renamed = items.filter(({ hash }) => renames.has(hash));
  const left = (change: "new" | "changed" | "restored" | "unchanged"): number =>
    counts[change] - renamed.filter((item) => item.change === change).length;
  const parts = [
    ...(renamed.length > 0 ? [l10n.t("{0} renamed", renamed.length)] : []),
    l10n.t("{0} new", left("new")),
    l10n.t("{0} changed", left("changed")),
    ...(left("restored") > 0 ? [l10n.t("{0} restored", left("restored"))] : []),
    l10n.t("{0} unchanged", left("unchanged")),
    ...(counts.archive > 0 ? [l10n.t("{0} to archive", counts.archive)] : []),
  ];
  return l10n.t("Push to {0}: {1}", name, parts.join(", "));
}
