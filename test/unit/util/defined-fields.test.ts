/** Objects without undefined properties. */
import { expect, it } from "vitest";
import { definedFields } from "../../../src/util/defined-fields.ts";

it("only undefined fields are left out", () => {
  const tag: string | undefined = undefined;
  expect(Object.entries(definedFields({ key: "a", context: null, count: 0, text: "", tag }))).toEqual([
    ["key", "a"],
    ["context", null],
    ["count", 0],
    ["text", ""],
  ]);
});
