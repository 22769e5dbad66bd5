/** New calls as each framework writes them, and how their texts contain values. */
import { expect, test } from "vitest";
import { type FrameworkName, supportedFrameworks } from "../../../src/frameworks/supported-frameworks.ts";

const VALUES = [
  { name: "n", code: "user.name" },
  { name: "m", code: "m" },
];
const literal = (text: string): string => `'${text}'`;

type Language = "php" | "twig" | "script" | "template";

test.each<
  [name: FrameworkName, language: Language, withValues: string, withoutValues: string, place: string]
>([
  ["gettext", "php", "sprintf( _('a&b'), user.name, m )", "_('a')", "%1$s"],
  ["gettext", "script", "sprintf( gettext('a&b'), user.name, m )", "gettext('a')", "%1$s"],
  ["django", "script", "interpolate(gettext('a&b'), { n: user.name, m }, true)", "gettext('a')", "%(n)s"],
  ["laravel", "php", "__('a&b', ['n' => user.name, 'm' => m])", "__('a')", ":n"],
  ["laravel", "twig", "trans('a&b', { 'n': user.name, 'm': m })", "trans('a')", ":n"],
  ["laravel", "script", "t('a&b', { n: user.name, m })", "t('a')", ":n"],
  ["symfony", "twig", "'a&b'|trans({ '%n%': user.name, '%m%': m })", "'a'|trans", "%n%"],
  ["wordpress", "php", "sprintf( __( 'a&b', 'shop' ), user.name, m )", "__( 'a', 'shop' )", "%1$s"],
  ["wordpress", "script", "sprintf( __( 'a&b', 'shop' ), user.name, m )", "__( 'a', 'shop' )", "%1$s"],
  ["wordpress", "twig", "__('a&b', 'shop')|format(user.name, m)", "__('a', 'shop')", "%1$s"],
  ["craft", "twig", "'a&b'|t('site', { n: user.name, m: m })", "'a'|t", "{n}"],
  ["next-intl", "script", "t('a&b', { n: user.name, m })", "t('a')", "{n}"],
  ["ngx-translate", "script", "t('a&b', { n: user.name, m })", "t('a')", "{{n}}"],
  ["transloco", "script", "t('a&b', { n: user.name, m })", "t('a')", "{{n}}"],
  ["i18next", "script", "t('a&b', { n: user.name, m })", "t('a')", "{{n}}"],
  ["vue-i18n", "script", "t('a&b', { n: user.name, m })", "t('a')", "{n}"],
  ["svelte-i18n", "script", "t('a&b', { n: user.name, m })", "t('a')", "{n}"],
  ["formatjs", "script", "t({ id: 'a&b' }, { n: user.name, m })", "t({ id: 'a' })", "{n}"],
  ["ngx-translate", "template", "'a&b' | translate: { n: user.name, m: m }", "'a' | translate", "{{n}}"],
  ["transloco", "template", "'a&b' | transloco: { n: user.name, m: m }", "'a' | transloco", "{{n}}"],
])("%s in %s", (name, language, withValues, withoutValues, place) => {
  const style = supportedFrameworks.get(name)?.code?.[language];
  const written = (key: string, values: typeof VALUES) =>
    style?.write({ key, values, literal, domain: name === "wordpress" ? "shop" : null, translator: "t" });
  expect(written("a&b", VALUES)).toBe(withValues);
  expect(written("a", [])).toBe(withoutValues);
  expect(style?.placeholders.write("n", 0)).toBe(place);
});

test("a store of Svelte takes values as an option, and a component of FormatJS as a property", () => {
  const parts = { key: "a&b", values: VALUES, literal, domain: null, translator: "$t" };
  const svelte = supportedFrameworks.get("svelte-i18n")?.code?.script;
  expect(svelte?.write(parts)).toBe("$t('a&b', { values: { n: user.name, m } })");
  expect(svelte?.write({ ...parts, values: [] })).toBe("$t('a&b')");
  const formatjs = supportedFrameworks.get("formatjs")?.code?.script;
  expect(formatjs?.component?.(parts)).toBe("<FormattedMessage id={'a&b'} values={{ n: user.name, m }} />");
  expect(formatjs?.component?.({ ...parts, key: "a", values: [] })).toBe('<FormattedMessage id="a" />');
});

test.each<[name: FrameworkName, language: Language, text: string, escaped: string | null]>([
  ["gettext", "php", "5% {x}", "5%% {x}"],
  ["laravel", "php", "at 5:n", null],
  ["laravel", "php", "at 5:N", null],
  ["laravel", "php", "at 5:x", "at 5:x"],
  ["django", "script", "%(x)s", null],
  ["django", "script", "5% (x)", "5% (x)"],
  ["symfony", "twig", "5 %n%", null],
  ["symfony", "twig", "5 %x%", "5 %x%"],
  ["i18next", "script", "{{x}}", null],
  ["i18next", "script", "$t(x)", null],
  ["i18next", "script", "{x} 's", "{x} 's"],
  ["vue-i18n", "script", "{x} | a@b", "{'{'}x{'}'} {'|'} a{'@'}b"],
  ["vue-i18n", "script", "5 $ {|}", "5 {'$'} {'{|}'}"],
  ["next-intl", "script", "it's {x}", "it's '{'x'}'"],
  ["next-intl", "script", "a {'} <b", "a '{''}' '<'b"],
  ["next-intl", "script", "a'<b", "a'''<'b"],
  ["next-intl", "script", "it''s", "it'''s"],
  ["ngx-translate", "script", "a {x} {{y", null],
  ["transloco", "template", "a {x} y}}", "a {x} y}}"],
  ["craft", "twig", "a }", null],
])("of %s in %s the text %j is written as %j beside a value", (name, language, text, escaped) => {
  const style = supportedFrameworks.get(name)?.code?.[language];
  expect(style?.placeholders.escape(text, VALUES, false)).toBe(escaped);
});

test.each<[name: FrameworkName, language: Language, text: string, before: boolean, escaped: string | null]>([
  ["gettext", "php", "5%", false, "5%"],
  ["django", "script", "%(x)s", false, "%(x)s"],
  ["next-intl", "script", "it's '", false, "it's '"],
  ["next-intl", "script", "it's '", true, "it's ''"],
])(
  "of %s in %s the text %j without values, before one: %s, is %j",
  (name, language, text, before, escaped) => {
    const style = supportedFrameworks.get(name)?.code?.[language];
    expect(style?.placeholders.escape(text, [], before)).toBe(escaped);
  },
);

test.each<FrameworkName>(["ngx-translate", "transloco", "i18next"])(
  "%s takes the project's own delimiters of values",
  (name) => {
    const style = supportedFrameworks
      .get(name)
      ?.code?.script?.withDelimiters?.({ prefix: "<<", suffix: ">>" });
    expect(style?.write("n", 0)).toBe("<<n>>");
    expect([style?.escape("a << b", VALUES, false), style?.escape("a {{ b", VALUES, false)]).toEqual([
      null,
      "a {{ b",
    ]);
  },
);

test.each<[name: FrameworkName, script: string, template?: string, svelte?: string]>([
  ["formatjs", "intl.formatMessage", "$formatMessage", "intl.formatMessage"],
  ["lingui", "t", "t"],
  ["ngx-translate", "this.translate.instant"],
  ["transloco", "this.translocoService.translate"],
])("new calls of %s are of %s, %s and %s", (name, script, template, svelte) => {
  const translator = supportedFrameworks.get(name)?.code?.script?.translator;
  expect([translator?.script, translator?.template, translator?.svelte]).toEqual([script, template, svelte]);
});

test("Lingui's calls and components contain their texts", () => {
  const style = supportedFrameworks.get("lingui")?.code?.script;
  const parts = { values: VALUES, literal, domain: null, translator: "t" };
  expect(style?.write({ ...parts, key: "a {n} {m} {x} `b` \\ ${c}" })).toBe(
    "t`a ${{ n: user.name }} ${m} {x} \\`b\\` \\\\ \\${c}`",
  );
  const component = (key: string, values = VALUES.slice(1)) => style?.component?.({ ...parts, key, values });
  expect(component("It's {m}")).toBe("<Trans>It's {m}</Trans>");
  expect(["a < b", "a > b", "a & b", "a '{x'}"].map((key) => component(key))).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(component("a {n}", VALUES)).toBeNull();
  // A value that cannot be labelled, alone.
  expect(component("a {n}", VALUES.slice(0, 1))).toBeNull();
});

test("Lingui's macros are imported from the modules of version 5, unless a file has those of version 4", () => {
  const imports = supportedFrameworks.get("lingui")?.code?.script?.imports;
  expect(imports?.component).toEqual({
    name: "Trans",
    module: "@lingui/react/macro",
    olderModule: "@lingui/macro",
  });
  expect(imports?.call).toEqual({
    name: "t",
    module: "@lingui/core/macro",
    olderModule: "@lingui/macro",
    providers: ["useLingui"],
  });
});

test("a component of FormatJS has a key with a backslash as an expression", () => {
  const component = supportedFrameworks.get("formatjs")?.code?.script?.component;
  const parts = { values: [], literal: JSON.stringify, domain: null };
  expect(component?.({ ...parts, key: "a\\b" })).toBe('<FormattedMessage id={"a\\\\b"} />');
  expect(component?.({ ...parts, key: 'a"b' })).toBe('<FormattedMessage id={"a\\"b"} />');
});

test("two values of the same code are both passed on", () => {
  const values = ["n", "m"].map((name) => ({ name, code: "x" }));
  const parts = { key: "a", values, literal, domain: null, translator: "t" };
  expect(supportedFrameworks.get("i18next")?.code?.script?.write(parts)).toBe("t('a', { n: x, m: x })");
});

test("a value that occurs twice in a text is passed on once", () => {
  const [n, m] = VALUES as [(typeof VALUES)[0], (typeof VALUES)[0]];
  const parts = { key: "a", values: [n, m, n], literal, domain: null, translator: "t" };
  expect(supportedFrameworks.get("i18next")?.code?.script?.write(parts)).toBe("t('a', { n: user.name, m })");
  expect(supportedFrameworks.get("laravel")?.code?.php?.write(parts)).toBe(
    "__('a', ['n' => user.name, 'm' => m])",
  );
});
