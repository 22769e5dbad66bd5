/** `laravel_php`: minimal edits in the file's own style. */
import { describe, expect, test } from "vitest";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { edit, edited, ENGLISH } from "../editing.ts";

const php = (body: string): string => `<?php\n\nreturn [\n${body}\n];\n`;

describe("replacing a value", () => {
  test.each([
    ["'a' => 'x',", String.raw`it's \n`, String.raw`'a' => 'it\'s \n',`],
    ["'a' => 'x', 'b' => 'A\\\\B',", String.raw`c:\d`, String.raw`'a' => 'c:\\d', 'b' => 'A\\B',`],
    ["'a' => 'x',", "end\\", "'a' => 'end\\\\',"],
    ["'a' => \"x\",", 'say "$5"\n\t\\', String.raw`'a' => "say \"\$5\"\n\t\\",`],
    ['"a" => "x\ny",', "p\nq", '"a" => "p\nq",'],
    ['"a" => "x\r\ny",', "p\r\nq", '"a" => "p\r\nq",'],
    ["'a' => \"x\",", "\u0085", "'a' => \"\u0085\","],
    ["'a' => NULL,", "x", "'a' => 'x',"],
    ["'a' => 'x',", "r\u0004s", String.raw`'a' => 'r' . "\4" . 's',`],
    ["'a' => 'x', 'b' => 'p\u0004q',", "r\u0004s", "'a' => 'r\u0004s', 'b' => 'p\u0004q',"],
    ["'a' => 'p\u0004q',", "r\0s", "'a' => 'r\0s',"],
    [String.raw`'a' => "p" . "\0" . "q",`, "r\0s", String.raw`'a' => "r" . "\0" . "s",`],
    [String.raw`'a' => "\0" . 'q',`, "r\0s", String.raw`'a' => "r\0s",`],
    [String.raw`'a' => 'p' . "\0",`, "r\0s", String.raw`'a' => 'r' . "\0" . 's',`],
    [String.raw`'a' => 'p'.'q'."\0",`, "r\0s", String.raw`'a' => 'r' . "\0" . 's',`],
    [String.raw`'a' => "\4",`, "r\u0004s", String.raw`'a' => "r\4s",`],
    [
      String.raw`'a' => 'x', 'b' => "\0" . 'q',`,
      "r\0s",
      String.raw`'a' => 'r' . "\0" . 's', 'b' => "\0" . 'q',`,
    ],
    [String.raw`'a' => 'x', 'b' => 'q'."\0",`, "r\0s", String.raw`'a' => 'r' . "\0" . 's', 'b' => 'q'."\0",`],
    [String.raw`'a' => 'p' ."\0". 'q',`, "r\0s", String.raw`'a' => 'r' ."\0". 's',`],
    [String.raw`'a' => 'p'."\4".'q',`, "r\u0004s", String.raw`'a' => 'r'."\4".'s',`],
    [
      String.raw`'a' => 'x', 'b' => 'q'."\0".'r',`,
      "r\0s",
      String.raw`'a' => 'r'."\0".'s', 'b' => 'q'."\0".'r',`,
    ],
    [
      String.raw`'b' => 'x' . "\0" . 'y', 'a' => 'p'."\0".'q',`,
      "r\0s",
      String.raw`'b' => 'x' . "\0" . 'y', 'a' => 'r'."\0".'s',`,
    ],
    [`'b' => 'x\0y', 'a' => 'p'."\\0".'q',`, "r\0s", `'b' => 'x\0y', 'a' => 'r'."\\0".'s',`],
    ["'a' => <<<'X'\n\told\n\tX,", "new", "'a' => <<<'X'\n\tnew\n\tX,"],
    ["'a' => <<<'X'\r\nold\r\nX,", "new", "'a' => <<<'X'\r\nnew\r\nX,"],
    ["'a' => \"x\",", "\r\u001b\f\v", String.raw`'a' => "\r\e\f\v",`],
    ["'a' => <<< \"X\"\nold\nX,", "new", "'a' => <<< \"X\"\nnew\nX,"],
    ["'a' => <<<Ä\nold\nÄ,", "new", "'a' => <<<Ä\nnew\nÄ,"],
    [String.raw`'a' => 'x', 'b' => 'A\\',`, String.raw`C\D`, String.raw`'a' => 'C\D', 'b' => 'A\\',`],
    [String.raw`'a' => 'x', 'b' => 'A\\\'s',`, String.raw`C\D`, String.raw`'a' => 'C\D', 'b' => 'A\\\'s',`],
    ["'a' => <<<'X'\nold\nX,", "  X marks", "'a' => '  X marks',"],
    ["'a' => <<<X\nold\nX\n,", "new\n\n$x \\n", "'a' => <<<X\nnew\n\n\\$x \\\\n\nX\n,"],
    ["'a' => <<<'X'\n    old\n    X,", "new\n  $x\n", "'a' => <<<'X'\n    new\n      $x\n\n    X,"],
    ["'a' => <<<'X'\nold\nX,", "X marks\nit", "'a' => 'X marks\nit',"],
    ["'a' => <<<X\nold\nX,", "", "'a' => <<<X\n\nX,"],
    ["'a' => 'one' . \"two\",", "x", "'a' => 'x',"],
    ["'a' => 5,", "six", "'a' => 'six',"],
    ["'a' => 5,", "it's \\n", String.raw`'a' => 'it\'s \n',`],
    [String.raw`'a' => 'A\B', 'b' => 'A\\B',`, "C\\D", String.raw`'a' => 'C\D', 'b' => 'A\\B',`],
    [String.raw`'a' => "A\\B", 'b' => 'C\D',`, "E\\F", String.raw`'a' => "E\\F", 'b' => 'C\D',`],
    ["'a' => \"x\",", "\x007\x008\x00", String.raw`'a' => "\0007\08\0",`],
    ["'a' /* k */ => /* v */ 'x' /* e */, // c", "y", "'a' /* k */ => /* v */ 'y' /* e */, // c"],
  ])("%s", (before, value, after) => {
    expect(edited(laravelPhp, php(before), { a: value })).toBe(php(after));
  });

  test("edits the last of duplicates", () => {
    expect(edited(laravelPhp, php("'a' => '1', 'a' => '2',"), { a: "3" })).toBe(
      php("'a' => '1', 'a' => '3',"),
    );
  });

  test("changes nothing for an equal text", () => {
    const text = php('"a" => "\\x41" . \'b\',');
    expect(edit(laravelPhp, text, { a: "Ab" })).toEqual({ text, splices: [], refused: [] });
  });

  test("never overwrites an expression", () => {
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

describe("new key", () => {
  test("is added after the last sibling in their style", () => {
    const text = php(
      '    \'z\' => \'x\',\n    \'auth\' => [\n        "b" => "1",\n        "a" => "2", // last\n    ],',
    );
    expect(edited(laravelPhp, text, { "auth.c": "it's", new: "n" })).toBe(
      php(
        '    \'z\' => \'x\',\n    \'auth\' => [\n        "b" => "1",\n        "a" => "2", // last\n        "c" => "it\'s",\n    ],\n    \'new\' => \'n\',',
      ),
    );
  });

  test("adds the missing comma before a comment", () => {
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

  test("keeps arrows aligned", () => {
    const text = php("    'z'      => '1',\n    'longer' => '2',\n    'y'      => '3',");
    expect(edited(laravelPhp, text, { ab: "4", "much longer": "5" })).toContain(
      "    'ab'     => '4',\n    'much longer' => '5',",
    );
  });

  test("shares a new array in the file's notation", () => {
    const text = "<?php\r\nreturn array(\r\n\t'b' => 'x',\r\n\t'a' => 'y'\r\n);";
    expect(edited(laravelPhp, text, { "n.a": "1", "n.b.c": "2" })).toBe(
      "<?php\r\nreturn array(\r\n\t'b' => 'x',\r\n\t'a' => 'y',\r\n\t'n' => array(\r\n\t\t'a' => '1',\r\n\t\t'b' => array(\r\n\t\t\t'c' => '2'\r\n\t\t)\r\n\t)\r\n);",
    );
  });

  test("shares a new array in the case of the file's notation", () => {
    expect(edited(laravelPhp, "<?php return Array('b' => 'y');", { "n.a": "x" })).toBe(
      "<?php return Array('b' => 'y', 'n' => Array('a' => 'x'));",
    );
  });

  test.each([
    ["<?php return [];", "<?php return [\n    'a' => 'x',\n];"],
    ["<?php return [ ];\n", "<?php return [\n    'a' => 'x',\n];\n"],
    ["<?php return [\n    // none yet\n];\n", "<?php return [\n    // none yet\n    'a' => 'x',\n];\n"],
    ["<?php return ['b' => 'y'];", "<?php return ['b' => 'y', 'a' => 'x'];"],
    ["<?php return ['b' => 'y',];", "<?php return ['b' => 'y', 'a' => 'x',];"],
    ["<?php return ['b'=>'y'];", "<?php return ['b'=>'y', 'a'=>'x'];"],
    ["<?php return ['b' => 'y'] ?>\n", "<?php return ['b' => 'y', 'a' => 'x'] ?>\n"],
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

  test("does not become a heredoc like its sibling", () => {
    expect(edited(laravelPhp, php("    'b' => <<<X\ny\nX,"), { a: "x" })).toBe(
      php("    'b' => <<<X\ny\nX,\n    'a' => 'x',"),
    );
  });

  test("follows flat names and continues lists", () => {
    expect(edited(laravelPhp, php("    'p.b' => '1',\n    'q' => '2',"), { "p.a": "3" })).toBe(
      php("    'p.b' => '1',\n    'p.a' => '3',\n    'q' => '2',"),
    );
    expect(edited(laravelPhp, php("    'l' => ['x', 'y'],"), { "l.2": "z" })).toBe(
      php("    'l' => ['x', 'y', 'z'],"),
    );
  });

  test("is quoted like its siblings, also a number", () => {
    expect(edited(laravelPhp, php("    'a' => 'x',"), { 5: "y" })).toBe(
      php("    'a' => 'x',\n    '5' => 'y',"),
    );
    expect(edited(laravelPhp, php("    7 => 'x',"), { 9: "y" })).toBe(php("    7 => 'x',\n    9 => 'y',"));
  });

  test.each([
    ["-3 => 'x',", "-2", "-2 => 'y',"],
    ["'a'\n      => 'x',", "b", "'b' => 'y',"],
    ["'a' =>\n      'x',", "b", "'b' => 'y',"],
    ["'a' /* x */=>  'x',", "b", "'b'=>  'y',"],
    ["'aa'  =>   'x',", "b", "'b'   =>   'y',"],
    ["'aa'  => 'x',", "longer", "'longer' => 'y',"],
  ])("has the arrow of %j, if that is on the line of its name", (before, key, after) => {
    expect(edited(laravelPhp, php(`    ${before}`), { [key]: "y" })).toBe(php(`    ${before}\n    ${after}`));
  });

  test("does not split a sentence", () => {
    expect(edited(laravelPhp, php("    'a' => ['b' => 'x'],"), { "Not found. Sorry.": "y" })).toBe(
      php("    'a' => ['b' => 'x'],\n    'Not found. Sorry.' => 'y',"),
    );
  });
});

describe("removing a key", () => {
  test("removes its line, comma and comment", () => {
    const text = php("    'a' => '1',\n\n    // about b\n    'b' => '2', // really\n\n    'c' => '3',");
    expect(edited(laravelPhp, text, { b: null })).toBe(php("    'a' => '1',\n\n    'c' => '3',"));
    expect(edited(laravelPhp, text, { c: null })).toBe(
      php("    'a' => '1',\n\n    // about b\n    'b' => '2', // really"),
    );
    expect(edited(laravelPhp, text, { a: null })).toBe(
      php("    // about b\n    'b' => '2', // really\n\n    'c' => '3',"),
    );
  });

  test("keeps a heading until its last entry is removed", () => {
    const text = php("    // Users\n    'a' => '1',\n    'b' => '2',\n\n    // Roles\n    'c' => '3',");
    expect(edited(laravelPhp, text, { a: null })).toBe(
      php("    // Users\n    'b' => '2',\n\n    // Roles\n    'c' => '3',"),
    );
    expect(edited(laravelPhp, text, { a: null, b: null })).toBe(php("    // Roles\n    'c' => '3',"));
  });

  test("removes the previous comma if the last entry has none", () => {
    expect(edited(laravelPhp, php("    'a' => '1', // x\n    'b' => '2'"), { b: null })).toBe(
      php("    'a' => '1' // x"),
    );
  });

  test("removes an emptied array", () => {
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

  test("removes overridden duplicates too", () => {
    expect(edited(laravelPhp, php("    'a' => '1',\n    'b' => 'x',\n    'a' => '2',"), { a: null })).toBe(
      php("    'b' => 'x',"),
    );
  });

  test("removes only the last item of a list", () => {
    const text = php("    'l' => ['x', 'y'],");
    expect(edited(laravelPhp, text, { "l.1": null })).toBe(php("    'l' => ['x'],"));
    expect(edit(laravelPhp, text, { "l.0": null })).toMatchObject({
      text,
      refused: [{ reason: "unsupported" }],
    });
    expect(edited(laravelPhp, text, { "l.0": null, "l.1": null })).toBe("<?php\n\nreturn [];\n");
  });

  test("reports a missing key", () => {
    expect(edit(laravelPhp, php("'a' => 'x',"), { b: null }).refused).toEqual([
      { key: "b", context: null, reason: "not_found" },
    ]);
  });
});

describe("new file", () => {
  test("nests by dots, with lists", () => {
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

  test("has the line ends of another file, and what only that file contains is left out", () => {
    const text =
      "<?php\r\n// The cart\r\nif (!defined('APP')) { exit; }\r\n\r\nreturn [\r\n    'a' => 'b',\r\n];\r\n";
    const examples = [{ text, bom: false, locale: "nl" }];
    const entry = { key: "c", context: null, text: { value: "d" } };
    expect(laravelPhp.print([entry], { ...ENGLISH, examples })).toBe(
      "<?php\r\n\r\nreturn [\r\n    'c' => 'd',\r\n];\r\n",
    );
  });

  test("has nothing of what follows the texts of another file", () => {
    const examples = [{ text: "<?php\nreturn [\n  'a' => 'b',\n];\n// end\n", bom: false, locale: "nl" }];
    const entry = { key: "c", context: null, text: { value: "d" } };
    expect(laravelPhp.print([entry], { ...ENGLISH, examples })).toBe(
      "<?php\n\nreturn [\n  'c' => 'd',\n];\n",
    );
  });

  test("has the closing tag of another file", () => {
    const examples = [{ text: "<?php\nreturn [\n  'a' => 'b',\n];\n?>\n", bom: false, locale: "nl" }];
    const entry = { key: "c", context: null, text: { value: "d" } };
    expect(laravelPhp.print([entry], { ...ENGLISH, examples })).toBe(
      "<?php\nreturn [\n  'c' => 'd',\n];\n?>\n",
    );
  });

  test("has descriptions of texts with forms, too", () => {
    const entry = {
      key: "n",
      context: null,
      text: { forms: { one: "1", other: "2" } },
      description: "about n",
    };
    expect(laravelPhp.print([entry], ENGLISH)).toBe(
      "<?php\n\nreturn [\n    // about n\n    'n' => '1|2',\n];\n",
    );
  });

  test("is an empty array without entries", () => {
    expect(laravelPhp.print([], ENGLISH)).toBe("<?php\n\nreturn [];\n");
  });
});
