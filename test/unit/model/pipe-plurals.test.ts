/** Plural forms separated by pipes. frameworks/laravel-plurals.test.ts compares with Laravel itself. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { laravelPipes } from "../../../src/frameworks/laravel.ts";
import { vueI18nPipes } from "../../../src/frameworks/vue-i18n.ts";
import { fillCategories, joinPipes } from "../../../src/model/pipe-plurals.ts";
import { propertyRuns } from "../support/full-run.ts";

/** The categories of as many parts in vue-i18n. */
function vueCategories(locale: string, count: number): readonly string[] | null {
  const forms = vueI18nPipes.forms(
    locale,
    Array.from({ length: count }, () => "x"),
  );
  return forms && Object.keys(forms);
}

describe("parts of vue-i18n", () => {
  test("follow the order of the locale's categories", () => {
    expect(vueCategories("pl", 3)).toEqual(["one", "few", "many"]);
    expect(vueCategories("cs", 3)).toEqual(["one", "few", "other"]);
    expect(vueCategories("ar", 6)).toEqual(["zero", "one", "two", "few", "many", "other"]);
    expect(vueCategories("en", 3)).toEqual(["zero", "one", "other"]);
  });

  test("get distinct names if there are fewer or more than categories", () => {
    expect(vueCategories("pl", 2)).toEqual(["one", "other"]);
    expect(vueCategories("pl", 1)).toEqual(["other"]);
    expect(vueCategories("en", 7)).toBeNull();
  });

  test("round-trip with forms", () => {
    const locale = fc.constantFrom("en", "fr", "pl", "ru", "cs", "ar", "ja", "sl", "lt", "cy", "de_informal");
    fc.assert(
      fc.property(locale, fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (name, parts) => {
        const forms = vueI18nPipes.forms(name, parts);
        expect(forms === null ? null : vueI18nPipes.parts(name, forms)).toEqual(parts);
      }),
      propertyRuns(100),
    );
  });
});

describe("parts of Laravel", () => {
  test("use `other` for a missing category", () => {
    expect(laravelPipes.parts("pl", { one: "1", few: "2", other: "3" })).toEqual(["1", "2", "3"]);
    expect(laravelPipes.parts("ar", { zero: "0", one: "1", other: "x" })).toEqual([
      "0",
      "1",
      "x",
      "x",
      "x",
      "x",
    ]);
    expect(laravelPipes.parts("ru", { one: "1", other: "x" })).toEqual(["1", "x", "x"]);
  });

  test("use the previous or first category without `other`", () => {
    expect(fillCategories(["one", "few", "many"], { one: "a", few: "b" })).toEqual(["a", "b", "b"]);
    expect(fillCategories(["zero", "one", "two", "few"], { one: "a", few: "b" })).toEqual([
      "a",
      "a",
      "a",
      "b",
    ]);
  });

  test("do not exist if a form would be lost", () => {
    expect(laravelPipes.parts("en", { one: "1", few: "2", other: "3" })).toBeNull();
    expect(laravelPipes.parts("en", { "=0": "none", other: "x" })).toBeNull();
    expect(laravelPipes.parts("en", {})).toBeNull();
  });
});

describe("pipes", () => {
  test("separate parts, and joining restores the value", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("|", " ", "a", "\n", "||")), fc.boolean(), (pieces, isVue) => {
        const value = pieces.join("");
        const { parts, separators } = (isVue ? vueI18nPipes : laravelPipes).split(value);
        expect(parts.length).toBe(value.split("|").length);
        expect(joinPipes(parts, separators, "?")).toBe(value);
      }),
      propertyRuns(100),
    );
  });

  test("include whitespace in the separator only if trimmed", () => {
    expect(laravelPipes.split("a | b").parts).toEqual(["a ", " b"]);
    expect(vueI18nPipes.split("a | b")).toEqual({ parts: ["a", "b"], separators: [" | "] });
  });

  test.each<readonly [value: string, parts: readonly string[]]>([
    ["{'|'} = pipe", ["{'|'} = pipe"]],
    ["a { 'x | y' } | b", ["a { 'x | y' }", "b"]],
    [String.raw`apples \| oranges | more`, [String.raw`apples \| oranges`, "more"]],
    [String.raw`{'it\'s | x'}|b`, [String.raw`{'it\'s | x'}`, "b"]],
    ["a |  | b", ["a", "", "b"]],
    ["{'open | b", ["{'open", "b"]],
  ])("are not in literals or escaped in vue-i18n: %s", (value, parts) => {
    expect(vueI18nPipes.split(value).parts).toEqual(parts);
    expect(laravelPipes.split(value).parts).toEqual(value.split("|"));
  });

  test.each(["{0} none|{1} one", "a|[1,19] some", "[20,*] x|y", "{ 1 } x|y", "]0,1[ x|y", "[-1,*] x"])(
    "recognise %s as a choice by number",
    (value) => {
      expect(laravelPipes.hasRanges(value)).toBe(true);
    },
  );

  test.each(["apple|apples", "{count} a|{count} b", ":n [x]|y", "a {0}|b", "[a|b]"])(
    "do not recognise %s as one",
    (value) => {
      expect(laravelPipes.hasRanges(value)).toBe(false);
    },
  );
});
