/** Failures of what a test expects in a function that the extension calls, which would only log or report them. */

const failures: unknown[] = [];

/** Fails the test that is running, once it has ended; the first failure counts. */
export function failTest(error: unknown): void {
  failures.push(error);
}

/** @throws what failed since the last call */
export function throwFailure(): void {
  const all = failures.splice(0);
  if (all.length > 0) throw all[0];
}
