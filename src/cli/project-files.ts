/** The files of a project on disk (`ProjectFiles`): nothing is read or written outside of its folder, also not through a link. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import {
  outsideProjectError,
  stagingError,
  unsafePathError,
  writeError,
} from "../messages/file-write-error-messages.ts";
import type { FileWrite, ProjectFiles } from "../model/platform.ts";
import { isMissing } from "../workspace/file-system/atomic-write.ts";
import { folderFiles } from "../workspace/file-system/disk-files.ts";
import { isSameContent, stageFiles } from "../workspace/file-system/file-transaction.ts";
import { relativePathIn, resolveSymlinks } from "../workspace/file-system/paths.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import { createFolderSearch } from "../workspace/project-detection/folder-search.ts";

interface FilesOptions {
  /** Path of the project's folder. */
  readonly root: string;
  /** What is no file of the project. */
  readonly scope: WalkScope;
  /** The journal folder of file-transaction.ts, if there is one. */
  readonly journalFolder?: string | undefined;
  /** Called with the paths of files that were written. */
  readonly onWritten: (paths: readonly string[]) => void;
}

export function openProjectFiles({ root, scope, journalFolder, onWritten }: FilesOptions): ProjectFiles {
  const disk = folderFiles(root);
  const search = createFolderSearch(root);
  /** Returns where the file is, behind symbolic links. */
  const targetOf = async (path: string): Promise<string> => {
    const refusal = unsafePathError(path);
    if (refusal !== null) throw refusal;
    const resolve = (each: string): Promise<string> =>
      resolveSymlinks(each, (link) => realpath(link), isMissing);
    try {
      const [folder, target] = await Promise.all([resolve(root), resolve(join(root, path))]);
      if (relativePathIn(folder, target) !== null) return target;
    } catch (error) {
      // A cyclic link has no target.
      if ((error as NodeJS.ErrnoException).code !== "ELOOP") throw writeError(error, path);
    }
    throw outsideProjectError(path);
  };
  const isChanged = ({ path, before }: FileWrite): boolean => {
    const now = disk.read(path);
    return now.kind === "unreadable" || !isSameContent(now.kind === "read" ? now.bytes : undefined, before);
  };
  return {
    find: (globs, signal) => search.find(globs, scope, signal),
    stat: async (path) => {
      const state = disk.stat(path);
      return state.kind === "file" ? state.stamp : undefined;
    },
    read: async (path) => disk.read(path),
    write: async (writes) => {
      const located = await Promise.all(
        writes.map(async (write) => ({ ...write, name: write.path, path: await targetOf(write.path) })),
      );
      const nameOf = (path: string): string => located.find((each) => each.path === path)?.name ?? path;
      const changed = writes.filter(isChanged);
      if (changed.length > 0) return { kind: "changed", paths: changed.map(({ path }) => path) };
      try {
        const staged = await stageFiles(located, journalFolder === undefined ? {} : { journalFolder });
        const differing = await staged.replace();
        if (differing.length > 0) return { kind: "changed", paths: differing.map(nameOf) };
      } catch (error) {
        throw stagingError(error, nameOf, writes[0]?.path ?? "");
      }
      onWritten(writes.map(({ path }) => path));
      return { kind: "written" };
    },
  };
}
