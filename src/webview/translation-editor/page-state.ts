/**
 * The state of the page and its messages. Rows are requested when they come into view and cached while their list is shown.
 */
import { batch, computed, signal } from "@preact/signals-core";
import * as v from "valibot";
import { readCells, writeCells } from "./clipboard-cells.ts";
import { translations } from "./l10n.ts";
import {
  blockOf,
  joinMessages,
  NO_QUERY,
  ROW_BATCH_SIZE,
  splitMessage,
  ToPageSchema,
  type Cell,
  type CellId,
  type Detail,
  type FromPage,
  type Language,
  type Part,
  type Query,
  type Row,
  type State,
  type ToPage,
} from "./message-protocol.ts";

/** The view state that VS Code preserves while the page is hidden. */
interface ViewState {
  readonly top: number;
  readonly row: number;
  readonly locale: string | null | undefined;
}

interface VsCode {
  postMessage(message: FromPage | Part): void;
  getState(): ViewState | undefined;
  setState(state: ViewState): void;
}

declare function acquireVsCodeApi(): VsCode;

const vscode = acquireVsCodeApi();

/** Sends a message to the extension. */
export function send(message: FromPage): void {
  for (const part of splitMessage(message)) vscode.postMessage(part);
}

/** A cell position: row in the list and column; column 0 is the key, followed by the languages. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/** The edited text of a cell: the value, or the forms by category. */
export type Parts = readonly { readonly category: string | null; readonly text: string }[];

/** Whether the page was set up; it is rendered after that. */
export const isSetUp = signal(false);
export const languages = signal<readonly Language[]>([]);
/** The separator between namespace and key. */
export const separator = signal(".");
export const namespaces = signal<readonly string[]>([]);
export const tags = signal<readonly string[]>([]);
export const query = signal(NO_QUERY);
export const list = signal({ number: 0, count: 0 });
export const counts = signal({ unsaved: 0, conflicts: 0, refused: 0 });
export const rows = signal<ReadonlyMap<number, Row>>(new Map());
const activeIndex = signal(0);
/** The language that the user moved to, also while it is not visible. `null`: the key; `undefined`: none yet. */
const activeLocale = signal<string | null | undefined>(undefined);
/** The active cell; in the first translation if its language is not visible. */
export const active = computed<Position>(() => {
  const locale = activeLocale.value;
  const place = languages.value.findIndex((each) => each.locale === locale);
  const column = place === -1 ? Math.min(2, languages.value.length) : place + 1;
  return { row: activeIndex.value, column: locale === null ? 0 : column };
});
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
export const detail = signal<Detail | null>(null);
/** The matches of find and replace; `null` before a search. */
export const matches = signal<Extract<ToPage, { type: "matches" }> | null>(null);
export const isReplacing = signal(false);
/** The edited cell with the initial text of its boxes. */
export const editing = signal<{
  readonly position: Position;
  readonly id: CellId;
  readonly parts: Parts;
} | null>(null);
/** How to scroll after the next rendering: to a position in pixels, by rows, or to the active row; `null` to stay. */
export const scrolling = signal<
  { readonly top: number } | { readonly byRows: number } | "to active row" | null
>(null);
/** Whether the active cell should be focused. */
export const wantsFocus = signal(true);
/** Whether the page has the window focus. */
export const hasFocus = signal(false);

export const activeRow = computed(() => rows.value.get(active.value.row));

/** Delay before rows outside the viewport are requested. */
const PREFETCH_DELAY_MS = 100;
const DETAIL_DELAY_MS = 50;
/** Delay between typing and searching. */
const SEARCH_DELAY_MS = 120;

let searchTimer: ReturnType<typeof setTimeout> | undefined;
let prefetchTimer: ReturnType<typeof setTimeout> | undefined;
let detailTimer: ReturnType<typeof setTimeout> | undefined;
/** Details that were requested and not received. */
let pendingDetails = 0;
/** The cell to edit once its complete text has arrived. */
let toEdit: CellId | null = null;
const requestedBlocks = new Set<number>();
let isFirstList = true;

export function start(): void {
  const follow = (): void => {
    hasFocus.value = document.hasFocus();
  };
  for (const event of ["focus", "blur"]) window.addEventListener(event, follow);
  follow();
  const take = joinMessages((message) => {
    const parsed = v.safeParse(ToPageSchema, message);
    if (parsed.success) receive(parsed.output);
  });
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => take(data));
  send({ type: "ready" });
}

function receive(message: ToPage): void {
  switch (message.type) {
    case "setup":
      batch(() => {
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
      return;
    case "list":
      showList(message);
      return;
    case "rows":
      if (message.list !== list.value.number) return;
      addRows(message.start, message.rows);
      return;
    case "changed":
      counts.value = message.counts;
      requestVisibleRows();
      return;
    case "matches":
      matches.value = message;
      return;
    case "detail":
      pendingDetails -= 1;
      showDetail(message.detail);
  }
}

/** Changes the visible languages; loaded rows keep their texts if they have them all. */
function showLanguages(next: readonly Language[]): void {
  const before = languages.value.map(({ locale }) => locale);
  const places = next.map(({ locale }) => before.indexOf(locale));
  const isSame = places.length === before.length && places.every((place, index) => place === index);
  if (!isSame) stopEdit();
  languages.value = next;
  if (isSame) return;
  anchor.value = null;
  const cellsOf = (row: Row): Cell[] => places.flatMap((place) => row.cells[place] ?? []);
  if (places.includes(-1)) rows.value = new Map();
  else
    rows.value = new Map(Array.from(rows.value, ([index, row]) => [index, { ...row, cells: cellsOf(row) }]));
  if (places.includes(-1)) requestVisibleRows();
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

function addRows(start: number, taken: readonly Row[]): void {
  const next = new Map(rows.value);
  for (const [index, row] of taken.entries()) next.set(start + index, row);
  rows.value = next;
  const { row } = active.value;
  if (row >= start && row < start + taken.length) requestDetail();
}

type List = Extract<ToPage, { type: "list" }>;

/** A list update received while a cell is edited; applied when the edit ends. */
let deferredList: List | null = null;

function showList(message: List): void {
  const { list: number, count, focus, isUserQuery } = message;
  deferredList = !isUserQuery && editing.value !== null ? message : null;
  if (deferredList !== null) return;
  const hash = activeRow.value?.hash;
  if (!isUserQuery && focus === null && hash !== undefined && hash !== message.active?.hash) {
    // Rows may have shifted, and the extension does not know yet which one is active.
    send({ type: "active", hash });
    return;
  }
  if (isUserQuery) stopEdit();
  // The active row may change and the focused element be removed.
  if (isFocusInTable()) wantsFocus.value = true;
  const kept = isFirstList ? vscode.getState() : undefined;
  isFirstList = false;
  const isActiveInView = active.value.row >= shown[0] && active.value.row <= shown[1];
  const by = isUserQuery ? 0 : distanceTo(message.active);
  batch(() => {
    requestedBlocks.clear();
    // Shown until they are received again.
    if (by !== 0) rows.value = new Map([...rows.value].map(([index, row]) => [index + by, row] as const));
    if (isUserQuery) {
      // These are sent with the list.
      requestedBlocks.add(message.start);
      rows.value = new Map(message.rows.map((row, index) => [message.start + index, row] as const));
    }
    list.value = { number, count };
    counts.value = message.counts;
    anchor.value = null;
    const row = focus ?? kept?.row ?? (isUserQuery ? 0 : active.value.row + by);
    activeIndex.value = Math.min(row, Math.max(0, count - 1));
    if (kept !== undefined) activeLocale.value = kept.locale;
    if (focus !== null) {
      wantsFocus.value = true;
      scrolling.value = "to active row";
    } else if (kept !== undefined || isUserQuery) scrolling.value = { top: kept?.top ?? 0 };
    // Rows stay under the pointer when others are inserted above.
    else if (by !== 0 && isActiveInView) scrolling.value = { byRows: by };
  });
  if (isUserQuery) requestDetail();
}

/** Returns by how many rows the list has shifted, based on the active row. */
function distanceTo(known: List["active"]): number {
  const before = [...rows.value].find(([, row]) => row.hash === known?.hash);
  return known === null || known.row === null || before === undefined ? 0 : known.row - before[0];
}

/** Whether the table, or nothing, has the focus. */
function isFocusInTable(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.closest(".grid") !== null;
}

/** The visible rows. */
let shown: [number, number] = [0, ROW_BATCH_SIZE];

/** Requests missing rows of the viewport and, after a delay, those beyond. */
export function requestRows(first: number, last: number): void {
  shown = [first, last];
  requestRange(first, last);
  prefetchTimer ??= setTimeout(() => {
    prefetchTimer = undefined;
    requestRange(Math.max(0, shown[0] - ROW_BATCH_SIZE), shown[1] + ROW_BATCH_SIZE);
  }, PREFETCH_DELAY_MS);
}

/** Requests the visible rows again. */
function requestVisibleRows(): void {
  requestedBlocks.clear();
  requestRange(...shown);
}

function requestRange(first: number, last: number): void {
  const { number, count } = list.value;
  if (number === 0) return;
  const end = Math.min(last, count - 1);
  for (let start = blockOf(first); start <= end; start += ROW_BATCH_SIZE) {
    if (requestedBlocks.has(start)) continue;
    requestedBlocks.add(start);
    send({ type: "rows", list: number, start });
  }
}

/** Searches for the typed words once typing pauses. */
export function searchFor(search: string): void {
  query.value = { ...query.value, search };
  clearTimeout(searchTimer);
  searchTimer = setTimeout(() => setQuery({}), SEARCH_DELAY_MS);
}

export function setQuery(change: Partial<Query>): void {
  clearTimeout(searchTimer);
  // The new list asks for its own rows and details.
  clearTimeout(prefetchTimer);
  clearTimeout(detailTimer);
  prefetchTimer = undefined;
  query.value = { ...query.value, ...change };
  send({ type: "query", query: query.value });
}

/** Moves to a cell, clamped to the table. */
export function goTo(row: number, column: number, isSelecting = false): void {
  const from = active.value;
  toEdit = null;
  batch(() => {
    activeIndex.value = Math.max(0, Math.min(row, list.value.count - 1));
    activeLocale.value = column <= 0 ? null : (languages.value[column - 1] ?? languages.value.at(-1))?.locale;
    anchor.value = isSelecting ? (anchor.value ?? from) : null;
    wantsFocus.value = true;
  });
  requestDetail();
}

export function keepScroll(top: number): void {
  vscode.setState({ top, row: active.value.row, locale: activeLocale.value });
}

/** Returns the id of a cell; `null` for a key cell or an unloaded row. */
export function cellAt({ row, column }: Position): CellId | null {
  const hash = rows.value.get(row)?.hash;
  const locale = languages.value[column - 1]?.locale;
  return hash === undefined || locale === undefined ? null : { hash, locale };
}

export function isSameCell(a: CellId | null, b: CellId | null): boolean {
  return a !== null && b !== null && a.hash === b.hash && a.locale === b.locale;
}

/** Requests the details of the active cell after a delay, since rows have priority. */
function requestDetail(): void {
  clearTimeout(detailTimer);
  detailTimer = setTimeout(() => {
    detailTimer = undefined;
    const cell = cellAt(active.value) ?? cellAt({ ...active.value, column: 1 });
    if (cell === null) return;
    pendingDetails += 1;
    send({ type: "detail", cell });
  }, DETAIL_DELAY_MS);
}

function showDetail(taken: Detail): void {
  const { row } = active.value;
  const current = cellAt(active.value) ?? cellAt({ row, column: 1 });
  if (!isSameCell(current, taken.cell)) return;
  detail.value = taken;
  if (!isSameCell(toEdit, taken.cell)) return;
  toEdit = null;
  beginEdit();
}

/** Starts editing the active cell; a truncated text is fetched first. */
export function beginEdit(): void {
  const position = active.value;
  const id = cellAt(position);
  const cell = activeRow.value?.cells[position.column - 1];
  if (id === null || cell === undefined || cell.states.includes("readonly")) return;
  // The row may be out of view.
  scrolling.value = "to active row";
  if (!cell.isCut) {
    editing.value = { position, id, parts: cell.parts };
    return;
  }
  const isCurrent = detailTimer === undefined && pendingDetails === 0;
  if (!isCurrent || !isSameCell(detail.value?.cell ?? null, id)) {
    toEdit = id;
    return;
  }
  editing.value = { position, id, parts: wholeParts(cell, detail.value?.text ?? null) };
}

/** Returns the parts of a cell with the complete text of its details. */
export function wholeParts(cell: Cell, text: Detail["text"]): Parts {
  if (!cell.isCut || text === null) return cell.parts;
  return cell.parts.map(({ category, text: cut }) => ({
    category,
    text: "value" in text ? text.value : ((category === null ? cut : text.forms[category]) ?? ""),
  }));
}

/** Accepts the text of the edited cell. */
let finishEdit: (() => void) | null = null;

/** Registers the callback that accepts the edited text before rows change. Returns a function that calls and removes it. */
export function onFinishEdit(finish: () => void): () => void {
  finishEdit = finish;
  return () => {
    finish();
    if (finishEdit === finish) finishEdit = null;
  };
}

/** Accepts the text of the edited cell; nothing was typed before its box is rendered. */
function stopEdit(): void {
  finishEdit?.();
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
  if (isEnded && deferredList !== null) showList(deferredList);
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
    const cells = row.cells.map((each) => (each === cell ? optimisticCell(each, parts) : each));
    rows.value = new Map(rows.value).set(position.row, { ...row, cells });
  }
  send({ type: "edit", texts: [{ ...id, before: textOf(before), text: textOf(parts) }] });
  requestDetail();
}

function textOf(parts: Parts): { value: string } | { forms: Record<string, string> } {
  const [first] = parts;
  if (first?.category === null) return { value: first.text };
  const filled = parts.filter(({ text }) => text !== "");
  return { forms: Object.fromEntries(filled.map(({ category, text }) => [category ?? "", text])) };
}

/** Returns the optimistic state of the cell until the extension confirms it. */
function optimisticCell(cell: Cell, parts: Parts): Cell {
  const isEmpty = parts.every(({ text }) => text === "");
  const kept = cell.states.filter((state) => state === "conflict");
  const states: State[] = [...(isEmpty ? (["missing"] as const) : []), "unsaved", ...kept];
  return { parts: parts.map(({ category, text }) => ({ category, text })), isCut: false, states };
}

/**
 * Lets the extension change, copy or translate all selected cells, including rows that are not loaded. Only translating
 * needs no language.
 */
export function sendSelected(type: "fill" | "clear" | "copy" | "translate"): void {
  const { top, bottom, left, right } = selection.value;
  const locales = languages.value.slice(Math.max(0, left - 1), right).map(({ locale }) => locale);
  if (locales.length === 0 && type !== "translate") return;
  send({ type, list: list.value.number, rows: [top, bottom], locales });
  requestDetail();
}

/** Returns the selected cells as clipboard text; `null` if not all of them are loaded completely. */
export function copied(): string | null {
  const { top, bottom, left, right } = selection.value;
  if (right === 0) return null;
  const lines: string[][] = [];
  for (let row = top; row <= bottom; row++) {
    const cells = rows.value.get(row)?.cells.slice(Math.max(0, left - 1), right);
    if (cells === undefined || cells.some(({ isCut }) => isCut)) return null;
    lines.push(cells.map(({ parts }) => parts.map(({ text }) => text).join("\n")));
  }
  return writeCells(lines);
}

/** Pastes spreadsheet cells at the active cell; a single text is pasted into all selected cells. */
export function paste(copied: string): void {
  const { top, bottom, left, right } = selection.value;
  if (left === 0 || copied === "") return;
  const cells = readCells(copied);
  const [[only = ""] = []] = cells;
  const isOne = cells.length === 1 && cells[0]?.length === 1;
  const texts = isOne
    ? Array<string[]>(bottom - top + 1).fill(Array<string>(right - left + 1).fill(only))
    : cells;
  const locales = languages.value.slice(left - 1).map(({ locale }) => locale);
  send({ type: "paste", list: list.value.number, row: top, locales, texts });
  requestDetail();
}

/** Discards the draft of the active cell, or resolves its conflict in favour of the draft. */
export function resolveDraft(type: "discard" | "keepMine"): void {
  const cell = cellAt(active.value);
  if (cell !== null) send({ type, cells: [cell] });
  requestDetail();
}
