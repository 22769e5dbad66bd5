/** What is changed in selected cells, when rows and columns move between what a person does. */
import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/model/translation-text.ts";
import { waitUntil } from "../support/wait-until.ts";
import { hashOf, openPage, settle } from "./editor-peer.ts";

const value = (text: string) => [{ category: null, text }];
/** The first 90 keys. */
const ALL = Array.from({ length: 90 }, (_, key) => key);

describe("actions on a selection, after rows moved", () => {
  const move = async (opened: Awaited<ReturnType<typeof openPage>>): Promise<void> => {
    opened.setFound(95, 96, ...ALL);
    await opened.change("keys");
  };

  it("clears, fills and copies the keys that are shown as selected", async () => {
    const opened = await openPage();
    const { state, argsOf } = opened;
    state.goTo(1, 2);
    await move(opened);
    state.goTo(4, 2, true);
    state.changeSelected("clear");
    state.changeSelected("fill");
    state.changeSelected("copy");
    state.changeSelected("translate");
    await settle();
    expect(argsOf("clear")).toEqual([[[hashOf(1), hashOf(2)], ["nl"]]]);
    expect(argsOf("fill")).toEqual([[hashOf(1), [hashOf(2)], ["nl"]]]);
    expect(argsOf("copy")).toEqual([[[hashOf(1), hashOf(2)], ["nl"]]]);
    expect(argsOf("translate")).toEqual([[[hashOf(1), hashOf(2)], ["nl"]]]);
  });

  it("clears the selected keys although the extension has other rows by then", async () => {
    const { state, setFound, hold, page, argsOf } = await openPage();
    state.goTo(1, 2);
    state.goTo(2, 2, true);
    setFound(95, 96, ...ALL);
    const release = hold("find");
    const changing = page.changed(["keys"]);
    await settle();
    state.changeSelected("clear");
    await release();
    await changing;
    expect(argsOf("clear")).toEqual([[[hashOf(1), hashOf(2)], ["nl"]]]);
  });

  it("has no text of a selection of which one cell is not loaded completely", async () => {
    const { state, write, change } = await openPage("en", "nl", "fr");
    write("nl", 1, "x".repeat(201));
    await change("translations");
    const textOf = (row: number, from: number, to: number): string | null => {
      state.goTo(row, from);
      state.goTo(row, to, true);
      return state.selectionAsText();
    };
    expect(textOf(0, 1, 2)).toBe("text\ttext");
    expect([textOf(1, 1, 2), textOf(1, 2, 3), textOf(1, 2, 2)]).toEqual([null, null, null]);
    expect(textOf(1, 3, 3)).toBe("text");
  });

  it("changes the selected languages, and translates keys also where only they are selected", async () => {
    const { state, argsOf } = await openPage("en", "nl", "fr");
    const actions = ["clear", "copy", "fill", "translate"] as const;
    const hashes = [hashOf(1), hashOf(2)];
    const called = { clear: 0, copy: 0, fill: 0, translate: 0 };
    for (const [from, to, languages] of [
      [0, 0, []],
      [0, 1, ["en"]],
      [1, 3, ["en", "nl", "fr"]],
      [3, 2, ["nl", "fr"]],
      [2, 2, ["nl"]],
    ] as const) {
      state.goTo(1, from);
      state.goTo(2, to, true);
      for (const action of actions) state.changeSelected(action);
      await settle();
      for (const action of actions) {
        const given = action === "fill" ? [hashOf(1), [hashOf(2)], languages] : [hashes, languages];
        const isDone = action === "translate" || languages.length > 0;
        expect(argsOf(action).slice(called[action])).toEqual(isDone ? [given] : []);
        called[action] = argsOf(action).length;
      }
    }
  });

  it("selects only the active cell after the rows moved", async () => {
    const opened = await openPage();
    const { state, argsOf } = opened;
    state.goTo(1, 2);
    state.goTo(3, 2, true);
    await move(opened);
    state.changeSelected("clear");
    await settle();
    expect(argsOf("clear")).toEqual([[[hashOf(3)], ["nl"]]]);
  });

  it("pastes into the keys that are shown, and tells how many texts are outside", async () => {
    const opened = await openPage();
    const { state, argsOf } = opened;
    state.goTo(2, 2);
    await move(opened);
    state.paste("a\tb\nc\td");
    await settle();
    const cells = [
      { hash: hashOf(2), locale: "nl", copied: "a" },
      { hash: hashOf(3), locale: "nl", copied: "c" },
    ];
    expect(argsOf("paste")).toEqual([[cells, 2]]);
  });

  it("pastes from the first selected cell on, and a single text into all that are selected", async () => {
    const { state, argsOf } = await openPage("en", "nl", "fr");
    state.goTo(1, 2);
    state.goTo(2, 3, true);
    state.paste("a\nb\nc");
    state.paste("x");
    await settle();
    const cell = (key: number, locale: string, copied: string) => ({ hash: hashOf(key), locale, copied });
    expect(argsOf("paste")).toEqual([
      [[cell(1, "nl", "a"), cell(2, "nl", "b"), cell(3, "nl", "c")], 0],
      [[cell(1, "nl", "x"), cell(1, "fr", "x"), cell(2, "nl", "x"), cell(2, "fr", "x")], 0],
    ]);
  });

  it("moves columns and then clears the language that is shown as selected", async () => {
    const { state, argsOf } = await openPage("en", "nl", "fr");
    state.goTo(0, 2);
    state.moveLanguage(2, 1);
    await settle();
    state.changeSelected("clear");
    await settle();
    expect(argsOf("clear")).toEqual([[[hashOf(0)], ["nl"]]]);
  });

  it("extends the selection from where it began, and then from the new place", async () => {
    const { state, argsOf } = await openPage("en", "nl", "fr");
    state.goTo(4, 2);
    state.goTo(5, 2, true);
    state.goTo(6, 3, true);
    expect(state.selection.value).toEqual({ top: 4, bottom: 6, left: 2, right: 3 });
    state.goTo(3, 2, true);
    expect(state.selection.value).toEqual({ top: 3, bottom: 4, left: 2, right: 2 });
    state.goTo(7, 2);
    state.goTo(8, 2, true);
    state.changeSelected("clear");
    await settle();
    expect(argsOf("clear")).toEqual([[[hashOf(7), hashOf(8)], ["nl"]]]);
  });

  it("shows the languages that are chosen after it was opened with others", async () => {
    const { state, page, argsOf } = await openPage("en", "nl", "fr");
    void page.show({ query: null, locales: ["en", "de", "pl"], hash: null });
    await settle();
    expect(state.locales.value).toEqual(["en", "de", "pl"]);
    state.moveLanguage(3, -1);
    await settle();
    expect(argsOf("setLanguages")).toEqual([[["pl", "de"]]]);
    expect(argsOf("setup").at(-1)).toEqual([null]);
    expect(state.locales.value).toEqual(["en", "pl", "de"]);
  });

  it("discards and keeps the draft of the active cell, also after rows moved and the user did", async () => {
    const opened = await openPage("en", "nl", "fr");
    const { state, argsOf } = opened;
    state.goTo(1, 3);
    await waitUntil(() => state.details.value?.cell.hash === hashOf(1));
    await move(opened);
    state.resolveDraft("discard");
    state.goTo(4, 2);
    state.resolveDraft("keepMine");
    state.goTo(4, 0);
    state.resolveDraft("discard");
    await settle();
    expect(argsOf("discard")).toEqual([[[{ locale: "fr", hash: hashOf(1) }]]]);
    expect(argsOf("keepMine")).toEqual([[[{ locale: "nl", hash: hashOf(2) }]]]);
  });

  it("changes the complete text of a cell whose shown one is truncated, and then that one", async () => {
    const { state, write, change, argsOf } = await openPage();
    const long = "text".repeat(60);
    write("nl", 0, long);
    await change("translations");
    await waitUntil(() => plainText(state.details.value?.text ?? null) === long);
    const details = state.details.value;
    if (details === null) throw new Error("there are details");
    const append = (word: string) =>
      state.changeText(details, (before) => value(`${before[0]?.text}${word}`));
    append("!");
    append("?");
    await settle();
    const edit = (before: string, after: string) => ({ before: { value: before }, text: { value: after } });
    expect(argsOf("stage")).toMatchObject([[[edit(long, `${long}!`)]], [[edit(`${long}!`, `${long}!?`)]]]);
  });

  it("shows no details of a cell whose language was hidden while they were on their way", async () => {
    const { state, choose, change, hold, argsOf } = await openPage("en", "nl", "fr");
    await waitUntil(() => state.details.value !== null);
    const release = hold("details");
    const before = argsOf("details").length;
    state.goTo(1, 3);
    await waitUntil(() => argsOf("details").length > before);
    choose("en", "nl");
    const shown = state.details.value;
    const releaseRows = hold("rows");
    await change("stats");
    await release();
    expect(state.details.value).toBe(shown);
    await releaseRows();
  });

  it("does not change a read-only cell", async () => {
    const { state, readOnly, change, argsOf } = await openPage();
    readOnly.add(hashOf(0));
    await change("translations");
    state.beginEdit("x");
    expect(state.editing.value).toBeNull();
    state.setText({ locale: "nl", hash: hashOf(0) }, value("x"), value("text"));
    await settle();
    expect(argsOf("stage")).toEqual([]);
  });
});
