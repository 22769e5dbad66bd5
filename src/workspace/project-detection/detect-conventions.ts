/** Detects what frameworks a project uses, and what their options say. The caller finds and reads the files. */
import type { ManifestFile } from "../../frameworks/framework.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import { detectFrameworksIn, MANIFEST_GLOBS, manifestGlobs } from "./detect-frameworks.ts";
import { optionFileGlobs, readFrameworkOptions } from "./read-framework-options.ts";
import type { DetectedConventions } from "./scan-and-lookup-options.ts";

/** The files of a project that say which conventions it follows. */
export interface ConventionFiles {
  /**
   * Reads the files of the project's folder that match the globs, and those of the folders with its code that match
   * `globsOutside`; at most `limit` of each folder.
   */
  readonly read: (
    globs: readonly string[],
    globsOutside: readonly string[],
    limit?: number,
  ) => Promise<readonly ManifestFile[]>;
  /** The manifests of each folder above it, the nearest first. */
  readonly above: readonly (readonly ManifestFile[])[];
  /** The name of the project's folder. */
  readonly name: string | undefined;
}

/** Maximum number of files with options of frameworks. */
const MAX_OPTION_FILES = 50;

export async function detectConventions(
  layout: readonly FilesEntry[],
  { read, above, name }: ConventionFiles,
): Promise<DetectedConventions> {
  const manifests = await read(manifestGlobs(layout), MANIFEST_GLOBS);
  const { frameworks, domains } = detectFrameworksIn(manifests, above, name);
  const globs = optionFileGlobs(frameworks);
  const options =
    globs.length === 0 ? {} : readFrameworkOptions(await read(globs, globs, MAX_OPTION_FILES), frameworks);
  return { frameworks: [...frameworks], domains: [...domains], options };
}
