/** A task shared by several callers: cancellation, priority and completion. */
import { expect, test } from "vitest";
import { currentPriority, RequestPriority } from "../../../src/util/priority.ts";
import type { RequestOptions } from "../../../src/api/client.ts";
import { SingleFlight } from "../../../src/sync/single-flight.ts";
import { nextMacrotask } from "../support/fake-clock.ts";

/** Work that ends when the test says so. */
async function begin() {
  const work = Promise.withResolvers<string>();
  let given: RequestOptions | undefined;
  const run = new SingleFlight((options) => {
    given = options;
    return work.promise;
  });
  expect(given).toBeUndefined();
  await nextMacrotask();
  const { signal, priority } = given as unknown as Required<RequestOptions>;
  return { run, work, signal, priority: () => currentPriority(priority) };
}

test("gives the result to all waiters, also later ones", async () => {
  const { run, work } = await begin();
  const joined = [run.join({}), run.join({ signal: new AbortController().signal })];
  work.resolve("done");
  expect(await Promise.all([...joined, run.join({})])).toEqual(["done", "done", "done"]);
  expect(run.aborted).toBe(false);
  await run.ended;
});

test("rejects for all waiters, without an unhandled rejection", async () => {
  const { run, work } = await begin();
  const joined = [run.join({}), run.join({ signal: new AbortController().signal })];
  work.reject(new Error("failed"));
  for (const each of joined) await expect(each).rejects.toThrow("failed");
  expect(await run.ended).toBeUndefined();
});

test("rejects a waiter with its own reason, and aborts the work with the last one", async () => {
  const { run, signal } = await begin();
  const leaving = [new AbortController(), new AbortController()];
  const joined = leaving.map((each) => run.join({ signal: each.signal }));
  leaving[0]?.abort(new Error("first"));
  await expect(joined[0]).rejects.toThrow("first");
  expect([run.aborted, signal.aborted]).toEqual([false, false]);
  leaving[1]?.abort(new Error("second"));
  await expect(joined[1]).rejects.toThrow("second");
  expect([run.aborted, signal.reason]).toEqual([true, new Error("second")]);
});

test("keeps running for a waiter without a signal", async () => {
  const { run, signal } = await begin();
  const leaving = new AbortController();
  const staying = run.join({});
  const joined = run.join({ signal: leaving.signal });
  leaving.abort(new Error("left"));
  await expect(joined).rejects.toThrow("left");
  expect(signal.aborted).toBe(false);
  run.abort(new Error("over"));
  expect([run.aborted, signal.reason]).toEqual([true, new Error("over")]);
  void staying;
});

test("does not join with an aborted signal", async () => {
  const { run, signal } = await begin();
  const gone = AbortSignal.abort(new Error("gone"));
  await expect(run.join({ signal: gone, priority: "person" })).rejects.toThrow("gone");
  expect(signal.aborted).toBe(false);
});

test("ignores an abort after the end", async () => {
  const { run, work, signal } = await begin();
  const leaving = new AbortController();
  const joined = run.join({ signal: leaving.signal });
  work.resolve("done");
  await joined;
  await nextMacrotask();
  leaving.abort();
  expect(signal.aborted).toBe(false);
});

test("raises the priority once a person waits", async () => {
  const quiet = await begin();
  void quiet.run.join({});
  void quiet.run.join({ priority: "background" });
  expect(quiet.priority()).toBe("background");
  void quiet.run.join({ priority: "person" });
  expect(quiet.priority()).toBe("person");

  const hurried = await begin();
  hurried.run.raisePriority();
  expect(hurried.priority()).toBe("person");

  const { run, priority } = await begin();
  const theirs = new RequestPriority();
  void run.join({ priority: theirs });
  expect(priority()).toBe("background");
  theirs.raise();
  expect(priority()).toBe("person");
  // Whoever joins with a priority that was raised before is a person at once.
  const late = await begin();
  void late.run.join({ priority: theirs });
  expect(late.priority()).toBe("person");
});
