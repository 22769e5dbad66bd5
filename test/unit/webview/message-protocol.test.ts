/** Long messages are split into parts and joined without loss. */
import { expect, it } from "vitest";
import { PLURAL_CATEGORIES } from "../../../src/model/translation-text.ts";
import { joinMessages, splitMessage } from "../../../src/webview/translation-editor/message-protocol.ts";

/** The most characters that a translation may have. */
const MAX_LENGTH = 32_768;

const bytesOf = (message: unknown): number => new TextEncoder().encode(JSON.stringify(message)).length;

/** Receives each of the messages as the other side does. */
function receive(messages: readonly unknown[]): unknown[] {
  const received: unknown[] = [];
  const take = joinMessages((message) => received.push(message));
  for (const message of messages) take(JSON.parse(JSON.stringify(message)));
  return received;
}

it.each([["x"], ["漢"], ["😀"], ['"'], ["\\"], ["\0"], ["\ud83d"], ["\u2028"]])(
  "splits six long forms of %j into messages of at most 200 KB",
  (character) => {
    const form = character.repeat(MAX_LENGTH);
    const forms = Object.fromEntries(PLURAL_CATEGORIES.map((each) => [each, form]));
    const message = { type: "detail", texts: Array.from({ length: 6 }, () => ({ forms })) };
    const parts = splitMessage(message);
    expect(parts.length).toBeGreaterThan(6);
    for (const part of parts) expect(bytesOf(part)).toBeLessThanOrEqual(200_000);
    expect(receive(parts)).toEqual([message]);
  },
);

it("splits a thousand pasted rows into messages of at most 200 KB, interleaved with others", () => {
  const texts = Array.from({ length: 1_000 }, (_, row) => [`文 ${row} `.repeat(40), `"${row}"`]);
  const paste = { type: "paste", list: 1, row: 0, column: 1, texts };
  const save = { type: "save" };
  const sent = [save, paste, save, paste].flatMap((each) => [...splitMessage<object>(each)]);
  for (const part of sent) expect(bytesOf(part)).toBeLessThanOrEqual(200_000);
  expect(receive(sent)).toEqual([save, paste, save, paste]);
});

it("receives a message after an incomplete one", () => {
  const message = { type: "paste", texts: [["x".repeat(200_000)]] };
  const parts = splitMessage(message);
  expect(receive([...parts.slice(0, 2), ...parts])).toEqual([message]);
});

it("passes on invalid messages to be rejected", () => {
  const part = { type: "part", json: "{", isFirst: true, isLast: true };
  expect(receive([part, { type: "save" }, null])).toEqual(["{", { type: "save" }, null]);
});
