/** Work in slices: a generator that says, by yielding, where other work may run. Who has no other work does it at once. */

/** Lets other work of the same thread run; awaited between slices of long work. */
export const yieldNow = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What comes of the work, done in one go. */
export function atOnce<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** The same, with other work after each slice. */
export async function inSlices<Result>(
  work: Iterator<void, Result>,
  pause: () => Promise<void> = yieldNow,
): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await pause();
  }
}
