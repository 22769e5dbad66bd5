/** The core's ports on plain Node, in a folder of their own: real files, real time. */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock, FileStamp, Log, ProjectFiles } from "../../../src/model/platform.ts";
import { diskStamp, isRecent } from "../../../src/workspace/files/disk.ts";
import { stageFiles, type StageOptions } from "../../../src/workspace/files/file-transaction.ts";

export const sha1 = (text: string): string => createHash("sha1").update(text, "utf8").digest("hex");

/** Time that passes `speed` times as fast while somebody sleeps. */
export function clock(speed = 1): Clock {
  return {
    now: () => Date.now(),
    sleep: async (milliseconds, signal) => {
      await wait(milliseconds / speed, undefined, signal === undefined ? {} : { signal });
    },
  };
}

/** Keeps every line, so that a test can look for what must not be there. */
export function keptLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (text: string, cause?: unknown): void =>
    void lines.push(cause instanceof Error ? `${text} ${cause.stack}` : text);
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}

/** A folder that is gone when the test file ends (call `remove` in afterAll). */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "project-translations-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

async function put(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(beside, bytes);
  await rename(beside, path);
}

async function bytesAt(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function stampAt(path: string): Promise<FileStamp | undefined> {
  try {
    return diskStamp(await stat(path));
  } catch {
    return undefined;
  }
}

/** `staging`: several files are written together as the host does, on this disk and with these notes. */
export function projectFiles(root: string, staging?: Required<StageOptions>): ProjectFiles {
  const absolute = (path: string): string => join(root, path);
  return {
    find: async (glob) => {
      const all = await readdir(root, { recursive: true, withFileTypes: true });
      return all
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((path) => matchesGlob(path, glob))
        .sort();
    },
    stat: (path) => stampAt(absolute(path)),
    read: async (path) => {
      const stamp = await stampAt(absolute(path));
      const bytes = await bytesAt(absolute(path));
      return bytes === undefined || stamp === undefined
        ? undefined
        : { bytes, stamp, dirty: false, recent: isRecent(stamp) };
    },
    write: async (writes) => {
      const changed: string[] = [];
      for (const { path, before } of writes) {
        const now = await bytesAt(absolute(path));
        if (
          !Buffer.from(now ?? []).equals(Buffer.from(before ?? [])) ||
          (now === undefined) !== (before === undefined)
        )
          changed.push(path);
      }
      if (changed.length > 0) return { kind: "changed", paths: changed };
      if (staging !== undefined) {
        const files = writes.map((write) => ({ ...write, path: absolute(write.path) }));
        await (await stageFiles(files, staging)).replace();
        return { kind: "written" };
      }
      for (const { path, after } of writes) await put(absolute(path), after);
      return { kind: "written" };
    },
  };
}
