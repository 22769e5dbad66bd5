/** The project files of the window: finds and reads them. */
import { Uri, workspace } from "vscode";
import type { IndexerClient } from "../../indexer/indexer-client.ts";
import {
  type FilesEntry,
  parseProjectFile,
  PROJECT_FILE_NAME,
  type ParsedProjectFile,
} from "../../workspace/project-file/project-file.ts";
import {
  areAppsRecognised,
  MAX_PROJECTS,
  projectRoots,
  type WorkspaceFolder,
} from "../../workspace/project-detection/project-roots.ts";
import { excludedFiles } from "../extension-settings.ts";
import { isInWorkspace, readSmallFile } from "../files/project-file-system.ts";

const MAX_PROJECT_FILE_BYTES = 4 * 1024 * 1024;

export const NO_FILE: ParsedProjectFile = { file: {}, errors: [] };
export const UNSAFE_FILE: ParsedProjectFile = {
  file: {},
  errors: [
    {
      path: [],
      code: "unsafe_path",
      message: "not a file in this folder, of at most 4 MB, that can be read",
    },
  ],
};

/** Returns the workspace folders on the local disk. */
export function workspaceFolders(): readonly Uri[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri).filter(({ scheme }) => scheme === "file");
}

/** Returns the project files in the workspace folders, without those of packages. */
export async function findProjectFiles(indexerClient: IndexerClient): Promise<readonly Uri[]> {
  const inFolders = workspaceFolders().map(async (folder) => {
    const scope = { exclude: ["vendor/", ...excludedFiles(folder)], otherProjects: [] };
    const search = indexerClient.forFolder(folder.fsPath).folder;
    const paths = await search.find([`**/${PROJECT_FILE_NAME}`], scope);
    return paths.map((path) => Uri.joinPath(folder, path));
  });
  const found = (await Promise.all(inFolders)).flat().slice(0, MAX_PROJECTS);
  const areInside = await Promise.all(found.map(isInWorkspace));
  return found.filter((_, index) => areInside[index] === true);
}

/**
 * Returns the roots of the projects in the workspace folders, by their URI.
 * @param appsIn the roots of the apps that are recognised in a folder
 */
export async function findRoots(
  folders: readonly (WorkspaceFolder & { readonly uri: Uri })[],
  projectFiles: readonly string[],
  appsIn: (folder: Uri) => Promise<readonly Uri[]>,
): Promise<ReadonlyMap<string, Uri>> {
  const apps = new Map<string, readonly string[]>();
  for (const folder of folders) {
    if (!areAppsRecognised(folder, projectFiles)) continue;
    const found = await appsIn(folder.uri);
    apps.set(
      folder.path,
      found.map(({ path }) => path),
    );
  }
  const roots = new Map<string, Uri>();
  for (const path of projectRoots(folders, projectFiles, (folder) => apps.get(folder) ?? [])) {
    // The folder's own URI, which may end with a slash.
    const root = folders.find((folder) => folder.path === path)?.uri ?? Uri.from({ scheme: "file", path });
    roots.set(root.toString(), root);
  }
  return roots;
}

/** Reads the project file of a root; `UNSAFE_FILE` if it is too large, not a file, or outside behind a link. */
export async function readProjectFile(root: Uri): Promise<ParsedProjectFile> {
  const bytes = await readSmallFile(Uri.joinPath(root, PROJECT_FILE_NAME), MAX_PROJECT_FILE_BYTES);
  if (bytes === undefined) return NO_FILE;
  if (bytes === null) return UNSAFE_FILE;
  return parseProjectFile(new TextDecoder().decode(bytes));
}

/** The content of the project file with its errors. */
export interface ProjectContent extends ParsedProjectFile {
  /** The layouts recognised for a project file without `files`; also included in `OpenProject.file`. */
  readonly detected: readonly FilesEntry[];
}

/** Returns the name of a project's folder; in a multi-root workspace including the workspace folder. */
export function labelOf(root: Uri): string {
  return workspace.asRelativePath(root, true) === root.fsPath
    ? (root.path.split("/").at(-1) ?? root.path)
    : workspace.asRelativePath(root, (workspace.workspaceFolders?.length ?? 0) > 1);
}
