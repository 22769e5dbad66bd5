/** Messages of problems, which the Problems panel shows without the text. */
import { expect, test } from "vitest";
import { checkPlaceholders } from "../../../src/model/placeholder-checks.ts";
import type { PlaceholderFamily } from "../../../src/model/placeholders.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import {
  textProblemMessage,
  unknownKeyMessage,
  wrongPlaceholders,
} from "../../../src/messages/issue-messages.ts";

const messageOf = (source: Text, translation: Text, family: PlaceholderFamily = "colon"): string => {
  const issues = checkPlaceholders([family], source, translation, "nl");
  return textProblemMessage("booking.confirm", "nl", translation, issues);
};

test("all that is wrong with a text is one message with its key and language", () => {
  expect(messageOf({ value: "Confirmed, :name" }, { value: "Bevestigd, :naam" })).toBe(
    "booking.confirm (nl): :name is missing, :naam is unknown",
  );
  expect(messageOf({ value: "{{a}} of {{b}}" }, { value: "{{a}} van {{c}} en {{d}}" }, "double-braces")).toBe(
    "booking.confirm (nl): {{b}} is missing, {{d}} is unknown, {{c}} is unknown",
  );
  expect(messageOf({ value: "Hello :name" }, { value: "Hallo" })).toBe(
    "booking.confirm (nl): :name is missing",
  );
});

test("the placeholders that the source text does not have are found where they stand", () => {
  const wrongIn = (source: Text, text: Text, family: PlaceholderFamily = "colon") =>
    wrongPlaceholders(text, checkPlaceholders([family], source, text, "nl"));
  expect(wrongIn({ value: "Confirmed, :name" }, { value: "Bevestigd, :naam" })).toEqual([":naam"]);
  expect(
    wrongIn({ value: "{{a}} of {{b}}" }, { value: "{{a}} van {{c}} en {{d}}" }, "double-braces"),
  ).toEqual(["{{d}}", "{{c}}"]);
  expect(wrongIn({ value: "Hello :name" }, { value: "Hallo" })).toEqual([]);
  expect(wrongIn({ value: "Hello :name" }, { value: "Hallo :name" })).toEqual([]);
  expect(wrongPlaceholders(null, [])).toEqual([]);
  // Missing in one form, and right in the other.
  const forms = (one: string, other: string): Text => ({ forms: { one, other } });
  const source = forms("One for :name", ":count for :name");
  expect(wrongIn(source, forms("Een", ":count voor :name"))).toEqual([]);
  expect(wrongIn(source, forms("Een voor :naam", ":count voor :name"))).toEqual([":naam"]);
});

test("an unknown key proposes its neighbour", () => {
  expect(unknownKeyMessage("nav.acount", "nav.account", { hasService: false })).toBe(
    "Unknown key “nav.acount”. Did you mean “nav.account”?",
  );
  expect(unknownKeyMessage("nav.x", null, { hasService: false })).toBe(
    "Unknown key “nav.x”: no translation file has it.",
  );
});
