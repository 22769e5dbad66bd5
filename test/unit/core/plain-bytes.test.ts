/** Plain data through bytes: what comes back is what went in, whatever it looks like; damaged bytes say nothing. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBytes, toBytes } from "../../../src/core/plain-bytes.ts";
import { yieldNow } from "../support/node-ports.ts";

const columns = fc.oneof(
  fc.uint8Array(),
  fc.uint16Array(),
  fc.uint32Array(),
  fc.float64Array(),
  fc.string({ unit: "binary", maxLength: 3 }).map((text) => text.repeat(1000)),
  fc.constantFrom("\ufeffx".repeat(600), "\ud800".repeat(2000), "é".repeat(1000), "a".repeat(999)),
);
const data = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    columns,
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "$column", "at", "length", "entries"), tie("any"), {
      noNullPrototype: true,
    }),
    fc.constantFrom(
      { $column: "string", at: 0, length: 8 },
      { $column: "object", entries: [["a", 1]] },
      { $column: "Uint8Array" },
    ),
  ),
})).any;

test("data come back as they were", async () => {
  await fc.assert(
    fc.asyncProperty(data, async (before) => {
      expect(await fromBytes(await toBytes(before, yieldNow), yieldNow)).toEqual(before);
    }),
    { numRuns: 300 },
  );
});

test("bytes that lie anywhere in memory are read", async () => {
  const before = { numbers: Float64Array.of(1, 2.5), text: "x".repeat(2000) };
  const bytes = await toBytes(before, yieldNow);
  const inside = new Uint8Array(bytes.length + 3);
  inside.set(bytes, 3);
  expect(await fromBytes(inside.subarray(3), yieldNow)).toEqual(before);
});

test("bytes of which one is another, or that are cut off, say nothing", async () => {
  const bytes = await toBytes(
    { numbers: Uint32Array.from({ length: 50 }, (_, at) => at), list: ["a"] },
    yieldNow,
  );
  for (let at = 0; at < bytes.length; at++) {
    expect(await fromBytes(bytes.with(at, (bytes[at] ?? 0) ^ 0x10), yieldNow)).toBeNull();
    expect(await fromBytes(bytes.slice(0, at), yieldNow)).toBeNull();
  }
});
