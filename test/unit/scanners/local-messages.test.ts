/** Messages that a Vue component defines itself: where they are, their texts, and where they are used. */
import { expect, test } from "vitest";
import { vue } from "../../../src/scanners/vue-scanner.ts";
import { messagesNamed } from "../../../src/scanners/component-messages.ts";
import { find, options } from "./marked.ts";

/** Messages as `locale key=text @name`, with the name that is at its position. */
function messagesIn(text: string): readonly string[] {
  const messages = vue.findLocal?.(text, options()).messages ?? [];
  return messages.map(
    ({ locale, key, text: value, keySpan }) =>
      `${locale} ${key}=${value} @${text.slice(keySpan.start, keySpan.end)}`,
  );
}

const USED = "<template>{{ t('x') }}</template>";

test.each<readonly [title: string, block: string, messages: readonly string[]]>([
  [
    "YAML's lists of several",
    `<i18n lang="yaml" locale="en">\nl:\n  - x\n  - y\nb: B\n</i18n>`,
    ["en l=null @l", "en b=B @b"],
  ],
  [
    "JSON",
    `<i18n>{ "en": { "a": { "b": "It\\u0027s" } }, "nl": { "a": { "b": "B" } } }</i18n>`,
    ["en a.b=It's @b", "nl a.b=B @b"],
  ],
  [
    "JSON5",
    `<i18n lang="json5">{ en: { 'c d': 'C', /* x */ e: "E", }, }</i18n>`,
    ["en c d=C @c d", "en e=E @e"],
  ],
  [
    "languages only, of which one has no messages",
    `<i18n>{ "en": "x", "nl": { "a": "A" }, "de": {} }</i18n>`,
    ["nl a=A @a"],
  ],
  [
    "one language",
    `<i18n locale=nl global lang="json">{ "a": "A", "l": ["x"] }</i18n>`,
    ["nl a=A @a", "nl l=null @l"],
  ],
  [
    "a module",
    `<i18n lang="ts">export default { en: { a: \`A\`, b: () => "B" } }</i18n>`,
    ["en a=A @a", "en b=null @b"],
  ],
  [
    "YAML",
    `<i18n lang="yaml">\nen:\n  a: A # x\n  "b": "B: \\u0062"\n  'c': 'it''s'\n  d:\n    e: |\n      one\n      # two\n    f: >-\n      three\n      four\nnl:\n  a: A a\n    more\n</i18n>`,
    [
      "en a=A @a",
      "en b=B: b @b",
      "en c=it's @c",
      "en d.e=one\n# two @e",
      "en d.f=three four @f",
      "nl a=A a more @a",
    ],
  ],
  [
    "YAML's blocks, without what all of their lines are indented by",
    `<i18n lang="yaml" locale="en">\na: |\n    one\n      two\n\n    three\n\nb: >\n      four\n    five\n</i18n>`,
    ["en a=one\n  two\n\nthree @a", "en b=four five @b"],
  ],
  [
    "YAML up to what is not read",
    `<i18n lang="yaml" locale="en">\na: A\nb:\n  c: C\n? d\n</i18n>`,
    ["en a=A @a", "en b.c=C @c"],
  ],
  [
    "YAML with Windows line ends",
    `<i18n lang="yml" locale="en">\r\na: A\r\nb:\r\n  c: C\r\n</i18n>`,
    ["en a=A @a", "en b.c=C @c"],
  ],
  [
    "options of the hook",
    `<script setup>const { t } = useI18n({ useScope: "local", messages: { en: { a: "A" } } })</script>`,
    ["en a=A @a"],
  ],
  [
    "options of the component",
    `<script>export default { name: "x", i18n: { messages: { en: { a: "A" } } } }</script>`,
    ["en a=A @a"],
  ],
])("reads %s", (_, block, messages) => {
  expect(messagesIn(`${USED}\n${block}`)).toEqual(messages);
});

test("finds the usages of own messages only, and not among those of the project", () => {
  const text = `<template>{{ t('a') }}{{ $t('b') }}<i18n-t keypath="g.c" />{{ t("g") }}</template>
<script setup>const { t } = useI18n({ messages: { en: { a: "A", gx: "X", g: { c: "C", d: "D" } } } })</script>`;
  const local = vue.findLocal?.(text, options());
  const keys = local?.usages.map(({ expression }) => (expression.kind === "static" ? expression.key : "?"));
  expect(keys).toEqual(["a", "g.c", "g"]);
  expect(find("vue", text).map(({ expression }) => expression)).toEqual([{ kind: "static", key: "b" }]);
  expect(messagesNamed(local?.messages ?? [], "g").map(({ key }) => key)).toEqual(["g.c", "g.d"]);
});

test("groups of any depth are messages of the component; of two with one name its own comes first", () => {
  const text = `<template>{{ t('x') }}{{ t('x.y') }}{{ t('x.y.z') }}{{ t('x.z') }}</template>
<i18n>{ "en": { "x": { "y": { "z": "Z" } } }, "nl": { "x": "X" } }</i18n>`;
  const local = vue.findLocal?.(text, options());
  const keys = local?.usages.map(({ expression }) => (expression.kind === "static" ? expression.key : "?"));
  expect(keys).toEqual(["x", "x.y", "x.y.z"]);
  expect(messagesNamed(local?.messages ?? [], "x").map(({ locale, text: said }) => [locale, said])).toEqual([
    ["nl", "X"],
  ]);
  expect(messagesNamed(local?.messages ?? [], `x["y"].z`).map(({ key }) => key)).toEqual(["x.y.z"]);
});

test("names the files that have messages", () => {
  const text = `${USED}<i18n src="./en.json" locale="en" /><i18n src="../all.yaml"></i18n>`;
  expect(vue.findLocal?.(text, options()).files).toEqual([
    { path: "./en.json", locale: "en" },
    { path: "../all.yaml", locale: null },
  ]);
});
