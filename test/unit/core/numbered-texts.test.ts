/** Texts by small numbers: whatever comes and goes, each is found by its number and its number by it. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NumberedTexts, PackedTexts } from "../../../src/core/numbered-texts.ts";
import { TextOrder } from "../../../src/core/text-order.ts";

const text = fc.oneof(
  fc.constantFrom("", "a", "ab", "b", "é", "😀", "\ud83d", "a\u0000", "cart.title", "cart.title.long"),
  fc.string({ maxLength: 12 }),
  fc.nat(300).map((number) => `section.${number}`),
);

describe("texts that come and go", () => {
  test("are what a map would hold", () => {
    const change = fc.record({ text, isOut: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
        const texts = new NumberedTexts();
        const model = new Map<string, number>();
        for (const { text: each, isOut } of changes) {
          const number = model.get(each);
          expect(texts.numberOf(each)).toBe(number ?? -1);
          if (number === undefined) {
            const added = texts.add(each);
            expect([...model.values()]).not.toContain(added);
            model.set(each, added);
          } else if (isOut) {
            texts.remove(number);
            model.delete(each);
          } else expect(texts.add(each)).toBe(number);
        }
        expect(texts.size).toBe(model.size);
        for (const [each, number] of model) {
          expect([texts.at(number), texts.numberOf(each)]).toEqual([each, number]);
          expect(number).toBeLessThan(texts.length);
        }
      }),
    );
  });

  test("leave their numbers to others", () => {
    const texts = new NumberedTexts();
    for (let round = 0; round < 2_000; round++) {
      const number = texts.add(`text ${round}`);
      if (round % 3 !== 0) texts.remove(number);
    }
    expect(texts.size).toBe(667);
    expect(texts.length).toBeLessThan(680);
    expect([texts.at(texts.numberOf("text 3")), texts.numberOf("text 4")]).toEqual(["text 3", -1]);
  });
});

describe("packed texts", () => {
  test("are replaced in their place", () => {
    const texts = new PackedTexts();
    for (let number = 0; number < 200; number++) texts.push(`text ${number}`);
    for (const [number, other] of [
      [3, ""],
      [64, "a longer text than the one before"],
      [199, "last"],
      [130, "é"],
    ] as const) {
      texts.set(number, other);
    }
    texts.push("one more");
    const all = Array.from({ length: texts.length }, (_, number) => texts.at(number));
    const expected = Array.from({ length: 200 }, (_, number) => `text ${number}`);
    [expected[3], expected[64], expected[130], expected[199]] = [
      "",
      "a longer text than the one before",
      "é",
      "last",
    ];
    expect(all).toEqual([...expected, "one more"]);
  });

  test("begin and end as strings do, packed or not", () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 80 }),
        text,
        fc.boolean(),
        (all, part, isPacked) => {
          const texts = new PackedTexts();
          for (const each of all) texts.push(each);
          if (isPacked) texts.pack();
          for (const [number, each] of all.entries()) {
            expect(texts.is(number, part)).toBe(each === part);
            expect(texts.startsWith(number, part)).toBe(each.startsWith(part));
            expect(texts.endsWith(number, part)).toBe(each.endsWith(part));
            expect(texts.endsWith(number, part, part.length + 1)).toBe(
              each.length > part.length && each.endsWith(part),
            );
          }
        },
      ),
    );
  });
});

describe("the order of texts", () => {
  const inOrder = (all: readonly string[], from: string): readonly string[] =>
    all.filter((each) => each >= from).sort();

  test("is that of sort, from any text on", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), text, (given, from) => {
        const all = [...new Set(given)];
        const texts = new PackedTexts();
        for (const each of all) texts.push(each);
        texts.pack();
        const order = new TextOrder(texts, new Uint32Array(all.length), Uint32Array.from(all.keys()));
        expect(Array.from(order.from(from), (number) => texts.at(number))).toEqual(inOrder(all, from));
      }),
    );
  });

  test("is that of sort for so many that it is made in parts", () => {
    const texts = new PackedTexts();
    const all = Array.from(
      { length: 5_000 },
      (_, at) => `group${(at * 7_919) % 41}.name${(at * 31) % 5_003}`,
    );
    // All of one text: contexts of one name.
    const ranks = Uint32Array.from({ length: 9_000 }, (_, at) => (at < 5_000 ? 0 : 9_000 - at));
    for (const each of all) texts.push(each);
    for (let more = 5_000; more < 9_000; more++) texts.push("group7.same");
    texts.pack();
    const order = new TextOrder(
      texts,
      ranks,
      Uint32Array.from({ length: 9_000 }, (_, at) => at),
    );
    const same = Array.from({ length: 4_000 }, () => "group7.same");
    for (const from of ["group7.", "zzz", "", "group40.name9", "group7.same"]) {
      const numbers = [...order.from(from)];
      expect(numbers.map((number) => texts.at(number))).toEqual(inOrder([...all, ...same], from));
      const ranked = numbers.filter((number) => number >= 5_000).map((number) => ranks[number] ?? 0);
      expect(ranked).toEqual(ranked.toSorted((a, b) => a - b));
    }
  });
});
