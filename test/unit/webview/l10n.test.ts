/** The messages of the page. */
import { afterEach, expect, it } from "vitest";
import { l10n, language, translations } from "../../../src/webview/translation-editor/l10n.ts";

afterEach(() => {
  language.value = "en";
  translations.value = {};
});

it("has its values where the message says, numbers as the language writes them", () => {
  expect(l10n.t("{1} of {0} rows in {2}, {0}", 12_345, "first", 7)).toBe("first of 12,345 rows in 7, 12,345");
  language.value = "nl";
  expect(l10n.t("{0} rows", 12_345)).toBe("12.345 rows");
  expect(l10n.t("{0}{1}", "a")).toBe("a");
});

it("is translated, also into an empty text, and English where there is no translation", () => {
  translations.value = { "{0} of {1}": "{1}, daarvan {0}", "Rows ": "" };
  expect(l10n.t("{0} of {1}", "a", "b")).toBe("b, daarvan a");
  expect(l10n.t("Rows ")).toBe("");
  expect(l10n.t("Save {0}", "a")).toBe("Save a");
});
