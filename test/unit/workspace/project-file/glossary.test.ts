/** The glossary from the project file and other files, and its terms in a text. */
import { describe, expect, test } from "vitest";
import {
  GlossaryError,
  readGlossary,
  glossaryTermsIn,
} from "../../../../src/workspace/project-file/glossary.ts";

const stamp = { size: 0, modified: 0 };
const read = (glossary: string, text?: string) =>
  readGlossary(
    { translate: { glossary } },
    {
      read: async () =>
        text === undefined
          ? { kind: "missing" }
          : { kind: "read", bytes: new TextEncoder().encode(text), stamp, dirty: false },
    },
  );
const CART = { cart: { nl: "winkelwagen", "pt-BR": "carrinho" } };

describe("parseGlossary", () => {
  test("reads it from the project file, if any", async () => {
    const files = { read: () => Promise.reject(new Error("nothing is to be read")) };
    expect(await readGlossary({ translate: { glossary: CART } }, files)).toEqual(CART);
    expect(await readGlossary({}, files)).toEqual({});
    expect(await readGlossary({ translate: {} }, files)).toEqual({});
  });

  test.each([
    ["glossary.json", JSON.stringify(CART)],
    ["glossary.csv", "term,nl,pt-BR\ncart,winkelwagen,carrinho\n"],
    ["glossary.csv", '\ufeff"Term";"nl";"pt-BR"\r\ncart;winkelwagen;carrinho\r\n'],
    ["glossary.CSV", "key\tnl\tpt-BR\ncart\twinkelwagen\tcarrinho"],
  ])("reads %s", async (path, text) => {
    expect(await read(path, text)).toEqual(CART);
  });

  test("allows missing languages", async () => {
    const text = 'term,nl,de\n"check out",,zur Kasse\nvoucher,bon,\n';
    expect(await read("terms.csv", text)).toEqual({
      "check out": { de: "zur Kasse" },
      voucher: { nl: "bon" },
    });
  });

  test("has terms that are named like plural forms", async () => {
    expect(await read("terms.csv", "term,nl\nitem_one,stuk\nitem_other,stuks\n")).toEqual({
      item_one: { nl: "stuk" },
      item_other: { nl: "stuks" },
    });
  });

  test.each([
    ["gone.json", undefined],
    ["broken.json", "{"],
    ["list.json", "[]"],
    ["deep.json", "[".repeat(100_000)],
    ["numbers.json", '{"cart":{"nl":1}}'],
    ["no-terms.csv", "a,b\n1,2\n"],
    ["large.json", `{}${" ".repeat(5_000_000)}`],
  ])("rejects %s", async (path, text) => {
    await expect(read(path, text)).rejects.toThrow(GlossaryError);
  });
});

describe("glossary terms of a text", () => {
  const glossary = {
    ...CART,
    "check out": { nl: "afrekenen" },
    "": { nl: "x" },
    art: { nl: "kunst" },
    VAT: { nl: "btw" },
  };
  const terms = (text: string, locale = "nl") => glossaryTermsIn(glossary, text, locale);

  test("match whole words, case-insensitively and in the plural", () => {
    expect(terms("Your CART is empty")).toEqual({ cart: "winkelwagen" });
    expect(terms("Two carts.")).toEqual({ cart: "winkelwagen" });
    expect(terms("The vat rate")).toEqual({ VAT: "btw" });
    expect(terms("Check out with your cart")).toEqual({ cart: "winkelwagen", "check out": "afrekenen" });
    expect(terms("Cartography, a la carte-like Descartes")).toEqual({ cart: "winkelwagen" });
    expect(terms("Cartography")).toEqual({});
    expect(terms("Log in")).toEqual({});
    expect(terms("Model 4cart")).toEqual({});
  });

  test("are the first twenty", () => {
    const words = Array.from({ length: 21 }, (_, index) => `word${index}`);
    const many = Object.fromEntries(words.map((word) => [word, { nl: "x" }]));
    expect(Object.keys(glossaryTermsIn(many, words.join(" "), "nl"))).toEqual(words.slice(0, 20));
  });

  test("are those of the language", () => {
    expect(terms("cart", "pt_BR")).toEqual({ cart: "carrinho" });
    expect(terms("cart", "de")).toStrictEqual({});
  });
});
