/** Returns whether the error is the reason of an abort: of an `AbortSignal`, or VS Code's `CancellationError`. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "Canceled");
}
