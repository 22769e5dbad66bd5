/** What the page decides, apart from its state: which rows it shows, what is edited, and what an action applies to. */
import type { CellId, TextEdit } from "../../model/text-edit.ts";
import { ROW_FILTERS, type RowFilter, type RowQuery } from "../../model/translation-editor-filters.ts";
import { completeParts, textOf, type Parts } from "./cell-parts.ts";
import { readCells } from "./clipboard-cells.ts";
import type { Cell, CellDetails, ShownTable, PastedCell, EditorRow, State } from "./editor-protocol.ts";

/** A cell position: row and column; column 0 is the key, followed by the languages. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/** The selected rows and columns, inclusive. */
export interface Selection {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Returns the selection between the active cell and the opposite corner; `null`: only the active cell is selected. */
export function selectionOf(active: Position, anchor: Position | null): Selection {
  const from = anchor ?? active;
  return {
    top: Math.min(from.row, active.row),
    bottom: Math.max(from.row, active.row),
    left: Math.min(from.column, active.column),
    right: Math.max(from.column, active.column),
  };
}

/** Returns the languages of the selected columns. */
export function selectedLocales(locales: readonly string[], { left, right }: Selection): readonly string[] {
  return locales.slice(Math.max(0, left - 1), right);
}

/**
 * Returns the cells that copied text is pasted into: from the first selected cell on, or a single text into all selected
 * cells. `outside`: the number of texts beyond the last row or column.
 */
export function pastedCells(
  listed: readonly string[],
  locales: readonly string[],
  { top, bottom, left, right }: Selection,
  copied: string,
): { readonly cells: readonly PastedCell[]; readonly outside: number } {
  if (left === 0 || copied === "") return { cells: [], outside: 0 };
  const texts = readCells(copied);
  const [[only = ""] = []] = texts;
  const isSingle = texts.length === 1 && texts[0]?.length === 1;
  const lines = isSingle
    ? Array<string[]>(bottom - top + 1).fill(Array<string>(right - left + 1).fill(only))
    : texts;
  const cells: PastedCell[] = [];
  let outside = 0;
  for (const [down, line] of lines.entries()) {
    for (const [along, text] of line.entries()) {
      const hash = listed[top + down];
      const locale = locales[left - 1 + along];
      if (hash === undefined || locale === undefined) outside += 1;
      else cells.push({ hash, locale, copied: text });
    }
  }
  return { cells, outside };
}

/** What has to be read again after a change. Rows that are in view are read in any case. */
export interface Update {
  readonly setsUp: boolean;
  readonly finds: boolean;
}

/** Changed rows stay until the user runs the filter again; only a list without filter or search gets new keys. */
export function decideUpdate(
  changed: ReadonlySet<ShownTable>,
  query: RowQuery,
  isSearchUpToDate: boolean,
): Update {
  const isUnfiltered = query.filters.length === 0 && query.search === "";
  const isMoreFound = changed.has("search") && !isSearchUpToDate && query.search !== "";
  return {
    setsUp: changed.has("stats"),
    finds: isMoreFound || (isUnfiltered && (changed.has("keys") || changed.has("files"))),
  };
}

/** Rows that were found, and how they were asked for. */
export interface FoundList {
  readonly hashes: readonly string[];
  /** Whether the user asked for them; otherwise they are an update of the shown ones. */
  readonly isUserQuery: boolean;
  /** The key to reveal, if it is among them. */
  readonly focus: string | null;
}

/** The key of the active row, `null` without rows; also if it is not in the list for a while. */
export interface ActiveKey {
  readonly key: string | null;
  readonly row: number;
}

/** How rows that were found are shown. `shift`: by how many rows the active one moved. */
export type Placement =
  | { readonly kind: "later" }
  | { readonly kind: "now"; readonly row: number; readonly shift: number; readonly isRevealed: boolean };

/**
 * Decides where the active row is among the rows that were found. While a cell is edited an update waits, and so do rows
 * that have the edited one in the same place: the answer to a query may be late.
 * @param edited the key whose text is edited
 */
export function placeFound(
  { key, row: activeRow }: ActiveKey,
  edited: string | null,
  { hashes, isUserQuery, focus }: FoundList,
): Placement {
  const focused = focus === null ? -1 : hashes.indexOf(focus);
  const isInPlace = focused === -1 && hashes[activeRow] === edited;
  if (edited !== null && (!isUserQuery || isInPlace)) return { kind: "later" };
  const last = Math.max(0, hashes.length - 1);
  if (focused !== -1) return { kind: "now", row: focused, shift: 0, isRevealed: true };
  if (isUserQuery) return { kind: "now", row: 0, shift: 0, isRevealed: false };
  const found = key === null ? -1 : hashes.indexOf(key);
  const row = found === -1 ? Math.min(activeRow, last) : found;
  return { kind: "now", row, shift: found === -1 ? 0 : found - activeRow, isRevealed: false };
}

/**
 * Returns the loaded rows with those that were received. A row that was edited after it was requested is newer here.
 * @param wasEdited returns whether the key was edited after the request
 */
export function withReceived(
  rows: ReadonlyMap<string, EditorRow>,
  received: readonly EditorRow[],
  wasEdited: (hash: string) => boolean,
): ReadonlyMap<string, EditorRow> {
  const next = new Map(rows);
  for (const row of received) {
    const known = rows.get(row.hash);
    // Received rows are the last ones of the map.
    next.delete(row.hash);
    next.set(row.hash, known !== undefined && wasEdited(row.hash) ? known : row);
  }
  return next;
}

/** Returns whether two lists have the same items, in any order. */
export function haveSameItems(a: readonly string[], b: readonly string[]): boolean {
  const items = new Set(b);
  return a.length === b.length && a.every((item) => items.has(item));
}

/** Whether and how a cell can be edited. `wait`: its text is truncated, and the details with the complete one are not here. */
export type BeginEdit =
  | { readonly kind: "no" }
  | { readonly kind: "wait"; readonly typedText: string | null }
  | { readonly kind: "edit"; readonly typedText: string | null; readonly parts: Parts };

/**
 * Decides how to start editing a cell.
 * @param details the current details of the cell; `null` if they have not arrived
 * @param typed what was typed to replace the text, or its first form; `null` to change the text
 * @param earlier what was typed while the text had not arrived yet
 */
export function decideBeginEdit(
  cell: Cell | undefined,
  details: CellDetails | null,
  typed: string | null,
  earlier: string | null,
): BeginEdit {
  if (cell === undefined || cell.states.includes("readonly")) return { kind: "no" };
  const typedText = typed === null ? earlier : (earlier ?? "") + typed;
  if (cell.isTruncated && details === null) return { kind: "wait", typedText };
  return { kind: "edit", typedText, parts: completeParts(cell, details?.text ?? null) };
}

/** Returns the edit of a cell; `null` if its text stays as it is. */
export function editOf({ locale, hash }: CellId, before: Parts, parts: Parts): TextEdit | null {
  if (parts.every(({ text }, index) => text === before[index]?.text)) return null;
  return { locale, hash, before: textOf(before), text: textOf(parts) };
}

/** Returns the cell as shown until the extension confirms the text. */
export function editedCell({ states }: Cell, parts: Parts): Cell {
  const isEmpty = parts.every(({ text }) => text === "");
  const isInConflict = states.includes("conflict");
  return {
    parts,
    isTruncated: false,
    wrongPlaceholders: [],
    states: [
      ...(isEmpty ? ["missing" as const] : []),
      "unsaved",
      ...(isInConflict ? ["conflict" as const] : []),
    ],
  };
}

/** Returns the states that a cell shows: what is implied by another one left out. */
export function shownStates(states: readonly State[]): readonly State[] {
  const isUnsavedImplied = states.includes("conflict") || states.includes("machine");
  return states.filter((state) => !(state === "unsaved" && isUnsavedImplied));
}

/** The states of cells that a filter of the toolbar looks for. */
export const STATES_OF_FILTERS: Readonly<Partial<Record<RowFilter, State>>> = {
  untranslated: "missing",
  outdated: "outdated",
  issues: "issue",
  unsaved: "unsaved",
  conflicts: "conflict",
  refused: "refused",
};

/**
 * Returns whether a row matches the filters as its cells are now, since rows that were changed stay in the list. A row that
 * is not loaded was not changed.
 */
export function matchesFilters(row: EditorRow | undefined, filters: readonly RowFilter[]): boolean {
  if (row === undefined || filters.length === 0) return true;
  return filters.some((filter) => {
    if (filter === "notPushed") return row.isNotPushed;
    if (filter === "unused") return row.isUnused;
    const state = STATES_OF_FILTERS[filter];
    return state === undefined || Object.values(row.cells).some(({ states }) => states.includes(state));
  });
}

/** Returns the filters with one turned on or off. */
export function toggledFilters(filters: readonly RowFilter[], filter: RowFilter): readonly RowFilter[] {
  return filters.includes(filter) ? filters.filter((each) => each !== filter) : [...filters, filter];
}

/**
 * Returns the filters to choose from, also those that are on: nothing is outdated by the service, and nothing pushed, without
 * one.
 * @param refused the number of refused machine translations
 */
export function offeredFilters(
  on: readonly RowFilter[],
  { isServiceKnown, refused }: { readonly isServiceKnown: boolean; readonly refused: number },
): readonly RowFilter[] {
  return ROW_FILTERS.filter((filter) => {
    if (on.includes(filter)) return true;
    if (filter === "refused") return refused > 0;
    return isServiceKnown || (filter !== "outdated" && filter !== "notPushed");
  });
}

/** Returns the languages with that of a column (1 is the source) moved by one; `null` if it cannot be moved. */
export function movedLanguages<Language>(
  languages: readonly Language[],
  column: number,
  by: -1 | 1,
): readonly Language[] | null {
  const from = column - 1;
  const moved = languages[from];
  const neighbour = languages[from + by];
  if (from < 1 || from + by < 1 || moved === undefined || neighbour === undefined) return null;
  return languages.with(from, neighbour).with(from + by, moved);
}

export function isSameCell(a: CellId | null | undefined, b: CellId | null | undefined): boolean {
  return a != null && b != null && a.hash === b.hash && a.locale === b.locale;
}

/** Returns the active cell once its details are shown: the actions beside it apply to the cell of the details. */
export function cellOfDetails(
  row: Pick<EditorRow, "cells"> | undefined,
  active: CellId | null,
  details: Pick<CellDetails, "cell"> | null,
): Cell | undefined {
  return active !== null && isSameCell(active, details?.cell) ? row?.cells[active.locale] : undefined;
}

/** Returns the source text of a row from the details, which may still be those of another row. */
export function sourceOfRow(
  hash: string,
  details: Pick<CellDetails, "cell" | "source"> | null,
): CellDetails["source"] {
  return details?.cell.hash === hash ? details.source : null;
}
