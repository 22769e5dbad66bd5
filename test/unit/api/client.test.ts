/** The client's request for each endpoint, and how it parses valid responses. */
import { describe, expect, test } from "vitest";
import type { Client, RequestOptions } from "../../../src/api/client.ts";
import { ENDPOINTS, MAX_UPLOAD_BYTES } from "../../../src/api/endpoints.ts";
import {
  createClientHarness,
  failure,
  JOB,
  KEY,
  ROW,
  serve,
  STATS,
  SYNCED,
  TOKEN,
  type Reply,
} from "./client-harness.ts";

const page = (data: unknown[], nextCursor: string | null = null): Reply => ({
  body: { data, meta: { nextCursor, limit: 1000 } },
});

describe("every request", () => {
  test("sends the token, the language and the accepted type", async () => {
    const { port, seen } = await serve(() => ({ body: STATS }));
    const locales: ("en" | "nl")[] = ["nl", "en"];
    const { client } = createClientHarness(port, { locale: () => locales.shift() ?? "en" });
    await client.stats();
    await client.stats();
    expect(seen.map((one) => one.headers["accept-language"])).toEqual(["nl", "en"]);
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(seen[0]?.headers.accept).toContain("application/json");
    expect(seen[0]?.headers["content-type"]).toBeUndefined();
  });

  test("reports the remaining rate limit, also of error responses", async () => {
    const { port } = await serve((_, index) => ({
      ...(index === 0 ? { body: STATS } : { status: 404, body: { message: "Unknown." } }),
      headers: { "x-ratelimit-limit": "120", "x-ratelimit-remaining": String(77 - index) },
    }));
    const { client } = createClientHarness(port);
    await client.stats();
    expect(client.rateLimiter.budget).toMatchObject({ limit: 120, remaining: 77 });
    await failure(client.stats());
    expect(client.rateLimiter.budget).toMatchObject({ limit: 120, remaining: 76 });
  });

  test("trims whitespace around the token", async () => {
    const { port, seen } = await serve(() => ({ body: STATS }));
    await createClientHarness(port, { token: ` ${TOKEN}\n` }).client.stats();
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  test.each(["", "geheim é", `${TOKEN}\r\nX-Other: 1`, "two words"])(
    "never sends the token %j",
    async (token) => {
      const { port, seen } = await serve(() => ({ body: STATS }));
      const error = await failure(createClientHarness(port, { token }).client.stats());
      expect(error.kind).toBe("unauthorized");
      expect(error.status).toBeUndefined();
      expect(seen).toEqual([]);
    },
  );
});

const calls: Readonly<Record<string, (client: Client, options: RequestOptions) => Promise<unknown>>> = {
  project: (client, options) => client.project(options),
  stats: (client, options) => client.stats(options),
  keys: (client, options) => client.keys({ archived: true, updatedSince: "2026-01-01T00:00:00Z" }, options),
  diff: (client, options) => client.diff([], options),
  sync: (client, options) => client.sync({ keys: [] }, options),
  updateKey: (client, options) => client.updateKey("a", {}, options),
  translations: (client, options) => client.translations("nl", {}, options),
  writeTranslations: (client, options) => client.writeTranslations("nl", [], "overwrite", options),
  import: (client, options) => client.import([], {}, options),
  export: (client, options) => client.export("web", {}, options),
  job: (client, options) => client.job(1, options),
  probeWriteScope: (client, options) => client.probeWriteScope(options),
};

test.each(Object.keys(calls))("%s sends nothing once its signal is aborted", async (name) => {
  const { port, seen } = await serve(() => ({ body: {} }));
  const reason = new Error("closed");
  const { client } = createClientHarness(port);
  await expect(calls[name]?.(client, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(seen).toEqual([]);
});

test.each([
  ["a person", ["project", "diff", "sync", "updateKey", "writeTranslations", "import", "export"]],
  ["the background", ["stats", "keys", "translations", "job"]],
])("what is requested for %s waits for its budget", async (who, names) => {
  const low = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "10" };
  for (const name of names) {
    const { port, seen } = await serve(() => ({ status: 400, headers: low, body: {} }));
    const { client } = createClientHarness(port);
    await failure(client.stats({ priority: "person" }));
    const stop = new AbortController();
    const pending = calls[name]?.(client, { signal: stop.signal }).catch((error: unknown) => error);
    const isHeld = client.rateLimiter.budget.waiting === 1;
    stop.abort();
    await pending;
    expect([name, isHeld, seen.length]).toEqual([name, who === "the background", isHeld ? 1 : seen.length]);
  }
});

describe("endpoints", () => {
  test("match the API document", () => {
    expect(Object.values(ENDPOINTS).map((row) => `${row.method} ${row.path} ${row.scope}`)).toEqual([
      "GET /project read",
      "GET /stats read",
      "GET /keys read",
      "POST /keys/diff write",
      "POST /keys/sync write",
      "PATCH /keys/{keyHash} write",
      "GET /translations/{locale} read",
      "PUT /translations/{locale} write",
      "POST /imports write",
      "GET /exports/{profileKey} read",
      "GET /jobs/{jobId} read",
    ]);
    // "50 MB" for all files of an import (§ Limits).
    expect(MAX_UPLOAD_BYTES).toBe(52_428_800);
  });

  test("stats: returns data without unknown fields", async () => {
    const language = {
      locale: "nl",
      name: "Nederlands",
      isSource: false,
      totalKeys: 10,
      translated: 9,
      outdated: 1,
      qaErrors: 0,
      percent: 90,
      lastTranslatedAt: null,
    };
    const { port } = await serve(() => ({
      body: { data: { contentVersion: 7, languages: [{ ...language, flag: "x" }], more: 1 }, extra: true },
    }));
    expect(await createClientHarness(port).client.stats()).toEqual({
      contentVersion: 7,
      languages: [language],
    });
  });

  test("keys: sends filters, 1,000 per page, and archived like other flags", async () => {
    const { port, seen } = await serve(() => page([KEY], "abc"));
    const { client } = createClientHarness(port);
    const answer = await client.keys({
      namespace: "a b",
      tag: "untagged",
      archived: false,
      updatedSince: "2026-01-01T00:00:00Z",
    });
    expect(answer).toEqual({ data: [KEY], meta: { nextCursor: "abc", limit: 1000 } });
    expect(Object.fromEntries(seen[0]?.query ?? [])).toEqual({
      limit: "1000",
      namespace: "a b",
      tag: "untagged",
      archived: "0",
      updatedSince: "2026-01-01T00:00:00Z",
    });
    await client.keys({ limit: 5, cursor: "x+/=" });
    expect(Object.fromEntries(seen[1]?.query ?? [])).toEqual({ limit: "5", cursor: "x+/=" });
  });

  test("keys: tries another spelling of archived once and remembers it", async () => {
    const { port, seen } = await serve((one) =>
      one.query.get("archived") === "1"
        ? { status: 422, body: { message: "no", errors: { archived: ["true or false"] } } }
        : page([]),
    );
    const { client } = createClientHarness(port);
    await client.keys({ archived: true });
    await client.keys({ archived: true });
    expect(seen.map((one) => one.query.get("archived"))).toEqual(["1", "true", "true"]);
  });

  test("keys: accepts empty objects encoded as lists by PHP", async () => {
    const { port } = await serve(() =>
      page([
        { ...KEY, source: [] },
        { ...KEY, source: null },
        { ...KEY, isPlural: true, source: { forms: [] } },
      ]),
    );
    const { data } = await createClientHarness(port).client.keys();
    expect(data.map((key) => key.source)).toEqual([{}, {}, { forms: {} }]);
  });

  test("diff: sends the list unchanged", async () => {
    const keys = [{ hash: "a", sourceHash: null }];
    const { port, seen } = await serve(() => ({
      body: { data: { new: ["a"], changed: [], restored: [], unchanged: 0 } },
    }));
    expect(await createClientHarness(port).client.diff(keys)).toEqual({
      new: ["a"],
      changed: [],
      restored: [],
      unchanged: 0,
    });
    expect(seen[0]?.method).toBe("POST");
    expect(seen[0]?.headers["content-type"]).toBe("application/json");
    expect(seen[0]?.json()).toEqual({ keys });
  });

  test("sync: sends keys and archive, and keeps unknown rejection reasons", async () => {
    const rejected = [{ hash: "a", reason: "some_new_reason" }];
    const { port, seen } = await serve(() => ({ body: { data: { ...SYNCED, rejected } } }));
    const body = { keys: [{ key: "a", value: "é\u2028" }], archive: ["b"] };
    expect((await createClientHarness(port).client.sync(body)).rejected).toEqual(rejected);
    expect(seen[0]?.path).toBe("/v1/keys/sync");
    expect(seen[0]?.json()).toEqual(body);
  });

  test("updateKey: omits missing fields and sends null", async () => {
    const { port, seen } = await serve(() => ({ body: { data: KEY } }));
    await createClientHarness(port).client.updateKey(KEY.hash, { description: null, tags: [] });
    expect([seen[0]?.method, seen[0]?.path]).toEqual(["PATCH", `/v1/keys/${KEY.hash}`]);
    expect(seen[0]?.json()).toEqual({ description: null, tags: [] });
  });

  test("translations: sends the locale in the path and accepts unknown rules", async () => {
    const issue = { rule: "new.rule", level: "notice", placeholder: ":name", form: null, suggestion: "x" };
    const { port, seen } = await serve(() => page([{ ...ROW, issues: [issue] }]));
    const { data } = await createClientHarness(port).client.translations("pt_BR/x", {
      status: "untranslated",
    });
    expect(data[0]?.issues).toEqual([issue]);
    expect(seen[0]?.path).toBe("/v1/translations/pt_BR%2Fx");
    expect(Object.fromEntries(seen[0]?.query ?? [])).toEqual({ limit: "1000", status: "untranslated" });
  });

  test.each(["", ".", ".."])("encodes the path parameter %j", async (locale) => {
    const { port, seen } = await serve(() => page([]));
    expect((await failure(createClientHarness(port).client.translations(locale))).kind).toBe("not_found");
    expect(seen).toEqual([]);
  });

  test("job: treats an unknown status as running", async () => {
    const { port, seen } = await serve(() => ({
      body: { data: { ...JOB, status: "paused", progress: { done: 1, total: 4 }, error: undefined } },
    }));
    const job = await createClientHarness(port).client.job(12);
    expect([job.status, job.progress, job.error]).toEqual(["running", { done: 1, total: 4 }, null]);
    expect(seen[0]?.path).toBe("/v1/jobs/12");
  });

  test.each([200, 201, 202, 203])("accepts the status %i", async (status) => {
    const { port } = await serve(() => ({ status, body: { data: JOB } }));
    expect((await createClientHarness(port).client.job(12)).id).toBe(12);
  });

  test("reads a single message of a field", async () => {
    const { port } = await serve(() => ({
      status: 422,
      body: { message: "no", errors: { tags: "too long" } },
    }));
    const update = createClientHarness(port).client.updateKey("a".repeat(40), { tags: ["x"] });
    await expect(update).rejects.toMatchObject({ kind: "invalid", errors: { tags: ["too long"] } });
  });

  test("import: sends the form with flags and file paths", async () => {
    const { port, seen } = await serve(() => ({
      status: 202,
      headers: { location: "https://elsewhere.example/v1/jobs/99" },
      body: { data: JOB },
    }));
    const sent: [number, number][] = [];
    const big = new Uint8Array(300_000).fill(65);
    const job = await createClientHarness(port).client.import(
      [
        { path: "lang/en/auth.php", bytes: new TextEncoder().encode("<?php\r\n--x") },
        { path: 'a"b\r\nc é.json', bytes: big },
      ],
      { format: "laravel_php", overwrite: true, createUnknownKeys: false },
      { onUpload: (done, total) => sent.push([done, total]) },
    );
    expect(job.id).toBe(12);
    const { headers, body } = seen[0] ?? { headers: {}, body: Buffer.alloc(0) };
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers["transfer-encoding"]).toBeUndefined();
    // Another implementation reads it: the platform's own parser of forms.
    const form = await new Response(body, {
      headers: { "content-type": headers["content-type"] ?? "" },
    }).formData();
    expect([...form.keys()]).toEqual(["format", "overwrite", "createUnknownKeys", "files[]", "files[]"]);
    expect([form.get("format"), form.get("overwrite"), form.get("createUnknownKeys")]).toEqual([
      "laravel_php",
      "1",
      "0",
    ]);
    const [first, second] = form.getAll("files[]") as File[];
    expect([first?.name, await first?.text()]).toEqual(["lang/en/auth.php", "<?php\r\n--x"]);
    expect(second?.size).toBe(big.length);
    expect(body.toString()).toContain('filename="a%22b%0D%0Ac é.json"');
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.at(-1)).toEqual([body.length, body.length]);
    expect(sent.map(([done]) => done)).toEqual(sent.map(([done]) => done).toSorted((a, b) => a - b));
  });

  test("probeWriteScope: reads the scope from 200, 422 and 403, and throws for an archived project", async () => {
    const forbidden = { status: 403, body: { message: "no" } };
    const replies: Record<string, Reply> = {};
    const { port } = await serve((one) => replies[one.path] ?? { body: { data: { slug: "shop" } } });
    const { client } = createClientHarness(port);
    replies["/v1/keys/diff"] = { body: { data: {} } };
    expect(await client.probeWriteScope()).toBe(true);
    replies["/v1/keys/diff"] = { status: 422, body: { message: "empty", errors: { keys: ["empty"] } } };
    expect(await client.probeWriteScope()).toBe(true);
    replies["/v1/keys/diff"] = forbidden;
    expect(await client.probeWriteScope()).toBe(false);
    const scopes: string[] = [];
    await client.probeWriteScope({
      onResponse: ({ headers }) => scopes.push(headers.get("content-type") ?? ""),
    });
    expect(scopes).toHaveLength(1);
    replies["/v1/project"] = forbidden;
    expect((await failure(client.probeWriteScope())).kind).toBe("forbidden");
    replies["/v1/keys/diff"] = { status: 401, body: { message: "no" } };
    expect((await failure(client.probeWriteScope())).kind).toBe("unauthorized");
  });
});
