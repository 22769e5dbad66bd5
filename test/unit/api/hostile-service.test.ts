/**
 * A malicious service on real sockets: endless responses and lists, huge delays and names, keys named like JavaScript
 * built-ins, and redirects.
 */
import { createGzip } from "node:zlib";
import http from "node:http";
import { describe, expect, test } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import { keyPages, translationPages } from "../../../src/api/pagination.ts";
import { parseRetryAfter } from "../../../src/api/rate-limiter.ts";
import {
  createClientHarness,
  failure,
  JOB,
  KEY,
  ROW,
  serve,
  serveSockets,
  STATS,
  TOKEN,
} from "./client-harness.ts";

const MEGABYTE = 1024 * 1024;
const LIMITS = { json: MEGABYTE, export: MEGABYTE };

describe("endless response", () => {
  /** What the service could get rid of before it was left, and whether it was. */
  async function flooded(
    head: readonly string[],
    part: Buffer,
  ): Promise<{ port: number; sent: () => number }> {
    let sent = 0;
    const { port } = await serveSockets((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${head.join("\r\n")}\r\n\r\n`);
      const more = (): void => {
        while (!socket.destroyed && socket.write(part)) sent += part.length;
      };
      socket.on("drain", more);
      more();
    });
    return { port, sent: () => sent };
  }

  test("is aborted at the limit with a clear message", async () => {
    // One part in chunks, again and again: a text that never closes.
    const text = Buffer.alloc(100_000, "a");
    const part = Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n`), text, Buffer.from("\r\n")]);
    const { port, sent } = await flooded(["Transfer-Encoding: chunked"], part);
    const { client } = createClientHarness(port, { maxBytes: LIMITS });
    const error = await failure(client.stats());
    expect([error.kind, error.field, error.message]).toEqual([
      "bad_response",
      "body",
      `GET /stats: the response is longer than ${MEGABYTE} bytes`,
    ]);
    // What the sockets hold is sent, too.
    expect(sent()).toBeLessThan(20 * MEGABYTE);
  });

  test.each([
    ["64 MB", 64, (client: Client) => client.stats()],
    ["200 MB as an export", 200, (client: Client) => client.export("all")],
  ])("is not read if its length exceeds %s", async (_, megabytes, request) => {
    const length = (bytes: number): string => `Content-Length: ${bytes}`;
    const { port, sent } = await flooded([length(megabytes * MEGABYTE + 1)], Buffer.alloc(MEGABYTE, "a"));
    const error = await failure(request(createClientHarness(port).client));
    expect([error.kind, error.field]).toEqual(["bad_response", "body"]);
    expect(sent()).toBeLessThan(20 * MEGABYTE);
  });

  test("is aborted by its decompressed size", async () => {
    const zeros = Buffer.alloc(100_000);
    let unpacked = 0;
    const server = http.createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      const packer = createGzip();
      packer.pipe(response);
      const more = (): void => {
        while (!response.destroyed && packer.write(zeros)) unpacked += zeros.length;
        if (!response.destroyed) packer.once("drain", more);
      };
      response.on("error", () => undefined);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as { port: number };
      const error = await failure(createClientHarness(port, { maxBytes: LIMITS }).client.stats());
      expect([error.kind, error.field]).toEqual(["bad_response", "body"]);
      // Packed a thousand times over, so much more than what was read is under way.
      expect(unpacked).toBeLessThan(1024 * MEGABYTE);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("endless list", () => {
  const limits = { pages: 50, bytes: 8 * MEGABYTE };
  const listed = async (
    page: (index: number) => unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<readonly [number, string, string | undefined]> => {
    const { port, seen } = await serve((_, index) => ({ body: page(index), headers }));
    const { client } = createClientHarness(port);
    const error = await failure(
      (async () => {
        for await (const _ of keyPages(client, {}, undefined, limits)) void _;
      })(),
    );
    return [seen.length, error.message, error.field];
  };
  const cursor = (index: number) => ({ nextCursor: `c${index}`, limit: 1000 });

  test.each([
    ["empty pages", []],
    ["pages that always have a next one", [KEY]],
  ])("of %s is aborted", async (_, data) => {
    const headers = { "X-RateLimit-Limit": "100000", "X-RateLimit-Remaining": "100000" };
    const result = await listed((index) => ({ data, meta: cursor(index) }), headers);
    const message = "GET /keys: the list does not end";
    expect(result).toEqual([50, message, "meta.nextCursor"]);
  });

  test("of the maximum size is read", async () => {
    const { port } = await serve((_, index) => ({
      body: { data: [ROW], meta: { nextCursor: index < 2 ? String(index) : null, limit: 1 } },
    }));
    const { client } = createClientHarness(port);
    const page = Buffer.byteLength(JSON.stringify({ data: [ROW], meta: { nextCursor: "0", limit: 1 } }));
    const exactly = { pages: 9, bytes: 2 * page };
    let rows = 0;
    for await (const data of translationPages(client, "nl", {}, undefined, exactly)) rows += data.length;
    expect(rows).toBe(3);
  });

  test("of maximum pages is aborted before the memory is full", async () => {
    const filler = " ".repeat(MEGABYTE);
    const { port, seen } = await serve((_, index) => ({
      body: `{"data":[${JSON.stringify(ROW)}],${filler}"meta":${JSON.stringify(cursor(index))}}`,
    }));
    const { client } = createClientHarness(port);
    const error = await failure(
      (async () => {
        for await (const _ of translationPages(client, "nl", {}, undefined, limits)) void _;
      })(),
    );
    expect([seen.length, error.message]).toEqual([8, "GET /translations/nl: the list does not end"]);
  });

  // The limits of the product, without the half gigabyte that a service would have to send.
  test.each([
    ["5,000 pages", 0, 5_000],
    ["512 MB", 60 * MEGABYTE, 9],
  ])("ends after %s", async (_, length, pages) => {
    let requests = 0;
    const client: Pick<Client, "translations"> = {
      translations: (_locale, _query, options) => {
        requests += 1;
        options?.onResponse?.({ bytes: { length } as Uint8Array<ArrayBuffer>, headers: new Headers() });
        return Promise.resolve({ data: [], meta: { nextCursor: String(requests), limit: 1000 } });
      },
    };
    const read = async (): Promise<void> => {
      for await (const _ of translationPages(client as Client, "nl")) void _;
    };
    await expect(read()).rejects.toThrow("GET /translations/nl: the list does not end");
    expect(requests).toBe(pages);
  });
});

test.each([
  ["315360000", 3_600_000],
  ["9".repeat(400), 3_600_000],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 3_600_000],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["-5", null],
  ["1e9", null],
])("handles a Retry-After of %s", (value, milliseconds) => {
  expect(parseRetryAfter(new Headers({ "retry-after": value }), Date.UTC(2026, 0, 1))).toBe(milliseconds);
});

test("limits a Retry-After of years to an hour, then requests again", async () => {
  const { port } = await serve((_, index) =>
    index === 0
      ? { status: 429, headers: { "retry-after": "9".repeat(300) }, body: { message: "No." } }
      : { body: STATS },
  );
  const { client, clock } = createClientHarness(port);
  expect(await failure(client.stats()).then(({ kind, retryAfter: pause }) => [kind, pause])).toEqual([
    "rate_limited",
    3_600,
  ]);
  expect((await failure(client.stats())).kind).toBe("rate_limited");
  await clock.advance(3_600_001);
  expect(await client.stats()).toEqual(STATS.data);
});

describe("messages", () => {
  test("are truncated after the token is redacted", async () => {
    const long = `${"x".repeat(1_990)}${TOKEN}${"y".repeat(5 * MEGABYTE)}`;
    const { port } = await serve(() => ({
      status: 422,
      body: { message: long, reason: long, errors: { [long]: [long], [TOKEN]: [`${TOKEN}!`] } },
    }));
    const error = await failure(createClientHarness(port).client.stats());
    expect(error.serviceMessage).toHaveLength(2_000);
    expect(error.reason).toHaveLength(2_000);
    expect(error.message.length).toBeLessThan(10_000);
    expect(
      Object.entries(error.errors ?? {}).map(([field, [words = ""]]) => [field.length, words.length]),
    ).toEqual([
      [2_000, 2_000],
      ["[token]".length, "[token]!".length],
    ]);
  });

  test("of platform errors do not contain the token", async () => {
    const { port } = await serveSockets((socket) => socket.end(`HTTP/1.1 200 ${TOKEN}\r\n${TOKEN}\r\n\r\n`));
    const harness = createClientHarness(port);
    expect((await failure(harness.drive(harness.client.stats()))).kind).toBe("offline");
  });
});

describe("JSON", () => {
  test("with __proto__ and the like is plain data", async () => {
    const evil =
      '"__proto__":{"polluted":"yes","isSource":true},"constructor":{"prototype":{"polluted":"yes"}}';
    const { port } = await serve((one) => {
      if (one.path.endsWith("/stats"))
        return { body: `{"data":{"contentVersion":1,"languages":[],${evil}},${evil}}` };
      const row = JSON.stringify({
        ...ROW,
        key: "__proto__",
        namespace: "constructor",
        isPlural: true,
        value: null,
      });
      const forms = '"forms":{"one":"a","__proto__":"b","toString":"c","constructor":"d"}';
      return {
        body: `{"data":[${row.slice(0, -1)},${forms},${evil}}],"meta":{"nextCursor":null,"limit":1,${evil}}}`,
      };
    });
    const { client } = createClientHarness(port);
    expect(await client.stats()).toEqual({ contentVersion: 1, languages: [] });
    const [row] = (await client.translations("nl")).data;
    expect([row?.namespace, row?.key]).toEqual(["constructor", "__proto__"]);
    expect(Object.getPrototypeOf(row?.forms)).toBe(Object.prototype);
    expect(row?.forms?.["one"]).toBe("a");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("nested a million levels is ignored in unknown fields and accepted in known ones", async () => {
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    const { port } = await serve((one) => ({
      body: one.path.endsWith("/stats")
        ? `{"data":{"contentVersion":1,"languages":[],"later":${deep}}}`
        : `{"data":${JSON.stringify({ ...JOB, status: "succeeded" }).replace('"result":null', `"result":{"newKeys":${deep}}`)}}`,
    }));
    const { client } = createClientHarness(port);
    expect(await client.stats()).toEqual({ contentVersion: 1, languages: [] });
    const job = await client.job(12);
    expect(JSON.parse(JSON.stringify(job))).toEqual({ ...JOB, status: "succeeded" });
  });

  test("with huge numbers is accepted", async () => {
    const { port } = await serve(() => ({ body: { data: { contentVersion: 1e308, languages: [] } } }));
    expect(await createClientHarness(port).client.stats()).toEqual({ contentVersion: 1e308, languages: [] });
  });
});

describe("the client's own headers and lines", () => {
  test("contain no injected lines from names of files, languages or tags", async () => {
    const { port, seen } = await serve((one) =>
      one.method === "POST" && one.path.endsWith("/imports")
        ? { status: 202, headers: { location: "http://127.0.0.1:1/elsewhere" }, body: { data: JOB } }
        : { body: { data: [], meta: { nextCursor: null, limit: 1 } } },
    );
    const { client } = createClientHarness(port);
    const evil = 'a"\r\nX-Evil: 1\r\n\r\n../../b';
    await client.translations(evil, { namespace: evil });
    await client.import([{ path: evil, bytes: new Uint8Array(1) }], { tag: evil });
    expect(seen[0]?.path).toBe(`/v1/translations/${encodeURIComponent(evil)}`);
    expect(seen[0]?.query.get("namespace")).toBe(evil);
    expect(seen.some(({ headers }) => headers["x-evil"] !== undefined)).toBe(false);
    const [head = ""] = (seen[1]?.body.toString().split('name="files[]"')[1] ?? "").split("\r\n\r\n");
    expect(head.split("\r\n")).toHaveLength(2);
    expect(seen).toHaveLength(2);
  });

  test("contain no malformed ETag", async () => {
    const { port, seen } = await serve(() => ({
      headers: { etag: '"\u00ff, ;=\u00e9"', "content-disposition": "attachment; filename=x.json" },
      body: "{}",
    }));
    const { client } = createClientHarness(port);
    const answer = await client.export("all");
    const etag = answer.kind === "file" ? (answer.etag ?? "") : "";
    await client.export("all", { etag });
    expect(seen[1]?.headers["if-none-match"]).toBe(etag);
  });
});
