/** A new call uses the same function as the other calls in the file. */
import { expect, test } from "vitest";
import type { KeyUsage } from "../../../../src/scanners/key-usage.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { extractionAt } from "../../../../src/workspace/extract-text/extract-text.ts";
import { translatorOf } from "../../../../src/workspace/extract-text/extract-from-javascript.ts";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import { codeFile, extract, type ExtractLanguage } from "./extracted.ts";

test.each<[callees: readonly string[], usual: string, translator: string]>([
  [[], "t", "t"],
  [["t", "i18n.t", "i18n.t"], "t", "t"],
  [["i18n.t"], "t", "i18n.t"],
  [["i18n.t", "tCart", "tCart"], "t", "tCart"],
  [["tCart", "tCart", "i18n.t"], "t", "tCart"],
  // Of several as often the first.
  [["tA", "tB"], "t", "tA"],
  [["$t", "$t"], "t", "$t"],
  [["__"], "t", "__"],
  [["trans"], "$t", "trans"],
  // What takes something else than a key, or is no function that one can call so.
  [["transChoice", "tChoice", "Trans", "v-t", "translate", "useT().t", "tc"], "t", "t"],
  [["this.$t"], "$t", "this.$t"],
  [["intl.formatMessage"], "intl.formatMessage", "intl.formatMessage"],
  [["formatMessage", "formatMessage"], "intl.formatMessage", "formatMessage"],
  [["t", "t"], "intl.formatMessage", "intl.formatMessage"],
  [["$formatMessage"], "$t", "$t"],
])("after %j, usually %s, it is %s", (callees, usual, translator) => {
  const uses = callees.map((callee) => ({ callee }) as KeyUsage);
  expect(translatorOf(uses, usual)).toBe(translator);
});

test.each<[marked: string, language: ExtractLanguage, framework: FrameworkName, after: string | null]>([
  ["{% load i18n %}<b title=«Save»>", "django", "django", null],
  [
    "{% load i18n %}<b title='«Save»' class=x>",
    "django",
    "django",
    `{% load i18n %}<b title='{% translate "shop.new" %}' class=x>`,
  ],
  ["{% load i18n %}<b class='«Save»'>", "django", "django", null],
  // The tag is inserted before a text at the start of the file.
  ["«Save»\n", "django", "django", '{% load i18n %}\n{% translate "shop.new" %}\n'],
  ["{% load i18n %}<b title='a «Save»'>", "django", "django", null],
  ["a = { ['id']: «'Save'» }", "typescript", "i18next", null],
  ["a = { 'id': «'Save'» }", "typescript", "i18next", null],
  ["f({ title: «'Save'» })", "typescript", "i18next", "f({ title: t('shop.new') })"],
  ["a.t(«'Save'»)", "typescript", "i18next", null],
  ["a['t'](«'Save'»)", "typescript", "i18next", null],
  ["a?.t?.(«'Save'»)", "typescript", "i18next", null],
  ["new Error(«'Save'»)", "typescript", "i18next", "new Error(t('shop.new'))"],
  ["a = «'Save'» as string", "typescript", "i18next", "a = t('shop.new') as string"],
  ["a = «'Save'» satisfies string", "typescript", "i18next", "a = t('shop.new') satisfies string"],
  ["a = «'Save'»!", "typescript", "i18next", "a = t('shop.new')!"],
  ["a = <const>«'Save'»", "typescript", "i18next", null],
  ["a = `«Save»`", "typescript", "i18next", 'a = t("shop.new")'],
  // The script and the template of a component have translators of their own.
  [
    "<script>const a = «'Save'»;</script><template>{{ $t('a') }}</template>",
    "vue",
    "vue-i18n",
    "<script>const a = t('shop.new');</script><template>{{ $t('a') }}</template>",
  ],
  [
    "<template>{{ $t('a') }}</template><script>const a = «'Save'»;</script>",
    "vue",
    "vue-i18n",
    "<template>{{ $t('a') }}</template><script>const a = t('shop.new');</script>",
  ],
  [
    "<script>i18n.t('a')</script><template><p>«Save»</p></template>",
    "vue",
    "vue-i18n",
    `<script>i18n.t('a')</script><template><p>{{ $t("shop.new") }}</p></template>`,
  ],
  [
    "<template><p>«Save»</p></template><script>i18n.t('a')</script>",
    "vue",
    "vue-i18n",
    `<template><p>{{ $t("shop.new") }}</p></template><script>i18n.t('a')</script>`,
  ],
  // An element of a component may end in its tag.
  [
    '<textarea /><b title="«Save»"></b>',
    "svelte",
    "svelte-i18n",
    '<textarea /><b title={$t("shop.new")}></b>',
  ],
  // The template ends where the outer one does.
  [
    "<template><template v-if='a'></template><p>{{ i18n.t('a') }}</p>«Save»</template>",
    "vue",
    "vue-i18n",
    `<template><template v-if='a'></template><p>{{ i18n.t('a') }}</p>{{ i18n.t("shop.new") }}</template>`,
  ],
  [
    `<script lang="tsx">const a: B = «'Save'»;</script>`,
    "vue",
    "vue-i18n",
    `<script lang="tsx">const a: B = t('shop.new');</script>`,
  ],
  [
    "<template><p>«Save»</p></template>",
    "vue",
    "formatjs",
    `<template><p>{{ $formatMessage({ id: "shop.new" }) }}</p></template>`,
  ],
])("%s in %s with %s", async (marked, language, framework, after) => {
  const found = await extract(marked, language, framework);
  expect(found).toEqual(after === null ? null : ["Save", after]);
});

test.each<[paths: readonly string[], code: string, framework: FrameworkName]>([
  [["a.php", "a.phtml", "a.inc"], "<?php f('Save');", "laravel"],
  [["a.py", "a.pyw"], "f('Save')", "gettext"],
  [["a.djhtml", "a.djtxt", "a.html", "a.htm", "a.txt"], "<b>Save</b>", "django"],
  [["a.jinja", "a.jinja2", "a.j2", "a.html"], "<b>Save</b>", "jinja"],
  [["a.component.html"], "<b>Save</b>", "ngx-translate"],
  [["a.blade.php"], "<b>Save</b>", "laravel"],
  [["a.twig", "a.html.twig"], "<b>Save</b>", "symfony"],
])("the ending of %j says which language of servers or templates it is", async (paths, code, framework) => {
  const start = code.indexOf("Save");
  const options = { frameworks: new Set<FrameworkName>([framework, "gettext"]), functions: [] };
  for (const path of paths) {
    const language = usageLanguageFor(path) ?? usageLanguageFor("a.html");
    const found = await extractionAt({ path, text: code, language, options }, { start, end: start + 4 });
    expect([path, found?.text]).toEqual([path, "Save"]);
  }
});

test.each<[path: string, code: string, isTaken: boolean]>([
  ["a.ts", "const a: string = <string>f('Save');", true],
  ["a.mts", "const a: string = <string>f('Save');", true],
  ["a.cts", "const a: string = <string>f('Save');", true],
  ["a.tsx", "const a: string = <string>f('Save');", false],
  ["a.tsx", "const a: JSX.Element = <b>Save</b>;", true],
  ["a.ts", "const a = <b>Save</b>;", false],
  ["a.js", "const a = <b>Save</b>;", true],
  ["a.mjs", "const a = <b>Save</b>;", true],
  ["a.cjs", "const a = f('Save');", true],
  ["a.jsx", "const a = <b>Save</b>;", true],
  ["a.ats", "const a = f('Save');", false],
  ["a.json", '{ "a": "Save" }', false],
  ["Page.TSX", "const a = <b>Save</b>;", true],
])("of %s the ending says how it is read: %s", async (path, code, isTaken) => {
  const start = code.indexOf("Save");
  const options = { frameworks: new Set<FrameworkName>(["i18next"]), functions: [] };
  const found = await extractionAt(codeFile(path, code, options), { start, end: start + 4 });
  expect(found?.text).toBe(isTaken ? "Save" : undefined);
});
