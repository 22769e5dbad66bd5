/** Lists of any length: all pages, batches within the limits, sums, and limits of pages. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffInBatches, syncInBatches, writeInBatches } from "../../../src/api/batches.ts";
import type { TranslationItem } from "../../../src/api/endpoints.ts";
import { isFieldRefused } from "../../../src/api/errors.ts";
import { allKeys, keyPages, translationPages } from "../../../src/api/pagination.ts";
import { createClientHarness, failure, KEY, ROW, serve, SYNCED } from "./client-harness.ts";
import { runCount } from "../support/full-run.ts";

async function collect<Item>(pages: AsyncIterable<Item[]>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

describe("paging", () => {
  /** Serves `total` keys by opaque cursors, `size` at most on a page. */
  const serveKeys = (total: number, size: number) =>
    serve((one) => {
      const at = Number(Buffer.from(one.query.get("cursor") ?? "", "base64url").toString() || "0");
      const end = Math.min(total, at + Math.min(size, Number(one.query.get("limit"))));
      const data = Array.from({ length: end - at }, (_, i) => ({ ...KEY, key: `k${at + i}` }));
      const nextCursor = end < total ? Buffer.from(String(end)).toString("base64url") : null;
      return { body: { data, meta: { nextCursor, limit: size } } };
    });

  test("reads every page once with the same filters", async () => {
    const { port, seen } = await serveKeys(2_500, 1_000);
    const keys = await collect(
      keyPages(createClientHarness(port).client, { namespace: "shop", archived: false }),
    );
    expect(keys.map((key) => key.key)).toEqual(Array.from({ length: 2_500 }, (_, i) => `k${i}`));
    expect(seen.length).toBe(3);
    for (const one of seen) {
      const { cursor: _, ...filters } = Object.fromEntries(one.query);
      expect(filters).toEqual({ limit: "1000", namespace: "shop", archived: "0" });
    }
  });

  test("reads every namespace when the service refuses the filter", async () => {
    const pages = [[KEY, { ...KEY, namespace: "shop", key: "a" }], [{ ...KEY, namespace: "shop", key: "b" }]];
    const { port } = await serve((one) => {
      if (one.query.has("namespace"))
        return { status: 422, body: { message: "x", errors: { namespace: ["too long"] } } };
      const at = Number(one.query.get("cursor") ?? 0);
      const nextCursor = at === 0 ? "1" : null;
      return { body: { data: pages[at], meta: { nextCursor, limit: 2 } } };
    });
    const keys = await collect(keyPages(createClientHarness(port).client, { namespace: "shop" }));
    expect(keys.map(({ key }) => key)).toEqual(["a", "b"]);
  });

  test("passes its options on, and restarts only for a cursor", async () => {
    const { port, seen } = await serve(() => ({
      status: 422,
      body: { message: "x", errors: { tag: ["x"] } },
    }));
    const { client } = createClientHarness(port);
    const reason = new Error("closed");
    const options = { signal: AbortSignal.abort(reason) };
    for (const list of [keyPages(client, {}, options), translationPages(client, "nl", {}, options)])
      await expect(list.next()).rejects.toBe(reason);
    await expect(allKeys(client, {}, options)).rejects.toBe(reason);
    expect((await failure(allKeys(client))).kind).toBe("invalid");
    expect(seen).toHaveLength(1);
  });

  test("works with any page size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (total, size) => {
          const { port, seen } = await serveKeys(total, size);
          const keys = await collect(keyPages(createClientHarness(port).client));
          expect(keys.map((key) => key.key)).toEqual(Array.from({ length: total }, (_, i) => `k${i}`));
          expect(seen.length).toBe(Math.max(1, Math.ceil(total / size)));
        },
      ),
      { numRuns: runCount(20) },
    );
  });

  test("reads on behind any number of empty pages", async () => {
    const { port } = await serve((_, index) => ({
      body: {
        data: index < 60 ? [] : [KEY],
        meta: { nextCursor: index < 60 ? `c${index}` : null, limit: 1 },
      },
    }));
    expect(await collect(keyPages(createClientHarness(port).client))).toHaveLength(1);
  });

  test("requests no more pages than consumed", async () => {
    const { port, seen } = await serveKeys(5_000, 1_000);
    for await (const page of keyPages(createClientHarness(port).client)) if (page.length > 0) break;
    expect(seen.length).toBe(1);
  });

  test("starts over when a cursor expires in a full read", async () => {
    const { port, seen } = await serve((one, index) => {
      if (index === 1) return { status: 422, body: { message: "x", errors: { cursor: ["y"] } } };
      const nextCursor = one.query.has("cursor") ? null : "next";
      return { body: { data: [{ ...KEY, key: `k${index}` }], meta: { nextCursor, limit: 1 } } };
    });
    const keys = await allKeys(createClientHarness(port).client, { archived: true });
    expect(keys.map(({ key }) => key)).toEqual(["k2", "k3"]);
    expect(seen.map(({ query }) => query.get("cursor"))).toEqual([null, "next", null, "next"]);
  });

  test("throws when a cursor expires in a partial read", async () => {
    const { port } = await serve((_, index) =>
      index === 0
        ? { body: { data: [ROW], meta: { nextCursor: "a", limit: 1000 } } }
        : { status: 422, body: { message: "x", errors: { cursor: ["x"] } } },
    );
    expect(
      isFieldRefused(
        await failure(collect(translationPages(createClientHarness(port).client, "nl"))),
        "cursor",
      ),
    ).toBe(true);
  });

  test("stops at a repeated cursor", async () => {
    const { port, seen } = await serve((one) => ({
      body: { data: [], meta: { nextCursor: one.query.get("cursor") === "a" ? "b" : "a", limit: 1000 } },
    }));
    const { client } = createClientHarness(port);
    const error = await failure(collect(keyPages(client)));
    expect([error.field, error.message]).toEqual([
      "meta.nextCursor",
      "GET /keys: the same cursor was returned twice",
    ]);
    expect(seen.length).toBe(3);
    expect((await failure(collect(translationPages(client, "nl")))).endpoint).toBe("GET /translations/nl");
  });
});

const numbered = (count: number): { hash: string; sourceHash: null }[] =>
  Array.from({ length: count }, (_, i) => ({ hash: `h${i}`, sourceHash: null }));

describe("diff", () => {
  test("sends 10,000 per request and adds up the results", async () => {
    const { port, seen } = await serve((one) => {
      const { keys } = one.json() as { keys: { hash: string }[] };
      const of = (rest: number): string[] =>
        keys.map((key) => key.hash).filter((hash) => Number(hash.slice(1)) % 4 === rest);
      return { body: { data: { new: of(0), changed: of(1), restored: of(2), unchanged: of(3).length } } };
    });
    const answer = await diffInBatches(createClientHarness(port).client, numbered(25_000));
    expect(seen.map((one) => (one.json() as { keys: [] }).keys.length)).toEqual([10_000, 10_000, 5_000]);
    expect([answer?.new.length, answer?.changed.length, answer?.restored.length, answer?.unchanged]).toEqual([
      6_250, 6_250, 6_250, 6_250,
    ]);
  });

  test("sends nothing for no keys, and is unknown if one response is unreadable", async () => {
    const { port, seen } = await serve(() => ({ body: { data: { verdicts: [] } } }));
    const { client } = createClientHarness(port);
    expect(await diffInBatches(client, [])).toEqual({ new: [], changed: [], restored: [], unchanged: 0 });
    expect(seen.length).toBe(0);
    expect(await diffInBatches(client, numbered(20_000))).toBeNull();
    expect(seen.length).toBe(1);
  });
});

describe("sync", () => {
  const sizes = (seen: readonly { json(): unknown }[]) =>
    seen.map((one) => {
      const body = one.json() as { keys: unknown[]; archive?: unknown[] };
      return [body.keys.length, body.archive?.length];
    });

  test("sends 5,000 per request, archives along with the keys, and adds up the results", async () => {
    const { port, seen } = await serve((one, index) => {
      const { keys, archive = [] } = one.json() as { keys: unknown[]; archive?: unknown[] };
      const rejected = [{ hash: `r${index}`, reason: "plural_changed" }];
      return { body: { data: { ...SYNCED, created: keys.length, archived: archive.length, rejected } } };
    });
    const keys = Array.from({ length: 12_000 }, (_, i) => ({ key: `k${i}`, value: "v" }));
    const archive = Array.from({ length: 6_000 }, (_, i) => `h${i}`);
    const progress: number[][] = [];
    const sum = await syncInBatches(
      createClientHarness(port).client,
      { keys, archive },
      { onProgress: (done, total, { created }) => progress.push([done, total, created]) },
    );
    expect(progress).toEqual([
      [10_000, 18_000, 5_000],
      [16_000, 18_000, 10_000],
      [18_000, 18_000, 12_000],
    ]);
    expect(sizes(seen)).toEqual([
      [5_000, 5_000],
      [5_000, 1_000],
      [2_000, undefined],
    ]);
    expect(sum).toEqual({
      created: 12_000,
      updated: 0,
      restored: 0,
      unchanged: 0,
      archived: 6_000,
      rejected: [0, 1, 2].map((i) => ({ hash: `r${i}`, reason: "plural_changed" })),
    });
  });

  test("archives without keys", async () => {
    const { port, seen } = await serve(() => ({ body: { data: SYNCED } }));
    await syncInBatches(createClientHarness(port).client, { keys: [], archive: ["a"] });
    expect(sizes(seen)).toEqual([[0, 1]]);
  });

  test("counts what a lost attempt of a later request did", async () => {
    const { port } = await serve((_, index) =>
      index === 1
        ? { status: 503, body: { message: "x" } }
        : {
            body: {
              data:
                index === 0
                  ? { ...SYNCED, created: 5_000, unchanged: 0 }
                  : { ...SYNCED, created: 0, unchanged: 2 },
            },
          },
    );
    const keys = Array.from({ length: 5_002 }, (_, i) => ({ key: `k${i}`, value: "v" }));
    const expected = keys.map(({ key }, index) => ({
      hash: key,
      count: index === 5_001 ? ("updated" as const) : ("created" as const),
    }));
    const harness = createClientHarness(port);
    const result = await harness.drive(syncInBatches(harness.client, { keys }, { expected }));
    expect(result).toMatchObject({ created: 5_001, updated: 1, unchanged: 0 });
  });

  test("stops at the first failure and reports what was done", async () => {
    const { port, seen } = await serve((_, index) =>
      index === 1
        ? {
            status: 422,
            body: {
              message: "x",
              errors: { keys: ["x"] },
              reason: "key_limit_reached",
              limit: 1,
              used: 1,
              requested: 1,
            },
          }
        : { body: { data: { ...SYNCED, created: 5_000 } } },
    );
    const keys = Array.from({ length: 15_000 }, (_, i) => ({ key: `k${i}`, value: "v" }));
    let created = 0;
    const options = {
      onProgress: (_: number, __: number, sum: { created: number }) => (created = sum.created),
    };
    expect((await failure(syncInBatches(createClientHarness(port).client, { keys }, options))).kind).toBe(
      "key_limit_reached",
    );
    expect([created, seen.length]).toEqual([5_000, 2]);
  });
});

describe("refused items of a later request", () => {
  const refusing = (first: object, errors: object) =>
    serve((_, index) =>
      index === 0 ? { body: { data: first } } : { status: 422, body: { message: "x", errors } },
    );

  test("have their index in the whole sync", async () => {
    const { port } = await refusing(SYNCED, { "keys.12.value": ["a"], "archive.0": ["b"] });
    const keys = Array.from({ length: 6_000 }, (_, i) => ({ key: `k${i}`, value: "v" }));
    const error = await failure(
      syncInBatches(createClientHarness(port).client, { keys, archive: keys.map(({ key }) => key) }),
    );
    expect(error.refused).toEqual([
      { list: "keys", index: 5_012, field: "value", messages: ["a"] },
      { list: "archive", index: 5_000, field: "", messages: ["b"] },
    ]);
  });

  test("have their index in the whole diff", async () => {
    const { port } = await refusing(
      { new: [], changed: [], restored: [], unchanged: 10_000 },
      { "keys.3.hash": ["a"] },
    );
    const error = await failure(diffInBatches(createClientHarness(port).client, numbered(10_010)));
    expect(error.refused).toEqual([{ list: "keys", index: 10_003, field: "hash", messages: ["a"] }]);
  });
});

describe("writing translations", () => {
  const item = (index: number, more: Partial<TranslationItem> = {}): TranslationItem => ({
    hash: `h${index}`,
    namespace: "*",
    key: `k${index}`,
    context: null,
    value: "v",
    ...more,
  });

  test("sends 1,000 per request, and only fills items that had no translation", async () => {
    const { port, seen } = await serve((one) => {
      const { translations } = one.json() as { translations: { hash: string }[] };
      return { body: { data: { skipped: [{ hash: translations[0]?.hash, reason: "whatever" }] } } };
    });
    const items = Array.from({ length: 2_300 }, (_, i) =>
      item(i, i % 2 === 0 ? { version: 4 } : { version: null }),
    );
    const result = await writeInBatches(createClientHarness(port).client, "nl", items, "overwrite");
    const sent = seen.map((one) => one.json() as { mode: string; translations: Record<string, unknown>[] });
    expect(sent.map((body) => [body.mode, body.translations.length])).toEqual([
      ["overwrite", 1_000],
      ["overwrite", 150],
      ["fill_empty", 1_000],
      ["fill_empty", 150],
    ]);
    expect(seen.map((one) => one.query.get("mode"))).toEqual(sent.map((body) => body.mode));
    expect(sent[0]?.translations[0]).toEqual({
      hash: "h0",
      namespace: "*",
      key: "k0",
      value: "v",
      version: 4,
    });
    expect(sent[2]?.translations[0]).toEqual({ hash: "h1", namespace: "*", key: "k1", value: "v" });
    expect(result.written).toBe(2_296);
    expect(result.skipped.map((skipped) => [skipped.item?.hash, skipped.reason])).toEqual([
      ["h0", "whatever"],
      ["h2000", "whatever"],
      ["h1", "whatever"],
      ["h2001", "whatever"],
    ]);
  });

  test("reports refused items by their index in the whole list", async () => {
    const { port } = await serve((one) => {
      const { mode } = one.json() as { mode: string };
      if (mode === "overwrite") return { body: { data: { skipped: [] } } };
      const errors = { "translations.2.value": ["Too long."], "translations.7": ["Bad."], mode: ["x"] };
      return { status: 422, body: { message: "x", errors } };
    });
    const items = Array.from({ length: 2_300 }, (_, i) => item(i, { version: i % 2 === 0 ? 4 : null }));
    const error = await failure(writeInBatches(createClientHarness(port).client, "nl", items, "overwrite"));
    expect(error.refused).toEqual([
      { list: "translations", index: 5, field: "value", messages: ["Too long."] },
      { list: "translations", index: 15, field: "", messages: ["Bad."] },
    ]);
  });

  test("writes an item without a version unconditionally", async () => {
    const { port, seen } = await serve(() => ({ body: { data: { skipped: [] } } }));
    await writeInBatches(createClientHarness(port).client, "nl", [item(1, { context: "menu" })], "overwrite");
    expect(seen[0]?.json()).toEqual({
      mode: "overwrite",
      translations: [{ hash: "h1", namespace: "*", key: "k1", context: "menu", value: "v" }],
    });
  });
});

describe("filter with a refused spelling", () => {
  const empty = { body: { data: [], meta: { nextCursor: null, limit: 1000 } } };
  const refuse = (field: string) => ({ status: 422, body: { message: "x", errors: { [field]: ["x"] } } });
  const since = "2026-01-02T03:04:05.678Z";

  test.each(["archived", "updatedSince"] as const)(
    "is sent in another spelling, which is remembered: %s",
    async (field) => {
      const written: (string | null)[] = [];
      const { port } = await serve((one) => {
        const value = one.query.get(field);
        written.push(value);
        return value === written[0] ? refuse(field) : empty;
      });
      const { client } = createClientHarness(port);
      const query = field === "archived" ? { archived: true } : { updatedSince: since };
      await client.keys(query);
      await client.keys(query);
      expect(written).toHaveLength(3);
      expect(written[1]).not.toBe(written[0]);
      expect(written[2]).toBe(written[1]);
    },
  );

  test.each(["archived", "updatedSince"] as const)("is not retried endlessly: %s", async (field) => {
    let isRefused = false;
    const { port, seen } = await serve((_, index) => (index === 0 || isRefused ? refuse(field) : empty));
    const { client } = createClientHarness(port);
    const query = field === "archived" ? { archived: false } : { updatedSince: since };
    await client.keys(query);
    isRefused = true;
    expect((await failure(client.keys(query))).kind).toBe("invalid");
    expect(seen).toHaveLength(3);
    const anew = createClientHarness(port).client;
    expect((await failure(anew.keys(query))).kind).toBe("invalid");
    expect(seen).toHaveLength(5);
  });
});
