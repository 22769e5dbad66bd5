/** Plural keys as i18next itself selects them, from files that were read and written. */
import { createInstance } from "i18next";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { suffixesOf } from "../../../../src/formats/object-tree/tree-plurals.ts";
import { pluralCategories } from "../../../../src/model/plural-categories.ts";
import { isForms } from "../../../../src/model/translation-text.ts";

const COUNTS = [
  ...Array.from({ length: 26 }, (_, count) => count),
  100,
  101,
  1_000,
  1_000_000,
  0.5,
  1.5,
  2.1,
];

const LOCALES = [
  ...["en", "nl", "de", "fr", "es", "pt", "pt-BR", "it", "sv", "tr", "he", "hi", "fa", "is", "mk", "da"],
  ...["ru", "uk", "be", "pl", "cs", "sk", "hr", "sr", "bs", "sl", "lt", "lv", "ro", "mt", "ga", "gd", "cy"],
  ...["ar", "ja", "ko", "zh", "zh-TW", "vi", "th", "id", "ka", "eu", "br", "kw", "gv"],
];

function formsFor(locale: string): Record<string, string> {
  return Object.fromEntries(pluralCategories(locale).map((category) => [category, `${category} {{count}}`]));
}

async function i18nextOf(
  locale: string,
  file: string,
  options = {},
): Promise<ReturnType<typeof createInstance>> {
  const instance = createInstance();
  const resources = { [locale]: { translation: JSON.parse(file) as Record<string, string> } };
  await instance.init({ lng: locale, fallbackLng: false, resources, ...options });
  return instance;
}

describe("i18next's JSON v4", () => {
  test.each(LOCALES)("%s", async (locale) => {
    const options = { locale, sourceLocale: "en", isPlural: (key: string) => key.startsWith("item") };
    const forms = formsFor(locale);
    const entries = ["item", "item_male", "deep.item"].map((key) => ({
      key,
      context: null,
      text: { forms },
    }));
    const printed = jsonJs.print(entries.slice(0, 2), options);
    const added = { key: "item.deep", context: null, text: { forms } };
    const { text: file, refused } = applyEdit(jsonJs, printed, [added], options);
    expect(refused).toEqual([]);
    expect(jsonJs.read(file, options).entries.map(({ key, text }) => [key, text])).toEqual([
      ["item", { forms }],
      ["item_male", { forms }],
      ["item.deep", { forms }],
    ]);
    const { t } = await i18nextOf(locale, file);
    const rules = new Intl.PluralRules(locale);
    for (const count of COUNTS) {
      const wanted = forms[rules.select(count)]?.replace("{{count}}", String(count));
      expect(t("item", { count })).toBe(wanted);
      expect(t("item", { count, context: "male" })).toBe(wanted);
      expect(t("item.deep", { count })).toBe(wanted);
    }
  });

  test("reads a zero form in a language without that category", async () => {
    const forms = { zero: "none", one: "one", other: "many" };
    const options = { locale: "en", sourceLocale: "en" };
    const file = jsonJs.print([{ key: "item", context: null, text: { forms } }], options);
    const { t } = await i18nextOf("en", file);
    expect([0, 1, 2].map((count) => t("item", { count }))).toEqual(["none", "one", "many"]);
    expect(jsonJs.read(file, options).entries[0]?.text).toEqual({ forms });
  });

  test("nests names below those of plural keys, which no text has, and none below a text", () => {
    const example = { text: '{"x_one":"1","x_other":"2","g":{"k":"v"}}', bom: false, locale: "en" };
    const options = { locale: "en", sourceLocale: "en", examples: [example] };
    const forms = { one: "1", other: "n" };
    const texts = { item: { forms }, "item.title": { value: "T" }, a: { value: "A" }, "a.b": { value: "B" } };
    const entries = Object.entries(texts).map(([key, text]) => ({ key, context: null, text }));
    expect(JSON.parse(jsonJs.print(entries, options))).toEqual({
      item_one: "1",
      item_other: "n",
      item: { title: "T" },
      a: "A",
      "a.b": "B",
    });
  });

  test("reads flat names", async () => {
    const options = { locale: "pl", sourceLocale: "en" };
    const file =
      '{\n  "a.item_one": "1",\n  "a.item_few": "2",\n  "a.item_many": "5",\n  "a.item_other": "0.5"\n}\n';
    const [entry] = jsonJs.read(file, options).entries;
    const { t } = await i18nextOf("pl", file, { keySeparator: false });
    for (const count of COUNTS) {
      const category = new Intl.PluralRules("pl").select(count);
      expect(t("a.item", { count })).toBe(entry && isForms(entry.text) ? entry.text.forms[category] : "");
    }
  });
});

/** Which of its forms i18next took for a whole number before v4, in gettext's rules for the language. */
type Rule = (n: number) => number;
const one: Rule = (n) => (n === 1 ? 0 : 1);
const slavic: Rule = (n) => {
  if (n % 10 === 1 && n % 100 !== 11) return 0;
  return n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2;
};
const polish: Rule = (n) => (n === 1 ? 0 : slavic(n) === 0 ? 2 : slavic(n));
const czech: Rule = (n) => (n === 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2);
const arabic: Rule = (n) => {
  if (n < 3) return n;
  return n % 100 >= 3 && n % 100 <= 10 ? 3 : n % 100 >= 11 ? 4 : 5;
};
const slovenian: Rule = (n) => {
  const last = n % 100;
  return last === 1 ? 1 : last === 2 ? 2 : last === 3 || last === 4 ? 3 : 0;
};
const romanian: Rule = (n) => (n === 1 ? 0 : n === 0 || (n % 100 > 0 && n % 100 < 20) ? 1 : 2);
const lithuanian: Rule = (n) => {
  if (n % 10 === 1 && n % 100 !== 11) return 0;
  return n % 10 >= 2 && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2;
};

/** Beside each rule the members' names, in the order of its results. */
const V3: readonly (readonly [string, Rule, readonly string[]])[] = [
  ["en", one, ["item", "item_plural"]],
  ["nl", one, ["item", "item_plural"]],
  ["de", one, ["item", "item_plural"]],
  ["fr", (n) => (n >= 2 ? 1 : 0), ["item", "item_plural"]],
  ["pt-BR", (n) => (n > 1 ? 1 : 0), ["item", "item_plural"]],
  ["ja", () => 0, ["item_0"]],
  ["ru", slavic, ["item_0", "item_1", "item_2"]],
  ["uk", slavic, ["item_0", "item_1", "item_2"]],
  ["hr", slavic, ["item_0", "item_1", "item_2"]],
  ["sr", slavic, ["item_0", "item_1", "item_2"]],
  ["pl", polish, ["item_0", "item_1", "item_2"]],
  ["cs", czech, ["item_0", "item_1", "item_2"]],
  ["sk", czech, ["item_0", "item_1", "item_2"]],
  ["ro", romanian, ["item_0", "item_1", "item_2"]],
  ["lt", lithuanian, ["item_0", "item_1", "item_2"]],
  ["ar", arabic, ["item_0", "item_1", "item_2", "item_3", "item_4", "item_5"]],
  ["sl", slovenian, ["item_0", "item_1", "item_2", "item_3"]],
];

describe("i18next's JSON v3", () => {
  test.each(V3)("%s", (locale, rule, names) => {
    const options = {
      locale,
      sourceLocale: "en",
      isPlural: (key: string) => key === "item" || key === "new",
    };
    const file = JSON.stringify(
      Object.fromEntries(names.map((name) => [name, `${name} {{count}}`])),
      null,
      2,
    );
    const [entry, ...others] = jsonJs.read(file, options).entries;
    expect(others).toEqual([]);
    expect(entry?.key).toBe("item");
    const forms = entry && isForms(entry.text) ? entry.text.forms : {};
    const rules = new Intl.PluralRules(locale);
    for (let count = 0; count <= 300; count++) {
      expect(forms[rules.select(count)]).toBe(`${names[rule(count)] ?? ""} {{count}}`);
    }
    // A new key is written likewise.
    const { text: after, refused } = applyEdit(
      jsonJs,
      file,
      [{ key: "new", context: null, text: { forms } }],
      options,
    );
    expect(refused).toEqual([]);
    const written = JSON.parse(after) as Record<string, string>;
    expect(Object.keys(written).slice(names.length)).toEqual(
      names.map((name) => name.replace("item", "new")),
    );
    for (const name of names) expect(written[name.replace("item", "new")]).toBe(written[name]);
  });
});

/** i18next's sets of languages (`addons/pluralresolver`), by how many numbered names each has; 0: others than categories. */
const NUMBERED: readonly (readonly [count: number, languages: string])[] = [
  [1, "ay bo cgg fa ht id ja jbo ka km ko ky lo ms sah su th tt ug vi wo zh"],
  [2, "jv or"],
  [3, "be bs cnr hr ru sr uk cs sk csb pl lt lv mnk ro"],
  [4, "gd mt sl he iw"],
  [5, "ga"],
  [6, "ar"],
  [0, "cy kw dz"],
];

test("i18next's JSON v3 numbers the forms of these languages, of all others it has two names", () => {
  for (const [count, languages] of NUMBERED) {
    for (const language of languages.split(" ")) {
      const numbers = Array.from({ length: count }, (_, index) => `_${index}`);
      expect([language, ...suffixesOf("v3", language).values()]).toEqual([language, ...numbers]);
    }
  }
  for (const language of "af am bn ca da el eo et eu fi fil is it mk pt sv tr uz".split(" "))
    expect([...suffixesOf("v3", language).values()]).toEqual(["", "_plural"]);
});
