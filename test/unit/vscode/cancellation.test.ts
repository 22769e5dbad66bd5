/** Whether a command that ended with an error was cancelled, or failed. */
import { expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import { isCancellation } from "../../../src/vscode/commands/register-command.ts";

test("the reason of the signal is a cancellation, and so is an aborted request", () => {
  const abort = new AbortController();
  const aborted = new DOMException("aborted", "AbortError");
  expect(isCancellation(aborted, abort.signal)).toBe(true);
  abort.abort(new Error("left"));
  expect(isCancellation(abort.signal.reason, abort.signal)).toBe(true);
});

test("a write whose answer did not arrive has failed, also after the command was cancelled", () => {
  const abort = new AbortController();
  const lost = new ApiError("offline", "no answer");
  expect(isCancellation(lost, abort.signal)).toBe(false);
  abort.abort();
  expect(isCancellation(lost, abort.signal)).toBe(false);
});
