/** Keys in variables that a PHP function assigns to itself. */
import { expect, test } from "vitest";
import { find, options } from "./marked.ts";

const texts = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `a.${index}`);

function assigning(count: number): string {
  const values = texts(count).map((text) => `if ($x) $k = '${text}';`);
  return `function f${count}($x) { ${values.join(" ")} __($k); }`;
}

const CASES: readonly (readonly [title: string, source: string, keys: readonly string[]])[] = [
  [
    "the second variable and the second function",
    "function f() { $k = 'a'; $l = 'b'; __($k); __($l); } function g() { $k = 'c'; __($k); }",
    ["a", "b", "c"],
  ],
  [
    "other ways to change",
    "function f() { $k = 'a'; $k ??= g(); __($k); $l = 'b'; $l++; __($l); $m = 'c'; $m[0] = 'd'; __($m); $n = 'e'; f(...$n); __($n); }",
    ["*", "*", "*", "e"],
  ],
  [
    "closures that take over others",
    "function f() { $g = function ($x) use ($y): ?string { $k = 'a'; return __($k); }; $k = 'b'; return __($k); }",
    ["a", "b"],
  ],
  [
    "names that begin so, and several in the head of a loop",
    "function f($key) { $k = 'a.b'; __($k); } function g() { for ($k = 'a', $i = 0; $i < 1; $i++) { __($k); } }",
    ["a.b", "a"],
  ],
  [
    "an index of a list, and a list in one or in the head of a loop",
    "function f($x) { $k = 'a'; if ($x[$k] == 1) { $x[$k] = 2; $x['y'] [$k] = 3; } __($k); $l = 'b'; foreach ($x as [$l, $y]) { __($l); } $m = 'c'; [$y, [$m]] = $x; __($m); g([$n = 'd']); __($n); }",
    ["a", "*", "*", "d"],
  ],
  ["one assignment", "function f() { $k = 'a.b'; return __($k); }", ["a.b"]],
  [
    "every assignment of the function",
    "function f($x): string { $k = 'a.b'; if ($x) { $k = 'a.' . $x; } else { $k = $x ? 'c' : 'd'; } return __($k); }",
    ["a.b", "a.*", "c", "d"],
  ],
  [
    "a part of a key",
    "function f($x) { $k = match ($x) { 1 => 'b', default => 'c' }; return __('a.' . $k); }",
    ["a.b", "a.c"],
  ],
  [
    "a formatted text in a closure",
    "new F('x', static function (string $x): string { $k = sprintf('a.%s', $x); return trans($k); });",
    ["a.*"],
  ],
  [
    "a closure's own variable",
    "function f() { $k = 'a.b'; $g = function () { $k = 'a.c'; return __($k); }; return __($k); }",
    ["a.c", "a.b"],
  ],
  ["an assignment in a condition", "function f() { if (($k = 'a.b') && $x) { return __($k); } }", ["a.b"]],
  [
    "comparisons, reads and calls",
    "function f() { $k = 'a.b'; if ($k == 'x' || $k === $y && $k) { g($k, ['k' => $k]); } return __($k); }",
    ["a.b"],
  ],
  ["an unknown value", "function f() { $k = g(); return __($k); }", ["*"]],
  ["a parameter", "function f($k) { $k = $k ?: 'a.b'; return __($k); }", ["*"]],
  [
    "a variable that a closure takes over",
    "function f() { $k = 'a.b'; g(function () use ($k) { return __($k); }); }",
    ["*"],
  ],
  [
    "a parameter of an arrow function",
    "function f() { $k = 'a.b'; return array_map(fn ($k) => __($k), $x); }",
    ["*"],
  ],
  ["a loop", "function f($x) { $k = 'a.b'; foreach ($x as $y => $k) { __($k); } }", ["*"]],
  [
    "a part of a list",
    "function f($x) { $k = 'a.b'; [$k, $y] = $x; list($z) = $x; __($k); $z = 'a.c'; __($z); }",
    ["*", "*"],
  ],
  ["what a loop reads", "function f($x) { $k = 'a.b'; foreach ($k ?: $x as $y) {} __($k); }", ["a.b"]],
  ["20 assignments, and more", `${assigning(20)} ${assigning(21)}`, [...texts(20), "*"]],
  ["a reference", "function f($x) { $k = 'a.b'; g(function () use (&$k) {}); $z = &$k; __($k); }", ["*"]],
  ["a closure that takes over others", "g(FUNCTION () USE ($y) { $k = 'a.b'; __($k); });", ["a.b"]],
  ["a text that is added to", "function f($x) { $k = 'a.b'; $k .= $x; __($k); }", ["*"]],
  [
    "global and static variables",
    "function f() { global $k; static $z; $k = 'a'; $z = 'b'; __($k); __($z); }",
    ["*", "*"],
  ],
  ["a caught error", "function f() { $e = 'a'; try {} catch (E $e) { __($e); } }", ["*"]],
  ["no function", "$k = 'a.b'; __($k); class A { public $k = 'a'; }", ["*"]],
  ["itself", "function f() { $k = $z; $z = $k; return __($k); }", ["*"]],
  ["a property", "function f() { $this->k = 'a.b'; return __($this->k); }", ["*"]],
];

test.each(CASES)("%s", (_, source, keys) => {
  const found = find("php", `<?php ${source}`, options(["laravel"]));
  expect(
    found.map(({ expression }) =>
      expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`,
    ),
  ).toEqual(keys);
});
