/** Retries after 429 and 409: delays, limits, notifications and cancellation. */
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import type { Wait } from "../../../src/api/rate-limiter.ts";
import { nextMacrotask } from "../support/fake-clock.ts";
import {
  createClientHarness,
  failure,
  JOB,
  serve,
  serveSockets,
  STATS,
  SYNCED,
  type Reply,
} from "./client-harness.ts";

const BUSY: Reply = { status: 409, body: { message: "x", reason: "busy" } };
const CHANGING: Reply = { status: 409, body: { message: "x", reason: "source_language_change" } };

const writeFiles = [{ path: "a.json", bytes: new Uint8Array(10) }];

/** Answers in order; the last one for ever. */
const inOrder =
  (...replies: Reply[]) =>
  (_: unknown, index: number): Reply =>
    replies[Math.min(index, replies.length - 1)] ?? {};

/** Pauses only: the limits of an attempt are longer. */
const pauses = (sleeps: readonly number[]): number[] => sleeps.filter((ms) => ms < 30_000);

describe("409", () => {
  test("is retried with increasing delays, reporting each one", async () => {
    const { port, seen } = await serve(inOrder(BUSY, CHANGING, BUSY, { body: { data: SYNCED } }));
    const harness = createClientHarness(port);
    const waits: (Wait | null)[] = [];
    const ends: number[] = [];
    const onWait = (wait: Wait | null): void => {
      waits.push(wait);
      if (wait?.kind === "busy") ends.push(wait.until - harness.clock.now());
    };
    await harness.drive(harness.client.sync({ keys: [] }, { onWait }));
    expect(seen.length).toBe(4);
    expect(ends).toEqual([1_000, 2_000, 4_000]);
    expect(pauses(harness.clock.sleeps)).toEqual([1_000, 2_000, 4_000]);
    expect(waits.map((wait) => (wait?.kind === "busy" ? wait.reason : wait))).toEqual([
      "busy",
      null,
      "source_language_change",
      null,
      "busy",
      null,
    ]);
  });

  test("waits at least as long as the service says, and longer each time", async () => {
    const asked = (seconds: string): Reply => ({ ...BUSY, headers: { "retry-after": seconds } });
    const { port } = await serve(inOrder(asked("0"), asked("1"), asked("9"), { body: { data: SYNCED } }));
    const harness = createClientHarness(port);
    await harness.drive(harness.client.sync({ keys: [] }));
    expect(pauses(harness.clock.sleeps)).toEqual([1_000, 2_000, 9_000]);
  });

  test("has jittered delays", async () => {
    const spread: number[] = [];
    for (const random of [0, 0.999]) {
      const { port } = await serve(inOrder(BUSY, { body: { data: SYNCED } }));
      const harness = createClientHarness(port, { random: () => random });
      await harness.drive(harness.client.sync({ keys: [] }));
      spread.push(...pauses(harness.clock.sleeps));
    }
    expect(spread).toEqual([500, 1_499]);
  });

  test("fails in the end with the reason", async () => {
    const { port, seen } = await serve(inOrder(CHANGING));
    const harness = createClientHarness(port);
    const error = await failure(harness.drive(harness.client.sync({ keys: [] })));
    expect([error.kind, error.reason]).toEqual(["busy", "source_language_change"]);
    // Two minutes.
    expect(pauses(harness.clock.sleeps).reduce((a, b) => a + b)).toBe(120_000);
    expect(seen.length).toBeGreaterThan(4);
    expect(Math.max(...pauses(harness.clock.sleeps))).toBe(15_000);
  });

  test("is retried for imports too", async () => {
    const { port, seen } = await serve(inOrder(BUSY, { status: 202, body: { data: JOB } }));
    const harness = createClientHarness(port);
    const job = await harness.drive(
      harness.client.import([{ path: "a.json", bytes: new Uint8Array(70_000) }]),
    );
    expect([job.id, seen.length]).toEqual([12, 2]);
    expect(seen[1]?.body.length).toBe(seen[0]?.body.length);
  });
});

describe("429", () => {
  test("fails when requests are refused for longer than two minutes, counted from the first one", async () => {
    const { port, seen } = await serve(() => ({
      status: 429,
      headers: { "retry-after": "50" },
      body: { message: "x" },
    }));
    const harness = createClientHarness(port);
    const error = await failure(harness.drive(harness.client.stats()));
    expect([error.kind, seen.length]).toEqual(["rate_limited", 3]);
  });

  test.each([
    ["seconds", "7", 7_000],
    ["a date", "Thu, 01 Jan 2026 00:00:11 GMT", 11_000],
    ["a date that is past", "Thu, 01 Jan 2025 00:00:11 GMT", 1_000],
    ["nothing that can be read", "soon", 5_000],
    ["zero", "0", 1_000],
  ])("respects Retry-After as %s", async (_, value, pause) => {
    const { port, seen } = await serve(
      inOrder(
        {
          status: 429,
          headers: { "retry-after": value, date: "Thu, 01 Jan 2026 00:00:00 GMT" },
          body: { message: "x" },
        },
        { body: STATS },
      ),
    );
    const harness = createClientHarness(port);
    const start = harness.clock.now();
    const waits: (Wait | null)[] = [];
    await harness.drive(harness.client.stats({ onWait: (wait) => waits.push(wait) }));
    expect(seen.length).toBe(2);
    expect(waits).toEqual([{ kind: "rate-limit", until: start + pause }, null]);
    expect(harness.clock.now()).toBe(start + pause);
  });

  test("backs off without the header", async () => {
    const { port } = await serve(
      inOrder({ status: 429, body: "" }, { status: 429, body: "" }, { body: STATS }),
    );
    const harness = createClientHarness(port);
    const start = harness.clock.now();
    await harness.drive(harness.client.stats());
    expect(harness.clock.now()).toBe(start + 5_000 + 10_000);
  });

  test("delays all other requests", async () => {
    const { port, seen } = await serve(
      inOrder({ status: 429, headers: { "retry-after": "30" }, body: { message: "x" } }, { body: STATS }),
    );
    const { client, clock, drive } = createClientHarness(port);
    const first = client.stats();
    while (client.rateLimiter.budget.pausedUntil === null) await nextMacrotask();
    const second = client.stats({ priority: "person" });
    await clock.advance(29_999);
    expect(seen.length).toBe(1);
    expect(client.rateLimiter.budget.waiting).toBe(2);
    await drive(Promise.all([first, second]));
    expect(seen.length).toBe(3);
    expect(client.rateLimiter.budget.pausedUntil).toBeNull();
  });

  test("delays the request that waits for the place of the refused one", async () => {
    const answered = Promise.withResolvers<Reply>();
    const refusal = { status: 429, headers: { "retry-after": "10" }, body: { message: "x" } };
    const arrived = Promise.withResolvers<void>();
    const { port, seen } = await serve((_, index) => {
      if (index === 0) return arrived.promise.then(() => refusal);
      if (index === 3) arrived.resolve();
      return index < 4 ? answered.promise : { body: STATS };
    });
    const { client, clock, drive } = createClientHarness(port);
    const asked = Array.from({ length: 5 }, () => client.stats({ priority: "person" }));
    while (client.rateLimiter.budget.pausedUntil === null) await nextMacrotask();
    await clock.advance(9_999);
    expect([seen.length, client.rateLimiter.budget.waiting]).toEqual([4, 2]);
    answered.resolve({ body: STATS });
    await drive(Promise.all(asked));
    expect(seen.length).toBe(6);
  });

  test("fails at once for a delay that is too long, for other requests too", async () => {
    const { port, seen } = await serve(
      inOrder({ status: 429, headers: { "retry-after": "3600" }, body: { message: "Te veel" } }),
    );
    const { client, drive } = createClientHarness(port);
    const error = await failure(drive(client.stats()));
    expect([error.kind, error.status, error.retryAfter, error.serviceMessage]).toEqual([
      "rate_limited",
      429,
      3600,
      "Te veel",
    ]);
    const notSent = await failure(drive(client.project()));
    expect([notSent.kind, notSent.message]).toEqual([
      "rate_limited",
      "GET /project: not sent, the rate limit pauses requests for 3600 s",
    ]);
    expect(seen.length).toBe(1);
  });
});

describe("aborting", () => {
  const reason = new Error("the user closed it");

  test("works before sending", async () => {
    const { port, seen } = await serve(() => ({ body: STATS }));
    await expect(createClientHarness(port).client.stats({ signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(seen).toEqual([]);
  });

  test("works while waiting for the response", async () => {
    const closed: boolean[] = [];
    const { port, connections } = await serveSockets((socket) => socket.on("close", () => closed.push(true)));
    const controller = new AbortController();
    const pending = createClientHarness(port).client.stats({ signal: controller.signal });
    const settled = expect(pending).rejects.toBe(reason);
    while (connections() === 0) await nextMacrotask();
    controller.abort(reason);
    await settled;
    while (closed.length === 0) await nextMacrotask();
    expect(connections()).toBe(1);
  });

  test("frees the places of the requests for later ones", async () => {
    const never = new Promise<Reply>(() => undefined);
    const { port, seen } = await serve((_, index) => (index < 4 ? never : { body: STATS }));
    const { client } = createClientHarness(port);
    const controller = new AbortController();
    const options = { signal: controller.signal, priority: "person" } as const;
    const all = Promise.allSettled([1, 2, 3, 4].map(() => client.stats(options)));
    while (seen.length < 4) await nextMacrotask();
    controller.abort(reason);
    expect((await all).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
    const next = client.stats({ priority: "person" });
    expect(client.rateLimiter.budget.waiting).toBe(0);
    expect(await next).toEqual(STATS.data);
  });

  test("works while reading the response", async () => {
    const { port, connections } = await serveSockets((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"a'),
    );
    const controller = new AbortController();
    const { client, clock } = createClientHarness(port);
    const pending = client.stats({ signal: controller.signal });
    const settled = expect(pending).rejects.toBe(reason);
    // The limit for the response begins anew with its headers and with a part of its body.
    while (connections() === 0 || clock.sleeps.length < 3) await nextMacrotask();
    controller.abort(reason);
    await settled;
  });

  test("works during an upload", async () => {
    const { port, connections } = await serveSockets((socket) => socket.pause());
    const controller = new AbortController();
    const parts: number[] = [];
    const pending = createClientHarness(port).client.import(
      [{ path: "a.zip", bytes: new Uint8Array(40_000_000) }],
      {},
      { signal: controller.signal, onUpload: (done) => parts.push(done) },
    );
    const settled = expect(pending).rejects.toBe(reason);
    while (connections() === 0 || parts.length === 0) await nextMacrotask();
    controller.abort(reason);
    await settled;
    expect(parts.at(-1)).toBeLessThan(40_000_000);
  });

  test.each<[string, Reply, (client: Client, signal: AbortSignal) => Promise<unknown>, unknown]>([
    ["a sync", { body: { data: SYNCED } }, (client, signal) => client.sync({ keys: [] }, { signal }), SYNCED],
    [
      "an import",
      { body: { data: JOB } },
      (client, signal) => client.import(writeFiles, {}, { signal }),
      JOB,
    ],
  ])("does not hide that %s was executed", async (_, reply, write, result) => {
    const answer = Promise.withResolvers<void>();
    const { port, seen } = await serve(async () => (await answer.promise, reply));
    const { client } = createClientHarness(port);
    const controller = new AbortController();
    const pending = write(client, controller.signal);
    while (seen.length === 0) await nextMacrotask();
    controller.abort(reason);
    answer.resolve();
    expect(await pending).toEqual(result);
  });

  test("says that a write may have been executed whose response does not arrive in time", async () => {
    const { port, seen } = await serve(() => new Promise(() => undefined));
    const { client, clock } = createClientHarness(port);
    const controller = new AbortController();
    const pending = failure(client.sync({ keys: [] }, { signal: controller.signal }));
    while (seen.length === 0) await nextMacrotask();
    controller.abort(reason);
    await clock.advance(10_000);
    expect(await pending).toMatchObject({ kind: "cancelled", endpoint: "POST /keys/sync" });
    expect(seen).toHaveLength(1);
  });

  test("waits longer for the job of an import, whose files were sent", async () => {
    const answer = Promise.withResolvers<void>();
    const { port, seen } = await serve(async () => (await answer.promise, { body: { data: JOB } }));
    const { client, clock } = createClientHarness(port);
    const controller = new AbortController();
    const pending = client.import(writeFiles, {}, { signal: controller.signal });
    while (seen.length === 0) await nextMacrotask();
    controller.abort(reason);
    await clock.advance(119_999);
    answer.resolve();
    expect(await pending).toEqual(JOB);
  });

  test("waits no longer for an answer that begins after the cancellation", async () => {
    const sockets: Socket[] = [];
    const { port } = await serveSockets((socket) => void sockets.push(socket));
    const begun = Promise.withResolvers<void>();
    const { client, clock } = createClientHarness(port, {
      fetch: async (...given) => {
        const response = await fetch(...given);
        begun.resolve();
        return response;
      },
    });
    const controller = new AbortController();
    const pending = failure(client.sync({ keys: [] }, { signal: controller.signal }));
    while (sockets.length === 0) await nextMacrotask();
    controller.abort(reason);
    await clock.advance(9_000);
    sockets[0]?.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{");
    await begun.promise;
    await nextMacrotask();
    await clock.advance(1_000);
    expect(await pending).toMatchObject({ kind: "cancelled" });
  });

  test("says that a write may have been executed whose retry is cancelled", async () => {
    const { port } = await serve(inOrder({ status: 502, body: "" }));
    const { client, clock } = createClientHarness(port);
    const controller = new AbortController();
    const pending = failure(client.sync({ keys: [] }, { signal: controller.signal }));
    while (!clock.sleeps.includes(500)) await nextMacrotask();
    controller.abort(reason);
    expect(await pending).toMatchObject({ kind: "cancelled" });
  });

  test.each([BUSY, { status: 429, headers: { "retry-after": "60" }, body: {} }])(
    "of a write is passed on where the service refused it: %j",
    async (reply) => {
      const { port } = await serve(inOrder(reply));
      const { client, clock } = createClientHarness(port);
      const controller = new AbortController();
      const settled = expect(client.sync({ keys: [] }, { signal: controller.signal })).rejects.toBe(reason);
      while (clock.sleeps.filter((ms) => ms !== 120_000).length === 0) await nextMacrotask();
      controller.abort(reason);
      await settled;
    },
  );

  test("works during the delays of a 409, a 429 and a retry", async () => {
    for (const reply of [
      BUSY,
      { status: 429, headers: { "retry-after": "60" }, body: {} },
      { status: 503, body: "" },
    ]) {
      const { port, seen } = await serve(inOrder(reply));
      const { client, clock } = createClientHarness(port);
      const controller = new AbortController();
      const waits: (Wait | null)[] = [];
      const settled = expect(
        client.stats({ signal: controller.signal, onWait: (wait) => waits.push(wait) }),
      ).rejects.toBe(reason);
      while (clock.sleeps.filter((ms) => ms !== 30_000).length === 0) await nextMacrotask();
      controller.abort(reason);
      await settled;
      expect(waits.at(-1) ?? null).toBeNull();
      expect(client.rateLimiter.budget.waiting).toBe(0);
      await clock.advance(600_000);
      expect(seen.length).toBe(1);
    }
  });
});

test.each<[string, number, (client: Client) => Promise<unknown>]>([
  ["an import", 1, (client) => client.import(writeFiles)],
  ["a translation", 1, (client) => client.writeTranslations("nl", [], "overwrite")],
  ["a key", 1, (client) => client.updateKey("a", { description: "b" })],
  ["a sync, which changes nothing the second time", 2, (client) => client.sync({ keys: [] })],
  ["the numbers", 2, (client) => client.stats()],
])("sends %s that may have been executed only where that is safe: %i", async (_, count, send) => {
  const { port, seen } = await serve(inOrder({ status: 502, body: "" }, { status: 400, body: {} }));
  const harness = createClientHarness(port);
  await failure(harness.drive(send(harness.client)));
  expect(seen).toHaveLength(count);
});

test("completes a request although a listener throws", async () => {
  const { port } = await serve(inOrder(BUSY, { body: { data: SYNCED } }));
  const harness = createClientHarness(port);
  const done = harness.drive(
    harness.client.sync(
      { keys: [] },
      {
        onWait: () => {
          throw new Error("mine");
        },
      },
    ),
  );
  expect(await done).toEqual(SYNCED);
});

test("reports delays to the client's listener by default", async () => {
  const { port } = await serve(inOrder(BUSY, { body: { data: SYNCED } }, BUSY, { body: { data: SYNCED } }));
  const waits: string[] = [];
  const harness = createClientHarness(port, { onWait: (wait) => waits.push(`client: ${wait?.kind}`) });
  await harness.drive(harness.client.sync({ keys: [] }));
  await harness.drive(
    harness.client.sync({ keys: [] }, { onWait: (wait) => waits.push(`own: ${wait?.kind}`) }),
  );
  expect(waits).toEqual(["client: busy", "client: undefined", "own: busy", "own: undefined"]);
});
