/** The project file of the local service: valid values, messages for invalid ones, and defaults. */
import { describe, expect, test } from "vitest";
import {
  completeSettings,
  type ProjectFile,
  parseProjectFile,
} from "../../../src/local-service/service-settings.ts";

const parse = (file: object): ProjectFile => parseProjectFile(JSON.stringify(file));
const JSON_PROFILE = { key: "json", format: "json_js", path: "{locale}.json" };
const SHEET = { header: ["key", "nl"], key: "key", languages: { nl: "nl" } };
const HOOK = { url: "http://127.0.0.1/", secret: "s", events: ["keys.synced"] };

describe("project file", () => {
  test.each<[string, object]>([
    ["nothing", {}],
    [
      "locales of all shapes",
      { sourceLocale: "en", languages: [{ locale: "pt_BR" }, { locale: "zh-Hans-CN" }] },
    ],
    [
      "a file of all languages without a place for one",
      { exportProfiles: [{ ...JSON_PROFILE, format: "csv", path: "all.csv" }] },
    ],
    [
      "a template without a place for a language",
      { exportProfiles: [{ ...JSON_PROFILE, format: "pot", path: "a.pot" }] },
    ],
    ["no keys at all", { keyLimit: 0 }],
    ["plural columns of a language", { spreadsheetPresets: [{ ...SHEET, categories: { nl: "one" } }] }],
    ["a webhook", { webhooks: [HOOK] }],
    ["a limit of one", { limits: { perToken: 1, perAddress: 1 } }],
  ])("accepts %s", (_, file) => {
    expect(parse(file)).toMatchObject(file);
  });

  test.each<[string, object, string]>([
    ["a locale that is none", { sourceLocale: "e" }, "sourceLocale: is not a locale"],
    [
      "a language that is none",
      { languages: [{ locale: "nl" }, { locale: "nl/x" }] },
      "languages.1.locale: is not a locale",
    ],
    ["a slug that is none", { slug: "My Shop" }, "slug: is not a slug"],
    [
      "a profile's key that is no name",
      { exportProfiles: [{ ...JSON_PROFILE, key: "a b" }] },
      "exportProfiles.0.key: may contain only letters, digits, '.', '_' and '-'",
    ],
    [
      "one path for all languages",
      { exportProfiles: [{ ...JSON_PROFILE, path: "all.json" }] },
      "exportProfiles.0.path: must contain {locale}",
    ],
    [
      "one path for all languages, further down",
      {
        exportProfiles: [{ ...JSON_PROFILE, files: [JSON_PROFILE, { format: "json_js", path: "all.json" }] }],
      },
      "exportProfiles.0.files.1.path: must contain {locale}",
    ],
    [
      "plural columns of no language",
      { spreadsheetPresets: [{ ...SHEET, categories: { nl: "one", fr: "other" } }] },
      "spreadsheetPresets.0.categories: must be language columns",
    ],
    ["an address that is none", { webhooks: [{ ...HOOK, url: "shop" }] }, "webhooks.0.url: is not a URL"],
  ])("rejects %s", (_, file, fault) => {
    expect(() => parse(file)).toThrow(`The project file cannot be used:\n  ${fault}`);
  });

  test.each<[string, object]>([
    ["name", { name: "" }],
    ["keyLimit", { keyLimit: -1 }],
    ["keyLimit", { keyLimit: 1.5 }],
    ["limits.perToken", { limits: { perToken: 0 } }],
    ["webhooks.0.secret", { webhooks: [{ ...HOOK, secret: "" }] }],
    ["webhooks.0.events.0", { webhooks: [{ ...HOOK, events: ["keys"] }] }],
    ["exportProfiles.0.format", { exportProfiles: [{ ...JSON_PROFILE, format: "docx" }] }],
    ["exportProfiles.0.path", { exportProfiles: [{ ...JSON_PROFILE, path: "" }] }],
  ])("reports the location of a problem: %s", (field, file) => {
    expect(() => parse(file)).toThrow(`\n  ${field}: `);
  });

  test("may start with a byte order mark, and invalid JSON is reported", () => {
    expect(parseProjectFile('\u{FEFF}{"name": "Shop"}')).toEqual({ name: "Shop" });
    expect(() => parseProjectFile("{")).toThrow("The project file is not valid JSON: ");
  });

  test("reports every problem on a line", () => {
    expect(() => parse({ slug: "A", sourceLocale: "e" })).toThrow(
      "The project file cannot be used:\n  slug: is not a slug\n  sourceLocale: is not a locale",
    );
  });
});

describe("defaults", () => {
  test("provide every setting", () => {
    expect(completeSettings({})).toEqual({
      slug: "project",
      name: "Project",
      type: "other",
      sourceLocale: "en",
      keyLimit: expect.any(Number),
      languages: [
        { locale: "en", name: "English", fallback: [] },
        { locale: "nl", name: "Nederlands", fallback: [] },
        { locale: "de", name: "Deutsch", fallback: [] },
        { locale: "fr", name: "Français", fallback: [] },
      ],
      exportProfiles: expect.arrayContaining([
        {
          key: "json",
          name: "JSON",
          locales: null,
          missing: "omit",
          files: [
            { format: "json_js", path: "{locale}/{namespace}.json" },
            { format: "json_js", path: "{locale}.json" },
          ],
        },
      ]),
      archived: false,
      webhooks: [],
      spreadsheetPresets: [],
      limits: { perToken: 120, perAddress: 600 },
    });
  });

  test("keep given settings", () => {
    const given: ProjectFile = parse({
      slug: "shop",
      name: "Shop",
      type: "laravel",
      sourceLocale: "nl",
      keyLimit: 3,
      archived: true,
      webhooks: [HOOK],
      spreadsheetPresets: [SHEET],
      limits: { perToken: 7 },
      exportProfiles: [{ ...JSON_PROFILE, name: "App", locales: ["nl"], missing: "empty" }, JSON_PROFILE],
    });
    expect(completeSettings(given)).toMatchObject({
      slug: "shop",
      name: "Shop",
      type: "laravel",
      sourceLocale: "nl",
      keyLimit: 3,
      archived: true,
      webhooks: [HOOK],
      spreadsheetPresets: [SHEET],
      limits: { perToken: 7, perAddress: 600 },
      exportProfiles: [
        { key: "json", name: "App", locales: ["nl"], missing: "empty" },
        { key: "json", name: "json", locales: null, missing: "omit" },
      ],
    });
  });

  test("list the source language first, by its own or the given name", () => {
    const of = (file: object): unknown[] =>
      completeSettings(parse(file)).languages.map(({ locale, name, fallback }) => [
        locale,
        name,
        ...fallback,
      ]);
    const languages = [
      { locale: "nl" },
      { locale: "de-AT", fallback: ["de"] },
      { locale: "xx", name: "Ours" },
    ];
    expect(of({ sourceLocale: "xx", languages })).toEqual([
      ["xx", "Ours"],
      ["nl", "Nederlands"],
      ["de-AT", "Österreichisches Deutsch", "de"],
    ]);
    expect(of({ sourceLocale: "en_GB", languages: [{ locale: "pt_BR" }, { locale: "qqqq" }] })).toEqual([
      ["en_GB", "British English"],
      ["pt_BR", "Português (Brasil)"],
      ["qqqq", "qqqq"],
    ]);
  });

  test("list a language once", () => {
    const languages = [{ locale: "nl" }, { locale: "de" }, { locale: "nl" }];
    expect(() => completeSettings(parse({ languages }))).toThrow("The language nl is listed twice.");
  });
});
