/** What the words of files say of the keys that a call may build: each decision, without files. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import {
  findEvidence,
  type KeyEvidence,
  type PackageTexts,
} from "../../../../src/workspace/usages/find-evidence.ts";
import type {
  KeyReference,
  KeyResolutionOptions,
} from "../../../../src/workspace/usages/resolve-usage-to-key.ts";
import {
  resolveStoredReference,
  serializeKeyReference,
} from "../../../../src/workspace/usages/stored-key-references.ts";
import { createKeyNames } from "../../support/key-database.ts";
import { keyOf } from "../../support/source-folder.ts";
import { referenceTo } from "./key-references.ts";

interface Given {
  /** `namespace|key` */
  readonly keys: readonly string[];
  /** Those of the keys that some call names. */
  readonly used?: readonly string[];
  readonly calls: readonly KeyReference[];
  /** The words of each file. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly framework?: FrameworkName;
  readonly lookup?: Partial<KeyResolutionOptions>;
  /** What a person chose for calls, by their position from 1. */
  readonly choices?: Readonly<Record<number, readonly string[]>>;
  readonly packages?: Readonly<Record<string, PackageTexts>>;
}

function evidence(given: Given): ReadonlyMap<string, KeyEvidence> {
  const { keys, used = [], calls, words, framework = "vue-i18n", choices = {}, packages = {} } = given;
  const names = createKeyNames(keys.map(keyOf));
  const lookup: KeyResolutionOptions = { frameworks: new Set([framework]), ...given.lookup };
  const references = calls.map((usage, index) => {
    const reference = serializeKeyReference(usage);
    const found = resolveStoredReference(reference, names, lookup);
    if (found.kind !== "pattern") return expect.fail(`${reference} is not open`);
    return { id: index + 1, reference, ...found };
  });
  const search = findEvidence({
    usages: {
      openReferences: () => references,
      keysOfReference: (id) =>
        (references[id - 1]?.hashes ?? []).map((hash) => ({ ...keyOf(hash), isUsed: used.includes(hash) })),
      keysWithoutUsage: () =>
        keys.filter((key) => !used.includes(key)).map((key) => ({ ...keyOf(key), isUsed: false })),
    },
    names,
    lookup,
    words: Object.entries(words).map(([path, all]) => [{ path, words: all }]),
    choices: new Map(Object.entries(choices).map(([id, patterns]) => [Number(id), patterns])),
    packages: new Map(Object.entries(packages)),
  });
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

/** `namespace|key kind pattern path` */
const told = (given: Given): readonly string[] =>
  Array.from(evidence(given), ([hash, { kind, pattern, path }]) =>
    [hash, kind, pattern, path].filter((each) => each !== null).join(" "),
  ).sort();

const STATUS = referenceTo("status.…");
const status = (...names: readonly string[]): readonly string[] => names.map((name) => `*|status.${name}`);

/** Numbered names: `k1`, `k2`, … */
const numbered = (count: number, start = "k"): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${start}${index + 1}`);

test.each<readonly [what: string, given: Given, found: readonly string[]]>([
  [
    "the part behind the prefix of the translator",
    {
      keys: ["cart|form.st.paid", "cart|form.st.lost"],
      calls: [referenceTo("st.…", { namespaces: ["cart"], keyPrefix: "form" })],
      words: { "a.ts": ["paid"] },
    },
    ["cart|form.st.lost none form.st.*", "cart|form.st.paid found form.st.* a.ts"],
  ],
  [
    "all behind the prefix of a translator whose namespace is unknown",
    {
      keys: ["cart|form.paid", "cart|form.lost"],
      calls: [referenceTo("…", { namespaces: "unknown", keyPrefix: "form" })],
      words: { "a.ts": ["paid"] },
    },
    ["cart|form.lost none form.*", "cart|form.paid found form.* a.ts"],
  ],
  [
    "the part before the end of a key, and between both",
    {
      keys: ["*|paid.label", "*|status.sent.label", "*|lost.label"],
      calls: [referenceTo("….label"), referenceTo("status.….label")],
      words: { "a.ts": ["paid", "sent"] },
    },
    [
      "*|lost.label none *.label",
      "*|paid.label found *.label a.ts",
      "*|status.sent.label found status.*.label a.ts",
    ],
  ],
  [
    "the part of the name of which a key is a plural form or a context",
    {
      keys: status("item_one", "item_male", "none_one"),
      calls: [referenceTo("status.…", { plural: true, dynamicContext: true })],
      framework: "i18next",
      words: { "a.ts": ["item"] },
    },
    [
      "*|status.item_male found status.* a.ts",
      "*|status.item_one found status.* a.ts",
      "*|status.none_one none status.*",
    ],
  ],
  [
    "the part of such a name behind its namespace",
    {
      keys: ["cart|item_one", "cart|none_one"],
      calls: [referenceTo("cart:…", { plural: true })],
      framework: "i18next",
      words: { "a.ts": ["item"] },
    },
    ["cart|item_one found cart:* a.ts", "cart|none_one none cart:*"],
  ],
  [
    "no other text than names of keys for a call that may mean any",
    { keys: ["*|It’s {x}!", "*|{x}"], calls: [referenceTo("…")], words: { "a.ts": ["x"] } },
    ["*|It’s {x}! none *", "*|{x} none *"],
  ],
  [
    "the rest of a key in the namespace that the call names, also where that is its first part",
    {
      keys: ["cart|title", "*|cart.total", "*|cart.lost", "shop|title"],
      calls: [referenceTo("…", { namespaces: ["cart"] })],
      words: { "a.ts": ["title", "total"] },
    },
    ["*|cart.lost none *", "*|cart.total found * a.ts", "cart|title found * a.ts"],
  ],
  [
    "no part of a key that the code has completely",
    {
      keys: ["cart|title", "home|title", "shop|form.title"],
      used: ["cart|title", "home|title"],
      calls: [referenceTo("title", { namespaces: "unknown" })],
      words: { "a.ts": ["form.", "shop.form.", "shop:form."] },
    },
    ["shop|form.title open *title"],
  ],
  [
    "whole names, in any two parts of which one ends the first, where nothing is known of the key",
    {
      keys: [...status("paid", "sent"), "shop|title", "*|open", "*|status"],
      calls: [referenceTo("…", { namespaces: "unknown" })],
      words: {
        "a.ts": ["status.", "status", "paid", "open"],
        "b.ts": ["shop", "title"],
        "c.ts": ["shop:", "paid"],
      },
    },
    [
      "*|open none *",
      "*|status none *",
      "*|status.paid found * a.ts",
      "*|status.sent none *",
      "shop|title found * b.ts",
    ],
  ],
  [
    "only whole texts where keys are texts",
    {
      keys: ["*|Status on", "*|Status hold", "*|Status on-hold", "*|Other"],
      calls: [referenceTo("Status …"), referenceTo("…")],
      words: { "a.py": ["on", "hold", "on-", "Other"] },
      framework: "gettext",
    },
    [
      "*|Other none *",
      "*|Status hold found Status * a.py",
      "*|Status on found Status * a.py",
      "*|Status on-hold none Status *",
    ],
  ],
  [
    "all parts of a path in one file, or its two parts",
    {
      keys: status("aa.bb.cc", "aa.bb.dd", "aa.bb.ee", "ff.gg", "ff.hh", "jj_kk", "jj_ll"),
      calls: [STATUS],
      words: {
        "a.ts": ["aa", "bb", "cc"],
        "e.ts": ["aa.bb", "ee"],
        "b.ts": ["dd", "ff", "gg"],
        "c.ts": ["hh", "jj", "kk"],
        "d.ts": ["ll"],
      },
    },
    [
      "*|status.aa.bb.cc found status.* a.ts",
      "*|status.aa.bb.dd none status.*",
      "*|status.aa.bb.ee found status.* e.ts",
      "*|status.ff.gg found status.* b.ts",
      "*|status.ff.hh none status.*",
      "*|status.jj_kk found status.* c.ts",
      "*|status.jj_ll none status.*",
    ],
  ],
  [
    "the rest behind a start that ends with a separator in any file, and names that of the rest",
    {
      keys: status("order.paid", "order.lost", "or.paid", "o.paid"),
      calls: [STATUS],
      words: { "a.ts": ["order.", "or.", "o."], "b.ts": ["paid"] },
    },
    [
      "*|status.o.paid none status.*",
      "*|status.or.paid found status.* b.ts",
      "*|status.order.lost none status.*",
      "*|status.order.paid found status.* b.ts",
    ],
  ],
  [
    "a value between two fixed parts of one file, or two values around a fixed part",
    {
      keys: status(
        "no_bill_title",
        "a_bill_title",
        "no_tag_title",
        "bill.form.default",
        "tag.form.default",
        "bill.form.tag",
        "no_bill_or_default",
        "no_tag_or_default",
        "no_bill_or_tag",
      ),
      calls: [STATUS],
      words: {
        "a.ts": ["no_", "_title", "a_"],
        "b.ts": [".form.", "no_", "_or_"],
        "c.ts": ["bill"],
        "d.ts": ["default"],
      },
    },
    [
      "*|status.a_bill_title none status.*",
      "*|status.bill.form.default found status.* b.ts",
      "*|status.bill.form.tag none status.*",
      "*|status.no_bill_or_default found status.* b.ts",
      "*|status.no_bill_or_tag none status.*",
      "*|status.no_bill_title found status.* a.ts",
      "*|status.no_tag_or_default none status.*",
      "*|status.no_tag_title none status.*",
      "*|status.tag.form.default none status.*",
    ],
  ],
  [
    "no fixed parts in different files, and no value with very many parts",
    {
      keys: status("no_bill_end", "no_bill_", "no_bill_a_b_c_d_e_f_title", "no_bill_a_b_c_d_e_f_g_title"),
      calls: [STATUS],
      words: {
        "a.ts": ["no_", "_title", "_"],
        "b.ts": ["_end", "bill", "bill_a_b_c_d_e_f", "bill_a_b_c_d_e_f_g"],
      },
    },
    [
      "*|status.no_bill_ none status.*",
      "*|status.no_bill_a_b_c_d_e_f_g_title none status.*",
      "*|status.no_bill_a_b_c_d_e_f_title found status.* a.ts",
      "*|status.no_bill_end none status.*",
    ],
  ],
])("looks for %s", (_, given, found) => {
  expect(told(given)).toEqual(found);
});

test.each<readonly [what: string, given: Given, found: readonly string[]]>([
  [
    "the file that lists most, and names it for all that it has",
    {
      keys: status("a1", "b1", "c1", "d1"),
      calls: [STATUS],
      words: { "a.ts": ["d1"], "b.ts": ["a1", "b1", "c1"], "c.ts": ["a1", "b1", "c1", "d1"] },
    },
    status("a1", "b1", "c1", "d1").map((key) => `${key} built status.* c.ts`),
  ],
  [
    "a file with half of them",
    {
      keys: status("a1", "b1", "c1", "d1", "e1", "f1"),
      calls: [STATUS],
      words: { "a.ts": ["a1", "b1", "c1"], "b.ts": ["d1"] },
    },
    [
      ...status("a1", "b1", "c1").map((key) => `${key} built status.* a.ts`),
      "*|status.d1 found status.* b.ts",
      ...status("e1", "f1").map((key) => `${key} none status.*`),
    ],
  ],
  [
    "no file with fewer than half",
    { keys: status(...numbered(7)), calls: [STATUS], words: { "a.ts": ["k1", "k2", "k3"] } },
    [
      ...status("k1", "k2", "k3").map((key) => `${key} found status.* a.ts`),
      ...status("k4", "k5", "k6", "k7").map((key) => `${key} none status.*`),
    ],
  ],
  [
    "no file with only two",
    { keys: status("a1", "b1"), calls: [STATUS], words: { "a.ts": ["a1", "b1"] } },
    status("a1", "b1").map((key) => `${key} found status.* a.ts`),
  ],
  [
    "a file together with used keys, of which nothing is said",
    {
      keys: status("a1", "b1", "c1"),
      used: status("a1", "b1"),
      calls: [STATUS],
      words: { "a.ts": ["a1", "b1", "c1"] },
    },
    ["*|status.c1 built status.* a.ts"],
  ],
  [
    "a part of several words that is a name of its own, but no single word and no short name",
    {
      keys: status(
        "wait_for_bank",
        "waitingforthebank",
        "wait_for_you",
        "wait_for_it",
        "a_b_c",
        "waiting_forthebank",
        "wait_for_none",
      ),
      calls: [STATUS],
      words: {
        "a.ts": ["wait_for_bank", "waitingforthebank", "wait_for_you"],
        "b.ts": ["a_b_c", "waiting_forthebank", "wait_for_it"],
      },
    },
    [
      "*|status.a_b_c found status.* b.ts",
      "*|status.wait_for_bank built status.* a.ts",
      "*|status.wait_for_it found status.* b.ts",
      "*|status.wait_for_none none status.*",
      "*|status.wait_for_you built status.* a.ts",
      "*|status.waiting_forthebank found status.* b.ts",
      "*|status.waitingforthebank found status.* a.ts",
    ],
  ],
  [
    "no key by the parts of a name of its own",
    { keys: status("wait_for_bank"), calls: [STATUS], words: { "a.ts": ["wait", "for_bank"] } },
    ["*|status.wait_for_bank found status.* a.ts"],
  ],
])("takes for built what is in %s", (_, given, found) => {
  expect(told(given)).toEqual(found);
});

test("counts a key only for the call with the longest part of it, whichever comes first", () => {
  const orders = status("order.a1", "order.b1", "order.c1");
  const given = {
    keys: [...status("open"), ...orders],
    words: { "a.ts": ["order.a1", "order.b1", "order.c1", "open"] },
  };
  const found = [...status("open"), ...orders].map((key) => `${key} found status.* a.ts`);
  for (const calls of [
    [STATUS, referenceTo("status.order.…")],
    [referenceTo("status.order.…"), STATUS],
  ])
    expect(told({ ...given, calls })).toEqual(found);
});

test("distinguishes capital letters", () => {
  const words = { "a.ts": ["PAID", "lost"] };
  expect(told({ keys: status("PAID", "Lost"), calls: [STATUS], words })).toEqual([
    "*|status.Lost none status.*",
    "*|status.PAID found status.* a.ts",
  ]);
});

test("names code rather than a test, and the first of several files", () => {
  const words = { "a.test.ts": ["paid", "lost"], "b.ts": ["paid", "sent"], "c.ts": ["paid", "sent"] };
  expect(told({ keys: status("paid", "lost", "sent"), calls: [STATUS], words })).toEqual([
    "*|status.lost found status.* a.test.ts",
    "*|status.paid found status.* b.ts",
    "*|status.sent found status.* b.ts",
  ]);
});

test("does not judge values from outside of the project: hardly any of at least five", () => {
  const kinds = (count: number, words: readonly string[], more: Partial<Given> = {}): ReadonlySet<string> => {
    const keys = status(...numbered(count));
    return new Set(
      told({ keys, calls: [STATUS], words: { "a.ts": words }, ...more }).map(
        (line) => line.split(" ")[1] ?? "",
      ),
    );
  };
  expect(kinds(4, [])).toEqual(new Set(["none"]));
  expect(kinds(5, [])).toEqual(new Set(["open"]));
  expect(kinds(5, [], { used: status("k1") })).toEqual(new Set(["none"]));
  expect(kinds(11, ["k1"])).toEqual(new Set(["found", "open"]));
  expect(kinds(10, ["k1"])).toEqual(new Set(["found", "none"]));
  // What cannot be looked for says nothing.
  const keys = [...status(...numbered(4)), ...status("{x}", "{y}")];
  expect(told({ keys, calls: [STATUS], words: {} }).map((line) => line.split(" ")[1])).toEqual([
    "none",
    "none",
    "none",
    "none",
    "open",
    "open",
  ]);
  // A call for any key is judged.
  expect(
    told({ keys: numbered(6, "*|k."), calls: [referenceTo("…")], words: {}, framework: "laravel" }),
  ).toEqual(numbered(6, "*|k.").map((key) => `${key} none *`));
});

test("judges the values of a call that a file lists, however many others it may mean", () => {
  const orders = status(...numbered(40, "order."));
  const found = told({
    keys: [...status("a1", "b1", "c1", "d1"), ...orders],
    calls: [STATUS, referenceTo("status.order.…")],
    words: { "a.ts": ["a1", "b1", "c1"] },
  });
  expect(found.slice(0, 4)).toEqual([
    ...status("a1", "b1", "c1").map((key) => `${key} built status.* a.ts`),
    "*|status.d1 none status.*",
  ]);
  expect(found.slice(4)).toEqual(orders.toSorted().map((key) => `${key} open status.order.*`));
});

test("names the best evidence with all calls, and what was looked for", () => {
  const given: Given = {
    keys: status("order.paid", "order.lost"),
    calls: [referenceTo("status.order.…"), STATUS, referenceTo("…", { namespaces: "unknown" })],
    words: { "a.ts": ["order.paid"] },
  };
  const found = evidence(given);
  expect(found.get("*|status.order.paid")).toEqual({
    kind: "found",
    pattern: "status.*",
    path: "a.ts",
    references: [1, 2, 3],
    words: [],
  });
  expect(found.get("*|status.order.lost")).toEqual({
    kind: "none",
    pattern: "status.order.*",
    path: null,
    references: [1, 2, 3],
    words: ["lost", "order.lost"],
  });
  const reversed = evidence({ ...given, calls: given.calls.toReversed() });
  expect(reversed.get("*|status.order.paid")).toMatchObject({ kind: "found", pattern: "status.*" });
  expect(reversed.get("*|status.order.lost")).toMatchObject({
    kind: "none",
    pattern: "status.order.*",
    words: ["order.lost", "lost"],
  });
  // Names have all parts that the code has.
  const one = evidence({
    keys: ["shop|status.lost", "shop|status.paid"],
    calls: [referenceTo("status.…", { namespaces: ["shop"] })],
    words: { "a.ts": ["paid"] },
  });
  expect(Array.from(one.values(), ({ kind, words }) => [kind, words])).toEqual([
    ["none", ["lost"]],
    ["found", []],
  ]);
  // Of a call for any key no words are looked for in other projects.
  const any = evidence({ ...given, calls: [referenceTo("…", { namespaces: "unknown" })] });
  expect(any.get("*|status.order.lost")).toMatchObject({ kind: "none", pattern: "*", words: [] });
});

test("takes over what a person chose for a call", () => {
  const keys = [...status("paid.label", "paid.text", "lost.label"), "cart|paid.label", "*|a.x.b.y"];
  const given: Given = {
    keys,
    calls: [referenceTo("…", { namespaces: "unknown" })],
    words: { "a.ts": ["paid", "x.b.y"] },
  };
  const chosen = (...patterns: readonly string[]): readonly string[] =>
    told({ ...given, choices: { 1: patterns } });
  expect(chosen()).toEqual([]);
  expect(chosen("status.*.label")).toEqual([
    "*|status.lost.label none status.*.label",
    "*|status.paid.label found status.*.label a.ts",
  ]);
  expect(chosen("a.*.b.*", "cart.*.label")).toEqual([
    "*|a.x.b.y found a.*.b.* a.ts",
    "cart|paid.label found cart.*.label a.ts",
  ]);
  const used = told({ ...given, used: status("paid.label"), choices: { 1: ["status.*.label"] } });
  expect(used).toEqual(["*|status.lost.label none status.*.label"]);
});

test("takes keys for built that an installed package has too, if it has most of them", () => {
  const keys = numbered(5, "shop|form.a.k");
  const shop = (...words: readonly string[]): Given => ({
    keys: [...keys, "cart|form.k1"],
    used: [],
    calls: [referenceTo("form.…", { namespaces: ["shop", "cart"] })],
    words: { "a.ts": ["k1", "a.k1"] },
    packages: { shop: { path: "vendor/shop.php", words: new Set(words) } },
  });
  const built = (key: string): string => `${key} built shop.* vendor/shop.php`;
  const byCall = ["cart|form.k1 found form.* a.ts", "shop|form.a.k1 found form.* a.ts"];
  expect(told(shop("k1", "k2", "k3", "k4"))).toEqual([
    byCall[0],
    ...numbered(4, "shop|form.a.k").map(built),
    "shop|form.a.k5 none form.*",
  ]);
  expect(told(shop("k1", "k2", "k3", "a.k4", "other"))).toEqual([
    ...byCall,
    ...["k2", "k3", "k4", "k5"].map((name) => `shop|form.a.${name} none form.*`),
  ]);
  expect(evidence({ ...shop("k1", "k2", "k3", "k4"), calls: [] }).get("shop|form.a.k2")).toEqual({
    kind: "built",
    pattern: "shop.*",
    path: "vendor/shop.php",
    references: [],
    words: [],
  });
  // Used keys are not counted.
  expect(told({ ...shop("k1", "k2", "k3"), used: ["shop|form.a.k5", "shop|form.a.k4"], calls: [] })).toEqual(
    numbered(3, "shop|form.a.k").map(built),
  );
});
