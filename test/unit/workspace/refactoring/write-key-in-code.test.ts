/** Writes a key's new name at one usage: «…» marks the key. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import type { KeyUsage } from "../../../../src/scanners/key-usage.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { NameWriter } from "../../../../src/workspace/refactoring/write-key-in-code.ts";
import { propertyRuns } from "../../support/full-run.ts";

function writerAt(path: string, frameworks: readonly FrameworkName[], marked: string) {
  const text = marked.replaceAll(/[«»]/g, "");
  const language = usageLanguageFor(path);
  if (language === undefined) throw new Error(`No language for ${path}`);
  const options = { frameworks: new Set(frameworks), functions: [] };
  const start = marked.indexOf("«");
  const find = (code: string): readonly KeyUsage[] => language.find(code, options);
  const use = find(text).find(({ keySpan, literalSpan }) => (literalSpan ?? keySpan).start === start);
  if (use === undefined) throw new Error(`No key at the mark of ${marked}`);
  return { text, writer: new NameWriter(text, use, language, options), find };
}

// The values would be lost.
test.each<readonly [framework: FrameworkName, marked: string, isWritten: boolean]>([
  ["lingui", 'import { t } from "@lingui/macro"; t`«Hi ${name}»`', false],
  ["lingui", 'import { t } from "@lingui/macro"; t`«Hi you»`', true],
  ["gettext", 'import { t } from "ttag"; t`«Hi ${name}»`', false],
  ["gettext", 'import { t } from "ttag"; t`«Hi you»`', true],
])("with %s: a text with values in %s", (framework, marked, isWritten) => {
  const { writer } = writerAt("a.tsx", [framework], marked);
  expect(writer.isQuoted).toBe(isWritten);
  for (const name of ["Ho", "Ho {name}"]) expect(writer.codeFor(name)).toBe(isWritten ? name : null);
});

describe("unquoted keys", () => {
  test.each<readonly [path: string, framework: FrameworkName, marked: string]>([
    ["a.tsx", "i18next", "t($ => $.«a.b»)"],
    ["a.tsx", "i18next", "<Trans i18nKey={[$ => $.«a.b»]} />"],
    ["a.html.twig", "symfony", "{% trans %}«Save»{% endtrans %}"],
    ["a.jinja", "jinja", "{% trans %}«Save»{% endtrans %}"],
    ["a.djhtml", "django", "{% load i18n %}{% blocktranslate %}«Save»{% endblocktranslate %}"],
  ])("in %s with %s: %s accepts only words", (path, framework, marked) => {
    const { writer } = writerAt(path, [framework], marked);
    expect(writer.isQuoted).toBe(false);
    const names = [
      "x",
      "_x",
      "x.y",
      "x.1",
      "shop.cart-2",
      "a_b",
      "",
      "1x",
      "-x",
      ".x",
      "x y",
      "it's",
      "x{",
      "%}",
    ];
    expect(names.filter((name) => writer.codeFor(name) !== null)).toEqual([
      "x",
      "_x",
      "x.y",
      // In a script these would be another code.
      ...(path === "a.tsx" ? [] : ["x.1", "shop.cart-2"]),
      "a_b",
    ]);
  });

  test.each<readonly [path: string, framework: FrameworkName, marked: string]>([
    ["a.tsx", "i18next", "t(«'a' + b»)"],
    ["a.tsx", "i18next", "t(«`a${b}`»)"],
    ["a.php", "laravel", "<?php __('«a'.'b»');"],
    ["a.php", "laravel", "<?php __(«<<<'X'\na\nX»);"],
    ["a.djhtml", "django", "{% load i18n %}{% blocktranslate %}«Hi {{ a }}»{% endblocktranslate %}"],
  ])("in %s with %s: refuses to replace by %s", (path, framework, marked) => {
    const { writer } = writerAt(path, [framework], marked);
    expect(writer.isQuoted).toBe(false);
    expect([writer.codeFor("x y"), writer.codeFor("1")]).toEqual([null, null]);
  });
});

test("keeps words, digits, blanks and plain punctuation in quotes unchanged", () => {
  const { writer, text } = writerAt("a.tsx", ["i18next"], "t('«a.b»')");
  expect(writer.isQuoted).toBe(true);
  expect(text.slice(writer.span.start, writer.span.end)).toBe("a.b");
  for (const name of ["1", "x y", "Prijs: 5 (incl. btw)?", "été…", "[a]", "a/b|c"])
    expect(writer.codeFor(name)).toBe(name);
  expect(writer.codeFor("")).toBeNull();
});

test("verifies a remembered spelling for each name", () => {
  const markup = writerAt("a.tsx", ["i18next"], `<Trans i18nKey="«a»" />`).writer;
  expect(['"a"', '"other words"', "&a", "&amp;", "&b", '"a"'].map((name) => markup.codeFor(name))).toEqual([
    "&quot;a&quot;",
    "&quot;other words&quot;",
    "&a",
    "&amp;amp;",
    "&b",
    "&quot;a&quot;",
  ]);
  const php = writerAt("a.php", ["laravel"], '<?php __("«a»");').writer;
  expect(["$5", "$a", "$5", "$b c"].map((name) => php.codeFor(name))).toEqual(["$5", "\\$a", "$5", "\\$b c"]);
});

test("refuses the same name again at the same location", () => {
  const { writer } = writerAt("a.vue", ["vue-i18n"], "<template>{{ $t('«a»') }}</template>");
  expect([writer.codeFor("a }} b"), writer.codeFor("c }} d"), writer.codeFor("e")]).toEqual([
    null,
    null,
    "e",
  ]);
});

test("keeps the other usages in the code", () => {
  // The new name would end the first tag early and make the second key its text.
  const { writer } = writerAt("a.html.twig", ["symfony"], "{{ '«a»'|trans }} {{ 'b'|trans }}");
  expect(writer.codeFor("'")).toBe(String.raw`\'`);
  const constants = writerAt("a.ts", ["i18next"], "const K = '«a»'; t(K); t(`${K}.x`);");
  expect(constants.writer.codeFor("it's")).toBeNull();
});

test.each([
  ["context", "t('friend', { context: K })"],
  ["namespace", "const { t: u } = useTranslation(K); u('friend')"],
  ["prefix of the key", "getFixedT(null, null, K)('friend')"],
])("keeps the %s of the other usages in the code", (_, other) => {
  expect(writerAt("a.ts", ["i18next"], "const K = '«a»'; t(K);").writer.codeFor("it's")).not.toBeNull();
  expect(writerAt("a.ts", ["i18next"], `const K = '«a»'; t(K); ${other}`).writer.codeFor("it's")).toBeNull();
});

test.each<readonly [path: string, framework: FrameworkName, marked: string, name: string, code: string]>([
  ["a.ts", "i18next", "t('«a»')", "one\rtwo", String.raw`one\rtwo`],
  ["a.tsx", "i18next", "<Trans i18nKey='«a»' />", `it's`, "it&#39;s"],
  ["a.py", "gettext", "_(r'«a»')", String.raw`a\d & b`, String.raw`a\d & b`],
])("in %s with %s: at %s %j is written %s", (path, framework, marked, name, code) => {
  expect(writerAt(path, [framework], marked).writer.codeFor(name)).toBe(code);
});

const PLACES: readonly (readonly [path: string, framework: FrameworkName, marked: string])[] = [
  ["a.ts", "i18next", "t('«a»'); t('other')"],
  ["a.ts", "i18next", 't("«a»"); t("other")'],
  ["a.ts", "i18next", "t(`«a»`); t(`other`)"],
  ["a.tsx", "i18next", "<Trans i18nKey='«a»' />"],
  ["a.vue", "vue-i18n", `<template><p :title="$t('«a»')">{{ $t('other') }}</p></template>`],
  ["a.svelte", "svelte-i18n", `<p title="{$_('«a»')}">{$_('other')}</p>`],
  ["a.php", "laravel", "<?php __('«a»'); __('other');"],
  ["a.php", "laravel", '<?php __("«a»"); __("other");'],
  ["a.blade.php", "laravel", "<p>{{ __('«a»') }} @lang('other')</p>"],
  ["a.html.twig", "symfony", "{{ '«a»'|trans }} {{ 'other'|trans }}"],
  ["a.html.twig", "symfony", '{{ "«a»"|trans }} {{ "other"|trans }}'],
  ["a.djhtml", "django", '{% load i18n %}{% translate "«a»" %}{% translate "other" %}'],
  ["a.py", "gettext", "_('«a»'); _('other')"],
];
const SIGNS = [
  "'",
  '"',
  "`",
  "\\",
  "$",
  "{",
  "}",
  "{{",
  "}}",
  "%",
  "%}",
  "#{",
  "&",
  "<",
  ">",
  "\n",
  "a",
  " ",
  "é",
];

test("writes any name at any location so that it reads back, with the rest unchanged", () => {
  const names = fc
    .array(fc.constantFrom(...SIGNS), { minLength: 1, maxLength: 6 })
    .map((signs) => signs.join(""));
  let written = 0;
  let tried = 0;
  fc.assert(
    fc.property(fc.constantFrom(...PLACES), names, ([path, framework, marked], name) => {
      const { text, writer, find } = writerAt(path, [framework], marked);
      const inCode = writer.codeFor(name);
      tried++;
      if (inCode === null) return;
      written++;
      const keys = (code: string) =>
        find(code).map(({ expression }) => (expression.kind === "static" ? expression.key : expression.kind));
      const before = keys(text);
      const after = keys(applySplices(text, [{ ...writer.span, text: inCode }]));
      expect(after).toEqual(before.map((key) => (key === "a" ? name : key)));
    }),
    propertyRuns(3_000),
  );
  expect(written).toBeGreaterThan(tried / 6);
});
