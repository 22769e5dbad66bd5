/** Names that mean something else in another place of the same file, and what stands where something else is usual. */
import { describe, expect, test } from "vitest";
import { literalArguments } from "../../../src/scanners/function-calls/literal-calls.ts";
import { check, find, options, type Case } from "./marked.ts";

const scripts: readonly Case[] = [
  [
    "an element behind a list that is spread",
    "typescript",
    `const A = ["x"]; const KEYS = ["a", ...A, "b"]; t(«KEYS[0]»); t(KEYS[1]); t(KEYS[2])`,
    { keys: ["a"], patterns: ["*", "*"] },
  ],
  [
    "a variable of a loop before the loop",
    "svelte",
    `<script>const KEYS = ["a"];</script>{$t(key)}{#each KEYS as key}{$t(«key»)}{/each}`,
    { keys: ["a"], patterns: ["*"] },
  ],
  [
    "a hook below a function of the same name",
    "typescript",
    `function t(x) { return x } function f() { const { t } = useTranslation("ns"); t("«a»") }`,
    { scopes: ["ns|"] },
  ],
  [
    "a parameter of a function that is returned, awaited or has a type",
    "typescript",
    `const { t } = useTranslation("ns"); const f = () => { return (t) => t("«a»"); }; const g = () => { return (t: T): string => t("«b»"); }; await ((t) => t("«c»")); const h = () => { return t("«d»"); }`,
    { scopes: ["?|", "?|", "?|", "ns|"] },
  ],
  [
    "parentheses and a block that are no function",
    "typescript",
    `const { t } = useTranslation("ns"); if (t) { t("«a»") } while (t) { t("«b»") } for (t of x) { t("«c»") } for await (t of x) { t("«d»") } switch (t) { case 1: t("«e»") } with (t) { t("«f»") }`,
    { scopes: ["ns|", "ns|", "ns|", "ns|", "ns|", "ns|"] },
  ],
  [
    "a function with type parameters, and one whose parameter may be missing",
    "typescript",
    `function f() { function t<K extends string>(k: K) { return k } t("«a»") } function g(t?, x?) { t("«b»") } const h = ([[t]]) => t("«c»"); t("«d»")`,
    { scopes: ["?|", "?|", "?|", "-|"] },
  ],
  [
    "a translator under the name of another one",
    "typescript",
    `const { t: $t } = useTranslation("ns"); { const t = $t; t("«a»") } t("«b»"); { const { t: tr } = i18n as any; tr("«c»") } { const { t } = i18n!; t("«d»") }`,
    { scopes: ["ns|", "-|", "-|", "-|"] },
  ],
  [
    "an object that has a translator, once in each of two functions",
    "typescript",
    `function A() { const h = useTranslation("x"); const { i18n: own } = h; const { t } = own; t("«a»") } function B() { const h = useTranslation("y"); const { i18n: own, t: th } = h; const { t } = own; t("«b»"); th("«c»"); h("no"); h.t("«d»") }`,
    { frameworks: ["i18next"], scopes: ["-|", "-|", "y|", "y|"] },
  ],
  [
    "a hook's result that is compared",
    "typescript",
    `if (t == useTranslations("x") || t !== useTranslations("y")) t("«a»")`,
    { scopes: ["-|"] },
  ],
  [
    "functions of one name that complete keys",
    "typescript",
    `function a() { const tr = (k) => t("a." + k); tr("«x»") } function b() { const tr = (k) => t("b." + k); tr("«y»") }`,
    { scopes: ["-|a", "-|b"], patterns: ["a.*", "b.*"] },
  ],
  [
    "a default text of an own function",
    "typescript",
    `tr("«a»", "Text"); t("«b»", "Text")`,
    { functions: [{ name: "tr", key: 0 }], defaults: [null, "Text"] },
  ],
  [
    "an empty namespace beside the hook's",
    "typescript",
    `const { t } = useTranslation("ns"); t("«a»", { ns: "" }); t("«b»", { ns: "other" })`,
    { scopes: ["ns|", "other|"] },
  ],
  [
    "arguments of a hook that are not shown",
    "typescript",
    `const { t } = useTranslation(...args); t("«a»"); const { t: u } = useTranslation("ns", options); u("«b»"); { const { t } = useI18n(...args); t("«c»") }`,
    { scopes: ["?|", "?|", "?|"] },
  ],
  [
    "a translator that an element gives its content",
    "typescriptreact",
    `const { t } = useTranslation("x"); const a = <p><Translation ns="y">{(t) => t("«a»")}</Translation>{t("«b»")}</p>; t("«c»")`,
    { scopes: ["y|", "x|", "x|"] },
  ],
  [
    "a frozen object with a type",
    "typescript",
    `const K = Object.freeze({ a: "x" } as const); const L = Object.freeze([("y")] as string[]); t(«K.a»); t(«L[0]»)`,
    { keys: ["x", "y"] },
  ],
  [
    "one of two lists of namespaces",
    "typescript",
    `const { t } = useTranslation(x ? ["a", "b"] : ["c"]); t("«k»")`,
    { scopes: ["a,b,c|"] },
  ],
  ["a division behind a brace", "typescript", `const x = {} / 2; t("«a»"); const y = 1 / 3; t("«b»")`],
  ["nested conditions", "typescript", `t(a ? b ? "«x»" : "«y»" : c ? "«z»" : "«w»")`],
  ["an empty alternative", "typescript", `t(x || ""); t(x ?? "«a»")`, { patterns: ["*", "*"] }],
  [
    "a rest parameter, a condition and a property of a name",
    "typescript",
    `const { t } = useTranslation("ns"); const f = (...t) => t("«a»"); if (t ? x : y) t("«b»"); a.t = 1; t("«c»")`,
    { scopes: ["?|", "ns|", "ns|"] },
  ],
  [
    "a parameter with a default value",
    "typescript",
    `const { t } = useTranslation("ns"); t("«a»"); const f = ({ t } = {}) => t("«b»"); t("«c»")`,
    { scopes: ["ns|", "?|", "ns|"] },
  ],
  [
    "names of an object, and what else a list of them has",
    "typescript",
    `const MAP = { a: 1 }; for (const k of Object.keys(MAP)) t(«k»); for (const k of Object.keys(MAP).concat(others)) t(k)`,
    { keys: ["a"], patterns: ["*"] },
  ],
  [
    "a list that may be missing",
    "typescript",
    `const KEYS = ["a"]; KEYS?.map((key) => t(«key»)); KEYS.filter(Boolean).map((key) => t(«key»))`,
    { keys: ["a", "a"] },
  ],
  [
    "what an inner function returns",
    "typescript",
    `function key() { const f = () => { return "no" }; return "a" } t(«key()»); const late = async () => "no"; t(late())`,
    { keys: ["a"], patterns: ["*"] },
  ],
  [
    "a call before a block, and a method of the name",
    "typescript",
    `while (t("«a»")) { f() } const x = { t(key) { return key } }; for (const y of t("«b»")) { z() }`,
  ],
  [
    "a template of another function",
    "typescript",
    "t`«a»`; $te`no`; formatMessage`no`; tr`«b»`",
    { functions: [{ name: "tr", key: 0 }] },
  ],
  [
    "a text of Lingui and a component of i18next in one project",
    "typescriptreact",
    `import { Trans } from "@lingui/react/macro"; const a = <Trans>«Hello»</Trans>;`,
    { frameworks: ["lingui", "i18next"], keys: ["Hello"], scopes: ["-|"] },
  ],
  [
    "ttag's context, and the function of that name elsewhere",
    "typescript",
    'import { t, c } from "ttag"; t`«a»`; c("menu").t`«b»`; c("menu").gettext("«c»")',
    { frameworks: ["gettext"], contexts: ["-", "menu", "menu"] },
  ],
];

const php: readonly Case[] = [
  [
    "a list behind the messages",
    "php",
    `<?php use Symfony\\Component\\Validator\\Constraints as A; new A\\Length(['maxMessage' => '«a»'], ['message' => 'no']);`,
    { frameworks: ["symfony"] },
  ],
  [
    "a closure's variable of the name",
    "php",
    `<?php function f() { $k = 'a'; $g = function () { $k = 'b'; }; __(«$k»); }`,
    { keys: ["a"] },
  ],
  [
    "a variable of two functions",
    "php",
    `<?php function f() { $k = 'a'; __(«$k»); } function g() { $k = 'b'; __(«$k»); }`,
    { keys: ["a", "b"] },
  ],
  [
    "braces in interpolated code",
    "php",
    `<?php __("a {$f(function () { return 1; })} b"); __("a \${x}{$y} b"); __('«c»');`,
    { patterns: ["a * b", "a * b"] },
  ],
  [
    "a translator of Symfony in a Laravel project",
    "php",
    `<?php use Symfony\\Contracts\\Translation\\TranslatorInterface; function f(TranslatorInterface $lang) { $lang->get('no'); Lang::get('«a»'); }`,
    { frameworks: ["laravel"] },
  ],
  [
    "a message in a file without any call",
    "php",
    `<?php return new TranslatableMessage('«a»', [], 'shop');`,
    { frameworks: ["symfony"], scopes: ["shop|"] },
  ],
  [
    "a message under another name in a file without any call",
    "php",
    `<?php use Symfony\\Component\\Translation\\TranslatableMessage as Text; return new Text('«a»', [], 'shop');`,
    { frameworks: ["symfony"], scopes: ["shop|"] },
  ],
  [
    "a heredoc that is indented less than its end, and others",
    "php",
    `<?php __(<<<T\n    a\n  b\n    T); __(«<<<T\n    c\n      d\n    T»); __(«<<<'T'\ne\nT»);`,
    { keys: ["c\n  d", "e"], patterns: ["*"] },
  ],
  ["an address", "blade", `me@lang.example @lang('«a»') me@lang('no')`, { frameworks: ["laravel"] }],
  [
    "a message that is put together",
    "php",
    `<?php use Symfony\\Component\\Validator\\Constraints as Assert; new Assert\\Length(minMessage: 'no' . $x, maxMessage: '«b»');`,
    { frameworks: ["symfony"] },
  ],
];

const templates: readonly Case[] = [
  [
    "a language in the place of the domain",
    "twig",
    `{{ '«a»'|trans({}, locale='nl') }}{{ '«b»'|trans({}, 'shop', 'nl') }}`,
    { frameworks: ["symfony"], scopes: ["-|", "shop|"] },
  ],
  [
    "a comparison in the place of the domain, and what is not parsed",
    "twig",
    `{{ '«a»'|trans({}, x == 'y') }}{% raw %}{{ 'no'|trans }}{% endraw %}{% verbatim %}{{ 'no'|trans }}{% endverbatim %}{{ '«b»'|trans }}`,
    { frameworks: ["symfony"], scopes: ["?|", "-|"] },
  ],
  ["line ends of Windows", "astro", `---\r\nconst title = t("«a»");\r\n---\r\n<p>{t("«b»")}</p>\r\n`],
  [
    "spaces around equals signs",
    "svelte",
    `<Trans i18nKey = "«a»" /><Trans i18nKey ="«b»" ns= "c"/><Trans i18nKey= {"«d»"} />`,
    { scopes: ["-|", "c|", "-|"] },
  ],
  [
    "messages of a component in several places",
    "vue",
    `<script>export default { i18n: { messages: { en: { a: "A" } } } }; const { t } = useI18n({ messages: { en: { b: "B" } } });</script><template>{{ $t('a') }}{{ $t('b') }}{{ $t('«c»') }}</template>`,
  ],
  [
    "a plural form between tags",
    "twig",
    `{% trans %}«an apple»{% plural n %}apples{% endtrans %}{% trans %}«b»{% endtrans %}`,
    { frameworks: ["gettext"], plurals: [true, false] },
  ],
  [
    "a percent sign in HTML of Jinja",
    "html",
    `{{ _("«100%»") }}{% trans %}«5%»{% endtrans %}`,
    { frameworks: ["jinja", "gettext"] },
  ],
  [
    "a percent sign in HTML of a project with both",
    "html",
    `{{ _("«100%»") }}{% trans %}«5%»{% endtrans %}`,
    { frameworks: ["jinja", "django", "gettext"] },
  ],
  [
    "a percent sign in HTML of Django",
    "html",
    `{{ _("«100%»") }}{% translate "«5%»" %}`,
    { frameworks: ["django", "gettext"], keys: ["100%%", "5%%"] },
  ],
  [
    "a second pipe, and a colon of it",
    "html",
    `{{ x | slice: 0 | async : 'no' | translate }}{{ '«a»' | translate | slice: 0 : y }}`,
    { frameworks: ["ngx-translate"], patterns: ["*"] },
  ],
  [
    "elements in one that is closed",
    "html",
    `<div translate><p><i translate>«a»</div> <b translate>«b»</b> no`,
    { frameworks: ["ngx-translate"] },
  ],
  [
    "a translator that two directives declare",
    "html",
    `<p *transloco="let t; prefix: 'x'">{{ t('«a»') }}</p><p *transloco="let t; prefix: 'y'">{{ t('«b»') }}</p>{{ t('no') }}`,
    { frameworks: ["transloco"], scopes: ["-|x", "-|y"] },
  ],
];

describe.each([
  ["scripts", scripts],
  ["PHP", php],
  ["templates", templates],
])("%s", (_, cases) => {
  for (const given of cases) test(given[0], () => check(given));
});

test("each of several contexts is one of the key", () => {
  const uses = find("typescript", `t("a", { context: x ? "male" : "female" })`);
  expect(uses.map(({ context, dynamicContext }) => [context, dynamicContext])).toEqual([
    ["male", undefined],
    ["female", undefined],
  ]);
  const others = find("typescript", `t("a", { context: x ? "male" : "" }); t("b")`);
  expect(others.map(({ context }) => context)).toEqual(["male", null, null]);
});

test("an equal value of a list is one usage", () => {
  expect(find("typescript", `const KEYS = ["a", "b", "a"]; t(KEYS[i])`)).toHaveLength(2);
});

test("a case of a select may be called offset", () => {
  const text = `import { select } from "@lingui/core/macro"; select(x, { offset: "A", other: "B" })`;
  const [use] = find("typescript", text, options(["lingui"]));
  expect(use?.expression).toEqual({ kind: "static", key: "{x, select, offset {A} other {B}}" });
});

test("members behind a value that goes on are not read", () => {
  const found = literalArguments(`f("page", { a: "x" + y, b: "z" }); f("shop", { a: "x", b: "y" })`);
  expect(found.map(({ value }) => value)).toEqual(["page", "page.a", "shop", "shop.a", "shop.b"]);
});

test.each([
  [
    "vue",
    ["vue-i18n"],
    `<template lang="pug">\ni18n-t(tag="p")\nTrans(i18nKey="k") x\n</template>`,
    `Trans(i18nKey="k"`,
  ],
  ["twig", ["symfony"], `{{ x ? a.b['c'](d)|trans : y }}`, "a.b['c'](d)|trans"],
  [
    "php",
    ["laravel"],
    `<?php f(); $this->translator\n  ->get('k', g(')')); h();`,
    "$this->translator\n  ->get('k', g(')'))",
  ],
  [
    "php",
    ["symfony"],
    `<?php use Symfony\\Component\\Validator\\Constraints as A; new A\\Length(min: 2, minMessage: 'k') ;`,
    "A\\Length(min: 2, minMessage: 'k')",
  ],
  ["typescript", ["i18next"], `x = f((t as any)("k")) + 1`, `(t as any)("k")`],
  ["typescript", ["i18next"], `x = f((<any>i18n.t)("k")) + 1`, `(<any>i18n.t)("k")`],
  ["blade", ["laravel"], `<p>@lang('k', ['x' => ')']) </p>`, "@lang('k', ['x' => ')'])"],
  ["twig", ["symfony"], `{{ a }}{{ f(b.c, 'k' | trans({}, ')')|upper) }}`, "'k' | trans({}, ')')"],
  [
    "twig",
    ["symfony"],
    `{{ a }} {% trans from 'x' %}k{% endtrans %} b`,
    "{% trans from 'x' %}k{% endtrans %}",
  ],
  ["python", ["gettext"], `f(); self.x.gettext("k", g(")")) % h`, `self.x.gettext("k", g(")"))`],
  ["django-html", ["django"], `a {% trans "k" as b %} c`, `{% trans "k" as b %}`],
  [
    "django-html",
    ["django"],
    `{% x %}{% blocktrans count n=n %}k{% plural %}ks{% endblocktrans %} c`,
    "{% blocktrans count n=n %}k{% plural %}ks{% endblocktrans %}",
  ],
  ["vue", ["vue-i18n"], `<template><b/><p id="x" v-t="'k'">y</p></template>`, `<p id="x" v-t="'k'">`],
  ["svelte", ["i18next"], `<b/><Trans a={1} i18nKey="k">y</Trans>`, `<Trans a={1} i18nKey="k">`],
] as const)("the whole call in %s of %s: %s", (language, frameworks, text, call) => {
  const uses = find(language, text, options(frameworks));
  expect(uses.map(({ callSpan }) => text.slice(callSpan.start, callSpan.end))).toEqual([call]);
});

test("the whole call in a template of Angular, with the pipe's arguments", () => {
  const text = `<b></b>{{ a + ('k' | translate: { n: 1 } : ')' | upper) }}<p id="x" translate>k</p>`;
  const uses = find("html", text, options(["ngx-translate"]));
  expect(uses.map(({ callSpan }) => text.slice(callSpan.start, callSpan.end))).toEqual([
    "'k' | translate: { n: 1 } : ')'",
    `<p id="x" translate>k`,
  ]);
});
