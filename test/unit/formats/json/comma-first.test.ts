/** Comma-first style is preserved. */
import { describe, expect, test } from "vitest";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { edited } from "../editing.ts";

describe.each(["\n", "\r\n"])("JSON with line endings %j", (newline) => {
  const lines = (...texts: readonly string[]): string => texts.map((text) => text + newline).join("");
  const FILE = lines('{ "a": "1"', ', "b": "2"', ', "d": "3"', "}");

  test.each([
    ["the last place", { e: "4" }, lines('{ "a": "1"', ', "b": "2"', ', "d": "3"', ', "e": "4"', "}")],
    ["a place between", { c: "4" }, lines('{ "a": "1"', ', "b": "2"', ', "c": "4"', ', "d": "3"', "}")],
    ["the first place", { A: "4" }, lines('{ "A": "4"', ', "a": "1"', ', "b": "2"', ', "d": "3"', "}")],
    [
      "the last place, twice",
      { e: "4", f: "5" },
      lines('{ "a": "1"', ', "b": "2"', ', "d": "3"', ', "e": "4"', ', "f": "5"', "}"),
    ],
    ["the first one's place", { a: null, A: "4" }, lines('{ "A": "4"', ', "b": "2"', ', "d": "3"', "}")],
    [
      "all others' place",
      { a: null, b: null, d: null, x: "4", y: "5" },
      lines('{ "x": "4"', ', "y": "5"', "}"),
    ],
  ])("adds a key at %s", (_, wanted, after) => {
    expect(edited(jsonJs, FILE, wanted)).toBe(after);
  });

  test.each([
    ["first", "a", lines('{ "b": "2"', ', "d": "3"', "}")],
    ["middle", "b", lines('{ "a": "1"', ', "d": "3"', "}")],
    ["last", "d", lines('{ "a": "1"', ', "b": "2"', "}")],
  ])("removes the %s key with its separator", (_, key, after) => {
    expect(edited(jsonJs, FILE, { [key]: null })).toBe(after);
  });

  test("handles nested branches, also with a single member", () => {
    const nested = (...more: readonly string[]): string =>
      lines('{ "a":', '  { "x": "1"', '  , "y": "2"', "  }", ', "b": { "c": "3"', ...more, "  }", "}");
    expect(edited(jsonJs, nested(), { "b.d": "4" })).toBe(nested('       , "d": "4"'));
    expect(edited(jsonJs, nested(), { "a.z": "4" })).toBe(
      nested().replace(', "y": "2"', `, "y": "2"${newline}  , "z": "4"`),
    );
  });
});

test("removes the comma behind the last key with all keys, but not the comments", () => {
  const file = '{ /* all */\n\n"a": "1"\n, "b": "2", // two\n}';
  expect(edited(jsonJs, file, { a: null, b: null })).toBe("{ /* all */\n\n // two\n}");
  expect(edited(jsonJs, file, { a: null, b: null, c: "3" })).toBe('{ /* all */\n\n"c": "3", // two\n}');
});

test("handles PHP", () => {
  const file = `<?php\nreturn [\n    'a' => '1'\n  , 'b' => '2'\n];\n`;
  const after = `<?php\nreturn [\n    'a' => '1'\n  , 'b' => '2'\n  , 'c' => '3'\n];\n`;
  expect(edited(laravelPhp, file, { c: "3" })).toBe(after);
  expect(edited(laravelPhp, after, { c: null })).toBe(file);
});
