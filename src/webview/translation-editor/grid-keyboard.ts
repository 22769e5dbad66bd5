/** The keys of the grid, following the ARIA grid pattern: navigation, selection, editing and moving of columns. */
import { send } from "./host-connection.ts";
import {
  active,
  beginEdit,
  changeSelected,
  goTo,
  languages,
  list,
  moveLanguage,
  rows,
} from "./page-state.ts";

/**
 * Handles a key that was pressed in the grid while no cell is edited.
 * @param pageRows rows that a page up or down moves by
 */
export function onKeyDown(event: KeyboardEvent, pageRows: number): void {
  const { row, column } = active.value;
  const isControl = event.ctrlKey || event.metaKey;
  const go = (toRow: number, toColumn: number): void => {
    event.preventDefault();
    goTo(toRow, toColumn, event.shiftKey);
  };
  if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault();
    // Otherwise VS Code would navigate back.
    event.stopPropagation();
    moveLanguage(column, event.key === "ArrowLeft" ? -1 : 1);
    return;
  }
  switch (event.key) {
    case "ArrowDown":
      return go(row + 1, column);
    case "ArrowUp":
      return go(row - 1, column);
    case "ArrowRight":
      return go(row, column + 1);
    case "ArrowLeft":
      return go(row, column - 1);
    case "Home":
      return go(isControl ? 0 : row, 0);
    case "End":
      return go(isControl ? list.value.count - 1 : row, languages.value.length);
    case "PageDown":
      return go(row + pageRows, column);
    case "PageUp":
      return go(row - pageRows, column);
    case "Enter":
    case "F2": {
      event.preventDefault();
      const hash = rows.value.get(row)?.hash;
      if (column > 0) beginEdit();
      else if (hash !== undefined) send({ type: "showUse", hash });
      return undefined;
    }
    case "Delete":
      event.preventDefault();
      return changeSelected("clear");
    case "d":
      if (!isControl) return undefined;
      event.preventDefault();
      event.stopPropagation();
      return changeSelected("fill");
    default:
      return undefined;
  }
}
