/** The language of responses, and that all messages exist in both languages. */
import { expect, test } from "vitest";
import { messageText, messageLanguageOf } from "../../../src/local-service/http/localised-messages.ts";

test.each([
  [undefined, "nl"],
  ["", "nl"],
  ["en", "en"],
  ["en-GB,en;q=0.9", "en"],
  ["de, en;q=0.5, nl;q=0.4", "en"],
  ["fr", "nl"],
  ["nl, en", "nl"],
  ["en;q=0.1, nl;q=0.8", "nl"],
  ["EN-us", "en"],
  ["en;q=0", "nl"],
])("answers %s in %s", (header, messageLanguage) => {
  expect(messageLanguageOf(header)).toBe(messageLanguage);
});

test("inserts values, even if they look like placeholders", () => {
  const message = { code: "file_empty", values: { name: "{name}.php" } } as const;
  expect(messageText("en", message)).toBe("{name}.php: the file is empty.");
  expect(messageText("nl", message)).toBe("{name}.php: het bestand is leeg.");
});
