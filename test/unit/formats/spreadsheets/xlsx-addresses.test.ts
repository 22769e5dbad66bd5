/** Addresses of cells and ranges, as sheets write them. */
import { expect, test } from "vitest";
import { columnOf, lettersOf, rangeOf } from "../../../../src/formats/spreadsheets/xlsx-reader.ts";

test.each([
  ["A1", 0],
  ["Z1", 25],
  ["AA1", 26],
  ["AZ1", 51],
  ["ZZ1", 701],
  ["AAA1", 702],
  ["XFD1048576", 16_383],
  ["aa1", 26],
  ["XFE1", -1],
  ["ZZZZ1", -1],
  ["1", -1],
  ["$A1", -1],
  ["", -1],
])("reads the column of %s as %i", (reference, column) => {
  expect(columnOf(reference)).toBe(column);
});

test("round-trips column letters", () => {
  for (const column of [0, 25, 26, 51, 52, 701, 702, 16_383])
    expect(columnOf(lettersOf(column))).toBe(column);
  expect([0, 25, 26, 701, 702].map(lettersOf)).toEqual(["A", "Z", "AA", "ZZ", "AAA"]);
});

test.each([
  ["A1:C4", { left: 0, top: 1, right: 2, bottom: 4 }],
  ["$B$2:$B$2", { left: 1, top: 2, right: 1, bottom: 2 }],
  ["b3", { left: 1, top: 3, right: 1, bottom: 3 }],
  ["C1:A4", null],
  ["A4:A1", null],
  ["XFE1", null],
  ["A1:XFE1", null],
  ["A1:", null],
  ["A:A", null],
  ["A1:B2 C3", null],
  ["AAAA1", null],
  ["A12345678", null],
])("reads the range %s as %j", (reference, range) => {
  expect(rangeOf(reference)).toEqual(range);
});
