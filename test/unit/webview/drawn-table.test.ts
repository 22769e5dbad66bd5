/** The table and the text boxes as they are drawn, and what a person does in them. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  active,
  all,
  at,
  attributes,
  box,
  button,
  cell,
  click,
  drawPage,
  element,
  fire,
  focused,
  page,
  press,
  showAgain,
  texts,
  type,
} from "./drawn-page.ts";
import { hashOf, settle } from "./editor-peer.ts";
import { waitUntil } from "../support/wait-until.ts";

beforeEach(() => drawPage("en", "nl", "fr"));

describe("the table", () => {
  it("has a column for each language, the source first, and buttons to move the others", async () => {
    expect(texts("[role=columnheader]").map((text) => text.trim())).toEqual([
      "Key",
      "en en · source",
      "nl nl",
      "fr fr",
    ]);
    expect(all("[role=columnheader]").map((each) => each.getAttribute("aria-label"))).toEqual([
      null,
      "en en · source",
      "nl nl",
      "fr fr",
    ]);
    const movers = all(".mover");
    expect(movers.map((each) => [each.getAttribute("aria-label"), each.disabled])).toEqual([
      ["Move nl to the left", true],
      ["Move nl to the right", false],
      ["Move fr to the left", false],
      ["Move fr to the right", true],
    ]);
    expect(movers.map((each) => each.getAttribute("class"))).toEqual([
      "mover left",
      "mover right",
      "mover left",
      "mover right",
    ]);
    expect(movers[1]?.getAttribute("title")).toBe("Move nl to the right (Alt+→)");
    // Their keys are their own.
    expect((await press(at(movers, 1), "Enter")).defaultPrevented).toBe(false);
    expect(all("textarea")).toEqual([]);
    await click(at(movers, 1));
    expect(page.state.locales.value).toEqual(["en", "fr", "nl"]);
    page.choose("en", "nl");
    await page.change("stats");
    expect(all(".mover")).toEqual([]);
    expect(attributes(element("[role=grid]"), "aria-rowcount", "aria-colcount")).toEqual(["91", "3"]);
  });

  it("draws the rows in view and some beyond, at their places", async () => {
    const rows = all(".rows > .row");
    // 600 pixels of rows of 30, and six more.
    expect(rows).toHaveLength(27);
    expect(rows.slice(0, 2).map((row) => [row.getAttribute("aria-rowindex"), row.style["top"]])).toEqual([
      ["2", "0px"],
      ["3", "30px"],
    ]);
    expect(element(".rows").style["height"]).toBe("2700px");
    const scroller = element(".scroller");
    scroller.scrollTop = 1_500;
    await settle();
    expect(all(".rows > .row")[0]?.getAttribute("aria-rowindex")).toBe("46");
    page.document.heightOf = (row) => (row.getAttribute("aria-rowindex") === "46" ? 70 : 30);
    await page.change("translations");
    expect(element(".rows").style["height"]).toBe("2740px");
  });

  it("shows of a key its namespace, and what is to know about it", async () => {
    const key = () => cell(0, 0).textContent;
    expect(key()).toBe("key 0");
    await showAgain(({ row }) =>
      Object.assign(row, { namespace: "cart", context: "menu", isNotPushed: true, usageCount: 2 }),
    );
    expect(key()).toBe("cart.key 0(menu) · not pushed");
    await showAgain(({ row }) => Object.assign(row, { usageCount: 0, context: null }));
    expect(key()).toBe("cart.key 0not pushed · no references");
    await showAgain(({ row }) => Object.assign(row, { mayBeUsed: true, isNotPushed: false }));
    expect(key()).toBe("cart.key 0may be used");
  });

  it("shows texts with their forms, placeholders and states", async () => {
    const parts = [
      { category: "one", text: "a :name, :names" },
      { category: "other", text: "b :naam" },
    ];
    await showAgain(({ row: more, cell: content }) => {
      Object.assign(more, { placeholders: [":name", ":names", ""] });
      Object.assign(content, {
        parts,
        wrongPlaceholders: [":naam"],
        states: ["unsaved", "conflict", "readonly"],
      });
    });
    const shown = cell(1, 2);
    expect(shown.querySelectorAll(".form").map(({ textContent }) => textContent)).toEqual([
      "one a :name, :names",
      "other b :naam",
    ]);
    const marks = shown.querySelectorAll(".placeholder");
    expect(marks.map((mark) => [mark.textContent, mark.getAttribute("class")])).toEqual([
      [":name", "placeholder"],
      [":names", "placeholder"],
      [":naam", "placeholder wrong"],
    ]);
    expect(
      shown.querySelectorAll(".state").map((state) => [state.getAttribute("title"), state.textContent]),
    ).toEqual([
      ["in conflict", "in conflict"],
      [expect.any(String), ""],
    ]);
    expect(attributes(shown, "aria-readonly", "data-state", "lang", "aria-describedby")).toEqual([
      "true",
      "unsaved conflict readonly",
      "nl",
      "state-unsaved state-conflict state-readonly",
    ]);
    // Why the active cell cannot be edited is said, too.
    expect(cell(0, 2).getAttribute("aria-describedby")).toMatch(/ readonly-reason$/u);
    expect(texts("[hidden] [id=state-conflict]")).toEqual(["in conflict"]);
    await showAgain(({ cell: content }) => Object.assign(content, { states: [] }));
    expect(attributes(cell(1, 2), "aria-readonly", "aria-describedby")).toEqual(["false", null]);
  });

  it("moves with the keyboard, and the focus with the active cell; other keys are VS Code's", async () => {
    expect(focused()).toEqual(["2", "3"]);
    expect((await press(cell(0, 2), "ArrowDown")).defaultPrevented).toBe(true);
    expect([active(), focused()]).toEqual([
      [1, 2],
      ["3", "3"],
    ]);
    expect(attributes(cell(1, 2), "tabindex", "data-active")).toEqual(["0", ""]);
    expect(attributes(cell(0, 2), "tabindex", "data-active")).toEqual(["-1", null]);
    expect(attributes(cell(1, 1), "tabindex", "data-active")).toEqual(["-1", null]);
    await press(cell(1, 2), "PageDown");
    // 600 pixels without the heading and a row.
    expect(active()).toEqual([18, 2]);
    await press(cell(18, 2), "PageUp");
    expect(active()).toEqual([0, 2]);
    await press(cell(0, 2), "ArrowDown");
    await press(cell(1, 2), "ArrowRight", { shiftKey: true });
    await press(cell(1, 3), "ArrowDown", { shiftKey: true });
    expect(all("[aria-selected=true]").map((each) => each.getAttribute("lang"))).toEqual([
      "nl",
      "fr",
      "nl",
      "fr",
    ]);
    const ignored = await press(cell(2, 3), "F5");
    expect([ignored.defaultPrevented, ignored.isStopped, active()]).toEqual([false, false, [2, 3]]);
    const moved = await press(cell(2, 3), "ArrowLeft", { altKey: true });
    expect([moved.isStopped, page.state.locales.value]).toEqual([true, ["en", "fr", "nl"]]);
    await press(button("More"), "ArrowRight");
    expect(page.state.editing.value).toBeNull();
  });

  it("clears, fills and shows usages by keys", async () => {
    await press(cell(0, 2), "ArrowDown", { shiftKey: true });
    await press(cell(1, 2), "d", { ctrlKey: true });
    await press(cell(1, 2), "Delete");
    expect(page.argsOf("fill")).toEqual([[hashOf(0), [hashOf(1)], ["nl"]]]);
    expect(page.argsOf("clear")).toEqual([[[hashOf(0), hashOf(1)], ["nl"]]]);
    await press(cell(1, 2), "Home");
    await press(cell(1, 0), "Enter");
    expect(page.argsOf("showUsage")).toEqual([[hashOf(1)]]);
  });

  it("moves, selects and edits with the mouse", async () => {
    await fire(cell(3, 2), "mousedown", { shiftKey: false });
    await fire(cell(4, 3), "mousedown", { shiftKey: true });
    expect(page.state.selection.value).toEqual({ top: 3, bottom: 4, left: 2, right: 3 });
    await fire(cell(5, 0), "mousedown");
    expect(active()).toEqual([5, 0]);
    await fire(cell(3, 2), "mousedown", { shiftKey: false });
    await fire(cell(3, 2), "dblclick");
    expect(page.state.editing.value?.id).toEqual({ hash: hashOf(3), locale: "nl" });
    // Clicks in the open box are its own.
    await fire(cell(3, 2), "mousedown", { shiftKey: true });
    expect(page.state.editing.value?.id.hash).toBe(hashOf(3));
    expect(active()).toEqual([3, 2]);
  });

  it("copies what is loaded itself, and leaves the rest to the extension; pastes, unless a text is edited", async () => {
    const data: string[] = [];
    const clipboardData = { setData: (...given: string[]) => data.push(...given), getData: () => "pasted" };
    const copied = await fire(cell(0, 2), "copy", { clipboardData });
    expect([copied.defaultPrevented, data, page.argsOf("copy")]).toEqual([true, ["text/plain", "text"], []]);
    await showAgain(({ cell: content }) => Object.assign(content, { isTruncated: true }));
    await fire(cell(0, 2), "copy", { clipboardData });
    expect(page.argsOf("copy")).toEqual([[[hashOf(0)], ["nl"]]]);
    await showAgain(({ cell: content }) => Object.assign(content, { isTruncated: false }));
    await fire(cell(0, 2), "paste", { clipboardData });
    expect(page.argsOf("paste")).toEqual([[[{ hash: hashOf(0), locale: "nl", copied: "pasted" }], 0]]);
    await press(cell(0, 2), "F2");
    const own = [await fire(box(), "paste", { clipboardData }), await fire(box(), "copy", { clipboardData })];
    expect(own.map(({ defaultPrevented }) => defaultPrevented)).toEqual([false, false]);
    expect([page.argsOf("paste").length, page.argsOf("copy").length]).toEqual([1, 1]);
  });

  it("without rows says why, and shows all of them again", async () => {
    page.setFound();
    for (const only of [
      { search: "a" },
      { filters: ["unsaved" as const] },
      { namespace: "a" },
      { tag: "a" },
    ]) {
      page.state.setQuery({ search: "", filters: [], namespace: null, tag: null, ...only });
      await settle();
      expect([texts(".no-rows button"), texts(".no-rows p")]).toEqual([
        ["Show all keys"],
        ["No key matches the search and the filters."],
      ]);
    }
    page.state.setQuery({ search: "nothing", filters: ["unsaved"], namespace: "cart", tag: "a" });
    await settle();
    // Tab stops at the table also without a cell.
    expect(element("[role=grid]").getAttribute("tabindex")).toBe("0");
    await click(button("Show all keys"));
    expect(page.state.query.value).toMatchObject({ search: "", filters: [], namespace: null, tag: null });
    expect(page.document.activeElement.getAttribute("id")).toBe("search");
    expect(texts(".no-rows")).toEqual(["There are no keys yet."]);
    page.setFound(1);
    await page.change("keys");
    expect(all(".no-rows")).toEqual([]);
    // Before the first answer nothing is known of the keys.
    page.state.listed.value = null;
    await settle();
    expect(all(".no-rows")).toEqual([]);
  });
});

describe("a text box", () => {
  const placeholders = [":name", ":count"];

  it("starts from the text, or what was typed, and Enter accepts it and goes down", async () => {
    await press(cell(0, 2), "F2");
    expect([box().value, box().getAttribute("aria-label"), page.document.activeElement]).toEqual([
      "text",
      "nl",
      box(),
    ]);
    expect(box().selection).toEqual([4, 4]);
    // The box is what Tab stops at.
    expect(all("[data-active]")).toEqual([]);
    await type(box(), "first");
    const accepted = await press(box(), "Enter");
    expect([accepted.defaultPrevented, accepted.isStopped]).toEqual([true, true]);
    expect([page.textOf("nl", hashOf(0)), active(), all("textarea")]).toEqual(["first", [1, 2], []]);
    const typed = await press(cell(1, 2), "x");
    expect([typed.defaultPrevented, typed.isStopped, box().value]).toEqual([true, true, "x"]);
    await press(box(), "Enter");
    expect([page.textOf("nl", hashOf(1)), active()]).toEqual(["x", [2, 2]]);
    // What a dead key types is the browser's.
    expect((await press(cell(2, 2), "Dead")).defaultPrevented).toBe(false);
    expect(box().value).toBe("");
  });

  it("goes to the next row that matches with Ctrl+Enter, and is cancelled by Escape", async () => {
    page.write("nl", 4, "");
    await page.filter("untranslated");
    await press(cell(0, 2), "F2");
    await type(box(), "kept");
    await press(box(), "Enter", { ctrlKey: true });
    expect([page.textOf("nl", hashOf(0)), active()]).toEqual(["kept", [4, 2]]);
    await press(cell(4, 2), "F2");
    await type(box(), "cancelled");
    await press(box(), "Escape");
    expect([page.textOf("nl", hashOf(4)), active(), all("textarea").length]).toEqual(["", [4, 2], 0]);
    expect(focused()).toEqual(["6", "3"]);
  });

  it("is accepted when the focus leaves it, not while that is in it", async () => {
    await press(cell(0, 2), "F2");
    await type(box(), "left");
    await fire(box(), "focusout", { relatedTarget: box() });
    expect(all("textarea")).toHaveLength(1);
    element("#search").focus();
    await fire(box(), "focusout", { relatedTarget: element("#search") });
    expect([page.textOf("nl", hashOf(0)), page.state.wantsFocus.value]).toEqual(["left", false]);
    expect(page.document.activeElement).toBe(element("#search"));
    await fire(cell(1, 2), "dblclick");
    await fire(box(), "focusout", { relatedTarget: null });
    expect(all("textarea")).toEqual([]);
  });

  it("breaks lines, inserts placeholders, undoes and saves by keys", async () => {
    await showAgain(({ row }) => Object.assign(row, { placeholders }));
    await press(cell(0, 2), "F2");
    await press(box(), "Enter", { shiftKey: true });
    await press(box(), "2", { altKey: true, code: "Digit2" });
    expect(box().value).toBe("text\n:count");
    expect(all(".insert button").map((each) => [each.textContent, each.getAttribute("title")])).toEqual([
      [":name", "Alt+1"],
      [":count", "Alt+2"],
    ]);
    const pressed = await fire(button(":name"), "mousedown");
    expect([pressed.defaultPrevented, box().value]).toEqual([true, "text\n:count:name"]);
    await press(box(), "z", { ctrlKey: true });
    await press(box(), "y", { ctrlKey: true });
    expect(page.document.executed.slice(-2)).toEqual([["undo"], ["redo"]]);
    // A shortcut of VS Code keeps the text, and the box stays open.
    const shortcut = await press(box(), "w", { ctrlKey: true });
    expect([shortcut.isStopped, shortcut.defaultPrevented]).toEqual([false, false]);
    expect([page.textOf("nl", hashOf(0)), all("textarea").length]).toEqual(["text\n:count:name", 1]);
    expect((await press(box(), "a")).isStopped).toBe(true);
    // Clicks in the box do not begin again: it is cancelled with the text before it was opened.
    await fire(box(), "dblclick");
    await press(box(), "Escape");
    expect(page.textOf("nl", hashOf(0))).toBe("text");
    await press(cell(0, 2), "F2");
    await press(box(), "s", { ctrlKey: true });
    expect([page.argsOf("save").length, all("textarea").length]).toEqual([1, 0]);
  });

  it("says how many characters are left, and whether a line break is too much", async () => {
    await showAgain(({ row, details }) => {
      Object.assign(row, { maxLength: 5 });
      Object.assign(details, { source: { value: "Cart" } });
    });
    await waitUntil(() => page.state.details.value?.source !== null);
    await press(cell(0, 2), "F2");
    const said = async (text: string) => {
      await type(box(), text);
      return [element("#characters-left").textContent, box().getAttribute("aria-invalid")];
    };
    expect(await said("abcd")).toEqual(["1 character left", "false"]);
    expect(await said("abc")).toEqual(["2 characters left", "false"]);
    expect(await said("abcde")).toEqual(["0 characters left", "false"]);
    expect(await said("abcdef")).toEqual(["1 character too many", "true"]);
    expect(await said("abcdefg")).toEqual(["2 characters too many", "true"]);
    expect(element("#characters-left").getAttribute("class")).toContain("exceeded");
    expect(box().getAttribute("aria-describedby")).toBe("source-text characters-left");
    await type(box(), "a\n");
    expect(box().getAttribute("aria-describedby")).toBe("source-text characters-left extra-line-break");
    expect(all("#extra-line-break")).toHaveLength(1);
    expect(texts(".source-above")).toEqual(["Cart"]);
    await press(box(), "Escape");
    // Not above the text of another key, whose details have not arrived.
    const release = page.hold("details");
    await press(cell(0, 2), "ArrowDown");
    await press(cell(1, 2), "F2");
    expect(texts(".source-above")).toEqual([]);
    await press(box(), "Escape");
    await press(cell(1, 2), "ArrowUp");
    await release();
    await press(cell(0, 2), "F2");
    await press(box(), "Escape");
    // The source text itself may end in one.
    await press(cell(0, 2), "ArrowLeft");
    await press(cell(0, 1), "F2");
    await type(box(), "a\n");
    expect([all("#extra-line-break"), all(".source-above")]).toEqual([[], []]);
  });

  it("is one for each form, and says which form the app never shows", async () => {
    await showAgain((more) => {
      more.hiddenCategories = ["one"];
      const parts = [
        { category: "one", text: "a" },
        { category: "other", text: "b" },
      ];
      Object.assign(more.cell, { parts });
    });
    await press(cell(0, 2), "x");
    const boxes = all("textarea");
    expect(
      boxes.map((each) => [
        each.getAttribute("aria-label"),
        each.value,
        each.getAttribute("aria-describedby"),
      ]),
    ).toEqual([
      ["nl one", "x", "source-text hidden-one"],
      ["nl other", "b", "source-text"],
    ]);
    expect(texts(".as-shown")).toEqual(["The app shows “other” instead of this form."]);
    expect(texts("#hidden-one")).toEqual(texts(".as-shown"));
    await type(at(boxes, 1), "y");
    await press(at(boxes, 0), "Enter");
    expect(page.argsOf("stage")).toMatchObject([[[{ text: { forms: { one: "x", other: "y" } } }]]]);
  });
});
