/** What of a file's layout an edit keeps or follows: lines, commas, comments and indentation that are not the file's usual ones. */
import { beforeAll, expect, test } from "vitest";
import type { TextFormat } from "../../../../src/formats/format.ts";
import { jsModule } from "../../../../src/formats/js/js-module-format.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { changedNames, edited, ENGLISH, type TextInput, textOf } from "../editing.ts";

beforeAll(() => jsModule.prepare?.());

const php = (members: string): string => `<?php return [\n${members}];\n`;

test.each<
  readonly [
    title: string,
    format: TextFormat,
    text: string,
    wanted: Readonly<Record<string, TextInput | null>>,
    after: string,
  ]
>([
  [
    "before all others, the line end of the bracket's line",
    jsonJs,
    '{\r\n  "b": "1",\n  "c": "2",\n  "d": "3"\n}',
    { a: "0" },
    '{\r\n  "a": "0",\r\n  "b": "1",\n  "c": "2",\n  "d": "3"\n}',
  ],
  [
    "at the end, the line end there",
    jsonJs,
    '{\r\n  "z": "1",\r\n  "b": "2"\n}',
    { c: "3" },
    '{\r\n  "z": "1",\r\n  "b": "2",\n  "c": "3"\n}',
  ],
  [
    "of commas before members, those of the first",
    jsonJs,
    '{ "z": "1"\n  , "b": "2"\n    , "c": "3"\n}',
    { d: "4" },
    '{ "z": "1"\n  , "b": "2"\n    , "c": "3"\n  , "d": "4"\n}',
  ],
  [
    "a comment of nobody, without the indentation of what followed it",
    laravelPhp,
    php("  'z' => '0',\n  // ----\n  'a' => '1'"),
    { a: null },
    php("  'z' => '0'\n  // ----\n"),
  ],
  [
    "a comment that the line of another entry begins",
    laravelPhp,
    php("  'a' => '1', /* of\n  a */\n  // about b\n  'b' => '2',\n"),
    { b: null },
    php("  'a' => '1', /* of\n  a */\n"),
  ],
  [
    "a licence",
    laravelPhp,
    php("  /*! Shop */\n  'a' => '1',\n  'b' => '2',\n"),
    { a: null },
    php("  /*! Shop */\n  'b' => '2',\n"),
  ],
  [
    "the comment of an array that is emptied",
    laravelPhp,
    php("  'a' => [\n    // 'old' => 'x',\n    'b' => '1',\n  ],\n  'c' => '2',\n"),
    { "a.b": null },
    php("  'a' => [\n    // 'old' => 'x',\n  ],\n  'c' => '2',\n"),
  ],
  [
    "the level of indentation, where the whole object is indented",
    jsModule,
    "  export default {\n      z: 'x',\n  }",
    { "b.c": "y" },
    "  export default {\n      z: 'x',\n      b: {\n          c: 'y',\n      },\n  }",
  ],
  [
    "the level of indentation, where the object is not indented further",
    jsModule,
    "  export default {\n  z: 'x',\n  }",
    { "b.c": "y" },
    "  export default {\n  z: 'x',\n  b: {\n    c: 'y',\n  },\n  }",
  ],
  [
    "the place among the entries that stay",
    jsonJs,
    '{\n  "z": "1",\n  "y": "2",\n  "x": "3",\n  "b_a": "4",\n  "q": "5"\n}',
    { z: null, y: null, b_c: "6" },
    '{\n  "x": "3",\n  "b_a": "4",\n  "b_c": "6",\n  "q": "5"\n}',
  ],
  [
    "the line ends of a file that has only carriage returns",
    jsonJs,
    '{\r  "a": {}\r}',
    { "a.b": "x", c: "y" },
    '{\r  "a": {\r    "b": "x"\r  },\r  "c": "y"\r}',
  ],
  [
    "an array whose only entry another one replaces",
    jsonJs,
    '{\n  "a": {\n    "b": "1"\n  },\n  "d": "3"\n}',
    { "a.b": null, "a.e": "4" },
    '{\n  "a": {\n    "e": "4"\n  },\n  "d": "3"\n}',
  ],
  [
    "nothing of an array that another of its name overrides, if all goes",
    laravelPhp,
    php("  'a' => ['x' => '1'],\n  'a' => ['x' => '2'],\n  'c' => '3',\n"),
    { "a.x": null },
    php("  'c' => '3',\n"),
  ],
  [
    "the names that other changes of the same edit free",
    jsonJs,
    '{ "k_one": "1", "k_other": "2", "b": "3" }',
    { k: "x", k_one: "y", b: { one: "z", other: "w" }, "b.c": "v" },
    '{ "k": "x", "k_one": "y", "b_one": "z", "b_other": "w", "b": {"c": "v"} }',
  ],
  [
    "a text, where a new key would be below it",
    jsonJs,
    '{ "z": { "y": "1" } }',
    { "a.b": "1", "a.b.c": "2" },
    '{ "z": { "y": "1" }, "a": {"b": "1", "b.c": "2"} }',
  ],
  [
    "the numbers of a list, with one that does not continue it",
    laravelPhp,
    php("  'l' => ['x', 'y'],\n"),
    { "l.2": "z", "l.5": "w" },
    php("  'l' => ['x', 'y', 'z', '5' => 'w'],\n"),
  ],
  [
    "the column of arrows to the array itself",
    laravelPhp,
    php("  'z'      => '1',\n  'longer' => '2',\n"),
    { "n.a": "3" },
    php("  'z'      => '1',\n  'longer' => '2',\n  'n'      => [\n    'a' => '3',\n  ],\n"),
  ],
  [
    "names with dots where they are, though another branch cannot have them",
    jsonJs,
    '{ "a": { "One. Two.": "1" }, "b": { "c": "2" } }',
    { "a.Three. Four.": "3", "b.Three. Four.": "4" },
    '{ "a": { "One. Two.": "1", "Three. Four.": "3" }, "b": { "c": "2" }, "b.Three. Four.": "4" }',
  ],
  [
    "the indentation of texts, not of a comment",
    laravelPhp,
    "<?php\n/*\n * Shop\n */\nreturn [\n'a' => [\n\t'b' => 'c',\n],\n];",
    { "n.m": "x" },
    "<?php\n/*\n * Shop\n */\nreturn [\n'a' => [\n\t'b' => 'c',\n],\n'n' => [\n\t'm' => 'x',\n],\n];",
  ],
  [
    "comments before the end of the line, where a comma is missing",
    jsonJs,
    '{ "z": "1" /* one */ /* two */ }',
    { b: "2" },
    '{ "z": "1" /* one */ /* two */, "b": "2" }',
  ],
  [
    "commas before members without the blanks at the ends of lines",
    jsonJs,
    '{ "a": "1" \t\n  , "b": "2"\n}',
    { c: "3" },
    '{ "a": "1" \t\n  , "b": "2"\n  , "c": "3"\n}',
  ],
  [
    "its line, where not all commas are before members",
    jsonJs,
    '{ "a": "1"\n, "b": "2", "c": "3"\n}',
    { d: "4" },
    '{ "a": "1"\n, "b": "2", "c": "3", "d": "4"\n}',
  ],
  [
    "the blank between members beside a name with a colon",
    jsonJs,
    '{"a:b": "1"}',
    { c: "2" },
    '{"a:b": "1", "c": "2"}',
  ],
  [
    "one blank line below the bracket",
    jsonJs,
    '{\n\n  "b": "1",\n\n  "c": "2"\n}',
    { b: null },
    '{\n\n  "c": "2"\n}',
  ],
  [
    "one blank line above the bracket",
    jsonJs,
    '{\n  "b": "1",\n\n  "c": "2"\n\n}',
    { c: null },
    '{\n  "b": "1"\n\n}',
  ],
  [
    "no blank line at a bracket without one",
    jsonJs,
    '{\n  "b": "1",\n\n  "c": "2"\n}',
    { b: null },
    '{\n  "c": "2"\n}',
  ],
  [
    "no blank line above such a bracket",
    jsonJs,
    '{\n  "b": "1",\n\n  "c": "2"\n}',
    { c: null },
    '{\n  "b": "1"\n}',
  ],
  [
    "the blank lines before what is removed, not those after it",
    jsonJs,
    '{\n  "b": "1",\n \n\t\n  "c": "2",\n\n\n  "d": "3"\n}',
    { c: null },
    '{\n  "b": "1",\n \n\t\n  "d": "3"\n}',
  ],
  [
    "a line end that is a carriage return, behind a comment too",
    jsonJs,
    '{\r  "a": "1",\r  "b": "2", // two\r  "d": "3"\r}',
    { a: null, b: null },
    '{\r  "d": "3"\r}',
  ],
  [
    "i18next's newest names, where as many are of its former",
    jsonJs,
    '{ "k": "1", "k_plural": "2", "m_one": "3", "m_other": "4" }',
    { n: { one: "5", other: "6" } },
    '{ "k": "1", "k_plural": "2", "m_one": "3", "m_other": "4", "n_one": "5", "n_other": "6" }',
  ],
  [
    "the blank behind the bracket",
    jsonJs,
    '{ "b": "1", "c": "2", "d": "3" }',
    { a: "0" },
    '{ "a": "0", "b": "1", "c": "2", "d": "3" }',
  ],
  [
    "no blank at the end of a line",
    laravelPhp,
    php("  'b' => '2', 'c' => '3',\n  'd' => '4',\n"),
    { c: null },
    php("  'b' => '2',\n  'd' => '4',\n"),
  ],
  [
    "the items before those that are removed",
    laravelPhp,
    php("  'l' => ['x', 'y', 'z'],\n"),
    { "l.1": null, "l.2": null },
    php("  'l' => ['x'],\n"),
  ],
  [
    "the last of two arrays with a name, and adds to it",
    laravelPhp,
    php("  'a' => ['x' => '1'],\n  'a' => ['y' => '2'],\n"),
    { "a.z": "3" },
    php("  'a' => ['x' => '1'],\n  'a' => ['y' => '2', 'z' => '3'],\n"),
  ],
  [
    "quotes of names beside numbers",
    laravelPhp,
    php("  5 => 'x',\n"),
    { n: "y" },
    php("  5 => 'x',\n  'n' => 'y',\n"),
  ],
  [
    "a line of its own below commas before members",
    jsonJs,
    '{ "a": "1"\n, "b": { "x": "1", "y": "2" }\n}',
    { "b.z": "3" },
    '{ "a": "1"\n, "b": { "x": "1", "y": "2", "z": "3" }\n}',
  ],
  [
    "the bracket below a comment to the end of the line, though it was behind what is removed",
    laravelPhp,
    "<?php return [\n  'a' => '1', # one\n\n  // two\n  'b' => '2', 'c' => '3' ];\n",
    { b: null, c: null },
    "<?php return [\n  'a' => '1' # one\n ];\n",
  ],
  [
    "the bracket behind what takes the place of the last entry below such a comment",
    laravelPhp,
    "<?php return [\n  'a' => '1', // one\n  'b' => '2'];\n",
    { b: null, c: "3" },
    "<?php return [\n  'a' => '1', // one\n  'c' => '3'];\n",
  ],
  [
    "the bracket below such a comment, if what is added is before it",
    jsonJs,
    '{ "a": "1", "b": "2", // two\r\n  "c": "3" }',
    { c: null, bb: "4" },
    '{ "a": "1", "b": "2", "bb": "4" // two\r\n }',
  ],
  [
    "the bracket on the line of a comment that ends before it",
    jsonJs,
    '{\n  "a": "1", /* one */\n  "b": "2" }',
    { b: null },
    '{\n  "a": "1" /* one */ }',
  ],
])("an edit keeps %s", (_, format, text, wanted, after) => {
  expect(edited(format, text, wanted)).toBe(after);
});

test.each<readonly [title: string, format: TextFormat, text: string, descriptions: readonly unknown[]]>([
  [
    "between its paragraphs, an empty line",
    jsModule,
    "export default {\n  // The page.\n  //\n  // At the top.\n  a: 'x',\n}",
    ["The page.\n\nAt the top."],
  ],
  [
    "not a comment about the file",
    laravelPhp,
    php("  /*! Shop */\n  'a' => '1',\n  // Copyright 2024 Shop\n  'b' => '2',\n"),
    [null, null],
  ],
  [
    "not what the line before begins",
    laravelPhp,
    php("  'a' => '1', /* of\n  a */\n  // about b\n  'b' => '2',\n"),
    [null, "about b"],
  ],
  [
    "a sentence, however short, above several entries",
    laravelPhp,
    php("  // About a.\n  'a' => '1',\n  'b' => '2',\n\n  // About c.\n  'c' => '3',\n"),
    ["About a.", null, "About c."],
  ],
  [
    "that of one entry, though others follow after a blank line",
    laravelPhp,
    php("  // about a\n  'a' => '1',\n\n  'b' => '2',\n\n  // about c\n  'c' => '3',\n\n  'd' => '4',\n"),
    ["about a", null, "about c", null],
  ],
  [
    "not that of all entries below it, if half of the comments are above several",
    laravelPhp,
    php(
      "  // all of a\n  'a' => '1',\n  'b' => '2',\n\n  // all of c\n  'c' => '3',\n  'd' => '4',\n\n  // about e\n  'e' => '5',\n\n  // about f\n  'f' => '6',\n",
    ),
    [null, null, null, null, "about e", "about f"],
  ],
  [
    "not that of a long paragraph, though it is the only one",
    laravelPhp,
    php(
      "  // all of a\n" +
        Array.from("abcdefgh", (key) => `  '${key}' => '1',\n`).join("") +
        "\n  // about i\n  'i' => '2',\n",
    ),
    [...Array<null>(8).fill(null), "about i"],
  ],
  [
    "not below a line",
    laravelPhp,
    php("  'z' => '0',\n\n  // -----\n  // about a\n  'a' => '1',\n"),
    [null, null],
  ],
  [
    "a title above one entry, if no title is above several",
    laravelPhp,
    php("  // Save button\n  'a' => '1',\n\n  // Close button\n  'b' => '2',\n"),
    ["Save button", "Close button"],
  ],
  [
    "a title above the first of all entries",
    laravelPhp,
    php("  // Save button\n  'a' => '1',\n  'b' => '2',\n"),
    ["Save button", null],
  ],
  [
    "two lines, though the first could be a title",
    laravelPhp,
    php("  // Users\n  // of the shop\n  'a' => '1',\n  'b' => '2',\n\n  'c' => '3',\n"),
    ["Users\nof the shop", null, null],
  ],
  [
    "all comments behind the text on its line",
    laravelPhp,
    php("  'a' => '1', /* one *//* two */ // three\n  'b' => '2' /* four */, 'c' => '3', // five\n"),
    ["one\ntwo\nthree", "four", "five"],
  ],
  [
    "what is before the text on its line, not what is above that",
    laravelPhp,
    php("  // other\n  /* about a */ 'a' => '1', /*/ about b */ 'b' => '2',\n"),
    ["about a", "/ about b"],
  ],
  [
    "what is below a box",
    laravelPhp,
    php("  // -----\n  // Shop\n  // -----\n  // about a\n  'a' => '1',\n"),
    ["about a"],
  ],
  [
    "without comments for tools",
    laravelPhp,
    php("  // phpcs:ignore\n  // about a\n  // phpcs:enable\n  'a' => '1', // phpcs:ignore\n"),
    ["about a"],
  ],
  [
    "what ends with a colon, above several entries",
    laravelPhp,
    php("  // Users:\n  'a' => '1',\n  'b' => '2',\n\n  'c' => '3',\n"),
    ["Users:", null, null],
  ],
  [
    "not what is above a blank line",
    laravelPhp,
    php("  // shop\n\n  // about a\n  'a' => '1',\n"),
    ["about a"],
  ],
  [
    "not a heading in a box",
    laravelPhp,
    php("  /*\n   * ----\n   * Users\n   * ----\n   */\n  'a' => '1',\n"),
    [null],
  ],
  [
    "a title above one entry, if the next has its own",
    laravelPhp,
    php("  // Users\n  'a' => '1',\n  // about b\n  'b' => '2',\n\n  'c' => '3',\n"),
    ["Users", "about b", null],
  ],
  [
    "not a title above one entry, if another is above several",
    laravelPhp,
    php("  // Users\n  'a' => '1',\n  'b' => '2',\n\n  // Roles\n  'c' => '3',\n"),
    [null, null, null],
  ],
  [
    "once, though several forms have it",
    jsonJs,
    '{\n  // Files\n  "a_one": "1",\n  // Files\n  "a_other": "2"\n}',
    ["Files"],
  ],
])("a description is %s", (_, format, text, descriptions) => {
  expect(format.read(text, ENGLISH).entries.map(({ description }) => description)).toEqual(descriptions);
});

test.each<readonly [title: string, format: TextFormat, example: string, empty: string, filled: string]>([
  ["on one line", jsonJs, '{"z":"1","y":"2"}', "", '{"a":{"b":"x"},"c":"y"}'],
  ["on one line, with spaces between", jsonJs, '{"z": "1", "y": "2"}', "", '{"a": {"b": "x"}, "c": "y"}'],
  ["on one line, with spaces", jsonJs, '{ "z": "1" }', "", '{ "a": { "b": "x" }, "c": "y" }'],
  ["on lines", jsonJs, '{\n\t"z" : "1"\n}', "{}", '{\n\t"a" : {\n\t\t"b" : "x"\n\t},\n\t"c" : "y"\n}'],
  [
    "with its own line ends",
    jsonJs,
    '{\n\t"z": "1"\n}',
    "{}\r\n",
    '{\r\n\t"a": {\r\n\t\t"b": "x"\r\n\t},\r\n\t"c": "y"\r\n}\r\n',
  ],
  [
    "with those of the other, if it has none",
    jsModule,
    "export default {\r\n\tz: '1'\r\n}\r\n",
    "export default {};",
    "export default {\r\n\ta: {\r\n\t\tb: 'x'\r\n\t},\r\n\tc: 'y'\r\n};",
  ],
])("an empty file is filled like the first one that can be read: %s", (_, format, example, empty, filled) => {
  const other = example.replaceAll("\t", "        ");
  const broken = other.slice(0, other.lastIndexOf("}"));
  const examples = [broken, example].map((text) => ({ text, bom: false, locale: "nl" }));
  expect(edited(format, empty, { "a.b": "x", c: "y" }, { ...ENGLISH, examples })).toBe(filled);
});

test.each<readonly [format: TextFormat, before: string, after: string]>([
  [laravelPhp, "<?php\n\ndeclare(strict_types=1);\n\nreturn [\n    ", ",\n];\n"],
  [jsModule, "'use strict';\nmodule.exports = {\n  ", "\n}\n"],
  [jsModule, "export default {\n\t", ",\n} as const;\n"],
  [jsonJs, "{\n  ", "\n}"],
  [laravelPhp, "<?php\n\nreturn [\n    ", "\n];\n"],
  [laravelPhp, "<?php\n\nreturn array (\n    ", ",\n);\n"],
  [laravelPhp, "<?PHP\nDECLARE ( strict_types = 0 ) ;\nRETURN [\n    ", ",\n] ;\n"],
])("a new file has what surrounds the texts of another one: %#", (format, before, after) => {
  const member = { laravel_php: ["'a' => 'x'", "'b' => 'y'"], json_js: ['"a": "x"', '"b": "y"'] };
  const [there, added] = format.name in member ? member[format.name as "json_js"] : ["a: 'x'", "b: 'y'"];
  const examples = [{ text: before + there + after, bom: false, locale: "nl" }];
  const entry = { key: "b", context: null, text: { value: "y" } };
  expect(format.print([entry], { ...ENGLISH, examples })).toBe(before + added + after);
});

test("a new file has comments where its format has them, and not what follows the texts of another", () => {
  const entry = { key: "b", context: null, text: { value: "y" }, description: "about b" };
  const like = (text: string) => ({ ...ENGLISH, examples: [{ text, bom: false, locale: "nl" }] });
  expect(laravelPhp.print([entry], like("<?php return [\n  'a' => 'x',\n];\n"))).toBe(
    "<?php return [\n  // about b\n  'b' => 'y',\n];\n",
  );
  expect(jsonJs.print([entry], like('{\n  "a": "x"\n}\n// end\n'))).toBe('{\n  "b": "y"\n}\n');
  const plural = { ...entry, text: { forms: { one: "1", other: "2" } } };
  expect(jsModule.print([plural], ENGLISH)).toContain('// about b\n  b_one: "1",\n  b_other: "2",');
  const forms = { one: "1", few: "2", other: "3" };
  expect(laravelPhp.print([{ ...entry, text: { forms } }], ENGLISH)).toContain("'b' => '1|2|3'");
});

test("a plural key in a new file has today's names, where those of the others have none for its language", () => {
  const examples = [{ text: '{\n  "a": "x",\n  "a_plural": "y"\n}\n', bom: false, locale: "en" }];
  const entry = { key: "n", context: null, text: { forms: { one: "1", other: "9" } } };
  const names = (locale: string): readonly string[] =>
    Object.keys(JSON.parse(jsonJs.print([entry], { locale, sourceLocale: "en", examples })) as object);
  expect(names("cy")).toEqual(["n_one", "n_other"]);
  expect(names("sl")).toEqual(["n_0", "n_1"]);
});

test.each<
  readonly [title: string, format: TextFormat, text: string, key: string, added: TextInput, after: string]
>([
  [
    "in the style of the first one about a text",
    laravelPhp,
    php("  // phpcs:ignore\n  'z' => '0',\n  # about b\n  'b' => '1',\n  /* about a */\n  'a' => '2',\n"),
    "q",
    "x",
    "  /* about a */\n  'a' => '2',\n  # about q\n  'q' => 'x',\n",
  ],
  [
    "in the style of one in an array behind another",
    laravelPhp,
    php("  'a' => ['x' => '1'],\n  'b' => [\n    # about y\n    'y' => '2',\n  ],\n"),
    "q",
    "x",
    "  # about q\n  'q' => 'x',\n",
  ],
  [
    "on the line of the text",
    laravelPhp,
    "<?php return ['a' => 'x'];",
    "q",
    "y",
    ", /* about q */ 'q' => 'y']",
  ],
  [
    "above a text with forms",
    laravelPhp,
    php("  'a' => 'x',\n"),
    "q",
    { one: "1", other: "2" },
    "  // about q\n  'q' => '1|2',\n",
  ],
  [
    "above the first of several forms",
    jsonJs,
    '{\n  // c\n  "a": "x"\n}',
    "q",
    { one: "1", other: "2" },
    '  // about q\n  "q_one": "1",\n  "q_other": "2"\n}',
  ],
])("the description of a new text is a comment %s", (_, format, text, key, added, after) => {
  expect(changedNames(format, text, [[{ key }, added, "about q"]])).toContain(after);
});

test.each<readonly [examples: readonly string[], key: string, added: TextInput, file: string]>([
  [['{"a":"x"}', '{"b.c":"y"}'], "d.e", "1", '{"d.e":"1"}'],
  [["{}", '{\n\t"z": "1"\n}'], "a", "x", '{\n\t"a": "x"\n}'],
  [['{"a":"x"}', '{"b":"y","b_plural":"z"}'], "d", { one: "1", other: "2" }, '{"d":"1", "d_plural":"2"}'],
  [['{"z":"1","y":"2"}\n'], "a.b", "x", '{"a":{"b":"x"}}\n'],
  [['{ /* c */ "z": "1" }'], "a.b", "x", '{"a": {"b": "x"}}'],
])("a new file like %j has %s", (examples, key, added, file) => {
  const options = { ...ENGLISH, examples: examples.map((text) => ({ text, bom: false, locale: "en" })) };
  expect(jsonJs.print([{ key, context: null, text: textOf(added) }], options)).toBe(file);
});

test("a PHP text may be overwritten by an item with another key, but not by one that is added", () => {
  const readOnly = (members: string) =>
    laravelPhp.read(php(members), ENGLISH).entries.map((entry) => [entry.key, entry.readOnly]);
  expect(readOnly("'k' => 'a', $k => 'c', 'm' => 'd'")).toEqual([
    ["k", "expression"],
    ["m", null],
  ]);
  expect(readOnly("'n' => ['k' => 'a', 'l' => ['m' => 'b']], $k => 'c'")).toEqual([
    ["n.k", "expression"],
    ["n.l.m", "expression"],
  ]);
  expect(readOnly("'k' => 'a', -5 => 'c', 'b', 'm' => 'd'")).toEqual([
    ["k", null],
    ["-5", null],
    ["m", null],
  ]);
});
