/** Properties of plural keys in every notation. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { ReadOptions } from "../../../../src/formats/format.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { vueI18nPipes } from "../../../../src/frameworks/vue-i18n.ts";
import { pluralCategories } from "../../../../src/model/plural-categories.ts";
import { PLURAL_CATEGORIES, type Forms, areTextsEqual } from "../../../../src/model/translation-text.ts";
import { propertyRuns } from "../../support/full-run.ts";

const LOCALES = ["en", "fr", "ru", "pl", "cs", "ar", "ja", "lv", "sl", "cy", "xx"];

const word = fc.constantFrom(
  "a",
  "# b",
  "{n}",
  "{{count}} c",
  "it's",
  "é",
  "",
  " ",
  "|",
  "{",
  "d\n",
  "'{'",
  "0",
);
const form = fc.array(word, { maxLength: 3 }).map((words) => words.join(""));

/** Forms of the locale's own categories, now and then of others. */
function formsOf(locale: string): fc.Arbitrary<Forms> {
  const own = fc.subarray([...pluralCategories(locale)], { minLength: 1 });
  const any = fc.subarray([...PLURAL_CATEGORIES], { minLength: 1 });
  return fc
    .oneof({ weight: 4, arbitrary: own }, any)
    .chain((names) =>
      fc
        .array(form, { minLength: names.length, maxLength: names.length })
        .map((texts) => Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]))),
    );
}

/** A file with two plural keys in one way, and texts around. */
const WAYS: Readonly<Record<string, (key: string, locale: string) => Record<string, string>>> = {
  v4: (key, locale) =>
    Object.fromEntries(pluralCategories(locale).map((category) => [`${key}_${category}`, category])),
  v3: (key) => ({ [key]: "{{count}} one", [`${key}_plural`]: "{{count}} other" }),
  numbers: (key) => ({
    [`${key}_0`]: "{{count}} a",
    [`${key}_1`]: "{{count}} b",
    [`${key}_2`]: "{{count}} c",
  }),
  pipes: (key) => ({ [key]: "x | y" }),
  three: (key) => ({ [key]: "x|y|z" }),
  icu: (key) => ({ [key]: "{n, plural, =0 {none} one {x} other {y}}" }),
  around: (key) => ({ [key]: "There {n, plural, one {is #} other {are #}} left." }),
  plain: (key) => ({ [key]: "x" }),
};

const isPlural = (key: string): boolean => key === "item" || key === "deep.item" || key === "new";
/** Where a way is at home; a file in another way is no file of plurals. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  v3: ["en", "fr", "nl", "xx"],
  numbers: ["ru", "pl", "cs", "lt"],
  three: ["en", "fr", "nl", "ru", "cs"],
};

function fileOf(way: string, locale: string): string {
  const make = WAYS[way] ?? (() => ({}));
  const object = { z: "Z", ...make("item", locale), m: "M", deep: { b: "B", ...make("item", locale) } };
  return `${JSON.stringify(object, null, 2)}\n`;
}

describe.each(Object.keys(WAYS))("%s", (way) => {
  const forms = fc
    .constantFrom(...(HOMES[way] ?? LOCALES))
    .chain((locale) => fc.tuple(fc.constant(locale), formsOf(locale)));

  test("round-trips forms, keeps others and restores bytes", () => {
    const key = fc.constantFrom("item", "deep.item", "new");
    fc.assert(
      fc.property(forms, key, ([locale, wanted], name) => {
        const options: ReadOptions = { locale, sourceLocale: "en", isPlural };
        const file = fileOf(way, locale);
        const before = new Map(jsonJs.read(file, options).entries.map((entry) => [entry.key, entry.text]));
        const change = { key: name, context: null, text: { forms: wanted } };
        const there = applyEdit(jsonJs, file, [change], options);
        expect(() => JSON.parse(there.text) as unknown).not.toThrow();
        const after = new Map(
          jsonJs.read(there.text, options).entries.map((entry) => [entry.key, entry.text]),
        );
        for (const [other, text] of before) if (other !== name) expect(after.get(other)).toEqual(text);
        if (there.refused.length > 0) {
          expect(there.text).toBe(file);
          return;
        }
        const now = after.get(name);
        const said = now !== undefined && "forms" in now ? now.forms : {};
        // A way of writing may know other categories; no words are lost, and none are made up.
        expect(new Set(Object.values(said))).toEqual(new Set(Object.values(wanted)));
        const old = before.get(name) ?? null;
        const back = applyEdit(jsonJs, there.text, [{ ...change, text: old }], options);
        expect(back.refused).toEqual([]);
        const same = jsonJs.read(back.text, options).entries.find((entry) => entry.key === name)?.text;
        if (old === null) expect(same).toBeUndefined();
        else expect(same !== undefined && areTextsEqual(same, old)).toBe(true);
        // Text around an ICU plural that the forms no longer shared has gone into them, and stays there; a plain
        // value has found its way of writing.
        if (way !== "around" && way !== "plain" && hasSameNames(old, wanted)) expect(back.text).toBe(file);
        if (old === null) expect(back.text).toBe(file);
      }),
      propertyRuns(150),
    );
  });
});

function hasSameNames(old: { readonly forms: Forms } | object | null, wanted: Forms): boolean {
  const names = old !== null && "forms" in old ? Object.keys(old.forms) : [];
  return names.length === Object.keys(wanted).length && names.every((name) => Object.hasOwn(wanted, name));
}

test("maps each part of a vue-i18n value to its own category in every language", () => {
  for (const locale of LOCALES) {
    for (let count = 1; count <= 6; count++) {
      const parts = Array.from({ length: count }, (_, index) => String(index));
      expect(Object.values(vueI18nPipes.forms(locale, parts) ?? {})).toEqual(parts);
    }
  }
});
