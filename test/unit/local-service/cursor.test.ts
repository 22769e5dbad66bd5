/** A cursor is only valid for the query that it was issued for. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Cursors } from "../../../src/local-service/http/cursor.ts";

const cursors = new Cursors("00".repeat(32));

test("accepts a cursor only for its own list", () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.string(), (id, list, other) => {
      const cursor = cursors.seal(list, id);
      expect(cursors.open(list, cursor)).toBe(id);
      if (other !== list) expect(cursors.open(other, cursor)).toBeUndefined();
      expect(new Cursors("01".repeat(32)).open(list, cursor)).toBeUndefined();
    }),
  );
});

test("rejects forged and altered cursors", () => {
  fc.assert(fc.property(fc.string(), (made) => cursors.open("keys", made) === undefined));
  const cursor = cursors.seal("keys", 77);
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === "A" ? "B" : "A";
    expect(cursors.open("keys", cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeUndefined();
  }
});
