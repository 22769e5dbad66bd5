/** Reading of manifests and configuration files. */
import type { ProjectFiles } from "../../model/platform.ts";
import type { ManifestFile } from "../../frameworks/framework.ts";
import { mergeGlobs } from "../../workspace/usages/list-source-files.ts";

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
