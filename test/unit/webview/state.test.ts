/** The page's rows while a cell is edited. */
import { beforeEach, expect, it, vi } from "vitest";
import type { FromPage } from "../../../src/webview/translation-editor/messages.ts";
import type { Language, Row, ToPage } from "../../../src/webview/translation-editor/messages-to-page.ts";

const hashOf = (row: number): string => String(row).padStart(40, "0");
const counts = { unsaved: 0, conflicts: 0, refused: 0 };
const languages = (...locales: string[]): Language[] =>
  locales.map((locale) => ({ locale, name: locale, isSource: locale === "en", categories: [] }));

function rowsFrom(start: number, count: number): Row[] {
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
      parts: [{ category: null, text: "text" }],
      isCut: false,
      states: [],
    })),
  }));
}

/** The page's state, with the messages that it sent and a function that sends it one. */
async function startPage() {
  const sent: FromPage[] = [];
  const window = new EventTarget();
  vi.stubGlobal("window", window);
  vi.stubGlobal("document", { hasFocus: () => true, activeElement: null, body: null });
  vi.stubGlobal("acquireVsCodeApi", () => ({
    postMessage: (message: FromPage) => sent.push(message),
    getState: () => undefined,
    setState: () => undefined,
  }));
  const state = await import("../../../src/webview/translation-editor/state.ts");
  const receive = (data: ToPage): void => {
    window.dispatchEvent(new MessageEvent("message", { data }));
  };
  const setUp = (...locales: string[]): void =>
    receive({
      type: "setup",
      words: {},
      languages: languages(...locales),
      separator: ".",
      query: state.query.value,
      namespaces: [],
      tags: [],
    });
  const takeList = (list: number, isAsked: boolean): void =>
    receive({
      type: "list",
      list,
      count: 90,
      focus: null,
      isAsked,
      place: null,
      start: 0,
      rows: isAsked ? rowsFrom(0, 30) : [],
      ...counts,
    });
  state.start();
  setUp("en", "nl");
  takeList(1, true);
  return { state, sent, setUp, takeList };
}

beforeEach(() => {
  vi.resetModules();
  return () => vi.unstubAllGlobals();
});

it("keeps the list while a cell is edited, and asks for the rows of the newer one then", async () => {
  const { state, sent, takeList } = await startPage();
  state.beginEdit();
  takeList(2, false);
  expect(state.list.value.number).toBe(1);
  state.endEdit(null, { focusesCell: true });
  expect(state.list.value.number).toBe(2);
  state.requestRows(0, 10);
  expect(sent).toContainEqual({ type: "rows", list: 2, start: 0 });
});

it("takes the newer list when other languages end the edit of a cell before its box is shown", async () => {
  const { state, sent, setUp, takeList } = await startPage();
  state.beginEdit();
  takeList(2, false);
  setUp("en", "de");
  expect(state.editing.value).toBeNull();
  expect(state.list.value.number).toBe(2);
  state.requestRows(0, 10);
  expect(sent).toContainEqual({ type: "rows", list: 2, start: 0 });
});

it("takes the typed text and the newer list when other languages end the edit of a cell", async () => {
  const { state, sent, setUp, takeList } = await startPage();
  state.beginEdit();
  state.onFinishEdit(() => state.endEdit([{ category: null, text: "typed" }], { focusesCell: true }));
  takeList(2, false);
  setUp("en", "de");
  expect(sent).toContainEqual({
    type: "edit",
    texts: [{ locale: "nl", hash: hashOf(0), text: { value: "typed" } }],
  });
  expect(state.list.value.number).toBe(2);
});

it("takes a list that was asked for in place of one that waited", async () => {
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

it("asks for the rows again when other languages are shown", async () => {
  const { sent, setUp } = await startPage();
  setUp("en", "de");
  expect(sent.at(-1)).toEqual({ type: "rows", list: 1, start: 30 });
  expect(sent.at(-2)).toEqual({ type: "rows", list: 1, start: 0 });
});
