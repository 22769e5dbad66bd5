/** Custom translation functions of the project file. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import { find, options } from "./marked.ts";

test("reads key, namespace, context and count of a configured function", () => {
  const own = options([], [{ name: "translate", key: 1, namespace: 0, context: 2, plural: 3 }]);
  const uses = find("typescript", `translate("shop", "a.b", "verb"); translate(x, "c", undefined, 3)`, own);
  expect(uses).toMatchObject([
    { expression: { key: "a.b" }, namespaces: ["shop"], context: "verb", plural: false },
    { expression: { key: "c" }, namespaces: "unknown", context: null, plural: true },
  ]);
});

test("reads the members of an object after a prefix", () => {
  const own = options([], [{ name: "defineTexts", key: 1, prefix: 0 }]);
  const text = `defineTexts("page", { title: "Title", "sub-title": text, ...x, [y]: "Z" } as const); defineTexts(prefix, { a: "A" }); defineTexts("x", texts)`;
  const uses = find("typescript", text, own);
  expect(uses).toMatchObject([
    { expression: { key: "title" }, keyPrefix: "page", defaultText: "Title", hasValues: true },
    { expression: { key: "sub-title" }, keyPrefix: "page", defaultText: null },
    { expression: { key: "a" }, keyPrefix: "", namespaces: "unknown" },
  ]);
  const keys = uses.map(({ keySpan }) => text.slice(keySpan.start, keySpan.end));
  expect(keys).toEqual(["title", "sub-title", "a"]);
});

test("reads the namespace of an object after a prefix, which may be missing", () => {
  const own = options([], [{ name: "defineTexts", key: 0, prefix: 1, namespace: 2 }]);
  const uses = find("typescript", `defineTexts({ a: "A" }, "page", "shop"); defineTexts({ b: "B" })`, own);
  expect(uses).toMatchObject([
    { expression: { key: "a" }, keyPrefix: "page", namespaces: ["shop"] },
    { expression: { key: "b" }, keyPrefix: "", namespaces: "unknown" },
  ]);
});

test("says of a function that was recognised by its calls that it was, and whether it takes other texts", () => {
  const own = options(
    [],
    [
      { name: "tr", key: 0, isLearned: true },
      { name: "say", key: 0, isLearned: true, takesOthers: true },
      { name: "own", key: 0 },
    ],
  );
  const uses = find("typescript", `tr("a"); say("b"); own("c")`, own);
  expect(uses.map(({ isLearned, isUncertain }) => [isLearned, isUncertain])).toEqual([
    [true, undefined],
    [true, true],
    [undefined, undefined],
  ]);
});

test("finds a qualified name only as such", () => {
  const own = options([], [{ name: "globalize.translate", key: 0 }]);
  const uses = find(
    "javascript",
    `globalize.translate("a"); window.globalize.translate("b"); other.translate("c"); translate("d")`,
    own,
  );
  expect(uses.map((use) => use.expression)).toEqual([
    { kind: "static", key: "a" },
    { kind: "static", key: "b" },
  ]);
});

test("finds a function of an object whose name begins as that of the function does", () => {
  const own = options(
    [],
    [
      { name: "translator.translate", key: 0 },
      { name: "tr.tr", key: 0 },
    ],
  );
  const text = `tr.tr("a"); other.tr("no"); tr("no"); translator.translate("b"); translate("no")`;
  expect(find("javascript", text, own).map(({ expression }) => expression)).toEqual(
    ["a", "b"].map((key) => ({ kind: "static", key })),
  );
});

test("finds PHP methods and custom directives", () => {
  const own = options(
    [],
    [
      { name: "Text::of", key: 0 },
      { name: "$this->tr", key: 0 },
      { name: "@tr", key: 0 },
    ],
  );
  const text = `<?php Text::of('a'); \\App\\Text::of('b'); Other::of('c'); $this->tr('d'); $x->tr('e');`;
  expect(find("php", text, own).map((use) => use.expression)).toEqual(
    ["a", "b", "d"].map((key) => ({ kind: "static", key })),
  );
  expect(find("blade", `@tr('f') {{ $this->tr('g') }}`, own).map((use) => use.expression)).toEqual(
    ["f", "g"].map((key) => ({ kind: "static", key })),
  );
});

test("treats `t` in scripts as translator unless only servers translate", () => {
  const count = (...frameworks: Parameters<typeof options>[0] & {}) =>
    find("javascript", `t("a")`, options(frameworks)).length;
  expect([count(), count("gettext"), count("django", "gettext", "i18next")]).toEqual([1, 1, 1]);
  expect([count("wordpress"), count("django", "gettext"), count("jinja", "gettext")]).toEqual([0, 0, 0]);
});

test("finds configured gettext functions in each language", () => {
  const own = options(["gettext"], [{ name: "tn", namespace: 0, context: 1, key: 2, plural: 4 }]);
  const call = `tn("shop", "menu", "a", "as", 2)`;
  for (const [language, text] of [
    ["python", call],
    ["php", `<?php ${call};`],
    ["javascript", call],
    ["jinja", `{{ ${call} }}`],
  ] as const) {
    expect(find(language, text, own)).toMatchObject([
      { expression: { key: "a" }, namespaces: ["shop"], context: "menu", plural: true },
    ]);
  }
});

test("finds a framework's functions only in its projects", () => {
  const text = `$_("a"); intl.formatMessage({ id: "b", defaultMessage: "B" }); __("c", "shop")`;
  expect(find("javascript", text, options(["i18next"]))).toEqual([]);
  expect(find("javascript", text, options(["svelte-i18n"]))).toMatchObject([{ expression: { key: "a" } }]);
  expect(find("javascript", text, options(["formatjs"]))).toMatchObject([
    { expression: { key: "b" }, defaultText: "B" },
  ]);
  expect(find("javascript", text, options(["wordpress"]))).toMatchObject([
    { expression: { key: "c" }, namespaces: ["shop"] },
  ]);
});

test("finds a custom function as a template's tag", () => {
  const own = options(["gettext"], [{ name: "i18n", key: 0 }]);
  const uses = find("javascript", "i18n`a ${b}`; i18n`c`; gettext`d`", own);
  expect(uses.map((use) => use.expression)).toEqual([
    { kind: "pattern", prefix: "a ", suffix: "" },
    { kind: "static", key: "c" },
  ]);
});

test("finds the names of gettext that Babel extracts", () => {
  const text = "ungettext('a', 'b', 2); ugettext('c'); N_('d')";
  for (const language of ["javascript", "python"]) {
    expect(find(language, text, options(["gettext"])).map((use) => use.expression)).toEqual(
      ["a", "c", "d"].map((key) => ({ kind: "static", key })),
    );
  }
});

test("reads the options that a function without other positions may pass on", () => {
  const own = options(["i18next"], [{ name: "say", key: 0 }]);
  const text = `say("a", { count: 2 }); say("b", options); say("c", "Text"); say("d")`;
  expect(find("typescript", text, own)).toMatchObject([
    { expression: { key: "a" }, plural: true },
    { expression: { key: "b" }, openOptions: true },
    { expression: { key: "c" }, defaultText: null },
    { expression: { key: "d" }, plural: false },
  ]);
});

test("finds the functions of gettext's packages for Vue", () => {
  const text = `<template><p :title="$ngettext('a', 'as', n)">{{ $gettext('b') }}</p></template>
<script>export default { methods: { f() { return this.$pgettext('menu', 'c') + this.$npgettext('menu', 'd', 'ds', 2) } } }</script>`;
  const uses = find("vue", text, options(["gettext"]));
  expect(uses.map(({ expression, context, plural }) => [expression, context, plural])).toEqual([
    [{ kind: "static", key: "a" }, null, true],
    [{ kind: "static", key: "b" }, null, false],
    [{ kind: "static", key: "c" }, "menu", false],
    [{ kind: "static", key: "d" }, "menu", true],
  ]);
});

test("the default text of one message is not that of the next ones", () => {
  const code = `defineMessages({ a: { id: "a", defaultMessage: "A" }, b: { id: "b" }, c: { id: "c", defaultMessage: x } })`;
  const found = find("javascript", code, options(["formatjs"]));
  expect(found.map(({ expression, defaultText }) => [expression, defaultText])).toEqual([
    [{ kind: "static", key: "a" }, "A"],
    [{ kind: "static", key: "b" }, null],
    [{ kind: "static", key: "c" }, null],
  ]);
});

test("a text is no key where it is calculated or its description is not known, and an id is one", () => {
  const described = (code: string, framework: FrameworkName) =>
    find("javascript", code, options([framework])).map(({ expression, isMessage, context }) => {
      return [expression.kind === "static" ? expression.key : "*", isMessage === true, context];
    });
  const code =
    'defineMessage({ defaultMessage: "A", description: "" }); defineMessage({ defaultMessage: `b ${x}` }); defineMessage({ defaultMessage: "C", description: x }); defineMessage({ defaultMessage: "D", description: "d" })';
  expect(described(code, "formatjs")).toEqual([
    ["A", true, null],
    ["D", true, "d"],
  ]);
  const extracted = 'const t = useExtracted(); t({ id: "a", message: "A" }); t({ message: "B" }); t("C")';
  expect(described(extracted, "next-intl")).toEqual([
    ["a", false, null],
    ["B", true, null],
    ["C", true, null],
  ]);
});

test("a call may be for one of several domains", () => {
  const wordpress = { ...options(["wordpress"]), domains: new Set(["shop"]) };
  const code = `__("a", x ? "shop" : "other"); __("b", "other"); __("c", "shop")`;
  expect(find("javascript", code, wordpress)).toMatchObject([
    { expression: { key: "a" } },
    { expression: { key: "c" } },
  ]);
});
