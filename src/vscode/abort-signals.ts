/** Cancellation of waits, independent of whether the awaited work itself can be cancelled. */
import type { CancellationToken } from "vscode";

/** Settles like `promise`, or rejects with the signal's reason if the signal is aborted first. */
export function raceWithAbort<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Converts a VS Code cancellation token to an `AbortSignal`. Call `dispose` when the work has ended. */
export function toAbortSignal(token: CancellationToken): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const watch = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => void watch.dispose() };
}
