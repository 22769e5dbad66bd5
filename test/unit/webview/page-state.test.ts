/** The page's rows while a cell is edited. */
import { beforeEach, expect, it, vi } from "vitest";
import type {
  Language,
  MessageFromPage,
  MessageToPage,
  Row,
} from "../../../src/webview/translation-editor/message-protocol.ts";
import { waitUntil } from "../support/wait-until.ts";

const hashOf = (row: number): string => String(row).padStart(40, "0");
const counts = { unsaved: 0, conflicts: 0, refused: 0 };
const languages = (...locales: string[]): Language[] =>
  locales.map((locale) => ({ locale, name: locale, isSource: locale === "en", hiddenCategories: [] }));

/** The text of a cell in the rows, where it is truncated. */
const TRUNCATED = "text".repeat(50);

function rowsFrom(start: number, count: number, isTruncated = false): Row[] {
  return Array.from({ length: count }, (_, at) => ({
    hash: hashOf(start + at),
    namespace: "",
    key: `key ${start + at}`,
    context: null,
    description: null,
    tags: [],
    maxLength: null,
    isNotPushed: false,
    usageCount: null,
    placeholders: [],
    cells: Array.from({ length: 2 }, () => ({
      parts: [{ category: null, text: isTruncated ? TRUNCATED : "text" }],
      isTruncated,
      states: [],
    })),
  }));
}

/** The page's state, with the messages that it sent and a function that sends it one. */
async function startPage(...locales: string[]) {
  const sent: MessageFromPage[] = [];
  const window = new EventTarget();
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", { hasFocus: () => true, activeElement: null, body: null });
  vi.stubGlobal("acquireVsCodeApi", () => ({
    postMessage: (message: MessageFromPage) => sent.push(message),
    getState: () => undefined,
    setState: () => undefined,
  }));
  const state = await import("../../../src/webview/translation-editor/page-state.ts");
  const receive = (data: MessageToPage): void => {
    window.dispatchEvent(new MessageEvent("message", { data }));
  };
  const setUp = (...locales: string[]): void =>
    receive({
      type: "setup",
      messages: {},
      languages: languages(...locales),
      separator: ".",
      query: state.query.value,
      namespaces: [],
      tags: [],
    });
  const takeDetails = (row: number, value: string): void =>
    receive({
      type: "details",
      details: {
        cell: { locale: "nl", hash: hashOf(row) },
        source: null,
        sourceAtService: null,
        previousSource: null,
        text: { value },
        conflict: null,
        isSourceChanged: false,
        issues: [],
        readonlyReason: null,
        rejectionReason: null,
        similar: [],
        usedIn: null,
      },
    });
  const takeLongTexts = (revision: number): void =>
    receive({ type: "rows", revision, start: 0, rows: rowsFrom(0, 30, true) });
  const takeTable = (
    revision: number,
    isUserQuery: boolean,
    active = { hash: hashOf(0), row: 0 },
    rows = rowsFrom(0, 30),
  ): void =>
    receive({
      type: "table",
      revision,
      rowCount: 90,
      focus: null,
      isUserQuery,
      active,
      start: 0,
      rows: isUserQuery ? rows : [],
      counts,
    });
  state.start();
  setUp(...(locales.length === 0 ? ["en", "nl"] : locales));
  takeTable(1, true);
  const detailsRequests = (): number => sent.filter(({ type }) => type === "details").length;
  return { state, sent, detailsRequests, setUp, takeTable, takeLongTexts, takeDetails };
}

beforeEach(() => {
  vi.resetModules();
  return () => vi.unstubAllGlobals();
});

it("keeps the table while a cell is edited, then requests the newer rows", async () => {
  const { state, sent, takeTable } = await startPage();
  state.beginEdit();
  takeTable(2, false);
  expect(state.table.value.revision).toBe(1);
  state.endEdit(null, { focusesCell: true });
  expect(state.table.value.revision).toBe(2);
  state.requestRows(0, 10);
  expect(sent).toContainEqual({ type: "rows", revision: 2, start: 0 });
});

it("takes the newer table when a language change ends an edit before its box is shown", async () => {
  const { state, sent, setUp, takeTable } = await startPage();
  state.beginEdit();
  takeTable(2, false);
  setUp("en", "de");
  expect(state.editing.value).toBeNull();
  expect(state.table.value.revision).toBe(2);
  state.requestRows(0, 10);
  expect(sent).toContainEqual({ type: "rows", revision: 2, start: 0 });
});

it("commits the typed text and takes the newer table when a language change ends an edit", async () => {
  const { state, sent, setUp, takeTable } = await startPage();
  state.beginEdit();
  state.onFinishEdit(() => state.endEdit([{ category: null, text: "typed" }], { focusesCell: true }));
  takeTable(2, false);
  setUp("en", "de");
  expect(sent).toContainEqual({
    type: "edit",
    cell: { locale: "nl", hash: hashOf(0) },
    before: { value: "text" },
    text: { value: "typed" },
  });
  expect(state.table.value.revision).toBe(2);
});

it("takes another table only when the extension knows the active row, which stays active", async () => {
  const { state, sent, takeTable } = await startPage();
  state.goTo(5, 2);
  takeTable(2, false, { hash: hashOf(0), row: 1 });
  expect(state.table.value.revision).toBe(1);
  expect(sent.at(-1)).toEqual({ type: "active", hash: hashOf(5) });
  takeTable(2, false, { hash: hashOf(5), row: 6 });
  expect(state.table.value.revision).toBe(2);
  expect(state.active.value).toEqual({ row: 6, column: 2 });
  expect(state.activeRow.value?.hash).toBe(hashOf(5));
});

it("keeps an edit open while a late answer has its row in the same place", async () => {
  const { state, takeTable } = await startPage();
  state.beginEdit();
  takeTable(2, false);
  takeTable(3, true);
  expect(state.editing.value).not.toBeNull();
  expect(state.table.value.revision).toBe(1);
  state.endEdit(null, { focusesCell: true });
  expect(state.table.value.revision).toBe(3);
});

it("ends an edit when its row moves in a requested table", async () => {
  const { state, takeTable } = await startPage();
  state.beginEdit();
  takeTable(3, true, { hash: hashOf(0), row: 0 }, rowsFrom(2, 30));
  expect(state.editing.value).toBeNull();
  expect(state.table.value.revision).toBe(3);
});

it("requests the rows again when other languages are shown", async () => {
  const { sent, setUp } = await startPage();
  setUp("en", "de");
  expect(sent.at(-1)).toEqual({ type: "rows", revision: 1, start: 30 });
  expect(sent.at(-2)).toEqual({ type: "rows", revision: 1, start: 0 });
});

it("starts in the first translation, also if the languages arrive one after the other", async () => {
  const { state, setUp, takeTable } = await startPage("en");
  expect(state.active.value.column).toBe(1);
  setUp("en", "nl");
  expect(state.active.value.column).toBe(2);
  takeTable(2, false);
  expect(state.active.value.column).toBe(2);
});

it("returns to the active cell's language after it was not visible for a while", async () => {
  const { state, setUp } = await startPage();
  state.goTo(0, 2);
  setUp("en");
  expect(state.active.value.column).toBe(1);
  setUp("en", "fr", "nl");
  expect(state.active.value.column).toBe(3);
  setUp("en", "fr");
  expect(state.active.value.column).toBe(2);
  state.goTo(0, 1);
  setUp("en", "fr", "nl");
  expect(state.active.value.column).toBe(1);
});

it("returns to the active cell's language when the editor shows another project", async () => {
  const { state, setUp, takeTable } = await startPage();
  state.goTo(0, 2);
  for (const locales of [[], ["en"], ["en", "nl"]]) {
    setUp(...locales);
    takeTable(2, true);
    expect(state.active.value.column).toBe(locales.length);
  }
  state.goTo(0, 0);
  for (const locales of [[], ["en"]]) {
    setUp(...locales);
    expect(state.active.value.column).toBe(0);
  }
});

it("stays in its language when the first translation is moved before the user moved to another cell", async () => {
  const { state, sent, setUp } = await startPage("en", "nl", "fr");
  state.moveLanguage(2, 1);
  expect(sent.at(-1)).toEqual({ type: "languages", locales: ["fr", "nl"] });
  setUp("en", "fr", "nl");
  expect(state.active.value.column).toBe(3);
});

it("edits a long text as typed, although its details are older", async () => {
  const { state, detailsRequests, takeLongTexts, takeDetails } = await startPage();
  takeLongTexts(1);
  await waitUntil(() => detailsRequests() === 1);
  takeDetails(0, `${TRUNCATED} before`);
  state.beginEdit();
  expect(state.editing.value?.parts).toEqual([{ category: null, text: `${TRUNCATED} before` }]);
  state.endEdit([{ category: null, text: `${TRUNCATED} after` }], { focusesCell: true });
  state.beginEdit();
  expect(state.editing.value?.parts).toEqual([{ category: null, text: `${TRUNCATED} after` }]);
  state.endEdit(null, { focusesCell: true });
  // The extension confirms the edit with rows, whose long texts are truncated.
  takeLongTexts(1);
  state.beginEdit();
  expect(state.editing.value).toBeNull();
  await waitUntil(() => detailsRequests() === 2);
  takeDetails(0, `${TRUNCATED} after`);
  expect(state.editing.value?.parts).toEqual([{ category: null, text: `${TRUNCATED} after` }]);
});

it("does not edit a cell that was left before its long text arrived", async () => {
  const { state, detailsRequests, takeLongTexts, takeDetails } = await startPage();
  takeLongTexts(1);
  state.beginEdit();
  state.goTo(1, 2);
  state.goTo(0, 2);
  await waitUntil(() => detailsRequests() === 1);
  takeDetails(0, `${TRUNCATED} whole`);
  expect(state.editing.value).toBeNull();
  expect(state.details.value?.text).toEqual({ value: `${TRUNCATED} whole` });
});

it("replaces a text by what is typed, also while the complete text is on its way", async () => {
  const { state, detailsRequests, takeLongTexts, takeDetails } = await startPage();
  state.beginEdit("a");
  expect(state.editing.value).toMatchObject({ typedText: "a", parts: [{ text: "text" }] });
  state.endEdit(null, { focusesCell: true });
  takeLongTexts(1);
  state.goTo(1, 2);
  state.beginEdit("a");
  state.beginEdit("b");
  expect(state.editing.value).toBeNull();
  await waitUntil(() => detailsRequests() === 1);
  takeDetails(1, TRUNCATED + TRUNCATED);
  expect(state.editing.value).toMatchObject({
    typedText: "ab",
    parts: [{ text: TRUNCATED + TRUNCATED }],
  });
});

it("goes to the next row that still matches the filters", async () => {
  const { state, takeTable } = await startPage();
  expect(state.nextMatchingRow(3)).toBe(4);
  state.query.value = { ...state.query.value, filters: ["untranslated", "notPushed"] };
  takeTable(2, true);
  const change = (index: number, changes: Partial<Row>): void => {
    const row = state.rows.value.get(index);
    if (row !== undefined) state.rows.value = new Map(state.rows.value).set(index, { ...row, ...changes });
  };
  change(6, { isNotPushed: true });
  change(8, { cells: [{ parts: [], isTruncated: false, states: ["missing"] }] });
  expect([0, 6, 8].map((index) => state.nextMatchingRow(index))).toEqual([6, 8, 30]);
  expect(state.nextMatchingRow(89)).toBe(89);
});
