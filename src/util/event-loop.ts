/** Runs long work in slices of time, so that other tasks of the event loop run in between. */

/** Lets other tasks of the event loop run. */
export const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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

/** Runs works in turn, letting other tasks run after each slice of time. */
export class SlicedQueue {
  readonly #slices = new TimeSlices();
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Result): Promise<Result> {
    const result = this.#last.then(async () => {
      if (this.#slices.isOver) await this.#slices.next();
      return work();
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
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
