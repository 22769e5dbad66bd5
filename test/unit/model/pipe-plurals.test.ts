/** Plural forms separated by pipes. laravel-plurals.test.ts compares with Laravel itself. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fillCategories,
  partsToForms,
  hasRanges,
  joinPipes,
  formsToParts,
  splitPipes,
  vueCategoriesForPartCount,
} from "../../../src/model/pipe-plurals.ts";

describe("parts of vue-i18n", () => {
  test("follow the order of the locale's categories", () => {
    expect(vueCategoriesForPartCount("pl", 3)).toEqual(["one", "few", "many"]);
    expect(vueCategoriesForPartCount("cs", 3)).toEqual(["one", "few", "other"]);
    expect(vueCategoriesForPartCount("ar", 6)).toEqual(["zero", "one", "two", "few", "many", "other"]);
    expect(vueCategoriesForPartCount("en", 3)).toEqual(["zero", "one", "other"]);
  });

  test("get distinct names if there are fewer or more than categories", () => {
    expect(vueCategoriesForPartCount("pl", 2)).toEqual(["one", "other"]);
    expect(vueCategoriesForPartCount("pl", 1)).toEqual(["other"]);
    expect(vueCategoriesForPartCount("en", 7)).toBeNull();
  });

  test("round-trip with forms", () => {
    const locale = fc.constantFrom("en", "fr", "pl", "ru", "cs", "ar", "ja", "sl", "lt", "cy", "de_informal");
    fc.assert(
      fc.property(locale, fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (name, parts) => {
        const forms = partsToForms(name, parts, "vue");
        expect(forms === null ? null : formsToParts(name, forms, "vue")).toEqual(parts);
      }),
    );
  });
});

describe("parts of Laravel", () => {
  test("use `other` for a missing category", () => {
    expect(formsToParts("pl", { one: "1", few: "2", other: "3" }, "message-selector")).toEqual([
      "1",
      "2",
      "3",
    ]);
    expect(formsToParts("ar", { zero: "0", one: "1", other: "x" }, "message-selector")).toEqual([
      "0",
      "1",
      "x",
      "x",
      "x",
      "x",
    ]);
    expect(formsToParts("ru", { one: "1", other: "x" }, "message-selector")).toEqual(["1", "x", "x"]);
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
    expect(formsToParts("en", { one: "1", few: "2", other: "3" }, "message-selector")).toBeNull();
    expect(formsToParts("en", { "=0": "none", other: "x" }, "message-selector")).toBeNull();
    expect(formsToParts("en", {}, "message-selector")).toBeNull();
  });
});

describe("pipes", () => {
  test("separate parts, and joining restores the value", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("|", " ", "a", "\n", "||")), fc.boolean(), (pieces, isVue) => {
        const value = pieces.join("");
        const { parts, separators } = splitPipes(value, isVue ? "vue" : "message-selector");
        expect(parts.length).toBe(value.split("|").length);
        expect(joinPipes(parts, separators, "?")).toBe(value);
      }),
    );
  });

  test("include whitespace in the separator only if trimmed", () => {
    expect(splitPipes("a | b", "message-selector").parts).toEqual(["a ", " b"]);
    expect(splitPipes("a | b", "vue")).toEqual({ parts: ["a", "b"], separators: [" | "] });
  });

  test.each<readonly [value: string, parts: readonly string[]]>([
    ["{'|'} = pipe", ["{'|'} = pipe"]],
    ["a { 'x | y' } | b", ["a { 'x | y' }", "b"]],
    [String.raw`apples \| oranges | more`, [String.raw`apples \| oranges`, "more"]],
    [String.raw`{'it\'s | x'}|b`, [String.raw`{'it\'s | x'}`, "b"]],
    ["a |  | b", ["a", "", "b"]],
    ["{'open | b", ["{'open", "b"]],
  ])("are not in literals or escaped in vue-i18n: %s", (value, parts) => {
    expect(splitPipes(value, "vue").parts).toEqual(parts);
    expect(splitPipes(value, "message-selector").parts).toEqual(value.split("|"));
  });

  test.each(["{0} none|{1} one", "a|[1,19] some", "[20,*] x|y", "{ 1 } x|y", "]0,1[ x|y", "[-1,*] x"])(
    "recognise %s as a choice by number",
    (value) => {
      expect(hasRanges(value)).toBe(true);
    },
  );

  test.each(["apple|apples", "{count} a|{count} b", ":n [x]|y", "a {0}|b", "[a|b]"])(
    "do not recognise %s as one",
    (value) => {
      expect(hasRanges(value)).toBe(false);
    },
  );
});
