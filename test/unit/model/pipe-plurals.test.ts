/** Parts of one value as plural forms, in the number and order that the locale has categories. */
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

  test("take the locale's categories in their order", () => {
    expect(categoriesForPartCount("pl", 3)).toEqual(["one", "few", "many"]);
    expect(categoriesForPartCount("cs", 3)).toEqual(["one", "few", "other"]);
    expect(categoriesForPartCount("ar", 6)).toEqual(["zero", "one", "two", "few", "many", "other"]);
    expect(categoriesForPartCount("fr", 3)).toEqual(["one", "many", "other"]);
  });

  test("fewer or more parts than the locale has still have a name each", () => {
    expect(categoriesForPartCount("pl", 2)).toEqual(["one", "other"]);
    expect(categoriesForPartCount("pl", 1)).toEqual(["other"]);
    expect(categoriesForPartCount("en", 3)).toEqual(["zero", "one", "other"]);
    expect(categoriesForPartCount("en", 7)).toBeNull();
  });

  test("forms and parts are each other's way back", () => {
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

  test("a category that is missing takes the text of `other`", () => {
    expect(formsToParts("pl", { one: "1", few: "2", other: "3" })).toEqual(["1", "2", "3"]);
    expect(formsToParts("ar", { zero: "0", one: "1", other: "x" })).toEqual(["0", "1", "x"]);
    expect(formsToParts("ru", { one: "1", other: "x" })).toEqual(["1", "x"]);
  });

  test("or, without that, of the nearest one before it, or of the first", () => {
    expect(fillCategories(["one", "few", "many"], { one: "a", few: "b" })).toEqual(["a", "b", "b"]);
    expect(fillCategories(["zero", "one", "two", "few"], { one: "a", few: "b" })).toEqual([
      "a",
      "a",
      "a",
      "b",
    ]);
  });

  test("no text is dropped: what has no place has no parts", () => {
    expect(formsToParts("en", { one: "1", few: "2", other: "3" })).toBeNull();
    expect(formsToParts("en", { "=0": "none", other: "x" })).toBeNull();
    expect(formsToParts("en", {})).toBeNull();
  });
});

describe("pipes", () => {
  test("every one separates, and joining gives the value back", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("|", " ", "a", "\n", "||")), fc.boolean(), (pieces, trim) => {
        const value = pieces.join("");
        const { parts, separators } = splitPipes(value, trim);
        expect(parts.length).toBe(value.split("|").length);
        expect(joinPipes(parts, separators, "?")).toBe(value);
      }),
    );
  });

  test("white space around belongs to the separator only where it is trimmed", () => {
    expect(splitPipes("a | b", false).parts).toEqual(["a ", " b"]);
    expect(splitPipes("a | b", true)).toEqual({ parts: ["a", "b"], separators: [" | "] });
  });

  test.each(["{0} none|{1} one", "a|[1,19] some", "[20,*] x|y", "{ 1 } x|y", "]0,1[ x|y", "[-1,*] x"])(
    "%s is a choice by number",
    (value) => {
      expect(hasRanges(value)).toBe(true);
    },
  );

  test.each(["apple|apples", "{count} a|{count} b", ":n [x]|y", "a {0}|b", "[a|b]"])("%s is not", (value) => {
    expect(hasRanges(value)).toBe(false);
  });
});
