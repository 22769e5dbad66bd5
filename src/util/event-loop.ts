/** Runs long work in slices, so that other tasks of the event loop run in between. */

/** Lets other tasks of the event loop run; awaited between slices of long work. */
export const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Items per slice of at most some 10 ms. */
const SLICE_SIZE = 1_000;

/** Calls `work` for each item, letting other tasks run after each slice. `sliceSize`: default for some 2 µs per item. */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => void,
  sliceSize = SLICE_SIZE,
): Promise<void> {
  let index = 0;
  for (const item of items) {
    work(item, index++);
    if (index % sliceSize === 0) await yieldNow();
  }
}

/** Returns the items that `isWanted` accepts, letting other tasks run after each slice. */
export async function collectInSlices<Item>(
  items: Iterable<Item>,
  isWanted: (item: Item) => boolean = () => true,
): Promise<Item[]> {
  const found: Item[] = [];
  await forEachInSlices(items, (item) => isWanted(item) && found.push(item));
  return found;
}

/** Runs the generator, letting other tasks run after each slice, and returns its result. */
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
