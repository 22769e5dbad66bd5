/** Replaces words in texts of any kind. */
import { expect, it } from "vitest";
import { replaceInText } from "../../../src/model/translation-text.ts";

const search = { find: "cart", replacement: "basket", matchCase: false, wholeWord: false, isRegExp: false };

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

it("replaces whole words, also beside letters of other scripts", () => {
  const whole = { ...search, wholeWord: true };
  expect(replaceInText({ value: "cart, cartoon, écart, cart_1, (cart)" }, whole)).toEqual({
    value: "basket, cartoon, écart, cart_1, (basket)",
  });
});

it("replaces matches of a regular expression with its groups", () => {
  const dates = { ...search, isRegExp: true, find: "(\\d+)-(\\d+)", replacement: "$2/$1" };
  expect(replaceInText({ value: "on 24-12, $1" }, dates)).toEqual({ value: "on 12/24, $1" });
  expect(replaceInText({ value: "one two" }, { ...dates, find: "o", wholeWord: true })).toBeNull();
});

it("replaces nothing by what is no regular expression", () => {
  expect(replaceInText({ value: "a(b" }, { ...search, isRegExp: true, find: "(" })).toBeNull();
});
