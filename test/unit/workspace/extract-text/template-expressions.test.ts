/** The parts of a template other than markup, with kind and code. */
import { describe, expect, test } from "vitest";
import {
  parseTemplate,
  type TemplateLanguage as Language,
} from "../../../../src/workspace/extract-text/template-expressions.ts";

type Found = readonly [whole: string, kind: "value" | "expression" | "other", code: string];

function found(text: string, language: Language, from = 0): Found[] {
  return parseTemplate(text, language, from).expressions.map(({ start, end, kind, code }) => [
    text.slice(start, end),
    kind,
    text.slice(code.start, code.end),
  ]);
}

describe("interpolation", () => {
  test.each<[Language, string, readonly Found[]]>([
    ["svelte", "a {b} c", [["{b}", "value", "b"]]],
    [
      "svelte",
      "<styled-link>{a}</styled-link><script-like>{b}",
      [
        ["{a}", "value", "a"],
        ["{b}", "value", "b"],
      ],
    ],
    [
      "vue",
      "<styled-link>{{ a }}</styled-link><scripts>{{ b }}",
      [
        ["{{ a }}", "value", " a "],
        ["{{ b }}", "value", " b "],
      ],
    ],
    [
      "astro",
      "<styled-link>{a}</styled-link><scripts>{b}",
      [
        ["{a}", "value", "a"],
        ["{b}", "value", "b"],
      ],
    ],
    [
      "angular-html",
      "<styled-link>{{ a }}</styled-link><scripts>{{ b }}",
      [
        ["{{ a }}", "value", " a "],
        ["{{ b }}", "value", " b "],
      ],
    ],
    [
      "svelte",
      "{a({ b: '}' })}{c}",
      [
        ["{a({ b: '}' })}", "value", "a({ b: '}' })"],
        ["{c}", "value", "c"],
      ],
    ],
    [
      "svelte",
      "{#if a}b{:else}c{/if}",
      [
        ["{#if a}", "other", "#if a"],
        ["{:else}", "other", ":else"],
        ["{/if}", "other", "/if"],
      ],
    ],
    [
      "svelte",
      "{@html a}{ /* b */ c}",
      [
        ["{@html a}", "other", "@html a"],
        ["{ /* b */ c}", "value", " /* b */ c"],
      ],
    ],
    [
      "svelte",
      "{/if }{a}",
      [
        ["{/if }", "other", "/if "],
        ["{a}", "value", "a"],
      ],
    ],
    ["svelte", "<script>{a}</script>{b}<style>{c}</style>", [["{b}", "value", "b"]]],
    ["svelte", "<SCRIPT lang='ts'>{a}</SCRIPT>{b}", [["{b}", "value", "b"]]],
    ["svelte", "<!-- {a} -->{b}<!-- {c}", [["{b}", "value", "b"]]],
    ["svelte", "<scripted>{a}</scripted>", [["{a}", "value", "a"]]],
    ["svelte", "a {b", [["{b", "value", "b"]]],
    [
      "astro",
      "{a.map(() => <b>{c}</b>)}{d}",
      [
        ["{a.map(() => <b>{c}</b>)}", "value", "a.map(() => <b>{c}</b>)"],
        ["{d}", "value", "d"],
      ],
    ],
    ["vue", "a {{ b }} {c}", [["{{ b }}", "value", " b "]]],
    ["vue", "<script>{{ a }}</script>{{ b }}{{ c", [["{{ b }}", "value", " b "]]],
    ["vue", "{{- a -}}", [["{{- a -}}", "value", "- a -"]]],
  ])("finds the expression of %s in %s", (language, text, expected) =>
    expect(found(text, language)).toEqual(expected),
  );
});

describe("template tags", () => {
  test.each<[Language, string, readonly Found[]]>([
    [
      "twig",
      "{{ a }}{% if b %}{# c #}",
      [
        ["{{ a }}", "value", " a "],
        ["{% if b %}", "other", " if b "],
        ["{# c #}", "other", ""],
      ],
    ],
    [
      "twig",
      "{{- a -}}{%~ if b +%}",
      [
        ["{{- a -}}", "value", " a "],
        ["{%~ if b +%}", "other", " if b "],
      ],
    ],
    ["jinja-html", "{%+ if b -%}", [["{%+ if b -%}", "other", " if b "]]],
    ["django-html", "{{-a-}}", [["{{-a-}}", "value", "-a-"]]],
    [
      "twig",
      `{{ "}}" }}{{ '\\'}}' }}{% a "%}" %}`,
      [
        [`{{ "}}" }}`, "value", ` "}}" `],
        [`{{ '\\'}}' }}`, "value", ` '\\'}}' `],
        [`{% a "%}" %}`, "other", ` a "%}" `],
      ],
    ],
    // Quotes mean nothing there.
    [
      "twig",
      "{# it's #}{{ a }}",
      [
        ["{# it's #}", "other", ""],
        ["{{ a }}", "value", " a "],
      ],
    ],
    [
      "django-html",
      "{{ it's }}{{ a }}",
      [
        ["{{ it's }}", "value", " it's "],
        ["{{ a }}", "value", " a "],
      ],
    ],
    ["twig", "{{ a", []],
    ["twig", "{{ 'a }}", []],
    [
      "twig",
      "{% verbatim %}{{ a }}{% endverbatim %}{{ b }}",
      [
        ["{% verbatim %}{{ a }}{% endverbatim %}", "other", ""],
        ["{{ b }}", "value", " b "],
      ],
    ],
    [
      "jinja-html",
      "{%- raw -%}{{ a }}{%- endraw -%}{{ b }}",
      [
        ["{%- raw -%}{{ a }}{%- endraw -%}", "other", ""],
        ["{{ b }}", "value", " b "],
      ],
    ],
    [
      "django-html",
      "{% comment 'x' %}{{ a }}{% endcomment %}{{ b }}",
      [
        ["{% comment 'x' %}{{ a }}{% endcomment %}", "other", ""],
        ["{{ b }}", "value", " b "],
      ],
    ],
    ["django-html", "{% comment %}{{ a }}", [["{% comment %}{{ a }}", "other", ""]]],
    [
      "django-html",
      "{% comments %}{{ a }}",
      [
        ["{% comments %}", "other", " comments "],
        ["{{ a }}", "value", " a "],
      ],
    ],
  ])("finds the expression of %s in %s", (language, text, expected) =>
    expect(found(text, language)).toEqual(expected),
  );
});

describe("Blade", () => {
  test.each<[string, readonly Found[]]>([
    [
      "{{ $a }}{!! $b !!}{{{ $c }}}",
      [
        ["{{ $a }}", "value", " $a "],
        ["{!! $b !!}", "expression", " $b "],
        ["{{{ $c }}}", "value", " $c "],
      ],
    ],
    [
      "{{-- {{ $a }} --}}{{ $b }}",
      [
        ["{{-- {{ $a }} --}}", "other", ""],
        ["{{ $b }}", "value", " $b "],
      ],
    ],
    [
      "@{{ a }}@{!! b !!}{{ $c }}",
      [
        ["@{{ a }}", "other", ""],
        ["@{!! b !!}", "other", ""],
        ["{{ $c }}", "value", " $c "],
      ],
    ],
    ["{{ $a", [["{{ $a", "value", " $a"]]],
    ["{!! $a }} b", [["{!! $a }} b", "expression", " $a }} b"]]],
    ["{{-- a", [["{{-- a", "other", ""]]],
    [
      "@@if @if($a) b @endif",
      [
        ["@@if", "other", ""],
        ["@if($a)", "other", "$a"],
        ["@endif", "other", ""],
      ],
    ],
    ["@if ( f(')') ) b", [["@if ( f(')') )", "other", " f(')') "]]],
    ["a@example.com @lang('x')", [["@lang('x')", "other", "'x'"]]],
    [
      "@verbatim {{ a }} @endverbatim {{ $b }}",
      [
        ["@verbatim {{ a }} @endverbatim", "other", ""],
        ["{{ $b }}", "value", " $b "],
      ],
    ],
    ["@php $a = 1; @endphp b", [["@php $a = 1; @endphp", "other", " $a = 1; "]]],
    ["@php($a = 1) b", [["@php($a = 1)", "other", "$a = 1"]]],
    ["@php $a = 1;", [["@php $a = 1;", "other", " $a = 1;"]]],
    [
      "<?php echo 1; ?> a <?= $b ?> c <? d ?>",
      [
        ["<?php echo 1; ?>", "other", " echo 1; "],
        ["<?= $b ?>", "other", " $b "],
        ["<? d ?>", "other", " d "],
      ],
    ],
    ["<?php echo 1;", [["<?php echo 1;", "other", " echo 1;"]]],
  ])("finds the expressions in %s", (text, expected) => expect(found(text, "blade")).toEqual(expected));

  test("tells statements from arguments", () => {
    const text = "@php $a; @endphp <?php $b; ?> <?= $c ?> @if($d) {{ $e }} @php($f)";
    expect(
      parseTemplate(text, "blade").expressions.map(({ code, isStatement = false, directive = "" }) => [
        text.slice(code.start, code.end).trim(),
        isStatement,
        directive,
      ]),
    ).toEqual([
      ["$a;", true, ""],
      ["$b;", true, ""],
      ["$c", false, ""],
      ["$d", false, "if"],
      ["$e", false, ""],
      ["$f", false, "php"],
    ]);
  });
});

test("ignores code before the template", () => {
  expect(found("{a}---{b}", "astro", 3)).toEqual([["{b}", "value", "b"]]);
});

test("masks a text without moving offsets: values become one character, the rest blanks", () => {
  const text = "a {{ $b }} c @if($d) e {!! $f !!}";
  expect(parseTemplate(text, "blade").masked).toBe(
    `a ${"\uE000".repeat(8)} c ${" ".repeat(7)} e ${"\uE000".repeat(10)}`,
  );
  expect(parseTemplate("<b>a</b>", "blade").masked).toBe("<b>a</b>");
});
