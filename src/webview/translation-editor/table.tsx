/**
 * The table, following the ARIA grid pattern: one row per key, one column per language. Rows are as high as their texts need,
 * which is measured when they are drawn, and virtualised. The focus is on the active cell, or on the table while that cell is
 * out of view.
 */
import { computed, signal } from "@preact/signals-core";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { CellEditor } from "./cell-editor.tsx";
import { CellStates } from "./cell-states.tsx";
import type { Cell, Language, EditorRow, State } from "./editor-protocol.ts";
import { isHiddenFromVsCode, tableAction, type TableAction } from "./key-decisions.ts";
import {
  active,
  activeRow,
  beginEdit,
  editing,
  editor,
  goTo,
  hasFocus,
  languages,
  listed,
  moveLanguage,
  notePainted,
  query,
  requestRows,
  rowAt,
  rowCount,
  rows,
  saveViewState,
  scrolling,
  selection,
  setQuery,
  wantsFocus,
} from "./page-state.ts";
import { isSameCell } from "./page-decisions.ts";
import { changeSelected, paste, selectionAsText } from "./selection-actions.ts";
import { l10n } from "./l10n.ts";
import { RowLayout, ROW_HEIGHT_PX, type Viewport } from "./row-layout.ts";
import { Button, KeyName, MarkedText, usagesMessage } from "./shared-components.tsx";

const HEADER_HEIGHT_PX = 34;
/** Rows rendered above and below the viewport. */
const OVERSCAN_ROWS = 6;

/** Heights of the rows that are not one line high, in pixels by the hash of their key. */
const heights = signal<ReadonlyMap<string, number>>(new Map());
const layout = computed(() => new RowLayout(listed.value ?? [], heights.value));

export function Table() {
  const scroller = useRef<HTMLDivElement>(null);
  const view = useSignal<Viewport>({ top: 0, height: 600 });
  const lastLayout = useRef(layout.value);
  /** Whether heights were measured that are drawn next, and what was in view before. */
  const isMeasured = useRef(false);
  const firstInView = useRef(0);
  const isActiveInView = useRef(false);
  const updateView = (element: HTMLElement): void => {
    view.value = { top: element.scrollTop, height: element.clientHeight };
  };
  const list = listed.value;
  const count = rowCount.value;
  // Read during rendering, so that changes re-render the table and update the focus.
  const mayFocus = wantsFocus.value && hasFocus.value && editing.value === null;
  const rowLayout = layout.value;
  const { first, last } = rowLayout.around(view.value, OVERSCAN_ROWS);
  useEffect(() => requestRows(first, last), [list, first, last]);
  const isLoaded = count === 0 || rows.value.size > 0;
  useEffect(() => {
    if (list !== null && isLoaded) requestAnimationFrame(() => notePainted(list));
  }, [list, isLoaded]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      // The cell with the focus stays in view when the details below the table grow, or it would lose the focus.
      if (isFocusInCell(element)) reveal(element, active.value.row);
      updateView(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current;
    const to = scrolling.value;
    if (element === null || to === null) return;
    scrolling.value = null;
    if (to === "to active row") reveal(element, active.value.row);
    else if ("top" in to) element.scrollTop = rowLayout.toPixels(to.top);
    else {
      const { row } = active.value;
      element.scrollTop += rowLayout.top(row) - lastLayout.current.top(row - to.byRows);
      // Renders the rows before the scroll event, so that they do not move visibly.
      updateView(element);
    }
  }, [scrolling.value]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const before = lastLayout.current;
    lastLayout.current = rowLayout;
    if (isMeasured.current) {
      // The first row in view, and the active one, stay where they are when rows above turn out to be higher.
      isMeasured.current = false;
      element.scrollTop += rowLayout.top(firstInView.current) - before.top(firstInView.current);
      if (isActiveInView.current) reveal(element, active.value.row);
      updateView(element);
      // The active row may have been rendered out of view for a moment, which has lost the focus. While it moves, nothing has it.
      requestAnimationFrame(() => {
        if (document.hasFocus() && document.activeElement === document.body) wantsFocus.value = true;
      });
    }
    const measured = measure(element, list ?? []);
    if (measured === null) return;
    firstInView.current = rowLayout.rowAt(element.scrollTop);
    isActiveInView.current = isInView(element, active.value.row);
    isMeasured.current = true;
    heights.value = measured;
  });
  useLayoutEffect(() => {
    // Focusing inside the frame would take the focus from the rest of the window.
    if (!mayFocus || !document.hasFocus() || scroller.current === null) return;
    const { row, column } = active.value;
    reveal(scroller.current, row);
    // By position, since a cell that was edited is not yet rendered as active.
    const cell = scroller.current.querySelector<HTMLElement>(
      `[aria-rowindex="${row + 2}"] > [aria-colindex="${column + 1}"]`,
    );
    if (cell === null) {
      scroller.current.focus({ preventScroll: true });
      return;
    }
    wantsFocus.value = false;
    cell.focus({ preventScroll: true });
    const { scrollLeft } = scroller.current;
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    // Pinned columns are in view wherever the others are scrolled to.
    if (getComputedStyle(cell).position === "sticky") scroller.current.scrollLeft = scrollLeft;
    saveViewState(rowLayout.toRows(scroller.current.scrollTop));
  });
  useLayoutEffect(() => {
    // The browser does not restore the focus when the page regains it.
    if (!hasFocus.value || document.activeElement !== document.body) return;
    const cell = scroller.current?.querySelector<HTMLElement>("[data-active]");
    (cell ?? scroller.current)?.focus({ preventScroll: true });
  }, [hasFocus.value]);
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const hadFocus = document.activeElement?.closest("[data-active]") != null && editing.value === null;
    updateView(element);
    const { row } = active.value;
    const rendered = rowLayout.around(view.value, OVERSCAN_ROWS);
    if (hadFocus && (row < rendered.first || row > rendered.last)) element.focus({ preventScroll: true });
  };
  const rendered = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  const isActiveRendered = active.value.row >= first && active.value.row <= last;
  return (
    <div class="table">
      <div
        class="scroller"
        ref={scroller}
        role="grid"
        aria-label={l10n.t("Translations")}
        aria-rowcount={count + 1}
        aria-colcount={languages.value.length + 1}
        aria-multiselectable="true"
        tabIndex={isActiveRendered ? -1 : 0}
        onScroll={onScroll}
        onScrollEnd={(event) => saveViewState(rowLayout.toRows(event.currentTarget.scrollTop))}
        onKeyDown={(event) => {
          const isOfOther = event.target instanceof HTMLButtonElement || editing.value !== null;
          if (!isOfOther) onKeyDown(event, view.value.height - HEADER_HEIGHT_PX - ROW_HEIGHT_PX);
        }}
        onPaste={(event) => {
          if (editing.value !== null) return;
          event.preventDefault();
          paste(event.clipboardData?.getData("text/plain") ?? "");
        }}
        onCopy={(event) => {
          if (editing.value !== null) return;
          event.preventDefault();
          const text = selectionAsText();
          if (text === null) changeSelected("copy");
          else event.clipboardData?.setData("text/plain", text);
        }}
        style={{ "--languages": String(languages.value.length) }}
      >
        <div class="row header" role="row" aria-rowindex={1}>
          <div class="cell key" role="columnheader" aria-colindex={1}>
            {l10n.t("Key")}
          </div>
          {languages.value.map((language, index) => (
            <div
              class={`cell ${language.isSource ? "source" : ""}`}
              role="columnheader"
              aria-colindex={index + 2}
              aria-label={headerOf(language, l10n.t("source"))}
            >
              <span class="locale">{language.locale}</span> {language.name}
              {language.isSource && <span class="quiet"> · {l10n.t("source")}</span>}
              {!language.isSource && languages.value.length > 2 && (
                <span class="movers">
                  <Mover column={index + 1} by={-1} label={l10n.t("Move {0} to the left", language.locale)} />
                  <Mover column={index + 1} by={1} label={l10n.t("Move {0} to the right", language.locale)} />
                </span>
              )}
            </div>
          ))}
        </div>
        <div class="rows" role="presentation" style={{ height: `${rowLayout.height}px` }}>
          {rendered.map((index) => {
            const row = rowAt(index);
            return row === undefined ? null : <TableRow key={row.hash} index={index} row={row} />;
          })}
        </div>
      </div>
      {list !== null && count === 0 && <NoRows />}
    </div>
  );
}

/** Shown in place of rows. */
function NoRows() {
  const { filters, search, namespace, tag } = query.value;
  const isAll = filters.length === 0 && search === "" && namespace === null && tag === null;
  return (
    <div class="no-rows">
      <p>{isAll ? l10n.t("There are no keys yet.") : l10n.t("No key matches the search and the filters.")}</p>
      {!isAll && (
        <Button
          label={l10n.t("Show all keys")}
          onClick={() => {
            setQuery({ filters: [], search: "", namespace: null, tag: null });
            wantsFocus.value = false;
            document.querySelector<HTMLInputElement>("#search")?.focus();
          }}
        />
      )}
    </div>
  );
}

/** Returns the name of a column, without those of its buttons. */
function headerOf({ locale, name, isSource }: Language, source: string): string {
  return [`${locale} ${name}`.trim(), ...(isSource ? [source] : [])].join(" · ");
}

/** A button that moves the language of a column. */
function Mover({ column, by, label }: { column: number; by: -1 | 1; label: string }) {
  const to = column + by;
  return (
    <button
      type="button"
      class={by === -1 ? "mover left" : "mover right"}
      tabIndex={-1}
      title={`${label} (Alt+${by === -1 ? "←" : "→"})`}
      aria-label={label}
      disabled={to < 2 || to > languages.value.length}
      onClick={() => moveLanguage(column, by)}
    />
  );
}

/** Handles a key while no cell is edited. `page`: pixels that a page up or down moves by. */
function onKeyDown(event: KeyboardEvent, page: number): void {
  const top = layout.value.top(active.value.row);
  const action = tableAction(event, {
    active: active.value,
    rowCount: rowCount.value,
    languageCount: languages.value.length,
    pageDown: layout.value.rowAt(top + page),
    pageUp: layout.value.rowAt(top - page),
  });
  if (action === null) return;
  act(action);
  if (action.kind !== "edit" || !action.isIncomplete) event.preventDefault();
  if (isHiddenFromVsCode(action)) event.stopPropagation();
}

function act(action: TableAction): void {
  const hash = activeRow.value?.hash;
  if (action.kind === "moveLanguage") moveLanguage(active.value.column, action.by);
  else if (action.kind === "goTo") goTo(action.row, action.column, action.isSelecting);
  else if (action.kind === "edit") beginEdit(action.typed);
  else if (action.kind !== "showUsage") changeSelected(action.kind);
  else if (hash !== undefined) void editor.showUsage(hash);
}

/** Scrolls the row into view. */
function reveal(scroller: HTMLElement, row: number): void {
  const { scrollTop } = scroller;
  const height = scroller.clientHeight - HEADER_HEIGHT_PX;
  const top = layout.value.topToReveal(row, { top: scrollTop, height });
  if (top !== scrollTop) scroller.scrollTop = top;
}

function isFocusInCell(scroller: HTMLElement): boolean {
  const { activeElement } = document;
  return activeElement !== scroller && scroller.contains(activeElement);
}

function isInView({ scrollTop, clientHeight }: HTMLElement, row: number): boolean {
  return layout.value.isInView(row, { top: scrollTop, height: clientHeight - HEADER_HEIGHT_PX });
}

/** Measures the rendered rows. Returns the heights of all rows, `null` if they are as before. */
function measure(scroller: HTMLElement, hashes: readonly string[]): ReadonlyMap<string, number> | null {
  const measured = new Map<string, number>();
  for (const element of scroller.querySelectorAll<HTMLElement>(".rows > .row")) {
    const hash = hashes[Number(element.getAttribute("aria-rowindex")) - 2];
    const height = element.offsetHeight;
    // Nothing has a height while the page is hidden.
    if (hash === undefined || height === 0 || height === (heights.value.get(hash) ?? ROW_HEIGHT_PX)) continue;
    measured.set(hash, height);
  }
  return measured.size === 0 ? null : new Map([...heights.value, ...measured]);
}

function TableRow({ index, row }: { index: number; row: EditorRow }) {
  const isActive = active.value.row === index;
  const notes = [
    row.context === null ? null : `(${row.context})`,
    row.isNotPushed ? l10n.t("not pushed") : null,
    row.usageCount === 0 ? usagesMessage(row) : null,
  ].filter((note) => note !== null && note !== "");
  // A row keeps its height while one of its texts is in a box.
  const isEdited = editing.value?.id.hash === row.hash;
  const minHeight = isEdited ? heights.value.get(row.hash) : undefined;
  return (
    <div
      class="row"
      role="row"
      aria-rowindex={index + 2}
      style={{
        top: `${layout.value.top(index)}px`,
        ...(minHeight === undefined ? {} : { minHeight: `${minHeight}px` }),
      }}
    >
      <div
        class="cell key"
        role="rowheader"
        aria-colindex={1}
        {...focusable(isActive && active.value.column === 0)}
        onMouseDown={() => goTo(index, 0)}
      >
        <div class="name">
          <KeyName row={row} />
        </div>
        {notes.length > 0 && <div class="quiet notes">{notes.join(" · ")}</div>}
      </div>
      {languages.value.map((language, at) => {
        const cell = row.cells[language.locale];
        return cell === undefined ? null : (
          <TableCell
            key={language.locale}
            row={row}
            language={language}
            cell={cell}
            index={index}
            column={at + 1}
          />
        );
      })}
    </div>
  );
}

interface CellProps {
  row: EditorRow;
  language: Language;
  cell: Cell;
  index: number;
  column: number;
}

function TableCell({ row, language, cell, index, column }: CellProps) {
  const isActive = active.value.row === index && active.value.column === column;
  const { top, bottom, left, right } = selection.value;
  const edited = editing.value;
  const isEdited = isSameCell(edited?.id, { hash: row.hash, locale: language.locale });
  return (
    <div
      class={`cell ${language.isSource ? "source" : ""}`}
      role="gridcell"
      aria-colindex={column + 1}
      aria-describedby={describedBy(cell.states, isActive)}
      aria-readonly={cell.states.includes("readonly")}
      aria-selected={index >= top && index <= bottom && column >= left && column <= right}
      data-state={cell.states.join(" ")}
      lang={language.locale}
      {...focusable(isActive && !isEdited)}
      onMouseDown={(event) => {
        if (!isEdited) goTo(index, column, event.shiftKey);
      }}
      onDblClick={() => {
        if (!isEdited) beginEdit();
      }}
    >
      {isEdited && edited !== null ? (
        <CellEditor row={row} language={language} parts={edited.parts} typedText={edited.typedText} />
      ) : (
        <>
          <div class="value">
            {cell.parts.map(({ category, text }) => (
              <span class="form" key={category}>
                {category !== null && <span class="category">{category} </span>}
                <MarkedText text={text} placeholders={row.placeholders} wrong={cell.wrongPlaceholders} />
              </span>
            ))}
          </div>
          <CellStates states={cell.states} />
        </>
      )}
    </div>
  );
}

/** Returns the ids of the words of the states, and of why the active cell cannot be edited. */
function describedBy(states: readonly State[], isActive: boolean): string | undefined {
  const ids = states.map((state) => `state-${state}`);
  if (isActive && states.includes("readonly")) ids.push("readonly-reason");
  return ids.join(" ") || undefined;
}

/** Returns the attributes of a roving tab stop. */
function focusable(isActive: boolean): Record<string, unknown> {
  return isActive ? { tabIndex: 0, "data-active": "" } : { tabIndex: -1 };
}
