/** Long work lets other tasks run, whatever one step of it costs. */
import { expect, test } from "vitest";
import { collectInSlices, forEachInSlices, mapInSlices, SlicedQueue } from "../../../src/util/event-loop.ts";

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

test("works that are queued at once run in turn, with others in between", async () => {
  const queue = new SlicedQueue();
  const done: number[] = [];
  const run = (each: number): Promise<number> =>
    queue.run(() => {
      work(6);
      done.push(each);
      if (each === 3) throw new Error("no");
      return each;
    });
  const turns = await turnsDuring(async () => {
    const results = await Promise.allSettled(numbers.map(run));
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
  });
  expect(done).toEqual(numbers);
  expect(turns).toBeGreaterThan(10);
});
