/** Where the table is scrolled to, and what has the focus, as rows come, go and turn out to be higher. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  active,
  all,
  at,
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
import type { PageElement } from "./page-document.ts";

beforeEach(async () => {
  heights = new Map();
  await drawPage("en", "nl", "fr");
  page.document.heightOf = (each) => heights.get(rowOf(each)) ?? 30;
});

/** The first 90 keys. */
const ALL = Array.from({ length: 90 }, (_, key) => key);
const scroller = () => element(".scroller");
const scrollTo = (top: number): Promise<void> => {
  scroller().scrollTop = top;
  return settle();
};
/** The role of the element that has the focus, or its name. */
const focusedKind = (): string => {
  const { activeElement } = page.document;
  return activeElement.getAttribute("role") ?? activeElement.localName;
};
const rowOf = (each: PageElement): number => Number(each.getAttribute("aria-rowindex")) - 2;
/** The rows that are not one line high, in pixels. */
let heights: Map<number, number>;
async function makeHigh(height: number, row: number): Promise<void> {
  heights.set(row, height);
  await page.change("translations");
}
const leaveWindow = async (isFocused: boolean): Promise<void> => {
  page.document.isFocused = isFocused;
  page.window.dispatchEvent(new Event(isFocused ? "focus" : "blur"));
  await settle();
};

describe("the place", () => {
  it("is at the active row whenever it is edited, also for the second time", async () => {
    for (const top of [900, 1_200]) {
      await scrollTo(top);
      await press(scroller(), "F2");
      expect([scroller().scrollTop, all("textarea").length]).toEqual([0, 1]);
      await press(box(), "Escape");
    }
  });

  it("is no further than is needed below the heading", async () => {
    for (let row = 0; row < 19; row++) await press(cell(row, 2), "ArrowDown");
    // 20 rows of 30 pixels, in 600 without the heading.
    expect([active(), scroller().scrollTop]).toEqual([[19, 2], 34]);
  });

  it("moves with the active row when rows are inserted above", async () => {
    await scrollTo(90);
    await press(scroller(), "ArrowDown");
    await scrollTo(15);
    page.setFound(95, 96, ...ALL);
    await page.change("keys");
    expect([active(), scroller().scrollTop]).toEqual([[3, 2], 75]);
  });

  it("stays at the first row in view, and has the active one, when rows turn out to be higher", async () => {
    await scrollTo(900);
    await makeHigh(70, 24);
    expect(scroller().scrollTop).toBe(940);
    page.state.goTo(47, 2);
    await settle();
    expect(scroller().scrollTop).toBe(940);
    await makeHigh(90, 35);
    // The last pixel of row 47 is at 48 rows of 30 with 40 and 60 more.
    expect(scroller().scrollTop).toBe(1_540 - 566);
  });

  it("is saved in rows, whatever their heights", async () => {
    await makeHigh(90, 0);
    scroller().scrollTop = 90 + 45;
    await fire(scroller(), "scrollend");
    expect(page.savedView()).toMatchObject({ top: 2.5 });
  });

  it("is the saved one in rows, when the page is shown again", async () => {
    page.state.scrolling.value = { top: 40.5 };
    await settle();
    expect(scroller().scrollTop).toBe(1_215);
  });

  it("keeps the heights of rows that are out of view, and those of a page that is hidden", async () => {
    const height = () => element(".rows").style["height"];
    await makeHigh(70, 0);
    await scrollTo(1_500);
    await makeHigh(90, 60);
    expect(height()).toBe("2800px");
    page.document.heightOf = () => 0;
    await page.change("translations");
    expect(height()).toBe("2800px");
  });

  it("shows more rows in a higher table, and keeps the focused cell in a lower one in view", async () => {
    page.state.goTo(15, 2);
    await settle();
    scroller().clientHeight = 900;
    await page.resize();
    expect(all(".rows > .row")).toHaveLength(37);
    scroller().clientHeight = 300;
    await page.resize();
    expect(scroller().scrollTop).toBe(16 * 30 - 266);
    element("#search").focus();
    scroller().clientHeight = 150;
    await page.resize();
    expect(scroller().scrollTop).toBe(16 * 30 - 266);
    // Whoever has scrolled the cell out of view stays where that was.
    await press(cell(15, 2), "ArrowUp");
    await scrollTo(1_500);
    expect(focusedKind()).toBe("grid");
    await page.resize();
    expect(scroller().scrollTop).toBe(1_500);
  });

  it("has a row that is edited as high as before", async () => {
    await makeHigh(70, 0);
    await press(cell(0, 2), "F2");
    const least = all(".rows > .row").map((each) => each.style["minHeight"]);
    expect(least.slice(0, 2)).toEqual(["70px", undefined]);
  });
});

describe("the focus", () => {
  it("is on the table while the active cell is out of view, and can come back by Tab", async () => {
    expect(scroller().getAttribute("tabindex")).toBe("-1");
    await scrollTo(1_500);
    expect(focusedKind()).toBe("grid");
    expect(scroller().getAttribute("tabindex")).toBe("0");
    await press(scroller(), "ArrowDown");
    expect([focused(), scroller().scrollTop]).toEqual([["3", "3"], 30]);
    element("#search").focus();
    await scrollTo(1_500);
    expect(focusedKind()).toBe("searchbox");
  });

  it("is on the table until the active row has arrived, and then on its cell", async () => {
    const release = page.hold("rows");
    await press(cell(0, 2), "End", { ctrlKey: true });
    expect([active(), focusedKind()]).toEqual([[89, 3], "grid"]);
    await release();
    expect(focused()).toEqual(["91", "4"]);
  });

  it("is taken once, and not from a text box or the rest of the window", async () => {
    element("#search").focus();
    await page.change("keys", "translations");
    expect(focusedKind()).toBe("searchbox");
    page.document.isFocused = false;
    await press(cell(0, 2), "ArrowDown");
    expect([active(), focusedKind()]).toEqual([[1, 2], "searchbox"]);
    page.document.isFocused = true;
    await press(cell(1, 2), "F2");
    await page.change("translations");
    page.state.wantsFocus.value = true;
    await settle();
    expect(focusedKind()).toBe("textbox");
  });

  it("comes back to the active cell with that of the window, or to the table while the cell is out of view", async () => {
    for (const [top, expected] of [
      [0, "gridcell"],
      [1_500, "grid"],
    ] as const) {
      await scrollTo(top);
      await leaveWindow(false);
      page.document.activeElement = page.document.body;
      page.state.wantsFocus.value = true;
      await settle();
      expect(focusedKind()).toBe("body");
      page.state.wantsFocus.value = false;
      await leaveWindow(true);
      expect(focusedKind()).toBe(expected);
    }
  });

  it("that was lost when rows turned out to be higher comes back, and is not taken from elsewhere", async () => {
    page.document.activeElement = page.document.body;
    await makeHigh(70, 3);
    expect(focused()).toEqual(["2", "3"]);
    element("#search").focus();
    await makeHigh(90, 3);
    expect(focusedKind()).toBe("searchbox");
  });

  it("returns to the cell from a button of the details, and from one that moved its column", async () => {
    await waitUntil(() => texts("button").includes("Clear"));
    button("Clear").focus();
    await click(button("Clear"));
    expect(focused()).toEqual(["2", "3"]);
    const mover = at(all(".mover"), 1);
    mover.focus();
    await click(mover);
    expect(focused()).toEqual(["2", "4"]);
  });
});

describe("a text box", () => {
  it("that is scrolled out of view has kept what was typed", async () => {
    await press(cell(0, 2), "F2");
    await type(box(), "typed");
    await scrollTo(1_500);
    expect([page.textOf("nl", hashOf(0)), all("textarea")]).toEqual(["typed", []]);
  });

  it("goes on from where its row is by then, and saves what was typed", async () => {
    await press(cell(0, 2), "ArrowDown");
    await press(cell(1, 2), "F2");
    await type(box(), "typed");
    page.setFound(95, ...ALL);
    await page.change("keys");
    await press(box(), "Enter");
    expect([active(), page.state.activeRow.value?.hash]).toEqual([[3, 2], hashOf(2)]);
    await press(cell(3, 2), "F2");
    await type(box(), "saved");
    await press(box(), "s", { ctrlKey: true });
    expect(page.calls.map(({ name }) => name).filter((name) => name === "stage" || name === "save")).toEqual([
      "stage",
      "stage",
      "save",
    ]);
  });

  it("has its keys for itself", async () => {
    await press(cell(0, 2), "ArrowDown", { shiftKey: true });
    await press(cell(1, 2), "F2");
    for (const key of ["d", "Delete", "ArrowDown", "Home"]) await press(box(), key, { ctrlKey: true });
    expect([page.argsOf("fill"), page.argsOf("clear"), active()]).toEqual([[], [], [1, 2]]);
  });

  it("has its text repeated below it where its placeholders may be shown in another order", async () => {
    await showAgain(({ row }) => Object.assign(row, { placeholders: [":name"] }));
    await press(cell(0, 2), "F2");
    await type(box(), "Hallo :name");
    expect(texts(".as-shown")).toEqual([]);
    await type(box(), "שלום :name");
    expect(texts(".as-shown")).toEqual(["שלום :name"]);
  });
});
