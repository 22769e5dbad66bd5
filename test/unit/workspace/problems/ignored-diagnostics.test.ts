/** The comment that ignores one usage: its position in each language, without other changes. */
import { describe, expect, test } from "vitest";
import { ignoreCommentFor, isOnIgnoredLine } from "../../../../src/workspace/problems/ignored-diagnostics.ts";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { options } from "../../scanners/marked.ts";

const MARK = "project-translations-ignore";

/** The text with a mark for its use of `KEY`; `null`: none is offered. */
function mark(path: string, text: string, frameworks: readonly FrameworkName[]): string | null {
  const language = usageLanguageFor(path);
  if (language === undefined) throw new Error(`no language for ${path}`);
  const given = options(frameworks);
  const isOfKey = ({ expression }: { readonly expression: object }): boolean =>
    "key" in expression && expression.key === "KEY";
  const use = language.find(text, given).find(isOfKey);
  if (use === undefined) throw new Error(`no use in ${text}`);
  const insert = ignoreCommentFor(text, use, language, given);
  if (insert === null) return null;
  const marked = text.slice(0, insert.offset) + insert.text + text.slice(insert.offset);
  const again = language.find(marked, given).filter(isOfKey);
  expect(again).toHaveLength(1);
  const offsets = again.flatMap(({ keySpan, callSpan }) => [keySpan.start, callSpan.start]);
  expect(offsets.some((offset) => isOnIgnoredLine(marked, offset))).toBe(true);
  return marked.replaceAll(MARK, "MARK");
}

const cases: readonly (readonly [
  path: string,
  text: string,
  marked: string | null,
  frameworks?: FrameworkName[],
])[] = [
  [
    "a.html",
    `<p>{{ 'KEY' | translate }}</p>`,
    `<p><!-- MARK -->{{ 'KEY' | translate }}</p>`,
    ["ngx-translate"],
  ],
  ["a.html", `<p [x]="'KEY' | translate">`, `<!-- MARK --><p [x]="'KEY' | translate">`, ["ngx-translate"]],
  [
    "a.html",
    `<p [x]="a > b ? 'KEY' : 'b'" *transloco="let t">{{ t('KEY') }}`,
    `<p [x]="a > b ? 'KEY' : 'b'" *transloco="let t"><!-- MARK -->{{ t('KEY') }}`,
    ["transloco"],
  ],
  ["a.html", `<p translate>KEY</p>`, `<!-- MARK --><p translate>KEY</p>`, ["ngx-translate"]],
  [
    "a.ts",
    "@Component({ template: `<p>{{ 'KEY' | translate }}</p>` }) class A {}",
    "@Component({ template: `<p><!-- MARK -->{{ 'KEY' | translate }}</p>` }) class A {}",
    ["ngx-translate"],
  ],
  // The tag begins on another line.
  ["a.html", `<p\n  [x]="'KEY' | translate">`, null, ["ngx-translate"]],
  [
    "a.html",
    `<p [y]="a > b" [x]="'KEY' | translate">`,
    `<!-- MARK --><p [y]="a > b" [x]="'KEY' | translate">`,
    ["ngx-translate"],
  ],
  ["a.ts", `t("KEY")`, `t(/* MARK */ "KEY")`],
  // The comment would end the one that the key is in.
  ["a.ts", `/** t(a, KEY, b) */ x;`, null, ["transloco"]],
  ["a.ts", "t(\n  a ? `KEY` : 'b',\n)", "t(\n  a ? /* MARK */ `KEY` : 'b',\n)"],
  ["a.ts", `const L = "KEY"; t(L)`, `const L = "KEY"; t(/* MARK */ L)`],
  // Without quotes only an argument is surely no part of something else.
  ["a.ts", `const L = "KEY"; t(a ? "b" : L)`, null],
  ["a.ts", `t($ => $.KEY)`, null, ["i18next"]],
  ["a.ts", `formatMessage({ id: "KEY" })`, `formatMessage({ id: /* MARK */ "KEY" })`],
  ["a.tsx", `<Trans i18nKey="KEY" ns="a" />`, `<Trans /* MARK */ i18nKey="KEY" ns="a" />`],
  ["a.tsx", `<Trans i18nKey={"KEY"}>a</Trans>`, `<Trans i18nKey={/* MARK */ "KEY"}>a</Trans>`],
  ["a.tsx", `<p><Trans>KEY</Trans></p>`, `<p><Trans /* MARK */>KEY</Trans></p>`, ["i18next"]],
  ["a.php", `<?= __('KEY', $a) ?>`, `<?= __(/* MARK */ 'KEY', $a) ?>`],
  ["a.php", `<?php __(key: 'KEY');`, `<?php __(key: /* MARK */ 'KEY');`],
  ["a.php", `<?php\n/*\n * Plugin Name: KEY\n * Text Domain: a\n */`, null, ["wordpress"]],
  ["block.json", `{ "title": "KEY" }`, null, ["wordpress"]],
  ["a.blade.php", `<a :b="__('KEY')">{{ $c }}</a>`, `<a :b="__(/* MARK */ 'KEY')">{{ $c }}</a>`],
  ["a.blade.php", `@lang('KEY')`, `@lang(/* MARK */ 'KEY')`],
  ["a.blade.php", `{!! __(<<<'A'\nKEY\nA) !!}`, `{!! __(/* MARK */ <<<'A'\nKEY\nA) !!}`],
  ["a.vue", `<template>{{ $t('KEY') }}</template>`, `<template>{{ $t(/* MARK */ 'KEY') }}</template>`],
  [
    "a.vue",
    `<template><p v-t="'KEY'" /><i18n-t keypath="b" /></template>`,
    `<template><!-- MARK --><p v-t="'KEY'" /><i18n-t keypath="b" /></template>`,
  ],
  [
    "a.vue",
    `<template>\n  <i18n-t\n    keypath="KEY" />\n</template>`,
    `<template>\n  <!-- MARK --><i18n-t\n    keypath="KEY" />\n</template>`,
  ],
  ["a.vue", `<template lang="pug">\ni18n-t(keypath="KEY")\n</template>`, null],
  [
    "a.vue",
    `<script lang="tsx">const a = <I18nT keypath="KEY" />;</script>`,
    `<script lang="tsx">const a = <I18nT /* MARK */ keypath="KEY" />;</script>`,
  ],
  [
    "a.vue",
    `<script lang="tsx">x</script><template><i18n-t keypath="KEY" /></template>`,
    `<script lang="tsx">x</script><template><!-- MARK --><i18n-t keypath="KEY" /></template>`,
  ],
  ["a.svelte", `<p title={$t("KEY")} />`, `<p title={$t(/* MARK */ "KEY")} />`],
  ["a.svelte", `<p /><Trans i18nKey="KEY" />`, `<p /><!-- MARK --><Trans i18nKey="KEY" />`],
  ["a.astro", `---\nt("KEY")\n---\n<p />`, `---\nt(/* MARK */ "KEY")\n---\n<p />`],
  ["a.astro", `---\n---\n<Trans i18nKey="KEY" />`, `---\n---\n<!-- MARK --><Trans i18nKey="KEY" />`],
  [
    "a.astro",
    `---\nconst a = <Trans i18nKey="KEY" />;\n---\n<p />`,
    `---\nconst a = <Trans /* MARK */ i18nKey="KEY" />;\n---\n<p />`,
  ],
  ["a.twig", `<a title="{{ 'KEY'|trans }}">`, `<a title="{# MARK #}{{ 'KEY'|trans }}">`],
  ["a.twig", `{{~ 'KEY'|trans }}`, `{#~ MARK #}{{~ 'KEY'|trans }}`],
  ["a.twig", `{{ a }} {{- b ? 'KEY'|trans : 'c' -}}`, `{{ a }} {#- MARK #}{{- b ? 'KEY'|trans : 'c' -}}`],
  ["a.twig", `{{{'a': {'b': 'KEY'|trans}}|f}}`, `{# MARK #}{{{'a': {'b': 'KEY'|trans}}|f}}`],
  ["a.twig", `{% trans %}KEY{% endtrans %}`, `{# MARK #}{% trans %}KEY{% endtrans %}`],
  ["a.twig", `{{ f(\n  'KEY'|trans\n) }}`, null],
  ["a.html", `<p>{% translate "KEY" %}</p>`, `<p>{# MARK #}{% translate "KEY" %}</p>`, ["django", "gettext"]],
  [
    "a.html",
    `{% blocktranslate trimmed %}\n  KEY\n{% endblocktranslate %}`,
    `{# MARK #}{% blocktranslate trimmed %}\n  KEY\n{% endblocktranslate %}`,
    ["django", "gettext"],
  ],
  [
    "a.jinja",
    `a {%- trans %}KEY{% endtrans %}`,
    `a {#- MARK #}{%- trans %}KEY{% endtrans %}`,
    ["jinja", "gettext"],
  ],
  ["a.j2", `{{ _("a") }} {{ _("KEY") }}`, `{{ _("a") }} {# MARK #}{{ _("KEY") }}`, ["jinja", "gettext"]],
  ["a.py", `a = _("KEY")`, `# MARK-next-line\na = _("KEY")`, ["gettext"]],
  [
    "a.py",
    `def f():\r\n    return [\r\n        _("KEY"),  # noqa\r\n    ]\r\n`,
    `def f():\r\n    return [\r\n        # MARK-next-line\r\n        _("KEY"),  # noqa\r\n    ]\r\n`,
    ["gettext"],
  ],
  ["a.py", `a = b + \\\n  _("KEY")`, null, ["gettext"]],
  ["a.py", `a = """\nb""" + _("KEY")`, null, ["gettext"]],
];

describe("ignore comment", () => {
  for (const [path, text, marked, frameworks = []] of cases) {
    test(`in ${path}: ${JSON.stringify(text)}`, () => {
      expect(mark(path, text, frameworks)).toBe(marked);
    });
  }
});
