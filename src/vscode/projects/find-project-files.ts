/** The project files of the window: finds and reads them. */
import { Uri, workspace } from "vscode";
import type { IndexerClient } from "../../indexer/indexer-client.ts";
import { findProjectFiles, readProjectFile } from "../../projects/project-file-reading.ts";
import type { AppLayouts } from "../../workspace/file-layout/detect-layouts.ts";
import type { FilesEntry, ParsedProjectFile } from "../../workspace/project-file/project-file.ts";
import {
  areAppsRecognised,
  MAX_PROJECTS,
  projectRoots,
  type WorkspaceFolder,
} from "../../workspace/project-detection/project-roots.ts";
import { CommandError } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import { excludedFiles } from "../extension-settings.ts";
import { relativePathOfUri } from "../files/project-file-system.ts";

/** Returns the workspace folders on the local disk. */
export function workspaceFolders(): readonly Uri[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri).filter(({ scheme }) => scheme === "file");
}

/** Returns the project files in the workspace folders. */
export async function findWindowProjectFiles(indexerClient: IndexerClient): Promise<readonly Uri[]> {
  const inFolders = workspaceFolders().map(async (folder) => {
    const search = indexerClient.forFolder(folder.fsPath).folder;
    const paths = await findProjectFiles(folder.fsPath, search, excludedFiles(folder));
    return paths.map((path) => Uri.joinPath(folder, path));
  });
  return (await Promise.all(inFolders)).flat().slice(0, MAX_PROJECTS);
}

/**
 * Returns the roots of the projects in the workspace folders, by their URI.
 * @param appsIn the apps that are recognised in a folder
 */
export async function findRoots(
  folders: readonly (WorkspaceFolder & { readonly uri: Uri })[],
  projectFiles: readonly string[],
  appsIn: (folder: Uri) => Promise<AppLayouts>,
): Promise<ReadonlyMap<string, Uri>> {
  const apps = new Map<string, AppLayouts>();
  for (const folder of folders)
    if (areAppsRecognised(folder, projectFiles)) apps.set(folder.path, await appsIn(folder.uri));
  const roots = new Map<string, Uri>();
  for (const path of projectRoots(folders, projectFiles, (folder) => apps.get(folder) ?? new Map())) {
    // The folder's own URI, which may end with a slash.
    const root = folders.find((folder) => folder.path === path)?.uri ?? Uri.from({ scheme: "file", path });
    roots.set(root.toString(), root);
  }
  return roots;
}

/** Returns the project with the nearest root or code folder above the file. */
export function nearestProject<
  Each extends { readonly root: Uri; readonly code: { readonly folders: readonly { readonly uri: Uri }[] } },
>(projects: readonly Each[], uri: Uri): Each | undefined {
  let nearest: Each | undefined;
  let length = -1;
  for (const each of projects) {
    for (const folder of [each.root, ...each.code.folders.map((outside) => outside.uri)]) {
      if (folder.path.length <= length) continue;
      if (relativePathOfUri(folder, uri) === null && folder.toString() !== uri.toString()) continue;
      nearest = each;
      length = folder.path.length;
    }
  }
  return nearest;
}

/** Reads the project file of a root, as `readProjectFile`. */
export function readProjectFileOf(root: Uri): Promise<ParsedProjectFile> {
  const folder = workspace.getWorkspaceFolder(root)?.uri ?? root;
  return readProjectFile(folder.fsPath, relativePathOfUri(folder, root) ?? "");
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

/** Returns the error for a folder that has ceased to be a project. */
export function notRecognisedError({ fsPath }: Uri): CommandError {
  return new CommandError("no_project", l10n.t("No translation files were recognised in {0}.", fsPath));
}
