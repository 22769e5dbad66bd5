/**
 * Lists and reads the source files in a project's folder on disk, and nothing outside of it, not even through
 * symbolic links.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileStamp } from "../../model/platform.ts";
import { diskStamp, isMissing, isRecent } from "../file-system/atomic-write.ts";
import { relativePathIn } from "../file-system/paths.ts";
import { MAX_SOURCE_FILE_BYTES } from "./source-file-excludes.ts";

export type SourceFile =
  /** Unchanged. */
  | { readonly kind: "same" }
  /** Does not exist, or is outside the folder. */
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly error: unknown }
  | { readonly kind: "too-large"; readonly stamp: FileStamp }
  | { readonly kind: "read"; readonly stamp: FileStamp; readonly bytes: Uint8Array };

/** Names in a folder. Symbolic links count as files, so that no folder is entered twice. */
export interface FolderContent {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** A project's folder. Paths are relative to it, with `/`; the folder itself is the empty path. */
export interface SourceFiles {
  /** Lists a folder; empty if it cannot be read. */
  list(folder: string): FolderContent | Promise<FolderContent>;
  /** Reads a file unless it still has the stamp `known`. Never throws. */
  read(path: string, known?: FileStamp): SourceFile | Promise<SourceFile>;
}

/** A stamp that matches no file: the content is read again next time. */
export const NO_STAMP: FileStamp = { size: -1, modified: -1 };

/** How long a folder is known to be inside the root: resolving each file's path takes longer than its stamp. */
const RECHECK_MS = 1_000;

function isMissingOrLoop(error: unknown): boolean {
  // A symbolic link loop.
  return isMissing(error) || (error as { code?: unknown }).code === "ELOOP";
}

/** @param root path of the folder on disk */
export function sourceFilesOf(root: string): SourceFiles {
  let checked: { readonly folder: string; readonly isInside: boolean; readonly at: number } | undefined;
  const isInside = (path: string): boolean =>
    relativePathIn(realpathSync.native(root), realpathSync.native(path)) !== null;
  /** Whether a folder is inside the root. A folder's files are read one after the other. */
  const isFolderInside = (folder: string): boolean => {
    const now = performance.now();
    if (checked?.folder !== folder || now - checked.at > RECHECK_MS)
      checked = { folder, isInside: isInside(folder), at: now };
    return checked.isInside;
  };
  return {
    list: (folder) => {
      const files: string[] = [];
      const folders: string[] = [];
      try {
        for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
          (entry.isDirectory() ? folders : files).push(entry.name);
        }
      } catch {
        // Deleted, or access is denied.
      }
      return { files, folders };
    },
    read: (path, known) => {
      try {
        const fullPath = join(root, path);
        if (!isFolderInside(dirname(fullPath))) return { kind: "missing" };
        let stat = lstatSync(fullPath);
        if (stat.isSymbolicLink()) {
          if (!isInside(fullPath)) return { kind: "missing" };
          stat = statSync(fullPath);
        }
        if (!stat.isFile()) return { kind: "missing" };
        const found = diskStamp(stat);
        if (found.size === known?.size && found.modified === known.modified) return { kind: "same" };
        // Another write may leave the same stamp.
        const stamp = isRecent(found) ? NO_STAMP : found;
        if (found.size > MAX_SOURCE_FILE_BYTES) return { kind: "too-large", stamp };
        return { kind: "read", stamp, bytes: readFileSync(fullPath) };
      } catch (error) {
        return isMissingOrLoop(error) ? { kind: "missing" } : { kind: "unreadable", error };
      }
    },
  };
}
