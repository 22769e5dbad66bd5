/** `laravel_php`: supported PHP syntax, and problems for everything else. */
import { describe, expect, test } from "vitest";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { edit, edited, ENGLISH, entryOf, readAll } from "../editing.ts";
import { cpuTime } from "../../support/cpu-time.ts";

const php = (body: string): string => `<?php\n\nreturn [\n${body}\n];\n`;
const values = (body: string): Record<string, unknown> => Object.fromEntries(readAll(laravelPhp, php(body)));
const problems = (text: string): [string, string | undefined][] =>
  laravelPhp.read(text, ENGLISH).problems.map((problem) => [problem.code, problem.key]);

describe("reading", () => {
  test("reads the two escapes of single quotes", () => {
    expect(values(String.raw`'a' => 'it\'s \\ \n $x',`)).toEqual({ a: String.raw`it's \ \n $x` });
  });

  test("reads the escapes of double quotes", () => {
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
    ["a negative zero", "-0", "0"],
    ["an octal number", "017", "15"],
    ["a number with separators", "1_000", "1000"],
    ["an octal number with its letter", "0o17", "15"],
    ["a hexadecimal number", "-0x1F", "-31"],
    ["a binary number", "0B101", "5"],
    ["a hexadecimal number in capitals", "0XfF", "255"],
    ["an octal number in capitals", "0O17", "15"],
    ["a long number with separators", "-1_000_000_000_000_000_000", "-1000000000000000000"],
    ["several zeros", "00", "0"],
    ["the largest whole number", "9223372036854775807", "9223372036854775807"],
    ["a fraction without a whole", ".5", "0.5"],
    ["a fraction without digits", "5.", "5"],
    ["a fraction with as many digits as are printed", "1.2345678901234", "1.2345678901234"],
    ["the smallest fraction without an exponent", "-0.0001", "-0.0001"],
    ["a fraction with separators", "1_000.5", "1000.5"],
    ["a fraction that is zero", "0.0", "0"],
    ["an empty text", "''", ""],
  ])("%s", (_, literal, text) => {
    expect(values(`'a' => ${literal},`)).toEqual({ a: text });
  });

  test.each(["'b' => 'y'} 'c' => 'z',", "} 'b' => 'y',", "'b' => 'y',\n},"])(
    "reads what is before a brace: %s",
    (damaged) => {
      const text = php(`'a' => 'x', ${damaged}`);
      expect(entryOf(laravelPhp, text, "a")).toMatchObject({ text: { value: "x" } });
      expect(problems(text)).toContainEqual(["syntax", undefined]);
    },
  );

  test("reads nested arrays of both notations, list indexes and dotted names", () => {
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

  test.each([
    ["'x', 5 => 'y', 'z', 3 => 'v', 'w'", ["0", "5", "6", "3", "7"]],
    ["'03' => 'x', 'y', '7' => 'v', 'w'", ["03", "0", "7", "8"]],
    ["'999999999999999' => 'x', 'y'", ["999999999999999", "1000000000000000"]],
    // Of these nobody can tell what PHP makes of the next.
    ["-5 => 'x', 'y'", ["-5"]],
    ["'9999999999999999' => 'x', 'y'", ["9999999999999999"]],
    ["0 => 'x', -5 => 'y', 'z'", ["0", "-5", "1"]],
    ["B => 'x', 'y'", []],
    ["...B, 'y'", []],
    ["PHP_EOL => 'x', 'y'", []],
    ["1.5 => 'x', 'y'", []],
  ])("numbers items without key from the largest: %s", (body, keys) => {
    expect(readAll(laravelPhp, php(`'l' => [${body}],`)).map(([key]) => key)).toEqual(
      keys.map((key) => `l.${key}`),
    );
  });

  test.each([
    "if ($x) { return ['a' => 'b']; }",
    "if ($x): return ['a' => 'b']; endif;",
    "foreach ($x as $y) return ['a' => 'b'];",
    "switch ($x) { case 1: return ['a' => 'b']; }",
    "for (;;): echo 1; return ['a' => 'b']; endfor;",
    "foreach ($x as $y): echo 1; return ['a' => 'b']; endforeach;",
    "switch ($x): case 1: echo 1; return ['a' => 'b']; endswitch;",
    "goto end; end:",
    "goto end; end: ;",
    "if (f($x)): echo 1; return ['a' => 'b']; endif;",
    "if (f(function () { return 1; }, $x)) { return ['a' => 'b']; }",
    "$f = function () { return 1; }; if ($f()) { return ['a' => 'b']; }",
    "while ($x): if ($y) { echo 1; } return ['a' => 'b']; endwhile;",
    "if ($x): else: return ['a' => 'b']; endif;",
    "if (f(function () { }, $x)) { return ['a' => 'b']; }",
    "if ($x) { abstract class A { abstract function g(); } if ($y) { return ['a' => 'b']; } }",
    "if ($x): if ($y): echo 1; endif; return ['a' => 'b']; endif;",
  ])("reports a computed return value: %s", (statement) => {
    const text = `<?php ${statement} return ['a' => 'c'];`;
    const { entries, problems: found } = laravelPhp.read(text, ENGLISH);
    expect([entries, found.map(({ code }) => code)]).toEqual([[], ["expression"]]);
    expect(edit(laravelPhp, text, { a: "z" })).toMatchObject({ text, splices: [] });
  });

  test.each([
    "if ($x) { return; }",
    "if ($x) { return ?> <?php }",
    "if ($x) { echo 1; } else { $y->return(); A::return(); }",
    "function f() { if (1) { return ['n' => 'no']; } return 2; }",
    "$f = function () use ($x) { return ['n' => 'no']; };",
    "class A { function f(): array { return []; } abstract function g(); }",
    "interface B { public function f(); } ",
    "if ($x): echo 1; elseif ($y): echo 2; else: echo 3; endif;",
    "while ($x): for (;;): foreach ($a as $b): switch ($c): endswitch; endforeach; endfor; endwhile;",
    "if ($x ? 1 : 2) { echo 'return'; }",
    "if ($x) { $return = ['n' => 'no']; }",
    "if ($x) echo 1; else echo 2;",
    "if ($x): echo 1; else: endif;",
    "if ($x): echo 1; elseif ($y): endif;",
    "$y = 1 ?> <?php",
    "$f = function () { $g = function () { return 1; }; return ['n' => 'no']; };",
    "declare(strict_types=1) { }",
    "// return ['n' => 'no']; ?> <?php",
  ])("skips what precedes the return: %s", (statement) => {
    expect(readAll(laravelPhp, `<?php ${statement} return ['a' => 'x'];`)).toEqual([["a", "x"]]);
  });

  test.each([
    "exit;",
    "die('x');",
    "throw new E();",
    "__halt_compiler();",
    "?> <?phpreturn ['n' => 'no'];",
    "?> <?",
  ])("finds no return after %s", (statement) => {
    expect(laravelPhp.read(`<?php ${statement} return ['a' => 'x'];`, ENGLISH)).toMatchObject({
      entries: [],
      problems: [{ code: "syntax" }],
    });
  });

  test("skips all kinds of comments", () => {
    const body = "// 'x' => 'no',\n# 'y' => 'no',\n/* 'z' => 'no', */ 'a' /* k */ => // v\n 'yes' # end\n,";
    expect(values(body)).toEqual({ a: "yes" });
  });

  test("reads texts in parentheses, concatenations and casts", () => {
    const body = "'a' => ('x'), 'b' => ( 'y' . ('z') ), 'c' => (string) 'w', 'd' => ((STRING)'v') . 'u',";
    expect(values(body)).toEqual({ a: "x", b: "yz", c: "w", d: "vu" });
  });

  test("skips statements before the return", () => {
    const head = "declare(strict_types=1);\nnamespace App;\nuse A\\{B, C};\nif (true) { return_it(); }\n";
    const text = `<html><?php\n${head}$x = ['return' => [';']];\nfunction f() { return ['n' => 'no']; }\nreturn ['a' => 'x'];`;
    expect(readAll(laravelPhp, text)).toEqual([["a", "x"]]);
    expect(readAll(laravelPhp, "<?php namespace A { return ['a' => 'x']; }")).toEqual([["a", "x"]]);
    expect(readAll(laravelPhp, "<?php declare(ticks=1) { return ['a' => 'x']; }")).toEqual([["a", "x"]]);
    expect(readAll(laravelPhp, "<?PHP RETURN ['a' => 'x'] ?>")).toEqual([["a", "x"]]);
  });

  test("uses the last of duplicates like PHP", () => {
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
    ["another constant of PHP's", "'a' . PHP_VERSION"],
    ["a function with a name as long as that of an array", "asset('x')"],
    ["a function whose name begins like that of an array", "array_pop($x)"],
    ["a name that is an array's, without brackets", "array"],
    ["a sum of texts and a number", "'a' + 5"],
    ["a text that is negated", "!'a'"],
    ["a conditional", "true ? 'a' : 'b'"],
    ["a fallback", "null ?? 'a'"],
    ["a name in a namespace that begins like a constant", "Null\\\\f('a')"],
    ["bytes that are no text", '"\\xff"'],
    ["a number behind a text", "'x' .5"],
    ["a number that ends with a separator", "1_"],
    ["a fraction that is a negative zero", "-0.0"],
    ["a whole number that is too large for one", "9223372036854775808"],
    ["a fraction with more digits than are printed", "1.2345678901234567"],
    ["a fraction that is printed with an exponent", "0.00001"],
    ["a variable in a text behind another", "'a' . \"$b\""],
    ["a variable in a text before another", "\"$b\" . 'a'"],
    ["a name that is a constant's in other letters", "'a' . Php_Eol"],
    ["a fraction with one digit more than is printed", "1.23456789012345"],
    ["a hundred brackets", `${"(".repeat(100)}'a'${")".repeat(100)}`],
    ["an exclusive or", "'a' xor 'b'"],
    ["a sum in brackets", "('a' + 'b')"],
  ])("reports %s", (_, expression) => {
    expect(values(`'a' => ${expression}, 'b' => 'x',`)).toEqual({ b: "x" });
    expect(problems(php(`'a' => ${expression}, 'b' => 'x',`))).toEqual([["expression", "a"]]);
  });

  test.each(["]", ")", "$x = [1]];", "f(1));"])("reports %s after the array, and never edits it", (rest) => {
    const text = `<?php return ['a' => 'x']; ${rest}`;
    expect(problems(text)).toEqual([["syntax", undefined]]);
    expect(edit(laravelPhp, text, { a: "y" })).toMatchObject({ text, refused: [{ reason: "syntax" }] });
    for (const other of ["$x = [f(1)];", `__halt_compiler(); ${rest}`])
      expect(edit(laravelPhp, text.slice(0, -rest.length) + other, { a: "y" }).refused).toEqual([]);
  });

  test("reads braces and dollar signs in single quotes as text", () => {
    expect(values("'a' => '{$x', 'b' => '${y', 'c' => '}',")).toEqual({ a: "{$x", b: "${y", c: "}" });
  });

  test("reports computed names and spreads", () => {
    const text = php("Foo::BAR => 'x', ...$more, 'b' => 'y', 'c' . PHP_EOL => 'z'");
    expect(readAll(laravelPhp, text)).toEqual([["b", "y"]]);
    expect(problems(text).map(([code]) => code)).toEqual(["expression", "expression", "expression"]);
    const found = laravelPhp.read(text, ENGLISH).problems;
    expect(found.map(({ message, span }) => [message, text.slice(span.start, span.end)])).toEqual([
      ["an item whose key is not known is not read", "Foo::BAR"],
      ["what is spread here is not read", "...$more"],
      ["an item whose key is not known is not read", "'c' . PHP_EOL"],
    ]);
  });

  test("reads a constant expression as read-only", () => {
    const text = php("'a' => 'x' . PHP_EOL,");
    expect(entryOf(laravelPhp, text, "a")).toMatchObject({ text: { value: "x\n" }, readOnly: "expression" });
    expect(edit(laravelPhp, text, { a: "y" }).refused).toEqual([
      { key: "a", context: null, reason: "expression" },
    ]);
    expect(entryOf(laravelPhp, php("'a' => \\PHP_EOL . 'x',"), "a")).toMatchObject({
      text: { value: "\nx" },
      readOnly: "expression",
    });
  });

  test("returns ranges: the name inside its quotes, the value with them", () => {
    const text = php("'a' => [\"b\" => 'x' . 'y'],");
    const entry = entryOf(laravelPhp, text, "a.b");
    expect(text.slice(entry?.keySpan.start, entry?.keySpan.end)).toBe("b");
    expect(text.slice(entry?.valueSpan.start, entry?.valueSpan.end)).toBe("'x' . 'y'");
    const joined = php("'a' . 'b' => 'x', 'c' => env('X') , <<<X\nd\nX => 'y',");
    const name = entryOf(laravelPhp, joined, "ab")?.keySpan;
    expect(joined.slice(name?.start, name?.end)).toBe("'a' . 'b'");
    expect(entryOf(laravelPhp, joined, "d")?.text).toEqual({ value: "y" });
    const code = laravelPhp.read(joined, ENGLISH).problems[0]?.span;
    expect(joined.slice(code?.start, code?.end)).toBe("env('X')");
  });

  test.each([
    ["nothing", ""],
    ["no PHP", "return ['a' => 'b'];"],
    ["no return", "<?php $a = ['a' => 'b'];"],
    ["not closed", "<?php return ['a' => 'b',"],
    ["not ended", "<?php return ['a' => 'b']"],
    ["a string not closed", "<?php return ['a' => 'b"],
    ["a heredoc not closed", "<?php return ['a' => <<<X\nb"],
    ["a comment not closed", "<?php return ['a' => 'b' /* ];"],
    ["a missing comma", "<?php return ['a' => 'b' 'c' => 'd'];"],
    ["a missing comma after a constant", "<?php return ['a' => null 'c' => 'd'];"],
    ["a missing value", "<?php return ['a' => , 'b' => 'c'];"],
    ["text after the array", "<?php return ['a' => 'b']]; x"],
    ["not an array", "<?php return 'x';"],
  ])("reports %s without throwing or editing it", (_, text) => {
    const { problems: found } = laravelPhp.read(text, ENGLISH);
    expect(found.some((problem) => problem.code === "syntax")).toBe(true);
    if (text !== "")
      expect(edit(laravelPhp, text, { a: "z", new: "y" })).toMatchObject({ text, splices: [] });
  });

  test.each([
    ["['a' => 'b", "a string is not closed"],
    ["['a' => <<<X\nb", "a heredoc is not closed"],
    ["['a' => <<<X\n b\n  X];", "a line is indented less than the heredoc's end"],
    ["['a' => , 'b' => 'c'];", "a value is missing"],
    ["['a' => 'b' 'c' => 'd'];", "a comma is missing"],
    ["['a' => 'b',", "the array is not closed"],
    ["['a' => 'b']", "a semicolon is missing after the array"],
    ["['a' => 'b']; ]", "a closing bracket without an opening one"],
    ["'x';", "what is returned is not an array"],
    ["load();", "what is returned is not an array literal"],
  ])("says of what is returned what is wrong: %s", (text, message) => {
    const { problems: found } = laravelPhp.read(`<?php return ${text}`, ENGLISH);
    expect(found.map((problem) => problem.message)).toContain(message);
  });

  test.each([
    ["brackets", `<?php return ${"[".repeat(100_000)}`],
    ["closed brackets", `<?php return ${"[".repeat(50_000)}${"]".repeat(50_000)};`],
    ["heredocs", `<?php return [${"<<<A\n".repeat(100_000)}`],
    ["quotes", `<?php return [${"'a' => \"".repeat(100_000)}`],
    ["backslashes", `<?php return ["${"\\".repeat(200_001)}$x"];`],
    ["keywords", `<?php ${"namespace ".repeat(100_000)}`],
    ["comments", `<?php return [${"/* ".repeat(100_000)}`],
  ])("reads a hundred thousand %s without deep recursion", (_, text) => {
    const start = cpuTime();
    laravelPhp.read(text, ENGLISH);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });

  test("accepts names of Object's members", () => {
    const body = "'__proto__' => ['polluted' => 'x'], 'constructor' => 'y', 'toString' => 'z',";
    expect(readAll(laravelPhp, php(body))).toEqual([
      ["__proto__.polluted", "x"],
      ["constructor", "y"],
      ["toString", "z"],
    ]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("pipe plurals", () => {
  const text = php(
    "'a' => 'apple|apples', 'b' => 'a|b|c', 'c' => '{0} none|[1,*] some', 'd' => 'x', 'e' => '|',",
  );

  test("have as many parts as Laravel distinguishes in the locale", () => {
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

  test("follow the known kind", () => {
    const isPlural = (key: string): boolean => key === "b" || key === "d" || key === "c";
    expect(Object.fromEntries(readAll(laravelPhp, text, { ...ENGLISH, isPlural }))).toEqual({
      a: "apple|apples",
      // Laravel never shows the third.
      b: { one: "a", other: "b" },
      c: { one: "{0} none", other: "[1,*] some" },
      d: { other: "x" },
      e: "|",
    });
  });

  test("are written in the order of the file's locale", () => {
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
    expect(with4).toBe(php("'a' => '1|2|3',"));
    expect(edited(laravelPhp, php("'a' => 'x|y|z',"), { a: { one: "1", other: "9" } }, options)).toContain(
      "'1|9|9'",
    );
  });

  test.each([
    ["he", "'אחד|הרבה'", { one: "1", two: "2", other: "n" }, "'1|n'"],
    ["fr", "'un|plusieurs'", { one: "1", many: "m", other: "n" }, "'1|n'"],
    ["tr", "'elma|elmalar'", { one: "elma", other: "elmalar" }, "'elma|elmalar'"],
    ["tr", "'elma|elmalar'", { one: "elma", other: "Elmalar" }, "'Elmalar'"],
    ["cy", "'a|b|c|d'", { zero: "0", one: "1", two: "2", few: "3", many: "6", other: "n" }, "'1|2|n|n'"],
  ])("in %s are written as Laravel shows them", (locale, before, forms, after) => {
    const options = { locale, sourceLocale: "en", isPlural: () => true };
    expect(edited(laravelPhp, php(`'a' => ${before},`), { a: forms }, options)).toBe(php(`'a' => ${after},`));
    expect(laravelPhp.print([{ key: "a", context: null, text: { forms } }], options)).toContain(
      forms.one === "elma" ? "lmalar'" : after,
    );
  });

  test("cannot contain a pipe in a form", () => {
    expect(edit(laravelPhp, text, { a: { one: "x|y", other: "z" } })).toMatchObject({
      text,
      refused: [{ key: "a", reason: "unsupported" }],
    });
  });
});

test.each(["trans('x')", "'x'('y')", "(fn () => 'x')()", "$a('x')", "'a' . $b('p')", "'a' . (\"b\")('x')"])(
  "%s is an expression, and the rest of the array is edited",
  (expression) => {
    const text = php(`'a' => ${expression}, 'b' => 'c',`);
    expect(problems(text)).toEqual([["expression", "a"]]);
    expect(edited(laravelPhp, text, { b: "d" })).toBe(text.replace("'c'", "'d'"));
  },
);
