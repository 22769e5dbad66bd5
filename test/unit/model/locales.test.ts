/** Which name of a language in files is which at the service, and back. */
import { describe, expect, test } from "vitest";
import { hasLocaleShape, isKnownLocale, createLocaleMap } from "../../../src/model/locales.ts";

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
])("%j: has the shape of one %s, is one %s", (text, hasShape, isName) => {
  expect([hasLocaleShape(text), isKnownLocale(text)]).toEqual([hasShape, isName]);
});

describe("names in files and at the service", () => {
  const SERVICE = ["en", "nl", "pt-BR", "zh_Hans"];

  test("are the same, or differ in case and signs where only one can be meant", () => {
    const { toService, toFile } = createLocaleMap({}, SERVICE, ["en", "pt_br", "zh-Hans", "fr"]);
    expect(["en", "pt_br", "zh-Hans", "fr"].map(toService)).toEqual(["en", "pt-BR", "zh_Hans", null]);
    expect(SERVICE.map(toFile)).toEqual(["en", "nl", "pt_br", "zh-Hans"]);
  });

  test("are told by nobody where two could be meant, on either side", () => {
    expect(["pt_BR", "pt-br"].map(createLocaleMap({}, SERVICE, ["pt_BR", "pt-br"]).toService)).toEqual([
      null,
      null,
    ]);
    expect(createLocaleMap({}, ["pt-BR", "PT-br"], ["pt_BR"]).toService("pt_BR")).toBeNull();
    expect(createLocaleMap({}, ["pt-BR", "PT-br"], []).toService("pt_BR")).toBeNull();
  });

  test("are the project file's first, and its are nobody else's", () => {
    const { toService, toFile } = createLocaleMap({ nederlands: "nl" }, SERVICE, ["nederlands", "nl"]);
    expect([toService("nederlands"), toService("nl"), toFile("nl")]).toEqual(["nl", null, "nederlands"]);
  });

  test("of files to come go by the same rule", () => {
    const { toService } = createLocaleMap({}, SERVICE, ["en"]);
    expect(["nl", "pt_BR", "fr"].map(toService)).toEqual(["nl", "pt-BR", null]);
  });

  test("stand for themselves while the service's are unknown", () => {
    const { toService, toFile } = createLocaleMap({ a: "nl" }, [], ["en_GB"]);
    expect(["a", "en_GB", "fr"].map(toService)).toEqual(["nl", "en_GB", "fr"]);
    expect(toFile("nl")).toBe("a");
  });

  test.each([
    ["all others with a region have underscores", ["pt_BR", "nl"], "zh_Hant_TW"],
    ["there is one with a hyphen", ["pt_BR", "en-GB"], "zh-Hant-TW"],
    ["no other has a region", ["pt", "nl"], "zh-Hant-TW"],
    ["there is none", [], "zh-Hant-TW"],
  ])("of a file to come are written as %s", (_, inFiles, written) => {
    expect(createLocaleMap({}, [], inFiles).toFile("zh-Hant-TW")).toBe(written);
  });
});
