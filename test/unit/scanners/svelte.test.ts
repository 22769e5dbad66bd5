/** Usages in Svelte components with svelte-i18n, sveltekit-i18n and i18next, and in Astro components. */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";

const SVELTE = { frameworks: ["svelte-i18n"] } as const;

const markup: readonly Case[] = [
  [
    "the second comment, style and script",
    "svelte",
    `<!-- {$_('no')} -->{$_('«a»')}<!-- {$_('no')} --><style>{$_('no')}</style><style>{$_('no')}</style>{$_('«b»')}<script>$_('«c»')</script>$_('no')<script>$_('«d»')</script>$_('no')`,
    SVELTE,
  ],
  [
    "the second expression of an attribute",
    "svelte",
    `<A b="{$_('«a»')} x {$_("«b»")}" c='{$_("«c»")}{$_('«d»')}' d={$_('«e»')}/>$_('no')`,
    SVELTE,
  ],
  [
    "later branches of blocks",
    "svelte",
    `{#await $_('«a»')}{:then x}{$_('«b»')}{:catch y}{$_('«c»')}{/await}{#if a}{:else if $_('«d»')}{:else if $_('«e»')}{:else}{$_('«f»')}{/if}{#each $_('«g»') as z}{/each}{@render s($_('«h»'))}`,
    SVELTE,
  ],
  [
    "options of the second component",
    "svelte",
    `<Trans i18nKey="«a»" count={n} /><Trans i18nKey="«b»" context="c" defaults="D" /><Trans i18nKey="«c»" />`,
    {
      frameworks: ["i18next"],
      plurals: [true, false, false],
      contexts: ["-", "c", "-"],
      defaults: [null, "D", null],
    },
  ],
  [
    "quotes in regular expressions of conditions",
    "svelte",
    `{#if /'/.test(a) && $_('«a»')}{:else if /"/.test(b) && $_('«b»')}it's{/if}{$_('«c»')}`,
    SVELTE,
  ],
  ["an element of code that closes itself", "svelte", `<style lang="x"/>\n<p>{$t("«a»")}</p>`, SVELTE],
  [
    "expressions in text",
    "svelte",
    `<p>it's {$_('«a»')} {$t("«b»")} 6" {$format('«c»')}{$json('«d»')}</p>`,
    SVELTE,
  ],
  [
    "attributes: bare, in quotes, among text, of events and of components",
    "svelte",
    `<A title={$_('«a»')} b="{$_('«b»')}" c="x {$_("«c»")} y" d='{$_('«d»')}' on:click={() => f($_('«e»'))} {...g($_('«f»'))} {h} i=$_('j') />`,
    SVELTE,
  ],
  [
    "attributes without a value, before expressions and at the end",
    "svelte",
    `<input disabled {...f($_('«a»'))} required {$_('«b»')} checked title={$_('«c»')} open><p hidden>{$_('«d»')}</p>`,
    SVELTE,
  ],
  [
    "the key of a component, which may be calculated",
    "svelte",
    `<Trans i18nKey="«a»" /><Trans i18nKey="b.{c}" /><Trans i18nKey={"«d»"} /><Trans i18nKey='«e»' />`,
    { frameworks: ["i18next"] },
  ],
  [
    "blocks and tags",
    "svelte",
    `{#if $_('«a»')}x{:else if $_('«b»')}y{/if}{#each xs as x, i (x.id)}{$_('«c»')}{/each}{@html $_('«d»')}{@const y = $_('«e»')}{#await p then v}{$_('«f»')}{/await}{#snippet s(t)}{$_('«g»')}{/snippet}{#key $_('«h»')}{/key}`,
    SVELTE,
  ],
  [
    "a regular expression, a comment and a template in braces",
    "svelte",
    "{/'/.test(x) ? $_('«a»') : ''}{/* $_('b') */ $_('«c»')}{`${$_('«d»')} $_('e')`}",
    SVELTE,
  ],
  [
    "a regular expression of a word in braces, with a quote",
    "svelte",
    `{/x'/.test(y) ? $_('«a»') : ''}{#if z}{/if}{$_('«b»')}`,
    SVELTE,
  ],
  ["an object in braces", "svelte", `{f({ a: { b: $_('«a»') } })} $_('b') {$_('«c»')}`, SVELTE],
  [
    "comments and styles are no code",
    "svelte",
    `<!-- {$_('a')} --><style>a { content: "{$_('b')}" }</style>{$_('«c»')}`,
    SVELTE,
  ],
  ["text outside of braces is no code", "svelte", `<p title="$_('a')">$_('b') {$_('«c»')}</p>`, SVELTE],
  ["a brace that is not closed", "svelte", `<p>{$_('«a»')}</p>{$_('«b»'`, SVELTE],
  ["a less-than sign in text", "svelte", `<p>1 < 2 {$_('«a»')}</p>`, SVELTE],
  ["a tag that is not closed", "svelte", `<p a={$_('«a»')}\n<p>{$_('«b»')}</p>`, SVELTE],
];

const scripts: readonly Case[] = [
  [
    "a component with a translator",
    "svelte",
    `<script>const { t: tr } = useTranslation("ns")</script><Trans t={tr} i18nKey="«a»" />`,
    { frameworks: ["i18next"], scopes: ["ns|"] },
  ],
  [
    "scripts",
    "svelte",
    `<script lang="ts" context="module">const a = <T>b; // $_('x')\n$_('«a»')</script><script>$: y = $_('«b»')</script>`,
    SVELTE,
  ],
  [
    "an object with the id",
    "svelte",
    `{$_({ id: '«a»', default: 'A', values: { n } })}{$_({ values })}`,
    SVELTE,
  ],
  [
    "the store's value by hand",
    "svelte",
    `<script>import { _, t } from "svelte-i18n"; get(first)("no"); get(_)("«a»"); get(t)('«b»', {}); get(other)("c")</script>`,
    SVELTE,
  ],
  [
    "a store by another name",
    "svelte",
    `<script>import { _ as tr, t as translate } from "svelte-i18n"</script>{$tr("«a»")} {$translate('«b»')}`,
    SVELTE,
  ],
  [
    "sveltekit-i18n",
    "svelte",
    `{$t('«a.b»', { c: 1 })} {$l('en', '«c»')}<script>t.get('«d»'); l.get('nl', '«e»')</script>`,
    SVELTE,
  ],
  [
    "messages that are declared",
    "typescript",
    `const m = defineMessages({ a: { id: "«a»", default: "A" }, b: { id: '«b»' } })`,
    SVELTE,
  ],
  [
    "i18next in a component",
    "svelte",
    `<script>const { t } = getI18n()</script>{$i18n.t('«a»')} {t('«b»')} <Trans i18nKey="«c»" ns="x" />`,
    { frameworks: ["i18next"], scopes: ["-|", "-|", "x|"] },
  ],
  [
    "dynamic keys",
    "svelte",
    "{$_(`a.${b}`)} {$_(ok ? '«y»' : '«n»')} {$_(key)}",
    { ...SVELTE, patterns: ["a.*", "*"] },
  ],
  ["another project's _ is no use", "svelte", `{$_('a')}`, { frameworks: ["i18next"] }],
];

const astro: readonly Case[] = [
  ["an empty script", "astro", `---\n---\n<p>so 'far {t('«a»')}</p>`],
  ["a script that is not closed", "astro", `---\nconst a = t('«a»')`],
  [
    "markup in a text of the script",
    "astro",
    `---\nconst a = "<style>", b = "<!--"; t('«a»')\n---\n{t('«b»')}`,
  ],
  [
    "a script after empty lines, and the second of the page",
    "astro",
    `\n\n---\nconst a = t('«a»')\n---\n<script>t('«b»')</script>it's<style>{t('no')}</style><script>t('«c»')</script>it's {t('«d»')}`,
  ],
  [
    "the script and the markup",
    "astro",
    `---\nconst a = t('«a»'); // t('x')\n---\n<p title={t("«b»")}>it's {t('«c»')} t('d')</p>`,
  ],
  [
    "elements in expressions",
    "astro",
    `<ul>{xs.map((x) => <li>it's {t('«a»')}</li>)}</ul><script>t('«b»')</script>`,
  ],
  ["an apostrophe in an element of an expression", "astro", `{x && <li>it's</li>}<p>{t('«a»')}</p>`],
  ["dashes in the script", "astro", `---\nconst a = "---"; t("«a»")\n---\n<p>it's {t("«b»")}</p>`],
  ["without a script", "astro", `<p>{t('«a»')}</p>`],
];

describe.each([
  ["Svelte's markup", markup],
  ["Svelte's scripts", scripts],
  ["Astro", astro],
])("%s", (_, cases) => {
  for (const given of cases) test(given[0], () => check(given));
});

test("reads default text and count in Svelte", () => {
  const [first, second] = find(
    "svelte",
    `{$_('a', { default: 'A', values: { n } })}{$_({ id: 'b', default: 'B' })}`,
    options(["svelte-i18n"]),
  );
  expect([first?.defaultText, second?.defaultText]).toEqual(["A", "B"]);
});
