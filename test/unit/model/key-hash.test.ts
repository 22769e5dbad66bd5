/** The two hashes: test vectors made with PHP, and properties for any text. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalForms, keyHash, sourceHash } from "../../../src/model/key-hash.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { anyCharacter } from "../support/any-character.ts";
import { propertyRuns } from "../support/full-run.ts";

const sha1 = (text: string): string => createHash("sha1").update(text, "utf8").digest("hex");

interface Vectors {
  readonly keyHash: readonly {
    readonly id: string;
    readonly note: string;
    readonly input: { namespace: string | null; key: string; context: string | null };
    readonly canonical: string;
    readonly hash: string;
  }[];
  readonly sourceHash: readonly {
    readonly id: string;
    readonly note: string;
    readonly input: { value?: string | null; forms?: Record<string, string> | null };
    readonly canonical: string | null;
    readonly sourceHash: string | null;
  }[];
}

const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/vectors/hash.json"), "utf8"),
) as Vectors;

function textOf({ value, forms }: Vectors["sourceHash"][number]["input"]): Text | null {
  if (forms != null) return { forms };
  return value == null ? null : { value };
}

describe("hash", () => {
  test.each(vectors.keyHash)("$id: $note", ({ input, canonical, hash }) => {
    expect(keyHash(input)).toBe(hash);
    expect(sha1(canonical)).toBe(hash);
  });

  test("is unique for names without the separator", () => {
    // Mostly short ones of few letters, so that equal names are met too.
    const part = fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom("a", "*", "."), maxLength: 1 }) },
      fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed() && !text.includes("\u001f")),
    );
    fc.assert(
      fc.property(part, part, part, part, part, part, (n1, k1, c1, n2, k2, c2) => {
        const same = n1 === n2 && k1 === k2 && c1 === c2;
        const one = keyHash({ namespace: n1, key: k1, context: c1 });
        expect(one === keyHash({ namespace: n2, key: k2, context: c2 })).toBe(same);
        expect(one).toMatch(/^[0-9a-f]{40}$/u);
      }),
      propertyRuns(100),
    );
  });

  test("treats no namespace as `*` and no context as empty", () => {
    fc.assert(
      fc.property(fc.string(), (key) => {
        const hash = keyHash({ key });
        expect(keyHash({ namespace: "*", key, context: "" })).toBe(hash);
        expect(keyHash({ namespace: null, key, context: null })).toBe(hash);
      }),
      propertyRuns(100),
    );
  });
});

describe("sourceHash", () => {
  test.each(vectors.sourceHash)("$id: $note", ({ input, canonical, sourceHash: expected }) => {
    expect(sourceHash(textOf(input))).toBe(expected);
    expect(canonical === null ? null : sha1(canonical)).toBe(expected);
  });

  const forms = fc.dictionary(
    fc.oneof(
      fc.constantFrom("zero", "one", "two", "few", "many", "other"),
      fc.string({ unit: anyCharacter }),
    ),
    fc.string({ unit: anyCharacter }),
    { noNullPrototype: true },
  );

  test("hashes the JSON of the forms", () => {
    fc.assert(
      fc.property(forms, (given) => {
        const wellFormed = Object.fromEntries(
          Object.entries(given).map(([name, text]) => [name.toWellFormed(), text.toWellFormed()]),
        );
        fc.pre(Object.keys(wellFormed).length === Object.keys(given).length);
        const text = canonicalForms(given);
        expect(JSON.parse(text)).toEqual(wellFormed);
        expect(text).not.toMatch(/[\u2028\u2029]|[^\\]\//u);
      }),
      propertyRuns(100),
    );
  });

  test("ignores the order of forms", () => {
    fc.assert(
      fc.property(forms, (given) => {
        const reversed = Object.fromEntries(Object.entries(given).toReversed());
        expect(canonicalForms(reversed)).toBe(canonicalForms(given));
      }),
      propertyRuns(100),
    );
  });

  test("hashes a single value directly", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        expect(sourceHash({ value })).toBe(sha1(value));
      }),
      propertyRuns(100),
    );
  });
});
