/** `laravel_php`: what PHP's own syntax allows is read, and an edit changes nothing else. */
import { describe, expect, test } from "vitest";
import { laravelPhp } from "../../../../src/core/formats/laravel-php.ts";
import { edit, edited, ENGLISH, entryOf, readAll } from "./editing.ts";

const php = (body: string): string => `<?php\n\nreturn [\n${body}\n];\n`;
const values = (body: string): Record<string, unknown> => Object.fromEntries(readAll(laravelPhp, php(body)));
const problems = (text: string): [string, string | undefined][] =>
  laravelPhp.read(text, ENGLISH).problems.map((problem) => [problem.code, problem.key]);

describe("reading", () => {
  test("single quotes know two escapes", () => {
    expect(values(String.raw`'a' => 'it\'s \\ \n $x',`)).toEqual({ a: String.raw`it's \ \n $x` });
  });

  test("double quotes know PHP's escapes", () => {
    const body = String.raw`"a" => "\n\t\\\$x\"\x41\101\u{1F389}\xc3\xa9\q'",`;
    expect(values(body)).toEqual({ a: "\n\t\\$x\"AA\u{1f389}é\\q'" });
  });

  test.each([
    ["nowdoc", "<<<'EOT'\nraw \\n $x\nEOT", "raw \\n $x"],
    ["heredoc with indentation", '<<<EOT\n    one \\"q\\"\n      two\\t.\n    EOT', 'one \\"q\\"\n  two\t.'],
    ["quoted heredoc", '<<<"EOT"\nx\nEOT', "x"],
    ["empty heredoc", "<<<EOT\nEOT", ""],
    ["a name that begins like the closing one", "<<<EOT\nEOTX\nEOT", "EOTX"],
    ["concatenation", "'one ' . \"two\"\n  . /* c */ 'three'", "one twothree"],
    ["a whole number", "42", "42"],
    ["an empty text", "''", ""],
  ])("%s", (_, literal, text) => {
    expect(values(`'a' => ${literal},`)).toEqual({ a: text });
  });

  test("nested arrays of both kinds, list indexes, dots in names", () => {
    const body =
      "'a' => array('b' => ['c' => 'x']), 'l' => ['p', 7 => 'q', 'r'], 'd.e' => ['f' => 'y'], -2 => 'n'";
    expect(values(body)).toEqual({
      "a.b.c": "x",
      "l.0": "p",
      "l.7": "q",
      "l.8": "r",
      "d.e.f": "y",
      "-2": "n",
    });
  });

  test("comments of every kind are passed over", () => {
    const body = "// 'x' => 'no',\n# 'y' => 'no',\n/* 'z' => 'no', */ 'a' /* k */ => // v\n 'yes' # end\n,";
    expect(values(body)).toEqual({ a: "yes" });
  });

  test("statements before the return are passed over", () => {
    const head = "declare(strict_types=1);\nnamespace App;\nuse A\\{B, C};\nif (true) { return_it(); }\n";
    const text = `<html><?php\n${head}$x = ['return' => [';']];\nfunction f() { return ['n' => 'no']; }\nreturn ['a' => 'x'];`;
    expect(readAll(laravelPhp, text)).toEqual([["a", "x"]]);
    expect(readAll(laravelPhp, "<?php namespace A { return ['a' => 'x']; }")).toEqual([["a", "x"]]);
    expect(readAll(laravelPhp, "<?PHP RETURN ['a' => 'x'] ?>")).toEqual([["a", "x"]]);
  });

  test("the last of duplicates counts, as in PHP, with all that is in it", () => {
    const body = "'a' => 'old', 'b' => ['x' => '1'], 'a' => 'new', 'b' => ['y' => '2'],";
    expect(values(body)).toEqual({ a: "new", "b.y": "2" });
    expect(problems(php(body))).toEqual([
      ["duplicate", "a"],
      ["duplicate", "b.x"],
    ]);
  });

  test.each([
    ["a call", "env('X', ['a,b' => 1])"],
    ["a constant", "Foo::BAR"],
    ["a ternary", "$x ? 'a' : 'b'"],
    ["an arrow function", "fn ($x) => 'y'"],
    ["a sum of arrays", "['x' => 'y'] + ['z' => 'w']"],
    ["a variable in quotes", '"hello $name"'],
    ["a variable in a heredoc", "<<<X\n{$name}\nX"],
    ["a constant in a concatenation", "'a' . B"],
    ["bytes that are no text", '"\\xff"'],
  ])("%s is told and not read", (_, expression) => {
    expect(values(`'a' => ${expression}, 'b' => 'x',`)).toEqual({ b: "x" });
    expect(problems(php(`'a' => ${expression}, 'b' => 'x',`))).toEqual([["expression", "a"]]);
  });

  test("names that are no text and spreads are told", () => {
    const text = php("Foo::BAR => 'x', ...$more, 'b' => 'y',");
    expect(readAll(laravelPhp, text)).toEqual([["b", "y"]]);
    expect(problems(text).map(([code]) => code)).toEqual(["expression", "expression"]);
  });

  test("a text that is known but not plain is read-only", () => {
    const text = php("'a' => 'x' . PHP_EOL,");
    expect(entryOf(laravelPhp, text, "a")).toMatchObject({ text: { value: "x\n" }, readOnly: "expression" });
    expect(edit(laravelPhp, text, { a: "y" }).refused).toEqual([
      { key: "a", context: null, reason: "expression" },
    ]);
  });

  test("spans: the name inside its quotes, the value with them", () => {
    const text = php("'a' => [\"b\" => 'x' . 'y'],");
    const entry = entryOf(laravelPhp, text, "a.b");
    expect(text.slice(entry?.keySpan.start, entry?.keySpan.end)).toBe("b");
    expect(text.slice(entry?.valueSpan.start, entry?.valueSpan.end)).toBe("'x' . 'y'");
  });

  test.each([
    ["nothing", ""],
    ["no PHP", "return ['a' => 'b'];"],
    ["no return", "<?php $a = ['a' => 'b'];"],
    ["not closed", "<?php return ['a' => 'b',"],
    ["a string not closed", "<?php return ['a' => 'b"],
    ["a heredoc not closed", "<?php return ['a' => <<<X\nb"],
    ["a comment not closed", "<?php return ['a' => 'b' /* ];"],
    ["a missing comma", "<?php return ['a' => 'b' 'c' => 'd'];"],
    ["a missing value", "<?php return ['a' => , 'b' => 'c'];"],
    ["text after the array", "<?php return ['a' => 'b']]; x"],
    ["not an array", "<?php return 'x';"],
  ])("%s is a problem, never an exception, and never changed", (_, text) => {
    const { problems: found } = laravelPhp.read(text, ENGLISH);
    expect(found.some((problem) => problem.code === "syntax")).toBe(true);
    if (text !== "")
      expect(edit(laravelPhp, text, { a: "z", new: "y" })).toMatchObject({ text, splices: [] });
  });

  test.each([
    ["brackets", `<?php return ${"[".repeat(100_000)}`],
    ["closed brackets", `<?php return ${"[".repeat(50_000)}${"]".repeat(50_000)};`],
    ["heredocs", `<?php return [${"<<<A\n".repeat(100_000)}`],
    ["quotes", `<?php return [${"'a' => \"".repeat(100_000)}`],
    ["backslashes", `<?php return ["${"\\".repeat(200_001)}$x"];`],
    ["keywords", `<?php ${"namespace ".repeat(100_000)}`],
    ["comments", `<?php return [${"/* ".repeat(100_000)}`],
  ])("a hundred thousand %s take no time and no stack", (_, text) => {
    const start = performance.now();
    laravelPhp.read(text, ENGLISH);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test("names of Object's own members are names like any other", () => {
    const body = "'__proto__' => ['polluted' => 'x'], 'constructor' => 'y', 'toString' => 'z',";
    expect(readAll(laravelPhp, php(body))).toEqual([
      ["__proto__.polluted", "x"],
      ["constructor", "y"],
      ["toString", "z"],
    ]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("plural by pipes", () => {
  const text = php(
    "'a' => 'apple|apples', 'b' => 'a|b|c', 'c' => '{0} none|[1,*] some', 'd' => 'x', 'e' => '|',",
  );

  test("as many bare parts as the source locale has categories", () => {
    expect(Object.fromEntries(readAll(laravelPhp, text))).toEqual({
      a: { one: "apple", other: "apples" },
      b: "a|b|c",
      c: "{0} none|[1,*] some",
      d: "x",
      e: { one: "", other: "" },
    });
    const polish = { locale: "pl", sourceLocale: "pl" };
    expect(Object.fromEntries(readAll(laravelPhp, text, polish))["b"]).toEqual({
      one: "a",
      few: "b",
      many: "c",
    });
  });

  test("what the caller knows wins", () => {
    const isPlural = (key: string): boolean => key === "b" || key === "d" || key === "c";
    expect(Object.fromEntries(readAll(laravelPhp, text, { ...ENGLISH, isPlural }))).toEqual({
      a: "apple|apples",
      b: { zero: "a", one: "b", other: "c" },
      c: { one: "{0} none", other: "[1,*] some" },
      d: { other: "x" },
      e: "|",
    });
  });

  test("forms are written in the order of the file's locale", () => {
    const options = { locale: "pl", sourceLocale: "en", isPlural: () => true };
    const after = edited(
      laravelPhp,
      php("'a' => 'x|y|z',"),
      { a: { many: "3", one: "1", few: "2" } },
      options,
    );
    expect(after).toBe(php("'a' => '1|2|3',"));
    // The service may have all of CLDR's categories.
    const four = { one: "1", few: "2", many: "3", other: "4" };
    const with4 = edited(laravelPhp, php("'a' => 'x|y|z',"), { a: four }, options);
    expect(with4).toBe(php("'a' => '1|2|3|4',"));
    expect(Object.fromEntries(readAll(laravelPhp, with4, options))["a"]).toEqual(four);
    expect(edited(laravelPhp, php("'a' => 'x|y|z',"), { a: { one: "1", other: "9" } }, options)).toContain(
      "'1|9'",
    );
  });

  test("a form with a pipe in it cannot be written", () => {
    expect(edit(laravelPhp, text, { a: { one: "x|y", other: "z" } })).toMatchObject({
      text,
      refused: [{ key: "a", reason: "unsupported" }],
    });
  });
});

describe("replacing a value", () => {
  test.each([
    ["'a' => 'x',", String.raw`it's \n`, String.raw`'a' => 'it\'s \n',`],
    ["'a' => 'x', 'b' => 'A\\\\B',", String.raw`c:\d`, String.raw`'a' => 'c:\\d', 'b' => 'A\\B',`],
    ["'a' => 'x',", "end\\", "'a' => 'end\\\\',"],
    ["'a' => \"x\",", 'say "$5"\n\t\\', String.raw`'a' => "say \"\$5\"\n\t\\",`],
    ['"a" => "x\ny",', "p\nq", '"a" => "p\nq",'],
    ["'a' => <<<X\nold\nX\n,", "new", "'a' => 'new'\n,"],
    ["'a' => 'one' . \"two\",", "x", "'a' => 'x',"],
    ["'a' => 5,", "six", "'a' => 'six',"],
    ["'a' /* k */ => /* v */ 'x' /* e */, // c", "y", "'a' /* k */ => /* v */ 'y' /* e */, // c"],
  ])("%s", (before, value, after) => {
    expect(edited(laravelPhp, php(before), { a: value })).toBe(php(after));
  });

  test("the last of duplicates is the one that is edited", () => {
    expect(edited(laravelPhp, php("'a' => '1', 'a' => '2',"), { a: "3" })).toBe(
      php("'a' => '1', 'a' => '3',"),
    );
  });

  test("the same text leaves the bytes as they are", () => {
    const text = php('"a" => "\\x41" . \'b\',');
    expect(edit(laravelPhp, text, { a: "Ab" })).toEqual({ text, splices: [], refused: [] });
  });

  test("an expression is never written over", () => {
    const text = php("'a' => env('X'), 'b' => \"$y\", 'c' => ['d' => 'e'],");
    expect(edit(laravelPhp, text, { a: "x", b: "y", c: "z", "c.d.e": "w" })).toMatchObject({
      text,
      refused: [
        { key: "a", reason: "expression" },
        { key: "b", reason: "interpolation" },
        { key: "c", reason: "conflict" },
        { key: "c.d.e", reason: "conflict" },
      ],
    });
  });
});

describe("a new key", () => {
  test("goes after the last of its parent, in the neighbours' manner", () => {
    const text = php(
      '    \'z\' => \'x\',\n    \'auth\' => [\n        "b" => "1",\n        "a" => "2", // last\n    ],',
    );
    expect(edited(laravelPhp, text, { "auth.c": "it's", new: "n" })).toBe(
      php(
        '    \'z\' => \'x\',\n    \'auth\' => [\n        "b" => "1",\n        "a" => "2", // last\n        "c" => "it\'s",\n    ],\n    \'new\' => \'n\',',
      ),
    );
  });

  test("gets the comma that the last one lacks, before its comment", () => {
    const text = php("    'b' => '1',\n    'a' => '2' // last");
    expect(edited(laravelPhp, text, { c: "3" })).toBe(
      php("    'b' => '1',\n    'a' => '2', // last\n    'c' => '3'"),
    );
  });

  test("keeps a sorted array sorted", () => {
    const text = php("    // first\n    'b' => '1',\n    'd' => '2',\n    'f' => '3',");
    expect(edited(laravelPhp, text, { a: "0", g: "4", e: "y", c: "x" })).toBe(
      php(
        "    'a' => '0',\n    // first\n    'b' => '1',\n    'c' => 'x',\n    'd' => '2',\n    'e' => 'y',\n    'f' => '3',\n    'g' => '4',",
      ),
    );
  });

  test("keeps aligned arrows aligned", () => {
    const text = php("    'z'      => '1',\n    'longer' => '2',\n    'y'      => '3',");
    expect(edited(laravelPhp, text, { ab: "4", "much longer": "5" })).toContain(
      "    'ab'     => '4',\n    'much longer' => '5',",
    );
  });

  test("several share one new array, in the file's syntax", () => {
    const text = "<?php\r\nreturn array(\r\n\t'b' => 'x',\r\n\t'a' => 'y'\r\n);";
    expect(edited(laravelPhp, text, { "n.a": "1", "n.b.c": "2" })).toBe(
      "<?php\r\nreturn array(\r\n\t'b' => 'x',\r\n\t'a' => 'y',\r\n\t'n' => array(\r\n\t\t'a' => '1',\r\n\t\t'b' => array(\r\n\t\t\t'c' => '2'\r\n\t\t)\r\n\t)\r\n);",
    );
  });

  test.each([
    ["<?php return [];", "<?php return [\n    'a' => 'x',\n];"],
    ["<?php return [ ];\n", "<?php return [\n    'a' => 'x',\n];\n"],
    ["<?php return [\n    // none yet\n];\n", "<?php return [\n    // none yet\n    'a' => 'x',\n];\n"],
    ["<?php return ['b' => 'y'];", "<?php return ['b' => 'y', 'a' => 'x'];"],
    ["<?php return ['b' => 'y',];", "<?php return ['b' => 'y', 'a' => 'x',];"],
    ["<?php return [\n  'b' => 'y'];", "<?php return [\n  'b' => 'y',\n  'a' => 'x'];"],
    [
      "<?php return [\n  'b' => 'y', 'c' => 'z',\n];",
      "<?php return [\n  'b' => 'y', 'c' => 'z', 'a' => 'x',\n];",
    ],
    ["<?php return [\n  'z' => [],\n];", "<?php return [\n  'z' => [],\n  'a' => 'x',\n];"],
  ])("%j", (before, after) => {
    expect(edited(laravelPhp, before, { a: "x" })).toBe(after);
    // A comment directly above a key counts as its own.
    const blank = /\s|\/\/.*/g;
    expect(edited(laravelPhp, after, { a: null }).replaceAll(blank, "")).toBe(before.replaceAll(blank, ""));
  });

  test("fills an empty array", () => {
    expect(edited(laravelPhp, php("    'a' => [],"), { "a.b": "x" })).toBe(
      php("    'a' => [\n        'b' => 'x',\n    ],"),
    );
  });

  test("follows flat names, and goes on with a list", () => {
    expect(edited(laravelPhp, php("    'p.b' => '1',\n    'q' => '2',"), { "p.a": "3" })).toBe(
      php("    'p.b' => '1',\n    'p.a' => '3',\n    'q' => '2',"),
    );
    expect(edited(laravelPhp, php("    'l' => ['x', 'y'],"), { "l.2": "z" })).toBe(
      php("    'l' => ['x', 'y', 'z'],"),
    );
  });

  test("a sentence with a full stop is one name", () => {
    expect(edited(laravelPhp, php("    'a' => ['b' => 'x'],"), { "Not found. Sorry.": "y" })).toBe(
      php("    'a' => ['b' => 'x'],\n    'Not found. Sorry.' => 'y',"),
    );
  });
});

describe("removing a key", () => {
  test("takes its line, its comma and its own comment, and leaves no hole", () => {
    const text = php("    'a' => '1',\n\n    // about b\n    'b' => '2', // really\n\n    'c' => '3',");
    expect(edited(laravelPhp, text, { b: null })).toBe(php("    'a' => '1',\n\n    'c' => '3',"));
    expect(edited(laravelPhp, text, { c: null })).toBe(
      php("    'a' => '1',\n\n    // about b\n    'b' => '2', // really"),
    );
    expect(edited(laravelPhp, text, { a: null })).toBe(
      php("    // about b\n    'b' => '2', // really\n\n    'c' => '3',"),
    );
  });

  test("leaves a heading that others stand under, and takes it with the last of them", () => {
    const text = php("    // Users\n    'a' => '1',\n    'b' => '2',\n\n    // Roles\n    'c' => '3',");
    expect(edited(laravelPhp, text, { a: null })).toBe(
      php("    // Users\n    'b' => '2',\n\n    // Roles\n    'c' => '3',"),
    );
    expect(edited(laravelPhp, text, { a: null, b: null })).toBe(php("    // Roles\n    'c' => '3',"));
  });

  test("takes the comma of the one before where the last has none", () => {
    expect(edited(laravelPhp, php("    'a' => '1', // x\n    'b' => '2'"), { b: null })).toBe(
      php("    'a' => '1' // x"),
    );
  });

  test("takes the array that it was the last of", () => {
    const text = php("    'a' => '1',\n    'b' => [\n        'c' => ['d' => '2'],\n    ],");
    expect(edited(laravelPhp, text, { "b.c.d": null })).toBe(php("    'a' => '1',"));
  });

  test.each([
    ["['a' => '1', 'b' => '2', 'c' => '3']", ["b"], "['a' => '1', 'c' => '3']"],
    ["['a' => '1', 'b' => '2', 'c' => '3']", ["a"], "['b' => '2', 'c' => '3']"],
    ["['a' => '1', 'b' => '2', 'c' => '3']", ["c", "b"], "['a' => '1']"],
    ["['a' => '1', 'b' => '2',]", ["b"], "['a' => '1',]"],
    ["['a' => '1', /* b */ 'b' => '2']", ["a"], "[/* b */ 'b' => '2']"],
    ["['a' => '1', 'b' => '2']", ["a", "b"], "[]"],
  ])("%s without %j", (before, keys, after) => {
    const wanted = Object.fromEntries(keys.map((key) => [key, null]));
    expect(edited(laravelPhp, `<?php return ${before};`, wanted)).toBe(`<?php return ${after};`);
  });

  test("covers no duplicate up again", () => {
    expect(edited(laravelPhp, php("    'a' => '1',\n    'b' => 'x',\n    'a' => '2',"), { a: null })).toBe(
      php("    'b' => 'x',"),
    );
  });

  test("a list loses its last item only, since the others' places are their names", () => {
    const text = php("    'l' => ['x', 'y'],");
    expect(edited(laravelPhp, text, { "l.1": null })).toBe(php("    'l' => ['x'],"));
    expect(edit(laravelPhp, text, { "l.0": null })).toMatchObject({
      text,
      refused: [{ reason: "unsupported" }],
    });
    expect(edited(laravelPhp, text, { "l.0": null, "l.1": null })).toBe("<?php\n\nreturn [];\n");
  });

  test("a key that is not there is told", () => {
    expect(edit(laravelPhp, php("'a' => 'x',"), { b: null }).refused).toEqual([
      { key: "b", context: null, reason: "not_found" },
    ]);
  });
});

describe("a whole new file", () => {
  test("nests by dots, with a list where the names are one", () => {
    const entries = [
      ["title", "It's"],
      ["auth.failed", "No"],
      ["auth.deep.x", "Y"],
      ["list.0", "p"],
      ["list.1", "q"],
      ["A sentence. Two.", "z"],
    ].map(([key = "", value = ""]) => ({ key, context: null, text: { value } }));
    const printed = laravelPhp.print(
      [...entries, { key: "n", context: null, text: { forms: { other: "2", one: "1" } } }],
      ENGLISH,
    );
    expect(printed).toBe(
      "<?php\n\nreturn [\n    'title' => 'It\\'s',\n    'auth' => [\n        'failed' => 'No',\n        'deep' => [\n            'x' => 'Y',\n        ],\n    ],\n    'list' => [\n        'p',\n        'q',\n    ],\n    'A sentence. Two.' => 'z',\n    'n' => '1|2',\n];\n",
    );
  });

  test("without entries is an empty array", () => {
    expect(laravelPhp.print([], ENGLISH)).toBe("<?php\n\nreturn [];\n");
  });
});
