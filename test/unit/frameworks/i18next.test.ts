/** Names, variants and links of i18next: which keys a call may show is asked of i18next itself. */
import i18next, { type TOptions } from "i18next";
import { expect, test } from "vitest";
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
  ["$t() $t (a) t(a) {{t}}", [], null],
];
test.each(LINKS)("finds the links in %s", (text, keys, context) => {
  const found = framework.links?.find(text, {}) ?? [];
  expect(found.map(({ key }) => key)).toEqual(keys);
  expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(keys);
  expect(found.every(({ usage }) => usage.context === context)).toBe(true);
});

test("links have the delimiters of the project", () => {
  const conventions = { nesting: { prefix: "<<", suffix: ">>" } };
  expect(framework.links?.find("Use <<brand>>, $t(other)", conventions).map(({ key }) => key)).toEqual([
    "brand",
  ]);
});
