/** Who goes when: people first, a reserve for them, pauses, and what is told of the budget. */
import { describe, expect, test } from "vitest";
import { Pace, retryAfter, type Budget } from "../../../src/api/pace.ts";
import type { Wait } from "../../../src/api/platform.ts";
import { ManualClock, turn } from "../support/manual-clock.ts";

const headers = (remaining: number, limit = 120): Headers =>
  new Headers({ "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": String(remaining) });

/** A pace and the order in which requests are let go; `leave(name)` ends one. */
function track() {
  const clock = new ManualClock();
  const pace = new Pace(clock);
  const went: string[] = [];
  const leaves = new Map<string, () => void>();
  const waits = new Map<string, (Wait | null)[]>();
  const enter = (name: string, priority: "person" | "background", signal?: AbortSignal): Promise<void> => {
    const told: (Wait | null)[] = [];
    waits.set(name, told);
    return pace
      .enter(priority, (wait) => told.push(wait), signal)
      .then((leave) => {
        went.push(name);
        leaves.set(name, leave);
      });
  };
  return { clock, pace, went, waits, enter, leave: (name: string) => leaves.get(name)?.() };
}

describe("places", () => {
  test("four at once, background never takes the last one", async () => {
    const { went, enter, leave } = track();
    for (const name of ["b1", "b2", "b3", "b4"]) void enter(name, "background");
    await turn();
    expect(went).toEqual(["b1", "b2", "b3"]);
    void enter("p1", "person");
    void enter("p2", "person");
    await turn();
    expect(went).toEqual(["b1", "b2", "b3", "p1"]);
    leave("b2");
    await turn();
    // The person who came later goes before the background request that came first.
    expect(went).toEqual(["b1", "b2", "b3", "p1", "p2"]);
    leave("p1");
    await turn();
    expect(went.at(-1)).toBe("b4");
  });

  test("a place is given back once", async () => {
    const { went, enter, leave } = track();
    for (const name of ["p1", "p2", "p3", "p4", "p5", "p6"]) void enter(name, "person");
    await turn();
    leave("p1");
    leave("p1");
    await turn();
    expect(went).toEqual(["p1", "p2", "p3", "p4", "p5"]);
  });

  test("who is cancelled in line leaves it", async () => {
    const { pace, went, enter, leave } = track();
    for (const name of ["p1", "p2", "p3", "p4"]) void enter(name, "person");
    const controller = new AbortController();
    const cancelled = expect(enter("p5", "person", controller.signal)).rejects.toThrow("enough");
    void enter("p6", "person");
    await turn();
    controller.abort(new Error("enough"));
    await cancelled;
    leave("p1");
    await turn();
    expect(went).toEqual(["p1", "p2", "p3", "p4", "p6"]);
    expect(pace.budget.waiting).toBe(0);
  });
});

describe("the budget", () => {
  test("background stops at the reserve, people go on, until the minute is over", async () => {
    const { clock, pace, went, waits, enter, leave } = track();
    void enter("b0", "background");
    await turn();
    pace.learn(headers(21));
    leave("b0");
    void enter("b1", "background");
    await turn();
    expect(went).toEqual(["b0", "b1"]);
    leave("b1");
    const held = clock.now() + 60_000;
    void enter("b2", "background");
    await turn();
    expect(pace.budget).toMatchObject({ limit: 120, remaining: 20, heldUntil: held, waiting: 1 });
    expect(waits.get("b2")).toEqual([{ kind: "rate-limit", until: held }]);
    void enter("p1", "person");
    await turn();
    expect(went).toEqual(["b0", "b1", "p1"]);
    await clock.advance(59_999);
    expect(went.at(-1)).toBe("p1");
    await clock.advance(1);
    expect(went.at(-1)).toBe("b2");
    expect(waits.get("b2")?.at(-1)).toBeNull();
  });

  test("still low after the minute: it is looked at now and then, not all the time", async () => {
    const { clock, pace, went, enter, leave } = track();
    void enter("b0", "background");
    await turn();
    pace.learn(headers(5));
    leave("b0");
    for (const name of ["b1", "b2", "b3", "b4"]) void enter(name, "background");
    await clock.advance(60_000);
    expect(went).toEqual(["b0", "b1", "b2", "b3"]);
    pace.learn(headers(4));
    for (const name of ["b1", "b2", "b3"]) leave(name);
    await turn();
    expect(went.at(-1)).toBe("b3");
    await clock.advance(14_999);
    expect(went.at(-1)).toBe("b3");
    await clock.advance(1);
    expect(went.at(-1)).toBe("b4");
  });

  test("a budget that jumps up frees who waits at once", async () => {
    const { pace, went, enter, leave } = track();
    void enter("b0", "background");
    await turn();
    pace.learn(headers(3));
    leave("b0");
    void enter("b1", "background");
    void enter("p1", "person");
    await turn();
    expect(went).toEqual(["b0", "p1"]);
    pace.learn(headers(119));
    await turn();
    expect(went).toEqual(["b0", "p1", "b1"]);
  });

  test("a smaller budget has a smaller reserve", async () => {
    const { pace, went, enter, leave } = track();
    void enter("b0", "background");
    await turn();
    pace.learn(headers(3, 12));
    leave("b0");
    void enter("b1", "background");
    await turn();
    leave("b1");
    void enter("b2", "background");
    await turn();
    expect(went).toEqual(["b0", "b1"]);
    expect(pace.budget.heldUntil).not.toBeNull();
  });

  test("with nothing left one person's request at a time finds out how long to wait", async () => {
    const { pace, went, enter, leave } = track();
    void enter("p0", "person");
    await turn();
    pace.learn(headers(0));
    leave("p0");
    void enter("p1", "person");
    void enter("p2", "person");
    await turn();
    expect(went).toEqual(["p0", "p1"]);
    pace.pause(5_000);
    leave("p1");
    await turn();
    expect(went).toEqual(["p0", "p1"]);
  });

  test("what is under way counts as spent, and answers without headers change nothing", async () => {
    const { pace, enter } = track();
    for (const name of ["p1", "p2", "p3"]) void enter(name, "person");
    await turn();
    pace.learn(headers(50));
    expect(pace.budget.remaining).toBe(48);
    pace.learn(new Headers({ "X-RateLimit-Remaining": "many" }));
    pace.learn(new Headers());
    expect(pace.budget).toMatchObject({ limit: 120, remaining: 48 });
  });

  test("is told to listeners until they go", async () => {
    const { clock, pace } = track();
    const told: Budget[] = [];
    const listening = pace.onDidChange((budget) => told.push(budget));
    pace.learn(headers(80));
    pace.pause(2_000);
    expect(told.map(({ remaining, pausedUntil }) => [remaining, pausedUntil])).toEqual([
      [80, null],
      [80, clock.now() + 2_000],
    ]);
    listening.dispose();
    pace.learn(headers(70));
    expect(told.length).toBe(2);
  });

  test("a shorter pause does not shorten a longer one", async () => {
    const { clock, pace } = track();
    pace.pause(10_000);
    pace.pause(1_000);
    expect(pace.budget.pausedUntil).toBe(clock.now() + 10_000);
  });

  test("a clock that is set back makes no hours of it, and a new pause holds", () => {
    const { clock } = track();
    let wrong = 0;
    const pace = new Pace({ now: () => clock.now() + wrong, sleep: (ms, signal) => clock.sleep(ms, signal) });
    pace.pause(10_000);
    wrong = -3_600_000;
    expect(pace.budget.pausedUntil).toBeNull();
    pace.pause(5_000);
    expect(pace.budget.pausedUntil).toBe(clock.now() + wrong + 5_000);
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
    expect(retryAfter(new Headers({ "retry-after": value }), now)).toBe(milliseconds),
  );
  test("none", () => expect(retryAfter(new Headers(), now)).toBeNull());
  test("a date is the sender's, and so is the time that it counts from", () => {
    const headers = new Headers({
      date: "Thu, 01 Jan 2026 00:00:00 GMT",
      "retry-after": "Thu, 01 Jan 2026 00:02:00 GMT",
    });
    for (const clock of [now, now - 31_536_000_000, now + 31_536_000_000])
      expect(retryAfter(headers, clock)).toBe(120_000);
  });
});
