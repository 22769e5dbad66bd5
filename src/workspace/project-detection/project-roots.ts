/** Which folders of a window are projects: decided by the files that were found, and by the sign-ins. */

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
 * Returns the roots of the projects, without duplicates. An app with a project file, or below one, is that file's.
 *
 * @param projectFiles the paths of all project files in the workspace folders
 * @param appsOf the roots of the apps in a folder; used where `areAppsRecognised`
 */
export function projectRoots(
  folders: readonly WorkspaceFolder[],
  projectFiles: readonly string[],
  appsOf: (folder: string) => readonly string[],
): readonly string[] {
  const ofFiles = projectFiles.map(folderOf);
  const isOfFile = (app: string): boolean => ofFiles.some((root) => `${app}/`.startsWith(`${root}/`));
  const roots = new Set(ofFiles);
  for (const folder of folders) {
    if (folder.isSignedIn || folder.isOpen) roots.add(folder.path);
    const apps = areAppsRecognised(folder, projectFiles) ? appsOf(folder.path) : [];
    for (const app of apps.filter((each) => !isOfFile(each)).slice(0, MAX_PROJECTS)) roots.add(app);
  }
  return [...roots];
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/"));
}
