/**
 * The state of the page and its messages. Rows are requested when they come into view and cached while their table is shown.
 */
import { batch, computed, signal } from "@preact/signals-core";
import * as v from "valibot";
import { ALL_ROWS, type RowFilter, type RowQuery } from "../../model/translation-editor-filters.ts";
import type { Text } from "../../model/translation-text.ts";
import { readCells, toClipboardText, writeCells } from "./clipboard-cells.ts";
import { translations } from "./l10n.ts";
import {
  batchStart,
  joinMessages,
  MessageToPageSchema,
  ROW_BATCH_SIZE,
  splitMessage,
  type Cell,
  type CellDetails,
  type CellId,
  type Language,
  type MessageFromPage,
  type MessagePart,
  type MessageToPage,
  type Row,
  type State,
} from "./message-protocol.ts";

/** The view state that VS Code preserves while the page is hidden. */
interface ViewState {
  /** Scroll position in pixels. */
  readonly top: number;
  readonly row: number;
  readonly locale: string | null | undefined;
}

interface VsCode {
  postMessage(message: MessageFromPage | MessagePart): void;
  getState(): ViewState | undefined;
  setState(state: ViewState): void;
}

declare function acquireVsCodeApi(): VsCode;

const vscode = acquireVsCodeApi();

/** Sends a message to the extension. */
export function send(message: MessageFromPage): void {
  for (const part of splitMessage(message)) vscode.postMessage(part);
}

/** A cell position: row and column; column 0 is the key, followed by the languages. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/** The text of a cell: the value, or the forms by category. */
export type Parts = Cell["parts"];

/** Whether the page was set up; it is rendered after that. */
export const isSetUp = signal(false);
/** The columns, the source language first. */
export const languages = signal<readonly Language[]>([]);
/** The separator between namespace and key. */
export const separator = signal(".");
export const namespaces = signal<readonly string[]>([]);
export const tags = signal<readonly string[]>([]);
export const query = signal(ALL_ROWS);
/** The revision of the table that is shown, 0 before the first one, and its number of rows. */
export const table = signal({ revision: 0, rowCount: 0 });
export const counts = signal({ unsaved: 0, conflicts: 0, refused: 0 });
/** The loaded rows by index. */
export const rows = signal<ReadonlyMap<number, Row>>(new Map());
const activeIndex = signal(0);
/** The language that the user moved to, also while it is not visible. `null`: the key; `undefined`: none yet. */
const activeLocale = signal<string | null | undefined>(undefined);
/** The active cell; in the first translation if its language is not visible. */
export const active = computed<Position>(() => {
  const locale = activeLocale.value;
  const index = languages.value.findIndex((each) => each.locale === locale);
  const column = index === -1 ? Math.min(2, languages.value.length) : index + 1;
  return { row: activeIndex.value, column: locale === null ? 0 : column };
});
export const activeRow = computed(() => rows.value.get(active.value.row));
/** The opposite corner of the selection; `null` if only the active cell is selected. */
export const anchor = signal<Position | null>(null);
/** The selected rows and columns, inclusive. */
export const selection = computed(() => {
  const { row, column } = active.value;
  const from = anchor.value ?? active.value;
  return {
    top: Math.min(from.row, row),
    bottom: Math.max(from.row, row),
    left: Math.min(from.column, column),
    right: Math.max(from.column, column),
  };
});
/** The last received details, of the active cell or of one before. */
export const details = signal<CellDetails | null>(null);
/** The matches of find and replace; `null` before a search. */
export const matches = signal<Extract<MessageToPage, { type: "matches" }> | null>(null);
export const isReplacing = signal(false);
/** The edited cell with the text that was sent last. */
export const editing = signal<{
  readonly position: Position;
  readonly id: CellId;
  readonly parts: Parts;
  /** What was typed to replace the text; `null` if the text is to be changed. */
  readonly typedText: string | null;
} | null>(null);
/** How to scroll after the next rendering: to a position in pixels, by rows, or to the active row; `null` to stay. */
export const scrolling = signal<
  { readonly top: number } | { readonly byRows: number } | "to active row" | null
>(null);
/** Whether the active cell should be focused. */
export const wantsFocus = signal(true);
/** Whether the page has the window focus. */
export const hasFocus = signal(false);

/** Delay before rows outside the viewport are requested. */
const PREFETCH_DELAY_MS = 100;
const DETAILS_DELAY_MS = 50;
/** Delay between typing and searching. */
const SEARCH_DELAY_MS = 120;

let searchTimer: ReturnType<typeof setTimeout> | undefined;
let prefetchTimer: ReturnType<typeof setTimeout> | undefined;
let detailsTimer: ReturnType<typeof setTimeout> | undefined;
/** Number of details that were requested and not received. */
let pendingDetails = 0;
/** The cell to edit once its complete text has arrived, and what was typed to replace it. */
let cellToEdit: { readonly id: CellId; readonly typedText: string | null } | null = null;
/** First rows of the batches that were requested or received. */
const requestedBatches = new Set<number>();
let isFirstTable = true;
/** A table received while a cell is edited; shown when the edit ends. */
let deferredTable: TableMessage | null = null;
/** The first and the last row in the viewport. */
let visibleRows: readonly [first: number, last: number] = [0, ROW_BATCH_SIZE];

type TableMessage = Extract<MessageToPage, { type: "table" }>;

/** Listens to the extension and the window's focus. */
export function start(): void {
  const updateFocus = (): void => {
    hasFocus.value = document.hasFocus();
  };
  for (const event of ["focus", "blur"]) window.addEventListener(event, updateFocus);
  updateFocus();
  const join = joinMessages((message) => {
    const parsed = v.safeParse(MessageToPageSchema, message);
    if (parsed.success) receive(parsed.output);
  });
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => join(data));
  send({ type: "ready" });
}

function receive(message: MessageToPage): void {
  switch (message.type) {
    case "setup":
      return batch(() => {
        translations.value = message.messages;
        isSetUp.value = true;
        showLanguages(message.languages);
        separator.value = message.separator;
        if (message.query !== null) {
          clearTimeout(searchTimer);
          query.value = message.query;
        }
        namespaces.value = message.namespaces;
        tags.value = message.tags;
      });
    case "table":
      return showTable(message);
    case "rows":
      if (message.revision === table.value.revision) addRows(message.start, message.rows);
      return;
    case "changed":
      counts.value = message.counts;
      return requestVisibleRows();
    case "matches":
      matches.value = message;
      return;
    case "details":
      pendingDetails -= 1;
      showDetails(message.details);
  }
}

/** Changes the visible languages; loaded rows keep their texts if they have them all. */
function showLanguages(next: readonly Language[]): void {
  const before = languages.value.map(({ locale }) => locale);
  const columns = next.map(({ locale }) => before.indexOf(locale));
  const isSame = columns.length === before.length && columns.every((column, index) => column === index);
  if (!isSame) finishEdit();
  languages.value = next;
  if (isSame) return;
  anchor.value = null;
  if (columns.includes(-1)) {
    rows.value = new Map();
    requestVisibleRows();
  } else {
    const cellsOf = (row: Row): Cell[] => columns.flatMap((column) => row.cells[column] ?? []);
    rows.value = new Map(Array.from(rows.value, ([index, row]) => [index, { ...row, cells: cellsOf(row) }]));
  }
}

/** Moves the language of a column (1 is the source) by one. */
export function moveLanguage(column: number, by: -1 | 1): void {
  const others = languages.value.slice(1).map(({ locale }) => locale);
  const from = column - 2;
  const moved = others[from];
  const neighbour = others[from + by];
  if (moved === undefined || neighbour === undefined) return;
  others[from] = neighbour;
  others[from + by] = moved;
  // The active cell moves with its language, also if the user has not moved to it.
  activeLocale.value = active.value.column === 0 ? null : languages.value[active.value.column - 1]?.locale;
  wantsFocus.value = true;
  send({ type: "languages", locales: others });
}

function addRows(start: number, received: readonly Row[]): void {
  rows.value = new Map([...rows.value, ...received.map((row, index) => [start + index, row] as const)]);
  const { row } = active.value;
  if (row >= start && row < start + received.length) requestDetails();
}

/** Whether the table has the active row where it is. */
function hasActiveRow({ start, rows: received }: TableMessage): boolean {
  const hash = activeRow.value?.hash;
  return hash !== undefined && received[active.value.row - start]?.hash === hash;
}

function showTable(message: TableMessage): void {
  const { revision, rowCount, focus, isUserQuery } = message;
  // The answer to a query may be late, when its first rows are edited already.
  const keepsEdit = !isUserQuery || hasActiveRow(message);
  deferredTable = keepsEdit && editing.value !== null ? { ...message, isUserQuery: false } : null;
  if (deferredTable !== null) return;
  const hash = activeRow.value?.hash;
  if (!isUserQuery && focus === null && hash !== undefined && hash !== message.active?.hash) {
    // Rows may have shifted, and the extension does not know yet which one is active.
    send({ type: "active", hash });
    return;
  }
  if (isUserQuery) finishEdit();
  // The active row may change and the focused element be removed.
  if (isFocusInTable()) wantsFocus.value = true;
  const saved = isFirstTable ? vscode.getState() : undefined;
  isFirstTable = false;
  const [first, last] = visibleRows;
  const isActiveVisible = active.value.row >= first && active.value.row <= last;
  const shift = isUserQuery ? 0 : shiftOf(message.active);
  batch(() => {
    requestedBatches.clear();
    if (isUserQuery) {
      requestedBatches.add(message.start);
      rows.value = new Map(message.rows.map((row, index) => [message.start + index, row]));
    } else if (shift !== 0) {
      // Shown until they are received again.
      rows.value = new Map(Array.from(rows.value, ([index, row]) => [index + shift, row]));
    }
    table.value = { revision, rowCount };
    counts.value = message.counts;
    anchor.value = null;
    const row = focus ?? saved?.row ?? (isUserQuery ? 0 : active.value.row + shift);
    activeIndex.value = Math.min(row, Math.max(0, rowCount - 1));
    if (saved !== undefined) activeLocale.value = saved.locale;
    if (focus !== null) {
      wantsFocus.value = true;
      scrolling.value = "to active row";
    } else if (saved !== undefined || isUserQuery) scrolling.value = { top: saved?.top ?? 0 };
    // Rows stay under the pointer when others are inserted above.
    else if (shift !== 0 && isActiveVisible) scrolling.value = { byRows: shift };
  });
  if (isUserQuery) requestDetails();
}

/** Returns by how many rows the table has shifted, based on the active row. */
function shiftOf(known: TableMessage["active"]): number {
  const before = [...rows.value].find(([, row]) => row.hash === known?.hash);
  return known === null || known.row === null || before === undefined ? 0 : known.row - before[0];
}

/** Returns whether the table, or nothing, has the focus. */
function isFocusInTable(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.closest("[role=grid]") !== null;
}

/** Requests missing rows of the viewport and, after a delay, those beyond. */
export function requestRows(first: number, last: number): void {
  visibleRows = [first, last];
  requestRange(first, last);
  prefetchTimer ??= setTimeout(() => {
    prefetchTimer = undefined;
    requestRange(Math.max(0, visibleRows[0] - ROW_BATCH_SIZE), visibleRows[1] + ROW_BATCH_SIZE);
  }, PREFETCH_DELAY_MS);
}

/** Requests the visible rows again. */
function requestVisibleRows(): void {
  requestedBatches.clear();
  requestRange(...visibleRows);
}

function requestRange(first: number, last: number): void {
  const { revision, rowCount } = table.value;
  if (revision === 0) return;
  const end = Math.min(last, rowCount - 1);
  for (let start = batchStart(first); start <= end; start += ROW_BATCH_SIZE) {
    if (requestedBatches.has(start)) continue;
    requestedBatches.add(start);
    send({ type: "rows", revision, start });
  }
}

/** Searches for the typed words once typing pauses. */
export function searchFor(search: string): void {
  query.value = { ...query.value, search };
  clearTimeout(searchTimer);
  searchTimer = setTimeout(() => setQuery({}), SEARCH_DELAY_MS);
}

/** Changes the query and runs it. */
export function setQuery(change: Partial<RowQuery>): void {
  clearTimeout(searchTimer);
  // The new table requests its own rows and details.
  clearTimeout(prefetchTimer);
  clearTimeout(detailsTimer);
  prefetchTimer = undefined;
  query.value = { ...query.value, ...change };
  send({ type: "query", query: query.value });
}

/** Moves to a cell, clamped to the table. */
export function goTo(row: number, column: number, isSelecting = false): void {
  const from = active.value;
  cellToEdit = null;
  batch(() => {
    activeIndex.value = Math.max(0, Math.min(row, table.value.rowCount - 1));
    activeLocale.value = column <= 0 ? null : (languages.value[column - 1] ?? languages.value.at(-1))?.locale;
    anchor.value = isSelecting ? (anchor.value ?? from) : null;
    wantsFocus.value = true;
  });
  requestDetails();
}

/** Saves the scroll position in pixels, with the active cell. */
export function saveViewState(top: number): void {
  vscode.setState({ top, row: active.value.row, locale: activeLocale.value });
}

/** Returns the id of a cell; `null` for a key cell or an unloaded row. */
export function cellAt({ row, column }: Position): CellId | null {
  const hash = rows.value.get(row)?.hash;
  const locale = languages.value[column - 1]?.locale;
  return hash === undefined || locale === undefined ? null : { hash, locale };
}

/** Returns the cell that the details are of: the active one, or that of the source text for a key. */
function detailedCell(): CellId | null {
  const { row, column } = active.value;
  return cellAt({ row, column: Math.max(1, column) });
}

export function isSameCell(a: CellId | null | undefined, b: CellId | null | undefined): boolean {
  return a != null && b != null && a.hash === b.hash && a.locale === b.locale;
}

/** Requests the details of the active cell after a delay, since rows have priority. */
function requestDetails(): void {
  clearTimeout(detailsTimer);
  detailsTimer = setTimeout(() => {
    detailsTimer = undefined;
    const cell = detailedCell();
    if (cell === null) return;
    pendingDetails += 1;
    send({ type: "details", cell });
  }, DETAILS_DELAY_MS);
}

function showDetails(received: CellDetails): void {
  if (!isSameCell(detailedCell(), received.cell)) return;
  details.value = received;
  if (cellToEdit === null || !isSameCell(cellToEdit.id, received.cell)) return;
  const { typedText } = cellToEdit;
  cellToEdit = null;
  beginEdit(typedText);
}

/**
 * Starts editing the active cell, a truncated one once its complete text has arrived. `typed` replaces the text, or its
 * first form.
 */
export function beginEdit(typed: string | null = null): void {
  const position = active.value;
  const id = cellAt(position);
  const cell = activeRow.value?.cells[position.column - 1];
  if (id === null || cell === undefined || cell.states.includes("readonly")) return;
  // The row may be out of view.
  scrolling.value = "to active row";
  const areDetailsCurrent =
    detailsTimer === undefined && pendingDetails === 0 && isSameCell(details.value?.cell, id);
  // What is typed while the text has not arrived yet continues what was typed before.
  const earlier = cellToEdit !== null && isSameCell(cellToEdit.id, id) ? cellToEdit.typedText : null;
  const typedText = typed === null ? earlier : (earlier ?? "") + typed;
  if (cell.isTruncated && !areDetailsCurrent) cellToEdit = { id, typedText };
  else editing.value = { position, id, parts: completeParts(cell, details.value?.text ?? null), typedText };
}

/** The states of cells that a filter of the toolbar looks for. */
const STATES_OF_FILTERS: Readonly<Partial<Record<RowFilter, State>>> = {
  untranslated: "missing",
  outdated: "outdated",
  issues: "issue",
  unsaved: "unsaved",
  conflicts: "conflict",
  refused: "refused",
};

/**
 * Returns the next row that matches the filters as the cells are now, since rows that were changed stay in the table; the
 * row itself if there is none. Rows that are not loaded were not changed.
 */
export function nextMatchingRow(from: number): number {
  const { filters } = query.value;
  const matches = (row: Row | undefined): boolean =>
    row === undefined ||
    filters.length === 0 ||
    filters.some((filter) => {
      if (filter === "notPushed") return row.isNotPushed;
      if (filter === "unused") return row.usageCount === 0;
      const state = STATES_OF_FILTERS[filter];
      return state === undefined || row.cells.some(({ states }) => states.includes(state));
    });
  for (let index = from + 1; index < table.value.rowCount; index++)
    if (matches(rows.value.get(index))) return index;
  return from;
}

/** Returns the parts of a cell with the complete text of its details. */
export function completeParts(cell: Cell, text: Text | null): Parts {
  if (!cell.isTruncated || text === null) return cell.parts;
  return cell.parts.map(({ category, text: truncated }) => ({
    category,
    text: "value" in text ? text.value : ((category === null ? truncated : text.forms[category]) ?? ""),
  }));
}

/** Accepts the typed text of the edited cell. */
let acceptTyped: (() => void) | null = null;

/** Registers the callback that accepts the typed text before rows change. Returns a function that calls and removes it. */
export function onFinishEdit(accept: () => void): () => void {
  acceptTyped = accept;
  return () => {
    accept();
    if (acceptTyped === accept) acceptTyped = null;
  };
}

/** Ends the edit with the typed text; before the text box is rendered, nothing was typed. */
function finishEdit(): void {
  acceptTyped?.();
  if (editing.value !== null) endEdit(null, { focusesCell: wantsFocus.value });
}

/** Ends the edit with this text; `null`: the one that was sent last. `focusesCell`: whether to focus the cell. */
export function endEdit(parts: Parts | null, { focusesCell }: { readonly focusesCell: boolean }): void {
  if (parts !== null) stageEdit(parts);
  const isEnded = editing.value !== null;
  batch(() => {
    editing.value = null;
    wantsFocus.value = focusesCell;
  });
  if (isEnded && deferredTable !== null) showTable(deferredTable);
}

/** Sends the text of the edited cell without ending the edit. */
export function stageEdit(parts: Parts): void {
  const edited = editing.value;
  if (edited === null || parts.every(({ text }, index) => text === edited.parts[index]?.text)) return;
  editing.value = { ...edited, parts };
  setText(edited.position, edited.id, { before: edited.parts, parts });
}

/** Changes the text of a cell from `before` to `parts`. `position`: its last known position. */
export function setText(
  position: Position,
  id: CellId,
  { before, parts }: { readonly before: Parts; readonly parts: Parts },
): void {
  const row = rows.value.get(position.row);
  const cell = row?.cells[position.column - 1];
  if (row !== undefined && cell !== undefined && isSameCell(cellAt(position), id)) {
    if (cell.states.includes("readonly")) return;
    const cells = row.cells.with(position.column - 1, optimisticCell(cell, parts));
    rows.value = new Map(rows.value).set(position.row, { ...row, cells });
  }
  send({ type: "edit", cell: id, before: textOf(before), text: textOf(parts) });
  requestDetails();
}

export function textOf(parts: Parts): Text {
  const [first] = parts;
  if (first?.category === null) return { value: first.text };
  const filled = parts.filter(({ text }) => text !== "");
  return { forms: Object.fromEntries(filled.map(({ category, text }) => [category ?? "", text])) };
}

/** Returns the cell as shown until the extension confirms the text. */
function optimisticCell({ states }: Cell, parts: Parts): Cell {
  const isEmpty = parts.every(({ text }) => text === "");
  const isInConflict = states.includes("conflict");
  return {
    parts,
    isTruncated: false,
    states: [
      ...(isEmpty ? ["missing" as const] : []),
      "unsaved",
      ...(isInConflict ? ["conflict" as const] : []),
    ],
  };
}

/**
 * Lets the extension change, copy or translate all selected cells, including rows that are not loaded. Only translating
 * needs no language.
 */
export function sendSelected(type: "fill" | "clear" | "copy" | "translate"): void {
  const { top, bottom, left, right } = selection.value;
  const locales = languages.value.slice(Math.max(0, left - 1), right).map(({ locale }) => locale);
  if (locales.length === 0 && type !== "translate") return;
  send({ type, revision: table.value.revision, rows: [top, bottom], locales });
  requestDetails();
}

/** Returns the selected cells as clipboard text; `null` if not all of them are loaded completely. */
export function selectionAsText(): string | null {
  const { top, bottom, left, right } = selection.value;
  if (right === 0) return null;
  const lines: string[][] = [];
  for (let row = top; row <= bottom; row++) {
    const cells = rows.value.get(row)?.cells.slice(Math.max(0, left - 1), right);
    if (cells === undefined || cells.some(({ isTruncated }) => isTruncated)) return null;
    lines.push(cells.map(({ parts }) => toClipboardText(parts)));
  }
  return writeCells(lines);
}

/** Pastes spreadsheet cells at the active cell; a single text is pasted into all selected cells. */
export function paste(copied: string): void {
  const { top, bottom, left, right } = selection.value;
  if (left === 0 || copied === "") return;
  const cells = readCells(copied);
  const [[only = ""] = []] = cells;
  const isSingle = cells.length === 1 && cells[0]?.length === 1;
  const texts = isSingle
    ? Array<string[]>(bottom - top + 1).fill(Array<string>(right - left + 1).fill(only))
    : cells;
  const locales = languages.value.slice(left - 1).map(({ locale }) => locale);
  send({ type: "paste", revision: table.value.revision, row: top, locales, texts });
  requestDetails();
}

/** Discards the draft of the active cell, or resolves its conflict in favour of the draft. */
export function resolveDraft(type: "discard" | "keepMine"): void {
  const cell = cellAt(active.value);
  if (cell !== null) send({ type, cell });
  requestDetails();
}
