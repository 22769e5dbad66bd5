/** Plural forms separated by pipes, in the order of the locale's categories. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  categoriesForPartCount,
  fillCategories,
  partsToForms,
  hasRanges,
  joinPipes,
  formsToParts,
  pluralPartCount,
  splitPipes,
} from "../../../src/model/pipe-plurals.ts";

describe("parts", () => {
  test.each([
    ["en", 2],
    ["fr", 2],
    ["pt-BR", 2],
    ["es", 2],
    ["cs", 3],
    ["pl", 3],
    ["ru", 3],
    ["sl", 4],
    ["ar", 6],
    ["ja", 1],
    ["pt_BR", 2],
  ])("%s has %d of everyday size", (locale, count) => {
    expect(pluralPartCount(locale)).toBe(count);
  });

  test("follow the order of the locale's categories", () => {
    expect(categoriesForPartCount("pl", 3)).toEqual(["one", "few", "many"]);
    expect(categoriesForPartCount("cs", 3)).toEqual(["one", "few", "other"]);
    expect(categoriesForPartCount("ar", 6)).toEqual(["zero", "one", "two", "few", "many", "other"]);
    expect(categoriesForPartCount("fr", 3)).toEqual(["one", "many", "other"]);
  });

  test("get distinct names if there are fewer or more than categories", () => {
    expect(categoriesForPartCount("pl", 2)).toEqual(["one", "other"]);
    expect(categoriesForPartCount("pl", 1)).toEqual(["other"]);
    expect(categoriesForPartCount("en", 3)).toEqual(["zero", "one", "other"]);
    expect(categoriesForPartCount("en", 7)).toBeNull();
  });

  test("round-trip with forms", () => {
    const locale = fc.constantFrom(
      "en",
      "fr",
      "pl",
      "ru",
      "cs",
      "ar",
      "ja",
      "sl",
      "lt",
      "cy",
      "de_informal",
      "xx",
    );
    fc.assert(
      fc.property(locale, fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (name, parts) => {
        const forms = partsToForms(name, parts);
        expect(forms === null ? null : formsToParts(name, forms)).toEqual(parts);
      }),
    );
  });

  test("use `other` for a missing category", () => {
    expect(formsToParts("pl", { one: "1", few: "2", other: "3" })).toEqual(["1", "2", "3"]);
    expect(formsToParts("ar", { zero: "0", one: "1", other: "x" })).toEqual(["0", "1", "x"]);
    expect(formsToParts("ru", { one: "1", other: "x" })).toEqual(["1", "x"]);
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
    expect(formsToParts("en", { one: "1", few: "2", other: "3" })).toBeNull();
    expect(formsToParts("en", { "=0": "none", other: "x" })).toBeNull();
    expect(formsToParts("en", {})).toBeNull();
  });
});

describe("pipes", () => {
  test("separate parts, and joining restores the value", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("|", " ", "a", "\n", "||")), fc.boolean(), (pieces, trim) => {
        const value = pieces.join("");
        const { parts, separators } = splitPipes(value, trim);
        expect(parts.length).toBe(value.split("|").length);
        expect(joinPipes(parts, separators, "?")).toBe(value);
      }),
    );
  });

  test("include whitespace in the separator only if trimmed", () => {
    expect(splitPipes("a | b", false).parts).toEqual(["a ", " b"]);
    expect(splitPipes("a | b", true)).toEqual({ parts: ["a", "b"], separators: [" | "] });
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
