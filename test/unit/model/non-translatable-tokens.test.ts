/** Tokens of a text other than prose: placeholders, markup, numbered parts, and ICU syntax. */
import { expect, test } from "vitest";
import {
  blankOut,
  nonTranslatableSpans,
  markupTokens,
  splitPluralParts,
  pluralSeparatorSpans,
  placeholderTokens,
} from "../../../src/model/non-translatable-tokens.ts";

test.each<[string, readonly string[]]>([
  ["plain text, 50% of it", []],
  [":a {{ b }} {c} %s", [":a", "{{ b }}", "{c}", "%s"]],
  ["%{a} ${b} %cc% %<d>s <%= e %> __f__", ["%{a}", "${b}", "%cc%", "%<d>s", "<%= e %>", "__f__"]],
  ["$t(a.b) @:c.d @.lower:ee @:(f g) @h a@b.c", ["$t(a.b)", "@:c.d", "@.lower:ee", "@:(f g)", "@h", "a@b.c"]],
  ["https://a.b/c?d=e. www.f.g, x", ["https://a.b/c?d=e", "www.f.g"]],
  [String.raw`a\nb\tc\d`, [String.raw`\n`, String.raw`\t`]],
  ["{price:.2f} {0:N2} { $x } {'@'} {}", ["{price:.2f}", "{0:N2}", "{ $x }", "{'@'}", "{}"]],
  ["{when, date, short} b", ["{when, date, short}"]],
  [":a x:a y:b", [":a", ":a"]],
  ["%d 5% and 6%%", ["%d", "%", "%%"]],
  ["5% and 6%%", ["%", "%%"]],
])("finds the placeholders of %j", (text, written) => {
  // Parts of one may be found in it too.
  const outermost = placeholderTokens(text).filter(
    ({ start }, index, all) => !all.slice(0, index).some(({ end }) => end > start),
  );
  expect(outermost.map(({ text: each }) => each)).toEqual(written);
});

test("finds the placeholders between the delimiters of the project, and what they contain only once", () => {
  const found = (text: string): readonly string[] =>
    placeholderTokens(text, [
      { prefix: "((", suffix: "))" },
      { prefix: "|", suffix: "|" },
    ]).map(({ text: each }) => each);
  expect(found("Hi ((name)), ((:count, number)) of |total| {x}")).toEqual([
    "((name))",
    "((:count, number))",
    "|total|",
    "{x}",
  ]);
  expect(placeholderTokens("Hi ((name))")).toEqual([]);
  const [span] = nonTranslatableSpans("((count)) items", [{ prefix: "((", suffix: "))" }]);
  expect(span).toEqual({ start: 0, end: 9, isPositional: false });
});

test("a pipe separates plural forms, but not in a text with ICU's", () => {
  const pieces = (text: string): readonly string[] =>
    nonTranslatableSpans(text).map(({ start, end }) => text.slice(start, end));
  expect(pieces("apple | apples")).toEqual([" | "]);
  expect(pieces("{n, plural, one {a} other {b}} | c")).toEqual(["{n, plural, one {", "} other {", "}}"]);
});

test("the notation of an integer is part of it, its sign is not", () => {
  const id = (text: string) => placeholderTokens(text)[0]?.id;
  expect(["%i", "%u", "%5d"].map(id)).toEqual([id("%d"), id("%d"), id("%d")]);
  expect(new Set(["%d", "%x", "%X", "%o"].map(id)).size).toBe(4);
});

test("compares placeholders by name, and unnamed ones by order", () => {
  const parsedMessage = (text: string): unknown =>
    placeholderTokens(text).map(({ id, isCount, isPositional }) => [id, isCount, isPositional]);
  expect(parsedMessage("{{ a }} {{a}} { a } :a")).toEqual([
    ["{{a}}", false, false],
    ["{{a}}", false, false],
    ["{a}", false, false],
    [":a", false, false],
  ]);
  expect(parsedMessage("%s %2$s %(a)s %d")).toEqual([
    ["printf 1 s", false, true],
    ["printf =2 s", false, false],
    ["printf =a s", false, false],
    ["printf 2 d", true, true],
  ]);
  expect(parsedMessage("{count} :n {{number}} {value} :name")).toEqual([
    ["{count}", true, false],
    [":n", true, false],
    ["{{number}}", true, false],
    ["{value}", true, false],
    [":name", false, false],
  ]);
});

test.each<[string, readonly (readonly [id: string, text: string])[]]>([
  ["a < b > c <3", []],
  [
    "<b>x</b >",
    [
      ["<b>", "<b>"],
      ["</b>", "</b >"],
    ],
  ],
  [
    "<br/><br /><0/></1>",
    [
      ["<br>", "<br/>"],
      ["<br>", "<br />"],
      ["<0>", "<0/>"],
      ["</1>", "</1>"],
    ],
  ],
  ["<!-- <b> -->", [["<!-- <b> -->", "<!-- <b> -->"]]],
  ["<!-- <!-- <b> -->", [["<!-- <b> -->", "<!-- <b> -->"]]],
  ['<a  href="x"\n title="y">', [['<a href="x" title>', '<a  href="x"\n title="y">']]],
  ["<img alt='of :name' src=x>", [["<img :name alt src=x>", "<img alt='of :name' src=x>"]]],
  ["<a", []],
])("finds the markup of %j", (text, tokens) => {
  expect(markupTokens(text).map(({ id, text: written }) => [id.replaceAll(/ +/gu, " "), written])).toEqual(
    tokens,
  );
});

test.each<[string, readonly string[], readonly string[]]>([
  ["a", ["a"], [""]],
  ["a|b", ["a", "b"], ["", ""]],
  ["a | b", ["a", "b"], ["", ""]],
  ["{0} a|[1,19] b|[20,*] c", ["a", "b", "c"], ["{0}", "[1,19]", "[20,*]"]],
  ["a|{2}b", ["a", "b"], ["", "{2}"]],
  ["{1} a|b", ["a", "b"], ["{1}", ""]],
  ["]0,1[ a|[-1,*] b", ["a", "b"], ["]0,1[", "[-1,*]"]],
  ["a||b", ["a", "", "b"], ["", "", ""]],
  ["|a", ["", "a"], ["", ""]],
  ["[1] a|b {2}", ["[1] a", "b {2}"], ["", ""]],
])("splits %j", (text, parts, ranges) => {
  expect(splitPluralParts(text)).toEqual({ parts, ranges });
});

test("does not split a text without a pipe", () => {
  expect(pluralSeparatorSpans("{0} a")).toEqual([]);
  expect(pluralSeparatorSpans("{0} a|b").map(({ start, end }) => [start, end])).toEqual([
    [0, 4],
    [5, 6],
  ]);
});

test("blanks spans in any order without moving offsets", () => {
  expect(
    blankOut("abcdef", [
      { start: 4, end: 5 },
      { start: 1, end: 3 },
    ]),
  ).toBe("a  d f");
  expect(
    blankOut("abcdef", [
      { start: 1, end: 4 },
      { start: 2, end: 3 },
    ]),
  ).toBe("a   ef");
  expect(blankOut("abc", [])).toBe("abc");
});

test.each<[string, string]>([
  ["Hi :name, <b>you</b>", "Hi ·····, ···you····"],
  ["a|b :c", "a·b ··"],
  [
    "a {n, plural, one {# file|s} other {:a files}} in {x}",
    "a ·················· file·s··········· files·· in ···",
  ],
  ["{n, select, other {# a}} b", "···················# a·· b"],
])("extracts the prose of %j", (text, prose) => {
  const fixed = nonTranslatableSpans(text);
  const shown = fixed.reduce(
    (rest, { start, end }) => rest.slice(0, start) + "·".repeat(end - start) + rest.slice(end),
    text,
  );
  expect(shown).toBe(prose);
});
