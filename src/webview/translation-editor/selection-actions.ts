/** Actions on the selected cells. Keys are named by their hashes as they are shown, whatever rows there are by then. */
import { completeParts, type Parts } from "./cell-parts.ts";
import { toClipboardText, writeCells } from "./clipboard-cells.ts";
import type { CellDetails } from "./editor-protocol.ts";
import { pastedCells, selectedLocales } from "./page-decisions.ts";
import {
  active,
  cellAt,
  editor,
  listed,
  locales,
  requestDetails,
  rows,
  selection,
  setText,
} from "./page-state.ts";

/** Returns the keys and languages of the selection. */
function selected(): { readonly hashes: readonly string[]; readonly locales: readonly string[] } {
  const { top, bottom } = selection.value;
  return {
    hashes: listed.value?.slice(top, bottom + 1) ?? [],
    locales: selectedLocales(locales.value, selection.value),
  };
}

/** Clears, copies or translates all selected cells, or fills them with the first one; also rows that are not loaded. */
export function changeSelected(action: "fill" | "clear" | "copy" | "translate"): void {
  const { hashes, locales: columns } = selected();
  const [from, ...to] = hashes;
  if (from === undefined || (columns.length === 0 && action !== "translate")) return;
  if (action === "fill") void editor.fill(from, to, columns);
  else void editor[action](hashes, columns);
  requestDetails();
}

/** Returns the selected cells as clipboard text; `null` if not all of them are loaded completely. */
export function selectionAsText(): string | null {
  const { hashes, locales: columns } = selected();
  if (columns.length === 0) return null;
  const lines: string[][] = [];
  for (const hash of hashes) {
    const row = rows.value.get(hash);
    const cells = columns.map((locale) => row?.cells[locale]);
    if (cells.some((cell) => cell === undefined || cell.isTruncated)) return null;
    lines.push(cells.map((cell) => toClipboardText(cell?.parts ?? [])));
  }
  return writeCells(lines);
}

/** Pastes spreadsheet cells at the active cell; a single text is pasted into all selected cells. */
export function paste(copied: string): void {
  const { cells, outside } = pastedCells(listed.value ?? [], locales.value, selection.value, copied);
  if (cells.length + outside === 0) return;
  void editor.paste(cells, outside);
  requestDetails();
}

/** Changes the complete text of the cell that details are of, as its truncated one cannot be. */
export function changeText(shown: CellDetails, changed: (before: Parts) => Parts): void {
  const cell = rows.value.get(shown.cell.hash)?.cells[shown.cell.locale];
  if (cell === undefined) return;
  const before = completeParts(cell, shown.text);
  setText(shown.cell, changed(before), before);
}

/** Discards the draft of the active cell, or resolves its conflict in favour of the draft. */
export function resolveDraft(action: "discard" | "keepMine"): void {
  const cell = cellAt(active.value);
  if (cell !== null) void editor[action]([cell]);
  requestDetails();
}
