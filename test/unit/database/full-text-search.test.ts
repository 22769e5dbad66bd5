/** Full-text search in a real index: results, ranking, and robustness against any query. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Database } from "../../../src/database/database.ts";
import { KeySearch, type KeyQuery } from "../../../src/database/full-text-search.ts";
import { SearchIndex } from "../../../src/database/update-search-index.ts";
import { addKeys, addTranslations, createKeyDatabase } from "../support/key-database.ts";
import { runCount } from "../support/full-run.ts";

/** `namespace|key` or `namespace|key|context`, which is the hash too, with its source text. */
const keysOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([hash, value]) => {
    const [namespace = "", key = "", context = null] = hash.split("|");
    return { hash, namespace, key, context, text: { value } };
  });

async function indexed(texts: Readonly<Record<string, string>>): Promise<Database> {
  const database = createKeyDatabase(keysOf(texts));
  await new SearchIndex(database).update();
  return database;
}

const found = (database: Database, query: string | KeyQuery, limit = 100): readonly string[] =>
  [...new KeySearch(database).find(typeof query === "string" ? { words: [query] } : query, limit)].map(
    ({ hash }) => hash,
  );

describe("ranking", () => {
  test("ranks names by prefix, segment and substring, then texts", async () => {
    const database = await indexed({
      "*|a": "Pay for the cart",
      "*|b": "Cart",
      "shop|minicart": "",
      "shop|cart": "",
      "cart|title": "",
    });
    expect(found(database, "cart")).toEqual(["cart|title", "shop|cart", "shop|minicart", "*|b", "*|a"]);
    expect(found(database, "ca")).toEqual(["cart|title", "shop|cart", "shop|minicart", "*|b", "*|a"]);
    expect(found(database, "c")).toEqual(["cart|title", "shop|minicart", "shop|cart"]);
    expect(found(database, "cart", 2)).toEqual(["cart|title", "shop|cart"]);
  });

  test("ranks keys with the implied prefix first", async () => {
    const database = await indexed({ "a|title": "", "b|title": "", "b|other": "", "*|title": "" });
    expect(found(database, { words: ["ti"], prefixes: ["b."] })).toEqual(["b|title", "*|title", "a|title"]);
    expect(found(database, { words: [], prefixes: ["b."] })).toEqual([
      "b|title",
      "b|other",
      "a|title",
      "*|title",
    ]);
  });

  test("ranks preferred languages first", async () => {
    const database = await indexed({ "*|a": "", "*|b": "", "*|c": "Warenkorb" });
    addTranslations(database, "de", { "*|a": { value: "Warenkorb" } });
    addTranslations(database, "nl", { "*|b": { forms: { one: "x", other: "{n} warenkorb" } } });
    await new SearchIndex(database).update();
    const hits = [...new KeySearch(database).find({ words: ["warenk"], locales: ["nl"] }, 9)];
    expect(hits.map(({ hash, match }) => [hash, match?.locale, match?.text])).toEqual([
      ["*|c", null, "Warenkorb"],
      ["*|b", "nl", "{n} warenkorb"],
      ["*|a", "de", "Warenkorb"],
    ]);
  });
});

test("finds words with characters that JSON escapes in translations", async () => {
  const database = await indexed({ "*|a": "", "*|b": "" });
  addTranslations(database, "nl", {
    "*|a": { value: 'Zeg "nu" en C:\\tmp' },
    "*|b": { value: "Zeg nu en tmp" },
  });
  await new SearchIndex(database).update();
  const search = new KeySearch(database);
  const all = (...words: string[]): readonly string[] => [...search.hashes(words)].sort();
  expect(all('"nu"')).toEqual(["*|a"]);
  expect(all("zeg", '"nu"')).toEqual(["*|a"]);
  expect(all("c:\\tmp")).toEqual(["*|a"]);
  expect(all("ZEG", "tmp")).toEqual(["*|a", "*|b"]);
  expect(all("zeg", "niets")).toEqual([]);
});

describe("several words", () => {
  test("are found in names, then across name, context and text, then in one translation", async () => {
    const database = await indexed({
      "*|x": "The cart of your shop",
      "shop|open|door": "",
      "shop|total": "Cart",
      "shop|cart.title": "",
    });
    addTranslations(database, "nl", {
      "shop|open|door": { value: "cart shop" },
      "shop|total": { forms: { one: "cart shopt", other: "shop" } },
    });
    await new SearchIndex(database).update();
    expect(found(database, { words: ["cart", "shop"] })).toEqual([
      "shop|cart.title",
      "*|x",
      "shop|total",
      "shop|open|door",
    ]);
    expect(found(database, { words: ["door", "shop"] })).toEqual(["shop|open|door"]);
    expect(found(database, { words: ["to", "s"] })).toEqual(["shop|total"]);
  });
});

test("words of names and of translations are found together, whichever of them each key has in its name", async () => {
  const database = await indexed({ "cart|x": "", "sky|y": "", "cart|sky": "", "*|z": "", "cart|other": "" });
  addTranslations(database, "nl", {
    "cart|x": { value: "Blue sky" },
    "sky|y": { value: "Cart of blue" },
    "cart|sky": { value: "Blue" },
    "*|z": { value: "Cart in a blue sky" },
    "cart|other": { value: "Blue sea" },
  });
  await new SearchIndex(database).update();
  const all = [...new KeySearch(database).hashes(["cart", "blue", "sky"])];
  expect(all.toSorted()).toEqual(["*|z", "cart|sky", "cart|x", "sky|y"]);
});

test("a namespace is found by the separators of any framework, in names alone", async () => {
  const database = await indexed({
    "shop|cart": "",
    "*|text": "shop::cart",
    "*|other": "shop.cart",
    "*|link": "See example.com",
  });
  const all = (word: string): readonly string[] => [...new KeySearch(database).hashes([word])].toSorted();
  expect(all("shop::cart")).toEqual(["*|text", "shop|cart"]);
  expect(all("shop:cart")).toEqual(["shop|cart"]);
  expect(all("shop.cart")).toEqual(["*|other", "shop|cart"]);
  // What only looks like a name is searched for in texts, too.
  expect([found(database, "shop.cart"), found(database, "example.com")]).toEqual([["shop|cart"], ["*|link"]]);
});

test("without a word, also one of characters that are none, all keys are found, up to the limit", async () => {
  const database = await indexed({ "*|a": "A", "*|b": "B", "*|c": "C" });
  for (const words of [[], [""], ["\0"], ["\0", ""]]) {
    expect(found(database, { words })).toEqual(["*|a", "*|b", "*|c"]);
    expect(found(database, { words }, 2)).toEqual(["*|a", "*|b"]);
  }
});

test("a match says whether the name, the source text or a translation has the words", async () => {
  const database = await indexed({ "*|cart": "The cart", "*|a": "A cart", "*|b": "" });
  addTranslations(database, "nl", { "*|b": { forms: { one: "een", other: "een cart" } } });
  await new SearchIndex(database).update();
  const hits = [...new KeySearch(database).find({ words: ["cart"] }, 9)];
  expect(hits.map(({ hash, match, text }) => [hash, match, text])).toEqual([
    ["*|cart", null, { value: "The cart" }],
    ["*|a", { locale: null, text: "A cart" }, { value: "A cart" }],
    ["*|b", { locale: "nl", text: "een cart" }, { value: "" }],
  ]);
});

test("a match is the form with all of the words, else one with some of them", async () => {
  const database = createKeyDatabase([]);
  const forms = (hash: string, one: string, other: string) => ({
    hash,
    namespace: "*",
    key: hash,
    context: null,
    text: { forms: { one, other } },
  });
  addKeys(database, [
    forms("all", "A cart", "A cart of the shop"),
    forms("some", "Of a shop", "In the cart"),
  ]);
  await new SearchIndex(database).update();
  const hits = [...new KeySearch(database).find({ words: ["cart", "shop"] }, 9)];
  expect(hits.map(({ hash, match }) => [hash, match?.text])).toEqual([
    ["all", "A cart of the shop"],
    ["some", "Of a shop"],
  ]);
});

test("two letters find all texts and translations with a word that has them, however it goes on", async () => {
  const words = ["cafe", "cart", "cash", "scan", "boat"];
  const database = await indexed(
    Object.fromEntries(words.map((word) => [`*|${word.length}${word}`, `A ${word}`])),
  );
  addTranslations(
    database,
    "nl",
    Object.fromEntries(
      ["zoet", "zout", "gezag"].map((text, at) => [`*|4${words[at]}`, { value: `De ${text}` }]),
    ),
  );
  await new SearchIndex(database).update();
  expect(found(database, "ca").toSorted()).toEqual(["*|4cafe", "*|4cart", "*|4cash", "*|4scan"]);
  expect([...new KeySearch(database).hashes(["zo"])].toSorted()).toEqual(["*|4cafe", "*|4cart"]);
});

test("it is known whether everything is indexed: keys and translations", async () => {
  const database = await indexed({ "*|a": "A" });
  const search = new KeySearch(database);
  expect(search.isUpToDate).toBe(true);
  addKeys(database, keysOf({ "*|b": "B" }));
  expect(search.isUpToDate).toBe(false);
  await new SearchIndex(database).updateKeys();
  expect(search.isUpToDate).toBe(true);
  addTranslations(database, "nl", { "*|a": { value: "Aa" } });
  await new SearchIndex(database).updateKeys();
  expect(search.isUpToDate).toBe(false);
  await new SearchIndex(database).update();
  expect(search.isUpToDate).toBe(true);
});

describe("case and characters", () => {
  test.each([
    ["ÄRGER", "ärger"],
    ["привет", "ПРИВЕТ МИР"],
    ["ΟΔΟΣ", "οδοσ"],
    ["żółw", "ŻÓŁW"],
    ["购物", "我的购物车"],
    ["物车", "我的购物车"],
    ["😀😀x", "a 😀😀X"],
    ["ИТ", "Итого"],
    ["ok", "OK"],
  ])("finds %s in %s, in names, texts and translations", async (word, text) => {
    const database = await indexed({ [`*|${text}`]: "", "*|source": text, "*|other": "" });
    addTranslations(database, "nl", { "*|other": { value: text } });
    await new SearchIndex(database).update();
    expect(found(database, word).toSorted()).toEqual([`*|${text}`, "*|other", "*|source"].toSorted());
  });
});

describe("query syntax", () => {
  const awkward = [
    '"',
    "'",
    "*",
    "AND",
    "OR NOT",
    "name : x",
    "^a",
    "(",
    "a\0b",
    "\0",
    "😀",
    "-",
    "%",
    "_",
    "NEAR(a b)",
    "\ud800",
    "{",
    'a"b"c',
    "::",
    "\n",
  ];
  test.each(awkward)("%j", async (word) => {
    const database = await indexed({ "*|plain": "text" });
    addKeys(database, [
      { hash: "1", namespace: "*", key: `x${word}y`, context: null, text: null },
      { hash: "2", namespace: "*", key: "text", context: null, text: { value: `x${word}y` } },
    ]);
    await new SearchIndex(database).update();
    const hashes = found(database, word, 10);
    const letters = word.replaceAll("\0", "");
    if (Array.from(letters).length > 2) expect(hashes).toEqual(expect.arrayContaining(["1", "2"]));
    found(database, { words: [word, "x"], prefixes: [word] });
    new KeySearch(database).similarNames(word);
  });

  test("finds the same as a full scan for any query", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "B", "ä", ".", '"', "*", " ", "购", "😀"),
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: text, text, translation: text }), { maxLength: 8 }),
        text,
        async (rows, word) => {
          fc.pre(Array.from(word).length > 2);
          const keys = rows.map(({ key, text: value }, index) => ({
            hash: String(index),
            namespace: "*",
            key,
            context: null,
            text: { value },
          }));
          const database = createKeyDatabase(keys);
          addTranslations(
            database,
            "nl",
            Object.fromEntries(rows.map(({ translation }, index) => [String(index), { value: translation }])),
          );
          await new SearchIndex(database).update();
          const has = (each: string): boolean => each.toLowerCase().includes(word.toLowerCase());
          const named = keys.filter(({ key }) => has(key));
          const expected = keys.filter(
            (key, index) => has(key.key) || has(key.text.value) || has(rows[index]?.translation ?? ""),
          );
          const hashes = found(database, word);
          expect(hashes.slice(0, named.length).toSorted()).toEqual(named.map(({ hash }) => hash).toSorted());
          // The beginning of a name that is one ends the search.
          if (!/^[\w-]+(?:[.:/]+[\w-]*)+$/.test(word)) {
            expect(hashes.toSorted()).toEqual(expected.map(({ hash }) => hash).toSorted());
          }
          database.close();
        },
      ),
      { numRuns: runCount(100) },
    );
  });
});

describe("index", () => {
  test("follows changed and removed rows", async () => {
    const database = await indexed({ "*|a": "before", "*|b": "before" });
    addTranslations(database, "nl", { "*|a": { value: "ervoor" }, "*|b": { value: "ervoor" } });
    const index = new SearchIndex(database);
    await index.update();
    addKeys(database, keysOf({ "*|a": "after" }));
    addTranslations(database, "nl", { "*|a": { value: "erna" } });
    await index.update();
    expect([found(database, "before"), found(database, "after")]).toEqual([["*|b"], ["*|a"]]);
    expect([found(database, "ervoor"), found(database, "erna")]).toEqual([["*|b"], ["*|a"]]);
    database.sql("DELETE FROM keys WHERE hash = '*|b'").run();
    addTranslations(database, "nl", { "*|b": null });
    expect([found(database, "before"), found(database, "ervoor")]).toEqual([[], []]);
    await index.update();
    expect([found(database, "before"), found(database, "ervoor")]).toEqual([[], []]);
    // A row that was empty gets its first text.
    addKeys(database, keysOf({ "*|b": "" }));
    addTranslations(database, "nl", { "*|b": { value: "eindelijk" } });
    await index.update();
    expect(found(database, "eindelijk")).toEqual(["*|b"]);
  });

  test("processes thousands of rows in slices until aborted", async () => {
    const database = createKeyDatabase(
      keysOf(Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`*|key${at}`, `text ${at}`]))),
    );
    const controller = new AbortController();
    setImmediate(() => controller.abort(new Error("closed")));
    const index = new SearchIndex(database);
    await expect(index.update(controller.signal)).rejects.toThrow("closed");
    expect(found(database, "key8999")).toEqual([]);
    await index.update();
    expect(found(database, "key8999")).toEqual(["*|key8999"]);
    expect(found(database, "text 2998")).toEqual(["*|key2998"]);
  });
});

test("finds similar names by their rarest trigrams", async () => {
  const names = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [`group${at % 9}|common.title${at}`, ""]),
  );
  const database = await indexed({ ...names, "cart|checkout.total": "" });
  const similar = new KeySearch(database).similarNames("cart.chekcout.total").map(({ hash }) => hash);
  expect(similar).toContain("cart|checkout.total");
  expect(similar.length).toBeLessThan(600);
});

describe("similar texts", () => {
  const texts = {
    "*|own": "Remove the product from your cart",
    "*|near": "Remove the voucher from your cart",
    "*|nearest": "Remove this product from your cart",
    "*|far": "Your cart is empty",
    "*|other": "Log in",
    "*|none": "",
  };
  const like = async (text: string, limit = 9): Promise<readonly string[]> =>
    new KeySearch(await indexed(texts)).similarTexts(text, limit).map(({ hash }) => hash);

  test("share the most words, most similar first", async () => {
    expect(await like("Remove the product from your cart")).toEqual(["*|own", "*|near", "*|nearest"]);
    expect(await like("Remove the product from your cart", 1)).toEqual(["*|own"]);
    expect(await like("REMOVE this product from your cart!")).toEqual(["*|nearest", "*|own", "*|near"]);
    expect(await like("YOUR CART IS EMPTY")).toEqual(["*|far"]);
  });

  test.each(["", ":x", "a", '"', "NEAR(", "cart* OR", "\u0000", "Nothing has these words"])(
    "are empty for %j",
    async (text) => {
      expect(await like(text)).toEqual([]);
    },
  );
});
