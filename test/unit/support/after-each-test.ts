/** What every test leaves behind, also one that fails: the next ones, of all files in the process, begin as if it had not run. */
import { afterEach, vi } from "vitest";
import { throwFailure } from "./fail-test.ts";
import { restoreWindow } from "./vscode-stub.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  restoreWindow();
  throwFailure();
});
