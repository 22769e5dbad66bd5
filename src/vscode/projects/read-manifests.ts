/** Small files of a project that tell how it is set up. */
import type { ProjectFiles } from "../../model/platform.ts";
import type { ManifestFile } from "../../workspace/project-file/frameworks.ts";
import { fewestGlobs } from "../../workspace/usages/usage-files.ts";

/** The files that the globs find, at most `limit`. */
export async function readManifests(
  projectFiles: ProjectFiles,
  globs: readonly string[],
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly ManifestFile[]> {
  const found = await Promise.all(fewestGlobs(globs).map((glob) => projectFiles.find(glob)));
  const files: ManifestFile[] = [];
  for (const path of [...new Set(found.flat())].slice(0, limit)) {
    const content = await projectFiles.read(path);
    if (content !== undefined) files.push({ path, text: new TextDecoder().decode(content.bytes) });
  }
  return files;
}
