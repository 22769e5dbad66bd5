/** Line ends of all three kinds, and the indentation of a file. */
import { expect, test } from "vitest";
import {
  afterNewline,
  beforeNewline,
  countNewlines,
  fileNewline,
  indentBefore,
  indentUnit,
  lineEnd,
  lineStart,
  positionsOf,
  skipBlanks,
  skipBlanksBefore,
} from "../../../../src/formats/text/lines-and-indentation.ts";

test.each([
  ["", "\n"],
  ["a", "\n"],
  ["a\nb\r\n", "\n"],
  ["a\r\nb\n", "\r\n"],
  ["\r\n", "\r\n"],
  ["\na", "\n"],
  ["a\rb\r", "\r"],
  ["a\rb\n", "\n"],
])("the line end of the file %j is %j", (text, newline) => {
  expect(fileNewline(text)).toBe(newline);
});

test.each([
  ["a", undefined],
  ["a\n\n", undefined],
  ["  a", "  "],
  ["a\n\tb\n  c", "\t"],
  ["a\r   b", "   "],
  ["a\n  * b\n    c", "    "],
  ["a\n  \n    c", "    "],
  ["<a>\n <b/>", " "],
  ["a b", undefined],
])("the indentation of %j is %j", (text, unit) => {
  expect(indentUnit(text)).toBe(unit);
});

test.each([
  ["  a", 2, "  "],
  ["  a", 3, null],
  ["a\n\t b", 4, "\t "],
  ["a\r b", 3, " "],
  ["a b", 2, null],
  ["a", 0, ""],
  ["a\n", 2, ""],
])("what is blank in %j before %i is %j", (text, offset, indent) => {
  expect(indentBefore(text, offset)).toBe(indent);
});

test.each([
  ["ab\ncd", 4, 3, 5],
  ["ab\rcd\r", 4, 3, 5],
  ["ab\r\ncd\r\nef", 5, 4, 6],
  ["ab", 1, 0, 2],
  ["ab\n", 2, 0, 2],
  ["ab\n", 3, 3, 3],
])("the line of %j at %i is from %i to %i", (text, offset, start, end) => {
  expect([lineStart(text, offset), lineEnd(text, offset)]).toEqual([start, end]);
});

test.each([
  ["a\nb", 1, 2],
  ["a\rb", 1, 2],
  ["a\r\nb", 1, 3],
  ["a\n\nb", 1, 2],
  ["a\n\rb", 1, 2],
  ["ab", 1, 1],
  ["a", 1, 1],
])("one line end is from %j at %i to %i", (text, start, end) => {
  expect([afterNewline(text, start), beforeNewline(text, end)]).toEqual([end, start]);
});

test("line ends are counted between two offsets, and a whole one once", () => {
  const text = "a\r\nb\rc\n\n";
  expect(countNewlines(text, 0, text.length)).toBe(4);
  expect([countNewlines(text, 0, 2), countNewlines(text, 2, 3), countNewlines(text, 3, 7)]).toEqual([
    0, 1, 2,
  ]);
});

test("blanks are skipped in both directions, but not line ends", () => {
  expect([skipBlanks("a \t \n b", 1), skipBlanks("a ", 1), skipBlanks("ab", 1)]).toEqual([4, 2, 1]);
  expect([skipBlanksBefore("a\n \t b", 5), skipBlanksBefore(" a", 1), skipBlanksBefore("ab", 1)]).toEqual([
    2, 0, 1,
  ]);
});

test("offsets in any order have their lines and columns, also beyond the end", () => {
  const text = "ab\r\nc\rd\n";
  expect([...positionsOf(text, [8, 1, 4, 5, 6, 2, 3, 100, 1])].sort(([a], [b]) => a - b)).toEqual([
    [1, { line: 1, column: 2 }],
    [2, { line: 1, column: 3 }],
    [3, { line: 1, column: 4 }],
    [4, { line: 2, column: 1 }],
    [5, { line: 2, column: 2 }],
    [6, { line: 3, column: 1 }],
    [8, { line: 4, column: 1 }],
    [100, { line: 4, column: 1 }],
  ]);
});
