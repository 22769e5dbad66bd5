/** Waiting that somebody can end although the work itself goes on. */
import type { CancellationToken } from "vscode";

/** The promise's end, or the signal's reason if that comes first. */
export function raced<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** A token of VS Code's as a signal; `dispose` when the work has ended. */
export function abortOf(token: CancellationToken): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const watch = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => void watch.dispose() };
}
