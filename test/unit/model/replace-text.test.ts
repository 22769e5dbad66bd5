/** Words put in place of others in texts of any kind. */
import { expect, it } from "vitest";
import { replaceIn } from "../../../src/model/replace-text.ts";

const asked = { find: "cart", replacement: "basket", matchCase: false };

it("replaces every place, in every form", () => {
  expect(replaceIn({ value: "Cart, cart" }, asked)).toEqual({ value: "basket, basket" });
  expect(replaceIn({ value: "Cart, cart" }, { ...asked, matchCase: true })).toEqual({
    value: "Cart, basket",
  });
  expect(replaceIn({ forms: { one: "a cart", other: "none" } }, asked)).toEqual({
    forms: { one: "a basket", other: "none" },
  });
});

it("says so where nothing changes", () => {
  expect(replaceIn({ value: "Bag" }, asked)).toBeNull();
  expect(replaceIn({ value: "basket" }, { ...asked, find: "basket" })).toBeNull();
  expect(replaceIn({ value: "basket" }, { ...asked, find: "" })).toBeNull();
  expect(replaceIn({ forms: { other: "Bag" } }, asked)).toBeNull();
});

it("takes both for what they are", () => {
  for (const find of [".*", "(a)", "[x]", "a|b", "$&", "\\d", "{0}", "^", "/", "a-b", "&&"])
    expect(replaceIn({ value: `<${find}>` }, { ...asked, find, replacement: "$1 $& $$" })).toEqual({
      value: "<$1 $& $$>",
    });
});
