/** A time limit for synchronous work that cannot be interrupted otherwise, such as matching a regular expression of a user. */
import { createContext, Script } from "node:vm";

/** The work took longer than allowed. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

const script = new Script("result = work()");

/**
 * Runs work without side effects, since it may end anywhere, also without its `finally` blocks.
 * @throws {TimeLimitError} after so many milliseconds
 */
export function withTimeLimit<Result>(milliseconds: number, work: () => Result): Result {
  const scope: { readonly work: () => Result; result?: Result } = { work };
  try {
    script.runInContext(createContext(scope), { timeout: milliseconds });
  } catch (error) {
    // It is not an instance of this realm's `Error`.
    if ((error as { readonly code?: unknown } | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new TimeLimitError(`The work took longer than ${milliseconds} ms`);
    throw error;
  }
  return scope.result as Result;
}
