/** Usages in Twig templates by framework: Symfony, Craft, Laravel, WordPress (Timber), gettext. */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";

const SYMFONY = { frameworks: ["symfony"] } as const;

const filters: readonly Case[] = [
  [
    "objects in each other, and a text with another one in its value",
    "twig",
    `{{ f({'x': {'y': 1}}, '«a»'|trans) }}{{ "a.#{f("x")}.b"|trans }}{{ '«c»'|trans }}`,
    { ...SYMFONY, patterns: ["a.*.b"] },
  ],
  ["a tag behind an expression that is not closed", "twig", `{{ x {% trans %}«a»{% endtrans %}`, SYMFONY],
  [
    "values of gettext's texts beside Symfony",
    "twig",
    `{% trans %}«Hello {{ name }}»{% endtrans %}`,
    { frameworks: ["symfony", "gettext"], keys: ["Hello %name%"] },
  ],
  [
    "the second of comments, raw texts and strings",
    "twig",
    String.raw`{# {{ 'no'|trans }} #}{{ '«a»'|trans }}{# it's {{ 'no'|trans }} #}{{ '«b»'|trans }}{% raw %}{{ 'no'|trans }}{% endraw %}{%- verbatim -%}{{ 'no'|trans }}{%- endverbatim -%}{{ f('it\'s', "\"", '«c»'|trans) }}`,
    SYMFONY,
  ],
  [
    "two values in a text, and a sign that is none",
    "twig",
    `{{ "x.#{y}.#{z}.w"|trans }}{{ '«a#{b}»'|trans }}{{ "«c # d»"|trans }}`,
    { ...SYMFONY, patterns: ["x.*.w"] },
  ],
  [
    "the domain before the values",
    "twig",
    `{{ '«a»'|trans(domain: 'x', arguments: {}) }}{{ '«b»'|trans(arguments: {}, domain: 'y') }}{{ '«c»'|trans(locale: 'nl', domain: 'z') }}`,
    { ...SYMFONY, scopes: ["x|", "y|", "z|"] },
  ],
  ["a literal", "twig", `<p>it's {{ '«a.b»'|trans }} {{- "«c»" | trans -}}</p>`, SYMFONY],
  ["a sentence", "twig", `{{ '«Hello, (world): %name%!»'|trans({'%name%': name}) }}`, SYMFONY],
  ["escaped quotes", "twig", String.raw`{{ '«it\'s»'|trans }}`, { ...SYMFONY, keys: ["it's"] }],
  [
    "in a block, a call, a list, an object",
    "twig",
    `{% set x = f('«a»'|trans, ['«b»'|trans], {c: '«c»'|trans}) %}{% if 'x' == '«d»'|trans %}{% endif %}`,
    SYMFONY,
  ],
  [
    "behind another filter",
    "twig",
    `{{ 'no'|upper|trans }}{{ x.y|f|trans }}{{ '«a»'|trans }}`,
    { ...SYMFONY, patterns: ["*", "*"] },
  ],
  ["before other filters", "twig", `{{ '«a»'|trans|escape('js')|raw }}`, SYMFONY],
  [
    "in attributes",
    "twig",
    `<a title="{{ '«a»'|trans }}" data-x='{{ "«b»"|trans|e("html_attr") }}'>`,
    SYMFONY,
  ],
  [
    "conditionals give both",
    "twig",
    `{{ (x ? '«a»' : '«b»')|trans }} {{ x ? '«c»'|trans : '«d»'|trans }}`,
    SYMFONY,
  ],
  ["only the last part of a concatenation is filtered", "twig", `{{ 'x' ~ '«a»'|trans }}`, SYMFONY],
  [
    "dynamic keys",
    "twig",
    `{{ ('a.' ~ b)|trans }}{{ ('a.' ~ b ~ '.c')|trans }}{{ "x.#{y}.z"|trans }}{{ key|trans }}{{ a.b(c)|trans }}{{ 'x'|upper|trans }}`,
    { ...SYMFONY, patterns: ["a.*", "a.*.c", "x.*.z", "*", "*", "*"] },
  ],
  [
    "the domain",
    "twig",
    `{{ '«a»'|trans({}, 'shop') }}{{ '«b»'|trans(domain: 'shop') }}{{ '«c»'|trans({}, domain = 'shop') }}{{ '«d»'|trans({'%x%': 1}) }}{{ '«e»'|trans({}, d) }}`,
    { ...SYMFONY, scopes: ["shop|", "shop|", "shop|", "-|", "?|"] },
  ],
  [
    "the template's domain",
    "twig",
    `{% trans_default_domain 'shop' %}{{ '«a»'|trans }}{{ '«b»'|trans({}, 'x') }}{% trans %}«c»{% endtrans %}`,
    { ...SYMFONY, scopes: ["shop|", "x|", "shop|"] },
  ],
  [
    "the template's domain, which functions of others do not have",
    "twig",
    `{% trans_default_domain 'shop' %}{{ t('«a»') }}{{ own('«b»') }}`,
    { ...SYMFONY, scopes: ["shop|", "-|"], functions: [{ name: "own", key: 0 }] },
  ],
  [
    "signs and languages of tags, and what is not closed as it was opened",
    "twig",
    `{%~ trans ~%}«a»{%~ endtrans ~%}{% trans "«b»" into "nl" %}{% trans from "x" -%}«c»{%- endtrans %}{{ x %} 'no'|trans }}{% trans %}d {{ e{% endtrans %}`,
    { ...SYMFONY, scopes: ["-|", "-|", "x|"], patterns: ["d *"] },
  ],
  [
    "a comment up to the end of the expression",
    "twig",
    `{{ x # 'no'|trans }}{{ '«a»'|trans }}{% set y = 1 # 'no'|trans %}{{ '«b»'|trans }}`,
    SYMFONY,
  ],
  [
    "a tag by its other name",
    "twig",
    `{% translate %}«a»{% endtranslate %}{% translate "«b»" %}{% transchoice n %}«c»{% endtranschoice %}`,
    { ...SYMFONY, plurals: [false, false, true] },
  ],
  ["a tag without a text", "twig", `{% trans %} {% endtrans %}{% trans %}«a»{% endtrans %}`, SYMFONY],
  [
    "comments, verbatim and text are no code",
    "twig",
    `{# {{ 'a'|trans }} #}{% verbatim %}{{ 'b'|trans }}{% endverbatim %}'c'|trans {{ '«d»'|trans }} {{ x # 'e'|trans\n }}`,
    SYMFONY,
  ],
  [
    "an expression that is not closed",
    "twig",
    `{{ '«a»'|trans \n<p>{{ '«b»'|trans }}{% if '«c»'|trans`,
    SYMFONY,
  ],
  ["filters of other names", "twig", `{{ 'a'|title }}{{ 'b'|transform }}{{ 'c'|t }}`, SYMFONY],
];

const functions: readonly Case[] = [
  [
    "Craft's domain by its name",
    "twig",
    `{{ '«a»'|t(params: {}, category: 'shop') }}{{ 'b'|t(category = 'app') }}`,
    { frameworks: ["craft"], scopes: ["shop|"] },
  ],
  ["Symfony's t", "twig", `{{ t('«a»', {}, 'shop') }}{{ form.t('b') }}`, { ...SYMFONY, scopes: ["shop|"] }],
  [
    "Laravel",
    "twig",
    `{{ trans('«a.b»', {'name': x}) }}{{ __('«c»') }}{{ trans_choice('«d»', 2) }}{{ '«e»'|trans }}`,
    { frameworks: ["laravel"] },
  ],
  [
    "Craft",
    "twig",
    `{{ "«a»"|t }}{{ '«b»'|t('shop') }}{{ '«c»'|t({x: 1}) }}{{ 'd'|t('app') }}{{ '«e»'|translate('shop', {x: 1}) }}`,
    { frameworks: ["craft"], scopes: ["site|", "shop|", "site|", "shop|"] },
  ],
  [
    "Craft, with a domain of which one is its own",
    "twig",
    `{{ "«a»"|t(x ? 'app' : 'shop') }}{{ 'b'|t(x ? 'app' : 'yii') }}`,
    { frameworks: ["craft"], scopes: ["app,shop|"] },
  ],
  [
    "WordPress with Timber",
    "twig",
    `{{ __('«a»', 'theme') }}{{ _x('«b»', 'noun', 'theme') }}{{ 'c'|trans }}`,
    { frameworks: ["wordpress"], scopes: ["theme|", "theme|"] },
  ],
  [
    "a function of the user's",
    "twig",
    `{{ tr('«a»') }}`,
    { frameworks: ["symfony"], functions: [{ name: "tr", key: 0 }] },
  ],
  [
    "no known framework",
    "twig",
    `{{ '«a»'|trans }}{{ __('«b»') }}{{ trans('«c»') }}{{ '«d»'|transchoice(2) }}`,
  ],
];

const tags: readonly Case[] = [
  [
    "the second value and the second sign",
    "twig",
    `{% trans %}a {{ b|c }} d {{ e|f }} g{% endtrans %}{% trans %}«1%% of 2%%»{% endtrans %}`,
    { ...SYMFONY, keys: ["1% of 2%"], patterns: ["a * g"] },
  ],
  [
    "gettext's second value",
    "twig",
    `{% trans %}«{{ a }} and {{- b -}}!»{% endtrans %}`,
    { frameworks: ["gettext"], keys: ["%a% and %b%!"] },
  ],
  [
    "a count and a domain",
    "twig",
    `{% trans count n from 'x' %}«a»{% endtrans %}{% transchoice n with {} from 'y' %}«b»{% endtranschoice %}{% trans %}«c»{% endtrans %}`,
    { ...SYMFONY, scopes: ["x|", "y|", "-|"], plurals: [true, true, false] },
  ],
  [
    "counts among other values",
    "twig",
    `{{ '«a»'|trans({'%x%': 1, '%count%': n}) }}{{ '«b»'|trans(count: 3) }}{{ '«c»'|trans({}, 'count') }}`,
    { ...SYMFONY, plurals: [true, true, false] },
  ],
  [
    "a text between tags",
    "twig",
    `{% trans %}«Hello %name%»{% endtrans %}{%- trans -%}\n  «b»\n{%- endtrans -%}`,
    SYMFONY,
  ],
  [
    "with values and a domain",
    "twig",
    `{% trans with {'%x%': 'y'} from 'shop' into 'nl' %}«a»{% endtrans %}`,
    { ...SYMFONY, scopes: ["shop|"] },
  ],
  [
    "with a domain, none and one that is not known",
    "twig",
    `{% trans_default_domain 'own' %}{% trans from 'shop' %}«a»{% endtrans %}{% trans %}«b»{% endtrans %}{% trans from d %}«c»{% endtrans %}{% trans with {} from 'x' ~ d %}«d»{% endtrans %}`,
    { ...SYMFONY, scopes: ["shop|", "own|", "?|", "?|"] },
  ],
  ["a double sign", "twig", `{% trans %}«100%%»{% endtrans %}`, { ...SYMFONY, keys: ["100%"] }],
  [
    "a text in the tag",
    "twig",
    `{% trans "«Hello»" %} {% trans '«b»' with {'context': 'x'} %} {% trans "«from us»" from 'x' %} {% trans "c %}`,
    { frameworks: ["gettext"], patterns: ["*"] },
  ],
  [
    "gettext's values",
    "twig",
    `{% trans %}«Hello {{ name }}»{% endtrans %}`,
    { frameworks: ["gettext"], keys: ["Hello %name%"] },
  ],
  [
    "the filters of gettext",
    "twig",
    `{{ "«a»"|trans }} {{ "«b»"|t }} {{ "«c»"|translate }}`,
    { frameworks: ["gettext"] },
  ],
  [
    "an expression in the text",
    "twig",
    `{% trans %}Hello {{ user.name|e }}!{% endtrans %}`,
    { ...SYMFONY, patterns: ["Hello *!"] },
  ],
  ["no end tag", "twig", `{% trans %}a {{ '«b»'|trans }}`, SYMFONY],
];

describe.each([
  ["Twig's filters", filters],
  ["Twig's functions", functions],
  ["Twig's tags", tags],
])("%s", (_, cases) => {
  for (const given of cases) test(given[0], () => check(given));
});

test("reads counts", () => {
  const plural = (text: string) => find("twig", text, options(["symfony"])).map((use) => use.plural);
  expect(plural(`{{ 'a'|trans({'%count%': n}) }}{{ 'b'|trans({count: n}) }}{{ 'c'|trans({x: n}) }}`)).toEqual(
    [true, true, false],
  );
  expect(plural(`{{ 'a'|transchoice(n) }}{% trans count n %}b{% endtrans %}`)).toEqual([true, true]);
});
