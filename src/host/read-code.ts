/**
 * Reads the code files of a project for the thread that searches them: nothing outside of the project's folder, also not
 * through a symbolic link, and nothing too large. Plain Node.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { ReadCode } from "../core/code-conversation-worker.ts";
import { SIZE_LIMIT } from "../core/usage-files.ts";

/** All of a file's reading is done before anything else runs. */
export const readCode: ReadCode = (root, path, known) => {
  try {
    const home = realpathSync.native(root);
    const place = realpathSync.native(join(root, path));
    if (!place.startsWith(home.endsWith(sep) ? home : home + sep)) return { kind: "left" };
    const stat = statSync(place);
    const { size } = stat;
    // As VS Code tells it.
    const stamp = { size, modified: stat.mtime.getTime() };
    if (size === known?.size && stamp.modified === known.modified) return { kind: "same" };
    if (!stat.isFile()) return { kind: "left" };
    if (size > SIZE_LIMIT) return { kind: "too-large", stamp };
    return { kind: "read", stamp, bytes: readFileSync(place) };
  } catch {
    return { kind: "left" };
  }
};
