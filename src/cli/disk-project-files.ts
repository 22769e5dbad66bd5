/** The files of a project on disk. Nothing is read or written outside of its folder, also not through a symbolic link. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { outsideProjectError, stagingError, unsafePathError } from "../messages/file-write-error-messages.ts";
import type { ProjectFiles } from "../model/platform.ts";
import { isMissing } from "../workspace/file-system/atomic-write.ts";
import { folderFiles } from "../workspace/file-system/disk-files.ts";
import { stageFiles } from "../workspace/file-system/file-transaction.ts";
import { relativePathIn, resolveSymlinks } from "../workspace/file-system/paths.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import { createFolderSearch } from "../workspace/project-detection/folder-search.ts";

/** Returns access to the files below `root`. `write` throws `CommandError`s. */
export function diskProjectFiles(root: string, scope: WalkScope): ProjectFiles {
  const onDisk = folderFiles(root);
  const search = createFolderSearch(root);
  /** Returns where a file is written: behind the links that lead to it. */
  const target = async (path: string): Promise<string> => {
    const refusal = unsafePathError(path);
    if (refusal !== null) throw refusal;
    const realPathOf = (each: string): Promise<string> => resolveSymlinks(each, realpath, isMissing);
    const file = await realPathOf(join(root, path));
    if (relativePathIn(await realPathOf(root), file) === null) throw outsideProjectError(path);
    return file;
  };
  return {
    find: (globs, signal) => search.find(globs, scope, signal),
    stat: async (path) => {
      const state = onDisk.stat(path);
      return state.kind === "file" ? state.stamp : undefined;
    },
    read: async (path) => onDisk.read(path),
    write: async (writes) => {
      const paths = new Map<string, string>();
      for (const { path } of writes) paths.set(await target(path), path);
      const nameOf = (path: string): string => paths.get(path) ?? path;
      const files = [...paths.keys()];
      try {
        const located = writes.map((write, index) => ({ ...write, path: files[index] ?? "" }));
        const changed = await (await stageFiles(located)).replace();
        return changed.length === 0 ? { kind: "written" } : { kind: "changed", paths: changed.map(nameOf) };
      } catch (error) {
        throw stagingError(error, nameOf, writes[0]?.path ?? "");
      }
    },
  };
}
