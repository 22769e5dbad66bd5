/** The call for a key, and placeholders in texts, for each framework. */
import { describe, expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import {
  componentFor,
  isTextAttribute,
  jsCall,
  nameValues,
  type TextPart,
  phpCall,
  keyTextOf,
  type CallLanguage,
  twigCall,
} from "../../../../src/workspace/extract-text/replacement-code.ts";

const project = (frameworks: readonly FrameworkName[], domains: readonly string[] = []) => {
  return { frameworks: new Set(frameworks), domains: new Set(domains) };
};
const NAME = { name: "name", code: "a.name" };
const COUNT = { name: "count", code: "count" };
/** One of them twice, which is said twice only where values go by their order. */
const VALUES = [NAME, COUNT, NAME];

describe("translationCall", () => {
  test.each<[readonly FrameworkName[], readonly string[], plain: string, withValues: string, quoted: string]>(
    [
      [
        ["laravel"],
        [],
        String.raw`__('it\'s')`,
        "__('k', ['name' => a.name, 'count' => count])",
        String.raw`__("a \$b", ["name" => a.name])`,
      ],
      [
        ["wordpress"],
        [],
        String.raw`__( 'it\'s' )`,
        "sprintf( __( 'k' ), a.name, count, a.name )",
        String.raw`sprintf( __( "a \$b" ), a.name )`,
      ],
      [
        ["wordpress"],
        ["shop"],
        String.raw`__( 'it\'s', 'shop' )`,
        "sprintf( __( 'k', 'shop' ), a.name, count, a.name )",
        String.raw`sprintf( __( "a \$b", "shop" ), a.name )`,
      ],
      [
        ["gettext"],
        ["shop"],
        String.raw`_('it\'s')`,
        "sprintf( _('k'), a.name, count, a.name )",
        String.raw`sprintf( _("a \$b"), a.name )`,
      ],
      [
        ["symfony"],
        [],
        String.raw`__('it\'s')`,
        "__('k', ['name' => a.name, 'count' => count])",
        String.raw`__("a \$b", ["name" => a.name])`,
      ],
    ],
  )("in PHP with %j and the domains %j", (frameworks, domains, plain, withValues, quoted) => {
    const of = project(frameworks, domains);
    expect(phpCall(of, "it's", [])).toBe(plain);
    expect(phpCall(of, "k", VALUES)).toBe(withValues);
    expect(phpCall(of, "a $b", [NAME], "'")).toBe(quoted);
    expect(phpCall(of, "$a", [], '"')).toContain("'$a'");
  });

  test.each<[readonly FrameworkName[], readonly string[], plain: string, withValues: string, quoted: string]>(
    [
      [
        ["symfony"],
        [],
        String.raw`'it\'s'|trans`,
        "'k'|trans({ '%name%': a.name, '%count%': count })",
        String.raw`"\#{a}\nb"|trans({ "%name%": a.name })`,
      ],
      [
        [],
        [],
        String.raw`'it\'s'|trans`,
        "'k'|trans({ '%name%': a.name, '%count%': count })",
        String.raw`"\#{a}\nb"|trans({ "%name%": a.name })`,
      ],
      [
        ["craft"],
        [],
        String.raw`'it\'s'|t`,
        "'k'|t('site', { name: a.name, count: count })",
        String.raw`"\#{a}\nb"|t("site", { name: a.name })`,
      ],
      [
        ["laravel", "symfony"],
        [],
        String.raw`trans('it\'s')`,
        "trans('k', { 'name': a.name, 'count': count })",
        String.raw`trans("\#{a}\nb", { "name": a.name })`,
      ],
      [
        ["wordpress"],
        [],
        String.raw`__('it\'s')`,
        "__('k')|format(a.name, count, a.name)",
        String.raw`__("\#{a}\nb")|format(a.name)`,
      ],
      [
        ["wordpress", "craft"],
        ["shop"],
        String.raw`__('it\'s', 'shop')`,
        "__('k', 'shop')|format(a.name, count, a.name)",
        String.raw`__("\#{a}\nb", "shop")|format(a.name)`,
      ],
    ],
  )("in Twig with %j and the domains %j", (frameworks, domains, plain, withValues, quoted) => {
    const of = project(frameworks, domains);
    expect(twigCall(of, "it's", [])).toBe(plain);
    expect(twigCall(of, "k", VALUES)).toBe(withValues);
    expect(twigCall(of, "#{a}\nb", [NAME], "'")).toBe(quoted);
    // In single quotes it begins no value.
    expect(twigCall(of, "#{a}", [])).toContain("'#{a}'");
  });

  test.each<[readonly FrameworkName[], readonly string[], plain: string, withValues: string]>([
    [[], [], String.raw`t('it\'s')`, "t('k', { name: a.name, count })"],
    [["i18next"], ["shop"], String.raw`t('it\'s')`, "t('k', { name: a.name, count })"],
    [["vue-i18n"], [], String.raw`t('it\'s')`, "t('k', { name: a.name, count })"],
    [["svelte-i18n"], [], String.raw`t('it\'s')`, "t('k', { name: a.name, count })"],
    [["formatjs"], [], String.raw`t({ id: 'it\'s' })`, "t({ id: 'k' }, { name: a.name, count })"],
    [["formatjs", "i18next"], [], String.raw`t('it\'s')`, "t('k', { name: a.name, count })"],
    [["wordpress"], [], String.raw`__( 'it\'s' )`, "sprintf( __( 'k' ), a.name, count, a.name )"],
    [
      ["wordpress", "django"],
      ["shop"],
      String.raw`__( 'it\'s', 'shop' )`,
      "sprintf( __( 'k', 'shop' ), a.name, count, a.name )",
    ],
    [["wordpress", "laravel"], [], String.raw`t('it\'s')`, "t('k', { name: a.name, count })"],
    [
      ["django", "gettext"],
      [],
      String.raw`gettext('it\'s')`,
      "interpolate(gettext('k'), { name: a.name, count }, true)",
    ],
    [["gettext"], ["shop"], String.raw`gettext('it\'s')`, "sprintf( gettext('k'), a.name, count, a.name )"],
  ])("in a script with %j and the domains %j", (frameworks, domains, plain, withValues) => {
    const of = project(frameworks, domains);
    const call = { translator: "t", quote: "'", avoided: "" } as const;
    expect(jsCall(of, call, "it's", [])).toBe(plain);
    expect(jsCall(of, call, "k", VALUES)).toBe(withValues);
  });

  test("uses other quotes in an attribute", () => {
    const of = project(["i18next"]);
    const written = (quote: '"' | "'" | "`", avoided: '"' | "'" | "", key: string): string =>
      jsCall(of, { translator: "t", quote, avoided }, key, []);
    expect(written("`", "", "a ${b} `c`")).toBe("t(`a \\${b} \\`c\\``)");
    expect(written('"', "", "a ${b}\n\r")).toBe(String.raw`t("a ${"$"}{b}\n\r")`);
    expect(written("'", '"', `say "it's"`)).toBe(String.raw`t('say \u0022it\'s\u0022')`);
    expect(written('"', "'", `say "it's"`)).toBe(String.raw`t("say \"it\u0027s\"")`);
  });

  test("passes named values to Svelte's store", () => {
    const call = { translator: "$_", quote: '"', avoided: "" } as const;
    expect(jsCall(project(["svelte-i18n"]), call, "k", [COUNT])).toBe('$_("k", { values: { count } })');
    expect(jsCall(project(["vue-i18n"]), call, "k", [COUNT])).toBe('$_("k", { count })');
  });

  test("is a component for FormatJS between tags", () => {
    expect(componentFor(project(["formatjs"]), "k", [])).toBe('<FormattedMessage id="k" />');
    expect(componentFor(project(["formatjs"]), "k", VALUES)).toBe(
      '<FormattedMessage id="k" values={{ name: a.name, count }} />',
    );
    for (const key of [`a"b`, "a&b", "a\\b"])
      expect(componentFor(project(["formatjs"]), key, [])).toBe(
        `<FormattedMessage id={${JSON.stringify(key)}} />`,
      );
  });
});

describe("a value's name", () => {
  const namesOf = (codes: readonly string[], reserved: readonly string[] = []): string[] =>
    nameValues(
      codes.flatMap((code): TextPart[] => ["and", { code }]),
      new Set(reserved),
    ).map(({ name }) => name);

  test.each([
    ["name", "name"],
    ["$user->name", "name"],
    ["user.getName()", "getName"],
    ["items[0]", "value"],
    ["items['first']", "first"],
    ["format(price)", "format"],
    ["a + b", "b"],
    ["1 + 2", "value"],
    ["this", "value"],
    ["user.new", "value"],
    ["_x9", "_x9"],
  ])("%s is called %s", (code, name) => expect(namesOf([code])).toEqual([name]));

  test("is shared by equal expressions and numbered otherwise", () => {
    expect(namesOf(["a.x", "b.x", "a.x", "c.x", "y"])).toEqual(["x", "x2", "x", "x3", "y"]);
    expect(namesOf(["a.x", "b.x", "b.x"])).toEqual(["x", "x2", "x2"]);
    expect(namesOf(["x2", "a.x", "b.x"])).toEqual(["x2", "x", "x3"]);
  });

  test("is never a reserved option name", () => {
    expect(namesOf(["a.ns", "b.ok"], ["ns"])).toEqual(["value", "ok"]);
  });
});

const SAMPLES = [
  "5% of {a}, {{b}} or it's <i>",
  ":name and :names",
  "%name% and %(name)s",
  "a|b@c$t(d)",
  "rock '{'n'}' roll '",
] as const;
/** Each sample with a value behind it, then alone; `null`: it cannot be said. */
const STYLES = {
  printf: [
    ["5%% of {a}, {{b}} or it's <i>%1$s", SAMPLES[0]],
    [":name and :names%1$s", SAMPLES[1]],
    ["%%name%% and %%(name)s%1$s", SAMPLES[2]],
    ["a|b@c$t(d)%1$s", SAMPLES[3]],
    ["rock '{'n'}' roll '%1$s", SAMPLES[4]],
  ],
  colon: [
    [`${SAMPLES[0]}:name`, SAMPLES[0]],
    [null, SAMPLES[1]],
    [`${SAMPLES[2]}:name`, SAMPLES[2]],
    [`${SAMPLES[3]}:name`, SAMPLES[3]],
    [`${SAMPLES[4]}:name`, SAMPLES[4]],
  ],
  symfony: [
    [`${SAMPLES[0]}%name%`, SAMPLES[0]],
    [`${SAMPLES[1]}%name%`, SAMPLES[1]],
    [null, SAMPLES[2]],
    [`${SAMPLES[3]}%name%`, SAMPLES[3]],
    [`${SAMPLES[4]}%name%`, SAMPLES[4]],
  ],
  braces: [
    [null, null],
    [`${SAMPLES[1]}{name}`, SAMPLES[1]],
    [`${SAMPLES[2]}{name}`, SAMPLES[2]],
    [`${SAMPLES[3]}{name}`, SAMPLES[3]],
    [null, null],
  ],
  django: [
    [`${SAMPLES[0]}%(name)s`, SAMPLES[0]],
    [`${SAMPLES[1]}%(name)s`, SAMPLES[1]],
    [null, SAMPLES[2]],
    [`${SAMPLES[3]}%(name)s`, SAMPLES[3]],
    [`${SAMPLES[4]}%(name)s`, SAMPLES[4]],
  ],
  i18next: [
    [null, null],
    [`${SAMPLES[1]}{{name}}`, SAMPLES[1]],
    [`${SAMPLES[2]}{{name}}`, SAMPLES[2]],
    [null, null],
    [`${SAMPLES[4]}{{name}}`, SAMPLES[4]],
  ],
  vue: [
    ["5% of {'{'}a{'}'}, {'{{'}b{'}}'} or it's <i>{name}", "5% of {'{'}a{'}'}, {'{{'}b{'}}'} or it's <i>"],
    [`${SAMPLES[1]}{name}`, SAMPLES[1]],
    [`${SAMPLES[2]}{name}`, SAMPLES[2]],
    ["a{'|'}b{'@'}c{'$'}t(d){name}", "a{'|'}b{'@'}c{'$'}t(d)"],
    ["rock '{'{'}'n'{'}'}' roll '{name}", "rock '{'{'}'n'{'}'}' roll '"],
  ],
  icu: [
    ["5% of '{'a'}', '{{'b'}}' or it's '<'i'>'{name}", "5% of '{'a'}', '{{'b'}}' or it's '<'i'>'"],
    [`${SAMPLES[1]}{name}`, SAMPLES[1]],
    [`${SAMPLES[2]}{name}`, SAMPLES[2]],
    [`${SAMPLES[3]}{name}`, SAMPLES[3]],
    // An apostrophe before a brace, or before another one, is written twice.
    ["rock '''{'''n'''}''' roll ''{name}", "rock '''{'''n'''}''' roll '"],
  ],
} as const;

test.each<[readonly FrameworkName[], Readonly<Partial<Record<CallLanguage, keyof typeof STYLES>>>]>([
  [["laravel"], { php: "colon", js: "colon", vue: "colon", svelte: "colon", twig: "colon" }],
  [["wordpress"], { php: "printf", js: "printf", vue: "printf", svelte: "printf", twig: "printf" }],
  [["gettext"], { php: "printf", js: "printf", vue: "printf", svelte: "printf", twig: "symfony" }],
  [["symfony"], { php: "colon", js: "braces", vue: "braces", svelte: "braces", twig: "symfony" }],
  [["craft"], { php: "colon", js: "braces", vue: "braces", svelte: "braces", twig: "braces" }],
  [["i18next"], { php: "colon", js: "i18next", vue: "i18next", svelte: "i18next", twig: "symfony" }],
  [["vue-i18n"], { php: "colon", js: "vue", vue: "vue", svelte: "vue", twig: "symfony" }],
  [["next-intl"], { php: "colon", js: "icu", vue: "icu", svelte: "icu", twig: "symfony" }],
  [["svelte-i18n"], { php: "colon", js: "icu", vue: "icu", svelte: "icu", twig: "symfony" }],
  [["formatjs"], { php: "colon", js: "icu", vue: "icu", svelte: "icu", twig: "symfony" }],
  [["django", "gettext"], { php: "printf", js: "django", vue: "django", svelte: "django", twig: "symfony" }],
  [["laravel", "vue-i18n"], { php: "colon", js: "vue", vue: "vue", svelte: "vue", twig: "colon" }],
  [["laravel", "symfony"], { php: "colon", js: "colon", vue: "colon", svelte: "colon", twig: "colon" }],
  [
    ["i18next", "vue-i18n", "svelte-i18n"],
    { php: "colon", js: "i18next", vue: "vue", svelte: "icu", twig: "symfony" },
  ],
  [
    ["wordpress", "i18next"],
    { php: "printf", js: "i18next", vue: "i18next", svelte: "i18next", twig: "printf" },
  ],
  [[], { php: "colon", js: "braces", vue: "braces", svelte: "braces", twig: "symfony" }],
])("texts with values of a project with %j", (frameworks, sides) => {
  const of = project(frameworks);
  for (const [side, style] of Object.entries(sides) as [CallLanguage, keyof typeof STYLES][]) {
    const texts = SAMPLES.map((sample) =>
      [[sample, { code: "a.name" }], [sample]].map((parts) => keyTextOf(parts, of, side)?.text ?? null),
    );
    expect(texts, side).toEqual(STYLES[style]);
  }
});

test("keeps the order of values and escapes special characters", () => {
  const parts = ["From ", { code: "a.x" }, " to ", { code: "b.x" }, " and ", { code: "a.x" }];
  expect(keyTextOf(parts, project(["wordpress"]), "php")).toEqual({
    text: "From %1$s to %2$s and %3$s",
    values: [
      { name: "x", code: "a.x" },
      { name: "x2", code: "b.x" },
      { name: "x", code: "a.x" },
    ],
  });
  expect(keyTextOf(parts, project(["vue-i18n"]), "vue")?.text).toBe("From {x} to {x2} and {x}");
  for (const blank of ["", " ", "5 %", "…", "123"])
    expect(keyTextOf([blank, { code: "name" }], project([]), "js")).toBeNull();
  expect(keyTextOf(["é", { code: "name" }], project([]), "js")).not.toBeNull();
});

test.each<FrameworkName>(["ngx-translate", "transloco"])(
  "keeps no text with the braces of %s",
  (framework) => {
    for (const side of ["js", "angular-html"] as const) {
      const of = project([framework]);
      expect(keyTextOf(["Use {{ and ", { code: "name" }], of, side)).toBeNull();
      expect(keyTextOf(["Use { and ", { code: "name" }], of, side)?.text).toBe("Use { and {{name}}");
      const own = { ...of, interpolation: { prefix: "<<", suffix: ">>" } };
      expect(keyTextOf(["Use << and ", { code: "name" }], own, side)).toBeNull();
      expect(keyTextOf(["Use {{ and ", { code: "name" }], own, side)?.text).toBe("Use {{ and <<name>>");
    }
  },
);

test("avoids names that Laravel would replace case-insensitively or as a prefix", () => {
  for (const text of [":Name", ":NAME", "a:names"])
    expect(keyTextOf([text, { code: "name" }], project(["laravel"]), "php")).toBeNull();
  expect(keyTextOf([":nam", { code: "name" }], project(["laravel"]), "php")?.text).toBe(":nam:name");
});

test("does not treat attributes with identifiers, URLs or code as visible", () => {
  const names = [
    ...[
      "class",
      "className",
      "id",
      "key",
      "href",
      "src",
      "srcset",
      "type",
      "for",
      "htmlFor",
      "role",
      "i18nKey",
    ],
    ...["data-test-x", "data-id", "data-cy", "onClick", "on:click", "onSubmit", "name", "ns"],
  ];
  for (const name of names) expect(isTextAttribute(name), name).toBe(false);
  for (const name of ["title", "alt", "label", "aria-label", "placeholder", "data-title", "names", "on"])
    expect(isTextAttribute(name), name).toBe(true);
});
