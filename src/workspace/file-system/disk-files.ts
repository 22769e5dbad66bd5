/**
 * Reads files below a folder on disk, and nothing outside of it, also not through a symbolic link. Synchronous, for the
 * indexing process, where that takes a tenth of the time.
 */
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileStamp, ReadOutcome, UnreadableReason } from "../../model/platform.ts";
import { diskStamp, isMissing, isRecent } from "./atomic-write.ts";
import { relativePathIn } from "./paths.ts";
import type { PathFilter } from "./globs.ts";
import { walkFolder, type FoundPaths, type WalkScope } from "./walk-folder.ts";

/** Access to the files of a folder. Paths are relative to it, with `/`. */
export interface FolderFiles {
  /** As `walkFolder`. */
  find(filter: PathFilter, scope: WalkScope, signal?: AbortSignal): Promise<FoundPaths>;
  /** Returns the stamp of a regular file, or why it cannot be read. */
  stat(path: string): FileState;
  /** Never throws. */
  read(path: string): ReadOutcome;
}

export type FileState =
  /** `realPath` differs from the path behind a symbolic link. */
  | { readonly kind: "file"; readonly stamp: FileStamp; readonly realPath: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: UnreadableReason };

/** How long it is known where a folder leads: resolving each file's path takes longer than its stamp. */
const RECHECK_MS = 1_000;

/** @param root path of the folder */
export function folderFiles(root: string): FolderFiles {
  const realPaths = new Map<string, string | null>();
  let resolvedAt = -RECHECK_MS;
  /** Returns where a folder leads, relative to the root; `null` if outside of it. */
  const realFolder = (folder: string): string | null => {
    const now = performance.now();
    if (now - resolvedAt > RECHECK_MS) {
      realPaths.clear();
      resolvedAt = now;
    }
    const known = realPaths.get(folder);
    if (known !== undefined) return known;
    const path = relativePathIn(realpathSync.native(root), realpathSync.native(join(root, folder)));
    realPaths.set(folder, path);
    return path;
  };
  const stat = (path: string): FileState => {
    const full = join(root, path);
    try {
      const realParent = realFolder(dirname(path));
      if (realParent === null) return { kind: "unreadable", reason: "outside" };
      let stats: Stats = lstatSync(full);
      const name = basename(path);
      let realPath: string | null = realParent === "" ? name : `${realParent}/${name}`;
      if (stats.isSymbolicLink()) {
        stats = statSync(full);
        realPath = relativePathIn(realpathSync.native(root), realpathSync.native(full));
        if (realPath === null) return { kind: "unreadable", reason: "outside" };
      }
      // Reading anything but a regular file, a pipe or device for example, might never end.
      if (!stats.isFile()) return { kind: "unreadable", reason: "not_a_file" };
      return { kind: "file", stamp: diskStamp(stats), realPath };
    } catch (error) {
      return stateOf(error, full);
    }
  };
  return {
    find: (filter, scope, signal) => walkFolder(root, filter, scope, signal),
    stat,
    read: (path) => {
      const state = stat(path);
      if (state.kind !== "file") return state;
      try {
        const bytes = readFileSync(join(root, path));
        return { kind: "read", bytes, stamp: state.stamp, dirty: false, recent: isRecent(state.stamp) };
      } catch (error) {
        return stateOf(error, join(root, path));
      }
    },
  };
}

/** Returns why a path could not be read: a link to nothing exists, unlike its target. */
function stateOf(error: unknown, path: string): Exclude<FileState, { kind: "file" }> {
  if ((error as NodeJS.ErrnoException).code === "ELOOP") return { kind: "unreadable", reason: "broken_link" };
  if (!isMissing(error)) return { kind: "unreadable", reason: "failed" };
  try {
    if (lstatSync(path).isSymbolicLink()) return { kind: "unreadable", reason: "broken_link" };
  } catch {
    // Its folder does not exist either.
  }
  return { kind: "missing" };
}
