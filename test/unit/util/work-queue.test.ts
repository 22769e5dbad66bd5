/** Work that must not run at the same time, for people and in the background. */
import { expect, test } from "vitest";
import { yieldNow } from "../../../src/util/event-loop.ts";
import { RequestPriority } from "../../../src/util/priority.ts";
import { WorkQueue } from "../../../src/util/work-queue.ts";

/** A queue, and work that notes its beginning and ends when `end` is called. */
function openQueue() {
  const queue = new WorkQueue();
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const priorities = new Map<string, RequestPriority>();
  const run = (name: string, options: Parameters<WorkQueue["run"]>[1] = {}): Promise<string> =>
    queue.run((priority) => {
      begun.push(name);
      priorities.set(name, priority);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    }, options);
  const settle = async (name: string, failure?: Error): Promise<void> => {
    if (failure === undefined) ends.get(name)?.resolve(name);
    else ends.get(name)?.reject(failure);
    await yieldNow();
  };
  return { queue, begun, run, settle, priority: (name: string) => priorities.get(name)?.value };
}

test("work runs one by one, in the order of the calls, also after a failure", async () => {
  const { begun, run, settle } = openQueue();
  const all = Promise.allSettled([run("a"), run("b"), run("c")]);
  await yieldNow();
  expect(begun).toEqual(["a"]);
  await settle("a", new Error("no"));
  expect(begun).toEqual(["a", "b"]);
  await settle("b");
  await settle("c");
  expect((await all).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
});

test("work is a person's when a person waits for it, or for work after it", async () => {
  const { run, settle, priority } = openQueue();
  const first = run("first");
  const second = run("second");
  await yieldNow();
  expect(priority("first")).toBe("background");
  const waited = new RequestPriority();
  const third = run("third", { priority: waited });
  expect(priority("first")).toBe("background");
  waited.raise();
  const last = run("last");
  expect(priority("first")).toBe("person");
  for (const name of ["first", "second", "third"]) await settle(name);
  expect(["second", "third", "last"].map(priority)).toEqual(["person", "person", "background"]);
  await settle("last");
  await Promise.all([first, second, third, last]);
});

test("everything that is queued can be made a person's", async () => {
  const { queue, run, settle, priority } = openQueue();
  const all = Promise.all([run("first"), run("second")]);
  await yieldNow();
  queue.raise();
  await settle("first");
  expect(["first", "second"].map(priority)).toEqual(["person", "person"]);
  await settle("second");
  await all;
});

test("work of the same name that has not begun is joined, and raised", async () => {
  const { begun, run, settle, priority } = openQueue();
  const running = run("index", { name: "index" });
  await yieldNow();
  const waiting = run("again", { name: "index" });
  const joined = run("never", { name: "index", priority: "person" });
  await settle("index");
  expect([begun, priority("again")]).toEqual([["index", "again"], "person"]);
  await settle("again");
  expect(await Promise.all([running, waiting, joined])).toEqual(["index", "again", "again"]);
});
