/** Texts that end in a line break which their source text does not have. */
import { expect, test } from "vitest";
import { checkTrailingLineBreaks } from "../../../src/model/trailing-line-break.ts";
import type { Text } from "../../../src/model/translation-text.ts";

const plural = (one: string, other: string): Text => ({ forms: { one, other } });

test.each<[string, Text | null, Text | null, readonly (readonly [form: string, suggestion: string])[]]>([
  ["a line break", { value: "Cart" }, { value: "Mand\n" }, [["", "Mand"]]],
  ["several, with spaces", { value: "Cart" }, { value: "Mand \r\n\n" }, [["", "Mand"]]],
  ["one that the source text has", { value: "Cart\n" }, { value: "Mand\n" }, []],
  ["one inside", { value: "Cart" }, { value: "Mand\nmet" }, []],
  ["an empty text", { value: "Cart" }, { value: "" }, []],
  ["no source text", null, { value: "Mand\n" }, []],
  ["no translation", { value: "Cart" }, null, []],
  ["a plural form", plural("item", "items"), plural("stuk", "stuks\n"), [["other", "stuks"]]],
  [
    "plural forms, of which the source text of one ends so too",
    plural("item\n", "items"),
    plural("stuk\n", "stuks\n"),
    [["other", "stuks"]],
  ],
  [
    "a form that the source language does not have",
    plural("item", "items"),
    { forms: { one: "a", few: "b\n" } },
    [["few", "b"]],
  ],
])("%s", (_, source, translation, expected) => {
  const issues = checkTrailingLineBreaks(source, translation);
  expect(issues.map(({ form, suggestion }) => [form, suggestion])).toEqual(expected);
});
