/** Of all possible selections, exactly those of a text can be extracted. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { extractionAt } from "../../../../src/workspace/extract-text/extract-text.ts";
import { codeFile, PATHS, type ExtractLanguage } from "./extracted.ts";

test.each<readonly [string, ExtractLanguage, readonly FrameworkName[], readonly string[]]>([
  [
    "f('a b c', 'd')",
    "javascript",
    ["i18next"],
    ["'a b c", "'a b c'", "a b c", "a b c'", " 'd", " 'd'", "'d", "'d'", "d", "d'"],
  ],
  ["f(`a ${b}`)", "javascript", ["i18next"], ["`a ${b}", "`a ${b}`", "a ${b}", "a ${b}`"]],
  [
    "a = { 'b c': 'd' }",
    "javascript",
    ["i18next"],
    [" 'd", " 'd'", " 'd' ", "'d", "'d'", "'d' ", "d", "d'", "d' "],
  ],
  [
    "<a b='c d'>e {f} g</a>",
    "javascript",
    ["i18next"],
    ["'c d", "'c d'", "c d", "c d'", "e", "e ", "e {f}", "e {f} ", "e {f} g", " {f} g", "{f} g", " g", "g"],
  ],
  [
    "$a = f(\"b c\", 'd');",
    "php",
    ["laravel"],
    ['"b c', '"b c"', "b c", 'b c"', " 'd", " 'd'", "'d", "'d'", "d", "d'"],
  ],
  ["$a = ['b' => \"c $d\"];", "php", ["laravel"], [' "c $d', ' "c $d"', '"c $d', '"c $d"', "c $d", 'c $d"']],
  ["{{ f('a b c') }}", "blade", ["laravel"], ["'a b c", "'a b c'", "a b c", "a b c'"]],
  [
    "@if(f('a b'))c d @endif",
    "blade",
    ["laravel"],
    ["'a b", "'a b'", "a b", "a b'", "c", "c ", "c d", "c d ", " d", " d ", "d", "d "],
  ],
  [
    "<a b='c d'>e {{ $f }} g</a>",
    "blade",
    ["laravel"],
    [
      "'c d'",
      "c d",
      "e",
      "e ",
      "e {{ $f }}",
      "e {{ $f }} ",
      "e {{ $f }} g",
      " {{ $f }} g",
      "{{ $f }} g",
      " g",
      "g",
    ],
  ],
  ["{{ f('a b c', \"d\") ~ e }}", "twig", ["symfony"], ["'a b c'", "a b c", ' "d"', '"d"', "d"]],
  [
    "{{ 'a b'|f({ 'c': \"d e\" }) }}",
    "twig",
    ["symfony"],
    [" 'a b'", "'a b'", "a b", ' "d e"', ' "d e" ', '"d e"', '"d e" ', "d e"],
  ],
  ["{% set a = 'b c' %}", "twig", ["symfony"], [" 'b c'", " 'b c' ", "'b c'", "'b c' ", "b c"]],
  ["{% a 'b c' %}", "twig", ["symfony"], []],
  [
    "<a title='c d'>e {{ f }} g</a>",
    "twig",
    ["symfony"],
    [
      "'c d'",
      "c d",
      "e",
      "e ",
      "e {{ f }}",
      "e {{ f }} ",
      "e {{ f }} g",
      " {{ f }} g",
      "{{ f }} g",
      " g",
      "g",
    ],
  ],
  [
    '<a b="c d">e {f} g</a>',
    "svelte",
    ["svelte-i18n"],
    ['"c d"', "c d", "e", "e ", "e {f}", "e {f} ", "e {f} g", " {f} g", "{f} g", " g", "g"],
  ],
  ["<a b={f('c d')} />", "svelte", ["svelte-i18n"], ["'c d", "'c d'", "c d", "c d'"]],
  [
    '<template><a b="c d">e {{ f }}</a></template>',
    "vue",
    ["vue-i18n"],
    ['"c d"', "c d", "e", "e ", "e {{ f }}"],
  ],
  ["<template><a :b=\"f('c d')\" /></template>", "vue", ["vue-i18n"], ["'c d", "'c d'", "c d", "c d'"]],
  [
    "---\nf('a b')\n---\n<a b=\"c d\">e {f}</a>",
    "astro",
    ["i18next"],
    ["'a b", "'a b'", "a b", "a b'", '"c d"', "c d", "e", "e ", "e {f}"],
  ],
  [
    "---\nf('a b')\n--- c d\n<b/>e",
    "astro",
    ["i18next"],
    [
      "'a b",
      "'a b'",
      "a b",
      "a b'",
      " c",
      " c ",
      " c d",
      " c d\n",
      "c",
      "c ",
      "c d",
      "c d\n",
      " d",
      " d\n",
      "d",
      "d\n",
      "e",
    ],
  ],
  ['f("a b c", d)', "python", ["gettext"], ['"a b c', '"a b c"', "a b c", 'a b c"']],
  ['f("a b" "c")', "python", ["gettext"], []],
  [
    'a = {"b": f"c {d}"}',
    "python",
    ["gettext"],
    [' f"c {d}', ' f"c {d}"', 'f"c {d}', 'f"c {d}"', '"c {d}', '"c {d}"', "c {d}", 'c {d}"'],
  ],
  [
    "'''a b'''\nf('''c d''')",
    "python",
    ["gettext"],
    [
      "'''c d",
      "'''c d'",
      "'''c d''",
      "'''c d'''",
      "''c d",
      "''c d'",
      "''c d''",
      "''c d'''",
      "'c d",
      "'c d'",
      "'c d''",
      "'c d'''",
      "c d",
      "c d'",
      "c d''",
      "c d'''",
    ],
  ],
  ['{{ a|default:"b c" }}', "django", ["django", "gettext"], ['"b c"', '"b c" ', "b c"]],
  ["{% a b='c d' \"e\" %}", "django", ["django", "gettext"], ["'c d'", "'c d' ", "c d"]],
  [
    "<a title='c d'>e {{ f }} g</a>",
    "django",
    ["django", "gettext"],
    [
      "'c d'",
      "c d",
      "e",
      "e ",
      "e {{ f }}",
      "e {{ f }} ",
      "e {{ f }} g",
      " {{ f }} g",
      "{{ f }} g",
      " g",
      "g",
    ],
  ],
  ["{{ a[\"b\"] ~ f('c d e') }}", "jinja", ["jinja", "gettext"], ["'c d e'", "c d e"]],
])("%s in %s with %j", async (code, language, frameworks, expected) => {
  const head = language === "php" ? "<?php " : "";
  const text = `${head}${code}`;
  const options = { frameworks: new Set(frameworks), functions: [] };
  const found: string[] = [];
  for (let start = head.length; start < text.length; start++)
    for (let end = start + 1; end <= text.length; end++)
      if ((await extractionAt(codeFile(PATHS[language], text, options), { start, end })) !== null)
        found.push(text.slice(start, end));
  expect(found).toEqual(expected);
});
