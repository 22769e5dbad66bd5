/** What keys do in the table and in text boxes. */
import { describe, expect, it } from "vitest";
import {
  boxAction,
  isHiddenFromVsCode,
  tableAction,
  type TableAction,
} from "../../../src/webview/translation-editor/key-decisions.ts";

type Keys = Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing" | "altGr", true>>;
const event = (key: string, { altGr, ...keys }: Keys = {}, code = "", keyCode = 0) => ({
  key,
  code,
  keyCode,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  isComposing: false,
  ...keys,
  getModifierState: (name: string) => name === "AltGraph" && altGr === true,
});
const ctrl = { ctrlKey: true } as const;
const shift = { shiftKey: true } as const;
const alt = { altKey: true } as const;

const STATE = { active: { row: 5, column: 2 }, rowCount: 90, languageCount: 3, pageDown: 12, pageUp: 1 };
const inTable = (key: string, keys: Keys = {}, state = STATE): TableAction | null =>
  tableAction(event(key, keys), state);
const goTo = (row: number, column: number, isSelecting = false) => ({
  kind: "goTo",
  row,
  column,
  isSelecting,
});

describe("in the table", () => {
  it.each<[string, Keys, ReturnType<typeof goTo>]>([
    ["ArrowDown", {}, goTo(6, 2)],
    ["ArrowUp", {}, goTo(4, 2)],
    ["ArrowLeft", {}, goTo(5, 1)],
    ["ArrowRight", {}, goTo(5, 3)],
    ["ArrowDown", shift, goTo(6, 2, true)],
    ["Home", {}, goTo(5, 0)],
    ["Home", ctrl, goTo(0, 0)],
    ["End", {}, goTo(5, 3)],
    ["End", ctrl, goTo(89, 3)],
    ["End", { metaKey: true, shiftKey: true }, goTo(89, 3, true)],
    ["PageDown", {}, goTo(12, 2)],
    ["PageUp", shift, goTo(1, 2, true)],
  ])("%s moves, with %j", (key, keys, action) => expect(inTable(key, keys)).toEqual(action));

  it("passes a row that is higher than the page", () => {
    const high = { ...STATE, pageDown: 5, pageUp: 5 };
    expect(inTable("PageDown", {}, high)).toEqual(goTo(6, 2));
    expect(inTable("PageUp", {}, high)).toEqual(goTo(4, 2));
  });

  it("moves columns with Alt and an arrow, and no rows", () => {
    expect(inTable("ArrowLeft", alt)).toEqual({ kind: "moveLanguage", by: -1 });
    expect(inTable("ArrowRight", alt)).toEqual({ kind: "moveLanguage", by: 1 });
    expect(inTable("ArrowUp", alt)).toEqual(goTo(4, 2));
  });

  it("clears, fills, edits and shows usages", () => {
    expect(inTable("Delete")).toEqual({ kind: "clear" });
    expect(inTable("d", ctrl)).toEqual({ kind: "fill" });
    const edit = { kind: "edit", typed: null, isIncomplete: false };
    expect([inTable("Enter"), inTable("F2")]).toEqual([edit, edit]);
    const onKey = { ...STATE, active: { row: 5, column: 0 } };
    expect(inTable("Enter", {}, onKey)).toEqual({ kind: "showUsage" });
    expect(inTable("x", {}, onKey)).toBeNull();
  });

  it.each<[string, Keys]>([
    ["d", {}],
    ["é", {}],
    [" ", {}],
    ["X", shift],
    ["@", { ctrlKey: true, altKey: true, altGr: true }],
    ["å", alt],
    ["😀", {}],
  ])("replaces the text by the typed %j, with %j", (key, keys) => {
    const action = inTable(key, keys);
    expect(action).toEqual({ kind: "edit", typed: key, isIncomplete: false });
    expect(action && isHiddenFromVsCode(action)).toBe(true);
  });

  it("leaves to the browser what becomes of a dead key or an input method", () => {
    const begun = { kind: "edit", typed: "", isIncomplete: true };
    expect([inTable("Dead"), inTable("Process")]).toEqual([begun, begun]);
  });

  it.each<[string, Keys]>([
    ["c", ctrl],
    ["s", { metaKey: true }],
    ["a", alt],
    ["Tab", {}],
    ["F3", {}],
    ["Escape", {}],
  ])("does nothing on %s with %j, which VS Code sees", (key, keys) => expect(inTable(key, keys)).toBeNull());

  it("hides from VS Code what it would do something else with", () => {
    const isHidden = (key: string, keys: Keys = {}): boolean | null => {
      const action = inTable(key, keys);
      return action && isHiddenFromVsCode(action);
    };
    expect([isHidden("ArrowLeft", alt), isHidden("d", ctrl)]).toEqual([true, true]);
    expect([isHidden("ArrowLeft"), isHidden("Enter"), isHidden("Delete")]).toEqual([false, false, false]);
  });
});

describe("in a text box", () => {
  const inBox = (key: string, keys: Keys = {}, code = "") =>
    boxAction(event(key, keys, code), [":name", ":count"]);

  it("accepts with Enter and breaks lines with Shift or Alt", () => {
    expect(inBox("Enter")).toEqual({ kind: "accept", goesTo: "nextRow" });
    expect(inBox("Enter", ctrl)).toEqual({ kind: "accept", goesTo: "nextMatch" });
    expect(inBox("Enter", { ctrlKey: true, shiftKey: true })).toEqual({
      kind: "accept",
      goesTo: "nextMatch",
    });
    expect([inBox("Enter", shift), inBox("Enter", alt)]).toEqual([
      { kind: "lineBreak" },
      { kind: "lineBreak" },
    ]);
    expect(inBox("Escape")).toEqual({ kind: "cancel" });
  });

  it("undoes in the box, and saves", () => {
    expect(inBox("z", ctrl)).toEqual({ kind: "undo" });
    expect(inBox("Z", { ctrlKey: true, shiftKey: true })).toEqual({ kind: "redo" });
    expect(inBox("y", ctrl)).toEqual({ kind: "redo" });
    expect(inBox("s", { metaKey: true })).toEqual({ kind: "save" });
    expect([inBox("s"), inBox("z"), inBox("y")]).toEqual([null, null, null]);
  });

  it("inserts the placeholder with the number of the digit's key, with Alt alone", () => {
    expect(inBox("¡", alt, "Digit1")).toEqual({ kind: "insert", text: ":name" });
    expect(inBox("2", alt, "Digit2")).toEqual({ kind: "insert", text: ":count" });
    for (const keys of [{}, { altKey: true, ctrlKey: true }, { altKey: true, shiftKey: true }] as const)
      expect(inBox("1", keys, "Digit1")).toBeNull();
    expect([inBox("3", alt, "Digit3"), inBox("0", alt, "Digit0")]).toEqual([null, null]);
  });

  it("keeps what was typed when VS Code gets the key, and leaves the keys of the box to it", () => {
    for (const [key, keys] of [
      ["w", ctrl],
      ["F1", {}],
      ["Tab", ctrl],
      ["PageUp", ctrl],
    ] as const)
      expect(inBox(key, keys), key).toEqual({ kind: "keep" });
    for (const key of ["a", "c", "v", "x"]) expect(inBox(key, ctrl), key).toBeNull();
    expect([inBox("b"), inBox("q", { ctrlKey: true, altKey: true })]).toEqual([null, null]);
  });

  it("does nothing while a text is composed", () => {
    expect(inBox("Enter", { isComposing: true })).toBeNull();
    expect(boxAction(event("Enter", {}, "", 229), [])).toBeNull();
  });
});
