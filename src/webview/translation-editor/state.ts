/** The state of the page. Rows are requested when they come into view and cached while their list is shown. */
import { batch, computed, signal } from "@preact/signals-core";
import { keepPlace, keptPlace, listen, send } from "./host-connection.ts";
import { blockOf, ROW_BATCH_SIZE, type CellId, type Query } from "./messages-from-page.ts";
import type { Cell, Detail, Found, Language, Row, State, ToPage } from "./messages-to-page.ts";
import { readCells, writeCells } from "./clipboard-cells.ts";
import type { Strings } from "./localized-strings.ts";

/** A cell position: row in the list and column; column 0 is the key, followed by the languages. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/** The edited text of a cell: the value, or the forms by category. */
export type Parts = readonly { readonly category: string | null; readonly text: string }[];

export const words = signal<Strings | null>(null);
export const languages = signal<readonly Language[]>([]);
/** The separator between namespace and key. */
export const separator = signal(".");
export const namespaces = signal<readonly string[]>([]);
export const tags = signal<readonly string[]>([]);
export const query = signal<Query>({ filters: [], search: "", namespace: null, tag: null, sort: "name" });
export const list = signal({ number: 0, count: 0 });
export const counts = signal({ unsaved: 0, conflicts: 0, refused: 0 });
export const rows = signal<ReadonlyMap<number, Row>>(new Map());
/** The active cell; initially the first translation. */
export const active = signal<Position>({ row: 0, column: 2 });
/** The opposite corner of the selection; `null` if only the active cell is selected. */
export const anchor = signal<Position | null>(null);
export const detail = signal<Detail | null>(null);
/** The matches of find and replace; `null` before a search. */
export const found = signal<{ readonly places: readonly Found[]; readonly isAll: boolean } | null>(null);
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

/** Delay before rows outside the viewport and details are requested. Milliseconds. */
const BEYOND_PAUSE = 100;
const DETAIL_PAUSE = 50;
/** Delay between typing and searching. Milliseconds. */
const SEARCH_PAUSE = 120;

let searchTimer: ReturnType<typeof setTimeout> | undefined;
let beyondTimer: ReturnType<typeof setTimeout> | undefined;
let detailTimer: ReturnType<typeof setTimeout> | undefined;
/** Details that were requested and not received. */
let awaitedDetails = 0;
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
  listen(receive);
  send({ type: "ready" });
}

function receive(message: ToPage): void {
  switch (message.type) {
    case "setup":
      batch(() => {
        words.value = message.words as unknown as Strings;
        takeLanguages(message.languages);
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
      takeList(message);
      return;
    case "rows":
      if (message.list !== list.value.number) return;
      takeRows(message.start, message.rows);
      return;
    case "changed":
      counts.value = countsOf(message);
      askAgain();
      return;
    case "found":
      found.value = { places: message.found, isAll: message.isAll };
      return;
    case "detail":
      awaitedDetails -= 1;
      takeDetail(message.detail);
  }
}

/** Changes the visible languages; loaded rows keep their texts and the active cell its language. */
function takeLanguages(next: readonly Language[]): void {
  const before = languages.value.map(({ locale }) => locale);
  const locales = next.map(({ locale }) => locale);
  const isSame = before.join("\n") === locales.join("\n");
  if (!isSame) stopEdit();
  languages.value = next;
  if (before.length === 0 || isSame) return;
  const places = locales.map((locale) => before.indexOf(locale));
  const isAllHere = places.every((place) => place !== -1);
  const moved = (row: Row): Row => ({
    ...row,
    cells: places.flatMap((place) => row.cells[place] ?? []),
  });
  rows.value = new Map(isAllHere ? [...rows.value].map(([index, row]) => [index, moved(row)] as const) : []);
  if (!isAllHere) askAgain();
  anchor.value = null;
  const { row, column } = active.value;
  const place = locales.indexOf(before[column - 1] ?? "");
  // If the language is no longer visible, moves to the first translation.
  const shown = place === -1 ? Math.min(2, locales.length) : place + 1;
  active.value = { row, column: column === 0 ? 0 : shown };
}

/** Moves the language of a column (1 is the source) by one. */
export function moveLanguage(column: number, by: -1 | 1): void {
  const others = languages.value.slice(1).map(({ locale }) => locale);
  const from = column - 2;
  const [locale] = others.slice(from, from + 1);
  if (from < 0 || from + by < 0 || from + by >= others.length || locale === undefined) return;
  others.splice(from, 1);
  others.splice(from + by, 0, locale);
  wantsFocus.value = true;
  send({ type: "languages", locales: others });
}

function countsOf({ unsaved, conflicts, refused }: (typeof counts)["value"]): (typeof counts)["value"] {
  return { unsaved, conflicts, refused };
}

function takeRows(start: number, taken: readonly Row[]): void {
  const next = new Map(rows.value);
  for (const [index, row] of taken.entries()) next.set(start + index, row);
  rows.value = next;
  const { row } = active.value;
  if (row >= start && row < start + taken.length) askDetail();
}

type List = Extract<ToPage, { type: "list" }>;

/** A list update received while a cell is edited; applied when the edit ends. */
let waiting: List | null = null;

function takeList(message: List): void {
  const { list: number, count, focus, isAsked } = message;
  waiting = !isAsked && editing.value !== null ? message : null;
  if (waiting !== null) return;
  const hash = activeRow.value?.hash;
  if (!isAsked && focus === null && hash !== undefined && hash !== message.active?.hash) {
    // Rows may have shifted, and the extension does not know yet which one is active.
    send({ type: "active", hash });
    return;
  }
  if (isAsked) stopEdit();
  // The active row may change and the focused element be removed.
  if (isFocusInTable()) wantsFocus.value = true;
  const kept = isFirstList ? keptPlace() : undefined;
  isFirstList = false;
  const isActiveInView = active.value.row >= shown[0] && active.value.row <= shown[1];
  const by = isAsked ? 0 : distanceTo(message.active);
  batch(() => {
    requestedBlocks.clear();
    // Shown until they are received again.
    if (by !== 0) rows.value = new Map([...rows.value].map(([index, row]) => [index + by, row] as const));
    // These are sent with the list.
    if (isAsked) requestedBlocks.add(blockOf(focus ?? 0));
    if (isAsked)
      rows.value = new Map(message.rows.map((row, index) => [message.start + index, row] as const));
    list.value = { number, count };
    counts.value = countsOf(message);
    anchor.value = null;
    const row = focus ?? kept?.row ?? (isAsked ? 0 : active.value.row + by);
    const wanted = kept?.column ?? active.value.column;
    const columns = languages.value.length;
    active.value = {
      row: Math.min(row, Math.max(0, count - 1)),
      column: columns === 0 ? wanted : Math.min(wanted, columns),
    };
    if (focus !== null) {
      wantsFocus.value = true;
      scrolling.value = "to active row";
    } else if (kept !== undefined || isAsked) scrolling.value = { top: kept?.top ?? 0 };
    // Rows stay under the pointer when others are inserted above.
    else if (by !== 0 && isActiveInView) scrolling.value = { byRows: by };
  });
  if (isAsked) askDetail();
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
  askFor(first, last);
  beyondTimer ??= setTimeout(() => {
    beyondTimer = undefined;
    askFor(Math.max(0, shown[0] - ROW_BATCH_SIZE), shown[1] + ROW_BATCH_SIZE);
  }, BEYOND_PAUSE);
}

/** Requests the visible rows again. */
function askAgain(): void {
  requestedBlocks.clear();
  askFor(...shown);
}

function askFor(first: number, last: number): void {
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
  searchTimer = setTimeout(() => setQuery({}), SEARCH_PAUSE);
}

export function setQuery(change: Partial<Query>): void {
  clearTimeout(searchTimer);
  // The new list asks for its own rows and details.
  clearTimeout(beyondTimer);
  clearTimeout(detailTimer);
  beyondTimer = undefined;
  query.value = { ...query.value, ...change };
  send({ type: "query", query: query.value });
}

/** Moves to a cell, clamped to the table. */
export function goTo(row: number, column: number, isSelecting = false): void {
  const from = active.value;
  toEdit = null;
  batch(() => {
    active.value = {
      row: Math.max(0, Math.min(row, list.value.count - 1)),
      column: Math.max(0, Math.min(column, languages.value.length)),
    };
    anchor.value = isSelecting ? (anchor.value ?? from) : null;
    wantsFocus.value = true;
  });
  askDetail();
}

export function keepScroll(top: number): void {
  keepPlace({ top, ...active.value });
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
function askDetail(): void {
  clearTimeout(detailTimer);
  detailTimer = setTimeout(() => {
    detailTimer = undefined;
    const cell = cellAt(active.value) ?? cellAt({ ...active.value, column: 1 });
    if (cell === null) return;
    awaitedDetails += 1;
    send({ type: "detail", cell });
  }, DETAIL_PAUSE);
}

function takeDetail(taken: Detail): void {
  const { row } = active.value;
  const current = cellAt(active.value) ?? cellAt({ row, column: 1 });
  if (!isSameCell(current, taken.cell)) return;
  detail.value = taken;
  if (!isSameCell(toEdit, taken.cell)) return;
  toEdit = null;
  beginEdit();
}

/** Returns the selected rows, inclusive, and columns, zero-based and without the keys. */
function selected(): { readonly rows: [number, number]; readonly columns: readonly number[] } {
  const from = anchor.value ?? active.value;
  const to = active.value;
  const columns = [...languages.value.keys()].filter((at) => isBetween(at + 1, from.column, to.column));
  return { rows: [Math.min(from.row, to.row), Math.max(from.row, to.row)], columns };
}

function isBetween(at: number, one: number, other: number): boolean {
  return at >= Math.min(one, other) && at <= Math.max(one, other);
}

/** Returns the selected rows and languages for a message. */
function selectedCells(): { readonly rows: [number, number]; readonly locales: string[] } {
  const { rows, columns } = selected();
  return { rows, locales: columns.flatMap((at) => languages.value[at]?.locale ?? []) };
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
  const isCurrent = detailTimer === undefined && awaitedDetails === 0;
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

/** Ends the edit; `null` cancels it. `focusesCell`: whether to focus the cell. */
export function endEdit(parts: Parts | null, { focusesCell }: { readonly focusesCell: boolean }): void {
  const edited = editing.value;
  batch(() => {
    editing.value = null;
    wantsFocus.value = focusesCell;
  });
  if (edited === null) return;
  const isSame = parts === null || parts.every(({ text }, index) => text === edited.parts[index]?.text);
  if (!isSame) setText(edited.position, edited.id, { before: edited.parts, parts });
  if (waiting !== null) takeList(waiting);
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
    const cells = row.cells.map((each) => (each === cell ? typed(each, parts) : each));
    rows.value = new Map(rows.value).set(position.row, { ...row, cells });
  }
  send({ type: "edit", texts: [{ ...id, before: textOf(before), text: textOf(parts) }] });
  askDetail();
}

function textOf(parts: Parts): { value: string } | { forms: Record<string, string> } {
  const [first] = parts;
  if (first?.category === null) return { value: first.text };
  const filled = parts.filter(({ text }) => text !== "");
  return { forms: Object.fromEntries(filled.map(({ category, text }) => [category ?? "", text])) };
}

/** Returns the optimistic state of the cell until the extension confirms it. */
function typed(cell: Cell, parts: Parts): Cell {
  const isEmpty = parts.every(({ text }) => text === "");
  const kept = cell.states.filter((state) => state === "conflict");
  const states: State[] = [...(isEmpty ? (["missing"] as const) : []), "unsaved", ...kept];
  return { parts: parts.map(({ category, text }) => ({ category, text })), isCut: false, states };
}

/** Changes all selected cells as one undo step, including rows that are not loaded. */
export function changeSelected(type: "fill" | "clear"): void {
  const cells = selectedCells();
  if (cells.locales.length === 0) return;
  send({ type, list: list.value.number, ...cells });
  askDetail();
}

/** Returns the selected cells as clipboard text; `null` if not all of them are loaded completely. */
export function copied(): string | null {
  const { rows: range, columns } = selected();
  if (columns.length === 0) return null;
  const lines: string[][] = [];
  for (let row = range[0]; row <= range[1]; row++) {
    const cells = rows.value.get(row)?.cells;
    const shown = columns.map((at) => cells?.[at]);
    const texts = shown.flatMap((cell) =>
      cell === undefined || cell.isCut ? [] : cell.parts.map(({ text }) => text).join("\n"),
    );
    if (texts.length < columns.length) return null;
    lines.push(texts);
  }
  return writeCells(lines);
}

/** Lets the extension copy the selected cells. */
export function copySelected(): void {
  const cells = selectedCells();
  if (cells.locales.length > 0) send({ type: "copy", list: list.value.number, ...cells });
}

/** Translates the selection with a language model. */
export function translateSelected(): void {
  send({ type: "translate", list: list.value.number, ...selectedCells() });
}

/** Pastes spreadsheet cells at the active cell; a single text is pasted into all selected cells. */
export function paste(copied: string): void {
  const from = anchor.value ?? active.value;
  const to = active.value;
  const column = Math.min(from.column, to.column);
  if (column === 0 || copied === "") return;
  const cells = readCells(copied);
  const row = Math.min(from.row, to.row);
  const height = Math.abs(from.row - to.row) + 1;
  const width = Math.abs(from.column - to.column) + 1;
  const [[only = ""] = []] = cells;
  const isOne = cells.length === 1 && cells[0]?.length === 1;
  const texts = isOne ? Array.from({ length: height }, () => Array<string>(width).fill(only)) : cells;
  const locales = languages.value.slice(column - 1).map(({ locale }) => locale);
  send({ type: "paste", list: list.value.number, row, locales, texts });
  askDetail();
}

/** Discards the draft of the active cell. */
export function discard(): void {
  const cell = cellAt(active.value);
  if (cell !== null) send({ type: "discard", cells: [cell] });
  askDetail();
}

export function keepMine(): void {
  const cell = cellAt(active.value);
  if (cell !== null) send({ type: "keepMine", cells: [cell] });
  askDetail();
}
