/**
 * Several files on disk replaced together, all or none, also when this process ends at any moment of it: everything is
 * written beside the files first, a note says what is meant, and only then the files are replaced. Plain Node.
 */
import { createHash, randomUUID } from "node:crypto";
import * as nodeDisk from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import {
  temporaryPathOf,
  isMissing,
  isRunning,
  putBeside,
  renameOver,
  replaceFile,
  removeLeftovers,
  type Disk,
} from "./disk.ts";

/** One file. `before`: as it was read, `undefined` where it is not there. */
export interface Replacement {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

export interface StageOptions {
  /** The folder for notes of what is under way; without it nobody finishes what was broken off. */
  readonly notes?: string;
  readonly disk?: Disk;
}

/** Stands beside its files. One of the two is to be called, once. */
export interface StagedFiles {
  /** Replaces the files. Rejects with NotWritten. */
  replace(): Promise<void>;
  /** The files stay as they are. */
  discard(): Promise<void>;
}

/** The disk refused a file. `written`: files that could not be put back either, so they say the new text. */
export class NotWritten extends Error {
  override readonly name = "NotWritten";
  readonly path: string;
  readonly written: readonly string[];

  constructor(path: string, cause: unknown, written: readonly string[] = []) {
    super(`${path} was not written: ${String(cause)}`, { cause });
    this.path = path;
    this.written = written;
  }
}

/** The files by the digests of their bytes, and the process that writes them. No texts. */
const NoteSchema = v.object({
  pid: v.number(),
  files: v.array(
    v.object({ path: v.string(), beside: v.string(), before: v.nullable(v.string()), after: v.string() }),
  ),
});
type Note = v.InferOutput<typeof NoteSchema>;

/** Notes of this process whose work is under way. */
const active = new Set<string>();

/** Writes everything beside its file. Rejects with NotWritten; then nothing is left of it. */
export async function stageFiles(
  replacements: readonly Replacement[],
  { notes, disk = nodeDisk }: StageOptions = {},
): Promise<StagedFiles> {
  const files = replacements.map((file) => ({ ...file, beside: temporaryPathOf(file.path) }));
  const note = notes === undefined ? null : join(notes, `${randomUUID()}.json`);
  const made: string[] = [];
  const clear = async (): Promise<void> => {
    let isClear = true;
    for (const { beside } of files) {
      await disk.rm(beside, { force: true }).catch((error: unknown) => {
        isClear &&= isMissing(error);
      });
    }
    if (note === null) return;
    // What could not be removed is, by the note, at the next start.
    if (isClear) await disk.rm(note, { force: true }).catch(() => undefined);
    active.delete(note);
  };
  const discard = async (): Promise<void> => {
    await clear();
    for (const folder of made) await removeEmpty(folder, disk);
  };
  if (note !== null) {
    active.add(note);
    // A private store that takes nothing must not keep a person from their files.
    await replaceFile(note, noteOf(files), disk).catch(() => undefined);
  }
  for (const { path, beside, after } of files) {
    try {
      await mustBeWritable(path, disk);
      const first = await disk.mkdir(dirname(path), { recursive: true });
      if (first !== undefined) made.unshift(first);
      await putBeside(beside, after, path, disk);
    } catch (error) {
      await discard();
      throw new NotWritten(path, error);
    }
  }
  return {
    discard,
    replace: async () => {
      const done: Replacement[] = [];
      for (const file of files) {
        try {
          await renameOver(file.beside, file.path, disk);
          done.push(file);
        } catch (error) {
          const written = await putBack(done, disk);
          await discard();
          throw new NotWritten(file.path, error, written);
        }
      }
      await clear();
    },
  };
}

/** What became of work that a process left behind when it ended. Paths of the files it was about. */
export interface Finished {
  readonly kind: "completed" | "left";
  readonly paths: readonly string[];
}

/**
 * Brings to an end what processes that are no more left in the middle: where one file was replaced already, the others
 * follow (unless somebody changed them since); where none was, all stay as they are.
 */
export async function finishReplacing(notes: string, disk: Disk = nodeDisk): Promise<readonly Finished[]> {
  const finished: Finished[] = [];
  const names = await disk.readdir(notes).catch(() => []);
  for (const name of names) {
    if (!name.endsWith(".json")) continue;
    const place = join(notes, name);
    const note = await readNote(place, disk);
    if (note !== null && (active.has(place) || (note.pid !== process.pid && isRunning(note.pid)))) continue;
    if (note !== null) finished.push(await finish(note, disk));
    await disk.rm(place, { force: true });
  }
  await removeLeftovers(notes, disk);
  return finished;
}

async function finish({ files }: Note, disk: Disk): Promise<Finished> {
  const now = await Promise.all(
    files.map(async (file) => ({
      ...file,
      here: await digestAt(file.path, disk),
      staged: await digestAt(file.beside, disk),
    })),
  );
  // Whatever was replaced was staged whole with all the others before.
  const hasBegun = now.some(({ here, before, after }) => here === after && before !== after);
  for (const { path, beside, here, before, after, staged } of now) {
    if (hasBegun && here === before && staged === after) await renameOver(beside, path, disk);
    else await disk.rm(beside, { force: true });
  }
  return { kind: hasBegun ? "completed" : "left", paths: files.map(({ path }) => path) };
}

/** A file that a person made read-only stays as it is, also where the system would let us replace it. */
async function mustBeWritable(path: string, disk: Disk): Promise<void> {
  let mode: number;
  try {
    const found = await disk.stat(path);
    if (!found.isFile()) throw Object.assign(new Error(`EISDIR: ${path} is no file`), { code: "EISDIR" });
    mode = found.mode;
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  // Root may write everything; the mode still says what was meant.
  if ((mode & 0o222) === 0)
    throw Object.assign(new Error(`EACCES: ${path} is read-only`), { code: "EACCES" });
  await disk.access(path, nodeDisk.constants.W_OK);
}

/** Paths that could not be put back. */
async function putBack(done: readonly Replacement[], disk: Disk): Promise<string[]> {
  const stuck: string[] = [];
  for (const { path, before } of done) {
    try {
      if (before === undefined) await disk.rm(path);
      else await replaceFile(path, before, disk);
    } catch {
      stuck.push(path);
    }
  }
  return stuck;
}

function noteOf(files: readonly (Replacement & { readonly beside: string })[]): Uint8Array {
  const note: Note = {
    pid: process.pid,
    files: files.map(({ path, beside, before, after }) => ({
      path,
      beside,
      before: before === undefined ? null : digest(before),
      after: digest(after),
    })),
  };
  return new TextEncoder().encode(JSON.stringify(note));
}

/** `null`: it is no note that could be read. */
async function readNote(place: string, disk: Disk): Promise<Note | null> {
  try {
    return v.parse(NoteSchema, JSON.parse((await disk.readFile(place)).toString()));
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

/** What is not empty, or no folder, stays. */
async function removeEmpty(folder: string, disk: Disk): Promise<void> {
  const inside = await disk.readdir(folder).catch(() => []);
  for (const name of inside) await removeEmpty(join(folder, name), disk);
  await disk.rmdir(folder).catch(() => undefined);
}
