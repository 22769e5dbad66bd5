/** The platform's interfaces on plain Node: real files and time. */
import { createHash, randomBytes } from "node:crypto";
import { lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock, FileStamp, Log, ProjectFiles, ReadOutcome } from "../../../src/model/platform.ts";
import { diskStamp, isMissing, isRecent } from "../../../src/workspace/file-system/atomic-write.ts";
import { createFolderSearch } from "../../../src/workspace/project-detection/folder-search.ts";
import { stageFiles, type StageOptions } from "../../../src/workspace/file-system/file-transaction.ts";

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

async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(temporary, bytes);
  await rename(temporary, path);
}

async function readBytes(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether links lead from the path to a place outside of the root. */
async function isOutside(root: string, path: string): Promise<boolean> {
  const target = await realpath(join(root, path)).catch(() => null);
  return target !== null && relative(await realpath(root), target).startsWith("..");
}

/** Returns the file's content, or why there is none. */
async function readOutcome(root: string, path: string): Promise<ReadOutcome> {
  const full = join(root, path);
  try {
    if (await isOutside(root, path)) return { kind: "unreadable", reason: "outside" };
    const stats = await stat(full);
    if (!stats.isFile()) return { kind: "unreadable", reason: "not_a_file" };
    const stamp = diskStamp(stats);
    const bytes = new Uint8Array(await readFile(full));
    return { kind: "read", bytes, stamp, dirty: false, recent: isRecent(stamp) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP")
      return { kind: "unreadable", reason: "broken_link" };
    if (!isMissing(error)) return { kind: "unreadable", reason: "failed" };
    const isLink = await lstat(full).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    return isLink ? { kind: "unreadable", reason: "broken_link" } : { kind: "missing" };
  }
}

async function readStamp(path: string): Promise<FileStamp | undefined> {
  try {
    return diskStamp(await stat(path));
  } catch {
    return undefined;
  }
}

/** Returns the files below `root`. @param staging writes several files in one transaction, as the extension host does */
export function projectFiles(root: string, staging?: Required<StageOptions>): ProjectFiles {
  const absolute = (path: string): string => join(root, path);
  return {
    find: (globs, signal) => createFolderSearch(root).find(globs, { exclude: [], otherProjects: [] }, signal),
    stat: async (path) => ((await isOutside(root, path)) ? undefined : readStamp(absolute(path))),
    read: (path) => readOutcome(root, path),
    write: async (writes) => {
      const changed: string[] = [];
      for (const { path, before } of writes) {
        const now = await readBytes(absolute(path));
        if (
          !Buffer.from(now ?? []).equals(Buffer.from(before ?? [])) ||
          (now === undefined) !== (before === undefined)
        )
          changed.push(path);
      }
      if (changed.length > 0) return { kind: "changed", paths: changed };
      if (staging !== undefined) {
        const files = writes.map((write) => ({ ...write, path: absolute(write.path) }));
        const paths = await (await stageFiles(files, staging)).replace();
        return paths.length > 0 ? { kind: "changed", paths } : { kind: "written" };
      }
      for (const { path, after } of writes) await writeAtomically(absolute(path), after);
      return { kind: "written" };
    },
  };
}
