/**
 * Replaces single files on disk atomically: the new content is written to a temporary file, which then replaces the
 * old one. Plain Node; file-transaction.ts replaces several files together.
 */
import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import * as nodeDisk from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileStamp } from "../../model/platform.ts";

/** The file system functions in use; tests make them fail at any step. */
export type Disk = Pick<
  typeof nodeDisk,
  "access" | "chmod" | "mkdir" | "open" | "readdir" | "readFile" | "rename" | "rm" | "rmdir" | "stat"
>;

/** Names are limited to 255 units, which are bytes on some file systems; our suffix takes about 50. */
const MAX_NAME_BYTES = 200;

/** Returns a unique path beside the file that contains the process id. */
export function temporaryPathOf(path: string): string {
  const isLong = Buffer.byteLength(basename(path)) > MAX_NAME_BYTES;
  const start = isLong ? join(dirname(path), basename(path).slice(0, MAX_NAME_BYTES / 4)) : path;
  return `${start}.${process.pid}.${randomUUID()}.tmp`;
}

/** More than a second in total. */
const RETRY_DELAYS_MS = [10, 20, 40, 80, 160, 320, 640];

/**
 * Renames a file over another one. Windows refuses that while another program reads the target: virus scanners,
 * indexers and watchers do so briefly after every write.
 */
export async function renameOver(
  from: string,
  to: string,
  disk: Pick<Disk, "rename">,
  system: NodeJS.Platform = process.platform,
): Promise<void> {
  for (const wait of system === "win32" ? RETRY_DELAYS_MS : []) {
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

/** Writes and syncs a new file, with the mode of the file `like` if that exists. */
export async function writeTemporaryFile(
  temporaryPath: string,
  bytes: Uint8Array,
  like: string,
  disk: Disk = nodeDisk,
): Promise<void> {
  const file = await disk.open(temporaryPath, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  const before = await disk.stat(like).catch(() => undefined);
  if (before !== undefined) await disk.chmod(temporaryPath, before.mode);
}

/**
 * Replaces one file atomically and creates its folder if missing.
 * @throws the error of the file system; the file is unchanged then
 */
export async function replaceFile(path: string, bytes: Uint8Array, disk: Disk = nodeDisk): Promise<void> {
  await disk.mkdir(dirname(path), { recursive: true });
  const temporaryPath = temporaryPathOf(path);
  try {
    await writeTemporaryFile(temporaryPath, bytes, path, disk);
    await renameOver(temporaryPath, path, disk);
  } catch (error) {
    await disk.rm(temporaryPath, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Returns the stamp of a local file. Programs may set back the modification time (archives, `touch -r`), but not the
 * time of the last metadata change.
 */
export function diskStamp({
  size,
  mtimeMs,
  ctimeMs,
}: Pick<Stats, "size" | "mtimeMs" | "ctimeMs">): FileStamp {
  return { size, modified: Math.max(mtimeMs, ctimeMs) };
}

/** Coarsest timestamp resolution of common file systems (FAT). */
const TIMESTAMP_RESOLUTION_MS = 2_000;

/** Whether another write could leave the stamp of this file unchanged. */
export function isRecent({ modified }: FileStamp): boolean {
  return Date.now() - modified < TIMESTAMP_RESOLUTION_MS;
}

/** Removes temporary files in a folder that belong to processes that have ended. */
export async function removeOrphanedFiles(folder: string, disk: Disk = nodeDisk): Promise<void> {
  const names = await disk.readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = /\.(\d+)\.[\da-f-]{36}\.tmp$/u.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await disk.rm(join(folder, name), { force: true });
  }
}

/** Whether the process is running on this machine. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether the error means that the file does not exist. */
export function isMissing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === "FileNotFound" || code === "ENOENT" || code === "ENOTDIR" || code === "FileNotADirectory";
}
