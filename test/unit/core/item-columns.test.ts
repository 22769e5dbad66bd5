/** The columns against plain lists: whatever goes in comes out as it was, in the service's own words. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { FewColumn, HashColumn, NumberColumn, TimeColumn } from "../../../src/core/item-columns.ts";
import { TextColumn, TextPacker } from "../../../src/core/text-column.ts";
import { sameText, type Text } from "../../../src/core/text.ts";
import { sha1 } from "../support/node-ports.ts";

interface Column<Value, Data> {
  readonly data: Data;
  add(value: Value): void;
  at(index: number): Value;
}

function throughColumn<Value, Data>(
  make: new (from: number | Data) => Column<Value, Data>,
  values: readonly Value[],
): Value[] {
  const filled = new make(values.length);
  for (const value of values) filled.add(value);
  const column = new make(filled.data);
  // Not in order, since a column may remember the last one.
  return [...values.keys()]
    .toSorted((a, b) => (a % 7) - (b % 7))
    .reduce<Value[]>((all, index) => {
      all[index] = column.at(index);
      return all;
    }, []);
}

test.each([
  ["a few", 5],
  ["as many as a byte tells apart", 256],
  ["more than that", 257],
  ["more than two bytes tell apart", 70_000],
])("of different values %s come back", (_, different) => {
  const values = Array.from({ length: different + 50 }, (_, index) =>
    index % different === 3 ? null : `value ${index % different}`,
  );
  expect(throughColumn(FewColumn, values)).toEqual(values);
});

test("numbers come back, however large, broken or absent", () => {
  const number = fc.oneof(
    fc.constant(null),
    fc.nat(),
    fc.double({ noNaN: true }).map((value) => value + 0),
    fc.constantFrom(0, -1, 0xff_ff_ff_fe, 0xff_ff_ff_ff, 0x1_00_00_00_00, Number.MAX_SAFE_INTEGER, 0.5),
  );
  fc.assert(
    fc.property(fc.array(number), (values) => {
      expect(throughColumn(NumberColumn, values)).toEqual(values);
    }),
  );
});

test("hashes come back, and what is none as well", () => {
  const values = [sha1("a"), null, "", "no hash", sha1("b"), sha1("c").toUpperCase(), null];
  expect(throughColumn(HashColumn, values)).toEqual(values);
});

test.each([
  "2026-01-02T03:04:05Z",
  "2026-01-02T03:04:05.6Z",
  "2026-01-02T03:04:05.000Z",
  "2026-01-02T03:04:05.120000Z",
  "2026-12-31T23:59:59.999999Z",
  "2026-01-02T03:04:05.1234567Z",
  "1969-12-31T23:59:59.5Z",
  "0001-01-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-02T24:00:00Z",
  "2026-01-02T03:04:05+02:00",
  "2026-01-02 03:04:05",
  "yesterday",
  "",
])("the time %j comes back in the same words", (words) => {
  const values = [null, words, "2026-01-02T03:04:05Z", words, words, null, "2026-01-02T03:04:05.000Z"];
  expect(throughColumn(TimeColumn, values)).toEqual(values);
});

test("all times that a clock may show come back", () => {
  const time = fc.tuple(fc.date({ noInvalidDate: true }), fc.nat(6)).map(([date, digits]) => {
    const words = date.toISOString().slice(0, -5);
    return digits === 0 ? `${words}Z` : `${words}.${"123456".slice(0, digits)}Z`;
  });
  fc.assert(
    fc.property(fc.array(time), (values) => {
      expect(throughColumn(TimeColumn, values)).toEqual(values);
    }),
  );
});

const PLAIN = { noNullPrototype: true } as const;
const text = fc.oneof(
  fc.constant(null),
  fc.record({ value: fc.string({ unit: "binary", maxLength: 5 }) }, PLAIN),
  fc.record({ value: fc.constantFrom("", "a", "b", '[["one","a"]]', '{"one":"a"}', "\ud800") }, PLAIN),
  fc.record(
    {
      forms: fc.dictionary(fc.constantFrom("one", "other", "0", "10"), fc.constantFrom("", "a", "b"), PLAIN),
    },
    PLAIN,
  ),
);

test("texts come back, and each is told from the others without being unpacked", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const packer = new TextPacker(texts.length);
      for (const each of texts) packer.add(each);
      const column = new TextColumn(packer.packed());
      expect(texts.map((_, index) => column.at(index))).toEqual(texts);
      expect(texts.map((_, index) => column.has(index))).toEqual(texts.map((each) => each !== null));
      for (const [index, each] of texts.entries()) {
        for (const other of texts) {
          if (other === null) continue;
          expect(column.isAt(index, other)).toBe(each !== null && sameText(each, other));
        }
      }
    }),
  );
});

test("of many texts that hardly differ no two have one print", () => {
  const texts = Array.from({ length: 20_000 }, (_, index): Text => ({ value: `Text ${index}` }));
  const packer = new TextPacker(texts.length);
  for (const each of texts) packer.add(each);
  const column = new TextColumn(packer.packed());
  const different = texts.filter((_, index) => column.isAt(index, { value: `Text ${index ^ 1}` }));
  expect(different).toEqual([]);
  expect(texts.every((each, index) => column.isAt(index, each))).toBe(true);
});
