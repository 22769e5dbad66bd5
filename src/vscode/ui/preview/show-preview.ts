/**
 * The preview of a command that changes several texts: rows with check boxes, each with its difference. Changes nothing.
 */
import * as vscode from "vscode";
import type { App } from "../../app.ts";
import { requireAnswer } from "../../../commands/command-types.ts";
import { l10n } from "../../../util/l10n.ts";
import type { Text } from "../../../model/translation-text.ts";
import { textDocument, type DiffSide } from "../documents/virtual-documents.ts";
import { iconButton, showList } from "../input/quick-pick.ts";
import { PreviewSelection } from "./preview-selection.ts";
import type { PreviewChoice, PreviewRow, PreviewSection } from "../../../messages/preview-rows.ts";

/** Both sides of a row, side by side; `before` is on the left. */
export interface Difference {
  readonly title: string;
  readonly before: DiffSide;
  readonly after: DiffSide;
}

/** Returns both sides of a text. @param name of the documents */
export function textDifference(
  title: string,
  name: string,
  before: Text | null,
  after: Text | null,
): Difference {
  const side = (text: Text | null) => ({ name: `${name}.txt`, text: textDocument(text) });
  return { title, before: side(before), after: side(after) };
}

/** What is shown of a list. */
export interface Preview<Change> {
  /** The same for a change that is listed again. */
  readonly idOf: (change: Change) => string;
  readonly sections: readonly PreviewSection<Change>[];
  /** Says what is selected. */
  readonly titleOf: (checked: readonly Change[]) => string;
  readonly placeholder: string;
  /** Headings above the rows. */
  readonly notes?: readonly string[];
  readonly differenceOf?: (row: PreviewRow<Change>) => Difference | Promise<Difference>;
  /** Returns the sections after conflicts were settled by "Keep Mine". */
  readonly keepMine?: (kept: readonly Change[]) => readonly PreviewSection<Change>[];
  /** Returns the buttons in the title. */
  readonly buttons?: (kept: readonly Change[]) => readonly PreviewButton<Change>[];
  /** The title of a multi-file diff editor that is closed with the preview. */
  readonly differencesTitle?: string;
}

/** A button in the title of a preview. */
export interface PreviewButton<Change> {
  readonly icon: string;
  readonly tooltip: string;
  /**
   * `list`: lists other sections instead, once. `leave`: closes the preview, and what was chosen goes to `act`; nothing is
   * applied. `act`: leaves the preview open.
   */
  readonly kind: "list" | "leave" | "act";
  readonly act: (choice: PreviewChoice<Change>) => Promise<readonly PreviewSection<Change>[] | void>;
}

interface Item<Change> extends vscode.QuickPickItem {
  /** `null`: a heading. */
  readonly row: PreviewRow<Change> | null;
}

/**
 * Returns what the user chose; at least one change is checked or kept.
 *
 * @throws {CommandError} `cancelled`
 */
export async function showPreview<Change>(
  app: App,
  preview: Preview<Change>,
): Promise<PreviewChoice<Change>> {
  const pick = vscode.window.createQuickPick<Item<Change>>();
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.placeholder = preview.placeholder;
  const difference = iconButton("diff", l10n.t("Show Difference"));
  const keep = iconButton("check", l10n.t("Keep Mine"));
  const keepAll = iconButton("check-all", l10n.t("Keep Mine for All Unselected Conflicts"));
  const buttons = new Map<vscode.QuickInputButton, PreviewButton<Change>>();
  let isListed = false;
  const selection = new PreviewSelection(preview.idOf, preview.sections);
  let rows: readonly PreviewRow<Change>[] = [];
  const showChecked = (): void => {
    pick.selectedItems = pick.items.filter(({ row }) => row !== null && selection.isChecked(row));
    pick.title = preview.titleOf(selection.checked);
  };
  const showButtons = (): void => {
    buttons.clear();
    for (const button of preview.buttons?.(selection.kept) ?? []) {
      if (button.kind !== "list" || !isListed) buttons.set(iconButton(button.icon, button.tooltip), button);
    }
    const canKeep = rows.some((row) => row.canKeep === true);
    pick.buttons = [...(canKeep ? [keepAll] : []), ...buttons.keys()];
  };
  const showSections = (sections: readonly PreviewSection<Change>[]): void => {
    rows = sections.flatMap((section) => section.rows);
    const itemOf = (row: PreviewRow<Change>): Item<Change> => ({
      label: `$(${row.icon}) ${row.label}`,
      description: row.description,
      ...(row.detail === undefined ? {} : { detail: row.detail }),
      buttons: [
        ...(row.canKeep === true ? [keep] : []),
        ...(preview.differenceOf !== undefined && row.hasDifference !== false ? [difference] : []),
      ],
      // Without `picked`, VS Code reports that nothing is selected when rows are replaced.
      picked: selection.isChecked(row),
      row,
    });
    pick.items = [
      ...(preview.notes ?? []).map(heading),
      ...sections
        .filter((section) => section.rows.length > 0)
        .flatMap((section) => [heading(section.heading), ...section.rows.map(itemOf)]),
    ];
    showButtons();
    showChecked();
  };
  const keepMine = (changes: readonly Change[]): void => {
    selection.keep(changes);
    const sections = preview.keepMine?.(selection.kept) ?? [];
    selection.list(sections);
    showSections(sections);
  };
  showSections(preview.sections);
  pick.onDidChangeSelection((items) => {
    if (selection.toggle(rows, new Set(items.flatMap(({ row }) => row ?? [])))) showChecked();
  });
  pick.onDidTriggerItemButton(({ item: { row }, button }) => {
    if (row === null) return;
    if (button === keep) keepMine(row.changes);
    else void showDifference(app, preview, row);
  });
  let failed: { readonly error: unknown } | undefined;
  let left: PreviewButton<Change> | undefined;
  const list = async (button: PreviewButton<Change>): Promise<void> => {
    pick.busy = true;
    try {
      const sections = (await button.act(selection)) ?? preview.sections;
      selection.list(sections);
      showSections(sections);
    } catch (error) {
      failed = { error };
      pick.hide();
    } finally {
      pick.busy = false;
    }
  };
  pick.onDidTriggerButton((pressed) => {
    const button = buttons.get(pressed);
    if (pressed === keepAll)
      keepMine(rows.flatMap((row) => (row.canKeep === true && !selection.isChecked(row) ? row.changes : [])));
    else if (button?.kind === "list") {
      isListed = true;
      showButtons();
      void list(button);
    } else if (button?.kind === "leave") {
      left = button;
      pick.hide();
    } else void button?.act(selection);
  });
  const chosen = await showList(pick, () => {
    const { checked, kept } = selection;
    return checked.length + kept.length === 0 ? undefined : { checked, kept };
  });
  void app.virtualDocuments.closeDifferences(preview.differencesTitle);
  if (failed !== undefined) throw failed.error;
  await left?.act(selection);
  return requireAnswer(chosen);
}

function heading(label: string): { label: string; kind: vscode.QuickPickItemKind; row: null } {
  return { label, kind: vscode.QuickPickItemKind.Separator, row: null };
}

async function showDifference<Change>(
  app: App,
  { differenceOf }: Preview<Change>,
  row: PreviewRow<Change>,
): Promise<void> {
  const shown = await differenceOf?.(row);
  if (shown !== undefined) await app.virtualDocuments.diffBelowList(shown.before, shown.after, shown.title);
}
