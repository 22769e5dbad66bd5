/** Cells on the clipboard. */
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  readCells,
  toClipboardText,
  writeCells,
} from "../../../src/webview/translation-editor/clipboard-cells.ts";

it("parses what spreadsheets copy", () => {
  expect(readCells("a\tb\nc\td\n")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(readCells('"two\nlines"\t"a ""word"""\r\n')).toEqual([["two\nlines", 'a "word"']]);
  expect(readCells("a\t\n\tb")).toEqual([
    ["a", ""],
    ["", "b"],
  ]);
  expect([readCells("a\t"), readCells("a\nb\t\n"), readCells("")]).toEqual([
    [["a", ""]],
    [["a"], ["b", ""]],
    [[""]],
  ]);
  expect(readCells('"a" b')).toEqual([['"a" b']]);
  expect(readCells("a\r\nb\rc\r\n")).toEqual([["a"], ["b"], ["c"]]);
});

it("copies each form on its line, also an empty one", () => {
  const parts = ["", "items"].map((text, index) => ({ category: ["one", "other"][index] ?? null, text }));
  expect(toClipboardText(parts)).toBe("\nitems");
  expect(toClipboardText([{ category: null, text: "" }])).toBe("");
});

it("quotes what spreadsheets would read otherwise", () => {
  expect(writeCells([['"a"', "b\tc", "d\ne", "f"], [""], ["", ""]])).toBe(
    '"""a"""\t"b\tc"\t"d\ne"\tf\n""\n\t',
  );
  expect(readCells(writeCells([['""'], ['"a" b']]))).toEqual([['""'], ['"a" b']]);
});

it("round-trips", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', "\t", "\n", "\r", "é") });
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      (rows) => {
        expect(readCells(writeCells(rows))).toEqual(rows);
      },
    ),
    { numRuns: 100 },
  );
});
