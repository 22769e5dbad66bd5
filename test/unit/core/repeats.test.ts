/** Packed bytes are unpacked to what they were, and are never more than was said. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mostPacked, packBytes, unpackBytes } from "../../../src/core/formats/repeats.ts";

function packed(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(mostPacked(bytes.length)).fill(0xaa);
  const length = packBytes(bytes, bytes.length, out);
  expect(length).toBeLessThanOrEqual(out.length);
  return out.subarray(0, length);
}

function unpacked(bytes: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length).fill(0xaa);
  expect(unpackBytes(bytes, out)).toBe(length);
  return out;
}

/** Runs of few different bytes, of lengths around those that are written otherwise. */
const runs = fc
  .array(
    fc.tuple(
      fc.nat(3),
      fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(14, 15, 19, 255, 270, 274, 529)),
    ),
    { maxLength: 60 },
  )
  .map((all) => Uint8Array.from(all.flatMap(([byte, count]) => Array.from({ length: count }, () => byte))));

describe("packed bytes", () => {
  test("are unpacked to what they were", () => {
    fc.assert(
      fc.property(fc.oneof(runs, fc.uint8Array({ maxLength: 600 })), (bytes) => {
        expect(unpacked(packed(bytes), bytes.length)).toEqual(bytes);
      }),
    );
  });

  test("are so whether a repeat is near, or farther back than can be said", () => {
    const noise = Uint8Array.from({ length: 70_000 }, (_, at) => Math.imul(at, 0x9e3779b1) >>> 13);
    for (const between of [0, 60_000, 65_535 - 100, 65_536 - 100, 70_000]) {
      const bytes = new Uint8Array([
        ...noise.subarray(0, 100),
        ...noise.slice(0, between).reverse(),
        ...noise.subarray(0, 100),
      ]);
      expect(unpacked(packed(bytes), bytes.length)).toEqual(bytes);
    }
  });

  test("take a part of the room where much comes again, and only what is asked for of the bytes", () => {
    const bytes = new TextEncoder().encode("The order is ready. ".repeat(100));
    expect(packed(bytes).length).toBeLessThan(50);
    const out = new Uint8Array(mostPacked(20));
    const length = packBytes(bytes, 20, out);
    expect(unpacked(out.subarray(0, length), 20)).toEqual(bytes.subarray(0, 20));
  });
});
