/** Entries in columns say what the objects said that they were made of, here and after a way to another thread. */
import { MessageChannel } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/core/formats/format.ts";
import {
  buffersOf,
  type EntryColumns,
  isOnlyRenamed,
  PackedEntries,
} from "../../../src/core/formats/packed-entries.ts";

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

  test("say in short steps where they stand, if none is long, and in whatever order name and value come", () => {
    const [plain] = fc.sample(entry, 1);
    const of = (...offsets: readonly (readonly [number, number, number, number])[]): PackedEntries =>
      PackedEntries.of(
        offsets.map(([a, b, c, d]) => ({
          ...(plain as Entry),
          ...{ keySpan: { start: a, end: b }, valueSpan: { start: c, end: d } },
        })),
      );
    const near = [
      [0, 3, 5, 9],
      [4_000_000_000, 4_000_065_535, 4_000_065_535, 4_000_065_535],
    ] as const;
    const far = [[9, 12, 2, 5] as const, ...near];
    for (const [offsets, size] of [
      [near, 2],
      [far, 4],
    ] as const) {
      const packed = of(...offsets);
      expect(packed.columns.spans.steps.BYTES_PER_ELEMENT).toBe(size);
      const read = Array.from(packed, ({ keySpan: k, valueSpan: v }) => [k.start, k.end, v.start, v.end]);
      expect(read).toEqual(offsets);
    }
  });

  test("are the same in another thread, and nothing of them stays here", async () => {
    const { port1, port2 } = new MessageChannel();
    const taken = new Promise<EntryColumns>((resolve) => port2.once("message", resolve));
    const entries = fc.sample(entry, { numRuns: 50, seed: 1 });
    const { columns } = PackedEntries.of(entries);
    port1.postMessage(columns, buffersOf(columns));
    expect([...new PackedEntries(await taken)]).toEqual(entries);
    expect([columns.spans.starts.length, columns.spans.steps.length]).toEqual([0, 0]);
    port1.close();
  });
});

describe("whether a key was only renamed", () => {
  const of = (...entries: readonly Partial<Entry>[]): PackedEntries => {
    const span = { start: 0, end: 0 };
    const rest = { source: null, description: null, keySpan: span, valueSpan: span, readOnly: null };
    return PackedEntries.of(
      entries.map((own) => ({
        ...{ key: "x", context: null, namespace: null, locale: null, text: { value: "t" }, ...rest },
        ...own,
      })),
    );
  };
  const renaming = { key: "a", context: null, newKey: "b" };
  const was = of({ key: "a" }, { key: "c" });

  test("is so where the name alone differs, once for each language", () => {
    expect(isOnlyRenamed(was, of({ key: "b" }, { key: "c" }), 1, renaming)).toBe(true);
    const both = (key: string): PackedEntries =>
      of({ key, locale: "en" }, { key, locale: "nl" }, { key: "c" });
    expect(isOnlyRenamed(both("a"), both("b"), 2, renaming)).toBe(true);
    expect(isOnlyRenamed(both("a"), both("b"), 1, renaming)).toBe(false);
  });

  test.each<[string, PackedEntries]>([
    ["nothing changed", was],
    ["another key changed too", of({ key: "b" }, { key: "d" })],
    ["a text changed", of({ key: "b" }, { key: "c", text: { value: "u" } })],
    ["texts changed places", of({ key: "b", text: { value: "" } }, { key: "c", text: { value: "tt" } })],
    ["a text has forms now", of({ key: "b" }, { key: "c", text: { forms: { other: "t" } } })],
    ["one is gone", of({ key: "b" })],
    ["a context came", of({ key: "b" }, { key: "c", context: "d" })],
  ])("is not so where %s", (_, is) => {
    expect(isOnlyRenamed(was, is, 1, renaming)).toBe(false);
  });

  test("is not so where another has the name already, or the context is another's", () => {
    expect(isOnlyRenamed(of({ key: "a" }, { key: "b" }), of({ key: "b" }, { key: "b" }), 1, renaming)).toBe(
      false,
    );
    const named = of({ key: "a", context: "z" });
    expect(isOnlyRenamed(named, of({ key: "b", context: "z" }), 1, renaming)).toBe(false);
    expect(isOnlyRenamed(named, of({ key: "b", context: "z" }), 1, { ...renaming, context: "z" })).toBe(true);
  });
});
