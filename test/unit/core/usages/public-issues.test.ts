/**
 * What users of other tools reported publicly as not found, wrongly found or wrongly bound: one case each, named
 * by the tracker's project and number.
 */
import { describe, test } from "vitest";
import { check, type Case } from "./marked.ts";

const cases: readonly Case[] = [
  [
    "i18n-ally#27 backticks, and backticks with a hole",
    "vue",
    "<template>{{ $t(`«FOO»`) }} {{ $t(`FOO.${key}`) }}</template>",
    { patterns: ["FOO.*"] },
  ],
  [
    "i18n-ally#132 a line break after the parenthesis",
    "javascriptreact",
    `t(\n    "«calendars.gregorian»"\n);`,
  ],
  [
    "i18n-ally#140 a concatenated key is no key",
    "vue",
    `<template>{{ $t('common.'+type)}}</template>`,
    { patterns: ["common.*"] },
  ],
  [
    "i18n-ally#375 a hook's namespace is not the component's",
    "typescriptreact",
    `const { t } = useTranslation('one');\n<Trans i18nKey="«two:my.key»" />`,
    { scopes: ["-|"] },
  ],
  ["i18n-ally#402 $t in a template", "vue", `<template>{{ $t('«key.subkey»') }}</template>`],
  ["i18n-ally#415 type arguments", "typescript", `t<string>("«a»"); t<{ a: string }>('«b»')`],
  ["i18n-ally#429 v-t with an object", "vue", `<template><a v-t="{path:'«navbar.mapEdit»'}"></a></template>`],
  [
    "i18n-ally#436 the function between the tags of Translation",
    "typescriptreact",
    `<Translation ns="producer">{(t) => <div>{t("«translateMe»")}</div>}</Translation>`,
    { scopes: ["producer|"] },
  ],
  [
    "i18n-ally#488 backslashes in keys",
    "vue",
    String.raw`<template>{{ $t('«src\\pages\\Detail.email»') }}</template>`,
    { keys: ["src\\pages\\Detail.email"] },
  ],
  ["i18n-ally#670 quotes in quotes", "javascript", `t("«it's \`x\`»"); t('«say "y"»')`],
  [
    "i18n-ally#719 keyPrefix",
    "typescriptreact",
    `const { t } = useTranslation("x", { keyPrefix: 'a.b' }); t('«c»')`,
    { scopes: ["x|a.b"] },
  ],
  [
    "i18n-ally#732 the first of several namespaces",
    "typescript",
    `const { t } = useTranslation(["user/profile", "global"]); t("«name»")`,
    { scopes: ["user/profile,global|"] },
  ],
  [
    "i18n-ally#752 next-translate's namespace",
    "typescriptreact",
    `const { t } = useTranslation("foo"); t("«bar»")`,
    { scopes: ["foo|"] },
  ],
  [
    "i18n-ally#769 a key with quotes",
    "javascript",
    String.raw`t("«They said \"hi\"»"); t('«don\'t»')`,
    { keys: ['They said "hi"', "don't"] },
  ],
  [
    "i18n-ally#770 a second prefix in the file",
    "typescriptreact",
    `const A = () => { const { t } = useTranslation("x", { keyPrefix: "a" }); t("«k»") }\nconst B = () => { const { t } = useTranslation("x", { keyPrefix: "b" }); t("«k»") }`,
    { scopes: ["x|a", "x|b"] },
  ],
  [
    "i18n-ally#785 a hook of one's own",
    "javascript",
    `const translate = useCustomTranslation(); translate('«my.key»')`,
    { functions: [{ name: "translate", key: 0 }], scopes: ["?|"] },
  ],
  ["i18n-ally#823 t from the hook", "typescriptreact", `const { t } = useTranslation()\n<p>{t("«key»")}</p>`],
  ["i18n-ally#975 a namespace before the key", "typescriptreact", `t('«namespace:key»')`],
  [
    "i18n-ally#1012 translate instead of t",
    "javascript",
    `translate("«a»"); i18n.translate("«b»")`,
    { functions: [{ name: "translate", key: 0 }] },
  ],
  [
    "i18n-ally#1076 several translators in a component",
    "typescriptreact",
    `const t = useTranslations('namespace'); const tCommon = useTranslations('common'); t("«a»"); tCommon("«b»")`,
    { scopes: ["-|namespace", "-|common"] },
  ],
  [
    "i18n-ally#1096, #1171 getTranslations",
    "typescriptreact",
    `const t = await getTranslations('searchPage'); <p>{t('«no-results-title»')}</p>`,
    { scopes: ["-|searchPage"] },
  ],
  [
    "i18n-ally#1097 a call in a template",
    "javascript",
    'x = `<p>${i18next.t(\n  "«page:worklisttable.tab.Closed»"\n)}</p>`',
  ],
  [
    "i18n-ally PR#1109 attributes over lines, in any order",
    "typescriptreact",
    `<FormattedMessage\n  defaultMessage="it's"\n  id="«a.b»"\n/>`,
  ],
  [
    "i18n-ally#1186 an alias of the user's",
    "javascript",
    `tx('«app.title»')`,
    { functions: [{ name: "tx", key: 0 }] },
  ],
  [
    "i18n-ally#1226 two namespaces",
    "typescriptreact",
    `const t = useTranslations("organisms.ranking-selection");\nconst tGeneric = useTranslations("generic");\n<h2>{ t('«selection»', { circuit: race.circuit }) }{tGeneric("«x»")}</h2>`,
    { scopes: ["-|organisms.ranking-selection", "-|generic"] },
  ],
  [
    "i18n-ally#1231 a wrapped hook",
    "typescript",
    `const {t} = useI18nContext(['common', 'some']); t('«some-key»')`,
    { scopes: ["?|"] },
  ],
  [
    "i18n-ally#1294 a translator that is passed on",
    "typescript",
    `const t = useTranslations("a"); function help(t: Translator) { return t("«b»") }`,
    { scopes: ["?|"] },
  ],
  [
    "i18n-ally#1333 a translator that is passed on with its type",
    "typescript",
    `export const get = (t: TFunction<'shared', undefined>) => (type: TYPE) => {\n  switch (type) { case TYPE.BUG: return t('«type.bug»'); }\n};`,
    { scopes: ["shared|"] },
  ],
  [
    "vue-i18n-extract#111 keypath in pug",
    "vue",
    `<template lang="pug">\n  i18n-t(keypath="«mykey.path»" tag="p")\n    template(#email)\n      span.email {{ email }}.\n</template>`,
  ],
  [
    "vue-i18n-extract#185 a bound keypath is no key",
    "vue",
    `<template><i18n-t :keypath="method(value)" /></template>`,
    { patterns: ["*"] },
  ],
  [
    "eslint-plugin-vue-i18n#663 attributes of i18n-t",
    "vue",
    `<template><i18n-t tag="p" keypath="«a»" scope="global"><b/></i18n-t></template>`,
  ],
  [
    "laravel/vs-code-extension#118 JSON keys in @lang",
    "blade",
    `<title>@lang('«Test Title»')</title>\n<h1>@lang("«Hello World»")</h1>`,
  ],
  ["laravel/vs-code-extension#282 folders", "php", `<?php __('«admin/users.title»');`],
  [
    "laravel/vs-code-extension#370 attributes of components",
    "blade",
    `<flux:input\n  wire:model="password_confirmation"\n  :label="__('«Confirm Password»')"\n/>`,
  ],
  [
    "laravel/vs-code-extension#374 escaped quotes",
    "php",
    String.raw`<?php __("«la section \"Commandes\".»"); __('«L\'authentification»');`,
    { keys: ['la section "Commandes".', "L'authentification"] },
  ],
  ["laravel/vs-code-extension#406 items of a list", "php", `<?php __('«login.translations.0»');`],
  [
    "laravel/vs-code-extension#430, #628 text that looks like a call",
    "blade",
    `<p>Use __('x') or @@lang('y') here</p>{{ __('«z»') }}`,
  ],
  [
    "laravel/vs-code-extension#475 in every place of a template",
    "blade",
    `<flux:navlist.group :heading="__('«Platform»')" class="grid">{{ __('«Platform»') }}<?php echo __('«Platform»') ?>`,
  ],
  [
    "inlang#1613 code in comments and strings is no use",
    "typescript",
    `// t("a")\nconst x = "t('b')"; t("«c»")`,
  ],
  [
    "nyavro/i18nPlugin#13 other functions",
    "javascript",
    `expect("a.b"); format("c.d"); set("e"); import("f"); t("«g»")`,
  ],
  [
    "nyavro/i18nPlugin#165 namespace and prefix of the hook",
    "typescriptreact",
    `const { t } = useTranslation("ns", { keyPrefix: "very.deep" }); t("«x»")`,
    { scopes: ["ns|very.deep"] },
  ],
  [
    "i18n-check#22 keys within options of another call",
    "typescriptreact",
    `t("«a»", { what: t("«b»"), other: cond ? t("«c»") : null })`,
  ],
  [
    "claude-code-toolkit#42 prefixes of dynamic keys",
    "typescript",
    "t(`errors.${code}`); t('errors.' + code + '.title')",
    { patterns: ["errors.*", "errors.*.title"] },
  ],
];

describe("public issues", () => {
  for (const given of cases) test(given[0], () => check(given));
});
