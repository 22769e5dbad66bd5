/**
 * The files of one project on disk (`ProjectFiles`). Nothing is read or written outside of its folder, also not through a
 * symbolic link. An editor adds its open documents.
 */
import type { Stats } from "node:fs";
import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "../commands/command-types.ts";
import {
  outsideProjectError,
  stagingError,
  unsafePathError,
  writeError,
} from "../messages/file-write-error-messages.ts";
import type {
  FileStamp,
  FileWrite,
  ProjectFiles,
  ReadOutcome,
  UnreadableReason,
  WriteOutcome,
} from "../model/platform.ts";
import { l10n } from "../util/l10n.ts";
import { diskStamp, isMissing, isRecent } from "../workspace/file-system/atomic-write.ts";
import {
  isSameContent,
  stageFiles,
  type StagedFiles,
  type StageOptions,
} from "../workspace/file-system/file-transaction.ts";
import { relativePathIn, resolveSymlinks } from "../workspace/file-system/paths.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import type { FolderSearch } from "../workspace/project-detection/folder-search.ts";
import { isSafeRelativePath } from "../workspace/project-file/project-file.ts";

export interface ProjectFilesOptions {
  /** Path of the project's folder. */
  readonly root: string;
  readonly search: Pick<FolderSearch, "find">;
  /** Returns what is no file of the project. */
  readonly scope: () => WalkScope;
  /** How files are replaced on disk. */
  readonly staging?: StageOptions;
  /** Those of an editor. */
  readonly documents?: Documents;
}

/** A write, and the path of its file on disk, behind links. */
export interface LocatedWrite {
  readonly write: FileWrite;
  readonly target: string;
}

/** The open documents of an editor. Targets are paths on disk, behind links. */
export interface Documents {
  /** Returns the text of a document with unsaved changes; `undefined` if the file has none. */
  unsaved(
    target: string,
    path: string,
  ): { readonly stamp: FileStamp; readonly bytes: () => Uint8Array } | undefined;
  /** Writes the files, all or none: through documents with unsaved changes, and those of `stage` on disk. */
  write(
    writes: readonly LocatedWrite[],
    stage: (onDisk: readonly LocatedWrite[]) => Promise<StagedFiles>,
  ): Promise<WriteOutcome>;
}

const NO_DOCUMENTS: Documents = {
  unsaved: () => undefined,
  write: async (writes, stage) => {
    const changed = await (await stage(writes)).replace();
    return changed.length > 0 ? { kind: "changed", paths: changed } : { kind: "written" };
  },
};

/** Returns access to the files below `root`. */
export function openProjectFiles({
  root,
  search,
  scope,
  staging,
  documents = NO_DOCUMENTS,
}: ProjectFilesOptions): ProjectFiles {
  const pathOf = (path: string): string => {
    if (!isSafeRelativePath(path)) throw outsideProjectError(path);
    return join(root, path);
  };
  const folders = new RealFolders(root);
  /** Resolves the file's location, and its stamp or why it has none. */
  const locate = async (path: string): Promise<LocatedFile> => {
    const given = pathOf(path);
    try {
      const isPlain = await folders.isPlain(given);
      const found = isPlain ? await lstat(given) : null;
      if (found !== null && !found.isSymbolicLink()) return { target: given, ...stampOf(found) };
      // Follows links: a broken one is not outside of the project.
      const stats = await stat(given);
      const target = await resolveWithin(root, given);
      return target === null ? { target, reason: "outside" } : { target, ...stampOf(stats) };
    } catch (error) {
      return { target: given, reason: await reasonOf(error, given) };
    }
  };
  const read = async (path: string, known?: FileStamp): Promise<ReadOutcome> => {
    const isKnown = known !== undefined && (await folders.isPlain(pathOf(path)));
    const file: LocatedFile = isKnown ? { target: pathOf(path), stamp: known } : await locate(path);
    if (file.target === null) return { kind: "unreadable", reason: file.reason };
    const unsaved = documents.unsaved(file.target, path);
    if (unsaved !== undefined)
      return { kind: "read", bytes: unsaved.bytes(), stamp: unsaved.stamp, dirty: true };
    if ("reason" in file) return unreadable(file.reason);
    const { target, stamp } = file;
    try {
      const bytes = new Uint8Array(await readFile(target));
      return { kind: "read", bytes, stamp, dirty: false, recent: isRecent(stamp) };
    } catch (error) {
      return unreadable(await reasonOf(error, target));
    }
  };
  const isChanged = async ({ path, before }: FileWrite): Promise<boolean> => {
    const now = await read(path);
    return now.kind === "unreadable" || !isSameContent(now.kind === "read" ? now.bytes : undefined, before);
  };
  return {
    find: (globs, signal) => search.find(globs, scope(), signal),
    stat: async (path) => {
      const file = await locate(path);
      const unsaved = file.target === null ? undefined : documents.unsaved(file.target, path);
      return unsaved?.stamp ?? ("stamp" in file ? file.stamp : undefined);
    },
    read,
    write: async (writes) => {
      await requireFolder(root);
      const located = await Promise.all(
        writes.map(async (write) => ({ write, target: await targetOf(root, write.path) })),
      );
      const changed: string[] = [];
      for (const write of writes) if (await isChanged(write)) changed.push(write.path);
      if (changed.length > 0) return { kind: "changed", paths: changed };
      const nameOf = (target: string): string =>
        located.find((each) => each.target === target)?.write.path ?? target;
      const inProject = async <Value>(work: () => Promise<Value>): Promise<Value> => {
        try {
          return await work();
        } catch (error) {
          throw stagingError(error, nameOf, writes[0]?.path ?? "");
        }
      };
      return documents.write(located, async (onDisk) => {
        const files = onDisk.map(({ write, target }) => ({ ...write, path: target }));
        const staged = await inProject(() => stageFiles(files, staging));
        return {
          replace: async () => (await inProject(() => staged.replace())).map(nameOf),
          discard: () => staged.discard(),
        };
      });
    },
  };
}

/** Throws if the project's folder no longer exists, so that no write recreates a folder that was moved or deleted. */
async function requireFolder(root: string): Promise<void> {
  try {
    await stat(root);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CommandError(
      "unsafe_file",
      l10n.t("The folder {0} no longer exists, so nothing was written. Restore it, then try again.", root),
      { reason: "folder_missing" },
    );
  }
}

/** A file's location on disk, with its stamp or why it cannot be read. `target: null`: outside the project. */
type LocatedFile =
  | { readonly target: string; readonly stamp: FileStamp }
  | { readonly target: string; readonly reason: UnreadableReason | "missing" }
  | { readonly target: null; readonly reason: "outside" };

/** Reading anything but a regular file, a pipe or device for example, might never end. */
function stampOf(stats: Stats): { readonly stamp: FileStamp } | { readonly reason: "not_a_file" } {
  return stats.isFile() ? { stamp: diskStamp(stats) } : { reason: "not_a_file" };
}

function unreadable(reason: UnreadableReason | "missing"): ReadOutcome {
  return reason === "missing" ? { kind: "missing" } : { kind: "unreadable", reason };
}

/** Returns why a path could not be read: a link to nothing exists, unlike its target. */
async function reasonOf(error: unknown, path: string): Promise<UnreadableReason | "missing"> {
  if ((error as NodeJS.ErrnoException).code === "ELOOP") return "broken_link";
  if (!isMissing(error)) return "failed";
  const isLink = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  return isLink ? "broken_link" : "missing";
}

/**
 * Reads a file at a path of a folder. `undefined`: it does not exist. `null`: it is not a regular file, cannot be read, is
 * larger than `maxBytes`, or is outside the folder behind a symbolic link.
 */
export async function readSmallFile(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | undefined | null> {
  try {
    const target = await resolveWithin(folder, join(folder, path));
    const stats = target === null ? null : await stat(target);
    return target === null || stats?.isFile() !== true || stats.size > maxBytes
      ? null
      : new Uint8Array(await readFile(target));
  } catch (error) {
    return isMissing(error) ? undefined : null;
  }
}

/**
 * Returns where a file to be written is, behind links.
 * @throws {CommandError} `unsafe_file`
 */
async function targetOf(root: string, path: string): Promise<string> {
  const refusal = unsafePathError(path);
  if (refusal !== null) throw refusal;
  const target = await resolveWithin(root, join(root, path)).catch((error: unknown) => {
    // Permission to follow a link or to enter a folder is missing.
    throw writeError(error, path);
  });
  if (target === null) throw outsideProjectError(path);
  return target;
}

/** Whether a file may be created at the path: inside the root, also behind links, and not in a tool's folder. */
export async function mayWrite(root: string, path: string): Promise<boolean> {
  return targetOf(root, path).then(
    () => true,
    () => false,
  );
}

/** Resolves symbolic links of a path in the folder; `null` if it leads outside of that. */
export async function resolveWithin(folder: string, path: string): Promise<string | null> {
  const target = await realPathOf(path).catch((error: unknown) => {
    // A cyclic link has no target.
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return null;
    throw error;
  });
  if (target === null) return null;
  const inFolder = relativePathIn(await realPathOf(folder), target);
  if (inFolder === null) return null;
  // Below the folder as the caller names it, which may itself be a link, so that open documents are found.
  return inFolder === relativePathIn(folder, path) ? path : join(folder, inFolder);
}

function realPathOf(path: string): Promise<string> {
  return resolveSymlinks(path, (each) => realpath(each), isMissing);
}

const REAL_PATH_CACHE_MS = 2_000;

interface CachedPath {
  readonly at: number;
  readonly path: Promise<string | null>;
}

/**
 * Detects folders that are symbolic links. Cached for a short time, since many files of a folder are read at once. Links
 * to files are detected by `lstat` of the file.
 */
class RealFolders {
  readonly #root: string;
  readonly #cache = new Map<string, CachedPath>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether the file's folder exists and is reached from the root without symbolic links. */
  async isPlain(path: string): Promise<boolean> {
    const folder = dirname(path);
    const [root, real] = await Promise.all([this.#realPathOf(this.#root), this.#realPathOf(folder)]);
    return root !== null && real === root + folder.slice(this.#root.length);
  }

  #realPathOf(folder: string): Promise<string | null> {
    const now = performance.now();
    const known = this.#cache.get(folder);
    if (known !== undefined && now - known.at < REAL_PATH_CACHE_MS) return known.path;
    // Bounds the cache; nearly all of its entries have expired.
    if (this.#cache.size > 1_000) this.#cache.clear();
    const path = realpath(folder).catch(() => null);
    this.#cache.set(folder, { at: now, path });
    return path;
  }
}
