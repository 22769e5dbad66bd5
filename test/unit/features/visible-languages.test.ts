/** The columns of the translation editor. */
import { expect, it } from "vitest";
import {
  inVisibleOrder,
  languagesAtFirst,
  visibleLanguages,
} from "../../../src/features/translation-editor/visible-languages.ts";

it("shows the source first, then the chosen languages in their order", () => {
  const known = ["en", "de", "fr", "nl"];
  expect(visibleLanguages({ known, chosen: ["nl", "de"], removed: [] })).toEqual(["en", "nl", "de"]);
  expect(visibleLanguages({ known, chosen: [], removed: [] })).toEqual(["en"]);
});

it("shows no language twice, nor one that the project does not have", () => {
  const known = ["en", "de", "nl"];
  expect(visibleLanguages({ known, chosen: ["nl", "xx", "en", "nl"], removed: [] })).toEqual(["en", "nl"]);
});

it("always shows removed languages with unsaved texts", () => {
  expect(visibleLanguages({ known: ["en", "nl", "fr"], chosen: ["nl"], removed: ["fr"] })).toEqual([
    "en",
    "nl",
    "fr",
  ]);
  expect(visibleLanguages({ known: [], chosen: ["nl"], removed: [] })).toEqual([]);
});

it("keeps the order of the columns when languages are chosen, and then again", () => {
  const first = inVisibleOrder(["en", "nl", "fr"], ["de", "fr", "nl"]);
  expect(first).toEqual(["nl", "fr", "de"]);
  expect(inVisibleOrder(["en", ...first], ["de", "es", "fr"])).toEqual(["fr", "de", "es"]);
});

it("shows all languages at first, up to six, or those of the project file", () => {
  expect(languagesAtFirst(["en", "de", "fr", "nl"], null)).toEqual(["en", "de", "fr", "nl"]);
  expect(languagesAtFirst(["en", "de", "es", "fr", "it", "nl", "pl"], null)).toHaveLength(6);
  expect(languagesAtFirst(["en", "de", "fr", "nl"], ["en", "nl"])).toEqual(["en", "nl"]);
});
