/** Finds and reads project files on disk. */
import { join } from "node:path";
import { MAX_PROJECTS } from "../workspace/project-detection/project-roots.ts";
import type { FolderSearch } from "../workspace/project-detection/folder-search.ts";
import {
  parseProjectFile,
  PROJECT_FILE_NAME,
  type ParsedProjectFile,
} from "../workspace/project-file/project-file.ts";
import { readSmallFile, resolveWithin } from "./project-files.ts";

const MAX_PROJECT_FILE_BYTES = 4 * 1024 * 1024;

export const NO_FILE: ParsedProjectFile = { file: {}, errors: [] };
export const UNSAFE_FILE: ParsedProjectFile = {
  file: {},
  errors: [
    {
      path: [],
      code: "unsafe_path",
      message: "not a file in this folder, of at most 4 MB, that can be read",
      at: { line: 0, character: 0 },
    },
  ],
};

/**
 * Returns the paths of the project files in a folder, without those of packages.
 * @param exclude as in `WalkScope`
 */
export async function findProjectFiles(
  folder: string,
  search: Pick<FolderSearch, "find">,
  exclude: readonly string[],
): Promise<readonly string[]> {
  const scope = { exclude: ["vendor/", ...exclude], otherProjects: [] };
  const paths = (await search.find([`**/${PROJECT_FILE_NAME}`], scope)).slice(0, MAX_PROJECTS);
  const targets = await Promise.all(paths.map((path) => resolveWithin(folder, join(folder, path))));
  return paths.filter((_, index) => targets[index] !== null);
}

/** Reads the project file of a root in a folder; `UNSAFE_FILE` if it is too large, not a file, or outside behind a link. */
export async function readProjectFile(folder: string, root: string): Promise<ParsedProjectFile> {
  const bytes = await readSmallFile(folder, join(root, PROJECT_FILE_NAME), MAX_PROJECT_FILE_BYTES);
  if (bytes === undefined) return NO_FILE;
  if (bytes === null) return UNSAFE_FILE;
  return parseProjectFile(new TextDecoder().decode(bytes));
}
