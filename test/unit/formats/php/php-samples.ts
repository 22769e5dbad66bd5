/** Generated PHP files with every notation of values and keys. */
import fc from "fast-check";

const SINGLE = [
  String.raw`\'`,
  String.raw`\\`,
  String.raw`\n`,
  "$x",
  "é",
  "🎉",
  '"',
  "//",
  "/*",
  "?>",
  "\n",
  "|",
  "#",
  "a",
];
const DOUBLE = [
  String.raw`\"`,
  String.raw`\\`,
  String.raw`\n`,
  String.raw`\$x`,
  String.raw`\x41`,
  String.raw`\X42`,
  String.raw`\103`,
  String.raw`\u{1F389}`,
  String.raw`\xc3\xa9`,
  String.raw`\q`,
  String.raw`\0`,
  String.raw`\4`,
  String.raw`\e`,
  "'",
  "é",
  "🎉",
  "$",
  "$ ",
  "{",
  "}",
  "\n",
  "?>",
  "//",
  "b",
  "7",
  " ",
];
/** What makes the text unknown. */
const VARIABLES = [
  "$x",
  "{$x}",
  "${x}",
  "$arr[k]",
  "{$arr['k']}",
  '{$arr["k"]}',
  "$obj->prop",
  '{$arr["q"]["r"]}',
  "$é",
];

const pieces = (list: readonly string[], maxLength = 4): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...list), { maxLength }).map((parts) => parts.join(""));

const single = pieces(SINGLE).map((body) => `'${body}'`);
const double = pieces(DOUBLE).map((body) => `"${body}"`);
const varied = pieces([...DOUBLE, ...VARIABLES, ...VARIABLES], 5).map((body) => `"${body}"`);

const line = fc.constantFrom(
  "one",
  "  two",
  "",
  "EOTX",
  "x EOT",
  String.raw`a\\b`,
  "'",
  '"',
  "é",
  "$x",
  String.raw`\$x`,
  "{$x}",
);
const margin = fc.constantFrom("", "  ", "\t", "    ");
const heredoc = fc
  .tuple(
    fc.array(line, { maxLength: 4 }),
    margin,
    fc.constantFrom("EOT", '"EOT"', "'EOT'"),
    fc.constantFrom("\n", "\r\n"),
  )
  .map(([lines, indent, name, newline]) =>
    [`<<<${name}`, ...lines.map((text) => (text === "" ? "" : indent + text)), `${indent}EOT`].join(newline),
  );

const number = fc.constantFrom(
  "0",
  "42",
  "-7",
  "1_000",
  "0x1F",
  "017",
  "0b11",
  "1.5",
  "-0.25",
  "1.0",
  "1e3",
  "9223372036854775808",
);
const literal = fc.oneof(
  { weight: 4, arbitrary: single },
  { weight: 3, arbitrary: double },
  { weight: 1, arbitrary: heredoc },
  { weight: 1, arbitrary: number },
);

/** Between two tokens. */
const gap = fc.constantFrom(" ", "", "\n", "\r\n  ", " /* ' */ ", " // it's\n", ' # "\n', "\t");
const joined = fc
  .array(fc.tuple(literal, gap), { minLength: 2, maxLength: 3 })
  .map((parts) => parts.map(([text, space]) => text + space).join(" . "));

/** What only a running program knows, beside texts that look like ends and names. */
const code = fc.constantFrom(
  "FOO",
  "Foo::BAR",
  "env('X')",
  "env('X', ['a' => 'b', ')'])",
  "$x",
  "$arr['k']",
  "true",
  "false",
  "null",
  "NULL",
  "$x ? 'a' : 'b'",
  "$x ?: 'c'",
  "'a' . FOO",
  "FOO . 'a'",
  "['k' => 'v'] + ['l' => 'w']",
  "['x', 'y'][1]",
  "array_merge(['k' => 'v'], $base)",
  "fn ($q) => 'y'",
  "function () { return ['n' => ']']; }",
  "new Foo",
  "(int) '5'",
  "(string) 5",
  "(string) FOO",
  "('p' . 'q')",
  "('p')",
  "PHP_EOL",
  "'a' . PHP_EOL",
  "-SEVEN",
  "1 + 2",
  "'a' . 1 + 2",
  "match (true) { default => 'm,]' }",
  '<<<A\n{$arr["k"]} A\nA',
  "sprintf('%s, ]', \"a\")",
  "$obj?->prop",
  '"a" . "{$arr["]" ?? \'k\']}"',
  "clone $obj",
  "isset($y) ? 1 : 'n'",
  "!FOO",
  "@$y['n']",
  "`true`",
  "print('')",
  "static fn () => 'z'",
  "!1",
  "'a' <=> 'b'",
  "~'a'",
);

const name = fc.constantFrom(
  "'a'",
  '"b"',
  "'c'",
  "'a'",
  "'it\\'s'",
  '"d\\x41"',
  "'é'",
  "'x y'",
  "'g'",
  '"h"',
  "'i-j'",
  "'k'",
  "3",
  "7",
  "'7'",
  "'07'",
  "'e' . 'f'",
  "''",
  "'__proto__'",
);
const oddName = fc.constantFrom(
  "FOO",
  "SEVEN",
  "Foo::BAR",
  "-5",
  "-0",
  "1.5",
  "true",
  "null",
  '"$x"',
  "0x10",
  "'k' . FOO",
  "PHP_EOL",
  "1 + 1",
  "('g')",
  "<<<K\nk\nK",
  "...$base",
  "...$list",
);

export const value: fc.Arbitrary<string> = fc.letrec<{ node: string; array: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 8, arbitrary: literal },
    { weight: 3, arbitrary: joined },
    { weight: 1, arbitrary: varied },
    { weight: 3, arbitrary: code },
    { weight: 4, arbitrary: tie("array") },
  ),
  array: fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.option(fc.oneof({ weight: 12, arbitrary: name }, { weight: 1, arbitrary: oddName }), {
            freq: 5,
          }),
          tie("node"),
          gap,
          gap,
        ),
        { maxLength: 5 },
      ),
      fc.constantFrom<readonly [string, string]>(
        ["[", "]"],
        ["array(", ")"],
        ["array (", ")"],
        ["Array\n(", ")"],
      ),
      fc.boolean(),
      gap,
    )
    .map(([items, [open, close], comma, space]) => {
      const printed = items.map(([key, item, before, after]) =>
        key === null ? `${before}${item}${after}` : `${before}${key}${after}=>${before}${item}${after}`,
      );
      return `${open}${space}${printed.join(",")}${comma && items.length > 0 ? "," : ""}${space}${close}`;
    }),
})).array;

/** A spread takes no value. */
const asSpread = (text: string): string => text.replaceAll(/(\.\.\.\$\w+)[^=]*?=>/g, "$1, ");

const before = fc.constantFrom(
  "",
  "declare(strict_types=1);\n",
  "namespace App\\Lang; // ; return 'no';\n",
  "use A\\{B, C};\n",
  "$y = ['return' => [';']];\n",
  "if (!function_exists('f')) { function f() { return ['n' => 'no']; } }\n",
  "if (!defined('A')) { return; }\n",
  "if (true) return ['no' => 'no'];\n",
  "if (false): return ['no' => 'no']; endif;\n",
  "$k = new class { function m() { return 1; } };\n",
  "$f = function () use ($x) { return 'n'; };\n",
  "?> <p>it's</p> <?php\n",
  "/* return ['no' => 'no']; */",
  "# return ['no'];\n",
  "defined('B') || define('B', 1);\n",
  "if (FOO) { $z = 1; } else { $z = 2; }\n",
  "foreach ($list as $l) { if ($l) continue; }\n",
  "goto end; end:\n",
  "if (FOO): ?> ' <?php endif;\n",
);

/** A whole file. */
export const file: fc.Arbitrary<string> = fc
  .tuple(
    before,
    before,
    gap,
    value,
    fc.constantFrom(";", " ;\n", "\n?>", ";\n?>\n", "; // end", ";\n__halt_compiler(); return [ '"),
  )
  .map(([first, second, space, array, end]) => {
    const head =
      first.startsWith("declare") || first.startsWith("namespace")
        ? [first, second.startsWith("declare") || second.startsWith("namespace") ? "" : second]
        : [second.startsWith("declare") || second.startsWith("namespace") ? second : "", first];
    return `<?php ${head.join("")}return ${space}${asSpread(array)}${end}`;
  });

const BITS = [
  "'",
  '"',
  "\\",
  "$",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  ",",
  ";",
  ".",
  "=>",
  "?>",
  "<?php ",
  "<?=",
  "//",
  "#",
  "/*",
  "*/",
  "<<<A\n",
  "\nA",
  "\n",
  "\r",
  " ",
  "return ",
  "...",
  "'a'=>'b',",
  "1",
  "-",
  "x",
  "$x",
  "{$",
  "${",
  "\0",
  "\v",
  "\u00a0",
  "é",
  "&",
  "fn()=>",
  "function(){",
  "if(1)",
  "else ",
  ":",
  "0x",
  "_",
  "\\u{41}",
  "\\x",
  "null",
  "(string)",
  "PHP_EOL",
  "array(",
  "`",
  "@",
  "!",
  "<",
  "?",
  "::",
  "->",
  "exit;",
  "__halt_compiler();",
  "#[A]",
  "new class{}",
];

/** Files with up to three characters lost, or something thrown in. */
export function mutated(files: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(...BITS), fc.constantFrom(1, 2, 3)));
  return fc.tuple(files, fc.array(change, { minLength: 1, maxLength: 2 })).map(([text, changes]) => {
    let result = text;
    for (const [place, what] of changes) {
      const at = place % (result.length + 1);
      const [insert, drop] = typeof what === "string" ? [what, 0] : ["", what];
      result = result.slice(0, at) + insert + result.slice(at + drop);
    }
    return result.toWellFormed();
  });
}
