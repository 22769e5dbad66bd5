/** § Key, § Key identity, § GET /keys with its pages and filters, § PATCH /keys/{keyHash}. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { api, fieldsOf, sha1, TIMESTAMP } from "./support/http.ts";
import { laterTime, Walk, type Key, type Page } from "./support/keys.ts";

const service = api();
const walk = new Walk(service);
afterAll(() => walk.cleanUp());

describe("a key", () => {
  test("has all documented fields", async () => {
    await walk.sync([
      {
        key: "full",
        value: "Héllo/wörld",
        context: "menu",
        description: "Said first",
        maxLength: 40,
        tags: ["web", "app"],
      },
      { key: "bare", value: "Hi" },
      { key: "many", forms: { other: "%d apples", one: "an apple" } },
    ]);
    const full: Key = {
      hash: walk.hash("full", "menu"),
      namespace: walk.namespace,
      key: "full",
      context: "menu",
      isPlural: false,
      description: "Said first",
      maxLength: 40,
      sourceHash: sha1("Héllo/wörld"),
      source: { value: "Héllo/wörld" },
      tags: expect.any(Array) as string[],
      archived: false,
      updatedAt: expect.stringMatching(TIMESTAMP) as string,
    };
    const found = await walk.key("full");
    expect(found).toMatchObject(full);
    expect(found?.tags.toSorted()).toEqual(["app", "web"]);
    expect(await walk.key("bare")).toMatchObject({
      context: null,
      description: null,
      maxLength: null,
      tags: [],
    });
    expect(await walk.key("many")).toMatchObject({
      isPlural: true,
      source: { forms: { one: "an apple", other: "%d apples" } },
      sourceHash: sha1('{"one":"an apple","other":"%d apples"}'),
    });
  });

  test("is the same with a missing and an empty context", async () => {
    await walk.sync([{ key: "context", value: "One" }]);
    const result = await walk.sync([{ key: "context", context: "", value: "One" }]);
    expect([result.created, result.unchanged]).toEqual([0, 1]);
    expect((await walk.key("context"))?.hash).toBe(walk.hash("context"));
  });

  test("has the namespace `*` by default", async () => {
    const key = `${walk.namespace}.none`;
    const body = { keys: [{ key, value: "One", tags: [walk.namespace] }] };
    expect((await service.request("POST", "/keys/sync", { body })).status).toBe(200);
    const found = await walk.keys({ namespace: "*", tag: walk.namespace });
    expect(found.map((one) => one.hash)).toEqual([sha1(`*\u001f${key}\u001f`)]);
    await walk.sync([], [sha1(`*\u001f${key}\u001f`)]);
  });
});

interface Vectors {
  readonly keyHash: {
    input: { namespace: string | null; key: string; context: string | null };
    hash: string;
  }[];
  readonly sourceHash: {
    input: { value?: string | null; forms?: Record<string, string> };
    sourceHash: string | null;
  }[];
}

describe("hashes equal the documented vectors", () => {
  const vectors = JSON.parse(
    readFileSync(join(import.meta.dirname, "../fixtures/vectors/hash.json"), "utf8"),
  ) as Vectors;

  test("hash: a diff of synced keys finds nothing new", async () => {
    const keys = vectors.keyHash.map(({ input }) => ({
      key: input.key,
      value: "vector",
      ...(input.namespace === null ? {} : { namespace: input.namespace }),
      ...(input.context === null ? {} : { context: input.context }),
    }));
    const synced = await service.request("POST", "/keys/sync", { body: { keys } });
    expect(synced.status, synced.bytes.toString()).toBe(200);
    const hashes = [...new Set(vectors.keyHash.map((vector) => vector.hash))];
    const body = { keys: hashes.map((hash) => ({ hash, sourceHash: sha1("vector") })) };
    const diff = await service.request("POST", "/keys/diff", { body });
    // Whatever the fields are called: as many unchanged as were asked about, so in no list.
    expect(Object.values(diff.data())).toContain(hashes.length);
    await walk.sync([], hashes);
  });

  test("sourceHash", async () => {
    const kept = vectors.sourceHash.filter((vector) => vector.sourceHash !== null);
    await walk.sync(
      kept.map(({ input }, index) => ({
        key: `vector.${index}`,
        ...(input.forms === undefined ? { value: input.value } : { forms: input.forms }),
      })),
    );
    const keys = await walk.keys();
    for (const [index, vector] of kept.entries())
      expect(keys.find((key) => key.key === `vector.${index}`)?.sourceHash, JSON.stringify(vector)).toBe(
        vector.sourceHash,
      );
  });
});

describe("pages", () => {
  const pages = new Walk(service);
  const names = Array.from({ length: 23 }, (_, i) => `page.${String(i).padStart(3, "0")}`);
  beforeAll(() => pages.sync(names.toReversed().map((key) => ({ key, value: key }))));
  afterAll(() => pages.cleanUp());

  const list = async (query: Record<string, string | number>) =>
    service.request("GET", "/keys", { query: { namespace: pages.namespace, ...query } });

  test("have a stable order and contain each key once, with any page size", async () => {
    // "Order is by key" (§ Pagination), and here the keys were made the other way round.
    const order = (await pages.keys({ limit: 1000 })).map((key) => key.key);
    expect(order).toEqual(names);
    for (const limit of [1, 7, 23, 24])
      expect(
        (await pages.keys({ limit })).map((key) => key.key),
        String(limit),
      ).toEqual(order);
  });

  test("list each of several keys with the same name once", async () => {
    const contexts = ["", "a", "b", "c", "d"];
    await pages.sync(contexts.map((context) => ({ key: "page.005", context, value: "x" })));
    for (const limit of [1, 2, 3, 8]) {
      const found = (await pages.keys({ limit })).filter((key) => key.key === "page.005");
      expect(found.map((key) => key.context ?? "").toSorted(), String(limit)).toEqual(contexts);
    }
    await pages.sync(
      [],
      contexts.slice(1).map((context) => pages.hash("page.005", context)),
    );
  });

  test("report their limit (default 500) and the end", async () => {
    const whole = (await list({})).json<Page<Key>>();
    expect(whole.meta).toEqual({ nextCursor: null, limit: 500 });
    const first = (await list({ limit: 23 })).json<Page<Key>>();
    expect(first.meta).toEqual({ nextCursor: null, limit: 23 });
    const part = (await list({ limit: 22 })).json<Page<Key>>();
    expect([typeof part.meta.nextCursor, part.data.length]).toEqual(["string", 22]);
  });

  test("neither skip nor repeat keys if others are added or removed", async () => {
    const first = (await list({ limit: 10 })).json<Page<Key>>();
    const seen = first.data.map((key) => key.key);
    const gone = seen[5] ?? "";
    await pages.sync([{ key: "page.zzz", value: "x" }], [pages.hash(gone)]);
    const rest = (await list({ limit: 1000, cursor: first.meta.nextCursor ?? "" })).json<Page<Key>>();
    const all = [...seen, ...rest.data.map((key) => key.key)].filter((key) => key !== "page.zzz");
    expect(all.toSorted()).toEqual(names);
    await pages.sync([{ key: gone, value: gone }], [pages.hash("page.zzz")]);
  });

  test.each([0, 1001, -1, "many", "1.5"])("limit %j: 422", async (limit) => {
    expect(fieldsOf(await list({ limit }))).toEqual(["limit"]);
  });

  test("invalid cursor: 422 on cursor", async () => {
    const { meta } = (await list({ limit: 5 })).json<Page<Key>>();
    const cursor = meta.nextCursor ?? "";
    const broken = ["x", "MTA=", "../..", cursor.slice(1), `${cursor}x`, cursor.slice(0, -2)];
    // No letter of it can be changed by hand.
    for (const place of [0, Math.floor(cursor.length / 2), cursor.length - 3])
      broken.push(cursor.slice(0, place) + (cursor[place] === "A" ? "B" : "A") + cursor.slice(place + 1));
    for (const one of broken)
      expect(fieldsOf(await list({ limit: 5, cursor: one })), one).toEqual(["cursor"]);
    expect(fieldsOf(await list({ limit: 0, cursor: "x" })).toSorted()).toEqual(["cursor", "limit"]);
  });
});

describe("filters", () => {
  const filters = new Walk(service);
  beforeAll(async () => {
    await filters.sync([
      { key: "tagged", value: "1", tags: ["red", "blue"] },
      { key: "plain", value: "2" },
      { key: "gone", value: "3", tags: ["red"] },
    ]);
    await filters.sync([], [filters.hash("gone")]);
  });
  afterAll(() => filters.cleanUp());
  const names = async (query: Record<string, string | number>): Promise<string[]> =>
    (await filters.keys(query)).map((key) => key.key).toSorted();

  test("filters by namespace", async () => {
    expect(new Set((await filters.keys()).map((key) => key.namespace))).toEqual(new Set([filters.namespace]));
    expect(await names({ namespace: `${filters.namespace}-none` })).toEqual([]);
  });

  test("filters by tag, and by untagged", async () => {
    expect(await names({ tag: "red", archived: 0 })).toEqual(["tagged"]);
    expect(await names({ tag: "untagged" })).toEqual(["plain"]);
    expect(await names({ tag: "green" })).toEqual([]);
  });

  test("filters by archived", async () => {
    expect(await names({ archived: 1 })).toEqual(["gone"]);
    expect(await names({ archived: 0 })).toEqual(["plain", "tagged"]);
    expect((await filters.keys({ archived: 1 }))[0]?.archived).toBe(true);
  });

  test("filters by updatedSince", async () => {
    const before = (await filters.key("plain"))?.updatedAt ?? "";
    expect(await names({ updatedSince: before })).toContain("plain");
    await laterTime();
    await filters.sync([{ key: "plain", value: "changed" }]);
    const after = (await filters.key("plain"))?.updatedAt ?? "";
    expect(after > before).toBe(true);
    expect(await names({ updatedSince: after })).toEqual(["plain"]);
    expect(await names({ updatedSince: "2999-01-01T00:00:00Z" })).toEqual([]);
    expect(fieldsOf(await service.request("GET", "/keys", { query: { updatedSince: "yesterday" } }))).toEqual(
      ["updatedSince"],
    );
  });
});

describe("PATCH", () => {
  const patch = new Walk(service);
  beforeAll(() => patch.sync([{ key: "a", value: "1", description: "said", maxLength: 9, tags: ["x"] }]));
  afterAll(() => patch.cleanUp());
  const update = (body: unknown, hash = patch.hash("a")) =>
    service.request("PATCH", `/keys/${hash}`, { body });

  test("sets the given fields, keeps the others, and clears with null", async () => {
    const key = (await update({ maxLength: 32_768 })).data<Key>();
    expect(key).toMatchObject({
      key: "a",
      description: "said",
      maxLength: 32_768,
      tags: ["x"],
      source: { value: "1" },
    });
    expect((await update({ description: null, tags: ["y", "z"] })).data<Key>()).toMatchObject({
      description: null,
      maxLength: 32_768,
    });
    const tagged = await patch.key("a");
    expect(tagged?.tags.toSorted()).toEqual(["y", "z"]);
    expect((await update({ maxLength: null, tags: [] })).data<Key>()).toMatchObject({
      maxLength: null,
      tags: [],
    });
    expect((await update({})).data<Key>()).toEqual((await patch.key("a")) ?? {});
  });

  test.each([
    ["maxLength", { maxLength: 32_769 }],
    ["maxLength", { maxLength: "ten" }],
    ["maxLength", { maxLength: 1.5 }],
    ["description", { description: 5 }],
    ["tags", { tags: "x" }],
    ["tags.0", { tags: [5] }],
  ])("422 on %s: %j", async (field, body) => expect(fieldsOf(await update(body))).toEqual([field]));

  test("an unknown key: 404", async () => {
    expect((await update({}, "0".repeat(40))).status).toBe(404);
    expect((await update({}, "no-hash")).status).toBe(404);
  });
});
