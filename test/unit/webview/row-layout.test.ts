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
