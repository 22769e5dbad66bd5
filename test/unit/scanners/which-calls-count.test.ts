/** What makes a call a usage, and of what: cases that look alike, in each language. */
import { describe, test } from "vitest";
import { check, type Case } from "./marked.ts";

const templates: readonly Case[] = [
  [
    "a component with the name of a block, and messages of the component itself",
    "vue",
    `<template><i18n v-bind:path="'«a»'">{{ $t('«b»') }}</i18n><i18n :path="'«e»'">{{ $t('«f»') }}</i18n></template><script>export default { i18n : { messages: { en: { c: "C" } } }, m() { this.$t("c"); this.$t("«d»") } }</script>`,
  ],
  [
    "the text of a component beside its key",
    "svelte",
    `<FormattedMessage id="«a»" defaultMessage="A" />`,
    { frameworks: ["formatjs"], defaults: ["A"] },
  ],
  [
    "Jinja's statements behind two signs",
    "jinja",
    "%% trans\n«Hello\n»%% endtrans\n",
    { frameworks: ["jinja"] },
  ],
  [
    "comparisons before a pipe of Angular, and a pipe of nothing",
    "html",
    `{{ x != 'a' | translate }}{{ x <= 'b' | translate }}{{ x >= 'c' | translate }}{{ | translate }}`,
    { frameworks: ["ngx-translate"], patterns: ["*", "*", "*"] },
  ],
  [
    "Transloco's translators up to an end tag that also ends another element",
    "html",
    `<ul *transloco="let t; prefix: 'p'"><li>{{ t('«a»') }}</ul>{{ t('b') }}`,
    { frameworks: ["transloco"], scopes: ["-|p"] },
  ],
  [
    "a tag of Twig without white space around it",
    "twig",
    `{%- trans -%}«Hello»{%- endtrans -%}`,
    { frameworks: ["symfony"] },
  ],
  [
    "a text between tags of Twig, with another tag in it, and counts of a filter by name and position",
    "twig",
    `{% trans %}a {% x %} b{% endtrans %}{{ '«c»'|trans(domain='d', count=3) }}{{ '«e»'|trans({}, 'd', 'nl', n) }}{{ '«f»'|trans({}, 'd', 'nl') }}`,
    { frameworks: ["symfony"], patterns: ["a * b"], plurals: [true, true, false] },
  ],
  [
    "a default value in the properties of Vue's slot",
    "vue",
    `<template><X #item="{ a = $t('«a»') }" /></template>`,
  ],
  [
    "character references by their numbers",
    "typescriptreact",
    `<Trans>«&#X41;&#66;&#x43;»</Trans>`,
    { frameworks: ["i18next"], keys: ["ABC"] },
  ],
  [
    "blocks of a component that are no code",
    "vue",
    `<docs>{{ $t('no') }}</docs><i18n-custom>{{ $t('no') }}</i18n-custom><template>{{ $t('«a»') }}</template>`,
  ],
  [
    "a tag without a text, and one behind an expression that is not closed",
    "django-html",
    `{% translate %}{% translate "«a»" %}{{ x {% translate "«b»" %}`,
    { frameworks: ["django"] },
  ],
  [
    "Angular's attributes behind another one, and one that HTML has, too",
    "html",
    `<ng-template let-x transloco="«a»"></ng-template><p [translate]="'«yes»'"></p><p translate="yes"></p>`,
    { frameworks: ["transloco", "ngx-translate"] },
  ],
  [
    "the project's own functions in Twig, and not those of a class",
    "twig",
    `{{ text('a') }}{{ other('«b»') }}`,
    {
      frameworks: ["symfony"],
      functions: [
        { name: "Own::text", key: 0 },
        { name: "other", key: 0 },
      ],
    },
  ],
  [
    "Svelte's blocks, and expressions that begin like them",
    "svelte",
    `{/x/.test(y) ? $t('«a»') : ''}{#if $t('«b»')}{:else if $t('«c»')}{:else}{$t('«d»')}{/if}{/* x */ $t('«e»')}`,
    { frameworks: ["svelte-i18n"] },
  ],
  [
    "HTML of two frameworks, in the order of the file",
    "html",
    `{{ '«a»' | translate }}{% trans "«b»" %}{{ '«c»' | translate }}`,
    { frameworks: ["django", "ngx-translate"] },
  ],
  [
    "an interpolation in an attribute, and those after it",
    "html",
    `<p translate="{{ '«a»' }}"></p><p translate=" {{ key }} "></p><p title="{{ '«b»' | translate }}">{{ '«c»' | translate }}</p>`,
    { frameworks: ["ngx-translate"], patterns: ["*"] },
  ],
  [
    "Transloco's translators up to the end of their own element",
    "html",
    `<ng-container *transloco="let t; prefix: 'p'"><ng-container>x</ng-container>{{ t('«a»') }}</ng-container>{{ t('b') }}`,
    { frameworks: ["transloco"], scopes: ["-|p"] },
  ],
  [
    "what a pipe of Angular belongs to",
    "html",
    `{{ a ?? '«b»' | translate }}{{ a?.b | translate }}{{ x ? 'c' : '«d»' | translate }}{{ x === 'e' | translate }}<p *ngIf="y = '«f»' | translate; else z"></p>{{ f(x ? 'g' : y | translate) }}`,
    { frameworks: ["ngx-translate"], patterns: ["*", "*", "*", "*"] },
  ],
  [
    "Twig's filters after others, and in nested objects",
    "twig",
    `{{ 'a' | upper | trans }}{{ obj.name|trans }}{{ {'x': {'y': '«a»'|trans}}|json }}{{ '«b»'|trans }}`,
    { frameworks: ["symfony"], patterns: ["*", "*"] },
  ],
  [
    "functions of Twig, in the template's domain",
    "twig",
    `{% trans_default_domain "shop" %}{{ t('«a»') }}{{ trans('«b»') }}{{ xt('c') }}{{ x.t('d') }}{{ x . t('e') }}`,
    { frameworks: ["symfony"], scopes: ["shop|", "shop|"] },
  ],
  [
    "Vue's directive, also with a modifier",
    "vue",
    `<p v-t="'«a»'"/><p v-t="{ path: '«b»', choice: 2 }"/><p v-t="{ x: 1 }"/><p v-t.preserve="'«c»'"/><p v-tt="'d'"/><i18n-t v-bind:keypath="'«e»'"/><p v-t="{ path: '«f»', plural: 2 }"/><script lang="ts">const x = <any>y; f($t('«g»'))</script>`,
    { frameworks: ["vue-i18n"], plurals: [false, true, false, false, true, false], patterns: ["*"] },
  ],
  [
    "templates with values in Svelte's expressions, and what follows them",
    "svelte",
    "{$t(`a.${x}`)} it's {$t('«b»')}<p title={`${f({ y: `${z}` })}` + $t('«c»')}>it's {$t(`d.${x}.${y}`)}</p>{$t('«e»')}",
    { frameworks: ["svelte-i18n"], patterns: ["a.*", "d.*"] },
  ],
  [
    "templates with values in Vue's expressions, and what follows them",
    "vue",
    "<template>{{ $t(`a.${x}`) }} it's {{ $t('«b»') }}<p :title=\"`${f({ y: `${z}` })}` + $t('«c»')\">it's {{ $t(`d.${x}.e`) }}</p>{{ $t('«f»') }}</template>",
    { frameworks: ["vue-i18n"], patterns: ["a.*", "d.*.e"] },
  ],
  [
    "templates with values in Angular's expressions, and what follows them",
    "html",
    "{{ `a.${x}` | translate }} it's {{ '«b»' | translate }}<p [title]=\"`d.${f({ y: z })}.e` | translate\">it's {{ '«f»' | translate }}</p>",
    { frameworks: ["ngx-translate"], patterns: ["a.*", "d.*.e"] },
  ],
  [
    "templates with values in Astro's expressions, and what follows them",
    "astro",
    "{t(`a.${x}`)} it's {t('«b»')}<p title={`${f({ y: `${z}` })}` + t('«c»')}>it's {t(`d.${x}.e`)}</p>{t('«f»')}",
    { frameworks: ["i18next"], patterns: ["a.*", "d.*.e"] },
  ],
];

const scripts: readonly Case[] = [
  [
    "numbers and lengths behind a key",
    "typescript",
    `t("«a»", items?.length); t("«b»", a.b.length); t("«c»", 3); t("«d»", total)`,
    { plurals: [true, true, true, false] },
  ],
  [
    "namespaces that the code does not show, or not all of them",
    "typescriptreact",
    `t("«a»", { ns: [] }); t("«b»", { ns: ["x", y] }); <Trans ns i18nKey="«c»" />`,
    { frameworks: ["i18next"], scopes: ["?|", "?|", "?|"] },
  ],
  [
    "a method of the project's own beside a function of its name, and one of any object",
    "typescript",
    `own.t("x", "«a»"); t("«b»"); x.tr("«c»")`,
    {
      frameworks: ["i18next"],
      functions: [
        { name: "own.t", key: 1 },
        { name: "tr", key: 0 },
      ],
    },
  ],
  [
    "the children of a component in a project with another framework",
    "typescriptreact",
    `<Trans>«Hello»</Trans>`,
    { frameworks: ["i18next", "formatjs"] },
  ],
  [
    "divisions by an element of a list, and a regular expression that is not closed",
    "typescript",
    `x = a[0] / 2; t("«a»"); y = 1 / 2;\nz = /half\nt("«b»"); v = 1 / 2`,
  ],
  [
    "characters by their code points, and a method among options",
    "typescript",
    String.raw`t("«\u{1F600}\u{10FFFF}»"); t("«a»", { count() { return 1 } })`,
    { keys: ["😀\u{10ffff}", "a"], plurals: [false, false] },
  ],
  [
    "elements that a text of react-i18next keeps by their names",
    "typescriptreact",
    `<Trans>«a <i>b</i> <p>c</p> <strong>d</strong><br/>»</Trans>`,
    { frameworks: ["i18next"] },
  ],
  [
    "regular expressions behind keywords",
    "javascript",
    `switch (x) { case /'/.test(a): t("«a»")\n}\nvoid /'/.test(b); t("«b»")\nawait /'/.exec(c); t("«c»")\ny = x instanceof /'/ || t("«d»")\nexport default /'/; t("«e»")`,
  ],
  [
    "the usual names of ngx-translate's service, and another one; its marker in a variable",
    "typescript",
    `translate.get("«a»"); this.translateService.instant("«b»"); translation.stream("«c»"); translationService.getStreamOnTranslationChange("«d»"); ngxTranslate.get("«e»"); other.get("f"); const { marker } = require("@biesbjerg/ngx-translate-extract-marker"); marker("«g»")`,
    { frameworks: ["ngx-translate"], scopes: ["-|", "-|", "-|", "-|", "-|", "-|"] },
  ],
  [
    "the usual names of Transloco's service, and another one",
    "typescript",
    `transloco.translate("«a»"); this.translocoService.selectTranslate("«b»"); translate.translateObject("«c»"); translateService.translate("«d»"); translationService.selectTranslateObject("«e»"); other.translate("f")`,
    { frameworks: ["transloco"] },
  ],
  [
    "components of FormatJS",
    "typescriptreact",
    `<FormattedMessage id="«a»" />; <FormattedHTMLMessage id="«b»" />; <FormattedDate id="c" />`,
    { frameworks: ["formatjs"] },
  ],
  [
    "options with an asserted type",
    "typescript",
    `t("«a»", { count: 1 } satisfies Options); t("«b»", { count: 1 } as Options)`,
    { plurals: [true, true] },
  ],
  [
    "a call between divisions, behind a member with the name of a keyword",
    "javascript",
    `y = x.default / t("«a»") / 2; z = x.of / t("«b»") / 3`,
  ],
  [
    "declarations of methods",
    "typescript",
    `interface I { t(key?: string): string; $t(...k: string[]): string }`,
  ],
  [
    "the project's own function of an object, and one whose name ends so",
    "typescript",
    `known.text("no"); own.text("«a»"); my.own.text("«b»")`,
    { functions: [{ name: "own.text", key: 0 }] },
  ],
  [
    "a translator between tags by another name alone",
    "typescriptreact",
    `<I18n ns="x">{(tr) => tr("«a»")}</I18n>`,
    { frameworks: ["i18next"], scopes: ["x|"] },
  ],
  [
    "nothing but a tag of ttag's other function",
    "typescript",
    "import { jt } from 'ttag'; jt`«a»`",
    { frameworks: ["gettext"] },
  ],
  [
    "the options of a call of what a hook returns, and of Svelte's function with a language",
    "typescript",
    `useTranslations("ns")("«a»", { count: 1 }); useTranslations("ns")("«b»"); $l(locale, "«c»", { count: n })`,
    { frameworks: ["svelte-i18n"], plurals: [true, false, true] },
  ],
  [
    "functions of modules in variables that may change",
    "javascript",
    'let { t } = require("ttag"); let { marker } = require("@jsverse/transloco-keys-manager/marker"); t`«a»`; marker("«b»")',
    { frameworks: ["gettext", "transloco"], scopes: ["-|", "-|"] },
  ],
  [
    "strings close behind keywords",
    "javascript",
    `export{a as'b"s'}; import'c"s'; export{d}from'e"s'; t("«f»")`,
  ],
  [
    "the text of a constant",
    "typescript",
    `const K = "a"; t(«K.toString()»); t(«K.toUpperCase()»); t(«K.toLowerCase()»)`,
    { keys: ["a", "A", "a"] },
  ],
  ["an object is no key", "typescript", `trans({ a: 1 }); trans("«b»")`, { frameworks: ["laravel"] }],
  [
    "a sum is no selector, and members behind a question mark",
    "typescript",
    `t($ => $.a + $.b); t($ => $.«c»); const K = { a: "x" }; t(«K?.["a"]»)`,
    { keys: ["c", "x"], patterns: ["*"] },
  ],
  [
    "calls whose results are spread",
    "typescript",
    `const { t } = useTranslation("ns"); f(...t("«a»"), ...x.t("«b»"))`,
    { scopes: ["ns|", "?|"] },
  ],
  [
    "a store of Svelte that is read by a function, also under another name",
    "typescript",
    `import { _ as tr } from "svelte-i18n"; get(tr)("«a»"); get(_)("«b»"); get(x)("c")`,
    { frameworks: ["svelte-i18n"] },
  ],
  ["a member that a function reads", "typescript", `get(t)("a"); get(_)("b")`, { frameworks: ["i18next"] }],
  [
    "a generator and a function, and a call before a block",
    "typescript",
    "function* t(k): Iterable<string> {} function $t(k): string {}\nt(`«a»`)\n{ }",
  ],
  ["text in an element of a namespace", "typescriptreact", `const a = <x:y>it's {t('«a»')}</x:y>; t('«b»')`],
  [
    "a method of a type whose name begins so",
    "typescript",
    `class A { constructor(private x: TranslateServiceMock, y: TranslateService) {} f() { this.x.get("no"); this.y.get("«a»") } }`,
    { frameworks: ["ngx-translate"] },
  ],
  [
    "types of calls far behind the start of a file",
    "typescript",
    `${"// a comment\n".repeat(50)}const { t } = useTranslation<"shop">("shop"); t<string>("«a»")`,
    { scopes: ["shop|"] },
  ],
  [
    "types of calls, and comparisons that look like them",
    "typescript",
    `t<(x: string) => void>("«a»"); if (t < n) f(); g(n > ("no")); t < n; x > ("no"); t<A, B<C>>("«b»")`,
  ],
  [
    "divisions and regular expressions",
    "typescript",
    `x[0]! / t("«a»") / 2; x! / t("«b»") / 2; f(/[/"]/u, t("«c»")); i++ / t("«d»") / 2; i-- / t("«e»") / 2; /* x */ /* y */ /"/g.test(t("«f»")); for (const a of /'/.exec(b)) t("«g»")`,
  ],
  [
    "type parameters beside elements",
    "typescriptreact",
    `const f = <T = "x">(y: T) => t("«a»"); const g = <const T,>(y: T) => t("«b»"); const h = <T extends A>(y: T) => t("«c»"); const i = <T>(y: T) => t("«d»"); <Tag>t("no")</Tag>`,
  ],
  [
    "comments and names in tags of elements",
    "typescriptreact",
    `<A /* it's */ b={t("«a»")} // don't
      c={t("«b»")} xlink:href="t('no')"><x:y>it's {t("«c»")}</x:y><><b>don't</b>{t("«d»")}</></A>`,
  ],
  [
    "a function of the project with a place for the number",
    "typescript",
    `tr("«a»", total); tr("«b»")`,
    { functions: [{ name: "tr", key: 0, plural: 1 }], plurals: [true, false] },
  ],
  [
    "an argument behind spread ones has no place",
    "typescript",
    `tr(...xs, "a"); tr(x, "«b»"); tr(x, ...y)`,
    { functions: [{ name: "tr", key: 1 }], patterns: ["*"] },
  ],
  [
    "an argument behind spread ones in Python",
    "python",
    `tr(*xs, "a"); tr(x, "«b»"); tr(x, *y); tr("c", **z)`,
    { functions: [{ name: "tr", key: 1 }], patterns: ["*", "*"] },
  ],
  [
    "names in parentheses after words that are no functions",
    "typescript",
    `export default (i18n.t as any)("«a»"); return (t as any)("«b»"); await (<any>t)("«c»"); f(t as any)("no"); (i18n!.t as any)("«d»")`,
    { scopes: ["-|", "-|", "-|", "-|"] },
  ],
  [
    "declarations",
    "typescript",
    `class A { t(...keys: string[]) {} g(x: { t(...keys: string[]): string }) {} t(key?: string) {} f() { t(...x); t("«a»") } }`,
    { patterns: ["*"] },
  ],
  [
    "a hook's namespaces in a variable that is one of two lists",
    "typescript",
    `const NS = x ? ["a", "b"] : ["c", "d"]; const { t } = useTranslation(NS); t("«x»")`,
    { frameworks: ["i18next"], scopes: ["a,b,c,d|"] },
  ],
  [
    "several namespaces",
    "typescript",
    `tr("«a»", ["x", "y"]); tr("«b»", "z"); tr("«c»"); tr("«d»", ["x", "x"])`,
    { functions: [{ name: "tr", key: 0, namespace: 1 }], scopes: ["x,y|", "z|", "-|", "x|"] },
  ],
  [
    "a function of the project comes before a known one of its name",
    "typescript",
    `t("x", "«a»"); i18n.t("y", "«b»")`,
    { frameworks: ["i18next"], functions: [{ name: "t", key: 1 }] },
  ],
  [
    "a field of another name",
    "typescript",
    `class A { private tr = i18n.getFixedT(null, "ns"); f() { this.tr("«a»") } }`,
    { frameworks: ["i18next"], scopes: ["ns|"] },
  ],
  [
    "the instance that a hook returns uses no namespace of the hook",
    "typescript",
    `const { i18n: i, global: g } = useTranslation("ns"); i.t("«a»"); g.t("«b»"); other.t("«c»")`,
    { frameworks: ["i18next"], scopes: ["-|", "-|", "?|"] },
  ],
  [
    "a copy of the instance's function, of the same name",
    "typescript",
    `const { t } = useTranslation("a"); { const t = i18n.t; t("«x»") } t("«y»")`,
    { frameworks: ["i18next"], scopes: ["-|", "a|"] },
  ],
  [
    "a hook with messages of its own, or the scope of a parent",
    "typescript",
    `{ const { t } = useI18n({ messages: { en: { a: "A" } } }); t("«a»") } { const { t } = useI18n({ useScope: "global" }); t("«b»") } { const { t } = useI18n({ useScope: "parent" }); t("«c»") }`,
    { frameworks: ["vue-i18n"], scopes: ["?|", "-|", "?|"] },
  ],
  [
    "a comparison declares nothing",
    "typescript",
    `t >= useTranslations("ns"); t == useTranslations("ns"); f(t !== useTranslations("ns")); t("«a»")`,
    { frameworks: ["next-intl"], scopes: ["-|"] },
  ],
];

const php: readonly Case[] = [
  [
    "messages of validation, of which one has a count",
    "php",
    "<?php $fail('«a»')->translate(); $fail('«b»')->translateChoice(2);",
    { frameworks: ["laravel"], plurals: [false, true] },
  ],
  [
    "an echo with the attribute's own quotes",
    "blade",
    `<x :title="{!! __("«a»") !!}" /><x :title="{{ __("«b»") }}" />`,
    { frameworks: ["laravel"] },
  ],
  [
    "a function whose name ends like gettext's, behind a letter that is not ASCII",
    "python",
    `é_("no"); _("«a»")`,
    { frameworks: ["gettext"] },
  ],
  [
    "a variable that is also the name of an array's item",
    "php",
    "<?php function f() { $k = 'a'; $m = [$k => 'no']; return __(«$k»); }",
    { frameworks: ["laravel"], keys: ["a"] },
  ],
  [
    "classes of a folder within an import",
    "php",
    String.raw`<?php use Symfony\Component\Validator\{Constraints\NotBlank, Constraints\Length as L}; #[NotBlank(message: '«d»')] class A {} new L(minMessage: '«e»');`,
    { frameworks: ["symfony"] },
  ],
  [
    "a text that begins with a byte order mark",
    "php",
    String.raw`<?php __("«\xef\xbb\xbfa»");`,
    { frameworks: ["laravel"], keys: ["\ufeffa"] },
  ],
  [
    "a part of what is formatted",
    "php",
    "<?php __(sprintf('a.%s', $y)[0]);",
    { frameworks: ["laravel"], patterns: ["*"] },
  ],
  [
    "the facade by its full name, and a class of the same name; a translator by its contract",
    "php",
    String.raw`<?php use Illuminate\Contracts\Translation\Translator; \App\Lang::get('no'); \Illuminate\Support\Facades\Lang::get('«a»'); function f(Translator $l) { $l->get('«b»'); }`,
    { frameworks: ["laravel"] },
  ],
  [
    "a translator that is asked for with spaces",
    "php",
    `<?php $lang = app( 'translator' ); $lang->get('«a»');`,
    { frameworks: ["laravel"] },
  ],
  [
    "arms of a match, except those that throw",
    "php",
    `<?php __(match($x) { 1 => '«throw»', 2 => throw new E('b'), default => '«c»' });`,
    { frameworks: ["laravel"] },
  ],
  [
    "a variable that a loop reads, not one that it sets",
    "php",
    `<?php function f() { $key = 'a'; foreach ($key as $x) { g($x); } return __(«$key»); } function h($l) { $key = 'b'; foreach ($l as $key) {} return __($key); }`,
    { frameworks: ["laravel"], keys: ["a"], patterns: ["*"] },
  ],
  [
    "comments: a line's ends with the code, a block's does not",
    "php",
    `<?php // a ?><b title="__('x')"><?= __('«c»') ?><?php /* ?> __('y') */ __('«d»'); # __('z') ?>__('w')`,
    { frameworks: ["laravel"] },
  ],
  [
    "attributes are no comments",
    "php",
    `<?php #[A(__('«e»'))] class B {} // __('n')\n__('«f»'); /* __('o') **/ __('«g»');`,
    { frameworks: ["laravel"] },
  ],
];

describe.each([
  ["templates", templates],
  ["scripts", scripts],
  ["PHP", php],
])("in %s", (_, cases) => {
  test.each(cases.map((each) => ({ title: each[0], each })))("$title", ({ each }) => check(each));
});
