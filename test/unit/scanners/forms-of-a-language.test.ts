/** Most forms of a language in one file: which of them have a key, and what else they say. */
import { describe, expect, test } from "vitest";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import type { KeyUsage } from "../../../src/scanners/key-usage.ts";
import { find, options } from "./marked.ts";

/** `key`, and what else the call says: `@namespace`, `^prefix`, `(context)`, `#` for a count, `?` where it is not certain. */
function shown({ expression, namespaces, keyPrefix, context, ...use }: KeyUsage): string {
  const key = expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`;
  return [
    key,
    namespaces === null ? "" : `@${String(namespaces)}`,
    keyPrefix === "" ? "" : `^${keyPrefix}`,
    context === null ? "" : `(${context})`,
    use.plural ? "#" : "",
    use.ordinal === true ? " ordinal" : "",
    use.dynamicContext === true ? " context" : "",
    use.openOptions === true ? " open" : "",
    use.isUncertain === true ? "?" : "",
    use.defaultText === null ? "" : ` = ${use.defaultText}`,
  ].join("");
}

type Sample = readonly [
  title: string,
  language: string,
  frameworks: readonly FrameworkName[],
  code: string,
  uses: readonly string[],
];

const php: readonly Sample[] = [
  [
    "variables that change, and those of a loop",
    "php",
    [],
    "<?php function f($a) { $k = 'x.' . $a; __($k); $l = 'a'; $l .= 'b'; __($l); foreach ($x as $m) __($m); __($a); }",
    ["x.*", "*", "*", "*"],
  ],
  [
    "variables outside of functions",
    "php",
    [],
    "<?php $k = 'a'; __($k); function f() { __($k); }",
    ["*", "*"],
  ],
  [
    "variables from elsewhere",
    "php",
    [],
    "<?php function f() { [$k] = ['a']; __($k); list($l) = ['b']; __($l); static $m = 'c'; __($m); global $n; $n = 'd'; __($n); } $g = function () use ($o) { $o = 'e'; __($o); };",
    ["*", "*", "*", "*", "*"],
  ],
  [
    "functions with a type or a reference",
    "php",
    [],
    "<?php function f(): ?string { $k = 'a'; return __($k); } function &g() { $k = 'b'; __($k); }",
    ["a", "b"],
  ],
  [
    "constants of classes",
    "php",
    [],
    "<?php class A { const K = 'a'; public const string L = 'b'; function f() { __(self::K); __(static::L); __(A::L); __(B::K); __(C::K); } } class B { const K = 'c'; }",
    ["a", "*", "b", "c", "*"],
  ],
  [
    "cases of enums",
    "php",
    [],
    "<?php enum S: string { case A = 'a'; case B = 'b'; function l() { return __('s.' . $this->value); } } __(S::A->value); __('s.' . S::B->value);",
    ["s.*", "a", "s.b"],
  ],
  [
    "match, and what it throws",
    "php",
    [],
    "<?php __(match (true) { $a => 'x', default => throw new E() }); __(match ($b) { 1, 2 => 'y', 3 => $z });",
    ["x", "y", "*"],
  ],
  [
    "sprintf",
    "php",
    [],
    "<?php __(sprintf('a.%s.b', $x)); __(sprintf('a.%s.%s', 'b', 'c')); __(sprintf('%1$s.x', 'q')); __(sprintf('100%%.%d', 5));",
    ["a.*.b", "a.b.c", "q.x", "100%.*"],
  ],
  [
    "all opening tags, and an XML declaration",
    "php",
    [],
    `<?xml version="1.0"?><?php __('a') ?>__('no') <?= __('b') ?> <? __('c') ?>`,
    ["a", "b", "c"],
  ],
  [
    "what only looks like a call",
    "php",
    [],
    "<?php $f = __(...); function __($k) {} new __('no'); $x->__('no'); X::__('no'); \\__('a'); namespace\\__('b');",
    ["a", "b"],
  ],
  [
    "Laravel's translator",
    "php",
    ["laravel"],
    "<?php Lang::get('a'); \\Lang::choice('b', 2); app('translator')->get('c'); $this->translator->get('d'); trans()->get('e'); $fail('f')->translate(); $fail('no'); resolve(Translator::class)->get('g'); X::get('no'); $x->get('no');",
    ["a", "b#", "c", "d", "e", "f", "g"],
  ],
  [
    "Laravel's translator under other names",
    "php",
    ["laravel"],
    "<?php use Lang as L; use Illuminate\\Support\\Facades\\Lang as M; L::get('a'); M::get('b'); function f(Translator|null $t, ?TranslatorContract $u) { $t->get('c'); $u->get('d'); $this->t->get('e'); } $v = app('translator'); $v->get('f'); $w->get('no');",
    ["a", "b", "c", "d", "e", "f"],
  ],
  [
    "all parts of a view",
    "blade",
    ["laravel"],
    `@lang('a') {{ __('b') }} {!! __('c') !!} @{{ __('no') }} {{-- __('no') --}} @verbatim {{ __('no') }} @endverbatim @php __('d') @endphp <x :title="__('e')" ::x="__('no')" y="{{ __('f') }}"> @if(__('g')) @endif @choice('h', 2) @@lang('no')`,
    ["a", "b", "c", "d", "e", "f", "g", "h#"],
  ],
];

const python: readonly Sample[] = [
  [
    "strings",
    "python",
    [],
    `_("a" "b"); _(f"c.{x}.d"); _("e" + x); _("%s f" % x); _(r"g\\n"); _("""h\ni"""); _("j" if x else "k"); _(b"l")`,
    ["ab", "c.*.d", "e*", "*", "g\\n", "h\ni", "j", "k", "*"],
  ],
  [
    "imported and assigned names",
    "python",
    [],
    `from gettext import gettext as g, ngettext\nimport translations\nt = translations.gettext\nx: Callable = gettext\ng("a"); gettext.gettext("b"); ngettext("c", "cs", n); t("d"); x("e")\n_ = MessageFactory("shop")\n_("f")\ndef _(y): pass\n`,
    ["a", "b", "c#", "d", "e", "f@shop"],
  ],
  [
    "Django's tags",
    "django-html",
    ["django", "gettext"],
    `{% load i18n %}{% trans "a" %}{% translate 'b' context "c" as x %}{% blocktranslate count n=l %}one{% plural %}{{ n }} more{% endblocktranslate %}{% blocktrans trimmed with a=b context "k" %}\n d {{ a }}\n  e\n{% endblocktrans %}{{ _("f") }}{% comment %}{% trans "no" %}{% endcomment %}{# {% trans "no" %} #}{% trans v %}{% translate "g"|upper %}`,
    ["a", "b(c)", "one#", "d %(a)s e(k)", "f", "*", "g"],
  ],
  [
    "Jinja's tags",
    "jinja-html",
    ["jinja", "gettext"],
    `{% trans %}a{% endtrans %}{% trans n=l %}one {{ n }}{% pluralize n %}{{ n }} more{% endtrans %}{% trans "ctx", x=y %}b {{ x }}{% endtrans %}{{ _('c') }}{{ gettext("d %(x)s", x=y) }}{{ ngettext('e', 'es', n) }}{%- trans trimmed %}\n f\n  g\n{% endtrans -%}{% raw %}{{ _('no') }}{% endraw %}`,
    ["a", "one %(n)s#", "b %(x)s(ctx)", "c", "d %(x)s", "e#", "f g"],
  ],
];

const components: readonly Sample[] = [
  [
    "Pug in Vue",
    "vue",
    [],
    `<template lang="pug">\np {{ $t('a') }}\np(:title="$t('b')" title="no")\ni18n-t(keypath="c")\n</template>`,
    ["a", "b", "c"],
  ],
  [
    "Vue's components and directive",
    "vue",
    [],
    `<template><i18n-t keypath="a" tag="p"/><i18n path="b"/><p v-t="'c'" /><p v-t="{ path: 'd', choice: 2 }" /><p v-t.preserve="'e'" /><I18nT :keypath="'f'" /></template>`,
    ["a", "b", "c", "d#", "e", "f"],
  ],
  [
    "messages of a component",
    "vue",
    [],
    `<i18n>{ "en": { "a": "A", "g": { "h": "H" } } }</i18n><template>{{ $t('a') }}{{ $t('g.h') }}{{ $t('g') }}{{ $t('b') }}{{ $t('g.' + x) }}{{ $t('c.' + x) }}</template>`,
    ["b", "g.*@unknown", "c.*"],
  ],
  [
    "messages in YAML, back two levels",
    "vue",
    [],
    `<i18n lang="yaml">\nen:\n  a: A\n  g:\n    i:\n      h: >\n        text\n      l:\n        - x\n  m: |\n    n\n</i18n><template>{{ $t('a') }}{{ $t('g.i.h') }}{{ $t('g.i.l.0') }}{{ $t('m') }}{{ $t('g.m') }}{{ $t('n') }}</template>`,
    ["g.m", "n"],
  ],
  [
    "messages of a file",
    "vue",
    [],
    `<i18n src="./x.json"></i18n><template>{{ $t('a') }}</template>`,
    ["a@unknown"],
  ],
  [
    "messages of one language",
    "vue",
    [],
    `<i18n locale="en">{ "a": "A" }</i18n><template>{{ $t('a') }}{{ $t('en.a') }}</template>`,
    ["en.a"],
  ],
  [
    "all parts of a Svelte component",
    "svelte",
    ["svelte-i18n"],
    `<script context="module">import { _ } from 'svelte-i18n'; const a = get(_)("a");</script>{$_("b")}{#if $_("c")}{:else if $_("d")}{/if}{@html $_("e")}{#each $_("f") as x}{/each}<p title="{$_('g')} x" on:click={() => $_("h")} />{$_("i", { values: { n: 1 } })}{$format("j")}{$json("k")}{$l("en", "l")}<!-- {$_("no")} --><style>{$_("no")}</style>`,
    ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"],
  ],
  [
    "all parts of an Astro component",
    "astro",
    [],
    `---\nconst t = useTranslations("ns");\n---\n<p title={t("a")}>{t("b")}</p><script>t("c")</script><!-- {t("no")} --><style>{t("no")}</style>`,
    ["a^ns", "b^ns", "c^ns"],
  ],
  [
    "blocks of Angular's templates",
    "html",
    ["ngx-translate"],
    `@let x = ('a' | translate); @let y = 'b' | translate; @if (('c' | translate) === z) {} @else if ('d' | translate) {} @switch (s) { @case ('e' | translate) {} }`,
    ["a", "b", "c", "d", "e"],
  ],
  [
    "attributes of Angular's templates",
    "html",
    ["ngx-translate"],
    `<p [title]="'a' | translate" (click)="t.instant('no')" *ngIf="x | async">{{ y ? ('b' | translate) : ('c' | translate: { n: 1 }) }} {{ z?.w | translate }} {{ 'e.' + k | translate }}</p><p translate>f <b>no</b></p><p [translate]="'g'"></p><p translate="h"></p>`,
    ["a", "b", "c", "*", "e.*", "f", "g", "h"],
  ],
  [
    "Angular's services",
    "typescript",
    ["ngx-translate"],
    `@Component({ template: "<p>{{ 'a' | translate }}</p>" }) class A { constructor(private readonly tr: TranslateService) { tr.get("b"); this.tr.instant("c"); this.x.get("no"); other.instant("no"); translate.instant("d") } }`,
    ["a", "b", "c", "d"],
  ],
  [
    "several of Angular's services in a class",
    "typescript",
    ["ngx-translate"],
    `class A { constructor(private a: TranslateService, readonly b?: TranslateService) {} c = inject(TranslateService); d: X = this.injector.get<TranslateService>(TranslateService); f() { this.a.get("a"); this.b.get("b"); this.c.get("c"); this.d.get("d"); this.e.get("no") } }`,
    ["a", "b", "c", "d"],
  ],
  [
    "a service behind a parameter with a type",
    "typescript",
    ["ngx-translate"],
    `const f = (http: HttpClient, i18n = inject(TranslateService), map: Map<A, B> = inject(M)) => { http.get("no"); map.get("no"); i18n.get("a") }; class A { b: Service<A, B> = inject(TranslateService); f() { this.b.get("b") } }`,
    ["a", "b"],
  ],
  [
    "services of two frameworks in a class",
    "typescript",
    ["ngx-translate", "transloco"],
    `class A { constructor(private a: TranslateService) {} b = inject(TranslocoService); f() { this.a.get("a"); this.b.translate("b"); this.b.get("no"); this.c.translate("no") } }`,
    ["a", "b"],
  ],
  [
    "Transloco's service",
    "typescript",
    ["transloco"],
    `class A { private t = inject(TranslocoService); f() { this.t.translate("a", {}, "scope"); this.t.selectTranslate("b", {}, { scope: "s" }); this.t.translate("c", {}, "en") } }`,
    ["a@scope", "b@s", "c@en"],
  ],
];

const scripts: readonly Sample[] = [
  [
    "attributes and children of a component",
    "typescriptreact",
    ["i18next"],
    `const { t } = useTranslation("x", { keyPrefix: "p" }); const a = <><Trans i18nKey="a" ns="n" count={2} context="c" defaults="D" /><Trans i18nKey={x ? "b" : "c"} /><Trans t={t} i18nKey="d" /><Trans t={props.t} i18nKey="e" /><Trans defaults="text" /><Trans i18nKey="f" tOptions={{ context: "z", count: 1 }} /><Trans i18nKey="g" tOptions={o} values={{ a: 1 }} /><Trans i18nKey="h">{{ count: n }} x</Trans><Trans i18nKey="i">x</Trans><Trans i18nKey="j" values={{ count: 1 }} /><Trans i18nKey="k" values={v} /><Trans i18nKey="l" values={v} tOptions={o} /></>;`,
    [
      "a@n(c)# = D",
      "b",
      "c",
      "d@x^p",
      "e@unknown",
      "text = text",
      "f(z)#",
      "g open",
      "h#",
      "i",
      "j#",
      "k",
      "l open",
    ],
  ],
  [
    "texts of components",
    "typescriptreact",
    ["i18next"],
    `const a = <><Trans>One <strong>two</strong><br/><i>three {{ x }}</i><p className="x">four</p>{" "}{/* no */}<b>{y}</b></Trans><Trans>{{ count }} items</Trans><Trans>One {{ a, b }} and {{ n, format: "x" }}</Trans><Trans><b/></Trans></>;`,
    [
      "One <strong>two</strong><br/><3>three {{x}}</3><4>four</4> <6>*</6>",
      "{{count}} items#",
      "One  and {{n, x}}",
      "<0></0>?",
    ],
  ],
  [
    "render functions and compiled code",
    "typescript",
    [],
    `h(I18nT, { keypath: "a" }); createVNode(Trans, { i18nKey: "b" }, x); (0, i18n.t)("c"); Object(i18n["t"])("d"); jsx(FormattedMessage, { id: "e" })`,
    ["a", "b", "c", "d", "e"],
  ],
  [
    "selectors",
    "typescript",
    [],
    `t($ => $.a.b); t(($) => $.a["b-c"][x]); t([$ => $.c, $ => $.d]); t($ => $.f(x)); t($ => x ? $.g : $.h); t($ => $.i - x); const { t: u } = useTranslation(["n", "shop"]); u($ => $.shop.title); u($ => $.other)`,
    ["a.b", "a.b-c.*", "c", "d", "*", "g", "h", "*", "title@shop", "other@n"],
  ],
  [
    "selectors of members that are known in part",
    "typescript",
    [],
    `t($ => $.a[x ? "b" : y]); t($ => $.a[x ? "b" : "c"])`,
    ["a.*", "a.b", "a.c"],
  ],
  [
    "options",
    "typescript",
    [],
    `t("a", n); t("b", list.length); t("c", 3); t("d", "Default"); t("e", { defaultValue: "D", count: 1, ordinal: true }); t("f", { ...o }); t("g", undefined); t("h", { context }); t("i", { context: "m", ordinal: false }); t("j", "Default", o); t("k", { count: 1, ...o }); t("l", { list: [...x] }); t("m", { defaultValue: x ? "M" : "N" }); t("n", { count, ordinal: x }); t("o", { count, ordinal: true })`,
    [
      "a open",
      "b#",
      "c#",
      "d = Default",
      "e# ordinal = D",
      "f open",
      "g",
      "h context",
      "i(m)",
      "j open = Default",
      "k# open",
      "l",
      "m",
      "n# ordinal",
      "o# ordinal",
    ],
  ],
  [
    "expressions",
    "typescript",
    [],
    't(["a", "b"]); t(x as "c"); t(<any>"d"); t("e"!); t(("f")); t("g" + "h"); t(`i${"j"}k`); t(x ?? "l"); t(x && "m"); t(await y); t(() => "no"); t(!"no"); t(-1)',
    ["a", "b", "c?", "d", "e", "f", "gh", "ijk", "*", "l", "m", "*", "*", "*", "*"],
  ],
  [
    "message descriptors",
    "typescript",
    ["formatjs"],
    `intl.formatMessage({ id: "a", defaultMessage: "A" }); defineMessages({ x: { id: "b" }, ...z }); defineMessages([{ id: "c" }]); formatMessage(messages.no); formatMessage({ ...x, id: "d" }); formatMessage({ defaultMessage: "E", description: "f" })`,
    ["a = A", "b", "c", "d", "E@unknown(f) = E"],
  ],
  [
    "macros",
    "typescript",
    ["lingui"],
    'import { t, plural } from "@lingui/core/macro"; t({ message: "a", context: "c" }); t({ id: "b" }); plural(n, { one: "# x", other: `# ${y}` }); t`d ${plural(n, { other: "e" })}`; i18n._("f"); i18n.t({ id: "g" })',
    ["a(c)", "b", "{n, plural, one {# x} other {# {y}}}", "d {n, plural, other {e}}", "f", "g"],
  ],
];

describe.each([
  ["PHP", php],
  ["Python", python],
  ["components", components],
  ["scripts", scripts],
])("%s", (_, samples) => {
  test.each(samples)("%s", (__, language, frameworks, code, uses) => {
    expect(find(language, code, options(frameworks)).map(shown)).toEqual(uses);
  });
});
