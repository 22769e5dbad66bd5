/** Entries in columns say what the objects said that they were made of, here and after a way to another thread. */
import { MessageChannel } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/core/formats/format.ts";
import { buffersOf, type EntryColumns, PackedEntries } from "../../../src/core/formats/packed-entries.ts";

const words = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.constant(""));
const maybe = fc.option(words, { nil: null });
const text = fc.oneof(
  fc.record({ value: words }, { noNullPrototype: true }),
  fc.record({ forms: fc.dictionary(words, words, { noNullPrototype: true }) }, { noNullPrototype: true }),
);
const span = fc.record({ start: fc.nat(), end: fc.nat() }, { noNullPrototype: true });
const entry: fc.Arbitrary<Entry> = fc.record(
  {
    key: words,
    context: maybe,
    namespace: maybe,
    locale: fc.constantFrom(null, "nl", "de"),
    text,
    source: fc.option(text, { nil: null }),
    description: maybe,
    keySpan: span,
    valueSpan: span,
    readOnly: fc.constantFrom(null, "expression" as const, "source" as const),
  },
  { noNullPrototype: true },
);

describe("entries in columns", () => {
  test("are what they were made of", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
        const packed = PackedEntries.of(entries);
        expect([...packed]).toEqual(entries);
        expect(packed.length).toBe(entries.length);
      }),
    );
  });

  test("are the same in another thread, and nothing of them stays here", async () => {
    const { port1, port2 } = new MessageChannel();
    const taken = new Promise<EntryColumns>((resolve) => port2.once("message", resolve));
    const entries = fc.sample(entry, { numRuns: 50, seed: 1 });
    const { columns } = PackedEntries.of(entries);
    port1.postMessage(columns, buffersOf(columns));
    expect([...new PackedEntries(await taken)]).toEqual(entries);
    expect(columns.spans.length).toBe(0);
    port1.close();
  });
});
