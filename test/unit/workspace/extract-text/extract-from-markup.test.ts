/** Extracts texts from templates, with values and quotes: «…» marks the selection. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { extract, type ExtractLanguage } from "./extracted.ts";

test.each<[string, ExtractLanguage, FrameworkName | readonly FrameworkName[], string, string]>([
  // Where templates and scripts write values otherwise, the template decides.
  [
    `<b title="«Hi {{ $a }}»">`,
    "blade",
    ["laravel", "vue-i18n"],
    "Hi :a",
    `<b title="{{ __('shop.new', ['a' => $a]) }}">`,
  ],
  [
    `<b title="«Hi {name}»" />`,
    "svelte",
    ["laravel", "svelte-i18n"],
    "Hi {name}",
    '<b title={$t("shop.new", { values: { name } })} />',
  ],
  [
    `<b title="«Hi {{ a }}»">`,
    "twig",
    ["symfony", "i18next"],
    "Hi %a%",
    `<b title="{{ 'shop.new'|trans({ '%a%': a }) }}">`,
  ],
  [`<b title="«Save»" />`, "astro", "i18next", "Save", '<b title={t("shop.new")} />'],
  // Quotes of the attribute are not those of the tag in it.
  [
    `{% load i18n %}<a title='«Save»'>`,
    "django",
    "gettext",
    "Save",
    `{% load i18n %}<a title='{% translate "shop.new" %}'>`,
  ],
  [
    `{% load i18n %}<a title="«Save»">`,
    "django",
    "gettext",
    "Save",
    `{% load i18n %}<a title="{% translate 'shop.new' %}">`,
  ],
  [
    `{% load i18n %}<a>«Save»</a>`,
    "django",
    "gettext",
    "Save",
    `{% load i18n %}<a>{% translate "shop.new" %}</a>`,
  ],
  [
    `<p>«Hi {{ a["b"] }}»</p>`,
    "twig",
    "symfony",
    "Hi %b%",
    `<p>{{ 'shop.new'|trans({ '%b%': a["b"] }) }}</p>`,
  ],
])("%s in %s with %s", async (marked, language, framework, text, after) => {
  expect(await extract(marked, language, framework)).toEqual([text, after]);
});

test.each<[string, ExtractLanguage, FrameworkName]>([
  ["<p>«Hi {{ b|raw }}»</p>", "twig", "symfony"],
  ["<p>«Hi {{ b | raw }}»</p>", "twig", "symfony"],
  ["<p>«Hi {{ }}»</p>", "twig", "symfony"],
  [`<p>«Hi {{ "b" }}»</p>`, "twig", "symfony"],
  // Bound attributes contain script.
  [`<a :title="«Save all»">`, "django", "gettext"],
  [`<a x-on:click="«Save all»">`, "jinja", "gettext"],
])("refuses %s in %s with %s", async (marked, language, framework) => {
  expect(await extract(marked, language, framework)).toBeNull();
});
