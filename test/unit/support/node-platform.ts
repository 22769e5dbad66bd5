/** The platform's interfaces on plain Node: real files and time. */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock, Log, ProjectFiles } from "../../../src/model/platform.ts";
import { openProjectFiles } from "../../../src/projects/project-files.ts";
import type { StageOptions } from "../../../src/workspace/file-system/file-transaction.ts";
import { createFolderSearch } from "../../../src/workspace/project-detection/folder-search.ts";

export const sha1 = (text: string): string => createHash("sha1").update(text, "utf8").digest("hex");

/** Returns the system clock with sleeps that are `speed` times as short. */
export function realClock(speed = 1): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: async (milliseconds, signal) => {
      await wait(milliseconds / speed, undefined, signal === undefined ? {} : { signal });
    },
  };
}

/** Milliseconds of real time. */
const TICK = 20;

/**
 * Returns the system clock with shorter sleeps: those before a retry or a poll are a hundred times as short; longer ones,
 * such as the timeout of a request, ten times, since the requests themselves take as long as ever. Long sleeps are counted
 * in ticks: time in which this process was not running does not end them.
 */
export function fastClock(): Clock {
  const real = realClock();
  return {
    ...real,
    sleep: async (milliseconds, signal) => {
      if (milliseconds < 10_000) return real.sleep(milliseconds / 100, signal);
      for (let left = milliseconds / 10; left > 0; left -= TICK)
        await real.sleep(Math.min(left, TICK), signal);
    },
  };
}

/** Returns a log that records its lines. */
export function recordingLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const record = (text: string, cause?: unknown): void =>
    void lines.push(cause instanceof Error ? `${text} ${cause.stack}` : text);
  return { lines, debug: record, info: record, warn: record, error: record };
}

/** Creates a temporary folder. Call `remove` in `afterAll`. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "project-translations-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Returns the files below `root`. */
export function projectFiles(root: string, staging: StageOptions = {}): ProjectFiles {
  const scope = { exclude: [], otherProjects: [] };
  return openProjectFiles({ root, search: createFolderSearch(root), scope: () => scope, staging });
}
