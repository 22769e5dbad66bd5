/** § POST /keys/diff and § POST /keys/sync: rules 1 to 6. */
import { afterAll, describe, expect, test } from "vitest";
import { api, fieldsOf, sha1 } from "./support/http.ts";
import { Walk } from "./support/keys.ts";

const service = api();
const walk = new Walk(service);
afterAll(() => walk.cleanUp());

const none = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };

describe("diff", () => {
  test("returns new, changed and restored keys and the number of unchanged ones, without writing", async () => {
    await walk.sync([
      { key: "same", value: "1" },
      { key: "other", value: "2" },
      { key: "away", value: "3" },
      { key: "same.too", value: "4" },
    ]);
    await walk.sync([], [walk.hash("away")]);
    const before = await walk.stats();
    const answer = await service.request("POST", "/keys/diff", {
      body: {
        keys: [
          { hash: walk.hash("same"), sourceHash: sha1("1") },
          { hash: walk.hash("same.too"), sourceHash: sha1("4") },
          { hash: walk.hash("other"), sourceHash: sha1("2, changed") },
          { hash: walk.hash("away"), sourceHash: sha1("3") },
          { hash: walk.hash("unheard"), sourceHash: sha1("5") },
        ],
      },
    });
    expect(answer.status).toBe(200);
    // The names of the fields are not shown: each of the three hashes stands in a list of its own.
    const lists = Object.values(answer.data()).map((value) => JSON.stringify(value));
    const listsOf = (key: string): number[] =>
      lists.flatMap((list, index) => (list.includes(walk.hash(key)) ? [index] : []));
    const places = ["other", "away", "unheard"].map(listsOf);
    expect(places.map((place) => place.length)).toEqual([1, 1, 1]);
    expect(new Set(places.flat()).size).toBe(3);
    expect(await walk.stats()).toEqual(before);
    expect(await walk.key("away", { archived: 1 })).toBeDefined();
  });

  test("counts a removed text as a change, and a text missing on both sides as unchanged", async () => {
    await walk.sync([{ key: "text", value: "1" }]);
    const ask = async (sourceHash: string | null): Promise<string> =>
      JSON.stringify(
        (
          await service.request("POST", "/keys/diff", {
            body: { keys: [{ hash: walk.hash("text"), sourceHash }] },
          })
        ).data(),
      );
    expect(await ask(null)).toContain(walk.hash("text"));
    expect(await ask(sha1("1"))).not.toContain(walk.hash("text"));
  });

  test("accepts 0 and 10,000 keys", async () => {
    expect((await service.request("POST", "/keys/diff", { body: { keys: [] } })).status).toBe(200);
    const keys = Array.from({ length: 10_000 }, (_, i) => ({
      hash: walk.hash(`many.${i}`),
      sourceHash: null,
    }));
    expect((await service.request("POST", "/keys/diff", { body: { keys } })).status).toBe(200);
  });

  test.each([
    ["keys", {}],
    ["keys", { keys: "all" }],
    ["keys.1.hash", { keys: [{ hash: "0".repeat(40), sourceHash: null }, { sourceHash: null }] }],
    ["keys.0.hash", { keys: [{ hash: "XYZ", sourceHash: null }] }],
    ["keys.0.sourceHash", { keys: [{ hash: "0".repeat(40), sourceHash: 5 }] }],
  ])("422 on %s", async (field, body) => {
    expect(fieldsOf(await service.request("POST", "/keys/diff", { body }))).toEqual([field]);
  });
});

describe("sync", () => {
  test("creates, updates, skips, archives and restores keys, and counts each", async () => {
    expect(
      await walk.sync([
        { key: "a", value: "1" },
        { key: "b", value: "2" },
      ]),
    ).toEqual({ ...none, created: 2 });
    expect(
      await walk.sync([
        { key: "a", value: "1" },
        { key: "b", value: "2, changed" },
      ]),
    ).toEqual({ ...none, updated: 1, unchanged: 1 });
    expect(await walk.sync([{ key: "c", value: "3" }], [walk.hash("a")])).toEqual({
      ...none,
      created: 1,
      archived: 1,
    });
    expect(await walk.key("a")).toBeUndefined();
    expect((await walk.key("a", { archived: 1 }))?.source).toMatchObject({ value: "1" });
    expect(await walk.sync([{ key: "a", value: "1, again" }])).toEqual({ ...none, restored: 1 });
    expect((await walk.key("a"))?.source).toMatchObject({ value: "1, again" });
    expect((await walk.key("b"))?.source).toMatchObject({ value: "2, changed" });
  });

  test("never archives implicitly", async () => {
    await walk.sync([{ key: "kept", value: "1" }]);
    await walk.sync([{ key: "another", value: "1" }]);
    expect(await walk.key("kept")).toBeDefined();
  });

  test("changes nothing when repeated (rule 3)", async () => {
    const keys = [
      { key: "twice", value: "1", description: "d", tags: ["t"] },
      { key: "twice.many", forms: { one: "1", other: "n" } },
    ];
    await walk.sync(keys, [walk.hash("b")]);
    const [stats, found] = [await walk.stats(), await walk.keys()];
    expect(await walk.sync(keys, [walk.hash("b")])).toEqual({ ...none, unchanged: 2 });
    expect(await walk.stats()).toEqual(stats);
    expect(await walk.keys()).toEqual(found);
  });

  test("adds tags, never removes them (rule 1)", async () => {
    await walk.sync([{ key: "tags", value: "1", tags: ["a", "b"] }]);
    await walk.sync([{ key: "tags", value: "1", tags: ["c"] }]);
    await walk.sync([{ key: "tags", value: "1" }]);
    expect((await walk.key("tags"))?.tags.toSorted()).toEqual(["a", "b", "c"]);
  });

  test("rejects a change between singular and plural, and processes the other items (rule 2)", async () => {
    await walk.sync([
      { key: "one", value: "1" },
      { key: "many", forms: { one: "1", other: "n" } },
    ]);
    const result = await walk.sync([
      { key: "one", forms: { one: "1", other: "n" } },
      { key: "many", value: "n" },
      { key: "proceeds", value: "1" },
    ]);
    expect(result).toMatchObject({ created: 1, updated: 0 });
    expect(result.rejected.toSorted((a, b) => a.hash.localeCompare(b.hash))).toEqual(
      ["one", "many"]
        .map((key) => ({ hash: walk.hash(key), reason: "plural_changed" }))
        .toSorted((a, b) => a.hash.localeCompare(b.hash)),
    );
    expect(await walk.key("one")).toMatchObject({ isPlural: false, source: { value: "1" } });
    expect(await walk.key("many")).toMatchObject({
      isPlural: true,
      source: { forms: { one: "1", other: "n" } },
    });
  });

  test("keeps a description that is not sent", async () => {
    await walk.sync([{ key: "described", value: "1", description: "said", maxLength: 7 }]);
    await walk.sync([{ key: "described", value: "2" }]);
    expect(await walk.key("described")).toMatchObject({ description: "said", maxLength: 7 });
  });

  test("ignores an unknown hash to archive", async () => {
    expect(await walk.sync([], ["0".repeat(40)])).toEqual(none);
  });

  test("accepts an empty request", async () => expect(await walk.sync([])).toEqual(none));

  test("returns texts byte for byte", async () => {
    const texts = [
      "  spaces  ",
      "line\nline\r\nline",
      "\u0001\u001f",
      "a\0b",
      "\u{10ffff}",
      "é e\u0301",
      "👩‍👩‍👧 \u2028\u2029",
      "</script>\\\"'",
      "x".repeat(30_000),
    ];
    await walk.sync(texts.map((value, index) => ({ key: `bytes.${index}`, value })));
    const keys = await walk.keys();
    for (const [index, value] of texts.entries()) {
      const key = keys.find((one) => one.key === `bytes.${index}`);
      expect([key?.source.value, key?.sourceHash]).toEqual([value, sha1(value)]);
    }
  });

  test("returns keys and contexts byte for byte", async () => {
    const names = [
      "A whole sentence, as a key.",
      "a.b/c?d#e%20&f=g",
      "a  b",
      "ключ",
      "Case",
      "case",
      "👍",
      "nul\0",
    ];
    await walk.sync(names.map((key) => ({ key, value: "1", context: `in ${key}` })));
    const keys = await walk.keys();
    for (const name of names)
      expect(keys.find((key) => key.key === name && key.context === `in ${name}`)?.hash, name).toBe(
        walk.hash(name, `in ${name}`),
      );
  });

  test("accepts 5,000 keys at once", async () => {
    const many = new Walk(service);
    const keys = Array.from({ length: 5_000 }, (_, i) => ({ key: `k${i}`, value: `text ${i}` }));
    expect(await many.sync(keys)).toEqual({ ...none, created: 5_000 });
    expect((await many.keys()).length).toBe(5_000);
    expect(
      (
        await many.sync(
          [],
          keys.map(({ key }) => many.hash(key)),
        )
      ).archived,
    ).toBe(5_000);
  });

  test.each([
    ["keys.0.key", { keys: [{ value: "1" }] }],
    [
      "keys.1.key",
      {
        keys: [
          { key: "fine", value: "1" },
          { key: 5, value: "1" },
        ],
      },
    ],
    ["keys.0.value", { keys: [{ key: "a", value: 5 }] }],
    ["keys.0.maxLength", { keys: [{ key: "a", value: "1", maxLength: "x" }] }],
    ["keys.0.tags", { keys: [{ key: "a", value: "1", tags: "x" }] }],
    ["keys", { keys: "all" }],
    ["archive", { keys: [], archive: "all" }],
  ])("422 on %s, and nothing is written", async (field, body) => {
    const before = await walk.stats();
    expect(fieldsOf(await service.request("POST", "/keys/sync", { body }))).toContain(field);
    expect(await walk.stats()).toEqual(before);
  });
});
