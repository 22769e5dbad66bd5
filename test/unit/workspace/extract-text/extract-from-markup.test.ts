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
  // FormatJS has no store of its own; a file may have made one.
  [
    "<p>«Hi {name}»</p>",
    "svelte",
    "formatjs",
    "Hi {name}",
    '<p>{intl.formatMessage({ id: "shop.new" }, { name })}</p>',
  ],
  [
    '<h1>{$formatMessage({ id: "title" })}</h1><p>«Save»</p>',
    "svelte",
    "formatjs",
    "Save",
    '<h1>{$formatMessage({ id: "title" })}</h1><p>{$formatMessage({ id: "shop.new" })}</p>',
  ],
  [
    `<b title="«Hi {{ a }}»">`,
    "twig",
    ["symfony", "i18next"],
    "Hi %a%",
    `<b title="{{ 'shop.new'|trans({ '%a%': a }) }}">`,
  ],
  [
    "<p>«Hi {name ?? nobody}»</p>",
    "svelte",
    "svelte-i18n",
    "Hi {nobody}",
    '<p>{$t("shop.new", { values: { nobody: name ?? nobody } })}</p>',
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
  ["{% foo a=«'Save it'» %}", "twig", "symfony", "Save it", "{% foo a='shop.new'|trans %}"],
  [`<p title='{f(«'Save'»)}' />`, "svelte", "svelte-i18n", "Save", `<p title='{f($t('shop.new'))}' />`],
  [`<x-a :title='«"Save"»' />`, "blade", "laravel", "Save", `<x-a :title='__("shop.new")' />`],
  [`<b title = «"Save"» />`, "svelte", "svelte-i18n", "Save", '<b title={$t("shop.new")} />'],
  ["<p>«&#32;Save it&#32;»</p>", "blade", "laravel", "Save it", "<p>{{ __('shop.new') }}</p>"],
  // Blanks that keep words together are part of the text.
  ["<p>«\u00a0Save\u00a0»</p>", "blade", "laravel", "\u00a0Save\u00a0", "<p>{{ __('shop.new') }}</p>"],
  [
    "<p>«Hi {{ f($a, $b) }}»</p>",
    "blade",
    "laravel",
    "Hi :f",
    "<p>{{ __('shop.new', ['f' => f($a, $b)]) }}</p>",
  ],
])("%s in %s with %s", async (marked, language, framework, text, after) => {
  expect(await extract(marked, language, framework)).toEqual([text, after]);
});

test.each<[string, ExtractLanguage, FrameworkName]>([
  ["<p>«Hi {{ b|raw }}»</p>", "twig", "symfony"],
  ["<p>«Hi {{ b | raw }}»</p>", "twig", "symfony"],
  ["<p>«Hi {{ }}»</p>", "twig", "symfony"],
  ["<p>«Hi {{ }}»</p>", "blade", "laravel"],
  ["<p>«Hi {{ $a, $b }}»</p>", "blade", "laravel"],
  ["<p>«Hi {{ $a); f($b }}»</p>", "blade", "laravel"],
  ["<p>«Hi {a);(b}»</p>", "svelte", "svelte-i18n"],
  // The key of a function that only other frameworks have.
  ["{{ gettext(«'Save it'») }}", "twig", "symfony"],
  ["{{ path(«'Save it'») }}", "twig", "craft"],
  ["echo gettext(«'Save it'»);", "php", "laravel"],
  ["echo $a->gettext(«'Save it'»);", "php", "laravel"],
  // Names of styles and scripts, and what is inside other documents.
  [`<x-button class="«Save it»" />`, "blade", "laravel"],
  [`<p id="«Save it»" />`, "twig", "symfony"],
  [`<p class="«Save it»" />`, "svelte", "svelte-i18n"],
  ["<style>«body text»</style>", "blade", "laravel"],
  ["<iframe>«Save it»</iframe>", "twig", "symfony"],
  [`<script context="module">let a = «'Save'»;</script>`, "svelte", "svelte-i18n"],
  // Vue does not show values in plain attributes.
  [`<template><a title="«Save {{ a }}»" /></template>`, "vue", "vue-i18n"],
  [`<p>«Hi {{ "b" }}»</p>`, "twig", "symfony"],
  // Without quotes a value may end at the first blank of the call.
  ["<a title=«Save»>", "blade", "laravel"],
  ["<a title=«Save»>", "twig", "symfony"],
  ["<a title=«Save»>", "svelte", "svelte-i18n"],
  ["<a title=«Save»>", "angular", "ngx-translate"],
  ["<template><a title=«Save» /></template>", "vue", "vue-i18n"],
  [`<template><a :title="f(«'Tom &amp; Jerry'»)" /></template>`, "vue", "vue-i18n"],
  // A comment between words is no part of the text.
  [`<b>«Hi <!-- who --> you»</b>`, "django", "gettext"],
  // Bound attributes contain script.
  [`<a :title="«Save all»">`, "django", "gettext"],
  [`<a x-on:click="«Save all»">`, "jinja", "gettext"],
])("refuses %s in %s with %s", async (marked, language, framework) => {
  expect(await extract(marked, language, framework)).toBeNull();
});

test.each<[string, FrameworkName, string, string]>([
  ["<p>«Save it»</p>", "ngx-translate", "Save it", "<p>{{ 'shop.new' | translate }}</p>"],
  ["<p>«Save it»</p>", "transloco", "Save it", "<p>{{ 'shop.new' | transloco }}</p>"],
  [
    "<p>«Hi {{ user.name }}»</p>",
    "ngx-translate",
    "Hi {{name}}",
    "<p>{{ 'shop.new' | translate: { name: user.name } }}</p>",
  ],
  [`<a title="«Save it»">`, "ngx-translate", "Save it", `<a [title]="'shop.new' | translate">`],
  [`<a aria-label='«Save it»'>`, "transloco", "Save it", `<a [attr.aria-label]='"shop.new" | transloco'>`],
  [`<a title="«Hi {{ a }}»">`, "transloco", "Hi {{a}}", `<a [title]="'shop.new' | transloco: { a: a }">`],
  [`<a [title]="«'Save it'»">`, "ngx-translate", "Save it", `<a [title]="'shop.new' | translate">`],
  [
    `<a [title]="x ? '«Save it»' : y">`,
    "transloco",
    "Save it",
    `<a [title]="x ? ('shop.new' | transloco) : y">`,
  ],
  [`{{ x ? "«Save it»" : '' }}`, "ngx-translate", "Save it", `{{ x ? ('shop.new' | translate) : '' }}`],
  [`<a title='{{ «"Save it"» }}'>`, "ngx-translate", "Save it", `<a title='{{ "shop.new" | translate }}'>`],
])("an Angular template: %s", async (marked, framework, text, code) => {
  expect(await extract(marked, "angular", framework)).toEqual([text, code]);
});

test.each<[string]>([
  [`{{ '«a key»' | translate }}`],
  [`<a (click)="go('«a word»')">`],
  [`<p>«Hi {{ a | uppercase }}»</p>`],
  [`<p>«Hi {{ f(a | uppercase) }}»</p>`],
  [`<a *ngIf="x === '«a word»'">`],
  [`<p translate>«a key»</p>`],
  ["{{ a['«a name»'] }}"],
  ["{{ 'a b' + '«c d»' }}"],
  ["{{ '«a b»' + c }}"],
  ["{{ f({ '«a name»': b }) }}"],
])("nothing of an Angular template: %s", async (marked) => {
  expect(await extract(marked, "angular", "ngx-translate")).toBe(null);
});

test("an Angular template has the placeholders of its own framework", async () => {
  expect(await extract("<p>«Hi {{ a }}»</p>", "angular", ["vue-i18n", "ngx-translate"])).toEqual([
    "Hi {{a}}",
    "<p>{{ 'shop.new' | translate: { a: a } }}</p>",
  ]);
});

test.each<[string, FrameworkName, string]>([
  [
    `class A { a = this.ts.instant("b"); c = «"Save it"»; constructor(private ts: TranslateService) {} }`,
    "ngx-translate",
    `class A { a = this.ts.instant("b"); c = this.ts.instant("shop.new"); constructor(private ts: TranslateService) {} }`,
  ],
  [`show(«"Save it"»)`, "ngx-translate", `show(this.translate.instant("shop.new"))`],
  [`show(«"Save it"»)`, "transloco", `show(this.translocoService.translate("shop.new"))`],
])("a script of an Angular component: %s", async (marked, framework, code) => {
  expect(await extract(marked, "typescript", framework)).toEqual(["Save it", code]);
});

test.each<[string, ExtractLanguage]>([
  ["const a = <style>«Save it»</style>;", "tsx"],
  ["const a = css «`Save it`»;", "tsx"],
  // The translator would have no namespace any more.
  ["function f() { const K = «'cart'»; const { t } = useTranslation(K); t('x'); }", "tsx"],
  ["const a = f(«`\\unicode ${b} Save`»);", "tsx"],
  ['const a = import("«./save it»");', "tsx"],
  ["const a = <p>«Save {/* all */} now»</p>;", "tsx"],
  ["const a = <p>«Saved {count++} times»</p>;", "tsx"],
  ["<x-button ::title=\"'«Save it»'\" />", "blade"],
])("nothing of code that is no text: %s", async (marked, language) => {
  expect(await extract(marked, language, language === "tsx" ? "i18next" : "laravel")).toBeNull();
});
