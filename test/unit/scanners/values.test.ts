/** Which texts an expression can be, in each language: every branch, and of what is not known the ends that are. */
import { describe, expect, test } from "vitest";
import { find, options } from "./marked.ts";

/** Keys, and patterns with `*`, of all uses in the text. */
const said = (language: string, text: string): readonly string[] =>
  find(language, text, options()).map(({ used }) =>
    used.kind === "static" ? used.key : `${used.prefix}*${used.suffix}`,
  );

const javascript: readonly (readonly [expression: string, texts: readonly string[]])[] = [
  [`"a" + (x ? "b" : "c") + "d"`, ["abd", "acd"]],
  ["`a${x ? 'b' : `c${'d'}`}e`", ["abe", "acde"]],
  ["`${'a'}${y}${'b'}`", ["a*b"]],
  ["`${}`", ["*"]],
  ["`$a {b} \\${c}`", ["$a {b} ${c}"]],
  [`"a" + x + "b" + "c"`, ["a*bc"]],
  [`x + "a"`, ["*a"]],
  [`x + y`, ["*"]],
  [`"a" + 5`, ["a*"]],
  [`x ? "a" : y ? "b" : "c"`, ["a", "b", "c"]],
  [`x ? y ? "a" : "b" : "c"`, ["a", "b", "c"]],
  [`x ? "a" : y`, ["a", "*"]],
  [`x ? "a"`, ["*"]],
  [`x?.y ? "a" : "b"`, ["a", "b"]],
  [`x?.5 : "b"`, ["*", "b"]],
  [`x || "a" || ""`, ["*", "a"]],
  [`"a" ?? "b"`, ["a", "b"]],
  [`x && y && "a"`, ["a"]],
  [`x && ""`, [""]],
  [`x | "a"`, ["*"]],
  [`x & "a"`, ["*"]],
  [`x === "a" ? "b" : "c"`, ["b", "c"]],
  [`x === "a" || "b"`, ["*", "b"]],
  [`"a" as const`, ["a"]],
  [`"a" as A as B`, ["a"]],
  [`"a" + ("b" as B)`, ["ab"]],
  [`x.as`, ["*"]],
  [`"a" in x`, ["*"]],
  [`x = "a"`, ["*"]],
  [`() => "a"`, ["*"]],
  [`-"a"`, ["*"]],
  [`"a" - "b"`, ["*"]],
  [`"a" < "b"`, ["*"]],
  [`"a" / "b"`, ["*"]],
  [`"a"[0]`, ["*"]],
  [`"a".b`, ["*"]],
  [`f("a")`, ["*"]],
  [`["a", x, "b"]`, ["a", "*", "b"]],
  [`["a"].x`, ["*"]],
  [`("a", "b")`, ["*"]],
  [`(("a"))`, ["a"]],
  [`()`, []],
  [`"a"!`, ["a"]],
  [`<A>"a"`, ["a"]],
  ["tag`a`", ["*"]],
];

test.each(javascript)("in JavaScript t(%s)", (expression, texts) => {
  expect(said("typescript", `t(${expression})`)).toEqual(texts);
});

const php: readonly (readonly [expression: string, texts: readonly string[]])[] = [
  [`'a' . 'b'`, ["ab"]],
  [`'a' . $x . 'b'`, ["a*b"]],
  [`$x->y . 'a'`, ["*a"]],
  [`$x?->y . 'a'`, ["*a"]],
  [`A::B . 'a'`, ["*a"]],
  [`$x ? 'a' : 'b'`, ["a", "b"]],
  [`'a' ?: 'b'`, ["a", "b"]],
  [`$x ?? 'a'`, ["*", "a"]],
  [`$x ?: A::B`, ["*", "*"]],
  [`'a' . 1.5`, ["a*"]],
  [`'a' + 'b'`, ["*"]],
  [`$x .= 'a'`, ["*"]],
  [`['a', 'b']`, ["*"]],
  [`...$x`, ["*"]],
  [`...`, []],
  [`fn() => 'a'`, ["*"]],
  [`"a $x b"`, ["a * b"]],
  [`"a {$x['b']} c"`, ["a * c"]],
  [`"a $x[b] c"`, ["a * c"]],
  [`"a $x->b c"`, ["a * c"]],
  [`"\${x} c"`, ["* c"]],
  [`"$x"`, ["*"]],
  [String.raw`"a \$x \\$y b"`, ["a $x \\* b"]],
  [String.raw`"\101\x41\u{41}\e\v\f\q"`, ["AAA\u001b\v\f\\q"]],
  [String.raw`"\u{110000}"`, ["\ufffd"]],
  [String.raw`'\101\'\\\n'`, [String.raw`\101'\\n`]],
  ["<<<A\n  a\n   b\n  A", ["a\n b"]],
  ["<<<'A'\na $x \\n\nA", ["a $x \\n"]],
  ['<<<"A"\na $x b\nA', ["a * b"]],
  ["<<<A\nA", [""]],
  ["<<<A\r\n a\r\n A", ["a"]],
];

test.each(php)("in PHP __(%s)", (expression, texts) => {
  expect(said("php", `<?php __(${expression});`)).toEqual(texts);
});

const python: readonly (readonly [expression: string, texts: readonly string[]])[] = [
  [`"a" if x else "b"`, ["a", "b"]],
  [`"a" if x else "b" if y else "c"`, ["a", "b", "c"]],
  [`"a" if x`, ["a"]],
  [`x or "a" or ""`, ["*", "a"]],
  [`x and "a"`, ["a"]],
  [`not "a"`, ["*"]],
  [`"a" in x`, ["*"]],
  [`"a" is x`, ["*"]],
  [`lambda: "a"`, ["*"]],
  [`x for x in "a"`, ["*"]],
  [`await x`, ["*"]],
  [`"a" "b" 'c'`, ["abc"]],
  [`"a" f"b{x}" "c"`, ["ab*c"]],
  [`"a" x`, ["*"]],
  [`"a" + x + "b"`, ["a*b"]],
  [`"a" * 2`, ["*"]],
  [`("a" "b")`, ["ab"]],
  [`b"a"`, ["*"]],
  [`br"a"`, ["*"]],
  [`""`, [""]],
  [`""""""`, [""]],
  [`"""a"b"""`, ['a"b']],
  [`f"{x}"`, ["*"]],
  [`f"a{{b}}{x}c{y}d"`, ["a{b}*d"]],
  [String.raw`rf"\d{x}"`, [String.raw`\d*`]],
  [String.raw`"\U0001F600\u0041\x41\101\a\q"`, ["😀AAA\u0007\\q"]],
  [String.raw`"\UFFFFFFFF"`, ["\ufffd"]],
];

test.each(python)("in Python _(%s)", (expression, texts) => {
  expect(said("python", `_(${expression})`)).toEqual(texts);
});

describe("an expression of more than a person writes is not known", () => {
  const choices = (count: number): string => "${x ? 'a' : 'b'}".repeat(count);

  test("with more than 16 texts", () => {
    expect(said("javascript", `t(\`${choices(4)}\`)`)).toHaveLength(16);
    expect(said("javascript", `t(\`k${choices(5)}l\`)`)).toEqual(["k*l"]);
  });

  test("of more than 4,000 characters, and one of as many is", () => {
    expect(said("javascript", `t("${"a".repeat(3_998)}")`)).toEqual(["a".repeat(3_998)]);
    expect(said("javascript", `t("${"a".repeat(3_999)}")`)).toEqual(["*"]);
  });

  test("in more parentheses than there ever are, and in those of a person it is", () => {
    const nested = (depth: number): string => `t(${"(".repeat(depth)}"a"${")".repeat(depth)})`;
    expect(said("javascript", nested(10))).toEqual(["a"]);
    expect(said("javascript", nested(100))).toEqual(["*"]);
  });
});
