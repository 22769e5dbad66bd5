/** Usages in Vue templates and scripts, with positions in the whole file. */
import { describe, expect, test } from "vitest";
import { check, find, type Case } from "./marked.ts";

const cases: readonly Case[] = [
  [
    "messages of the component's own in YAML and behind a comment, where no language is named",
    "vue",
    `<i18n>\nen:\n  a: A\n</i18n><i18n>/* words */ { "en": { "b": { "c": "C" } } }</i18n>
<template>{{ $t('a') }}{{ $t('b["c"]') }}{{ $t('«d»') }}</template>`,
    { scopes: ["-|"] },
  ],
  [
    "messages of the component's own that are elsewhere",
    "vue",
    `<template>{{ $t('«a»') }}</template><script>export default { i18n: { messages: own } }</script>`,
    { scopes: ["?|"] },
  ],
  [
    "messages of the component's own before what cannot be read",
    "vue",
    `<template>{{ $t('a') }}{{ $t('«b»') }}</template><i18n lang="yaml">\nen:\n  a: A\n  words\n</i18n>`,
    { scopes: ["?|"] },
  ],
  ["a component behind a tag that is not closed", "vue", `<template><p\n<i18n-t keypath="«a»" /></template>`],
  [
    "the second comment and style",
    "vue",
    `<template><!-- {{ $t('no') }} -->{{ $t('«a»') }}<!-- {{ $t('no') }} -->{{ $t('«b»') }}</template><style>{{ $t('no') }}</style><style>{{ $t('no') }}</style><script>$t('«c»')</script>`,
  ],
  [
    "a script with JSX after one of another language",
    "vue",
    `<script lang="ts">const a = <T>b; t('«a»')</script><script>const A = () => <p>it's</p>; t('«b»')</script>`,
  ],
  [
    "messages of all languages after those of one",
    "vue",
    `<i18n locale="nl" lang="yaml">a: A</i18n><i18n>{ "en": { "b": "B" } }</i18n><template>{{ t('a') }}{{ t('b') }}{{ t('«en.b»') }}{{ t('«nl.a»') }}</template>`,
    { scopes: ["-|", "-|"] },
  ],
  [
    "the second component and attribute in Pug",
    "vue",
    `<template lang="pug">\ni18n-t(keypath="«a»")\n  i18n-t(tag="p" keypath='«b»')\np(:title="$t('«c»')" :alt='$t("«d»")' x="$t('no')") {{ $t('«e»') }} it's {{ $t('«f»') }}\n</template>\n<script>$t('«g»')</script>`,
  ],
  [
    "a loop over an object, with its names and numbers",
    "vue",
    `<script>const keys = { x: "a" };</script><template><p v-for="(keysOf, name, index) in keys">{{ $t(«keysOf») }}{{ $t(name) }}</p></template>`,
    { keys: ["a"], patterns: ["*"] },
  ],
  ["interpolations", "vue", `<template><p>it's {{ $t('«a»') }} {{ t("«b»") }}</p></template>`],
  [
    "bound attributes",
    "vue",
    `<template><a :title="$t('«a»')" v-bind:alt='$t("«b»")' v-if="$te('«c»')" @click="f($t('«d»'))" #x="y" title="$t('e')" /></template>`,
  ],
  [
    "v-t",
    "vue",
    `<template><p v-t="'«a»'" /><p v-t="{ path: '«b»', args: { x: 1 } }" /><p v-t="key" /></template>`,
    { patterns: ["*"], scopes: ["-|", "-|"] },
  ],
  ["stray signs in a tag", "vue", `<template><p a / ' = v-t="'«a»'" /><p b" v-t="'«c»'" /></template>`],
  [
    "i18n-t",
    "vue",
    `<template><i18n-t keypath="«a»" tag="p" /><I18nT :keypath="'«b»'" /><i18n path="«c»" /><Translation keypath="«d»" /><I18n path="«e»" /></template>`,
  ],
  [
    "an object for classes after an interpolation",
    "vue",
    `<template>{{ $t('«a»') }}<b :class="{ c: d }" /></template>`,
  ],
  ["comments", "vue", `<template><!-- {{ $t('a') }} --><p>{{ $t('«b»') }}</p></template>`],
  ["styles", "vue", `<style>a { content: "{{ $t('a') }}" }</style><template>{{ $t('«b»') }}</template>`],
  ["a script", "vue", `<script>export default { f() { return this.$t('«a»') } } // $t('b')\n</script>`],
  [
    "a script with JSX",
    "vue",
    `<script lang="tsx">const A = () => <p>it's 'so {t('«a»')}</p></script><script>const B = <p>5' {t('«b»')}</p></script>`,
  ],
  [
    "a script in TypeScript",
    "vue",
    `<script setup lang="ts">const a = <T>b; const { t } = useI18n(); t('«c»')</script>`,
  ],
  [
    "a translator of the script in the template",
    "vue",
    `<template>{{ tr('«a»') }}</template>\n<script setup>const { t: tr } = useI18n()</script>`,
    { scopes: ["-|"] },
  ],
  [
    "a namespace of the script in the template",
    "vue",
    `<script setup>const { t } = useTranslation("x")</script><template><p :a="t('«b»')" /></template>`,
    { scopes: ["x|"] },
  ],
  [
    "messages of the component's own are none of the project's, and others are",
    "vue",
    `<template>{{ $t('a') }}{{ $t('«b»') }}<i18n-t keypath="c.d" /><p v-t="'c'" />{{ $tm("c.list") }}{{ $t("c.list[1]") }}{{ $t('«c.e»') }}</template>
<script setup>const { t } = useI18n(); t("a"); t(x ? "c.d" : "«d»")</script>
<i18n>{ "en": { "a": "A", "c": { "d": "D", "list": ["x", "y"] } } }</i18n>`,
    { scopes: ["-|", "-|", "-|"] },
  ],
  [
    "messages of the component's own in several blocks, of one language, flat, with a self-closing one",
    "vue",
    `<i18n locale="nl" lang="json5">{ a: 'A', /* b: "B" */ 'c.d': "D", }</i18n><i18n locale=en>{ "e\\u00e9": "E" }</i18n>
<template>{{ $t('a') }}{{ $t('«b»') }}{{ $t('c.d') }}{{ $t("eé") }}{{ $t("«nl.a»") }}</template>`,
    { scopes: ["-|", "-|"] },
  ],
  [
    "messages of the component's own in a module, and in YAML",
    "vue",
    `<i18n lang="ts">export default { en: { a: "A", "b": () => "B" } }</i18n>
<i18n lang="yaml">
# words
en:
  c: C # c
  "d: e": |
    f: F

    g: G
  h:
    i: 'I: i'
    list:
    - x
    - y: z
    j: >-
      long
  https://k: K
</i18n>
<template>{{ t('a') }}{{ t('b') }}{{ t('c') }}{{ t('d: e') }}{{ t('h.i') }}{{ t('h.j') }}{{ t('h.list[0]') }}{{ t('https://k') }}
{{ t('«f»') }}{{ t('«h.k»') }}{{ t('«en.c»') }}</template>`,
    { scopes: ["-|", "-|", "-|"] },
  ],
  [
    "messages of the component's own that are none",
    "vue",
    `<i18n></i18n><i18n lang="json"> </i18n><i18n>{}</i18n><i18n lang="yaml"># nothing\n---\n\n</i18n><template>{{ $t('«a»') }}</template>`,
    { scopes: ["-|"] },
  ],
  [
    "keys with their namespaces are none of the component's own",
    "vue",
    `<i18n>{ "en": { "a": "A" } }</i18n><template>{{ $t('«a»', { ns: 'x' }) }}{{ $t('a') }}{{ $t(key) }}</template>`,
    { scopes: ["x|"], patterns: ["*"] },
  ],
  [
    "YAML of groups and texts in each other",
    "vue",
    `<i18n lang="yml">
en:
  a:
    b: B
    c: |
        d: D
      e
    f: 'it''s: so'
  "g\\u0068":
  l:
    - x
    - m: n
      o: p
  q: Q
</i18n><template>{{ t('a.b') }}{{ t('a.c') }}{{ t('«a.d»') }}{{ t('«a.c.d»') }}{{ t('a.f') }}{{ t('gh') }}{{ t('a') }}{{ t('l.0') }}{{ t('l.1.m') }}{{ t('q') }}{{ t('«l2»') }}</template>`,
    { scopes: ["-|", "-|", "-|"] },
  ],
  [
    "patterns that messages of the component's own may be meant by",
    "vue",
    '<i18n>{ "en": { "a": { "b": "B" } } }</i18n><template>{{ t(`a.${x}`) }}{{ t(`c.${x}`) }}{{ t(`a.b.${x}`) }}</template>',
    { patterns: ["a.*", "c.*", "a.b.*"] },
  ],
  ...[
    `<i18n src="./own.json"></i18n>`,
    `<i18n src="./own.json" />`,
    `<i18n>{ "en": { "b": "B", </i18n>`,
    `<i18n lang="js">import en from "../core/usages/en"; export default { en }</i18n>`,
    `<i18n lang="js">export default { en: { ...common } }</i18n>`,
    `<i18n lang="yaml">en: { b: B }</i18n>`,
    `<i18n lang="yaml">\nen:\n  b: &b B\n  c: *b\n</i18n>`,
    `<i18n lang="yaml">\nen:\n\tb: B\n</i18n>`,
    `<i18n lang="yaml">\nen:\n  l:\n  - x\n  b: B\n  - y\n</i18n>`,
    `<i18n lang="yaml">\n- x\n</i18n>`,
    `<i18n lang="yaml">\nen:\n  <<: *common\n</i18n>`,
    `<i18n lang="yaml">\nen:\n  l: [x]\n</i18n>`,
    `<i18n lang="yaml">\nen:\n  words\n</i18n>`,
    `<i18n lang="json5">{ en: { [b]: "B" } }</i18n>`,
    `<i18n lang="json5">{ en: { b() {} } }</i18n>`,
    `<i18n lang="js">export const en = { b: "B" }</i18n>`,
  ].map((block): Case => [
    `messages of the component's own that cannot be read: ${block}`,
    "vue",
    `<template>{{ $t('«a»') }}</template>\n${block}`,
    { scopes: ["?|"] },
  ]),
  [
    "a local scope",
    "vue",
    `<script setup>const { t } = useI18n({ useScope: "local" }); t("«a»")</script>`,
    { scopes: ["?|"] },
  ],
  [
    "counts and templates",
    "vue",
    `<template>{{ $tc('«a»', 2) }} {{ $t(\`b.\${c}\`) }}</template>`,
    { patterns: ["b.*"] },
  ],
  ["a tag that is not closed", "vue", `<template><p :a="$t('«b»')"\n<p>{{ $t('«c»') }}`],
  ["a less-than sign in text", "vue", `<template><p>1 < 2 {{ $t('«a»') }}</p></template>`],
  [
    "pug",
    "vue",
    `<template lang="pug">\np(:title="$t('«a»')") {{ $t('«b»') }} it's\ni18n-t(keypath="«c»" tag="p")\n</template>`,
  ],
  [
    "nested templates",
    "vue",
    `<template><template #x>{{ $t('«a»') }}</template><p>{{ $t('«b»') }}</p></template>`,
  ],
  [
    "attributes over several lines",
    "vue",
    `<template>\n<Foo\n  :label="\n    $t('«a»', { b: 1 })\n  "\n/></template>`,
  ],
];

describe("Vue", () => {
  for (const given of cases) test(given[0], () => check(given));

  test("a directive whose options show no key may have one of any namespace", () => {
    const code = `<template><p v-t="{ locale: x }" /><p v-t="{ path: y }" /></template>`;
    expect(find("vue", code).map(({ namespaces }) => namespaces)).toEqual(["unknown", null]);
  });
});
