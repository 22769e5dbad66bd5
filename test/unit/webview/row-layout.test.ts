/** Where the rows of the table are. */
import { expect, it } from "vitest";
import { ROW_HEIGHT_PX, RowLayout } from "../../../src/webview/translation-editor/row-layout.ts";

const layout = new RowLayout(["a", "b", "c"], new Map([["b", 68]]));

it("puts rows that were not measured at one line", () => {
  expect([0, 1, 2, 3].map((row) => layout.top(row))).toEqual([0, 30, 98, 128]);
  expect(layout.height).toBe(2 * ROW_HEIGHT_PX + 68);
});

it("finds the row at a pixel, and the nearest one outside", () => {
  expect([-5, 0, 29, 30, 97, 98, 500].map((pixel) => layout.rowAt(pixel))).toEqual([0, 0, 0, 1, 1, 2, 2]);
});

it("keeps a place in rows when rows above are measured", () => {
  const before = new RowLayout(["a", "b", "c"], new Map());
  const rows = before.toRows(75);
  expect(rows).toBe(2.5);
  expect(layout.toPixels(rows)).toBe(98 + 15);
  expect(layout.toRows(layout.toPixels(1.25))).toBe(1.25);
});

it("has no height without rows", () => {
  const none = new RowLayout([], new Map());
  expect([none.height, none.rowAt(40), none.toRows(40), none.toPixels(3)]).toEqual([0, 0, 0, 0]);
});

it("draws the rows in view and those around them, and none without rows", () => {
  const many = new RowLayout(
    Array.from({ length: 50 }, (_, row) => `${row}`),
    new Map(),
  );
  expect(many.around({ top: 300, height: 90 }, 6)).toEqual({ first: 4, last: 19 });
  expect(many.around({ top: 0, height: 90 }, 6)).toEqual({ first: 0, last: 9 });
  expect(many.around({ top: 1_440, height: 90 }, 6)).toEqual({ first: 42, last: 49 });
  expect(new RowLayout([], new Map()).around({ top: 0, height: 90 }, 6)).toEqual({ first: 0, last: -1 });
});

it("scrolls no further than is needed to have a row in view", () => {
  expect(layout.topToReveal(1, { top: 40, height: 60 })).toBe(30);
  expect(layout.topToReveal(2, { top: 10, height: 60 })).toBe(68);
  expect(layout.topToReveal(0, { top: 0, height: 60 })).toBe(0);
  expect(layout.isInView(2, { top: 68, height: 60 })).toBe(true);
  expect(layout.isInView(2, { top: 67, height: 60 })).toBe(false);
  expect(layout.isInView(0, { top: 1, height: 60 })).toBe(false);
});
