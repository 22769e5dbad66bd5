/** Broken connections, redirects, size and time limits, on real sockets with both implementations of fetch. */
import { createHash } from "node:crypto";
import { createServer, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { fetch as undiciFetch } from "undici";
import { nextMacrotask } from "../support/fake-clock.ts";
import {
  createClientHarness,
  failure,
  JOB,
  serve,
  serveSockets,
  STATS,
  SYNCED,
  type ClientHarness,
} from "./client-harness.ts";

const OK = (body: unknown): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`;
};

/** Waits in real time until something holds; the test's own limit ends it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextMacrotask();
}

/** A port of this machine that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const fetches = [
  ["the platform's fetch", globalThis.fetch],
  ["undici's fetch", undiciFetch as unknown as typeof fetch],
] as const;

describe.each(fetches)("%s: lost connections", (_, fetch) => {
  test("retries after a reset before the response", async () => {
    const { port, connections } = await serveSockets((socket, index) => {
      if (index === 0) socket.resetAndDestroy();
      else socket.end(OK(STATS));
    });
    const harness = createClientHarness(port, { fetch });
    expect(await harness.drive(harness.client.stats())).toEqual(STATS.data);
    expect(connections()).toBe(2);
  });

  test("retries after an incomplete response", async () => {
    const { port, connections } = await serveSockets((socket, index) => {
      const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
      if (index === 0) socket.end(`${head}Content-Length: 100\r\n\r\n{"data":`);
      else if (index === 1) socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n8\r\n{"data":\r\n`);
      else socket.end(OK(STATS));
    });
    const harness = createClientHarness(port, { fetch });
    expect(await harness.drive(harness.client.stats())).toEqual(STATS.data);
    expect(connections()).toBe(3);
  });

  test("is offline after two retries, with the system's error code", async () => {
    const { port, connections } = await serveSockets((socket) => void socket.resetAndDestroy());
    const harness = createClientHarness(port, { fetch });
    const error = await failure(harness.drive(harness.client.stats()));
    expect(error.kind).toBe("offline");
    expect(error.code).toMatch(/^(?:ECONNRESET|UND_ERR_SOCKET)$/u);
    expect(connections()).toBe(3);
  });

  test("is offline at once if the connection is refused", async () => {
    const harness = createClientHarness(await closedPort(), { fetch });
    const error = await failure(harness.drive(harness.client.stats()));
    expect(error).toMatchObject({ kind: "offline", code: "ECONNREFUSED" });
    expect(error.message).toMatch(/: no connection \(ECONNREFUSED\)$/u);
    expect(harness.clock.sleeps.filter((ms) => ms < 30_000)).toEqual([]);
  });

  test("reports a failure without an error code", async () => {
    const harness = createClientHarness(1, { fetch: () => Promise.reject(new TypeError("fetch failed")) });
    const error = await failure(harness.drive(harness.client.stats()));
    expect(error.kind).toBe("offline");
    expect(error.message).toMatch(/: no connection$/u);
    expect(error).not.toHaveProperty("code", expect.anything());
  });

  const calls: [string, boolean, (harness: ClientHarness) => Promise<unknown>][] = [
    ["diff", true, ({ client }) => client.diff([])],
    ["sync", true, ({ client }) => client.sync({ keys: [] })],
    ["job", true, ({ client }) => client.job(1)],
    ["updateKey", false, ({ client }) => client.updateKey("a", {})],
    ["writeTranslations", false, ({ client }) => client.writeTranslations("nl", [], "overwrite")],
    ["import", false, ({ client }) => client.import([{ path: "a.json", bytes: new Uint8Array(9) }])],
  ];
  test.each(calls)("retries %s: %s", async (name, repeated, call) => {
    const bodies: Record<string, unknown> = { diff: {}, sync: { data: SYNCED }, job: { data: JOB } };
    const { port, connections } = await serveSockets((socket, index) => {
      if (index === 0) socket.resetAndDestroy();
      else socket.end(OK(bodies[name]));
    });
    const harness = createClientHarness(port, { fetch });
    if (repeated) await harness.drive(call(harness));
    else expect((await failure(harness.drive(call(harness)))).kind).toBe("offline");
    expect(connections()).toBe(repeated ? 2 : 1);
  });

  test("increases and jitters the retry delays", async () => {
    const slept: number[][] = [];
    for (const random of [0, 0.999]) {
      const { port } = await serveSockets((socket) => void socket.resetAndDestroy());
      const harness = createClientHarness(port, { fetch, random: () => random });
      expect((await failure(harness.drive(harness.client.stats()))).kind).toBe("offline");
      slept.push(harness.clock.sleeps.filter((milliseconds) => milliseconds < 10_000));
    }
    expect(slept).toEqual([
      [250, 1_000],
      [749.5, 2_998],
    ]);
  });

  test("names the expected type of a response", async () => {
    const { port } = await serve(() => ({ body: { data: { contentVersion: "9", languages: [] } } }));
    const error = await failure(createClientHarness(port, { fetch }).client.stats());
    expect([error.field, error.message]).toEqual([
      "data.contentVersion",
      "GET /stats: data.contentVersion: not number",
    ]);
  });

  test("does not retry a response that cannot be decompressed", async () => {
    const packed = gzipSync(JSON.stringify(STATS));
    packed.fill(0x55, 10);
    const { port, seen } = await serve(() => ({ headers: { "content-encoding": "gzip" }, body: packed }));
    const harness = createClientHarness(port, { fetch });
    const error = await failure(harness.drive(harness.client.stats()));
    expect([error.kind, error.field]).toEqual(["bad_response", "body"]);
    expect(seen.length).toBe(1);
  });

  test("decompresses a response", async () => {
    const { port } = await serve(() => ({
      headers: { "content-encoding": "gzip" },
      body: gzipSync(JSON.stringify(STATS)),
    }));
    expect(await createClientHarness(port, { fetch }).client.stats()).toEqual(STATS.data);
  });

  test("reports a server that does not speak HTTP", async () => {
    const { port } = await serveSockets((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    const harness = createClientHarness(port, { fetch });
    expect((await failure(harness.drive(harness.client.stats()))).kind).toBe("offline");
  });
});

describe("time limits", () => {
  test("retries once without a response, then times out", async () => {
    const { port, connections } = await serveSockets(() => undefined);
    const { client, clock } = createClientHarness(port, { timeouts: { headersMs: 10_000 } });
    const pending = failure(client.stats());
    await until(() => connections() === 1);
    await clock.advance(9_999);
    expect(connections()).toBe(1);
    await clock.advance(1);
    await until(() => clock.pendingCount > 0);
    await clock.advance(2_000);
    await until(() => connections() === 2);
    await clock.advance(10_000);
    expect((await pending).kind).toBe("timeout");
    expect(connections()).toBe(2);
  });

  test("waits longer for slow endpoints", async () => {
    const { port, connections } = await serveSockets(() => undefined);
    const { client, clock } = createClientHarness(port);
    const pending = failure(client.writeTranslations("nl", [], "overwrite"));
    await until(() => connections() === 1);
    await clock.advance(119_000);
    expect(clock.pendingCount).toBe(1);
    await clock.advance(1_500);
    expect((await pending).kind).toBe("timeout");
  });

  const limits: [string, number, (client: ClientHarness["client"]) => Promise<unknown>][] = [
    ["project", 30, (client) => client.project()],
    ["stats", 30, (client) => client.stats()],
    ["keys", 30, (client) => client.keys()],
    ["diff", 120, (client) => client.diff([])],
    ["sync", 120, (client) => client.sync({ keys: [] })],
    ["updateKey", 30, (client) => client.updateKey("a", {})],
    ["translations", 30, (client) => client.translations("nl")],
    ["writeTranslations", 120, (client) => client.writeTranslations("nl", [], "overwrite")],
    ["import", 120, (client) => client.import([{ path: "a.json", bytes: new Uint8Array(9) }])],
    ["export", 120, (client) => client.export("web")],
    ["job", 30, (client) => client.job(1)],
  ];
  test.each(limits)("of %s ends after %i seconds", async (_, seconds, call) => {
    const harness = createClientHarness(1, { fetch: () => Promise.reject(new TypeError("fetch failed")) });
    await failure(harness.drive(call(harness.client)));
    // And some milliseconds for the body.
    expect(Math.floor((harness.clock.sleeps[0] ?? 0) / 1_000)).toBe(seconds);
  });

  test("times out in the middle of a response", async () => {
    let more: () => void = () => undefined;
    const { port, connections } = await serveSockets((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"a');
      more = () => void socket.write("b");
    });
    const harness = createClientHarness(port, { timeouts: { headersMs: 10_000, idleMs: 3_000 } });
    // Not repeatable, so that one silence ends it.
    const pending = failure(harness.client.writeTranslations("nl", [], "overwrite"));
    await until(() => connections() === 1);
    // The limit begins anew with the headers and with each part of the body.
    const limits = () => harness.clock.sleeps.filter((milliseconds) => milliseconds === 3_000);
    await until(() => limits().length === 2);
    await harness.clock.advance(2_999);
    more();
    await until(() => limits().length === 3);
    await harness.clock.advance(2_999);
    expect(harness.inFlight()).toBe(1);
    await harness.clock.advance(1);
    expect((await pending).kind).toBe("timeout");
  });

  test("keeps a slow upload alive while it progresses", async () => {
    const total = 5_000_000;
    const { port } = await serve(() => ({ status: 202, body: { data: JOB } }));
    const { client, clock } = createClientHarness(port, {
      timeouts: { slowHeadersMs: 10_000, idleMs: 10_000 },
    });
    let parts = 0;
    const job = client.import(
      [{ path: "a.json", bytes: new Uint8Array(total) }],
      {},
      {
        onUpload: () => {
          parts += 1;
          // More than all limits together, were they not begun anew with each part.
          void clock.advance(19_000);
        },
      },
    );
    expect((await job).id).toBe(JOB.id);
    expect(parts).toBeGreaterThan(3);
  });
});

describe("redirects", () => {
  test("follow the same origin with method and body", async () => {
    const { port, seen } = await serve((one) =>
      one.path === "/v1/keys/sync"
        ? { status: 308, headers: { location: "/v1/moved/sync?x=1" } }
        : { body: { data: SYNCED } },
    );
    await createClientHarness(port).client.sync({ keys: [{ key: "a", value: "b" }] });
    expect(seen.map((one) => `${one.method} ${one.path}`)).toEqual([
      "POST /v1/keys/sync",
      "POST /v1/moved/sync",
    ]);
    expect(seen[1]?.json()).toEqual({ keys: [{ key: "a", value: "b" }] });
    expect(seen[1]?.headers.authorization).toBe(seen[0]?.headers.authorization);
    expect(seen[1]?.headers.authorization).toMatch(/^Bearer ./u);
  });

  test.each([301, 302, 303, 307, 308])("never send the token to another origin: %i", async (status) => {
    const other = await serve(() => ({ body: STATS }));
    const { port } = await serve(() => ({
      status,
      headers: { location: `http://localhost:${other.port}/v1/stats` },
    }));
    const error = await failure(createClientHarness(port).client.stats());
    expect([error.kind, error.status, error.field]).toEqual(["bad_response", status, "location"]);
    expect(error.message).toContain(`http://localhost:${other.port}`);
    expect(other.seen).toEqual([]);
  });

  test("never send the token to another port", async () => {
    const other = await serve(() => ({ body: STATS }));
    const location = `http://127.0.0.1:${other.port}/v1/stats`;
    const { port } = await serve(() => ({ status: 307, headers: { location } }));
    const error = await failure(createClientHarness(port).client.stats());
    expect([error.kind, error.field]).toEqual(["bad_response", "location"]);
    expect(other.seen).toEqual([]);
  });

  test("do not follow another scheme", async () => {
    let own = 0;
    const { port } = await serve(() => ({
      status: 307,
      headers: { location: `https://127.0.0.1:${own}/v1/stats` },
    }));
    own = port;
    const error = await failure(createClientHarness(port).client.stats());
    expect([error.kind, error.field]).toEqual(["bad_response", "location"]);
  });

  test("never turn a POST into a GET", async () => {
    const { port, seen } = await serve(() => ({ status: 302, headers: { location: "/v1/login" } }));
    expect((await failure(createClientHarness(port).client.sync({ keys: [] }))).kind).toBe("bad_response");
    expect(seen.length).toBe(1);
  });

  test("fail in a loop, without a location, and for an invalid URL", async () => {
    const { port, seen } = await serve((one) =>
      one.path === "/v1/stats"
        ? { status: 302, headers: { location: "/v1/stats" } }
        : { status: 302, headers: one.path === "/v1/project" ? {} : { location: "http://[" } },
    );
    const { client } = createClientHarness(port);
    expect((await failure(client.stats())).kind).toBe("bad_response");
    expect(seen.length).toBe(6);
    expect((await failure(client.project())).kind).toBe("bad_response");
    expect((await failure(client.job(1))).kind).toBe("bad_response");
  });
});

test("reuses connections", async () => {
  const sockets = new Set<unknown>();
  const { port } = await serve((one) => {
    sockets.add(one.socket);
    return { body: STATS };
  });
  const { client } = createClientHarness(port);
  for (let i = 0; i < 20; i += 1) await client.stats();
  // The next request may begin before the last one's connection is free again; on a busy machine, one is idle too long.
  expect(sockets.size).toBeLessThan(10);
});

describe("response sizes", () => {
  test("allows a larger export and returns it unchanged", async () => {
    const bytes = Buffer.alloc(1_000_000, "translations ");
    const { port } = await serve(() => ({
      headers: { "content-type": "application/zip", etag: '"x"' },
      body: bytes,
    }));
    const maxBytes = { json: 999_999, export: 1_000_000 };
    const answer = await createClientHarness(port, { maxBytes }).client.export("app");
    const sha = (data: Uint8Array): string => createHash("sha256").update(data).digest("hex");
    expect(answer.kind === "file" && sha(answer.bytes)).toBe(sha(bytes));
  });
});
