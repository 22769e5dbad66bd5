/**
 * Translation functions that are not called by a plain name: immediately, as fields, in render functions, as
 * selectors.
 */
import { describe, expect, test } from "vitest";
import { check, find, options, type Case } from "./marked.ts";

const cases: readonly Case[] = [
  [
    "calls as bundlers write them",
    "javascript",
    `(0,a.__)("«x»","d"); Object(u._n)("«y»","ys",2,"d"); (0, i.other)("z"); Object(t("«k»"))`,
    { frameworks: ["wordpress", "i18next"], scopes: ["d|", "d|", "-|"] },
  ],
  [
    "no function of the project that belongs to an object",
    "javascript",
    `(0, a.text)("no"); (0, a.__)("«x»"); own.text("«y»")`,
    { frameworks: ["wordpress"], functions: [{ name: "own.text", key: 0 }], keys: ["x", "y"] },
  ],
  [
    "calls as older bundlers write them",
    "javascript",
    `(0, __)("«a»", "d"); Object(i18n__WEBPACK_IMPORTED_MODULE_7__["__"])("«b»", "d"); Object(x['y'])("c")`,
    { frameworks: ["wordpress"], scopes: ["d|", "d|"] },
  ],
  [
    "a call of a name with a sign, as older bundlers write it",
    "javascript",
    `Object(i18n["$_"])("«a»")`,
    { frameworks: ["svelte-i18n"] },
  ],
  [
    "a component with several children",
    "javascript",
    `jsxs(T.Trans, { i18nKey: "«a»", children: ["b", c] }); jsxs(Other, {}, Trans, { i18nKey: "no" }); h(Trans, { i18nKey: "no"`,
  ],
  [
    "components in render functions",
    "typescript",
    `h(Trans, ); h(I18nT, { keypath: "«a»", tag: "p" }, []); createElement(FormattedMessage, { id: "«b»", defaultMessage: "B" }); (0,r.jsx)(Trans,{i18nKey:"«c»"}); h(Other, { keypath: "d" }); h(I18nT)`,
    { defaults: [null, "B", null] },
  ],
  [
    "a field of a class",
    "typescript",
    `class A { private readonly t = getI18n(); f() { return this.t("«a»") } }\nclass B { f() { return this.t("«b»") } }`,
    { scopes: ["-|", "?|"] },
  ],
  [
    "a parameter with vue-i18n's type",
    "typescript",
    `const f = (t: ReturnType<typeof getI18n>) => t("«a»"); function g(tr?: ComposerTranslation) { tr("«b»") } const h = (t: X) => t("«c»")`,
    { scopes: ["-|", "-|", "?|"] },
  ],
  [
    "translators out of Promise.all, by their places",
    "typescript",
    `const [t, x, tr] = await Promise.all([getT("one"), load(), getTranslations("two")]); t("«a»"); tr("«b»"); x("c")`,
    { scopes: ["one|", "-|two"] },
  ],
  [
    "a hook in another list is none",
    "typescript",
    `const [a, t] = [1, useTranslations("x")]; t("«k»")`,
    { scopes: ["?|"] },
  ],
  [
    "a selector with an index",
    "typescript",
    `t(($) => $.«login["Welcome Back!"]»)`,
    { keys: ["login.Welcome Back!"] },
  ],
  ["a selector with a computed index", "typescript", `t(($) => $.a.b[x])`, { patterns: ["a.b.*"] }],
  ["a selector with a fallback", "typescript", `t($ => $.«a» ?? $.«b.c»)`],
  ["a selector reckons with nothing", "typescript", `t(($) => $.a - 2)`, { patterns: ["*"] }],
  [
    "a function that runs something is no selector",
    "typescript",
    `t(($) => $.a.map(f))`,
    { patterns: ["*"] },
  ],
];

describe("indirect calls", () => {
  for (const given of cases) test(given[0], () => check(given));
});

test("returns the range of a call as bundlers write it", () => {
  const text = `x=(0,a.__)("y","d")`;
  const [use] = find("javascript", text, options(["wordpress"]));
  expect(use?.callee).toBe("__");
  expect(text.slice(use?.callSpan.start, use?.callSpan.end)).toBe(`(0,a.__)("y","d")`);
});
