/** Serialised key references round-trip, and equal references have equal texts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  parseKeyReference,
  serializeKeyReference,
} from "../../../../src/workspace/usages/stored-key-references.ts";
import type { KeyReference } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import { propertyRuns } from "../../support/full-run.ts";

const text = fc.string({ maxLength: 5 });
const reference: fc.Arbitrary<KeyReference> = fc.record(
  {
    expression: fc.oneof(
      fc.record({ kind: fc.constant("static" as const), key: text }),
      fc.record({ kind: fc.constant("pattern" as const), prefix: text, suffix: text }),
    ),
    namespaces: fc.oneof(
      fc.constant("unknown" as const),
      fc.constant(null),
      fc.array(text, { minLength: 1 }),
    ),
    keyPrefix: text,
    context: fc.option(text),
    dynamicContext: fc.constant(true as const),
  },
  { requiredKeys: ["expression", "namespaces", "keyPrefix", "context"] },
);

test("round-trips references and their text", () => {
  fc.assert(
    fc.property(reference, (given) => {
      const stored = serializeKeyReference(given);
      expect(parseKeyReference(stored)).toEqual(given);
      expect(serializeKeyReference(parseKeyReference(stored))).toBe(stored);
    }),
    propertyRuns(100),
  );
});
