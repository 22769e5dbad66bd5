/** New members of objects and arrays, and plural forms, in the notation of the file around them. */
import { describe, expect, test } from "vitest";
import type { TextFormat } from "../../../../src/formats/format.ts";
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

  test("of a new file has its name also if all are numbers", () => {
    expect(JSON.parse(edited(jsonJs, "", { 0: "a", 1: "b" }))).toEqual({ 0: "a", 1: "b" });
    expect(edited(laravelPhp, "", { 0: "a", 1: "b" })).toContain("    '0' => 'a',\n    '1' => 'b',\n");
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

const lines = (members: string): string => `<?php return [\n${members}];\n`;

test.each<
  readonly [
    title: string,
    format: TextFormat,
    text: string,
    added: Record<string, string | null>,
    after: string,
  ]
>([
  [
    "inside has the line end of its place",
    jsonJs,
    '{\r\n  "z": "1",\n  "b": "2"\n}',
    { "c.d": "3" },
    '{\r\n  "z": "1",\n  "b": "2",\n  "c": {\n    "d": "3"\n  }\n}',
  ],
  [
    "is below all comments of an empty array",
    laravelPhp,
    lines("  'a' => [\n    // one\n    // two\n  ],\n"),
    { "a.b": "x" },
    lines("  'a' => [\n    // one\n    // two\n    'b' => 'x',\n  ],\n"),
  ],
  [
    "is above all comments of the first",
    jsonJs,
    '{\n  // one\n  // two\n  "b": "1",\n  "c": "2",\n  "d": "3"\n}',
    { a: "0" },
    '{\n  "a": "0",\n  // one\n  // two\n  "b": "1",\n  "c": "2",\n  "d": "3"\n}',
  ],
  [
    "is in the innermost group that its key names",
    jsonJs,
    '{ "a": { "b": { "c": { "d": "1" } } } }',
    { "a.b.e": "2", "a.b.c.f": "3" },
    '{ "a": { "b": { "c": { "d": "1", "f": "3" }, "e": "2" } } }',
  ],
  [
    "is in its group with a name of two words",
    jsonJs,
    '{ "n": { "x": "1" } }',
    { "n.a b": "2" },
    '{ "n": { "x": "1", "a b": "2" } }',
  ],
  [
    "has a name as a whole that has blanks, or nothing between dots",
    jsonJs,
    '{ "n": { "x": "1" } }',
    { "a b.c": "2", "d.": "3", "e\tf.g": "4" },
    '{ "n": { "x": "1" }, "a b.c": "2", "d.": "3", "e\\tf.g": "4" }',
  ],
  [
    "is a group where another name with a dot begins differently",
    jsonJs,
    '{ "a": { "b.c": "1", "d": "x" } }',
    { "a.e.f": "2" },
    '{ "a": { "b.c": "1", "d": "x", "e": {"f": "2"} } }',
  ],
  [
    "is on a line of its own in a group with lines, whatever the commas around it are",
    jsonJs,
    '{ "a": "1"\n, "b": {\n    "x": "1"\n  }\n}',
    { "b.y": "2" },
    '{ "a": "1"\n, "b": {\n    "x": "1",\n    "y": "2"\n  }\n}',
  ],
  [
    "has the quotes of the name before it",
    laravelPhp,
    lines("  \"a\" => 'x',\n  \"c\" => 'x',\n  'b' => 'y',\n"),
    { d: "z" },
    lines("  \"a\" => 'x',\n  \"c\" => 'x',\n  'b' => 'y',\n  'd' => 'z',\n"),
  ],
  [
    "inside has a comma at the end like those around it",
    laravelPhp,
    lines("  'n' => [\n    'a' => '1'\n  ],\n"),
    { "n.m.k": "2" },
    lines("  'n' => [\n    'a' => '1',\n    'm' => [\n      'k' => '2'\n    ]\n  ],\n"),
  ],
  [
    "of an empty array keeps its notation",
    laravelPhp,
    lines("  'a' => array(),\n"),
    { "a.b": "x" },
    lines("  'a' => array(\n    'b' => 'x',\n  ),\n"),
  ],
  [
    "is a list if the numbers are in order",
    jsonJs,
    '{\n  "a": "x"\n}',
    { "l.0": "y", "l.1": "z", "m.1": "y", "m.0": "z" },
    '{\n  "a": "x",\n  "l": [\n    "y",\n    "z"\n  ],\n  "m": {\n    "1": "y",\n    "0": "z"\n  }\n}',
  ],
  [
    "and its comment are removed with their array",
    laravelPhp,
    lines("  'a' => [\n    // about b\n    'b' => '1',\n  ],\n  'c' => '2',\n"),
    { "a.b": null },
    lines("  'c' => '2',\n"),
  ],
  [
    "is removed with its item, if only names follow",
    laravelPhp,
    lines("  ['k' => '1'],\n  'c' => '2',\n"),
    { "0.k": null },
    lines("  'c' => '2',\n"),
  ],
  [
    "is removed without an array that hides others",
    laravelPhp,
    lines("  'a' => ['x' => ['y' => '0']],\n  'a' => ['z' => '1'],\n"),
    { "a.z": null },
    lines("  'a' => ['x' => ['y' => '0']],\n  'a' => [],\n"),
  ],
])("a member %s", (_, format, text, added, after) => {
  expect(edited(format, text, added)).toBe(after);
});

test.each([
  ["// The user list", 2, [null, null]],
  ["// List of all users", 2, ["List of all users", null]],
  ["// all of them", 7, ["all of them", ...Array<null>(6).fill(null)]],
  ["// all of them", 8, Array<null>(8).fill(null)],
] as const)("%j above %i texts is a heading, or a description", (comment, count, descriptions) => {
  const members = Array.from({ length: count }, (_, index) => `  'a${index}' => 'x',\n`);
  const file = lines(`  ${comment}\n${members.join("")}\n  'z' => 'y',\n`);
  expect(laravelPhp.read(file, ENGLISH).entries.map(({ description }) => description)).toEqual([
    ...descriptions,
    null,
  ]);
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
