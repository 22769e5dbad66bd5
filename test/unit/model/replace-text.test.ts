/** Replaces words in texts of any kind. */
import { expect, it } from "vitest";
import { replaceInText } from "../../../src/model/translation-text.ts";

const search = { find: "cart", replacement: "basket", matchCase: false };

it("replaces every occurrence in every form", () => {
  expect(replaceInText({ value: "Cart, cart" }, search)).toEqual({ value: "basket, basket" });
  expect(replaceInText({ value: "Cart, cart" }, { ...search, matchCase: true })).toEqual({
    value: "Cart, basket",
  });
  expect(replaceInText({ forms: { one: "a cart", other: "none" } }, search)).toEqual({
    forms: { one: "a basket", other: "none" },
  });
});

it("returns null if nothing changes", () => {
  expect(replaceInText({ value: "Bag" }, search)).toBeNull();
  expect(replaceInText({ value: "basket" }, { ...search, find: "basket" })).toBeNull();
  expect(replaceInText({ value: "basket" }, { ...search, find: "" })).toBeNull();
  expect(replaceInText({ forms: { other: "Bag" } }, search)).toBeNull();
});

it("takes search and replacement literally", () => {
  for (const find of [".*", "(a)", "[x]", "a|b", "$&", "\\d", "{0}", "^", "/", "a-b", "&&"])
    expect(replaceInText({ value: `<${find}>` }, { ...search, find, replacement: "$1 $& $$" })).toEqual({
      value: "<$1 $& $$>",
    });
});
