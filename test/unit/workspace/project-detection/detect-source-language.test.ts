/** Detects the source language without a service. */
import { expect, test } from "vitest";
import {
  configuredLanguages,
  detectSourceLanguage,
} from "../../../../src/workspace/project-detection/detect-source-language.ts";

test.each([
  [
    "config/app.php",
    "'locale' => env('APP_LOCALE', 'nl'),\n'fallback_locale' => env('APP_FALLBACK_LOCALE', 'en'),",
    ["en", "nl"],
  ],
  ["app/Config/app.php", "'locale' => 'de',\n// 'fallback_locale' => 'fr',", ["de"]],
  ["config/app.php", "    // 'fallback_locale' => 'fr',\n\t'locale' => 'de',", ["de"]],
  ["config/app.php", "'url' => 'https://shop', 'locale' => 'de', // 'x'\n", ["de"]],
  ["src/i18n.ts", 'i18n.init({ fallbackLng: "en", lng: "de" })', ["en"]],
  ["src/i18n.ts", "init({ fallbackLng: ['de', 'en'] })", ["de"]],
  ["src/i18n.ts", 'init({ fallbackLng: { "zh-HK": ["zh-TW"], default: ["en"] } })', ["en"]],
  ["src/i18n/index.ts", "createI18n({ locale: browser(), fallbackLocale: 'nl' })", ["nl"]],
  ["src/i18n/routing.ts", "defineRouting({ locales: ['en', 'de'], defaultLocale: 'de' })", ["de"]],
  ["nuxt.config.ts", "i18n: { defaultLocale: 'fr-FR' }", ["fr-FR"]],
  ["angular.json", '{ "i18n": { "sourceLocale": { "code": "en-US", "baseHref": "" } } }', ["en-US"]],
  ["config/packages/translation.yaml", "framework:\n  default_locale: en\n  translator:\n", ["en"]],
  ["config/packages/translation.yaml", "framework:\n  default_locale: '%locale%'\n", []],
  ["transloco.config.ts", "const config = { langs: ['de', 'en'], defaultLang: 'de' };", ["de"]],
  [
    "src/app/app.config.ts",
    "provideTransloco({ config: { defaultLang: 'en', fallbackLang: 'de' } })",
    ["de", "en"],
  ],
  ["src/app/app.component.ts", "translate.setDefaultLang('en'); translate.use('de');", ["en"]],
  ["src/app/app.config.ts", "provideTranslateService({ fallbackLang: 'en', lang: 'de' })", ["en"]],
  ["shop/settings.py", 'LANGUAGE_CODE = "en-us"', ["en-us"]],
  ["src/i18n.ts", 'import { fallbackLng } from "../languages";', []],
])("%s sets %s", (path, text, expected) => {
  expect(configuredLanguages([{ path, text }])).toEqual(expected);
});

test.each([
  ...["sourceLocale", "sourceLanguage", "sourceLanguageTag", "baseLocale", "fallbackLng", "fallbackLocale"],
  ...["defaultLocale", "defaultLanguage"],
])("%s sets the source language in scripts of each kind", (name) => {
  for (const ending of ["js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx", "json", "vue", "svelte"])
    expect(
      configuredLanguages([{ path: `src/i18n.${ending}`, text: `{ "${name}": "nl" }` }]),
      ending,
    ).toEqual(["nl"]);
  expect(configuredLanguages([{ path: "src/i18n.md", text: `{ "${name}": "nl" }` }])).toEqual([]);
});

test("a language of the source comes before a fallback, and that before a default", () => {
  const names = [
    "sourceLocale",
    "sourceLanguage",
    "sourceLanguageTag",
    "baseLocale",
    "fallbackLng",
    "fallbackLocale",
  ];
  const all = [...names, "defaultLocale", "defaultLanguage"];
  const locales = ["de", "en", "fr", "nl", "it", "es", "pl", "sv"];
  const text = all
    .map((name, index) => `${name}: "${locales[index]}"`)
    .reverse()
    .join(", ");
  expect(configuredLanguages([{ path: "src/i18n.ts", text: `{ ${text} }` }])).toEqual(locales);
});

test("the likeliest language of all files is first, and large files are not looked at", () => {
  const likely = { path: "lingui.config.js", text: "export default { sourceLocale: 'nl' };" };
  const files = [{ path: "src/i18n.ts", text: "createI18n({ defaultLocale: 'de' })" }, likely];
  expect(configuredLanguages(files)).toEqual(["nl", "de"]);
  const large = { ...likely, text: likely.text + " ".repeat(200_000) };
  expect(configuredLanguages([large])).toEqual([]);
});

const size = (locale: string, texts: number): { locale: string; texts: number } => ({ locale, texts });

test.each([
  ["the configured one", [size("de", 90), size("en", 100)], ["de"], false, "de"],
  ["however it is written", [size("pt_BR", 90), size("en", 100)], ["pt-BR"], false, "pt_BR"],
  ["the next configured one that has files", [size("de", 90)], ["en", "de"], false, "de"],
  ["one of the same language", [size("en_GB", 90), size("de", 100)], ["en-US"], false, "en_GB"],
  ["one in another script", [size("sr@latin", 90), size("de", 100)], ["sr"], false, "sr@latin"],
  ["the plain one before one of another region", [size("en_GB", 90), size("en", 1)], ["en-US"], false, "en"],
  ["the plain one where none needs files", [size("de", 9), size("en", 9)], ["en-US"], true, "en"],
  ["not one of another region where none needs files", [size("en_GB", 9)], ["en-US"], true, "en-US"],
  ["the one with most texts", [size("de", 100), size("en", 60)], [], false, "de"],
  ["English of several that are whole", [size("de", 100), size("en", 99)], [], false, "en"],
  ["the plain one of several that are English", [size("en_GB", 100), size("en", 99)], [], false, "en"],
  ["the first of several that are whole", [size("nl", 100), size("de", 100)], [], false, "de"],
  ["the largest of several that are nearly whole", [size("de", 98), size("nl", 100)], [], false, "nl"],
  ["English where the texts are names", [size("de", 100), size("nl", 100)], [], true, "en"],
  [
    "English of the file with few texts where these are names",
    [size("de", 100), size("en_GB", 1)],
    [],
    true,
    "en_GB",
  ],
  ["English without any file", [], [], false, "en"],
])("detects %s", (_, sizes, configured, isStatedInside, expected) => {
  expect(detectSourceLanguage(sizes, configured, isStatedInside)).toBe(expected);
});
