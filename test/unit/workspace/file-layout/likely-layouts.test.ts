/** Patterns of files that were not recognised, by the languages in their paths. */
import { expect, test } from "vitest";
import { formats } from "../../../../src/formats/supported-formats.ts";
import type { FormatName } from "../../../../src/model/file-formats.ts";
import {
  checkNamedLayout,
  likelyLayouts,
  localePattern,
} from "../../../../src/workspace/file-layout/likely-layouts.ts";

test.each([
  ["texts/strings_nl.json", "texts/strings_{locale}.json", "nl"],
  ["texts/strings_pt_BR.json", "texts/strings_{locale}.json", "pt_BR"],
  ["texts/nl-app.json", "texts/{locale}-app.json", "nl"],
  ["texts/pt-br-app.json", "texts/{locale}-app.json", "pt-br"],
  ["texts/zh-Hant-TW.json", "texts/{locale}.json", "zh-Hant-TW"],
  ["texts/it.strings.nl.json", "texts/it.strings.{locale}.json", "nl"],
  ["texts/nl.strings.json", "texts/{locale}.strings.json", "nl"],
  ["texts/de_informal.json", "texts/{locale}.json", "de_informal"],
  ["config/locales/nl.yml", "config/locales/{locale}.yml", "nl"],
  ["app/nl/messages.properties", "app/{locale}/{namespace}.properties", "nl"],
  ["it/de/messages.yml", "it/{locale}/{namespace}.yml", "de"],
])("%s", (path, pattern, locale) => {
  expect(localePattern(path)).toEqual({ pattern, locale });
});

test("without a language there is no pattern", () => {
  expect(localePattern("src/application.json")).toBeNull();
});

test("the supported pattern with most languages is first; those that are not supported are named", () => {
  const paths = [
    "texts/strings_en.json",
    "texts/strings_nl.json",
    "config/locales/en.yml",
    "config/locales/nl.yml",
    "config/locales/de.yml",
    "data/it.json",
    "node_modules/x/locales/en.json",
    "node_modules/x/locales/nl.json",
    "README.nl.md",
  ];
  expect(likelyLayouts(paths, 5)).toEqual([
    { pattern: "texts/strings_{locale}.json", format: "json_js", locales: ["en", "nl"], files: 2 },
    { pattern: "config/locales/{locale}.yml", format: null, locales: ["de", "en", "nl"], files: 3 },
  ]);
  expect(likelyLayouts(paths, 1)).toHaveLength(1);
  // A single language is likely where its folder is named for translations.
  expect(likelyLayouts(["config/locales/en.yml", "data/it.yml"], 5).map(({ pattern }) => pattern)).toEqual([
    "config/locales/{locale}.yml",
  ]);
});

test("the pattern with most languages is first, of equal ones by name", () => {
  const paths = ["b_en.json", "b_nl.json", "a_en.json", "a_nl.json", "c_en.json", "c_nl.json", "c_de.json"];
  paths.push(...["x", "y", "z"].map((name) => `d/en/${name}.json`), "d/nl/x.json");
  expect(likelyLayouts(paths, 5).map(({ pattern }) => pattern)).toEqual([
    "c_{locale}.json",
    "a_{locale}.json",
    "b_{locale}.json",
    "d/{locale}/{namespace}.json",
  ]);
});

const XLIFF_2 = `<?xml version="1.0"?><xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="nl">
  <file id="f"><unit id="u"><segment><source>Hello</source><target>Hallo</target></segment></unit></file></xliff>`;
const FILES: Readonly<Record<string, string>> = {
  "texts/strings_en.json": '{ "hello": "Hello" }',
  "texts/strings_nl.json": '{ "hello": "Hallo" }',
  "texts/empty_en.json": "[]",
  "src/messages.js": "export default { fr: { hello: 'Salut' }, en: { hello: 'Hello' } };",
  "src/texts.js": "export default { hello: 'Hello', fr: 'French' };",
  "src/only.js": "export default { en: { hello: 'Hello' } };",
  "app/nl/messages.xlf": XLIFF_2,
  "late/en.json": "{}",
  "late/en-GB.json": "",
  "late/nl.json": '{ "hello": "Hallo" }',
  "odd/en.lang": '{ "hello": "Hello" }',
  "all.csv": "key,nl,en\nhello,Hallo,Hello\n",
  "bad/en.json": "",
  "bad/nl.json": "",
  "parts/en/of.js": "export default { de: { hello: 'Hello' }, fr: { hello: 'Hello' } };",
};
/** A file that cannot be read. */
const UNREADABLE = "late/en-GB.json";

test.each<[path: string, format: FormatName, expected: object]>([
  ["texts/strings_{locale}.json", "json_js", { kind: "usable", files: 2, locales: ["en", "nl"] }],
  ["text/strings_{locale}.json", "json_js", { kind: "no-file" }],
  ["../texts/strings_{locale}.json", "json_js", { kind: "unsafe-path" }],
  ["texts\\strings_{locale}.json", "json_js", { kind: "unsafe-path" }],
  ["texts/strings_{language}.json", "json_js", { kind: "unknown-placeholder", placeholder: "{language}" }],
  ["texts/empty_{locale}.json", "json_js", { kind: "no-texts", sample: "texts/empty_en.json" }],
  ["src/messages.js", "js_module", { kind: "several-languages", locales: ["en", "fr"] }],
  ["src/texts.js", "js_module", { kind: "usable", files: 1, locales: [] }],
  ["src/only.js", "js_module", { kind: "usable", files: 1, locales: [] }],
  ["parts/{locale}/of.js", "js_module", { kind: "usable", files: 1, locales: ["en"] }],
  ["late/{locale}.json", "json_js", { kind: "usable", files: 3, locales: ["en", "en-GB", "nl"] }],
  ["all.csv", "csv", { kind: "usable", files: 1, locales: ["en", "nl"] }],
  ["bad/{locale}.json", "json_js", { kind: "no-texts", sample: "bad/en.json" }],
  ["odd/{locale}.lang", "laravel_json", { kind: "usable", entry: { format: "laravel_json" } }],
  // By content.
  ["app/{locale}/{namespace}.xlf", "xliff12", { kind: "usable", entry: { format: "xliff20" } }],
])("the files that a person names: %s", async (path, format, expected) => {
  const readBytes = async (name: string) =>
    name.startsWith("bad/")
      ? Uint8Array.from([0xff])
      : name === UNREADABLE
        ? undefined
        : new TextEncoder().encode(FILES[name]);
  const named = await checkNamedLayout({ path, format }, Object.keys(FILES), readBytes, formats);
  expect(named).toMatchObject(expected);
});

test("ten files that a person names are read", async () => {
  const paths = Array.from({ length: 11 }, (_, index) => `many/${index + 10}.json`);
  const check = async (withTexts: string | undefined) => {
    const readBytes = async (path: string) =>
      new TextEncoder().encode(path === withTexts ? '{ "hello": "Hello" }' : "{}");
    const entry = { path: "many/{namespace}.json", format: "json_js" as const };
    return (await checkNamedLayout(entry, paths, readBytes, formats)).kind;
  };
  expect([await check(paths[9]), await check(paths[10])]).toEqual(["usable", "no-texts"]);
});
