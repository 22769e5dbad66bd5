/**
 * What the functions of each library take, as its documentation or its extractor lists it, in the notation of xgettext: the
 * position of the text, `c` behind that of a context, `d` of a domain; a second position is that of the plural, and `n`
 * marks a text with all forms.
 */
import { describe, expect, test } from "vitest";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import type { KeyUsage } from "../../../src/scanners/key-usage.ts";
import { find, options } from "../scanners/marked.ts";

/** Of xgettext, for all languages. */
const GETTEXT = `_:1 gettext:1 gettext_noop:1 dgettext:1d,2 dcgettext:1d,2 ngettext:1,2 dngettext:1d,2,3 dcngettext:1d,2,3
  pgettext:1c,2 dpgettext:1d,2c,3 npgettext:1c,2,3 dnpgettext:1d,2c,3,4`;

const LIBRARIES: readonly (readonly [
  title: string,
  languages: readonly string[],
  framework: FrameworkName,
  functions: string,
])[] = [
  ["GNU gettext", ["php", "python", "javascript"], "gettext", GETTEXT],
  [
    "gettext/translator",
    ["php"],
    "gettext",
    "__:1 noop__:1 n__:1,2 p__:1c,2 np__:1c,2,3 d__:1d,2 dn__:1d,2,3 dp__:1d,2c,3 dnp__:1d,2c,3,4",
  ],
  [
    "phpmyadmin/motranslator",
    ["php"],
    "gettext",
    `_gettext:1 _ngettext:1,2 _pgettext:1c,2 _npgettext:1c,2,3 _dgettext:1d,2 _dngettext:1d,2,3 _dpgettext:1d,2c,3
     _dnpgettext:1d,2c,3,4`,
  ],
  ["Babel's extractor of scripts", ["javascript"], "gettext", "N_:1 ugettext:1 ungettext:1,2"],
  [
    "vue-gettext and vue3-gettext",
    ["javascript"],
    "gettext",
    "$gettext:1 $ngettext:1,2 $pgettext:1c,2 $npgettext:1c,2,3",
  ],
  [
    "Django",
    ["python"],
    "gettext",
    `gettext_lazy:1 ngettext_lazy:1,2 pgettext_lazy:1c,2 npgettext_lazy:1c,2,3 ugettext:1 ungettext:1,2 ugettext_lazy:1
     ungettext_lazy:1,2 ugettext_noop:1`,
  ],
  [
    "Flask-Babel",
    ["python"],
    "gettext",
    "lazy_gettext:1 lazy_ngettext:1,2 lazy_pgettext:1c,2 lazy_npgettext:1c,2,3 N_:1",
  ],
  ["Laravel", ["php"], "laravel", "__:1 trans:1 trans_choice:1n"],
  [
    "packages that read Laravel's texts",
    ["javascript"],
    "laravel",
    "trans:1 wTrans:1 __:1 transChoice:1n trans_choice:1n wTransChoice:1n $tChoice:1n tChoice:1n",
  ],
  ["Craft", ["php"], "craft", "Craft::t:1d,2"],
  ["Symfony", ["php"], "symfony", "$translator->trans:1,3d t:1,3d"],
  ["Symfony's templates", ["twig"], "symfony", "trans:1,3d t:1,3d"],
  [
    "wp-cli's extractor of PHP",
    ["php"],
    "wordpress",
    `__:1,2d esc_attr__:1,2d esc_html__:1,2d esc_xml__:1,2d _e:1,2d esc_attr_e:1,2d esc_html_e:1,2d esc_xml_e:1,2d
     _x:1,2c,3d _ex:1,2c,3d esc_attr_x:1,2c,3d esc_html_x:1,2c,3d esc_xml_x:1,2c,3d _n:1,2,4d _nx:1,2,4c,5d
     _n_noop:1,2,3d _nx_noop:1,2,3c,4d _:1,2d _c:1,2d _nc:1,2,4d __ngettext:1,2,4d __ngettext_noop:1,2,3d`,
  ],
  [
    "wp-cli's extractor of scripts",
    ["javascript"],
    "wordpress",
    "__:1,2d _x:1,2c,3d _n:1,2,4d _nx:1,2,4c,5d",
  ],
  ["@wordpress/i18n", ["javascript"], "wordpress", "hasTranslation:1,2c,3d"],
  ["i18next", ["javascript"], "i18next", "i18n.exists:1 i18next.exists:1 t:1"],
  ["vue-i18n", ["javascript"], "vue-i18n", "$t:1 t:1 $tc:1n tc:1n $te:1 te:1 $tm:1 tm:1"],
  ["svelte-i18n", ["javascript"], "svelte-i18n", "$_:1 $format:1 $json:1 $t:1"],
  ["sveltekit-i18n", ["javascript"], "svelte-i18n", "$l:2 l:2"],
];

/** What xgettext would write of a call with the arguments `a1`, `a2` and so on. */
function expected(positions: string): Pick<KeyUsage, "context" | "namespaces" | "plural"> & { key: string } {
  const all = positions.split(",");
  const withMark = (mark: string) => all.find((each) => each.endsWith(mark))?.slice(0, -1);
  const [text, plural] = all.filter((each) => /^\d+n?$/.test(each));
  const [context, domain] = [withMark("c"), withMark("d")];
  return {
    key: `a${text?.replace("n", "")}`,
    context: context === undefined ? null : `a${context}`,
    namespaces: domain === undefined ? null : [`a${domain}`],
    plural: plural !== undefined || text?.endsWith("n") === true,
  };
}

function found(language: string, framework: FrameworkName, call: string) {
  const text = language === "php" ? `<?php ${call};` : language === "twig" ? `{{ ${call} }}` : call;
  return find(language, text, options([framework])).map(({ expression, context, namespaces, plural }) => ({
    key: expression.kind === "static" ? expression.key : "*",
    context,
    namespaces,
    plural,
  }));
}

describe.each(LIBRARIES)("%s", (_, languages, framework, functions) => {
  const specifications = functions
    .split(/\s+/)
    .map((each) => [each, /^(.*[^:]):([^:]+)$/.exec(each)] as const);
  test.each(specifications)("%s", (specification, parts) => {
    const [, name = "", positions = ""] = parts ?? [];
    // The texts for a number come before it, and the domain of gettext's own functions before the texts.
    const last = Math.max(...[...positions.matchAll(/\d/g)].map(Number));
    const args = Array.from({ length: last }, (__, index) => `"a${index + 1}"`);
    for (const language of languages)
      expect(
        found(language, framework, `${name}(${args.join(", ")})`),
        `${specification} in ${language}`,
      ).toEqual([expected(positions)]);
  });
});

test.each<
  readonly [
    language: string,
    framework: FrameworkName,
    call: string,
    domain: string | null,
    isPlural: boolean,
  ]
>([
  ["twig", "symfony", "'a'|trans", null, false],
  ["twig", "symfony", "'a'|trans({}, 'd')", "d", false],
  ["twig", "symfony", "'a'|transchoice(5)", null, true],
  ["twig", "symfony", "'a'|transchoice(5, {}, 'd')", "d", true],
  ["twig", "craft", "'a'|t", "site", false],
  ["twig", "craft", "'a'|t('d')", "d", false],
  ["twig", "craft", "'a'|translate('d', {})", "d", false],
  ["twig", "laravel", "'a'|trans", null, false],
  ["twig", "laravel", "'a'|trans_choice(5)", null, true],
  ["twig", "laravel", "'a'|lang", null, false],
  ["php", "laravel", "Lang::getFromJson('a')", null, false],
  ["blade", "laravel", "@lang('a')", null, false],
  ["blade", "laravel", "@choice('a', 5)", null, true],
])("in %s of %s: %s", (language, framework, call, domain, isPlural) => {
  expect(found(language, framework, call)).toMatchObject([
    { key: "a", namespaces: domain === null ? null : [domain], plural: isPlural },
  ]);
});

describe("named arguments", () => {
  test.each<
    [
      language: string,
      framework: FrameworkName,
      call: string,
      key: string,
      context: string | null,
      domain: string | null,
    ]
  >([
    ["php", "wordpress", "__(domain: 'd', text: 'a')", "a", null, "d"],
    ["php", "wordpress", "_x(domain: 'd', context: 'c', text: 'a')", "a", "c", "d"],
    ["php", "wordpress", "_n(number: 2, plural: 'as', single: 'a')", "a", null, null],
    ["php", "wordpress", "_n_noop(plural: 'as', singular: 'a', domain: 'd')", "a", null, "d"],
    ["php", "laravel", "__(replace: [], key: 'a')", "a", null, null],
    ["php", "laravel", "trans_choice(number: 2, key: 'a')", "a", null, null],
    ["php", "laravel", "Lang::get(locale: 'nl', key: 'a')", "a", null, null],
    ["php", "symfony", "$translator->trans(domain: 'd', id: 'a')", "a", null, "d"],
    ["php", "symfony", "t(domain: 'd', message: 'a')", "a", null, "d"],
    ["php", "symfony", "new TranslatableMessage(domain: 'd', message: 'a')", "a", null, "d"],
    // Of Python, of Django, and of Flask-Babel.
    ["python", "gettext", "gettext(message='a')", "a", null, null],
    ["python", "gettext", "dgettext(message='a', domain='d')", "a", null, "d"],
    ["python", "gettext", "npgettext(singular='a', plural='as', context='c', number=1)", "a", "c", null],
    ["python", "gettext", "pgettext(message='a', context='c')", "a", "c", null],
    ["python", "gettext", "gettext(string='a')", "a", null, null],
    ["python", "gettext", "pgettext(msgid='a', msgctxt='c')", "a", "c", null],
    ["python", "gettext", "ngettext(msgid2='as', msgid1='a', n=1)", "a", null, null],
  ])("in %s of %s: %s", (language, framework, call, key, context, domain) => {
    expect(found(language, framework, call)).toMatchObject([
      { key, context, namespaces: domain === null ? null : [domain] },
    ]);
  });
});

test.each<[frameworks: readonly FrameworkName[], calls: boolean]>([
  [[], true],
  [["gettext"], true],
  [["laravel"], true],
  [["craft"], true],
  [["symfony"], true],
  [["i18next"], true],
  [["vue-i18n"], true],
  [["next-intl"], true],
  [["svelte-i18n"], true],
  [["formatjs"], true],
  // Their functions have other names, or must be imported.
  [["django"], false],
  [["jinja"], false],
  [["django", "gettext"], false],
  [["jinja", "gettext"], false],
  [["wordpress"], false],
  [["ngx-translate"], false],
  [["transloco"], false],
  [["messageformat"], false],
  [["lingui"], false],
  [["wordpress", "vue-i18n"], true],
  [["django", "gettext", "i18next"], true],
])("a script of %j may call a function t: %s", (frameworks, calls) => {
  const uses = find("typescript", "t('a'); $t('b');", options(frameworks));
  expect(uses.map(({ callee }) => callee)).toEqual(calls ? ["t", "$t"] : []);
});

test("i18next's exists is one of its instance, also where no framework is known, with the options of a call", () => {
  const code =
    "i18n.exists('a', { count: 2 }); req.i18n.exists('b', { ns: 'd' }); file.exists('no'); exists('no');";
  for (const frameworks of [["i18next"], []] as const)
    expect(find("javascript", code, options(frameworks))).toMatchObject([
      { expression: { key: "a" }, plural: true },
      { expression: { key: "b" }, namespaces: ["d"] },
    ]);
});
