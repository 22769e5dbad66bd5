/** Data of each language beside translation files: names of languages and countries, and formats. */
import { expect, test } from "vitest";
import { formats } from "../../../../src/formats/supported-formats.ts";
import { detectApps } from "../../../../src/workspace/file-layout/detect-layouts.ts";

const layouts = async (files: Readonly<Record<string, object>>): Promise<readonly string[]> => {
  const texts = new Map(Object.entries(files).map(([path, json]) => [path, JSON.stringify(json)]));
  const bytes = async (path: string): Promise<Uint8Array> => new TextEncoder().encode(texts.get(path));
  const found = await detectApps([...texts.keys()].sort(), bytes, formats);
  return [...found.values()].flatMap((entries) => entries.map(({ path }) => path)).sort();
};

const LANGUAGES = { de: "German", en: "English", fr: "French", nl: "Dutch", pt_BR: "Portuguese (Brazil)" };
const COUNTRIES = { AF: "Afghanistan", AX: "Åland Islands", BE: "Belgium", DE: "Germany", NL: "Netherlands" };
const FORMATS = {
  L: "DD/MM/YYYY",
  LT: "HH:mm",
  decimal: ",",
  thousand: ".",
  currency: "EUR",
  pattern: "% d",
};
const TEXTS = {
  save: "Save",
  cancel: "Cancel",
  cart: { title: "Your cart", empty: "Nothing here" },
  ok: "OK",
};

test.each([
  ["names of languages in a folder of each language", { "locales/en_US/locales.json": LANGUAGES }],
  ["names of countries", { "public/intl/country/en-US.json": COUNTRIES }],
  [
    "names with their own language",
    {
      "i18n/countries/en.json": {
        locale: "en",
        countries: {
          ...COUNTRIES,
          IE: "Ireland",
          ES: "Spain",
          IT: "Italy",
          LU: "Luxembourg",
          PT: "Portugal",
        },
      },
    },
  ],
  [
    "regions by number",
    {
      "locales/regions/en.json": {
        "001": "World",
        "002": "Africa",
        "009": "Oceania",
        "019": "Americas",
        "419": "Latin America",
      },
    },
  ],
  ["formats of dates and numbers", { "locales/formats/en.json": FORMATS }],
  [
    "formats with a name among them",
    {
      "locales/formats/en.json": {
        ...FORMATS,
        LL: "DD/MM",
        LTS: "HH:mm:ss",
        minus: "-",
        plus: "+",
        name: "English",
      },
    },
  ],
])("leaves out %s", async (_, files) => {
  const nl = Object.fromEntries(
    Object.entries(files).map(([path, json]) => [path.replace(/en(?:[-_]US)?/u, "nl"), json]),
  );
  expect(await layouts({ ...files, ...nl })).toEqual([]);
  const texts = { "lang/en.json": TEXTS, "lang/nl.json": TEXTS };
  expect(await layouts({ ...files, ...nl, ...texts })).toEqual(["lang/{locale}.json"]);
});

test.each([
  [
    "names as a namespace among others",
    { "locales/en/countries.json": COUNTRIES, "locales/en/texts.json": TEXTS },
    "locales/{locale}/{namespace}.json",
  ],
  [
    "texts with names of languages among them",
    { "locales/en.json": { languages: LANGUAGES, ...TEXTS } },
    "locales/{locale}.json",
  ],
  [
    "a few keys that are also languages",
    { "locales/en.json": { is: "is", no: "No", to: "To" } },
    "locales/{locale}.json",
  ],
  [
    "texts in a script without case",
    { "locales/ja.json": { save: "保存", open: "開く", a: "月", b: "日", c: "年" } },
    "locales/{locale}.json",
  ],
  [
    "texts that are not translated yet",
    { "locales/en.json": { a: "", b: "", c: "", d: "", e: "" } },
    "locales/{locale}.json",
  ],
  [
    "texts of which only a short one is translated yet",
    { "locales/en.json": { a: "", b: "", c: "", d: "", e: "", f: "OK" } },
    "locales/{locale}.json",
  ],
])("keeps %s", async (_, files, layout) => {
  expect(await layouts(files)).toEqual([layout]);
});
