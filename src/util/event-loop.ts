/** Runs long work in slices of time, so that other tasks of the event loop run in between. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestPriority } from "./priority.ts";

/** What work in a `PriorityScheduler` waits for whenever it yields. */
const turns = new AsyncLocalStorage<() => Promise<void>>();

/** Lets other tasks of the event loop run; in the background of a `PriorityScheduler`, until no person waits. */
export async function yieldNow(): Promise<void> {
  // The first immediate of an I/O callback runs in the same turn of the loop, before any timer.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await turns.getStore()?.();
}

/** Runs works side by side. Those of the background stop wherever they yield while there are people's. */
export class PriorityScheduler {
  #peoplesCount = 0;
  /** Continue the works that wait for people's. */
  readonly #paused = new Set<() => void>();

  /** Runs the work; it continues at once when its priority is raised. A person's work must not wait for the background. */
  async run<Result>(priority: RequestPriority, work: () => Promise<Result>): Promise<Result> {
    let isCounted = false;
    const count = (): void => {
      isCounted = true;
      this.#peoplesCount++;
      this.#continueAll();
    };
    if (priority.value === "person") count();
    const raised = priority.onDidRaise(count);
    const turn = async (): Promise<void> => {
      while (priority.value === "background" && this.#peoplesCount > 0)
        await new Promise<void>((resolve) => this.#paused.add(resolve));
    };
    try {
      await turn();
      return await turns.run(turn, work);
    } finally {
      raised.dispose();
      if (isCounted) this.#peoplesCount--;
      if (this.#peoplesCount === 0) this.#continueAll();
    }
  }

  #continueAll(): void {
    const paused = [...this.#paused];
    this.#paused.clear();
    for (const resume of paused) resume();
  }
}

/** Several works may run their slices in turns before a timer or a message gets its turn. */
const SLICE_MS = 5;

/** Divides work into slices by time: `if (slices.isOver) await slices.next();`. */
export class TimeSlices {
  #end = performance.now() + SLICE_MS;

  /** Whether other tasks should run now. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets other tasks run, and begins the next slice. */
  async next(): Promise<void> {
    await yieldNow();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** Calls `work` for each item, letting other tasks run after each slice of time. */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => void,
): Promise<void> {
  const slices = new TimeSlices();
  let index = 0;
  for (const item of items) {
    work(item, index++);
    if (slices.isOver) await slices.next();
  }
}

/** Returns the items that `isWanted` accepts, letting other tasks run after each slice of time. */
export async function collectInSlices<Item>(
  items: Iterable<Item>,
  isWanted: (item: Item) => boolean = () => true,
): Promise<Item[]> {
  const found: Item[] = [];
  await forEachInSlices(items, (item) => isWanted(item) && found.push(item));
  return found;
}

/** Returns the results of `work` that are not `null`, letting other tasks run after each slice of time. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result | null,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachInSlices(items, (item) => {
    const result = work(item);
    if (result !== null) results.push(result);
  });
  return results;
}

/** Runs the generator, letting other tasks run after each slice that it yields, and returns its result. */
export async function runInSlices<Result>(
  work: Iterator<void, Result>,
  pause: () => Promise<void> = yieldNow,
): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await pause();
  }
}
