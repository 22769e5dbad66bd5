/** Waits that a person cancels, and VS Code's own cancellation. */
import { expect, test } from "vitest";
import { raceWithAbort, toAbortSignal } from "../../../src/vscode/abort-signals.ts";
import { CancellationTokenSource } from "../support/vscode-stub.ts";

test("a wait ends with its work, or with the reason for which it was cancelled, whichever is first", async () => {
  const abort = new AbortController();
  const never = new Promise<string>(() => undefined);
  expect(await raceWithAbort(Promise.resolve("done"), abort.signal)).toBe("done");
  expect(await raceWithAbort(Promise.resolve("done"), undefined)).toBe("done");
  await expect(raceWithAbort(Promise.reject(new Error("failed")), abort.signal)).rejects.toThrow("failed");
  const waiting = raceWithAbort(never, abort.signal);
  abort.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
  // It was cancelled before.
  await expect(raceWithAbort(never, abort.signal)).rejects.toThrow("left");
});

test("a signal is aborted with its token, also with one that is cancelled already, until it is disposed of", () => {
  const source = new CancellationTokenSource();
  const first = toAbortSignal(source.token);
  const disposed = toAbortSignal(source.token);
  disposed.dispose();
  expect([first.signal.aborted, disposed.signal.aborted]).toEqual([false, false]);
  source.cancel();
  expect([first.signal.aborted, disposed.signal.aborted]).toEqual([true, false]);
  expect(toAbortSignal(source.token).signal.aborted).toBe(true);
});
