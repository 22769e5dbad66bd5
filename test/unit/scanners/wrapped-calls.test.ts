/** Functions of a file that complete keys, and their calls in the same file. */
import { describe, expect, test } from "vitest";
import { expectLinearTime } from "../support/linear-time.ts";
import { check, find, options, type Case } from "./marked.ts";

const cases: readonly Case[] = [
  [
    "an arrow function that adds a prefix",
    "typescript",
    'const tr = (key: string) => t(`errors.${key}`);\ntr("«login»"); tr(code); tr(ok ? "«a»" : "«b.c»"); tr("")',
    { patterns: ["errors.*"], scopes: ["-|errors", "-|errors", "-|errors"] },
  ],
  [
    "a function declaration, and a concatenation",
    "javascript",
    `function tr(lang, key) { return i18n.t("errors." + key, { lng: lang }); }\ntr("nl", "«login»"); other.tr("nl", "x")`,
    { patterns: ["errors.*"], scopes: ["-|errors"] },
  ],
  [
    "a translator with namespace and prefix",
    "typescript",
    'const { t } = useTranslation("shop", { keyPrefix: "cart" });\nconst tr = useCallback((key: Key): string => t(`items.${key}` as const), [t]);\ntr("«a»")',
    { frameworks: ["i18next"], patterns: ["items.*"], scopes: ["shop|cart.items"] },
  ],
  [
    "methods and fields of a class",
    "typescript",
    'class A { private _t = (key: string) => this.$t(`a.${key}`);\n  name(key: string): string { return this.$t("b." + key); }\n  render() { return this._t("«x»") + this.name("«y»") + name("z") + that.name("z"); } }',
    { patterns: ["a.*", "b.*"], scopes: ["-|a", "-|b"] },
  ],
  [
    "a suffix, or a prefix without a separator, is part of the key",
    "typescript",
    'const label = (key) => t(`${key}.label`);\nconst error = (code) => t("error_" + code);\nlabel("«name»"); error("«404»")',
    { keys: ["name.label", "error_404"], patterns: ["*.label", "error_*"] },
  ],
  [
    "a function that is remembered, and called where there is one",
    "typescript",
    'const tr = React.useCallback(function (key) { return t("a." + key) }, []); tr(); tr(...xs); tr?.("«x»"); tr ("«y»"); o.tr("no"); tr2("no")',
    { patterns: ["a.*"], scopes: ["-|a", "-|a"] },
  ],
  [
    "texts before and behind a name",
    "typescript",
    'const a = (key) => t("a." + key + ".b"); const b = (key) => t(key + ".c"); a("«x»"); b("«y»")',
    { keys: ["a.x.b", "y.c"], patterns: ["a.*.b", "*.c"] },
  ],
  [
    "a function that is called like a known one",
    "typescript",
    'const t = (key) => i18n.t("home." + key);\nt("«title»")',
    { patterns: ["home.*"], scopes: ["-|home"] },
  ],
  [
    "a template of a Vue component",
    "vue",
    `<script setup>const { t } = useI18n(); const tr = (key) => t("home." + key);</script><template><p :title="tr('«a»')">{{ tr('«b»') }}</p></template>`,
    { frameworks: ["vue-i18n"], patterns: ["home.*"], scopes: ["-|home", "-|home"] },
  ],
  [
    "a parameter without parentheses, and a function that is kept",
    "typescript",
    'const a = key => t("a." + key); const b = memoize((key) => t("b." + key)); a("«x»"); b("«y»")',
    { patterns: ["a.*", "b.*"], scopes: ["-|a", "-|b"] },
  ],
  [
    "no argument whose place is not known",
    "typescript",
    'const tr = (lang, key) => t("a." + key); tr("nl", "«x»"); tr(...xs, "y"); tr(lang, ...xs)',
    { patterns: ["a.*"], scopes: ["-|a"] },
  ],
  [
    "no other functions",
    "typescript",
    'const f = (x) => t(`a.${y}`); f("1");\nconst g = ({ key }) => t(`a.${key}`); g("2");\nfunction h(key) { key = key.trim(); } h("3");\nconst tr = (key) => t(`a.${key}`); { const tr = (k) => k; tr("4"); }\nif (key) { t(`a.${key}`) }',
    { patterns: ["a.*", "a.*", "a.*", "a.*"] },
  ],
];

describe("calls of a file's own functions that complete keys", () => {
  test.each(cases.map((each) => ({ title: each[0], each })))("$title", ({ each }) => check(each));

  test("keys must exist only where the function does nothing else", () => {
    const code = (body: string): string => `function tr(key) { ${body} }\ntr("a")`;
    const isOptional = (body: string): boolean =>
      find("javascript", code(body)).find(({ expression }) => expression.kind === "static")?.isUncertain ===
      true;
    expect(isOptional('return t("p." + key)')).toBe(false);
    expect(isOptional('return t("p." + key) as string')).toBe(false);
    expect(isOptional('return x || t("p." + key)')).toBe(true);
    expect(isOptional('return t("p." + key); return key')).toBe(true);
    expect(isOptional('return t("p." + key) || key')).toBe(true);
    expect(isOptional('if (key) return t("p." + key); return null')).toBe(true);
    expect(isOptional('show(t("p." + key))')).toBe(true);
    expect(isOptional('key ||= "b"; return t("p." + key)')).toBe(true);
  });

  test.each([
    "{ count }",
    "{ count, ordinal: true }",
    '{ context: "male" }',
    "{ context: sex, count }",
    "options",
    "{}",
  ])("give what the function gives to its own call: %s", (given) => {
    const searched = options(["i18next"]);
    const usagesIn = (code: string) =>
      find("typescript", code, searched).map(
        ({ expression, context, dynamicContext, plural, ordinal, openOptions }) => ({
          expression,
          context,
          dynamicContext,
          plural,
          ordinal,
          openOptions,
        }),
      );
    const direct = usagesIn(`t("login", ${given});`);
    const called = usagesIn(
      `const tr = (key, count, sex, options) => t("errors." + key, ${given});\ntr("login", 1);`,
    );
    expect(direct).toHaveLength(1);
    expect(called.filter(({ expression }) => expression.kind === "static")).toEqual(direct);
  });

  test("begin with the object", () => {
    const code = 'class A { f(key) { return this.$t("b." + key); } g() { return this.f("y"); } }';
    const { start, end } = find("typescript", code).at(-1)?.callSpan ?? { start: 0, end: 0 };
    expect(code.slice(start, end)).toBe('this.f("y")');
  });

  test("the project's separator decides what a prefix is", () => {
    const code = 'const tr = (key) => t("p." + key); tr("a")';
    const long = find("javascript", code.replace(".", "::"), { ...options(), keySeparator: "::" });
    expect(long.at(-1)).toMatchObject({ expression: { kind: "static", key: "a" }, keyPrefix: "p" });
    const given = { ...options(), keySeparator: false as const };
    expect(find("javascript", code, given).at(-1)).toMatchObject({
      expression: { kind: "static", key: "p.a" },
      keyPrefix: "",
      hasValues: true,
    });
  });

  test("takes linear time", () => {
    const code = 'const tr# = (key) => t("a." + key); tr#("x");';
    const text = (lines: number): string =>
      Array.from({ length: lines }, (_, index) => code.replaceAll("#", String(index))).join("\n");
    expectLinearTime((lines) => find("typescript", text(lines)), 4_000);
  });
});

test("the keys of a function have the prefixes of its body, with the project's separator", () => {
  const code = `const { t } = useTranslation("ns", { keyPrefix: "p" }); var tr = (key) => t("a/" + key); tr("b"); class A { say(key) { return t("c/" + key) } f() { this.say("d") } }`;
  const found = find("typescript", code, { ...options(["i18next"]), keySeparator: "/" });
  expect(
    found.flatMap(({ expression, callee, keyPrefix }) =>
      expression.kind === "static" ? [[callee, keyPrefix, expression.key]] : [],
    ),
  ).toEqual([
    ["tr", "p/a", "b"],
    ["this.say", "p/c", "d"],
  ]);
});

test("a function that completes keys is found behind many other calls", () => {
  const calls = Array.from({ length: 80 }, (_, index) => `t("a.${index}"); t("b." + x);`).join("\n");
  const code = `${calls}\nconst tr = (key) => t("c." + key); tr("d")`;
  expect(find("typescript", code).at(-1)).toMatchObject({
    expression: { kind: "static", key: "d" },
    keyPrefix: "c",
  });
});
