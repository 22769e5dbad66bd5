/**
 * Finds what a search for files leaves out: links that lead to nothing, and folders that cannot be listed. Otherwise the
 * keys of such files would count as removed.
 */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { UnreadablePath } from "../../model/platform.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import { matchFolder, matchPath } from "../file-layout/path-patterns.ts";
import { isMissing } from "./atomic-write.ts";
import { relativePathIn } from "./paths.ts";

/** Never entered. */
const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", ".git", ".hg", ".svn"]);
/** More folders are not looked at; only a pattern that begins with `{namespace}` may match in so many. */
const MAX_FOLDERS = 10_000;

/**
 * Returns the paths that may match one of the path patterns, or that may contain such paths, and cannot be read. Links
 * that lead out of the root are not followed.
 * @throws the signal's reason
 */
export async function findUnreadable(
  root: string,
  patterns: readonly string[],
  signal?: AbortSignal,
): Promise<readonly UnreadablePath[]> {
  const found: UnreadablePath[] = [];
  const realRoot = await realpath(root).catch(() => root);
  /** Real paths of folders behind links, so that none is entered twice. */
  const linked = new Set<string>();
  const folders = [""];
  const mayContain = (folder: string): boolean =>
    patterns.some((pattern) => matchFolder(pattern, folder) !== null);
  const isListed = (path: string): boolean =>
    mayContain(path) || patterns.some((pattern) => matchPath(pattern, path) !== null);
  /** Returns whether the link leads to a folder in the root that was not entered through another link. */
  const isNewFolder = async (path: string): Promise<boolean> => {
    if (!(await stat(join(root, path))).isDirectory()) return false;
    const target = await realpath(join(root, path));
    if (linked.has(target) || relativePathIn(realRoot, target) === null) return false;
    linked.add(target);
    return true;
  };
  const slices = new TimeSlices();
  for (let index = 0; index < folders.length && index < MAX_FOLDERS; index++) {
    signal?.throwIfAborted();
    const folder = folders[index] ?? "";
    let entries: Dirent[];
    try {
      entries = await readdir(join(root, folder), { withFileTypes: true });
    } catch (error) {
      if (!isMissing(error)) found.push({ path: folder === "" ? "." : folder, reason: "failed" });
      continue;
    }
    for (const entry of entries) {
      if (slices.isOver) await slices.next();
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (EXCLUDED_FOLDERS.has(entry.name)) continue;
      if (entry.isDirectory()) {
        if (mayContain(path)) folders.push(path);
      } else if (entry.isSymbolicLink() && isListed(path)) {
        try {
          if (await isNewFolder(path)) folders.push(path);
        } catch (error) {
          found.push({ path, reason: reasonOf(error) });
        }
      }
    }
  }
  return found;
}

function reasonOf(error: unknown): UnreadablePath["reason"] {
  return isMissing(error) || (error as NodeJS.ErrnoException).code === "ELOOP" ? "broken_link" : "failed";
}
