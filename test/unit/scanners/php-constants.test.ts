/** Keys in constants, enums, `match` and `sprintf` of PHP, in the same file. */
import { expect, test } from "vitest";
import { find, options } from "./marked.ts";

const CASES: readonly (readonly [title: string, source: string, keys: readonly string[]])[] = [
  [
    "the second class, in which the name is used first",
    "class A { function f() { __(self::K); __(B::K); } const L = 'x'; const K = 'a'; } class B { const K = 'b'; function g() { return fn() => __(self::K); } }",
    ["a", "b", "b"],
  ],
  [
    "match",
    "__(match ($x) { 1, 2 => 'a.b', 3 => $y ? 'a.c' : 'a.d', default => throw new E() })",
    ["a.b", "a.c", "a.d"],
  ],
  ["match in a text", "__('a.' . match (true) { $x => 'b', default => 'c' })", ["a.b", "a.c"]],
  ["match of what is not known", "__('a.' . match ($x) { 1 => f(), default => 'c' })", ["a.*", "a.c"]],
  [
    "a constant of the class",
    "class A { private const string K = 'a.b'; function f() { if ($x) { __(self::K); } } }",
    ["a.b"],
  ],
  [
    "a constant of another class",
    "class A { const K = 'a.b'; } class B { const K = 'a.c'; } __(A::K); __(\\App\\B::K)",
    ["a.b", "a.c"],
  ],
  ["a case of an enum", "enum S: string { case A = 'x'; case B = 'y'; } __('a.' . S::B->value)", ["a.y"]],
  [
    "what is not there",
    "class A { const K = 'a.b'; } __(A::L); __(self::K); __(C::K); __(A::class); __(static::K)",
    ["*", "*", "*", "*", "*"],
  ],
  [
    "constants of a trait and an interface, and with a type",
    "trait T { const K = 'a'; function f() { __(self::K); } } interface I { const ?string K = 'b'; } __(\\sprintf('%s.c', I::K))",
    ["a", "b.c"],
  ],
  [
    "sprintf",
    "__(sprintf('a.%s_x', $y)); __(sprintf('%s.b', $y)); __(\\sprintf($f, 'a'))",
    ["a.*_x", "*.b", "*"],
  ],
  [
    "sprintf of what is known",
    "__(sprintf('a.%2$s.%1$s', 'c', $x ? 'b' : 'd')); __(sprintf('100%% %s', 'x')); __(sprintf('a.%02d', 1)); __(sprintf('a.%5s', 'b'))",
    ["a.b.c", "a.d.c", "100% x", "a.*", "a.*"],
  ],
  [
    "the first of several constants, and a match in capitals",
    "class A { const K = 'a', L = 'b'; } __(A::K); __(MATCH (true) { default => 'c' })",
    ["a", "c"],
  ],
  ["itself", "class A { const K = self::L; const L = self::K; } __(A::K)", ["*"]],
];

test.each(CASES)("%s", (_, source, keys) => {
  const found = find("php", `<?php ${source};`, options(["laravel"]));
  expect(
    found.map(({ expression }) =>
      expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`,
    ),
  ).toEqual(keys);
});
