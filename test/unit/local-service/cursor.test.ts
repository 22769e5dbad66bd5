/** A cursor is only valid for the query that it was issued for. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openCursor, sealCursor } from "../../../src/local-service/endpoints/key-list.ts";
import { propertyRuns } from "../support/full-run.ts";

const secret = "00".repeat(32);

test("accepts a cursor only for its own list", () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.string(), (id, list, other) => {
      const cursor = sealCursor(secret, list, id);
      expect(openCursor(secret, list, cursor)).toBe(id);
      if (other !== list) expect(openCursor(secret, other, cursor)).toBeUndefined();
      expect(openCursor("01".repeat(32), list, cursor)).toBeUndefined();
    }),
    propertyRuns(100),
  );
});
