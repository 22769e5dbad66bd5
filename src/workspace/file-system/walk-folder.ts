/**
 * Lists the files below a folder, and what cannot be listed: links that lead to nothing, and folders that cannot be read.
 * Otherwise the keys of such files would count as removed.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import ignore from "ignore";
import type { UnreadablePath } from "../../model/platform.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import { isMissing } from "./atomic-write.ts";
import { ignoreGlobs, isTooDeep, type PathFilter } from "./globs.ts";
import { relativePathIn } from "./paths.ts";

/** Never entered. */
const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", ".git", ".hg", ".svn"]);
/** Links that lead back and forth may give a folder any number of paths. */
const MAX_FOLDERS = 200_000;
/** Files outside of the folder are only listed to report them. */
const MAX_FOLDERS_OUTSIDE = 1_000;

/** What is left out of a folder. Plain data. */
export interface WalkScope {
  /** Globs in `.gitignore` syntax. */
  readonly exclude: readonly string[];
  /** Folders of other projects, relative to this one. */
  readonly otherProjects: readonly string[];
}

/** The result of a walk, in no particular order. */
export interface FoundPaths {
  /** Also links that lead to files outside of the folder. */
  readonly files: readonly string[];
  /** Files and folders that may be wanted, or contain such files, and cannot be read. */
  readonly unreadable: readonly UnreadablePath[];
}

interface Folder {
  readonly path: string;
  /** Whether a link led out of the root. */
  readonly isOutside: boolean;
}

/**
 * Lists the wanted files below a folder. Links to folders are followed, but not into a folder that contains the link.
 * @param limit number of files after which it stops
 * @throws the signal's reason
 */
export async function walkFolder(
  root: string,
  filter: PathFilter,
  { exclude, otherProjects }: WalkScope,
  signal?: AbortSignal,
  limit = Number.POSITIVE_INFINITY,
): Promise<FoundPaths> {
  const files: string[] = [];
  const unreadable: UnreadablePath[] = [];
  const excluded = ignoreGlobs(exclude);
  const isExcluded = (path: string): boolean =>
    exclude.length > 0 && ignore.isPathValid(path) && (isTooDeep(path) || excluded.ignores(path));
  const realRoot = realPathOr(root);
  const folders: Folder[] = [{ path: "", isOutside: false }];
  let foldersOutside = 0;
  /** Adds what a link leads to. */
  const follow = (path: string, parent: Folder): void => {
    const full = join(root, path);
    try {
      if (!statSync(full).isDirectory()) {
        if (filter.matches(path)) files.push(path);
        return;
      }
      if (!filter.mayContain(path)) return;
      const target = realpathSync.native(full);
      const isOutside = relativePathIn(realRoot, target) === null;
      if (relativePathIn(target, realpathSync.native(dirname(full))) === null)
        folders.push({ path, isOutside });
    } catch (error) {
      if (!parent.isOutside && (filter.matches(path) || filter.mayContain(path)))
        unreadable.push({ path, reason: reasonOf(error) });
    }
  };
  const slices = new TimeSlices();
  for (let index = 0; index < folders.length && index < MAX_FOLDERS; index++) {
    signal?.throwIfAborted();
    const folder = folders[index] as Folder;
    if (folder.isOutside && ++foldersOutside > MAX_FOLDERS_OUTSIDE) {
      unreadable.push({ path: folder.path, reason: "outside" });
      continue;
    }
    let entries: Dirent[];
    try {
      entries = readdirSync(join(root, folder.path), { withFileTypes: true });
    } catch (error) {
      if (!isMissing(error))
        unreadable.push({ path: folder.path === "" ? "." : folder.path, reason: "failed" });
      continue;
    }
    for (const entry of entries) {
      if (slices.isOver) {
        await slices.next();
        signal?.throwIfAborted();
      }
      if (EXCLUDED_FOLDERS.has(entry.name)) continue;
      const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (filter.mayContain(path) && !otherProjects.includes(path) && !isExcluded(`${path}/`))
          folders.push({ path, isOutside: folder.isOutside });
      } else if (entry.isSymbolicLink()) {
        if (!isExcluded(path)) follow(path, folder);
      } else if (entry.isFile() && filter.matches(path) && !isExcluded(path)) {
        files.push(path);
        if (files.length >= limit) return { files, unreadable };
      }
    }
  }
  return { files, unreadable };
}

function realPathOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function reasonOf(error: unknown): UnreadablePath["reason"] {
  return isMissing(error) || (error as NodeJS.ErrnoException).code === "ELOOP" ? "broken_link" : "failed";
}
