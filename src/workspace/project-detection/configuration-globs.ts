/** The files, beside those of texts, that decide which projects a folder has and how their code is read. */
import { PROJECT_FILE_NAME } from "../project-file/project-file.ts";
import { MANIFEST_WATCH_GLOB } from "./detect-frameworks.ts";
import { SOURCE_LANGUAGE_GLOBS } from "./detect-source-language.ts";
import { PACKAGE_MANIFESTS } from "./packages-using-texts.ts";
import { OPTION_WATCH_GLOBS } from "./read-framework-options.ts";

/** For `FolderSearch.projectState`. */
export const CONFIGURATION_GLOBS: readonly string[] = [
  `**/${PROJECT_FILE_NAME}`,
  PACKAGE_MANIFESTS,
  MANIFEST_WATCH_GLOB,
  ...OPTION_WATCH_GLOBS,
  ...SOURCE_LANGUAGE_GLOBS.map((glob) => `**/${glob}`),
];
