/** Properties of any text: no exception, spans that match the key, linear time. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usageLanguages } from "../../../src/scanners/supported-source-languages.ts";
import { find, options } from "./marked.ts";
import { anyCharacter } from "../support/any-character.ts";
import { IS_FULL, propertyRuns, runCount } from "../support/full-run.ts";
import { expectLinearTime } from "../support/linear-time.ts";

const LANGUAGES = usageLanguages.flatMap((language) => language.languageIds.slice(0, 1));
const ALL = options(
  ["laravel", "i18next", "vue-i18n", "next-intl", "svelte-i18n", "formatjs", "gettext", "django"],
  [{ name: "translate", key: 0 }],
);
/** Frameworks with templates of components, and with macros. */
const OTHERS = options(["ngx-translate", "transloco", "lingui"]);

/** Pieces of which every language is made, right and wrong. */
const PIECES = [
  "t(",
  "__(",
  "$t(",
  "@lang(",
  "trans()->get(",
  "Lang::get(",
  "const { t: x } = useTranslation(",
  "{ keyPrefix: ",
  '"',
  "'",
  "`",
  "${",
  "}",
  "{",
  "(",
  ")",
  "[",
  "]",
  "<",
  ">",
  "/>",
  "</p>",
  "<p>",
  "<Trans i18nKey=",
  "<script>",
  "</script>",
  "<template>",
  "{{",
  "}}",
  "{!!",
  "!!}",
  "{{--",
  "--}}",
  "<!--",
  "-->",
  "<?php ",
  "?>",
  "//",
  "/*",
  "*/",
  "#",
  "<<<EOT\n",
  "\nEOT",
  "\\",
  "\n",
  " ",
  ",",
  ".",
  "+",
  "?",
  ":",
  "||",
  "??",
  "=>",
  "=",
  ";",
  "a.b",
  "key",
  "😀",
  "ä",
  "function ",
  "return ",
  "import { t as z } from ",
  " as const",
  "<T>",
  "(t) =>",
  ": TFunction<",
  "v-t=",
  "{%",
  "%}",
  "{% trans %}",
  "{% endtrans %}",
  "|trans",
  "{#if ",
  "{/if}",
  "a={",
  "~",
  "#{",
  "const K = ",
  "K.a",
  "enum E {",
  ':x="',
  "@php",
  "@endphp",
  "@if(",
  "/x/",
  "await ",
  "...",
  "?.",
  "->",
  "::",
  "$x",
  "\r\n",
  "_(",
  'f"',
  "rb'",
  "'''",
  'f"""',
  "{%",
  "%}",
  "{# ",
  "{% trans ",
  "{% blocktrans %}",
  "{% plural %}",
  "{% endblocktrans %}",
  "{% comment %}",
  " if ",
  " else ",
  "from django.utils.translation import gettext as ",
];

/** Pieces of templates of components, and of macros. */
const OTHER_PIECES = [
  "{{ ",
  " }}",
  "'a.b'",
  " | translate",
  " | transloco: ",
  "{ a: ",
  "<p translate>",
  '<p [translate]="',
  '<ng-container *transloco="let t; prefix: ',
  "<ng-template transloco let-t>",
  "t('a')",
  "</p>",
  "</ng-container>",
  "@if (",
  "@let a = ",
  ";",
  "<!-- t(a.b) -->",
  "/** t(a, b) */",
  "@Component({ template: `",
  'import { t, plural, ph } from "@lingui/macro";',
  'import { Trans, Plural } from "@lingui/react/macro";',
  "<Trans>",
  "</Trans>",
  "<Plural value={n} one='x' other={",
  "<b>",
  "</b>",
  "<>",
  "</>",
  "t`",
  "`",
  "${",
  "plural(n, { one: ",
  "i18n._(",
  "({ message: ",
  "this.translate.instant(",
  "}",
  ")",
  '"',
  "'",
  "text",
  "\n",
];

describe.each(["html", "typescript", "typescriptreact"])("%s of components and macros", (language) => {
  test("handles any fragments, and every range contains its key", () => {
    const text = fc
      .array(fc.constantFrom(...OTHER_PIECES), { maxLength: 100 })
      .map((parts) => parts.join(""));
    const property = (written: string): void => {
      for (const { keySpan, callSpan } of find(language, written, OTHERS)) {
        expect(callSpan.start).toBeLessThanOrEqual(keySpan.start);
        expect(callSpan.end).toBeGreaterThanOrEqual(keySpan.end);
        expect(keySpan.end).toBeLessThanOrEqual(written.length);
      }
    };
    fc.assert(fc.property(text, property), propertyRuns(800));
  });
});

describe.each(LANGUAGES)("%s", (language) => {
  const noThrow = (text: string) => {
    for (const use of find(language, text, ALL)) {
      const { keySpan, callSpan, expression } = use;
      expect(keySpan.start).toBeGreaterThanOrEqual(0);
      expect(keySpan.end).toBeLessThanOrEqual(text.length);
      expect(callSpan.start).toBeLessThanOrEqual(keySpan.start);
      expect(callSpan.end).toBeGreaterThanOrEqual(keySpan.end);
      const slice = text.slice(keySpan.start, keySpan.end);
      if (expression.kind === "static" && !/[\\'"`$?{%\n]/.test(slice)) expect(slice).toBe(expression.key);
    }
  };

  test("handles any fragments, and every range contains its key", () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((parts) => parts.join(""));
    fc.assert(fc.property(text, noThrow), propertyRuns(800));
  });

  test("handles any text", () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), noThrow), {
      numRuns: runCount(300),
    });
  });
});

test("finds keys among any other text", () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,12}$/);
  const noise = fc.constantFrom(
    `// t("x")\n`,
    `/* t("x") */`,
    `"t('x')";`,
    "`t('x') ${1}`;",
    `/['"]/.test(y);`,
    `if (a < b) { c(); }\n`,
    `x = y / 2;`,
    `\n`,
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(key, noise), { minLength: 1, maxLength: 20 }), (parts) => {
      const text = parts.map(([each, between]) => `${between}t("${each}");`).join("");
      const found = find("javascript", text).map((use) => text.slice(use.keySpan.start, use.keySpan.end));
      expect(found).toEqual(parts.map(([each]) => each));
    }),
    propertyRuns(100),
  );
});

const HOSTILE_LENGTH = IS_FULL ? 300_000 : 40_000;

describe("hostile texts are scanned in linear time", () => {
  const hostile = [
    "(",
    "t(",
    "{",
    "[",
    't("a"',
    "`${",
    "<A",
    "<A ",
    "=<Aa>",
    "=<a b={",
    "/",
    "(/[",
    "'",
    '"',
    "\\",
    "a?",
    "a?b:",
    "a+",
    "a||",
    "t(a ? ",
    "const { t } = useTranslation(",
    "const { t } = useTranslation();",
    "(t) => ",
    "t, ",
    't => t("a"),',
    "import { t as x } ",
    "import ",
    "x = t;",
    "const t = t;",
    "<Translation ",
    "t: TFunction<",
    "{{",
    "{{ t('a') }}",
    "{{ 'a'|trans }}",
    "{% trans %}",
    "{% trans %}endtrans",
    "{{ (",
    "<p a={",
    '<p a="{',
    "{#if ",
    "const K = 'a'; t(K);",
    "const K = { a: K }; t(K.a);",
    "t(K);",
    "KEYS.map((k) => t(k));",
    "const K = ['a']; K.map((k) => t(k));",
    "const K = [K[x], K[y]]; t(K[z]);",
    "['a'].map((k) => ",
    "for (const k of K) ",
    "; k in K ",
    "; K as { k }, ",
    "withTranslation('x')(A); const A = ({ t }) => t('a');",
    "withTranslation(",
    "const { t } = this.props;",
    "t: ReturnType<typeof useTranslations<",
    "enum E { A = 'a' } t(E.A);",
    ':a="',
    'v-t="',
    "<p ",
    '<i18n-t keypath="',
    "@lang(",
    "@if(",
    "{!!",
    "<?php ",
    "__('a' . ",
    "trans()->",
    "Lang::get(",
    "a->",
    "<<<A\n",
    "//",
    "/*",
    "#",
    "i18n.",
    "i18n?.t(",
    't("a", { ns: N });',
    "])}",
    "=</",
    " ",
    "\n",
    "t(() => ",
    "</script>",
    "<script>",
    "--}}",
    "{{--",
    "_(",
    'f"{',
    "f'{_(",
    "'''",
    '_(f"',
    "a if b else ",
    '"a" ',
    "from a import (",
    "import ",
    "a = a.",
    "{%",
    "{% trans ",
    "{% blocktrans %}",
    "{% comment %}",
    "{# ",
    "{% blocktrans context ",
    "__(<<<A\n",
  ];

  test.each(LANGUAGES)("%s", (language) => {
    for (const piece of hostile) {
      const before = `t("a") __('a') _("a") {% trans %} ${language === "php" ? "<?php " : ""}`;
      const textOf = (length: number) => before + piece.repeat(Math.ceil(length / piece.length));
      expectLinearTime((length) => find(language, textOf(length), ALL), HOSTILE_LENGTH, piece);
    }
  });
});

describe("templates of components and macros are scanned in linear time", () => {
  const imports =
    'import { t, plural, Trans, Plural, useLingui } from "@lingui/react/macro"; @Component({ template: `';
  const pieces = [
    ...OTHER_PIECES,
    "{{ 'a' | translate }}",
    "{{ '",
    "{{ ' }} ",
    "<p translate>a",
    "</b",
    "@if (",
  ];
  const pairs = [
    ...pieces,
    '<p *transloco="let t">{{ t(1) }}',
    "<Trans><b>",
    "<Trans>{t`",
    "t`${plural(n, { one: t`",
    "const { t } = useLingui(); ",
    "{ ".repeat(10),
    "a | translate : ",
    "x ? ",
    "/** t(",
  ];
  test.each(["html", "typescript", "typescriptreact"])("%s", (language) => {
    for (const piece of pairs) {
      for (const before of [imports, imports.replace(/@.*/, ""), "{{ 'a' | translate }}"]) {
        const textOf = (length: number) => before + piece.repeat(Math.ceil(length / piece.length));
        expectLinearTime((length) => find(language, textOf(length), OTHERS), HOSTILE_LENGTH, piece);
      }
    }
  });
});

test("templates without values are read in linear time", () => {
  expectLinearTime((count) => {
    expect(find("typescript", "t(`a.b`);\n".repeat(count), ALL)).toHaveLength(count);
  }, 40_000);
});
