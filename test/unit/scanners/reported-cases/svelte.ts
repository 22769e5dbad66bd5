/** Public issues about Svelte: markup, scripts, and the stores of svelte-i18n and sveltekit-i18n. */
import type { IssueCase } from "./issue.ts";

const SVELTE = { frameworks: ["svelte-i18n"] } as const;

export const svelte: readonly IssueCase[] = [
  [
    "lokalise/i18n-ally#1018",
    "$_ is a store, not a key",
    "svelte",
    `<script>import { _ } from "svelte-i18n"</script><h1>{$_("«your.translation»")}</h1>`,
    SVELTE,
  ],
  [
    "lokalise/i18n-ally#449",
    "$t beside $_",
    "svelte",
    `{$t('«page.orders.title»')}{$_('«page.orders.lead»')}`,
    SVELTE,
  ],
  [
    "lokalise/i18n-ally#629",
    "in braces between tags, and text beside it",
    "svelte",
    `<f-button>\n  {$t("«layout.default.news»")}\n</f-button>\n<f-button on:click={(e) => handle365Logout(e)}>\n  LOGOUT\n</f-button>`,
    SVELTE,
  ],
  [
    "kaisermann/svelte-i18n#156",
    "messages of the module's script",
    "svelte",
    `<script context="module">export const messages = defineMessages({ a: { id: '«a.b»', default: 'A' } })</script><script>const x = $_('«c»')</script>`,
    { ...SVELTE, defaults: ["A", null] },
  ],
  [
    "kaisermann/svelte-i18n#164",
    "messages of a module",
    "typescript",
    `import { defineMessages } from 'svelte-i18n';\nexport const m = defineMessages({ first: { id: "«first»" }, second: { id: "«second»" } });`,
    SVELTE,
  ],
  [
    "kaisermann/svelte-i18n#186",
    "an object of texts",
    "svelte",
    "{Object.prototype.hasOwnProperty.call($_(`«auth.msg»`), test)}",
    SVELTE,
  ],
  [
    "sveltekit-i18n/lib#56",
    "$t, $l and their values by hand",
    "svelte",
    `<script>t.get('«a»'); l.get('en', '«b»')</script>{$t('«c»')} {$l('en', '«d»')}`,
    SVELTE,
  ],
  [
    "connectedcars/gettext-extractor#55",
    "in every place of the markup",
    "svelte",
    `<script lang="ts">import { __ } from '$lib/i18n'</script><div>{@html __('«More Settings»')}</div>\n<button aria-label="{__('«I agree»')}">{__('«I agree»')}</button>\n{__('«Settings»')}\n<div>{__('«Other Settings»')}</div>`,
    { functions: [{ name: "__", key: 0 }], frameworks: ["gettext"] },
  ],
  [
    "formatjs/formatjs#6122",
    "FormatJS in Svelte",
    "svelte",
    `<script>const intl = useIntl()</script>{#if x}{intl.formatMessage({ id: '«a»', defaultMessage: 'A' })}{/if}{@const y = intl.$t({ id: "«b»" })}`,
    { frameworks: ["formatjs"], defaults: ["A", null] },
  ],
  [
    "NishuGoel/svelte-i18next#4",
    "a component with the key",
    "svelte",
    `<Trans i18nKey="«test.key»">\n    Hi from <a href="https://x.y">i18next</a>\n</Trans>`,
    { frameworks: ["i18next"] },
  ],
];
