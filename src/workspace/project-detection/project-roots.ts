/** Which folders of a window are projects: decided by the files that were found, and by the sign-ins. */
import type { AppLayouts } from "../file-layout/detect-layouts.ts";

/** More project files, or apps of a folder, in one window are probably test fixtures. */
export const MAX_PROJECTS = 100;

/** A workspace folder. Paths are absolute, with `/` and without one at the end. */
export interface WorkspaceFolder {
  readonly path: string;
  /** Whether somebody signed in to the folder itself. */
  readonly isSignedIn: boolean;
  /** Whether the folder itself is an open project, as after a command was run in it. */
  readonly isOpen: boolean;
}

/** Whether apps are recognised in the folder: a sign-in, or its own project file, says that it is the project. */
export function areAppsRecognised(
  { path, isSignedIn }: Pick<WorkspaceFolder, "path" | "isSignedIn">,
  projectFiles: readonly string[],
): boolean {
  return !isSignedIn && !projectFiles.some((file) => folderOf(file) === path);
}

/**
 * Returns the roots of the projects, without duplicates. An app whose texts are all below project files is none of its own.
 *
 * @param projectFiles the paths of all project files in the workspace folders
 * @param appsOf the apps in a folder; used where `areAppsRecognised`
 */
export function projectRoots(
  folders: readonly WorkspaceFolder[],
  projectFiles: readonly string[],
  appsOf: (folder: string) => AppLayouts,
): readonly string[] {
  const ofFiles = projectFiles.map(folderOf);
  const isOfFile = (path: string): boolean => ofFiles.some((root) => path.startsWith(`${root}/`));
  const roots = new Set(ofFiles);
  for (const folder of folders) {
    if (folder.isSignedIn || folder.isOpen) roots.add(folder.path);
    if (!areAppsRecognised(folder, projectFiles)) continue;
    const apps = [...appsOf(folder.path)].flatMap(([path, layouts]) => {
      const app = path === "" ? folder.path : `${folder.path}/${path}`;
      return layouts.every((layout) => isOfFile(`${app}/${layout.path}`)) ? [] : [app];
    });
    for (const app of apps.slice(0, MAX_PROJECTS)) roots.add(app);
  }
  return [...roots];
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/"));
}
