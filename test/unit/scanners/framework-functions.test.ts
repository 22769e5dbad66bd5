/** The project's framework determines what a function means, never its name alone. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import { isTranslationFunction } from "../../../src/scanners/function-calls/function-signatures.ts";
import { find, options } from "./marked.ts";

const SCRIPT = `t("t"); $t("$t"); __("__"); _x("_x", "noun"); $tc("$tc"); trans("trans"); $_("$_"); gettext("gettext"); intl.formatMessage({ id: "id" })`;
const TEMPLATE = `{{ 'trans'|trans }}{{ 't'|t }}{{ __('__') }}{{ _('_') }}`;

const PHP = `<?php __('__'); trans('trans'); $this->translator->trans('->trans', [], 'shop'); t('t'); Craft::t('site', 'Craft::t'); _('_'); new TranslatableMessage('x');`;
const PYTHON = `_('_'); gettext('gettext'); trans('trans')`;
const SOURCES: Readonly<Record<string, string>> = {
  typescript: SCRIPT,
  twig: TEMPLATE,
  php: PHP,
  python: PYTHON,
};

const cases: readonly (readonly [
  language: string,
  frameworks: readonly FrameworkName[],
  keys: readonly string[],
])[] = [
  ["typescript", ["i18next"], ["t", "$t"]],
  ["typescript", ["vue-i18n"], ["t", "$t", "$tc"]],
  ["typescript", ["laravel"], ["t", "$t", "__", "trans"]],
  ["typescript", ["svelte-i18n"], ["t", "$t", "$_"]],
  ["typescript", ["formatjs"], ["t", "$t", "id"]],
  ["typescript", ["wordpress"], ["__", "_x"]],
  ["typescript", ["i18next", "wordpress"], ["t", "$t", "__", "_x"]],
  // Where no framework is known, the usual functions of several count.
  ["typescript", [], ["t", "$t", "__", "$tc", "trans", "id"]],
  ["php", [], ["__", "trans", "->trans"]],
  ["twig", [], ["trans", "t", "__"]],
  ["python", [], ["_", "gettext"]],
  ["twig", ["symfony"], ["trans"]],
  ["twig", ["craft"], ["t"]],
  ["twig", ["laravel"], ["trans", "__"]],
  ["twig", ["wordpress"], ["__", "_"]],
  ["twig", ["gettext"], ["trans", "t", "__", "_"]],
];

test.each(cases)("finds in %s: %j", (language, frameworks, keys) => {
  const uses = find(language, SOURCES[language] ?? "", options(frameworks));
  expect(uses.map(({ expression }) => (expression.kind === "static" ? expression.key : "*"))).toEqual(keys);
});

test("a name is that of a translation function in any framework, also as a directive, without what only an object has", () => {
  const names = [
    "translate",
    "t",
    "$t",
    "__",
    "_n",
    "trans_choice",
    "choice",
    "lang",
    "gettext_lazy",
    "i18n",
  ];
  expect(names.filter(isTranslationFunction)).toEqual(names.slice(0, -1));
  expect(["get", "instant", "exists", "@lang", "Craft"].filter(isTranslationFunction)).toEqual([]);
});

test("reads the domain in PHP of Symfony and Craft", () => {
  const namespaces = (framework: FrameworkName) =>
    find("php", PHP, options([framework])).map((use) => use.namespaces);
  expect(namespaces("symfony")).toEqual([null, ["shop"], null, null]);
  expect(namespaces("craft")).toEqual([["site"]]);
});
