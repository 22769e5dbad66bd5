/** What the page knows and shows. Rows are asked for when they come into view, and kept while their list is shown. */
import { batch, computed, signal } from "@preact/signals-core";
import { keepPlace, keptPlace, listen, send } from "./host.ts";
import {
  blockOf,
  ROW_BATCH_SIZE,
  type Cell,
  type CellId,
  type Detail,
  type Found,
  type FromPage,
  type Language,
  type Query,
  type Row,
  type State,
  type ToPage,
} from "./messages.ts";
import { readCells, writeCells } from "./clipboard-cells.ts";
import type { Strings } from "./strings.ts";

/** A cell by its row in the list and its column: 0 is the key, then come the languages. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/** The text of a cell as it is typed: the value, or the forms by their categories. */
export type Parts = readonly { readonly category: string | null; readonly text: string }[];

export const words = signal<Strings | null>(null);
export const languages = signal<readonly Language[]>([]);
/** Between namespace and key. */
export const separator = signal(".");
export const namespaces = signal<readonly string[]>([]);
export const tags = signal<readonly string[]>([]);
export const query = signal<Query>({ filters: [], search: "", namespace: null, tag: null, sort: "name" });
export const list = signal({ number: 0, count: 0 });
export const counts = signal({ unsaved: 0, conflicts: 0, refused: 0 });
export const rows = signal<ReadonlyMap<number, Row>>(new Map());
/** At first the first translation. */
export const active = signal<Position>({ row: 0, column: 2 });
/** The other corner of the cells that are selected; `null`: the active one alone. */
export const anchor = signal<Position | null>(null);
export const detail = signal<Detail | null>(null);
/** What find and replace would change; `null`: nobody asked. */
export const found = signal<{ readonly places: readonly Found[]; readonly isAll: boolean } | null>(null);
export const isReplacing = signal(false);
/** The cell that is edited, with the text that its boxes begin with. */
export const editing = signal<{ readonly position: Position; readonly parts: Parts } | null>(null);
/** Where the grid is to be scrolled to once its list is shown; `null`: it stays. */
export const scrollTo = signal<number | null>(null);
/** Whether the active cell is to have the focus. */
export const wantsFocus = signal(true);

export const activeRow = computed(() => rows.value.get(active.value.row));

/** The cell that waits for its whole text, to be edited then. */
let toEdit: CellId | null = null;
const asked = new Set<number>();
let isFirstList = true;

export function start(): void {
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
        query.value = message.query;
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
      asked.clear();
      askFor(...shown);
      return;
    case "found":
      found.value = { places: message.found, isAll: message.isAll };
      return;
    case "detail":
      takeDetail(message.detail);
  }
}

/** Shows other languages: the rows that are here keep their texts, and the active cell its language. */
function takeLanguages(next: readonly Language[]): void {
  const before = languages.value.map(({ locale }) => locale);
  const locales = next.map(({ locale }) => locale);
  if (before.join("\n") !== locales.join("\n")) finishEdit?.();
  languages.value = next;
  if (before.length === 0 || before.join("\n") === locales.join("\n")) return;
  const places = locales.map((locale) => before.indexOf(locale));
  const isAllHere = places.every((place) => place !== -1);
  const moved = (row: Row): Row => ({
    ...row,
    cells: places.flatMap((place) => row.cells[place] ?? []),
  });
  rows.value = new Map(isAllHere ? [...rows.value].map(([index, row]) => [index, moved(row)] as const) : []);
  editing.value = null;
  anchor.value = null;
  const { row, column } = active.value;
  const stays = column === 0 ? 0 : locales.indexOf(before[column - 1] ?? "") + 1;
  active.value = { row, column: column === 0 ? 0 : Math.max(1, stays) };
}

/** Moves the language of a column (from 1, the source) one to the left or the right. */
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

function takeList(message: Extract<ToPage, { type: "list" }>): void {
  const { list: number, count, focus, isAsked } = message;
  if (isAsked) finishEdit?.();
  const kept = isFirstList ? keptPlace() : undefined;
  isFirstList = false;
  batch(() => {
    asked.clear();
    // Those come by themselves.
    if (isAsked) asked.add(blockOf(focus ?? 0));
    if (isAsked)
      rows.value = new Map(message.rows.map((row, index) => [message.start + index, row] as const));
    list.value = { number, count };
    counts.value = countsOf(message);
    if (isAsked) editing.value = null;
    anchor.value = null;
    const row = focus ?? kept?.row ?? (isAsked ? 0 : active.value.row);
    const wanted = kept?.column ?? active.value.column;
    const columns = languages.value.length;
    active.value = {
      row: Math.min(row, Math.max(0, count - 1)),
      column: columns === 0 ? wanted : Math.min(wanted, columns),
    };
    if (focus !== null) {
      wantsFocus.value = true;
      scrollTo.value = -1;
    } else if (kept !== undefined || isAsked) scrollTo.value = kept?.top ?? 0;
  });
  if (isAsked) askDetail();
}

/** The rows that are in view. */
let shown: [number, number] = [0, ROW_BATCH_SIZE];

/** Asks for rows that are not there yet, and for those beyond once there are any. */
export function requestRows(first: number, last: number): void {
  shown = [first, last];
  askFor(first, last);
  if (rows.value.size > 0) askFor(Math.max(0, first - ROW_BATCH_SIZE), last + ROW_BATCH_SIZE);
}

function askFor(first: number, last: number): void {
  const { number, count } = list.value;
  if (number === 0) return;
  const end = Math.min(last, count - 1);
  for (let start = blockOf(first); start <= end; start += ROW_BATCH_SIZE) {
    if (asked.has(start)) continue;
    asked.add(start);
    send({ type: "rows", list: number, start });
  }
}

export function setQuery(change: Partial<Query>): void {
  query.value = { ...query.value, ...change };
  send({ type: "query", query: query.value });
}

/** Goes to a cell, as far as there is one. */
export function goTo(row: number, column: number, isSelecting = false): void {
  const from = active.value;
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

/** The id of a language's cell. */
export function cellAt({ row, column }: Position): CellId | null {
  const hash = rows.value.get(row)?.hash;
  const locale = languages.value[column - 1]?.locale;
  return hash === undefined || locale === undefined ? null : { hash, locale };
}

export function isSameCell(a: CellId | null, b: CellId | null): boolean {
  return a !== null && b !== null && a.hash === b.hash && a.locale === b.locale;
}

function askDetail(): void {
  const cell = cellAt(active.value) ?? cellAt({ ...active.value, column: 1 });
  if (cell !== null) send({ type: "detail", cell });
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

/** The rows and the languages of the selected cells, both ends of each; `null`: only names of keys are selected. */
function selected(): Pick<Extract<FromPage, { type: "copy" }>, "rows" | "columns"> | null {
  const from = anchor.value ?? active.value;
  const to = active.value;
  if (Math.max(from.column, to.column) === 0) return null;
  const columns = [from.column, to.column].map((column) => Math.max(1, column) - 1);
  return {
    rows: [Math.min(from.row, to.row), Math.max(from.row, to.row)],
    columns: [Math.min(...columns), Math.max(...columns)],
  };
}

/** Shows the boxes of the active cell; a text that was cut in the row comes first. */
export function beginEdit(): void {
  const position = active.value;
  const id = cellAt(position);
  const cell = activeRow.value?.cells[position.column - 1];
  if (id === null || cell === undefined || cell.states.includes("readonly")) return;
  if (!cell.isCut) {
    editing.value = { position, parts: cell.parts };
    return;
  }
  if (!isSameCell(detail.value?.cell ?? null, id)) {
    toEdit = id;
    return;
  }
  editing.value = { position, parts: wholeParts(cell, detail.value?.text ?? null) };
}

/** The parts of a cell with the text of its details, which is not cut. */
export function wholeParts(cell: Cell, text: Detail["text"]): Parts {
  if (!cell.isCut || text === null) return cell.parts;
  return cell.parts.map(({ category, text: cut }) => ({
    category,
    text: "value" in text ? text.value : ((category === null ? cut : text.forms[category]) ?? ""),
  }));
}

/** Takes what was typed so far in the cell that is edited. */
let finishEdit: (() => void) | null = null;

/** Called before the rows change under the cell that is edited. Out: takes what was typed, and calls it no more. */
export function onFinishEdit(finish: () => void): () => void {
  finishEdit = finish;
  return () => {
    finish();
    if (finishEdit === finish) finishEdit = null;
  };
}

/** Takes what was typed. */
export function endEdit(parts: Parts | null): void {
  const edited = editing.value;
  editing.value = null;
  wantsFocus.value = true;
  if (edited === null || parts === null) return;
  const isSame = parts.every(({ text }, index) => text === edited.parts[index]?.text);
  if (!isSame) setTexts([{ position: edited.position, parts }]);
}

/** Changes texts, as one step that can be undone. */
export function setTexts(changes: readonly { readonly position: Position; readonly parts: Parts }[]): void {
  const texts: {
    hash: string;
    locale: string;
    text: { value: string } | { forms: Record<string, string> };
  }[] = [];
  const next = new Map(rows.value);
  for (const { position, parts } of changes) {
    const id = cellAt(position);
    const row = next.get(position.row);
    const cell = row?.cells[position.column - 1];
    if (id === null || row === undefined || cell === undefined || cell.states.includes("readonly")) continue;
    texts.push({ ...id, text: textOf(parts) });
    const cells = row.cells.map((each, index) => (index === position.column - 1 ? typed(each, parts) : each));
    next.set(position.row, { ...row, cells });
  }
  if (texts.length === 0) return;
  rows.value = next;
  send({ type: "edit", texts });
  askDetail();
}

function textOf(parts: Parts): { value: string } | { forms: Record<string, string> } {
  const [first] = parts;
  if (first?.category === null) return { value: first.text };
  const filled = parts.filter(({ text }) => text !== "");
  return { forms: Object.fromEntries(filled.map(({ category, text }) => [category ?? "", text])) };
}

/** The cell as it will be, until the extension says so. */
function typed(cell: Cell, parts: Parts): Cell {
  const isEmpty = parts.every(({ text }) => text === "");
  const kept = cell.states.filter((state) => state === "conflict");
  const states: State[] = [...(isEmpty ? (["missing"] as const) : []), "unsaved", ...kept];
  return { ...cell, parts: parts.map(({ category, text }) => ({ category, text })), states };
}

/** Changes all selected cells as one step: they may be more than the rows that are here. */
export function changeSelected(type: "fill" | "clear"): void {
  const cells = selected();
  if (cells === null) return;
  send({ type, list: list.value.number, ...cells });
  askDetail();
}

/** The selected cells for a spreadsheet; `null`: not all of them are here whole. */
export function copied(): string | null {
  const cells = selected();
  if (cells === null) return null;
  const lines: string[][] = [];
  for (let row = cells.rows[0]; row <= cells.rows[1]; row++) {
    const shown = rows.value.get(row)?.cells.slice(cells.columns[0], cells.columns[1] + 1);
    if (shown === undefined || shown.some(({ isCut }) => isCut)) return null;
    lines.push(shown.map(({ parts }) => parts.map(({ text }) => text).join("\n")));
  }
  return writeCells(lines);
}

/** Has the extension copy the selected cells. */
export function copySelected(): void {
  const cells = selected();
  if (cells !== null) send({ type: "copy", list: list.value.number, ...cells });
}

/** Has a language model translate what is selected. */
export function translateSelected(): void {
  const from = anchor.value ?? active.value;
  const to = active.value;
  const rows: [number, number] = [Math.min(from.row, to.row), Math.max(from.row, to.row)];
  send({ type: "translate", list: list.value.number, rows, columns: selected()?.columns ?? null });
}

/** Puts the cells of a spreadsheet in from the active one on; one text goes into all that are selected. */
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
  send({ type: "paste", list: list.value.number, row, column: column - 1, texts });
  askDetail();
}

/** Of the active cell. */
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
