/** Finds the projects of a folder on disk, as VS Code does with the folders of a window. */
import { join } from "node:path";
import { fingerprintOf } from "../util/fingerprint.ts";
import { layoutsAt } from "../workspace/file-layout/detect-layouts.ts";
import type { WalkScope } from "../workspace/file-system/walk-folder.ts";
import { CONFIGURATION_GLOBS } from "../workspace/project-detection/configuration-globs.ts";
import { createFolderSearch } from "../workspace/project-detection/folder-search.ts";
import {
  assignCode,
  MAX_MANIFESTS,
  MAX_SETUP_FILES,
  PACKAGE_MANIFESTS,
  SETUP_FILES,
} from "../workspace/project-detection/packages-using-texts.ts";
import { projectRoots } from "../workspace/project-detection/project-roots.ts";
import {
  type ParsedProjectFile,
  type ProjectFile,
  withLayouts,
} from "../workspace/project-file/project-file.ts";
import { resolveWithin } from "./project-files.ts";
import { findProjectFiles, readProjectFile } from "./project-file-reading.ts";

/** A project of a folder. Paths are relative to the folder. */
export interface FoundProject {
  /** Empty for the folder itself. */
  readonly path: string;
  /** The project file with recognised layouts; empty if there is none. */
  readonly file: ProjectFile;
  /** Folders outside of the project with code that uses its texts. */
  readonly codeFolders: readonly string[];
  /** Other projects whose texts the project's code uses, too. */
  readonly usesTextsOf: readonly string[];
}

export interface FoundProjects {
  readonly projects: readonly FoundProject[];
  /** The project files, by the path of their folder. */
  readonly parsed: ReadonlyMap<string, ParsedProjectFile>;
  /** Fingerprint of all that decides which projects are opened, and how. */
  readonly version: string;
}

/** @param scope what is nothing of a project */
export async function findProjects(
  folder: string,
  scope: WalkScope,
  signal?: AbortSignal,
): Promise<FoundProjects> {
  const search = createFolderSearch(folder);
  const decisive = { read: [], configurations: CONFIGURATION_GLOBS };
  const state = await search.projectState(decisive, scope, signal);
  const files = await findProjectFiles(folder, search, scope.exclude);
  const parsed = new Map<string, ParsedProjectFile>();
  for (const path of files.map(folderOf)) parsed.set(path, await readProjectFile(folder, path));
  const { apps } = await search.detectApps(scope, signal);
  const inFolder = { path: "", isSignedIn: false, isOpen: false };
  const roots = projectRoots(
    [inFolder],
    files.map((path) => `/${path}`),
    () => apps,
  );
  const paths = roots.map((path) => path.slice(1)).toSorted();
  const assigned = await assignCode({
    projects: paths,
    readManifests: () => search.read([PACKAGE_MANIFESTS], scope, MAX_MANIFESTS, signal),
    includeOf: (path) => parsed.get(path)?.file.usage?.include,
    readSetup: (path) =>
      createFolderSearch(join(folder, path)).read([SETUP_FILES], scope, MAX_SETUP_FILES, signal),
  });
  const projects: FoundProject[] = [];
  for (const path of paths) {
    const codeFolders: string[] = [];
    for (const each of assigned.folders.get(path) ?? [])
      if ((await resolveWithin(folder, join(folder, each))) !== null) codeFolders.push(each);
    const file = withLayouts(parsed.get(path)?.file ?? {}, layoutsAt(apps, path) ?? []);
    projects.push({ path, file, codeFolders, usesTextsOf: assigned.others.get(path) ?? [] });
  }
  return { projects, parsed, version: fingerprintOf([state, apps]) };
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
