/**
 * The preview of a push: new, changed, restored and optionally missing keys, each with a diff and a check box. Sends
 * nothing.
 */
import * as vscode from "vscode";
import type { ProjectKey } from "../../database/records.ts";
import type { PendingRename } from "../../database/records.ts";
import type { PushItem, PushPlan } from "../../sync/push/push-plan.ts";
import type { App } from "../../vscode/app.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { iconButton, showList } from "../../vscode/ui/input/quick-pick.ts";
import { l10n } from "../../vscode/l10n.ts";
import { kindLabel, ROW_KINDS, previewRows, diffSides, type PushRow } from "./push-preview-rows.ts";

/** The user's selection. */
export interface PushChoice {
  readonly items: readonly PushItem[];
  readonly archive: readonly ProjectKey[];
  /** Keys to be renamed at the service; not among the items. */
  readonly renames: readonly PendingRename[];
}

export interface PreviewDependencies {
  /** The name of the project, for the title. */
  readonly name: string;
  /** Notes shown above the rows. */
  readonly notes: readonly string[];
  /** Pending renames by the hashes of the new names. */
  readonly renames: ReadonlyMap<string, PendingRename>;
  /** Whether rows to archive are checked initially. */
  readonly archiveTicked: boolean;
  /** Plans again including keys to archive; absent if the plan includes them already. */
  readonly withArchive?: () => Promise<PushPlan>;
}

interface Row extends vscode.QuickPickItem {
  readonly row?: PushRow;
}

/** Returns the selection; `undefined` if dismissed. */
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
  const difference = iconButton("diff", l10n.t("Show Difference"));
  const fill = (shown: PushPlan): void => {
    const unticked = new Set(pick.items.filter((item) => !pick.selectedItems.includes(item)).map(idOf));
    const rows = previewRows(shown, dependencies.renames);
    pick.title = titleOf(dependencies.name, shown, dependencies.renames);
    pick.placeholder =
      dependencies.notes[0] ?? l10n.t("Selected keys are sent. Use a row’s button to see its difference.");
    pick.items = itemsOf(rows, dependencies.notes.slice(1), difference);
    pick.selectedItems = pick.items.filter(
      (item) => isTicked(item.row, dependencies.archiveTicked) && !unticked.has(idOf(item)),
    );
  };
  fill(plan);
  const { withArchive } = dependencies;
  if (withArchive !== undefined)
    pick.buttons = [
      iconButton("archive", l10n.t("Also List Keys Missing from Local Files, to Archive Them")),
    ];
  let failed: { readonly error: unknown } | undefined;
  pick.onDidTriggerItemButton(({ item }) => void showDifference(app, item));
  pick.onDidTriggerButton(() => {
    pick.buttons = [];
    pick.busy = true;
    withArchive?.()
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
  void app.virtualDocuments.closeDifferences();
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
  const { service, local } = diffSides(row);
  const name =
    row.items.length + row.archive.length === 1
      ? (row.items[0]?.name.key ?? row.archive[0]?.key)
      : row.description;
  const title = l10n.t("{0}: service ↔ local", labelText(name ?? ""));
  await app.virtualDocuments.diffBelowList(
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
