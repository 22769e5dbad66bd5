/** The page's rows and edits, when changes and late answers come between what a person does. */
import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/model/translation-text.ts";
import { waitUntil } from "../support/wait-until.ts";
import { hashOf, openPage, settle } from "./editor-peer.ts";

const keys = (listed: readonly string[] | null): number[] => (listed ?? []).map(Number);
const value = (text: string) => [{ category: null, text }];
type State = Awaited<ReturnType<typeof openPage>>["state"];

/** Sets the typed text of the edited cell, as its text box does. */
function type(state: State, text: string): void {
  if (state.editing.value !== null) state.setText(state.editing.value.id, value(text));
}

/** Ends the edit with the typed text. */
function accept(state: State, text: string): void {
  type(state, text);
  state.endEdit({ focusesCell: true });
}

const LONG = "text".repeat(60);
/** The first 90 keys. */
const ALL = Array.from({ length: 90 }, (_, key) => key);

describe("rows that change while a cell is edited", () => {
  it("keeps the list until the edit ends, then shows the newer one with the row active", async () => {
    const { state, setFound, change } = await openPage();
    state.goTo(1, 2);
    state.beginEdit();
    setFound(95, ...ALL);
    await change("keys");
    expect(keys(state.listed.value)).toHaveLength(90);
    accept(state, "typed");
    expect(keys(state.listed.value).slice(0, 3)).toEqual([95, 0, 1]);
    expect(state.activeRow.value?.hash).toBe(hashOf(1));
  });

  it("stages the typed text for the key that was edited, although its row moved", async () => {
    const { state, setFound, change, argsOf } = await openPage();
    state.goTo(1, 2);
    state.beginEdit();
    setFound(95, 96, ...ALL);
    await change("keys");
    accept(state, "typed");
    await settle();
    const edit = { locale: "nl", hash: hashOf(1), before: { value: "text" }, text: { value: "typed" } };
    expect(argsOf("stage")).toEqual([[[edit]]]);
  });

  it("ends an edit before its box is shown when the languages change", async () => {
    const { state, choose, change, argsOf } = await openPage();
    state.beginEdit();
    choose("en", "de");
    await change("stats");
    expect(state.editing.value).toBeNull();
    expect(argsOf("stage")).toEqual([]);
  });

  it("stages the typed text when the languages change, in the language that it was typed in", async () => {
    const { state, choose, change, argsOf } = await openPage();
    state.beginEdit();
    state.onFinishEdit(() => accept(state, "typed"));
    choose("en", "de");
    await change("stats");
    expect(argsOf("stage")).toMatchObject([[[{ locale: "nl", hash: hashOf(0), text: { value: "typed" } }]]]);
  });

  it("keeps an edit open while a late answer has its row in the same place, and then shows the answer", async () => {
    const { state, setFound, hold } = await openPage();
    const release = hold("find");
    state.setQuery({ search: "x" });
    state.beginEdit();
    setFound(0, 7);
    await release();
    expect(state.editing.value).not.toBeNull();
    accept(state, "typed");
    await settle();
    expect(state.rowAt(0)?.cells["nl"]?.parts).toEqual(value("typed"));
  });

  it("stages what was typed and ends the edit when its row moves in the list that was asked for", async () => {
    const { state, setFound, hold, argsOf } = await openPage();
    setFound(5, 0);
    const release = hold("find");
    state.setQuery({ search: "x" });
    state.beginEdit();
    state.onFinishEdit(() => accept(state, "typed"));
    await release();
    expect(state.editing.value).toBeNull();
    expect(keys(state.listed.value)).toEqual([5, 0]);
    expect(argsOf("stage")).toMatchObject([[[{ hash: hashOf(0), text: { value: "typed" } }]]]);
  });
});

describe("rows that are read late", () => {
  it("does not replace an edited text by rows that were requested before, and then shows the confirmed one", async () => {
    const { state, hold, change, page } = await openPage();
    const release = hold("rows");
    const changing = page.changed(["translations"]);
    await settle();
    state.beginEdit();
    accept(state, "typed");
    await release();
    await changing;
    expect(state.rowAt(0)?.cells["nl"]?.parts).toEqual(value("typed"));
    await change("translations");
    expect(state.rowAt(0)?.cells["nl"]).toMatchObject({ parts: value("typed"), states: ["unsaved"] });
  });

  it("takes as the text before the one that was shown when the edit began", async () => {
    const { state, write, change, argsOf } = await openPage();
    state.beginEdit();
    write("nl", 0, "of a colleague");
    await change("translations");
    accept(state, "typed");
    await settle();
    expect(argsOf("stage")).toMatchObject([[[{ before: { value: "text" }, text: { value: "typed" } }]]]);
  });

  it("takes the colleague's text as the text before in the next edit", async () => {
    const { state, write, change, argsOf } = await openPage();
    write("nl", 0, "of a colleague");
    await change("translations");
    state.beginEdit();
    type(state, "a");
    type(state, "ab");
    state.endEdit({ focusesCell: true });
    await settle();
    expect(argsOf("stage")).toMatchObject([
      [[{ before: { value: "of a colleague" }, text: { value: "a" } }]],
      [[{ before: { value: "a" }, text: { value: "ab" } }]],
    ]);
  });

  it("shows the answer to the last query, whichever comes first", async () => {
    const { state, setFound, hold } = await openPage();
    setFound(1);
    const release = hold("find");
    state.setQuery({ search: "a" });
    await settle();
    setFound(2, 3);
    state.setQuery({ search: "ab" });
    await release();
    expect(keys(state.listed.value)).toEqual([2, 3]);
  });

  it("shows a query's rows from the start although an update was read in between", async () => {
    const { state, setFound, hold, page } = await openPage();
    state.goTo(40, 2);
    setFound(1, 2);
    const release = hold("find");
    state.setQuery({ namespace: "a" });
    const changing = page.changed(["keys"]);
    await release();
    await changing;
    expect(keys(state.listed.value)).toEqual([1, 2]);
    expect(state.active.value.row).toBe(0);
    expect(state.scrolling.value).toEqual({ top: 0 });
  });

  it("reads changes that come while others are read together, once", async () => {
    const { hold, page, argsOf } = await openPage();
    const before = argsOf("find").length;
    const release = hold("find");
    const all = [
      page.changed(["keys"]),
      page.changed(["keys"]),
      page.changed(["translations"]),
      page.changed(["keys"]),
    ];
    await settle();
    expect(argsOf("find")).toHaveLength(before + 1);
    await release();
    await Promise.all(all);
    await settle();
    expect(argsOf("find")).toHaveLength(before + 2);
  });
});

describe("updates", () => {
  it("shows keys that are new since the languages were asked for again", async () => {
    const { state, hold, page, setFound } = await openPage();
    const release = hold("setup");
    const changing = page.changed(["stats"]);
    await settle();
    setFound(95, ...ALL);
    await page.changed(["keys"]);
    await release();
    await changing;
    await settle();
    expect(keys(state.listed.value).slice(0, 2)).toEqual([95, 0]);
  });

  it("keeps a row that no longer matches, and removes that of a deleted key", async () => {
    const { state, filter, setFound, deleteKey, setLoaded, change } = await openPage();
    setFound(1, 2, 3, 4);
    await filter("untranslated");
    setFound(1, 4);
    deleteKey(3);
    await change("keys");
    expect(keys(state.listed.value)).toEqual([1, 2, 3, 4]);
    setLoaded("en");
    await change("translations");
    expect(keys(state.listed.value)).toEqual([1, 2, 4]);
    await filter("untranslated");
    expect(keys(state.listed.value)).toEqual([1, 4]);
  });

  it("counts unsaved texts also when no row is shown, and then again", async () => {
    const { state, filter, setFound, change, undoAll } = await openPage();
    state.beginEdit();
    accept(state, "typed");
    setFound();
    await filter("untranslated");
    expect(state.counts.value.unsaved).toBe(1);
    undoAll();
    await change("translations");
    expect([state.rowCount.value, state.counts.value.unsaved]).toEqual([0, 0]);
  });

  it("keeps the key active when rows are inserted above, and scrolls along", async () => {
    const { state, setFound, change } = await openPage();
    state.goTo(5, 2);
    setFound(90, 91, ...ALL);
    await change("keys");
    expect(state.active.value).toEqual({ row: 7, column: 2 });
    expect(state.scrolling.value).toEqual({ byRows: 2 });
  });

  it("reveals the key that was asked for although an update is read before", async () => {
    const { state, page, hold, paint } = await openPage();
    const release = hold("setup");
    const shown = page.show({ query: null, locales: null, hash: hashOf(50) });
    await settle();
    await page.changed(["keys"]);
    await settle();
    await release();
    paint(state);
    await shown;
    expect(state.active.value.row).toBe(50);
  });

  it.each(["setup", "find"] as const)(
    "has shown what was asked for only when a later call of “%s” is answered, too",
    async (name) => {
      const { state, page, hold, paint } = await openPage();
      const answerFirst = hold(name);
      let isShown = false;
      const shown = page.show({ query: null, locales: ["en", "de"], hash: hashOf(50) });
      const noted = shown.then(() => (isShown = true));
      await settle();
      const answerSecond = hold(name);
      await page.changed(["stats", "keys"]);
      await settle();
      await answerFirst();
      paint(state);
      await settle();
      expect(isShown).toBe(false);
      await answerSecond();
      paint(state);
      await noted;
      expect(state.active.value.row).toBe(50);
      expect(state.locales.value).toEqual(["en", "de"]);
    },
  );

  it("returns to the active key after the list was empty for a while, unless the user moved since", async () => {
    const { state, setFound, deleteKey, change } = await openPage();
    ALL.forEach(deleteKey);
    const empty = async (): Promise<void> => {
      setFound();
      await change("keys");
      expect(state.rowCount.value).toBe(0);
      setFound(1, 2);
      await change("keys");
      setFound(...ALL);
      await change("keys");
    };
    state.goTo(40, 2);
    await empty();
    expect([state.active.value.row, state.scrolling.value]).toEqual([40, "to active row"]);
    setFound(1, 2);
    await change("keys");
    state.goTo(1, 2);
    setFound(...ALL);
    await change("keys");
    expect(state.active.value.row).toBe(2);
  });

  it("reveals a key as soon as it is found", async () => {
    const { state, page, setFound, change, paint } = await openPage();
    const shown = page.show({ query: null, locales: null, hash: hashOf(95) });
    await settle();
    paint(state);
    await shown;
    expect(state.active.value.row).toBe(0);
    setFound(0, 1, 95, ...ALL.slice(2));
    await change("keys");
    expect(state.active.value.row).toBe(2);
    state.goTo(0, 2);
    setFound(0, 1, 95, 96, ...ALL.slice(2));
    await change("keys");
    expect(state.active.value.row).toBe(0);
  });
});

describe("languages", () => {
  it("requests the rows again when others are shown", async () => {
    const { state, choose, change, argsOf } = await openPage();
    choose("en", "de");
    await change("stats");
    expect(argsOf("rows").at(-1)?.[1]).toEqual(["en", "de"]);
    expect(state.rowAt(0)?.cells["de"]?.parts).toEqual(value("text"));
  });

  it("starts in the first translation, also if the languages arrive one after the other", async () => {
    const { state, choose, change } = await openPage("en");
    expect(state.active.value.column).toBe(1);
    choose("en", "nl");
    await change("stats", "keys");
    expect(state.active.value.column).toBe(2);
  });

  it("returns to the active cell's language after it was not visible for a while", async () => {
    const { state, choose, change } = await openPage();
    const show = async (...locales: string[]): Promise<number> => {
      choose(...locales);
      await change("stats");
      return state.active.value.column;
    };
    state.goTo(0, 2);
    expect(await show("en")).toBe(1);
    expect(await show("en", "fr", "nl")).toBe(3);
    expect(await show("en", "fr")).toBe(2);
    state.goTo(0, 1);
    expect(await show("en", "fr", "nl")).toBe(1);
    state.goTo(0, 0);
    expect(await show()).toBe(0);
    expect(await show("en")).toBe(0);
  });

  it("stays in its language when the first translation is moved before the user moved to another cell", async () => {
    const { state, argsOf } = await openPage("en", "nl", "fr");
    state.moveLanguage(2, 1);
    expect(state.active.value.column).toBe(3);
    await settle();
    expect(argsOf("setLanguages")).toEqual([[["fr", "nl"]]]);
    expect(state.languages.value.map(({ locale }) => locale)).toEqual(["en", "fr", "nl"]);
  });

  it("keeps the moved columns when an answer from before arrives", async () => {
    const { state, hold, page } = await openPage("en", "nl", "fr");
    const release = hold("setup");
    const changing = page.changed(["stats"]);
    await settle();
    state.moveLanguage(2, 1);
    await release();
    await changing;
    expect(state.languages.value.map(({ locale }) => locale)).toEqual(["en", "fr", "nl"]);
  });

  it("runs the query again when more languages are loaded", async () => {
    const { state, setLoaded, setFound, change, filter } = await openPage();
    setLoaded("en");
    setFound(1);
    await filter("untranslated");
    setLoaded("en", "nl");
    setFound(1, 2);
    await change("translations");
    expect(keys(state.listed.value)).toEqual([1, 2]);
  });
});

describe("long texts", () => {
  it("edits one as it was typed, although its details are older", async () => {
    const { state, write, change, hold, argsOf } = await openPage();
    write("nl", 0, `${LONG} before`);
    await change("translations");
    state.beginEdit();
    // At once, or when the complete text has arrived.
    await waitUntil(() => state.editing.value !== null);
    expect(state.editing.value?.parts).toEqual(value(`${LONG} before`));
    const release = hold("details");
    accept(state, `${LONG} after`);
    state.beginEdit();
    expect(state.editing.value?.parts).toEqual(value(`${LONG} after`));
    state.endEdit({ focusesCell: true });
    // The extension confirms the edit with rows, whose long texts are truncated.
    await change("translations");
    state.beginEdit();
    expect(state.editing.value).toBeNull();
    await release();
    await waitUntil(() => state.editing.value !== null);
    expect(state.editing.value?.parts).toEqual(value(`${LONG} after`));
    expect(argsOf("stage")).toHaveLength(1);
  });

  it("edits that of the language that is active by then, not of one that was hidden", async () => {
    const { state, write, choose, change, hold } = await openPage("en", "nl", "fr");
    write("nl", 0, `${LONG} nl`);
    write("fr", 0, `${LONG} fr`);
    await change("translations");
    state.goTo(0, 3);
    await waitUntil(() => plainText(state.details.value?.text ?? null) === `${LONG} fr`);
    choose("en", "nl");
    const releaseRows = hold("rows");
    const releaseDetails = hold("details");
    await change("stats");
    state.beginEdit();
    expect(state.editing.value).toBeNull();
    await releaseRows();
    await releaseDetails();
    await waitUntil(() => state.editing.value !== null);
    expect(state.editing.value?.parts).toEqual(value(`${LONG} nl`));
  });

  it("does not edit a cell that was left before its long text arrived", async () => {
    const { state, write, change, hold } = await openPage();
    const release = hold("details");
    write("nl", 0, `${LONG} whole`);
    await change("translations");
    state.beginEdit();
    state.goTo(1, 2);
    state.goTo(0, 2);
    await release();
    await waitUntil(() => plainText(state.details.value?.text ?? null) === `${LONG} whole`);
    expect(state.editing.value).toBeNull();
  });

  it("replaces a text by what is typed, also while the complete text is on its way", async () => {
    const { state, write, change } = await openPage();
    state.beginEdit("a");
    expect(state.editing.value).toMatchObject({ typedText: "a", parts: value("text") });
    state.endEdit({ focusesCell: true });
    write("nl", 1, LONG);
    await change("translations");
    state.goTo(1, 2);
    state.beginEdit("a");
    state.beginEdit("b");
    expect(state.editing.value).toBeNull();
    await waitUntil(() => state.editing.value !== null);
    expect(state.editing.value).toMatchObject({ typedText: "ab", parts: value(LONG) });
  });

  it("replaces the text of the cell that a query made active by what is typed then, not before", async () => {
    const { state, write, change, hold, setFound, filter } = await openPage();
    write("nl", 1, LONG);
    await change("translations");
    state.goTo(1, 2);
    const release = hold("details");
    state.beginEdit("a");
    setFound(5, 6);
    await filter("untranslated");
    state.beginEdit("b");
    expect(state.editing.value).toMatchObject({ id: { hash: hashOf(5) }, typedText: "b" });
    state.endEdit({ focusesCell: true });
    await release();
    expect(state.editing.value).toBeNull();
  });

  it("edits the text of the cell that is active after its language was hidden", async () => {
    const { state, write, choose, change } = await openPage("en", "nl", "fr");
    write("nl", 0, `${LONG} nl`);
    write("fr", 0, `${LONG} fr`);
    await change("translations");
    state.goTo(0, 3);
    await waitUntil(() => plainText(state.details.value?.text ?? null) === `${LONG} fr`);
    choose("en", "nl");
    await change("stats");
    state.beginEdit();
    await waitUntil(() => state.editing.value !== null);
    expect(state.editing.value).toMatchObject({ id: { locale: "nl" }, parts: value(`${LONG} nl`) });
  });

  it("never stages the truncated text of a cell that was opened and left", async () => {
    const { state, write, change, argsOf } = await openPage();
    write("nl", 0, LONG);
    await change("translations");
    state.beginEdit();
    await waitUntil(() => state.editing.value !== null);
    const shown = state.editing.value?.parts ?? [];
    accept(state, shown[0]?.text ?? "");
    await settle();
    expect(argsOf("stage")).toEqual([]);
    expect(state.selectionAsText()).toBeNull();
  });
});

it("cancels an edit whose text was kept by a shortcut, and then has nothing to cancel", async () => {
  const { state, textOf, argsOf } = await openPage();
  state.beginEdit();
  type(state, "kept");
  state.cancelEdit();
  await settle();
  expect(textOf("nl", hashOf(0))).toBe("text");
  state.beginEdit();
  state.cancelEdit();
  await settle();
  expect(argsOf("stage")).toHaveLength(2);
  expect(state.editing.value).toBeNull();
});

it("goes to the next row that still matches the filters", async () => {
  const { state, filter, write, setFound } = await openPage();
  expect(state.nextMatchingRow(3)).toBe(4);
  write("nl", 6, "");
  write("nl", 8, "");
  await filter("untranslated");
  // A row that is not loaded was not changed.
  expect([0, 6, 60].map((index) => state.nextMatchingRow(index))).toEqual([6, 8, 61]);
  expect(state.nextMatchingRow(89)).toBe(89);
  state.goTo(6, 2);
  state.beginEdit("x");
  accept(state, "x");
  expect(state.nextMatchingRow(0)).toBe(8);
  // Nothing below matches.
  setFound(6, 8, 10);
  await filter("untranslated");
  expect([0, 1, 2].map((index) => state.nextMatchingRow(index))).toEqual([1, 1, 2]);
});

it("applies the filters to the languages that are chosen, and leaves the rows if they are the same", async () => {
  const { state, argsOf, filter, setFound, pickLanguages } = await openPage("en", "nl", "fr");
  await filter("untranslated");
  const before = keys(state.listed.value);
  setFound(3, 95);
  await pickLanguages(null);
  await pickLanguages(["fr", "nl"]);
  expect(keys(state.listed.value)).toEqual(before);
  await pickLanguages(["fr", "de"]);
  expect(keys(state.listed.value)).toEqual([3, 95]);
  const [query, locales] = argsOf("find").at(-1) ?? [];
  expect([query, locales]).toMatchObject([{ filters: ["untranslated"] }, ["en", "fr", "de"]]);
  setFound(7);
  await pickLanguages(["fr"]);
  expect(keys(state.listed.value)).toEqual([7]);
  await pickLanguages([]);
  expect([state.locales.value, argsOf("setLanguages").at(-1)]).toEqual([["en"], [[]]]);
});

it("shows the same query, place and languages when its tab is shown again", async () => {
  const { state, load, argsOf, filter } = await openPage("en", "nl", "fr");
  await filter("untranslated");
  state.goTo(12, 3);
  state.saveViewState(400);
  const again = await load();
  expect(argsOf("find").at(-1)?.[0]).toMatchObject({ filters: ["untranslated"] });
  expect(again.active.value).toEqual({ row: 12, column: 3 });
  expect(again.scrolling.value).toEqual({ top: 400 });
});

it("is where it was also if its tab was hidden right after rows were inserted", async () => {
  const { state, load, setFound, change } = await openPage();
  state.saveViewState(400);
  setFound(95, ...ALL);
  await change("keys");
  expect((await load()).scrolling.value).toEqual({ top: 400 });
});

it("shows the languages that are chosen by then when its tab is shown again", async () => {
  const { state, load, choose } = await openPage("en", "nl", "fr");
  state.saveViewState(0);
  choose("en", "de");
  expect((await load()).locales.value).toEqual(["en", "de"]);
});

it("is in the last row when its tab is shown again with fewer keys", async () => {
  const { state, load, setFound } = await openPage();
  state.goTo(12, 2);
  state.saveViewState(400);
  setFound(0, 1, 2);
  const again = await load();
  expect(again.active.value).toEqual({ row: 2, column: 2 });
  expect(again.activeRow.value?.hash).toBe(hashOf(2));
  again.beginEdit();
  expect(again.editing.value?.id).toEqual({ hash: hashOf(2), locale: "nl" });
});

it("has the rows that a query has just found, however many were loaded before", async () => {
  const page = await openPage();
  page.setFound(...Array.from({ length: 400 }, (_, key) => key));
  await page.filter();
  for (let first = 0; first < 400; first += 30) page.paint(page.state, first);
  await settle();
  expect(page.state.rows.value.size).toBeGreaterThan(300);
  // Those that were loaded first, too.
  page.setFound(0, 1);
  await page.filter("issues");
  expect([0, 1].map((row) => page.state.rowAt(row)?.hash)).toEqual([hashOf(0), hashOf(1)]);
  page.setFound(500, 501);
  await page.filter("unsaved");
  expect([0, 1].map((row) => page.state.rowAt(row)?.hash)).toEqual([hashOf(500), hashOf(501)]);
});
