/** Suggested keys, spelled so that they resolve, and the nearest names to an unknown one. */
import { describe, expect, test } from "vitest";
import { KeyNames, type NamedKey } from "../../../../src/database/key-name-repository.ts";
import { KeySearch } from "../../../../src/database/full-text-search.ts";
import { SearchIndex } from "../../../../src/database/update-search-index.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { quoteAround, quoted } from "../../../../src/scanners/lexers/string-literals.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import type { KeyReference } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import {
  nearestSpellings,
  suggestKeys,
  suggestNamespaces,
  type SuggestionContext,
  spellingOf,
} from "../../../../src/workspace/usages/key-suggestions.ts";
import { addTranslations, createKeyDatabase } from "../../support/key-database.ts";

interface World extends SuggestionContext {
  readonly keys: readonly NamedKey[];
}

/** `namespace|key`, with its text; the hash is the name. `dutch`: by hash. */
async function world(
  framework: FrameworkName,
  texts: Readonly<Record<string, string>>,
  usage: Partial<KeyReference> = {},
  dutch: Readonly<Record<string, Text>> = {},
): Promise<World> {
  const keys = Object.entries(texts).map(([name, value]) => {
    const [namespace = "", key = ""] = name.split("|");
    return { hash: name, namespace, key, context: null, text: { value } };
  });
  const database = createKeyDatabase(keys);
  addTranslations(database, "nl", dutch);
  await new SearchIndex(database).update();
  return {
    keys,
    names: new KeyNames(database),
    search: new KeySearch(database),
    options: { frameworks: new Set([framework]) },
    usage: {
      expression: { kind: "static", key: "" },
      namespaces: null,
      keyPrefix: "",
      context: null,
      ...usage,
    },
  };
}

const suggested = (context: World, typed: string, limit = 10): string[] =>
  suggestKeys(typed, limit, context, []).keys.map(({ spelling }) => spelling);

describe("key spelling", () => {
  const texts = {
    "*|Read more.": "",
    "*|a.b": "",
    "cart|title": "",
    "pkg::cart|title": "",
    "admin/x|y.z": "",
  };
  const spelled = ({ keys, usage, names, options }: World): (string | null)[] =>
    keys.map((key) => spellingOf(usage, key, names, options));

  test("includes the group in Laravel", async () => {
    expect(spelled(await world("laravel", texts))).toEqual([
      "Read more.",
      "a.b",
      "cart.title",
      "pkg::cart.title",
      "admin/x.y.z",
    ]);
  });
  test("includes the namespace in i18next", async () => {
    expect(spelled(await world("i18next", { "translation|a": "", "cart|title": "" }))).toEqual([
      "a",
      "cart:title",
    ]);
  });
  test("omits the bound namespace in i18next", async () => {
    expect(
      spelled(await world("i18next", { "cart|title": "", "shop|title": "" }, { namespaces: ["cart"] })),
    ).toEqual(["title", "shop:title"]);
  });
  test("omits the bound prefix, and is impossible with another one", async () => {
    expect(
      spelled(
        await world("i18next", { "translation|a.b.c": "", "translation|x.y": "" }, { keyPrefix: "a.b" }),
      ),
    ).toEqual(["c", null]);
  });
  test("omits the bound prefix and its dot where keys have no separator", async () => {
    const bound = await world("i18next", { "translation|shop.title": "" }, { keyPrefix: "shop" });
    const options = { ...bound.options, keySeparator: false as const };
    expect(spelled({ ...bound, options })).toEqual(["title"]);
  });
  test("is impossible if nothing of the name is left", async () => {
    expect(spelled(await world("i18next", { "translation|a.": "" }, { keyPrefix: "a" }))).toEqual([null]);
  });
  test("is relative to the bound path in next-intl", async () => {
    expect(spelled(await world("next-intl", { "*|cart.title": "" }, { namespaces: ["cart"] }))).toEqual([
      "title",
    ]);
  });
});

test.each<
  readonly [
    title: string,
    framework: FrameworkName,
    keys: readonly string[],
    usage: Partial<KeyReference>,
    spelled: readonly (string | null)[],
  ]
>([
  [
    "with the namespace as the first part of the bound path",
    "next-intl",
    ["Home|hero.title", "Home|title", "*|Home.hero.text"],
    { keyPrefix: "Home.hero" },
    ["title", null, "text"],
  ],
  [
    "with a colon where a dot means another key",
    "vue-i18n",
    ["*|shop.title", "shop|title"],
    {},
    ["shop.title", "shop:title"],
  ],
  [
    "with the namespace where any may be meant",
    "ngx-translate",
    ["shop|title", "cart|title"],
    {},
    ["shop.title", "cart.title"],
  ],
  ["without the domain by default", "symfony", ["messages|title", "*|plain"], {}, ["title", "plain"]],
])("a key is spelled %s", async (_, framework, keys, usage, expected) => {
  const texts = Object.fromEntries(keys.map((key) => [key, ""]));
  const { keys: all, names, options, usage: place } = await world(framework, texts, usage);
  expect(all.map((key) => spellingOf(place, key, names, options))).toEqual(expected);
});

describe("key suggestions", () => {
  const texts = {
    "cart|title": "Your basket",
    "cart|voucher.apply": "Apply it",
    "shop|voucher": "Voucher",
    "*|Pay now": "Pay now",
  };

  test("contain all keys if nothing was typed", async () => {
    expect(suggested(await world("laravel", texts), "")).toEqual([
      "cart.title",
      "cart.voucher.apply",
      "shop.voucher",
      "Pay now",
    ]);
  });
  test("rank prefixes first, then segments, then substrings", async () => {
    const context = await world("laravel", texts);
    expect(suggested(context, "cart.")).toEqual(["cart.title", "cart.voucher.apply"]);
    expect(suggested(context, "vou")).toEqual(["cart.voucher.apply", "shop.voucher"]);
    expect(suggested(context, "ouch")).toEqual(["cart.voucher.apply", "shop.voucher"]);
  });
  test("match texts case-insensitively", async () => {
    const { keys } = suggestKeys("BASKET", 10, await world("laravel", texts), []);
    expect(keys.map(({ spelling, filter }) => [spelling, filter])).toEqual([["cart.title", "basket"]]);
  });
  test("are filtered by all of a name, and by the start of a text", async () => {
    const name = `nav.${"long-name.".repeat(12)}end`;
    const context = await world("i18next", { [`*|${name}`]: `Before ${"text ".repeat(40)}` });
    const filters = (typed: string): readonly string[] =>
      suggestKeys(typed, 10, context, []).keys.map(({ filter }) => filter);
    expect(filters("nav.")).toEqual([name]);
    expect(filters("long-name.end")).toEqual(["long-name.end"]);
    expect(filters("")).toEqual([name]);
    expect(filters("text")).toEqual(["text ".repeat(20)]);
  });
  test("match texts in another language", async () => {
    const context = await world("laravel", texts, {}, { "*|Pay now": { value: "Betaal" } });
    expect(suggested(context, "taal")).toEqual(["Pay now"]);
  });
  test("do not match texts if a name is typed", async () => {
    const dotted = await world("laravel", { "cart|title": "", "shop|a": "Say cart.title to them" });
    expect(suggested(dotted, "cart.t")).toEqual(["cart.title"]);
    expect(suggested(dotted, "to th")).toEqual(["shop.a"]);
  });
  test("rank the bound namespace first", async () => {
    const bound = await world("i18next", texts, { namespaces: ["shop"] });
    expect(suggested(bound, "")[0]).toBe("voucher");
    expect(suggested(bound, "vou")).toEqual(["voucher", "cart:voucher.apply"]);
  });
  test("contain only keys with the bound prefix", async () => {
    const others = Array.from({ length: 100 }, (_, at) => [`translation|other.k${at}`, ""] as const);
    const many = { ...Object.fromEntries(others), "translation|menu.open": "Open" };
    const prefixed = await world("i18next", many, { keyPrefix: "menu" });
    expect(suggested(prefixed, "", 2)).toEqual(["open"]);
    expect(suggested(prefixed, "op", 2)).toEqual(["open"]);
    const { "translation|menu.open": text, ...rest } = many;
    const plain = await world("i18next", { ...rest, "*|menu.open": text }, { keyPrefix: "menu" });
    expect(suggested(plain, "", 2)).toEqual(["open"]);
    const named = await world("i18next", { ...rest, "common|menu.open": text }, { keyPrefix: "menu" });
    const options = { ...named.options, defaultNamespaces: ["common"] };
    expect(suggested({ ...named, options }, "", 2)).toEqual(["open"]);
    const bound = { ...named, usage: { ...named.usage, namespaces: ["common"] } };
    expect(suggested(bound, "", 2)).toEqual(["open"]);
  });
  test("report when there are more", async () => {
    const context = await world("laravel", texts);
    expect(suggestKeys("", 3, context, []).hasMore).toBe(true);
    expect(suggestKeys("", 4, context, []).hasMore).toBe(false);
  });
});

describe("nearest keys", () => {
  const texts = { "cart|title": "", "cart|total": "", "shop|title": "", "*|Pay now": "", "*|ok": "" };

  test("are ordered by distance", async () => {
    const context = await world("laravel", texts);
    expect(nearestSpellings("cart.titel", 3, context)[0]).toBe("cart.title");
    expect(nearestSpellings("cart.totle", 3, context)).toEqual(["cart.title", "cart.total"]);
    expect(nearestSpellings("Pay nwo", 3, context)).toEqual(["Pay now"]);
    expect(nearestSpellings("CART.TITLE", 3, context)[0]).toBe("cart.title");
    expect(nearestSpellings("okk", 3, context)).toEqual(["ok"]);
  });
  test("ignore the bound namespace in the comparison", async () => {
    const context = await world("i18next", texts, { namespaces: ["cart"] });
    expect(nearestSpellings("titl", 3, context)).toContain("title");
  });
  test("are as near in a long namespace as in a short one", async () => {
    const cancel = await world("laravel", {
      "booking|cancel": "",
      "booking|title": "",
      "billing|cancle": "",
    });
    expect(nearestSpellings("booking.cancle", 3, cancel)).toEqual(["booking.cancel"]);
    const onlyTitle = await world("laravel", { "booking|title": "", "booking.form|title": "" });
    expect(nearestSpellings("booking.cancle", 3, onlyTitle)).toEqual([]);
    const nested = await world("i18next", { "*|pages.bookings.list.open": "" });
    expect(nearestSpellings("pages.bookings.list.save", 3, nested)).toEqual([]);
    const inNamespace = await world("laravel", { "booking|title": "", "booking|cancel": "" });
    expect(nearestSpellings("bookng.cancel", 3, inNamespace)).toEqual(["booking.cancel"]);
  });
  test("are found below a default namespace, which the code does not write", async () => {
    const nav = { "translation|nav.account": "", "common|nav.accounts": "" };
    expect(nearestSpellings("nav.acount", 1, await world("i18next", nav))).toEqual(["nav.account"]);
    const context = await world("i18next", { "common|nav.account": "" });
    const options = { ...context.options, defaultNamespaces: ["common"] };
    expect(nearestSpellings("nav.acount", 1, { ...context, options })).toEqual(["nav.account"]);
  });
  test("are found in each way in which code writes keys", async () => {
    const shared = { "common|nav.account": "", "shop|nav.total": "", "*|Save & close": "" };
    const nearest = async (wrong: string, framework: FrameworkName, usage: Partial<KeyReference> = {}) =>
      nearestSpellings(wrong, 1, await world(framework, shared, usage));
    expect(await nearest("common.nav.acount", "laravel")).toEqual(["common.nav.account"]);
    expect(await nearest("Save & colse", "laravel")).toEqual(["Save & close"]);
    expect(await nearest("common:nav.acount", "i18next")).toEqual(["common:nav.account"]);
    expect(await nearest("comon:nav.account", "i18next")).toEqual(["common:nav.account"]);
    expect(await nearest("nav.totla", "i18next", { namespaces: ["shop"] })).toEqual(["nav.total"]);
    const brief = await world("i18next", { "x|okk": "", "x|y.okk": "" });
    expect(nearestSpellings("x:ok", 1, brief)).toEqual(["x:okk"]);
    expect(nearestSpellings("x:y.ok", 1, brief)).toEqual(["x:y.okk"]);
    expect(await nearest("totla", "i18next", { namespaces: ["shop"], keyPrefix: "nav" })).toEqual(["total"]);
    expect(await nearest("Save & colse", "gettext")).toEqual(["Save & close"]);
    const dotted = { "*|nav.account": "", "*|nav.total": "" };
    const vue = await world("vue-i18n", dotted);
    expect(nearestSpellings("nav.acount", 1, vue)).toEqual(["nav.account"]);
    const relative = await world("next-intl", dotted, { namespaces: ["nav"] });
    expect(nearestSpellings("acount", 1, relative)).toEqual(["account"]);
  });
  test("are found after any one slip", async () => {
    const context = await world("laravel", { "nav|name": "", "nav|end": "", "*|Back": "", "*|back": "" });
    for (const wrong of ["nav.nmae", "nav.nam", "nav.namee", "nav.nane", "nva.name", "navname"])
      expect(nearestSpellings(wrong, 1, context)).toEqual(["nav.name"]);
    expect(nearestSpellings("nav.edn", 1, context)).toEqual(["nav.end"]);
    expect(nearestSpellings("Bck", 2, context)).toEqual(["Back", "back"]);
    expect(nearestSpellings("bakc", 2, context)).toEqual(["back", "Back"]);
  });
  test("begin with the same letter, of names that differ equally", async () => {
    const context = await world("gettext", { "*|to": "", "*|for": "", "*|vat": "", "*|date": "" });
    expect(nearestSpellings("fo", 1, context)).toEqual(["for"]);
    expect(nearestSpellings("dat", 1, context)).toEqual(["date"]);
  });
  test("have the same length and capital letters rather than others, of names that differ equally", async () => {
    const length = await world("gettext", { "*|tiles": "", "*|time": "", "*|tale": "" });
    expect(nearestSpellings("tile", 3, length)).toEqual(["time", "tale", "tiles"]);
    const letters = await world("gettext", { "*|foobar": "", "*|fooBar": "" });
    expect(nearestSpellings("fooBaz", 2, letters)).toEqual(["fooBar", "foobar"]);
    expect(nearestSpellings("foobaz", 2, letters)).toEqual(["foobar", "fooBar"]);
  });
  test("differ in at most four characters, and at most four of ten", async () => {
    const long = await world("gettext", { "*|abcdefghijklmnopqrst": "" });
    expect(nearestSpellings("abcdefghijklmnop1234", 1, long)).toEqual(["abcdefghijklmnopqrst"]);
    expect(nearestSpellings("abcdefghijklmno12345", 1, long)).toEqual([]);
    const short = await world("gettext", { "*|abcde": "" });
    expect(nearestSpellings("abc12", 1, short)).toEqual(["abcde"]);
    expect(nearestSpellings("ab123", 1, short)).toEqual([]);
  });
  test("are not those that the code would have to write very differently", async () => {
    const context = await world("i18next", { "common|nav.account": "" }, { namespaces: ["nav"] });
    expect(nearestSpellings("acount", 1, context)).toEqual([]);
    expect(nearestSpellings("common:nav.acount", 1, context)).toEqual(["common:nav.account"]);
  });
  test("are found among thousands of keys", async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => [`group${at % 20}|title.number${at}`, ""] as const);
    const context = await world("laravel", Object.fromEntries(many));
    expect(nearestSpellings("group7.titel.number1227", 1, context)).toEqual(["group7.title.number1227"]);
  });
  test("have nearly as many parts", async () => {
    const context = await world("vue-i18n", { "*|ab": "" });
    expect(nearestSpellings("ab.b.ab", 2, context)).toEqual([]);
    expect(nearestSpellings("ab.c", 2, context)).toEqual(["ab"]);
  });
  test("are empty if nothing is similar", async () => {
    expect(nearestSpellings("completely.other", 3, await world("laravel", texts))).toEqual([]);
  });
});

describe("quote style", () => {
  test.each([
    ["t('a.b')", 3, 6, "'"],
    ['t("")', 3, 3, '"'],
    [String.raw`t('it\'s')`, 3, 8, "'"],
    ["t('a' + '.b')", 3, 11, null],
    ["t($ => $.a.b)", 9, 12, null],
  ])("is detected around the key of %s", (text, start, end, quote) => {
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

describe("namespace suggestions", () => {
  const texts = { "*|Plain": "", "cart|title": "", "cart|total": "", "checkout|go": "" };

  test("use the framework's spelling", async () => {
    expect(suggestNamespaces("", await world("laravel", texts))).toEqual(["cart.", "checkout."]);
    expect(suggestNamespaces("C", await world("i18next", texts))).toEqual(["cart:", "checkout:"]);
  });

  test("match the prefix and exclude used ones", async () => {
    expect(suggestNamespaces("che", await world("laravel", texts))).toEqual(["checkout."]);
    expect(suggestNamespaces("cart.", await world("laravel", texts))).toEqual([]);
    expect(suggestNamespaces("", await world("i18next", texts, { namespaces: ["cart"] }))).toEqual([
      "checkout:",
    ]);
  });

  test("are none where a prefix comes before the key", async () => {
    const keys = { "translation|a.title": "", "cart|a.title": "" };
    expect(suggestNamespaces("", await world("i18next", keys, { keyPrefix: "a" }))).toEqual([]);
  });

  test("are sorted, whatever letters they and the typed ones have, and at most fifty", async () => {
    const keys = { "Shop|title": "", "auth|title": "", "Sales|title": "" };
    expect(suggestNamespaces("s", await world("laravel", keys))).toEqual(["Sales.", "Shop."]);
    expect(suggestNamespaces("s", await world("laravel", keys), ["Shop", "auth", "Sales"])).toEqual([
      "Sales.",
      "Shop.",
    ]);
    expect(suggestNamespaces("", await world("laravel", keys), ["Shop"])).toEqual(["Shop."]);
    const many = Array.from({ length: 60 }, (_, index) => [`group${index}|title`, ""] as const);
    expect(suggestNamespaces("", await world("laravel", Object.fromEntries(many)))).toHaveLength(50);
  });

  test("are empty with a single namespace", async () => {
    expect(suggestNamespaces("", await world("laravel", { "cart|title": "" }))).toEqual([]);
  });
});

describe("plural forms and contexts", () => {
  const texts = {
    "*|item_one": "One",
    "*|item_other": "Many",
    "*|place_ordinal_one": "1st",
    "*|item_list": "",
  };

  test("are offered by the name that shows them", async () => {
    const counted = await world("i18next", texts, { plural: true });
    expect(suggested(counted, "").sort()).toEqual(["item", "item_list", "place"]);
  });

  test("are offered by both names while the call has no count", async () => {
    const plain = await world("i18next", texts);
    expect(suggested(plain, "ite").sort()).toEqual(["item", "item_list", "item_one", "item_other"]);
    expect(suggested(plain, "item_o")).toEqual(["item", "item_one", "item_other"]);
    expect(suggested(plain, "item_o", 2)).toEqual(["item", "item_one"]);
    const other = await world("vue-i18n", texts);
    expect(suggested(other, "ite").sort()).toEqual(["item_list", "item_one", "item_other"]);
  });
});
