/** Runs long work in slices: a generator that yields wherever other work may run. */

/** Lets other tasks of the event loop run; awaited between slices of long work. */
export const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const SLICE_SIZE = 2_000;

/** Returns the items that `isWanted` accepts, letting other tasks run after each slice of some 5 ms. */
export async function collectInSlices<Item>(
  items: Iterable<Item>,
  isWanted: (item: Item) => boolean = () => true,
): Promise<Item[]> {
  const found: Item[] = [];
  let seen = 0;
  for (const item of items) {
    if (isWanted(item)) found.push(item);
    if (++seen % SLICE_SIZE === 0) await yieldNow();
  }
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
