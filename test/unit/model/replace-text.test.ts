/** Words put in place of others in texts of any kind. */
import { expect, it } from "vitest";
import { replaceInText } from "../../../src/model/replace-text.ts";

const asked = { find: "cart", replacement: "basket", matchCase: false };

it("replaces every occurrence in every form", () => {
  expect(replaceInText({ value: "Cart, cart" }, asked)).toEqual({ value: "basket, basket" });
  expect(replaceInText({ value: "Cart, cart" }, { ...asked, matchCase: true })).toEqual({
    value: "Cart, basket",
  });
  expect(replaceInText({ forms: { one: "a cart", other: "none" } }, asked)).toEqual({
    forms: { one: "a basket", other: "none" },
  });
});

it("returns null if nothing changes", () => {
  expect(replaceInText({ value: "Bag" }, asked)).toBeNull();
  expect(replaceInText({ value: "basket" }, { ...asked, find: "basket" })).toBeNull();
  expect(replaceInText({ value: "basket" }, { ...asked, find: "" })).toBeNull();
  expect(replaceInText({ forms: { other: "Bag" } }, asked)).toBeNull();
});

it("takes search and replacement literally", () => {
  for (const find of [".*", "(a)", "[x]", "a|b", "$&", "\\d", "{0}", "^", "/", "a-b", "&&"])
    expect(replaceInText({ value: `<${find}>` }, { ...asked, find, replacement: "$1 $& $$" })).toEqual({
      value: "<$1 $& $$>",
    });
});
