/** Texts that can be extracted, their positions, and positions without one: «…» marks the selection. */
import { describe, expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { extractionAt } from "../../../../src/workspace/extract-text/extract-text.ts";
import { codeFile, extract, type ExtractLanguage } from "./extracted.ts";

type Case = readonly [
  marked: string,
  language: ExtractLanguage,
  framework: FrameworkName | readonly FrameworkName[],
  text: string,
  after: string,
];

const template = (inner: string): string => `<template>${inner}</template>`;

describe("text between tags", () => {
  test.each<Case>([
    // Quotes there are text.
    [`<p>Click «"Save"»</p>`, "tsx", "i18next", `"Save"`, `<p>Click {t("shop.new")}</p>`],
    [`<p>Click "«Save»"</p>`, "tsx", "i18next", "Save", `<p>Click "{t("shop.new")}"</p>`],
    [
      template(`<p>Click «"Save"»</p>`),
      "vue",
      "vue-i18n",
      `"Save"`,
      template(`<p>Click {{ $t("shop.new") }}</p>`),
    ],
    [`<p>Click «'Save'»</p>`, "svelte", "svelte-i18n", "'Save'", `<p>Click {$t("shop.new")}</p>`],
    [`<p>Click «"Save"»</p>`, "blade", "laravel", `"Save"`, "<p>Click {{ __('shop.new') }}</p>"],
    [`<p>Click «"Save"»</p>`, "twig", "symfony", `"Save"`, "<p>Click {{ 'shop.new'|trans }}</p>"],
    // Values of any shape.
    [
      "<b>«Hi {f({ a: { b: 1 } })}!»</b>",
      "tsx",
      "i18next",
      "Hi {{f}}!",
      '<b>{t("shop.new", { f: f({ a: { b: 1 } }) })}</b>',
    ],
    [
      `<b>«Hi {a ? "}" : '{'}»</b>`,
      "tsx",
      "i18next",
      "Hi {{a}}",
      `<b>{t("shop.new", { a: a ? "}" : '{' })}</b>`,
    ],
    [
      "<b>«Hi {format({ name })}»</b>",
      "svelte",
      "svelte-i18n",
      "Hi {format}",
      '<b>{$t("shop.new", { values: { format: format({ name }) } })}</b>',
    ],
    [
      template("<b>«Hi {{ format({ name: { first } }) }}»</b>"),
      "vue",
      "vue-i18n",
      "Hi {format}",
      template('<b>{{ $t("shop.new", { format: format({ name: { first } }) }) }}</b>'),
    ],
    [`<b>«Hi{" "}{name}»</b>`, "tsx", "i18next", "Hi {{name}}", '<b>{t("shop.new", { name })}</b>'],
    [
      "<b>«Hi {a > b}»</b>",
      "svelte",
      "svelte-i18n",
      "Hi {b}",
      '<b>{$t("shop.new", { values: { b: a > b } })}</b>',
    ],
    [
      "<b>«Hi {{ $a > $b }}»</b>",
      "blade",
      "laravel",
      "Hi :b",
      "<b>{{ __('shop.new', ['b' => $a > $b]) }}</b>",
    ],
    // Lines and hard blanks.
    ["<p>\n  «One\n  two»\n</p>", "tsx", "i18next", "One two", '<p>\n  {t("shop.new")}\n</p>'],
    ["<p>«10&nbsp;000 kg»</p>", "tsx", "i18next", "10\u00a0000 kg", '<p>{t("shop.new")}</p>'],
    ["<p>«{name} is\n  here»</p>", "tsx", "i18next", "{{name}} is here", '<p>{t("shop.new", { name })}</p>'],
    ["<p>«One\n  {name}»</p>", "tsx", "i18next", "One{{name}}", '<p>{t("shop.new", { name })}</p>'],
    [
      "<p>«One\n\n  two {name}»</p>",
      "tsx",
      "i18next",
      "One two {{name}}",
      '<p>{t("shop.new", { name })}</p>',
    ],
    ["<p>One «two» three</p>", "tsx", "i18next", "two", '<p>One {t("shop.new")} three</p>'],
    // References.
    ["<p>«Fish &amp; chips &lt;3»</p>", "tsx", "i18next", "Fish & chips <3", '<p>{t("shop.new")}</p>'],
    [
      template("<p>«Fish &amp; chips &hellip;»</p>"),
      "vue",
      "vue-i18n",
      "Fish & chips …",
      template('<p>{{ $t("shop.new") }}</p>'),
    ],
    ["<p>«It&#39;s»</p>", "blade", "laravel", "It's", "<p>{{ __('shop.new') }}</p>"],
    ["<p>«&copy; Us»</p>", "twig", "symfony", "© Us", "<p>{{ 'shop.new'|trans }}</p>"],
    ["<p>«&copy; Us»</p>", "svelte", "svelte-i18n", "© Us", '<p>{$t("shop.new")}</p>'],
    ["<p>«&copy; Us»</p>", "astro", "i18next", "© Us", '<p>{t("shop.new")}</p>'],
    [`<title>«My shop»</title>`, "blade", "laravel", "My shop", "<title>{{ __('shop.new') }}</title>"],
    [
      "---\nconst a = «'Save'»;\n---\n<p>x</p>",
      "astro",
      "i18next",
      "Save",
      "---\nconst a = t('shop.new');\n---\n<p>x</p>",
    ],
    [
      "---\n---\n<ul>{a.map(() => <li>«One»</li>)}</ul>",
      "astro",
      "i18next",
      "One",
      '---\n---\n<ul>{a.map(() => <li>{t("shop.new")}</li>)}</ul>',
    ],
    [
      "<!DOCTYPE html><p>a < b «and so» on</p>",
      "blade",
      "laravel",
      "and so",
      "<!DOCTYPE html><p>a < b {{ __('shop.new') }} on</p>",
    ],
  ])("%s in %s with %s", async (marked, language, framework, text, after) => {
    expect(await extract(marked, language, framework)).toEqual([text, after]);
  });
});

describe("attributes", () => {
  test.each<Case>([
    [`<b title="«Fish &amp; chips»" />`, "tsx", "i18next", "Fish & chips", '<b title={t("shop.new")} />'],
    [`<b title="«a \\ b»" />`, "tsx", "i18next", "a \\ b", '<b title={t("shop.new")} />'],
    [`<b title={«"Save"»} />`, "tsx", "i18next", "Save", '<b title={t("shop.new")} />'],
    [
      `<b title="«Hi {name}»" />`,
      "svelte",
      "svelte-i18n",
      "Hi {name}",
      '<b title={$t("shop.new", { values: { name } })} />',
    ],
    [
      "<b title={«`Hi ${name}`»} />",
      "svelte",
      "svelte-i18n",
      "Hi {name}",
      '<b title={$t("shop.new", { values: { name } })} />',
    ],
    [
      template('<b :title="«`Hi ${name}`»" />'),
      "vue",
      "vue-i18n",
      "Hi {name}",
      template(`<b :title="$t('shop.new', { name })" />`),
    ],
    [
      template(`<b :title='«"Save"»' />`),
      "vue",
      "vue-i18n",
      "Save",
      template(`<b :title='$t("shop.new")' />`),
    ],
    [
      template(`<b @click="alert(«'Sure?'»); done()" />`),
      "vue",
      "vue-i18n",
      "Sure?",
      template(`<b @click="alert($t('shop.new')); done()" />`),
    ],
    [template(`<b title='«Save»' />`), "vue", "vue-i18n", "Save", template(`<b :title='$t("shop.new")' />`)],
    [
      `<b title="«Hi {{ $a }}»">`,
      "blade",
      "laravel",
      "Hi :a",
      `<b title="{{ __('shop.new', ['a' => $a]) }}">`,
    ],
    [`<b title='«Save»'>`, "blade", "laravel", "Save", `<b title='{{ __("shop.new") }}'>`],
    [`<x-a :title="«'Save'»" />`, "blade", "laravel", "Save", `<x-a :title="__('shop.new')" />`],
    [
      `<b @if($a > 1) title="«Save»" @endif>`,
      "blade",
      "laravel",
      "Save",
      `<b @if($a > 1) title="{{ __('shop.new') }}" @endif>`,
    ],
    [`<b title='«Save»'>`, "twig", "symfony", "Save", `<b title='{{ "shop.new"|trans }}'>`],
    [
      `<b {% if a > 1 %}title="«Save»"{% endif %}>`,
      "twig",
      "symfony",
      "Save",
      `<b {% if a > 1 %}title="{{ 'shop.new'|trans }}"{% endif %}>`,
    ],
  ])("%s in %s with %s", async (marked, language, framework, text, after) => {
    expect(await extract(marked, language, framework)).toEqual([text, after]);
  });
});

describe("literals", () => {
  test.each<Case>([
    [`a = «"Tab\\tand\\u0041"»;`, "typescript", "i18next", "Tab\tandA", `a = t("shop.new");`],
    [
      "a = «`Hi ${o[`x${1}`]} ${f({ a: 1 })}`»;",
      "typescript",
      "next-intl",
      "Hi {value} {f}",
      'a = t("shop.new", { value: o[`x${1}`], f: f({ a: 1 }) });',
    ],
    [
      "a = «`Hi ${(a, b)}`»;",
      "typescript",
      "i18next",
      "Hi {{value}}",
      'a = t("shop.new", { value: (a, b) });',
    ],
    ["a = «`Hi ${this}`»;", "typescript", "i18next", "Hi {{value}}", 'a = t("shop.new", { value: this });'],
    ["a = «`Hi ${ns}`»;", "typescript", "i18next", "Hi {{value}}", 'a = t("shop.new", { value: ns });'],
    ["a = <T,>(x: T) => «'Save'»;", "tsx", "i18next", "Save", "a = <T,>(x: T) => t('shop.new');"],
    [
      "const a: B = { c: «'Save'» satisfies string };",
      "typescript",
      "i18next",
      "Save",
      "const a: B = { c: t('shop.new') satisfies string };",
    ],
    [
      "@C({}) class A { b = «'Save'» }",
      "typescript",
      "i18next",
      "Save",
      "@C({}) class A { b = t('shop.new') }",
    ],
    [
      `echo «"Hi $user[name]"»;`,
      "php",
      "laravel",
      "Hi :name",
      "echo __('shop.new', ['name' => $user['name']]);",
    ],
    [
      `echo «"Hi {$user['na}me']} \${b}"»;`,
      "php",
      "laravel",
      "Hi :me :b",
      "echo __('shop.new', ['me' => $user['na}me'], 'b' => $b]);",
    ],
    [
      `echo «"Hi $a[0] $b->c->d"»;`,
      "php",
      "laravel",
      "Hi :value :c->d",
      "echo __('shop.new', ['value' => $a[0], 'c' => $b->c]);",
    ],
    [`echo «"5\\u{20ac} \\x41\\$a"»;`, "php", "laravel", "5€ A$a", "echo __('shop.new');"],
    [`echo «"Hi {$a[B]}"»;`, "php", "laravel", "Hi :B", "echo __('shop.new', ['B' => $a[B]]);"],
    [`echo «"$n% off"»;`, "php", "wordpress", "%1$s%% off", "echo sprintf( __( 'shop.new' ), $n );"],
    [`echo «'5% off'»;`, "php", "wordpress", "5% off", "echo __( 'shop.new' );"],
    ["a = «`${n}% off`»;", "javascript", "wordpress", "%1$s%% off", 'a = sprintf( __( "shop.new" ), n );'],
    ["{{ a ? «'Save'» : b }}", "twig", "symfony", "Save", "{{ a ? 'shop.new'|trans : b }}"],
    ["{% set a = «'Save'» %}", "twig", "symfony", "Save", "{% set a = 'shop.new'|trans %}"],
    ["{{ f({ a: «'}} Save'» }) }}", "twig", "symfony", "}} Save", "{{ f({ a: 'shop.new'|trans }) }}"],
    ["@section('title', «'Home'»)", "blade", "laravel", "Home", "@section('title', __('shop.new'))"],
    ["@php $a = «'Save'»; @endphp", "blade", "laravel", "Save", "@php $a = __('shop.new'); @endphp"],
  ])("%s in %s with %s", async (marked, language, framework, text, after) => {
    expect(await extract(marked, language, framework)).toEqual([text, after]);
  });
});

describe("characters with a meaning in the framework's messages", () => {
  test.each<Case>([
    [
      "a = «'Mail {a} to b@c.d | $5'»",
      "typescript",
      "vue-i18n",
      "Mail {'{'}a{'}'} to b{'@'}c.d {'|'} {'$'}5",
      "a = t('shop.new')",
    ],
    ["a = «`${n}@home`»", "typescript", "vue-i18n", "{n}{'@'}home", 'a = t("shop.new", { n })'],
    ['a = «"It\'s {a}"»', "typescript", "next-intl", "It's '{'a'}'", 'a = t("shop.new")'],
    [
      "a = «`'${n}' is '{it's}'`»",
      "typescript",
      "next-intl",
      "''{n}' is '''{'it's'}'''",
      'a = t("shop.new", { n })',
    ],
    [
      "a = «`<b>${n}`»",
      "typescript",
      "formatjs",
      "'<'b'>'{n}",
      'a = intl.formatMessage({ id: "shop.new" }, { n })',
    ],
  ])("%s in %s with %s", async (marked, language, framework, text, after) => {
    expect(await extract(marked, language, framework)).toEqual([text, after]);
  });

  test.each<readonly [string, ExtractLanguage, FrameworkName]>([
    ["a = «'Use {{name}}'»", "typescript", "i18next"],
    ["a = «'Use $t(name)'»", "typescript", "i18next"],
    [`echo «"See :name and $name"»;`, "php", "laravel"],
    ["<p>«{a} {{ b }}»</p>", "twig", "craft"],
    ["<p>«%b% {{ b }}»</p>", "twig", "symfony"],
  ])("refuses %s in %s with %s", async (marked, language, framework) => {
    expect(await extract(marked, language, framework)).toBeNull();
  });
});

describe("FormatJS", () => {
  const IMPORT = 'import { FormattedMessage } from "react-intl";\n';
  test.each<Case>([
    [
      `${IMPORT}const a = <p>«Hi {user.name}»</p>;`,
      "tsx",
      "formatjs",
      "Hi {name}",
      `${IMPORT}const a = <p><FormattedMessage id="shop.new" values={{ name: user.name }} /></p>;`,
    ],
    [
      `import a from "a";\nimport b from "b";\nconst c = <p>«Save»</p>;`,
      "tsx",
      "formatjs",
      "Save",
      `import a from "a";\nimport b from "b";\n${IMPORT}const c = <p><FormattedMessage id="shop.new" /></p>;`,
    ],
    [
      `const a = <p>«Save»</p>;`,
      "tsx",
      "formatjs",
      "Save",
      `${IMPORT}const a = <p><FormattedMessage id="shop.new" /></p>;`,
    ],
    [
      `const a = <p title="«Save»" />;`,
      "tsx",
      "formatjs",
      "Save",
      `const a = <p title={intl.formatMessage({ id: "shop.new" })} />;`,
    ],
    [
      "const a = «`Hi ${b}`»;",
      "typescript",
      "formatjs",
      "Hi {b}",
      'const a = intl.formatMessage({ id: "shop.new" }, { b });',
    ],
    [
      "formatMessage({ id: 'b' }); const a = «'Save'»;",
      "typescript",
      "formatjs",
      "Save",
      "formatMessage({ id: 'b' }); const a = formatMessage({ id: 'shop.new' });",
    ],
  ])("%s in %s with %s", async (marked, language, framework, text, after) => {
    expect(await extract(marked, language, framework)).toEqual([text, after]);
  });
});

describe("translator bindings", () => {
  test.each<Case>([
    ["i18n.t('a'); b = «'Save'»;", "typescript", "i18next", "Save", "i18n.t('a'); b = i18n.t('shop.new');"],
    [
      "t('a'); i18n.t('a'); b = «'Save'»;",
      "typescript",
      "i18next",
      "Save",
      "t('a'); i18n.t('a'); b = t('shop.new');",
    ],
    ["__('a'); b = «'Save'»;", "typescript", "laravel", "Save", "__('a'); b = __('shop.new');"],
    [
      "const { t: tCart } = useTranslation('cart');\ntCart('a'); b = «'Save'»;",
      "typescript",
      "i18next",
      "Save",
      "const { t: tCart } = useTranslation('cart');\ntCart('a'); b = tCart('shop.new');",
    ],
    [
      "<script>export default { f() { this.$t('a'); return «'Save'»; } };</script>",
      "vue",
      "vue-i18n",
      "Save",
      "<script>export default { f() { this.$t('a'); return this.$t('shop.new'); } };</script>",
    ],
    [
      template("<b>{{ t('a') }} «Save»</b>"),
      "vue",
      "vue-i18n",
      "Save",
      template(`<b>{{ t('a') }} {{ t("shop.new") }}</b>`),
    ],
  ])("%s in %s with %s", async (marked, language, framework, text, after) => {
    expect(await extract(marked, language, framework)).toEqual([text, after]);
  });

  test("uses the binding in scope, not that of another component", async () => {
    const code =
      'function A() { const { t } = useTranslation("a"); return t("x"); }\n' +
      'function B() { const { t } = useTranslation("b", { keyPrefix: "c" }); return <p>Save</p>; }';
    const start = code.indexOf("Save");
    const options = { frameworks: new Set(["i18next" as const]), functions: [] };
    const found = await extractionAt(codeFile("a.tsx", code, options), { start, end: start + 4 });
    expect(found?.binding).toEqual({ namespaces: ["b"], keyPrefix: "c" });
  });
});

describe("key names that need escaping", () => {
  test.each<
    readonly [marked: string, language: ExtractLanguage, framework: FrameworkName, key: string, after: string]
  >([
    ["a = «'Save'»", "typescript", "i18next", "it's\n$a", String.raw`a = t('it\'s\n$a')`],
    ['<b title="«Save»" />', "tsx", "i18next", 'say "a"', String.raw`<b title={t("say \"a\"")} />`],
    [
      template('<b title="«Save»" />'),
      "vue",
      "vue-i18n",
      `"it's"`,
      template(String.raw`<b :title="$t('\u0022it\'s\u0022')" />`),
    ],
    [
      "<b>«Save»</b>",
      "tsx",
      "formatjs",
      'say "a"',
      String.raw`import { FormattedMessage } from "react-intl";` +
        "\n" +
        String.raw`<b><FormattedMessage id={"say \"a\""} /></b>`,
    ],
    [`<b title='«Save»'>`, "blade", "laravel", "costs $a", String.raw`<b title='{{ __("costs \$a") }}'>`],
    [`<b title='«Save»'>`, "twig", "symfony", "#{a}", String.raw`<b title='{{ "\#{a}"|trans }}'>`],
  ])("%s in %s with %s as %s", async (marked, language, framework, key, after) => {
    expect((await extract(marked, language, framework, key))?.[1]).toBe(after);
  });

  test("refuses names that cannot be written there", async () => {
    expect(await extract(template("<p>«Save»</p>"), "vue", "vue-i18n", "a }} b")).toBe("refused");
    expect(await extract("<p>«Save»</p>", "blade", "laravel", "a }} b")).toBe("refused");
  });
});

describe("offers nothing", () => {
  const t = "const { t } = useTranslation();\n";
  test.each<readonly [string, ExtractLanguage, FrameworkName]>([
    // Modules, types, directives, names.
    ["import a from «'react'»;", "typescript", "i18next"],
    ["export * from «'react'»;", "typescript", "i18next"],
    ["export { a } from «'react'»;", "typescript", "i18next"],
    ["const a = await import(«'react'»);", "typescript", "i18next"],
    ["const a = require(«'react'»);", "javascript", "i18next"],
    ["import a = require(«'react'»);", "typescript", "i18next"],
    ["declare module «'react'» {}", "typescript", "i18next"],
    ["type A = «'Save'» | 'b';", "typescript", "i18next"],
    ["let a: «'Save'»;", "typescript", "i18next"],
    ["type A = «`Save`»;", "typescript", "i18next"],
    ["const a = «'Save'» as const;", "typescript", "i18next"],
    ["enum A { b = «'Save'» }", "typescript", "i18next"],
    ["«'use strict'»;", "javascript", "i18next"],
    ["'«use client»';\nf();", "tsx", "i18next"],
    ["function f() { «'use strict'»; }", "javascript", "i18next"],
    ["a = { «'Save'»: 1 }", "typescript", "i18next"],
    ["a[«'Save'»] = 1", "typescript", "i18next"],
    ["class A { «'Save'»() {} }", "typescript", "i18next"],
    ["a = gql«`Save`»", "typescript", "i18next"],
    ["a = /«Save»/", "typescript", "i18next"],
    ["// «Save»", "typescript", "i18next"],
    ["a = ('«Save»", "typescript", "i18next"],
    // A key's own call.
    [`${t}t(«'a.b'»)`, "tsx", "i18next"],
    [`${t}t('a.b', «'Save'»)`, "tsx", "i18next"],
    [`${t}t('a.b', { name: «'World'» })`, "tsx", "i18next"],
    [`${t}<Trans i18nKey="«a.b»" />`, "tsx", "i18next"],
    [`${t}<Trans i18nKey="a.b">«Save»</Trans>`, "tsx", "i18next"],
    ["a = <FormattedMessage id={«'a.b'»} />", "tsx", "formatjs"],
    ["a = intl.formatMessage({ id: «'a.b'» })", "tsx", "formatjs"],
    ["a = intl.formatMessage({ id: 'a.b', defaultMessage: «'Save'» })", "tsx", "formatjs"],
    [template("<p>{{ $t(«'a.b'») }}</p>"), "vue", "vue-i18n"],
    [`<p>{$t(«'a.b'»)}</p>`, "svelte", "svelte-i18n"],
    ["echo __(«'a.b'»);", "php", "laravel"],
    ["{{ __(«'a.b'») }}", "blade", "laravel"],
    ["@lang(«'a.b'»)", "blade", "laravel"],
    ["{{ «'a.b'»|trans }}", "twig", "symfony"],
    ["{% trans %}«Save»{% endtrans %}", "twig", "symfony"],
    // Values that are no values, or would be shown otherwise.
    ["<b>«Hi {a && 'b'}»</b>", "tsx", "i18next"],
    ["<b>«Hi {a ? <i/> : null}»</b>", "tsx", "i18next"],
    ["<b>«Hi {/* a */}»</b>", "tsx", "i18next"],
    // The blank at the line's end would go.
    ["<b>«One»\n  two</b>", "tsx", "i18next"],
    ["<b>One\n  «two»</b>", "tsx", "i18next"],
    ["<b>«Hi {{ a».b }}</b>", "twig", "symfony"],
    ["<b>«Hi {{ a|raw }}»</b>", "twig", "symfony"],
    ["<b>«Hi {!! $a !!}»</b>", "blade", "laravel"],
    ["<b>«Hi {{-- a --}}»</b>", "blade", "laravel"],
    ["<b>«Hi @if($a) you @endif»</b>", "blade", "laravel"],
    ["<b>«Hi {% if a %}b{% endif %}»</b>", "twig", "symfony"],
    ["<b>«Hi {#if a}b{/if}»</b>", "svelte", "svelte-i18n"],
    ["<b>«Hi {@html a}»</b>", "svelte", "svelte-i18n"],
    [template("<b>«Hi {{ a | upper }}»</b>"), "vue", "vue-i18n"],
    // A comment would continue behind the value.
    ["<b>«Hi {a // who\n}»</b>", "svelte", "svelte-i18n"],
    ["<b>«Hi {a // who\n}»</b>", "astro", "i18next"],
    ["f(«rb'Save it'»)", "python", "django"],
    // No text at all.
    ['<b class="«Save»" />', "tsx", "i18next"],
    ["<style>«body»</style>", "svelte", "svelte-i18n"],
    ["<!-- «Save» -->", "svelte", "svelte-i18n"],
    [`<i18n>{ "a": «"Save"» }</i18n>`, "vue", "vue-i18n"],
    [`<template lang="pug">\np «Save»\n</template>`, "vue", "vue-i18n"],
    [template(`<b v-for="a in «'Save'»" />`), "vue", "vue-i18n"],
    [`<script module>let a = «'Save'»;</script>`, "svelte", "svelte-i18n"],
    [`<script>let a = «'Save'»;</script>`, "blade", "laravel"],
    // PHP's constants and names.
    ["class A { public $b = «'Save'»; }", "php", "laravel"],
    ["class A { const B = «'Save'»; }", "php", "laravel"],
    ["const B = «'Save'»;", "php", "laravel"],
    ["function f($a = «'Save'») {}", "php", "laravel"],
    ["enum A: string { case B = «'Save'»; }", "php", "laravel"],
    ["#[Route(«'/Save'»)] function f() {}", "php", "laravel"],
    ["$a = [«'Save'» => 1];", "php", "laravel"],
    ["$a[«'Save'»] = 1;", "php", "laravel"],
    ["include «'Save.php'»;", "php", "laravel"],
    ["return «'Save';", "php", "laravel"],
    [String.raw`\function_exists(«'Save'»);`, "php", "laravel"],
    ["@include(«'Save'»)", "blade", "laravel"],
    ["@verbatim <p>«Save»</p> @endverbatim", "blade", "laravel"],
    ["<?php echo 1; ?> {{-- «Save» --}}", "blade", "laravel"],
    // Twig's names.
    ["{% include «'a.twig'» %}", "twig", "symfony"],
    ["{{ path(«'Save'») }}", "twig", "symfony"],
    ["{{ f({ «'Save'»: 1 }) }}", "twig", "symfony"],
    ["{{ a[«'Save'»] }}", "twig", "symfony"],
    [`{{ «"Hi #{a}"» }}`, "twig", "symfony"],
    ["{# «Save» #}", "twig", "symfony"],
    ["{% verbatim %}<p>«Save»</p>{% endverbatim %}", "twig", "symfony"],
  ])("%s in %s with %s", async (marked, language, framework) => {
    expect(await extract(marked, language, framework)).toBeNull();
  });

  test.each<readonly [string, ExtractLanguage]>([
    ["{% include «'a.html'» %}", "django"],
    ["{% url «'Save'» %}", "django"],
    ["{{ a|date:«'D d M'» }}", "django"],
    ["{% if a == «'Save'» %}{% endif %}", "django"],
    ['<b class="«Save»">', "django"],
    ["<b>«Hi {{ a» }}</b>", "django"],
    ["{{ url_for(«'Save'») }}", "jinja"],
    ["{{ a[«'Save'»] }}", "jinja"],
    ["{% raw %}<p>«Save»</p>{% endraw %}", "jinja"],
    [`from a import gettext as _\ndef f():\n    «"""A docstring."""»\n`, "python"],
    [`a = {«"Save"»: 1}`, "python"],
    [`a[«"Save"»]`, "python"],
    [`__all__ = [«"Save"»]`, "python"],
  ])("%s in %s", async (marked, language) => {
    expect(await extract(marked, language, ["django", "gettext"])).toBeNull();
  });
});

describe("Django and Jinja templates", () => {
  const DJANGO = ["django", "gettext"] as const;
  test.each<Case>([
    // What stands in a tag is shown as it is, so that references stay.
    [
      "{% load i18n %}<p>«Fish &amp; chips»</p>",
      "django",
      DJANGO,
      "Fish &amp; chips",
      '{% load i18n %}<p>{% translate "Fish &amp; chips" %}</p>',
    ],
    [
      "<p>«Fish &amp; chips»</p>",
      "jinja",
      ["jinja", "gettext"],
      "Fish &amp; chips",
      "<p>{% trans %}Fish &amp; chips{% endtrans %}</p>",
    ],
    [
      `{% load i18n %}<p>Click «"Save"»</p>`,
      "django",
      DJANGO,
      `"Save"`,
      `{% load i18n %}<p>Click {% blocktranslate %}"Save"{% endblocktranslate %}</p>`,
    ],
    [
      `{% load i18n %}<b {% if a > 1 %}b{% endif %} title="«Save»">`,
      "django",
      DJANGO,
      "Save",
      `{% load i18n %}<b {% if a > 1 %}b{% endif %} title="{% translate 'Save' %}">`,
    ],
    [
      `{% load i18n %}{% include "a.html" with title=«"Save"» %}`,
      "django",
      DJANGO,
      "Save",
      `{% load i18n %}{% include "a.html" with title=_("Save") %}`,
    ],
    [`{% set a = «"Save"» %}`, "jinja", ["jinja", "gettext"], "Save", `{% set a = _("Save") %}`],
  ])("%s in %s with %s", async (marked, language, framework, text, after) => {
    expect(await extract(marked, language, framework, null)).toEqual([text, after]);
  });
});
