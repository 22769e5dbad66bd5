/** The edit distance, compared with the plain algorithm. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance } from "../../../src/util/edit-distance.ts";
import { propertyRuns } from "../support/full-run.ts";

function plain(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return areSwapped(a, b) ? 1 : (row[b.length] ?? 0);
}

/** Whether the texts differ in two neighbours that are swapped. */
function areSwapped(a: string, b: string): boolean {
  return Array.from(a).some(
    (_, at) => a !== b && a.slice(0, at) + (a[at + 1] ?? "") + a[at] + a.slice(at + 2) === b,
  );
}

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "."), maxLength: 14 });

test("counts swapped neighbours as one edit", () => {
  expect(editDistance("name", "nmae")).toBe(1);
  expect(editDistance("name", "maen")).toBeGreaterThan(1);
});

test("equals a table-based implementation", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(editDistance(a, b)).toBe(plain(a, b));
    }),
    propertyRuns(100),
  );
});

test("is exact up to the maximum and larger beyond", () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 5 }), (a, b, most) => {
      const right = plain(a, b);
      const found = editDistance(a, b, most);
      if (right <= most) expect(found).toBe(right);
      else expect(found).toBeGreaterThan(most);
    }),
    propertyRuns(100),
  );
});
