/**
 * Searches the code files of a project in a thread of their own, where they lie on this machine's disk. What is open
 * and not saved, and everything elsewhere, is left to the window.
 */
import { workspace, type Uri } from "vscode";
import { mentionsOver, searchOver } from "../core/code-conversation.ts";
import { searchHere } from "../core/code-search-here.ts";
import type { CodeSearch } from "../core/ports.ts";
import type { WorkThread } from "./work-thread.ts";

/** The search of the project at `root`. Where the thread fails, what it had not answered yet is searched here. */
export function searchIn(thread: WorkThread, root: Uri): CodeSearch {
  if (root.scheme !== "file") return searchHere;
  const prefix = root.path.endsWith("/") ? root.path : `${root.path}/`;
  /** Says of a path whether what stands on disk is what the window shows. */
  const isSaved = (): ((path: string) => boolean) => {
    const dirty = new Set(
      workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.path),
    );
    return (path) => !dirty.has(prefix + path);
  };
  return {
    search: async (files, find, take, signal) => {
      const isThere = isSaved();
      const saved = files.filter(({ path }) => isThere(path));
      const paths = files.map(({ path }) => path);
      const rest = new Set(paths.filter(isThere));
      const left = await thread.aside(
        (line) =>
          searchOver(
            line,
            root.fsPath,
            saved,
            find,
            async (found) => {
              for (const { path } of found.files) rest.delete(path);
              await take(found);
            },
            signal,
          ),
        () => Promise.resolve([...rest]),
        () => [...rest],
        signal,
      );
      return [...left, ...paths.filter((path) => !isThere(path))];
    },
    mentions: async (names, paths, signal) => {
      const isThere = isSaved();
      const saved = paths.filter(isThere);
      const none = { found: new Map<number, string>(), left: saved };
      const { found, left } = await thread.aside(
        (line) => mentionsOver(line, root.fsPath, names, saved, signal),
        () => Promise.resolve(none),
        () => none,
        signal,
      );
      return { found, left: [...left, ...paths.filter((path) => !isThere(path))] };
    },
  };
}
