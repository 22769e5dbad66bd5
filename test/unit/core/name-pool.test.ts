/** A pool of names knows each name by its number, and each hash by one of its own, however names come. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyHash, type KeyName } from "../../../src/core/identity.ts";
import { NamePool } from "../../../src/core/name-pool.ts";

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");
const word = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom("a", "b", "", "\ud800"));
const name: fc.Arbitrary<KeyName> = fc.record(
  { namespace: word, key: word, context: fc.option(word, { nil: null }) },
  { noNullPrototype: true },
);

describe("a pool of names", () => {
  test("gives each name one number, and tells it and its hash by that", () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 200 }), fc.boolean(), (names, packs) => {
        const pool = new NamePool(sha1);
        const numbers = names.map((each) => {
          const number = pool.numberOf({ ...each });
          if (packs) pool.pack();
          return number;
        });
        expect(names.map((each) => pool.numberOf({ ...each }))).toEqual(numbers);
        const ids = new Set(names.map((each) => JSON.stringify([each.namespace, each.key, each.context])));
        expect([pool.size, new Set(numbers).size]).toEqual([ids.size, ids.size]);
        for (const [at, each] of names.entries()) {
          const number = numbers[at] ?? -1;
          const hash = keyHash(sha1, each);
          expect(pool.nameAt(number)).toEqual(each);
          expect(pool.namespaceAt(number)).toBe(each.namespace);
          expect(pool.hashAt(number)).toBe(hash);
          expect(pool.idOf(hash)).toBe(pool.idAt(number));
        }
        expect(pool.ids).toBe(new Set(names.map((each) => keyHash(sha1, each))).size);
      }),
    );
  });

  test("knows no hash that no name has, and one for names that the service takes for the same", () => {
    const pool = new NamePool(sha1);
    const [none, empty] = [null, ""].map((context) => pool.numberOf({ namespace: "*", key: "a", context }));
    expect(none).not.toBe(empty);
    expect(pool.idAt(none ?? -1)).toBe(pool.idAt(empty ?? -1));
    expect(pool.ids).toBe(1);
    expect(pool.idOf(keyHash(sha1, { key: "b" }))).toBe(-1);
  });
});
