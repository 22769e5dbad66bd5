/** Packed strings are the strings that they were packed from: short columns, and long ones in compressed pieces. */
import { MessageChannel } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isSameStrings,
  kindAt,
  type PackedStrings,
  stringAt,
  stringBuffers,
  StringPacker,
} from "../../../src/core/formats/packed-strings.ts";

type Strings = readonly (string | null)[];

function pack(strings: Strings, isPlain = false): NonNullable<PackedStrings> {
  const packer = new StringPacker(strings.length, isPlain);
  for (const string of strings) packer.add(string);
  return packer.packed() as NonNullable<PackedStrings>;
}

function unpack(strings: PackedStrings): Strings {
  return Array.from(strings?.ends ?? [], (_, at) => stringAt(strings, at));
}

const LONG = Array.from({ length: 5_000 }, (_, at) => `The text of number ${at}, long enough to be packed`);
const plain = LONG.reduce((sum, each) => sum + each.length, 0);
const sizeOf = ({ text }: NonNullable<PackedStrings>): number =>
  typeof text === "string" ? text.length : text.bytes.length;

/** As anything may be said in a file: halves of characters, marks, quotes, nothing. */
const odd = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom("\ud800", "\udc00", "\ufeff", '"', "\\", "\0", "é", "漢"),
    maxLength: 30,
  }),
  fc.constantFrom("", '"', "\ufeff", "\ud83d", "a".repeat(40_000), "\ud800".repeat(20_000)),
  fc.constant(null),
);

describe("strings in columns", () => {
  test("are what they were packed from, in any order, in a third of the memory", () => {
    const packed = pack(LONG);
    expect(sizeOf(packed)).toBeLessThan(plain / 3);
    expect(unpack(packed)).toEqual(LONG);
    for (let at = 0; at < LONG.length; at++) {
      const other = (at * 2_377) % LONG.length;
      expect(stringAt(packed, other)).toBe(LONG[other]);
    }
  });

  test("are so whatever is in them, where pieces begin and end", () => {
    const whole = fc.tuple(fc.array(odd, { maxLength: 40 }), fc.nat(LONG.length), fc.nat(40));
    fc.assert(
      fc.property(whole, ([strings, before, at]) => {
        const all = [...LONG.slice(0, before), ...strings.slice(0, at), ...LONG, ...strings.slice(at)];
        const packed = pack(all);
        expect(typeof packed.text).toBe("object");
        expect(unpack(packed)).toEqual(all);
      }),
      { numRuns: 30 },
    );
  });

  test("stay as they are where they are few, not to be compressed, or cannot be", () => {
    expect(pack(LONG.slice(0, 100)).text).toBe(LONG.slice(0, 100).join(""));
    expect(pack(LONG, true).text).toBe(LONG.join(""));
    const noise = fc.sample(
      fc.string({
        unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
        minLength: 1_000,
      }),
      { numRuns: 100, seed: 1 },
    );
    const packed = pack(noise);
    expect(packed.text).toBe(noise.join(""));
    expect(unpack(packed)).toEqual(noise);
  });

  test("are the same in another thread, and nothing of them stays here", async () => {
    const strings = [...LONG, null, ""];
    const packed = pack(strings);
    const { port1, port2 } = new MessageChannel();
    const taken = new Promise<PackedStrings>((resolve) => port2.once("message", resolve));
    port1.postMessage(packed, stringBuffers(packed));
    expect(unpack(await taken)).toEqual(strings);
    expect([packed.ends.length, sizeOf(packed), kindAt(packed, 0)]).toEqual([0, 0, 0]);
    port1.close();
  });

  test("are compared with others, however these are packed", () => {
    const other = LONG.with(3_000, "The text of number 3001, long enough to be packed");
    expect(isSameStrings(pack(LONG), pack([...LONG]))).toBe(true);
    expect(isSameStrings(pack(LONG), pack(LONG, true))).toBe(true);
    for (const isPlain of [false, true]) {
      expect(isSameStrings(pack(LONG), pack(other, isPlain))).toBe(false);
      expect(isSameStrings(pack([...LONG, ""]), pack([...LONG, null], isPlain))).toBe(false);
      expect(isSameStrings(pack(LONG), pack(LONG.slice(1), isPlain))).toBe(false);
    }
    expect(isSameStrings(pack(LONG), null)).toBe(false);
  });
});
