/** The ends of strings, comments, markup and templates: nothing inside is a usage, and what follows is found. */
import { describe, expect, test } from "vitest";
import { check, find, type Case } from "./marked.ts";

const php: readonly Case[] = [
  ["a variable in a string, with quotes of its own", "php", `<?php $x = "\${a['"']} __('b')"; __('«k»');`],
  [
    "an expression in a string, and text behind it",
    "php",
    `<?php $x = "{$a['"']} it's ) } __('b')"; __('«k»');`,
  ],
  ["a command in a string's code", "php", "<?php $x = \"{$f(`\"`)} __('no')\"; __('«k»');"],
  ["both in one string", "php", `<?php $x = "{$a} \${b} {$c['d']} __('e')"; __('«k»');`],
  ["a dollar and braces that are none", "php", `<?php $x = "{ $ {a} $\\{ __('b')"; __('«k»');`],
  [
    "an expression in a heredoc",
    "php",
    `<?php $x = <<<TEXT\n \${a["TEXT"]} {$b['"']} it's __('c')\n TEXT; __('«k»');`,
  ],
  ["a backslash at the end of a line of a heredoc", "php", `<?php $x = <<<TEXT\n a \\\nTEXT; __('«k»');`],
  ["a heredoc with Windows' line ends", "php", `<?php $x = <<<TEXT\r\n it's __('a')\r\n  TEXT; __('«k»');`],
  ["an empty heredoc", "php", `<?php $x = <<<TEXT\nTEXT; __('«k»');`],
  ["an empty nowdoc", "php", `<?php $x = <<<'TEXT'\nTEXT; __('«k»');`],
  ["a name that only begins as the closing one", "php", `<?php $x = <<<TEXT\nTEXTS it's\nTEXT; __('«k»');`],
  [
    "comments and strings after a condition",
    "php",
    `<?php $x = $a ? 1 : 2; // __('b')\n$s = "__('c')"; /* __('d') */ __('«k»'); $b ?? $c; # __('e')\n $d?->e("__('f')");`,
  ],
  [
    "PHP in pages",
    "php",
    `<p>__('a')</p><?= __('«k»') ?>it's __('b')<?php __('«l»'); // ?>it's __('c')<? __('«m»') ?>`,
  ],
];

const blade: readonly Case[] = [
  ["a directive's condition", "blade", `@if($a ? "(" : ')') __('a') @lang('«k»') @endif {{ __('«l»') }}`],
  ["the directive is no method's argument", "blade", `x->@lang('«k»') Foo::@lang('«l»')`],
];

const javascript: readonly Case[] = [
  [
    "additions of both kinds",
    "javascript",
    `t(a += 'b'); t('c' + +d); n++; t('«k»');`,
    { patterns: ["*", "c*"] },
  ],
  [
    "braces that markup lacks",
    "javascriptreact",
    `const a = <b>it's {t('«k»')}</b>; function f() { return t('«l»'); }`,
  ],
  [
    "braces in a template that put nothing in",
    "javascript",
    "x = `a {t('b')} $c $ {t('d')} \\${t('e')} ${`{t('f')}`}`; t('«k»')",
  ],
  ["a template that is not closed", "javascript", "t('«k»'); x = `t('b') it's"],
  ["a value in a template that is not closed", "javascript", "t('«k»'); x = `a ${t('«l»')"],
  [
    "strings that go on in the next line",
    "javascript",
    "x = 'a\\\nt(1)'; t('«k»'); x = 'b\\\r\nt(2)'; t('«l»'); x = 'c\\'; t('d')",
  ],
  [
    "slashes in regular expressions",
    "javascript",
    "x = /[/]t('a')/; t('«k»'); x = /\\/t('b')/g; t('«l»'); x = /[\\]/]t('c')/; t('«m»')",
  ],
  ["a quote in a comment", "javascript", "// it's\nt('«k»'); /* it's */ t('«l»') // t('a')"],
  ["a comment that is not closed", "javascript", "t('«k»'); /* t('a')"],
  [
    "a closing brace in markup that is typed half",
    "javascriptreact",
    `function f() { return <b>it's } const a = "t('b')"; t('«k»');`,
  ],
  [
    "a closing brace in markup that is typed half, and a comparison behind it",
    "javascriptreact",
    `function f() { return <b>it's } t('«k»'); if (a > b) t('«l»'); const c = "t('d')";`,
  ],
  [
    "a tag that is typed half, and a comparison behind it",
    "javascriptreact",
    `function f() { return <b c={d} } t('«k»'); if (a > b) t('«l»'); const c = "t('d')";`,
  ],
  [
    "an element behind several comments",
    "javascriptreact",
    `const a = () => ( // it's\n  // so's\n  /* the next */ // one's\n  <b>it's {t('«k»')}</b>); t('«l»')`,
  ],
  [
    "divisions behind members with names of keywords",
    "javascript",
    "x = y.return / 2; t('«k»'); z = w.of / 3; t('«l»'); v = u?.default / 4 + \"it's\"; t('«m»')",
  ],
  [
    "a regular expression that ends with a sign, and a division behind it",
    "javascript",
    "x = y.replace(/a+/g, t('«k»')) + b / c; t('«l»')",
  ],
  [
    "what a function binds, behind a function in it",
    "javascript",
    `function a() { const { t } = useTranslation('x'); t('«k»'); }
function b() { const { t } = useTranslation('y'); function c() { const { t } = useTranslation('z'); t('«l»'); } t('«m»'); }`,
    { scopes: ["x|", "z|", "y|"] },
  ],
  [
    "elements whose names are types elsewhere",
    "typescriptreact",
    `const a = <T>(b: T) => b; const c = <Tag>it's t('d')</Tag>; const e = <T>(f: T) => "t('g')"; t('«k»'); const h = <U>it's</U>; t('«l»');`,
  ],
  [
    "elements of one name inside of each other",
    "javascriptreact",
    `const a = <p>it's <p>t('b')</p> t('c') <p/> <>t('d')</></p>; t('«k»');`,
  ],
  [
    "a comparison is no element",
    "javascriptreact",
    `const a = b <c && d> (e); const f = g < h; t('«k»'); const i = <j>t('l')</j>; t('«m»');`,
  ],
  [
    "options that are handed on",
    "javascript",
    `const { t } = useTranslation('ns', options); t('«k»');`,
    { scopes: ["?|"] },
  ],
  [
    "options that are written",
    "javascript",
    `const { t } = useTranslation('ns', { keyPrefix: 'a' }); t('«k»');`,
    { scopes: ["ns|a"] },
  ],
  [
    "a component that has a function of its own",
    "javascriptreact",
    `const { t } = useTranslation('shop'); const a = <Trans t={t} i18nKey="«k»" count={2} ns="cart" />;`,
    { plurals: [true] },
  ],
  [
    "a key that is called as another attribute is",
    "javascriptreact",
    `const a = <Trans i18nKey="«count»" />; const b = <Trans i18nKey="«k»" count={n} />;`,
    { plurals: [false, true] },
  ],
];

const astro: readonly Case[] = [
  ["a script at the top", "astro", `---\nconst a = t('«k»'); // t('b')\n---\n<p>{t('«l»')} t('c')</p>`],
  ["an empty script at the top", "astro", `---\n---\n<p title={t('«k»')}>it's t('a')</p>\n---\n{t('«l»')}`],
  ["a script that is not closed", "astro", `---\nconst a = t('«k»'); // t('b')\n`],
  ["no script", "astro", `<p>t('a') --- {t('«k»')}</p>`],
];

const python: readonly Case[] = [
  ["an f-string", "python", `_(f"«a.b»"); _(f"a.{c}.d")`, { patterns: ["a.*.d"] }],
  [
    "braces in a string that is none",
    "python",
    `_("«a.{b}»"); _(r"«c.{{d}}»"); _(f"«e.{{f}}»")`,
    { keys: ["a.{b}", "c.{{d}}", "e.{f}"] },
  ],
];

const twig: readonly Case[] = [
  ["a filter without arguments", "twig", `{{ '«k»'|trans }} {{ '«l»'|trans|upper }} {{ ('«m»')|trans }} (a)`],
  [
    "a domain",
    "twig",
    `{{ '«k»'|trans({}, 'shop') }} {{ '«l»'|trans }} ('cart')`,
    { scopes: ["shop|", "-|"], frameworks: ["symfony"] },
  ],
];

const vue: readonly Case[] = [
  ["a comment that is not closed", "vue", `<template>{{ $t('«k»') }}<!-- {{ $t('a') }}`],
  ["a moustache that is not closed", "vue", `<template>{{ $t('«k»') }}{{ $t('a')`],
  ["styles that are not closed", "vue", `<template>{{ $t('«k»') }}</template><style>{{ $t('a') }}`],
  ["a script of another file", "vue", `<script src="a.js" /><template>{{ $t('«k»') }}</template>`],
  [
    "scripts of other names",
    "vue",
    `<scripts>$t('a')</scripts><SCRIPT>$t('«k»')</SCRIPT><docs>{{ $t('b') }}</docs><i18n path="«l»">{{ $t('«m»') }}</i18n>`,
  ],
  [
    "counts of the directive",
    "vue",
    `<template><p v-t="{ path: '«k»', choice: 1 }" /><p v-t="{ path: '«l»', plural: n }" /><p v-t.preserve="'«m»'" /><p v-text="'a'" /><p v-t="{ args: x }" /><p v-t /></template>`,
    { plurals: [true, true, false], patterns: ["*"] },
  ],
  ["moustaches in Pug", "vue", `<template lang="pug">\np {{ $t('«k»') }} {{ $t('«l»') }}\n</template>`],
  [
    "moustaches in Pug that are not closed",
    "vue",
    `<template lang="pug">\np {{ $t('a')\n</template>\n<script>$t('«k»')</script>`,
  ],
  [
    "attributes in Pug that are not closed",
    "vue",
    `<template lang="pug">\np(:a="$t('b')\n</template>\n<script>$t('«k»')</script>`,
  ],
];

const ALL: Readonly<Record<string, readonly Case[]>> = { php, blade, javascript, astro, python, twig, vue };

for (const [language, cases] of Object.entries(ALL)) {
  describe(language, () => {
    for (const each of cases) test(each[0], () => check(each));
  });
}

test("finds nothing in incomplete constructs, without failing", () => {
  for (const cases of Object.values(ALL)) {
    for (const [, language, marked] of cases) {
      const text = marked.replaceAll(/[«»]/g, "");
      for (let end = 0; end < text.length; end++) {
        for (const { keySpan, callSpan } of find(language, text.slice(0, end))) {
          expect(keySpan.start).toBeGreaterThanOrEqual(callSpan.start);
          expect(callSpan.end).toBeLessThanOrEqual(end);
        }
      }
    }
  }
});

const keysIn = (code: string): readonly string[] =>
  find("typescript", code).map(({ expression }) => (expression.kind === "static" ? expression.key : "*"));

test.each("return typeof case do else in of instanceof new delete void throw yield await default".split(" "))(
  "a regular expression, or a string without a space, begins after %s",
  (word) => {
    expect(keysIn(`${word} /'/.test(x); t('a'); ${word}'it"s'; t("b");`)).toEqual(["a", "b"]);
  },
);

test.each(["from", "import", "export", "as"])("a string begins directly after %s", (word) => {
  expect(keysIn(`${word}'it"s'; t("a");`)).toEqual(["a"]);
});

test.each("return await yield typeof void case else default in of".split(" "))(
  "what follows %s in parentheses is the function that is called",
  (word) => expect(keysIn(`${word} (t as T)("a");`)).toEqual(["a"]),
);

test("what follows another name in parentheses is its argument", () => {
  expect(keysIn('f (t as T)("a");')).toEqual([]);
});
