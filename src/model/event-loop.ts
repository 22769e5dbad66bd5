/** Runs long work in slices: a generator that yields wherever other work may run. */

/** Lets other tasks of the event loop run; awaited between slices of long work. */
export const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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
