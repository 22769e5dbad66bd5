/** Usages in JavaScript, TypeScript, JSX and TSX: literals, bindings and components. */
import i18next from "i18next";
import { describe, expect, test } from "vitest";
import { resolveKey } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import { check, find, options, type Case } from "../marked.ts";
import { createKeyNames } from "../../support/key-database.ts";

const literals: readonly Case[] = [
  [
    "a regular expression behind comments, and a division behind one",
    "javascript",
    `x = // a\n /* b */ /'/; t("«a»"); y = b /* c */ / 2; t("«b»"); z = 1 / 2; w = /* d */ /"/; t("«c»")`,
  ],
  [
    "templates in templates",
    "javascript",
    "x = `a ${f({ b: `${t('«a»')} t('no')` })} t('no')`; t('«b»'); y = `${`it's`}${{}}`; t('«c»')",
  ],
  [
    "quotes and elements in attributes",
    "javascriptreact",
    `<A b='it"s' c="it's" d={<C e={1}>it's</C>}>it's {t('«a»')}<B/>it's</A>; t('«b»')`,
  ],
  ["double quotes", "javascript", `t("«a.b»")`],
  ["single quotes", "javascript", `t('«a.b»')`],
  ["a template without holes", "javascript", "t(`«a.b»`)"],
  ["an escaped quote", "javascript", String.raw`t('«it\'s»')`, { keys: ["it's"] }],
  ["escapes of all kinds", "javascript", String.raw`t("«\x41\u0042\u{43}\n\\»")`, { keys: ["ABC\n\\"] }],
  ["continued lines", "javascript", `t("«a\\\nb»"); t("«c\\\r\nd»")`, { keys: ["ab", "cd"] }],
  ["a sentence as the key", "javascript", `t("«Hello, (world): 'ä' {x}!»")`],
  ["an emoji before the call", "javascript", `x = "😀"; t("«a»")`],
  ["over several lines", "javascript", `t(\n  "«a»",\n  { x: 1 },\n)`],
  ["with a comment before the argument", "javascript", `t(/* the title */ "«a»")`],
  ["with CRLF", "javascript", `t(\r\n"«a»"\r\n)`],
  ["a space before the parenthesis", "javascript", `t ("«a»")`],
  ["an empty key, as while typing", "javascript", `t("«»")`],
  ["half typed", "javascript", `const a = t("«a»"\nfoo()`],
  ["a string that is not closed", "javascript", `t("a\nt("«b»")`],
  ["an object among the keys", "javascript", `t(x ? "«a»" : { b })`, { patterns: ["*"] }],
  ["parentheses", "javascript", `t((("«a»")))`],
  ["as const", "typescript", `t("«a»" as const)`],
  ["satisfies", "typescript", `t("«a»" satisfies Key)`],
  ["type arguments", "typescript", `t<string>("«a»"); t<Record<string, () => void>>("«b»")`],
  ["optional chaining", "typescript", `t?.("«a»"); i18n?.t?.("«b»")`],
  ["a tagged template", "javascript", "t`«header.menu.home»`"],
  ["a selector", "typescript", `t($ => $.«a.b»); t(($) => $.«c»); t($=>$.«d»)`],
  [
    "a selector of an array's element",
    "typescript",
    `t($ => $.«steps[0].title»); t($ => $.steps[index])`,
    { keys: ["steps.0.title"], patterns: ["steps.*"] },
  ],
  [
    "selectors in an array",
    "typescript",
    `t([$ => $.error[code], $ => $.«error.other»]); t([($) => $.«a», ($) => $.«b.c»,]); t([$ => $.map(f)])`,
    { patterns: ["error.*", "*"] },
  ],
];

const assertions: readonly Case[] = [
  ["a call of an asserted name", "typescript", `t!("«a»"); t!<string>("«b»"); t! ("«c»"); t!?.("«d»")`],
  ["an asserted method", "typescript", `t!.rich("«a»"); i18n!.t!("«b»"); this.$t!("«c»")`],
  [
    "a name with a type",
    "typescript",
    `(t as any)("«a»"); (t satisfies T)("«b»"); (t as (k: string) => string)("«c»")`,
  ],
  ["a name with a type before it", "typescript", `(<any>t)("«a»"); (<T<X>>t)("«b»"); (<any>i18n.t)("«c»")`],
  ["a name in parentheses", "typescript", `(t)("«a»"); (t!)("«b»"); (t as any)?.("«c»"); (t as any)!("«d»")`],
  [
    "a name in parentheses, written wide",
    "typescript",
    `(t as any) ! ("«a»"); (t as any) ?. ("«b»"); (t as any)?.\n("«c»"); (t)\n("«d»")`,
  ],
  [
    "a method in parentheses",
    "typescript",
    `(i18n.t as any)("«a»"); (props?.t as T)("«b»"); return (t as any)("«c»")`,
  ],
  [
    "an object in parentheses",
    "typescript",
    `(i18n as any).t("«a»"); (<I>this.i18n).t("«b»"); (props as any).t("«c»"); (window as any).i18n.t("«d»")`,
    { scopes: ["-|", "-|", "?|", "-|"] },
  ],
  [
    "an argument of a call is no name",
    "typescript",
    `connect(t)("a"); f[0](t)("b"); g(x)(t)("c"); if (t) ("d")`,
  ],
  [
    "an asserted key",
    "typescript",
    `const A = "a"; t(«A»!); t(<Key>"«b»"); t(<const>"«c»" as Key)`,
    { keys: ["a", "b", "c"] },
  ],
  [
    "a division behind an assertion",
    "typescript",
    `x = y! / 2; t("«a»"); z = a[0]! / 2; t("«b»"); w = f()! / 2; t("«c»") / 3; v.in! / 4; t("«d»")`,
  ],
  [
    "a negated regular expression",
    "typescript",
    `if (!/'/.test(x)) t("«a»"); return!/'/.test(y), t("«b»"); if (z)!/'/.test(t("«c»")); x && !/"/.test(t("«d»"))`,
  ],
  [
    "a comparison behind an assertion",
    "typescriptreact",
    `if (a! <b) { t("«a»") } x = "'"; return !<B>{t("«b»")}</B>`,
  ],
];

const branches: readonly Case[] = [
  [
    "behind a regular expression in a template",
    "typescript",
    "const x = `${/a/}`; t('«b»'); t(`${y}`)",
    { patterns: ["*"] },
  ],
  [
    "a namespace that is not given beside the hook's",
    "typescript",
    `const { t } = useTranslation("x"); t("«a»", { ns: undefined }); t("«b»", { ns: "y" })`,
    { scopes: ["x|", "y|"] },
  ],
  ["a conditional", "javascript", `t(a ? "«x»" : "«y»")`],
  ["nested conditionals", "javascript", `t(a ? "«x»" : b > 1 ? "«y»" : ("«z»"))`],
  ["??", "javascript", `t(key ?? "«x»")`, { patterns: ["*"] }],
  ["|| with nothing", "javascript", `t(key || "")`, { patterns: ["*"] }],
  ["&&", "javascript", `t(a && "«x»")`],
  ["keys in an array", "javascript", `t(["«a»", "«b»"])`],
  ["concatenated literals", "javascript", `t("«a." + "b»")`, { keys: ["a.b"] }],
  ["concatenation with a variable", "javascript", `t("a." + x)`, { patterns: ["a.*"] }],
  ["concatenation with both ends known", "javascript", `t("a." + x + ".b")`, { patterns: ["a.*.b"] }],
  ["a template with a hole", "javascript", "t(`a.${x}.b`)", { patterns: ["a.*.b"] }],
  ["a variable", "javascript", `t(key)`, { patterns: ["*"] }],
  ["a comparison", "javascript", `t(a === "b")`, { patterns: ["*"] }],
  ["a method of a literal", "javascript", `t("a".concat(b))`, { patterns: ["*"] }],
  ["spread arguments", "javascript", `t(...args)`, { patterns: ["*"] }],
  ["a call in a call", "javascript", `t("«a»", { x: t("«b»") })`],
];

const noCode: readonly Case[] = [
  ["a line comment", "javascript", `// t("a")\nt("«b»")`],
  ["a block comment", "javascript", `/* t("a") */ t("«b»") /*/ t("c") */; t("«d»")`],
  ["a string", "javascript", `x = 't("a")'; y = "t('b')"`],
  ["a template", "javascript", "x = `t('a') ${t('«b»')} t('c')`"],
  ["a template within a template", "javascript", "x = `${`${t('«a»')}`} t('b')`"],
  ["a regular expression", "javascript", `/t("a")/.test(x); t("«b»")`],
  ["a regular expression with a quote", "javascript", `x.replace(/['"]/g, ""); t("«b»")`],
  ["a regular expression with a class", "javascript", `x.split(/[/'"]/); t("«b»")`],
  ["a division", "javascript", `a = b / c; t("«d»"); e / f`],
  ["a division after a call", "javascript", `f() / 2 + "'"; t("«d»") / 3`],
  ["a comment before a regular expression", "javascript", `return /* x */ /'/.test(y), t("«a»")`],
  ["other functions that end in t", "javascript", `print("a"); $.get("b"); split("c"); _t("d"); xt("e")`],
  ["a private method", "javascript", `this.#t("a")`],
  ["a function's definition", "javascript", `function t(key) {} function* t(key) {}`],
  ["a method's definition", "typescript", `class A { t(key: string) { return 1; } }`],
  ["a signature", "typescript", `interface A { t(key: string, n?: number): string; (t: string): void }`],
  ["an overload", "typescript", `declare function t(key: string): string;`],
];

const jsx: readonly Case[] = [
  ["an apostrophe in text", "javascriptreact", `<p>Don't {t("«a»")} it's</p>`],
  ["a comparison in text", "javascriptreact", `x = <p>it's 1 < 2 {t("«a»")}</p>; t("«b»")`],
  ["a fragment in text", "javascriptreact", `x = <p><>it's {t("«a»")}</>; t("c")</p>; t("«b»")`],
  ["quotes in text", "javascriptreact", `<p>6" {t("«a»")} and "x {t("«b»")}</p>`],
  ["an address in text", "javascriptreact", `<a>http://x.y {t("«a»")}</a>`],
  ["a call in text is text", "javascriptreact", `<p>t("a")</p>`],
  ["a call in an attribute's text is text", "javascriptreact", `<p title='t("a")' alt={t("«b»")} />`],
  ["a comment in braces", "javascriptreact", `<p>{/* t("a") */}{t("«b»")}</p>`],
  [
    "nested elements",
    "javascriptreact",
    `x = <A b={<C d={t("«a»")} />}>{ys.map((y) => <E>it's {t("«b»")}</E>)}</A>; t('«c»')`,
  ],
  ["a fragment", "javascriptreact", `return <>it's {t("«a»")}</>;`],
  ["a self-closing element before text", "javascriptreact", `<p><br /> don't {t("«a»")}</p>`],
  ["a generic arrow function in TSX", "typescriptreact", `const f = <T,>(a: T) => { x('it') }; t("«a»")`],
  [
    "a generic arrow function with a constraint",
    "typescriptreact",
    `const f = <T extends X>(a: T) => "'"; t("«a»")`,
  ],
  ["a generic arrow function in TypeScript", "typescript", `const f = <T>(a: T) => "x"; t("«a»")`],
  ["a type assertion", "typescript", `const f = <Foo>bar; t("«a»")`],
  ["a comparison is no element", "javascriptreact", `if (a <b) { t("«a»") } x = "'"`],
  [
    "an element of a component with nested type arguments",
    "typescriptreact",
    `<Foo<Bar<X>> a="{t('no')}" b={t("«a»")}>it's</Foo>`,
  ],
  ["an element of a generic component", "typescriptreact", `<Foo<Bar> x={t("«a»")}>it's</Foo>`],
  ["Trans", "typescriptreact", `<Trans i18nKey="«a.b»" ns="x">it's <b>c</b></Trans>`, { scopes: ["x|"] }],
  [
    "Trans with a selector",
    "typescriptreact",
    `const { t } = useTranslation(["x", "y"]); <Trans t={t} i18nKey={$ => $.«a.b»} />; <Trans t={t} i18nKey={($) => $.y.«c»}>d</Trans>; <Trans i18nKey={[$ => $.«e», $ => $.«f»]} ns="z" />`,
    { scopes: ["x|", "y|", "z|", "z|"] },
  ],
  ["Trans with an expression", "typescriptreact", `<Trans i18nKey={a ? "«b»" : "«c»"} />`],
  [
    "Trans with a translator",
    "typescriptreact",
    `const { t } = useTranslation("x", { keyPrefix: "y" }); <Trans t={t} i18nKey="«k»" />`,
    { scopes: ["x|y"] },
  ],
  [
    "Trans behind other attributes",
    "typescriptreact",
    `<Trans data-a="1" xml:b="2" c.d={3} e i18nKey="«k»" />`,
  ],
  ["Trans over several lines", "typescriptreact", `<Trans\n  t={t}\n  i18nKey="«k»"\n/>`],
  [
    "an element that is not closed yet",
    "javascriptreact",
    `function A() { return <div>{t("«a»")} }\nfunction B() { return t("«b»"); }`,
  ],
];

const scopes: readonly Case[] = [
  ["no hook", "javascript", `t("«a»")`, { scopes: ["-|"] }],
  ["a namespace", "javascript", `const { t } = useTranslation("x"); t("«a»")`, { scopes: ["x|"] }],
  [
    "several namespaces: the first counts",
    "javascript",
    `const { t } = useTranslation(["x", "y"]); t("«a»")`,
    { scopes: ["x|"] },
  ],
  [
    "several namespaces in a constant, and a choice between two",
    "javascript",
    `const NS = ["x", "y"]; const { t } = useTranslation(NS); t("«a»"); const { t: u } = useTranslation(z ? "x" : "y"); u("«b»")`,
    { scopes: ["x|", "x,y|"] },
  ],
  [
    "several namespaces of a call, and one that is not shown",
    "javascript",
    `t("«a»", { ns: ["x", "y"] }); t("«b»", { ns: other })`,
    { scopes: ["x,y|", "?|"] },
  ],
  [
    "several namespaces in a constant, each of which a selector may name",
    "typescript",
    `const NS = ["x", "y", "z"]; const { t } = useTranslation(NS); t($ => $.z.«a»); t($ => $.y.«b»)`,
    { scopes: ["z|", "y|"] },
  ],
  [
    "several namespaces, of which the first is one of two",
    "javascript",
    `const { t } = useTranslation([z ? "x" : "y", "w"]); t("«a»")`,
    { scopes: ["x,y|"] },
  ],
  [
    "no namespace, and no prefix",
    "javascript",
    `const { t } = useTranslation(null, { keyPrefix: "p" }); t("«a»"); const { t: u } = useTranslation("x", { keyPrefix: undefined }); u("«b»")`,
    { scopes: ["-|p", "x|"] },
  ],
  [
    "several namespaces, of which the first is not shown",
    "javascript",
    `const { t } = useTranslation([NS, "y"]); t("«a»")`,
    { scopes: ["?|"] },
  ],
  [
    "several namespaces with nsMode",
    "javascript",
    `const { t } = useTranslation(["x", "y"], { nsMode: "fallback" }); t("«a»"); const { t: u } = useTranslation(["x", "y"], { nsMode }); u("«b»"); const { t: v } = useTranslation(["x", "y"], { nsMode: "default" }); v("«c»")`,
    { scopes: ["x,y|", "x,y|", "x|"] },
  ],
  [
    "several namespaces of i18next itself, and of i18next-vue",
    "javascript",
    `import { useTranslation } from "i18next-vue"; const t = i18n.getFixedT(null, ["x", "y"]); t("«a»"); const { t: u } = useTranslation(["x", "y"]); u("«b»")`,
    { scopes: ["x,y|", "x,y|"] },
  ],
  [
    "several namespaces without i18next-vue",
    "javascript",
    `const t = i18n.getFixedT(null, ["x", "y"]); t("«a»"); const { t: u } = useTranslation(["x", "y"]); u("«b»")`,
    { scopes: ["x,y|", "x|"] },
  ],
  [
    "one of several lists of namespaces, which all may be searched",
    "javascript",
    `const NS = x ? ["a", "b"] : ["c", "d"]; const { t } = useTranslation(NS); t("«k»")`,
    { scopes: ["a,b,c,d|"] },
  ],
  [
    "a selector below a prefix, which names no namespace",
    "typescript",
    `const { t } = useTranslation(["x", "y"], { keyPrefix: "p" }); t($ => $.«y.b»)`,
    { scopes: ["x|p"] },
  ],
  [
    "the first text after the key is its default",
    "javascript",
    `t("«a»", "A", "B"); t("«b»", { defaultValue: "B" }, "C"); t("«c»", null, "C")`,
    { defaults: ["A", "B", "C"] },
  ],
  [
    "names that are global whatever object they are called on, and others",
    "javascript",
    `vm.$t("«a»"); my.i18n.__("«b»"); my.t("«c»"); own.text("«d»"); $.text("e")`,
    {
      frameworks: ["i18next", "wordpress"],
      functions: [{ name: "own.text", key: 0 }],
      scopes: ["-|", "-|", "?|", "-|"],
    },
  ],
  [
    "a translator that is assigned again",
    "javascript",
    `let t = useTranslations("a"); t("«x»"); t = useTranslations("b"); t("«y»")`,
    { scopes: ["-|a", "-|b"] },
  ],
  [
    "the first of a list alone, and no object that is called",
    "javascript",
    `const [t, say] = useTranslation("x"); t("«a»"); say("no"); useTranslation("x")("no")`,
    { scopes: ["x|"] },
  ],
  [
    "a copy of a renamed translator",
    "javascript",
    `const { t: tr } = useTranslation("shop"); const say = tr; say("«a»")`,
    { scopes: ["shop|"] },
  ],
  [
    "a count of the next component",
    "javascriptreact",
    `<Text i18nKey="«a»">x</Text>; <Trans i18nKey="«b»">{{ count }}</Trans>; <Trans i18nKey="«c»" context />`,
    { plurals: [false, true, false], contexts: ["-", "-", "?"] },
  ],
  [
    "a namespace in a selector",
    "typescript",
    `const { t } = useTranslation(["x", "y"]); t(($) => $.y.«a.b»); t($ => $.«x.c»); t("«y.d»"); t($ => z ? $.y.«e» : $.«f»)`,
    { scopes: ["y|", "x|", "x|", "y|", "x|"] },
  ],
  [
    "selectors that name the namespace in other ways",
    "typescript",
    `const { t } = useTranslation(["x", "y"]); t($ => $["y"].«a»); t($ => $.y«["b c"]»); t($ => $ . y . «d»); t($ => $«["y.e"]»); t($ => $.«y»); t($ => $.y[i])`,
    {
      keys: ["a", "b c", "d", "y.e", "y"],
      scopes: ["y|", "y|", "y|", "x|", "x|"],
      patterns: ["*"],
    },
  ],
  [
    "a prefix",
    "javascript",
    `const { t } = useTranslation(undefined, { keyPrefix: "p.q" }); t("«a»")`,
    { scopes: ["-|p.q"] },
  ],
  [
    "an alias",
    "javascript",
    `const { t: tr, i18n } = useTranslation("x"); tr("«a»"); i18n.t("«b»")`,
    { scopes: ["x|", "-|"] },
  ],
  ["an array", "javascript", `const [tr] = useTranslation("x"); tr("«a»")`, { scopes: ["x|"] }],
  ["the object", "javascript", `const tr = useTranslation("x"); tr.t("«a»")`, { scopes: ["x|"] }],
  ["its member", "javascript", `const tr = useTranslation("x").t; tr("«a»")`, { scopes: ["x|"] }],
  [
    "a declared type",
    "typescript",
    `const t: TFunction = i18n.getFixedT(null, "x", "p"); t("«a»")`,
    { scopes: ["x|p"] },
  ],
  [
    "type arguments of the hook",
    "typescript",
    `const { t } = useTranslation<"x">("x"); t("«a»")`,
    { scopes: ["x|"] },
  ],
  [
    "blocks",
    "javascript",
    `function A() { const { t } = useTranslation("x"); t("«a»") }\nfunction B() { const { t } = useTranslation("y"); if (z) { t("«b»") } }\nt("«c»")`,
    { scopes: ["x|", "y|", "-|"] },
  ],
  [
    "two hooks in one component",
    "typescript",
    `const { t } = useTranslation(undefined, { keyPrefix: "p" });\nconst { t: tPhrases } = useTranslation();\nt("«a»"); tPhrases("«b»")`,
    { scopes: ["-|p", "-|"] },
  ],
  [
    "a constant as the namespace",
    "javascript",
    `const NS = "x";\nconst { t } = useTranslation(NS); t("«a»")`,
    { scopes: ["x|"] },
  ],
  ["an imported namespace", "javascript", `const { t } = useTranslation(NS); t("«a»")`, { scopes: ["?|"] }],
  [
    "a prefix that is not shown",
    "javascript",
    `const { t } = useTranslation("x", { keyPrefix }); t("«a»")`,
    { scopes: ["?|"] },
  ],
  [
    "the option ns",
    "javascript",
    `const { t } = useTranslation("x"); t("«a»", { ns: "y" })`,
    { scopes: ["y|"] },
  ],
  [
    "an import's alias",
    "javascript",
    `import { t as translate } from "i18next"; translate("«a»")`,
    { scopes: ["-|"] },
  ],
  [
    "a copy",
    "javascript",
    `const { t } = useTranslation("x"); const tr = t; tr("«a»"); const g = i18n.t; g("«b»")`,
    { scopes: ["x|", "-|"] },
  ],
  ["a member of something unknown", "javascript", `props.t("«a»"); foo().t("«b»")`, { scopes: ["?|", "?|"] }],
  [
    "i18n.global",
    "typescript",
    `i18n.global.t("«a»"); this.$i18n.t("«b»"); this.$t("«c»")`,
    { scopes: ["-|", "-|", "-|"] },
  ],
  ["across lines", "javascript", `i18n\n  .t("«a»")`, { scopes: ["-|"] }],
  [
    "a parameter",
    "javascript",
    `const { t } = useTranslation("x"); const f = (t) => t("«a»"); function g({ t }) { t("«b»") } t("«c»")`,
    { scopes: ["?|", "?|", "x|"] },
  ],
  [
    "another hook of the user's",
    "javascript",
    `const { t } = useMyTranslations("x"); t("«a»")`,
    { scopes: ["?|"] },
  ],
  [
    "an argument that is passed on hides nothing",
    "javascript",
    `const { t } = useTranslation("x"); helper(t, y); t("«a»")`,
    { scopes: ["x|"] },
  ],
  [
    "next-intl",
    "typescript",
    `const t = await getTranslations({ locale, namespace: "P" }); t.rich("«a»", {}); t.has("«b»")`,
    { scopes: ["-|P", "-|P"] },
  ],
];

describe.each([
  ["literals", literals],
  ["assertions", assertions],
  ["branches", branches],
  ["what is no code", noCode],
  ["JSX", jsx],
  ["scopes", scopes],
])("%s", (_, cases) => {
  for (const given of cases) test(given[0], () => check(given));
});

test("reads both branches in a template at the same range", () => {
  const text = 't(`a.${x ? "b" : "c"}`)';
  const uses = find("javascript", text);
  expect(uses.map((use) => use.expression)).toEqual([
    { kind: "static", key: "a.b" },
    { kind: "static", key: "a.c" },
  ]);
  expect(uses.map((use) => text.slice(use.keySpan.start, use.keySpan.end))).toEqual([
    'a.${x ? "b" : "c"}',
    'a.${x ? "b" : "c"}',
  ]);
});

describe("call options", () => {
  const only = (text: string) => {
    const uses = find("typescript", text);
    expect(uses).toHaveLength(1);
    return uses[0];
  };

  test("include a count, also in shorthand", () => {
    expect(only(`t("a", { count: 3 })`)?.plural).toBe(true);
    expect(only(`t("a", { count })`)?.plural).toBe(true);
    expect(only(`t("a", items.length)`)?.plural).toBe(true);
    expect(only(`t("a", { counter: 3 })`)?.plural).toBe(false);
  });

  test("include static, conditional and dynamic contexts", () => {
    expect(only(`t("a", { context: "male" })`)?.context).toBe("male");
    expect(
      find("typescript", `t("a", { context: x ? "male" : "female" })`).map((use) => use.context),
    ).toEqual(["male", "female"]);
    const hidden = only(`t("a", { context: gender })`);
    expect([hidden?.context, hidden?.dynamicContext]).toEqual([null, true]);
    expect(only(`t("a", { context: undefined })`)?.dynamicContext).toBeUndefined();
  });

  test("include a default text", () => {
    expect(only(`t("a", "Hello")`)?.defaultText).toBe("Hello");
    expect(only(`t("a", { defaultValue: "Hello" })`)?.defaultText).toBe("Hello");
    expect(only(`t("a", "Hello", { count: 1 })`)).toMatchObject({ defaultText: "Hello", plural: true });
    expect(only(`t("a", x)`)?.defaultText).toBeNull();
  });

  test("include range and name of the call", () => {
    const text = `x = i18n.global.t("a", { b: "(" }) + 1`;
    const use = only(text);
    expect(use?.callee).toBe("i18n.global.t");
    expect(text.slice(use?.callSpan.start, use?.callSpan.end)).toBe(`i18n.global.t("a", { b: "(" })`);
    const code =
      't . rich("a"); t?.raw("b"); i18n.t!("c"); t\n.rich ("d"); y = i18n.t`e` + 1; b.c.d.e.t("f"); f().t("g")';
    const uses = find("typescript", code);
    expect(uses.map(({ callee }) => callee)).toEqual([
      "t.rich",
      "t.raw",
      "i18n.t",
      "t.rich",
      "i18n.t",
      "b.c.d.e.t",
      "t",
    ]);
    expect(uses.map(({ callSpan }) => code.slice(callSpan.start, callSpan.end))).toEqual([
      't . rich("a")',
      't?.raw("b")',
      'i18n.t!("c")',
      't\n.rich ("d")',
      "i18n.t`e`",
      'b.c.d.e.t("f")',
      't("g")',
    ]);
  });
});

test("searches all namespaces of hooks with nsMode fallback", () => {
  const code = `const { t } = useTranslation(["x", "y"]); t("a"); withTranslation(["x", "y"])(B); function B({ t }) { t("b") }`;
  const found = (nsMode?: "fallback") =>
    find("typescript", code, { ...options(["i18next"]), ...(nsMode && { nsMode }) }).map(
      (use) => use.namespaces,
    );
  expect(found()).toEqual([["x"], ["x"]]);
  expect(found("fallback")).toEqual([
    ["x", "y"],
    ["x", "y"],
  ]);
});

test("searches all namespaces of a hook in Vue", () => {
  const code = `<script setup>const { t } = useTranslation(["x", "y"]);</script><template>{{ t("a") }}</template>`;
  expect(find("vue", code, options(["i18next"])).map((use) => use.namespaces)).toEqual([["x", "y"]]);
});

test("resolves namespaces like i18next", async () => {
  const i18n = i18next.createInstance();
  const resources = { en: { x: { a: "A" }, y: { a: "not this", b: "B" }, z: { c: "C" } } };
  await i18n.init({ lng: "en", resources });
  const t = i18n.getFixedT(null, ["x", "y"]);
  expect([t("a"), t("b"), t("c")]).toEqual(["A", "B", "c"]);
  const names = createKeyNames(
    ["x|a", "y|a", "y|b", "z|c"].map((hash) => {
      const [namespace = "", key = ""] = hash.split("|");
      return { hash, namespace, key, context: null };
    }),
  );
  const uses = find("typescript", `const t = i18n.getFixedT(null, ["x", "y"]); t("a"); t("b"); t("c")`);
  const frameworks = new Set(["i18next"] as const);
  expect(uses.map((use) => resolveKey(use, names, { frameworks }))).toMatchObject([
    { kind: "known", key: { hash: "x|a" } },
    { kind: "known", key: { hash: "y|b" } },
    { kind: "unknown" },
  ]);
});

test("reads quoted members of a selector", () => {
  const [use] = find("typescript", `t($ => $.a["b"].c)`, options(["i18next"]));
  expect(use).toMatchObject({ expression: { kind: "static", key: "a.b.c" } });
});
