/** Undocumented fields: accepted and refused shapes of responses, and alternative request shapes. */
import { describe, expect, test } from "vitest";
import { parseDiff, parseProject } from "../../../src/api/undocumented-fields.ts";
import { createClientHarness, failure, serve } from "./client-harness.ts";

const sent = ["a", "b", "c", "d", "e"].map((hash) => ({ hash, sourceHash: null }));
const read = { new: ["a"], changed: ["b"], restored: ["c"], unchanged: 2 };

describe("diff response", () => {
  test.each([
    ["the document's words", { data: { new: ["a"], changed: ["b"], restored: ["c"], unchanged: 2 } }],
    ["without an envelope", { new: ["a"], changed: ["b"], restored: ["c"], unchanged: 2 }],
    ["the sync's words", { data: { created: ["a"], updated: ["b"], restored: ["c"], unchanged: 2 } }],
    [
      "lists of objects",
      {
        data: {
          new: [{ hash: "a", key: "x" }],
          changed: [{ hash: "b" }],
          restored: [{ hash: "c" }],
          unchanged: 2,
        },
      },
    ],
    ["unchanged as a list", { data: { new: ["a"], changed: ["b"], restored: ["c"], unchanged: ["d", "e"] } }],
    ["without unchanged", { data: { added: ["a"], modified: ["b"], archived: ["c"] } }],
    ["verbs", { data: { create: ["a"], update: ["b"], restore: ["c"], same: 2 } }],
    ["in capitals", { data: { New: ["a"], Changed: ["b"], Restored: ["c"], Identical: ["d", "e"] } }],
    ["a hash twice", { data: { ...read, new: ["a", "a"] } }],
    [
      "longer names",
      { data: { newHashes: ["a"], changed_keys: ["b"], restoredKeys: ["c"], unchangedCount: 2 } },
    ],
    ["more beside", { data: { ...read, total: 5, missing: ["z"] }, meta: {} }],
  ])("%s", (_, body) => expect(parseDiff(body, sent)).toEqual(read));

  test.each([
    ["nothing", null],
    ["a list", { data: [] }],
    ["new ones are missing", { data: { changed: ["b"], restored: ["c"], unchanged: 3 } }],
    ["changed ones are missing", { data: { new: ["a"], restored: ["c"], unchanged: 3 } }],
    ["restored ones are missing", { data: { new: ["a"], changed: ["b"], unchanged: 3 } }],
    ["counts only", { data: { new: 1, changed: 1, restored: 1, unchanged: 2 } }],
    ["a hash that nobody sent", { data: { ...read, new: ["zz"] } }],
    ["a hash that nobody sent, without other numbers", { data: { new: ["zz"], changed: [], restored: [] } }],
    ["a hash in two lists", { data: { ...read, changed: ["a"] } }],
    ["a hash in two lists, and a number that adds up", { data: { ...read, changed: ["a"], unchanged: 3 } }],
    ["numbers that do not add up", { data: { ...read, unchanged: 4 } }],
    [
      "numbers that do not add up, as the same",
      { data: { new: ["a"], changed: ["b"], restored: ["c"], same: 4 } },
    ],
    [
      "numbers that do not add up, as identical",
      { data: { new: ["a"], changed: ["b"], restored: ["c"], identical: 4 } },
    ],
    ["not hashes", { data: { ...read, new: [1] } }],
  ])("is unreadable: %s", (_, body) => expect(parseDiff(body, sent)).toBeNull());

  test("may count a duplicate hash once or twice", () => {
    const twice = [...sent, { hash: "e", sourceHash: null }];
    for (const unchanged of [2, 3]) expect(parseDiff({ data: { ...read, unchanged } }, twice)).toEqual(read);
  });
});

describe("project record", () => {
  test("uses the documented field names", () => {
    const data = {
      slug: "shop",
      name: "Webshop",
      type: "laravel",
      sourceLocale: "en",
      contentVersion: 9,
      languages: [{ locale: "en", name: "English" }, { code: "nl" }, "pt_BR"],
      exportProfiles: [
        { key: "app", name: "App", format: "laravel_php", locales: ["nl"] },
        { profileKey: "web", languages: [{ locale: "fr" }] },
        { slug: "ios" },
        { id: 4, name: "Four" },
        "plain",
        { name: "keyless" },
        7,
      ],
    };
    expect(parseProject(data)).toEqual({
      slug: "shop",
      name: "Webshop",
      exportProfiles: [
        { key: "app", name: "App", format: "laravel_php", locales: ["nl"] },
        { key: "web", name: "web", format: null, locales: ["fr"] },
        { key: "ios", name: "ios", format: null, locales: null },
        { key: "4", name: "Four", format: null, locales: null },
        { key: "plain", name: "plain", format: null, locales: null },
      ],
    });
  });

  test.each([
    ["a list", ["nl", { code: "fr" }]],
    ["names by language", { nl: "Nederlands", fr: "Français" }],
    ["records by language", { nl: { name: "Nederlands" }, fr: { name: "Français" } }],
    ["records by a number, which name their language", { 1: { locale: "nl" }, 2: { locale: "fr" } }],
    ["records with a key", [{ key: "nl" }, { locale: "fr", key: "French" }]],
  ])("has the languages of a profile as %s", (_, locales) => {
    const { exportProfiles } = parseProject({ exportProfiles: [{ key: "app", locales }] });
    expect(exportProfiles.map((profile) => profile.locales)).toEqual([["nl", "fr"]]);
  });

  test("accepts profiles as an object, and a minimal record", () => {
    expect(
      parseProject({
        name: "Shop",
        sourceLanguage: { code: "en" },
        exportProfiles: { app: { name: "App" } },
      }),
    ).toEqual({
      slug: "",
      name: "Shop",
      exportProfiles: [{ key: "app", name: "App", format: null, locales: null }],
    });
    expect(parseProject({}).slug).toBe("");
    expect(
      parseProject({
        slug: "shop",
        name: "",
        exportProfiles: [{ key: "", slug: "tv", name: "", title: "TV", format: "" }],
      }),
    ).toEqual({
      slug: "shop",
      name: "shop",
      exportProfiles: [{ key: "tv", name: "TV", format: null, locales: null }],
    });
    expect(
      parseProject({ exportProfiles: { app: "App", web: { label: "Web", key: "site" } } }),
    ).toMatchObject({
      exportProfiles: [
        { key: "app", name: "App" },
        { key: "site", name: "Web" },
      ],
    });
    const unread = { languages: "en", exportProfiles: 5 };
    expect(parseProject(unread)).toMatchObject({ exportProfiles: [] });
  });
});

describe("bulk write", () => {
  const one = { hash: "h0", namespace: "*", key: "a", context: null, value: "v" };
  const items = [
    one,
    { hash: "h1", namespace: "shop", key: "a", context: "menu", forms: { one: "1", other: "n" }, version: 3 },
  ];

  test("uses and remembers the list name that a 422 asks for", async () => {
    const { port, seen } = await serve((one) =>
      Object.hasOwn(one.json() as object, "items")
        ? { body: { data: { skipped: [] } } }
        : { status: 422, body: { message: "x", errors: { items: ["The items field is required."] } } },
    );
    const { client } = createClientHarness(port);
    expect(await client.writeTranslations("nl", items, "overwrite")).toEqual({
      written: 2,
      skipped: [],
      unconfirmed: [],
    });
    await client.writeTranslations("nl", items, "overwrite");
    expect(seen.map((one) => Object.keys(one.json() as object))).toEqual([
      ["mode", "translations"],
      ["mode", "items"],
      ["mode", "items"],
    ]);
  });

  test.each(["keyHash", "key_hash"])("sends the hash as %s if a 422 asks for it", async (name) => {
    const { port, seen } = await serve((one) => {
      const [first] = (one.json() as { translations: object[] }).translations;
      return Object.hasOwn(first ?? {}, name)
        ? { body: { data: { skipped: [] } } }
        : { status: 422, body: { message: "x", errors: { [`translations.1.${name}`]: ["Is required."] } } };
    });
    const { client } = createClientHarness(port);
    expect(await client.writeTranslations("nl", items, "overwrite")).toEqual({
      written: 2,
      skipped: [],
      unconfirmed: [],
    });
    await client.writeTranslations("nl", items, "overwrite");
    const names = seen.map((one) =>
      (one.json() as { translations: object[] }).translations.map((item) => Object.keys(item)[0]),
    );
    expect(names).toEqual([
      ["hash", "hash"],
      [name, name],
      [name, name],
    ]);
  });

  test("clears a plural text with an empty value, and leaves out what the document does not name", async () => {
    const { port, seen } = await serve(() => ({ body: { data: { skipped: [] } } }));
    const name = { namespace: "shop", key: "a", context: "menu" };
    const cleared = [
      { ...one, hash: "h2", value: "", version: null },
      { ...name, hash: "h3", forms: { one: "", other: "" }, version: 3 },
    ];
    await createClientHarness(port).client.writeTranslations("nl", cleared, "overwrite");
    expect(seen[0]?.json()).toEqual({
      mode: "overwrite",
      translations: [
        { hash: "h2", namespace: "*", key: "a", value: "" },
        { hash: "h3", namespace: "shop", key: "a", context: "menu", value: "", version: 3 },
      ],
    });
  });

  test("takes both names, one after the other", async () => {
    const { port, seen } = await serve((one) => {
      const { items: list } = one.json() as { items?: object[] };
      if (list === undefined)
        return { status: 422, body: { message: "x", errors: { items: ["Required."] } } };
      return Object.hasOwn(list[0] ?? {}, "keyHash")
        ? { body: { data: { skipped: [] } } }
        : { status: 422, body: { message: "x", errors: { "items.0.keyHash": ["Required."] } } };
    });
    const { client } = createClientHarness(port);
    expect(await client.writeTranslations("nl", items, "overwrite")).toMatchObject({ written: 2 });
    expect(await client.writeTranslations("nl", items, "overwrite")).toMatchObject({ written: 2 });
    expect(seen).toHaveLength(4);
  });

  test.each([
    [{ "translations.0.hash": ["unknown"] }],
    [{ "other.0.keyHash": ["x"] }],
    [{ "translations.0.value": ["too long"] }],
    [{ mode: ["x"], locale: ["x"] }],
    [{ translations: ["x"] }],
    [{ body: ["x"] }],
    ...["version", "value", "forms", "key", "namespace", "context"].map((field) => [{ [field]: ["x"] }]),
  ])("does not take a 422 on %j for a field name", async (errors) => {
    const { port, seen } = await serve(() => ({ status: 422, body: { message: "x", errors } }));
    expect(
      (await failure(createClientHarness(port).client.writeTranslations("nl", items, "overwrite"))).errors,
    ).toEqual(errors);
    expect(seen.length).toBe(1);
  });

  test("reports the error and remembers nothing if the second name is refused", async () => {
    const { port, seen } = await serve((one) => ({
      status: 422,
      body: {
        message: "x",
        errors: Object.hasOwn(one.json() as object, "rows") ? { mode: ["x"] } : { rows: ["x"] },
      },
    }));
    const { client } = createClientHarness(port);
    expect((await failure(client.writeTranslations("nl", items, "overwrite"))).errors).toEqual({
      mode: ["x"],
    });
    await failure(client.writeTranslations("nl", items, "overwrite"));
    expect(seen.length).toBe(4);
  });

  test.each([
    ["by hash", [{ hash: "h1", reason: "version" }]],
    ["by name", [{ namespace: "shop", key: "a", context: "menu", reason: "version" }]],
    [
      "by name, beside empty fields",
      [{ hash: "", namespace: "", key: "a", context: "menu", reason: "", code: "version" }],
    ],
    ["by index", [{ index: 1, reason: "version" }]],
    ["by a code", [{ hash: "h1", code: "version" }]],
    ["by a hash inside", [{ item: { hash: "h1" }, reason: "version" }]],
    ["by a hash beside", [{ item: { key: "else" }, hash: "h1", reason: "version" }]],
    ["by the hash inside, not the one beside", [{ item: { hash: "h1" }, hash: "h0", reason: "version" }]],
    ["by a hash inside a translation", [{ translation: { key_hash: "h1" }, reason: "version" }]],
    ["by a key that is a record", [{ key: { keyHash: "h1" }, reason: "version" }]],
    ["with an error that is a word", [{ hash: "h1", error: "version" }]],
    ["with an error that is a record", [{ hash: "h1", error: { code: "version" } }]],
    ["with an error that has a reason", [{ hash: "h1", error: { reason: "version", code: "x" } }]],
    ["as an object", { h1: "version" }],
    ["as an object of records", { h1: { reason: "version" } }],
    ["as an object by index", { 1: "version" }],
    ["as an object of lists by reason", { version: ["h1"] }],
    ["as an object of lists of records, by reason", { version: [{ index: 1, code: "x" }] }],
  ])("finds skipped items %s", async (_, skipped) => {
    const { port } = await serve(() => ({ body: { data: { written: 77, skipped } } }));
    const result = await createClientHarness(port).client.writeTranslations("nl", items, "overwrite");
    expect(result).toEqual({
      written: 1,
      skipped: [{ item: items[1], reason: "version" }],
      unconfirmed: [],
    });
  });

  test("tells skipped items of one name apart by their contexts", async () => {
    const { port } = await serve(() => ({
      body: { skipped: [{ key: "a", context: "menu" }, { key: "a" }] },
    }));
    const both = ["menu", null].map((context) => ({ ...one, hash: String(context), context }));
    const { client } = createClientHarness(port);
    const { skipped } = await client.writeTranslations("nl", both.toReversed(), "overwrite");
    expect(skipped.map(({ item }) => item?.hash)).toEqual(["menu", "null"]);
  });

  test.each([
    ["a list of hashes", ["h1"]],
    ["a list of indexes", [1]],
  ])("finds skipped items in %s, without a reason", async (_, skipped) => {
    const { port } = await serve(() => ({ body: { data: { skipped } } }));
    const result = await createClientHarness(port).client.writeTranslations("nl", items, "overwrite");
    expect([result.written, result.skipped.map(({ reason }) => reason)]).toEqual([1, [""]]);
  });

  test("finds skipped items beside the data, and counts those of which only the number is known", async () => {
    const replies: unknown[] = [
      { data: { written: 1 }, skipped: [{ hash: "h1", reason: "version" }] },
      { data: { skipped: 1 } },
      { data: { skipped: 9 } },
    ];
    const { port } = await serve((_, index) => ({ body: replies[index] }));
    const { client } = createClientHarness(port);
    const write = async () => {
      const { written, skipped } = await client.writeTranslations("nl", items, "overwrite");
      return [written, skipped.length, skipped[0]?.item?.hash];
    };
    expect([await write(), await write(), await write()]).toEqual([
      [1, 1, "h1"],
      [1, 1, undefined],
      [0, 9, undefined],
    ]);
  });

  test("does not take the fields of a refusal with another reason for names", async () => {
    const body = { message: "x", reason: "something_else", errors: { items: ["x"] } };
    const { port, seen } = await serve(() => ({ status: 422, body }));
    const { client } = createClientHarness(port);
    expect(await failure(client.writeTranslations("nl", items, "overwrite"))).toMatchObject({
      errors: body.errors,
    });
    expect(seen).toHaveLength(1);
  });

  test("counts an unidentifiable skipped item as not written", async () => {
    const { port } = await serve(() => ({ body: { skipped: [{ reason: "why" }, { key: "zz" }] } }));
    const result = await createClientHarness(port).client.writeTranslations("nl", items, "overwrite");
    expect(result).toEqual({
      written: 0,
      skipped: [
        { item: null, reason: "why" },
        { item: null, reason: "" },
      ],
      unconfirmed: [],
    });
  });

  test.each([{ data: { written: 2 } }, { data: [] }, {}, null, { data: { skipped: null } }])(
    "is unconfirmed without skipped: %j",
    async (body) => {
      const { port } = await serve(() => ({ body }));
      const result = await createClientHarness(port).client.writeTranslations("nl", items, "overwrite");
      expect(result).toEqual({ written: 2, skipped: [], unconfirmed: items });
    },
  );
});
