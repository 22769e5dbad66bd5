/** Reads the files that say which conventions a project follows. */
import { basename, join } from "node:path";
import type { ManifestFile } from "../frameworks/framework.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import type { ConventionFiles } from "../workspace/project-detection/detect-conventions.ts";
import { foldersAbove, SHARED_MANIFESTS } from "../workspace/project-detection/detect-frameworks.ts";
import type { FolderSearch } from "../workspace/project-detection/folder-search.ts";
import { MAX_MANIFESTS } from "../workspace/project-detection/packages-using-texts.ts";
import { relativePathIn } from "../workspace/file-system/paths.ts";

/** Where a project is. Paths on disk. */
export interface ProjectLocation {
  readonly root: string;
  /** The opened folder, which has it. */
  readonly folder: string;
  /** What is no file of the project. */
  readonly scope: WalkScope;
  /** Folders outside of the root whose code uses the project's texts, relative to it. */
  readonly codeFolders: readonly string[];
}

/** @param searchIn returns the search of a folder */
export async function conventionFiles(
  { root, folder, scope, codeFolders }: ProjectLocation,
  searchIn: (folder: string) => Pick<FolderSearch, "read">,
): Promise<ConventionFiles> {
  const everything = { exclude: scope.exclude, otherProjects: [] };
  const readOutside = async (path: string, globs: readonly string[], limit: number) => {
    const found = await searchIn(join(root, path)).read(globs, everything, limit);
    return found.map((file): ManifestFile => ({ path: `${path}/${file.path}`, text: file.text }));
  };
  const above = foldersAbove(relativePathIn(folder, root) ?? "").map((path) =>
    searchIn(join(folder, path)).read(SHARED_MANIFESTS, everything, SHARED_MANIFESTS.length),
  );
  return {
    read: async (globs, globsOutside, limit = MAX_MANIFESTS) => {
      const outside =
        globsOutside.length === 0 ? [] : codeFolders.map((path) => readOutside(path, globsOutside, limit));
      return (await Promise.all([searchIn(root).read(globs, scope, limit), ...outside])).flat();
    },
    above: await Promise.all(above),
    name: basename(root),
  };
}
