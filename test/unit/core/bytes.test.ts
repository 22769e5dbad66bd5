/** Bytes to text and back: what is read is written the same, and what is no UTF-8 is refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText, encodeText, isNotText, sameBytes } from "../../../src/core/bytes.ts";

const bytesOf = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);

describe("decodeText", () => {
  test("keeps the byte-order mark aside", () => {
    const bytes = bytesOf(0xef, 0xbb, 0xbf, 0x61);
    expect(decodeText(bytes)).toEqual({ text: "a", bom: true });
    expect(encodeText({ text: "a", bom: true })).toEqual(bytes);
  });

  test("a second mark is text", () => {
    const bytes = bytesOf(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf);
    expect(decodeText(bytes)).toEqual({ text: "\ufeff", bom: true });
    expect(encodeText({ text: "\ufeff", bom: true })).toEqual(bytes);
  });

  test.each([
    ["Latin-1", bytesOf(0x63, 0x61, 0x66, 0xe9)],
    ["UTF-16 with a mark", bytesOf(0xff, 0xfe, 0x61, 0x00)],
    ["UTF-16 without a mark", bytesOf(0x7b, 0x00, 0x22, 0x00, 0x61, 0x00, 0x22, 0x00)],
    ["an overlong sequence", bytesOf(0xc0, 0x80)],
    ["a lone surrogate", bytesOf(0xed, 0xa0, 0x80)],
    ["a cut sequence", bytesOf(0x61, 0xe2, 0x82)],
  ])("%s is refused", (_, bytes) => {
    expect(decodeText(bytes)).toEqual({ refused: "encoding" });
  });

  test("a NUL somewhere in a text is no reason to refuse it", () => {
    const bytes = new TextEncoder().encode("'forms' => \"a\0b\"");
    expect(isNotText(decodeText(bytes))).toBe(false);
  });

  test("whatever is taken comes back byte for byte", () => {
    const some = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(some, (bytes) => {
        const decoded = decodeText(bytes);
        return isNotText(decoded) || sameBytes(encodeText(decoded), bytes);
      }),
    );
  });
});
