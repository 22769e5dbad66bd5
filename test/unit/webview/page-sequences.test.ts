/** What a person does in the page, and then: queries, keys to reveal, languages, scrolling and the details of a cell. */
import { describe, expect, it, vi } from "vitest";
import { ALL_ROWS } from "../../../src/model/translation-editor-filters.ts";
import { plainText } from "../../../src/model/translation-text.ts";
import { waitUntil } from "../support/wait-until.ts";
import { hashOf, openPage, settle } from "./editor-peer.ts";

const keys = (listed: readonly string[] | null): number[] => (listed ?? []).map(Number);
const value = (text: string) => [{ category: null, text }];
type Page = Awaited<ReturnType<typeof openPage>>;

/** The first 90 keys. */
const ALL = Array.from({ length: 90 }, (_, key) => key);
/** Moves the focus into the search box, or into the table. */
const focus = (place: "search" | "table"): void => {
  const activeElement = { closest: () => (place === "table" ? {} : null) };
  vi.stubGlobal("document", { hasFocus: () => true, activeElement, body: null });
};
/** Asks for a key that is not listed yet. */
async function reveal({ page, paint, state }: Page, key: number): Promise<void> {
  const shown = page.show({ query: null, locales: null, hash: hashOf(key) });
  await settle();
  paint(state);
  await shown;
}

describe("a key that is to be revealed", () => {
  it("is forgotten with the next query of the user, and then stays so", async () => {
    const opened = await openPage();
    const { state, setFound, filter, change } = opened;
    await reveal(opened, 95);
    setFound(1, 2, 95);
    await filter("untranslated");
    expect(state.active.value.row).toBe(0);
    await filter();
    state.goTo(1, 2);
    setFound(1, 2, 3, 95);
    await change("keys");
    expect(state.active.value.row).toBe(1);
  });

  it("is the one that was asked for last", async () => {
    const opened = await openPage();
    const { state, setFound, change } = opened;
    await reveal(opened, 95);
    await reveal(opened, 50);
    expect(state.active.value.row).toBe(50);
    await reveal(opened, 95);
    await reveal(opened, 96);
    setFound(...ALL, 95, 96);
    await change("keys");
    expect(state.active.value.row).toBe(91);
  });

  it("is revealed although other languages are asked for before it is found", async () => {
    const opened = await openPage();
    const { state, page, paint, setFound, change } = opened;
    await reveal(opened, 95);
    const shown = page.show({ query: null, locales: ["en", "de"], hash: null });
    await settle();
    paint(state);
    await shown;
    setFound(...ALL, 95);
    await change("keys");
    expect(state.active.value.row).toBe(90);
  });

  it("has the focus only while the window has it", async () => {
    const { state, window } = await openPage();
    for (const hasFocus of [false, true, false]) {
      vi.stubGlobal("document", { hasFocus: () => hasFocus, activeElement: null, body: null });
      window.dispatchEvent(new Event(hasFocus ? "focus" : "blur"));
      expect(state.hasFocus.value).toBe(hasFocus);
    }
  });

  it("is scrolled to and focused, also from the search box", async () => {
    const opened = await openPage();
    const { state } = opened;
    focus("search");
    state.wantsFocus.value = false;
    await reveal(opened, 50);
    expect([state.active.value.row, state.scrolling.value]).toEqual([50, "to active row"]);
    expect(state.wantsFocus.value).toBe(true);
  });
});

describe("a query", () => {
  it("has the details of the row that it makes active", async () => {
    const { state, setFound, filter } = await openPage();
    await waitUntil(() => state.details.value !== null);
    setFound(7, 8);
    await filter("untranslated");
    await waitUntil(() => state.details.value?.cell.hash === hashOf(7));
  });

  it("leaves the focus in the search box, and takes it back to the table from there", async () => {
    const { state, filter } = await openPage();
    focus("search");
    state.wantsFocus.value = false;
    await filter("untranslated");
    expect(state.wantsFocus.value).toBe(false);
    focus("table");
    await filter();
    expect(state.wantsFocus.value).toBe(true);
  });

  it("that is asked for replaces words that were typed and not searched yet", async () => {
    const other = await openPage();
    other.state.searchFor("car");
    await reveal(other, 50);
    const findsOfOther = other.argsOf("find").length;
    const { state, page, paint, argsOf } = await openPage();
    state.searchFor("car");
    state.searchFor("cart");
    expect(state.query.value.search).toBe("cart");
    const query = { ...ALL_ROWS, filters: ["issues" as const] };
    const shown = page.show({ query, locales: null, hash: null });
    await settle();
    paint(state);
    await shown;
    state.searchFor("x");
    state.setQuery({ filters: ["outdated"] });
    await settle();
    const finds = argsOf("find").length;
    // Longer than typing pauses.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(argsOf("find")).toHaveLength(finds);
    // Nor does the search leave a key that was revealed meanwhile.
    expect(other.argsOf("find")).toHaveLength(findsOfOther);
    expect([other.state.active.value.row, other.argsOf("find").at(-1)?.[0]]).toMatchObject([
      50,
      { search: "car" },
    ]);
    expect(argsOf("find").at(-1)?.[0]).toEqual({ ...ALL_ROWS, filters: ["outdated"], search: "x" });
    expect(argsOf("find").at(-2)?.[0]).toEqual(query);
  });

  it("searches the words that were typed last, once, when typing pauses", async () => {
    const { state, argsOf, setFound } = await openPage();
    const finds = argsOf("find").length;
    setFound(3);
    for (const words of ["c", "ca", "cart"]) state.searchFor(words);
    await waitUntil(() => keys(state.listed.value).length === 1);
    expect(
      argsOf("find")
        .slice(finds)
        .map(([query]) => query),
    ).toEqual([{ ...ALL_ROWS, search: "cart" }]);
  });

  it("shows its rows although the update before it still asks which of the others exist", async () => {
    const { state, setFound, hold, page, filter } = await openPage();
    setFound(1, 2, 3);
    await filter();
    setFound(1, 2);
    const release = hold("existing");
    const changing = page.changed(["keys"]);
    await settle();
    setFound(7, 8);
    state.setQuery({ namespace: "a" });
    await settle();
    await release();
    await changing;
    expect(keys(state.listed.value)).toEqual([7, 8]);
  });

  it("has its own rows beyond the first ones, which are read when they come into view", async () => {
    const { state, setFound, filter, paint } = await openPage();
    paint(state, 60);
    await settle();
    setFound(...Array.from({ length: 90 }, (_, index) => 200 + index));
    await filter("untranslated");
    paint(state, 0);
    await settle();
    expect(state.rowAt(70)).toBeUndefined();
    paint(state, 60);
    await settle();
    expect(state.rowAt(70)?.hash).toBe(hashOf(270));
  });

  it("whose answer waits for the end of an edit keeps the edited row active", async () => {
    const { state, setFound, hold } = await openPage();
    state.goTo(5, 2);
    const release = hold("find");
    setFound(10, 11, 12, 13, 14, 5, 15);
    state.setQuery({ search: "x" });
    state.beginEdit();
    await release();
    expect(keys(state.listed.value)).toHaveLength(90);
    state.scrolling.value = null;
    state.endEdit({ focusesCell: true });
    expect(keys(state.listed.value)).toEqual([10, 11, 12, 13, 14, 5, 15]);
    expect([state.active.value.row, state.scrolling.value]).toEqual([5, null]);
  });
});

describe("the place in the list", () => {
  it("is saved with the rows that moved, where it was scrolled to", async () => {
    const { state, setFound, change, load } = await openPage();
    state.goTo(5, 2);
    state.saveViewState(3);
    setFound(95, 96, ...ALL);
    await change("keys");
    const again = await load();
    expect([again.active.value.row, again.scrolling.value]).toEqual([7, { top: 3 }]);
  });

  it("is that of a query that the tab is opened with, not the one before", async () => {
    const { state, load, argsOf, filter, change, setFound } = await openPage();
    await filter("untranslated");
    state.goTo(12, 2);
    state.saveViewState(9);
    const again = await load({ ...ALL_ROWS, search: "cart" });
    expect(argsOf("find").at(-1)?.[0]).toEqual({ ...ALL_ROWS, search: "cart" });
    expect([again.active.value.row, again.scrolling.value]).toEqual([0, { top: 0 }]);
    setFound(...ALL, 95);
    await change("keys");
    expect(again.active.value.row).toBe(0);
  });

  it.each([
    [50, 0],
    [20, 30],
  ])("does not scroll when rows are inserted above row %i, which is out of view", async (row, first) => {
    const { state, setFound, change, paint } = await openPage();
    state.goTo(row, 2);
    state.scrolling.value = null;
    paint(state, first);
    setFound(95, ...ALL);
    await change("keys");
    expect([state.active.value.row, state.scrolling.value]).toEqual([row + 1, null]);
  });

  it("has the rows beyond those in view, also after a query", async () => {
    const { state, paint, filter, setFound } = await openPage();
    await waitUntil(() => state.rowAt(35) !== undefined);
    paint(state, 60);
    setFound(...ALL.map((key) => 100 + key));
    await filter("untranslated");
    expect(state.rowAt(35)).toBeUndefined();
    paint(state);
    await waitUntil(() => state.rowAt(35) !== undefined);
  });

  it("is in the table wherever it is moved to", async () => {
    const { state } = await openPage("en", "nl", "fr");
    for (const [row, column, expected] of [
      [-1, -1, [0, 0]],
      [90, 4, [89, 3]],
      [89, 3, [89, 3]],
      [3, 0, [3, 0]],
      [3, 1, [3, 1]],
    ] as const) {
      state.goTo(row, column);
      expect([state.active.value.row, state.active.value.column]).toEqual(expected);
    }
  });

  it("reads the rows around those in view a moment later, each once", async () => {
    const { state, paint, argsOf, hold } = await openPage();
    await waitUntil(() => argsOf("rows").length > 0);
    hold("rows");
    const before = argsOf("rows").length;
    paint(state, 62);
    paint(state, 61);
    await waitUntil(() => argsOf("rows").length === before + 1);
    // The others were read with the first rows.
    expect(
      argsOf("rows")
        .slice(before)
        .map(([hashes]) => (hashes as string[])[0]),
    ).toEqual([hashOf(60)]);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(argsOf("rows")).toHaveLength(before + 1);
  });
});

describe("languages", () => {
  it("that the page was opened with stay when others than languages are asked for, and when it is shown again", async () => {
    const { state, page, paint, argsOf, load, change } = await openPage();
    const show = async (locales: string[] | null): Promise<void> => {
      const shown = page.show({ query: null, locales, hash: null });
      await settle();
      paint(state);
      await shown;
    };
    await show(["en", "de"]);
    await show(null);
    await change("stats");
    expect(argsOf("setup").at(-1)).toEqual([["en", "de"]]);
    const again = await load();
    expect(again.locales.value).toEqual(["en", "de"]);
  });

  it("that are moved have the focus in the table", async () => {
    const { state } = await openPage("en", "nl", "fr");
    state.wantsFocus.value = false;
    state.moveLanguage(2, 1);
    expect(state.wantsFocus.value).toBe(true);
  });

  it("that are chosen are read for rows out of view, too, when they come into view again", async () => {
    const { state, choose, change, paint } = await openPage();
    paint(state, 60);
    await settle();
    paint(state, 0);
    choose("en", "de");
    await change("stats");
    await waitUntil(() => state.rowAt(0)?.cells["de"] !== undefined);
    paint(state, 60);
    await waitUntil(() => state.rowAt(65)?.cells["de"] !== undefined);
    expect(state.rowAt(65)?.cells["de"]?.parts).toEqual(value("text"));
  });

  it("that are others end a selection, and the same ones do not", async () => {
    const { state, choose, change } = await openPage("en", "nl", "fr");
    state.goTo(1, 2);
    state.goTo(2, 3, true);
    await change("stats");
    expect(state.selection.value).toEqual({ top: 1, bottom: 2, left: 2, right: 3 });
    choose("en", "fr");
    await change("stats");
    expect(state.selection.value).toEqual({ top: 2, bottom: 2, left: 2, right: 2 });
  });
});

describe("the details", () => {
  it("of a key are those of its source text, and then of the cell that is moved to", async () => {
    const { state } = await openPage("en", "nl");
    state.goTo(2, 0);
    await waitUntil(() => state.details.value?.cell.hash === hashOf(2));
    expect(state.details.value?.cell.locale).toBe("en");
    state.goTo(2, 2);
    await waitUntil(() => state.details.value?.cell.locale === "nl");
  });

  it("that arrive after newer ones of the same cell are not shown", async () => {
    const { state, write, change, hold, argsOf } = await openPage();
    await waitUntil(() => state.details.value !== null);
    const calls = argsOf("details").length;
    const releaseOlder = hold("details");
    write("nl", 0, "older");
    await change("translations");
    await waitUntil(() => argsOf("details").length > calls);
    const releaseNewer = hold("details");
    write("nl", 0, "newer");
    await change("translations");
    await waitUntil(() => argsOf("details").length > calls + 1);
    await releaseNewer();
    expect(plainText(state.details.value?.text ?? null)).toBe("newer");
    await releaseOlder();
    expect(plainText(state.details.value?.text ?? null)).toBe("newer");
  });

  it.each(["clear", "paste", "discard", "set"] as const)("are read again after “%s”", async (action) => {
    const { state, argsOf } = await openPage();
    await waitUntil(() => state.details.value !== null);
    const calls = argsOf("details").length;
    if (action === "clear") state.changeSelected("clear");
    else if (action === "paste") state.paste("pasted");
    else if (action === "set") state.setText({ locale: "nl", hash: hashOf(0) }, value("set"), value("text"));
    else state.resolveDraft("discard");
    await waitUntil(() => argsOf("details").length > calls);
  });
});

describe("an edit", () => {
  it("shows the list that waited for its end once, and not again after the next one", async () => {
    const { state, setFound, change, filter } = await openPage();
    state.beginEdit();
    setFound(95, ...ALL);
    await change("keys");
    state.endEdit({ focusesCell: true });
    setFound(3, 4);
    await filter("untranslated");
    state.beginEdit();
    state.endEdit({ focusesCell: true });
    expect(keys(state.listed.value)).toEqual([3, 4]);
  });

  it("scrolls to its row, which may be out of view", async () => {
    const { state } = await openPage();
    state.scrolling.value = null;
    state.beginEdit();
    expect(state.scrolling.value).toBe("to active row");
  });

  it("is accepted by the text box that is open, not by one that was closed", async () => {
    const { state, choose, change } = await openPage("en", "nl", "fr");
    const accepted: string[] = [];
    const closeFirst = state.onFinishEdit(() => accepted.push("first"));
    const closeSecond = state.onFinishEdit(() => accepted.push("second"));
    closeFirst();
    expect(accepted).toEqual(["first"]);
    choose("en", "nl");
    await change("stats");
    expect(accepted).toEqual(["first", "second"]);
    closeSecond();
    choose("en", "fr");
    await change("stats");
    expect(accepted).toEqual(["first", "second", "second"]);
  });

  it("is accepted while its language is still shown", async () => {
    const { state, choose, change } = await openPage("en", "nl", "fr");
    const shown: (readonly string[])[] = [];
    state.beginEdit();
    state.onFinishEdit(() => shown.push(state.locales.value));
    // The same languages leave it open.
    await change("stats");
    expect([shown, state.editing.value === null]).toEqual([[], false]);
    choose("en", "fr");
    await change("stats");
    expect(shown[0]).toEqual(["en", "nl", "fr"]);
    expect(state.editing.value).toBeNull();
  });

  it("says where the focus goes when it ends", async () => {
    const { state } = await openPage();
    state.beginEdit();
    state.endEdit({ focusesCell: false });
    expect(state.wantsFocus.value).toBe(false);
    state.beginEdit();
    state.cancelEdit();
    expect(state.wantsFocus.value).toBe(true);
  });
});

describe("the selection as text", () => {
  it("has a line for each row and a column for each language, as they are shown", async () => {
    const { state, write, change, setFound } = await openPage("en", "nl", "fr");
    write("nl", 1, "een\ntwee");
    write("fr", 2, "deux");
    setFound(0, 1, 2);
    await change("translations");
    state.goTo(1, 2);
    state.goTo(2, 3, true);
    expect(state.selectionAsText()).toBe('"een\ntwee"\ttext\ntext\tdeux');
    state.goTo(2, 0);
    expect(state.selectionAsText()).toBeNull();
    state.goTo(1, 1);
    state.goTo(80, 2, true);
    // Not all of them are loaded.
    expect(state.selectionAsText()).toBeNull();
  });
});

it("pastes nothing if nothing was copied, and changes no text of a row that is not loaded", async () => {
  const { state, argsOf } = await openPage();
  state.paste("");
  await waitUntil(() => state.details.value !== null);
  const details = state.details.value;
  if (details === null) throw new Error("there are details");
  state.changeText({ ...details, cell: { hash: hashOf(85), locale: "nl" } }, () => value("x"));
  await settle();
  expect([argsOf("paste"), argsOf("stage")]).toEqual([[], []]);
});
