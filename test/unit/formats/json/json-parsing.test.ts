/** JSON parsing: same results as `JSON.parse`, and positions of errors. */
import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { scanJson } from "../../../../src/formats/json/json-parser.ts";
import type { TreeNode } from "../../../../src/formats/object-tree/value-tree.ts";
import { edit, edited, ENGLISH, readAll } from "../editing.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { cpuTime } from "../../support/cpu-time.ts";
import { propertyRuns } from "../../support/full-run.ts";

/** What the tree says; numbers and booleans as they are written. */
function valueOf(text: string, node: TreeNode): unknown {
  if (node.kind === "text") return node.value;
  if (node.kind === "other") return JSON.parse(text.slice(node.start, node.end)) as unknown;
  if (text[node.start] === "[") return node.members.map((member) => valueOf(text, member.node));
  return Object.fromEntries(node.members.map((member) => [member.name, valueOf(text, member.node)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

describe("compared with JSON.parse", () => {
  test("reads the same for any object", () => {
    const key = fc.string({ unit: anyCharacter }).filter((name) => name !== "__proto__");
    const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 5 });
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.constantFrom(0, 1, "\t"), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const { root, isEditable, problems } = scanJson(text);
        expect(problems).toEqual([]);
        expect(isEditable).toBe(true);
        expect(root === null ? null : valueOf(text, root)).toEqual(JSON.parse(text));
      }),
      propertyRuns(300),
    );
  });

  test("accepts the same texts except comments and trailing commas", () => {
    const piece = fc.constantFrom(
      ...["{", "}", "[", "]", ":", ",", '"', '"a"', '"b":', "1", "-", "0", ".5", "e3", "true", "null", "nul"],
      ...[
        "\\",
        "\\u00e9",
        "\\x",
        " ",
        "\n",
        "\t",
        "\u0001",
        "'",
        "a",
        "\uFEFF",
        "\u00a0",
        '"a":{',
        "}}",
        "é",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, framed) => {
        const text = framed ? `{"a":${pieces.join("")}}` : pieces.join("");
        const { root, isEditable } = scanJson(text);
        const value = parsed(text);
        const isObject = typeof value === "object" && value !== null;
        if (isEditable && root !== null) expect(parsed(text.replaceAll(/,\s*(?=[}\]])/g, ""))).toBeDefined();
        else if (isObject && !Array.isArray(value)) expect([text, isEditable]).toEqual([text, true]);
      }),
      propertyRuns(3_000),
    );
  });
});

describe("syntax error", () => {
  test("is skipped with its quotes and brackets", () => {
    const read = (wrong: string) => readAll(jsonJs, `{ "a": ${wrong}, "b": "y" }`);
    for (const wrong of [
      "[x]",
      'x "\\"},]"',
      "it's\n",
      'x"},]"',
      "'},]'",
      "f(\"}\", ['{', 1])",
      'x /* }"] */',
      "[ { x: ']' } ] z",
    ])
      expect([wrong, read(wrong).find(([key]) => key === "b")]).toEqual([wrong, ["b", "y"]]);
  });

  test.each([
    ["", "", "no object"],
    [" \n", "", "no object"],
    ['"text"', '"text"', "no object"],
    ["12", "12", "no object"],
    ['["a"]', '["a"]', "no object"],
    ["{'a': \"x\"}", "'", "a name in double quotes is missing"],
    ['{a: "x"}', "a", "a name in double quotes is missing"],
    ["{\"a\": 'x'}", "'", "no JSON value"],
    ['{"a": 0x1F}', "0x1F", "no JSON value"],
    ['{"a": +1}', "+1", "no JSON value"],
    ['{"a": .5}', ".5", "no JSON value"],
    ['{"a": NaN}', "NaN", "no JSON value"],
    ['{"a": undefined}', "undefined", "no JSON value"],
    ['{"a": 01}', "01", "no JSON value"],
    ['{"a" "x"}', '"', "a colon is missing"],
    ['{"a": "x" "b": "y"}', '"', "a comma is missing"],
    ['{"a": "x",, "b": "y"}', ",", "a value is missing"],
    ['{"a": "x"]', "]", "a mismatched bracket"],
    ['{"a": "x"', "{", "no closing brace"],
    ['{"a": ["x"', "[", "no closing bracket"],
    ['{"a": "x\n"}', '"x', "a string is not closed on its line"],
    ['{"a": "x\r"}', '"x', "a string is not closed on its line"],
    ['{"a": "x', '"x', "a string is not closed"],
    ['{"a": "\\x"}', '"\\x"', "a string with an invalid escape or control character"],
    ['{"a": "\t"}', '"\t"', "a string with an invalid escape or control character"],
    ['{"a": "x"} b', "b", "text after the end"],
    ['{"a": "x"}{}', "{}", "text after the end"],
    ['\uFEFF{"a": "x"}', "\uFEFF", "no JSON value"],
    ['{"a":\u00a0"x"}', "\u00a0", "no JSON value"],
    ["nonsense", "nonsense", "no JSON value"],
  ])("%j: %j: %s", (text, at, message) => {
    const { problems } = jsonJs.read(text, ENGLISH);
    const [first] = problems;
    expect(first).toMatchObject({ code: "syntax", message });
    expect(text.slice(first?.span.start, first?.span.end)).toBe(at);
    if (text.trim() !== "")
      expect(edit(jsonJs, text, { n: "x", a: null })).toMatchObject({ text, splices: [] });
  });

  test("is the only problem of a text without an object, and none are values that are no text", () => {
    const codes = (text: string) => jsonJs.read(text, ENGLISH).problems.map(({ code }) => code);
    expect(["nonsense", '"text"', ""].map(codes)).toEqual([["syntax"], ["syntax"], ["syntax"]]);
    expect(codes('{"a": false, "b": true, "c": 1, "d": null}')).toEqual(["type", "type", "type"]);
  });

  test("leaves descriptions readable, but nothing of a file that is nested too deep", () => {
    expect(jsonJs.read('{\n  // about a\n  "a": "x",\n  b\n}', ENGLISH).entries).toMatchObject([
      { key: "a", description: "about a" },
    ]);
    expect(readAll(jsonJs, `{ "a": "x", "b": ${'{"c":'.repeat(100)}1${"}".repeat(101)}`)).toEqual([]);
  });

  test("leaves the rest readable", () => {
    const text = '{ "a": "1", b: "2", "c": tru, "d": "4" "e": "5", "f": { "g": "6" ], "h": "7"';
    expect(readAll(jsonJs, text).map(([key]) => key)).toEqual(["a", "d", "e", "f.g", "h"]);
  });

  test("is reported a limited number of times", () => {
    expect(jsonJs.read(`{${"a,".repeat(10_000)}`, ENGLISH).problems.length).toBe(50);
  });
});

describe("unusual content", () => {
  test("reads comments and trailing commas", () => {
    const text = '// head\n{ /* a */ "a": /* b */ "1" /* c */, // d\n  "l": ["x", /* e */], // f\n} // g';
    expect(readAll(jsonJs, text)).toEqual([
      ["a", "1"],
      ["l.0", "x"],
    ]);
    expect(edited(jsonJs, text, { a: "2", "l.1": "y", n: "z" })).toBe(
      '// head\n{ /* a */ "a": /* b */ "2" /* c */, // d\n  "l": ["x", "y", /* e */], // f\n  "n": "z",\n} // g',
    );
  });

  test("reads lone surrogates, NUL and names with quotes", () => {
    const text = '{ "a": "\\ud800 \\u0000", "\\"q\\"": "x", "\\u0061b": "y" }';
    expect(readAll(jsonJs, text)).toEqual([
      ["a", "\ud800 \u0000"],
      ['"q"', "x"],
      ["ab", "y"],
    ]);
    expect(edited(jsonJs, text, { a: "\udc00\u0000" })).toBe(text.replace("\\ud800 ", "\\udc00"));
    expect(edited(jsonJs, text, { ab: "z" })).toBe(text.replace('"y"', '"z"'));
  });

  test("reads a megabyte on one line", () => {
    const names = Array.from({ length: 22_000 }, (_, index) => `name${index}`);
    const text = JSON.stringify(
      Object.fromEntries(names.map((name) => [name, "some text of a usual length for one"])),
    );
    const start = cpuTime();
    expect(edited(jsonJs, text, { name700: "x", name19999: null, new: "y" }).length).toBeGreaterThan(900_000);
    expect(readAll(jsonJs, `{"a":"${"x".repeat(5_000_000)}"}`)[0]?.[1].length).toBe(5_000_000);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });

  test.each(["{", "[", '{"a":', "[[],", '"', '"a":', "//", "/*", "\\", "'", ",", '{"a":"b"},', "1"])(
    "reads a hundred thousand %j without deep recursion",
    (piece) => {
      const start = cpuTime();
      jsonJs.read(piece.repeat(100_000), ENGLISH);
      jsonJs.read(`{"x": ${piece.repeat(100_000)}`, ENGLISH);
      jsonJs.read(`{"x": "y", ${piece.repeat(100_000)}`, ENGLISH);
      expect(cpuTime() - start).toBeLessThan(5_000);
    },
  );
});

describe("damaged files", () => {
  const folder = resolve(import.meta.dirname, "../../../fixtures/translations");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .map((path) => readFileSync(resolve(folder, path), "utf8"));

  test("are reported, and edited only in intact parts", () => {
    const damage = fc.record({
      file: fc.nat({ max: files.length - 1 }),
      at: fc.nat({ max: 800 }),
      cut: fc.nat({ max: 3 }),
      put: fc.constantFrom(
        "",
        '"',
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\\",
        "/*",
        "//",
        "\n",
        "\0",
        "'",
        "\ud800",
      ),
      end: fc.option(fc.nat({ max: 800 })),
    });
    fc.assert(
      fc.property(damage, ({ file, at, cut, put, end }) => {
        const whole = files[file] ?? "";
        const text = (whole.slice(0, at) + put + whole.slice(at + cut)).slice(0, end ?? undefined);
        const { entries, problems } = jsonJs.read(text, ENGLISH);
        for (const { span } of problems) {
          expect(span.start >= 0 && span.start <= span.end && span.end <= text.length).toBe(true);
        }
        const changes = [
          { key: entries[0]?.key ?? "a", context: null, text: { value: "x" } },
          { key: "brand.new", context: null, text: { value: "y" } },
        ];
        const { text: after } = applyEdit(jsonJs, text, changes, ENGLISH);
        const isPlain = parsed(text) !== undefined;
        if (isPlain) expect(parsed(after)).toBeDefined();
      }),
      propertyRuns(250),
    );
  });
});

test.each([
  ["JSON", jsonJs, "", '{"a": ', "}"],
  ["PHP", laravelPhp, "<?php return ", "['a' => ", "];"],
] as const)(
  "%s of a hundred levels is read, of more it is reported where it is too deep, once",
  (_, format, start, open, end) => {
    const nested = (depth: number): string => open.repeat(depth) + '"x"' + (end[0] ?? "").repeat(depth);
    const whole = (text: string): string => start + text + end.slice(1);
    expect(format.read(whole(nested(100)), ENGLISH)).toMatchObject({
      entries: [{ text: { value: "x" } }],
      problems: [],
    });
    const twice = whole(`${open}${nested(100)}, "b"${open.slice(4, -1)}${nested(100)}${end[0]}`);
    const { entries, problems } = format.read(twice, ENGLISH);
    expect([entries, problems.filter(({ code }) => code === "syntax")]).toEqual([
      [],
      [
        {
          code: "syntax",
          message: "nested deeper than 100",
          span: { start: start.length + open.length * 100, end: start.length + open.length * 100 + 1 },
        },
      ],
    ]);
  },
);

test("a comment ends with its line, also in a file that has only carriage returns", () => {
  expect(readAll(jsonJs, '{ // c\r"a": "b", // d\r"e": "f" }')).toEqual([
    ["a", "b"],
    ["e", "f"],
  ]);
});
