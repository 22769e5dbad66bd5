/** Links of vue-i18n. */
import { expect, test } from "vitest";
import { vueI18n } from "../../../src/frameworks/vue-i18n.ts";

test.each<readonly [text: string, keys: readonly string[]]>([
  ["Press @:menu.open now", ["menu.open"]],
  ["@.upper:menu.open | @.lower:a", ["menu.open", "a"]],
  ["@:{'a b'} and @:{ 'it' }", ["a b", "it"]],
  ["@:(menu.open)s", ["menu.open"]],
  // The full stop is part of the key, unless there is no such key.
  ["Press @:menu.open.", ["menu.open.", "menu.open"]],
  ["me@example.com, @name, @:{name}", []],
])("finds the links in %s", (text, keys) => {
  const found = vueI18n.links?.find(text, {}) ?? [];
  expect(found.map(({ key }) => key)).toEqual(keys);
  expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(keys);
});
