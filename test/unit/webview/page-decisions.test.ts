/** What the page decides of texts and places. */
import { describe, expect, it } from "vitest";
import { ALL_ROWS } from "../../../src/model/translation-editor-filters.ts";
import type { EditorRow, State } from "../../../src/webview/translation-editor/editor-protocol.ts";
import {
  cellOfDetails,
  decideBeginEdit,
  decideUpdate,
  editedCell,
  editOf,
  matchesFilters,
  movedLanguages,
  offeredFilters,
  placeFound,
  selectedLocales,
  selectionOf,
  shownStates,
  sourceOfRow,
  toggledFilters,
} from "../../../src/webview/translation-editor/page-decisions.ts";

const CELL = { locale: "nl", hash: "a".repeat(40) };
const forms = (one: string, other: string) => [
  { category: "one", text: one },
  { category: "other", text: other },
];
const value = (text: string) => [{ category: null, text }];

describe("an edit", () => {
  it("has the text before and after, without empty forms", () => {
    expect(editOf(CELL, forms("", "items"), forms("item", ""))).toEqual({
      ...CELL,
      before: { forms: { other: "items" } },
      text: { forms: { one: "item" } },
    });
    expect(editOf(CELL, value("a"), value(""))).toEqual({
      ...CELL,
      before: { value: "a" },
      text: { value: "" },
    });
  });

  it("is none when every form is as before, and one when any is not", () => {
    expect(editOf(CELL, forms("a", "b"), forms("a", "b"))).toBeNull();
    expect(editOf(CELL, forms("a", "b"), forms("a", "c"))).not.toBeNull();
    expect(editOf(CELL, value("a "), value("a"))).not.toBeNull();
  });

  it("is shown until it is confirmed: unsaved, missing if empty, still in conflict, no longer a model's", () => {
    const cell = {
      parts: value("a"),
      isTruncated: true,
      wrongPlaceholders: [":naam"],
      states: ["conflict", "machine", "issue"] as const,
    };
    const edited = editedCell(cell, value("b"));
    expect(edited).toEqual({
      parts: value("b"),
      isTruncated: false,
      wrongPlaceholders: [],
      states: ["unsaved", "conflict"],
    });
    expect(editedCell(edited, value("")).states).toEqual(["missing", "unsaved", "conflict"]);
    expect(editedCell({ ...cell, states: [] }, forms("", "b")).states).toEqual(["unsaved"]);
  });

  it("does not begin in a read-only cell or without one", () => {
    const cell = {
      parts: value("a"),
      isTruncated: false,
      wrongPlaceholders: [],
      states: ["readonly"] as const,
    };
    expect(decideBeginEdit(cell, null, "x", null)).toEqual({ kind: "no" });
    expect(decideBeginEdit(undefined, null, null, null)).toEqual({ kind: "no" });
  });
});

describe("what is read again after a change", () => {
  const search = { ...ALL_ROWS, search: "cart" };
  const filtered = { ...ALL_ROWS, filters: ["untranslated"] as const };
  it.each([
    ["new keys, everything is shown", ["keys"], ALL_ROWS, true, { setsUp: false, finds: true }],
    ["files, everything is shown", ["files"], ALL_ROWS, true, { setsUp: false, finds: true }],
    ["texts", ["translations", "drafts", "usages"], ALL_ROWS, true, { setsUp: false, finds: false }],
    ["new keys behind a filter", ["keys", "files"], filtered, true, { setsUp: false, finds: false }],
    ["new keys behind a search", ["keys"], search, true, { setsUp: false, finds: false }],
    ["the search index, complete before", ["search"], search, true, { setsUp: false, finds: false }],
    ["the search index, incomplete before", ["search"], search, false, { setsUp: false, finds: true }],
    ["the search index, nothing is searched", ["search"], filtered, false, { setsUp: false, finds: false }],
    ["the languages", ["stats"], filtered, true, { setsUp: true, finds: false }],
  ] as const)("%s", (_, tables, query, isUpToDate, update) => {
    expect(decideUpdate(new Set(tables), query, isUpToDate)).toEqual(update);
  });
});

describe("where the active row is", () => {
  const list = (hashes: string[], isUserQuery = false, focus: string | null = null) => ({
    hashes,
    isUserQuery,
    focus,
  });
  const at = (key: string | null, row: number) => ({ key, row });

  it("follows its key, and without it stays in the list", () => {
    const now = { kind: "now", isRevealed: false } as const;
    expect(placeFound(at("b", 1), null, list(["x", "a", "b"]))).toEqual({ ...now, row: 2, shift: 1 });
    expect(placeFound(at("b", 1), null, list(["b"]))).toEqual({ ...now, row: 0, shift: -1 });
    expect(placeFound(at("b", 5), null, list(["a", "c"]))).toEqual({ ...now, row: 1, shift: 0 });
    expect(placeFound(at("b", 5), null, list([]))).toEqual({ ...now, row: 0, shift: 0 });
    expect(placeFound(at("b", 1), null, list(["a", "b"], true))).toEqual({ ...now, row: 0, shift: 0 });
  });

  it("reveals the key that was asked for, also while another cell is edited", () => {
    const revealed = { kind: "now", row: 1, shift: 0, isRevealed: true };
    expect(placeFound(at("a", 0), null, list(["a", "b"], false, "b"))).toEqual(revealed);
    expect(placeFound(at("a", 0), "a", list(["a", "b"], true, "b"))).toEqual(revealed);
  });

  it("waits with an update while a cell is edited, and with an answer that has it in the same place", () => {
    expect(placeFound(at("a", 0), "a", list(["x", "a"]))).toEqual({ kind: "later" });
    expect(placeFound(at("a", 0), "a", list(["a", "b"], true))).toEqual({ kind: "later" });
    expect(placeFound(at("a", 0), "a", list(["b", "a"], true))).toMatchObject({ kind: "now" });
    expect(placeFound(at("a", 0), "a", list(["b", "a"], true, "missing"))).toMatchObject({ kind: "now" });
  });
});

it("shows the states of a cell, without those that another one implies", () => {
  expect(shownStates(["missing", "readonly"])).toEqual(["missing", "readonly"]);
  expect(shownStates(["issue", "unsaved"])).toEqual(["issue", "unsaved"]);
  expect(shownStates(["unsaved", "conflict"])).toEqual(["conflict"]);
  expect(shownStates(["unsaved", "machine"])).toEqual(["machine"]);
});

it("selects from corner to corner, whichever was first", () => {
  const expected = { top: 1, bottom: 3, left: 0, right: 2 };
  expect(selectionOf({ row: 1, column: 2 }, { row: 3, column: 0 })).toEqual(expected);
  expect(selectionOf({ row: 3, column: 0 }, { row: 1, column: 2 })).toEqual(expected);
  expect(selectedLocales(["en", "nl", "fr"], expected)).toEqual(["en", "nl"]);
  expect(selectedLocales(["en", "nl", "fr"], { ...expected, right: 0 })).toEqual([]);
});

it("moves languages within the translations only", () => {
  const languages = ["en", "nl", "fr"];
  expect(movedLanguages(languages, 2, 1)).toEqual(["en", "fr", "nl"]);
  expect(movedLanguages(languages, 3, -1)).toEqual(["en", "fr", "nl"]);
  for (const [column, by] of [
    [2, -1],
    [3, 1],
    [1, 1],
    [0, 1],
  ] as const)
    expect(movedLanguages(languages, column, by)).toBeNull();
});

it("matches a row that one of the filters finds, in any language, and any row without a filter", () => {
  const cell = (...states: readonly State[]) => ({
    parts: value("a"),
    isTruncated: false,
    wrongPlaceholders: [],
    states,
  });
  const row = {
    isNotPushed: false,
    isUnused: true,
    cells: { nl: cell("unsaved"), fr: cell("missing", "readonly") },
  } as unknown as EditorRow;
  expect(matchesFilters(row, [])).toBe(true);
  expect(matchesFilters(row, ["issues", "untranslated"])).toBe(true);
  expect(matchesFilters(row, ["notPushed", "unused"])).toBe(true);
  expect(matchesFilters(row, ["conflicts", "unsaved", "outdated"])).toBe(true);
  expect(matchesFilters(row, ["issues", "conflicts", "notPushed"])).toBe(false);
  expect(matchesFilters({ ...row, isNotPushed: true, isUnused: false }, ["notPushed"])).toBe(true);
  expect(matchesFilters({ ...row, isUnused: false }, ["unused"])).toBe(false);
  expect(matchesFilters(undefined, ["issues"])).toBe(true);
});

it("turns one filter on or off and keeps the others", () => {
  expect(toggledFilters(["issues"], "unsaved")).toEqual(["issues", "unsaved"]);
  expect(toggledFilters(["issues", "unsaved"], "issues")).toEqual(["unsaved"]);
});

it("offers the filters that can find something, and those that are on", () => {
  const local = { isServiceKnown: false, refused: 0 };
  expect(offeredFilters([], local)).toEqual(["untranslated", "issues", "unused", "unsaved", "conflicts"]);
  expect(offeredFilters(["outdated"], { ...local, refused: 1 })).toEqual(
    expect.arrayContaining(["outdated", "refused"]),
  );
  expect(offeredFilters([], { isServiceKnown: true, refused: 0 })).toEqual(
    expect.arrayContaining(["outdated", "notPushed"]),
  );
});

describe("details of another cell", () => {
  const cell = { parts: value("a"), isTruncated: false, wrongPlaceholders: [], states: [] };
  const row = { cells: { nl: cell } };

  it("offer no actions for the active cell", () => {
    expect(cellOfDetails(row, CELL, { cell: CELL })).toBe(cell);
    expect(cellOfDetails(row, CELL, { cell: { ...CELL, locale: "fr" } })).toBeUndefined();
    expect(cellOfDetails(row, CELL, null)).toBeUndefined();
    expect(cellOfDetails(row, null, { cell: CELL })).toBeUndefined();
  });

  it("do not have the source text of the edited row", () => {
    const details = { cell: CELL, source: { value: "Cart" } };
    expect(sourceOfRow(CELL.hash, details)).toEqual({ value: "Cart" });
    expect(sourceOfRow("b".repeat(40), details)).toBeNull();
    expect(sourceOfRow(CELL.hash, null)).toBeNull();
  });
});
