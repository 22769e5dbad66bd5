/**
 * Replaces several files on disk together, all or none, even if the process ends midway: all new content is written
 * to temporary files, a journal entry records the transaction, and only then are the files replaced. Plain Node.
 */
import { createHash, randomUUID } from "node:crypto";
import * as nodeDisk from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { sameBytes } from "../../formats/text/encoding.ts";
import type { FileWrite } from "../../model/platform.ts";
import {
  temporaryPathOf,
  isMissing,
  isRunning,
  writeTemporaryFile,
  renameOver,
  replaceFile,
  removeOrphanedFiles,
  type Disk,
} from "./atomic-write.ts";

export interface StageOptions {
  /** The folder of the journal; without it an interrupted transaction is not recovered. */
  readonly journalFolder?: string;
  readonly disk?: Disk;
}

/** Staged content. Exactly one of the two functions must be called, once. */
export interface StagedFiles {
  /**
   * Replaces the files, unless some no longer have the content `before`. Returns the paths of those; none is replaced
   * then.
   * @throws {FileWriteError} when one cannot be replaced
   */
  replace(): Promise<readonly string[]>;
  /** Removes the staged content. */
  discard(): Promise<void>;
}

/** The file system refused to write. `written`: files that have the new content and could not be restored. */
export class FileWriteError extends Error {
  override readonly name = "FileWriteError";
  readonly path: string;
  readonly written: readonly string[];

  constructor(path: string, cause: unknown, written: readonly string[] = []) {
    super(`${path} was not written: ${String(cause)}`, { cause });
    this.path = path;
    this.written = written;
  }
}

/** A transaction: the files with the digests of their content, and the process that writes them. Contains no texts. */
const JournalEntrySchema = v.object({
  pid: v.number(),
  files: v.array(
    v.object({ path: v.string(), beside: v.string(), before: v.nullable(v.string()), after: v.string() }),
  ),
});
type JournalEntry = v.InferOutput<typeof JournalEntrySchema>;

/** Journal entries of this process that are in progress. */
const activeEntries = new Set<string>();

/**
 * Writes the new content of every file to a temporary file beside it.
 * @throws {FileWriteError} when one cannot be written; nothing is left behind then
 */
export async function stageFiles(
  replacements: readonly FileWrite[],
  { journalFolder, disk = nodeDisk }: StageOptions = {},
): Promise<StagedFiles> {
  const files = replacements.map((file) => ({ ...file, temporaryPath: temporaryPathOf(file.path) }));
  const entryPath = journalFolder === undefined ? null : join(journalFolder, `${randomUUID()}.json`);
  const createdFolders: string[] = [];
  const removeTemporaryFiles = async (): Promise<void> => {
    let areRemoved = true;
    for (const { temporaryPath } of files) {
      await disk.rm(temporaryPath, { force: true }).catch((error: unknown) => {
        areRemoved &&= isMissing(error);
      });
    }
    if (entryPath === null) return;
    // The journal entry keeps what could not be removed for the next start.
    if (areRemoved) await disk.rm(entryPath).catch(() => undefined);
    activeEntries.delete(entryPath);
  };
  const discard = async (): Promise<void> => {
    await removeTemporaryFiles();
    for (const folder of createdFolders) await removeEmptyFolders(folder, disk);
  };
  /** Does a step of each file; if one fails, discards the staged content and restores what was replaced. */
  const forEachFile = async (
    step: (file: (typeof files)[number]) => Promise<void>,
    undo: () => Promise<readonly string[]> = () => Promise.resolve([]),
  ): Promise<void> => {
    for (const file of files) {
      try {
        await step(file);
      } catch (error) {
        const written = await undo();
        await discard();
        throw new FileWriteError(file.path, error, written);
      }
    }
  };
  if (entryPath !== null) {
    activeEntries.add(entryPath);
    // A journal that cannot be written must not prevent the user's files from being written.
    await replaceFile(entryPath, serialiseJournalEntry(files), disk).catch(() => undefined);
  }
  await forEachFile(async ({ path, temporaryPath, after }) => {
    await assertWritable(path, disk);
    const folder = await disk.mkdir(dirname(path), { recursive: true });
    if (folder !== undefined) createdFolders.unshift(folder);
    await writeTemporaryFile(temporaryPath, after, path, disk);
  });
  return {
    discard,
    replace: async () => {
      const changed: string[] = [];
      await forEachFile(async ({ path, before }) => {
        if (!isSameContent(await readIfPresent(path, disk), before)) changed.push(path);
      });
      if (changed.length > 0) {
        await discard();
        return changed;
      }
      const replaced: FileWrite[] = [];
      await forEachFile(
        async (file) => {
          await renameOver(file.temporaryPath, file.path, disk);
          replaced.push(file);
        },
        () => rollBack(replaced, disk),
      );
      await removeTemporaryFiles();
      return [];
    },
  };
}

async function readIfPresent(path: string, disk: Disk): Promise<Uint8Array | undefined> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a file still has the content that was read. `undefined`: it does not exist. */
export function isSameContent(now: Uint8Array | undefined, before: Uint8Array | undefined): boolean {
  return now === before || (now !== undefined && before !== undefined && sameBytes(now, before));
}

/** The outcome of a transaction that a process did not finish, with the paths of its files. */
export interface RecoveredTransaction {
  readonly kind: "completed" | "rolled-back";
  readonly paths: readonly string[];
}

/**
 * Recovers the transactions of processes that have ended: if one file was replaced already, the others are replaced
 * too (unless they changed since); if none was, all stay as they are.
 */
export async function recoverTransactions(
  journalFolder: string,
  disk: Disk = nodeDisk,
): Promise<readonly RecoveredTransaction[]> {
  const recovered: RecoveredTransaction[] = [];
  const names = await disk.readdir(journalFolder).catch(() => []);
  for (const name of names) {
    if (!name.endsWith(".json")) continue;
    const path = join(journalFolder, name);
    const entry = await readJournalEntry(path, disk);
    if (entry !== null && (activeEntries.has(path) || (entry.pid !== process.pid && isRunning(entry.pid))))
      continue;
    if (entry !== null) recovered.push(await recoverTransaction(entry, disk));
    await disk.rm(path, { force: true });
  }
  await removeOrphanedFiles(journalFolder, disk);
  return recovered;
}

async function recoverTransaction({ files }: JournalEntry, disk: Disk): Promise<RecoveredTransaction> {
  const states = await Promise.all(
    files.map(async ({ beside: temporaryPath, ...file }) => ({
      ...file,
      temporaryPath,
      current: await digestAt(file.path, disk),
      staged: await digestAt(temporaryPath, disk),
    })),
  );
  // No file is replaced before all are staged.
  const hasBegun = states.some(({ current, before, after }) => current === after && before !== after);
  for (const { path, temporaryPath, current, before, after, staged } of states) {
    if (hasBegun && current === before && staged === after) await renameOver(temporaryPath, path, disk);
    else await disk.rm(temporaryPath, { force: true });
  }
  return { kind: hasBegun ? "completed" : "rolled-back", paths: files.map(({ path }) => path) };
}

/** Read-only files are left alone, even where the system would allow replacing them. */
async function assertWritable(path: string, disk: Disk): Promise<void> {
  let mode: number;
  try {
    const found = await disk.stat(path);
    if (!found.isFile()) throw Object.assign(new Error(`EISDIR: ${path} is not a file`), { code: "EISDIR" });
    mode = found.mode;
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  // Root may write every file; the mode still shows the intent.
  if ((mode & 0o222) === 0)
    throw Object.assign(new Error(`EACCES: ${path} is read-only`), { code: "EACCES" });
  await disk.access(path, nodeDisk.constants.W_OK);
}

/** Restores replaced files. Returns the paths that could not be restored. */
async function rollBack(replaced: readonly FileWrite[], disk: Disk): Promise<string[]> {
  const failed: string[] = [];
  for (const { path, before } of replaced) {
    try {
      if (before === undefined) await disk.rm(path);
      else await replaceFile(path, before, disk);
    } catch {
      failed.push(path);
    }
  }
  return failed;
}

function serialiseJournalEntry(
  files: readonly (FileWrite & { readonly temporaryPath: string })[],
): Uint8Array {
  const entry: JournalEntry = {
    pid: process.pid,
    files: files.map(({ path, temporaryPath, before, after }) => ({
      path,
      beside: temporaryPath,
      before: before === undefined ? null : digest(before),
      after: digest(after),
    })),
  };
  return new TextEncoder().encode(JSON.stringify(entry));
}

/** Returns `null` if the journal entry is damaged. */
async function readJournalEntry(path: string, disk: Disk): Promise<JournalEntry | null> {
  try {
    return v.parse(JournalEntrySchema, JSON.parse((await disk.readFile(path)).toString()));
  } catch {
    return null;
  }
}

async function digestAt(path: string, disk: Disk): Promise<string | null> {
  try {
    return digest(await disk.readFile(path));
  } catch {
    return null;
  }
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Removes the folder if neither it nor its subfolders contain files. */
async function removeEmptyFolders(folder: string, disk: Disk): Promise<void> {
  for (const name of await disk.readdir(folder).catch(() => []))
    await removeEmptyFolders(join(folder, name), disk);
  await disk.rmdir(folder).catch(() => undefined);
}
