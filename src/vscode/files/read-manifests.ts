/** Reading of manifests and configuration files. */
import { RelativePattern, Uri, workspace } from "vscode";
import type { ProjectFiles } from "../../model/platform.ts";
import type { ManifestFile } from "../../frameworks/framework.ts";
import { mergeGlobs } from "../../workspace/usages/list-source-files.ts";
import { EXCLUDED_FOLDERS, readSmallFile } from "./project-file-system.ts";

/** A folder outside of a project's root, whose code uses the project's texts. */
export interface CodeFolder {
  readonly uri: Uri;
  /** Relative to the root, with `../`. */
  readonly path: string;
}

/** Reads the files that match the globs, at most `limit`. */
export async function readManifests(
  projectFiles: ProjectFiles,
  globs: readonly string[],
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly ManifestFile[]> {
  const found = await Promise.all(mergeGlobs(globs).map((glob) => projectFiles.find(glob)));
  const files: ManifestFile[] = [];
  for (const path of [...new Set(found.flat())].slice(0, limit)) {
    const content = await projectFiles.read(path);
    if (content.kind === "read") files.push({ path, text: new TextDecoder().decode(content.bytes) });
  }
  return files;
}

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Reads those in a folder outside of a project's root. */
export async function readManifestsIn(
  { uri: folder, path }: CodeFolder,
  globs: readonly string[],
  limit = MAX_MANIFESTS,
): Promise<readonly ManifestFile[]> {
  const found = await Promise.all(
    mergeGlobs(globs).map((glob) =>
      workspace.findFiles(new RelativePattern(folder, glob), EXCLUDED_FOLDERS, limit),
    ),
  );
  const names = [...new Set(found.flat().map((uri) => uri.path.slice(folder.path.length + 1)))].sort();
  const files: ManifestFile[] = [];
  for (const name of names.slice(0, limit)) {
    const bytes = await readSmallFile(Uri.joinPath(folder, name), MAX_MANIFEST_BYTES);
    if (bytes != null) files.push({ path: `${path}/${name}`, text: new TextDecoder().decode(bytes) });
  }
  return files;
}

const MAX_MANIFESTS = 200;
