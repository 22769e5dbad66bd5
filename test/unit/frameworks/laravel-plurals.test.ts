/** Laravel's plural parts, compared with its `MessageSelector` for the numbers from 0 to 210 in all of its languages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { laravelPipes } from "../../../src/frameworks/laravel.ts";
import { categoryForNumber, neededCategories } from "../../../src/model/plural-categories.ts";

/** Categories of the locale that Laravel never shows. */
function categoriesWithoutPart(locale: string): readonly string[] {
  const shown = laravelPipes.shownCategories(locale);
  return neededCategories(locale).filter((category) => !shown.includes(category));
}

const vectors = join(import.meta.dirname, "../../fixtures/vectors/laravel-plural-index.json");
/** By language: for each number from 0 on, the index of the part that Laravel shows. */
const { index: languages } = JSON.parse(readFileSync(vectors, "utf8")) as { index: Record<string, string> };

/**
 * Numbers with another category than all others of their part: Laravel has no part of their own for them. In Filipino, its second
 * part has numbers of `one` and of `other`.
 */
const OTHER_PART = new Map([
  ["is", /^\d*1$/],
  ["mk", /^\d*11$/],
  ["lv", /0$|1\d$/],
  ["mt", /^(2|102|202)$/],
  ["fil", /./],
]);

describe.each(Object.entries(languages))("%s", (locale, indexes) => {
  const shown = laravelPipes.shownCategories(locale);
  const part = (number: number): number => Number(indexes[number]);

  test("has as many parts as Laravel distinguishes", () => {
    expect(shown).toHaveLength(Math.max(...Array.from(indexes, Number)) + 1);
  });

  test("shows each number the form of its category, or `other` if Laravel has no part for it", () => {
    const needed = neededCategories(locale);
    const forms = Object.fromEntries([...new Set([...needed, "other"])].map((name) => [name, name]));
    const parts = laravelPipes.parts(locale, forms);
    const hidden = categoriesWithoutPart(locale);
    for (let number = 0; number < indexes.length; number++) {
      const category = categoryForNumber(locale, number);
      if (OTHER_PART.get(locale)?.test(String(number)) === true) continue;
      if (needed.length === 1) continue;
      // In CLDR 0 is `one` in other languages than in Laravel.
      if (number === 0 && (category === "one" || part(0) === 0)) continue;
      expect(parts?.[part(number)], String(number)).toBe(hidden.includes(category) ? "other" : category);
    }
  });

  test("shows each number `other` in place of a form that is missing, and no text is lost", () => {
    const needed = neededCategories(locale);
    const others = needed.filter((name) => name !== "other");
    for (const missing of others) {
      const given = [...others.filter((name) => name !== missing), "other"];
      const parts = laravelPipes.parts(locale, Object.fromEntries(given.map((name) => [name, name])));
      const hidden = categoriesWithoutPart(locale);
      for (let number = 0; number < indexes.length; number++) {
        const category = categoryForNumber(locale, number);
        if (OTHER_PART.get(locale)?.test(String(number)) === true) continue;
        if (number === 0 && (category === "one" || part(0) === 0)) continue;
        const expected = hidden.includes(category) || category === missing ? "other" : category;
        expect(parts?.[part(number)], `${number} without ${missing}`).toBe(expected);
      }
    }
  });

  test("reads its own parts back", () => {
    const forms = Object.fromEntries(shown.map((name) => [name, `text of ${name}`]));
    const parts = laravelPipes.parts(locale, forms);
    expect(parts).toHaveLength(shown.length);
    expect(laravelPipes.forms(locale, parts ?? [])).toEqual(forms);
  });
});

describe("hidden categories", () => {
  test.each([
    ["tr", ["one"]],
    ["he", ["two"]],
    ["ga", ["few", "many"]],
    ["cy", ["zero", "few", "many"]],
    ["mt", ["two"]],
    ["fr", []],
    ["pt_BR", []],
    ["ar", []],
  ])("of %s are %j", (locale, categories) => {
    expect(categoriesWithoutPart(locale)).toEqual(categories);
  });
});

describe("surplus and missing parts", () => {
  const read = (locale: string, value: string) => laravelPipes.forms(locale, value.split("|"));

  test("of each category are read as meant, though Laravel never shows them", () => {
    expect(read("tr", "elma|elmalar")).toEqual({ one: "elma", other: "elmalar" });
    expect(read("he", "1|2|n")).toEqual({ one: "1", two: "2", other: "n" });
    expect(read("fr", "1|m|n")).toEqual({ one: "1", many: "m", other: "n" });
  });

  test("are left out otherwise: Laravel shows the first ones", () => {
    expect(read("en", "a|b|c")).toEqual({ one: "a", other: "b" });
    expect(read("zh", "a|b")).toEqual({ other: "a" });
    expect(read("pl", "a|b")).toEqual({ one: "a", few: "b" });
    expect(read("pl", "a")).toEqual({ other: "a" });
  });

  test("are written for what Laravel shows", () => {
    const write = (locale: string, forms: Record<string, string>) => laravelPipes.parts(locale, forms);
    expect(write("tr", { one: "elma", other: "elmalar" })).toEqual(["elmalar"]);
    expect(write("he", { one: "1", two: "2", other: "n" })).toEqual(["1", "n"]);
    expect(write("fr", { one: "1", many: "m", other: "n" })).toEqual(["1", "n"]);
    expect(write("cs", { one: "1", few: "2", many: "1,5", other: "5" })).toEqual(["1", "2", "5"]);
    expect(write("pl", { one: "1", few: "2", many: "5", other: "1,5" })).toEqual(["1", "2", "5"]);
    expect(write("cy", { zero: "0", one: "1", two: "2", few: "3", many: "6", other: "n" })).toEqual([
      "1",
      "2",
      "n",
      "n",
    ]);
    expect(write("pl", { one: "a", few: "b" })).toEqual(["a", "b"]);
    // The only form is read as that of all numbers, and written so.
    expect(write("en", { one: "a" })).toEqual(["a", "a"]);
    expect(write("ru", { one: "a" })).toEqual(["a", "a", "a"]);
    // Never shown, but all that there is.
    expect(write("tr", { one: "elma" })).toEqual(["elma"]);
  });
});
