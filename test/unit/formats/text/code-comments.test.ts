/** Descriptions from comments; headings, commented-out entries and tool directives are ignored. */
import { describe, expect, test } from "vitest";
import { commentKind, commentLines, printComment } from "../../../../src/formats/text/code-comments.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import type { Change, TextFormat } from "../../../../src/formats/format.ts";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { edited, ENGLISH } from "../editing.ts";
import { expectLinearTime } from "../../support/linear-time.ts";

describe("comment text", () => {
  test.each([
    ["// about", ["about"]],
    ["//about", ["about"]],
    ["/// about", ["about"]],
    ["# about", ["about"]],
    ["/* about */", ["about"]],
    ["/** about */", ["about"]],
    ["/** about **/", ["about"]],
    ["//! about", ["about"]],
    ["// * about", ["* about"]],
    ["/**\n * one\n *   two\n *\n * three\n */", ["one", "two", "", "three"]],
    ["/*\r\n   one\r\n   * two\r\n*/", ["one", "two"]],
    ["/*\n | one\n | two\n */", ["one", "two"]],
    ["/* 2 * 3 */", ["2 * 3"]],
    ["/*\n *one* two\n */", ["*one* two"]],
    ["/* one\u2028two\u2029three */", ["one", "two", "three"]],
    ["// see https://example.com/#a // b", ["see https://example.com/#a // b"]],
    ["/* never closed", ["never closed"]],
    ["//", []],
    ["/**/", []],
    ["/*\n *\n */", []],
  ])("%j", (raw, lines) => {
    expect(commentLines(raw)).toEqual(lines);
  });
});

describe("comment kinds", () => {
  test.each([
    ["words", "// Shown on the button"],
    ["words", "// Global search placeholder"],
    ["words", "// Region of the user"],
    ["words", "// Copyright notice in the footer"],
    ["words", "// Note: {count} is the number, always"],
    ["words", "/* :name is the user's name (e.g. 'Ann') */"],
    ["words", "// Used for a => b arrows"],
    ["words", "# 404 page"],
    ["empty", "//"],
    ["empty", "/* */"],
    ["rule", "//////////"],
    ["rule", "# ----------"],
    ["heading", "// ==== Users ===="],
    ["heading", "/* -------\n Users\n ------- */"],
    ["heading", "/*\r Users\r ------- \r*/"],
    ["heading", "/*\n            Users\n            -------\n*/"],
    ["heading", "/**********\n * Users *\n **********/"],
    ["heading", "/*\n    |------------------\n    | Validation\n    |------------------\n    */"],
    ["entry", "// 'a' => 'b',"],
    ["entry", "//'a' => ['b'"],
    ["entry", '// "a": "b"'],
    ["entry", "// a: 'b',"],
    ["entry", "// a: {"],
    ["entry", "# 'a' => trans('x'),"],
    ["entry", "// ],"],
    ["entry", "/*\n 'a' => 'b',\n 'c' => 'd',\n */"],
    ["entry", "/*\n Old:\n 'a' => 'b',\n */"],
    ["directive", "// eslint-disable-next-line quotes"],
    ["directive", "/* eslint quotes: 0 */"],
    ["directive", "// prettier-ignore"],
    ["directive", "// @ts-expect-error"],
    ["directive", "// phpcs:ignore"],
    ["directive", "// cspell:disable-next-line"],
    ["directive", "/** @var string */"],
    ["directive", "// #region Users"],
    ["directive", "#region Users"],
    ["directive", "#endregion"],
    ["licence", "/*! Shop 1.0 */"],
    ["licence", "/** @license MIT */"],
    ["licence", "// SPDX-License-Identifier: MIT"],
    ["licence", "// Copyright 2024 Shop"],
    ["licence", "// (c) 2024 Shop"],
  ])("recognises %s: %j", (kind, raw) => {
    expect(commentKind(raw)).toBe(kind);
  });

  /** What each kind may begin with, and what is none of it. */
  const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
    directive: [
      ..."eslint-env tslint:disable oxlint-disable stylelint-disable".split(" "),
      ..."prettier-ignore biome-ignore oxfmt-ignore dprint-ignore vite-ignore @vite-ignore".split(" "),
      ..."deno-lint-ignore deno-fmt-ignore @ts-ignore cspell:word webpackChunkName: vim:".split(" "),
      ..."@phpstan-ignore @phpcs:disable @phpmd @phpcsSuppress @psalm-suppress @formatter:off".split(" "),
      ..."@codeCoverageIgnore @codeCoverageIgnoreStart @SuppressWarnings(PHPMD) @noinspection".split(" "),
      ..."@var @return @type @satisfies @extends @template @package @template-covariant".split(" "),
      ..."phpcs:ignore spellchecker:off spell-checker:off #region #endregion endregion".split(" "),
      ..."sourceMappingURL=a.js @__PURE__ #__PURE__ ESLint-disable @VAR".split(" "),
      ...["jshint esversion: 6", "jslint browser", "noinspection PhpUnused"],
      ...["istanbul ignore next", "c8 ignore next", "v8 ignore next"],
    ],
    licence: [
      ..."@licence @license @preserve SPDX-x".split(" "),
      ...["By us, copyright (c) us", "Copyright \u00a9 us", "COPYRIGHT 2024", "by us (C) 2024", "\u00a92024"],
      "Texts, licensed under MIT",
    ],
    rule: ["----", "====", "****", "####", "~~~~", "____", "++++", "////", "<-- ----", "| ----"],
    heading: ["---- Users", "Users ----\n----"],
    entry: [
      ...["'a': \"b\"", "`a`: 'b'", "'a' => `b`", "'a' => [", "'a': {", "'a' => (", "'a' => 5", "'a' => -5"],
      ...["'a' => trans(x", "'a' => true", "'a' => FALSE", "'a': null", "'a' => array", "'a':", "'a'=>'b'"],
      ...["'it\\'s' => 'x'", "'a\"' : 'x'"],
      ...["a => [", "a: (", "$a: {", "a-b: {", "404 => x", "a: `b`,", 'a: "b",', "a: t('x'),", "a:{"],
      ...["]", ")", "}", "};", "}],", "]) ".trim()],
    ],
    words: [
      ...[
        "--- Users",
        "lint of es",
        "ignore it",
        "@someone",
        "@variable",
        "regions",
        "my endregion",
        "copyright",
      ],
      ...["licensed to us", "licensedunder", "(c) us", "recopyright 2024", "preserve", "@licensed"],
      ...[
        "'a' and 'b'",
        "'a' => b c",
        "'a': nullable",
        "'a' => trues",
        "a: 'b'",
        "note: see (below)",
        "a, b: [",
      ],
      ...["'a\": 'b'", "]; and", "is 404 => x", "it's: (", "a: x [", "a => b(c)"],
    ],
  };

  test.each(Object.entries(BEGINNINGS))("%s may begin in many ways", (kind, beginnings) => {
    const kinds = (marked: (line: string) => string): unknown =>
      beginnings.map((line) => [line, commentKind(line.split("\n").map(marked).join("\n"))]);
    expect(kinds((line) => `// ${line}`)).toEqual(beginnings.map((line) => [line, kind]));
  });

  test.each(["'", "\\'", "a: ", "-", "* ", '"a": ', "| ", "//", "@"])(
    "handles a megabyte of %j in linear time",
    (piece) => {
      expectLinearTime((length) => {
        const long = piece.repeat(length / piece.length);
        for (const raw of [`// ${long}`, `/* ${long} */`, `/*\n * ${long}`]) {
          commentKind(raw);
          commentLines(raw);
        }
      }, 1_000_000);
    },
  );
});

test.each([
  ["//", "one\ntwo", ["// one", "// two"]],
  ["#", "one", ["# one"]],
  ["/*", "one", ["/* one */"]],
  ["/**", "one\r\n\r\ntwo", ["/**", " * one", " * two", " */"]],
  ["/*", "a */ b */", ["/* a * / b * / */"]],
  ["//", "a ?> b ?>", ["// a ? > b ? >"]],
  ["/*", " ", []],
  ["//", "a\u2028b", ["// a", "// b"]],
  ["//", " \n ", []],
] as const)("writes a comment in the style of %s: %j", (style, words, lines) => {
  expect(printComment(words, style, false)).toEqual(lines);
});

function descriptions(format: TextFormat, text: string): Record<string, string | null> {
  const { entries } = format.read(text, ENGLISH);
  return Object.fromEntries(entries.map(({ key, description }) => [key, description]));
}

const php = (body: string): string => `<?php\n\nreturn [\n${body}\n];\n`;

describe("PHP descriptions", () => {
  test("are above or after an entry", () => {
    const text = php(
      "    // above\n    'a' => '1',\n    'b' => '2', // behind\n    /** Doc\n     * block */\n    # and\n    'c' => '3', /* x */ // y\n    // far\n\n    'd' => '4',\n    'e' => '5' /* before */ , // after\n    'f' => '6'",
    );
    expect(descriptions(laravelPhp, text)).toEqual({
      a: "above",
      b: "behind",
      c: "Doc\nblock\nand\nx\ny",
      d: null,
      e: "before\nafter",
      f: null,
    });
  });

  test("are read on one line", () => {
    const text = "<?php return [/* a */ 'a' => '1', 'b' => '2' /* b */, /* c */ 'c' => '3' /* d */]; // e";
    expect(descriptions(laravelPhp, text)).toEqual({ a: "a", b: "b", c: "c\nd" });
  });

  test("exclude boxes, commented-out entries and linter directives", () => {
    const text = php(
      "    /*\n    |------------\n    | Box\n    |------------\n    */\n    'a' => '1',\n    // about x\n    // 'x' => '',\n    'b' => '2',\n    // 'y' => '',\n    // about c\n    // phpcs:ignore\n    'c' => '3', // @phpstan-ignore-line",
    );
    expect(descriptions(laravelPhp, text)).toEqual({ a: null, b: null, c: "about c" });
  });

  test("include what follows a box of lines", () => {
    const text = php(
      "    // -----\n    // Box\n    // -----\n    // about a\n    //\n    // and more\n    //\n    'a' => '1',\n    // Users\n    // -----\n    'b' => '2',\n    // ==== Roles ====\n    // about c\n    'c' => '3',",
    );
    expect(descriptions(laravelPhp, text)).toEqual({ a: "about a\n\nand more", b: null, c: "about c" });
  });

  test("exclude a comment above a group", () => {
    const text = php(
      "    // Users\n    'a' => '1',\n    'b' => '2',\n    // about c\n    'c' => '3',\n\n    // Roles\n    'd' => '4',\n\n    // Group\n    'g' => [\n        // about h\n        'h' => '5',\n        'i' => '6',\n    ],",
    );
    expect(descriptions(laravelPhp, text)).toEqual({
      a: null,
      b: null,
      c: "about c",
      d: null,
      "g.h": "about h",
      "g.i": null,
    });
  });

  test("exclude comments before `return`", () => {
    expect(
      descriptions(laravelPhp, "<?php\n/** The file. */\nreturn [ // open\n    'a' => '1',\n];"),
    ).toEqual({
      a: null,
    });
  });
});

test.each(["/**/", "// a\n", "/* a */\n", "\n\n", "'a' => 'b', // c\n", "/* a */ 'a' => 'b',", "// ----\n"])(
  "reads and edits ten thousand %j in linear time",
  (piece) => {
    expectLinearTime((count) => {
      const body = piece.repeat(count);
      for (const text of [`<?php return ['z' => 'y',\n${body}];`, `<?php return [${body}'z' => 'y'];`]) {
        laravelPhp.read(text, ENGLISH);
        const change = { key: "z", context: null };
        applyEdit(laravelPhp, text, [{ ...change, text: null }], ENGLISH);
        applyEdit(laravelPhp, text, [{ ...change, key: "n", text: { value: "x" } }], ENGLISH);
      }
    }, 10_000);
  },
);

describe("JSON descriptions", () => {
  test("are above or after an entry, or any form of a plural key", () => {
    const text =
      '{\n  // above\n  "a": "1",\n  "b": "2", // behind\n  "n_one": "3", // one\n  /* more */\n  "n_other": "4",\n  "u": "http://x#y"\n}\n';
    expect(descriptions(jsonJs, text)).toEqual({ a: "above", b: "behind", n: "one\nmore", u: null });
  });
});

describe("removing a key", () => {
  const remove = (format: TextFormat, text: string, key: string): string =>
    edited(format, text, { [key]: null });

  test("removes the key's own comments only", () => {
    const text = php(
      "    /*\n    |----\n    | Box\n    |----\n    */\n    'a' => '1', // about a\n\n    // 'old' => '',\n    // about b\n    /* too */\n    'b' => '2',\n    'c' => '3', // about c",
    );
    expect(remove(laravelPhp, text, "b")).toBe(
      php(
        "    /*\n    |----\n    | Box\n    |----\n    */\n    'a' => '1', // about a\n\n    // 'old' => '',\n    'c' => '3', // about c",
      ),
    );
    expect(remove(laravelPhp, text, "a")).toBe(
      php(
        "    /*\n    |----\n    | Box\n    |----\n    */\n\n    // 'old' => '',\n    // about b\n    /* too */\n    'b' => '2',\n    'c' => '3', // about c",
      ),
    );
  });

  test.each([
    ["['a' => '1', /* b */ 'b' => '2' /* c */]", "b", "['a' => '1']"],
    ["['a' => '1' /* a */, /* b */ 'b' => '2']", "a", "[/* b */ 'b' => '2']"],
    ["[/* a */ 'a' => '1', 'b' => '2']", "a", "['b' => '2']"],
    ["[\n'z' => '0', // z\n/* a */ 'a' => '1',\n]", "a", "[\n'z' => '0', // z\n]"],
    ["[\n'z' => '0',\n// ----\n'a' => '1']", "a", "[\n'z' => '0'\n// ----\n]"],
    ["[\n  // a\n  'a' => '1', 'b' => '2',\n]", "a", "[\n  'b' => '2',\n]"],
    ["[\n  'a' => '1', /* of\n  b */ 'b' => '2',\n]", "b", "[\n  'a' => '1',\n]"],
  ])("%j without %s", (before, key, after) => {
    expect(remove(laravelPhp, `<?php return ${before};`, key)).toBe(`<?php return ${after};`);
  });
});

describe("new key with a description", () => {
  const put = (format: TextFormat, text: string, key: string, description: string): string => {
    const change: Change = { key, context: null, text: { value: "x" }, description };
    const { text: after, refused } = applyEdit(format, text, [change], ENGLISH);
    expect(refused).toEqual([]);
    const back = applyEdit(format, after, [{ ...change, text: null }], ENGLISH);
    expect(back.text).toBe(text);
    return after;
  };

  test.each([
    ["    'z' => '1',", "    'z' => '1',\n    // about n\n    'n' => 'x',"],
    [
      "    /* phpcs:disable */\n    # z\n    'z' => '1',",
      "    /* phpcs:disable */\n    # z\n    'z' => '1',\n    # about n\n    'n' => 'x',",
    ],
    ["    # z\n    'z' => '1',", "    # z\n    'z' => '1',\n    # about n\n    'n' => 'x',"],
    ["    /** z */\n    'z' => '1',", "    /** z */\n    'z' => '1',\n    /** about n */\n    'n' => 'x',"],
  ])("has it in the file's style", (before, after) => {
    expect(put(laravelPhp, php(before), "n", "about n")).toBe(php(after));
  });

  test("has it in the style of a comment in an array", () => {
    const array = "    'z' => [\n        # about a\n        'a' => '1',\n    ],";
    expect(put(laravelPhp, php(array), "n", "about n")).toBe(php(`${array}\n    # about n\n    'n' => 'x',`));
  });

  test("has it on one line, in a new array, and in a new file", () => {
    expect(put(laravelPhp, "<?php return ['z' => '1'];", "n", "a\nb")).toBe(
      "<?php return ['z' => '1', /* a b */ 'n' => 'x'];",
    );
    expect(put(laravelPhp, php("    'z' => '1',"), "n.m", "m")).toBe(
      php("    'z' => '1',\n    'n' => [\n        // m\n        'm' => 'x',\n    ],"),
    );
    const entry = { key: "n", context: null, text: { value: "x" }, description: "about n" };
    expect(laravelPhp.print([entry], ENGLISH)).toBe(php("    // about n\n    'n' => 'x',"));
    expect(jsonJs.print([entry], ENGLISH)).toBe('{\n  "n": "x"\n}\n');
  });

  test("adds no comment to JSON without comments", () => {
    expect(put(jsonJs, '{\n  "z": "1"\n}\n', "n", "about")).toBe('{\n  "z": "1",\n  "n": "x"\n}\n');
    expect(put(jsonJs, '{\n  // z\n  "z": "1"\n}\n', "n", "about")).toBe(
      '{\n  // z\n  "z": "1",\n  // about\n  "n": "x"\n}\n',
    );
  });
});
