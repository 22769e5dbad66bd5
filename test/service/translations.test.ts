/** § Translation row, § GET and § PUT /translations/{locale}. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { api, fieldsOf, TIMESTAMP } from "./support/http.ts";
import { laterTime, Walk, type Page, type Row } from "./support/keys.ts";

const service = api();
const walk = new Walk(service);
let source = "";
let target = "";
beforeAll(async () => ({ source, target } = await walk.locales()));
afterAll(() => walk.cleanUp());

describe("rows", () => {
  test("for a key without a translation", async () => {
    await walk.sync([
      { key: "none", value: "1", context: "menu" },
      { key: "none.many", forms: { one: "1", other: "n" } },
    ]);
    expect(await walk.row(target, "none")).toEqual({
      hash: walk.hash("none", "menu"),
      namespace: walk.namespace,
      key: "none",
      context: "menu",
      isPlural: false,
      value: null,
      forms: null,
      isTranslated: false,
      isOutdated: false,
      issues: [],
      version: null,
      updatedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(await walk.row(target, "none.many")).toMatchObject({
      isPlural: true,
      value: null,
      forms: null,
      version: null,
    });
  });

  test("for the source language", async () => {
    await walk.sync([
      { key: "source", value: "Hello" },
      { key: "source.many", forms: { one: "1", other: "n" } },
    ]);
    expect(await walk.row(source, "source")).toMatchObject({
      value: "Hello",
      isTranslated: true,
      isOutdated: false,
    });
    expect(await walk.row(source, "source.many")).toMatchObject({
      forms: { one: "1", other: "n" },
      isTranslated: true,
    });
  });

  test("for active keys only", async () => {
    await walk.sync([{ key: "archived", value: "1" }]);
    await walk.sync([], [walk.hash("archived")]);
    expect((await walk.rows(target)).map((row) => row.key)).not.toContain("archived");
  });

  test("for an unknown language: 404", async () => {
    expect((await service.request("GET", "/translations/xx-none")).status).toBe(404);
    const body = { mode: "overwrite", translations: [] };
    expect((await service.request("PUT", "/translations/xx-none", { body })).status).toBe(404);
  });
});

describe("pages and filters", () => {
  const list = new Walk(service);
  beforeAll(async () => {
    await list.sync(
      ["e", "a", "d", "b", "c"].map((key) => ({ key, value: key, tags: key < "c" ? ["early"] : [] })),
    );
    await list.write(target, [
      { key: "a", value: "A" },
      { key: "e", value: "E" },
    ]);
  });
  afterAll(() => list.cleanUp());
  const names = async (query: Record<string, string | number>): Promise<string> =>
    (await list.rows(target, query)).map((row) => row.key).join("");

  test("are ordered by key id with any page size", async () => {
    const order = await names({});
    expect(order.split("").toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    for (const limit of [1, 2, 5]) expect(await names({ limit })).toBe(order);
  });

  test("filter by status, tag, namespace", async () => {
    const sorted = async (query: Record<string, string>): Promise<string> =>
      (await names(query)).split("").toSorted().join("");
    expect(await sorted({ status: "all" })).toBe("abcde");
    expect(await sorted({ status: "translated" })).toBe("ae");
    expect(await sorted({ status: "untranslated" })).toBe("bcd");
    expect(await sorted({ tag: "early" })).toBe("ab");
    expect(await sorted({ tag: "untagged" })).toBe("cde");
    expect(await sorted({ tag: "early", status: "untranslated" })).toBe("b");
    expect(await sorted({ namespace: `${list.namespace}-none` })).toBe("");
  });

  test("updatedSince refers to the translation", async () => {
    const own = new Walk(service);
    await own.sync([
      { key: "a", value: "a" },
      { key: "b", value: "b" },
    ]);
    await own.write(target, [{ key: "a", value: "A" }]);
    const { updatedAt } = await own.row(target, "a");
    await laterTime();
    await own.write(target, [{ key: "b", value: "B" }]);
    const after = (await own.row(target, "b")).updatedAt;
    expect(after > updatedAt).toBe(true);
    expect((await own.rows(target, { updatedSince: after })).map(({ key }) => key)).toEqual(["b"]);
    await own.cleanUp();
  });

  test("validates limits and cursors", async () => {
    const ask = (query: Record<string, string | number>) =>
      service.request("GET", `/translations/${target}`, { query });
    expect((await ask({ namespace: list.namespace })).json<Page<Row>>().meta.limit).toBe(500);
    expect(fieldsOf(await ask({ limit: 1001 }))).toEqual(["limit"]);
    expect(fieldsOf(await ask({ cursor: "x" }))).toEqual(["cursor"]);
    expect(fieldsOf(await ask({ status: "some" }))).toEqual(["status"]);
    const { meta } = (await ask({ namespace: list.namespace, limit: 2 })).json<Page<Row>>();
    // "Opaque": whether a cursor says of which list it is, is not shown. Ours does.
    const keys = await service.request("GET", "/keys", {
      query: { cursor: meta.nextCursor ?? "", limit: 2 },
    });
    if (inject("target").isLocal) expect(fieldsOf(keys)).toEqual(["cursor"]);
  });
});

describe("writing", () => {
  test("stores a value and plural forms", async () => {
    await walk.sync([
      { key: "w", value: "Hello" },
      { key: "w.many", forms: { one: "an apple", other: "%d apples" } },
    ]);
    expect(
      await walk.write(target, [
        { key: "w", value: "Hallo" },
        { key: "w.many", forms: { one: "een appel", other: "%d appels" } },
      ]),
    ).toEqual([]);
    expect(await walk.row(target, "w")).toMatchObject({
      value: "Hallo",
      forms: null,
      isTranslated: true,
      isOutdated: false,
    });
    expect(await walk.row(target, "w.many")).toMatchObject({
      value: null,
      forms: { one: "een appel", other: "%d appels" },
      isTranslated: true,
    });
    expect(Number.isInteger((await walk.row(target, "w")).version)).toBe(true);
  });

  test("clears a translation if the value is empty", async () => {
    await walk.sync([{ key: "clear", value: "1" }]);
    await walk.write(target, [{ key: "clear", value: "Een" }]);
    expect(await walk.write(target, [{ key: "clear", value: "" }])).toEqual([]);
    expect(await walk.row(target, "clear")).toMatchObject({
      value: null,
      version: null,
      isTranslated: false,
    });
  });

  test("clears a translation of a plural key if the value is empty", async () => {
    await walk.sync([{ key: "clear.many", forms: { one: "1", other: "n" } }]);
    await walk.write(target, [{ key: "clear.many", forms: { one: "een", other: "n" } }]);
    expect(await walk.write(target, [{ key: "clear.many", value: "" }])).toEqual([]);
    expect(await walk.row(target, "clear.many")).toMatchObject({ version: null, isTranslated: false });
  });

  test("fill_empty fills a cleared translation", async () => {
    await walk.sync([{ key: "cleared", value: "1" }]);
    await walk.write(target, [{ key: "cleared", value: "Een" }]);
    await walk.write(target, [{ key: "cleared", value: "" }]);
    expect(await walk.write(target, [{ key: "cleared", value: "Weer" }], "fill_empty")).toEqual([]);
    expect(await walk.row(target, "cleared")).toMatchObject({ value: "Weer", isTranslated: true });
  });

  test("counts and lists a cleared translation as untranslated", async () => {
    const numbers = new Walk(service);
    const progress = async () => {
      const stats = (await service.request("GET", "/stats")).data<{
        languages: { locale: string; translated: number; total: number }[];
      }>();
      const own = stats.languages.find(({ locale }) => locale === target);
      return own?.translated;
    };
    await numbers.sync([{ key: "counted", value: "1" }]);
    const before = await progress();
    await numbers.write(target, [{ key: "counted", value: "Een" }]);
    expect(await progress()).not.toEqual(before);
    await numbers.write(target, [{ key: "counted", value: "" }]);
    expect(await progress()).toEqual(before);
    await numbers.cleanUp();
  });

  test("fill_empty fills empty translations and reports the others", async () => {
    await walk.sync([
      { key: "full", value: "1" },
      { key: "empty", value: "2" },
    ]);
    await walk.write(target, [{ key: "full", value: "Een" }]);
    const skipped = await walk.write(
      target,
      [
        { key: "full", value: "Anders" },
        { key: "empty", value: "Twee" },
      ],
      "fill_empty",
    );
    expect(skipped.length).toBe(1);
    expect(typeof skipped[0]?.reason).toBe("string");
    expect((await walk.row(target, "full")).value).toBe("Een");
    expect((await walk.row(target, "empty")).value).toBe("Twee");
  });

  test("refuses an outdated version", async () => {
    await walk.sync([{ key: "versioned", value: "1" }]);
    await walk.write(target, [{ key: "versioned", value: "Een" }]);
    const { version } = await walk.row(target, "versioned");
    await walk.write(target, [{ key: "versioned", value: "Eén" }]);
    const mine = [{ key: "versioned", value: "Mijn", version }];
    expect((await walk.write(target, mine)).length).toBe(1);
    const theirs = await walk.row(target, "versioned");
    expect(theirs.value).toBe("Eén");
    expect(await walk.write(target, [{ key: "versioned", value: "Mijn", version: theirs.version }])).toEqual(
      [],
    );
    expect((await walk.row(target, "versioned")).value).toBe("Mijn");
  });

  test("refuses one of two concurrent writes with the same version", async () => {
    await walk.sync([{ key: "race", value: "1" }]);
    await walk.write(target, [{ key: "race", value: "Een" }]);
    const { version } = await walk.row(target, "race");
    const both = await Promise.all(
      ["A", "B", "C"].map((value) => walk.write(target, [{ key: "race", value, version }])),
    );
    expect(both.filter((skipped) => skipped.length === 0).length).toBe(1);
    expect(both.flat().length).toBe(2);
  });

  test("skips unknown and archived keys and the wrong kind, and writes the rest", async () => {
    await walk.sync([
      { key: "rest", value: "1" },
      { key: "put.away", value: "2" },
      { key: "kind", value: "3" },
    ]);
    await walk.sync([], [walk.hash("put.away")]);
    const skipped = await walk.write(target, [
      { key: "unheard.of", value: "x" },
      { key: "put.away", value: "x" },
      { key: "kind", forms: { one: "x", other: "y" } },
      { key: "rest", value: "Rest" },
    ]);
    expect(skipped.length).toBe(3);
    expect((await walk.row(target, "rest")).value).toBe("Rest");
  });

  test("marks a translation as outdated after a source change until it is written again", async () => {
    await walk.sync([
      { key: "old", value: "1" },
      { key: "old.none", value: "1" },
    ]);
    await walk.write(target, [{ key: "old", value: "Een" }]);
    await walk.sync([
      { key: "old", value: "2" },
      { key: "old.none", value: "2" },
    ]);
    expect(await walk.row(target, "old")).toMatchObject({
      value: "Een",
      isTranslated: true,
      isOutdated: true,
    });
    expect((await walk.row(target, "old.none")).isOutdated).toBe(false);
    await walk.write(target, [{ key: "old", value: "Twee" }]);
    expect((await walk.row(target, "old")).isOutdated).toBe(false);
  });

  test("refuses the source language", async () => {
    await walk.sync([{ key: "no.target", value: "1" }]);
    const body = { mode: "overwrite", translations: [{ hash: walk.hash("no.target"), value: "x" }] };
    const answer = await service.request("PUT", `/translations/${source}`, {
      query: { mode: "overwrite" },
      body,
    });
    // "The source language can be read too": how a write is refused, is not shown. Ours names the language.
    expect([404, 422]).toContain(answer.status);
    if (inject("target").isLocal) expect(fieldsOf(answer)).toEqual(["locale"]);
    expect((await walk.row(source, "no.target")).value).toBe("1");
  });

  test("keeps translations of archived keys", async () => {
    await walk.sync([{ key: "comes.back", value: "1" }]);
    await walk.write(target, [{ key: "comes.back", value: "Een" }]);
    await walk.sync([], [walk.hash("comes.back")]);
    await walk.sync([{ key: "comes.back", value: "1" }]);
    expect((await walk.row(target, "comes.back")).value).toBe("Een");
  });

  test("an unknown mode: 422 on mode", async () => {
    const answer = await service.request("PUT", `/translations/${target}`, {
      query: { mode: "sometimes" },
      body: { mode: "sometimes", translations: [] },
    });
    expect(fieldsOf(answer)).toEqual(["mode"]);
  });

  test("writes 1,000 at once, texts byte for byte", async () => {
    const many = new Walk(service);
    const keys = Array.from({ length: 1_000 }, (_, i) => ({ key: `k${i}`, value: `${i}` }));
    await many.sync(keys);
    expect(
      await many.write(
        target,
        keys.map(({ key }, i) => ({ key, value: ` é\u2028${i}👍 ` })),
      ),
    ).toEqual([]);
    const rows = new Map((await many.rows(target)).map((row) => [row.key, row.value]));
    for (const [i, { key }] of keys.entries()) expect(rows.get(key)).toBe(` é\u2028${i}👍 `);
    await many.cleanUp();
  });
});
