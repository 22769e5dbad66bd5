/**
 * The state of the page, and its calls of the extension. The page has the keys of all rows in order; the rows themselves are
 * read when they come into view.
 */
import { batch, computed, signal } from "@preact/signals-core";
import { createBirpc } from "birpc";
import type { CellId } from "../../model/text-edit.ts";
import { ALL_ROWS, type RowQuery } from "../../model/translation-editor-filters.ts";
import { debounce } from "../../util/debounce.ts";
import { keepListed } from "../../util/keep-listed.ts";
import { LatestCall } from "../../util/latest-call.ts";
import {
  batchStart,
  ROW_BATCH_SIZE,
  type CellDetails,
  type Counts,
  type EditorFunctions,
  type FoundRows,
  type Language,
  type LoadedRows,
  type PageFunctions,
  type EditorRow,
  type Setup,
  type ShownTable,
  type View,
} from "./editor-protocol.ts";
import type { Parts } from "./cell-parts.ts";
import { language, translations } from "./l10n.ts";
import {
  decideBeginEdit,
  decideUpdate,
  editedCell,
  editOf,
  haveSameItems,
  isSameCell,
  matchesFilters,
  movedLanguages,
  placeFound,
  selectionOf,
  withReceived,
  type FoundList,
  type Position,
} from "./page-decisions.ts";

/** The view state that VS Code preserves while the page is hidden. */
interface ViewState {
  /** Scroll position in rows: rows are higher once they were measured. */
  readonly top: number;
  readonly row: number;
  readonly locale: string | null | undefined;
  readonly query: RowQuery;
  readonly locales: readonly string[] | null;
}

interface VsCode {
  postMessage(message: unknown): void;
  getState(): ViewState | undefined;
  setState(state: ViewState): void;
}

declare function acquireVsCodeApi(): VsCode;

const vscode = acquireVsCodeApi();
const page: PageFunctions = { show, changed };

/** The functions of the extension. Calls arrive in order. */
export const editor = createBirpc<EditorFunctions, PageFunctions>(page, {
  post: (message) => vscode.postMessage(message),
  on: (listener) => window.addEventListener("message", ({ data }: MessageEvent<unknown>) => listener(data)),
  timeout: -1,
});

/** Whether the page was set up; it is rendered after that. */
export const isSetUp = signal(false);
/** The columns, the source language first. */
export const languages = signal<readonly Language[]>([]);
export const locales = computed(() => languages.value.map(({ locale }) => locale));
/** The separator between namespace and key. */
export const separator = signal(".");
export const namespaces = signal<readonly string[]>([]);
export const tags = signal<readonly string[]>([]);
export const project = signal({ languageCount: 0, isServiceKnown: true, restriction: "" });
export const query = signal(ALL_ROWS);
/** The keys of all rows in order; `null` before the first query. */
export const listed = signal<readonly string[] | null>(null);
export const rowCount = computed(() => listed.value?.length ?? 0);
export const counts = signal<Counts>({ unsaved: 0, conflicts: 0, refused: 0 });
/** The loaded rows by the hash of their key. */
export const rows = signal<ReadonlyMap<string, EditorRow>>(new Map());
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
export const activeRow = computed(() => rowAt(active.value.row));
/** The opposite corner of the selection; `null` if only the active cell is selected. */
export const anchor = signal<Position | null>(null);
/** The selected rows and columns, inclusive. */
export const selection = computed(() => selectionOf(active.value, anchor.value));
/** The last received details, of the active cell or of one before. */
export const details = signal<CellDetails | null>(null);
export const isReplacing = signal(false);
/** The edited cell with the text that was set last. */
export const editing = signal<{
  readonly id: CellId;
  readonly parts: Parts;
  /** The text before the edit. */
  readonly initial: Parts;
  /** What was typed to replace the text; `null` if the text is to be changed. */
  readonly typedText: string | null;
} | null>(null);
/** How to scroll after the next rendering: to a position in rows, by rows, or to the active row; `null` to stay. */
export const scrolling = signal<
  { readonly top: number } | { readonly byRows: number } | "to active row" | null
>(null);
/** Whether the active cell should be focused. */
export const wantsFocus = signal(true);
/** Whether the page has the window focus. */
export const hasFocus = signal(false);

/** Loaded rows that are kept for a new list. */
const MAX_KEPT_ROWS = 300;
/** Delays before rows outside the viewport are requested, and between typing and searching. */
const PREFETCH_DELAY_MS = 100;
const DETAILS_DELAY_MS = 50;
const SEARCH_DELAY_MS = 120;

/** The languages that were asked for; `null`: those that the user chose before. */
let requestedLocales: readonly string[] | null = null;
/** The key to reveal: it may become known only after its file is read. */
let focusHash: string | null = null;
/** The active key while it is not in the list, as when another project is read. */
let lostKey: string | null = null;
/** The view state of before the page was hidden, until rows are shown. */
let savedView: ViewState | undefined;
const setups = new LatestCall();
const finds = new LatestCall();
/** Whether a running query was requested by the user. */
let isUserQueryRunning = false;
let detailsCount = 0;
/** Whether `details` are those that were requested last. */
let areDetailsCurrent = false;
/** What the rows of the list were found with. */
let foundWith: Pick<FoundRows, "isSearchUpToDate" | "loadedLocales"> = {
  isSearchUpToDate: true,
  loadedLocales: [],
};
/** The number of edits, and that of the last edit of each key. */
let editCount = 0;
const editNumbers = new Map<string, number>();
/** The cell to edit once its complete text has arrived, and what was typed to replace it. */
let cellToEdit: { readonly id: CellId; readonly typedText: string | null } | null = null;
/** First rows of the batches that were requested. */
const requestedBatches = new Set<number>();
/** Rows that were found while a cell is edited; shown when the edit ends. */
let laterList: FoundList | null = null;
/** The scroll position in rows when the view was last saved. */
let scrollTop = 0;
/** The first and the last row in the viewport. */
let visibleRows: readonly [first: number, last: number] = [0, ROW_BATCH_SIZE];
/** The list that was painted last. */
let paintedList: readonly string[] | null = null;
/** Called when a list is painted. */
let onPainted: (() => void)[] = [];
let prefetchTimer: ReturnType<typeof setTimeout> | undefined;
const readDetails = debounce(() => void loadDetails(), DETAILS_DELAY_MS);
const search = debounce(() => setQuery({}), SEARCH_DELAY_MS);

/** Listens to the window's focus and tells the extension that the page is ready. */
export function start(): void {
  const updateFocus = (): void => {
    hasFocus.value = document.hasFocus();
  };
  for (const event of ["focus", "blur"]) window.addEventListener(event, updateFocus);
  updateFocus();
  savedView = vscode.getState();
  if (savedView !== undefined) {
    query.value = savedView.query;
    requestedLocales = savedView.locales;
  }
  void editor.ready();
}

/** Shows what the extension asks for. */
async function show(view: View): Promise<void> {
  if (view.locales !== null) requestedLocales = view.locales;
  await setUp();
  // Words that were typed are searched at once, so that no later search leaves the key that is revealed.
  search.dispose();
  // Not before: an update that is read meanwhile would be taken for the answer.
  if (view.query !== null) {
    query.value = view.query;
    savedView = undefined;
  }
  if (view.hash !== null) focusHash = view.hash;
  await find(true);
  if (paintedList !== listed.value) await new Promise<void>((resolve) => onPainted.push(resolve));
}

/** The rows of the list are painted. */
export function notePainted(list: readonly string[]): void {
  paintedList = list;
  const resolveAll = onPainted;
  onPainted = [];
  for (const resolve of resolveAll) resolve();
}

/** The changed tables that were not read again yet. */
const changedTables = new Set<ShownTable>();
let isUpdating = false;

/** Reads again what may have changed; changes in the meantime together after that. */
function changed(tables: readonly ShownTable[]): void {
  for (const table of tables) changedTables.add(table);
  if (!isUpdating) void updateAll();
}

async function updateAll(): Promise<void> {
  isUpdating = true;
  try {
    while (changedTables.size > 0) {
      const { setsUp, finds } = decideUpdate(changedTables, query.value, foundWith.isSearchUpToDate);
      changedTables.clear();
      // What is not shown yet is read when it is.
      if (setsUp && isSetUp.value) await setUp();
      if (listed.value === null) continue;
      if (finds) await find(false);
      else await readVisibleRows();
    }
  } finally {
    isUpdating = false;
  }
}

function setUp(): Promise<void> {
  return setups.run(async (isLatest) => {
    const setup = await editor.setup(requestedLocales);
    if (isLatest()) showSetup(setup);
  });
}

function showSetup(setup: Setup): void {
  batch(() => {
    language.value = setup.language;
    translations.value = setup.messages;
    isSetUp.value = true;
    showLanguages(setup.languages);
    separator.value = setup.separator;
    namespaces.value = setup.namespaces;
    tags.value = setup.tags;
    project.value = setup;
  });
}

/** Changes the visible languages. */
function showLanguages(next: readonly Language[]): void {
  const before = locales.value;
  const isSame = next.length === before.length && next.every(({ locale }, index) => locale === before[index]);
  if (!isSame) finishEdit();
  languages.value = next;
  if (isSame) return;
  anchor.value = null;
  if (next.every(({ locale }) => before.includes(locale))) return;
  void readVisibleRows();
}

/** Moves the language of a column (1 is the source) by one. */
export function moveLanguage(column: number, by: -1 | 1): void {
  const moved = movedLanguages(languages.value, column, by);
  if (moved === null) return;
  batch(() => {
    // The active cell moves with its language, also if the user has not moved to it.
    activeLocale.value = active.value.column === 0 ? null : languages.value[active.value.column - 1]?.locale;
    wantsFocus.value = true;
    showLanguages(moved);
  });
  void chooseLocales(moved.slice(1).map(({ locale }) => locale));
}

/** Lets the user choose the languages. */
export async function chooseLanguages(): Promise<void> {
  const chosen = await editor.chooseLanguages(locales.value);
  if (chosen === null) return;
  const [, ...before] = locales.value;
  await chooseLocales(chosen);
  // The filters apply to the languages.
  if (!haveSameItems(before, chosen)) await find(true);
}

async function chooseLocales(chosen: readonly string[]): Promise<void> {
  requestedLocales = null;
  void editor.setLanguages(chosen);
  await setUp();
}

/** Runs the query. `isUserQuery`: the list is shown from its start; otherwise it is updated. */
function find(isUserQuery: boolean): Promise<void> {
  return finds.run(async (isLatest) => {
    isUserQueryRunning ||= isUserQuery;
    const edits = editCount;
    const found = await editor.find(query.value, locales.value, focusHash);
    if (!isLatest()) return;
    const hashes = found.hashes === "" ? [] : found.hashes.split(",");
    const next = isUserQueryRunning ? hashes : await withKeptRows(hashes);
    if (!isLatest()) return;
    const list = { hashes: next, isUserQuery: isUserQueryRunning, focus: focusHash };
    isUserQueryRunning = false;
    foundWith = found;
    batch(() => {
      receive(found, edits);
      showList(list);
      if (laterList === null) requestedBatches.add(found.start);
    });
  });
}

/** Takes rows that were requested after `edits` edits. */
function receive({ rows: received, counts: current }: LoadedRows, edits: number): void {
  rows.value = withReceived(rows.value, received, (hash) => (editNumbers.get(hash) ?? 0) > edits);
  counts.value = current;
}

/** A row that was changed may no longer match; only the user's own query removes it. */
async function withKeptRows(found: readonly string[]): Promise<readonly string[]> {
  const shown = listed.value ?? [];
  const isFound = new Set(found);
  const missing = shown.filter((hash) => !isFound.has(hash));
  const existing = new Set(missing.length === 0 ? [] : await editor.existing(missing));
  return keepListed(shown, found, (hash) => existing.has(hash));
}

function showList(list: FoundList): void {
  const shown = listed.value ?? [];
  const edited = editing.value?.id.hash ?? null;
  const { row } = active.value;
  const key = lostKey ?? shown[row] ?? null;
  const placement = placeFound({ key, row }, edited, list);
  laterList = null;
  if (placement.kind === "later") {
    laterList = { ...list, isUserQuery: false };
    return;
  }
  const { hashes, isUserQuery } = list;
  const isSame = hashes.length === shown.length && hashes.every((hash, index) => hash === shown[index]);
  if (!isUserQuery && isSame && listed.value !== null && !placement.isRevealed) {
    void readVisibleRows();
    return;
  }
  finishEdit();
  if (placement.isRevealed) focusHash = null;
  // The active row may change and the focused element be removed.
  if (isFocusInTable()) wantsFocus.value = true;
  const saved = savedView;
  savedView = undefined;
  const wasLost = lostKey !== null;
  lostKey = isUserQuery || placement.isRevealed || hashes[placement.row] === key ? null : key;
  const isActiveVisible = row >= visibleRows[0] && row <= visibleRows[1];
  batch(() => {
    listed.value = hashes;
    // Those of the query were received last.
    if (isUserQuery) rows.value = new Map([...rows.value].slice(-MAX_KEPT_ROWS));
    anchor.value = null;
    const next = placement.isRevealed ? placement.row : (saved?.row ?? placement.row);
    activeIndex.value = Math.min(next, Math.max(0, hashes.length - 1));
    if (saved !== undefined) activeLocale.value = saved.locale;
    if (placement.isRevealed) {
      wantsFocus.value = true;
      scrolling.value = "to active row";
    } else if (saved !== undefined || isUserQuery) scrolling.value = { top: saved?.top ?? 0 };
    else if (wasLost) scrolling.value = "to active row";
    // Rows stay under the pointer when others are inserted above.
    else if (placement.shift !== 0 && isActiveVisible) scrolling.value = { byRows: placement.shift };
  });
  if (isUserQuery) requestedBatches.clear();
  else void readVisibleRows();
  if (isUserQuery) requestDetails();
  saveViewState(scrollTop);
}

/** Returns whether the table, or nothing, has the focus. */
function isFocusInTable(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.closest("[role=grid]") !== null;
}

/** Returns the row at an index; `undefined` if it is not loaded. */
export function rowAt(index: number): EditorRow | undefined {
  return rows.value.get(listed.value?.[index] ?? "");
}

/** Requests missing rows of the viewport and, after a delay, those beyond. */
export function requestRows(first: number, last: number): void {
  visibleRows = [first, last];
  void Promise.all(requestRange(first, last));
  prefetchTimer ??= setTimeout(() => {
    prefetchTimer = undefined;
    const [from, to] = visibleRows;
    void Promise.all(requestRange(Math.max(0, from - ROW_BATCH_SIZE), to + ROW_BATCH_SIZE));
  }, PREFETCH_DELAY_MS);
}

/** Reads the visible rows again, and what is counted, also without rows. */
async function readVisibleRows(): Promise<void> {
  requestedBatches.clear();
  const requests = requestRange(...visibleRows);
  await Promise.all(requests.length > 0 ? requests : [readRows([])]);
}

/** Requests the batches of rows that were not requested yet. */
function requestRange(first: number, last: number): readonly Promise<void>[] {
  const requests: Promise<void>[] = [];
  const end = Math.min(last, rowCount.value - 1);
  for (let start = batchStart(first); start <= end; start += ROW_BATCH_SIZE) {
    if (requestedBatches.has(start)) continue;
    requestedBatches.add(start);
    requests.push(readRows(listed.value?.slice(start, start + ROW_BATCH_SIZE) ?? []));
  }
  return requests;
}

async function readRows(hashes: readonly string[]): Promise<void> {
  const edits = editCount;
  const loaded = await editor.rows(hashes, locales.value);
  batch(() => receive(loaded, edits));
  const hash = listed.value?.[active.value.row];
  if (hash !== undefined && hashes.includes(hash)) requestDetails();
  // More texts can be searched and filtered.
  if (!haveSameItems(loaded.loadedLocales, foundWith.loadedLocales)) {
    foundWith = { ...foundWith, loadedLocales: loaded.loadedLocales };
    await setUp();
    await find(false);
  }
}

/** Searches for the typed words once typing pauses. */
export function searchFor(words: string): void {
  query.value = { ...query.value, search: words };
  search();
}

/** Changes the query and runs it. */
export function setQuery(change: Partial<RowQuery>): void {
  search.dispose();
  // The new list requests its own rows and details.
  clearTimeout(prefetchTimer);
  prefetchTimer = undefined;
  readDetails.dispose();
  query.value = { ...query.value, ...change };
  focusHash = null;
  void find(true);
}

/** Moves to a cell, clamped to the table. */
export function goTo(row: number, column: number, isSelecting = false): void {
  const from = active.value;
  cellToEdit = null;
  lostKey = null;
  batch(() => {
    activeIndex.value = Math.max(0, Math.min(row, rowCount.value - 1));
    activeLocale.value = column <= 0 ? null : (languages.value[column - 1] ?? languages.value.at(-1))?.locale;
    anchor.value = isSelecting ? (anchor.value ?? from) : null;
    wantsFocus.value = true;
  });
  requestDetails();
}

/** Saves the view: the scroll position in rows, the active cell, and what is shown. */
export function saveViewState(top: number): void {
  scrollTop = top;
  const { row } = active.value;
  vscode.setState({
    top,
    row,
    locale: activeLocale.value,
    query: query.value,
    locales: requestedLocales,
  });
}

/** Returns the id of a cell; `null` for a key cell or a row that is not there. */
export function cellAt({ row, column }: Position): CellId | null {
  const hash = listed.value?.[row];
  const locale = locales.value[column - 1];
  return hash === undefined || locale === undefined ? null : { hash, locale };
}

/** Returns the cell that the details are of: the active one, or that of the source text for a key. */
function detailedCell(): CellId | null {
  const { row, column } = active.value;
  return cellAt({ row, column: Math.max(1, column) });
}

/** Requests the details of the active cell after a delay, since rows have priority. */
export function requestDetails(): void {
  areDetailsCurrent = false;
  detailsCount += 1;
  readDetails();
}

async function loadDetails(): Promise<void> {
  const cell = detailedCell();
  if (cell === null) return;
  const number = detailsCount;
  const received = await editor.details(cell);
  if (number !== detailsCount || !isSameCell(detailedCell(), cell)) return;
  areDetailsCurrent = true;
  details.value = received;
  if (cellToEdit === null || !isSameCell(cellToEdit.id, cell)) return;
  const { typedText } = cellToEdit;
  cellToEdit = null;
  beginEdit(typedText);
}

/**
 * Starts editing the active cell, a truncated one once its complete text has arrived. `typed` replaces the text, or its
 * first form.
 */
export function beginEdit(typed: string | null = null): void {
  const id = cellAt(active.value);
  if (id === null) return;
  const shown = areDetailsCurrent && isSameCell(details.value?.cell, id) ? details.value : null;
  const earlier = isSameCell(cellToEdit?.id, id) ? (cellToEdit?.typedText ?? null) : null;
  const begin = decideBeginEdit(activeRow.value?.cells[id.locale], shown, typed, earlier);
  if (begin.kind === "no") return;
  // The row may be out of view.
  scrolling.value = "to active row";
  const { typedText } = begin;
  if (begin.kind === "wait") cellToEdit = { id, typedText };
  else editing.value = { id, parts: begin.parts, initial: begin.parts, typedText };
}

/** Returns the next row that matches the filters as the cells are now; the row itself if there is none. */
export function nextMatchingRow(from: number): number {
  for (let index = from + 1; index < rowCount.value; index++)
    if (matchesFilters(rowAt(index), query.value.filters)) return index;
  return from;
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
  if (editing.value !== null) endEdit({ focusesCell: wantsFocus.value });
}

/** Ends the edit with the text that was set last. `focusesCell`: whether to focus the cell. */
export function endEdit({ focusesCell }: { readonly focusesCell: boolean }): void {
  const isEnded = editing.value !== null;
  batch(() => {
    editing.value = null;
    wantsFocus.value = focusesCell;
  });
  if (isEnded && laterList !== null) showList(laterList);
}

/** Ends the edit with the text before it, also if another one was set in the meantime. */
export function cancelEdit(): void {
  if (editing.value !== null) setText(editing.value.id, editing.value.initial);
  endEdit({ focusesCell: true });
}

/**
 * Sets the text of a cell, and shows it until the extension confirms it. An edited cell stays open.
 * @param before the text that the user saw; default: that of the edited cell
 */
export function setText(id: CellId, parts: Parts, before: Parts | null = partsOfEdited(id)): void {
  const edit = before && editOf(id, before, parts);
  if (editing.value !== null && isSameCell(editing.value.id, id)) editing.value = { ...editing.value, parts };
  const row = rows.value.get(id.hash);
  const cell = row?.cells[id.locale];
  if (edit === null || cell?.states.includes("readonly") === true) return;
  editNumbers.set(id.hash, ++editCount);
  if (row !== undefined && cell !== undefined) {
    const cells = { ...row.cells, [id.locale]: editedCell(cell, parts) };
    rows.value = new Map(rows.value).set(id.hash, { ...row, cells });
  }
  void editor.stage([edit]);
  requestDetails();
}

function partsOfEdited(id: CellId): Parts | null {
  return editing.value !== null && isSameCell(editing.value.id, id) ? editing.value.parts : null;
}
