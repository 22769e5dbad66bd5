/** Names, variants and links of i18next: which keys a call may show is asked of i18next itself. */
import i18next, { type TOptions } from "i18next";
import { describe, expect, test } from "vitest";
import type { KeyConventions } from "../../../src/frameworks/framework.ts";
import { i18next as framework } from "../../../src/frameworks/i18next.ts";
import { NO_NAMESPACE } from "../../../src/model/key-hash.ts";
import {
  type KeyReference,
  type KeyResolutionOptions,
  resolveKey,
} from "../../../src/workspace/usages/resolve-usage-to-key.ts";
import { createKeyNames } from "../support/key-database.ts";

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];
/** Languages that have each category, of cardinal or ordinal numbers. */
const LANGUAGES = ["en", "ar", "cy", "ja", "fr", "uk", "it"];
const COUNTS = [0, 1, 2, 3, 4, 5, 6, 8, 11, 20, 21, 22, 100, 1_000_000, 0.5];

/** All names that look like a variant of `item`, and some that do not. */
function namesWith({ pluralSeparator = "_", contextSeparator = "_" }: KeyConventions): string[] {
  const plurals = [
    "",
    ...CATEGORIES.flatMap((each) => [
      `${pluralSeparator}${each}`,
      `${pluralSeparator}ordinal${pluralSeparator}${each}`,
    ]),
  ];
  const contexts = ["", `${contextSeparator}male`, `${contextSeparator}female`];
  const names = contexts.flatMap((context) => plurals.map((plural) => `item${context}${plural}`));
  return [...new Set([...names, "items", `item${contextSeparator}`, "itemmale", "other"])];
}

/** Removes the key that i18next shows until it shows none: its look-up order for these options. */
async function shown(
  names: readonly string[],
  conventions: KeyConventions,
  options: TOptions,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const counts = "count" in options ? COUNTS : [undefined];
  for (const lng of LANGUAGES) {
    for (const count of counts) {
      const left = new Map(names.map((name) => [name, name]));
      for (;;) {
        const instance = i18next.createInstance();
        const { pluralSeparator = "_", contextSeparator = "_" } = conventions;
        await instance.init({
          lng,
          fallbackLng: false,
          pluralSeparator,
          contextSeparator,
          resources: { [lng]: { translation: Object.fromEntries(left) } },
        });
        const given = count === undefined ? options : { ...options, count };
        const used = instance.t("item", { ...given, returnDetails: true }).exactUsedKey;
        if (!left.delete(used)) break;
        found.add(used);
      }
    }
  }
  return found;
}

function resolved(
  names: readonly string[],
  usage: Partial<KeyReference>,
  conventions: KeyConventions,
): readonly string[] {
  const keys = names.map((key) => ({ hash: key, namespace: NO_NAMESPACE, key, context: null }));
  const options: KeyResolutionOptions = { frameworks: new Set(["i18next"] as const), ...conventions };
  const reference: KeyReference = {
    expression: { kind: "static", key: "item" },
    namespaces: null,
    keyPrefix: "",
    context: null,
    ...usage,
  };
  const found = resolveKey(reference, createKeyNames(keys), options);
  return found.kind === "known" ? [found.key, ...found.variants].map(({ key }) => key) : [];
}

const CONVENTIONS: readonly KeyConventions[] = [{}, { pluralSeparator: "___", contextSeparator: "--" }];
const CALLS: readonly (readonly [TOptions, Partial<KeyReference>])[] = [
  [{}, {}],
  [{ count: 1 }, { plural: true }],
  [
    { count: 1, ordinal: true },
    { plural: true, ordinal: true },
  ],
  [{ context: "male" }, { context: "male" }],
  [
    { count: 1, context: "male" },
    { plural: true, context: "male" },
  ],
  [
    { count: 1, ordinal: true, context: "male" },
    { plural: true, ordinal: true, context: "male" },
  ],
];
const cases = CONVENTIONS.flatMap((conventions) =>
  CALLS.map(
    ([options, usage]) =>
      [JSON.stringify({ ...conventions, ...options }), conventions, options, usage] as const,
  ),
);

test.each(cases)("a call uses the keys that i18next shows: %s", async (_, conventions, options, usage) => {
  const names = namesWith(conventions);
  const expected = await shown(names, conventions, options);
  expect([...resolved(names, usage, conventions)].sort()).toEqual([...expected].sort());
});

test.each(cases)(
  "the first key is the one that i18next shows: %s",
  async (_, conventions, options, usage) => {
    const names = namesWith(conventions);
    const order = [...resolved(names, usage, conventions)];
    const instance = i18next.createInstance();
    const { pluralSeparator = "_", contextSeparator = "_" } = conventions;
    await instance.init({
      lng: "en",
      fallbackLng: false,
      pluralSeparator,
      contextSeparator,
      resources: { en: { translation: Object.fromEntries(names.map((name) => [name, name])) } },
    });
    const first = instance.t("item", { ...options, returnDetails: true }).exactUsedKey;
    const rank = (name: string): number | null | undefined =>
      framework.keys.variants?.rank(
        name.slice("item".length),
        { namespaces: null, keyPrefix: "", context: null, ...usage },
        conventions,
      );
    expect(rank(order[0] ?? "")).toBe(rank(first));
  },
);

describe.each(CONVENTIONS)("suffixes with %j", (conventions) => {
  const { pluralSeparator = "_", contextSeparator = "_" } = conventions;
  const variants = framework.keys.variants;

  test.each(CALLS)("of a call with %j are the variants that i18next shows", async (options, usage) => {
    const expected = await shown(namesWith(conventions), conventions, options);
    const written = { namespaces: null, keyPrefix: "", context: null, ...usage };
    const suffixes = variants?.suffixes(written, conventions) ?? [];
    expect(["", ...suffixes].map((suffix) => `item${suffix}`).sort()).toEqual([...expected].sort());
    // The most specific ones come first.
    const ranks = suffixes.map((suffix) => variants?.rank(suffix, written, conventions) ?? -1);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  test("of options that the code does not show are all plural ones", () => {
    const open = { namespaces: null, keyPrefix: "", context: null, openOptions: true } as const;
    const suffixes = variants?.suffixes(open, conventions) ?? [];
    expect(suffixes).toHaveLength(2 * CATEGORIES.length);
    expect(suffixes).toContain(`${pluralSeparator}ordinal${pluralSeparator}few`);
    expect(suffixes).toContain(`${pluralSeparator}other`);
  });

  test("of plural forms are found at the end of a name, also those of older versions", () => {
    const suffix = (name: string) => variants?.pluralSuffix(name, conventions);
    for (const each of [...CATEGORIES, "plural", "0", "12"]) {
      expect(suffix(`item${pluralSeparator}${each}`)).toBe(`${pluralSeparator}${each}`);
      expect(suffix(`item${contextSeparator}male${pluralSeparator}${each}`)).toBe(
        `${pluralSeparator}${each}`,
      );
    }
    const ordinal = `${pluralSeparator}ordinal${pluralSeparator}few`;
    expect(suffix(`item${ordinal}`)).toBe(ordinal);
    for (const name of [
      "item",
      `item${contextSeparator}male`,
      `item${pluralSeparator}one.title`,
      "one",
      "itemone",
    ])
      expect(suffix(name), name).toBe("");
  });

  test("are cut off a name at each separator, the plural form first", () => {
    const bases = (name: string) => variants?.bases(name, conventions);
    const place = `place${pluralSeparator}ordinal${pluralSeparator}one`;
    expect(bases(place)).toEqual(["place", `place${pluralSeparator}ordinal`]);
    const friend = `friend${contextSeparator}male`;
    expect(bases(`${friend}${pluralSeparator}one`)).toEqual([friend, "friend"]);
    expect(bases(friend)).toEqual(["friend"]);
    expect(bases("friend")).toEqual([]);
    expect(bases(`${contextSeparator}friend`)).toEqual([]);
  });

  test("of a long text are only the last ones", () => {
    const words = Array.from({ length: 40 }, (_, index) => `w${index}`);
    const found = variants?.bases(words.join(contextSeparator), conventions) ?? [];
    expect(found[0]).toBe(words.slice(0, -1).join(contextSeparator));
    expect(found[7]).toBe(words.slice(0, -8).join(contextSeparator));
    expect(found.length).toBeLessThan(12);
  });
});

test.each(["shop:cart", "shop:save", "menu:save", "save", "cart"])(
  "%s is found in the namespace in which i18next finds it, of those to fall back to",
  async (written) => {
    const texts = { app: { cart: "1" }, shop: { cart: "2" }, common: { save: "3", cart: "4" } };
    const instance = i18next.createInstance();
    await instance.init({
      lng: "en",
      fallbackLng: false,
      ns: Object.keys(texts),
      defaultNS: "app",
      fallbackNS: ["common"],
      resources: { en: texts },
    });
    const used = instance.t(written, { returnDetails: true });
    const call = { namespaces: null, keyPrefix: "", context: null };
    const conventions = { defaultNamespaces: ["app"], fallbackNamespaces: ["common"] };
    const found = [...framework.keys.candidates(call, written, conventions, false)].find(
      ({ namespace, key }) => new Map(Object.entries(texts[namespace as "app"] ?? {})).has(key),
    );
    expect(found).toEqual({ namespace: used.usedNS, key: used.usedKey, context: null });
  },
);

test("separators of one project are not those of the next, of which only one differs", () => {
  const usage = { namespaces: null, keyPrefix: "", context: "male", plural: true };
  const rank = (suffix: string, conventions: KeyConventions) =>
    framework.keys.variants?.rank(suffix, usage, conventions) ?? null;
  expect(rank("_male_one", {})).toBe(0);
  expect(rank("_male_one", { contextSeparator: "--" })).toBeNull();
  expect(rank("--male_one", { contextSeparator: "--" })).toBe(0);
  expect(rank("--male___one", { contextSeparator: "--", pluralSeparator: "___" })).toBe(0);
  expect(rank("--male_one", { contextSeparator: "--", pluralSeparator: "___" })).toBeNull();
  expect(rank("_male_one", {})).toBe(0);
  expect(framework.keys.variants?.separators({})).toEqual(["_"]);
  expect(framework.keys.variants?.separators({ contextSeparator: "--" })).toEqual(["_", "--"]);
});

test("a computed context is any, without a count not that of a plural form", () => {
  const rank = (suffix: string, usage: Partial<KeyReference>) =>
    framework.keys.variants?.rank(
      suffix,
      { namespaces: null, keyPrefix: "", context: null, dynamicContext: true, ...usage },
      {},
    ) ?? null;
  expect([rank("_male_one", { plural: true }), rank("_male", { plural: true })]).toEqual([0, 1]);
  expect([rank("_male_one", {}), rank("_male", {}), rank("male", {})]).toEqual([1, 1, null]);
  expect(rank("_male_ordinal_one", { plural: true })).toBe(1);
  expect(rank("_male_ordinal_one", { plural: true, ordinal: true })).toBe(0);
});

test("a context is not the start of another one", () => {
  const rank = (suffix: string, context: string) =>
    framework.keys.variants?.rank(suffix, { namespaces: null, keyPrefix: "", context, plural: true }, {}) ??
    null;
  expect(rank("_male", "male")).toBe(1);
  expect(rank("_males", "male")).toBeNull();
  expect(rank("_male_adult", "male")).toBeNull();
  expect(rank("_male_one", "female")).toBeNull();
  expect(rank("_male_ordinal_one", "male")).toBeNull();
});

test("options that the code does not show may have a count and any context", () => {
  const names = namesWith({});
  const found = resolved(names, { openOptions: true }, {});
  expect(names.filter((name) => !found.includes(name))).toEqual(["items", "itemmale", "other"]);
  expect(resolved(names, { dynamicContext: true }, {})).not.toContain("items");
});

const LINKS: readonly (readonly [text: string, keys: readonly string[], context: string | null])[] = [
  ["Use $t(brand)", ["brand"], null],
  ["$t( a.b ) and $t(ns:a)", ["a.b", "ns:a"], null],
  ['See $t(room, {"context": "big"})', ["room"], "big"],
  [String.raw`See $t(room, {\"context\": \"big\"})`, ["room"], "big"],
  ["$t(room, { 'context': 'big', 'count': {{count}} })", ["room"], "big"],
  ["$t(name, capitalize)", ["name"], null],
  ['$t(a, { "x": "b)" }) and $t(c, { "x": (1) })', ["a", "c"], null],
  ['$t(a, { "x": "(" }) and $t(c)', ["a", "c"], null],
  ['$t(room, { "context": "{{size}}" })', ["room"], null],
  ["$t() $t (a) t(a) {{t}}", [], null],
];
test.each(LINKS)("finds the links in %s", (text, keys, context) => {
  const found = framework.links?.find(text, {}) ?? [];
  expect(found.map(({ key }) => key)).toEqual(keys);
  expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(keys);
  expect(found.every(({ usage }) => usage.context === context)).toBe(true);
});

test("a link may have any count, and the context of its call, also where it has a computed one of its own", () => {
  const usage = (text: string) =>
    framework.links?.find(text, {}).map((link) => [link.usage, link.inheritsContext]);
  expect(usage("$t(item)")).toEqual([[{ context: null, plural: true, ordinal: true }, true]]);
  expect(usage('$t(room, { "context": "{{size}}" })')).toEqual([
    [{ context: null, dynamicContext: true, plural: true, ordinal: true }, true],
  ]);
  expect(usage('$t(a, { "context": "big" }) $t(b)')).toEqual([
    [{ context: "big", plural: true, ordinal: true }, true],
    [{ context: null, plural: true, ordinal: true }, true],
  ]);
});

test.each([
  ["a.b", true],
  ["ns:a-b_c", true],
  ["a b", false],
  ["a,b", false],
  ["a(b", false],
  ["a)b", false],
  ["{a", false],
  ["a}", false],
  ["it's", false],
  ['"a', false],
  [String.raw`a\b`, false],
])("a link can refer to %s: %s", (key, canWrite) => {
  const text = "$t(x)";
  const [link] = framework.links?.find(text, {}) ?? [];
  expect(link && framework.links?.canWrite(key, link, text)).toBe(canWrite);
});

test("links have the delimiters of the project", () => {
  const conventions = { nesting: { prefix: "<<", suffix: ">>" } };
  const keys = (text: string, given: KeyConventions) =>
    framework.links?.find(text, given).map(({ key }) => key);
  expect(keys("Use <<brand>>, $t(other)", conventions)).toEqual(["brand"]);
  expect(framework.links?.marker(conventions)).toBe("<<");
  expect(framework.links?.marker({})).toBe("$t(");
  // One of them is another one in the next project.
  expect(keys("<<a]] <<b>> $t(c)", { nesting: { prefix: "<<", suffix: "]]" } })).toEqual(["a"]);
  expect(keys("<<a]] <<b>> $t(c)", conventions)).toEqual(["a]] <<b"]);
  expect(keys("<<a]] <<b>> $t(c)", {})).toEqual(["c"]);
});
