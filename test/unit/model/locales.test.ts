/** Maps locale names in files to those of the service, and back. */
import { describe, expect, test } from "vitest";
import { createLocaleMap, hasLocaleShape, isKnownLocale, languageName } from "../../../src/model/locales.ts";

test.each([
  ["nl", true, true],
  ["pt_BR", true, true],
  ["zh-Hans", true, true],
  ["sr@latin", true, true],
  ["de_informal", true, true],
  ["fil", true, true],
  ["xq", true, false],
  ["app", true, false],
  ["php_NL", false, false],
  ["n", false, false],
  ["nl_", false, false],
  ["messages", false, false],
  ["nl.json", true, true],
  ["nl_a", false, false],
  ["", false, false],
])("%j: looks like a locale: %s, is one: %s", (text, hasShape, isName) => {
  expect([hasLocaleShape(text), isKnownLocale(text)]).toEqual([hasShape, isName]);
});

test.each([
  ["nl", "Nederlands"],
  ["fr", "Français"],
  ["pt_BR", "Português (Brasil)"],
  ["de_informal", "Deutsch"],
  ["sr@latin", "Српски"],
  ["xx", "xx"],
  ["", ""],
])("%j is named %j in itself", (locale, name) => {
  expect(languageName(locale)).toBe(name);
});

describe("locale mapping", () => {
  const SERVICE = ["en", "nl", "pt-BR", "zh_Hans"];

  test("maps equal names, or the only one that differs in case and separators", () => {
    const { toService, toFile } = createLocaleMap({}, SERVICE, ["en", "pt_br", "zh-Hans", "fr"]);
    expect(["en", "pt_br", "zh-Hans", "fr"].map(toService)).toEqual(["en", "pt-BR", "zh_Hans", null]);
    expect(SERVICE.map(toFile)).toEqual(["en", "nl", "pt_br", "zh-Hans"]);
  });

  test("maps nothing if ambiguous on either side", () => {
    expect(["pt_BR", "pt-br"].map(createLocaleMap({}, SERVICE, ["pt_BR", "pt-br"]).toService)).toEqual([
      null,
      null,
    ]);
    expect(createLocaleMap({}, ["pt-BR", "PT-br"], ["pt_BR"]).toService("pt_BR")).toBeNull();
    expect(createLocaleMap({}, ["pt-BR", "PT-br"], []).toService("pt_BR")).toBeNull();
  });

  test("prefers the project file's mapping, exclusively", () => {
    const { toService, toFile } = createLocaleMap({ nederlands: "nl" }, SERVICE, ["nederlands", "nl"]);
    expect([toService("nederlands"), toService("nl"), toFile("nl")]).toEqual(["nl", null, "nederlands"]);
  });

  test("applies to future files", () => {
    const { toService } = createLocaleMap({}, SERVICE, ["en"]);
    expect(["nl", "pt_BR", "fr"].map(toService)).toEqual(["nl", "pt-BR", null]);
  });

  test("maps no second file to a locale that has one", () => {
    const { toService, toFile } = createLocaleMap({}, SERVICE, ["pt_br"]);
    expect(["pt_br", "pt_BR", "PT-br"].map(toService)).toEqual(["pt-BR", null, null]);
    expect(toFile("pt-BR")).toBe("pt_br");
    expect(createLocaleMap({}, ["zh-Hans-CN", "nl"], []).toService("zh_hans_cn")).toBe("zh-Hans-CN");
  });

  test("maps a future file to the locale of its very name, if others differ only in case", () => {
    const { toService } = createLocaleMap({}, ["pt-BR", "PT-br"], []);
    expect(["pt-BR", "PT-br", "pt-br"].map(toService)).toEqual(["pt-BR", "PT-br", null]);
  });

  test("maps names to themselves while the service is unknown", () => {
    const { toService, toFile } = createLocaleMap({ a: "nl" }, [], ["en_GB"]);
    expect(["a", "en_GB", "fr"].map(toService)).toEqual(["nl", "en_GB", "fr"]);
    expect(toFile("nl")).toBe("a");
  });

  test.each([
    ["all others with a region have underscores", ["pt_BR", "nl"], "zh_Hant_TW"],
    ["there is one with a hyphen", ["pt_BR", "en-GB"], "zh-Hant-TW"],
    ["no other has a region", ["pt", "nl"], "zh-Hant-TW"],
    ["there is none", [], "zh-Hant-TW"],
  ])("names a future file %s", (_, inFiles, written) => {
    expect(createLocaleMap({}, [], inFiles).toFile("zh-Hant-TW")).toBe(written);
  });
});
