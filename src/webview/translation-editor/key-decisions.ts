/** What a key does in the table and in the text boxes of a cell, apart from the page. */
import type { Position } from "./page-decisions.ts";

type Key = Pick<
  KeyboardEvent,
  | "key"
  | "code"
  | "keyCode"
  | "altKey"
  | "ctrlKey"
  | "metaKey"
  | "shiftKey"
  | "isComposing"
  | "getModifierState"
>;

/** Where the active cell is, and how far it can move. */
export interface TableState {
  readonly active: Position;
  readonly rowCount: number;
  /** The number of languages: that of the last column. */
  readonly languageCount: number;
  /** The rows that are one page below and above the active one. */
  readonly pageDown: number;
  readonly pageUp: number;
}

/** What a key does while no cell is edited. */
export type TableAction =
  | { readonly kind: "moveLanguage"; readonly by: -1 | 1 }
  | { readonly kind: "goTo"; readonly row: number; readonly column: number; readonly isSelecting: boolean }
  | { readonly kind: "clear" | "fill" | "showUsage" }
  /**
   * `typed` replaces the text; `null`: the text is changed. `isIncomplete`: a dead key, or a key of an input method, of which
   * the browser types into the text box what comes of it.
   */
  | { readonly kind: "edit"; readonly typed: string | null; readonly isIncomplete: boolean };

/** Returns what a key does in the table; `null`: nothing, so that VS Code has to see it. */
export function tableAction(event: Key, state: TableState): TableAction | null {
  const { key, altKey, shiftKey } = event;
  const { row, column } = state.active;
  const isControl = event.ctrlKey || event.metaKey;
  if (altKey && (key === "ArrowLeft" || key === "ArrowRight"))
    return { kind: "moveLanguage", by: key === "ArrowLeft" ? -1 : 1 };
  const targets: Readonly<Record<string, readonly [row: number, column: number]>> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    ArrowRight: [row, column + 1],
    ArrowLeft: [row, column - 1],
    Home: [isControl ? 0 : row, 0],
    End: [isControl ? state.rowCount - 1 : row, state.languageCount],
    // A row that is higher than the page is passed, too.
    PageDown: [Math.max(row + 1, state.pageDown), column],
    PageUp: [Math.min(row - 1, state.pageUp), column],
  };
  const target = targets[key];
  if (target !== undefined) return { kind: "goTo", row: target[0], column: target[1], isSelecting: shiftKey };
  if (key === "Delete") return { kind: "clear" };
  if (key === "d" && isControl) return { kind: "fill" };
  if (column > 0 && startsTyping(event)) {
    const isIncomplete = key === "Dead" || key === "Process";
    return { kind: "edit", typed: isIncomplete ? "" : key, isIncomplete };
  }
  if (key !== "Enter" && key !== "F2") return null;
  return column > 0 ? { kind: "edit", typed: null, isIncomplete: false } : { kind: "showUsage" };
}

/** Returns whether VS Code must not see the key: it would navigate back, add a selection, or run a shortcut of a letter. */
export function isHiddenFromVsCode(action: TableAction): boolean {
  return (
    action.kind === "moveLanguage" ||
    action.kind === "fill" ||
    (action.kind === "edit" && action.typed !== null)
  );
}

/** Returns whether the key types a character, or begins one: a dead key, or a key of an input method. */
function startsTyping(event: Key): boolean {
  const { key } = event;
  if (key === "Dead" || key === "Process") return true;
  if (Array.from(key).length !== 1) return false;
  // AltGr is Ctrl+Alt on Windows, and Option types other characters on a Mac.
  if (event.getModifierState("AltGraph")) return true;
  return !event.ctrlKey && !event.metaKey && !(event.altKey && key <= "~");
}

/** What a key does in a text box. */
export type BoxAction =
  | { readonly kind: "cancel" | "lineBreak" | "save" | "undo" | "redo" }
  /** The text is set and its box stays open: the shortcut of VS Code may close the editor before the edit ends. */
  | { readonly kind: "keep" }
  | { readonly kind: "accept"; readonly goesTo: "nextRow" | "nextMatch" }
  | { readonly kind: "insert"; readonly text: string };

/** Returns what a key does in a text box; `null`: what it does in any. */
export function boxAction(event: Key, placeholders: readonly string[]): BoxAction | null {
  // The keys of an input method, such as the Enter that accepts its proposal; Safari tells only by the code of the key.
  if (event.isComposing || event.keyCode === 229) return null;
  const isControl = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (key === "escape") return { kind: "cancel" };
  if (key === "enter" && (event.altKey || event.shiftKey) && !isControl) return { kind: "lineBreak" };
  if (key === "enter") return { kind: "accept", goesTo: isControl ? "nextMatch" : "nextRow" };
  if (isControl && key === "s") return { kind: "save" };
  // Otherwise VS Code would undo an edit of the document.
  if (isControl && (key === "z" || key === "y"))
    return { kind: key === "y" || event.shiftKey ? "redo" : "undo" };
  const placeholder = placeholders[placeholderNumber(event) - 1];
  if (placeholder !== undefined) return { kind: "insert", text: placeholder };
  return isVsCodeShortcut(event) ? { kind: "keep" } : null;
}

/** Returns whether the key combination is a VS Code shortcut. Ctrl+Alt types characters on some keyboard layouts. */
export function isVsCodeShortcut({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<Key, "key" | "ctrlKey" | "metaKey" | "altKey">): boolean {
  if (/^F\d+$/u.test(key)) return true;
  return (ctrlKey || metaKey) && !altKey && /^(?:[^acvx]|Tab|PageUp|PageDown)$/iu.test(key);
}

/**
 * Returns the number of the placeholder that a key combination stands for (Alt and its number), 0 if it is not the shortcut.
 * The digit is determined by the position of its key, since Option types another character on a Mac. With Ctrl or Shift,
 * characters are typed: AltGr is Ctrl+Alt on Windows.
 */
function placeholderNumber({ code, altKey, ctrlKey, metaKey, shiftKey }: Key): number {
  const isShortcut = altKey && !ctrlKey && !metaKey && !shiftKey;
  return isShortcut ? Number(/^Digit([1-9])$/u.exec(code)?.[1] ?? 0) : 0;
}
