/** The parts of a cell, as they are edited and replaced. */
import { expect, it } from "vitest";
import {
  charactersLeft,
  completeParts,
  mayReversePlaceholders,
  textOf,
  withFirstText,
  withSource,
  withSuggestion,
  withText,
} from "../../../src/webview/translation-editor/cell-parts.ts";

const value = (text: string) => [{ category: null, text }];
const forms = (one: string, other: string) => [
  { category: "one", text: one },
  { category: "other", text: other },
];
const plural = (one: string, other: string) => ({ forms: { one, other } });

it("are a text without empty forms", () => {
  expect([textOf(value("")), textOf(forms("", "items")), textOf(forms("", ""))]).toEqual([
    { value: "" },
    { forms: { other: "items" } },
    { forms: {} },
  ]);
  // Japanese has one form.
  expect(textOf([{ category: "other", text: "a" }])).toEqual({ forms: { other: "a" } });
});

it("are complete with the text of the details, only if they are truncated", () => {
  const cell = { parts: forms("one ite", "many i"), isTruncated: true, wrongPlaceholders: [], states: [] };
  const text = plural("one item", "many items");
  expect(completeParts(cell, text)).toEqual(forms("one item", "many items"));
  expect(completeParts({ ...cell, isTruncated: false }, text)).toEqual(cell.parts);
  expect(completeParts(cell, null)).toEqual(cell.parts);
  // Somebody has removed a form, or made a text without forms of it.
  expect(completeParts(cell, { forms: { other: "many items" } })).toEqual(forms("", "many items"));
  expect(completeParts(cell, { value: "items" })).toEqual(forms("items", "items"));
  expect(completeParts({ ...cell, parts: value("many i") }, text)).toEqual(value("many i"));
});

it("take what was typed in the first form", () => {
  expect(withFirstText(forms("a", "b"), "x")).toEqual(forms("x", "b"));
  expect(withFirstText(value("a"), "")).toEqual(value(""));
});

it("take each form of a similar text, and keep those that it does not have", () => {
  expect(withText(forms("a", "b"), plural("x", "y"))).toEqual(forms("x", "y"));
  expect(withText(forms("a", "b"), plural("", "y"))).toEqual(forms("a", "y"));
  expect(withText(forms("a", "b"), { value: "x" })).toEqual(forms("x", "x"));
  expect(withText(value("a"), plural("x", "y"))).toEqual(value("a"));
});

it("take the source text, of a category that it does not have the last form", () => {
  expect(withSource(forms("a", "b"), { forms: { other: "items" } })).toEqual(forms("items", "items"));
  expect(withSource(value("a"), plural("item", "items"))).toEqual(value("items"));
  expect(withSource(forms("a", "b"), plural("item", "items"))).toEqual(forms("item", "items"));
  // Nothing is emptied by a source text that is empty.
  expect(withSource(forms("a", "b"), plural("", "items"))).toEqual(forms("a", "items"));
  expect(withSource(value("a"), { value: "" })).toEqual(value("a"));
});

it("take a suggestion in the form that it is for", () => {
  expect(withSuggestion(forms("a", "b"), "x", "other")).toEqual(forms("a", "x"));
  expect(withSuggestion(forms("a", "b"), "x", "one")).toEqual(forms("x", "b"));
  expect(withSuggestion(value("a"), "x", null)).toEqual(value("x"));
});

it("have as many characters left as the longest one", () => {
  expect([charactersLeft(value("👍👍"), 3), charactersLeft(forms("1234", "1"), 3)]).toEqual([1, -1]);
});

it("may reverse placeholders in right-to-left scripts only", () => {
  expect(mayReversePlaceholders("שלום :name", [":name"])).toBe(true);
  expect(mayReversePlaceholders("שלום", [":name"])).toBe(false);
  expect(mayReversePlaceholders("Hallo :name", [":name"])).toBe(false);
});
