/**
 * One file on disk replaced whole or not at all: what is to stand there is written beside it, and then takes its name.
 * Plain Node; several files together are file-transaction.ts's.
 */
import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import * as nodeDisk from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileStamp } from "../../model/platform.ts";

/** What of the disk is used; tests break it off at any step. */
export type Disk = Pick<
  typeof nodeDisk,
  "access" | "chmod" | "mkdir" | "open" | "readdir" | "readFile" | "rename" | "rm" | "rmdir" | "stat"
>;

/** Names of disks have 255 units at most, which are bytes on some; what we put behind them has about 50. */
const LONGEST_NAME = 200;

/** A name beside the file that nobody else uses, and that says which process made it. */
export function temporaryPathOf(path: string): string {
  const isLong = Buffer.byteLength(basename(path)) > LONGEST_NAME;
  const start = isLong ? join(dirname(path), basename(path).slice(0, LONGEST_NAME / 4)) : path;
  return `${start}.${process.pid}.${randomUUID()}.tmp`;
}

/** Together more than a second. */
const WAITS_MS = [10, 20, 40, 80, 160, 320, 640];

/**
 * Gives a file the name of another, which goes. On Windows that is refused while a third program reads the other one:
 * virus scanners, indexers and watchers do so for a moment whenever something was written.
 */
export async function renameOver(
  from: string,
  to: string,
  disk: Pick<Disk, "rename">,
  system: NodeJS.Platform = process.platform,
): Promise<void> {
  for (const wait of system === "win32" ? WAITS_MS : []) {
    try {
      await disk.rename(from, to);
      return;
    } catch (error) {
      if (!["EPERM", "EACCES", "EBUSY"].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    }
    await sleep(wait);
  }
  await disk.rename(from, to);
}

/** Writes a file that is not there yet, through to the disk; with the mode of `like`, where that is there. */
export async function putBeside(
  beside: string,
  bytes: Uint8Array,
  like: string,
  disk: Disk = nodeDisk,
): Promise<void> {
  const file = await disk.open(beside, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  const before = await disk.stat(like).catch(() => undefined);
  if (before !== undefined) await disk.chmod(beside, before.mode);
}

/** Replaces one file; its folder is made when it is missing. Rejects with the disk's own error, and then it is as it was. */
export async function replaceFile(path: string, bytes: Uint8Array, disk: Disk = nodeDisk): Promise<void> {
  await disk.mkdir(dirname(path), { recursive: true });
  const beside = temporaryPathOf(path);
  try {
    await putBeside(beside, bytes, path, disk);
    await renameOver(beside, path, disk);
  } catch (error) {
    await disk.rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * The stamp of a file on this machine's disk. Programs may set the time of a content back (archives, `touch -r`), but
 * not that of the last change of its metadata.
 */
export function diskStamp({
  size,
  mtimeMs,
  ctimeMs,
}: Pick<Stats, "size" | "mtimeMs" | "ctimeMs">): FileStamp {
  return { size, modified: Math.max(mtimeMs, ctimeMs) };
}

/** The coarsest times of usual file systems (FAT). Milliseconds. */
const TIME_STEP_MS = 2_000;

/** Whether a file that was read just now may be written once more without another stamp. */
export function isRecent({ modified }: FileStamp): boolean {
  return Date.now() - modified < TIME_STEP_MS;
}

/** Removes what processes that are no more left beside the files of one folder. */
export async function removeLeftovers(folder: string, disk: Disk = nodeDisk): Promise<void> {
  const names = await disk.readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = /\.(\d+)\.[\da-f-]{36}\.tmp$/u.exec(basename(name))?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await disk.rm(join(folder, name), { force: true });
  }
}

/** Whether the process with this id is alive, as far as this machine knows. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // There is one, and it is somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether an error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === "FileNotFound" || code === "ENOENT" || code === "ENOTDIR" || code === "FileNotADirectory";
}
