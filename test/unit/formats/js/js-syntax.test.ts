/** Names and quotes of new members of JavaScript modules, as the module has them. */
import { expect, test } from "vitest";
import { moduleSyntax } from "../../../../src/formats/js/js-syntax.ts";

const nameIn = (text: string, name: string, beside: readonly string[] = []): string =>
  moduleSyntax.styleOf(text).head(name, beside);

test.each(["a", "_a", "$a", "é", "a1", "a$b", "a_b", "a\u200cb", "ab\u200d", "été"])(
  "the name %j needs no quotes",
  (name) => {
    expect(nameIn("{ x: 'y' }", name)).toBe(`${name}: `);
    expect(nameIn("{ 'x': 'y' }", name)).toBe(`'${name}': `);
  },
);

test.each(["", "a-b", "1a", "a b", "a.b", "-a", "\u200ca", "a!", "0", "12"])(
  "the name %j is quoted",
  (name) => {
    expect(nameIn("{ x: 'y' }", name)).toBe(`'${name}': `);
  },
);

test.each([
  ["0", true],
  ["12", true],
  ["123456789012345", true],
  // More digits than a number has, or written otherwise than JavaScript names it.
  ["1234567890123456", false],
  ["007", false],
  ["1.5", false],
])("the number %s beside numbers is bare: %s", (name, isBare) => {
  expect(nameIn("{ 1: 'y' }", name, ["1: "])).toBe(isBare ? `${name}: ` : `'${name}': `);
});

test.each([
  ["{ 'a': 'x' }", true],
  ["{\n\t'_a' : 'x'\n}", true],
  ["{\n  \"$a1\": 'x'\n}", true],
  ["{ a: 'x', 'b': 'y', 'c': 'z' }", true],
  ["{ a: 'x', 'b': 'y' }", false],
  ["{ 'a': 'x', b : 'y' }", false],
  ["{ 'a': 'x', _b: 'y', $c: 'z' }", false],
  ["{\n  'a': 'x',\n\tB2: 'y' }", false],
  // Names that need their quotes show nothing.
  ["{ a: 'x', 'b-c': 'y', 'd e': 'z' }", false],
  ["", false],
])("a module %j quotes its names: %s", (text, isQuoted) => {
  expect(nameIn(text, "k").replaceAll('"', "'")).toBe(isQuoted ? "'k': " : "k: ");
});

test.each([
  ['a: "x"', '"'],
  ["a: 'x'", "'"],
  ["a:'x'", "'"],
  ["a: `x`", "`"],
  ["f('x')", "'"],
  ["x='y'", "'"],
  ["['x']", "'"],
  ["[1, 'x']", "'"],
  ["a: 'x', b: \"y\"", '"'],
  ["a: 'x', b: `y`", "'"],
  ["a: 'x', b: `y`, c: `z`", "`"],
  ["a: \"x\", b: 'y', c: 'z'", "'"],
  // None is at the start of a value.
  ["it's: 1 'a' 'b'", '"'],
])("texts of a module with %s have the quote %s", (text, quote) => {
  expect(moduleSyntax.styleOf(text).value("v", null)).toBe(`${quote}v${quote}`);
});
