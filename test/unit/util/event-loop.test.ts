/** Long work lets other tasks run, whatever one step of it costs. */
import { stat } from "node:fs";
import { expect, test } from "vitest";
import {
  collectInSlices,
  forEachInSlices,
  mapInSlices,
  PriorityScheduler,
  yieldNow,
} from "../../../src/util/event-loop.ts";

import { RequestPriority } from "../../../src/util/priority.ts";

/** Keeps the processor busy. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

/** Counts the turns that other tasks get during the work. */
async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const turn = (): void => {
    turns++;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await run();
  isRunning = false;
  return turns;
}

const numbers = Array.from({ length: 12 }, (_, index) => index);

test("timers run before the work goes on, also of an I/O callback", async () => {
  const order: string[] = [];
  await new Promise<void>((resolve, reject) => {
    stat(import.meta.filename, () => {
      setTimeout(() => order.push("timer"), 1);
      work(3);
      const next = async (): Promise<void> => {
        await yieldNow();
        order.push("work");
      };
      next().then(resolve, reject);
    });
  });
  expect(order).toEqual(["timer", "work"]);
});

test("a few expensive items are divided", async () => {
  expect(await turnsDuring(() => forEachInSlices(numbers, () => work(6)))).toBeGreaterThan(10);
});

test("many cheap items are not", async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => index);
  let sum = 0;
  expect(await turnsDuring(() => forEachInSlices(many, (each) => (sum += each)))).toBeLessThan(10);
  expect(sum).toBe(1_999_000);
});

test("results are in order", async () => {
  expect(await collectInSlices(numbers, (each) => each % 5 === 0)).toEqual([0, 5, 10]);
  expect(await mapInSlices(numbers, (each) => (each % 5 === 0 ? each * 2 : null))).toEqual([0, 10, 20]);
});

/** Starts work of so many steps in the scheduler; `done` has its name after each. */
function start(scheduler: PriorityScheduler, name: string, steps: number, done: string[]) {
  const priority = new RequestPriority();
  const run = async (): Promise<void> => {
    for (let step = 0; step < steps; step++) {
      done.push(name);
      await yieldNow();
    }
  };
  return { priority, begin: () => scheduler.run(priority, run) };
}

test("background work stops at its next yield until no person waits", async () => {
  const scheduler = new PriorityScheduler();
  const done: string[] = [];
  const index = start(scheduler, "index", 4, done);
  const indexed = index.begin();
  await yieldNow();
  const before = done.length;
  const rename = start(scheduler, "rename", 5, done);
  rename.priority.raise();
  const later = start(scheduler, "later", 1, done);
  await Promise.all([rename.begin(), later.begin(), indexed]);
  const without = done.slice(before);
  // The step that had begun ends.
  const first = without.indexOf("rename");
  expect(first).toBeLessThanOrEqual(1);
  expect(without.slice(first, first + 5)).toEqual(Array.from({ length: 5 }, () => "rename"));
  expect(done.filter((each) => each === "index")).toHaveLength(4);
  expect(done.at(-1)).not.toBe("rename");
});

test("background work that a person waits for continues", async () => {
  const scheduler = new PriorityScheduler();
  const done: string[] = [];
  const other = Promise.withResolvers<void>();
  const person = new RequestPriority();
  person.raise();
  const running = scheduler.run(person, () => other.promise);
  const index = start(scheduler, "index", 3, done);
  const indexed = index.begin();
  for (let turn = 0; turn < 10; turn++) await yieldNow();
  expect(done).toEqual([]);
  index.priority.raise();
  await indexed;
  expect(done).toEqual(["index", "index", "index"]);
  other.resolve();
  await running;
});

test("background work continues after a person's work that failed", async () => {
  const scheduler = new PriorityScheduler();
  const done: string[] = [];
  const person = new RequestPriority();
  person.raise();
  const failing = scheduler.run(person, () => Promise.reject(new Error("no")));
  const index = start(scheduler, "index", 2, done);
  const indexed = index.begin();
  await expect(failing).rejects.toThrow("no");
  await indexed;
  expect(done).toEqual(["index", "index"]);
});
