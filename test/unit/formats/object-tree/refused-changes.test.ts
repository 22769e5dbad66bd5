/** Of several changes to a file of nested texts those that it cannot have are refused, each with its reason; the others are made. */
import { beforeAll, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { TextFormat } from "../../../../src/formats/format.ts";
import { jsModule } from "../../../../src/formats/js/js-module-format.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { edit, ENGLISH, readAll, type TextInput } from "../editing.ts";

type Wanted = Readonly<Record<string, TextInput | null>>;

beforeAll(() => jsModule.prepare?.());

const php = (members: string): string => `<?php return [${members}];`;

test.each<
  readonly [
    title: string,
    format: TextFormat,
    text: string,
    wanted: Wanted,
    refused: readonly string[],
    after: string,
  ]
>([
  [
    "a member is removed that hides another with keys of its own",
    laravelPhp,
    php("'a' => ['x' => '1'], 'a' => 'y', 'c' => 'd'"),
    { a: null, c: "z" },
    ["a: conflict"],
    php("'a' => ['x' => '1'], 'a' => 'y', 'c' => 'z'"),
  ],
  [
    "the same in JSON",
    jsonJs,
    '{ "a": { "x": "1" }, "a": "y", "c": "d" }',
    { a: null, c: "z" },
    ["a: conflict"],
    '{ "a": { "x": "1" }, "a": "y", "c": "z" }',
  ],
  [
    "an item is removed whose number the next one continues",
    laravelPhp,
    php("7 => 'x', 'y', 'c' => 'd'"),
    { 7: null, c: "z" },
    ["7: unsupported"],
    php("7 => 'x', 'y', 'c' => 'z'"),
  ],
  [
    "items before one that stays",
    laravelPhp,
    php("'l' => ['x', 'y', 'z'], 'c' => 'd'"),
    { "l.1": null, "l.0": null, "l.2": "w", c: "e" },
    ["l.0: unsupported", "l.1: unsupported"],
    php("'l' => ['x', 'y', 'w'], 'c' => 'e'"),
  ],
  [
    "an item before one that stays, and the last one",
    laravelPhp,
    php("'l' => ['x', 'y', 'z', 'w'], 'c' => 'd'"),
    { "l.1": null, "l.3": null, c: "e" },
    ["l.1: unsupported"],
    php("'l' => ['x', 'y', 'z'], 'c' => 'e'"),
  ],
  [
    "the last items, and those that none is counted from",
    laravelPhp,
    php("'l' => ['x', 'y', 'z'], 7 => 'x', 'k' => 'y'"),
    { "l.1": null, "l.2": null, 7: null },
    [],
    php("'l' => ['x'], 'k' => 'y'"),
  ],
  [
    "the only text of an item in the middle, or at the end",
    laravelPhp,
    php("'l' => ['x', ['k' => '1'], 'z'], 'm' => ['x', ['k' => '1']]"),
    { "l.1.k": null, "m.1.k": null },
    [],
    php("'l' => ['x', [], 'z'], 'm' => ['x']"),
  ],
  [
    "no text",
    jsonJs,
    '{ "n": 1, "c": "d", "e": null, "f": {}, "g": { "h": "i" } }',
    { n: "2", f: "x", g: null, c: "z", e: "y" },
    ["f: conflict", "g: not_found", "n: unsupported"],
    '{ "n": 1, "c": "z", "e": "y", "f": {}, "g": { "h": "i" } }',
  ],
  [
    "forms in the place of a name that cannot get an ending",
    jsModule,
    "export default { 1: 'x', c: 'd' };",
    { 1: { one: "1", other: "2" }, c: "z" },
    ["1: unsupported"],
    "export default { 1: 'x', c: 'z' };",
  ],
  [
    "forms that are no categories",
    jsonJs,
    '{ "a": "x", "c": "d" }',
    { a: { "=0": "1", other: "2" }, n: { "=0": "1", other: "2" }, c: "z" },
    ["a: forms", "n: forms"],
    '{ "a": "x", "c": "z" }',
  ],
  [
    "the text of a group that another change adds",
    jsonJs,
    '{ "a": "x" }',
    { "e.f": "1", e: "2", "e.g": "3", a: "y" },
    ["e: conflict"],
    '{ "a": "y", "e": {"f": "1", "g": "3"} }',
  ],
  [
    "an item behind a gap, or with a name",
    jsonJs,
    '{ "l": ["x", "y"], "m": ["x"], "c": "d" }',
    { "l.3": "no", "l.k": "no", "m.1": "v", "m.2": "w", c: "z" },
    ["l.3: unsupported", "l.k: unsupported"],
    '{ "l": ["x", "y"], "m": ["x", "v", "w"], "c": "z" }',
  ],
  [
    "a form whose name is written with escapes where its end would change",
    jsonJs,
    String.raw`{ "a_\u006fne": "x", "a_other": "2", "c": "d" }`,
    { a: "v", c: "z" },
    ["a: unsupported"],
    String.raw`{ "a_\u006fne": "x", "a_other": "2", "c": "z" }`,
  ],
  [
    "what a module computes",
    jsModule,
    "export default { a: x, b: `${y}`, c: 'd', 'e-f': 1, g: f('h') };",
    { a: "1", b: "2", c: "z", "e-f": "3", g: null },
    ["a: expression", "b: interpolation", "e-f: unsupported", "g: expression"],
    "export default { a: x, b: `${y}`, c: 'z', 'e-f': 1, g: f('h') };",
  ],
  [
    "what PHP computes",
    laravelPhp,
    php(`'a' => __('x'), 'b' => "$y", 'c' => 'd', 'e' => TRUE, 'f' => null, 'g' => NULL, 'h' => NULLABLE`),
    { a: "1", b: "2", c: "z", e: "3", f: "4", g: "5", h: "6" },
    ["a: expression", "b: interpolation", "e: unsupported", "h: expression"],
    php(`'a' => __('x'), 'b' => "$y", 'c' => 'z', 'e' => TRUE, 'f' => '4', 'g' => '5', 'h' => NULLABLE`),
  ],
])("%s", (_, format, text, wanted, refused, after) => {
  const applied = edit(format, text, wanted);
  expect(applied.text).toBe(after);
  expect(applied.refused.map(({ key, reason }) => `${key}: ${reason}`).toSorted()).toEqual(refused);
});

test("a key that has a text beside its forms is reported there, and neither is changed", () => {
  const text = '{ "a": "x", "a_one": "1", "a_other": "2", "b": "y" }';
  const options = {
    locale: "en",
    sourceLocale: "en",
    isPlural: (key: string) => (key === "a" ? true : undefined),
  };
  const { entries, problems } = jsonJs.read(text, options);
  expect(entries.map(({ key, text: read }) => [key, read])).toEqual([
    ["a", { forms: { one: "1", other: "2" } }],
    ["b", { value: "y" }],
  ]);
  expect(problems).toEqual([
    { code: "duplicate", message: "the key also has plural forms", key: "a", span: { start: 2, end: 10 } },
  ]);
  expect(edit(jsonJs, text, { a: "q", b: "z" }, options)).toMatchObject({
    text: text.replace('"y"', '"z"'),
    refused: [{ key: "a", reason: "conflict" }],
  });
});

test("a change with a context is refused, the one without it is made", () => {
  const named = (context: string | null, value: string) => ({ key: "a", context, text: { value } });
  for (const changes of [
    [named("c", "y"), named("", "z")],
    [named(null, "z"), named("c", "y")],
  ]) {
    expect(applyEdit(jsonJs, '{ "a": "x" }', changes, ENGLISH)).toMatchObject({
      text: '{ "a": "z" }',
      refused: [{ key: "a", context: "c", reason: "unsupported" }],
    });
  }
});

test("problems are in the file's order", () => {
  const text = '{ "a": 1, "b": "x", "c": [1], "b": "y" }';
  expect(jsonJs.read(text, ENGLISH).problems.map(({ code, key }) => [code, key])).toEqual([
    ["type", "a"],
    ["duplicate", "b"],
    ["type", "c.0"],
  ]);
});

test("names that look like forms are none without those that their language needs", () => {
  const keys = (text: string, locale: string): readonly string[] =>
    jsonJs.read(text, { locale, sourceLocale: "en" }).entries.map(({ key }) => key);
  expect(keys('{ "a_one": "x", "a_two": "y" }', "nl")).toEqual(["a_one", "a_two"]);
  expect(keys('{ "a_one": "x", "a_other": "y" }', "nl")).toEqual(["a"]);
  expect(keys('{ "k_0": "{{count}}", "k_1": "x" }', "pl")).toEqual(["k_0", "k_1"]);
  expect(keys('{ "k_0": "{{count}}", "k_1": "x", "k_2": "y" }', "pl")).toEqual(["k"]);
  const withText = (text: string) => keys(`{ "k_0": "x", "k_1": "${text}", "k_2": "y" }`, "pl").length;
  expect(["{{- count}}", "{{ count, number }}"].map(withText)).toEqual([1, 1]);
  expect(["{{counts}}", "count"].map(withText)).toEqual([3, 3]);
  expect(keys('{ "a": 1, "a_plural": "x" }', "nl")).toEqual(["a_plural"]);
});

test("a message of ICU is one text where a format has pipes", () => {
  const text = php("'a' => '{n, plural, one {x} other {y}}'");
  const value = "{n, plural, one {x} other {y}}";
  const options = { ...ENGLISH, isPlural: () => true };
  expect(readAll(laravelPhp, text, options)).toEqual([["a", { other: value }]]);
  expect(edit(laravelPhp, text, { a: { one: "1", other: "2" } }, options).text).toBe(php("'a' => '1|2'"));
});
