/** A cell's details in messages: however long its texts are, no message is long and nothing is lost. */
import { expect, it } from "vitest";
import { PLURAL_CATEGORIES } from "../../../src/model/text.ts";
import { detailMessages } from "../../../src/webview/translation-editor/detail-messages.ts";
import { readDetail, type Detail } from "../../../src/webview/translation-editor/messages-to-page.ts";

/** The most characters that a translation may have. */
const MAX_LENGTH = 32_768;

function detailOf(text: Detail["text"]): Detail {
  return {
    cell: { locale: "ar", hash: "a".repeat(40) },
    source: text,
    sourceAtService: text,
    sourceBefore: text,
    text,
    conflict: { base: text, theirs: text },
    isSourceChanged: false,
    issues: [],
    refused: null,
    similar: [],
    usedIn: null,
  };
}

it.each([["x"], ["漢"], ["😀"], ['"'], ["\\"], ["\0"], ["\ud83d"], ["\u2028"]])(
  "tells a conflict of six forms of %j in messages of at most 200 KB",
  (character) => {
    const form = character.repeat(MAX_LENGTH);
    const detail = detailOf({ forms: Object.fromEntries(PLURAL_CATEGORIES.map((each) => [each, form])) });
    const messages = detailMessages(detail);
    for (const message of messages)
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(200_000);
    expect(messages.map(({ isLast }) => isLast)).toEqual(messages.map((_, at) => at === messages.length - 1));
    expect(readDetail(messages.map(({ json }) => json).join(""))).toEqual(detail);
  },
);

it("tells short details in one message, and takes nothing for details that is none", () => {
  const detail = detailOf({ value: "x" });
  const [message, ...others] = detailMessages(detail);
  expect(others).toEqual([]);
  expect(readDetail(message?.json ?? "")).toEqual(detail);
  expect(readDetail("{")).toBeNull();
  expect(readDetail("{}")).toBeNull();
});
