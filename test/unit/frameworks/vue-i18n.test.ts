/** Links and plural parts of vue-i18n. */
import { describe, expect, test } from "vitest";
import { vueI18n, vueI18nPipes } from "../../../src/frameworks/vue-i18n.ts";
import { neededCategories } from "../../../src/model/plural-categories.ts";

test.each<readonly [text: string, keys: readonly string[]]>([
  ["Press @:menu.open now", ["menu.open"]],
  ["@.upper:menu.open | @.lower:a", ["menu.open", "a"]],
  ["@:{'a b'} and @:{ 'it' }", ["a b", "it"]],
  ["@:(menu.open)s", ["menu.open"]],
  // The full stop is part of the key, unless there is no such key.
  ["Press @:menu.open.", ["menu.open.", "menu.open"]],
  ["(@:menu.open), @:menu.close?!", ["menu.open", "menu.close?!", "menu.close"]],
  ["@:{'a.'} @:(a.)", ["a.", "a."]],
  ["“@:menu.a…” «@:b»", ["menu.a…”", "menu.a", "b»", "b"]],
  // A modifier may be the project's own.
  ["@.snakeCase:menu.open", ["menu.open"]],
  // Punctuation alone is no shorter key.
  ["@:...", ["..."]],
  ["me@example.com, @name, @:{name}", []],
])("finds the links in %s", (text, keys) => {
  const found = vueI18n.links?.find(text, {}) ?? [];
  expect(found.map(({ key }) => key)).toEqual(keys);
  expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(keys);
});

test.each<readonly [text: string, key: string, canWrite: boolean]>([
  ["See @:a", "b.c", true],
  ["See @:a", "b c", false],
  ["See @:a", "b|c", false],
  ["See @:a", "b@c", false],
  ["See @:a", "b{c", false],
  ["See @:a", "b)c", false],
  ["See @:a", "it's", true],
  ["See @:{'a'}", "b c", true],
  ["See @:{'a'}", "b|{c}@", true],
  ["See @:{'a'}", "it's", false],
  ["See @:{'a'}", String.raw`b\c`, false],
  ["See @:{'a'}", "b\nc", false],
])("in %j the link can refer to %j: %s", (text, key, canWrite) => {
  const [link] = vueI18n.links?.find(text, {}) ?? [];
  expect(link && vueI18n.links?.canWrite(key, link, text)).toBe(canWrite);
});

/** The part that vue-i18n shows, unless the project has a rule of its own (`pluralDefault` of @intlify/core-base). */
function shownPart(number: number, count: number): number {
  const choice = Math.abs(number);
  if (count === 2) return choice ? (choice > 1 ? 1 : 0) : 1;
  return choice ? Math.min(choice, 2) : 0;
}

describe("plural parts", () => {
  test.each([
    ["en", ["car", "cars"]],
    ["en", ["no cars", "one car", "cars"]],
    ["nl", ["geen", "een", "meer"]],
    ["de", ["eins", "mehr"]],
  ])("in %s each number has the form of the part that vue-i18n shows: %j", (locale, parts) => {
    const forms = vueI18nPipes.forms(locale, parts) ?? {};
    for (const number of [0, 1, 2, 3, 11, 100]) {
      const category = number === 0 && "zero" in forms ? "zero" : number === 1 ? "one" : "other";
      expect(forms[category], `${number}`).toBe(parts[shownPart(number, parts.length)]);
    }
  });

  test("may have one for zero before those of the language, as in the documentation of Russian", () => {
    const parts = ["0 машин", "{n} машина", "{n} машины", "{n} машин"];
    expect(vueI18nPipes.forms("ru", parts)).toEqual({
      zero: "0 машин",
      one: "{n} машина",
      few: "{n} машины",
      many: "{n} машин",
    });
    expect(vueI18nPipes.forms("ja", ["0", "n"])).toEqual({ one: "0", other: "n" });
    expect(vueI18nPipes.forms("ja", ["n"])).toEqual({ other: "n" });
  });

  test.each(["en", "fr", "lv", "ar", "cy", "ja", "ru", "pl", "sl", "lt", "mt", "ga", "he", "pt-BR"])(
    "in %s no two parts are one category, and each number of parts has its own",
    (locale) => {
      for (let count = 1; count <= 8; count++) {
        const parts = Array.from({ length: count }, (_, index) => `part ${index}`);
        const forms = vueI18nPipes.forms(locale, parts);
        if (forms === null) expect(count).toBeGreaterThan(6);
        else expect([Object.values(forms), vueI18nPipes.parts(locale, forms)]).toEqual([parts, parts]);
      }
    },
  );

  test("of Latvian and Arabic, which have a zero, have no second one", () => {
    expect(neededCategories("lv")).toContain("zero");
    expect(Object.keys(vueI18nPipes.forms("lv", ["a", "b", "c"]) ?? {})).toEqual(["zero", "one", "other"]);
    expect(Object.keys(vueI18nPipes.forms("lv", ["a", "b", "c", "d"]) ?? {})).toEqual([
      "zero",
      "one",
      "two",
      "other",
    ]);
    expect(vueI18nPipes.forms("ar", ["a", "b", "c", "d", "e", "f", "g"])).toBeNull();
  });

  test("are written without a form that equals the other one, and never lose one", () => {
    const write = (locale: string, forms: Record<string, string>) => vueI18nPipes.parts(locale, forms);
    expect(write("fr", { one: "a", many: "b", other: "b" })).toEqual(["a", "b"]);
    expect(write("fr", { zero: "z", one: "a", many: "b", other: "b" })).toEqual(["z", "a", "b"]);
    expect(write("fr", { one: "a", many: "m", other: "b" })).toBeNull();
    expect(write("en", { one: "a", few: "f", other: "b" })).toBeNull();
    expect(write("en", { "=0": "z", one: "a", other: "b" })).toBeNull();
    expect(write("en", { one: "a" })).toEqual(["a", "a"]);
    expect(write("ru", { one: "a", other: "b" })).toEqual(["a", "b"]);
    expect(write("en", { zero: "z", other: "b" })).toEqual(["z", "b", "b"]);
  });
});
