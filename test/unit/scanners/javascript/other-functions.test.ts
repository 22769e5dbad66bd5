/** Functions with the name of a translation function that translate nothing. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { find, options } from "../marked.ts";

const keys = (text: string, frameworks: readonly FrameworkName[] = []): readonly string[] =>
  find("javascript", text, options(frameworks)).map(({ expression }) =>
    expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`,
  );

test.each([
  ["a library", "/*! Plot */\n(function ($) { var t = $.identity; t(axis.max); })(jQuery);"],
  ["a minified library", '!function(){"use strict";t(a,b)}();'],
  ["a library with another sign", "-function () { _(a); $t(b); }();"],
  ["a library with strict mode", '"use strict";\n(() => { this.t = k.c.t(e); })();'],
])("leaves out calls of %s", (_, text) => {
  expect(keys(text)).toEqual([]);
});

test.each([
  ["a script that translates", '(function () { t("a.b"); t(label); })();', ["a.b", "*"]],
  ["another function", "(function () { i18next.translate; i18n.t('a'); $.i18n.t(x); })();", ["a", "*"]],
  ["a module", 'import x from "y";\nexport const f = ({ t }) => t(label);', ["*"]],
  ["another function than the one that translates", "(function () { this.t('a'); $.t(x); })();", ["a"]],
  ["a script with an end of keys", "(function () { t(x + '.a'); t(y); })();", ["*.a", "*"]],
  [
    "a script of a function that says what it does",
    "(function () { intl.t(x); i18n.t(x); lang.t(x); locale.t(x); this.translate.t(y); })();",
    ["*", "*", "*", "*", "*"],
  ],
  ["a script with a built key", "(function () { t('a.' + x); t(y); })();", ["a.*", "*"]],
])("keeps those of %s", (_, text, expected) => {
  expect(keys(text)).toEqual(expected);
});

test("leaves out a call of gettext's short name in a library", () => {
  expect(keys("(function () { _(a); })();", ["gettext"])).toEqual([]);
  expect(keys("(function () { _(a); _('b'); })();", ["gettext"])).toEqual(["*", "b"]);
});

test("an object is no key", () => {
  expect(keys('const _ = JSON.stringify; _({ agree: [] }); t({ a: 1 }); t("a");')).toEqual(["a"]);
});
