/** How the texts of each framework contain values, and in which namespaces calls without one are. */
import { expect, test } from "vitest";
import type { Framework } from "../../../src/frameworks/framework.ts";
import { supportedFrameworks, type FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";
import { findPlaceholders } from "../../../src/model/placeholders.ts";

/** Quotes hide `{a}` in ICU messages, and `{c}` where tags are syntax, too. */
const BRACES = "'{a}' {b} '<i>{c}</i>'";
const OTHERS = ":d {{e}} %k% %s %(g)s";

test.each<[names: string, values: string]>([
  ["gettext django jinja wordpress", "%s %(g)s"],
  ["laravel", ":d"],
  ["symfony", "{{e}} %k%"],
  ["i18next ngx-translate transloco", "{{e}}"],
  ["vue-i18n", "{a} {b} {c}"],
  ["craft svelte-i18n messageformat", "{b} {c}"],
  ["next-intl formatjs lingui", "{b}"],
])("the values in texts of %s", (names, values) => {
  for (const name of names.split(" ") as FrameworkName[]) {
    const family = supportedFrameworks.get(name)?.placeholders ?? "braces";
    const text = values.startsWith("{") && !values.startsWith("{{") ? BRACES : OTHERS;
    expect(
      findPlaceholders(family, text).map((found) => found.text),
      name,
    ).toEqual(values.split(" "));
  }
});

const named = (has: (framework: Framework) => unknown): readonly FrameworkName[] =>
  [...supportedFrameworks].flatMap(([name, framework]) => (has(framework) ? [name] : []));

test("which frameworks have a default namespace, any, groups, plural parts and delimiters of the project", () => {
  expect(named(({ keys }) => keys.hasDefaultNamespace)).toEqual(["symfony", "i18next"]);
  expect(named(({ keys }) => keys.usesAnyDomain)).toEqual(["gettext", "ngx-translate", "lingui"]);
  expect(named(({ keys }) => keys.hasGroups && keys.prefersGroups)).toEqual(["laravel"]);
  expect(named(({ keys }) => keys.isUsual)).toEqual(["laravel", "i18next"]);
  expect(named(({ keys }) => keys.separator === ":")).toEqual(["i18next"]);
  expect(named(({ pipes }) => pipes)).toEqual(["laravel", "vue-i18n"]);
  expect(named(({ hasOwnDelimiters }) => hasOwnDelimiters)).toEqual(["i18next", "transloco"]);
});

test("whose keys are texts, names or paths", () => {
  expect(named(({ keys }) => keys.kind === "text")).toEqual([
    "gettext",
    "django",
    "jinja",
    "wordpress",
    "lingui",
  ]);
  expect(named(({ keys }) => keys.kind === "name")).toEqual(["laravel", "craft", "symfony"]);
});
