/** Reading of manifests and configuration files. */
import { relative } from "node:path/posix";
import { Uri, workspace } from "vscode";
import type { ProjectFiles } from "../../model/platform.ts";
import type { ManifestFile } from "../../frameworks/framework.ts";
import type { FolderSearch } from "../../workspace/project-detection/folder-search.ts";
import { foldersAbove, SHARED_MANIFESTS } from "../../workspace/project-detection/detect-frameworks.ts";
import { excludedFiles } from "../extension-settings.ts";
import { readSmallFile } from "./project-file-system.ts";

/** A folder outside of a project's root, whose code uses the project's texts. */
export interface CodeFolder {
  readonly uri: Uri;
  /** Relative to the root, with `../`. */
  readonly path: string;
  /** Finds files in the indexing process. */
  readonly search: FolderSearch;
}

/** Reads the files that match the globs, at most `limit`. */
export async function readManifests(
  projectFiles: ProjectFiles,
  globs: readonly string[],
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly ManifestFile[]> {
  const found = await projectFiles.find(globs);
  const files: ManifestFile[] = [];
  for (const path of found.slice(0, limit)) {
    const content = await projectFiles.read(path);
    if (content.kind === "read") files.push({ path, text: new TextDecoder().decode(content.bytes) });
  }
  return files;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Reads those in a folder outside of a project's root. */
export async function readManifestsIn(
  { uri: folder, path, search }: CodeFolder,
  globs: readonly string[],
  limit = MAX_MANIFESTS,
): Promise<readonly ManifestFile[]> {
  const names = await search.find(globs, { exclude: excludedFiles(folder), otherProjects: [] });
  const files: ManifestFile[] = [];
  for (const name of names.slice(0, limit)) {
    const bytes = await readSmallFile(Uri.joinPath(folder, name), MAX_MANIFEST_BYTES);
    if (bytes != null) files.push({ path: `${path}/${name}`, text: new TextDecoder().decode(bytes) });
  }
  return files;
}

/** Reads the manifests of each folder above a project, the nearest first, up to the workspace folder. */
export async function readSharedManifests(root: Uri): Promise<readonly (readonly ManifestFile[])[]> {
  const folder = workspace.getWorkspaceFolder(root)?.uri;
  if (folder === undefined) return [];
  const above = foldersAbove(relative(folder.path, root.path)).map(async (path) => {
    const files = SHARED_MANIFESTS.map(async (name) => {
      const bytes = await readSmallFile(Uri.joinPath(folder, path, name), MAX_MANIFEST_BYTES);
      return bytes == null ? [] : [{ path: name, text: new TextDecoder().decode(bytes) }];
    });
    return (await Promise.all(files)).flat();
  });
  return Promise.all(above);
}

const MAX_MANIFESTS = 200;
