/** Searching keys while a person types, saying them so that they are found again, and the nearest to a wrong one. */
import { describe, expect, test } from "vitest";
import { KeyNames } from "../../../src/core/key-names.ts";
import type { SaidKey } from "../../../src/core/key-lookup.ts";
import {
  nearestSpellings,
  searchKeys,
  searchNamespaces,
  type SearchedKey,
  type SearchedKeys,
  type SearchNeeds,
} from "../../../src/core/key-search.ts";
import { spellingOf } from "../../../src/core/key-spelling.ts";
import { quoteAround, quoted } from "../../../src/core/usages/quotes.ts";
import type { Framework } from "../../../src/core/usages/usage.ts";

/** `namespace|key`, with its text; the hash is the name. */
function world(
  framework: Framework,
  texts: Readonly<Record<string, string>>,
  more: Partial<SaidKey> = {},
): SearchNeeds {
  const keys = Object.entries(texts).map(([name, value]): SearchedKey => {
    const [namespace = "", key = ""] = name.split("|");
    return { hash: name, namespace, key, context: null, text: { value } };
  });
  return {
    keys: keysOf(keys),
    names: KeyNames.of(keys),
    options: { frameworks: new Set([framework]) },
    use: {
      used: { kind: "static", key: "" },
      namespaces: null,
      keyPrefix: "",
      context: null,
      ...more,
    },
    texts: [],
    yieldNow: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function keysOf(keys: readonly SearchedKey[]): SearchedKeys {
  const map = new Map(keys.map((key) => [key.hash, key]));
  return Object.assign(map, { text: (hash: string) => map.get(hash)?.text });
}

const spelt = async (needs: SearchNeeds, typed: string, limit = 10): Promise<string[]> =>
  (await searchKeys(typed, limit, needs)).found.map(({ spelling }) => spelling);

describe("a key is said", () => {
  const texts = {
    "*|Read more.": "",
    "*|a.b": "",
    "cart|title": "",
    "pkg::cart|title": "",
    "admin/x|y.z": "",
  };
  const said = (needs: SearchNeeds): (string | null)[] =>
    [...needs.keys.values()].map((key) => spellingOf(needs.use, key, needs.names, needs.options));

  test("in Laravel by its group", () => {
    expect(said(world("laravel", texts))).toEqual([
      "Read more.",
      "a.b",
      "cart.title",
      "pkg::cart.title",
      "admin/x.y.z",
    ]);
  });
  test("in i18next by its namespace", () => {
    expect(said(world("i18next", { "translation|a": "", "cart|title": "" }))).toEqual(["a", "cart:title"]);
  });
  test("in i18next without the namespace that the translator is bound to", () => {
    expect(said(world("i18next", { "cart|title": "", "shop|title": "" }, { namespaces: ["cart"] }))).toEqual([
      "title",
      "shop:title",
    ]);
  });
  test("without the prefix of the binding, and not where it has another", () => {
    expect(
      said(world("i18next", { "translation|a.b.c": "", "translation|x.y": "" }, { keyPrefix: "a.b" })),
    ).toEqual(["c", null]);
  });
  test("in next-intl below the path that the translator is bound to", () => {
    expect(said(world("next-intl", { "*|cart.title": "" }, { namespaces: ["cart"] }))).toEqual(["title"]);
  });
});

describe("a search", () => {
  const needs = world("laravel", {
    "cart|title": "Your basket",
    "cart|voucher.apply": "Apply it",
    "shop|voucher": "Voucher",
    "*|Pay now": "Pay now",
  });

  test("for nothing gives all", async () => {
    expect(await spelt(needs, "")).toEqual(["cart.title", "cart.voucher.apply", "shop.voucher", "Pay now"]);
  });
  test("finds names first by their beginning, then by a part, then inside", async () => {
    expect(await spelt(needs, "cart.")).toEqual(["cart.title", "cart.voucher.apply"]);
    expect(await spelt(needs, "vou")).toEqual(["cart.voucher.apply", "shop.voucher"]);
    expect(await spelt(needs, "ouch")).toEqual(["cart.voucher.apply", "shop.voucher"]);
  });
  test("finds by text, the letters' case aside, and filters by it", async () => {
    const { found } = await searchKeys("BASKET", 10, needs);
    expect(found.map(({ spelling, filter }) => [spelling, filter])).toEqual([["cart.title", "basket"]]);
  });
  test("finds by the text of another language", async () => {
    const dutch = {
      ...needs,
      texts: [(hash: string) => (hash === "*|Pay now" ? { value: "Betaal" } : null)],
    };
    expect(await spelt(dutch, "taal")).toEqual(["Pay now"]);
  });
  test("for the beginning of a name looks into no text", async () => {
    const dotted = world("laravel", { "cart|title": "", "shop|a": "Say cart.title to them" });
    expect(await spelt(dotted, "cart.t")).toEqual(["cart.title"]);
    expect(await spelt(dotted, "to th")).toEqual(["shop.a"]);
  });
  test("ends when nobody waits any more", async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`cart|k${at}`, "text"]));
    const stop = new AbortController();
    const search = searchKeys("nothing", 10, { ...world("laravel", many), signal: stop.signal });
    stop.abort(new Error("another letter"));
    await expect(search).rejects.toThrow("another letter");
  });
  test("says when there are more", async () => {
    expect((await searchKeys("", 3, needs)).more).toBe(true);
    expect((await searchKeys("", 4, needs)).more).toBe(false);
  });
});

describe("the nearest keys", () => {
  const needs = world("laravel", { "cart|title": "", "cart|total": "", "shop|title": "", "*|Pay now": "" });

  test("are named nearest first", () => {
    expect(nearestSpellings("cart.titel", 3, needs)[0]).toBe("cart.title");
    expect(nearestSpellings("Pay nwo", 3, needs)).toEqual(["Pay now"]);
  });
  test("are none where nothing is near", () => {
    expect(nearestSpellings("completely.other", 3, needs)).toEqual([]);
  });
});

describe("quotes", () => {
  test.each([
    ["t('a.b')", 3, 6, "'"],
    ['t("")', 3, 3, '"'],
    [String.raw`t('it\'s')`, 3, 8, "'"],
    ["t('a' + '.b')", 3, 11, null],
    ["t($ => $.a.b)", 9, 12, null],
  ])("around the key of %s", (text, start, end, quote) => {
    expect(quoteAround(text, { start, end })).toBe(quote);
  });
  test.each([
    ["it's", "'", String.raw`it\'s`],
    ["it's", '"', "it's"],
    ["a\\b", "'", String.raw`a\\b`],
    ["costs $x and ${y}", "`", String.raw`costs \$x and \${y}`],
    ["$5", "'", "$5"],
  ] as const)("%s between %s", (text, quote, written) => {
    expect(quoted(text, quote)).toBe(written);
  });
});

describe("namespaces", () => {
  const texts = { "*|Plain": "", "cart|title": "", "cart|total": "", "checkout|go": "" };

  test("are said as the framework says them", () => {
    expect(searchNamespaces("", world("laravel", texts))).toEqual(["cart.", "checkout."]);
    expect(searchNamespaces("C", world("i18next", texts))).toEqual(["cart:", "checkout:"]);
  });

  test("are those that begin so, and not those that are there already", () => {
    expect(searchNamespaces("che", world("laravel", texts))).toEqual(["checkout."]);
    expect(searchNamespaces("cart.", world("laravel", texts))).toEqual([]);
    expect(searchNamespaces("", world("i18next", texts, { namespaces: ["cart"] }))).toEqual(["checkout:"]);
  });

  test("are none where there is only one", () => {
    expect(searchNamespaces("", world("laravel", { "cart|title": "" }))).toEqual([]);
  });
});

describe("other languages", () => {
  const needs = world("laravel", { "cart|title": "Your cart", "cart|total": "Total" });
  const german = new Map([["cart|title", { value: "Dein Warenkorb" }]]);
  const others = [(hash: string) => german.get(hash)];

  test("are looked into where nothing else fits", async () => {
    expect(await spelt({ ...needs, others }, "warenk")).toEqual(["cart.title"]);
    expect(await spelt(needs, "warenk")).toEqual([]);
  });

  test("are left when time is over", async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`cart|k${index}`, "Text"]));
    const last = world("laravel", many);
    const found = { ...last, others: [(hash: string) => (hash === "cart|k2999" ? { value: "Ziel" } : null)] };
    expect(await spelt(found, "ziel")).toEqual(["cart.k2999"]);
    expect(await spelt({ ...found, isOver: () => true }, "ziel")).toEqual([]);
  });
});
