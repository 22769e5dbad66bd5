/** Finds hard-coded texts without keys. */
import { expect, test } from "vitest";
import { hardCodedTexts } from "../../../../src/workspace/extract-text/extract-text.ts";
import { codeFile } from "./extracted.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";

const { signal } = new AbortController();

async function texts(path: string, code: string, framework: FrameworkName): Promise<string[]> {
  const options = { frameworks: new Set([framework]), functions: [] };
  const found = await hardCodedTexts(codeFile(path, code, options), signal);
  for (const { span } of found) {
    const words = code.slice(span.start, span.end);
    expect(words.trim()).not.toBe("");
    // Nor is the name of an attribute among them.
    expect(words).not.toMatch(/^[\w-]+=/u);
  }
  return found.map(({ text }) => text);
}

const TSX = `
import { useTranslation } from "react-i18next";
const KIND = "Not a Sentence"; // Neither is this comment
export function Menu({ name, onClose }: Props) {
  const { t } = useTranslation();
  if (name === "") throw new Error("The name is missing");
  console.log("Menu is shown");
  notify("Your order was sent.");
  const url = "https://example.com/Some page";
  return (
    <main className="menu large" aria-label="Menu of today" id="Main part" style={{ color: "red" }}>
      <h1>Hello {name}, welcome</h1>
      <p title={t("known")}>{t("menu.title")}</p>
      <p>{name}</p> <b>x</b> <code>npm install</code>
      <p>Fresh <b>scones</b> every day</p>
      <img alt="" src="a.png" /><input placeholder="Search" value="Nothing here" />
      {name ? "Open until six" : null}
      <Trans>Already there</Trans>
    </main>
  );
}
`;

test("finds texts, visible attributes and sentences in JSX, but no identifiers, keys or developer texts", async () => {
  expect(await texts("a.tsx", TSX, "i18next")).toEqual([
    "Not a Sentence",
    "Your order was sent.",
    "Menu of today",
    "Hello {{name}}, welcome",
    "Fresh",
    "scones",
    "every day",
    "Search",
    "Open until six",
  ]);
});

test.each<[string, string, FrameworkName, string[]]>([
  [
    "a.vue",
    `<template><div class="x"><p>Hello {{ name }}</p><p>{{ $t('a.b') }}</p><img alt="A cat" :title="name"><code>npm install</code>
     <b>{{ ok ? 'Well done' : '' }}</b></div></template>
     <script setup lang="ts">const a = "Order was sent"; const b = "vue";</script><style>.a { content: "No text" }</style>`,
    "vue-i18n",
    ["Hello {name}", "A cat", "Order was sent"],
  ],
  [
    "a.svelte",
    `<script>const a = "Order was sent";</script><p>Hello {name}</p>{#if ok}Well done{/if}<a href="x" title="Go on">{$_('k')}</a>`,
    "svelte-i18n",
    ["Order was sent", "Hello {name}", "Well done", "Go on"],
  ],
  [
    "a.blade.php",
    `@section('Some Title')<h1>Hello {{ $name }}</h1>@if($ok) Well done @endif<p>{{ __('cart.title') }}</p><img alt="A cat">`,
    "laravel",
    ["Hello :name", "Well done", "A cat"],
  ],
  [
    "a.html.twig",
    `<h1>Hello {{ name }}</h1>{% if ok %}Well done{% endif %}{{ 'a'|trans }}`,
    "symfony",
    ["Hello %name%", "Well done"],
  ],
  ["a.djhtml", `<h1>Hello</h1><p>{% trans "Known" %}</p>`, "django", ["Hello"]],
  [
    "a.php",
    `<?php return ['title' => 'Your cart is empty', 'b' => __('cart.x')]; throw new Exception('It went wrong'); $q = 'SELECT a from b'; $a = "Sent to {$name} today";`,
    "laravel",
    ["Your cart is empty", "Sent to :name today"],
  ],
  [
    "a.py",
    `"""What this module does."""
from django.utils.translation import gettext_lazy as _
import logging
logger = logging.getLogger(__name__)
class Order(models.Model):
    """An order of somebody."""
    title = models.CharField("Title of order", help_text=_("Known already"))
    __doc__ = "Not for people"
    def clean(self):
        logger.warning("Order is %s" % "Something else")
        logging.info("Order was sent now")
        assert self.ok, "Order must be ok"
        cursor.execute("Update the table now")
        if self.paid:
            raise ValidationError('Orders that are paid stay.')
        raise ValueError("The value is wrong")
        states = {"Not a text": "On its way"}
        return f"Sent to {name} today", states["Not a text"], b"No text here"
`,
    "django",
    ["Title of order", "Orders that are paid stay.", "On its way", "Sent to %(name)s today"],
  ],
  [
    "a.astro",
    `---\nconst a = "Order was sent";\n---\nHello {name}<b title="A cat">Well done</b><script>const b = "It was sent";</script>`,
    "i18next",
    ["Hello {{name}}", "A cat", "Well done", "It was sent"],
  ],
  ["a.json", `{"a": "Your cart is empty"}`, "i18next", []],
  ["a.tsx", "const a = <p>Half", "i18next", []],
  // A literal in the value of a text belongs to the text.
  ["a.tsx", 'const a = <p>Hello {ok ? "Well done" : ""} there</p>;', "i18next", ["Hello {{done}} there"]],
  ["a.tsx", "const a = <p> {name} is {age} old {still} </p>;", "i18next", ["is {{age}} old"]],
  ["a.tsx", 'const a = <b title="&#xAB;a" />;', "i18next", []],
  ["a.tsx", "const a = `Sent to ${name} today`;", "i18next", ["Sent to {{name}} today"]],
  ["a.tsx", 'throw "The name is missing";', "i18next", []],
  ["a.tsx", 'const a = `x ${ok ? "It is done" : ""}`;', "i18next", ["It is done"]],
  [
    "a.php",
    "<?php $a = new Exception('It went wrong'); $b = new Text('It went well');",
    "laravel",
    ["It went well"],
  ],
  [
    "a.php",
    "<?php \\trigger_error('The cache is full'); \\notify('The cart is full');",
    "laravel",
    ["The cart is full"],
  ],
  ["a.djhtml", "Hello there<p>you</p>", "django", ["Hello there", "you"]],
  ["a.djhtml", "<p>Start with <code>npm install</code> and go on</p>", "django", ["Start with", "and go on"]],
  // Markup of a value divides the text around it.
  ["a.blade.php", "<p>Hello there {!! $user !!} and welcome</p>", "laravel", ["Hello there", "and welcome"]],
  [
    "a.tsx",
    `f("Very ${"long ".repeat(199)}"); g("Very ${"long ".repeat(250)}")`,
    "i18next",
    [`Very ${"long ".repeat(199)}`],
  ],
  ["a.php", "<?php throw $f('It went wrong');", "laravel", []],
  ["a.djhtml", "<b>&nbsp;</b><i>&copy; &amp;</i><p>Hi &nbsp;</p>", "django", ["Hi &nbsp;"]],
  ["a.blade.php", '<img alt="{{ $name }} x"><img alt="{{ $name }} is here">', "laravel", [":name is here"]],
  ["a.py", `assert f(\n  ok,\n  "Order must be ok"\n)\nf("Order is ok")\n`, "django", ["Order is ok"]],
  ["a.astro", '<script>const b: string = "It was sent";</script>', "i18next", ["It was sent"]],
  ["a.vue", '<script lang="tsx">const b: string = "It was sent";</script>', "vue-i18n", ["It was sent"]],
])("finds hard-coded texts in %s", async (path, code, framework, wanted) => {
  expect(await texts(path, code, framework)).toEqual(wanted);
});

test("does not search files that nobody wrote by hand", async () => {
  const php = (length: number): string => "<?php f('Your cart is empty');".padEnd(length);
  expect(await texts("a.php", php(200_000), "laravel")).toEqual(["Your cart is empty"]);
  expect(await texts("a.php", php(200_001), "laravel")).toEqual([]);
});

test("stops when cancelled", async () => {
  const options = { frameworks: new Set<FrameworkName>(["i18next"]), functions: [] };
  await expect(hardCodedTexts(codeFile("a.tsx", TSX, options), AbortSignal.abort())).rejects.toThrow(
    /abort/i,
  );
});
