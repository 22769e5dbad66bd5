/** Which texts a paste, a fill, a clear and a replacement set. */
import { describe, expect, it } from "vitest";
import {
  clearedEdits,
  filledEdits,
  pastedEdits,
  replacedTexts,
  type CellReader,
  type ReplacedText,
} from "../../../src/features/translation-editor/range-edits.ts";
import type { Replacement, Text } from "../../../src/model/translation-text.ts";
import { TimeLimitError } from "../../../src/util/time-limit.ts";

const value = (text: string): Text => ({ value: text });
const forms = (one: string, other: string): Text => ({ forms: { one, other } });

/** Cells by language and key; keys that begin with `p` have plural forms. */
const reader = (texts: Readonly<Record<string, Text>>): CellReader => ({
  text: (locale, hash) => texts[`${locale} ${hash}`] ?? null,
  isPlural: (hash) => hash.startsWith("p"),
});

describe("paste", () => {
  it("sets a value, and the forms of a plural text, one per line", () => {
    const cells = [
      { locale: "nl", hash: "a", copied: "x\ny" },
      { locale: "nl", hash: "p", copied: "x\ny" },
      { locale: "nl", hash: "p2", copied: "" },
    ];
    expect(pastedEdits(cells, reader({}))).toEqual([
      { locale: "nl", hash: "a", text: value("x\ny") },
      { locale: "nl", hash: "p", text: forms("x", "y") },
      { locale: "nl", hash: "p2", text: { forms: {} } },
    ]);
  });

  it("leaves a plural text without one line per form as it is", () => {
    const cells = [{ locale: "nl", hash: "p", copied: "only one" }];
    expect(pastedEdits(cells, reader({ "nl p": forms("a", "b") }))).toEqual([null]);
  });

  it("expects a line for each form that the text already has", () => {
    const texts = reader({ "nl p": { forms: { zero: "0", one: "1", other: "2" } } });
    const cells = [{ locale: "nl", hash: "p", copied: "a\nb\nc" }];
    expect(pastedEdits(cells, texts)).toEqual([
      { locale: "nl", hash: "p", text: { forms: { one: "a", other: "b", zero: "c" } } },
    ]);
  });
});

describe("fill", () => {
  it("sets the text of the first key in each language by itself", () => {
    const texts = reader({ "nl a": value("Ja"), "fr a": value("Oui") });
    expect(filledEdits("a", ["b", "c"], ["nl", "fr"], texts)).toEqual([
      { locale: "nl", hash: "b", text: value("Ja") },
      { locale: "nl", hash: "c", text: value("Ja") },
      { locale: "fr", hash: "b", text: value("Oui") },
      { locale: "fr", hash: "c", text: value("Oui") },
    ]);
  });

  it("does not change languages in which the first key has no text", () => {
    const texts = reader({ "fr a": value("Oui"), "nl b": value("Nee") });
    expect(filledEdits("a", ["b"], ["nl", "fr"], texts)).toEqual([
      { locale: "fr", hash: "b", text: value("Oui") },
    ]);
  });

  it("fills no value with plural forms, nor the other way round", () => {
    const texts = reader({ "nl a": value("Ja"), "nl p": forms("a", "b") });
    expect(filledEdits("a", ["p2", "b"], ["nl"], texts)).toEqual([
      null,
      { locale: "nl", hash: "b", text: value("Ja") },
    ]);
    expect(filledEdits("p", ["a"], ["nl"], texts)).toEqual([null]);
  });

  it("sets an empty text that the first key was cleared to", () => {
    expect(filledEdits("a", ["b"], ["nl"], reader({ "nl a": value("") }))).toEqual([
      { locale: "nl", hash: "b", text: value("") },
    ]);
  });
});

it("clears values and plural forms", () => {
  expect(clearedEdits(["a", "p"], ["nl", "fr"], reader({}))).toEqual([
    { locale: "nl", hash: "a", text: value("") },
    { locale: "fr", hash: "a", text: value("") },
    { locale: "nl", hash: "p", text: { forms: {} } },
    { locale: "fr", hash: "p", text: { forms: {} } },
  ]);
});

describe("replace", () => {
  const replacement = {
    find: "cart",
    replacement: "basket",
    matchCase: false,
    wholeWord: false,
    isRegExp: false,
  };
  const cells = [
    { locale: "nl", hash: "a" },
    { locale: "nl", hash: "b" },
    { locale: "fr", hash: "a" },
  ];

  const replaceAll = async (
    texts: Parameters<typeof reader>[0],
    changes: Partial<Replacement> = {},
  ): Promise<readonly ReplacedText[]> => {
    const all: ReplacedText[] = [];
    for await (const some of replacedTexts(cells, { ...replacement, ...changes }, reader(texts)))
      all.push(...some);
    return all;
  };

  it("replaces in the chosen cells only", async () => {
    const texts = { "nl a": value("Cart, cart"), "nl c": value("cart"), "fr a": forms("cart", "no") };
    expect(await replaceAll(texts)).toEqual([
      { locale: "nl", hash: "a", before: value("Cart, cart"), text: value("basket, basket") },
      { locale: "fr", hash: "a", before: forms("cart", "no"), text: forms("basket", "no") },
    ]);
  });

  it("leaves out forms that are empty, as a text that is typed does", async () => {
    const texts = { "nl a": { forms: { one: "cart", two: "", other: "carts" } } };
    expect(await replaceAll(texts)).toMatchObject([{ text: { forms: { one: "basket", other: "baskets" } } }]);
    expect((await replaceAll(texts))[0]?.text).not.toHaveProperty("forms.two");
    const ends = { find: "$", replacement: "!", isRegExp: true };
    expect((await replaceAll(texts, ends))[0]?.text).toEqual({ forms: { one: "cart!", other: "carts!" } });
  });

  it("changes the text that is there now, not the one of the preview", async () => {
    const texts: Record<string, Text> = { "nl a": value("a cart") };
    await replaceAll(texts);
    texts["nl a"] = value("somebody's cart");
    texts["nl b"] = value("gone");
    expect((await replaceAll(texts)).map(({ text }) => text)).toEqual([value("somebody's basket")]);
  });

  it("replaces each of many cells once", async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ locale: "nl", hash: String(index) }));
    const replaced: string[] = [];
    const texts = { text: () => value("cart") };
    for await (const some of replacedTexts(many, replacement, texts))
      replaced.push(...some.map(({ hash }) => hash));
    expect(replaced).toEqual(many.map(({ hash }) => hash));
  });

  it("ends a regular expression that takes too long, in which only text is searched otherwise", async () => {
    const texts = { "nl a": value(`${"a".repeat(64)}!`) };
    await expect(replaceAll(texts, { find: "(a+)+$", isRegExp: true })).rejects.toThrow(TimeLimitError);
    expect(await replaceAll(texts, { find: "(a+)+$" })).toEqual([]);
    expect(await replaceAll(texts, { find: "a+", isRegExp: true, replacement: "b" })).toMatchObject([
      { text: value("b!") },
    ]);
  });
});
