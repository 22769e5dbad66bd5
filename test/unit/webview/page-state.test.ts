/** The page's rows while a cell is edited. */
import { beforeEach, expect, it, vi } from "vitest";
import type { FromPage } from "../../../src/webview/translation-editor/message-protocol.ts";
import type { Language, Row, ToPage } from "../../../src/webview/translation-editor/message-protocol.ts";

const hashOf = (row: number): string => String(row).padStart(40, "0");
const counts = { unsaved: 0, conflicts: 0, refused: 0 };
const languages = (...locales: string[]): Language[] =>
  locales.map((locale) => ({ locale, name: locale, isSource: locale === "en" }));

/** The text of a cell in the rows, where it is truncated. */
const CUT = "text".repeat(50);

function rowsFrom(start: number, count: number, isCut = false): Row[] {
  return Array.from({ length: count }, (_, at) => ({
    hash: hashOf(start + at),
    namespace: "",
    key: `key ${start + at}`,
    context: null,
    description: null,
    tags: [],
    maxLength: null,
    isNotPushed: false,
    uses: null,
    placeholders: [],
    cells: Array.from({ length: 2 }, () => ({
      parts: [{ category: null, text: isCut ? CUT : "text" }],
      isCut,
      states: [],
    })),
  }));
}

/** The page's state, with the messages that it sent and a function that sends it one. */
async function startPage(...locales: string[]) {
  const sent: FromPage[] = [];
  const window = new EventTarget();
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", { hasFocus: () => true, activeElement: null, body: null });
  vi.stubGlobal("acquireVsCodeApi", () => ({
    postMessage: (message: FromPage) => sent.push(message),
    getState: () => undefined,
    setState: () => undefined,
  }));
  const state = await import("../../../src/webview/translation-editor/page-state.ts");
  const receive = (data: ToPage): void => {
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
  const takeDetail = (row: number, value: string): void =>
    receive({
      type: "detail",
      detail: {
        cell: { locale: "nl", hash: hashOf(row) },
        source: null,
        sourceAtService: null,
        sourceBefore: null,
        text: { value },
        conflict: null,
        isSourceChanged: false,
        issues: [],
        readonly: null,
        refused: null,
        similar: [],
        usedIn: null,
      },
    });
  const takeLongTexts = (list: number): void =>
    receive({ type: "rows", list, start: 0, rows: rowsFrom(0, 30, true) });
  const takeList = (list: number, isUserQuery: boolean, active = { hash: hashOf(0), row: 0 }): void =>
    receive({
      type: "list",
      list,
      count: 90,
      focus: null,
      isUserQuery,
      active,
      start: 0,
      rows: isUserQuery ? rowsFrom(0, 30) : [],
      counts,
    });
  state.start();
  setUp(...(locales.length === 0 ? ["en", "nl"] : locales));
  takeList(1, true);
  const detailRequests = (): number => sent.filter(({ type }) => type === "detail").length;
  return { state, sent, detailRequests, setUp, takeList, takeLongTexts, takeDetail };
}

beforeEach(() => {
  vi.resetModules();
  return () => vi.unstubAllGlobals();
});

it("keeps the list while a cell is edited, then requests the newer rows", async () => {
  const { state, sent, takeList } = await startPage();
  state.beginEdit();
  takeList(2, false);
  expect(state.list.value.number).toBe(1);
  state.endEdit(null, { focusesCell: true });
  expect(state.list.value.number).toBe(2);
  state.requestRows(0, 10);
  expect(sent).toContainEqual({ type: "rows", list: 2, start: 0 });
});

it("takes the newer list when a language change ends an edit before its box is shown", async () => {
  const { state, sent, setUp, takeList } = await startPage();
  state.beginEdit();
  takeList(2, false);
  setUp("en", "de");
  expect(state.editing.value).toBeNull();
  expect(state.list.value.number).toBe(2);
  state.requestRows(0, 10);
  expect(sent).toContainEqual({ type: "rows", list: 2, start: 0 });
});

it("commits the typed text and takes the newer list when a language change ends an edit", async () => {
  const { state, sent, setUp, takeList } = await startPage();
  state.beginEdit();
  state.onFinishEdit(() => state.endEdit([{ category: null, text: "typed" }], { focusesCell: true }));
  takeList(2, false);
  setUp("en", "de");
  expect(sent).toContainEqual({
    type: "edit",
    texts: [{ locale: "nl", hash: hashOf(0), before: { value: "text" }, text: { value: "typed" } }],
  });
  expect(state.list.value.number).toBe(2);
});

it("takes another list only when the extension knows the active row, which stays active", async () => {
  const { state, sent, takeList } = await startPage();
  state.goTo(5, 2);
  takeList(2, false, { hash: hashOf(0), row: 1 });
  expect(state.list.value.number).toBe(1);
  expect(sent.at(-1)).toEqual({ type: "active", hash: hashOf(5) });
  takeList(2, false, { hash: hashOf(5), row: 6 });
  expect(state.list.value.number).toBe(2);
  expect(state.active.value).toEqual({ row: 6, column: 2 });
  expect(state.activeRow.value?.hash).toBe(hashOf(5));
});

it("replaces a waiting list by a requested one", async () => {
  const { state, takeList } = await startPage();
  state.beginEdit();
  takeList(2, false);
  takeList(3, true);
  expect(state.editing.value).toBeNull();
  expect(state.list.value.number).toBe(3);
  state.beginEdit();
  state.endEdit(null, { focusesCell: true });
  expect(state.list.value.number).toBe(3);
});

it("requests the rows again when other languages are shown", async () => {
  const { sent, setUp } = await startPage();
  setUp("en", "de");
  expect(sent.at(-1)).toEqual({ type: "rows", list: 1, start: 30 });
  expect(sent.at(-2)).toEqual({ type: "rows", list: 1, start: 0 });
});

it("starts in the first translation, also if the languages arrive one after the other", async () => {
  const { state, setUp, takeList } = await startPage("en");
  expect(state.active.value.column).toBe(1);
  setUp("en", "nl");
  expect(state.active.value.column).toBe(2);
  takeList(2, false);
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
  const { state, setUp, takeList } = await startPage();
  state.goTo(0, 2);
  for (const locales of [[], ["en"], ["en", "nl"]]) {
    setUp(...locales);
    takeList(2, true);
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
  const { state, detailRequests, takeLongTexts, takeDetail } = await startPage();
  takeLongTexts(1);
  await vi.waitFor(() => expect(detailRequests()).toBe(1));
  takeDetail(0, `${CUT} before`);
  state.beginEdit();
  expect(state.editing.value?.parts).toEqual([{ category: null, text: `${CUT} before` }]);
  state.endEdit([{ category: null, text: `${CUT} after` }], { focusesCell: true });
  state.beginEdit();
  expect(state.editing.value?.parts).toEqual([{ category: null, text: `${CUT} after` }]);
  state.endEdit(null, { focusesCell: true });
  // The extension confirms the edit with rows, whose long texts are truncated.
  takeLongTexts(1);
  state.beginEdit();
  expect(state.editing.value).toBeNull();
  await vi.waitFor(() => expect(detailRequests()).toBe(2));
  takeDetail(0, `${CUT} after`);
  expect(state.editing.value?.parts).toEqual([{ category: null, text: `${CUT} after` }]);
});

it("does not edit a cell that was left before its long text arrived", async () => {
  const { state, detailRequests, takeLongTexts, takeDetail } = await startPage();
  takeLongTexts(1);
  state.beginEdit();
  state.goTo(1, 2);
  state.goTo(0, 2);
  await vi.waitFor(() => expect(detailRequests()).toBe(1));
  takeDetail(0, `${CUT} whole`);
  expect(state.editing.value).toBeNull();
  expect(state.detail.value?.text).toEqual({ value: `${CUT} whole` });
});
