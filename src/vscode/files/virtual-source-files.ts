/** Source files of projects in virtual file systems. */
import { FileType, Uri, workspace } from "vscode";
import { type SourceFiles } from "../../workspace/usages/source-files.ts";
import { MAX_SOURCE_FILE_BYTES } from "../../workspace/usages/usage-files.ts";
import type { OpenProject } from "../projects/project-handle.ts";

export function virtualSourceFiles({ root, files }: Pick<OpenProject, "root" | "files">): SourceFiles {
  return {
    list: async (folder) => {
      try {
        const entries = await workspace.fs.readDirectory(Uri.joinPath(root, folder));
        const named = (isFolder: boolean): string[] =>
          entries.filter(([, type]) => (type === FileType.Directory) === isFolder).map(([name]) => name);
        return { files: named(false), folders: named(true) };
      } catch {
        return { files: [], folders: [] };
      }
    },
    read: async (path, known) => {
      try {
        const stamp = await files.stat(path);
        if (stamp === undefined) return { kind: "missing" };
        if (stamp.size === known?.size && stamp.modified === known.modified) return { kind: "same" };
        if (stamp.size > MAX_SOURCE_FILE_BYTES) return { kind: "too-large", stamp };
        const content = await files.read(path, stamp);
        return content === undefined
          ? { kind: "missing" }
          : { kind: "read", stamp: content.stamp, bytes: content.bytes };
      } catch (error) {
        return { kind: "unreadable", error };
      }
    },
  };
}
