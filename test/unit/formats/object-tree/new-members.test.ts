/** New members of objects and arrays, and plural forms, in the notation of the file around them. */
import { describe, expect, test } from "vitest";
import { jsonJs, laravelJson } from "../../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { edit, edited, ENGLISH, entryOf, readAll } from "../editing.ts";

const php = (...lines: readonly string[]): string =>
  `<?php\n\nreturn [\n${lines.map((line) => `    ${line},\n`).join("")}];\n`;

describe("a new member", () => {
  test("on one line is not preceded by a comment like another", () => {
    expect(edited(jsonJs, '{ "a": "1", /* c */ "b": "2" }', { c: "3" })).toBe(
      '{ "a": "1", /* c */ "b": "2", "c": "3" }',
    );
  });

  test("of an empty group is on its line if the file has only one", () => {
    expect(edited(jsonJs, '{"a": "x", "n": {}}', { "n.b": "y" })).toBe('{"a": "x", "n": {"b": "y"}}');
  });

  test("is indented like the file, not like an example", () => {
    const examples = [{ text: '{\n    "a": "x"\n}', bom: false, locale: "de" }];
    expect(edited(jsonJs, '{\n  "a": "x"\n}\n', { "n.b": "y" }, { ...ENGLISH, examples })).toBe(
      '{\n  "a": "x",\n  "n": {\n    "b": "y"\n  }\n}\n',
    );
  });

  test("has a flat name beside one with the same start, however many dots that has", () => {
    expect(edited(jsonJs, '{"a.b.c": "1", "n": {"m": "2"}}', { "a.x": "3" })).toBe(
      '{"a.b.c": "1", "a.x": "3", "n": {"m": "2"}}',
    );
  });

  test("of Laravel's JSON has the whole key as its name", () => {
    expect(edited(laravelJson, '{\n    "a": "x"\n}\n', { "b.c": "y" })).toBe(
      '{\n    "a": "x",\n    "b.c": "y"\n}\n',
    );
    expect(edit(laravelJson, '{"a": {"b": "x"}}', { a: "y" }).refused).toMatchObject([
      { reason: "conflict" },
    ]);
  });

  test("of PHP has the quotes of most, its number as a name among names, and its forms in one text", () => {
    expect(edited(laravelPhp, php("'a' => 'x'", "'b' => 'y'", "'c' => \"it's\""), { d: "z" })).toBe(
      php("'a' => 'x'", "'b' => 'y'", "'c' => \"it's\"", "'d' => 'z'"),
    );
    expect(edited(laravelPhp, php("'a' => 'x'", "'b' => 'y'"), { 2: "z" })).toBe(
      php("'a' => 'x'", "'b' => 'y'", "'2' => 'z'"),
    );
    expect(edited(laravelPhp, php("'a' => 'x'"), { n: { one: "1", other: "2" } })).toBe(
      php("'a' => 'x'", "'n' => '1|2'"),
    );
  });

  test("has the number of the file's first ICU plural", () => {
    const file = '{"a": "{n, plural, other {x}}", "b": "{m, plural, other {y}}"}';
    expect(edited(jsonJs, file, { c: { one: "1", other: "2" } })).toContain(
      '"c": "{n, plural, one {1} other {2}}"',
    );
  });
});

describe("plural forms", () => {
  test("are not written over a message that has other ones", () => {
    const file = '{"a": "{n, plural, lots {x} other {y}}"}';
    expect(edit(jsonJs, file, { a: { other: "z" } })).toMatchObject({
      text: file,
      refused: [{ key: "a", reason: "unsupported" }],
    });
  });

  test("are members if the only one looks like several in a text", () => {
    const options = { ...ENGLISH, isPlural: () => true };
    expect(edited(jsonJs, '{"a": "x"}', { a: { other: "b | c" } }, options)).toBe('{"a_other": "b | c"}');
  });

  test("have a name, and more than one number", () => {
    expect(readAll(jsonJs, '{"_one": "x", "_other": "y"}')).toEqual([
      ["_one", "x"],
      ["_other", "y"],
    ]);
    const japanese = { locale: "ja", sourceLocale: "en" };
    expect(readAll(jsonJs, '{"step_0": "{{count}} x"}', japanese)).toEqual([["step_0", "{{count}} x"]]);
  });

  test("are one entry from the first to the last, with what is said of each", () => {
    const file = '{\n  // many\n  "a_plural": "y",\n  // one\n  "a": "x"\n}';
    const entry = entryOf(jsonJs, file, "a");
    expect(file.slice(entry?.valueSpan.start, entry?.valueSpan.end)).toBe('"y",\n  // one\n  "a": "x"');
    expect(entry?.description?.split("\n").toSorted()).toEqual(["many", "one"]);
  });
});
