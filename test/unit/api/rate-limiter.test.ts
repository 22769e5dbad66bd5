/** The order of waiting requests: priority of users, reserve, pauses, and the reported budget. */
import { describe, expect, test } from "vitest";
import { RateLimiter, parseRetryAfter, type Budget, type Wait } from "../../../src/api/rate-limiter.ts";
import { RequestPriority } from "../../../src/util/priority.ts";
import { FakeClock, nextMacrotask } from "../support/fake-clock.ts";
import { RateLimit } from "../../../src/local-service/http/rate-limit.ts";

const headers = (remaining: number, limit = 120): Headers =>
  new Headers({ "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": String(remaining) });

/** A limiter and the order in which requests are let go; `leave(name)` ends one. */
function track() {
  const clock = new FakeClock();
  const limiter = new RateLimiter(clock);
  const went: string[] = [];
  const leaves = new Map<string, () => void>();
  const waits = new Map<string, (Wait | null)[]>();
  const enter = (name: string, priority: "person" | "background", signal?: AbortSignal): Promise<void> => {
    const notified: (Wait | null)[] = [];
    waits.set(name, notified);
    return limiter
      .acquire(priority, (wait) => notified.push(wait), signal)
      .then((leave) => {
        went.push(name);
        leaves.set(name, leave);
      });
  };
  return { clock, limiter, went, waits, enter, leave: (name: string) => leaves.get(name)?.() };
}

describe("concurrency", () => {
  test("runs four requests at once, and keeps one slot free of background requests", async () => {
    const { went, enter, leave } = track();
    for (const name of ["b1", "b2", "b3", "b4"]) void enter(name, "background");
    await nextMacrotask();
    expect(went).toEqual(["b1", "b2", "b3"]);
    void enter("p1", "person");
    void enter("p2", "person");
    await nextMacrotask();
    expect(went).toEqual(["b1", "b2", "b3", "p1"]);
    leave("b2");
    await nextMacrotask();
    // The person who came later goes before the background request that came first.
    expect(went).toEqual(["b1", "b2", "b3", "p1", "p2"]);
    leave("p1");
    await nextMacrotask();
    expect(went.at(-1)).toBe("b4");
  });

  test("releases a slot only once", async () => {
    const { went, enter, leave } = track();
    for (const name of ["p1", "p2", "p3", "p4", "p5", "p6"]) void enter(name, "person");
    await nextMacrotask();
    leave("p1");
    leave("p1");
    await nextMacrotask();
    expect(went).toEqual(["p1", "p2", "p3", "p4", "p5"]);
  });

  test("frees the slot that a request took in the background, whoever waits for it in the end", async () => {
    const { limiter, went, enter } = track();
    const priority = new RequestPriority();
    const leave = await limiter.acquire(priority, () => undefined);
    priority.raise();
    leave();
    for (const name of ["b1", "b2", "b3", "b4"]) void enter(name, "background");
    await nextMacrotask();
    expect(went).toEqual(["b1", "b2", "b3"]);
  });

  test("removes an aborted request from the queue", async () => {
    const { limiter, went, enter, leave } = track();
    for (const name of ["p1", "p2", "p3", "p4"]) void enter(name, "person");
    const controller = new AbortController();
    const cancelled = expect(enter("p5", "person", controller.signal)).rejects.toThrow("enough");
    void enter("p6", "person");
    await nextMacrotask();
    controller.abort(new Error("enough"));
    await cancelled;
    leave("p1");
    await nextMacrotask();
    expect(went).toEqual(["p1", "p2", "p3", "p4", "p6"]);
    expect(limiter.budget.waiting).toBe(0);
  });
});

describe("request budget", () => {
  test("stops background requests at the reserve until the minute ends", async () => {
    const { clock, limiter, went, waits, enter, leave } = track();
    void enter("b0", "background");
    await nextMacrotask();
    limiter.updateFrom(headers(41));
    leave("b0");
    void enter("b1", "background");
    await nextMacrotask();
    expect(went).toEqual(["b0", "b1"]);
    leave("b1");
    const held = clock.now() + 60_000;
    void enter("b2", "background");
    await nextMacrotask();
    expect(limiter.budget).toMatchObject({ limit: 120, remaining: 40, heldUntil: held, waiting: 1 });
    expect(waits.get("b2")).toEqual([{ kind: "rate-limit", until: held }]);
    void enter("p1", "person");
    await nextMacrotask();
    expect(went).toEqual(["b0", "b1", "p1"]);
    await clock.advance(59_999);
    expect(went.at(-1)).toBe("p1");
    await clock.advance(1);
    expect(went.at(-1)).toBe("b2");
    expect(waits.get("b2")?.at(-1)).toBeNull();
  });

  test("probes occasionally if the budget stays low after the minute", async () => {
    const { clock, limiter, went, enter, leave } = track();
    void enter("b0", "background");
    await nextMacrotask();
    limiter.updateFrom(headers(5));
    leave("b0");
    for (const name of ["b1", "b2", "b3", "b4"]) void enter(name, "background");
    await clock.advance(60_000);
    expect(went).toEqual(["b0", "b1", "b2", "b3"]);
    limiter.updateFrom(headers(4));
    for (const name of ["b1", "b2", "b3"]) leave(name);
    await nextMacrotask();
    expect(went.at(-1)).toBe("b3");
    await clock.advance(14_999);
    expect(went.at(-1)).toBe("b3");
    await clock.advance(1);
    expect(went.at(-1)).toBe("b4");
  });

  test("releases waiting requests when the budget increases", async () => {
    const { limiter, went, enter, leave } = track();
    void enter("b0", "background");
    await nextMacrotask();
    limiter.updateFrom(headers(3));
    leave("b0");
    void enter("b1", "background");
    void enter("p1", "person");
    await nextMacrotask();
    expect(went).toEqual(["b0", "p1"]);
    limiter.updateFrom(headers(119));
    await nextMacrotask();
    expect(went).toEqual(["b0", "p1", "b1"]);
  });

  test("scales the reserve with the budget", async () => {
    const { limiter, went, enter, leave } = track();
    void enter("b0", "background");
    await nextMacrotask();
    limiter.updateFrom(headers(5, 12));
    leave("b0");
    void enter("b1", "background");
    await nextMacrotask();
    leave("b1");
    void enter("b2", "background");
    await nextMacrotask();
    expect(went).toEqual(["b0", "b1"]);
    expect(limiter.budget.heldUntil).not.toBeNull();
  });

  test("sends one user request at a time if nothing is left", async () => {
    const { limiter, went, enter, leave } = track();
    void enter("p0", "person");
    await nextMacrotask();
    limiter.updateFrom(headers(0));
    leave("p0");
    void enter("p1", "person");
    void enter("p2", "person");
    await nextMacrotask();
    expect(went).toEqual(["p0", "p1"]);
    limiter.pause(5_000);
    leave("p1");
    await nextMacrotask();
    expect(went).toEqual(["p0", "p1"]);
  });

  test("counts running requests as spent and ignores responses without headers", async () => {
    const { limiter, enter } = track();
    for (const name of ["p1", "p2", "p3"]) void enter(name, "person");
    await nextMacrotask();
    limiter.updateFrom(headers(50));
    expect(limiter.budget.remaining).toBe(48);
    for (const remaining of ["many", "7 of 120", "-7", "0x7", "7.5", ""]) {
      limiter.updateFrom(new Headers({ "X-RateLimit-Limit": "7 or so", "X-RateLimit-Remaining": remaining }));
      expect(limiter.budget).toMatchObject({ limit: 120, remaining: 48 });
    }
    limiter.updateFrom(new Headers());
    expect(limiter.budget).toMatchObject({ limit: 120, remaining: 48 });
  });

  test("notifies listeners until they unsubscribe", async () => {
    const { clock, limiter } = track();
    const notified: Budget[] = [];
    const listening = limiter.onDidChange((budget) => notified.push(budget));
    limiter.updateFrom(headers(80));
    limiter.pause(2_000);
    expect(notified.map(({ remaining, pausedUntil }) => [remaining, pausedUntil])).toEqual([
      [80, null],
      [80, clock.now() + 2_000],
    ]);
    listening.dispose();
    limiter.updateFrom(headers(70));
    expect(notified.length).toBe(2);
  });

  test("never exceeds the limit on its own", async () => {
    const { clock, limiter } = track();
    const service = new RateLimit(120, () => clock.now());
    const refused: number[] = [];
    let done = 0;
    const ask = async (priority: "person" | "background"): Promise<void> => {
      const leave = await limiter.acquire(priority, () => undefined);
      await clock.sleep(50);
      const { limit, remaining, retryAfter } = service.take("token");
      if (retryAfter !== undefined) refused.push(clock.now());
      limiter.updateFrom(headers(remaining, limit));
      leave();
      done++;
    };
    const all = [
      ...Array.from({ length: 330 }, () => ask("background")),
      ...Array.from({ length: 170 }, () => ask("person")),
    ];
    const start = clock.now();
    await nextMacrotask();
    while (done < all.length && clock.pendingCount > 0) await clock.next();
    expect(done).toBe(all.length);
    expect(refused).toEqual([]);
    // As fast as the shares allow: a hundred requests of people a minute, eighty of the background.
    expect((clock.now() - start) / 60_000).toBeLessThan(7);
  });

  test("reserves a share for users and for other clients", async () => {
    const { clock, limiter, went, enter, leave } = track();
    const run = async (name: string, priority: "person" | "background"): Promise<void> => {
      await enter(name, priority);
      leave(name);
    };
    void Promise.all(Array.from({ length: 130 }, (_, at) => run(`b${at}`, "background")));
    await clock.advance(1_000);
    expect(went).toHaveLength(80);
    void Promise.all(Array.from({ length: 130 }, (_, at) => run(`p${at}`, "person")));
    await clock.advance(1_000);
    expect(went.filter((name) => name.startsWith("p"))).toHaveLength(20);
    expect(limiter.budget).toMatchObject({ heldUntil: clock.now() + 59_000, waiting: 160 });
  });

  test("sends a person's request as soon as its own share allows, also while an earlier background request has to wait longer", async () => {
    const { clock, limiter, went, waits, enter, leave } = track();
    // Of twelve a minute ten are for people, eight for the background.
    limiter.updateFrom(new Headers({ "X-RateLimit-Limit": "12" }));
    const start = clock.now();
    for (let at = 0; at < 10; at++) {
      await enter(`p${at}`, "person");
      leave(`p${at}`);
      await clock.advance(1_000);
    }
    void enter("background", "background");
    void enter("person", "person");
    await nextMacrotask();
    const until = (seconds: number) => [{ kind: "rate-limit", until: start + seconds * 1_000 }];
    expect([waits.get("background"), waits.get("person")]).toEqual([until(62), until(60)]);
    await clock.advance(49_999);
    expect(went).toHaveLength(10);
    await clock.advance(1);
    expect(went.slice(10)).toEqual(["person"]);
    await clock.advance(60_000);
    expect(went.slice(10)).toEqual(["person", "background"]);
  });

  test.each([-3_600_000, 3_600_000])(
    "waits as long as needed after the clock was set by %d ms",
    async (skew) => {
      const clock = new FakeClock();
      const limiter = new RateLimiter(clock);
      for (let at = 0; at < 80; at++) (await limiter.acquire("background", () => undefined))();
      clock.skew = skew;
      let went = false;
      void limiter.acquire("background", () => undefined).then(() => (went = true));
      await clock.advance(59_999);
      expect(went).toBe(false);
      await clock.advance(1);
      expect(went).toBe(true);
    },
  );

  test("sends a background request when its priority is raised", async () => {
    const { limiter } = track();
    const leave = await limiter.acquire("background", () => undefined);
    limiter.updateFrom(headers(10));
    leave();
    const priority = new RequestPriority();
    let went = false;
    const waits: (Wait | null)[] = [];
    void limiter.acquire(priority, (wait) => waits.push(wait)).then(() => (went = true));
    await nextMacrotask();
    expect([went, waits.length]).toEqual([false, 1]);
    priority.raise();
    await nextMacrotask();
    expect([went, waits.at(-1)]).toEqual([true, null]);
  });

  test("sends nothing with an empty budget before the known end of the window", async () => {
    const { clock, limiter, went, enter, leave } = track();
    void enter("p0", "person");
    await nextMacrotask();
    limiter.updateFrom(headers(3));
    limiter.updateFrom(headers(119));
    limiter.updateFrom(headers(0));
    leave("p0");
    void enter("p1", "person");
    await clock.advance(59_999);
    expect(went).toEqual(["p0"]);
    await clock.advance(1);
    expect(went).toEqual(["p0", "p1"]);
  });

  test("takes responses that arrive out of order for no new window, whose end would be known", async () => {
    const { limiter, went, enter } = track();
    for (const remaining of [3, 6, 0]) limiter.updateFrom(headers(remaining));
    void enter("p", "person");
    await nextMacrotask();
    expect(went).toEqual(["p"]);
  });

  test("sends a request of a user with an empty budget after a pause, since the window's end is unknown again", async () => {
    const { clock, limiter, went, enter } = track();
    limiter.updateFrom(headers(3));
    limiter.updateFrom(headers(119));
    limiter.pause(1_000);
    await clock.advance(1_000);
    expect(limiter.budget.pausedUntil).toBeNull();
    limiter.updateFrom(headers(110));
    limiter.updateFrom(headers(0));
    void enter("p0", "person");
    await nextMacrotask();
    expect(went).toEqual(["p0"]);
  });

  test("keeps the longer of two pauses", async () => {
    const { clock, limiter } = track();
    limiter.pause(10_000);
    limiter.pause(1_000);
    expect(limiter.budget.pausedUntil).toBe(clock.now() + 10_000);
  });

  test("tells a waiting request that a pause became longer, and sends it at the end of that", async () => {
    const { clock, limiter, went, waits, enter } = track();
    const now = clock.now();
    limiter.pause(10_000);
    void enter("p", "person");
    await nextMacrotask();
    limiter.pause(20_000);
    const told = [10_000, 20_000].map((pause) => ({ kind: "rate-limit", until: now + pause }));
    expect([limiter.budget.pausedUntil, waits.get("p")]).toEqual([now + 20_000, told]);
    await clock.advance(19_999);
    expect(went).toEqual([]);
    await clock.advance(1);
    expect([went, waits.get("p")]).toEqual([["p"], [...told, null]]);
  });

  test.each([-3_600_000, 3_600_000])(
    "pauses as long as told after the clock was set by %d ms",
    async (skew) => {
      const { clock, limiter } = track();
      limiter.pause(10_000);
      clock.skew = skew;
      await clock.advance(9_999);
      expect(limiter.budget.pausedUntil).not.toBeNull();
      await clock.advance(1);
      expect(limiter.budget.pausedUntil).toBeNull();
    },
  );

  test("continues after a pause of the service, whatever it estimated before", async () => {
    const { clock, limiter, went, enter, leave } = track();
    const run = async (name: string, priority: "person" | "background"): Promise<void> => {
      await enter(name, priority);
      leave(name);
    };
    void Promise.all(Array.from({ length: 100 }, (_, at) => run(`b${at}`, "background")));
    await clock.advance(1);
    expect(went).toHaveLength(80);
    limiter.updateFrom(headers(119));
    limiter.updateFrom(headers(0));
    limiter.pause(5_000);
    await clock.advance(4_999);
    expect(went).toHaveLength(80);
    await clock.advance(1);
    expect(went).toHaveLength(100);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  test.each([
    ["0", 0],
    ["120", 120_000],
    [" 5 ", 5_000],
    ["Thu, 01 Jan 2026 00:02:00 GMT", 120_000],
    ["Thursday, 01-Jan-26 00:02:00 GMT", 120_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["-5", null],
    ["1.5", null],
    ["2026", 2_026_000],
    ["2026-01-01", null],
    ["soon", null],
    ["", null],
  ])("%j", (value, milliseconds) =>
    expect(parseRetryAfter(new Headers({ "retry-after": value }), now)).toBe(milliseconds),
  );
  test("has no delay without the header", () => expect(parseRetryAfter(new Headers(), now)).toBeNull());
  test("measures a date against the server's clock", () => {
    const headers = new Headers({
      date: "Thu, 01 Jan 2026 00:00:00 GMT",
      "retry-after": "Thu, 01 Jan 2026 00:02:00 GMT",
    });
    for (const clock of [now, now - 31_536_000_000, now + 31_536_000_000])
      expect(parseRetryAfter(headers, clock)).toBe(120_000);
  });
});
