/** Values in messages of responses. Which language is used: test/service/conventions.test.ts. */
import { expect, test } from "vitest";
import { messageText } from "../../../src/local-service/http/localised-messages.ts";

test("inserts values, even if they look like placeholders", () => {
  const message = { code: "file_empty", values: { name: "{name}.php" } } as const;
  expect(messageText("en", message)).toBe("{name}.php: the file is empty.");
  expect(messageText("nl", message)).toBe("{name}.php: het bestand is leeg.");
});
